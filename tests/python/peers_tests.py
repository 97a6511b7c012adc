"""Runs the tests that other packages ship for DBSCAN and HDBSCAN, with the import replaced by ours.

    peers_tests.py scikit-learn | hdbscan

The tests are read from the package that is installed. Ends with 1 where a test fails that is not on
the package's list of tests left out, and where one that is on it passes; with 77, which CTest counts
as skipped, where a package or its tests are missing.
"""

import importlib.util
import pathlib
import re
import sys
import tempfile
from importlib import metadata
from typing import Dict, NamedTuple, Tuple


class Peer(NamedTuple):
    """A package whose tests are run."""

    module: str
    folder: str  #: of the tests, below the module
    files: Tuple[str, ...]
    theirs: "re.Pattern"  #: the import that is replaced in each file
    ours: str
    #: Tests by their name without parameters that do not pass where the files have this text, and
    #: the reason.
    left_out: Dict[str, Tuple[str, str]]


PEERS = {
    "scikit-learn": Peer(
        module="sklearn",
        folder="cluster/tests",
        files=("test_dbscan.py", "test_hdbscan.py"),
        theirs=re.compile(
            r"^from sklearn\.cluster import (?=(DBSCAN|HDBSCAN|dbscan)\b)", re.MULTILINE
        ),
        ours="from clusterloom import ",
        left_out={
            "test_hdbscan_warning_on_deprecated_algorithm_name": (
                "algorithm='kdtree'",
                "'kdtree' and 'balltree' were deprecated by scikit-learn 1.4 and removed later",
            ),
            "test_hdbscan_sparse_distances_disconnected_graph": (
                "HDBSCAN cannot be perfomed",
                "a message of scikit-learn with a misspelt word, which it corrected later",
            ),
        },
    ),
    "hdbscan": Peer(
        module="hdbscan",
        folder="tests",
        files=("test_hdbscan.py",),
        theirs=re.compile(r"^from hdbscan import ", re.MULTILINE),
        ours="from clusterloom.compat.hdbscan import ",
        left_out={},
    ),
}


class Outcomes:
    """What each test came to, by file and name; and a fixture of scikit-learn's own settings."""

    def __init__(self):
        self.failed = {}
        self.passed = []
        self.skipped = {}

    def pytest_generate_tests(self, metafunc):
        if "global_random_seed" in metafunc.fixturenames:
            metafunc.parametrize("global_random_seed", [42])

    def pytest_collectreport(self, report):
        if report.failed:
            self.failed[report.nodeid] = report.longreprtext

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed[report.nodeid] = report.longreprtext
        elif report.skipped:
            self.skipped[report.nodeid] = str(report.longrepr[-1])
        elif report.when == "call":
            self.passed.append(report.nodeid)


def with_our_import(file, peer, folder):
    """The test file with the import replaced, in a folder of its own."""
    text, replaced = peer.theirs.subn(peer.ours, file.read_text(encoding="utf-8"))
    if not replaced:
        sys.exit(f"{file} has no import to replace")
    copy = folder / file.name
    copy.write_text(text, encoding="utf-8")
    return copy


def plain(test):
    return test.split("::")[-1].split("[")[0]


def run(title):
    """The exit code for the tests of a peer."""
    peer = PEERS[title]
    for package in ("numpy", "scipy", "sklearn", "pytest", peer.module):
        if importlib.util.find_spec(package) is None:
            print(f"Skipped: {sys.executable} has no {package}; see packaging/packages.txt")
            return 77
    import pytest

    version = f"{title} {metadata.version(title)}"
    tests = pathlib.Path(importlib.util.find_spec(peer.module).origin).parent / peer.folder
    files = [tests / name for name in peer.files if (tests / name).exists()]
    if not files:
        print(f"Skipped: {version} is installed without its tests")
        return 77
    texts = "".join(file.read_text(encoding="utf-8") for file in files)
    left_out = {test: reason for test, (text, reason) in peer.left_out.items() if text in texts}
    outcomes = Outcomes()
    with tempfile.TemporaryDirectory() as folder:
        copies = [with_our_import(file, peer, pathlib.Path(folder)) for file in files]
        pytest.main(
            ["-q", "--tb=no", "-p", "no:cacheprovider", "--rootdir", folder]
            + [str(copy) for copy in copies],
            plugins=[outcomes],
        )

    new = {test: text for test, text in outcomes.failed.items() if plain(test) not in left_out}
    stale = [test for test in outcomes.passed if plain(test) in left_out]
    for test, text in new.items():
        print(f"\n{test} fails and is not on the list of tests left out:\n{text}")
    for test in stale:
        print(f"\n{test} passes and is on the list of tests left out")
    for test in sorted({plain(test) for test in outcomes.failed} & set(left_out)):
        print(f"Left out: {test}: {left_out[test]}")
    for test, reason in outcomes.skipped.items():
        print(f"{plain(test)}: {reason}")
    count = len(outcomes.passed) + len(outcomes.failed)
    print(
        f"{version}: {len(outcomes.passed)} of {count} tests pass, {len(outcomes.skipped)} skip"
    )
    return 1 if new or stale or not outcomes.passed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PEERS:
        sys.exit(__doc__)
    sys.exit(run(sys.argv[1]))
