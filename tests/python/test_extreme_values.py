"""Squares of distances that overflow or underflow: refused in words by nearest neighbours and
hierarchies, which go by squares. Equal points are fine at any scale."""

import os
import subprocess

import numpy as np
import oracle
import pytest

import clusterloom

CLI = os.environ.get("CLUSTERLOOM_CLI")
X = oracle.blobs(2, 60, 3)
METRICS = ["euclidean", "manhattan", "chebyshev"]
SCALES = [(1e160, "overflows"), (1e-160, "underflows"), (1e-200, "underflows")]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale, words", SCALES)
def test_squares_that_do_not_exist_are_refused(metric, scale, words):
    points = X * scale
    for call in (
        lambda: clusterloom.knn(points, 3, metric=metric),
        lambda: clusterloom.knn(points, 3, points + scale, metric=metric),
        lambda: clusterloom.Hierarchy(points, 3, metric=metric),
        lambda: clusterloom.HDBSCAN(5, 3, metric=metric, copy=True).fit(points),
    ):
        with pytest.raises(ValueError, match=words):
            call()


@pytest.mark.parametrize("scale, words", SCALES)
@pytest.mark.parametrize("call", [["knn", "-k", "3"], ["hdbscan", "--min-cluster-size", "5"]])
def test_the_command_line_says_the_same(tmp_path, call, scale, words):
    if not CLI:
        pytest.skip("the test was not told where clusterloom-cli is")
    np.save(tmp_path / "cloud.npy", X * scale)
    command = [CLI, call[0], "cloud.npy", *call[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and words in done.stderr and "cale the data" in done.stderr


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale", [2.0**490, 2.0**-440])
def test_squares_that_exist_are_exact(metric, scale):
    near, ids = clusterloom.knn(X, 3, metric=metric)
    again = clusterloom.knn(X * scale, 3, metric=metric)
    np.testing.assert_array_equal(again[1], ids)
    np.testing.assert_array_equal(again[0], near * scale)
    labels = clusterloom.HDBSCAN(5, 3, metric=metric, copy=True).fit(X).labels_
    scaled = clusterloom.HDBSCAN(5, 3, metric=metric, copy=True).fit(X * scale)
    np.testing.assert_array_equal(scaled.labels_, labels)
    assert len(scaled.minimum_spanning_tree_.to_numpy()) == len(X) - 1


@pytest.mark.parametrize("metric", METRICS)
def test_equal_points_are_fine(metric):
    points = np.array([[5e-324, 1e-200]] * 4 + [[1.0, 1e-200]] * 4 + [[0.0, 3.0]] * 2)
    distances, _ = clusterloom.knn(points, 2, metric=metric)
    assert (distances == 0).all()
    far = clusterloom.knn(points, 5, metric=metric)[0]
    assert (far[:4, 4] == 1).all() and np.isfinite(far).all()
    fitted = clusterloom.HDBSCAN(2, 2, metric=metric, copy=True).fit(points)
    assert fitted.n_clusters_ == 3
    assert (fitted.minimum_spanning_tree_.to_numpy()[:7, 2] == 0).all()
    # Negative and positive zeros are equal.
    assert clusterloom.knn([[-0.0], [0.0]], 2, metric=metric)[0].max() == 0


def test_a_large_cloud_may_have_points_that_are_nearly_equal():
    # Probabilities near 0: the square of 1e-200 counts as 0.
    points = [[0.0, 1.0], [1e-200, 1.0], [0.5, 0.5], [0.6, 0.4]]
    assert clusterloom.knn(points, 2)[0][0].tolist() == [0, 0]
    assert clusterloom.knn(points[1:], 1, points)[0][0, 0] == 0
    assert clusterloom.Hierarchy(points, 2).linkage()[0, 2] == 0
    labels = clusterloom.HDBSCAN(2, 2, copy=True).fit(points).labels_
    assert labels[0] == labels[1]


def test_only_squares_that_are_needed():
    # The square of one coordinate underflows, that of the distance does not.
    assert clusterloom.knn([[0.0, 0.0], [1.0, 1e-200]], 2)[0][0, 1] == 1
    # The third point is far away from all, which its own neighbours alone tell.
    lone = [[0.0], [1.0], [1e200]]
    assert clusterloom.knn(lone[:2], 1, lone)[0].max() == 0
    with pytest.raises(ValueError, match=r"coordinate 0 is 0 at point 0 and 1e\+200 at point 2"):
        clusterloom.knn(lone, 2)
    with pytest.raises(ValueError, match="1e[+]200 at point 0 of the first cloud"):
        clusterloom.knn([[1e200]], 1, [[3.0]])
    with pytest.raises(ValueError, match="coordinate 1 is -1e[+]200 at point 1 and 5 at point 2"):
        clusterloom.HDBSCAN(2, 2, copy=True).fit([[1.0, 2.0], [2.0, -1e200], [4.0, 5.0]])
    # No point is core, so that no distance counts.
    assert len(clusterloom.Hierarchy(lone, 9)) == 3
    # Points that are one in a periodic box, and directions whose cosine rounds to 1.
    assert clusterloom.knn([[0.5], [10.5], [5.0]], 2, period=10)[0][0].tolist() == [0, 0]
    assert clusterloom.Hierarchy([[0.5], [10.5], [5.0]], 2, period=10).linkage()[0, 2] == 0
    directions = [[1.0, 0.0], [1.0, 1e-200], [0.0, 1.0]]
    assert clusterloom.knn(directions, 2, metric="cosine")[0][0, 1] == 0
    assert clusterloom.Hierarchy(directions, 2, metric="cosine").linkage()[0, 2] == 0
