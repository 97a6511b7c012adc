"""What the pictures of the module share. matplotlib is imported by the first of them."""

from typing import Any


def imported(package: str, purpose: str) -> Any:
    """The module `package`. ImportError that says what it is needed for."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = package.split(".")[0]
        raise ImportError(
            f"{purpose} needs {name}, which is not installed: pip install {name}"
        ) from error


def axis_of(axis: Any) -> Any:
    """The axis to draw on: the one given, or the current one. ImportError without matplotlib."""
    return imported("matplotlib.pyplot", "plot()").gca() if axis is None else axis
