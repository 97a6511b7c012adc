"""What the estimators add to the engine's call: no work that grows with the rows, and no copy of X.
Calls and bytes are counted, since a clock would also measure what else runs."""

import gc
import pathlib
import sys
import tracemalloc

import numpy as np
import pytest

import clusterloom
from clusterloom.compat import hdbscan

PACKAGE = str(pathlib.Path(clusterloom.__file__).parent)
MODELS = [
    clusterloom.DBSCAN(0.05, 5),
    clusterloom.HDBSCAN(5, 5, copy=False),
    hdbscan.HDBSCAN(5, 4),
]


def calls_of(work):
    """How many functions of Python and of extensions `work` calls, and how many of our package."""
    count = {"all": 0, "own": 0}

    def note(frame, event, _):
        if event in ("call", "c_call"):
            count["all"] += 1
        count["own"] += event == "call" and frame.f_code.co_filename.startswith(PACKAGE)

    gc.disable()  # what it calls depends on what ran before
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__module__)
def test_calls_do_not_grow_with_the_rows(model):
    small, large = (np.random.default_rng(n).random((n, 2)) for n in (200, 20_000))
    model.fit(small)  # imports and caches
    few, many = calls_of(lambda: model.fit(small)), calls_of(lambda: model.fit(large))
    assert few == many
    assert few["own"] <= 60
    # About 1,000 of scikit-learn 1.9's checks and ours take a quarter of a millisecond.
    assert few["all"] <= 3_000


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__module__)
def test_points_are_not_copied(model, order):
    X = np.asarray(np.random.default_rng(1).random((1_000, 128)), order=order)
    model.fit(X[:200])  # imports and caches
    tracemalloc.start()
    try:
        model.fit(X)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The package hdbscan's callers may change X afterwards: its names keep a copy.
    copies = 1 if type(model).__module__.endswith("compat.hdbscan") else 0
    assert most < (copies + 0.5) * X.nbytes
