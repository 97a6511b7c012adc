"""DBSCAN.predict against the labels of border points, by brute force."""

import pickle
import warnings

import numpy as np
import oracle
import pytest

import clusterloom

X = oracle.blobs(5, 300, 2)
NEW = np.random.default_rng(2).uniform(-10, 30, (400, 2))


def expected(points, labels, core, distances, eps):
    """The lowest label among the core points within eps."""
    found = []
    for row in distances <= eps:
        near = labels[core][row[core]]
        found.append(near.min() if len(near) else -1)
    return found


@pytest.mark.parametrize("options", [{}, {"backend": "cpu", "strategy": {"pattern": "unicomp"}}])
def test_new_points_are_labelled_as_border_points(options):
    fitted = clusterloom.DBSCAN(1.5, min_samples=5, **options).fit(X)
    distances = np.sqrt(oracle.squared_distances(NEW, X))
    core = fitted.core_sample_indices_
    labels = fitted.predict(NEW)
    assert labels.dtype == np.int32 and len(set(labels)) > 2
    np.testing.assert_array_equal(labels, expected(X, fitted.labels_, core, distances, 1.5))
    np.testing.assert_array_equal(fitted.predict(X), fitted.labels_)


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
def test_distances_of_scikit_learn(metric):
    fitted = clusterloom.DBSCAN(1.5, min_samples=5, metric=metric).fit(X)
    order = 1 if metric == "manhattan" else np.inf
    distances = np.linalg.norm(NEW[:, None] - X[None], ord=order, axis=2)
    core = fitted.core_sample_indices_
    np.testing.assert_array_equal(
        fitted.predict(NEW), expected(X, fitted.labels_, core, distances, 1.5)
    )
    np.testing.assert_array_equal(fitted.predict(X), fitted.labels_)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_precomputed_distances(kind):
    sparse = pytest.importorskip("scipy.sparse")
    to_cloud = np.sqrt(oracle.squared_distances(NEW, X))
    distances = np.sqrt(oracle.squared_distances(X))
    fitted = clusterloom.DBSCAN(1.5, min_samples=5, metric="precomputed").fit(distances)
    given = to_cloud if kind == "dense" else sparse.csr_matrix(to_cloud * (to_cloud < 9))
    points = clusterloom.DBSCAN(1.5, min_samples=5).fit(X)
    np.testing.assert_array_equal(fitted.predict(given), points.predict(NEW))


def test_spaces():
    box = clusterloom.DBSCAN(0.5, min_samples=2, period=10).fit([[0.1], [9.9], [5.0]])
    assert box.predict([[9.7], [0.5], [4.8]]).tolist() == [0, 0, -1]
    ways = clusterloom.DBSCAN(0.01, min_samples=2, metric="cosine")
    ways.fit([[1.0, 0.0], [5.0, 0.1], [0.0, 1.0], [0.1, 9.0]])
    assert ways.predict([[100.0, 1.0], [0.01, 3.0], [1.0, 1.0]]).tolist() == [0, 1, -1]


@pytest.mark.parametrize("options", [{}, {"metric": "manhattan"}, {"metric": "canberra"}])
def test_predictions_are_those_of_the_fit(options):
    eps = 0.3 if options.get("metric") == "canberra" else 1.5
    fitted = clusterloom.DBSCAN(eps, min_samples=5, **options).fit(X)
    labels = fitted.predict(NEW)
    for other in ({"eps": 40.0}, {"metric": "l1"}, {"metric": "precomputed"}, {"period": 50.0}):
        fitted.set_params(**other)
        np.testing.assert_array_equal(fitted.predict(NEW), labels)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(NEW), labels)
    assert fitted.metric == "precomputed" and fitted.eps == 40.0
    fitted.set_params(metric="euclidean", period=None).fit(X)
    assert (fitted.predict(X) == 0).all()


def test_none_and_wrong_calls():
    none = clusterloom.DBSCAN(0.1, min_samples=5).fit([[0.0], [1.0]])
    assert none.predict([[0.0]]).tolist() == [-1]
    with pytest.raises(ValueError, match="features"):
        none.predict([[0.0, 1.0]])
    with pytest.raises(ValueError, match="NaN"):
        none.predict([[np.nan]])
    with pytest.raises(Exception, match="not fitted"):
        clusterloom.DBSCAN().predict([[0.0]])


def test_a_power_among_the_parameters_is_no_reason_to_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = clusterloom.DBSCAN(1.5, metric="minkowski", metric_params={"p": 3.0}).fit(X)
        labels = fitted.predict(X)
    np.testing.assert_array_equal(labels[fitted.core_sample_indices_], fitted.labels_[fitted.core_sample_indices_])
