"""The window on an array."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Union

import numpy as np

from . import _engine
from ._options import integer_of, labels_of, number_of, points_of, word_of


class Shown(NamedTuple):
    """The parameters in the window when it was closed."""

    eps: float  #: in the units of the scaled coordinates, where they are scaled
    min_samples: int
    scale: Union[str, List[float]]  #: "none", "unit", "zscore", or a factor for each dimension


def show(
    X: Any,
    labels: Any = None,
    *,
    eps: Optional[float] = None,
    min_samples: Optional[int] = None,
    program: Optional[str] = None,
) -> Shown:
    """Opens the window of Clusterloom on X, waits until it is closed, and returns the parameters
    chosen there.

    The points, and the labels, go to the window through files in a temporary folder, which is
    removed afterwards. Ctrl-C closes the window.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    labels : integer array of shape (n,), optional
        Shown until the parameters are changed; -1 is noise.
    eps, min_samples : optional
        To begin with. Without them they are suggested from the data.
    program : str, optional
        The window program; None looks for `clusterloom` on the PATH.

    Returns
    -------
    Shown
        eps, min_samples and scale. Those of the beginning where other data were opened in the
        window.

    Raises
    ------
    ValueError
        For an X that cannot be clustered, labels of another length or below -1, and parameters that
        are no numbers.
    RuntimeError
        When there is no window program, or it fails, e.g. without a display.
    """
    points = points_of(X)
    if 0 in points.shape or not np.isfinite(points).all():
        raise ValueError("X needs points, whose coordinates are finite")
    if min_samples is None:
        min_samples = _engine.default_min_pts(*points.shape)
    min_samples = integer_of(min_samples, "min_samples", 1)
    eps = _engine.suggested_eps(points, min_samples) if eps is None else number_of(eps, "eps")
    if not 0 < eps < np.inf:
        raise ValueError(f"eps must be a positive number, not {eps}")
    if labels is not None:
        labels = labels_of(labels, points=len(points))
        if labels.min() < -1:
            raise ValueError("labels must be 0, 1, …, or -1 for noise")
    found = shutil.which("clusterloom" if program is None else word_of(program, "program"))
    if found is None:
        raise RuntimeError(
            f"There is no program {program or 'clusterloom'} on the PATH. Install Clusterloom with "
            "its window, or name the program by the argument program."
        )
    with tempfile.TemporaryDirectory(prefix="clusterloom-") as name:
        folder = Path(name)
        np.save(folder / "points.npy", points)
        session = {
            "what": "clusterloom session",
            "version": 1,
            "data": {"path": str(folder / "points.npy")},
            "parameters": {"eps": eps, "minPts": str(min_samples)},
        }
        if labels is not None:
            np.save(folder / "labels.npy", labels)
            session["labels"] = {"path": str(folder / "labels.npy")}
        file = folder / "array.clusterloom"
        file.write_text(json.dumps(session))
        _run([found, str(file), "--save-on-close"])
        chosen = json.loads(file.read_text())["parameters"]
    scaling = chosen.get("scaling", {"kind": "none"})
    scale = scaling["factors"] if scaling["kind"] == "factors" else scaling["kind"]
    return Shown(float(chosen["eps"]), int(chosen["minPts"]), scale)


def _run(command: List[str]) -> None:
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stderr=said, env=dict(os.environ)
        )
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        if status != 0:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            why = lines[-1] if lines else f"exit status {status}"
            raise RuntimeError(f"The window could not be shown: {why}")
