"""clusterloom.compat.hdbscan: its own rules, and equality with the package hdbscan where that is
installed."""

import doctest
import warnings

import numpy as np
import oracle
import pytest

from clusterloom.compat import hdbscan as ours

X = oracle.blobs(11, 300, 3)


def test_examples_of_docstrings():
    found = doctest.testmod(ours)
    assert found.attempted > 0 and found.failed == 0


def test_names_and_results():
    clusterer = ours.HDBSCAN(min_cluster_size=10, min_samples=3)
    labels = clusterer.fit_predict(X)
    assert clusterer.get_params()["min_samples"] == 3
    assert labels.dtype == np.int64 and len(clusterer.cluster_persistence_) == labels.max() + 1
    found = ours.hdbscan(X, min_cluster_size=10, min_samples=3, gen_min_span_tree=True)
    np.testing.assert_array_equal(found[0], labels)
    np.testing.assert_array_equal(found[1], clusterer.probabilities_)
    np.testing.assert_array_equal(found[3], clusterer.condensed_tree_.to_numpy())
    assert found[4].shape == (299, 4) and found[5].shape == (299, 3)
    assert ours.hdbscan(X)[5] is None
    for label in range(labels.max() + 1):
        inside = X[labels == label]
        for center in (
            clusterer.weighted_cluster_centroid(label),
            clusterer.weighted_cluster_medoid(label),
        ):
            assert (center >= inside.min(axis=0)).all() and (center <= inside.max(axis=0)).all()
    assert -1 <= clusterer.relative_validity_ <= 1
    assert clusterer.dbscan_clustering(1.0).shape == (300,)


def test_predictions_need_their_data():
    clusterer = ours.HDBSCAN(min_cluster_size=10, min_samples=3).fit(X)
    with pytest.raises(ValueError, match="prediction data"):
        ours.approximate_predict(clusterer, X)
    clusterer.generate_prediction_data()
    labels, probabilities, joined = ours.approximate_predict(clusterer, X, True)
    assert (labels == clusterer.labels_).mean() > 0.98
    assert probabilities.max() <= 1 and joined.max() < len(X)
    scores = ours.approximate_predict_scores(clusterer, X)
    np.testing.assert_allclose(scores, clusterer.outlier_scores_)
    shape = (len(X), labels.max() + 1)
    assert ours.membership_vector(clusterer, X).shape == shape
    assert ours.all_points_membership_vectors(clusterer).shape == shape
    with pytest.raises(ValueError, match="dimensions"):
        ours.approximate_predict(clusterer, X[:, :2])
    none = ours.HDBSCAN(min_cluster_size=200, prediction_data=True).fit(X)
    with pytest.warns(UserWarning, match="any defined clusters"):
        assert (ours.approximate_predict(none, X)[0] == -1).all()
    assert ours.all_points_membership_vectors(none).shape == (len(X),)


@pytest.mark.parametrize(
    "options, kind",
    [
        ({"min_cluster_size": 1}, ValueError),
        ({"min_samples": -1}, ValueError),
        ({"min_samples": "many"}, ValueError),
        ({"metric": "imperial"}, ValueError),
        ({"metric": "minkowski"}, TypeError),
        ({"alpha": -1.0}, ValueError),
        ({"leaf_size": 0}, ValueError),
        ({"algorithm": "best of all"}, ValueError),
        ({"algorithm": "prims_kdtree", "metric": "precomputed"}, ValueError),
        ({"cluster_selection_epsilon": -1.0}, ValueError),
        ({"cluster_selection_persistence": 0.5}, NotImplementedError),
        ({"cluster_selection_epsilon_max": 2.0}, NotImplementedError),
        ({"alpha": 1.5}, NotImplementedError),
    ],
)
def test_wrong_calls(options, kind):
    with pytest.raises(kind):
        ours.HDBSCAN(**options).fit(X)


def test_rows_that_are_not_finite():
    holes = X.copy()
    holes[4] = np.nan
    clusterer = ours.HDBSCAN(min_cluster_size=10).fit(holes)
    assert clusterer.labels_[4] == -1 and clusterer.probabilities_[4] == 0
    assert clusterer.outlier_scores_[4] == 1
    without = ours.HDBSCAN(min_cluster_size=10).fit(np.delete(X, 4, axis=0))
    np.testing.assert_array_equal(np.delete(clusterer.labels_, 4), without.labels_)


def clouds_without_ties():
    """Clouds in which no mutual reachability ties inside the tree: min_samples 1 makes the core
    distance that to the nearest point, and the distances of normal draws differ."""
    for seed in range(6):
        draw = np.random.default_rng(seed)
        dims = 2 + seed % 3
        groups = [draw.normal(draw.uniform(0, 12, dims), 0.6, (60, dims)) for _ in range(4)]
        yield draw.permutation(np.concatenate([*groups, draw.uniform(-2, 14, (30, dims))])), draw


def test_equals_the_package_where_nothing_ties():
    theirs = pytest.importorskip("hdbscan", reason="the package hdbscan is not installed")
    compared = 0
    for points, draw in clouds_without_ties():
        options = {"min_cluster_size": 10, "min_samples": 1, "prediction_data": True}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a = theirs.HDBSCAN(approx_min_span_tree=False, gen_min_span_tree=True, **options)
            a.fit(points)
        b = ours.HDBSCAN(**options).fit(points)
        pairs = set(zip(b.labels_.tolist(), a.labels_.tolist()))
        to_theirs = dict(pairs)
        if len(pairs) != len(to_theirs):  # ties of core distances: another partition
            continue
        compared += 1
        columns = [to_theirs[label] for label in range(len(b.cluster_persistence_))]
        np.testing.assert_allclose(b.probabilities_, a.probabilities_, atol=1e-12)
        np.testing.assert_allclose(b.outlier_scores_, a.outlier_scores_, atol=1e-12)
        np.testing.assert_allclose(
            b.cluster_persistence_, a.cluster_persistence_[columns], rtol=1e-9
        )
        np.testing.assert_allclose(
            b.minimum_spanning_tree_.to_numpy()[:, 2],
            np.sort(a.minimum_spanning_tree_.to_numpy()[:, 2]),
            rtol=1e-12,
        )
        assert b.relative_validity_ == pytest.approx(a.relative_validity_)
        new = draw.uniform(-2, 14, (200, points.shape[1]))
        labels, probabilities, joined = theirs.approximate_predict(a, new, True)
        mine = ours.approximate_predict(b, new, True)
        assert [to_theirs.get(label, -1) for label in mine[0].tolist()] == labels.tolist()
        np.testing.assert_allclose(mine[1], probabilities, atol=1e-12)
        np.testing.assert_array_equal(mine[2], joined)
        inside = b.labels_ >= 0  # beyond, the nearest cluster depends on the numbers of clusters
        np.testing.assert_allclose(
            ours.all_points_membership_vectors(b)[inside],
            theirs.all_points_membership_vectors(a)[inside][:, columns],
            atol=1e-9,
        )
    assert compared >= 4
