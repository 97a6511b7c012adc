"""Joins: neighbours within epsilon, and nearest neighbours."""

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from . import _engine
from ._options import (
    EngineChoice,
    Period,
    Progress,
    Strategy,
    device_of,
    engine_for,
    integer_of,
    number_of,
    metric_of,
    periods_of,
    points_of,
    threads_of,
    word_of,
)


class NeighbourTable(NamedTuple):
    """The neighbours of point p are indices[indptr[p]:indptr[p + 1]], ascending."""

    indptr: np.ndarray  #: int64 of shape (points + 1,)
    indices: np.ndarray  #: int32 of shape (pairs,)


class DistanceHistogram(NamedTuple):
    """Ordered pairs by distance; the sum of pairs up to bin i is the number within upper[i]."""

    upper: np.ndarray  #: float64 of shape (bins,): equal steps, the last is epsilon
    pairs: np.ndarray  #: uint64 of shape (bins,)


def _joined(
    X: Any,
    eps: float,
    Y: Any,
    choice: EngineChoice,
    output: str,
    bins: int,
    distances: bool,
    progress: Optional[Progress],
) -> Tuple[Any, dict]:
    """The result of a join, and what was done for it."""
    outputs = ("counts", "pairs", "table", "csr", "histogram")
    if word_of(output, "output") not in outputs:
        raise ValueError(f"output must be one of {', '.join(outputs)}, not {output!r}")
    euclidean = metric_of(choice.metric, ("haversine",)) == "euclidean"
    if distances and (output != "csr" or not euclidean or choice.period is not None):
        raise ValueError('distances are for output="csr" and Euclidean distances without a period')
    eps = number_of(eps, "eps")
    points = points_of(X)
    others = None if Y is None else points_of(Y, "Y")
    engine = engine_for(choice, points.shape[1])
    if output == "counts":
        found = engine.counts(points, others, eps, progress)
        return np.asarray(found["counts"]), found["run"]
    if output == "pairs":
        found = engine.pairs(points, others, eps, progress)
        return np.asarray(found["pairs"]).view(np.int32).reshape(-1, 2), found["run"]
    if output == "histogram":
        found = engine.histogram(points, others, eps, integer_of(bins, "bins", 1, 4096), progress)
        upper, pairs = np.asarray(found["upper"]), np.asarray(found["pairs"])
        return DistanceHistogram(upper, pairs), found["run"]
    found = engine.table(points, others, eps, bool(distances), progress)
    table = NeighbourTable(np.asarray(found["offsets"]).view(np.int64), np.asarray(found["ids"]))
    if output == "table":
        return table, found["run"]
    from scipy.sparse import csr_matrix

    shape = (len(points), len(points if others is None else others))
    data = np.asarray(found["distances"]) if distances else np.ones(len(table.indices), dtype=bool)
    return (
        csr_matrix((data, table.indices, table.indptr), shape=shape, copy=False),
        found["run"],
    )


def radius_join(
    X: Any,
    eps: float,
    Y: Any = None,
    *,
    output: str = "counts",
    bins: int = 50,
    distances: bool = False,
    return_run: bool = False,
    metric: str = "euclidean",
    period: Optional[Period] = None,
    index_dims: Any = "auto",
    backend: str = "auto",
    strategy: Optional[Strategy] = None,
    device: Optional[int] = None,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Any:
    """All neighbours within eps: of each point of X among the points of X, or of Y.

    In a join of X with itself every point is its own neighbour. Exact: a pair belongs to the result
    when the sum of its squared differences, in float64, is at most eps * eps.

    Parameters
    ----------
    X : array of shape (n, dimensions)
        float64 and float32 are read where they are; other types are converted to float64.
    eps : float
        The radius, in the units of the coordinates.
    Y : array of shape (m, dimensions), optional
        The points among which neighbours are searched, instead of X itself.
    output : {"counts", "pairs", "table", "csr", "histogram"}
        What is returned, see below.
    bins : int
        Of the histogram, 1 to 4096.
    distances : bool
        Whether "csr" holds the distances of the pairs, Euclidean ones, instead of True.
    return_run : bool
        Whether to return (result, run), where run is what was done, as `DBSCAN.run_`. On a GPU its
        "batch_model" lists what the batch-size model [Gowanlock 2018, §5.4] predicted for pairs and
        tables beside what they took: from the third run of a kind on. Its "passes" say how a CPU
        and a GPU shared the join, with the times that the volume model [Gallet 2020, eq. 1 to 3]
        predicted for a fixed share under "model".
    metric : {"euclidean", "cosine", "haversine", "manhattan", "chebyshev"}
        By scikit-learn's names. "cosine" is 1 - cos of the angle between two points; "haversine"
        takes (latitude, longitude) and eps in radians; neither is for the histogram. "manhattan"
        and "chebyshev", the sum and the largest of the differences of all coordinates, take no
        strategy, no index_dims and not the backend "hybrid"; a GPU has them in at most 128
        dimensions.
    period : float or sequence of floats, optional
        A periodic box: the period of all dimensions, or one for each, where 0 or None means none,
        one at least being above 0; see `DBSCAN`. eps must be less than half of each period.
    backend : {'auto', 'cpu', 'cuda', 'hybrid'}, default 'auto'
    index_dims, strategy, device, n_jobs
        As in `DBSCAN`.
    progress : callable, optional
        Called as progress(stage, fraction); see `tqdm_progress`.

    Returns
    -------
    "counts" : uint32 array of shape (n,)
        Neighbours of each point.
    "pairs" : int32 array of shape (pairs, 2)
        Rows (p, q), p a row of X and q one of Y (or X), in ascending order.
    "table" : NeighbourTable
        The same as indptr and indices.
    "csr" : scipy.sparse.csr_matrix of shape (n, m)
        The same with True for each pair, or with its distance as float64; the indices of a row
        ascend, and distances that are 0, as that of a point to itself, are stored as well.
    "histogram" : DistanceHistogram
        Ordered pairs by distance.

    Raises
    ------
    ValueError
        For coordinates that are not finite, no points, different dimensions, eps out of range.
    MemoryError
        When the result would not fit into memory; before it is computed.
    RuntimeError
        When the backend is not in this build or no GPU answers.

    References
    ----------
    [Gowanlock 2018, §4] and [Gallet 2019, §III]: the joins.

    Examples
    --------
    >>> radius_join([[0.0], [0.3], [1.0]], 0.5)
    array([2, 2, 1], dtype=uint32)
    >>> radius_join([[0.0], [0.3], [1.0]], 0.5, output="pairs").tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]]
    >>> radius_join([[0.0], [3.0]], 4.0, output="csr", distances=True).toarray().tolist()
    [[0.0, 3.0], [3.0, 0.0]]
    """
    choice = EngineChoice(backend, n_jobs, device, strategy, index_dims, metric, period)
    result, run = _joined(X, eps, Y, choice, output, bins, distances, progress)
    return (result, run) if return_run else result


def knn(
    X: Any,
    k: int,
    Y: Any = None,
    *,
    metric: str = "euclidean",
    period: Optional[Period] = None,
    backend: str = "auto",
    device: Optional[int] = None,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Tuple[np.ndarray, np.ndarray]:
    """The k nearest points of every point of X, among the points of X, the point itself first, or
    among those of Y: exact, ties by row.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    k : int
        1 to min(n, 1024), the point itself included; with Y 1 to min(points of Y, 1024).
    Y : array of shape (m, dimensions), optional
        The points among which neighbours are searched, instead of X itself.
    metric : {"euclidean", "cosine", "manhattan", "chebyshev"}
        How distances are measured, by scikit-learn's names. "cosine" is 1 - cos of the angle
        between two points, of which none may be zero; "manhattan" and "chebyshev", the sum and the
        largest of the differences of all coordinates, are for the CPU. Only "euclidean" has periods.
    period : float or sequence of floats, optional
        A periodic box, as in `radius_join`: coordinates differ by min(|d|, L - |d|). k is then at
        most 64.
    backend : {'auto', 'cpu', 'cuda'}
        "auto" takes a GPU for large clouds where one answers, else the CPU, as always with Y and
        with a period.
    device, n_jobs, progress
        As in `radius_join`.

    Returns
    -------
    distances : float64 array of shape (n, k)
        Ascending in each row. Column k - 1 holds the core distances of min_samples = k, rounded: a
        point is core from there on, or from the next larger number.
    ids : int32 array of shape (n, k)
        Rows of X, or of Y.

    Raises
    ------
    ValueError, MemoryError, RuntimeError
        As `radius_join`; ValueError also for k out of range, and for points whose squared
        distances would overflow, or underflow although the points differ.

    Examples
    --------
    >>> distances, ids = knn([[0.0], [1.0], [3.0]], 2)
    >>> ids.tolist()
    [[0, 1], [1, 0], [2, 1]]
    >>> distances.tolist()
    [[0.0, 1.0], [0.0, 1.0], [0.0, 2.0]]
    >>> knn([[0.0], [2.5]], 2, Y=[[1.0], [2.0], [3.0]])[1].tolist()
    [[0, 1], [1, 2]]
    >>> knn([[0.1], [5.0], [9.8]], 2, period=10)[1].tolist()
    [[0, 2], [1, 2], [2, 0]]
    >>> knn([[0.0, 0.0], [2.0, 2.0], [0.0, 3.0]], 2, metric="manhattan")[0].tolist()
    [[0.0, 3.0], [0.0, 3.0], [0.0, 3.0]]
    """
    nearest = integer_of(k, "k", 1, 1024)
    points, others = points_of(X), None if Y is None else points_of(Y, "Y")
    found = _engine.nearest(
        points,
        others,
        nearest,
        threads_of(n_jobs),
        word_of(backend, "backend"),
        device_of(device),
        periods_of(period, points.shape[1]),
        metric_of(metric),
        progress,
    )
    return np.asarray(found["distances"]), np.asarray(found["ids"]).view(np.int32)
