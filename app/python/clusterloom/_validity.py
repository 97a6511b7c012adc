"""How far to trust clusters: DBCV, and stability by resampling."""

from typing import Any, NamedTuple, Optional

import numpy as np

from . import _engine
from ._options import (
    EngineChoice,
    Period,
    Progress,
    engine_for,
    integer_of,
    labels_of,
    number_of,
    points_of,
    threads_of,
)


class Validity(NamedTuple):
    """DBCV of labels; arrays have an entry for each cluster, by label."""

    score: float  #: of all clusters, -1 to 1; NaN where fewer than two have two points
    clusters: np.ndarray  #: int32: labels
    points: np.ndarray  #: uint64
    validity: np.ndarray  #: float64, -1 to 1; NaN where undefined
    sparseness: np.ndarray  #: float64: the least dense place inside, as a distance
    separation: np.ndarray  #: float64: the density separation of the nearest other cluster
    nearest: np.ndarray  #: int32: the label of that cluster; -1 where there is none


class Stability(NamedTuple):
    """How clusters fare in samples; arrays have an entry for each cluster, by label."""

    clusters: np.ndarray  #: int32: labels
    points: np.ndarray  #: uint64
    jaccard: np.ndarray  #: float64, 0 to 1: the mean Jaccard index; NaN without samples
    samples: np.ndarray  #: uint32: samples that have points of the cluster
    found: np.ndarray  #: uint32: of these, in which its Jaccard index was at least 0.75


def validity(
    X: Any,
    labels: Any,
    *,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Validity:
    """Density-based clustering validation (DBCV) of labels, exactly.

    A cluster's validity is above 0 where it is denser inside than between it and the nearest other
    cluster. The score is the mean of all clusters, weighted by points; noise counts as points of
    validity 0, a cluster of one point as noise. The same as `hdbscan.validity.validity_index`,
    without a matrix of all distances.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    labels : array of shape (n,)
        Whole numbers; below 0 is noise.
    n_jobs, progress
        As in `radius_join`.

    Returns
    -------
    Validity
        A named tuple: score, and for each cluster clusters, points, validity, sparseness,
        separation and nearest.

    Raises
    ------
    ValueError
        For coordinates that are not finite, no points, another number of labels.

    Notes
    -----
    Of a cluster of m points, about 1.5 m² distances are computed.

    References
    ----------
    [Moulavi 2014]

    Examples
    --------
    >>> found = validity([[0.0], [1.0], [9.0], [10.0], [30.0]], [0, 0, 1, 1, -1])
    >>> round(found.score, 4)
    0.7111
    >>> found.separation.tolist(), found.nearest.tolist()
    ([9.0, 9.0], [1, 0])
    """
    points = points_of(X)
    found = _engine.validity(points, labels_of(labels, points=len(points), least=-1), threads_of(n_jobs), progress)
    arrays = (np.asarray(found[name]) for name in Validity._fields[1:])
    return Validity(found["score"], *arrays)


def stability(
    X: Any,
    labels: Any,
    eps: float,
    min_samples: int = 5,
    *,
    resamples: int = 20,
    share: float = 0.5,
    seed: int = 1,
    metric: str = "euclidean",
    period: Optional[Period] = None,
    backend: str = "auto",
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Stability:
    """How often DBSCAN finds each cluster again in random samples of the points.

    A cluster is found again where its points in the sample have a Jaccard index of at least 0.75
    with a cluster of the sample. Samples are clustered with the same eps and with 1 + share *
    (min_samples - 1) as min_samples, so that about the same places are dense.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    labels : array of shape (n,)
        Whole numbers; below 0 is noise. Mostly those of DBSCAN with eps and min_samples.
    eps, min_samples
        Of the labels.
    resamples : int
        The number of samples.
    share : float
        The share of the points in a sample, above 0 and below 1.
    seed : int
        The same seed gives the same samples.
    metric, period, backend, n_jobs, progress
        As in `radius_join`.

    Returns
    -------
    Stability
        A named tuple with an entry for each cluster: clusters, points, jaccard, samples, found.

    Raises
    ------
    ValueError
        As `validity`; also for parameters out of range.

    References
    ----------
    [Hennig 2007]

    Examples
    --------
    >>> line = [[i / 100] for i in range(100)] + [[i / 100] for i in range(500, 600)]
    >>> found = stability(line, [0] * 100 + [1] * 100, eps=0.2, min_samples=5)
    >>> found.clusters.tolist(), found.found.tolist()
    ([0, 1], [20, 20])
    """
    points = points_of(X)
    found = _engine.stability(
        engine_for(
            EngineChoice(backend, n_jobs, metric=metric, period=period), points.shape[1]
        ),
        points,
        labels_of(labels, points=len(points), least=-1),
        number_of(eps, "eps"),
        integer_of(min_samples, "min_samples", 1),
        integer_of(resamples, "resamples", 1, 100_000),
        number_of(share, "share"),
        integer_of(seed, "seed", 0),
        progress,
    )
    return Stability(*(np.asarray(found[name]) for name in Stability._fields))
