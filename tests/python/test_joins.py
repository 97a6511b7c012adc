"""Joins, nearest neighbours and the load of warps against comparisons of all points with all."""

import numpy as np
import oracle
import pytest
import scipy.sparse
import sklearn.neighbors

import clusterloom

CLOUDS = [
    (oracle.lattice(1, 300, 1, 60), 1.0),
    (oracle.lattice(2, 400, 2, 20), 1.0),
    (oracle.blobs(3, 400, 3), 1.5),
    (oracle.blobs(4, 200, 9), 5.0),
]


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("X, eps", [*CLOUDS, (oracle.blobs(5, 200, 150), 17.5)])
def test_every_output(X, eps, two, order):
    Y = X[:150] + 0.5 if two else None
    near = oracle.within(X, eps, Y)
    array = np.asarray(X, order=order)
    other = None if Y is None else np.asarray(Y, order=order)

    counts = clusterloom.radius_join(array, eps, other)
    np.testing.assert_array_equal(counts, near.sum(axis=1))
    assert counts.dtype == np.uint32
    pairs = clusterloom.radius_join(array, eps, other, output="pairs")
    np.testing.assert_array_equal(pairs, np.argwhere(near))
    assert pairs.dtype == np.int32 and pairs.shape[1] == 2
    table = clusterloom.radius_join(array, eps, other, output="table")
    np.testing.assert_array_equal(np.diff(table.indptr), near.sum(axis=1))
    np.testing.assert_array_equal(table.indices, np.argwhere(near)[:, 1])
    csr = clusterloom.radius_join(array, eps, other, output="csr")
    assert scipy.sparse.issparse(csr) and csr.shape == near.shape and csr.dtype == bool
    np.testing.assert_array_equal(csr.toarray(), near)
    histogram = clusterloom.radius_join(array, eps, other, output="histogram", bins=7)
    assert histogram.upper[-1] == eps and len(histogram.pairs) == 7
    for i, upper in enumerate(histogram.upper):
        assert histogram.pairs[: i + 1].sum() == oracle.within(X, upper, Y).sum()


@pytest.mark.parametrize("strategy", [{"pattern": "lid-unicomp"}, {"method": "r-tree"}])
def test_strategies_of_joins(strategy):
    X, eps = CLOUDS[2]
    expected = clusterloom.radius_join(X, eps, output="pairs")
    found = clusterloom.radius_join(
        X, eps, output="pairs", backend="cpu", strategy=strategy, n_jobs=1
    )
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("output", ["counts", "pairs", "table", "csr", "histogram"])
def test_what_was_done(output):
    X, eps = CLOUDS[1]
    result, run = clusterloom.radius_join(X, eps, output=output, backend="cpu", return_run=True)
    alone = clusterloom.radius_join(X, eps, output=output, backend="cpu")
    assert type(result) is type(alone)
    assert run["backend"] == "cpu" and run["seconds"]["join"] > 0
    assert run["batch_model"] == []  # no batches on a CPU to learn from
    assert run["passes"] == [] and run["query_sets"] == []  # nor anything to share


def test_a_shared_join_says_what_the_model_predicted():
    X = np.random.default_rng(3).random((100_000, 2))
    try:
        _, run = clusterloom.radius_join(
            X, 0.01, backend="hybrid", strategy={"division": "queries"}, return_run=True
        )
    except RuntimeError as error:
        pytest.skip(f"no device: {error}")
    (shared,) = run["passes"]
    assert shared["division"] == "queries" and shared["queries"] == len(X)
    assert 0 <= shared["predicted_gpu_share"] <= 1
    model = shared["model"]
    assert model["predicted_seconds"] > 0
    assert model["measured_seconds"] == max(shared["gpu_seconds"], shared["cpu_seconds"])


def test_batches_on_a_gpu_are_predicted(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    X = np.random.default_rng(3).random((200_000, 2))
    models = []
    for _ in range(4):
        try:
            _, run = clusterloom.radius_join(
                X, 0.01, output="pairs", backend="cuda", return_run=True
            )
        except RuntimeError as error:
            pytest.skip(f"no device: {error}")
        models += run["batch_model"]
    assert (tmp_path / "clusterloom" / "batch-runs").is_file()
    for model in models:  # none where the batches cost no more than the noise
        assert model["join"] == "pairs"
        assert model["measured_join_seconds"] > 0
        terms = (
            model["t1_seconds"] * model["workload_ratio"]
            + model["theta_seconds"] * model["batches"]
            + model["t2_seconds"] * model["streams"]
        )
        assert model["predicted_join_seconds"] == pytest.approx(terms)


def test_no_pairs_between_clouds():
    X, Y = np.zeros((3, 2)), np.ones((2, 2))
    assert clusterloom.radius_join(X, 0.5, Y).tolist() == [0, 0, 0]
    assert clusterloom.radius_join(X, 0.5, Y, output="pairs").shape == (0, 2)
    assert clusterloom.radius_join(X, 0.5, Y, output="csr").nnz == 0


@pytest.mark.parametrize(
    "X, options, words",
    [
        (np.empty((0, 2)), {}, "no points"),
        (np.empty((2, 0)), {}, "no dimensions"),
        ([[1.0, np.nan]], {}, "Point 0 has a coordinate in dimension 1 that is not a finite"),
        ([1.0, 2.0], {}, "reshape"),
        ([["a"]], {}, "numbers, not of texts"),
        ([[1.0 + 2.0j]], {}, "complex"),
        (scipy.sparse.eye(3).tocsr(), {}, "sparse"),
        ([[0.0]], {"output": "everything"}, "counts, pairs, table, csr, histogram"),
        ([[0.0]], {"output": "histogram", "bins": 0}, "bins"),
        ([[0.0]], {"Y": [[0.0, 1.0]]}, "dimension"),
        ([[0.0]], {"Y": np.empty((0, 1))}, "no points"),
        ([[0.0]], {"eps": -1.0}, "eps must be"),
    ],
)
def test_bad_calls(X, options, words):
    with pytest.raises(ValueError, match=words):
        clusterloom.radius_join(X, **{"eps": 1.0, **options})


def test_pairs_that_do_not_fit_are_refused_at_once():
    X = np.zeros((2_000_000, 1))  # 4e12 pairs
    with pytest.raises(MemoryError, match="pairs|memory"):
        clusterloom.radius_join(X, 1.0, output="pairs")


@pytest.mark.parametrize("X, eps", CLOUDS)
def test_nearest_neighbours(X, eps):
    squared = oracle.squared_distances(X)
    n = len(X)
    squared[np.arange(n), np.arange(n)] = -1  # the point itself comes first
    k = 6
    order = np.lexsort((np.broadcast_to(np.arange(n), (n, n)), squared), axis=1)[:, :k]
    distances, ids = clusterloom.knn(X, k)
    np.testing.assert_array_equal(ids, order)
    expected = np.sqrt(np.maximum(np.take_along_axis(squared, order, axis=1), 0))
    np.testing.assert_array_equal(distances, expected)
    assert distances.dtype == np.float64 and ids.dtype == np.int32


@pytest.mark.parametrize("X, eps", CLOUDS)
def test_nearest_neighbours_in_another_cloud(X, eps):
    Y = np.concatenate([X[::3] + 0.25, X[:50], X[:50]])  # with points of X, and twice
    squared = oracle.squared_distances(X, Y)
    for k in (1, 5, 64, 65, min(200, len(Y))):
        order = np.argsort(squared, axis=1, kind="stable")[:, :k]
        distances, ids = clusterloom.knn(X, k, Y)
        np.testing.assert_array_equal(ids, order)
        expected = np.sqrt(np.take_along_axis(squared, order, axis=1))
        np.testing.assert_array_equal(distances, expected)
    few = clusterloom.knn(X[:1], 2, X[:2])[1]
    assert few.tolist() == [[0, 1]]


@pytest.mark.parametrize("X, eps", CLOUDS)
@pytest.mark.parametrize("two", [False, True])
def test_distances_of_pairs(X, eps, two):
    Y = X[::2] + 0.125 if two else None
    found = clusterloom.radius_join(X, eps, Y, output="csr", distances=True)
    plain = clusterloom.radius_join(X, eps, Y, output="csr")
    assert found.dtype == np.float64 and found.has_sorted_indices and found.shape == plain.shape
    np.testing.assert_array_equal(found.indices, plain.indices)
    np.testing.assert_array_equal(found.indptr, plain.indptr)
    rows = np.repeat(np.arange(len(X)), np.diff(found.indptr))
    expected = np.sqrt(oracle.squared_distances(X, Y)[rows, found.indices])
    np.testing.assert_array_equal(found.data, expected)
    theirs = sklearn.neighbors.NearestNeighbors(radius=eps, algorithm="brute").fit(
        X if Y is None else Y
    )
    graph = theirs.radius_neighbors_graph(X, mode="distance")
    np.testing.assert_allclose(found.toarray(), graph.toarray(), atol=1e-6)


def test_distances_are_refused_for_other_results():
    for options in ({}, {"output": "table"}, {"output": "csr", "metric": "cosine"}):
        with pytest.raises(ValueError, match="distances are for"):
            clusterloom.radius_join([[1.0, 2.0]], 0.5, distances=True, **options)
    with pytest.raises(ValueError, match="distances are for"):
        clusterloom.radius_join([[1.0]], 0.5, output="csr", distances=True, period=10)


def test_many_nearest_neighbours():
    X = oracle.blobs(5, 300, 3)
    all_ids = clusterloom.knn(X, 300, backend="cpu")[1]
    np.testing.assert_array_equal(all_ids[:, :64], clusterloom.knn(X, 64)[1])
    np.testing.assert_array_equal(np.sort(all_ids, axis=1), np.tile(np.arange(300), (300, 1)))


def test_nearest_neighbours_refuse():
    for k in (0, 1025, 4):
        with pytest.raises(ValueError):
            clusterloom.knn(np.zeros((3, 2)) if k == 4 else np.zeros((100, 2)), k)
    with pytest.raises(ValueError, match="abacus"):
        clusterloom.knn([[1.0, 2.0]], 1, backend="abacus")
    with pytest.raises(ValueError, match="runs on no GPU"):
        clusterloom.knn([[1.0, 2.0]], 1, backend="cpu", device=0)
    Y = np.zeros((100, 2))
    with pytest.raises(ValueError, match="1024"):
        clusterloom.knn([[1.0, 2.0]], 1025, np.zeros((2000, 2)))
    with pytest.raises(ValueError, match="only .* point"):
        clusterloom.knn(Y, 2, [[1.0, 2.0]])
    with pytest.raises(ValueError, match="dimensions"):
        clusterloom.knn([[1.0]], 1, Y)
    with pytest.raises((ValueError, RuntimeError), match="cuda"):
        clusterloom.knn(Y, 1, Y, backend="cuda")
    distances, ids = clusterloom.knn([[1.0, 2.0]], 1)
    assert distances.tolist() == [[0.0]] and ids.tolist() == [[0]]


def test_load_of_every_warp():
    X = np.random.default_rng(1).exponential(1, (2000, 2))
    found = clusterloom.load(X, 0.05, backend="cpu", index_dims=2)
    assert found.all_warps == len(found.warps) == (2000 + 31) // 32 and not found.measured
    assert found.pairs == oracle.within(X, 0.05).sum()
    assert found.warps["tickets"].sum() == 2000
    assert sorted(found.point_of_ticket.tolist()) == list(range(2000))
    steps, lanes = found.warps["steps"], found.warps["lane_steps"]
    assert steps.shape == (len(found.warps), 4) and (lanes <= 32 * steps).all()
    # The candidates of the pattern "full" are what its lanes examine in the candidate loop.
    assert lanes[:, 2].sum() == found.candidates == found.distance_calculations
    assert 0 < found.wee < 1 and found.makespan >= found.ideal_makespan
    assert found.warps["end"].max() - found.warps["start"].min() == found.makespan
    queue = clusterloom.load(X, 0.05, backend="cpu", index_dims=2, strategy={"order": "work-queue"})
    assert queue.wee > found.wee
    sampled = clusterloom.load(X, 0.05, backend="cpu", sample_warps=10, kernel="counts")
    assert len(sampled.warps) == 10 and sampled.all_warps == found.all_warps
    assert sampled.wee_error > 0
    assert sampled.pairs_error > 0 and sampled.distance_calculations_error > 0
    assert found.pairs_error == 0 and found.distance_calculations_error == 0
    with pytest.raises(ValueError, match="'pairs' or 'counts'"):
        clusterloom.load(X, 0.05, kernel="both")


def test_a_load_without_a_strategy_is_gpucalcglobal():
    # Reordering would take the widest dimensions first, and more than 8 are not indexed.
    X = np.random.default_rng(2).exponential(1, (400, 9)) * np.arange(1, 10)
    names = ["reorder", "sort_idu", "short_circuit"]
    bare = clusterloom.load(X, 2.0, backend="cpu")
    off = {"pattern": "full", "order": "bins", **dict.fromkeys(names, False)}
    named = clusterloom.load(X, 2.0, backend="cpu", index_dims=8, strategy=off)
    for field in bare.warps.dtype.names:
        np.testing.assert_array_equal(bare.warps[field], named.warps[field])
    np.testing.assert_array_equal(bare.point_of_ticket, named.point_of_ticket)
    on = clusterloom.load(X, 2.0, backend="cpu", strategy=dict.fromkeys(names, True))
    assert on.point_of_ticket.tolist() != bare.point_of_ticket.tolist()
    for asked in ({"index_dims": 3}, {"strategy": {"index_dims": 3}}):
        some = clusterloom.load(X, 2.0, backend="cpu", **asked)
        assert some.candidates > bare.candidates
