"""The clusters of every epsilon."""

from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from . import _engine
from ._options import Progress, device_of, integer_of, number_of, points_of, threads_of, word_of
from ._plots import axis_of
from ._trees import SingleLinkageTree
from ._validity import labels_of


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
            of_bar = labels_of(labels, len(self.order))[self.order]
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
        float64 is read where it is; other types are converted.
    min_samples : int
        Neighbours within epsilon, the point itself included, that make a point core: 1 to 1024, or
        any number above n. Above 64 it takes longer, and 16 * min_samples bytes a point.
    backend : {'auto', 'cpu', 'cuda'}
        "auto" takes a GPU for 100,000 points and more where one answers, else the CPU, as always
        for more than 64 neighbours.
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
        backend: str = "auto",
        device: Optional[int] = None,
        n_jobs: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> None:
        self._built = _engine.Hierarchy.build(
            points_of(X),
            integer_of(min_samples, "min_samples"),
            threads_of(n_jobs),
            word_of(backend, "backend"),
            device_of(device),
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
        return {
            name: value if isinstance(value, int) else np.asarray(value)
            for name, value in self._built.state().items()
        }

    def __setstate__(self, state: Dict[str, Any]) -> None:
        if not isinstance(state, dict):
            raise ValueError("the state of a Hierarchy is a dictionary")
        try:
            self._built = _engine.Hierarchy.of_state(state)
        except (KeyError, RuntimeError) as error:
            raise ValueError(f"the state of a Hierarchy is damaged: {error}") from None

    def __repr__(self) -> str:
        return f"Hierarchy({len(self)} points, min_samples={self.min_samples})"
