"""Neighbours and spanning trees of distances that scikit-learn computes."""

import warnings
from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import BallTree, KDTree, NearestNeighbors, sort_graph_by_row_values
from sklearn.utils.validation import _allclose_dense_sparse

from ._options import Progress
from ._scikit_learn import neighbours_by

try:
    from sklearn.metrics import DistanceMetric
except ImportError:  # before scikit-learn 1.3
    from sklearn.neighbors import DistanceMetric

#: The metrics of scikit-learn's trees.
TREE_METRICS = frozenset(KDTree.valid_metrics) | frozenset(BallTree.valid_metrics)
#: Those of them that break the triangle inequality: their trees miss neighbours.
_WITHOUT_TRIANGLES = frozenset(("braycurtis", "dice"))
#: Edges of a graph: two points and a weight, a column each.
Edges = Tuple[np.ndarray, np.ndarray, np.ndarray]
_SMALL_MATRIX = 2**29  # bytes; below it a matrix of all distances is faster than rows
_ROWS_PER_LOOK = 256  # between two calls of progress


def neighbour_lists(
    X: Any,
    eps: float,
    metric: Any,
    metric_params: Optional[Dict[str, Any]],
    p: Optional[float],
    **options: Any,
) -> Tuple[np.ndarray, np.ndarray]:
    """The neighbours of each row of X within eps, as `starts` and `ids`; of precomputed distances,
    dense or sparse, too. `options` are those of `NearestNeighbors`."""
    if metric == "precomputed" and sparse.issparse(X):
        X = X.copy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sparse.SparseEfficiencyWarning)
            X.setdiag(X.diagonal())  # a point is its own neighbour, stored or not
            X = sort_graph_by_row_values(X, warn_when_not_sorted=False)
    finder = neighbours_by(metric, metric_params, p, radius=eps, **options).fit(X)
    rows = finder.radius_neighbors(X, return_distance=False)
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return starts, np.concatenate(rows).astype(np.int64, copy=False)


def core_flags(
    starts: np.ndarray, ids: np.ndarray, weights: Optional[np.ndarray], min_samples: int
) -> np.ndarray:
    """Which rows are core, as bytes: by the number of their neighbours, or the sum of weights."""
    sums = np.diff(starts)
    if weights is not None:
        rows = np.repeat(np.arange(len(sums)), sums)
        sums = np.bincount(rows, weights=weights[ids], minlength=len(sums))
    return (sums >= min_samples).astype(np.uint8)


def _prim(
    core: np.ndarray, row: Callable[[int], np.ndarray], progress: Optional[Progress]
) -> Edges:
    """A minimum spanning tree of mutual reachability by Prim's algorithm: row(i) are the distances
    of point i to all."""
    n = len(core)
    nearest = np.full(n, np.inf)  # to the tree, of the points outside
    source = np.zeros(n, dtype=np.int64)
    outside = np.ones(n, dtype=bool)
    edges = np.zeros(n - 1, dtype=np.int64), np.zeros(n - 1, dtype=np.int64), np.zeros(n - 1)
    at = 0
    for i in range(n - 1):
        if progress is not None and i % _ROWS_PER_LOOK == 0:
            progress("spanning tree", i / n)
        outside[at] = False
        nearest[at] = np.inf
        reach = np.maximum(np.maximum(row(at), core), core[at])
        closer = (reach < nearest) & outside
        np.copyto(nearest, reach, where=closer)
        source[closer] = at
        at = int(np.argmin(nearest))
        if not outside[at]:  # the others are at infinity
            at = int(np.argmax(outside))
        for column, value in zip(edges, (source[at], at, nearest[at])):
            column[i] = value
    return edges


def tree_edges(
    X: np.ndarray,
    min_samples: int,
    alpha: float,
    metric: str,
    metric_params: Dict[str, Any],
    n_jobs: Optional[int],
    progress: Optional[Progress],
) -> Edges:
    """A minimum spanning tree of mutual reachability by a metric of scikit-learn's trees, in memory
    that does not grow with their square. As there, alpha divides distances and no core distances."""
    X = np.ascontiguousarray(X)
    how = "brute" if metric in _WITHOUT_TRIANGLES else "auto"
    search = neighbours_by(
        metric, metric_params, n_neighbors=min_samples, n_jobs=n_jobs, algorithm=how
    )
    core = search.fit(X).kneighbors(X)[0][:, -1]
    distance = DistanceMetric.get_metric(metric, **metric_params)
    if 8 * len(X) ** 2 <= _SMALL_MATRIX:
        rows = distance.pairwise(X)
        return _prim(core, lambda i: rows[i] / alpha, progress)
    return _prim(core, lambda i: distance.pairwise(X[i : i + 1], X)[0] / alpha, progress)


def matrix_edges(
    distances: np.ndarray, min_samples: int, alpha: float, progress: Optional[Progress]
) -> Edges:
    """The same of all distances."""

    def row(i: int) -> np.ndarray:
        return distances[i] / alpha

    k = min_samples - 1
    core = np.array([np.partition(row(i), k)[k] for i in range(len(distances))])
    edges = _prim(core, row, progress)
    if np.isinf(edges[2]).any():
        warnings.warn(
            "The minimum spanning tree has edges of infinite weight: distances may be missing for "
            "this number of neighbours.",
            UserWarning,
            stacklevel=4,
        )
    return edges


def sparse_edges(
    distances: Any, min_samples: int, alpha: float, max_distance: float, few: bool
) -> Edges:
    """All edges of mutual reachability among the distances that are stored. With `few`, edges of
    points with fewer stored distances than `min_samples` have `max_distance`, where that is above
    0. ValueError."""
    graph = sparse.csr_matrix(distances, copy=True)
    graph.data /= alpha
    starts = graph.indptr
    if (np.diff(starts) < min_samples).any() and not (few and max_distance > 0):
        raise ValueError(
            f"There exists points with fewer than {min_samples} neighbors: store at least as many "
            "distances in each row, or choose a smaller min_samples"
        )
    k = min_samples - 1
    core = np.array(
        [
            np.partition(graph.data[a:b], k)[k] if k < b - a else np.inf
            for a, b in zip(starts[:-1], starts[1:])
        ]
    )
    parts = csgraph.connected_components(graph, directed=False, return_labels=False)
    if parts > 1:
        raise ValueError(
            f"Sparse mutual reachability matrix has {parts} connected components. HDBSCAN cannot be"
            " performed on a disconnected graph; store more distances"
        )
    a = np.repeat(np.arange(graph.shape[0]), np.diff(starts)).astype(np.int64)
    b = graph.indices.astype(np.int64)
    reach = np.maximum(np.maximum(core[a], core[b]), graph.data)
    known = np.isfinite(reach)
    reach[~known] = max_distance if max_distance > 0 else graph.data[~known]
    return a, b, reach


def check_symmetric(distances: Any) -> None:
    """ValueError unless it is a matrix of distances."""
    if distances.shape[0] != distances.shape[1]:
        raise ValueError(
            "The precomputed distance matrix is expected to be symmetric, however it has shape "
            f"{distances.shape}; use metric='euclidean' for points"
        )
    if not _allclose_dense_sparse(distances, distances.T):
        raise ValueError(
            "The precomputed distance matrix is expected to be symmetric, however its values "
            "appear to be asymmetric"
        )


def all_distances(
    X: Any, metric: Any, metric_params: Dict[str, Any], n_jobs: Optional[int]
) -> np.ndarray:
    """The distances of all pairs of rows."""
    return pairwise_distances(X, metric=metric, n_jobs=n_jobs, **metric_params)
