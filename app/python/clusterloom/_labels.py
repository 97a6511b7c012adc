"""Labels: of new points by the clusters of others, and how two labellings agree."""

from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from . import _engine
from ._options import (
    EngineChoice,
    Period,
    Progress,
    Strategy,
    engine_for,
    integer_of,
    labels_of,
    number_of,
    points_of,
)

_SKIPPED = -2  # a row without a label, as the command line and `DBSCAN` of missing values have it


class LabelFigures(NamedTuple):
    """What labels say by themselves."""

    clusters: int  #: that have points
    noise: int  #: points with a label below 0
    largest: int  #: points of the largest cluster, noise not counted


class Agreement(NamedTuple):
    """How two labellings of the same points agree, in unordered pairs of different points."""

    adjusted_rand_index: float  #: 1 where both divide the points alike, about 0 as by chance
    points: int  #: compared
    skipped: int  #: rows that were left out
    pairs: int  #: points * (points - 1) / 2
    pairs_together: int  #: with one label in both
    pairs_together_in_labels: int  #: with one label in the first
    pairs_together_in_other: int  #: with one label in the second
    labels: LabelFigures
    other: LabelFigures


def compare(labels: Any, other: Any, *, progress: Optional[Progress] = None) -> Agreement:
    """How two labellings of the same rows agree, as the command `compare` tells.

    Noise counts as a cluster of its own, as in `sklearn.metrics.adjusted_rand_score`. Rows with the
    label -2 or below in one of both have no label and are left out.

    Parameters
    ----------
    labels, other : integer arrays of shape (n,)
        Whole numbers; -1 is noise.
    progress : callable, optional
        As in `radius_join`.

    Returns
    -------
    Agreement
        A named tuple; numerator and denominator of the index are exact integers.

    Raises
    ------
    ValueError
        For labels of different lengths or that are no whole numbers.

    References
    ----------
    [Hubert 1985, eq. 5]

    Examples
    --------
    >>> found = compare([0, 0, 1, 1, -1], [5, 5, 5, 7, -1])
    >>> round(found.adjusted_rand_index, 4), found.pairs_together
    (0.2105, 1)
    >>> found.other
    LabelFigures(clusters=2, noise=1, largest=3)
    """
    a, b = labels_of(labels), labels_of(other, "other")
    if len(a) != len(b):
        raise ValueError(f"other has {len(b)} labels, but labels has {len(a)}: they must be of the"
                         " same rows")
    known = (a > _SKIPPED) & (b > _SKIPPED)
    found: Dict[str, Any] = _engine.compare(a[known], b[known], progress)
    for name in ("labels", "other"):
        found[name] = LabelFigures(**found[name])
    return Agreement(skipped=int(len(a) - found["points"]), **found)


def label(
    X: Any,
    Y: Any,
    eps: float,
    min_samples: int = 5,
    *,
    metric: str = "euclidean",
    period: Optional[Period] = None,
    index_dims: Any = "auto",
    backend: str = "auto",
    strategy: Optional[Strategy] = None,
    device: Optional[int] = None,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> np.ndarray:
    """Labels the points of X by the clusters of Y, as the command `label` does: Y is clustered, and
    each point of X takes the lowest label among the core points of Y within eps, else -1. The
    points of X change no cluster; those of Y would get their own labels.

    `DBSCAN(eps, min_samples).fit(Y).predict(X)` is the same, and keeps the clusters.

    Parameters
    ----------
    X : array of shape (n, dimensions)
        The points to label.
    Y : array of shape (m, dimensions)
        The points that are clustered.
    eps, min_samples
        Of the clusters, as in `DBSCAN`.
    metric, period, index_dims, backend, strategy, device, n_jobs, progress
        As in `radius_join`; the strategy is that of the clustering.

    Returns
    -------
    int32 array of shape (n,)

    Raises
    ------
    ValueError, MemoryError, RuntimeError
        As `radius_join`.

    Examples
    --------
    >>> label([[0.2], [5.0], [9.0]], [[0.0], [0.1], [9.0], [9.1]], 0.5, 2).tolist()
    [0, -1, 1]
    """
    eps = number_of(eps, "eps")
    points, clustered = points_of(X), points_of(Y, "Y")
    choice = EngineChoice(backend, n_jobs, device, strategy, index_dims, metric, period)
    least = integer_of(min_samples, "min_samples", 1)
    engine = engine_for(choice, clustered.shape[1])
    found = engine.dbscan(clustered, eps, least, None, progress)
    core = np.asarray(found["core_points"])
    labels = np.ascontiguousarray(np.asarray(found["labels"])[np.asarray(found["core_rows"])])
    if len(labels) == 0:  # what is asked is still checked
        engine_for(choice.plain(), clustered.shape[1]).counts(points, clustered, eps, progress)
        return np.full(len(points), -1, dtype=np.int32)
    return lowest_labels(choice, core, labels, points, eps, progress)


def lowest_labels(
    choice: EngineChoice,
    core: np.ndarray,
    labels: np.ndarray,
    points: np.ndarray,
    eps: float,
    progress: Optional[Progress],
) -> np.ndarray:
    """For each point the lowest label among the core points within eps, else -1: int32."""
    engine = engine_for(choice.plain(), core.shape[1])
    return np.asarray(_engine.label_points(engine, core, labels, points, eps, progress))
