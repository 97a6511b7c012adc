"""Given distances: the command line beside scikit-learn and the module, with the same sparse matrix."""

import json
import os
import subprocess

import numpy as np
import pytest

import clusterloom

sklearn_cluster = pytest.importorskip("sklearn.cluster")
sparse = pytest.importorskip("scipy.sparse")
from sklearn.metrics import adjusted_rand_score  # noqa: E402
from sklearn.neighbors import radius_neighbors_graph  # noqa: E402

CLI = os.environ.get("CLUSTERLOOM_CLI")
RANDOM = np.random.default_rng(3)
X = np.vstack([RANDOM.normal(c, 0.5, (60, 2)) for c in ((0, 0), (4, 0), (0, 5))])
X[10] = X[11] = X[12]  # distances of 0, which are stored


@pytest.fixture
def run(tmp_path):
    if not CLI:
        pytest.skip("the test was not told where clusterloom-cli is")

    def call(matrix, *words, compressed=True):
        sparse.save_npz(tmp_path / "m.npz", matrix, compressed=compressed)
        options = ["m.npz", "--metric", "precomputed", "--labels", "labels.npy", "--json"]
        done = subprocess.run(
            [CLI, words[0], *options, *words[1:]], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return np.load(tmp_path / "labels.npy"), json.loads(done.stdout)

    return call


def neighbours(include_self):
    graph = radius_neighbors_graph(X, 2.0, mode="distance", include_self=include_self)
    graph.data = np.round(graph.data, 1)  # ties, and more distances of 0
    return graph


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("eps", [0.1, 0.4, 1.0])
def test_dbscan_is_that_of_scikit_learn(run, include_self, eps):
    graph = neighbours(include_self)
    model = sklearn_cluster.DBSCAN(eps=eps, min_samples=5, metric="precomputed").fit(graph)
    assert len(model.core_sample_indices_) > 0
    labels, said = run(graph, "cluster", "--eps", str(eps), "--min-pts", "5")
    np.testing.assert_array_equal(labels, model.labels_)
    assert said["core"] == len(model.core_sample_indices_)
    assert said["distances"] == graph.nnz
    ours = clusterloom.DBSCAN(eps, 5, metric="precomputed").fit(graph)
    np.testing.assert_array_equal(labels, ours.labels_)


def test_single_precision_is_compared_as_such(run):
    graph = neighbours(True).astype(np.float32)  # 0.4 of 32 bits is more than 0.4
    for eps in (0.1, 0.4, 0.7):
        model = sklearn_cluster.DBSCAN(eps=eps, min_samples=5, metric="precomputed").fit(graph)
        labels, _ = run(graph, "cluster", "--eps", str(eps), "--min-pts", "5")
        np.testing.assert_array_equal(labels, model.labels_)


def test_neighbours_that_are_not_mutual_and_large_diagonals(run):
    graph = sparse.lil_matrix((40, 40))
    for p in range(40):
        for q in RANDOM.choice(40, 4, replace=False):
            graph[p, q] = float(RANDOM.integers(1, 5))
    graph = graph.tocsr()  # the diagonal is stored here and there, with distances above 0
    for compressed in (True, False):
        for eps, least in ((1, 2), (2, 3), (3, 3)):
            model = sklearn_cluster.DBSCAN(eps=eps, min_samples=least, metric="precomputed")
            labels, _ = run(
                graph, "cluster", "--eps", str(eps), "--min-pts", str(least), compressed=compressed
            )
            np.testing.assert_array_equal(labels, model.fit_predict(graph.copy()))


def test_hdbscan_is_that_of_scikit_learn(run):
    distances = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    rows, columns = np.nonzero(np.ones_like(distances))  # all of them, zeros, too
    graph = sparse.csr_matrix((distances.ravel(), (rows, columns)), shape=distances.shape)
    assert graph.nnz == distances.size
    labels, said = run(graph, "hdbscan", "--min-cluster-size", "10", "--min-pts", "5")
    ours = clusterloom.HDBSCAN(10, 5, metric="precomputed", copy=True).fit(graph)
    np.testing.assert_array_equal(labels, ours.labels_)
    assert said["clusters"] == ours.labels_.max() + 1 >= 2
    if hasattr(sklearn_cluster, "HDBSCAN"):
        theirs = sklearn_cluster.HDBSCAN(
            min_cluster_size=10, min_samples=5, metric="precomputed", copy=True
        ).fit(graph)
        # The clusters have other numbers there.
        assert adjusted_rand_score(labels, theirs.labels_) == 1
        np.testing.assert_array_equal(labels < 0, theirs.labels_ < 0)


def test_memory_is_checked_before_it_is_taken(monkeypatch):
    from clusterloom import _engine, _graphs

    with pytest.raises(MemoryError, match="10,000,000,000,000 stored distances needs .* are free"):
        _engine.check_matrix_fits(1_000_000, 10**13, 60)
    asked = []
    monkeypatch.setattr(_engine, "check_matrix_fits", lambda *sizes: asked.append(sizes))
    monkeypatch.setattr(_graphs, "check_symmetric", lambda _: asked.append("checked"))
    graph = neighbours(False)
    clusterloom.HDBSCAN(5, 1, metric="precomputed", copy=True).fit(graph)
    assert asked == [(len(X), graph.nnz, 60), "checked"]


POINTS = np.array([[0], [0.1], [0.2], [5], [5.1], [5.2], [9]])
GAPS = np.abs(POINTS - POINTS.T)


@pytest.mark.parametrize("scale", [1e-170, 1e-200, 1e160, 1e200])
def test_distances_without_a_square_are_refused(scale):
    for matrix in (GAPS * scale, sparse.csr_matrix(GAPS * scale)):
        with pytest.raises(ValueError, match="has no square"):
            clusterloom.HDBSCAN(2, 2, metric="precomputed", copy=True).fit(matrix)
    with pytest.raises(ValueError, match="has no square"):
        clusterloom.HDBSCAN(2, 2, metric="cityblock", alpha=0.5, copy=True).fit(POINTS * scale)


def test_negative_distances_are_refused_but_for_rounding():
    model = clusterloom.HDBSCAN(2, 1, metric="precomputed", copy=True)
    with pytest.raises(ValueError, match="negative"):
        model.fit(np.array([[0, -5, 1, 1], [-5, 0, 1, 1], [1, 1, 0, -3], [1, 1, -3, 0.0]]))
    rounded = GAPS.copy()
    rounded[0, 1] = rounded[1, 0] = -2e-16
    assert model.fit(rounded).labels_.tolist() == model.fit(np.maximum(rounded, 0)).labels_.tolist()


def test_the_callers_matrix_stays_as_it_is():
    expected = clusterloom.HDBSCAN(2, 2, metric="precomputed", copy=True).fit(GAPS).labels_
    stored = sparse.coo_matrix(GAPS).tocsr()
    for start, end in zip(stored.indptr[:-1], stored.indptr[1:]):  # each row backwards
        stored.indices[start:end] = stored.indices[start:end][::-1].copy()
        stored.data[start:end] = stored.data[start:end][::-1].copy()
    matrix = sparse.csr_matrix((stored.data, stored.indices, stored.indptr), stored.shape)
    kept = matrix.indices.copy(), matrix.data.copy()
    for values in (matrix.indices, matrix.data):
        values.flags.writeable = False
    found = clusterloom.HDBSCAN(2, 2, metric="precomputed", copy=True).fit(matrix).labels_
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(matrix.indices, kept[0])
    np.testing.assert_array_equal(matrix.data, kept[1])


def test_all_distances_are_computed_only_where_they_fit():
    with pytest.raises(MemoryError):
        clusterloom.HDBSCAN(5, metric="correlation", copy=True).fit(np.zeros((1_000_000, 2)))
