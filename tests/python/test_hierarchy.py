"""The clusters of every epsilon against DBSCAN by brute force."""

import numpy as np
import oracle
import pytest
import scipy.cluster.hierarchy

import clusterloom

CLOUDS = [
    (oracle.lattice(1, 200, 1, 60), 3),
    (oracle.lattice(2, 250, 2, 20), 4),
    (oracle.blobs(3, 300, 3), 5),
    (oracle.blobs(4, 150, 8), 2),
    (oracle.blobs(5, 260, 2), 65),
    (oracle.lattice(6, 300, 3, 6), 200),
]


@pytest.mark.parametrize("X, min_samples", CLOUDS)
def test_labels_of_every_eps(X, min_samples):
    hierarchy = clusterloom.Hierarchy(np.asfortranarray(X), min_samples)
    core = hierarchy.core_distances()
    assert len(hierarchy) == len(X) and hierarchy.min_samples == min_samples
    assert hierarchy.nbytes > 0
    # The smallest eps whose square reaches the squared distance: its root, or a neighbour of that.
    np.testing.assert_array_max_ulp(core, clusterloom.knn(X, min_samples)[0][:, -1])
    squared = np.sort(oracle.squared_distances(X), axis=1)[:, min_samples - 1]
    assert (core * core >= squared).all()
    below = np.nextafter(core, 0)
    assert (below * below < squared)[squared > 0].all()
    for eps in np.quantile(core[core > 0], [0, 0.2, 0.5, 0.8, 1]):
        labels, is_core = oracle.dbscan(X, eps, min_samples)
        np.testing.assert_array_equal(hierarchy.labels(eps), labels)
        np.testing.assert_array_equal(hierarchy.core_samples(eps), np.flatnonzero(is_core))


@pytest.mark.parametrize("X, min_samples", CLOUDS)
def test_the_curve_is_that_of_all_eps(X, min_samples):
    curve = clusterloom.Hierarchy(X, min_samples).curve()
    assert (np.diff(curve.eps) > 0).all()
    for i in range(0, len(curve.eps), max(1, len(curve.eps) // 8)):
        labels, _ = oracle.dbscan(X, curve.eps[i], min_samples)
        assert curve.clusters[i] == labels.max() + 1
        assert curve.noise[i] == (labels < 0).sum()
        assert curve.largest[i] == np.bincount(labels[labels >= 0]).max()


@pytest.mark.parametrize("X, min_samples", CLOUDS)
def test_scipy_reads_the_linkage(X, min_samples):
    hierarchy = clusterloom.Hierarchy(X, min_samples)
    linkage = hierarchy.linkage()
    assert linkage.shape == (len(X) - 1, 4)
    assert scipy.cluster.hierarchy.is_valid_linkage(linkage)
    # Its flat clusters are those of the core points.
    eps = float(np.quantile(linkage[:, 2], 0.9))
    core = hierarchy.core_samples(eps)
    flat = scipy.cluster.hierarchy.fcluster(linkage, eps, "distance")[core]
    labels = hierarchy.labels(eps)[core]
    assert len(set(zip(flat, labels))) == len(set(flat)) == len(set(labels))


def test_few_points():
    one = clusterloom.Hierarchy([[1.0, 2.0]], 1)
    assert one.labels(0.1).tolist() == [0] and one.linkage().shape == (0, 4)
    never = clusterloom.Hierarchy([[1.0], [2.0]], 100)
    assert never.labels(10.0).tolist() == [-1, -1]
    assert np.isinf(never.core_distances()).all()
    assert len(never.curve().eps) == 0


def test_backends():
    X = oracle.blobs(5, 300, 2)
    plain = clusterloom.Hierarchy(X, 4)
    model = clusterloom.HDBSCAN(10, 4, copy=True).fit(X)
    for options in ({"backend": "cpu"}, {"backend": "auto", "device": None}):
        again = clusterloom.Hierarchy(X, 4, **options)
        np.testing.assert_array_equal(again.linkage(), plain.linkage())
        other = clusterloom.HDBSCAN(10, 4, copy=True, **options).fit(X)
        np.testing.assert_array_equal(other.labels_, model.labels_)
    for backend, device, message in (("hybrid", None, "hybrid"), ("cpu", 0, "runs on no GPU")):
        for call in (
            lambda **how: clusterloom.Hierarchy(X, 4, **how),
            lambda **how: clusterloom.HDBSCAN(10, 4, copy=True, **how).fit(X),
        ):
            with pytest.raises(ValueError, match=message):
                call(backend=backend, device=device)
    if "cuda" not in clusterloom.backends():
        with pytest.raises(RuntimeError, match="cuda"):
            clusterloom.HDBSCAN(10, 4, copy=True, backend="cuda").fit(X)


def test_hdbscan_of_many_neighbours():
    """Above 64 neighbours the engine finds what it finds of a matrix of distances."""
    X = oracle.blobs(8, 400, 2)
    ours = clusterloom.HDBSCAN(30, 90, copy=True).fit(X)
    matrix = np.sqrt(oracle.squared_distances(X))
    theirs = clusterloom.HDBSCAN(30, 90, metric="precomputed", copy=True).fit(matrix)
    assert ours.n_clusters_ >= 2
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-12)
    weights = ours.minimum_spanning_tree_.to_numpy()[:, 2]
    np.testing.assert_allclose(weights, ours.single_linkage_tree_.to_numpy()[:, 2], rtol=1e-12)


def test_bad_calls():
    for X, min_samples in (
        ([[0.0]], 0),
        (np.zeros((2000, 1)), 1025),
        (np.empty((0, 1)), 2),
        ([[np.inf]], 2),
        ([0.0], 2),
    ):
        with pytest.raises(ValueError):
            clusterloom.Hierarchy(X, min_samples)
    hierarchy = clusterloom.Hierarchy([[0.0], [1.0]], 2)
    for eps in (0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="eps"):
            hierarchy.labels(eps)
    with pytest.raises(ValueError, match="min_samples must be a whole number"):
        clusterloom.Hierarchy([[0.0]], 1.5)
