"""The engine. The wrappers beside this file check and document the calls."""

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

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
        haversine: bool = False,
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
    ) -> Dict[str, Any]: ...
    def counts(
        self, points: np.ndarray, others: Optional[np.ndarray], eps: float, progress: _Progress
    ) -> Dict[str, Any]: ...
    def pairs(
        self, points: np.ndarray, others: Optional[np.ndarray], eps: float, progress: _Progress
    ) -> Dict[str, Any]: ...
    def table(
        self, points: np.ndarray, others: Optional[np.ndarray], eps: float, progress: _Progress
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
        progress: _Progress,
    ) -> Dict[str, Any]: ...

class Hierarchy:
    @staticmethod
    def build(
        points: np.ndarray, min_pts: int, threads: int, progress: _Progress
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
    def hdbscan(
        self, min_cluster_size: int, leaves: bool, allow_single_cluster: bool, progress: _Progress
    ) -> Dict[str, Any]: ...

def nearest(
    points: np.ndarray, k: int, threads: int, progress: _Progress
) -> Dict[str, Any]: ...
def suggested_eps(points: np.ndarray, min_pts: int) -> float: ...
def default_min_pts(points: int, dims: int) -> int: ...
def strategy_choices() -> Dict[str, str]: ...
def backends() -> List[str]: ...
def warp_fields() -> Any: ...
