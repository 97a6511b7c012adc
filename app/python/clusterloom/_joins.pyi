"""The types of joins: what `radius_join` returns follows from `output` and `return_run`."""

from typing import Any, Dict, Literal, NamedTuple, Optional, Tuple, TypedDict, overload

import numpy as np
from scipy.sparse import csr_matrix
from typing_extensions import Unpack

from ._options import Period, Progress, Strategy

class NeighbourTable(NamedTuple):
    indptr: np.ndarray
    indices: np.ndarray

class DistanceHistogram(NamedTuple):
    upper: np.ndarray
    pairs: np.ndarray

class _Choices(TypedDict, total=False):
    bins: int
    distances: bool
    metric: str
    period: Optional[Period]
    index_dims: Any
    backend: str
    strategy: Optional[Strategy]
    device: Optional[int]
    n_jobs: Optional[int]
    progress: Optional[Progress]

@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["counts", "pairs"] = ...,
    return_run: Literal[False] = ...,
    **choices: Unpack[_Choices],
) -> np.ndarray: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["counts", "pairs"] = ...,
    return_run: Literal[True],
    **choices: Unpack[_Choices],
) -> Tuple[np.ndarray, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["table"],
    return_run: Literal[False] = ...,
    **choices: Unpack[_Choices],
) -> NeighbourTable: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["table"],
    return_run: Literal[True],
    **choices: Unpack[_Choices],
) -> Tuple[NeighbourTable, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["csr"],
    return_run: Literal[False] = ...,
    **choices: Unpack[_Choices],
) -> csr_matrix: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["csr"],
    return_run: Literal[True],
    **choices: Unpack[_Choices],
) -> Tuple[csr_matrix, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["histogram"],
    return_run: Literal[False] = ...,
    **choices: Unpack[_Choices],
) -> DistanceHistogram: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: Literal["histogram"],
    return_run: Literal[True],
    **choices: Unpack[_Choices],
) -> Tuple[DistanceHistogram, Dict[str, Any]]: ...
@overload
def radius_join(
    X: Any,
    eps: float,
    Y: Any = ...,
    *,
    output: str = ...,
    return_run: bool = ...,
    **choices: Unpack[_Choices],
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
