"""DBSCAN against brute force and scikit-learn: labels element by element, whatever the array."""

import os
import pickle
import threading

import numpy as np
import oracle
import pytest
import sklearn.cluster
from sklearn.base import clone

import clusterloom
from clusterloom.compat import hdbscan

CLOUDS = [
    (oracle.lattice(1, 150, 1, 90), 1.0, 5),
    (oracle.lattice(2, 500, 2, 30), 1.0, 5),
    (oracle.lattice(3, 500, 3), 1.0, 4),
    (oracle.blobs(4, 600, 2), 0.7, 6),
    (oracle.blobs(5, 500, 5), 2.5, 4),
    (oracle.blobs(6, 300, 12), 6.0, 3),
]


@pytest.mark.parametrize("X, eps, min_samples", CLOUDS)
def test_labels_are_those_of_brute_force(X, eps, min_samples):
    labels, core = oracle.dbscan(X, eps, min_samples)
    assert labels.max() > 0 and (labels < 0).any() and core.any() and not core.all()
    found = clusterloom.DBSCAN(eps, min_samples).fit(X)
    np.testing.assert_array_equal(found.labels_, labels)
    np.testing.assert_array_equal(found.core_sample_indices_, np.flatnonzero(core))
    np.testing.assert_array_equal(found.components_, X[core])
    assert found.n_clusters_ == labels.max() + 1
    assert found.labels_.dtype == np.int32


@pytest.mark.parametrize("X, eps, min_samples", CLOUDS)
def test_labels_are_those_of_scikit_learn(X, eps, min_samples):
    theirs = sklearn.cluster.DBSCAN(eps=eps, min_samples=min_samples).fit(X)
    ours = clusterloom.DBSCAN(eps, min_samples).fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)


@pytest.mark.parametrize(
    "options",
    [
        {"index_dims": 1},
        {"index_dims": 2, "n_jobs": 1},
        {"backend": "cpu", "strategy": {"pattern": "unicomp", "order": "sort-by-workload"}},
        {"strategy": {"dense_cells": False, "early_stop": False, "short_circuit": True}},
        {"strategy": {"method": "brute-force"}, "n_jobs": -1},
        {"strategy": {"method": "super-ego", "precision": 32}},
    ],
)
def test_every_strategy_gives_the_same_labels(options):
    X = oracle.blobs(7, 500, 3)
    plain = clusterloom.DBSCAN(1.2, 5).fit_predict(X)
    np.testing.assert_array_equal(clusterloom.DBSCAN(1.2, 5, **options).fit_predict(X), plain)
    np.testing.assert_array_equal(plain, oracle.dbscan(X, 1.2, 5)[0])


@pytest.mark.parametrize("X, eps, min_samples", CLOUDS)
def test_weights_are_those_of_scikit_learn(X, eps, min_samples):
    draw = np.random.default_rng(1)
    # Sums of eighths are exact in any order.
    for weights in (draw.integers(0, 5, len(X)), draw.integers(-8, 20, len(X)) / 8):
        theirs = sklearn.cluster.DBSCAN(eps=eps, min_samples=min_samples)
        theirs.fit(X, sample_weight=weights)
        ours = clusterloom.DBSCAN(eps, min_samples).fit(X, sample_weight=weights)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    plain = clusterloom.DBSCAN(eps, min_samples).fit_predict(X)
    same = clusterloom.DBSCAN(eps, min_samples).fit_predict(X, sample_weight=np.ones(len(X)))
    np.testing.assert_array_equal(same, plain)


def test_bad_weights():
    X = np.zeros((3, 2))
    for weights in ([1, 2], [1, 2, np.nan], ["a", "b", "c"], [0, 0, 0]):
        with pytest.raises(ValueError):
            clusterloom.DBSCAN().fit(X, sample_weight=weights)
    for weights in ([[1, 2, 3]], [[1], [2], [3]]):
        with pytest.raises(ValueError, match=r"sample_weight must have the shape \(points,\)"):
            clusterloom.DBSCAN().fit(X, sample_weight=weights)
    with pytest.raises(ValueError, match="sample_weight is a masked array"):
        clusterloom.DBSCAN().fit(X, sample_weight=np.ma.masked_equal([1, 2, 3], 2))


def test_arrays_that_mean_something_else_are_refused():
    masked = np.ma.masked_equal([[0.0], [1.0], [9.0]], 9.0)
    dates = np.array([["2020-01-01"], ["2020-01-02"]], dtype="datetime64[D]")
    calls = [clusterloom.DBSCAN().fit, clusterloom.HDBSCAN().fit, lambda X: clusterloom.knn(X, 1)]
    for call in calls:
        with pytest.raises(ValueError, match="X is a masked array"):
            call(masked)
        with pytest.raises(ValueError, match="X holds dates or times"):
            call(dates)
        with pytest.raises(ValueError, match="X holds dates or times"):
            call(dates - dates[0])
    labels = np.ma.masked_equal([0, 0, 1], 1)
    for call in (
        lambda: clusterloom.compare(labels, [0, 0, 1]),
        lambda: clusterloom.validity([[0.0], [1.0], [9.0]], labels),
        lambda: clusterloom.show([[0.0], [1.0], [9.0]], labels=labels, eps=1.0),
        lambda: hdbscan.validity_index([[0.0], [1.0], [9.0]], labels),
    ):
        with pytest.raises(ValueError, match="masked array"):
            call()


def test_more_threads_than_processors_are_silent(capfd):
    X = oracle.blobs(1, 2000, 2)
    jobs = 4 * (os.cpu_count() or 1)
    clusterloom.DBSCAN(0.5, 5, n_jobs=jobs).fit(X)
    clusterloom.HDBSCAN(n_jobs=jobs).fit(X)
    clusterloom.knn(X, 3, n_jobs=jobs)
    assert capfd.readouterr().err == ""


def layouts(X):
    read_only = X.copy()
    read_only.flags.writeable = False
    wide = np.zeros((2 * len(X), 3 * X.shape[1]))
    wide[::2, 1::3] = X
    record = np.zeros(len(X), dtype=[("pad", "i1"), ("at", float, X.shape[1])])
    record["at"] = X
    return {
        "C": np.ascontiguousarray(X),
        "F": np.asfortranarray(X),
        "read-only": read_only,
        "slice": wide[::2, 1::3],
        "reversed": X[::-1].copy()[::-1],
        "reversed columns": X[:, ::-1].copy()[:, ::-1],
        "unaligned": record["at"],
        "big-endian": X.astype(">f8"),
        "list": X.tolist(),
    }


@pytest.mark.parametrize("name", layouts(np.zeros((1, 2))))
def test_every_layout_of_the_array(name):
    X = oracle.blobs(8, 5000, 2)
    array = layouts(X)[name]
    before = np.array(array, dtype=float)
    expected = clusterloom.DBSCAN(0.6, 5).fit_predict(X)
    found = clusterloom.DBSCAN(0.6, 5).fit(array)
    np.testing.assert_array_equal(found.labels_, expected)
    np.testing.assert_array_equal(found.components_, X[found.core_sample_indices_])
    np.testing.assert_array_equal(np.asarray(array, dtype=float), before)


def test_float32_and_integers_are_converted_exactly():
    X = oracle.lattice(9, 500, 2, 30)
    expected = clusterloom.DBSCAN(1.0, 5).fit_predict(X)
    for kind in (np.float32, np.float16, np.int64, np.uint8):
        np.testing.assert_array_equal(
            clusterloom.DBSCAN(1.0, 5).fit_predict(X.astype(kind)), expected
        )


def test_one_point():
    assert clusterloom.DBSCAN(1.0, 1).fit_predict([[3.0, 4.0]]).tolist() == [0]
    assert clusterloom.DBSCAN(1.0, 2).fit_predict([[3.0, 4.0]]).tolist() == [-1]


def test_no_core_point():
    found = clusterloom.DBSCAN(1e-3, 5).fit(oracle.blobs(1, 100, 3))
    assert found.n_clusters_ == 0 and found.components_.shape == (0, 3)
    assert found.core_sample_indices_.shape == (0,)


def test_results_outlive_the_estimator():
    X = oracle.blobs(2, 20000, 2)
    labels = clusterloom.DBSCAN(0.3, 5).fit_predict(X)
    copy = labels.copy()
    for seed in range(3):
        clusterloom.DBSCAN(0.3, 5).fit(oracle.blobs(seed, 20000, 2))
    np.testing.assert_array_equal(labels, copy)
    labels[0] = 17  # a plain array that the caller owns
    assert labels[0] == 17


@pytest.mark.parametrize(
    "X, options, words",
    [
        (np.empty((0, 2)), {}, "0 sample"),
        ([[1.0, np.nan]], {}, "NaN"),
        ([[1.0, np.inf]], {}, "infinity"),
        ([1.0, 2.0], {}, "2D array"),
        ([[0.0]], {"eps": 0}, "'eps' parameter of DBSCAN must be a float in the range"),
        ([[0.0]], {"eps": float("nan")}, "'eps' parameter of DBSCAN must be"),
        ([[-1e308], [1e308]], {}, "too large for a double"),
        ([[0.0]], {"min_samples": 0}, "'min_samples' parameter of DBSCAN must be"),
        ([[0.0]], {"n_jobs": 0}, "n_jobs"),
        ([[0.0]], {"n_jobs": 5000}, "n_jobs"),
        ([[0.0]], {"index_dims": 9}, "^index_dims needs a whole number from 1 to 8"),
        ([[0.0]], {"backend": "abacus"}, "abacus"),
        ([[0.0]], {"backend": "cpu", "device": 0}, "runs on no GPU; device is for auto, cuda and hybrid"),
        ([[0.0]], {"strategy": {"pattern": "zigzag"}}, "full, unicomp"),
        ([[0.0]], {"strategy": {"patern": "full"}}, "patern"),
        ([[0.0]], {"backend": "cpu", "strategy": {"threads_per_point": 8}}, "one thread per point"),
        ([[0.0]], {"index_dims": 1, "strategy": {"index_dims": 2}}, "twice"),
    ],
)
def test_bad_calls(X, options, words):
    with pytest.raises(ValueError, match=words):
        clusterloom.DBSCAN(**options).fit(X)


def test_wrong_types():
    for name, value in (
        ("eps", "far"),
        ("eps", None),
        ("eps", [1.0, 2.0]),
        ("min_samples", 2.5),
        ("leaf_size", 0),
        ("algorithm", "magic"),
        ("metric", "parsecs"),
        ("metric_params", 1),
        ("p", -1),
        ("index_dims", 1.5),
        ("n_jobs", "all"),
        ("backend", 1),
        ("strategy", "full"),
        ("device", 1.5),
        ("period", "x"),
    ):
        with pytest.raises(ValueError, match=f"'{name}' parameter of DBSCAN must be") as raised:
            clusterloom.DBSCAN(**{name: value}).fit([[0.0]])
        assert isinstance(raised.value, TypeError)
    assert clusterloom.DBSCAN(min_samples=2**63 - 1).fit_predict([[0.0]]).tolist() == [-1]


def test_devices():
    X = [[0.0], [0.1], [5.0]]
    expected = clusterloom.DBSCAN(0.5, 2).fit_predict(X).tolist()
    assert clusterloom.DBSCAN(0.5, 2, device=-1).fit_predict(X).tolist() == expected
    with pytest.raises(ValueError, match="device must be from -1 to 1023"):
        clusterloom.DBSCAN(device=-2).fit(X)


def test_a_missing_backend_says_so():
    # Where a GPU answers there is nothing to refuse.
    try:
        clusterloom.DBSCAN(backend="cuda").fit([[0.0], [1.0]])
    except RuntimeError as error:
        assert "cuda" in str(error).lower() or "gpu" in str(error).lower()


def test_pickle_and_clone():
    estimator = clusterloom.DBSCAN(0.7, 6, index_dims=2, strategy={"pattern": "full"})
    assert clone(estimator).get_params() == estimator.get_params()
    estimator.fit(oracle.blobs(4, 600, 2))
    again = pickle.loads(pickle.dumps(estimator))
    assert again.get_params() == estimator.get_params()
    np.testing.assert_array_equal(again.labels_, estimator.labels_)
    np.testing.assert_array_equal(again.components_, estimator.components_)


def test_several_threads_at_once():
    clouds = [oracle.blobs(seed, 20000, 2) for seed in range(4)]
    expected = [clusterloom.DBSCAN(0.3, 5).fit_predict(X) for X in clouds]
    found = [None] * len(clouds)

    def work(i):
        for _ in range(3):
            found[i] = clusterloom.DBSCAN(0.3, 5).fit_predict(clouds[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(clouds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


def test_the_interpreter_works_on_meanwhile():
    X = np.random.default_rng(1).random((300_000, 3))
    steps = 0
    for _ in range(10):  # a busy machine may let this thread wait for a whole fit
        done = threading.Event()

        def fit(done=done):
            clusterloom.DBSCAN(0.02, 10).fit(X)
            done.set()

        thread = threading.Thread(target=fit)
        thread.start()
        steps = 0
        while not done.wait(0.001):
            steps += 1
        thread.join()
        if steps > 3:
            break
    assert steps > 3


def test_run_names_what_was_done():
    run = clusterloom.DBSCAN(0.7, 6, backend="cpu", n_jobs=1).fit(oracle.blobs(4, 600, 2)).run_
    assert run["backend"] == "cpu" and run["threads"] == 1
    assert run["seconds"]["call"] >= run["seconds"]["total"] > 0
