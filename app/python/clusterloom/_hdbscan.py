"""HDBSCAN* as scikit-learn's estimator."""

import inspect
import warnings
from numbers import Integral, Real
from typing import Any, Callable, Dict, Optional, Union

import numpy as np
import sklearn.cluster
from scipy import sparse
from scipy.sparse import csgraph
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances_chunked
from sklearn.metrics.pairwise import _VALID_METRICS
from sklearn.neighbors import BallTree, KDTree
from sklearn.utils._param_validation import Hidden, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from . import _engine, _graphs
from ._options import (
    ParameterError,
    Period,
    Progress,
    device_of,
    integer_of,
    number_of,
    periods_of,
    points_of,
    threads_of,
)
from ._predict import INFINITE, MISSING, MOST_NEIGHBOURS_IN_BOX, HdbscanResults
from ._scikit_learn import as_doubles, check_parameters, checked, engine_metric
from ._trees import cut_of, labels_of_parts

_MOST_NEIGHBOURS = 1024  # for which the engine finds core distances
_MOST_DIMENSIONS = 4096
#: Of each: NumPy's copy of a sparse matrix and columns of its edges, and the engine's edges.
_BYTES_OF_STORED = 60
_MOST_POINTS = 2**32 - 1  # of the engine's counts

#: The single-linkage tree, with the members that scikit-learn gives it.
_MERGE = np.dtype(
    [("left_node", np.intp), ("right_node", np.intp), ("value", float), ("cluster_size", np.intp)]
)


def _default_copy() -> Union[bool, str]:
    """The default of the scikit-learn that is installed: "warn" while it announces another one."""
    theirs = getattr(sklearn.cluster, "HDBSCAN", None)
    return False if theirs is None else inspect.signature(theirs).parameters["copy"].default


def _labels_at(tree: np.ndarray, cut: float, min_cluster_size: int) -> np.ndarray:
    """The parts of at least min_cluster_size points that the merges below `cut` join, numbered by
    their lowest points."""
    n = len(tree) + 1
    merges = tree[: np.searchsorted(tree["value"], cut)]
    ends = np.concatenate([merges["left_node"], merges["right_node"]])
    nodes = np.tile(n + np.arange(len(merges)), 2)
    graph = sparse.csr_matrix((np.ones(len(ends)), (ends, nodes)), shape=(2 * n, 2 * n))
    part = csgraph.connected_components(graph, directed=False)[1][:n]
    return labels_of_parts(part, min_cluster_size)


class HDBSCAN(HdbscanResults, ClusterMixin, BaseEstimator):
    """HDBSCAN*: clusters of different densities, without an epsilon. Parameters, attributes and
    errors are those of `sklearn.cluster.HDBSCAN`.

    Of the clusters of every epsilon it takes those that last over the widest ranges of density.
    Edges of equal weight are removed together, as [Campello 2013] asks; programs that remove them
    one by one give points between two clusters to one of the two, and may find other clusters. The
    guide has figures.

    The engine builds the hierarchy for Euclidean, Manhattan, Chebyshev and cosine distances of
    dense X of at most 4,096 dimensions, alpha = 1 and at most 1,024 neighbours (min_samples), of
    Manhattan and Chebyshev ones on the CPU. Otherwise distances come from scikit-learn, and the
    time grows with the square of the number of points, as it does there.

    Parameters
    ----------
    min_cluster_size : int, default 5
        The fewest points of a cluster, at least 2.
    min_samples : int, optional
        Neighbours, the point itself included, of the core distances. None takes min_cluster_size.
    cluster_selection_epsilon : float, default 0
        Clusters that appear at an epsilon below this one are not told apart.
    max_cluster_size : int, optional
        "eom" takes no larger clusters, but for those that cluster_selection_epsilon asks for.
    metric : str or callable, default "euclidean"
        A metric of scikit-learn, or "precomputed": X is then the matrix of distances, dense, or
        sparse with the distances that count.
    metric_params : dict, optional
        Further arguments of the metric; for sparse distances also max_distance, which replaces
        infinite ones.
    alpha : float, default 1
        Distances are divided by it; core distances too, where all distances are computed first.
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default "auto"
        Checked as in scikit-learn. It has no effect on distances of the engine; for others it
        chooses between distances row by row and all distances at once.
    leaf_size : int, default 40
        Checked, and without an effect.
    n_jobs : int, optional
        Threads; None and -1 take all processors. Distances from scikit-learn: as it defines n_jobs.
    cluster_selection_method : {"eom", "leaf"}, default "eom"
        Excess of mass, or the clusters that do not split further. "leaves", the word of the command
        line, is the same as "leaf".
    allow_single_cluster : bool, default False
        Whether all points may be one cluster.
    store_centers : {"centroid", "medoid", "both"}, optional
        Which centers of the clusters are computed; not for "precomputed".
    copy : bool
        Predictions, exemplars and the spanning tree read X again. With True they read a copy of it;
        with False X itself where it is an array of float64 or float32, which must not change while
        the fitted estimator is used. fit never changes X. The default is that of the scikit-learn
        that is installed, with its warning while it announces another one.
    backend : {"auto", "cpu", "cuda"}, default "auto"
        Where the engine builds the hierarchy: "auto" takes a GPU for 100,000 points and more where
        one answers, else the CPU. Without an effect where distances come from scikit-learn.
    device : int, optional
        Number of the GPU, from 0; None and -1 take the first that answers.
    period : float or sequence of floats, optional
        A periodic box, as in `DBSCAN`: coordinates differ by min(|d|, L - |d|), at all distances.
        For dense X of at most 4,096 dimensions, Euclidean distances and alpha = 1, on the CPU,
        with at most 64 neighbours; without store_centers.

    Attributes
    ----------
    labels_ : int32 array of shape (n,)
        0, 1, … for clusters, in the order of their lowest points; -1 for noise, -2 for rows with
        infinite and -3 for rows with missing values.
    probabilities_ : float64 array of shape (n,)
        How long each point stays in its cluster: 1 to its end, 0 for noise and rows with infinite
        values, NaN for rows with missing ones.
    centroids_, medoids_ : float64 arrays of shape (clusters, dimensions)
        Where store_centers asks for them: means weighted by probabilities, and the points with the
        smallest weighted sum of distances.
    outlier_scores_ : float64 array of shape (n,)
        GLOSH [Campello 2015]: 1 - lambda / the largest lambda in or below the last cluster that
        holds the point, where lambda is 1 / the distance at which it leaves that cluster. 0 for the
        densest points; 1 for rows with infinite values, NaN for rows with missing ones.
    cluster_persistence_ : float64 array of shape (clusters,)
        The stability of each cluster / (its points * the largest lambda of the tree), as the
        package hdbscan defines it; 1 where that lambda is infinite. The stability is that of the
        cluster itself, also where cluster_selection_epsilon took it instead of its parts.
    condensed_tree_ : CondensedTree
    single_linkage_tree_ : SingleLinkageTree
    minimum_spanning_tree_ : MinimumSpanningTree
        With `to_numpy()`, `to_pandas()`, `to_networkx()` and `plot()`. The spanning tree is found on
        first use, from X; see copy.
    exemplars_ : list of arrays
        For each label the points that stay to the end of its cluster, or of those below it that do
        not split.
    n_clusters_ : int
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    [Campello 2013, §5]; cluster_selection_epsilon: [Malzer 2020].

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.2], [5.4], [20.0]]
    >>> HDBSCAN(min_cluster_size=3, min_samples=2, copy=True).fit_predict(X).tolist()
    [0, 0, 0, 1, 1, 1, -1]
    """

    _parameter_constraints: Dict[str, Any] = {
        "min_cluster_size": [Interval(Integral, 2, None, closed="left")],
        "min_samples": [Interval(Integral, 1, None, closed="left"), None],
        "cluster_selection_epsilon": [Interval(Real, 0, None, closed="left")],
        "max_cluster_size": [None, Interval(Integral, 1, None, closed="left")],
        "metric": [
            StrOptions(_graphs.TREE_METRICS | set(_VALID_METRICS) | {"precomputed"}),
            callable,
        ],
        "metric_params": [dict, None],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "algorithm": [StrOptions({"auto", "brute", "kd_tree", "ball_tree"})],
        "leaf_size": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
        "cluster_selection_method": [StrOptions({"eom", "leaf"}), Hidden(StrOptions({"leaves"}))],
        "allow_single_cluster": ["boolean"],
        "store_centers": [None, StrOptions({"centroid", "medoid", "both"})],
        "copy": ["boolean", Hidden(StrOptions({"warn"}))],
        "backend": [str],
        "device": [Integral, None],
        "period": [Real, "array-like", None],
    }

    def __init__(
        self,
        min_cluster_size: int = 5,
        min_samples: Optional[int] = None,
        cluster_selection_epsilon: float = 0.0,
        max_cluster_size: Optional[int] = None,
        metric: Union[str, Callable] = "euclidean",
        metric_params: Optional[dict] = None,
        alpha: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 40,
        n_jobs: Optional[int] = None,
        cluster_selection_method: str = "eom",
        allow_single_cluster: bool = False,
        store_centers: Optional[str] = None,
        copy: Union[bool, str] = _default_copy(),
        *,
        backend: str = "auto",
        device: Optional[int] = None,
        period: Optional[Period] = None,
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.n_jobs = n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.store_centers = store_centers
        self.copy = copy
        self.backend = backend
        self.device = device
        self.period = period

    def fit(self, X: Any, y: Any = None, *, progress: Optional[Progress] = None) -> "HDBSCAN":
        """Clusters the points of X; arguments and errors are those of `DBSCAN.fit`, and sparse and
        precomputed X those of scikit-learn."""
        check_parameters(self)
        if progress is not None and not callable(progress):
            raise ParameterError("progress must be a function of a stage and a fraction, or None")
        if self.copy == "warn":
            warnings.warn(
                "The default value of `copy` will change from False to True in 1.10."
                " Explicitly set a value for `copy` to silence this warning.",
                FutureWarning,
                stacklevel=2,
            )
        X = self._points(X)
        missing = infinite = np.zeros(X.shape[0], dtype=bool)
        if self.metric != "precomputed":
            with np.errstate(invalid="ignore", over="ignore"):
                sums = np.asarray(X.sum(axis=1, dtype=np.float64)).ravel()
            missing, infinite = np.isnan(sums), np.isinf(sums)
        finite = ~(missing | infinite)
        if not finite.all():
            X = X[np.flatnonzero(finite)]
        if X.shape[0] == 1:
            raise ValueError("n_samples=1 while HDBSCAN requires more than one sample")
        samples = self.min_cluster_size if self.min_samples is None else self.min_samples
        if samples > X.shape[0]:
            raise ValueError(
                f"min_samples ({samples}) must be at most the number of samples in X"
                f" ({X.shape[0]})"
            )
        found, tree = self._fit_finite(X, samples, progress)
        labels, probabilities = np.asarray(found["labels"]), np.asarray(found["probabilities"])
        if self.metric == "precomputed":
            X = np.empty((X.shape[0], 0))  # only the number of points is read again
        elif self.copy and self.copy != "warn" and finite.all():  # a selection is a copy already
            X = X.copy()
        centers = self._centers(X, labels, probabilities, found["clusters"])
        # Nothing fails from here on: a model is that of one fit.
        self._keep(found, tree, X, samples, missing, infinite)
        self._single_linkage_tree_ = np.empty(len(tree), dtype=_MERGE)
        for column, name in enumerate(_MERGE.names):
            self._single_linkage_tree_[name] = tree[:, column]
        self.n_clusters_ = found["clusters"]
        vars(self).update(centers)
        self.labels_, self.probabilities_ = labels, probabilities
        if not finite.all():
            self.labels_ = np.where(missing, MISSING, INFINITE).astype(np.int32)
            self.labels_[finite] = labels
            self.probabilities_ = np.where(missing, np.nan, 0.0)
            self.probabilities_[finite] = probabilities
        return self

    def _points(self, X: Any) -> Any:
        """X, checked with what the metric asks of it. ValueError."""
        if self.metric != "precomputed":
            X = checked(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
            X = as_doubles(X) if sparse.issparse(X) else points_of(X)
        elif self.store_centers is not None:
            raise ValueError("Cannot store centers when using a precomputed distance matrix.")
        elif sparse.issparse(X):
            X = checked(self, X, accept_sparse="csr", dtype=np.float64, finite=True)
        else:
            X = checked(self, X, dtype=np.float64)
            if np.isnan(X).any():
                raise ValueError("np.nan values found in precomputed-dense")
        for name, tree in (("kd_tree", KDTree), ("ball_tree", BallTree)):
            if self.algorithm == name and self.metric not in tree.valid_metrics:
                raise ValueError(
                    f"{self.metric} is not a valid metric for a {tree.__name__}-based algorithm."
                    " Please select a different metric."
                )
            if self.algorithm == name and sparse.issparse(X):
                raise ValueError("Sparse data matrices only support algorithm `brute`.")
        if sparse.issparse(X) and not X.has_canonical_format:
            X = X.copy()  # what follows sorts its rows in place
        return X

    _few_stored = False  #: whether max_distance also serves rows with too few stored distances

    def _call(self, **more: float) -> "_engine.HdbscanCall":
        """Which clusters the engine takes."""
        return _engine.HdbscanCall(
            min_cluster_size=min(self.min_cluster_size, _MOST_POINTS),
            leaves=self.cluster_selection_method != "eom",
            allow_single_cluster=bool(self.allow_single_cluster),
            cluster_selection_epsilon=float(self.cluster_selection_epsilon),
            max_cluster_size=min(self.max_cluster_size or 0, _MOST_POINTS),
            **more,
        )

    def _fit_finite(self, X: Any, samples: int, progress: Optional[Progress]) -> tuple:
        """The engine's clusters of points or distances, and the single-linkage tree."""
        params = self.metric_params or {}
        dense = not sparse.issparse(X)
        metric = engine_metric(self.metric, params) if dense and self.alpha == 1 else None
        if metric == "cosine" and not X.any(axis=1).all():
            metric = None  # scikit-learn gives points at the origin a distance of 1
        boxed = metric == "euclidean" and samples <= MOST_NEIGHBOURS_IN_BOX
        if self.period is not None and not (boxed and X.shape[1] <= _MOST_DIMENSIONS):
            raise ValueError(
                f"period is for dense X of at most {_MOST_DIMENSIONS} dimensions, Euclidean"
                f" distances, alpha=1 and at most {MOST_NEIGHBOURS_IN_BOX} neighbours (min_samples)"
            )
        if self.period is not None and self.store_centers is not None:
            raise ValueError("store_centers is for distances without a period")
        if metric and samples <= _MOST_NEIGHBOURS and X.shape[1] <= _MOST_DIMENSIONS:
            threads, device = threads_of(self.n_jobs), device_of(self.device)
            periods = periods_of(self.period, X.shape[1])
            built = _engine.Hierarchy.build(
                X, samples, threads, self.backend, device, periods, metric, progress
            )
            found = built.hdbscan(self._call(), progress)
            found["engine"] = metric
            return found, np.asarray(built.linkage())
        X = as_doubles(X)
        by_rows = dense and isinstance(self.metric, str) and self.metric in _graphs.TREE_METRICS
        if self.metric == "precomputed":
            if not dense:
                _engine.check_matrix_fits(X.shape[0], X.nnz, _BYTES_OF_STORED)
            _graphs.check_symmetric(X)
            if dense:
                edges = _graphs.matrix_edges(X, samples, self.alpha, progress)
            else:
                longest = params.get("max_distance", 0.0)
                edges = _graphs.sparse_edges(X, samples, self.alpha, longest, self._few_stored)
        elif by_rows and self.algorithm != "brute":
            edges = _graphs.tree_edges(
                X, samples, self.alpha, self.metric, params, self.n_jobs, progress
            )
        else:
            _engine.check_matrix_fits(X.shape[0], X.shape[0] ** 2, np.float64().nbytes)
            distances = _graphs.all_distances(X, self.metric, params, self.n_jobs)
            edges = _graphs.matrix_edges(distances, samples, self.alpha, progress)
        found = _engine.graph_hdbscan(X.shape[0], *edges, self._call(), progress)
        found["edges"] = edges
        return found, np.asarray(found["linkage"])

    def _centers(
        self, X: Any, labels: np.ndarray, probabilities: np.ndarray, clusters: int
    ) -> Dict[str, np.ndarray]:
        """The attributes that store_centers asks for."""
        if self.store_centers is None:
            return {}
        centroids = np.empty((clusters, X.shape[1]))
        medoids = np.empty((clusters, X.shape[1]))
        for cluster in range(clusters):
            rows = np.flatnonzero(labels == cluster)
            points, weights = as_doubles(X[rows]), probabilities[rows]
            centroids[cluster] = points.T @ weights / weights.sum()
            if self.store_centers != "centroid":
                sums = pairwise_distances_chunked(
                    points,
                    reduce_func=lambda distances, _: distances @ weights,
                    metric=self.metric,
                    n_jobs=self.n_jobs,
                    **(self.metric_params or {}),
                )
                medoid = points[[int(np.argmin(np.concatenate(list(sums))))]]  # one row
                medoids[cluster] = (medoid.toarray() if sparse.issparse(medoid) else medoid)[0]
        stored = {"centroid": {"centroids_": centroids}, "medoid": {"medoids_": medoids}}
        return stored.get(self.store_centers, {**stored["centroid"], **stored["medoid"]})

    def fit_predict(
        self, X: Any, y: Any = None, *, progress: Optional[Progress] = None
    ) -> np.ndarray:
        """Clusters the points of X and returns `labels_`."""
        more = {} if progress is None else {"progress": progress}  # subclasses may not have it
        return self.fit(X, **more).labels_

    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = 5) -> np.ndarray:
        """The clusters of one epsilon without border points (DBSCAN*), from the hierarchy that
        `fit` built.

        Parameters
        ----------
        cut_distance : float
            Points are in one cluster when they are connected by mutual reachability below it.
        min_cluster_size : int, default 5
            The points of smaller clusters are noise.

        Returns
        -------
        labels : int32 array of shape (n,)
            As `labels_`.

        Examples
        --------
        >>> model = HDBSCAN(2, 1, copy=True).fit([[0.0], [0.1], [5.0], [5.1], [9.0]])
        >>> model.dbscan_clustering(0.5, min_cluster_size=2).tolist()
        [0, 0, 1, 1, -1]
        """
        check_is_fitted(self, "labels_")
        cut = cut_of(cut_distance)
        size = integer_of(min_cluster_size, "min_cluster_size")
        labels = self.labels_.copy()
        labels[labels > INFINITE] = _labels_at(self._single_linkage_tree_, cut, size)
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.metric != "precomputed"
        return tags

    def _more_tags(self) -> Dict[str, Any]:  # before scikit-learn 1.6
        return {"allow_nan": self.metric != "precomputed"}
