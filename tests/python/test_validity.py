"""DBCV against the definition, and stability by resampling."""

import numpy as np
import oracle
import pytest

import clusterloom


def dbcv(X, labels):
    """The definition, with a matrix of all distances and Prim's algorithm from the first point."""
    d = X.shape[1]
    parts = []
    for label in range(labels.max() + 1):
        points = X[labels == label]
        n = len(points)
        far = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
        with np.errstate(divide="ignore"):
            core = np.where(far > 0, far**-d, 0).sum(axis=1) / (n - 1)
        core = core ** (-1 / d)
        reach = np.maximum(far, np.maximum(core[:, None], core))
        tree = [0]
        edges = []
        while len(tree) < n:
            rest = [p for p in range(n) if p not in tree]
            weight, new, old = min((reach[p, q], p, q) for p in rest for q in tree)
            edges.append((weight, new, old))
            tree.append(new)
        degree = np.bincount([p for edge in edges for p in edge[1:]], minlength=n)
        inside = max(w for w, p, q in edges if degree[p] > 1 and degree[q] > 1)
        parts.append((points[degree > 1], core[degree > 1], inside, n))
    score = 0
    for i, (points, core, inside, n) in enumerate(parts):
        apart = np.inf
        for j, (others, other_core, _, _) in enumerate(parts):
            if i != j:
                far = np.sqrt(((points[:, None] - others) ** 2).sum(axis=2))
                reach = np.maximum(far, np.maximum(core[:, None], other_core))
                apart = min(apart, reach.min())
        score += n / len(X) * (apart - inside) / max(apart, inside)
    return score


@pytest.mark.parametrize("dims", [1, 2, 5])
def test_score(dims):
    X = oracle.blobs(dims, 150, dims)
    labels = np.arange(150) % 4 - 1
    labels = np.where(labels < 0, -1, (X[:, 0] > np.median(X[:, 0])).astype(int))
    found = clusterloom.validity(X, labels)
    assert found.score == pytest.approx(dbcv(X, labels), abs=1e-9)
    assert found.clusters.tolist() == [0, 1] and found.nearest.tolist() == [1, 0]
    assert found.points.sum() == (labels >= 0).sum()
    weighted = (found.validity * found.points).sum() / len(X)
    assert found.score == pytest.approx(weighted)
    one = clusterloom.validity(np.asfortranarray(X), labels.astype(np.int8), n_jobs=1)
    assert one.score == found.score


def test_undefined():
    X = oracle.blobs(1, 20, 2)
    found = clusterloom.validity(X, np.zeros(20, int))
    assert np.isnan(found.score) and np.isnan(found.validity[0]) and found.nearest[0] == -1
    assert len(clusterloom.validity(X, np.full(20, -5)).clusters) == 0


@pytest.mark.parametrize("call", [clusterloom.validity, clusterloom.stability])
def test_wrong_labels(call):
    X = oracle.blobs(1, 20, 2)
    more = () if call is clusterloom.validity else (1.0,)
    for labels, says in [
        (np.zeros(19, int), "shape"),
        (np.zeros((20, 1), int), "shape"),
        (np.zeros(20), "whole numbers"),
        (np.full(20, 2**40), "below"),
    ]:
        with pytest.raises(ValueError, match=says):
            call(X, labels, *more)


def test_stability():
    X = np.concatenate([oracle.blobs(7, 600, 2), [[1e6, 1e6], [1e6, 1e6 + 0.1], [1e6, 1e6 - 0.1]]])
    labels = clusterloom.DBSCAN(eps=2.0, min_samples=3).fit(X).labels_
    found = clusterloom.stability(X, labels, 2.0, 3, resamples=10, seed=4)
    assert found.clusters.tolist() == list(range(labels.max() + 1))
    assert (found.found <= found.samples).all() and (found.samples <= 10).all()
    seen = found.samples > 0
    assert ((found.jaccard[seen] >= 0) & (found.jaccard[seen] <= 1)).all()
    again = clusterloom.stability(X, labels, 2.0, 3, resamples=10, seed=4, n_jobs=1)
    np.testing.assert_array_equal(again.jaccard, found.jaccard)
    # A box much larger than the cloud changes nothing; one that joins its ends does.
    boxed = clusterloom.stability(X, labels, 2.0, 3, resamples=10, seed=4, period=2.0**30)
    np.testing.assert_array_equal(boxed.found, found.found)
    ring = np.arange(100.0).reshape(-1, 1) % 20
    both = clusterloom.DBSCAN(eps=1.5, min_samples=2, period=20).fit(ring).labels_
    closed = clusterloom.stability(ring, both, 1.5, 2, resamples=5, period=20)
    assert closed.clusters.tolist() == [0] and closed.found.tolist() == [5]
    for wrong in [{"share": 1.0}, {"resamples": 0}, {"seed": -1}]:
        with pytest.raises(ValueError):
            clusterloom.stability(X, labels, 2.0, 3, **wrong)


def jaccard_of_points(given, found):
    """The mean over the points in given clusters of the Jaccard index of their cluster."""
    total = []
    for label in np.unique(given[given >= 0]):
        own = given == label
        best = max(
            ((own & (found == other)).sum() / (own | (found == other)).sum())
            for other in np.unique(np.append(found[found >= 0], -2))
        )
        total += [best] * own.sum()
    return np.mean(total) if total else np.nan


def test_stability_over_eps():
    X = oracle.blobs(3, 160, 2)
    hierarchy = clusterloom.Hierarchy(X, 5)
    eps = [1e-6, 0.4, 1.0, 3.0, 50.0]
    found = hierarchy.stability(X, eps, resamples=6, share=0.5, seed=2)
    # The same samples: those of `stability`, which finds a point again where it is drawn.
    alone = clusterloom.stability(X, np.arange(160), 1e-9, 1, resamples=6, share=0.5, seed=2)
    assert alone.samples.sum() == 6 * 80
    drawn = [
        clusterloom.stability(X, np.arange(160), 1e-9, 1, resamples=i, seed=2).samples
        for i in range(1, 7)
    ]
    samples = [np.flatnonzero(b - a) for a, b in zip([0 * drawn[0].astype(int), *drawn], drawn)]
    means = np.array(
        [
            [
                jaccard_of_points(
                    oracle.dbscan(X, e, 5)[0][rows], oracle.dbscan(X[rows], e, 3)[0]
                )
                for rows in samples
            ]
            for e in eps
        ]
    )
    assert np.isnan(means[0]).all() and np.isnan(found.mean[0])
    np.testing.assert_allclose(found.mean[1:], means[1:].mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(found.low[1:], np.quantile(means[1:], 0.1, axis=1), rtol=1e-12)
    np.testing.assert_allclose(found.high[1:], np.quantile(means[1:], 0.9, axis=1), rtol=1e-12)
    whole = hierarchy.stability(X, resamples=2)
    curve = hierarchy.curve()
    np.testing.assert_allclose(whole.eps[[0, -1]], curve.eps[[0, -1]])
    assert len(whole.eps) == 48 and whole.mean[-1] > 0.8
    for wrong in [{"share": 1.0}, {"resamples": 0}, {"seed": -1}, {"eps": [0.0]}]:
        with pytest.raises(ValueError):
            hierarchy.stability(X, **wrong)
    with pytest.raises(ValueError, match="points"):
        hierarchy.stability(X[:9])


def test_stability_begins_above_equal_points():
    X = oracle.blobs(3, 200, 2)
    X[1] = X[0]
    eps = clusterloom.Hierarchy(X, 2).stability(X, resamples=2).eps
    assert eps[0] > 1e-9 and len(eps) == 48


@pytest.mark.parametrize("scale", [1e154, 1e160, 1e-170])
def test_distances_without_a_square_are_refused(scale):
    points = np.array([[0], [1], [9], [10], [30]]) * scale
    with pytest.raises(ValueError, match="square of .* distance (over|under)flows"):
        clusterloom.validity(points, [0, 0, 1, 1, -1])
