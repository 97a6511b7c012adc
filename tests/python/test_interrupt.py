"""Ctrl-C, progress callbacks, and callbacks that raise."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import clusterloom
from clusterloom import DBSCAN  # now: what it imports may swallow an interrupt

# Minutes of work each; a stop takes a fraction of a second on a quiet machine.
BRUTE = {"method": "brute-force"}
CLOUD = np.random.default_rng(1).random((1_500_000, 3))
LONG = {
    "DBSCAN": lambda progress=None: DBSCAN(1e-3, 5, strategy=BRUTE).fit(CLOUD, progress=progress),
    "radius_join": lambda progress=None: clusterloom.radius_join(
        CLOUD, 0.4, output="histogram", progress=progress
    ),
}
LIMIT = 10.0


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_stops_the_call(name):
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            LONG[name]()
    finally:
        timer.join()
    took = time.monotonic() - sent[0]
    print(f"{name} stopped after {took:.3f} s")
    assert took < LIMIT


def test_ctrl_c_ends_a_program():
    # It says so from within the call: imports before it may swallow an interrupt.
    program = (
        "import numpy as np, clusterloom\n"
        "X = np.random.default_rng(1).random((1_500_000, 3))\n"
        "said = []\n"
        "def progress(stage, fraction):\n"
        "    if not said:\n"
        "        said.append(stage)\n"
        "        print('begun', flush=True)\n"
        "clusterloom.DBSCAN(1e-3, 5, strategy={'method': 'brute-force'}).fit(X, progress=progress)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[1]
    finally:
        process.kill()
        process.wait()
    assert "KeyboardInterrupt" in said and process.returncode != 0


@pytest.mark.parametrize("name", LONG)
def test_a_callback_that_raises_stops_the_call(name):
    class Enough(Exception):
        pass

    def progress(stage, fraction):
        raise Enough(stage)

    with pytest.raises(Enough, match="."):
        LONG[name](progress)


@pytest.mark.parametrize(
    "call",
    [
        lambda X, progress: clusterloom.DBSCAN(0.01, 5).fit(X, progress=progress),
        lambda X, progress: clusterloom.HDBSCAN().fit(X, progress=progress),
        lambda X, progress: clusterloom.Hierarchy(X, 5, progress=progress),
        lambda X, progress: clusterloom.radius_join(X, 0.01, progress=progress),
        lambda X, progress: clusterloom.knn(X, 10, progress=progress),
    ],
)
def test_progress_is_reported(call):
    X = np.random.default_rng(2).random((400_000, 2))
    seen = []
    caller = threading.get_ident()

    def progress(stage, fraction):
        seen.append((stage, fraction))
        assert threading.get_ident() == caller  # callbacks may use what is not for other threads

    call(X, progress)
    assert seen
    assert all(isinstance(stage, str) and stage and 0 <= at <= 1 for stage, at in seen)


def test_tqdm():
    pytest.importorskip("tqdm")
    shown = []

    class Screen:
        def write(self, text):
            shown.append(text)

        def flush(self):
            pass

    X = np.random.default_rng(2).random((400_000, 2))
    with clusterloom.tqdm_progress(file=Screen()) as progress:
        clusterloom.DBSCAN(0.01, 5).fit(X, progress=progress)
    assert "%" in "".join(shown)


def test_a_signal_handler_that_returns_stops_nothing():
    seen = []
    X = np.random.default_rng(3).random((400_000, 3))
    before = signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        labels = clusterloom.DBSCAN(0.02, 5).fit_predict(X)
        while not seen:
            labels = clusterloom.DBSCAN(0.02, 5).fit_predict(X)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert labels.max() >= 0


ENDING = """
import os, sys, threading, time
import numpy as np
import clusterloom

X = np.random.default_rng(0).normal(size=(200_000, 3))

def work():
    while True:
        try:
            clusterloom.knn(X, 60, n_jobs=1)
        except RuntimeError as error:
            assert "Python is shutting down" in str(error)
            return

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.5)
if sys.argv[1] == "fork":
    child = os.fork()
    if child == 0:
        clusterloom.knn(X[:100], 3)
        sys.exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
sys.exit(3)
"""


@pytest.mark.parametrize("how", ["alone", "fork"])
def test_a_program_ends_while_its_threads_compute(how):
    ended = subprocess.run(
        # Python 3.12 warns of a fork beside threads.
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", ENDING, how],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (ended.returncode, ended.stderr) == (3, "")
