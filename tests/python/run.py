"""Runs pytest on the files named; ends with 77, which CTest counts as skipped, where a package is
missing."""

import importlib
import sys

for package in ("numpy", "scipy", "sklearn", "pytest"):
    try:
        importlib.import_module(package)
    except ImportError as error:
        print(f"Skipped: {sys.executable} has no {package} ({error}); see packaging/packages.txt")
        sys.exit(77)

import pytest

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
