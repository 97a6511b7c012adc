"""clusterloom.dask against clusterloom in one process: results element by element."""

import contextlib
import doctest
import os
import signal
import time

import numpy as np
import oracle
import pytest
from sklearn.base import clone

dask = pytest.importorskip("dask", reason="dask is not installed: pip install 'dask[array]'")
import dask.array as da  # noqa: E402

import clusterloom  # noqa: E402
import clusterloom.dask  # noqa: E402
from clusterloom import _block_tasks  # noqa: E402


def centres(draw, dims):
    return 10 * draw.random((5, dims))


#: Clouds that have broken grids, sums or labels before.
KINDS = {
    "uniform": lambda draw, n, d: 10 * draw.random((n, d)),
    "blobs": lambda draw, n, d: KINDS["duplicates"](draw, n, d) + draw.normal(0, 0.4, (n, d)),
    "lattice": lambda draw, n, d: draw.integers(0, 12 if d < 3 else 4, (n, d)).astype(float),
    "tenths": lambda draw, n, d: draw.integers(0, 12 if d < 3 else 4, (n, d)) * 0.1 - 0.5,
    "duplicates": lambda draw, n, d: centres(draw, d)[draw.integers(0, 5, n)],
    "two places": lambda draw, n, d: centres(draw, d)[draw.integers(0, 2, n)],
    "offset": lambda draw, n, d: 5.4e6 + np.round(draw.normal(0, 2, (n, d)), 3),
    "collinear": lambda draw, n, d: draw.random((n, 1)) * centres(draw, d)[0],
    "far eighths": lambda draw, n, d: 1e15 + draw.integers(0, 24, (n, d)) * 0.125,
    "tiny": lambda draw, n, d: draw.integers(0, 12, (n, d)) * 1e-150,
    "wide": lambda draw, n, d: draw.choice([-1, 1], (n, d)) * 10 ** (16 * draw.random((n, d)) - 8),
    "outliers": lambda draw, n, d: np.where(
        draw.random((n, d)) < 0.02, 1e38 * draw.normal(0, 1, (n, d)), draw.normal(5, 0.4, (n, d))
    ),
    "log-normal": lambda draw, n, d: np.exp(10 * draw.normal(0, 1, (n, d))),
}


def eps_for(draw, X):
    """Mostly the distance of two points, or one of its neighbours among the doubles."""
    p = draw.integers(len(X))
    others = draw.integers(0, len(X), 2 ** draw.integers(0, 8))
    squares = oracle.squared_distances(X[p : p + 1], X[others])[0]
    squares = squares[(squares > 1e-300) & (squares < 1e300)]
    eps = np.sqrt(squares.min()) if len(squares) else 1.0
    return [eps, np.nextafter(eps, 0), np.nextafter(eps, np.inf), 1.3 * eps][draw.integers(4)]


def cuts(draw, n, parts):
    """Sizes of chunks, of which some may be empty."""
    ends = np.sort(draw.integers(0, n + 1, parts - 1))
    return tuple(int(size) for size in np.diff([0, *ends, n]))


def chunked(draw, X, parts=4):
    return da.from_array(X, chunks=(cuts(draw, len(X), parts), X.shape[1]))


def check(X, array, eps, min_samples, blocks, weights=None):
    """The labels of `array` are those of X."""
    expected = clusterloom.DBSCAN(eps, min_samples).fit(X, sample_weight=weights)
    if weights is not None:
        weights = da.from_array(weights, chunks=37)
    model = clusterloom.dask.DBSCAN(eps, min_samples, blocks=blocks)
    model.fit(array, sample_weight=weights)
    assert model.labels_.chunks == (array.chunks[0],)
    assert model.labels_.dtype == np.int32
    np.testing.assert_array_equal(model.labels_.compute(), expected.labels_)
    np.testing.assert_array_equal(
        model.core_sample_indices_.compute(), expected.core_sample_indices_
    )
    assert model.n_clusters_ == expected.n_clusters_
    assert model.block_sizes_[:, 0].sum() == len(X)
    return model


@pytest.fixture(autouse=True)
def scheduler():
    with dask.config.set(scheduler="threads"):
        yield


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_clouds_get_the_labels_of_one_run(kind):
    divided = 0
    for seed in range(4):
        draw = np.random.default_rng([seed, list(KINDS).index(kind)])
        dims = int(draw.integers(1, 5))
        X = KINDS[kind](draw, int(draw.integers(1, 500)), dims)
        array = chunked(draw, X, int(draw.integers(1, 6)))
        eps, blocks = eps_for(draw, X), int(draw.integers(2, 9))
        model = check(X, array, eps, int(draw.integers(1, 8)), blocks)
        divided += (model.block_sizes_[:, 0] > 0).sum() > 1
    assert divided > 0 or kind in ("two places", "wide", "tiny")


@pytest.mark.parametrize("step", [1.0, 0.1, 0.3, 1e-7])
def test_lattices_across_borders(step):
    draw = np.random.default_rng(3)
    X = np.stack(np.meshgrid(np.arange(40.0), np.arange(40.0)), axis=-1).reshape(-1, 2) * step
    X = X[draw.random(len(X)) < 0.75]
    for eps in (step, np.nextafter(step, 0), 1.5 * step):
        for min_samples in (1, 3, 5):
            model = check(X, chunked(draw, X), eps, min_samples, 6)
            assert (model.block_sizes_ > 0).all()


def test_a_cell_heavier_than_a_block_leaves_others_empty():
    i = np.arange(3000)
    heavy = i % 6 != 0
    X = np.stack([np.where(heavy, 5.0, i * 0.01), np.where(heavy, 5.0, (i % 97) * 0.3)], axis=1)
    model = check(X, da.from_array(X, chunks=(700, 2)), 0.5, 5, 10)
    assert (model.block_sizes_[:, 0] == 0).any() and (model.block_sizes_[:, 0] > 0).sum() > 1


def test_one_cluster_through_all_blocks():
    t = np.arange(5000) * 1777 % 5000 * 0.01  # neighbours are in other chunks
    X = np.stack([t * np.cos(t), t * np.sin(t)], axis=1)
    model = check(X, da.from_array(X, chunks=(900, 2)), 0.6, 2, 20)
    assert model.n_clusters_ == 1 and (model.block_sizes_[:, 0] > 0).sum() > 10


def test_border_points_take_the_lowest_final_number():
    for seed in range(15):
        draw = np.random.default_rng(seed)
        steps = []
        while len(steps) < 300:
            steps += [0.5] * int(draw.integers(3, 30)) + [1.0, 1.0]  # between them a border point
        X = draw.permutation(np.cumsum(steps)).reshape(-1, 1)
        model = check(X, chunked(draw, X), 1.0, 4, int(draw.integers(2, 12)))
        assert model.n_clusters_ > 5


@pytest.mark.parametrize("eps", [20.0, 1e6, 1e150])
def test_eps_beyond_the_extent(eps):
    X = np.random.default_rng(1).random((300, 2)) * 10
    for min_samples in (1, 300, 301):
        check(X, da.from_array(X, chunks=(80, 2)), eps, min_samples, 6)


@pytest.mark.parametrize("least", [0, -12])
def test_weights(least):
    """Tenths, so that the order of sums matters; negative ones make points core that lack
    neighbours."""
    for seed, kind in enumerate(("uniform", "blobs", "lattice", "duplicates") * 3):
        draw = np.random.default_rng(seed)
        X = KINDS[kind](draw, 400, int(draw.integers(1, 4)))
        weights = draw.integers(least, least + 40, len(X)) * 0.1
        check(X, chunked(draw, X), eps_for(draw, X), int(draw.integers(1, 9)), 5, weights)


def test_points_of_a_halo_that_lack_a_negative_weight():
    """The third point of each group is core only where the fifth one is not seen: it would make one
    cluster of the second and the fourth."""
    places = np.array([0.0, 0.8, 1.7, 1.95, 2.5, 2.9])
    for seed in range(5):
        draw = np.random.default_rng(seed)
        starts = np.cumsum(draw.uniform(4, 8, 300))
        X = np.add.outer(starts, places).reshape(-1, 1)
        weights = np.tile([0.0, 10, 0, 10, -30, 50], 300)
        order = draw.permutation(len(X))
        model = check(X[order], chunked(draw, X[order]), 1.0, 5, 40, weights[order])
        assert model.n_clusters_ == 600


def test_few_points():
    for min_samples, label in ((1, 0), (2, -1)):
        X = np.array([[3.0, 4.0]])
        model = check(X, da.from_array(X), 0.5, min_samples, 5)
        assert model.labels_.compute().tolist() == [label]
    with pytest.raises(ValueError, match="0 sample"):
        clusterloom.dask.DBSCAN().fit(da.empty((0, 2)))


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int64, np.uint8, bool])
def test_other_types_are_converted_exactly(kind):
    X = np.random.default_rng(2).random((600, 3)) * 7
    X = X.astype(kind)
    eps = 0.6 if np.dtype(kind).kind == "f" else 1.0
    check(X, da.from_array(X, chunks=(250, 2)), eps, 5, 4)


def test_the_default_number_of_blocks():
    X = np.random.default_rng(2).random((350_000, 2))
    model = check(X, da.from_array(X, chunks=(100_000, 2)), 0.002, 5, None)
    assert len(model.block_sizes_) == 4
    model = check(X[:1000], da.from_array(X[:1000], chunks=(100, 2)), 0.02, 5, None)
    assert len(model.block_sizes_) == 1


def test_no_task_holds_more_than_its_block(monkeypatch):
    sizes = []
    block_of = _block_tasks._block_of
    monkeypatch.setattr(
        _block_tasks,
        "_block_of",
        lambda pieces: sizes.append(sum(len(piece[1]) for piece in pieces)) or block_of(pieces),
    )
    X = np.random.default_rng(2).random((20_000, 2))
    with dask.config.set(scheduler="synchronous"):
        model = check(X, da.from_array(X, chunks=(3000, 2)), 0.01, 5, 8)
    assert len(sizes) == 8 and max(sizes) < len(X) / 4
    for size, most in zip(sorted(sizes), sorted(model.block_sizes_.sum(axis=1))):
        assert size <= most


def test_sizes_of_chunks_need_not_be_known():
    X = np.random.default_rng(4).random((2000, 2))
    array = da.from_array(X, chunks=(300, 2))
    array = array[array[:, 0] > 0.3]
    assert np.isnan(array.chunks[0]).all()
    rest = X[X[:, 0] > 0.3]
    labels = clusterloom.dask.DBSCAN(0.03, 4, blocks=5).fit_predict(array)
    assert labels.shape == (len(rest),) and labels.numblocks == array.numblocks[:1]
    np.testing.assert_array_equal(
        labels.compute(), clusterloom.DBSCAN(0.03, 4).fit_predict(rest)
    )
    weights = da.where(array[:, 1] > 0.5, 2.0, 1.0)
    weighted = clusterloom.dask.DBSCAN(0.03, 6, blocks=5).fit(array, sample_weight=weights)
    expected = clusterloom.DBSCAN(0.03, 6)
    expected.fit(rest, sample_weight=np.where(rest[:, 1] > 0.5, 2.0, 1.0))
    np.testing.assert_array_equal(weighted.labels_.compute(), expected.labels_)


def test_data_frames():
    frames = pytest.importorskip("dask.dataframe", reason="dask.dataframe is not installed")
    import pandas

    X = np.random.default_rng(4).random((2000, 2))
    frame = frames.from_pandas(pandas.DataFrame(X, columns=["x", "y"]), npartitions=3)
    labels = clusterloom.dask.DBSCAN(0.03, 4, blocks=5).fit_predict(frame)
    np.testing.assert_array_equal(labels.compute(), clusterloom.DBSCAN(0.03, 4).fit_predict(X))


def test_zarr(tmp_path):
    pytest.importorskip("zarr", reason="zarr is not installed")
    X = np.random.default_rng(4).random((2000, 2))
    da.to_zarr(da.from_array(X, chunks=(300, 2)), str(tmp_path / "points.zarr"))
    array = da.from_zarr(str(tmp_path / "points.zarr"))
    check(X, array, 0.03, 4, 5)


def test_hdf5(tmp_path):
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    X = np.random.default_rng(4).random((2000, 2))
    with h5py.File(tmp_path / "points.h5", "w") as file:
        file["points"] = X
        check(X, da.from_array(file["points"], chunks=(300, 2)), 0.03, 4, 5)


@pytest.mark.parametrize("kind", ["uniform", "lattice", "duplicates", "offset"])
def test_radius_join(kind):
    for seed in range(4):
        draw = np.random.default_rng(seed)
        X = KINDS[kind](draw, 300, int(draw.integers(1, 4)))
        eps, array = eps_for(draw, X), chunked(draw, X)
        counts = clusterloom.dask.radius_join(array, eps, blocks=5)
        assert counts.chunks == (array.chunks[0],)
        np.testing.assert_array_equal(counts.compute(), clusterloom.radius_join(X, eps))
        pairs = clusterloom.dask.radius_join(array, eps, output="pairs", blocks=5)
        expected = clusterloom.radius_join(X, eps, output="pairs")
        assert pairs.shape == expected.shape
        found = pairs.compute()
        np.testing.assert_array_equal(found[np.lexsort(found.T[::-1])], expected)


def test_options_of_the_engine():
    X = oracle.blobs(7, 500, 3)
    array = da.from_array(X, chunks=(200, 3))
    expected = clusterloom.DBSCAN(1.2, 5).fit_predict(X)
    for options in (
        {"backend": "cpu", "index_dims": 2, "n_jobs": 2},
        {"strategy": {"pattern": "unicomp", "dense_cells": False}, "n_jobs": None},
    ):
        model = clusterloom.dask.DBSCAN(1.2, 5, blocks=4, **options)
        assert clone(model).get_params() == model.get_params()
        np.testing.assert_array_equal(model.fit_predict(array).compute(), expected)


def broken(X, at, value):
    X = X.copy()
    X[at] = value
    return X


GOOD = np.arange(20.0).reshape(10, 2)


@pytest.mark.parametrize(
    "X, options, weights, words",
    [
        (GOOD, {}, None, "must be an array or a data frame of Dask, not ndarray"),
        (da.from_array(GOOD[:, 0], 3), {}, None, "axes points, dimensions, not the shape"),
        (da.from_array(broken(GOOD, (7, 1), np.nan), (4, 2)), {}, None, "row 3 of chunk 1"),
        (da.from_array(broken(GOOD, (0, 0), np.inf), (4, 2)), {}, None, "row 0 of chunk 0"),
        (da.from_array(np.array([[-1e308], [1e308]]), (1, 1)), {}, None, "too large for a double"),
        (da.from_array(GOOD.astype("M8[s]"), 3), {}, None, "dates or times"),
        (da.from_array(np.ma.masked_equal(GOOD, 3), 3), {}, None, "masked array"),
        (da.from_array(GOOD + 1j, (3, 2)), {}, None, "complex"),
        (da.from_array(GOOD, 3), {"metric": "manhattan"}, None, "Euclidean distances only"),
        (da.from_array(GOOD, 3), {"eps": 0}, None, "'eps' parameter of DBSCAN"),
        (da.from_array(GOOD, 3), {"eps": 1e200}, None, "eps"),
        (da.from_array(GOOD, 3), {"min_samples": 0}, None, "'min_samples' parameter of DBSCAN"),
        (da.from_array(GOOD, 3), {"blocks": 0}, None, "blocks must be from 1 to"),
        (da.from_array(GOOD, 3), {"backend": "abacus"}, None, "abacus"),
        (da.from_array(GOOD, 3), {"strategy": {"pattern": "x"}}, None, "full, unicomp"),
        (da.from_array(GOOD, 3), {}, np.ones(10), "sample_weight must be an array"),
        (da.from_array(GOOD, 3), {}, da.ones(9), "9 values for 10 points"),
        (da.from_array(GOOD, 3), {}, da.zeros(10), "zero for all points"),
        (da.from_array(GOOD, 3), {}, da.full(10, np.nan), "sample_weight contains NaN"),
    ],
)
def test_bad_calls(X, options, weights, words):
    with pytest.raises(ValueError, match=words):
        clusterloom.dask.DBSCAN(**options).fit(X, sample_weight=weights).labels_.compute()


def test_bad_joins():
    X = da.from_array(GOOD, 3)
    for call in ({"eps": -1}, {"eps": 1, "output": "table"}, {"eps": "far"}):
        with pytest.raises(ValueError):
            clusterloom.dask.radius_join(X, **call)


def test_an_array_that_changes_is_refused():
    reads = []

    def chunk(block_id=None):
        reads.append(block_id)
        return np.random.default_rng(len(reads)).random((50, 2))

    X = da.map_blocks(chunk, chunks=((50, 50), (2,)), dtype=float, meta=np.empty((0, 2)))
    with pytest.raises(RuntimeError, match="has changed while it was read"):
        with dask.config.set(scheduler="synchronous"):
            clusterloom.dask.DBSCAN(0.1, 3, blocks=2).fit(X)


def test_examples_of_docstrings():
    found = doctest.testmod(clusterloom.dask)
    assert found.attempted > 0 and found.failed == 0


# On clusters of processes.


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.Client(
        n_workers=1,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        local_directory=str(tmp_path_factory.mktemp("cluster")),
        memory_limit=0,
    ) as client:
        yield client


@contextlib.contextmanager
def cluster(client, workers):
    """Work goes to this number of workers. Each imports for seconds, so the tests share them."""
    client.cluster.scale(workers)
    end = time.monotonic() + 240
    while len(client.scheduler_info()["workers"]) != workers:
        assert time.monotonic() < end, "the cluster has another number of workers"
        time.sleep(0.05)
    with dask.config.set(scheduler="dask.distributed"):
        yield


CHUNKS, ROWS = 6, 4000


def chunk_of(place):
    draw = np.random.default_rng(place)
    clump = draw.normal(3 + place, 0.4, (ROWS // 2, 2))
    return np.concatenate([clump, draw.random((ROWS // 2, 2)) * 12])


def read_chunk(folder, fatal, block_id=None):
    """A chunk, as from a file. The worker that reads the chunk `fatal` a third time dies."""
    place = block_id[0]
    reads = len([name for name in os.listdir(folder) if name.startswith(f"{place}-")])
    open(os.path.join(folder, f"{place}-{reads}-{os.getpid()}-{time.time_ns()}"), "w").close()
    if place == fatal and reads == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return chunk_of(place)


def array_in(folder, fatal=-1):
    return da.map_blocks(
        read_chunk,
        str(folder),
        fatal,
        chunks=((ROWS,) * CHUNKS, (2,)),
        dtype=float,
        meta=np.empty((0, 2)),
    )


@pytest.fixture(scope="module")
def expected():
    X = np.concatenate([chunk_of(place) for place in range(CHUNKS)])
    return clusterloom.DBSCAN(0.08, 8).fit_predict(X)


@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_workers(workers, tmp_path, client, expected):
    futures_of = pytest.importorskip("distributed").futures_of
    (tmp_path / "reads").mkdir()
    with cluster(client, workers):
        model = clusterloom.dask.DBSCAN(0.08, 8, blocks=7).fit(array_in(tmp_path / "reads"))
        assert len(futures_of(model.labels_)) == CHUNKS  # the workers have them
        np.testing.assert_array_equal(model.labels_.compute(), expected)
        assert model.n_clusters_ == expected.max() + 1
        counts = clusterloom.dask.radius_join(array_in(tmp_path / "reads"), 0.08, blocks=4)
        assert int(counts.min().compute()) == 1


def test_a_worker_that_dies_while_points_are_sent(tmp_path, client, expected):
    reads = tmp_path / "reads"
    reads.mkdir()
    fatal = CHUNKS - 1
    with cluster(client, 2):
        model = clusterloom.dask.DBSCAN(0.08, 8, blocks=7).fit(array_in(reads, fatal))
        np.testing.assert_array_equal(model.labels_.compute(), expected)
    assert len([name for name in os.listdir(reads) if name.startswith(f"{fatal}-")]) > 3


def test_a_worker_that_dies_with_its_labels(tmp_path, client, expected):
    wait = pytest.importorskip("distributed").wait
    reads = tmp_path / "reads"
    reads.mkdir()
    with cluster(client, 2):
        model = clusterloom.dask.DBSCAN(0.08, 8, blocks=7).fit(array_in(reads))
        wait(model.labels_)
        before = len(os.listdir(reads))
        holder = next(iter(client.who_has(model.labels_).values()))[0]
        os.kill(client.run(os.getpid, workers=[holder])[holder], signal.SIGKILL)
        np.testing.assert_array_equal(model.labels_.compute(), expected)
        assert len(os.listdir(reads)) > before  # computed again


@pytest.mark.parametrize("strategy", [{"pattern": "unicomp"}, {"method": "r-tree"}])
def test_joins_take_the_strategies_of_one_cloud(strategy):
    X = oracle.blobs(7, 500, 3)
    array = da.from_array(X, chunks=(200, 3))
    how = {"blocks": 4, "backend": "cpu", "strategy": strategy}
    np.testing.assert_array_equal(
        clusterloom.dask.radius_join(array, 1.2, **how).compute(), clusterloom.radius_join(X, 1.2)
    )
    pairs = clusterloom.dask.radius_join(array, 1.2, output="pairs", **how).compute()
    assert len(pairs) == clusterloom.radius_join(X, 1.2).sum()
    with pytest.raises(ValueError, match="unicompp"):
        how["strategy"] = {"pattern": "unicompp"}
        clusterloom.dask.radius_join(array, 1.2, **how).compute()
