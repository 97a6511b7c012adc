"""The trees, scores and predictions of HDBSCAN* against their definitions in plain loops."""

import pickle
import warnings

import numpy as np
import oracle
import pytest

from sklearn.exceptions import NotFittedError

import clusterloom
from clusterloom import _trees

X = oracle.blobs(7, 240, 2)


def model(points=X, **options):
    options = {"min_cluster_size": 8, "min_samples": 4, "copy": True, **options}
    return clusterloom.HDBSCAN(**options).fit(points)


FITTED = model()
OPTIONS = [
    {},
    {"cluster_selection_method": "leaf"},
    {"cluster_selection_epsilon": 0.8},
    {"max_cluster_size": 30},
    {"metric": "manhattan"},
]


def parents_of(rows):
    """For each node its parent and the lambda at which it leaves it."""
    return {child: (parent, value) for parent, child, value, _ in rows.tolist()}


@pytest.mark.parametrize("options", OPTIONS)
def test_condensed_tree(options):
    fitted = model(**options)
    rows = fitted.condensed_tree_.to_numpy()
    n = len(X)
    assert rows.dtype.names == ("parent", "child", "lambda_val", "child_size")
    assert sorted(rows["child"]) == [*range(n), *range(n + 1, n + len(rows) - n + 1)]
    assert (rows["parent"] >= n).all() and rows["parent"].min() == n
    up = parents_of(rows)
    selected = fitted.condensed_tree_.selected
    assert len(selected) == fitted.n_clusters_
    # A point has the label of the selected cluster above it; sizes are points below.
    below = dict.fromkeys(set(rows["parent"].tolist()), 0)
    for p in range(n):
        label, at = -1, p
        while at != n:
            at = up[at][0]
            below[at] += 1
            if at in selected:
                label = selected.index(at)
        assert fitted.labels_[p] == label
    for row in rows[rows["child"] > n]:
        assert below[row["child"]] == row["child_size"]


@pytest.mark.parametrize("options", OPTIONS)
def test_outlier_scores_and_persistence(options):
    fitted = model(**options)
    rows = fitted.condensed_tree_.to_numpy()
    up, n = parents_of(rows), len(X)
    inside = {}  # the lambdas at which points leave a cluster or one below it
    for p in range(n):
        at = p
        while at != n:
            at = up[at][0]
            inside.setdefault(at, []).append(up[p][1])
    for p in range(n):
        parent, value = up[p]
        most = max(inside[parent])
        assert fitted.outlier_scores_[p] == pytest.approx((most - value) / most, abs=1e-12)
    most = rows["lambda_val"].max()
    for label, node in enumerate(fitted.condensed_tree_.selected):
        leaving = rows[rows["parent"] == node]
        birth = up[node][1]
        stability = ((leaving["lambda_val"] - birth) * leaving["child_size"]).sum()
        points = (fitted.labels_ == label).sum()
        expected = stability / (points * most)
        assert fitted.cluster_persistence_[label] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "precomputed"])
def test_spanning_and_single_linkage_tree(metric):
    order = 1 if metric == "manhattan" else 2
    distances = np.linalg.norm(X[:, None] - X[None], ord=order, axis=2)
    core = np.sort(distances, axis=1)[:, 3]
    reach = np.maximum(np.maximum(core[:, None], core[None]), distances)
    fitted = model(distances if metric == "precomputed" else X, metric=metric)
    edges = fitted.minimum_spanning_tree_.to_structured()
    assert edges.dtype.names == ("from", "to", "distance") and len(edges) == len(X) - 1
    np.testing.assert_allclose(reach[edges["from"], edges["to"]], edges["distance"], rtol=1e-12)
    part = np.arange(len(X))
    for a, b in zip(edges["from"], edges["to"]):
        assert part[a] != part[b]
        part[part == part[b]] = part[a]
    # Prim's algorithm finds the same weights, and so does the single-linkage tree.
    nearest, weights, left = reach[0].copy(), [], np.ones(len(X), bool)
    left[0] = False
    while left.any():
        at = np.flatnonzero(left)[nearest[left].argmin()]
        weights.append(nearest[at])
        left[at] = False
        nearest = np.minimum(nearest, reach[at])
    np.testing.assert_allclose(edges["distance"], np.sort(weights), rtol=1e-12)
    linkage = fitted.single_linkage_tree_
    np.testing.assert_allclose(linkage.to_numpy()[:, 2], np.sort(weights), rtol=1e-12)
    np.testing.assert_array_equal(
        linkage.get_clusters(1.0, 6), fitted.dbscan_clustering(1.0, min_cluster_size=6)
    )


def test_edges_of_sparse_distances_are_a_tree():
    sparse = pytest.importorskip("scipy.sparse")
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    fitted = model(sparse.csr_matrix(distances), metric="precomputed")
    edges = fitted.minimum_spanning_tree_.to_numpy()
    assert edges.shape == (len(X) - 1, 3)
    np.testing.assert_allclose(edges[:, 2], fitted.single_linkage_tree_.to_numpy()[:, 2])


def place_of(fitted, points, x, samples):
    """The rule of HDBSCAN.predict for one point, in its words."""
    rows = fitted.condensed_tree_.to_numpy()
    up, n = parents_of(rows), len(points)
    core = np.sort(np.sqrt(oracle.squared_distances(points)), axis=1)[:, samples - 1]
    distances = np.sqrt(oracle.squared_distances(x[None], points)[0])
    near = np.argsort(distances, kind="stable")[: 2 * samples]
    reach = np.maximum(np.maximum(core[near], distances[near[samples - 1]]), distances[near])
    q = near[reach.argmin()]
    value = 1 / reach.min()
    at = up[q][0]
    if up[q][1] > value:
        while at != n and up[at][1] >= value:
            at = up[at][0]
    while at != n and at not in fitted.condensed_tree_.selected:
        at = up[at][0]
    if at == n:
        return -1, 0.0
    most = rows["lambda_val"][rows["parent"] == at].max()
    return fitted.condensed_tree_.selected.index(at), min(1.0, value / most)


def test_predict_follows_its_rule():
    new = np.random.default_rng(3).uniform(-8, 26, (200, 2))
    labels, probabilities = FITTED.predict(new, return_probabilities=True)
    assert len(set(labels)) > 3
    for x, label, probability in zip(new, labels, probabilities):
        assert (label, probability) == pytest.approx(place_of(FITTED, X, x, 4), rel=1e-12)
    # The points of the cloud have their own labels and scores.
    np.testing.assert_array_equal(FITTED.predict(X), FITTED.labels_)
    np.testing.assert_allclose(FITTED.predict_outlier_scores(X), FITTED.outlier_scores_)
    scores = FITTED.predict_outlier_scores(new)
    assert (scores >= 0).all() and (scores <= 1).all()


def test_membership_vectors():
    of_cloud = FITTED.membership_vectors()
    assert of_cloud.shape == (len(X), FITTED.n_clusters_)
    inside = FITTED.labels_ >= 0
    assert (of_cloud >= 0).all() and (of_cloud.sum(axis=1) <= 1 + 1e-9).all()
    assert (of_cloud.argmax(axis=1) == FITTED.labels_)[inside].mean() > 0.99
    new = FITTED.membership_vectors(X[inside] + 1e-6)
    assert (new.argmax(axis=1) == FITTED.labels_[inside]).mean() > 0.99
    for label, points in enumerate(FITTED.exemplars_):
        rows = [np.flatnonzero((X == point).all(axis=1))[0] for point in points]
        assert (FITTED.labels_[rows] == label).all()


def test_a_single_cluster_and_none():
    one = np.random.default_rng(1).normal(size=(60, 2))
    fitted = model(one, min_cluster_size=25, allow_single_cluster=True)
    assert fitted.n_clusters_ == 1 and (fitted.labels_ < 0).any()
    np.testing.assert_array_equal(fitted.predict(one), fitted.labels_)
    assert fitted.membership_vectors().shape == (60, 1)
    none = model(one, min_cluster_size=40)
    assert none.n_clusters_ == 0 and (none.predict(one) == -1).all()
    assert none.membership_vectors(one).shape == (60, 0) and none.exemplars_ == []


def test_equal_points_have_infinite_densities():
    points = np.repeat([[0.0], [5.0], [5.1]], [10, 10, 3], axis=0)
    fitted = model(points)
    assert np.isinf(fitted.condensed_tree_.to_numpy()["lambda_val"]).any()
    np.testing.assert_array_equal(fitted.cluster_persistence_, [1.0, 1.0])
    np.testing.assert_array_equal(fitted.outlier_scores_, np.repeat([0.0, 0.0, 1.0], [10, 10, 3]))
    np.testing.assert_array_equal(fitted.predict(points[:20]), fitted.labels_[:20])
    vectors = fitted.membership_vectors()
    assert np.isfinite(vectors).all() and np.isfinite(fitted.membership_vectors(points)).all()


def test_rows_that_are_not_finite():
    holes = X.copy()
    holes[3] = np.nan
    holes[7] = np.inf
    fitted = model(holes)
    assert np.isnan(fitted.outlier_scores_[3]) and fitted.outlier_scores_[7] == 1
    assert len(fitted.single_linkage_tree_.to_numpy()) == len(X) - 3
    labels, probabilities = fitted.predict(holes, return_probabilities=True)
    np.testing.assert_array_equal(labels, fitted.labels_)
    assert labels[3] == -3 and labels[7] == -2
    assert np.isnan(probabilities[3]) and probabilities[7] == 0
    scores = fitted.predict_outlier_scores(holes)
    assert np.isnan(scores[3]) and scores[7] == 1
    vectors = fitted.membership_vectors(holes[[3, 7]])
    assert np.isnan(vectors[0]).all() and (vectors[1] == 0).all()


def test_wrong_calls():
    with pytest.raises(ValueError, match="features"):
        FITTED.predict(np.zeros((2, 3)))
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    with pytest.raises(ValueError, match="precomputed"):
        model(distances, metric="precomputed").predict(distances)
    with pytest.raises(ValueError, match="alpha"):
        model(alpha=1.5).membership_vectors()
    for name in ("minimum_spanning_tree_", "exemplars_"):
        assert not hasattr(clusterloom.HDBSCAN(), name)
    assert not hasattr(model(distances, metric="precomputed"), "exemplars_")
    assert len(model(alpha=1.5).exemplars_) > 0
    with pytest.raises(ValueError, match="progress must be a function"):
        clusterloom.HDBSCAN(2, 1, metric="canberra", copy=True).fit(X, progress="x")
    with pytest.raises(ValueError, match="min_cluster_size"):
        clusterloom.Hierarchy(X, 2).tree().get_clusters(0.5, "a")


def test_a_first_fit_that_fails_is_none():
    for failed, wrong in (
        (clusterloom.DBSCAN(), {"X": X, "sample_weight": [1, 2]}),
        (clusterloom.HDBSCAN(metric="p", store_centers="medoid", copy=True), {"X": X}),
    ):
        with pytest.raises(ValueError):
            failed.fit(**wrong)
        with pytest.raises(NotFittedError):
            failed.predict(X)


def test_no_warnings_of_rows_that_are_not_finite():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        far = [[np.inf, -np.inf], [1e308, 1e308]]  # whose sums are NaN and infinite
        assert (FITTED.predict(far) < 0).all()


@pytest.mark.parametrize("options", [{}, {"metric": "manhattan"}, {"metric": "canberra"}])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_copy_of_the_points_does_not_change(options, dtype):
    points = X.astype(dtype)
    fitted, expected = model(points, **options), model(points.copy(), **options)
    points[:] = np.random.default_rng(1).normal(size=points.shape)
    np.testing.assert_array_equal(
        fitted.minimum_spanning_tree_.to_numpy(), expected.minimum_spanning_tree_.to_numpy()
    )
    for ours, theirs in zip(fitted.exemplars_, expected.exemplars_):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))
    assert not np.shares_memory(fitted._fitted.points, points)
    # Without a copy there is none: clouds may be large.
    points = X.astype(dtype)
    assert np.shares_memory(model(points, copy=False, **options)._fitted.points, points)


def test_predictions_are_those_of_the_fit():
    fitted = model(cluster_selection_epsilon=0.8)
    labels, scores = fitted.predict(X, return_probabilities=True)
    fitted.set_params(metric="precomputed", alpha=2.0, cluster_selection_epsilon=9.0)
    again = fitted.predict(X, return_probabilities=True)
    np.testing.assert_array_equal(again[0], labels)
    np.testing.assert_array_equal(again[1], scores)


def with_value(values, at, value):
    changed = values.copy()
    changed[at] = value
    return changed


def test_pickles():
    again = pickle.loads(pickle.dumps(FITTED))
    np.testing.assert_array_equal(again.predict(X), FITTED.labels_)
    np.testing.assert_array_equal(
        again.condensed_tree_.to_numpy(), FITTED.condensed_tree_.to_numpy()
    )
    hierarchy = clusterloom.Hierarchy(X, 5)
    copy = pickle.loads(pickle.dumps(hierarchy))
    for eps in (0.2, 0.5, 1.5):
        np.testing.assert_array_equal(copy.labels(eps), hierarchy.labels(eps))
    np.testing.assert_array_equal(copy.linkage(), hierarchy.linkage())
    np.testing.assert_array_equal(copy.curve().noise, hierarchy.curve().noise)
    assert copy.min_samples == 5 and len(copy) == len(X)
    one = pickle.loads(pickle.dumps(clusterloom.Hierarchy([[1.0]], 1)))
    assert one.labels(1.0).tolist() == [0]
    state = hierarchy.__getstate__()
    n = len(X)
    changes = [
        ("order", state["order"][1:]),
        ("left", state["left"] + 10**6),
        ("left", with_value(state["left"], -1, 2 * n - 1)),  # beyond the last node
        ("left", with_value(state["left"], 3, 2 * n - 2)),  # a cycle
        ("right", with_value(state["right"], 1, state["right"][0])),  # a child of two
        ("sizes", with_value(state["sizes"], -1, n + 1)),
        ("splits", with_value(state["splits"], 3, n - 1)),
        ("positions", state["positions"][::-1].copy()),
        ("begins", with_value(state["begins"], -1, n - 1)),
        ("min_pts", -5),
    ]
    for name, value in changes:
        with pytest.raises(ValueError, match="damaged: " + name):
            clusterloom.Hierarchy.__new__(clusterloom.Hierarchy).__setstate__(
                {**state, name: value}
            )


def test_pandas():
    pytest.importorskip("pandas")
    tree = FITTED.condensed_tree_.to_pandas()
    assert list(tree.columns) == ["parent", "child", "lambda_val", "child_size"]
    assert list(FITTED.single_linkage_tree_.to_pandas()["size"])[-1] == len(X)
    assert len(FITTED.minimum_spanning_tree_.to_pandas()) == len(X) - 1


def test_networkx():
    networkx = pytest.importorskip("networkx")
    tree = FITTED.condensed_tree_.to_networkx()
    assert networkx.is_tree(tree.to_undirected()) and tree.nodes[len(X)]["size"] == len(X)
    assert networkx.is_tree(FITTED.single_linkage_tree_.to_networkx().to_undirected())
    spanning = FITTED.minimum_spanning_tree_.to_networkx()
    assert networkx.is_tree(spanning) and spanning.nodes[0]["data"] == X[0].tolist()


def test_pictures(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    calls = [
        lambda axis: FITTED.condensed_tree_.plot(
            axis=axis, select_clusters=True, label_clusters=True, selection_palette=["r", "g", "b"]
        ),
        lambda axis: FITTED.condensed_tree_.plot(
            axis=axis, log_size=True, cmap="none", max_rectangles_per_icicle=3
        ),
        lambda axis: FITTED.single_linkage_tree_.plot(axis=axis),
        lambda axis: FITTED.single_linkage_tree_.plot(
            axis=axis, truncate_mode="lastp", p=10, cmap="none", vary_line_width=False
        ),
        lambda axis: FITTED.minimum_spanning_tree_.plot(axis=axis),
        lambda axis: model(oracle.blobs(1, 60, 5)).minimum_spanning_tree_.plot(axis=axis),
    ]
    for number, call in enumerate(calls):
        figure, axis = pyplot.subplots()
        assert call(axis) is axis
        assert len(axis.patches) + len(axis.lines) + len(axis.collections) > 0
        figure.savefig(tmp_path / f"{number}.png")
        pyplot.close(figure)
    # Each cluster stands over as much density as it has.
    _, axis = pyplot.subplots()
    FITTED.condensed_tree_.plot(axis=axis, colorbar=False, max_rectangles_per_icicle=10**6)
    rows = FITTED.condensed_tree_.to_numpy()
    area = sum(bar.get_width() * bar.get_height() for bar in axis.patches) * len(X)
    assert area == pytest.approx((rows["lambda_val"] - _births(rows)) @ rows["child_size"])
    pyplot.close()


def _births(rows):
    """For each row the lambda at which its parent appears."""
    up = parents_of(rows)
    return np.array([up[parent][1] if parent in up else 0.0 for parent in rows["parent"].tolist()])


def test_missing_packages_are_named(monkeypatch):
    import importlib

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    for call, package in (
        (FITTED.condensed_tree_.to_pandas, "pandas"),
        (FITTED.single_linkage_tree_.to_networkx, "networkx"),
        (FITTED.single_linkage_tree_.plot, "matplotlib"),
    ):
        with pytest.raises(ImportError, match=f"needs {package}, which is not installed"):
            call()
    assert _trees.CONDENSED_ROW.itemsize == 32


@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array"])
def test_medoids_of_sparse_points(kind):
    sparse = pytest.importorskip("scipy.sparse")
    points = np.array([[0.0, 7], [0.1, 7], [0.2, 7], [5, 9], [5.1, 9], [5.2, 9]])
    rows = getattr(sparse, kind)(points)
    fitted = clusterloom.HDBSCAN(3, 2, store_centers="both", copy=True).fit(rows)
    np.testing.assert_array_equal(fitted.medoids_, points[[1, 4]])


@pytest.mark.parametrize("power", [1, 3])
def test_p_is_minkowski(power):
    points = oracle.blobs(3, 120, 3)
    trees = [
        clusterloom.HDBSCAN(5, 5, metric=metric, metric_params={"p": power}, copy=True)
        .fit(points)
        .single_linkage_tree_.to_numpy()[:, 2]
        for metric in ("p", "minkowski")
    ]
    np.testing.assert_allclose(*trees, rtol=1e-12)


@pytest.mark.parametrize("name", ["p", "minkowski"])
def test_predictions_go_by_the_power_of_the_fit(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = model(metric=name, metric_params={"p": 7.0})
        near = fitted.predict(X)
    np.testing.assert_array_equal(near, fitted.labels_)
    finder = fitted._fitted._neighbours_of(X, None)
    assert finder.effective_metric_params_["p"] == 7


def test_a_fit_that_fails_changes_nothing():
    fitted = model()
    before = {name: value for name, value in vars(fitted).items() if name.endswith("_")}
    fitted.set_params(metric="p", store_centers="medoid", min_cluster_size=5)
    with pytest.raises(ValueError, match="(?i)metric"):  # of which there are no pairwise distances
        fitted.fit(np.concatenate([X[:30], X[:30] + 50]))
    for name, value in before.items():
        assert getattr(fitted, name) is value or name == "n_features_in_", name


def test_sparse_points_are_predicted_as_dense_ones():
    sparse = pytest.importorskip("scipy.sparse")
    np.testing.assert_array_equal(FITTED.predict(sparse.csr_matrix(X)), FITTED.predict(X))


def test_points_at_the_origin_have_cosine_distances():
    points = np.abs(oracle.blobs(9, 80, 3)) + 0.1
    fitted = model(points, metric="cosine", min_cluster_size=5)
    labels = fitted.predict(np.concatenate([points, np.zeros((1, 3))]))
    np.testing.assert_array_equal(labels[:-1], fitted.predict(points))
    assert -1 <= labels[-1] < fitted.n_clusters_
    vectors = fitted.membership_vectors(np.concatenate([points[:3], np.zeros((1, 3))]))
    np.testing.assert_array_equal(vectors[:3], fitted.membership_vectors(points[:3]))
    assert np.isfinite(vectors).all()


def test_cuts_of_one_point_and_at_no_number():
    assert clusterloom.Hierarchy([[0.0]], 1).tree().get_clusters(1.0, 1).tolist() == [0]
    for cut in (FITTED.dbscan_clustering, FITTED.single_linkage_tree_.get_clusters):
        with pytest.raises(ValueError, match="NaN"):
            cut(float("nan"))


@pytest.mark.parametrize("base", [clusterloom.DBSCAN, clusterloom.HDBSCAN])
def test_subclasses_may_have_a_fit_of_their_own(base):
    class Own(base):
        def fit(self, X, y=None, sample_weight=None):
            return super().fit(X)

    np.testing.assert_array_equal(Own().fit_predict(X), base().fit(X).labels_)


def test_clusters_that_appear_at_the_selection_epsilon_stay():
    options = {"cluster_selection_epsilon": 10, "allow_single_cluster": True}
    for points, expected in (
        ([0, 1, 11, 12], [0, 0, 1, 1]),
        ([0, 1, 11, 12, 16, 17], [0, 0, 1, 1, 1, 1]),
    ):
        found = clusterloom.HDBSCAN(2, 1, copy=True, **options).fit(np.array(points)[:, None])
        assert found.labels_.tolist() == expected
