"""The load of the warps of a GPU."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _engine
from ._options import (
    EngineChoice,
    ParameterError,
    Progress,
    Strategy,
    engine_for,
    integer_of,
    number_of,
    points_of,
    word_of,
)


class Load(NamedTuple):
    """What the warps of a GPU do in a join."""

    warps: np.ndarray  #: a row for each warp looked at, see `load`
    point_of_ticket: np.ndarray  #: uint32: the row of X that each ticket stands for
    all_warps: int  #: of which `warps` are those looked at
    measured: bool  #: steps counted on a GPU; else modelled
    #: Warp execution efficiency, 0 … 1: active lane steps over all of them, weighted by fitted costs.
    #: That of a profiler, which counts instructions, is lower.
    wee: float
    wee_error: float  #: its standard error by sampling; 0 where all warps were looked at
    makespan: float  #: last end less first start: seconds if measured, else weighted steps
    ideal_makespan: float  #: if all slots ended at the same time
    #: The makespan in seconds; modelled, one instruction for each weighted step, without memory.
    makespan_seconds: float
    candidates: int  #: pairs that the pattern "full" compares
    distance_calculations: int
    pairs: int  #: ordered pairs within epsilon, each point with itself included
    pairs_error: float  #: standard error of `pairs` by sampling; infinite where it was of one warp
    distance_calculations_error: float  #: the same of `distance_calculations`
    #: float64 of shape (4,): what a step of each loop costs (cell, search, candidate, hit).
    weights: np.ndarray


def _weights_text(weights: Any) -> str:
    if isinstance(weights, str):
        return weights
    if not np.iterable(weights):
        raise ParameterError(f"weights must be a word or four numbers, not {weights!r}")
    return ",".join(repr(number_of(value, "weights")) for value in weights)


def load(
    X: Any,
    eps: float,
    *,
    kernel: str = "pairs",
    sample_warps: int = 0,
    seed: int = 1,
    machine: str = "H200",
    weights: Any = "fitted",
    index_dims: Any = "all",
    backend: str = "auto",
    strategy: Optional[Strategy] = None,
    device: Optional[int] = None,
    n_jobs: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Load:
    """The load of every warp of a GPU in the join of X with itself: modelled, or measured where the
    backend is a GPU.

    Without a strategy the kernel looked at is GPUCALCGLOBAL, as in `clusterloom-cli load`: one
    thread a point, every adjacent cell, queries in the order of their bins, all dimensions indexed
    (8 at most), without REORDER, SORTIDU and SHORTC.

    Parameters
    ----------
    X : array of shape (n, dimensions)
    eps : float
        The radius, in the units of the coordinates.
    kernel : {"pairs", "counts"}
        Whether the kernel writes pairs or counts neighbours.
    sample_warps : int
        The number of warps to sample; 0 takes all of small clouds, and of large ones as many as
        take about a second.
    seed : int
        Of the sample.
    machine : str
        The GPU that is modelled: "H200", "A100", "Titan-X", "tiny" and so on, or multiprocessors x
        warps of each (x streams), as in "8x4" and "8x4x2"; "@" and a clock in GHz may follow, as in
        "8x4@1.5".
    weights : {"fitted", "unit"} or sequence of four numbers
        What a step costs: as fitted to measured warps, 1 for each, or these for a step of cell,
        search, candidate and hit.
    index_dims : int, "auto" or "all"
        How many dimensions the grid indexes; "all" takes 8 at most.
    backend, strategy, device, n_jobs, progress
        As in `radius_join`.

    Returns
    -------
    Load
        Its `warps` are a structured array with the fields number, batch, first_ticket, tickets
        (the warp serves point_of_ticket[first_ticket : first_ticket + tickets]), steps and
        lane_steps (uint64 of shape (4,), by loop: cell, search, candidate, hit), longest_lane and
        shortest_lane (candidates), start and end (seconds or weighted steps), multiprocessor, slot,
        cycles.

    Raises
    ------
    ValueError, MemoryError, RuntimeError
        As `radius_join`.

    References
    ----------
    [Gallet 2019, §III]: workload, warp execution efficiency, work queue.

    Examples
    --------
    >>> import numpy as np
    >>> found = load(np.random.default_rng(1).random((1000, 2)), 0.05, backend="cpu")
    >>> len(found.warps), found.measured
    (32, False)
    """
    eps = number_of(eps, "eps")
    points = points_of(X)
    if isinstance(index_dims, str) and index_dims == "all":
        named = {"index_dims", "index-dims"}.intersection(
            strategy if isinstance(strategy, Mapping) else {}
        )
        index_dims = "auto" if named else max(1, min(points.shape[1], 8))
    engine = engine_for(
        EngineChoice(backend, n_jobs, device, strategy, index_dims), for_load=True
    )
    found = engine.load(
        points,
        eps,
        word_of(kernel, "kernel"),
        integer_of(sample_warps, "sample_warps", 0),
        integer_of(seed, "seed", 0, 2**64 - 1),
        word_of(machine, "machine"),
        _weights_text(weights),
        progress,
    )
    warps = np.asarray(found["warps"]).view(np.dtype(_engine.warp_fields()))
    rest = {name: found[name] for name in Load._fields if name in found and name != "warps"}
    rest["point_of_ticket"] = np.asarray(found["point_of_ticket"])
    rest["weights"] = np.array(found["weights"])
    return Load(warps=warps, **rest)
