"""Exact density-based clustering of point clouds, on the CPU and on NVIDIA GPUs.

The engine of Clusterloom for NumPy. Points are arrays of shape (points, dimensions), distances
Euclidean unless a metric or a period is given, and epsilon is in the units of the coordinates.
Every strategy, backend and number of threads gives the same answer, element by element.

==================== ==================================================================
`DBSCAN`             scikit-learn's estimator, label by label
`dbscan`             the same as a function
`HDBSCAN`            clusters of different densities, without an epsilon
`Hierarchy`          the DBSCAN clusters of every epsilon after one build
`radius_join`        neighbours within epsilon: counts, pairs, tables, histograms
`knn`                the exact k nearest neighbours of every point
`k_distances`        the distances to the k-th nearest point, and the eps at their knee
`label`              labels of points by the clusters of others
`compare`            how two labellings agree
`validity`           how far to trust clusters: density-based validation (DBCV)
`stability`          how often samples of the points have each cluster again
`plan`               what a join will find and take, before it is started
`cost_of_k`          what each number of indexed dimensions will cost
`min_samples_curve`  what DBSCAN finds for every min_samples
`generate`           clouds that are the same on every machine
`load`               what each warp of a GPU does in a join, modelled or measured
`show`               the window of Clusterloom on an array
`backends`           the names of the backends of this build
`strategy_choices`   the words of each option of a strategy
`tqdm_progress`      a progress bar of tqdm for the `progress` callback
==================== ==================================================================

`clusterloom.dask` has DBSCAN and radius joins of Dask arrays, on a cluster of Dask.
`clusterloom.compat.hdbscan` has the names of the package hdbscan.

Long calls release the interpreter lock, stop within a second on Ctrl-C, and, except for
predictions of HDBSCAN and its spanning tree, take a `progress` callback. Errors are ValueError
(data or parameters that make no sense), MemoryError (a result that would not fit, reported before
it is computed) and RuntimeError (a backend that is not there), with the engine's message.
"""

from typing import TYPE_CHECKING

from ._engine import __version__
from ._generate import generate
from ._hierarchy import EpsCurve, Hierarchy, Reachability, StabilityCurve
from ._joins import DistanceHistogram, NeighbourTable, knn, radius_join
from ._labels import Agreement, LabelFigures, compare, label
from ._load import Load, load
from ._options import backends, strategy_choices
from ._plan import (
    CostOfK,
    KDistances,
    MinSamplesCurve,
    cost_of_k,
    k_distances,
    min_samples_curve,
    plan,
)
from ._progress import tqdm_progress
from ._show import Shown, show
from ._validity import Stability, Validity, stability, validity

if TYPE_CHECKING:
    from ._estimators import DBSCAN, dbscan
    from ._hdbscan import HDBSCAN

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "Agreement",
    "CostOfK",
    "DistanceHistogram",
    "EpsCurve",
    "Hierarchy",
    "KDistances",
    "LabelFigures",
    "Load",
    "MinSamplesCurve",
    "NeighbourTable",
    "Reachability",
    "Shown",
    "Stability",
    "StabilityCurve",
    "Validity",
    "__version__",
    "backends",
    "compare",
    "cost_of_k",
    "dbscan",
    "generate",
    "k_distances",
    "knn",
    "label",
    "load",
    "min_samples_curve",
    "plan",
    "radius_join",
    "show",
    "stability",
    "strategy_choices",
    "tqdm_progress",
    "validity",
]


def __getattr__(name: str):
    # The estimators import scikit-learn, which takes longer than all the rest.
    if name not in ("DBSCAN", "HDBSCAN", "dbscan"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from . import _estimators, _hdbscan
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("sklearn", "scipy"):
            raise
        raise ModuleNotFoundError(
            f"clusterloom.{name} needs scikit-learn, which is not installed: "
            "pip install scikit-learn",
            name=error.name,
        ) from None
    return getattr(_hdbscan if name == "HDBSCAN" else _estimators, name)


def __dir__() -> list:
    return sorted(__all__)
