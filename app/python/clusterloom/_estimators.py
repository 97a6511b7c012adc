"""DBSCAN and HDBSCAN* as scikit-learn's estimators."""

from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import assert_all_finite

from . import _engine
from ._options import (
    Period,
    Progress,
    Strategy,
    engine_for,
    integer_of,
    number_of,
    points_of,
    refuse_kinds,
    threads_of,
    weights_of,
)

try:
    from sklearn.utils.validation import validate_data

    _FINITE_OR_NOT = {"ensure_all_finite": False}
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
        return estimator._validate_data(X, **checks)

    _FINITE_OR_NOT = {"force_all_finite": False}


def _checked(estimator: Any, X: Any) -> np.ndarray:
    """X as scikit-learn checks it, but for numbers that are not finite: the engine sees those."""
    refuse_kinds(X)
    return points_of(validate_data(estimator, X, dtype=np.float64, **_FINITE_OR_NOT))


class DBSCAN(ClusterMixin, BaseEstimator):
    """Exact DBSCAN. Labels equal those of `sklearn.cluster.DBSCAN` element by element, for
    Euclidean distances and coordinates in float64.

    In a periodic box the coordinates are first moved into [0, L) and rounded to multiples of 2^-52
    of the power of two at or above L, so that all differences are exact. By "haversine" the points
    become unit vectors, which keeps distances within about 1e-15.

    Parameters
    ----------
    eps : float, default 0.5
        The radius of the neighbourhood, in the units of the coordinates.
    min_samples : int, default 5
        Neighbours within eps, the point itself included, that make a point core.
    metric : {"euclidean", "cosine", "haversine"}, default "euclidean"
        "cosine" is 1 - cos of the angle between two points, as in scikit-learn; no point may be
        zero. "haversine" takes (latitude, longitude) in radians, as scikit-learn does; eps is then the
        angle of a great circle in radians: its length divided by the radius of the sphere.
    period : float or sequence of floats, optional
        A periodic box: the period L of all dimensions, or one for each, where 0 or None means none.
        Coordinates then differ by min(|d|, L - |d|), wherever the points lie. eps must be less than
        half of each period.
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
    n_jobs : int, optional
        Threads; None and -1 take all processors.

    Attributes
    ----------
    labels_ : int32 array of shape (n,)
        0, 1, … for clusters, in the order of their lowest core points; -1 for noise. A border
        point takes the lowest cluster among the core points within eps.
    core_sample_indices_ : int64 array of shape (core points,)
        The rows of the core points, ascending.
    components_ : float64 array of shape (core points, dimensions)
        A copy of the core points.
    n_clusters_ : int
    n_features_in_, feature_names_in_
        As in scikit-learn.
    run_ : dict
        Backend, threads, strategy, figures and the seconds of each stage.

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

    def __init__(
        self,
        eps: float = 0.5,
        min_samples: int = 5,
        *,
        metric: str = "euclidean",
        period: Optional[Period] = None,
        index_dims: Any = "auto",
        backend: str = "auto",
        strategy: Optional[Strategy] = None,
        device: Optional[int] = None,
        n_jobs: Optional[int] = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.period = period
        self.index_dims = index_dims
        self.backend = backend
        self.strategy = strategy
        self.device = device
        self.n_jobs = n_jobs

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
        X : array of shape (n, dimensions)
            float64 is read where it is, in C or Fortran order; other types are converted.
        y
            Not used.
        sample_weight : array of shape (n,), optional
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
            For X without points, coordinates that are not finite, parameters out of range.
        MemoryError
            When the run would not fit into memory.
        RuntimeError
            When the backend is not in this build or no GPU answers.
        """
        eps = number_of(self.eps, "eps")
        min_samples = integer_of(self.min_samples, "min_samples")
        X = _checked(self, X)
        weights = None
        if sample_weight is not None:
            weights = weights_of(sample_weight)
        engine = engine_for(
            self.backend,
            self.n_jobs,
            self.device,
            self.strategy,
            self.index_dims,
            dims=X.shape[1],
            period=self.period,
            metric=self.metric,
        )
        try:
            found = engine.dbscan(X, eps, min_samples, weights, progress)
        except ValueError:
            assert_all_finite(X, input_name="X")  # in the words that scikit-learn's users know
            raise
        self.labels_ = np.asarray(found["labels"])
        self.core_sample_indices_ = np.asarray(found["core_rows"])
        self.components_ = np.asarray(found["core_points"])
        self.n_clusters_ = found["clusters"]
        self.run_ = found["run"]
        if engine.remark:
            self.run_["note"] = " ".join(filter(None, [self.run_["note"], engine.remark]))
        return self

    def fit_predict(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        progress: Optional[Progress] = None,
    ) -> np.ndarray:
        """Clusters the points of X and returns `labels_`."""
        return self.fit(X, sample_weight=sample_weight, progress=progress).labels_


class HDBSCAN(ClusterMixin, BaseEstimator):
    """HDBSCAN*: clusters of different densities, without an epsilon.

    Of the clusters of every epsilon it takes those that last over the widest ranges of density.
    Edges of equal weight are removed together, as [Campello 2013] asks; programs that remove them
    one by one may give a few points between two clusters to one of the two.

    Parameters
    ----------
    min_cluster_size : int, default 5
        The fewest points of a cluster, at least 2.
    min_samples : int, optional
        Neighbours, the point itself included, of the core distances: 1 to 64. None takes
        min_cluster_size, at most 64.
    cluster_selection_method : {"eom", "leaf"}, default "eom"
        Excess of mass, or the clusters that do not split further.
    allow_single_cluster : bool, default False
        Whether all points may be one cluster; for "eom" only.
    n_jobs : int, optional
        Threads; None and -1 take all processors.

    Attributes
    ----------
    labels_ : int32 array of shape (n,)
        0, 1, … for clusters, in the order of their lowest points; -1 for noise.
    probabilities_ : float64 array of shape (n,)
        How long each point stays in its cluster: 1 to its end, 0 for noise.
    n_clusters_ : int
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    [Campello 2013, §5].

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.2], [5.4], [20.0]]
    >>> HDBSCAN(min_cluster_size=3, min_samples=2).fit_predict(X).tolist()
    [0, 0, 0, 1, 1, 1, -1]
    """

    def __init__(
        self,
        min_cluster_size: int = 5,
        min_samples: Optional[int] = None,
        *,
        cluster_selection_method: str = "eom",
        allow_single_cluster: bool = False,
        n_jobs: Optional[int] = None,
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, *, progress: Optional[Progress] = None) -> "HDBSCAN":
        """Clusters the points of X; arguments and errors are those of `DBSCAN.fit`."""
        X = _checked(self, X)
        size = integer_of(self.min_cluster_size, "min_cluster_size")
        samples = (
            min(size, 64)
            if self.min_samples is None
            else integer_of(self.min_samples, "min_samples")
        )
        if self.cluster_selection_method not in ("eom", "leaf"):
            raise ValueError(
                f"cluster_selection_method must be 'eom' or 'leaf', not "
                f"{self.cluster_selection_method!r}"
            )
        leaves = self.cluster_selection_method == "leaf"
        if leaves and self.allow_single_cluster:
            raise ValueError("allow_single_cluster is for 'eom'; the root is never a leaf")
        if size < 2:
            raise ValueError(f"min_cluster_size must be at least 2, not {size}")
        threads = threads_of(self.n_jobs)
        try:
            tree = _engine.Hierarchy.build(X, samples, threads, progress)
        except ValueError:
            assert_all_finite(X, input_name="X")
            raise
        found = tree.hdbscan(size, leaves, bool(self.allow_single_cluster), progress)
        self.labels_ = np.asarray(found["labels"])
        self.probabilities_ = np.asarray(found["probabilities"])
        self.n_clusters_ = found["clusters"]
        return self

    def fit_predict(
        self, X: Any, y: Any = None, *, progress: Optional[Progress] = None
    ) -> np.ndarray:
        """Clusters the points of X and returns `labels_`."""
        return self.fit(X, progress=progress).labels_
