"""The engine. The wrappers beside this file check and document the calls."""

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

__version__: str

_Progress = Optional[Callable[[str, float], object]]

class Memory:
    """A result; numpy.asarray views it without a copy."""

class Engine:
    def __init__(
        self,
        backend: str,
        threads: int,
        device: int,
        strategy: Mapping[str, str],
        period: Sequence[float] = (),
        metric: str = "euclidean",
        for_load: bool = False,
    ) -> None: ...
    @property
    def remark(self) -> str: ...
    def dbscan(
        self,
        points: np.ndarray,
        eps: float,
        min_pts: int,
        weights: Optional[np.ndarray],
        progress: _Progress,
        groups: Optional[np.ndarray] = None,
    ) -> Dict[str, Any]: ...
    def counts(
        self, points: np.ndarray, others: Optional[np.ndarray], eps: float, progress: _Progress
    ) -> Dict[str, Any]: ...
    def pairs(
        self, points: np.ndarray, others: Optional[np.ndarray], eps: float, progress: _Progress
    ) -> Dict[str, Any]: ...
    def table(
        self,
        points: np.ndarray,
        others: Optional[np.ndarray],
        eps: float,
        distances: bool,
        progress: _Progress,
    ) -> Dict[str, Any]: ...
    def histogram(
        self,
        points: np.ndarray,
        others: Optional[np.ndarray],
        eps: float,
        bins: int,
        progress: _Progress,
    ) -> Dict[str, Any]: ...
    def load(
        self,
        points: np.ndarray,
        eps: float,
        kernel: str,
        sample_warps: int,
        seed: int,
        machine: str,
        weights: str,
        progress: _Progress,
    ) -> Dict[str, Any]: ...

class HdbscanCall:
    def __init__(
        self,
        min_cluster_size: int,
        leaves: bool,
        allow_single_cluster: bool,
        cluster_selection_epsilon: float,
        max_cluster_size: int,
        cluster_selection_epsilon_max: float = ...,
        cluster_selection_persistence: float = 0.0,
    ) -> None: ...

class Hierarchy:
    @staticmethod
    def build(
        points: np.ndarray,
        min_pts: int,
        threads: int,
        backend: str,
        device: int,
        periods: List[float],
        metric: str,
        progress: _Progress,
    ) -> "Hierarchy": ...
    @property
    def points(self) -> int: ...
    @property
    def min_pts(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def labels(self, eps: float) -> Dict[str, Any]: ...
    def curve(self, progress: _Progress) -> Dict[str, Any]: ...
    def linkage(self) -> Memory: ...
    def core_distances(self) -> Memory: ...
    def reachability(self) -> Dict[str, Any]: ...
    def hdbscan(self, call: HdbscanCall, progress: _Progress) -> Dict[str, Any]: ...
    def state(self) -> Dict[str, Any]: ...
    @staticmethod
    def of_state(state: Dict[str, Any]) -> "Hierarchy": ...

def condensed_rows(
    cluster_of: np.ndarray,
    lambdas: np.ndarray,
    parents: np.ndarray,
    births: np.ndarray,
    sizes: np.ndarray,
) -> Memory: ...
def spanning_tree(
    points: np.ndarray,
    min_pts: int,
    threads: int,
    periods: List[float],
    metric: str,
    progress: _Progress,
) -> Memory: ...
def label_points(
    engine: Engine,
    core: np.ndarray,
    labels: np.ndarray,
    points: np.ndarray,
    eps: float,
    progress: _Progress,
) -> Memory: ...

def graph_labels(
    starts: np.ndarray, ids: np.ndarray, core: np.ndarray, progress: _Progress
) -> Memory: ...
def check_matrix_fits(points: int, stored: int, bytes_of_each: int) -> None: ...
def graph_hdbscan(
    points: int,
    a: np.ndarray,
    b: np.ndarray,
    weights: np.ndarray,
    call: HdbscanCall,
    progress: _Progress,
) -> Dict[str, Any]: ...
def nearest(
    points: np.ndarray,
    others: Optional[np.ndarray],
    k: int,
    threads: int,
    backend: str,
    device: int,
    periods: List[float],
    metric: str,
    progress: _Progress,
) -> Dict[str, Any]: ...
def validity(
    points: np.ndarray, labels: np.ndarray, threads: int, progress: _Progress
) -> Dict[str, Any]: ...
def compare(labels: np.ndarray, others: np.ndarray, progress: _Progress) -> Dict[str, Any]: ...
def plan(
    engine: Engine,
    points: np.ndarray,
    eps: float,
    ranks: Sequence[int],
    query_sets: int,
    min_pts: int,
    bytes_per_second: float,
    latency: float,
    candidates_per_second: float,
    points_per_second: float,
    progress: _Progress,
) -> Dict[str, Any]: ...
def cost_of_k(
    engine: Engine, points: np.ndarray, eps: float, progress: _Progress
) -> Dict[str, Any]: ...
def min_pts_curve(
    engine: Engine, points: np.ndarray, eps: float, progress: _Progress
) -> Dict[str, Any]: ...
def k_distances(
    points: np.ndarray, k: int, most_sampled: int, threads: int, metric: str, progress: _Progress
) -> Dict[str, Any]: ...
def stability_over_eps(
    points: np.ndarray,
    hierarchy: Hierarchy,
    eps: List[float],
    resamples: int,
    share: float,
    seed: int,
    threads: int,
    periods: List[float],
    metric: str,
    progress: _Progress,
) -> Dict[str, Any]: ...
def stability(
    engine: Engine,
    points: np.ndarray,
    labels: np.ndarray,
    eps: float,
    min_pts: int,
    resamples: int,
    share: float,
    seed: int,
    progress: _Progress,
) -> Dict[str, Any]: ...

class Division:
    def __init__(self, sample: np.ndarray, eps: float, blocks: int) -> None: ...
    def counts(self, points: np.ndarray, threads: int) -> Memory: ...
    def deal(self, counts: np.ndarray, blocks: int) -> Tuple[Memory, Memory]: ...
    def scatter(self, points: np.ndarray, threads: int) -> Memory: ...

def cluster_block(
    engine: Engine,
    points: np.ndarray,
    ids: np.ndarray,
    places: np.ndarray,
    weights: Optional[np.ndarray],
    eps: float,
    min_pts: int,
) -> Dict[str, Any]: ...
def merge_clusters(
    lowest: np.ndarray, link_ids: np.ndarray, link_clusters: np.ndarray
) -> Tuple[Memory, int]: ...
def relabel_block(
    labels: np.ndarray,
    choice_points: np.ndarray,
    choice_clusters: np.ndarray,
    numbers: np.ndarray,
) -> Memory: ...
def suggested_eps(points: np.ndarray, min_pts: int) -> float: ...
def default_min_pts(points: int, dims: int) -> int: ...
def strategy_choices() -> Dict[str, str]: ...
def backends() -> List[str]: ...
def warp_fields() -> Any: ...
def generate(
    kind: str, points: int, dims: int, seed: int, progress: _Progress
) -> Memory: ...
