"""Arguments of wrong types: every public function answers in plain words, by the exceptions that the
module promises, and never by the signature of a function of the extension."""

import inspect
import re

import numpy as np
import pytest

import clusterloom
from clusterloom.compat import hdbscan

X = np.random.default_rng(1).random((30, 2))
LABELS = np.repeat([0, 1, -1], 10)

WRONG = [
    None,
    object(),
    "word",
    b"bytes",
    "",
    2.5,
    -1,
    10**30,
    True,
    1j,
    float("nan"),
    [],
    [1, 2],
    ["a", None],
    {"a": 1},
    {1: 2},
    np.array("x"),
    np.array([[1.0, 2.0]]),
    np.array([object()]),
    np.datetime64("2020-01-01"),
    lambda: None,
]
#: What the module raises; a TypeError where a value has a wrong type.
PROMISED = (ValueError, TypeError, MemoryError, RuntimeError, ImportError)
RAW = re.compile(r"incompatible (function|constructor) arguments|pybind11|_engine\.|std::|C\+\+ type")

FITTED = clusterloom.DBSCAN(0.2, min_samples=3).fit(X)
TREE = clusterloom.HDBSCAN(5, 3, copy=True).fit(X)
HIERARCHY = clusterloom.Hierarchy(X, 3)

#: Calls that work, by name: a function and its arguments.
CALLS = {
    "Hierarchy": (clusterloom.Hierarchy, {"X": X, "min_samples": 3}),
    "Hierarchy.labels": (HIERARCHY.labels, {"eps": 0.1}),
    "Hierarchy.core_samples": (HIERARCHY.core_samples, {"eps": 0.1}),
    "Hierarchy.curve": (HIERARCHY.curve, {}),
    "Hierarchy.stability": (HIERARCHY.stability, {"X": X, "eps": [0.1], "resamples": 2}),
    "Hierarchy.__setstate__": (HIERARCHY.__setstate__, {"state": HIERARCHY.__getstate__()}),
    "compare": (clusterloom.compare, {"labels": LABELS, "other": LABELS}),
    "cost_of_k": (clusterloom.cost_of_k, {"X": X, "eps": 0.1, "backend": "cpu"}),
    "generate": (clusterloom.generate, {"kind": "unif", "points": 10}),
    "k_distances": (clusterloom.k_distances, {"X": X, "k": 3}),
    "knn": (clusterloom.knn, {"X": X, "k": 3, "Y": X}),
    "label": (clusterloom.label, {"X": X, "Y": X, "eps": 0.1}),
    "load": (clusterloom.load, {"X": X, "eps": 0.1, "backend": "cpu"}),
    "min_samples_curve": (clusterloom.min_samples_curve, {"X": X, "eps": 0.1}),
    "plan": (clusterloom.plan, {"X": X, "eps": 0.1, "ranks": [1], "backend": "cpu"}),
    "radius_join": (clusterloom.radius_join, {"X": X, "eps": 0.1, "Y": X}),
    "show": (clusterloom.show, {"X": X, "program": "no-such-program"}),
    "stability": (clusterloom.stability, {"X": X, "labels": LABELS, "eps": 0.1, "resamples": 2}),
    "validity": (clusterloom.validity, {"X": X, "labels": LABELS}),
    "dbscan": (clusterloom.dbscan, {"X": X}),
    "DBSCAN.fit": (clusterloom.DBSCAN(0.2).fit, {"X": X}),
    "DBSCAN.fit_many": (clusterloom.DBSCAN(0.2).fit_many, {"X": X, "groups": LABELS}),
    "DBSCAN.predict": (FITTED.predict, {"X": X}),
    "HDBSCAN.fit": (clusterloom.HDBSCAN(5, 3, copy=True).fit, {"X": X}),
    "HDBSCAN.predict": (TREE.predict, {"X": X}),
    "HDBSCAN.membership_vectors": (TREE.membership_vectors, {"X": X}),
    "HDBSCAN.dbscan_clustering": (TREE.dbscan_clustering, {"cut_distance": 0.1}),
    "compat.HDBSCAN": (lambda **how: hdbscan.HDBSCAN(**how).fit(X), {"min_cluster_size": 5}),
    "compat.validity_index": (hdbscan.validity_index, {"X": X, "labels": LABELS}),
}
#: Classes of results, and what makes no call of the engine.
NOT_CALLED = {
    "Agreement",
    "CostOfK",
    "DistanceHistogram",
    "EpsCurve",
    "KDistances",
    "LabelFigures",
    "Load",
    "MinSamplesCurve",
    "NeighbourTable",
    "Reachability",
    "Shown",
    "Stability",
    "StabilityCurve",
    "Validity",
    "__version__",
    "backends",
    "strategy_choices",
    "tqdm_progress",
}


def test_every_public_name_is_called():
    called = {name.split(".")[0] for name in CALLS}
    assert set(clusterloom.__all__) == NOT_CALLED | called - {"compat"}


def parameters_of(function, arguments):
    """The names of its parameters, with those of the estimators behind a lambda."""
    names = list(inspect.signature(function).parameters)
    return list(inspect.signature(hdbscan.HDBSCAN).parameters) if names == ["how"] else names


def answers_plainly(call, what):
    try:
        call()
    except PROMISED as error:
        assert not RAW.search(str(error)), f"{what}: {error}"
        assert not isinstance(error, UnicodeError), what


@pytest.mark.parametrize("name", CALLS)
def test_wrong_types(name, monkeypatch):
    monkeypatch.setenv("PATH", "")  # no window to show
    function, arguments = CALLS[name]
    answers_plainly(lambda: function(**arguments), name)
    for parameter in parameters_of(function, arguments):
        for value in WRONG:
            given = {**arguments, parameter: value}
            answers_plainly(lambda: function(**given), f"{name}({parameter}={value!r})")


@pytest.mark.parametrize("kind", [clusterloom.DBSCAN, clusterloom.HDBSCAN])
def test_wrong_parameters_of_estimators(kind):
    for parameter in inspect.signature(kind).parameters:
        for value in WRONG:
            given = {"min_samples": 3, parameter: value}
            answers_plainly(lambda: kind(**given).fit(X), f"{kind.__name__}({parameter}={value!r})")


def test_wrong_types_for_dask():
    dask = pytest.importorskip("dask")
    array = pytest.importorskip("dask.array").from_array(X, chunks=(15, 2))
    import clusterloom.dask

    def fit(X, sample_weight=None, **how):
        return clusterloom.dask.DBSCAN(**how).fit(X, sample_weight=sample_weight).labels_.compute()

    def join(**how):
        return dask.compute(clusterloom.dask.radius_join(**how))

    estimator = inspect.signature(clusterloom.dask.DBSCAN).parameters
    joined = inspect.signature(clusterloom.dask.radius_join).parameters
    with dask.config.set(scheduler="synchronous"):
        for function, names in ((fit, ["X", "sample_weight", *estimator]), (join, joined)):
            for parameter in names:
                for value in WRONG:
                    given = {"X": array, "eps": 0.1, parameter: value}
                    what = f"dask {function.__name__}({parameter}={value!r})"
                    answers_plainly(lambda: function(**given), what)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: clusterloom.knn(X, 3, backend=7), "backend must be a word, not 7"),
        (lambda: clusterloom.radius_join(X, 0.1, output=3), "output must be a word, not 3"),
        (lambda: clusterloom.radius_join(X, 0.1, strategy=5), "strategy must be a mapping"),
        (lambda: clusterloom.radius_join(X, 0.1, progress=5), "progress must be a function"),
        (lambda: clusterloom.radius_join({"a": 1}, 0.1), "X must be an array of numbers"),
        (lambda: clusterloom.load(X, 0.1, machine=3), "machine must be a word"),
        (lambda: clusterloom.load(X, 0.1, weights=3), "weights must be a word or four numbers"),
        (lambda: clusterloom.generate(3), "kind must be a word"),
        (lambda: clusterloom.Hierarchy(X, 3, backend=None), "backend must be a word"),
    ],
)
def test_messages_name_the_argument(call, words):
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert isinstance(caught.value, TypeError)  # for callers who ask for that


@pytest.mark.parametrize(
    "call",
    [
        lambda: clusterloom.DBSCAN(0.3, ranks=2),
        lambda: clusterloom.HDBSCAN(ranks=2),
        lambda: clusterloom.Hierarchy(X, 3, ranks=2),
        lambda: clusterloom.knn(X, 3, ranks=2),
        lambda: clusterloom.radius_join(X, 0.1, ranks=2),
    ],
)
def test_no_function_has_ranks(call):
    """They are processes that mpirun starts: the guide says what to use."""
    with pytest.raises(TypeError, match="argument 'ranks'"):
        call()


def test_words_of_the_command_line():
    """`--select leaves` there, "leaf" of scikit-learn here: both know both."""
    leaf, leaves = (
        clusterloom.HDBSCAN(5, 3, cluster_selection_method=word, copy=True).fit_predict(X)
        for word in ("leaf", "leaves")
    )
    np.testing.assert_array_equal(leaf, leaves)
