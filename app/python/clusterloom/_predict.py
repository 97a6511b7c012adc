"""What the fitted estimators say about further points, and the results of HDBSCAN* beside its
labels."""

import copy
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from sklearn.utils.validation import check_is_fitted

from . import _engine
from ._labels import lowest_labels
from ._options import Period, Progress, periods_of, points_of, threads_of
from ._scikit_learn import as_doubles, assert_all_finite, checked, euclidean, neighbours_by
from ._trees import CondensedTree, MinimumSpanningTree, SingleLinkageTree

#: Labels of rows with infinite and with missing values, as in scikit-learn.
INFINITE, MISSING = -2, -3
_MOST_NEIGHBOURS = 1024  # that the engine finds
MOST_NEIGHBOURS_IN_BOX = 64
_LARGEST = 1e300  # for infinite lambdas, where quotients of them are needed


class DbscanPrediction:
    """`DBSCAN.predict`."""

    def predict(self, X: Any, *, progress: Optional[Progress] = None) -> np.ndarray:
        """Labels new points, which change no cluster: each takes the lowest label among the core
        points within eps, as a border point does, else -1. The points of the cloud itself get their
        own labels, except that a row with an infinite distance cannot be predicted, and that in
        sparse distances the zeros of points to themselves must be stored. eps and the metric are
        those of the fit, also where set_params changed them since.

        Parameters
        ----------
        X : array of shape (n, dimensions)
            With metric="precomputed" the distances to all points of the cloud, of shape
            (n, points of the cloud).
        progress : callable, optional
            As in `fit`.

        Returns
        -------
        int32 array of shape (n,). ValueError for other dimensions than those of the cloud and for
        coordinates that are not finite.
        """
        check_is_fitted(self, "labels_")
        if self._grouped:
            raise ValueError("predict is not possible after fit_many")
        fitted = copy.copy(self)
        vars(fitted).update(self._of_fit)
        return fitted._predict(X, progress)

    def _predict(self, X: Any, progress: Optional[Progress]) -> np.ndarray:
        """predict, where the parameters are those of the fit."""
        X = checked(self, X, accept_sparse="csr", reset=False)
        assert_all_finite(X.data if sparse.issparse(X) else X, input_name="X")
        core = self.core_sample_indices_
        labels = np.ascontiguousarray(self.labels_[core], dtype=np.int32)
        if len(core) == 0:
            return np.full(X.shape[0], -1, dtype=np.int32)
        metric = None if self.metric == "precomputed" else self._engine_metric(X)
        if metric is not None and not sparse.issparse(self.components_):
            return lowest_labels(
                self._engine_choice(metric),
                points_of(self.components_),
                labels,
                points_of(X),
                float(self.eps),
                progress,
            )
        return self._lowest_labels(X, core, labels)

    def _lowest_labels(self, X: Any, core: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """The same by neighbours that scikit-learn finds."""
        result = np.full(X.shape[0], -1, dtype=np.int32)
        if self.metric == "precomputed":
            if sparse.issparse(X):
                near = X[:, core].tocoo()  # distances that are stored, zeros among them
                within = near.data <= self.eps
                rows, columns = near.row[within], near.col[within]
            else:
                rows, columns = np.nonzero(X[:, core] <= self.eps)
        else:
            finder = neighbours_by(
                self.metric,
                self.metric_params,
                self.p,
                radius=self.eps,
                algorithm=self.algorithm,
                leaf_size=self.leaf_size,
                n_jobs=self.n_jobs,
            ).fit(self.components_)
            found = finder.radius_neighbors(X, return_distance=False)
            rows = np.repeat(np.arange(len(found)), [len(ids) for ids in found])
            columns = np.concatenate([*found, np.empty(0, dtype=np.int64)]).astype(np.int64)
        lowest = np.full(X.shape[0], np.iinfo(np.int32).max, dtype=np.int32)
        np.minimum.at(lowest, rows, labels[columns])
        known = lowest != np.iinfo(np.int32).max
        result[known] = lowest[known]
        return result


class Places(NamedTuple):
    """Where points would join the condensed tree."""

    neighbours: np.ndarray  #: the point of the cloud that each joins first
    lambdas: np.ndarray  #: the density at which it does
    clusters: np.ndarray  #: the cluster of the tree that holds it there
    known: np.ndarray  #: whether it lies on a point of the cloud


class _ByEngine:
    """The nearest neighbours of points by the engine's distances, asked as scikit-learn's are."""

    def __init__(
        self, points: np.ndarray, metric: str, periods: List[float], n_jobs: Optional[int]
    ) -> None:
        self._points, self._metric, self._periods = points, metric, periods
        self._n_jobs = n_jobs

    def kneighbors(self, X: np.ndarray, n_neighbors: int) -> Tuple[np.ndarray, np.ndarray]:
        away = np.any(X, axis=1) if self._metric == "cosine" else np.ones(len(X), dtype=bool)
        if not away.all():
            # The engine has no angle for a point at the origin; scikit-learn's distances are 1.
            other = neighbours_by("cosine", None, n_jobs=self._n_jobs).fit(as_doubles(self._points))
            distances, rows = other.kneighbors(as_doubles(X), n_neighbors=n_neighbors)
            if away.any():
                distances[away], rows[away] = self.kneighbors(X[away], n_neighbors)
            return distances, rows
        found = _engine.nearest(
            points_of(X),
            self._points,
            n_neighbors,
            threads_of(self._n_jobs),
            "cpu",
            -1,
            self._periods,
            self._metric,
            None,
        )
        return np.asarray(found["distances"]), np.asarray(found["ids"]).view(np.int32)


def _nearest_by(finder: Any, X: Any, k: int) -> Tuple[np.ndarray, np.ndarray]:
    """Distances and rows of the k nearest points. The engine reads float32 where it is."""
    asked = X if isinstance(finder, _ByEngine) else as_doubles(X)
    return finder.kneighbors(asked, n_neighbors=k)


class Fitted:
    """What predictions need of a fit; distances are those of the metric."""

    def __init__(
        self,
        found: Dict[str, Any],
        points: Any,
        min_samples: int,
        metric: Any,
        params: Any,
        period: Optional[Period],
        engine: Optional[str],
        alpha: float,
        epsilon: float,
    ) -> None:
        self.points = points
        self.alpha, self.epsilon = alpha, epsilon
        self.engine = engine  # the metric where the engine built the tree
        self.min_samples = min_samples
        self.periods = periods_of(period, points.shape[1])
        self.metric, self.params = metric, params
        for name in ("cluster_of", "lambdas", "parents", "births", "taken"):
            setattr(self, name, np.asarray(found[name]))
        self._finder: Any = None
        self._core: Any = None

    def _neighbours_of(self, points: Any, n_jobs: Optional[int]) -> Any:
        few = 2 * self.min_samples <= _MOST_NEIGHBOURS  # which predictions look at
        if self.periods or (few and self.engine not in (None, "euclidean")):
            return _ByEngine(points, self.engine or "euclidean", self.periods, n_jobs)
        plain = not sparse.issparse(points) and euclidean(self.metric, self.params)
        return neighbours_by(
            "euclidean" if plain else self.metric,
            None if plain else self.params,
            algorithm="kd_tree" if plain else "auto",
            n_jobs=n_jobs,
        ).fit(as_doubles(points))

    def nearest(self, X: Any, k: int, n_jobs: Optional[int]) -> Tuple[np.ndarray, np.ndarray]:
        """Distances and rows of the k nearest points of the cloud."""
        if self._finder is None:
            self._finder = self._neighbours_of(self.points, n_jobs)
        most = min(k, MOST_NEIGHBOURS_IN_BOX) if self.periods else k
        return _nearest_by(self._finder, X, min(most, self.points.shape[0]))

    def core_distances(self, k: int, n_jobs: Optional[int]) -> np.ndarray:
        """The distance of each point of the cloud to its k-th point, itself the first."""
        if self._core is None or self._core[0] != k:
            self._core = (k, self.nearest(self.points, k, n_jobs)[0][:, -1])
        return self._core[1]

    def largest(self, below: bool = False) -> np.ndarray:
        """For each cluster the largest lambda at which a point or child leaves it, or, with
        `below`, one below it."""
        largest = np.zeros(len(self.parents))
        np.maximum.at(largest, self.cluster_of, self.lambdas)
        for c in reversed(range(1, len(largest))):
            parent = self.parents[c]
            largest[parent] = max(largest[parent], largest[c] if below else self.births[c])
        return largest

    def labels(self) -> np.ndarray:
        """The label of each cluster of the tree: that of the taken one that is it or holds it."""
        labels = np.full(len(self.parents), -1, dtype=np.int32)
        labels[self.taken] = np.arange(len(self.taken))
        for c in range(1, len(labels)):
            if labels[c] < 0:
                labels[c] = labels[self.parents[c]]
        return labels

    def place(self, X: Any, core_k: int, own_k: int, k: int, n_jobs: Optional[int]) -> Places:
        """Where the points of X join: the rule of `HDBSCAN.predict`. The core distances of the
        cloud are those to the core_k-th point, those of X to the own_k-th of the cloud, and k
        neighbours are looked at."""
        if X.shape[0] == 0:
            none = np.empty(0, dtype=np.int64)
            return Places(none, np.empty(0), none, none.astype(bool))
        distances, rows = self.nearest(X, max(k, own_k), n_jobs)
        own = distances[:, min(own_k, distances.shape[1]) - 1]
        distances, rows = distances[:, :k], rows[:, :k]
        core = self.core_distances(core_k, n_jobs)
        reach = np.maximum(np.maximum(core[rows], own[:, None]), distances)
        first = reach.argmin(axis=1)
        each = np.arange(len(first))
        neighbours = rows[each, first]
        with np.errstate(divide="ignore"):
            lambdas = 1 / reach[each, first]
        clusters = self.cluster_of[neighbours].astype(np.int64)
        above = self.lambdas[neighbours] > lambdas
        while True:
            climb = above & (clusters > 0) & (self.births[clusters] >= lambdas)
            if not climb.any():
                break
            clusters[climb] = self.parents[clusters[climb]]
        return Places(neighbours, lambdas, clusters, distances[:, 0] == 0)

    def exemplar_rows(self) -> List[np.ndarray]:
        """For each label the points that stay to the end of the clusters below it that do not
        split."""
        labels, end = self.labels(), self.largest()
        leaf = np.ones(len(self.parents), dtype=bool)
        leaf[self.parents[1:]] = False
        stays = leaf[self.cluster_of] & (self.lambdas == end[self.cluster_of])
        rows = np.flatnonzero(stays)
        of = labels[self.cluster_of[rows]]
        return [rows[of == label] for label in range(len(self.taken))]

    def merge_lambdas(self, clusters: np.ndarray, lambdas: np.ndarray) -> np.ndarray:
        """For points in `clusters` the lambda at which each and each taken cluster are together: at
        most its own lambda, which it is where one of the two clusters holds the other."""
        unique, inverse = np.unique(clusters, return_inverse=True)
        left, right = (a.copy() for a in np.broadcast_arrays(unique[:, None], self.taken[None, :]))
        left, right = left.astype(np.int64), right.astype(np.int64)
        last = np.zeros_like(left)
        moved_left, moved_right = np.zeros(left.shape, bool), np.zeros(left.shape, bool)
        while (left != right).any():  # parents have lower numbers
            up = left > right
            last = np.where(up, left, np.where(left < right, right, last))
            moved_left |= up
            moved_right |= left < right
            left, right = (
                np.where(up, self.parents[left], left),
                np.where(left < right, self.parents[right], right),
            )
        heights = np.where(moved_left & moved_right, self.births[last], np.nan)[inverse]
        return np.where(np.isnan(heights), lambdas[:, None], heights)

    def _nearness(self, X: Any, n_jobs: Optional[int]) -> np.ndarray:
        """1 / distance to the nearest exemplar of each label, in sum 1."""
        nearness = np.empty((X.shape[0], len(self.taken)))
        for label, rows in enumerate(self.exemplar_rows()):
            finder = self._neighbours_of(self.points[rows], n_jobs)
            nearness[:, label] = _nearest_by(finder, X, 1)[0][:, 0]
        with np.errstate(divide="ignore"):
            nearness = np.minimum(1 / nearness, _LARGEST / max(1, len(self.taken)))
        return nearness / nearness.sum(axis=1, keepdims=True)

    def memberships(self, n_jobs: Optional[int]) -> np.ndarray:
        """Of the points of the cloud."""
        if len(self.taken) == 0:
            return np.zeros((self.points.shape[0], 0))
        lambdas = np.minimum(self.lambdas, _LARGEST)
        end = np.minimum(self.largest(), _LARGEST)
        heights = self.merge_lambdas(self.cluster_of, lambdas)
        with np.errstate(divide="ignore"):
            score = np.exp(-(end[self.cluster_of, None] + 1e-8) / heights)
        weight = np.exp(score - score.max())
        weight /= weight.sum(axis=1, keepdims=True)
        nearness = self._nearness(self.points, n_jobs)
        result = nearness * weight
        result /= result.sum(axis=1, keepdims=True)
        best = _best(heights, nearness)
        most = np.maximum(end[self.taken[best]], lambdas)
        return result * (heights.max(axis=1) / np.where(most > 0, most, 1))[:, None]

    def memberships_of(self, X: Any, places: Places, n_jobs: Optional[int]) -> np.ndarray:
        """Of the points of X."""
        if len(self.taken) == 0 or X.shape[0] == 0:
            return np.zeros((X.shape[0], len(self.taken)))
        at = np.minimum(np.minimum(places.lambdas, self.lambdas[places.neighbours]), _LARGEST)
        end = np.minimum(self.largest(), _LARGEST)
        own = self.cluster_of[places.neighbours]
        heights = self.merge_lambdas(own, at)
        gap = end[own, None] - heights
        score = end[own, None] / np.where(gap > 0, gap, 1e-8)
        weight = np.exp(score - score.max(axis=1, keepdims=True))
        weight /= weight.sum(axis=1, keepdims=True)
        nearness = self._nearness(X, n_jobs)
        result = np.sqrt(nearness) * weight**2
        total = result.sum(axis=1, keepdims=True)
        result /= np.where(total > 0, total, 1)
        best = _best(heights, nearness)
        most = np.maximum(at, end[self.taken[best]]) + 1e-8
        return result * (heights.max(axis=1) / most)[:, None]


class Rows(NamedTuple):
    """Which rows are not finite."""

    missing: np.ndarray  #: have missing values
    infinite: np.ndarray  #: have infinite ones

    @property
    def finite(self) -> np.ndarray:
        """All others."""
        return ~(self.missing | self.infinite)

    def filled(self, values: np.ndarray, infinite: float, missing: float) -> np.ndarray:
        """The values of the finite rows among those of the others."""
        result = np.full((len(self.missing), *values.shape[1:]), infinite, dtype=values.dtype)
        result[self.finite] = values
        if self.missing.any():
            result[self.missing] = missing
        return result


class HdbscanResults:
    """The results of HDBSCAN* beside labels, and predictions. `fit` calls `_keep`."""

    def _keep(
        self, found: Dict[str, Any], linkage: Any, X: Any, samples: int, missing: Any, infinite: Any
    ) -> None:
        """Keeps what a fit found of the finite rows X; `missing` and `infinite` mark the others."""
        self.cluster_persistence_ = np.asarray(found["persistence"])
        rows = Rows(missing, infinite)
        self.outlier_scores_ = rows.filled(np.asarray(found["outlier_scores"]), 1, np.nan)
        self.condensed_tree_ = CondensedTree(found)
        self.single_linkage_tree_ = SingleLinkageTree(linkage)
        self._edges = found.get("edges")
        self._fitted = Fitted(
            found,
            X,
            samples,
            self.metric,
            self.metric_params,
            self.period,
            found.get("engine"),
            self.alpha,
            self.cluster_selection_epsilon,
        )
        self._spanning_tree: Dict[str, Any] = {}

    def _prediction(self) -> Fitted:
        """What predictions need. ValueError where the metric is none of points."""
        check_is_fitted(self, "labels_")
        fitted = self._fitted
        if fitted.metric == "precomputed":
            raise ValueError("predictions need points, and metric is 'precomputed'")
        if fitted.alpha != 1:
            raise ValueError(f"predictions are for alpha=1, not {fitted.alpha}")
        return fitted

    @property
    def minimum_spanning_tree_(self) -> MinimumSpanningTree:
        """A minimum spanning tree of mutual reachability. It is found on first use, which takes
        about as long as `fit` where the engine built the hierarchy."""
        if not hasattr(self, "_fitted"):
            raise AttributeError("minimum_spanning_tree_ is there after fit")
        if "tree" not in self._spanning_tree:
            fitted = self._fitted
            if self._edges is not None:
                edges = _tree_of(fitted.points.shape[0], *self._edges)
            else:
                edges = _engine.spanning_tree(
                    fitted.points,
                    fitted.min_samples,
                    threads_of(self.n_jobs),
                    fitted.periods,
                    fitted.engine or "euclidean",
                    None,
                )
            points = None if fitted.metric == "precomputed" else fitted.points
            self._spanning_tree["tree"] = MinimumSpanningTree(edges, points)
        return self._spanning_tree["tree"]

    @property
    def exemplars_(self) -> List[np.ndarray]:
        """For each label the most persistent points of its cluster: an array of those that stay to
        the end of the clusters below it that do not split."""
        if not hasattr(self, "_fitted"):
            raise AttributeError("exemplars_ are there after fit")
        fitted = self._fitted
        if fitted.metric == "precomputed":
            raise AttributeError("exemplars_ are points, and metric is 'precomputed'")
        return [fitted.points[rows] for rows in fitted.exemplar_rows()]

    def _places(self, X: Any) -> Tuple[Any, Fitted, Places, "Rows"]:
        """The points of X that are finite, and where they join the tree."""
        fitted = self._prediction()
        X = checked(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        if sparse.issparse(X) and not sparse.issparse(fitted.points):
            X = X.toarray()
        with np.errstate(invalid="ignore", over="ignore"):
            sums = np.asarray(X.sum(axis=1)).ravel()
        rows = Rows(np.isnan(sums), np.isinf(sums))
        X = X[np.flatnonzero(rows.finite)]
        samples = fitted.min_samples
        return X, fitted, fitted.place(X, samples, samples, 2 * samples, self.n_jobs), rows

    def predict(self, X: Any, *, return_probabilities: bool = False) -> Any:
        """Labels new points by the rule of approximate_predict of the package hdbscan: the clusters
        stay as they are, and each point joins the tree where it would if it were alone.

        The rule. Let core(x) be the distance of x to its min_samples-th point of the cloud. Of its
        2 min_samples nearest points (at most 64 in a periodic box) x joins the q with the smallest
        max(core(q), core(x), distance), the nearest of several; lambda is 1 / that. Where q leaves its last cluster at a
        smaller lambda, x is in that cluster; else in the lowest cluster above it that appears at a
        smaller lambda than x joins it. The label is that of the taken cluster that is it or holds
        it, -1 where there is none, and the probability min(1, lambda / the largest lambda of the
        taken cluster). Where all points are one cluster, x is in it where a point of the cloud that
        leaves at this lambda would be.

        Parameters
        ----------
        X : array of shape (n, dimensions)
        return_probabilities : bool
            Whether the probabilities are returned, too.

        Returns
        -------
        int32 array of shape (n,), or it and a float64 array; rows that are not finite as in `fit`.
        ValueError for metric="precomputed", alpha other than 1, and other dimensions than those of
        the cloud.
        """
        _, fitted, places, rows = self._places(X)
        labels, probabilities = predicted(fitted, places, fitted.epsilon)
        labels = rows.filled(labels, INFINITE, MISSING)
        probabilities = rows.filled(probabilities, 0, np.nan)
        return (labels, probabilities) if return_probabilities else labels

    def predict_outlier_scores(self, X: Any) -> np.ndarray:
        """The outlier scores that points would have where `predict` puts them: 1 - lambda / the
        largest lambda in or below the cluster of the point that they join, 0 where that is
        negative. A point that lies on one of the cloud has its score."""
        _, fitted, places, rows = self._places(X)
        return rows.filled(predicted_scores(fitted, places), 1, np.nan)

    def membership_vectors(self, X: Any = None) -> np.ndarray:
        """How much each point belongs to each cluster, 0 to 1 and at most 1 in sum: the soft
        clustering of the package hdbscan, by the distance to the exemplars of each cluster and by
        the lambda at which the point and the cluster are together.

        Parameters
        ----------
        X : array of shape (n, dimensions), optional
            Points; None for those of the cloud, whose places are known, without rows that are not
            finite.

        Returns
        -------
        float64 array of shape (n, clusters). ValueError as for `predict`.
        """
        if X is None:
            return self._prediction().memberships(self.n_jobs)
        X, fitted, places, rows = self._places(X)
        return rows.filled(fitted.memberships_of(X, places, self.n_jobs), 0, np.nan)


def _best(heights: np.ndarray, nearness: np.ndarray) -> np.ndarray:
    """Of each row the column with the greatest height, the nearest of several."""
    tied = heights == heights.max(axis=1, keepdims=True)
    return np.where(tied, nearness, -1).argmax(axis=1)


def predicted(fitted: Fitted, places: Places, epsilon: float) -> Tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities of points by where they join the tree."""
    labels = fitted.labels()[places.clusters]
    end = fitted.largest()
    if 0 in fitted.taken:
        least = 1 / epsilon if epsilon > 0 else end[0]
        labels[np.minimum(places.lambdas, fitted.lambdas[places.neighbours]) < least] = -1
    probabilities = np.zeros(len(labels))
    known = labels >= 0
    most = end[fitted.taken[labels[known]]]
    lambdas = places.lambdas[known]
    with np.errstate(invalid="ignore"):
        probabilities[known] = np.where(lambdas >= most, 1.0, lambdas / most)
    return labels, probabilities


def predicted_scores(fitted: Fitted, places: Places) -> np.ndarray:
    """Outlier scores of points by where they join the tree."""
    own = fitted.lambdas[places.neighbours]
    lambdas = np.where(places.known, own, places.lambdas)
    most = fitted.largest(below=True)[fitted.cluster_of[places.neighbours]]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(lambdas >= most, 0.0, 1 - lambdas / most)


def _tree_of(n: int, a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A minimum spanning tree of edges: rows of two points and a weight, ascending."""
    order = np.lexsort((b, a, weights))
    a, b, weights = a[order], b[order], weights[order]
    if len(a) > n - 1:
        # By rank: SciPy takes weights of 0 for edges that are not there. Of equal pairs the first.
        low, high = np.minimum(a, b), np.maximum(a, b)
        _, first = np.unique(low * np.int64(n) + high, return_index=True)
        first = first[low[first] != high[first]]
        graph = sparse.csr_matrix((first + 1, (low[first], high[first])), shape=(n, n))
        kept = np.sort(csgraph.minimum_spanning_tree(graph).data.astype(np.int64)) - 1
        a, b, weights = a[kept], b[kept], weights[kept]
    return np.column_stack([np.minimum(a, b), np.maximum(a, b), weights]).astype(np.float64)
