"""Density-based validity of any distances, from a matrix of the distances of each cluster."""

from typing import Any, Dict, NamedTuple, Optional

import numpy as np
from scipy.special import logsumexp
from sklearn.metrics import pairwise_distances


class _Tree(NamedTuple):
    """What the validity takes of a cluster."""

    inner: np.ndarray  #: rows of the points with two edges or more in its spanning tree
    core: np.ndarray  #: their core distances
    sparseness: float  #: the longest edge between two of them


def _core_distances(distances: np.ndarray, dims: float) -> np.ndarray:
    """All-points core distances [Moulavi 2014, definition 1]; points at one place add nothing. By
    logarithms: powers of many dimensions underflow."""
    with np.errstate(divide="ignore"):
        terms = np.where(distances == 0, -np.inf, -dims * np.log(distances))
    sums = logsumexp(terms, axis=1) - np.log(len(distances) - 1)
    if not np.isfinite(sums).any():
        return np.zeros(len(distances))
    return np.exp(-sums / dims)


def _tree(rows: np.ndarray, distances: np.ndarray, core: np.ndarray) -> _Tree:
    """Of the spanning tree that grows from the first point; of ties the first point, and its edge
    goes to the first point of the tree that is as near."""
    reach = np.maximum(np.maximum(distances, core), core[:, None])
    n = len(reach)
    nearest = reach[:, 0].copy()
    inside = np.zeros(n, dtype=bool)
    inside[0] = True
    edges = np.zeros((n - 1, 2), dtype=np.int64)
    weights = np.zeros(n - 1)
    for i in range(n - 1):
        at = int(np.argmin(np.where(inside, np.inf, nearest)))
        if inside[at]:  # the others are at infinity
            at = int(np.argmin(inside))
        weights[i] = nearest[at]
        edges[i] = np.flatnonzero(inside & (reach[at] == weights[i]))[0], at
        inside[at] = True
        np.minimum(nearest, reach[:, at], out=nearest)
    inner = np.flatnonzero(np.bincount(edges.ravel(), minlength=n) > 1)
    if len(inner) == 0:
        inner = np.zeros(1, dtype=np.int64)
    between = np.isin(edges, inner).all(axis=1)
    longest = weights[between] if between.any() else weights
    return _Tree(rows[inner], core[inner], float(longest.max()))


def validities(
    X: np.ndarray,
    labels: np.ndarray,
    metric: Any,
    dims: Optional[float],
    without_core: bool,
    metric_params: Dict[str, Any],
) -> np.ndarray:
    """The validity of each label from 0 to the largest; NaN for labels of fewer than two points and
    without another one. `dims` is that of the core distances of precomputed distances. ValueError
    where it is missing."""
    given = metric == "precomputed"
    if given and dims is None:
        raise ValueError("metric='precomputed' needs d, the number of dimensions of the points")
    power = float(dims if given and dims is not None else X.shape[1])
    trees: Dict[int, _Tree] = {}
    for label in range(int(labels.max(initial=-1)) + 1):
        rows = np.flatnonzero(labels == label)
        if len(rows) < 2:
            continue
        if given:
            distances = np.asarray(X[np.ix_(rows, rows)], dtype=np.float64)
        else:
            distances = pairwise_distances(X[rows], metric=metric, **metric_params)
        core = np.zeros(len(rows)) if without_core else _core_distances(distances, power)
        trees[label] = _tree(rows, distances, core)

    nearest = dict.fromkeys(trees, np.inf)
    for a in trees:
        for b in (b for b in trees if b > a):
            if given:
                distances = X[np.ix_(trees[a].inner, trees[b].inner)]
            else:
                inner = X[trees[a].inner], X[trees[b].inner]
                distances = pairwise_distances(*inner, metric=metric, **metric_params)
            reach = np.maximum(np.maximum(distances, trees[a].core[:, None]), trees[b].core)
            for label in (a, b):
                nearest[label] = min(nearest[label], float(reach.min()))

    result = np.full(int(labels.max(initial=-1)) + 1, np.nan)
    for label, tree in trees.items():
        larger = max(nearest[label], tree.sparseness)
        if len(trees) > 1:
            result[label] = (nearest[label] - tree.sparseness) / larger if larger > 0 else 0.0
    return result
