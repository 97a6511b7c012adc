"""Distances that scikit-learn computes, precomputed ones and sparse matrices: DBSCAN and HDBSCAN
beside scikit-learn's."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import oracle
import pytest
import sklearn.cluster
from scipy import sparse
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.neighbors import NearestNeighbors

import clusterloom

has_hdbscan = pytest.mark.skipif(
    not hasattr(sklearn.cluster, "HDBSCAN"), reason="this scikit-learn has no HDBSCAN"
)
X = oracle.blobs(11, 400, 3)
MANHATTAN = pairwise_distances(X, metric="manhattan")


def halves(a, b):
    return np.abs(a - b).sum() / 2


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "manhattan", "eps": 1.5},
        {"metric": "chebyshev", "eps": 0.8, "algorithm": "ball_tree", "leaf_size": 7},
        {"metric": "minkowski", "p": 3, "eps": 1.0},
        {"metric": "minkowski", "metric_params": {"p": 1}, "eps": 1.5},
        {"metric": "minkowski", "p": 2, "eps": 0.9},
        {"metric": "l2", "eps": 0.9, "algorithm": "brute"},
        {"metric": "canberra", "eps": 0.3},
        {"metric": "cosine", "eps": 0.01, "algorithm": "brute"},
        {"metric": "seuclidean", "metric_params": {"V": [1.0, 2.0, 3.0]}, "eps": 0.7},
        {"metric": halves, "eps": 0.8},
        {"eps": 1e200},
    ],
)
def test_dbscan_of_any_metric(options):
    weights = np.arange(len(X)) % 3
    for sample_weight in (None, weights):
        theirs = sklearn.cluster.DBSCAN(min_samples=6, **options)
        theirs.fit(X, sample_weight=sample_weight)
        ours = clusterloom.DBSCAN(min_samples=6, **options).fit(X, sample_weight=sample_weight)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
        np.testing.assert_array_equal(ours.components_, theirs.components_)
        assert ours.n_clusters_ == ours.labels_.max() + 1 > 0


def test_dbscan_of_distances():
    far = NearestNeighbors(radius=4, metric="manhattan").fit(X).radius_neighbors_graph
    stored = far(mode="distance")  # without the diagonal
    one_way = stored.copy()
    one_way.data[::3] = 99  # neighbours that are not mutual
    # Zeros that are stored are distances.
    zeros = sparse.csr_matrix((np.zeros(2), ([0, 1], [1, 0])), shape=(4, 4))
    for D in (MANHATTAN, stored, stored.tolil(), one_way, far(X, mode="distance"), zeros):
        before = D.copy()
        kept = D.nnz if sparse.issparse(D) else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = sklearn.cluster.DBSCAN(eps=1.5, min_samples=2, metric="precomputed")
            theirs.fit(D.copy())
        ours = clusterloom.DBSCAN(1.5, 2, metric="precomputed").fit(D)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
        if kept is None:
            np.testing.assert_array_equal(D, before)
        else:
            assert D.nnz == kept and abs(D - before).max() == 0


def test_dbscan_of_sparse_points():
    S = sparse.random(300, 5000, 0.002, "csr", random_state=np.random.RandomState(1))
    for points in (S, S.toarray()):  # the engine takes 4,096 dimensions
        theirs = sklearn.cluster.DBSCAN(eps=1.2, min_samples=4).fit(points)
        ours = clusterloom.DBSCAN(1.2, 4).fit(points)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        assert sparse.issparse(ours.components_) == sparse.issparse(points)


def test_dbscan_keeps_the_type_of_the_points():
    for kind in (np.float32, np.int64):
        points = np.rint(8 * X).astype(kind)
        components = clusterloom.DBSCAN(6, 5).fit(points).components_
        assert components.dtype == kind and len(components) > 0
    assert clusterloom.DBSCAN(0.5, 1).fit([[0.0], [9.0]]).fit_predict(
        [[0.0], [0.1]], sample_weight=2
    ).tolist() == [0, 0]  # fmt: skip


def test_the_function_is_the_estimator():
    model = clusterloom.DBSCAN(1.5, 6, metric="manhattan").fit(X)
    core, labels = clusterloom.dbscan(X, 1.5, min_samples=6, p=1)
    np.testing.assert_array_equal(core, model.core_sample_indices_)
    np.testing.assert_array_equal(labels, model.labels_)
    for call in (clusterloom.dbscan, sklearn.cluster.dbscan):
        with pytest.raises(ValueError, match="sample_weight|could not convert"):
            call(X, sample_weight="none")


@pytest.mark.parametrize("metric", ["euclidean", "canberra", "precomputed"])
def test_weights_must_be_finite(metric):
    points = np.array([[0.0], [0.1], [0.2], [5.0]])
    given = np.abs(points - points.T) if metric == "precomputed" else points
    for weight in (np.nan, np.inf):
        with pytest.raises(ValueError, match="weight of point 1 is not a finite number"):
            clusterloom.DBSCAN(0.5, 2, metric=metric).fit(given, sample_weight=[1, weight, 1, 1])


HDBSCANS = [
    {"metric": "manhattan"},
    {"metric": "minkowski", "metric_params": {"p": 3}, "min_samples": 4},
    {"metric": "chebyshev", "algorithm": "brute"},
    {"metric": "cosine", "min_cluster_size": 20},
    {"metric": halves, "algorithm": "brute"},
    {"alpha": 2.0},
    {"alpha": 2.0, "algorithm": "brute"},
    {"min_samples": 80, "min_cluster_size": 30},
    {"cluster_selection_method": "leaf", "allow_single_cluster": True},
    {"metric": "manhattan", "cluster_selection_epsilon": 2.0, "max_cluster_size": 300},
]


@has_hdbscan
@pytest.mark.parametrize("options", HDBSCANS)
def test_hdbscan_of_any_metric(options):
    options = {"min_cluster_size": 10, "copy": True, **options}
    if options.get("metric") == "cosine" and "cosine" not in str(
        sklearn.cluster.HDBSCAN._parameter_constraints["metric"][0]
    ):
        pytest.skip("this scikit-learn has no cosine in HDBSCAN")
    theirs = sklearn.cluster.HDBSCAN(**options).fit(X)
    ours = clusterloom.HDBSCAN(**options).fit(X)
    assert ours.n_clusters_ == theirs.labels_.max() + 1
    assert adjusted_rand_score(ours.labels_, theirs.labels_) > 0.95
    same = (ours.labels_ < 0) == (theirs.labels_ < 0)
    assert same.mean() > 0.97
    apart = np.abs(ours.probabilities_ - theirs.probabilities_)
    assert np.median(apart) < 1e-9
    for cut in (0.8, 1.5):
        cuts = [model.dbscan_clustering(cut, 6) for model in (ours, theirs)]
        assert adjusted_rand_score(*cuts) == 1


def test_rows_of_distances_are_the_matrix(monkeypatch):
    def fitted():
        return clusterloom.HDBSCAN(10, metric="manhattan", alpha=1.5, copy=True).fit(X)

    matrix = fitted()
    monkeypatch.setattr(clusterloom._graphs, "_SMALL_MATRIX", 0)
    np.testing.assert_array_equal(fitted()._single_linkage_tree_, matrix._single_linkage_tree_)


@has_hdbscan
def test_hdbscan_of_distances():
    longest = np.sort(MANHATTAN, axis=1)[:, 12].max()  # each point has 12 others within it
    stored = sparse.csr_matrix(np.where(MANHATTAN <= longest, MANHATTAN, 0))
    options = {"min_cluster_size": 10, "metric": "precomputed", "copy": True}
    for D in (MANHATTAN, stored, stored.tolil(), stored.tocsc()):
        before = D.copy()
        theirs = sklearn.cluster.HDBSCAN(**options).fit(D)
        ours = clusterloom.HDBSCAN(**{**options, "copy": False}).fit(D)
        assert adjusted_rand_score(ours.labels_, theirs.labels_) > 0.98
        assert (abs(D - before)).max() == 0
    dense = clusterloom.HDBSCAN(10, metric="precomputed", copy=True).fit(MANHATTAN)
    points = clusterloom.HDBSCAN(10, metric="manhattan", copy=True).fit(X)
    np.testing.assert_array_equal(dense.labels_, points.labels_)
    np.testing.assert_allclose(dense.probabilities_, points.probabilities_)


def test_hdbscan_refuses_distances():
    def refused(D, message, **options):
        with pytest.raises(ValueError, match=message):
            clusterloom.HDBSCAN(metric="precomputed", copy=True, **options).fit(D)

    one_sided = MANHATTAN.copy()
    one_sided[0, 1] += 1
    refused(X, "has shape")
    refused(one_sided, "values appear to be asymmetric")
    refused(np.where(MANHATTAN > 5, np.nan, MANHATTAN), "np.nan values found")
    refused(sparse.csr_matrix(MANHATTAN < 0.1, dtype=float), "fewer than 5 neighbors")
    refused(MANHATTAN, "Cannot store centers", store_centers="medoid")
    apart = sparse.block_diag([np.ones((6, 6)), np.ones((6, 6))]).tocsr()
    refused(apart, "has 2 connected components")


def test_rows_that_are_not_finite():
    points = X.copy()
    points[3, 0] = np.inf
    points[7, 1] = np.nan
    points[9] = [np.inf, -np.inf, 0]  # their sum is not a number
    rest = np.delete(np.arange(len(X)), [3, 7, 9])
    plain = clusterloom.HDBSCAN(10, copy=True, store_centers="both").fit(X[rest])
    for matrix in (points, sparse.csr_matrix(points)):
        found = clusterloom.HDBSCAN(10, copy=True, store_centers="both").fit(matrix)
        assert found.labels_[[3, 7, 9]].tolist() == [-2, -3, -3]
        assert np.isnan(found.probabilities_[[7, 9]]).all() and found.probabilities_[3] == 0
        np.testing.assert_array_equal(found.labels_[rest], plain.labels_)
        np.testing.assert_allclose(found.probabilities_[rest], plain.probabilities_, atol=1e-6)
        np.testing.assert_allclose(found.centroids_, plain.centroids_, atol=1e-6)
        np.testing.assert_allclose(found.medoids_, plain.medoids_)
        cut = found.dbscan_clustering(0.9)
        assert cut[[3, 7, 9]].tolist() == [-2, -3, -3]
        np.testing.assert_array_equal(cut[rest], plain.dbscan_clustering(0.9))
    assert (np.abs(plain.medoids_ - plain.centroids_) < 2).all() and plain.n_clusters_ > 1


def test_a_cut_is_dbscan_without_border_points():
    model = clusterloom.HDBSCAN(10, copy=True).fit(X)
    eps = 0.9
    # Merges below eps; DBSCAN takes those at eps, too, which none is.
    cut = model.dbscan_clustering(eps, min_cluster_size=1)
    theirs = clusterloom.DBSCAN(eps, 10).fit(X)
    core = theirs.core_sample_indices_
    assert adjusted_rand_score(cut[core], theirs.labels_[core]) == 1
    rest = np.delete(cut, core)
    assert len(np.unique(rest)) == len(rest) > 0  # a cluster each
    assert cut[0] == 0 and cut.dtype == np.int32
    with pytest.raises(TypeError, match="cut_distance must be a number"):
        model.dbscan_clustering("low")


@pytest.mark.parametrize("value", [True, False])
def test_the_default_of_copy_is_that_of_scikit_learn(value):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        clusterloom.HDBSCAN(copy=value).fit(X)
        assert not said
        default = clusterloom.HDBSCAN()
        default.fit(X)
    assert len(said) == (default.copy == "warn")
    if hasattr(sklearn.cluster, "HDBSCAN"):
        assert default.copy == sklearn.cluster.HDBSCAN().copy


def test_without_scikit_learn_a_message_says_so():
    program = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import clusterloom\n"
        "try: clusterloom.dbscan\n"
        "except ModuleNotFoundError as error: print(error)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.strip() == (
        "clusterloom.dbscan needs scikit-learn, which is not installed: pip install scikit-learn"
    ), found.stderr


#: The engine's names and further ones of scikit-learn.
NAMES = [("manhattan", "l1"), ("chebyshev", "infinity"), ("manhattan", "cityblock")]


@pytest.mark.parametrize("metric, name", NAMES)
@pytest.mark.parametrize("dims", [1, 3, 30])
def test_the_engine_has_these_metrics(metric, name, dims):
    points = np.random.default_rng(dims).normal(size=(300, dims)) * 5
    distances = pairwise_distances(points, metric=metric)
    eps = np.quantile(distances, 0.05)
    counts = clusterloom.radius_join(points, eps, metric=name)
    np.testing.assert_array_equal(counts, (distances <= eps).sum(axis=1))
    of_two = clusterloom.radius_join(points[:50], eps, points, metric=name, output="pairs")
    np.testing.assert_array_equal(of_two, np.argwhere(distances[:50] <= eps))
    found = clusterloom.knn(points, 7, metric=name)
    order = np.argsort(distances, axis=1, kind="stable")[:, :7]
    np.testing.assert_array_equal(found[1], order)
    np.testing.assert_allclose(found[0], np.take_along_axis(distances, order, 1), rtol=1e-14)
    theirs = sklearn.cluster.DBSCAN(eps=eps, min_samples=5, metric=metric, algorithm="kd_tree")
    # Estimators know the names of the scikit-learn that is installed.
    own = metric if name == "infinity" else name
    model = clusterloom.DBSCAN(eps, 5, metric=own, backend="cpu").fit(points)
    np.testing.assert_array_equal(model.labels_, theirs.fit_predict(points))
    assert model.run_["strategy"].startswith("kd-tree")  # of the engine
    hierarchy = clusterloom.Hierarchy(points, 5, metric=name)
    np.testing.assert_array_equal(hierarchy.labels(eps), model.labels_)
    copy = pickle.loads(pickle.dumps(hierarchy))
    np.testing.assert_array_equal(copy.labels(eps), model.labels_)
    line = hierarchy.stability(points, [eps], resamples=2)
    np.testing.assert_array_equal(line.mean, copy.stability(points, [eps], resamples=2).mean)
    labels = clusterloom.label(points[:9], points, eps, 5, metric=name)
    np.testing.assert_array_equal(labels, model.labels_[:9])


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "cosine"])
def test_hdbscan_of_the_engine(metric):
    points = X + 10
    matrix = pairwise_distances(points, metric=metric)
    engine = clusterloom.HDBSCAN(10, 6, metric=metric, copy=True).fit(points)
    given = clusterloom.HDBSCAN(10, 6, metric="precomputed", copy=True).fit((matrix + matrix.T) / 2)
    assert engine._fitted.engine == metric and given._fitted.engine is None
    np.testing.assert_array_equal(engine.labels_, given.labels_)
    np.testing.assert_allclose(engine.probabilities_, given.probabilities_, rtol=1e-8, atol=1e-9)
    np.testing.assert_array_equal(engine.predict(points), engine.labels_)
    tree = engine.minimum_spanning_tree_.to_numpy()
    weights = np.sort(given.minimum_spanning_tree_.to_numpy()[:, 2])
    np.testing.assert_allclose(np.sort(tree[:, 2]), weights, rtol=1e-8, atol=1e-12)


def test_cosine_of_neighbours_and_hierarchies():
    points = X + 10
    distances = pairwise_distances(points, metric="cosine")
    found = clusterloom.knn(points, 4, metric="cosine")
    np.testing.assert_allclose(found[0][:, 3], np.sort(distances, axis=1)[:, 3], atol=1e-14)
    hierarchy = clusterloom.Hierarchy(points, 4, metric="cosine")
    labels = clusterloom.DBSCAN(0.01, 4, metric="cosine").fit_predict(points)
    np.testing.assert_array_equal(hierarchy.labels(0.01), labels)
    # At every epsilon of the tree, and just below: labels of both are the same.
    for eps in np.unique(hierarchy.linkage()[:, 2])[::40]:
        for value in (np.nextafter(eps, 0), eps):
            again = clusterloom.DBSCAN(value, 4, metric="cosine").fit_predict(points)
            np.testing.assert_array_equal(hierarchy.labels(value), again)
    directions = points / np.linalg.norm(points, axis=1, keepdims=True)
    chords = clusterloom.Hierarchy(directions, 4)
    values = np.array([0.001, 0.01, 0.05])
    expected = chords.stability(directions, np.sqrt(2 * values), resamples=3).mean
    found = hierarchy.stability(points, values, resamples=3).mean
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_what_metrics_refuse():
    for call in (
        lambda: clusterloom.knn(X, 2, metric="canberra"),
        lambda: clusterloom.Hierarchy(X, 2, metric="taxi"),
        lambda: clusterloom.radius_join(X, 1, metric="minkowski"),
    ):
        with pytest.raises(ValueError, match="metric must be one of 'euclidean', 'cosine'"):
            call()
    with pytest.raises(ValueError, match="take no access pattern"):
        clusterloom.radius_join(X, 1, metric="l1", strategy={"pattern": "full"})
    with pytest.raises(ValueError, match="box"):
        clusterloom.knn(X, 2, metric="l1", period=90)
    with pytest.raises(ValueError, match="no plan"):
        clusterloom.cost_of_k(X, 1, metric="l1", backend="cpu")
    with pytest.raises(ValueError, match="origin|are 0"):
        clusterloom.knn([[0.0, 0.0], [1.0, 1.0]], 1, metric="cosine")


def test_neighbours_at_equal_angles_are_by_row():
    points = [[2, 1, 0], [1, -2, -1], [-1, 2, -1]]  # two at right angles to the first
    distances, ids = clusterloom.knn(points, 3, metric="cosine")
    assert distances[0].tolist() == [0, 1, 1]
    assert ids[0].tolist() == [0, 1, 2]
