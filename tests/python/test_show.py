"""show() with a stand-in for the window program: the files it gets and what it returns."""

import json
import os
import signal
import stat
import sys
import threading

import numpy as np
import pytest

import clusterloom

STAND_IN = """#!{python}
import json, pathlib, sys, time
sys.path[:0] = {path!r}
import numpy as np
session, option = sys.argv[1:]
assert option == "--save-on-close"
file = pathlib.Path(session)
state = json.loads(file.read_text())
points = np.load(state["data"]["path"])
record = {{"session": session, "points": points.tolist(), "parameters": state["parameters"]}}
if "labels" in state:
    record["labels"] = np.load(state["labels"]["path"]).tolist()
pathlib.Path({record!r}).write_text(json.dumps(record))
{body}
"""


def stand_in(folder, body):
    program = folder / "window"
    program.write_text(
        STAND_IN.format(
            python=sys.executable, path=sys.path, record=str(folder / "seen.json"), body=body
        )
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def seen(folder):
    return json.loads((folder / "seen.json").read_text())


X = np.random.default_rng(1).normal(size=(50, 3))


def test_it_returns_what_was_chosen(tmp_path):
    program = stand_in(
        tmp_path,
        "state['parameters'].update(eps=0.75, minPts='9')\n"
        "state['parameters']['scaling'] = {'kind': 'unit', 'factors': []}\n"
        "file.write_text(json.dumps(state))",
    )
    labels = np.arange(50) % 3 - 1
    shown = clusterloom.show(np.asfortranarray(X), labels, eps=0.5, min_samples=4, program=program)
    assert shown == (0.75, 9, "unit") and shown.eps == 0.75
    record = seen(tmp_path)
    assert record["parameters"] == {"eps": 0.5, "minPts": "4"}
    assert record["points"] == X.tolist() and record["labels"] == labels.tolist()
    assert not os.path.exists(os.path.dirname(record["session"]))


def test_parameters_are_suggested(tmp_path):
    shown = clusterloom.show(X, program=stand_in(tmp_path, ""))
    assert shown.scale == "none" and shown.min_samples >= 4
    core = clusterloom.knn(X, shown.min_samples)[0][:, -1]
    assert core.min() <= shown.eps <= core.max()
    assert "labels" not in seen(tmp_path)
    same = clusterloom.show(np.ones((5, 2)), program=stand_in(tmp_path, ""))
    assert same.eps > 0


def test_factors_come_back(tmp_path):
    program = stand_in(
        tmp_path,
        "state['parameters']['scaling'] = {'kind': 'factors', 'factors': [1, 2, 0.5]}\n"
        "file.write_text(json.dumps(state))",
    )
    assert clusterloom.show(X, eps=1, program=program).scale == [1, 2, 0.5]


def test_a_window_that_fails_says_why(tmp_path):
    program = stand_in(tmp_path, "sys.exit('no display here')")
    with pytest.raises(RuntimeError, match="no display here"):
        clusterloom.show(X, program=program)


def test_ctrl_c_closes_the_window(tmp_path):
    program = stand_in(tmp_path, "time.sleep(300)")
    timer = threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        clusterloom.show(X, program=program)
    timer.join()


@pytest.mark.parametrize(
    "labels", [np.zeros(49, int), np.zeros(50), np.full(50, -2), np.zeros((50, 1), int), np.full(50, 2**31)]
)
def test_bad_labels(tmp_path, labels):
    with pytest.raises(ValueError, match="labels"):
        clusterloom.show(X, labels, program=stand_in(tmp_path, ""))


@pytest.mark.parametrize(
    "options, words",
    [
        ({"min_samples": 2.5}, "min_samples must be a whole number, not 2.5"),
        ({"min_samples": 0}, "min_samples must be from 1"),
        ({"eps": "far"}, "eps must be a number, not 'far'"),
    ],
)
def test_bad_parameters(tmp_path, options, words):
    with pytest.raises(ValueError, match=words):
        clusterloom.show(X, program=stand_in(tmp_path, ""), **options)
    assert not (tmp_path / "seen.json").exists()


@pytest.mark.parametrize("wrong", [np.full((50, 2), np.nan), np.empty((0, 2))])
def test_points_that_cannot_be_clustered(tmp_path, wrong):
    with pytest.raises(ValueError, match="X needs points"):
        clusterloom.show(wrong, eps=1, min_samples=1, program=stand_in(tmp_path, ""))


def test_no_program():
    with pytest.raises(RuntimeError, match="no-such-window"):
        clusterloom.show(X, program="no-such-window")
