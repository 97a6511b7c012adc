"""Exact density-based clustering of point clouds, on the CPU and on NVIDIA GPUs.

The engine of Clusterloom for NumPy. Points are arrays of shape (points, dimensions), distances
Euclidean, and epsilon is in the units of the coordinates. Every strategy, backend and number of
threads gives the same answer, element by element.

=================  ==================================================================
`DBSCAN`           scikit-learn's estimator, label by label, from a grid
`HDBSCAN`          clusters of different densities, without an epsilon
`Hierarchy`        the DBSCAN clusters of every epsilon after one build
`radius_join`      neighbours within epsilon: counts, pairs, tables, histograms
`knn`              the exact k nearest neighbours of every point
`load`             what each warp of a GPU does in a join, modelled or measured
`show`             the window of Clusterloom on an array
=================  ==================================================================

Long calls release the interpreter lock, stop within a second on Ctrl-C, and take a `progress`
callback. Errors are ValueError (data or parameters that make no sense), MemoryError (a result that
would not fit, reported before it is computed) and RuntimeError (a backend that is not there), with
the engine's message.
"""

from typing import TYPE_CHECKING

from ._engine import __version__
from ._hierarchy import EpsCurve, Hierarchy
from ._joins import DistanceHistogram, NeighbourTable, knn, radius_join
from ._load import Load, load
from ._options import backends, strategy_choices
from ._progress import tqdm_progress
from ._show import Shown, show

if TYPE_CHECKING:
    from ._estimators import DBSCAN, HDBSCAN

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "DistanceHistogram",
    "EpsCurve",
    "Hierarchy",
    "Load",
    "NeighbourTable",
    "Shown",
    "__version__",
    "backends",
    "knn",
    "load",
    "radius_join",
    "show",
    "strategy_choices",
    "tqdm_progress",
]


def __getattr__(name: str):
    # The estimators import scikit-learn, which takes longer than all the rest.
    if name in ("DBSCAN", "HDBSCAN"):
        from . import _estimators

        return getattr(_estimators, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list:
    return sorted(__all__)
