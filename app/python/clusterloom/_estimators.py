"""DBSCAN as scikit-learn's estimator and function."""

from collections.abc import Mapping
from numbers import Integral, Number, Real
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np
import sklearn.cluster
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils._param_validation import StrOptions

from . import _engine, _graphs
from ._options import (
    EngineChoice,
    ParameterError,
    Period,
    Progress,
    Strategy,
    engine_for,
    periods_of,
    points_of,
    weights_of,
)
from ._predict import DbscanPrediction
from ._scikit_learn import (
    assert_all_finite,
    check_parameters,
    checked,
    engine_metric,
    validate_parameter_constraints,
    warn_of_ignored_power,
)

_MOST_DIMENSIONS, _LARGEST_EPS = 4096, 1e154  # of the engine


def _weights_for(X: Any, sample_weight: Any) -> Optional[np.ndarray]:
    """A column with the weight of each row of X, where there are weights. ValueError."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Number):
        sample_weight = np.full(X.shape[0], sample_weight)
    return weights_of(sample_weight)


def _is_missing(group: Any) -> bool:
    """Whether it is None, NaN, NaT or the NA of pandas, whose comparisons have no truth value."""
    try:
        return group is None or bool(group != group)
    except TypeError:
        return True


def _numbered(groups: np.ndarray) -> np.ndarray:
    """The number of each group, where equal values, and all missing ones, are one."""
    if groups.dtype != object:
        return np.unique(groups, return_inverse=True)[1].astype(np.int64, copy=False)
    known: Dict[Any, int] = {}  # such values need not have an order
    keys = (None if _is_missing(group) else group for group in groups)
    try:
        return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)
    except TypeError:
        raise ParameterError("groups must be values that can be compared, as texts can") from None


class DBSCAN(DbscanPrediction, ClusterMixin, BaseEstimator):
    """Exact DBSCAN. Labels equal those of `sklearn.cluster.DBSCAN` element by element, for
    Euclidean distances and coordinates in float64. The parameters are the same, and some more.

    For distances that the engine does not know, sparse X, more than 4,096 dimensions and an eps
    whose square is infinite, scikit-learn finds the neighbours; index_dims, backend, strategy and
    device then have no effect. In a periodic box the coordinates are first moved into [0, L) and rounded to multiples of 2^-52
    of the power of two at or above L, so that all differences are exact. By "haversine" the points
    become unit vectors, which keeps distances within about 1e-15.

    Parameters
    ----------
    eps : float, default 0.5
        The radius of the neighbourhood, in the units of the coordinates.
    min_samples : int, default 5
        Neighbours within eps, the point itself included, that make a point core.
    metric : str or callable, default "euclidean"
        A metric of scikit-learn, or "precomputed": X is then the matrix of distances, dense, or
        sparse with the distances that count; it is not changed. The engine computes "euclidean"
        ("l2", "minkowski" with p = 2), "manhattan" ("cityblock", "l1", p = 1), "chebyshev"
        ("infinity"), these two without strategy, index_dims and the backend "hybrid", "cosine" and
        "haversine"; neighbours by the others come from scikit-learn's NearestNeighbors. "cosine" is
        1 - cos of the angle between two points; no point may be zero. "haversine" takes (latitude, longitude) in radians; eps is then the
        angle of a great circle in radians: its length divided by the radius of the sphere.
    metric_params : dict, optional
        Further arguments of the metric.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default "auto"
        Checked as in scikit-learn. It has no effect where the engine finds the neighbours; labels
        do not depend on it.
    leaf_size : int, default 30
        Like `algorithm`.
    p : float, optional
        The power of "minkowski"; None is 2.
    n_jobs : int, optional
        Threads; None and -1 take all processors. Neighbours from scikit-learn: as it defines n_jobs.
    period : float or sequence of floats, optional
        A periodic box: the period L of all dimensions, or one for each, where 0 or None means
        none; one of them at least is above 0. Coordinates then differ by min(|d|, L - |d|),
        wherever the points lie. eps must be less than half of each period.
    index_dims : int or "auto", default "auto"
        How many dimensions the grid indexes, 1 to min(dimensions, 8).
    backend : {'auto', 'cpu', 'cuda', 'hybrid'}, default 'auto'
        "auto" takes a GPU when one answers, else the CPU. As long as no GPU is started, the CPU
        also takes small clouds, which need less time than the start.
    strategy : mapping, optional
        Options by name, such as {"pattern": "unicomp", "dense_cells": False};
        `clusterloom.strategy_choices` lists them. All give the same labels.
    device : int, optional
        Number of the GPU, from 0; None and -1 take the first that answers.

    Attributes
    ----------
    labels_ : int32 array of shape (n,)
        0, 1, … for clusters, in the order of their lowest core points; -1 for noise. A border
        point takes the lowest cluster among the core points within eps.
    core_sample_indices_ : int64 array of shape (core points,)
        The rows of the core points, ascending.
    components_ : array of shape (core points, dimensions)
        A copy of the core points, of the type of X.
    n_clusters_ : int
    n_features_in_, feature_names_in_
        As in scikit-learn.
    run_ : dict
        Backend, threads, strategy, figures and the seconds of each stage; only a note where the
        neighbours come from scikit-learn.

    References
    ----------
    [Ester 1996]; the grid is that of [Gowanlock 2018, §4].

    Examples
    --------
    >>> DBSCAN(eps=0.5, min_samples=2).fit_predict([[0.0], [0.1], [5.0], [5.1], [9.0]]).tolist()
    [0, 0, 1, 1, -1]
    >>> DBSCAN(eps=0.5, min_samples=2, period=10).fit_predict([[0.1], [5.0], [9.8]]).tolist()
    [0, -1, 0]
    """

    _grouped = False  # whether the last fit was fit_many
    _of_fit: Dict[str, Any] = {}  # parameters of the last fit that say which points are neighbours

    _parameter_constraints: Dict[str, Any] = {
        **sklearn.cluster.DBSCAN._parameter_constraints,
        "period": [Real, "array-like", None],
        "index_dims": [Integral, StrOptions({"auto"})],
        "backend": [str],
        "strategy": [Mapping, None],
        "device": [Integral, None],
    }

    def __init__(
        self,
        eps: float = 0.5,
        min_samples: int = 5,
        *,
        metric: Union[str, Callable] = "euclidean",
        metric_params: Optional[dict] = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: Optional[float] = None,
        n_jobs: Optional[int] = None,
        period: Optional[Period] = None,
        index_dims: Any = "auto",
        backend: str = "auto",
        strategy: Optional[Strategy] = None,
        device: Optional[int] = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs
        self.period = period
        self.index_dims = index_dims
        self.backend = backend
        self.strategy = strategy
        self.device = device

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        progress: Optional[Progress] = None,
    ) -> "DBSCAN":
        """Clusters the points of X.

        Parameters
        ----------
        X : array of shape (n, dimensions), sparse matrix, or distances of shape (n, n)
            float64 and float32 are read where they are, in any order, also from a file mapped
            into memory; other types are converted to float64.
        y
            Not used.
        sample_weight : array of shape (n,) or number, optional
            A point is then core when the weights of all points within eps, its own included, sum to
            at least min_samples. Weights may be negative. Sums are in float64, in the order of the
            rows. Every pair within eps is found, so that this takes longer than without weights.
        progress : callable, optional
            Called as progress(stage, fraction); see `clusterloom.tqdm_progress`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For X without points, coordinates that are not finite, parameters out of range; of the
            type InvalidParameterError of scikit-learn, which is also a TypeError, where it is.
        MemoryError
            When the run would not fit into memory.
        RuntimeError
            When the backend is not in this build or no GPU answers.
        """
        check_parameters(self)
        X = checked(self, X, accept_sparse="csr")
        weights = _weights_for(X, sample_weight)
        metric = self._engine_metric(X)
        if metric is None:
            self._fit_graph(X, weights, progress)
        else:
            warn_of_ignored_power(self.metric_params, self.p)
            self._fit_points(X, weights, metric, progress)
        self._grouped = False
        names = ("eps", "metric", "metric_params", "p", "period", "algorithm")
        self._of_fit = {name: getattr(self, name) for name in names}
        return self

    def fit_many(
        self,
        X: Any,
        groups: Any = None,
        sample_weight: Any = None,
        *,
        progress: Optional[Progress] = None,
    ) -> "DBSCAN":
        """Clusters many clouds in one run, each on its own, as a loop over `fit` does. The numbers
        of clusters are unique over all clouds, in the order of their lowest core points. For many
        small clouds this is much faster than the loop.

        Parameters
        ----------
        X : array of shape (n, dimensions), or a sequence of such arrays
            The rows of all clouds in any order; or, without groups, a cloud in each array.
        groups : array of shape (n,), optional
            Rows with equal values, such as numbers or texts, are one cloud.
        sample_weight : array of shape (n,) or number, optional
            As in `fit`, for the rows of all clouds.
        progress : callable, optional
            As in `fit`.

        Returns
        -------
        self
            The attributes are those of `fit`, for all rows, which of several arrays follow one
            another. `predict` is not possible: it would not know the cloud of a point.

        Raises
        ------
        ValueError
            As `fit`; for distances other than the engine's Euclidean ones, and for groups of
            another shape.
        MemoryError, RuntimeError
            As `fit`.

        Examples
        --------
        >>> model = DBSCAN(eps=0.5, min_samples=2)
        >>> model.fit_many([[0.0], [0.1], [0.2], [0.3]], ["a", "b", "a", "b"]).labels_.tolist()
        [0, 1, 0, 1]
        >>> model.fit_many([[[0.0], [0.1]], [[0.2], [9.0]]]).labels_.tolist()
        [0, 0, -1, -1]
        """
        check_parameters(self)
        if groups is None:
            if hasattr(X, "columns"):
                raise ValueError("X is one table: pass the group of each row, or a list of tables")
            if not np.iterable(X):
                raise ParameterError(f"X must be a sequence of arrays, not {X!r}")
            clouds = [points_of(cloud) for cloud in X]
            groups = np.repeat(np.arange(len(clouds)), [len(cloud) for cloud in clouds])
            for number, cloud in enumerate(clouds):
                if cloud.shape[1] != clouds[0].shape[1]:
                    raise ValueError(
                        f"X[{number}] has {cloud.shape[1]} columns, and X[0] has"
                        f" {clouds[0].shape[1]}: all clouds need the same number"
                    )
            X = np.concatenate(clouds) if clouds else np.empty((0, 1))
        X = checked(self, X, accept_sparse="csr")
        if isinstance(groups, np.ma.MaskedArray):
            raise ValueError("groups is a masked array; pass a group for each row")
        groups = np.asarray(groups)
        if groups.shape != (X.shape[0],):
            raise ValueError(f"groups must have the shape ({X.shape[0]},), not {groups.shape}")
        if self._engine_metric(X) != "euclidean":
            raise ValueError("fit_many is for dense X and Euclidean distances")
        if X.shape[1] >= _MOST_DIMENSIONS:  # the group of a point is one more
            raise ValueError(f"fit_many is for less than {_MOST_DIMENSIONS:,} dimensions")
        weights = _weights_for(X, sample_weight)
        self._fit_points(X, weights, "euclidean", progress, _numbered(groups))
        self._grouped = True
        return self

    def _engine_metric(self, X: Any) -> Optional[str]:
        """The engine's name of the metric; None where scikit-learn finds the neighbours."""
        beyond = X.shape[1] > _MOST_DIMENSIONS or float(self.eps) > _LARGEST_EPS
        if sparse.issparse(X) or (beyond and self.period is None):
            return None
        haversine = self.metric == "haversine" and not self.metric_params
        metric = "haversine" if haversine else engine_metric(
            self.metric, self.metric_params, self.p
        )
        if metric == "euclidean" or self.algorithm == "auto" or metric is None:
            return metric
        # Which of them know the metric, scikit-learn says.
        NearestNeighbors(metric=metric, algorithm=self.algorithm).fit(X[:1])
        return metric

    def _engine_choice(self, metric: str) -> EngineChoice:
        return EngineChoice(
            self.backend,
            self.n_jobs,
            self.device,
            self.strategy,
            self.index_dims,
            metric,
            self.period,
        )

    def _fit_points(
        self,
        X: np.ndarray,
        weights: Optional[np.ndarray],
        metric: str,
        progress: Optional[Progress],
        groups: Optional[np.ndarray] = None,
    ) -> None:
        points = points_of(X)
        period = self.period
        if groups is not None and period is not None:  # one dimension more, without a period
            periods = periods_of(period, points.shape[1])
            if len(periods) != points.shape[1]:
                raise ValueError(f"period: {points.shape[1]} are needed, {len(periods)} given")
            period = [*periods, 0]
        engine = engine_for(
            self._engine_choice(metric)._replace(period=period), points.shape[1]
        )
        try:
            least = min(self.min_samples, 2**62)
            found = engine.dbscan(points, float(self.eps), least, weights, progress, groups)
        except ValueError:
            assert_all_finite(points, input_name="X")  # in the words that users know
            raise
        self.labels_ = np.asarray(found["labels"])
        self.core_sample_indices_ = np.asarray(found["core_rows"])
        self.components_ = (
            np.asarray(found["core_points"])
            if X.dtype == points.dtype
            else X[self.core_sample_indices_]
        )
        self.n_clusters_ = found["clusters"]
        self.run_ = found["run"]
        if engine.remark:
            self.run_["note"] = " ".join(filter(None, [self.run_["note"], engine.remark]))

    def _fit_graph(
        self, X: Any, weights: Optional[np.ndarray], progress: Optional[Progress]
    ) -> None:
        if self.period is not None:
            raise ValueError("period is for dense X and Euclidean distances")
        assert_all_finite(X.data if sparse.issparse(X) else X, input_name="X")
        if weights is not None and len(weights) != X.shape[0]:
            raise ValueError(f"sample_weight has {len(weights)} values for {X.shape[0]} points")
        starts, ids = _graphs.neighbour_lists(
            X,
            self.eps,
            self.metric,
            self.metric_params,
            self.p,
            algorithm=self.algorithm,
            leaf_size=self.leaf_size,
            n_jobs=self.n_jobs,
        )
        flat = None if weights is None else weights.ravel()
        core = _graphs.core_flags(starts, ids, flat, self.min_samples)
        self.labels_ = np.asarray(_engine.graph_labels(starts, ids, core, progress))
        self.core_sample_indices_ = np.flatnonzero(core)
        if core.any():
            self.components_ = X[self.core_sample_indices_]
        else:
            self.components_ = np.empty((0, X.shape[1]))
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.run_ = {"note": "The neighbours come from scikit-learn."}

    def fit_predict(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        progress: Optional[Progress] = None,
    ) -> np.ndarray:
        """Clusters the points of X and returns `labels_`."""
        more = {} if progress is None else {"progress": progress}  # subclasses may not have it
        return self.fit(X, sample_weight=sample_weight, **more).labels_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = True
        return tags

    def _more_tags(self) -> Dict[str, Any]:  # before scikit-learn 1.6
        return {"pairwise": self.metric == "precomputed"}


def dbscan(
    X: Any,
    eps: float = 0.5,
    *,
    min_samples: int = 5,
    metric: Union[str, Callable] = "minkowski",
    metric_params: Optional[dict] = None,
    algorithm: str = "auto",
    leaf_size: int = 30,
    p: Optional[float] = 2,
    sample_weight: Any = None,
    n_jobs: Optional[int] = None,
) -> Tuple[np.ndarray, np.ndarray]:
    """The core points and the labels of `DBSCAN`, as `sklearn.cluster.dbscan`; the parameters are
    those of the class.

    Returns
    -------
    core_samples : int64 array of shape (core points,)
        The rows of the core points, ascending.
    labels : int32 array of shape (n,)

    Examples
    --------
    >>> core_samples, labels = dbscan([[0.0], [0.1], [5.0]], eps=0.5, min_samples=2)
    >>> core_samples.tolist(), labels.tolist()
    ([0, 1], [0, 0, -1])
    """
    kinds: Dict[str, List[Any]] = {
        "X": ["array-like", "sparse matrix"],
        "sample_weight": ["array-like", None],
    }
    given = {"X": X, "sample_weight": sample_weight}
    validate_parameter_constraints(kinds, given, caller_name="dbscan")
    model = DBSCAN(
        eps,
        min_samples,
        metric=metric,
        metric_params=metric_params,
        algorithm=algorithm,
        leaf_size=leaf_size,
        p=p,
        n_jobs=n_jobs,
    ).fit(X, sample_weight=sample_weight)
    return model.core_sample_indices_, model.labels_
