"""The names of the package hdbscan on Clusterloom's engine: replace `import hdbscan` by
`from clusterloom.compat import hdbscan`.

min_samples does not count the point itself here, as there; `clusterloom.HDBSCAN` counts it. Results
are those of the package up to what is said here:

- labels are numbered in the order in which clusters split off, those that do at once by their
  lowest rows; which of these the package numbers first depends on how it walks its tree;
- edges of equal weight are removed together, so that where distances tie some points, and clusters,
  may differ;
- cluster_persistence_ of a cluster that cluster_selection_epsilon takes instead of its parts is its
  own, not the sum of these;
- predictions differ where a cluster splits before it loses a point: the package then takes one of
  its parts for it;
- with cluster_selection_persistence, points of a part that is left out leave where their cluster
  splits, also where that part splits itself, whose parts have their own ends in the package;
- where all points are one cluster, approximate_predict says noise where the cloud's points are;
- "minkowski" goes by its p with every algorithm; the trees of the package, its default, leave p
  out;
- approximate_predict_scores are at least 0; in the package they can be less;
- core_dist_n_jobs of 0 and given distances that are not symmetric are refused;
- alpha other than 1 counts for every algorithm (Boruvka's leaves it out there), and is for the
  metrics of scikit-learn's trees;
- branch_detection_data and the metric arccos are refused.

algorithm, leaf_size, memory, approx_min_span_tree and gen_min_span_tree are accepted and change
nothing: the spanning tree is exact, and found when it is asked for.
"""

import warnings
from types import SimpleNamespace
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import BallTree, KDTree
from sklearn.utils.validation import check_array

from .. import _engine
from .._graphs import TREE_METRICS
from .._hdbscan import HDBSCAN as _HDBSCAN
from .._options import ParameterError, integer_of, labels_of, number_of, refuse_kinds
from .._predict import Fitted, Places, predicted, predicted_scores
from .._trees import CondensedTree, MinimumSpanningTree, SingleLinkageTree
from .._validity import validity as _validity
from ._dbcv import validities

__all__ = [
    "HDBSCAN",
    "all_points_membership_vectors",
    "approximate_predict",
    "approximate_predict_scores",
    "hdbscan",
    "membership_vector",
    "prediction",
    "validity",
    "validity_index",
]


class _Model(_HDBSCAN):
    """`clusterloom.HDBSCAN` with what the package alone has."""

    more: Dict[str, float] = {}  #: further members of the engine's call
    _few_stored = True

    def _call(self, **more: float) -> "_engine.HdbscanCall":
        return super()._call(**self.more, **more)

    def _fit_finite(self, *given: Any) -> tuple:
        found, linkage = super()._fit_finite(*given)
        taken = np.asarray(found["taken"])
        order = np.argsort(np.asarray(found["births"])[taken], kind="stable")
        number = np.append(np.argsort(order), -1).astype(np.int32)
        found["labels"] = number[np.asarray(found["labels"])]
        found["taken"] = taken[order]
        found["persistence"] = np.asarray(found["persistence"])[order]
        return found, linkage


_Model.__name__ = "HDBSCAN"  # in messages; pickle goes by __qualname__


class PredictionData(NamedTuple):
    """What HDBSCAN keeps for predictions."""

    raw_data: np.ndarray  #: the points
    exemplars: List[np.ndarray]  #: for each label


class HDBSCAN(ClusterMixin, BaseEstimator):
    """`hdbscan.HDBSCAN`: parameters, attributes and methods by its names. The module says how the
    results differ.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.2], [5.4], [20.0]]
    >>> HDBSCAN(min_cluster_size=3, min_samples=1).fit_predict(X).tolist()
    [0, 0, 0, 1, 1, 1, -1]
    """

    def __init__(
        self,
        min_cluster_size: int = 5,
        min_samples: Optional[int] = None,
        cluster_selection_epsilon: float = 0.0,
        cluster_selection_persistence: float = 0.0,
        max_cluster_size: int = 0,
        metric: Any = "euclidean",
        alpha: float = 1.0,
        p: Optional[float] = None,
        algorithm: str = "best",
        leaf_size: int = 40,
        memory: Any = None,
        approx_min_span_tree: bool = True,
        gen_min_span_tree: bool = False,
        core_dist_n_jobs: int = 4,
        cluster_selection_method: str = "eom",
        allow_single_cluster: bool = False,
        prediction_data: bool = False,
        branch_detection_data: bool = False,
        match_reference_implementation: bool = False,
        cluster_selection_epsilon_max: float = float("inf"),
        **kwargs: Any,
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.cluster_selection_persistence = cluster_selection_persistence
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.alpha = alpha
        self.p = p
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.memory = memory
        self.approx_min_span_tree = approx_min_span_tree
        self.gen_min_span_tree = gen_min_span_tree
        self.core_dist_n_jobs = core_dist_n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.prediction_data = prediction_data
        self.branch_detection_data = branch_detection_data
        self.match_reference_implementation = match_reference_implementation
        self.cluster_selection_epsilon_max = cluster_selection_epsilon_max
        self._metric_kwargs = kwargs

    def fit(self, X: Any, y: Any = None) -> "HDBSCAN":
        """Clusters the points of X. ValueError, and TypeError for "minkowski" without p, where the
        package raises it; NotImplementedError for what the module's text names."""
        samples = self._check()
        refuse_kinds(X)
        if self.metric == "precomputed":
            X = check_array(X, accept_sparse="csr", **_any_number())
        else:  # a copy: callers may use their array for something else afterwards
            X = check_array(X, accept_sparse="csr", dtype=np.float64, copy=True, **_any_number())
        rows = X.shape[0]
        if self.metric != "precomputed":
            rows = int(np.isfinite(np.asarray(X.sum(axis=1))).sum())
        samples = max(1, min(rows - 1, samples))
        params = dict(self._metric_kwargs)
        if self.metric == "minkowski":
            params["p"] = self.p
        stored = self.metric == "precomputed" and issparse(X)
        if stored and "max_dist" in params:
            params["max_distance"] = params.pop("max_dist")
        matched = bool(self.match_reference_implementation)
        model = _Model(
            min_cluster_size=self.min_cluster_size + matched,
            min_samples=samples + (not stored),  # stored distances have no point itself among them
            cluster_selection_epsilon=float(self.cluster_selection_epsilon),
            max_cluster_size=self.max_cluster_size if self.max_cluster_size > 0 else None,
            metric=self.metric,
            metric_params=params or None,
            alpha=self.alpha,
            n_jobs=self.core_dist_n_jobs,
            cluster_selection_method=self.cluster_selection_method,
            allow_single_cluster=bool(self.allow_single_cluster),
            copy=False,
        )
        model.more = {
            "cluster_selection_epsilon_max": float(self.cluster_selection_epsilon_max),
            "cluster_selection_persistence": float(self.cluster_selection_persistence),
        }
        self._model = model.fit(X)
        self._raw_data = None if self.metric == "precomputed" else X
        self._rows = np.flatnonzero(self._model.labels_ >= -1)  # of X that are points of the model
        self.labels_ = np.maximum(self._model.labels_, -1).astype(np.int64)
        self.probabilities_ = np.nan_to_num(self._model.probabilities_, nan=0.0)
        self.cluster_persistence_ = self._model.cluster_persistence_
        self.outlier_scores_ = np.nan_to_num(self._model.outlier_scores_, nan=1.0)
        self.n_features_in_ = X.shape[1]
        self._prediction_data: Optional[PredictionData] = None
        if self.prediction_data:
            self.generate_prediction_data()
        return self

    def _check(self) -> int:
        """min_samples of the fit. Errors as those of `fit`."""
        integer_of(self.min_cluster_size, "min_cluster_size", 2)
        samples = self.min_cluster_size if self.min_samples is None else self.min_samples
        samples = integer_of(samples, "min_samples", 1)
        if self.metric == "minkowski":
            if self.p is None:
                raise TypeError("metric 'minkowski' needs p")
            if self.p < 0:
                raise ValueError(f"p must be at least 0, not {self.p}")
        if not isinstance(self.alpha, float) or not self.alpha > 0:
            raise ValueError(f"alpha must be a float above 0, not {self.alpha!r}")
        if number_of(self.leaf_size, "leaf_size") < 1:
            raise ValueError(f"leaf_size must be at least 1, not {self.leaf_size}")
        for name in ("cluster_selection_epsilon", "cluster_selection_persistence"):
            if not number_of(getattr(self, name), name) >= 0:
                raise ValueError(f"{name} must be at least 0, not {getattr(self, name)}")
        largest = number_of(self.cluster_selection_epsilon_max, "cluster_selection_epsilon_max")
        if not largest >= self.cluster_selection_epsilon:
            raise ValueError(
                "cluster_selection_epsilon_max must be at least cluster_selection_epsilon, not "
                f"{largest}"
            )
        algorithms = ["best", "generic"]
        for kind in ("kdtree", "balltree"):
            algorithms += [f"prims_{kind}", f"boruvka_{kind}"]
        if self.algorithm not in algorithms:
            raise ParameterError(f"algorithm must be one of {algorithms}, not {self.algorithm!r}")
        for kind, tree in (("kdtree", KDTree), ("balltree", BallTree)):
            if self.algorithm.endswith(kind) and self.metric not in tree.valid_metrics:
                raise ValueError(f"algorithm {self.algorithm!r} does not know {self.metric!r}")
        if self.alpha != 1 and self.metric not in TREE_METRICS:
            raise NotImplementedError(f"alpha other than 1 is not for metric={self.metric!r}")
        if self.branch_detection_data:
            raise NotImplementedError("clusterloom.compat.hdbscan has no branch_detection_data")
        return max(1, samples - 1) if self.match_reference_implementation else samples

    def fit_predict(self, X: Any, y: Any = None) -> np.ndarray:
        """Clusters the points of X and returns `labels_`."""
        return self.fit(X).labels_

    def _fit_of(self, name: str) -> _HDBSCAN:
        """The fitted model. AttributeError before `fit`."""
        if "_model" not in self.__dict__:
            raise AttributeError(f"{name} is there after fit")
        return self.__dict__["_model"]

    @property
    def condensed_tree_(self) -> CondensedTree:
        """The condensed tree; rows that are not finite leave its root at lambda 0."""
        tree = self._fit_of("condensed_tree_").condensed_tree_
        return _tree_of_rows(tree, self._rows, len(self.labels_))

    @property
    def single_linkage_tree_(self) -> SingleLinkageTree:
        """The single-linkage tree; rows that are not finite merge last, at an infinite distance."""
        tree = self._fit_of("single_linkage_tree_").single_linkage_tree_
        return _merges_of_rows(tree, self._rows, len(self.labels_))

    @property
    def minimum_spanning_tree_(self) -> MinimumSpanningTree:
        """The minimum spanning tree, found on first use."""
        return self._fit_of("minimum_spanning_tree_").minimum_spanning_tree_

    @property
    def exemplars_(self) -> List[np.ndarray]:
        """For each label the most persistent points of its cluster. AttributeError where there are
        distances only."""
        fitted = self._fit_of("exemplars_")._fitted
        if self.metric == "precomputed":
            raise AttributeError("exemplars are points, and metric is 'precomputed'")
        return [fitted.points[rows] for rows in fitted.exemplar_rows()]

    @property
    def prediction_data_(self) -> PredictionData:
        """What `generate_prediction_data` keeps. AttributeError before it."""
        if self.__dict__.get("_prediction_data") is None:
            raise AttributeError("No prediction data was generated")
        return self.__dict__["_prediction_data"]

    def generate_prediction_data(self) -> None:
        """Allows predictions. Warns where there are distances only."""
        self._fit_of("prediction data")
        if self.metric == "precomputed":
            warnings.warn("Predictions need points; distances alone do not do", stacklevel=2)
            return
        self._prediction_data = PredictionData(self._raw_data, self.exemplars_)

    def _cluster_points(self, cluster_id: int) -> Tuple[np.ndarray, np.ndarray]:
        self._fit_of("a cluster")
        if self._raw_data is None:
            raise AttributeError("Raw data not available: metric is 'precomputed'")
        if cluster_id < 0 or not (self.labels_ == cluster_id).any():
            raise ValueError(f"there is no cluster {cluster_id}")
        rows = np.flatnonzero(self.labels_ == cluster_id)
        return self._raw_data[rows], self.probabilities_[rows]

    def weighted_cluster_centroid(self, cluster_id: int) -> np.ndarray:
        """The mean of a cluster's points, weighted by probabilities. ValueError for noise."""
        points, weights = self._cluster_points(cluster_id)
        return np.average(points, weights=weights, axis=0)

    def weighted_cluster_medoid(self, cluster_id: int) -> np.ndarray:
        """The point of a cluster with the smallest sum of distances, weighted by probabilities.
        Computes all distances of the cluster. ValueError for noise."""
        points, weights = self._cluster_points(cluster_id)
        params = dict(self._metric_kwargs, **({"p": self.p} if self.metric == "minkowski" else {}))
        distances = pairwise_distances(points, metric=self.metric, **params)
        return points[int(np.argmin(distances @ weights))]

    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = 5) -> np.ndarray:
        """DBSCAN's clusters at an epsilon, without border points."""
        model = self._fit_of("dbscan_clustering")
        return np.maximum(model.dbscan_clustering(cut_distance, min_cluster_size), -1)

    @property
    def relative_validity_(self) -> float:
        """An approximation of density-based validity from the spanning tree alone, to compare
        parameters of one cloud: for each cluster (s - d) / max(s, d), weighted by points, where d
        is the longest edge inside it and s the shortest to another cluster; twice the longest edge
        of all where there is none. Of a single cluster s is twice the shortest edge to noise."""
        model = self._fit_of("relative_validity_")
        labels = model.labels_[model.labels_ >= -1]
        edges = model.minimum_spanning_tree_.to_numpy()
        ends = labels[edges[:, :2].astype(np.int64)]
        lengths = edges[:, 2]
        sizes = np.bincount(labels[labels >= 0], minlength=model.n_clusters_)
        inside = np.zeros(model.n_clusters_)
        between = np.full(model.n_clusters_, np.inf)
        both = (ends >= 0).all(axis=1)
        same = both & (ends[:, 0] == ends[:, 1])
        np.maximum.at(inside, ends[same, 0], lengths[same])
        for side in (0, 1):
            apart = both & ~same
            np.minimum.at(between, ends[apart, side], lengths[apart])
        longest = float(lengths.max(initial=0))
        if model.n_clusters_ == 1:
            noise = lengths[(ends >= 0).sum(axis=1) == 1]
            longest = float(noise.min(initial=np.inf)) if len(noise) else longest
        between[np.isinf(between)] = 2 * longest
        most = np.maximum(between, inside)
        return float(np.sum(sizes * (between - inside) / np.where(most > 0, most, 1)) / len(labels))


def _any_number() -> dict:
    """check_array's word for numbers that are not finite, by scikit-learn's version."""
    import inspect

    word = "ensure_all_finite"
    known = inspect.signature(check_array).parameters
    return {word if word in known else "force_all_finite": False}


def hdbscan(
    X: Any,
    min_cluster_size: int = 5,
    min_samples: Optional[int] = None,
    alpha: float = 1.0,
    cluster_selection_epsilon: float = 0.0,
    cluster_selection_persistence: float = 0.0,
    max_cluster_size: int = 0,
    metric: Any = "minkowski",
    p: Optional[float] = 2,
    leaf_size: int = 40,
    algorithm: str = "best",
    memory: Any = None,
    approx_min_span_tree: bool = True,
    gen_min_span_tree: bool = False,
    core_dist_n_jobs: int = 4,
    cluster_selection_method: str = "eom",
    allow_single_cluster: bool = False,
    match_reference_implementation: bool = False,
    cluster_selection_epsilon_max: float = float("inf"),
    **kwargs: Any,
) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, Optional[np.ndarray]]:
    """`HDBSCAN` as a function: labels, probabilities, cluster persistence, condensed tree,
    single-linkage tree and, with gen_min_span_tree, spanning tree (else None), as arrays.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.2], [5.4], [20.0]]
    >>> labels, _, _, condensed, linkage, _ = hdbscan(X, min_cluster_size=3, min_samples=1)
    >>> labels.tolist(), len(condensed), linkage.shape
    ([0, 0, 0, 1, 1, 1, -1], 9, (6, 4))
    """
    model = HDBSCAN(
        min_cluster_size=min_cluster_size,
        min_samples=min_samples,
        alpha=alpha,
        cluster_selection_epsilon=cluster_selection_epsilon,
        cluster_selection_persistence=cluster_selection_persistence,
        max_cluster_size=max_cluster_size,
        metric=metric,
        p=p,
        leaf_size=leaf_size,
        algorithm=algorithm,
        memory=memory,
        approx_min_span_tree=approx_min_span_tree,
        gen_min_span_tree=gen_min_span_tree,
        core_dist_n_jobs=core_dist_n_jobs,
        cluster_selection_method=cluster_selection_method,
        allow_single_cluster=allow_single_cluster,
        match_reference_implementation=match_reference_implementation,
        cluster_selection_epsilon_max=cluster_selection_epsilon_max,
        **kwargs,
    ).fit(X)
    return (
        model.labels_,
        model.probabilities_,
        model.cluster_persistence_,
        model.condensed_tree_.to_numpy(),
        model.single_linkage_tree_.to_numpy(),
        model.minimum_spanning_tree_.to_numpy() if gen_min_span_tree else None,
    )


def _data_of(clusterer: HDBSCAN) -> Fitted:
    """What predictions need. ValueError without prediction data."""
    if clusterer.__dict__.get("_prediction_data") is None:
        raise ValueError(
            "Clusterer does not have prediction data: fit with prediction_data=True, or call "
            "generate_prediction_data()"
        )
    return clusterer._model._fitted


def _places_of(clusterer: HDBSCAN, points: Any) -> Tuple[np.ndarray, Fitted, Places]:
    """The points, and where they join the tree: core distances of the cloud to the min_samples-th
    point, the point itself included, those of new points to the next one, as in the package."""
    fitted = _data_of(clusterer)
    refuse_kinds(points, "points")
    points = check_array(points, dtype=np.float64)
    if points.shape[1] != clusterer.n_features_in_:
        raise ValueError(
            f"New points have {points.shape[1]} dimensions and the cloud "
            f"{clusterer.n_features_in_}"
        )
    m = fitted.min_samples - 1 + bool(clusterer.match_reference_implementation)
    return points, fitted, fitted.place(points, m, m + 1, 2 * m, clusterer.core_dist_n_jobs)


def _tree_of_rows(tree: CondensedTree, rows: np.ndarray, count: int) -> CondensedTree:
    """The tree of all `count` rows, of which `rows` are its points."""
    if len(rows) == count:
        return tree
    found = dict(tree._found)
    for name in ("cluster_of", "lambdas"):
        found[name] = np.zeros(count, dtype=found[name].dtype)
        found[name][rows] = tree._found[name]
    found["sizes"] = found["sizes"].copy()
    found["sizes"][0] = count
    return CondensedTree(found)


def _merges_of_rows(tree: SingleLinkageTree, rows: np.ndarray, count: int) -> SingleLinkageTree:
    """The same of single-linkage trees."""
    points = len(rows)
    if points == count:
        return tree
    merges = tree.to_numpy()
    nodes = np.concatenate([rows, np.arange(count, count + points - 1)])
    merges[:, :2] = nodes[merges[:, :2].astype(np.int64)]
    last = count + points - 2
    others = [
        (row, last + i, np.inf, points + 1 + i)
        for i, row in enumerate(np.setdiff1d(np.arange(count), rows).tolist())
    ]
    return SingleLinkageTree(np.concatenate([merges, others]))


def _without_clusters(fitted: Fitted, become: str) -> bool:
    """Warns where the tree has no cluster but its root."""
    if len(fitted.parents) > 1:
        return False
    warnings.warn(
        f"Clusterer does not have any defined clusters, new data will be automatically predicted "
        f"as {become}.",
        stacklevel=3,
    )
    return True


def approximate_predict(
    clusterer: HDBSCAN, points_to_predict: Any, return_connecting_points: bool = False
) -> Tuple[np.ndarray, ...]:
    """Labels and probabilities of new points, and, with return_connecting_points, the points that
    they join. The rule is that of `clusterloom.HDBSCAN.predict`."""
    points, fitted, places = _places_of(clusterer, points_to_predict)
    if _without_clusters(fitted, "noise"):
        labels, probabilities = np.full(len(points), -1, dtype=np.int32), np.zeros(len(points))
        neighbours = labels.copy()
    else:
        epsilon = clusterer.cluster_selection_epsilon
        labels, probabilities = predicted(fitted, places, epsilon)
        neighbours = clusterer._rows[places.neighbours]
    return (labels, probabilities) + ((neighbours,) if return_connecting_points else ())


def approximate_predict_scores(clusterer: HDBSCAN, points_to_predict: Any) -> np.ndarray:
    """Outlier scores of new points: those of `clusterloom.HDBSCAN.predict_outlier_scores`."""
    points, fitted, places = _places_of(clusterer, points_to_predict)
    if _without_clusters(fitted, "outliers"):
        return np.ones(len(points))
    return predicted_scores(fitted, places)


def membership_vector(clusterer: HDBSCAN, points_to_predict: Any) -> np.ndarray:
    """How much new points belong to each cluster: float64 of shape (points, clusters)."""
    points, fitted, places = _places_of(clusterer, points_to_predict)
    return fitted.memberships_of(points, places, clusterer.core_dist_n_jobs)


def all_points_membership_vectors(clusterer: HDBSCAN) -> np.ndarray:
    """The same of the rows of the cloud, 0 for those that are not finite; zeros of shape (rows,)
    where there is no cluster."""
    fitted = _data_of(clusterer)
    rows = len(clusterer.labels_)
    if len(fitted.taken) == 0:
        return np.zeros(rows)
    memberships = np.zeros((rows, len(fitted.taken)))
    memberships[clusterer._rows] = fitted.memberships(clusterer.core_dist_n_jobs)
    return memberships


def validity_index(
    X: Any,
    labels: Any,
    metric: Any = "euclidean",
    d: Optional[float] = None,
    per_cluster_scores: bool = False,
    mst_raw_dist: bool = False,
    verbose: bool = False,
    **kwd_args: Any,
) -> Any:
    """Density-based validity (DBCV) of labels, and, with per_cluster_scores, that of each cluster,
    NaN where there is none. For Euclidean distances `clusterloom.validity`; otherwise from a matrix
    of the distances of each cluster. `d` is the number of dimensions that precomputed distances are
    of; mst_raw_dist leaves core distances out; verbose changes nothing. ValueError for
    metric="precomputed" without d.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [9.0], [10.0], [30.0]])
    >>> labels = np.array([0, 0, 1, 1, -1])
    >>> round(validity_index(points, labels), 4)
    0.7111
    >>> round(validity_index(np.abs(points - points.T), labels, metric="precomputed", d=1), 4)
    0.7111
    """
    refuse_kinds(labels, "labels")
    labels = np.asarray(labels)
    if metric == "euclidean" and not mst_raw_dist and not kwd_args:
        found = _validity(X, labels)
        scores = np.full(int(labels.max(initial=-1)) + 1, np.nan)
        scores[found.clusters] = found.validity
        score = found.score
    else:
        refuse_kinds(X)
        X = check_array(X, **_any_number())
        labels = labels_of(labels, points=X.shape[0])
        scores = validities(X, labels, metric, d, mst_raw_dist, kwd_args)
        sizes = np.bincount(labels[labels >= 0], minlength=len(scores))
        known = ~np.isnan(scores)
        score = float((sizes * scores)[known].sum() / len(labels)) if known.any() else np.nan
    if len(labels) and (labels < 0).all():
        score = 0.0  # as the package has it
    return (score, scores) if per_cluster_scores else score


#: The modules of the package in which these functions are.
prediction = SimpleNamespace(
    all_points_membership_vectors=all_points_membership_vectors,
    approximate_predict=approximate_predict,
    approximate_predict_scores=approximate_predict_scores,
    membership_vector=membership_vector,
)
validity = SimpleNamespace(validity_index=validity_index)
