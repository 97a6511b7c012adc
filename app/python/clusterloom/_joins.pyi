"""The types of joins: what `radius_join` returns follows from `output` and `return_run`."""

from typing import Any, Dict, Literal, NamedTuple, Optional, Tuple, overload

import numpy as np
from scipy.sparse import csr_matrix

from ._options import Period, Progress, Strategy

class NeighbourTable(NamedTuple):
    indptr: np.ndarray
    indices: np.ndarray

class DistanceHistogram(NamedTuple):
    upper: np.ndarray
    pairs: np.ndarray

@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["counts"] = ...,
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[False] = ...,
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> np.ndarray: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["counts"] = ...,
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[True],
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> Tuple[np.ndarray, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["pairs"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[False] = ...,
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> np.ndarray: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["pairs"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[True],
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> Tuple[np.ndarray, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["table"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[False] = ...,
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> NeighbourTable: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["table"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[True],
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> Tuple[NeighbourTable, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["csr"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[False] = ...,
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> csr_matrix: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["csr"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[True],
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> Tuple[csr_matrix, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["histogram"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[False] = ...,
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> DistanceHistogram: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["histogram"],
    bins: int = ...,
    distances: bool = ...,
    return_run: Literal[True],
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> Tuple[DistanceHistogram, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: str = ...,
    bins: int = ...,
    distances: bool = ...,
    return_run: bool = ...,
    metric: str = ...,
    period: Optional[Period] = ...,
    index_dims: Any = ...,
    backend: str = ...,
    strategy: Optional[Strategy] = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> Any: ...
def knn(
    X: Any,
    k: int,
    Y: Any = ...,
    *,
    metric: str = ...,
    period: Optional[Period] = ...,
    backend: str = ...,
    device: Optional[int] = ...,
    n_jobs: Optional[int] = ...,
    progress: Optional[Progress] = ...,
) -> Tuple[np.ndarray, np.ndarray]: ...
