"""What scikit-learn asks of its estimators, and HDBSCAN against scikit-learn's."""

import pickle
import warnings

import numpy as np
import oracle
import pytest
import sklearn.cluster
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import clusterloom


@parametrize_with_checks(
    [
        clusterloom.DBSCAN(),
        clusterloom.DBSCAN(eps=1.5, min_samples=3, index_dims=1, n_jobs=1),
        clusterloom.DBSCAN(backend="cpu", strategy={"pattern": "unicomp"}),
        clusterloom.HDBSCAN(),
        clusterloom.HDBSCAN(min_cluster_size=3, cluster_selection_method="leaf", n_jobs=1),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    name = getattr(getattr(check, "func", check), "__name__", "")
    weights = "sample_weight_equivalence" in name or "sample_weights_invariance" in name
    if isinstance(estimator, clusterloom.DBSCAN) and weights:
        pytest.skip("points of weight 0 may be core, and clusters are numbered by rows")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_in_a_pipeline():
    X = oracle.blobs(3, 400, 3)
    labels = make_pipeline(StandardScaler(), clusterloom.DBSCAN(0.3, 5)).fit_predict(X)
    np.testing.assert_array_equal(
        labels, clusterloom.DBSCAN(0.3, 5).fit_predict(StandardScaler().fit_transform(X))
    )


@pytest.mark.skipif(
    not hasattr(sklearn.cluster, "HDBSCAN"), reason="this scikit-learn has no HDBSCAN"
)
@pytest.mark.parametrize("method", ["eom", "leaf"])
@pytest.mark.parametrize("dims, size, samples", [(2, 15, None), (3, 10, 4), (5, 20, 20)])
def test_hdbscan_is_that_of_scikit_learn(method, dims, size, samples):
    X = oracle.blobs(dims, 1200, dims)
    theirs = sklearn.cluster.HDBSCAN(
        min_cluster_size=size, min_samples=samples, cluster_selection_method=method
    ).fit(X)
    ours = clusterloom.HDBSCAN(size, samples, cluster_selection_method=method).fit(X)
    assert ours.n_clusters_ > 1
    # The numbers of clusters differ, and so do some points where edges of the tree tie: theirs are
    # taken one after the other, which makes further small leaves.
    leaf = method == "leaf"
    assert abs(ours.n_clusters_ - (theirs.labels_.max() + 1)) <= 1 + leaf
    assert adjusted_rand_score(ours.labels_, theirs.labels_) > (0.94 if leaf else 0.98)
    same = (ours.labels_ < 0) == (theirs.labels_ < 0)
    assert same.mean() > 0.97
    apart = np.abs(ours.probabilities_ - theirs.probabilities_)
    assert np.median(apart) < 0.01 and (apart < 0.05).mean() > 0.9


def test_hdbscan_finds_the_groups():
    draw = np.random.default_rng(1)
    X = np.concatenate([draw.normal(c, s, (200, 2)) for c, s in ((0, 0.1), (5, 1), (20, 3))])
    found = clusterloom.HDBSCAN(min_cluster_size=30).fit(X)
    truth = np.repeat([0, 1, 2], 200)
    clustered = found.labels_ >= 0
    assert found.n_clusters_ == 3 and clustered.mean() > 0.7
    assert adjusted_rand_score(truth[clustered], found.labels_[clustered]) > 0.99
    assert found.probabilities_.shape == (600,) and found.labels_.dtype == np.int32
    assert ((found.probabilities_ > 0) == clustered).all() and found.probabilities_.max() == 1
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.labels_, found.labels_)
    assert clone(found).get_params() == found.get_params()


@pytest.mark.parametrize(
    "options, words",
    [
        ({"min_cluster_size": 1}, "'min_cluster_size' parameter of HDBSCAN must be"),
        ({"min_samples": 0}, "'min_samples' parameter of HDBSCAN must be"),
        ({"min_samples": 201}, r"min_samples \(201\) must be at most"),
        ({"cluster_selection_method": "best"}, "'cluster_selection_method' parameter"),
        ({"max_cluster_size": 0}, "'max_cluster_size' parameter"),
        ({"alpha": 0}, "'alpha' parameter"),
        ({"store_centers": "mean"}, "'store_centers' parameter"),
        ({"metric": "cosine", "algorithm": "kd_tree"}, "cosine is not a valid metric for a KDTree"),
    ],
)
def test_hdbscan_refuses(options, words):
    with pytest.raises(ValueError, match=words):
        clusterloom.HDBSCAN(**options).fit(oracle.blobs(1, 200, 2))


def test_hdbscan_of_few_points():
    with pytest.raises(ValueError, match="n_samples=1 while HDBSCAN requires more than one"):
        clusterloom.HDBSCAN().fit([[0.0, 0.0]])
    assert clusterloom.HDBSCAN(2, 1).fit_predict([[0.0], [1.0]]).tolist() == [-1, -1]


WRONG = {
    "eps": ["a", 0, -1.0, None, [0.5]],
    "min_samples": ["a", 0, 2.5, -3],
    "metric": ["imperial", 3, None],
    "metric_params": ["a", 3],
    "algorithm": ["fast", None, 3],
    "leaf_size": [0, "a", 2.5],
    "p": ["a", -1.0],
    "n_jobs": ["a", 2.5],
    "min_cluster_size": ["a", 1, 2.5, None],
    "cluster_selection_epsilon": ["a", -1.0, None],
    "max_cluster_size": ["a", 0, 2.5],
    "alpha": ["a", 0.0, -1.0],
    "cluster_selection_method": ["best", None],
    "allow_single_cluster": ["a", None],
    "store_centers": ["middle", 3],
    "copy": ["a", None],
}
DATA = {
    "text": "a",
    "none": None,
    "one dimension": [1.0, 2.0],
    "no points": np.empty((0, 2)),
    "no dimensions": np.empty((5, 0)),
    "three dimensions": np.zeros((2, 2, 2)),
    "words": [["a", "b"], ["c", "d"]],
    "complex numbers": np.zeros((5, 2), dtype=complex),
    "ragged": [[1.0], [1.0, 2.0]],
    "one point": [[1.0, 2.0]],
}


def raised_by(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call()
        except Exception as error:
            return error
    return None


@pytest.mark.parametrize("name", ["DBSCAN", "HDBSCAN"])
def test_wrong_values_raise_what_scikit_learn_raises(name):
    theirs = getattr(sklearn.cluster, name, None)
    if theirs is None:
        pytest.skip("this scikit-learn has no HDBSCAN")
    ours = getattr(clusterloom, name)
    X = oracle.blobs(1, 60, 2)
    compared = 0
    for parameter in set(WRONG) & set(theirs().get_params()):
        for value in WRONG[parameter]:
            expected = raised_by(lambda: theirs(**{parameter: value}).fit(X))
            raised = raised_by(lambda: ours(**{parameter: value}).fit(X))
            assert type(raised) is type(expected), (parameter, value, raised, expected)
            # The message, but for the set of words that it lists in any order.
            before = [str(error).split(" must be ")[0] for error in (raised, expected)]
            assert before[0] == before[1]
            compared += expected is not None
    assert compared > 15
    for kind, data in DATA.items():
        expected = raised_by(lambda: theirs().fit(data))
        raised = raised_by(lambda: ours().fit(data))
        assert type(raised) is type(expected), (kind, raised, expected)
    weights = [[1.0], "a", np.ones(3), np.ones((60, 2)), [np.nan] * 60]
    for value in weights if name == "DBSCAN" else []:
        expected = raised_by(lambda: theirs().fit(X, sample_weight=value))
        raised = raised_by(lambda: ours().fit(X, sample_weight=value))
        assert isinstance(raised, type(expected)), (value, raised, expected)


def test_wrong_values_of_the_function():
    X = oracle.blobs(1, 60, 2)
    wrong = [{"eps": "a"}, {"eps": -1}, {"min_samples": "a"}, {"metric": 3}, {"algorithm": "a"}]
    wrong += [{"leaf_size": 0}, {"p": "a"}, {"n_jobs": "a"}, {"sample_weight": "a"}, {"X": "a"}]
    for options in wrong:
        expected = raised_by(lambda: sklearn.cluster.dbscan(**{"X": X, **options}))
        raised = raised_by(lambda: clusterloom.dbscan(**{"X": X, **options}))
        assert isinstance(raised, type(expected)), (options, raised, expected)
        assert isinstance(expected, ValueError)


@pytest.mark.parametrize("kind", ["sparse", "wide"])
def test_minkowski_without_a_power_is_euclidean(kind):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix(np.eye(4)) if kind == "sparse" else np.zeros((4, 5000))
    labels = clusterloom.DBSCAN(0.5, min_samples=2, metric="minkowski").fit_predict(X)
    expected = clusterloom.DBSCAN(0.5, min_samples=2).fit_predict(X)
    np.testing.assert_array_equal(labels, expected)
