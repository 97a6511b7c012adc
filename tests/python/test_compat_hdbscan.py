"""clusterloom.compat.hdbscan: its own rules, and equality with the package hdbscan where that is
installed."""

import doctest
import gc
import pickle
import warnings
import weakref

import numpy as np
import oracle
import pytest
from sklearn.metrics import pairwise_distances

import clusterloom
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


def test_distances_are_not_kept():
    """The package keeps points, which its centroids need, and no matrix of distances."""
    distances = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    kept = []
    for model in (
        ours.HDBSCAN(min_cluster_size=10, metric="precomputed"),
        clusterloom.HDBSCAN(10, metric="precomputed", copy=False),
    ):
        matrix = distances.copy()
        size, given = matrix.nbytes, weakref.ref(matrix)
        labels = model.fit(matrix).labels_
        assert labels.max() > 0 and model.minimum_spanning_tree_.to_numpy().shape == (299, 3)
        del matrix
        gc.collect()
        kept.append((given() is not None, len(pickle.dumps(model)) > size / 2))
    assert kept == [(False, False)] * 2
    clusterer = ours.HDBSCAN(min_cluster_size=10, metric="precomputed").fit(distances)
    with pytest.raises(AttributeError, match="Raw data not available"):
        clusterer.weighted_cluster_centroid(0)


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
        ({"alpha": 1.5, "metric": "cosine"}, NotImplementedError),
        ({"branch_detection_data": True}, NotImplementedError),
    ],
)
def test_wrong_calls(options, kind):
    with pytest.raises(kind):
        ours.HDBSCAN(**options).fit(X)


def test_wrong_values_raise_what_the_package_raises():
    theirs = pytest.importorskip("hdbscan", reason="the package hdbscan is not installed")
    wrong = {
        "min_cluster_size": ["many", 0, 1, 2.5, None],
        "min_samples": ["many", 0, -1, 2.5],
        "metric": ["imperial", None],
        "alpha": ["much", -1.0, 0.0, 1],
        "algorithm": ["best of all", "prims_best"],
        "leaf_size": [0, "large"],
        "cluster_selection_epsilon": [-1, -0.5, "small", None],
        "cluster_selection_persistence": [-1.0, "small"],
        "cluster_selection_epsilon_max": [-1.0, "large"],
        "cluster_selection_method": ["best", None],
    }
    calls = [{name: value} for name, values in wrong.items() for value in values]
    calls += [{"metric": "minkowski", "p": p} for p in (None, -1)]
    calls += [{"metric": "cosine", "algorithm": f"{a}_kdtree"} for a in ("prims", "boruvka")]
    calls += [{"cluster_selection_epsilon": 2.0, "cluster_selection_epsilon_max": 1.0}]
    for options in calls:
        with pytest.raises(Exception) as expected:
            theirs.hdbscan(X, **options)
        with pytest.raises(Exception) as raised:
            ours.hdbscan(X, **options)
        assert isinstance(raised.value, expected.type), (options, raised.value, expected.value)
    for data in ("text", None, [], [1.0, 2.0], np.empty((0, 2))):
        with pytest.raises(Exception) as expected:
            theirs.HDBSCAN().fit(data)
        with pytest.raises(expected.type):
            ours.HDBSCAN().fit(data)


def test_rows_that_are_not_finite():
    holes = X.copy()
    holes[4] = np.nan
    clusterer = ours.HDBSCAN(min_cluster_size=10).fit(holes)
    assert clusterer.labels_[4] == -1 and clusterer.probabilities_[4] == 0
    assert clusterer.outlier_scores_[4] == 1
    without = ours.HDBSCAN(min_cluster_size=10).fit(np.delete(X, 4, axis=0))
    np.testing.assert_array_equal(np.delete(clusterer.labels_, 4), without.labels_)


def test_trees_and_predictions_count_all_rows():
    holes = X.copy()
    holes[[4, 9]] = np.nan
    rows = np.flatnonzero(np.isfinite(holes[:, 0]))
    clusterer = ours.HDBSCAN(min_cluster_size=10, prediction_data=True).fit(holes)
    without = ours.HDBSCAN(min_cluster_size=10, prediction_data=True).fit(holes[rows])
    n = len(holes)
    tree, bare = clusterer.condensed_tree_.to_numpy(), without.condensed_tree_.to_numpy()
    assert tree["parent"].min() == n
    leaves = {child: value for _, child, value, _ in tree.tolist()}
    for _, child, value, _ in bare.tolist():
        if child < len(rows):
            assert leaves.pop(rows[child]) == value
    assert leaves.pop(4) == 0 and leaves.pop(9) == 0 and min(leaves) > n
    linkage = clusterer.single_linkage_tree_.to_numpy()
    assert linkage.shape == (n - 1, 4) and linkage[-1, 3] == n
    assert np.isinf(linkage[-2:, 2]).all() and sorted(linkage[:, :2].ravel()) == list(range(2 * n - 2))
    cut = clusterer.single_linkage_tree_.get_clusters(1.0)
    np.testing.assert_array_equal(cut[rows], without.single_linkage_tree_.get_clusters(1.0))
    assert (cut[[4, 9]] == -1).all()
    near = ours.approximate_predict(clusterer, holes[rows], return_connecting_points=True)[2]
    np.testing.assert_array_equal(
        near, rows[ours.approximate_predict(without, holes[rows], return_connecting_points=True)[2]]
    )
    memberships = ours.all_points_membership_vectors(clusterer)
    assert memberships.shape[0] == n and (memberships[[4, 9]] == 0).all()
    np.testing.assert_array_equal(memberships[rows], ours.all_points_membership_vectors(without))


def test_the_array_of_the_caller_is_not_kept():
    given = X.copy()
    clusterer = ours.HDBSCAN(min_cluster_size=10, prediction_data=True).fit(given)
    given *= 100
    with_own = ours.HDBSCAN(min_cluster_size=10, prediction_data=True).fit(X)
    for found, expected in zip(
        ours.approximate_predict(clusterer, X + 0.01), ours.approximate_predict(with_own, X + 0.01)
    ):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(
        clusterer.minimum_spanning_tree_.to_numpy(), with_own.minimum_spanning_tree_.to_numpy()
    )
    np.testing.assert_array_equal(clusterer.prediction_data_.raw_data, X)


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


def same_partition(a, b):
    """Whether labels are the same up to the numbers of clusters."""
    pairs = set(zip(a.tolist(), b.tolist()))
    return len({x for x, _ in pairs}) == len(pairs) == len({y for _, y in pairs})


@pytest.mark.parametrize(
    "options",
    [
        {"cluster_selection_persistence": 0.1},
        {"cluster_selection_persistence": 0.3, "cluster_selection_method": "leaf"},
        {"cluster_selection_epsilon_max": 1.0},
        {"cluster_selection_epsilon_max": 1.5, "allow_single_cluster": True},
        {"alpha": 0.7},
        {"match_reference_implementation": True, "min_samples": 2},
        {"max_cluster_size": 40},
    ],
)
def test_options_of_the_package(options):
    theirs = pytest.importorskip("hdbscan", reason="the package hdbscan is not installed")
    plain, changed = {"min_cluster_size": 8, "min_samples": 1, "algorithm": "prims_kdtree"}, 0
    for points, _ in clouds_without_ties():
        a = theirs.HDBSCAN(**{**plain, **options}).fit(points)
        b = ours.HDBSCAN(**{**plain, **options}).fit(points)
        assert same_partition(a.labels_, b.labels_)
        close = {"rtol": 1e-6, "atol": 1e-6}  # the package has a part of its lambdas in 32 bits
        np.testing.assert_allclose(b.probabilities_, a.probabilities_, **close)
        np.testing.assert_allclose(b.outlier_scores_, a.outlier_scores_, **close)
        np.testing.assert_allclose(
            np.sort(b.cluster_persistence_), np.sort(a.cluster_persistence_), **close
        )
        np.testing.assert_allclose(
            np.sort(b.condensed_tree_.to_numpy()["lambda_val"]),
            np.sort(a.condensed_tree_.to_numpy()["lambda_val"]),
            **close,
        )
        changed += not same_partition(b.labels_, ours.HDBSCAN(**plain).fit(points).labels_)
    assert changed or "alpha" in options  # that scales all distances


def test_clusters_are_numbered_as_they_split_off():
    """Two groups that are near, and one that is far: it is on its own first."""
    near = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]
    far = [[9.0], [9.1], [9.2]]
    labels = ours.HDBSCAN(min_cluster_size=3, min_samples=1).fit_predict(near + far)
    assert labels.tolist() == [1, 1, 1, 2, 2, 2, 0, 0, 0]


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "cosine", "precomputed"])
@pytest.mark.parametrize("raw", [False, True])
def test_validity_index(metric, raw):
    theirs = pytest.importorskip("hdbscan", reason="the package hdbscan is not installed")
    labels = ours.HDBSCAN(min_cluster_size=10, min_samples=3).fit_predict(X)
    data, more = X, {"metric": metric, "mst_raw_dist": raw}
    if metric == "precomputed":
        data, more["d"] = np.sqrt(oracle.squared_distances(X)), 3
        if raw:
            pytest.skip("the package fails there: its matrix is in another order than it asks for")
    score, scores = theirs.validity_index(data, labels, per_cluster_scores=True, **more)
    mine = ours.validity_index(data, labels, per_cluster_scores=True, **more)
    # The package looks for edges with a tolerance, so that single ones may differ.
    assert mine[0] == pytest.approx(score, abs=1e-3)
    np.testing.assert_allclose(mine[1], scores, atol=1e-2)
    assert ours.validity_index(data, labels, **more) == mine[0]


def test_validity_in_many_dimensions():
    """Powers of 500 dimensions underflow."""
    Y = np.random.default_rng(0).random((150, 500))
    labels = np.arange(150) % 3
    exact = ours.validity_index(Y, labels)
    for more in ({"metric": "l2"}, {"metric": "minkowski", "p": 2}):
        assert ours.validity_index(Y, labels, **more) == pytest.approx(exact, abs=1e-9)
    distances = np.sqrt(((Y[:, None] - Y[None]) ** 2).sum(-1))
    given = ours.validity_index(distances, labels, metric="precomputed", d=500)
    assert given == pytest.approx(exact, abs=1e-9)


def test_a_metric_without_triangles_has_exact_core_distances():
    Z = np.random.default_rng(4).exponential(size=(300, 4))
    by = {"metric": "braycurtis", "min_samples": 3}
    tree = ours.HDBSCAN(**by).fit(Z).single_linkage_tree_.to_numpy()
    distances = pairwise_distances(Z, metric="braycurtis")
    given = ours.HDBSCAN(metric="precomputed", min_samples=3).fit(distances)
    np.testing.assert_allclose(tree[:, 2], given.single_linkage_tree_.to_numpy()[:, 2], rtol=1e-12)


def test_the_modules_of_the_package():
    assert ours.validity.validity_index is ours.validity_index
    assert ours.prediction.approximate_predict is ours.approximate_predict


def test_masked_arrays_are_refused():
    masked = np.ma.masked_array(X, mask=X > 1)
    for call in (
        lambda: ours.HDBSCAN().fit(masked),
        lambda: ours.validity_index(masked, np.zeros(len(X), int), metric="manhattan"),
        lambda: clusterloom.radius_join(list(masked), 0.2),
    ):
        with pytest.raises(ValueError, match="masked"):
            call()


def test_validity_of_distances_needs_their_dimensions():
    with pytest.raises(ValueError, match="needs d"):
        ours.validity_index(np.zeros((4, 4)), [0, 0, 1, 1], metric="precomputed")
    assert np.isnan(ours.validity_index(X, np.zeros(len(X), int), metric="manhattan"))
    noise = np.full(len(X), -1)
    assert ours.validity_index(X, noise) == ours.validity_index(X, noise, metric="manhattan") == 0
    for labels in (noise[1:], np.append(noise, 0)):
        with pytest.raises(ValueError, match="shape"):
            ours.validity_index(X, labels, metric="manhattan")


def test_sparse_distances_are_those_of_the_dense_matrix():
    """Rows of stored distances have no point itself among them; the package counts them so."""
    sparse = pytest.importorskip("scipy.sparse")
    x = np.array([0.0, 1, 3, 6, 10, 15])
    distances = np.abs(np.subtract.outer(x, x))

    def heights(data, **how):
        fitted = ours.HDBSCAN(min_cluster_size=2, metric="precomputed", **how).fit(data)
        return fitted.single_linkage_tree_.to_numpy()[:, 2].tolist()

    for samples in (1, 2, 3):
        dense = heights(distances, min_samples=samples)
        assert heights(sparse.csr_matrix(distances), min_samples=samples) == dense
    path = sparse.diags([[1.0, 2, 3, 4, 5]] * 2, [1, -1]).tocsr()
    assert heights(path, min_samples=1) == [1, 2, 3, 4, 5]
    assert heights(path, min_samples=2, max_dist=100.0) == [3, 4, 5, 100, 100]
    with pytest.raises(ValueError, match="fewer than 2 neighbors"):
        heights(path, min_samples=2)


def test_cuts_have_a_label_for_each_row():
    rows = np.array([[0.0], [0.1], [np.nan], [5.0], [5.1]])
    fitted = ours.HDBSCAN(min_cluster_size=2, min_samples=1).fit(rows)
    assert fitted.dbscan_clustering(0.5, 2).tolist() == [0, 0, -1, 1, 1]


@pytest.mark.parametrize("how", [{"cluster_selection_method": "best"}, {"metric": "arccos"}])
def test_messages_name_the_class_of_the_package(how):
    with pytest.raises(ValueError, match="parameter of HDBSCAN"):
        ours.HDBSCAN(**how).fit(X)
    assert pickle.loads(pickle.dumps(ours.HDBSCAN().fit(X))).labels_.shape == (len(X),)
