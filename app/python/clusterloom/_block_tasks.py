"""The tasks of DBSCAN and radius joins in blocks, as functions on arrays. What they return can be
pickled, and is the same when they run again. `clusterloom.dask` says what follows what."""

import zlib
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _engine
from ._options import EngineChoice, Strategy, doubles_of, engine_for, points_of

#: What `Division.scatter` returns: of which point, to which block, and as what.
_ENTRY = np.dtype([("point", "<u4"), ("block", "<u2"), ("place", "u1"), ("unused", "u1")])
_HALO = 2
_RESULT = np.dtype([("label", np.int32), ("core", bool)])
#: Points, their rows in the whole array, what they are to the block, and weights, if there are any.
Block = Tuple[np.ndarray, np.ndarray, np.ndarray, Optional[np.ndarray]]
#: The same of a chunk, as small as can be: with the chunk's first row, and rows counted from there.
Piece = Tuple[int, np.ndarray, np.ndarray, np.ndarray, Optional[np.ndarray]]


@dataclass(frozen=True)
class How:
    """The parameters of a call."""

    eps: float
    min_samples: int
    backend: str = "cpu"
    threads: int = 1
    device: Optional[int] = None
    strategy: Optional[Strategy] = None
    index_dims: Any = "auto"

    def engine(self) -> "_engine.Engine":
        return engine_for(
            EngineChoice(
                self.backend, self.threads or None, self.device, self.strategy, self.index_dims
            )
        )

    def joins(self) -> "_engine.Engine":
        """The same for points with others, by the default strategy: not all of them know two
        clouds, and all give the same."""
        self.engine()  # refuses wrong words
        return engine_for(
            EngineChoice(self.backend, self.threads or None, self.device, None, self.index_dims)
        )


@dataclass(frozen=True)
class Tally:
    """What is known of chunks before they are divided."""

    rows: np.ndarray  # of each chunk
    checksums: np.ndarray  # of each chunk's values
    counts: np.ndarray  # points of each cell
    low: np.ndarray  # the box of all points
    high: np.ndarray
    weighted: bool  # a weight is not zero


def sample(chunk: Any, most: int) -> Tuple[int, np.ndarray]:
    """The number of rows, and some of those that are finite."""
    points = points_of(chunk)
    some = points[np.linspace(0, len(points) - 1, min(most, len(points))).astype(np.int64)]
    return len(points), some[np.isfinite(some).all(axis=1)]


def tally(
    chunk: Any, weights: Any, number: int, division: "_engine.Division", threads: int
) -> Tally:
    """Counts the points of each cell. ValueError for values that are not finite."""
    points = points_of(chunk)
    # Column by column, which is much faster for few columns; NaN is the least and the largest.
    low = np.array([column.min(initial=np.inf) for column in points.T])
    high = np.array([column.max(initial=-np.inf) for column in points.T])
    if len(points) and not np.isfinite([low, high]).all():
        row = int(np.argmin(np.isfinite(points).all(axis=1)))
        raise ValueError(
            f"X contains NaN or infinity: in row {row} of chunk {number}, both counted from 0"
        )
    weighted = weights is not None and _weights_of(weights, len(points), number).any()
    return Tally(
        np.array([len(points)]),
        np.array([_checksum(points)]),
        np.asarray(division.counts(points, threads)),
        low,
        high,
        bool(weighted),
    )


def _checksum(points: np.ndarray) -> int:
    return zlib.crc32(np.ascontiguousarray(points))


def _weights_of(weights: Any, points: int, number: int) -> np.ndarray:
    values = doubles_of(np.reshape(weights, (-1, 1)), "sample_weight").ravel()
    if len(values) != points:
        raise ValueError(
            f"sample_weight has {len(values)} values for the {points} points of chunk {number}"
        )
    if not np.isfinite(values).all():
        raise ValueError(f"sample_weight contains NaN or infinity, in chunk {number}")
    return values


def add_tallies(parts: Sequence[Tally]) -> Tally:
    """The tally of the chunks of all parts."""
    return Tally(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.checksums for part in parts]),
        np.sum([part.counts for part in parts], axis=0, dtype=np.uint64),
        np.min([part.low for part in parts], axis=0),
        np.max([part.high for part in parts], axis=0),
        any(part.weighted for part in parts),
    )


def scatter(
    chunk: Any,
    weights: Any,
    number: int,
    division: "_engine.Division",
    start: int,
    checksum: int,
    blocks: int,
    threads: int,
) -> List[Any]:
    """The pieces of all blocks, and at the end of the list the block of each row. The chunk begins
    with row `start` of the whole array and had this checksum before. RuntimeError where it has
    changed."""
    points = points_of(chunk)
    entries = np.asarray(division.scatter(points, threads)).view(_ENTRY)
    owners = entries["block"][entries["place"] != _HALO]  # point by point
    entries = entries[np.argsort(entries["block"], kind="stable")]
    if _checksum(points) != checksum:
        raise RuntimeError(
            f"X has changed while it was read: chunk {number} has other rows than before"
        )
    values = None if weights is None else _weights_of(weights, len(points), number)
    given = np.asarray(chunk)  # of its own type, which may be smaller than float64
    ends = np.searchsorted(entries["block"], np.arange(blocks + 1, dtype=np.uint16))
    pieces: List[Any] = []
    for begin, end in zip(ends, ends[1:]):
        rows = entries["point"][begin:end].copy()
        places = entries["place"][begin:end].copy()
        of_rows = None if values is None else values[rows]
        pieces.append((start, np.take(given, rows.astype(np.intp), axis=0), rows, places, of_rows))
    return [*pieces, owners]


def item(parts: Sequence[Any], place: int) -> Any:
    """One of the results of a task."""
    return parts[place]


def _block_of(pieces: Sequence[Piece]) -> Block:
    starts, points, rows, places, weights = zip(*pieces)
    return (
        np.concatenate(points, dtype=np.float64, casting="unsafe"),
        np.concatenate([start + of.astype(np.int64) for start, of in zip(starts, rows)]),
        np.concatenate(places),
        None if weights[0] is None else np.concatenate(weights),
    )


def _ends_of_chunks(pieces: Sequence[Piece]) -> np.ndarray:
    """Where the own points of each chunk end among those of the block; without the last."""
    return np.cumsum([np.count_nonzero(places != _HALO) for *_, places, _ in pieces])[:-1]


def cluster(pieces: Sequence[Piece], how: How) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """The clusters of a block: what `merge` needs of them, and what `relabel` needs."""
    points, rows, places, weights = _block_of(pieces)
    found = _engine.cluster_block(
        how.engine(), points, rows, places, weights, how.eps, how.min_samples
    )
    rest = {name: np.asarray(values) for name, values in found.items()}
    shared = {name: rest.pop(name) for name in ("lowest", "link_ids", "link_clusters")}
    return shared, {**rest, "ends": _ends_of_chunks(pieces)}


def merge(found: Sequence[Dict[str, Any]]) -> List[np.ndarray]:
    """The final numbers of each block's clusters, and at the end how many clusters there are."""
    first = np.cumsum([0, *(len(block["lowest"]) for block in found)])
    ids = np.concatenate([block["link_ids"] for block in found])
    clusters = np.concatenate(
        [block["link_clusters"] + np.uint64(start) for block, start in zip(found, first)]
    )
    order = np.argsort(ids, kind="stable")
    numbers, count = _engine.merge_clusters(
        np.concatenate([block["lowest"] for block in found]),
        ids[order],
        clusters[order].astype(np.uint32),
    )
    return [*np.split(np.asarray(numbers), first[1:-1]), np.array([count])]


def relabel(rest: Dict[str, Any], numbers: np.ndarray) -> List[np.ndarray]:
    """Label and core flag of a block's own points, by chunk."""
    rows = np.empty(len(rest["labels"]), _RESULT)
    rows["label"] = np.asarray(
        _engine.relabel_block(
            rest["labels"], rest["choice_points"], rest["choice_clusters"], numbers
        )
    )
    rows["core"] = rest["core"]
    return np.split(rows, rest["ends"])


def field(rows: np.ndarray, name: str) -> np.ndarray:
    """Labels or core flags alone."""
    return np.ascontiguousarray(rows[name])


def _own_counts(pieces: Sequence[Piece], how: How) -> np.ndarray:
    points, _, places, _ = _block_of(pieces)
    own = places != _HALO
    if not own.any():
        return np.empty(0, np.uint32)
    return np.asarray(how.joins().counts(points[own], points, how.eps, None)["counts"])


def count(pieces: Sequence[Piece], how: How) -> List[np.ndarray]:
    """The number of neighbours of a block's own points, by chunk."""
    return np.split(_own_counts(pieces, how), _ends_of_chunks(pieces))


def count_pairs(pieces: Sequence[Piece], how: How) -> np.ndarray:
    """How many pairs `join` returns."""
    return np.array([_own_counts(pieces, how).sum(dtype=np.int64)])


def join(pieces: Sequence[Piece], how: How) -> np.ndarray:
    """The pairs of a block's own points with all points, by rows of the whole array."""
    points, rows, places, _ = _block_of(pieces)
    own = places != _HALO
    if not own.any():
        return np.empty((0, 2), np.int64)
    found = how.joins().pairs(points[own], points, how.eps, None)
    pairs = np.asarray(found["pairs"]).view(np.int32).reshape(-1, 2)
    return np.stack([rows[own][pairs[:, 0]], rows[pairs[:, 1]]], axis=1)


def in_rows(owners: np.ndarray, shares: Sequence[np.ndarray]) -> np.ndarray:
    """The values of a chunk's rows, of which each block has a share in the order of its rows."""
    place = np.empty(len(owners), np.intp)
    place[np.argsort(owners, kind="stable")] = np.arange(len(owners))
    return np.take(np.concatenate(shares), place)
