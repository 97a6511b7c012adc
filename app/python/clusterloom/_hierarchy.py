"""The clusters of every epsilon."""

from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from . import _engine
from ._options import (
    Period,
    Progress,
    device_of,
    doubles_of,
    integer_of,
    labels_of,
    number_of,
    metric_of,
    periods_of,
    points_of,
    threads_of,
    word_of,
)
from ._plots import axis_of
from ._trees import SingleLinkageTree

_LEAST_EPS = 1.5e-154  # of equal points; distances between others are larger


class EpsCurve(NamedTuple):
    """What DBSCAN finds at every epsilon. Row i holds from eps[i] (included) up to eps[i + 1] (not
    included), the last one for every larger epsilon; below the first all points are noise."""

    eps: np.ndarray  #: float64, ascending
    clusters: np.ndarray  #: uint32
    noise: np.ndarray  #: uint32, points
    largest: np.ndarray  #: uint32, points of the largest cluster, border points included

    def plot(self, what: str = "clusters", axis: Any = None, eps: Optional[float] = None) -> Any:
        """Draws the sweep: "clusters", "noise" or "largest" over epsilon, on a logarithmic axis, and
        a line at `eps` if it is given.

        Returns
        -------
        The matplotlib axis. ValueError for another word; ImportError without matplotlib.
        """
        if what not in self._fields[1:]:
            raise ValueError(f"what must be 'clusters', 'noise' or 'largest', not {what!r}")
        axis = axis_of(axis)
        shown = self.eps > 0  # a logarithmic axis has no 0
        axis.step(self.eps[shown], getattr(self, what)[shown], where="post", color="C0")
        axis.set_xscale("log")
        if eps is not None:
            axis.axvline(number_of(eps, "eps"), color="C1", linestyle="--", linewidth=1)
        axis.set_xlabel("eps")
        axis.set_ylabel({"noise": "noise points", "largest": "points of the largest cluster"}.get(
            what, what
        ))
        return axis


class StabilityCurve(NamedTuple):
    """How stable the clusters of each epsilon are in samples of the points, 0 to 1; NaN where no
    sample has a point of a cluster."""

    eps: np.ndarray  #: float64
    #: float64: of a sample the mean over its points in clusters of the Jaccard index of their
    #: cluster, and of that the mean of all samples
    mean: np.ndarray
    low: np.ndarray  #: float64: a tenth of the samples are below it
    high: np.ndarray  #: float64: a tenth of the samples are above it

    def plot(self, axis: Any = None) -> Any:
        """Draws the mean over epsilon, on a logarithmic axis, in a band from low to high. Returns
        the matplotlib axis. ImportError without matplotlib."""
        axis = axis_of(axis)
        axis.fill_between(self.eps, self.low, self.high, color="0.5", alpha=0.3, linewidth=0)
        axis.plot(self.eps, self.mean, color="0.3")
        axis.set_xscale("log")
        axis.set_ylim(0, 1.05)
        axis.set_xlabel("eps")
        axis.set_ylabel("stability (mean Jaccard index)")
        return axis


class Reachability(NamedTuple):
    """A reachability plot: points in an order in which every cluster of every epsilon is a run.
    Cutting the bars at an epsilon gives the core points of its clusters."""

    order: np.ndarray  #: uint32: the point of each bar
    heights: np.ndarray  #: float64: the smallest eps that joins it with the point before it

    def plot(self, axis: Any = None, eps: Optional[float] = None, labels: Any = None) -> Any:
        """Draws the bars, and a line at `eps` if it is given.

        Parameters
        ----------
        axis : matplotlib axis, optional
            Where to draw; None is the current one.
        eps : float, optional
        labels : integer array of shape (n,), optional
            Bars are coloured by the label of their point, noise grey.

        Returns
        -------
        The axis. ImportError without matplotlib; ValueError for other labels.
        """
        groups = [(-1, np.arange(len(self.order)))]
        if labels is not None:
            of_bar = labels_of(labels, points=len(self.order), least=-1)[self.order]
            groups = [(label, np.flatnonzero(of_bar == label)) for label in np.unique(of_bar)]
        axis = axis_of(axis)
        finite = np.isfinite(self.heights)
        top = float(self.heights[finite].max(initial=0)) or 1.0
        heights = np.where(finite, self.heights, 1.05 * top)
        for label, bars in groups:
            colour = "0.6" if label < 0 else f"C{label % 10}"
            axis.vlines(bars, 0, heights[bars], color=colour, linewidth=1)
        if eps is not None:
            axis.axhline(number_of(eps, "eps"), color="black", linestyle="--", linewidth=1)
        axis.set_ylim(bottom=0)
        axis.set_xlabel("points, cluster by cluster")
        axis.set_ylabel("reachability (eps)")
        return axis


class Hierarchy:
    """DBSCAN at every epsilon for one min_samples: built once, then asked.

    It is the minimum spanning tree of mutual reachability, its dendrogram, and what border points
    need, so that labels equal those of `DBSCAN` element by element. It can be pickled.

    Parameters
    ----------
    X : array of shape (n, dimensions)
        float64 and float32 are read where they are; other types are converted to float64.
    min_samples : int
        Neighbours within epsilon, the point itself included, that make a point core: 1 to 1024, or
        any number above n. Above 64 it takes longer, and 16 * min_samples bytes a point.
    metric : {"euclidean", "cosine", "manhattan", "chebyshev"}
        How distances are measured, by scikit-learn's names. "cosine" is 1 - cos of the angle
        between two points, of which none may be zero; "manhattan" and "chebyshev", the sum and the
        largest of the differences of all coordinates, are for the CPU. Only "euclidean" has periods.
    period : float or sequence of floats, optional
        A periodic box, as in `radius_join`: coordinates differ by min(|d|, L - |d|), also at an
        epsilon of half a period and more. min_samples is then at most 64.
    backend : {'auto', 'cpu', 'cuda'}
        "auto" takes a GPU for 100,000 points and more where one answers, else the CPU, as always
        for more than 64 neighbours and in a periodic box.
    device : int, optional
        Number of the GPU, from 0; None and -1 take the first that answers.
    n_jobs : int, optional
        Threads; None and -1 take all processors.
    progress : callable, optional
        Called as progress(stage, fraction).

    Raises
    ------
    ValueError
        For coordinates that are not finite, no points, min_samples out of range.
    MemoryError
        When the hierarchy would not fit into memory; before it is built.
    RuntimeError
        When the backend is not in this build or no GPU answers.

    References
    ----------
    [Campello 2013, §3]: mutual reachability; border points are added by us.

    Examples
    --------
    >>> hierarchy = Hierarchy([[0.0], [0.1], [5.0], [5.1], [9.0]], min_samples=2)
    >>> hierarchy.labels(0.5).tolist()
    [0, 0, 1, 1, -1]
    >>> hierarchy.labels(6.0).tolist()
    [0, 0, 0, 0, 0]
    """

    def __init__(
        self,
        X: Any,
        min_samples: int,
        *,
        metric: str = "euclidean",
        period: Optional[Period] = None,
        backend: str = "auto",
        device: Optional[int] = None,
        n_jobs: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> None:
        points = points_of(X)
        self._periods = periods_of(period, points.shape[1])
        self._metric = metric_of(metric)
        self._built = _engine.Hierarchy.build(
            points,
            integer_of(min_samples, "min_samples"),
            threads_of(n_jobs),
            word_of(backend, "backend"),
            device_of(device),
            self._periods,
            self._metric,
            progress,
        )

    @property
    def min_samples(self) -> int:
        return self._built.min_pts

    def __len__(self) -> int:
        """The number of points."""
        return self._built.points

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it keeps."""
        return self._built.bytes

    def labels(self, eps: float) -> np.ndarray:
        """DBSCAN's labels at eps: int32 of shape (n,), -1 for noise. Takes milliseconds. ValueError
        for eps that is not positive and finite."""
        return np.asarray(self._built.labels(number_of(eps, "eps"))["labels"])

    def core_samples(self, eps: float) -> np.ndarray:
        """The rows of the core points at eps, ascending."""
        return np.flatnonzero(np.asarray(self._built.labels(number_of(eps, "eps"))["roles"]) == 2)

    def curve(self, *, progress: Optional[Progress] = None) -> EpsCurve:
        """Clusters, noise and the largest cluster over all epsilon, a row for each epsilon at which
        one of them changes."""
        found = self._built.curve(progress)
        return EpsCurve(*(np.asarray(found[name]) for name in EpsCurve._fields))

    def stability(
        self,
        X: Any,
        eps: Any = None,
        *,
        resamples: int = 20,
        share: float = 0.5,
        seed: int = 1,
        n_jobs: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> StabilityCurve:
        """How stable the clusters of each epsilon are: random samples of the points are clustered
        with 1 + share * (min_samples - 1) as min_samples, and for every epsilon the clusters are
        compared with those of the sample. A hierarchy of each sample is built once.

        Parameters
        ----------
        X : array of shape (n, dimensions)
            The points of the hierarchy, which does not keep them.
        eps : array of numbers, optional
            None takes 48 values at equal ratios from the first change of `curve()` to the last,
            without that of equal points.
        resamples, share, seed
            As in `clusterloom.stability`; the curve has the means of its Jaccard indices.
        n_jobs, progress
            As in `Hierarchy`.

        Returns
        -------
        StabilityCurve
            With `plot()`.

        Raises
        ------
        ValueError
            For another number of points, and parameters out of range.

        References
        ----------
        [Hennig 2007]

        Examples
        --------
        >>> line = [[i / 100] for i in range(100)] + [[i / 100] for i in range(500, 600)]
        >>> Hierarchy(line, 5).stability(line, [0.2, 9.0]).mean.tolist()
        [1.0, 1.0]
        """
        if eps is None:
            changes = self.curve().eps
            changes = changes[changes > _LEAST_EPS]
            ends = changes[[0, -1]] if len(changes) else [1.0, 1.0]
            eps = np.geomspace(*ends, 48)
        values = doubles_of(np.atleast_1d(np.asarray(eps)).reshape(-1, 1), "eps").ravel()
        found = _engine.stability_over_eps(
            points_of(X),
            self._built,
            values.tolist(),
            integer_of(resamples, "resamples", 1, 100_000),
            number_of(share, "share"),
            integer_of(seed, "seed", 0),
            threads_of(n_jobs),
            self._periods,
            self._metric,
            progress,
        )
        return StabilityCurve(*(np.asarray(found[name]) for name in StabilityCurve._fields))

    def linkage(self) -> np.ndarray:
        """The dendrogram as `scipy.cluster.hierarchy` reads it: float64 of shape (n - 1, 4), the
        two nodes that merge, the smallest epsilon at which they do, and the points below. Points
        that are core at no epsilon merge at infinity."""
        return np.asarray(self._built.linkage())

    def tree(self) -> SingleLinkageTree:
        """The dendrogram with `plot()`, for pandas and NetworkX, and cut at any distance."""
        return SingleLinkageTree(self.linkage())

    def reachability(self) -> Reachability:
        """The reachability plot, in the order of the dendrogram, with `plot()`. OPTICS goes from
        point to point instead; its cuts have the same core points [Ankerst 1999]."""
        found = self._built.reachability()
        return Reachability(*(np.asarray(found[name]) for name in Reachability._fields))

    def core_distances(self) -> np.ndarray:
        """The smallest epsilon at which each point is core: float64 of shape (n,), infinite where
        there is none."""
        return np.asarray(self._built.core_distances())

    def __getstate__(self) -> Dict[str, Any]:
        state = {
            name: value if isinstance(value, int) else np.asarray(value)
            for name, value in self._built.state().items()
        }
        return {**state, "periods": list(self._periods), "metric": self._metric}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        if not isinstance(state, dict):
            raise ValueError("the state of a Hierarchy is a dictionary")
        self._periods = periods_of(state.get("periods") or None, 1)
        self._metric = metric_of(state.get("metric", "euclidean"))
        try:
            self._built = _engine.Hierarchy.of_state(state)
        except (KeyError, RuntimeError) as error:
            raise ValueError(f"the state of a Hierarchy is damaged: {error}") from None

    def __repr__(self) -> str:
        return f"Hierarchy({len(self)} points, min_samples={self.min_samples})"
