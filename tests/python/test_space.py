"""Periodic boxes and great circles against scikit-learn and comparisons of all pairs."""

import pickle

import numpy as np
import pytest
import sklearn.cluster
import sklearn.metrics
from sklearn.base import clone

import clusterloom


def box_distances(X, period):
    """Distances by min(|d|, L - |d|)."""
    total = np.zeros((len(X), len(X)))
    for j, length in enumerate(period):
        column = X[:, j] % length if length else X[:, j]
        difference = np.abs(column[:, None] - column[None, :])
        if length:
            difference = np.minimum(difference, length - difference)
        total = total + difference * difference
    return np.sqrt(total)


@pytest.mark.parametrize("period", [(30, 30), (30, 0), (0, 7), (16, 8)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_labels_in_a_box_are_those_of_scikit_learn(period, seed):
    X = np.random.default_rng(seed).integers(-40, 40, (400, 2)).astype(float)
    distances = box_distances(X, period)
    for eps, min_samples in ((1, 4), (1, 8), (2, 9), (3, 30)):
        theirs = sklearn.cluster.DBSCAN(
            eps=eps, min_samples=min_samples, metric="precomputed"
        ).fit(distances)
        ours = clusterloom.DBSCAN(eps, min_samples, period=period).fit(X)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
        np.testing.assert_array_equal(ours.components_, X[theirs.core_sample_indices_])


def test_drawn_points_in_three_dimensions():
    X = np.random.default_rng(5).random((600, 3))
    theirs = sklearn.cluster.DBSCAN(eps=0.11, min_samples=5, metric="precomputed")
    ours = clusterloom.DBSCAN(0.11, 5, period=1)
    np.testing.assert_array_equal(
        ours.fit_predict(X), theirs.fit_predict(box_distances(X, (1, 1, 1)))
    )
    # None and 0 mean the same, and a copy of the estimator keeps the box.
    stripe = clusterloom.DBSCAN(0.11, 5, period=[1, None, 0]).fit_predict(X)
    np.testing.assert_array_equal(stripe, theirs.fit_predict(box_distances(X, (1, 0, 0))))
    np.testing.assert_array_equal(clone(ours).fit_predict(X), ours.labels_)


@pytest.mark.parametrize("dims", [3, 50, 300])
def test_cosine_distances_are_those_of_scikit_learn(dims):
    random = np.random.default_rng(dims)
    centres = random.normal(size=(8, dims))
    X = centres[random.integers(0, 8, 600)] + 0.3 * random.normal(size=(600, dims))
    X *= random.uniform(0.01, 100, (600, 1))
    for eps in (0.02, 0.08, 0.3):
        theirs = sklearn.cluster.DBSCAN(eps=eps, min_samples=5, metric="cosine").fit(X)
        ours = clusterloom.DBSCAN(eps, 5, metric="cosine").fit(X)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        counts = clusterloom.radius_join(X, eps, metric="cosine")
        near = sklearn.metrics.pairwise.cosine_distances(X) <= eps
        np.testing.assert_array_equal(counts, near.sum(axis=1))
    with pytest.raises(ValueError, match="no direction"):
        clusterloom.DBSCAN(0.1, 5, metric="cosine").fit(np.zeros((3, 2)))


def test_weights_in_a_box():
    X = np.random.default_rng(6).integers(0, 20, (200, 2)).astype(float)
    weights = np.random.default_rng(7).integers(0, 4, 200).astype(float)
    theirs = sklearn.cluster.DBSCAN(eps=1, min_samples=6, metric="precomputed")
    np.testing.assert_array_equal(
        clusterloom.DBSCAN(1, 6, period=20).fit(X, sample_weight=weights).labels_,
        theirs.fit(box_distances(X, (20, 20)), sample_weight=weights).labels_,
    )


def test_joins_in_a_box():
    X = np.random.default_rng(8).integers(0, 24, (150, 2)).astype(float)
    near = box_distances(X, (12, 24)) <= 2
    np.testing.assert_array_equal(
        clusterloom.radius_join(X, 2, period=(12, 24)), near.sum(axis=1)
    )
    pairs = clusterloom.radius_join(X, 2, output="pairs", period=(12, 24))
    np.testing.assert_array_equal(pairs, np.argwhere(near))
    sparse = clusterloom.radius_join(X, 2, X[:9], output="csr", period=(12, 24))
    np.testing.assert_array_equal(sparse.toarray(), near[:, :9])


def earthly(seed, points):
    """Latitude and longitude in radians, many around the poles and the date line."""
    draw = np.random.default_rng(seed)
    latitude = np.arcsin(draw.uniform(-1, 1, points))
    longitude = draw.uniform(-np.pi, np.pi, points)
    latitude[::4] = np.pi / 2 - draw.uniform(0, 0.03, len(latitude[::4]))
    longitude[1::4] = (draw.uniform(-0.02, 0.02, len(longitude[1::4])) + 2 * np.pi) % (
        2 * np.pi
    ) - np.pi
    latitude[1::4] = draw.uniform(-0.2, 0.2, len(latitude[1::4]))
    return np.column_stack([latitude, longitude])


@pytest.mark.parametrize("eps, min_samples", [(0.004, 3), (0.01, 4), (0.05, 10), (2.0, 100)])
def test_great_circles_are_those_of_scikit_learn(eps, min_samples):
    X = earthly(9, 500)
    theirs = sklearn.cluster.DBSCAN(
        eps=eps, min_samples=min_samples, metric="haversine", algorithm="brute"
    ).fit(X)
    ours = clusterloom.DBSCAN(eps, min_samples, metric="haversine").fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_array_equal(ours.components_, X[theirs.core_sample_indices_])
    assert ours.labels_.max() >= 0
    near = sklearn.metrics.pairwise.haversine_distances(X) <= eps
    np.testing.assert_array_equal(
        clusterloom.radius_join(X, eps, metric="haversine"), near.sum(axis=1)
    )


@pytest.mark.parametrize(
    "options, message",
    [
        ({"period": [1, 1, 1]}, "2 are needed, 3 given"),
        ({"period": [1, -1]}, "period of dimension"),
        ({"period": 0.5}, "less than half"),
        ({"period": [[1, 1]]}, "a sequence of one"),
        ({"period": 0}, "other than 0"),
        ({"period": ["x", 1]}, "period must be a number, not 'x'"),
        ({"metric": "canberra", "period": 9}, "period is for dense X and Euclidean"),
        ({"metric": "manhattan", "period": 9}, "distances of their own, not manhattan"),
        ({"metric": "haversine", "period": 9}, "no periods"),
    ],
)
def test_wrong_calls_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        clusterloom.DBSCAN(eps=0.3, **options).fit([[0.0, 0.0], [1.0, 1.0]])


def test_latitudes_beyond_the_poles_are_refused():
    with pytest.raises(ValueError, match="latitude of point 1 is 2.*Latitude is the first"):
        clusterloom.DBSCAN(eps=0.3, metric="haversine").fit([[0.0, 3.0], [2.0, 0.0]])
    with pytest.raises(ValueError, match="latitude first"):
        clusterloom.radius_join([[0.0], [2.0]], 1, metric="haversine")


def nearest_in_box(X, period, k, Y=None):
    """Rows by distance, then row, as `knn` orders them; X first where there is no Y."""
    distances = box_distances(np.concatenate([X, X if Y is None else Y]), period)[: len(X), len(X) :]
    order = distances.copy()
    if Y is None:
        np.fill_diagonal(order, -1)
    ids = np.argsort(order, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(distances, ids, axis=1), ids


@pytest.mark.parametrize("period", [(30, 30), (30, 0), (0, 7), (16, 8)])
def test_neighbours_in_a_box(period):
    X = np.random.default_rng(7).integers(-40, 40, (300, 2)).astype(float)
    for Y in (None, X[::-3] + 1):
        distances, ids = clusterloom.knn(X, 12, Y, period=period)
        expected, rows = nearest_in_box(X, period, 12, Y)
        np.testing.assert_array_equal(ids, rows)
        np.testing.assert_array_equal(distances, expected)
    with pytest.raises(ValueError, match="64 in a periodic box"):
        clusterloom.knn(X, 65, period=period)
    with pytest.raises(ValueError, match="one period per dimension"):
        clusterloom.knn(X, 3, period=[1, 1, 1])


def test_hierarchy_in_a_box():
    X = np.random.default_rng(8).integers(0, 24, (250, 2)).astype(float)
    distances = box_distances(X, (24, 0))
    hierarchy = clusterloom.Hierarchy(X, 5, period=[24, None])
    for eps in (0.9, 1, 1.5, 2, 12, 13):  # also half of the period and more
        theirs = sklearn.cluster.DBSCAN(eps=eps, min_samples=5, metric="precomputed")
        np.testing.assert_array_equal(hierarchy.labels(eps), theirs.fit_predict(distances))
    core = np.sort(distances)[:, 4]
    np.testing.assert_allclose(hierarchy.core_distances(), core, rtol=1e-15)
    again = pickle.loads(pickle.dumps(hierarchy))
    ends = hierarchy.stability(X, [1.0, 2.0], resamples=4)
    np.testing.assert_array_equal(again.stability(X, [1.0, 2.0], resamples=4).mean, ends.mean)
    plain = clusterloom.Hierarchy(X, 5).stability(X, [1.0, 2.0], resamples=4)
    assert (plain.mean != ends.mean).any()
    with pytest.raises(ValueError, match="64"):
        clusterloom.Hierarchy(X, 65, period=24)


def test_hdbscan_in_a_box():
    draw = np.random.default_rng(9)
    centres = np.array([[0.0, 0.0], [8.0, 8.0], [8.0, 1.0]])  # the first lies on all faces
    X = centres[draw.integers(0, 3, 400)] + draw.normal(0, 0.4, (400, 2))
    model = clusterloom.HDBSCAN(15, 6, copy=True, period=64).fit(X)
    theirs = clusterloom.HDBSCAN(15, 6, copy=True, metric="precomputed").fit(
        box_distances(X, (64, 64))
    )
    np.testing.assert_array_equal(model.labels_, theirs.labels_)
    np.testing.assert_allclose(model.probabilities_, theirs.probabilities_, rtol=1e-12)
    np.testing.assert_allclose(
        model.minimum_spanning_tree_.to_numpy()[:, 2],
        theirs.minimum_spanning_tree_.to_numpy()[:, 2],
        rtol=1e-12,
    )
    assert clone(model).period == 64
    # Points are predicted wherever they lie.
    new = centres[draw.integers(0, 3, 60)] + np.round(draw.normal(0, 0.4, (60, 2)), 3)
    labels, away = model.predict(new), model.predict(new + [64, -128])
    np.testing.assert_array_equal(labels, away)
    middle = clusterloom.HDBSCAN(15, 6, copy=True).fit((X + 20) % 64)  # no cluster crosses a face
    np.testing.assert_array_equal(middle.predict((new + 20) % 64), labels)
    np.testing.assert_allclose(
        middle.membership_vectors((new + 20) % 64), model.membership_vectors(new), rtol=1e-6
    )
    for how in (
        {"min_samples": 65},
        {"metric": "manhattan"},
        {"alpha": 2.0},
        {"store_centers": "medoid"},
    ):
        with pytest.raises(ValueError, match="period"):
            clusterloom.HDBSCAN(**{"min_samples": 6, "copy": True, "period": 64, **how}).fit(X)


def test_predictions_in_a_box_with_many_neighbours():
    draw = np.random.default_rng(9)
    centres = np.array([[0.0, 0.0], [32.0, 32.0]])
    X = centres[np.arange(400) % 2] + draw.normal(0, 0.4, (400, 2))
    model = clusterloom.HDBSCAN(40, copy=True, period=64).fit(X)
    assert model.predict(centres + [64, -64]).tolist() == [0, 1]
    assert model.predict_outlier_scores(X).shape == (400,)
    assert model.membership_vectors(X).shape == (400, 2)


def test_a_box_of_too_many_dimensions_is_refused():
    X = np.random.default_rng(1).random((20, 5000))
    with pytest.raises(ValueError, match="4096 dimensions"):
        clusterloom.HDBSCAN(3, 2, period=10, copy=True).fit(X)
