"""label and compare: against plain loops and scikit-learn."""

import numpy as np
import oracle
import pytest
import sklearn.cluster
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import pair_confusion_matrix

import clusterloom


def labels_by(Y, X, eps, min_samples):
    """For each point of X the lowest label among the core points of Y within eps."""
    labels, core = oracle.dbscan(Y, eps, min_samples)
    near = oracle.within(X, eps, Y) & core
    return [labels[row].min() if row.any() else -1 for row in near]


@pytest.mark.parametrize("options", [{}, {"backend": "cpu", "index_dims": 1, "n_jobs": 1}])
def test_labels_of_new_points(options):
    Y, X = oracle.blobs(3, 200, 2), oracle.blobs(4, 150, 2)
    found = clusterloom.label(X, Y, 1.0, 5, **options)
    assert found.dtype == np.int32 and (found >= 0).any() and (found < 0).any()
    np.testing.assert_array_equal(found, labels_by(Y, X, 1.0, 5))
    model = clusterloom.DBSCAN(1.0, min_samples=5).fit(Y)
    np.testing.assert_array_equal(found, model.predict(X))
    np.testing.assert_array_equal(clusterloom.label(Y, Y, 1.0, 5), model.labels_)


def test_ties_on_a_lattice_and_strategies_of_the_clustering():
    Y, X = oracle.lattice(1, 150, 2), oracle.lattice(2, 100, 2)
    found = clusterloom.label(X, Y, 1.0, 6, strategy={"pattern": "unicomp"}, backend="cpu")
    np.testing.assert_array_equal(found, labels_by(Y, X, 1.0, 6))


def test_labels_in_a_periodic_box_and_by_angle():
    Y = [[0.1], [9.9], [5.0], [5.1]]
    assert clusterloom.label([[0.0], [5.2], [7.0]], Y, 0.3, 2, period=10).tolist() == [0, 1, -1]
    assert clusterloom.label([[0.0], [5.2], [7.0]], Y, 0.15, 2, period=10).tolist() == [-1, 0, -1]
    rays = [[1.0, 0.0], [2.0, 0.02], [0.0, 1.0], [0.01, 3.0]]
    assert clusterloom.label([[9.0, 0.1], [1.0, 1.0]], rays, 0.01, 2, metric="cosine").tolist() == [
        0,
        -1,
    ]


def test_no_cluster_labels_nothing():
    assert clusterloom.label([[0.0], [1.0]], [[0.0], [5.0]], 0.5, 3).tolist() == [-1, -1]


@pytest.mark.parametrize(
    "X, Y, options, words",
    [
        ([[0.0]], [[0.0, 1.0]], {}, "dimensions"),
        ([[0.0]], [[0.0, 1.0]], {"min_samples": 1}, "dimensions"),
        ([[np.nan]], [[0.0]], {}, "not a finite"),
        ([[np.nan]], [[0.0]], {"min_samples": 1}, "not a finite"),
        ([[0.0]], [[np.nan]], {}, "not a finite"),
        ([[0.0]], np.empty((0, 1)), {}, "no points"),
        ([[0.0]], [[0.0]], {"eps": 0.0}, "eps must be"),
        ([[0.0]], [[0.0]], {"min_samples": 0}, "min_samples must be"),
        ([[0.0]], [[0.0]], {"metric": "canberra"}, "metric must be"),
    ],
)
def test_bad_calls(X, Y, options, words):
    with pytest.raises(ValueError, match=words):
        clusterloom.label(X, Y, **{"eps": 1.0, **options})


@pytest.mark.parametrize("seed", range(8))
def test_agreement(seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(2, 400))
    a, b = draw.integers(-1, 1 + seed, n), draw.integers(-1, 5, n)
    found = clusterloom.compare(a, b)
    assert found.adjusted_rand_index == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)
    counts = pair_confusion_matrix(a, b) // 2  # of unordered pairs
    assert found.pairs == n * (n - 1) // 2 == counts.sum()
    assert found.pairs_together == counts[1, 1]
    assert found.pairs_together_in_labels == counts[1].sum()
    assert found.pairs_together_in_other == counts[:, 1].sum()
    assert (found.points, found.skipped) == (n, 0)
    for labels, figures in ((a, found.labels), (b, found.other)):
        sizes = np.unique(labels[labels >= 0], return_counts=True)[1]
        assert figures.clusters == len(sizes) and figures.noise == (labels < 0).sum()
        assert figures.largest == sizes.max(initial=0)


def test_agreement_of_two_fits():
    X = oracle.blobs(5, 300, 2)
    ours = clusterloom.DBSCAN(1.0, min_samples=5).fit_predict(X)
    theirs = sklearn.cluster.DBSCAN(eps=1.0, min_samples=5).fit_predict(X)
    assert clusterloom.compare(ours, theirs).adjusted_rand_index == 1


def test_rows_without_a_label_are_left_out():
    found = clusterloom.compare([0, 0, -2, 1, 1], [3, 3, 3, -3, 4])
    assert (found.points, found.skipped, found.adjusted_rand_index) == (3, 2, 1.0)
    assert clusterloom.compare([], []).adjusted_rand_index == 1


@pytest.mark.parametrize(
    "a, b, words",
    [
        ([0, 1], [0], "same rows"),
        ([0.5], [0], "whole numbers"),
        ([0], [[0]], "shape"),
        ([0], [2**40], "32-bit"),
        ([0], ["a"], "whole numbers"),
    ],
)
def test_labels_that_cannot_be_compared(a, b, words):
    with pytest.raises(ValueError, match=words):
        clusterloom.compare(a, b)
