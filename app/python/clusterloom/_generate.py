"""Generated clouds."""

from typing import Any, Optional

import numpy as np

from . import _engine
from ._options import Progress, integer_of, word_of


def generate(
    kind: str,
    points: Any = 10000,
    dims: Any = 2,
    *,
    seed: Any = 1,
    progress: Optional[Progress] = None,
) -> np.ndarray:
    """A cloud that is the same on every machine, bit for bit: that of `clusterloom-cli generate`.

    Parameters
    ----------
    kind : str
        "unif", "expo", "blobs", "moons", "rings", "varied", "lattice", "spiral" or "shapes";
        `clusterloom-cli generate --help` describes them.
    points, dims : int
        The shape of the array.
    seed : int
        Of the random numbers.
    progress : callable, optional
        Called as progress(stage, fraction).

    Returns
    -------
    array of float64, shape (points, dims)

    Raises
    ------
    ValueError
        For an unknown kind, and dimensions that it does not have.
    MemoryError
        When the cloud would not fit into memory; before it is made.

    Examples
    --------
    >>> generate("moons", 500, seed=7).shape
    (500, 2)
    """
    made = _engine.generate(
        word_of(kind, "kind"),
        integer_of(points, "points", 0, 2**63 - 1),
        integer_of(dims, "dims", 0, 2**31 - 1),
        integer_of(seed, "seed", 0, 2**64 - 1),
        progress,
    )
    return np.asarray(made)
