"""Runs pytest on the files named; ends with 77, which CTest counts as skipped, where a package is
missing."""

import importlib
import signal
import sys


def main() -> int:
    for package in ("numpy", "scipy", "sklearn", "pytest"):
        try:
            importlib.import_module(package)
        except ImportError as error:
            print(
                f"Skipped: {sys.executable} has no {package} ({error}); see packaging/packages.txt"
            )
            return 77

    import pytest

    # A shell starts its background jobs with the signal ignored, which processes inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]])
    # A file that skips itself, because a package is missing that it is about, has no tests.
    return 77 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code


if __name__ == "__main__":  # processes that a test starts import this file again
    sys.exit(main())
