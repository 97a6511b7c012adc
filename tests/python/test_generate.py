"""Generated clouds, and the GPU that is modelled on them."""

import numpy as np
import pytest

import clusterloom


def test_generate():
    first = clusterloom.generate("expo", 1000, 3, seed=2)
    assert first.shape == (1000, 3) and first.dtype == np.float64
    assert (first == clusterloom.generate("expo", 1000, 3, seed=2)).all()
    assert (first != clusterloom.generate("expo", 1000, 3, seed=3)).any()
    for wrong in (
        lambda: clusterloom.generate("cats"),
        lambda: clusterloom.generate("moons", 0),
        lambda: clusterloom.generate("moons", 10, 1),
        lambda: clusterloom.generate("moons", "many"),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_machine_and_weights():
    X = clusterloom.generate("expo", 3000, 2)
    large = clusterloom.load(X, 0.004, backend="cpu")
    small = clusterloom.load(X, 0.004, backend="cpu", machine="2x1")
    assert small.wee == large.wee and small.makespan > large.makespan
    assert np.isclose(large.makespan_seconds, large.makespan * 16 / 1.98e9)
    slow = clusterloom.load(X, 0.004, backend="cpu", machine="2x1@0.5")
    assert slow.makespan == small.makespan
    assert np.isclose(slow.makespan_seconds, slow.makespan / 0.5e9)
    assert small.makespan >= (small.warps["steps"] @ small.weights).sum() / 2
    plain = clusterloom.load(X, 0.004, backend="cpu", weights="unit")
    steps, lanes = plain.warps["steps"].sum(), plain.warps["lane_steps"].sum()
    assert np.isclose(plain.wee, lanes / (32 * steps)) and (plain.weights == 1).all()
    own = clusterloom.load(X, 0.004, backend="cpu", weights=(0, 0, 1, 0))
    assert own.weights.tolist() == [0, 0, 1, 0]
    for wrong in ({"machine": "toaster"}, {"weights": "heavy"}, {"weights": (1, 2)}):
        with pytest.raises(ValueError):
            clusterloom.load(X, 0.004, backend="cpu", **wrong)
