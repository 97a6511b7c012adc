"""Before a run: what a join is expected to find and to take, and which ones to look at."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence

import numpy as np

from . import _engine
from ._options import (
    EngineChoice,
    Period,
    Progress,
    Strategy,
    engine_for,
    integer_of,
    metric_of,
    number_of,
    points_of,
    threads_of,
)
from ._plots import axis_of

_MOST_RANKS = 2**20


class CostOfK(NamedTuple):
    """What indexing k dimensions is predicted to cost, an entry for each k."""

    k: np.ndarray  #: int64: 1, 2, … min(dimensions, 8)
    cell_search: np.ndarray  #: float64: finding the cells, in coordinates read
    distances: np.ndarray  #: float64: coordinates of candidates that are read
    best: int  #: the cheapest k
    sampled: int  #: query points that were asked
    dimension_order: List[int]  #: the dimensions in the order in which they are indexed

    @property
    def total(self) -> np.ndarray:
        """float64: both together."""
        return self.cell_search + self.distances


class MinSamplesCurve(NamedTuple):
    """What DBSCAN finds for every min_samples at one eps. Row i holds from min_samples[i] to
    min_samples[i + 1] - 1, the last one for every larger value."""

    min_samples: np.ndarray  #: uint64, ascending, the first 1
    clusters: np.ndarray  #: uint32
    core: np.ndarray  #: uint32, points
    noise: np.ndarray  #: uint32, points

    def plot(self, what: str = "clusters", axis: Any = None) -> Any:
        """Draws "clusters", "core" or "noise" over min_samples, on a logarithmic axis. Returns the
        matplotlib axis. ValueError for another word; ImportError without matplotlib."""
        if what not in self._fields[1:]:
            raise ValueError(f"what must be 'clusters', 'core' or 'noise', not {what!r}")
        axis = axis_of(axis)
        axis.step(self.min_samples, getattr(self, what), where="post", color="C0")
        axis.set_xscale("log")
        axis.set_xlabel("min_samples")
        axis.set_ylabel(what if what == "clusters" else f"{what} points")
        return axis


class KDistances(NamedTuple):
    """Distances of the points to their k-th nearest one, the point itself the first."""

    distances: np.ndarray  #: float64, descending: of all points, or of those of a sample
    suggested_eps: float  #: at the knee of the curve: an eps to begin with
    k: int
    whole: bool  #: whether these are all points

    def plot(self, axis: Any = None) -> Any:
        """Draws the k-distance plot with its knee. Returns the matplotlib axis. ImportError without
        matplotlib."""
        axis = axis_of(axis)
        axis.plot(np.arange(1, len(self.distances) + 1), self.distances, color="C0")
        if self.suggested_eps > 0:
            axis.axhline(self.suggested_eps, color="C1", linestyle="--", linewidth=1)
            axis.annotate(
                f"eps {self.suggested_eps:.4g}",
                (1, self.suggested_eps),
                xycoords=("axes fraction", "data"),
                ha="right",
                va="bottom",
                color="C1",
            )
        axis.set_xlabel("points" if self.whole else "points of a sample")
        axis.set_ylabel(f"{self.k}-distance")
        return axis


def plan(
    X: Any,
    eps: float,
    *,
    min_samples: Optional[int] = None,
    ranks: Sequence[int] = (1, 2, 4, 8, 16, 32, 64, 128),
    query_sets: Optional[int] = None,
    network: float = 40.0,
    latency: float = 10.0,
    candidates_per_second: Optional[float] = None,
    points_per_second: Optional[float] = None,
    metric: str = "euclidean",
    period: Optional[Period] = None,
    index_dims: Any = "auto",
    backend: str = "auto",
    strategy: Optional[Strategy] = None,
    device: Optional[int] = None,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Dict[str, Any]:
    """What the join of X with itself is expected to find and to take, before it is started, as the
    command `plan` tells: pairs and memory by sampled queries, with standard errors; its time here
    and on several ranks, from speeds that are measured here or given; and the cost of every k.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    eps : float
    min_samples : int, optional
        Also forecasts the `Hierarchy` for it, 1 to 64; there is none by "haversine". Clouds of at
        most 20,000 points are not measured: their figures are None.
    ranks : sequence of int
        The numbers of ranks.
    query_sets : int, optional
        Of the replicated join; 8 for each rank by default.
    network, latency : float
        Of each rank's connection: Gbit/s, and microseconds that a message takes beside its bytes.
    candidates_per_second, points_per_second : float, optional
        Speeds of a rank's join and index; measured by default.
    metric, period, index_dims, backend, strategy, device, n_jobs, progress
        As in `radius_join`.

    Returns
    -------
    dict
        backend, strategy, join (queries, pairs, pairs_error, candidates, seconds, seconds_error,
        seconds_are_most, count_bytes, table_bytes, pair_list_bytes, free_bytes), cost_of_k, best_k,
        hierarchy, sampled, candidates_per_query, network, one_rank, and forecasts: for each number
        of ranks the ring join and the replicated join. strategy, cost_of_k, best_k and what follows
        the hierarchy are None for "manhattan" and "chebyshev", and above 128 dimensions. Where the
        method products joins, as above 128 dimensions, seconds_are_most is True: the join takes
        between half of its seconds and all.

    Raises
    ------
    ValueError, MemoryError, RuntimeError
        As `radius_join`.

    Examples
    --------
    >>> import numpy as np
    >>> found = plan(np.random.default_rng(1).random((500, 2)), 0.1, ranks=[1, 2], backend="cpu")
    >>> [one["ranks"] for one in found["forecasts"]], found["join"]["pairs_error"]
    ([1, 2], 0.0)
    """
    eps = number_of(eps, "eps")
    points = points_of(X)
    engine = engine_for(
        EngineChoice(backend, n_jobs, device, strategy, index_dims, metric, period),
        points.shape[1],
    )
    return _engine.plan(
        engine,
        points,
        eps,
        [integer_of(number, "ranks", 1, _MOST_RANKS) for number in _sequence_of(ranks, "ranks")],
        0 if query_sets is None else integer_of(query_sets, "query_sets", 1, _MOST_RANKS),
        0 if min_samples is None else integer_of(min_samples, "min_samples", 1, 64),
        _positive(network, "network") * 1e9 / 8,
        _positive(latency, "latency") * 1e-6,
        _speed(candidates_per_second, "candidates_per_second"),
        _speed(points_per_second, "points_per_second"),
        progress,
    )


def _sequence_of(values: Any, name: str) -> List[Any]:
    if isinstance(values, (str, bytes)) or not np.iterable(values):
        raise ValueError(f"{name} must be a sequence of whole numbers, not {values!r}")
    return list(values)


def _positive(value: Any, name: str) -> float:
    number = number_of(value, name)
    if not 0 < number < np.inf:
        raise ValueError(f"{name} must be positive and finite, not {number}")
    return number


def _speed(value: Optional[float], name: str) -> float:
    return 0.0 if value is None else _positive(value, name)


def cost_of_k(
    X: Any,
    eps: float,
    *,
    metric: str = "euclidean",
    period: Optional[Period] = None,
    backend: str = "auto",
    strategy: Optional[Strategy] = None,
    device: Optional[int] = None,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> CostOfK:
    """What counting the neighbours of X is predicted to cost for every number k of dimensions that
    the grid indexes, from a sample of the points: in coordinates read.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    eps : float
    metric, period, backend, strategy, device, n_jobs, progress
        As in `radius_join`, but for "manhattan" and "chebyshev", whose joins index no dimensions by
        choice; options of the strategy change the costs. By "cosine" and "haversine" the dimensions
        are those of the unit vectors; in a periodic box the points and their images are searched.

    Returns
    -------
    CostOfK

    Raises
    ------
    ValueError, MemoryError, RuntimeError
        As `radius_join`.

    References
    ----------
    [Gowanlock 2019, §4.1, §5.6]

    Examples
    --------
    >>> import numpy as np
    >>> found = cost_of_k(np.random.default_rng(1).random((1000, 3)), 0.1, backend="cpu")
    >>> found.k.tolist(), bool(found.best == found.k[found.total.argmin()])
    ([1, 2, 3], True)
    """
    eps = number_of(eps, "eps")
    points = points_of(X)
    engine = engine_for(
        EngineChoice(backend, n_jobs, device, strategy, "auto", metric, period), points.shape[1]
    )
    found = _engine.cost_of_k(engine, points, eps, progress)
    for name in ("k", "cell_search", "distances"):
        found[name] = np.asarray(found[name])
    return CostOfK(**found)


def min_samples_curve(
    X: Any,
    eps: float,
    *,
    metric: str = "euclidean",
    period: Optional[Period] = None,
    index_dims: Any = "auto",
    backend: str = "auto",
    strategy: Optional[Strategy] = None,
    device: Optional[int] = None,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> MinSamplesCurve:
    """What DBSCAN finds for every min_samples at one eps, from one join.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    eps : float
    metric, period, index_dims, backend, strategy, device, n_jobs, progress
        As in `radius_join`.

    Returns
    -------
    MinSamplesCurve
        With `plot()`.

    Raises
    ------
    ValueError, MemoryError, RuntimeError
        As `radius_join`; the table of all pairs must fit into memory.

    Examples
    --------
    >>> curve = min_samples_curve([[0.0], [0.1], [0.2], [5.0], [5.1]], 0.15)
    >>> curve.min_samples.tolist(), curve.clusters.tolist(), curve.core.tolist()
    ([1, 3, 4], [2, 1, 0], [5, 1, 0])
    """
    eps = number_of(eps, "eps")
    points = points_of(X)
    engine = engine_for(
        EngineChoice(backend, n_jobs, device, strategy, index_dims, metric, period),
        points.shape[1],
    )
    found = _engine.min_pts_curve(engine, points, eps, progress)
    return MinSamplesCurve(*(np.asarray(found[name]) for name in MinSamplesCurve._fields))


def k_distances(
    X: Any,
    k: int,
    *,
    most_sampled: int = 10_000,
    metric: str = "euclidean",
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> KDistances:
    """The distances of the points to their k-th nearest point, descending, and the eps at the knee
    of this curve. With k = min_samples the distance is the smallest eps at which a point is core.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    k : int
        1 to n, the point itself included.
    most_sampled : int
        Where k is above 64, or all points would take more than a few seconds, a sample of at most
        this number of points is measured, against all points.
    metric : {"euclidean", "cosine", "manhattan", "chebyshev"}
        Also by the other names that scikit-learn has for them, as in `radius_join`.
    n_jobs, progress
        As in `radius_join`.

    Returns
    -------
    KDistances
        With `plot()`.

    Raises
    ------
    ValueError, MemoryError
        As `radius_join`; ValueError also for k out of range.

    References
    ----------
    [Ester 1996, §4.2]

    Examples
    --------
    >>> found = k_distances([[0.0], [1.0], [3.0], [3.5]], 2)
    >>> found.distances.tolist(), found.whole
    ([1.0, 1.0, 0.5, 0.5], True)
    >>> k_distances([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]], 3, metric="chebyshev").distances.tolist()
    [3.0, 3.0, 3.0]
    """
    nearest = integer_of(k, "k", 1, 2**31 - 1)
    found = _engine.k_distances(
        points_of(X),
        nearest,
        integer_of(most_sampled, "most_sampled", 1),
        threads_of(n_jobs),
        metric_of(metric),
        progress,
    )
    return KDistances(
        np.asarray(found["distances"]), float(found["suggested_eps"]), nearest, found["whole"]
    )
