"""DBSCAN and radius joins of Dask arrays, on the cluster that Dask runs on.

Space is cut into cells, which are dealt to blocks of about as many points. Each block gets its
points and those within 2 eps of its cells and is clustered on its own; then the clusters of all
blocks are merged. Labels are those of `clusterloom.DBSCAN` for the whole array, element by element.
All of this is tasks that Dask moves, spills, and runs again when a worker dies. No worker holds
more than the chunks and blocks that it works on.

X is read three times: for a sample, to count the points of cells, and to send points to their
blocks. `X.persist()` saves two of them where the cluster has the memory. Workers need clusterloom.
"""

import uuid
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

try:
    import dask
    import dask.array as da
    from dask.delayed import delayed
    from dask.highlevelgraph import HighLevelGraph
except ModuleNotFoundError as error:
    if error.name is None or error.name.split(".")[0] != "dask":
        raise
    raise ModuleNotFoundError(
        "clusterloom.dask needs dask, which is not installed: pip install 'dask[array]'",
        name=error.name,
    ) from None
from sklearn.base import BaseEstimator, ClusterMixin

from . import _block_tasks as tasks
from . import _engine
from ._estimators import DBSCAN as _InMemory
from ._options import (
    EngineChoice,
    ParameterError,
    Strategy,
    engine_for,
    integer_of,
    number_of,
    refuse_kinds,
    threads_of,
    word_of,
)
from ._scikit_learn import check_parameters, euclidean

__all__ = ["DBSCAN", "radius_join"]

# Points of a block, where the number of blocks is not given.
_FEWEST_POINTS, _MOST_POINTS = 100_000, 4_000_000
_MOST_BLOCKS = 65_534
# The most blocks for which space is cut finely enough.
_MOST_CUT = 512
_SAMPLED_CHUNKS, _SAMPLED_ROWS = 64, 2**18
_TALLIES_AT_ONCE = 16


class DBSCAN(ClusterMixin, BaseEstimator):
    """Exact DBSCAN of a Dask array. Labels equal those of `clusterloom.DBSCAN`, and so those of
    scikit-learn, for the whole array, element by element.

    Parameters
    ----------
    eps : float, default 0.5
        The radius of the neighbourhood, in the units of the coordinates.
    min_samples : int, default 5
        Neighbours within eps, the point itself included, that make a point core.
    metric : {"euclidean"}
        Others are refused.
    blocks : int, optional
        How many blocks there are. By default a block has about as many points as the largest chunk,
        but 100,000 to 4,000,000. A worker needs about 100 + 32 * dimensions bytes for each point
        that a block holds.
    n_jobs : int, default 1
        Threads of a task. Dask runs as many tasks at once as its workers have threads.
    index_dims, backend, strategy, device
        As of `clusterloom.DBSCAN`.

    Attributes
    ----------
    labels_ : dask.array.Array of int32 and shape (n,)
        0, 1, … for clusters, in the order of their lowest core points; -1 for noise. It has the
        chunks of X and stays in the memory of the cluster.
    core_sample_indices_ : dask.array.Array of int64
        The rows of the core points, ascending. How many there are is known when it is computed.
    n_clusters_ : int
    block_sizes_ : int64 array of shape (blocks, 2)
        The points of each block, and an upper bound of the others that it holds.
    n_features_in_ : int

    Examples
    --------
    >>> import dask.array as da
    >>> X = da.from_array(np.array([[0.0], [0.1], [5.0], [5.1], [9.0]]), chunks=(2, 1))
    >>> labels = DBSCAN(eps=0.5, min_samples=2).fit_predict(X)
    >>> labels.chunks
    ((2, 2, 1),)
    >>> labels.compute().tolist()
    [0, 0, 1, 1, -1]
    """

    _parameter_constraints: Dict[str, Any] = {
        name: _InMemory._parameter_constraints[name]
        for name in ("eps", "min_samples", "n_jobs", "index_dims", "backend", "strategy", "device")
    }

    def __init__(
        self,
        eps: float = 0.5,
        min_samples: int = 5,
        *,
        metric: str = "euclidean",
        blocks: Optional[int] = None,
        n_jobs: Optional[int] = 1,
        index_dims: Any = "auto",
        backend: str = "auto",
        strategy: Optional[Strategy] = None,
        device: Optional[int] = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.blocks = blocks
        self.n_jobs = n_jobs
        self.index_dims = index_dims
        self.backend = backend
        self.strategy = strategy
        self.device = device

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "DBSCAN":
        """Clusters the rows of X. Returns when the clusters are merged; labels may still be on
        their way into the memory of the cluster.

        Parameters
        ----------
        X : dask.array.Array or dask.dataframe.DataFrame of shape (n, dimensions)
            In chunks of any sizes, known or not. Coordinates are converted to float64.
        y
            Not used.
        sample_weight : dask.array.Array or dask.dataframe.Series of shape (n,), optional
            A point is then core when the weights of all points within eps, its own included, sum to
            at least min_samples; see `clusterloom.DBSCAN`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For X without rows, values that are not finite, parameters out of range.
        MemoryError
            When a block does not fit into the memory of its worker.
        RuntimeError
            When X has other values when it is read again.

        Notes
        -----
        Labels equal those of `clusterloom.DBSCAN` where the square of eps is finite, and in at most
        4,096 dimensions; Clusterloom refuses others here. X should have at most some hundred
        chunks: there is a task for each chunk and block.
        """
        check_parameters(self)
        if not euclidean(self.metric, None):
            raise ValueError(
                f"clusterloom.dask computes Euclidean distances only, not metric={self.metric!r}; "
                "clusterloom.DBSCAN knows others, for arrays in memory"
            )
        how = tasks.How(
            float(self.eps),
            min(int(self.min_samples), 2**62),
            self.backend,
            threads_of(self.n_jobs),
            self.device,
            self.strategy,
            self.index_dims,
        )
        rows = _rows_of(X, sample_weight)
        plan = _plan(rows, how, self.blocks)
        self.labels_, self._core, clusters = dask.persist(
            *_clusters(rows, plan, how), optimize_graph=False  # all tasks are needed
        )
        self.n_clusters_ = int(clusters.compute()[0])
        self.block_sizes_ = plan.sizes
        self.n_features_in_ = rows.points.shape[1]
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Clusters the rows of X and returns `labels_`."""
        return self.fit(X, sample_weight=sample_weight).labels_

    @property
    def core_sample_indices_(self) -> Any:
        return da.flatnonzero(self._core)


def radius_join(
    X: Any,
    eps: float,
    *,
    output: str = "counts",
    blocks: Optional[int] = None,
    n_jobs: Optional[int] = 1,
    index_dims: Any = "auto",
    backend: str = "auto",
    strategy: Optional[Strategy] = None,
    device: Optional[int] = None,
) -> Any:
    """All neighbours within eps of each row of a Dask array, the row itself included, as
    `clusterloom.radius_join`. Space is divided at once; the result is computed when it is asked
    for.

    Parameters
    ----------
    X : dask.array.Array or dask.dataframe.DataFrame of shape (n, dimensions)
        In chunks of any sizes, known or not. Coordinates are converted to float64.
    eps : float
        The radius, in the units of the coordinates.
    output : {"counts", "pairs"}
        What is returned, see below.
    blocks, n_jobs, index_dims, backend, strategy, device
        As of `DBSCAN`. The strategy is checked, but has no effect: blocks are joined by the
        default.

    Returns
    -------
    "counts" : dask.array.Array of uint32 and shape (n,)
        Neighbours of each row, in the chunks of X.
    "pairs" : dask.array.Array of int64 and shape (pairs, 2)
        Rows (p, q). Each chunk has the pairs of the points p of a block, in ascending order. They
        are counted at once, so that the shape is known.

    Raises
    ------
    ValueError, MemoryError, RuntimeError
        As `DBSCAN.fit`.

    Examples
    --------
    >>> import dask.array as da
    >>> X = da.from_array(np.array([[0.0], [0.3], [1.0]]), chunks=(2, 1))
    >>> radius_join(X, 0.5).compute().tolist()
    [2, 2, 1]
    >>> radius_join(X, 0.5, output="pairs").compute().tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]]
    """
    if word_of(output, "output") not in ("counts", "pairs"):
        raise ValueError(f"output must be counts or pairs, not {output!r}")
    how = tasks.How(
        number_of(eps, "eps"), 1, backend, threads_of(n_jobs), device, strategy, index_dims
    )
    rows = _rows_of(X, None)
    plan = _plan(rows, how, blocks)
    return _counts(rows, plan, how) if output == "counts" else _pairs(rows, plan, how)


@dataclass(frozen=True)
class _Rows:
    """The points of a call, and their weights or None, in chunks of the same rows."""

    points: Any
    weights: Any

    @property
    def arrays(self) -> List[Any]:
        return [self.points] if self.weights is None else [self.points, self.weights]

    def delayed(self) -> List[Tuple[Any, Any]]:
        """What computes points and weights of each chunk."""
        points = self.points.to_delayed().ravel()
        weights = [None] * len(points) if self.weights is None else self.weights.to_delayed()
        return list(zip(points, weights))

    def keys(self) -> List[Tuple[Any, Any]]:
        """The same by the keys of `arrays`."""
        points = [of_columns[0] for of_columns in self.points.__dask_keys__()]
        weights = [None] * len(points) if self.weights is None else self.weights.__dask_keys__()
        return list(zip(points, weights))


def _rows_of(X: Any, sample_weight: Any) -> _Rows:
    points = _array_of(X, "X", ("points", "dimensions"))
    if points.numblocks[1] != 1:
        points = points.rechunk({1: -1})
    if sample_weight is None:
        return _Rows(points, None)
    weights = _array_of(sample_weight, "sample_weight", ("points",))
    known = not any(np.isnan(size) for size in (*weights.chunks[0], *points.chunks[0]))
    if known and weights.shape[0] != points.shape[0]:
        raise ValueError(
            f"sample_weight has {weights.shape[0]} values for {points.shape[0]} points"
        )
    if known:
        weights = weights.rechunk((points.chunks[0],))
    elif weights.numblocks[0] != points.numblocks[0]:
        raise ValueError("sample_weight needs the chunks of X where their sizes are not known")
    return _Rows(points, weights)


def _array_of(X: Any, name: str, axes: Tuple[str, ...]) -> Any:
    if hasattr(X, "to_dask_array"):
        X = X.to_dask_array()
    if not isinstance(X, da.Array):
        raise ParameterError(
            f"{name} must be an array or a data frame of Dask, not {type(X).__name__}; "
            "clusterloom.DBSCAN takes arrays in memory"
        )
    refuse_kinds(X, name)
    refuse_kinds(X._meta, name)  # a masked array
    if X.ndim != len(axes):
        raise ValueError(f"{name} must have the axes {', '.join(axes)}, not the shape {X.shape}")
    return X


@dataclass(frozen=True)
class _Plan:
    """How the points are divided."""

    division: "_engine.Division"
    sizes: np.ndarray  # of each block: its points, and an upper bound of its halo
    rows: Tuple[int, ...]  # of each chunk
    checksums: List[int]  # of each chunk's values


def _plan(rows: _Rows, how: tasks.How, blocks: Optional[int]) -> _Plan:
    if blocks is not None:
        blocks = integer_of(blocks, "blocks", 1, _MOST_BLOCKS)
    _refuse_bad_calls(np.zeros((1, rows.points.shape[1])), how)
    division = _cut(rows, how, blocks)
    found = _tally(rows, division, how)
    points = int(found.rows.sum())
    if points == 0:
        raise ValueError("X is an array with 0 sample(s), while a minimum of 1 is required")
    if rows.weights is not None and not found.weighted:
        raise ValueError("sample_weight is zero for all points: none can be core")
    _refuse_bad_calls(np.stack([found.low, found.high]), how)
    if blocks is None:
        blocks = _blocks_for(points, int(found.rows.max()))
    sizes = [np.asarray(size, np.int64) for size in division.deal(found.counts, blocks)]
    rows_of_chunks, checksums = tuple(found.rows.tolist()), found.checksums.tolist()
    return _Plan(division, np.stack(sizes, axis=1), rows_of_chunks, checksums)


def _refuse_bad_calls(points: np.ndarray, how: tasks.How) -> None:
    """What the engine refuses for the corners of all points, it refuses for them. Whether a worker
    has the backend, and the strategy fits it, the worker says."""
    engine_for(EngineChoice("cpu", 1)).dbscan(points, how.eps, how.min_samples, None, None)


def _blocks_for(points: int, largest_chunk: int) -> int:
    of_block = min(max(largest_chunk, _FEWEST_POINTS), _MOST_POINTS)
    return min(_MOST_BLOCKS, -(-points // of_block))


def _cut(rows: _Rows, how: tasks.How, blocks: Optional[int]) -> "_engine.Division":
    """Cuts space into cells, by a sample."""
    chunks = [points for points, _ in rows.delayed()]
    some = np.unique(np.linspace(0, len(chunks) - 1, _SAMPLED_CHUNKS).astype(int))
    most = -(-_SAMPLED_ROWS // len(some))
    found = dask.compute(*[delayed(tasks.sample)(chunks[i], most) for i in some])
    sizes = [size for size, _ in found]
    if blocks is None:
        blocks = _blocks_for(int(np.mean(sizes) * len(chunks)) + 1, max(sizes))
    sample = np.concatenate([points for _, points in found])
    return _engine.Division(sample, how.eps, min(blocks, _MOST_CUT))


def _tally(rows: _Rows, division: "_engine.Division", how: tasks.How) -> tasks.Tally:
    shared = delayed(division)
    parts = [
        delayed(tasks.tally)(points, weights, number, shared, how.threads)
        for number, (points, weights) in enumerate(rows.delayed())
    ]
    while len(parts) > 1:
        parts = [
            delayed(tasks.add_tallies)(parts[i : i + _TALLIES_AT_ONCE])
            for i in range(0, len(parts), _TALLIES_AT_ONCE)
        ]
    return dask.compute(parts[0])[0]


class _Graph:
    """The tasks of a call by their keys, from the chunks of the points to the pieces of blocks."""

    def __init__(self, rows: _Rows, plan: _Plan, how: tasks.How) -> None:
        self.chunks, self.blocks = range(len(plan.rows)), range(len(plan.sizes))
        self._rows = rows
        self._token = uuid.uuid4().hex
        self.tasks: Dict[Any, Any] = {self.key("division"): plan.division}
        starts = np.cumsum([0, *plan.rows]).tolist()
        for i, (points, weights) in enumerate(rows.keys()):
            scattered = self.key("scatter", i)
            self.tasks[scattered] = (
                tasks.scatter,
                points,
                weights,
                i,
                self.key("division"),
                starts[i],
                plan.checksums[i],
                len(self.blocks),
                how.threads,
            )
            for b in self.blocks:
                self.tasks[self.key("piece", i, b)] = (tasks.item, scattered, b)
            self.tasks[self.key("owners", i)] = (tasks.item, scattered, len(self.blocks))

    def key(self, name: str, *place: int) -> Tuple[Any, ...]:
        return (f"clusterloom-{name}-{self._token}", *place)

    def pieces(self, block: int) -> List[Any]:
        return [self.key("piece", i, block) for i in self.chunks]

    def gather(self, name: str) -> List[Any]:
        """Tasks for the values of each chunk's rows. Each task (name, block) gives a list of values
        of its own points, one for each chunk."""
        for b in self.blocks:
            for i in self.chunks:
                self.tasks[self.key("share", b, i)] = (tasks.item, self.key(name, b), i)
        return [
            (
                tasks.in_rows,
                self.key("owners", i),
                [self.key("share", b, i) for b in self.blocks],
            )
            for i in self.chunks
        ]

    def array(self, name: str, last: Sequence[Any], chunks: Tuple[Any, ...], dtype: Any) -> Any:
        """An array of which these tasks compute the chunks, which follow each other along the first
        dimension."""
        (below,) = self.key("tasks")
        (name,) = self.key(name)
        graph = HighLevelGraph.from_collections(below, self.tasks, self._rows.arrays)
        others = (0,) * (len(chunks) - 1)
        layer = {(name, i, *others): task for i, task in enumerate(last)}
        whole = HighLevelGraph(
            {**graph.layers, name: layer}, {**graph.dependencies, name: {below}}
        )
        return da.Array(whole, name, chunks=chunks, dtype=dtype)


def _clusters(rows: _Rows, plan: _Plan, how: tasks.How) -> Tuple[Any, Any, Any]:
    """Labels, whether each row is core, and the number of clusters."""
    graph = _Graph(rows, plan, how)
    merged = graph.key("merged")
    for b in graph.blocks:
        block, numbers = graph.key("block", b), graph.key("numbers", b)
        graph.tasks[block] = (tasks.cluster, graph.pieces(b), how)
        graph.tasks[graph.key("found", b)] = (tasks.item, block, 0)
        graph.tasks[graph.key("rest", b)] = (tasks.item, block, 1)
        graph.tasks[numbers] = (tasks.item, merged, b)
        graph.tasks[graph.key("labelled", b)] = (tasks.relabel, graph.key("rest", b), numbers)
    graph.tasks[merged] = (tasks.merge, [graph.key("found", b) for b in graph.blocks])
    results = [graph.key("result", i) for i in graph.chunks]
    graph.tasks.update(zip(results, graph.gather("labelled")))
    labels = [(tasks.field, result, "label") for result in results]
    core = [(tasks.field, result, "core") for result in results]
    return (
        graph.array("labels", labels, (plan.rows,), np.int32),
        graph.array("core", core, (plan.rows,), bool),
        graph.array("clusters", [(tasks.item, merged, len(graph.blocks))], ((1,),), np.int64),
    )


def _counts(rows: _Rows, plan: _Plan, how: tasks.How) -> Any:
    graph = _Graph(rows, plan, how)
    for b in graph.blocks:
        graph.tasks[graph.key("counted", b)] = (tasks.count, graph.pieces(b), how)
    return graph.array("counts", graph.gather("counted"), (plan.rows,), np.uint32)


def _pairs(rows: _Rows, plan: _Plan, how: tasks.How) -> Any:
    graph = _Graph(rows, plan, how)
    counted = [(tasks.count_pairs, graph.pieces(b), how) for b in graph.blocks]
    sizes = graph.array("sizes", counted, ((1,) * len(counted),), np.int64).compute()
    joined = [(tasks.join, graph.pieces(b), how) for b in graph.blocks]
    return graph.array("pairs", joined, (tuple(sizes.tolist()), (2,)), np.int64)
