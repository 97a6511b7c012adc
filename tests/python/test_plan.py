"""Forecasts, the cost of every k, and curves over min_samples and k-distances."""

import json
import os
import subprocess

import numpy as np
import oracle
import pytest

import clusterloom

CLI = os.environ.get("CLUSTERLOOM_CLI")
X = oracle.blobs(2, 600, 3)


def test_a_plan_knows_the_pairs_of_a_small_cloud():
    found = clusterloom.plan(X, 1.0, ranks=[1, 4], backend="cpu")
    join = found["join"]
    assert join["queries"] == 600 and join["pairs_error"] == 0
    assert join["seconds_are_most"] is False
    assert join["pairs"] == oracle.within(X, 1.0).sum()
    assert join["count_bytes"] == 4 * 600 and join["pair_list_bytes"] == 8 * join["pairs"]
    assert [one["ranks"] for one in found["forecasts"]] == [1, 4]
    assert [one["k"] for one in found["cost_of_k"]] == [1, 2, 3]
    assert "hierarchy" not in found
    forecast = clusterloom.plan(X, 1.0, min_samples=5, ranks=[1], backend="cpu")["hierarchy"]
    assert forecast == {"min_pts": 5, "seconds": None, "bytes": None, "peak_bytes": None}


def test_speeds_and_network_can_be_given():
    slow, fast = (
        clusterloom.plan(
            X,
            1.0,
            ranks=[2],
            network=network,
            latency=5,
            query_sets=7,
            candidates_per_second=1e6,
            points_per_second=1e7,
            backend="cpu",
        )
        for network in (0.001, 100)
    )
    assert slow["one_rank"]["candidates_per_second"] == 1e6
    assert slow["network"]["bytes_per_second"] == pytest.approx(0.001 * 1e9 / 8)
    assert slow["network"]["latency_seconds"] == pytest.approx(5e-6)
    assert slow["forecasts"][0]["replicated"]["query_sets"] == 7
    rings = [found["forecasts"][0]["ring"]["total_seconds"] for found in (slow, fast)]
    assert rings[0] > rings[1]


def test_the_command_line_says_the_same(tmp_path):
    if not CLI:
        pytest.skip("the test was not told where clusterloom-cli is")
    np.save(tmp_path / "cloud.npy", X)
    call = ["plan", "cloud.npy", "--eps", "1", "--ranks", "1,3", "--backend", "cpu", "--json"]
    done = subprocess.run([CLI, *call], cwd=tmp_path, check=True, capture_output=True)
    theirs = json.loads(done.stdout)
    ours = clusterloom.plan(X, 1.0, ranks=[1, 3], backend="cpu")
    assert set(theirs) - set(ours) == {"file", "points", "dims", "skipped", "eps", "seconds"}
    for name in ("cost_of_k", "best_k", "sampled", "candidates_per_query", "backend", "network"):
        assert ours[name] == theirs[name], name
    for name in ("pairs", "pairs_error", "candidates", "table_bytes", "seconds_are_most"):
        assert ours["join"][name] == theirs["join"][name]
    cost = clusterloom.cost_of_k(X, 1.0, backend="cpu")
    assert cost.best == theirs["best_k"]
    assert cost.total.tolist() == [one["total"] for one in theirs["cost_of_k"]]


def test_the_cost_of_every_k():
    wide = np.random.default_rng(3).random((500, 10))
    found = clusterloom.cost_of_k(wide, 0.3, backend="cpu")
    assert found.k.tolist() == list(range(1, 9)) and 0 < found.sampled <= 500
    assert sorted(found.dimension_order) == list(range(10))
    assert found.best == found.k[found.total.argmin()]
    short, whole = (
        clusterloom.cost_of_k(
            wide, 0.3, backend="cpu", strategy={"short_circuit": on, "pattern": "full"}
        )
        for on in (True, False)
    )
    assert (short.distances < whole.distances).all()


def assert_same_costs(found, expected):
    assert found.k.tolist() == expected.k.tolist() and found.sampled == expected.sampled
    # Unit vectors of NumPy differ from the engine's in the last place.
    np.testing.assert_allclose(found.cell_search, expected.cell_search, rtol=0.02)
    np.testing.assert_allclose(found.distances, expected.distances, rtol=0.02)


PATTERNS = [None, {"pattern": "full"}]


@pytest.mark.parametrize("strategy", PATTERNS)
def test_the_cost_of_every_k_by_cosine(strategy):
    options = {"backend": "cpu", "strategy": strategy}
    points = X + 3
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    found = clusterloom.cost_of_k(points, 0.01, metric="cosine", **options)
    assert_same_costs(found, clusterloom.cost_of_k(units, np.sqrt(0.02), **options))
    plain = clusterloom.cost_of_k(points, 0.01, **options)
    assert (found.distances > 1.5 * plain.distances).all()
    planned = clusterloom.plan(points, 0.01, metric="cosine", ranks=[1], backend="cpu")
    whole = clusterloom.plan(units, np.sqrt(0.02), ranks=[1], backend="cpu")
    assert planned["candidates_per_query"] == pytest.approx(whole["candidates_per_query"], 0.02)
    if strategy is None:
        assert [one["total"] for one in planned["cost_of_k"]] == found.total.tolist()
        assert planned["best_k"] == found.best


@pytest.mark.parametrize("strategy", PATTERNS)
def test_the_cost_of_every_k_on_a_sphere(strategy):
    options = {"backend": "cpu", "strategy": strategy}
    draw = np.random.default_rng(5)
    latitude, longitude = draw.uniform(-1.5, 1.5, 800), draw.uniform(-3.1, 3.1, 800)
    points = np.column_stack([latitude, longitude])
    found = clusterloom.cost_of_k(points, 0.2, metric="haversine", **options)
    across = np.cos(latitude)
    units = np.column_stack(
        [across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)]
    )
    assert_same_costs(found, clusterloom.cost_of_k(units, 2 * np.sin(0.1), **options))
    for call in (clusterloom.cost_of_k, clusterloom.plan):
        with pytest.raises(ValueError, match="two coordinates"):
            call(X, 0.2, metric="haversine", backend="cpu")
        with pytest.raises(ValueError, match="latitude"):
            call([[1.6, 0.0], [0.1, 0.0]], 0.2, metric="haversine", backend="cpu")


@pytest.mark.parametrize("strategy", PATTERNS)
def test_the_cost_of_every_k_in_a_box(strategy):
    options = {"backend": "cpu", "strategy": strategy}
    draw = np.random.default_rng(6)
    # All points lie at the faces, so that half of the neighbours are behind them.
    points = np.concatenate([draw.uniform(0, 0.1, (300, 2)), draw.uniform(9.9, 10, (300, 2))])
    moved = (points + 5) % 10  # in the middle, no face is between them
    box = clusterloom.cost_of_k(points, 0.3, period=10, **options)
    same = clusterloom.cost_of_k(moved, 0.3, period=10, **options)
    np.testing.assert_allclose(box.distances[-1], same.distances[-1], rtol=0.15)
    assert (box.distances > 1.5 * clusterloom.cost_of_k(points, 0.3, **options).distances).all()
    with pytest.raises(ValueError, match="half"):
        clusterloom.cost_of_k(points, 6, period=10, **options)


def test_there_is_no_hierarchy_on_a_sphere():
    points = [[0.1, 0.0], [0.2, 0.1]]
    with pytest.raises(ValueError, match="no hierarchies of longitude and latitude"):
        clusterloom.plan(points, 0.2, metric="haversine", min_samples=2, backend="cpu")


OF_THE_GRID = {"strategy", "cost_of_k", "best_k", "sampled", "candidates_per_query"}
OF_THE_GRID |= {"network", "one_rank", "forecasts"}


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
def test_other_metrics_have_no_cost_of_k(metric):
    found = clusterloom.plan(X, 1.0, metric=metric, min_samples=5, backend="cpu")
    pairs = clusterloom.radius_join(X, 1.0, metric=metric, backend="cpu").sum()
    assert found["join"]["pairs"] == pytest.approx(pairs) and found["join"]["seconds"] > 0
    assert found["hierarchy"]["min_pts"] == 5
    assert {name for name in found if found[name] is None} == OF_THE_GRID
    assert set(found) == set(clusterloom.plan(X, 1.0, min_samples=5, backend="cpu"))
    with pytest.raises(ValueError, match="no plan"):
        clusterloom.cost_of_k(X, 1.0, metric=metric, backend="cpu")
    with pytest.raises(ValueError, match="take no access pattern"):
        clusterloom.plan(X, 1.0, metric=metric, strategy={"pattern": "full"}, backend="cpu")


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_a_plan_of_many_dimensions(metric):
    wide = np.random.default_rng(4).normal(size=(300, 200)) + 0.5
    eps = 0.8 if metric == "cosine" else 19.0
    found = clusterloom.plan(wide, eps, metric=metric, backend="cpu")
    pairs = clusterloom.radius_join(wide, eps, metric=metric, backend="cpu").sum()
    assert 300 < pairs < 300**2 and found["join"]["pairs"] == pytest.approx(pairs)
    assert found["join"]["seconds_are_most"] is True  # products take half or all of them
    assert {name for name in found if found[name] is None} == OF_THE_GRID


def test_joins_in_a_box_have_two_clouds():
    with pytest.raises(ValueError, match="two clouds|TwoClouds|unicomp"):
        clusterloom.cost_of_k(X, 1.0, period=90, strategy={"pattern": "unicomp"}, backend="cpu")


def test_the_curve_of_min_samples():
    points = oracle.blobs(4, 160, 2)
    curve = clusterloom.min_samples_curve(points, 1.0)
    assert curve.min_samples[0] == 1 and (np.diff(curve.min_samples.astype(int)) > 0).all()
    for least in range(1, 160):
        row = np.searchsorted(curve.min_samples, least, side="right") - 1
        labels, core = oracle.dbscan(points, 1.0, least)
        assert curve.clusters[row] == labels.max(initial=-1) + 1
        assert curve.core[row] == core.sum() and curve.noise[row] == (labels < 0).sum()
    boxed = clusterloom.min_samples_curve([[0.1], [9.9], [5.0]], 0.3, period=10)
    assert boxed.min_samples.tolist() == [1, 2, 3] and boxed.clusters.tolist() == [2, 1, 0]


@pytest.mark.parametrize("k", [1, 2, 7, 64, 65, 150])
def test_k_distances(k):
    points = oracle.blobs(6, 150, 2)
    found = clusterloom.k_distances(points, k)
    squared = np.sort(np.sort(oracle.squared_distances(points), axis=1)[:, k - 1])[::-1]
    assert len(found.distances) == 150
    assert (found.distances**2 >= squared).all()  # the smallest such eps: none below it is
    assert (np.nextafter(found.distances, 0) ** 2 < squared)[squared > 0].all()
    assert (found.distances[squared == 0] == 0).all()
    assert found.whole and found.k == k
    if k > 1:
        assert found.suggested_eps in found.distances
    few = clusterloom.k_distances(points, 100, most_sampled=20)
    assert len(few.distances) <= 20 and not few.whole


@pytest.mark.parametrize("metric", ["cosine", "manhattan", "cityblock", "chebyshev"])
def test_k_distances_of_metrics(metric):
    points = oracle.blobs(6, 150, 3) + 20
    found = clusterloom.k_distances(points, 5, metric=metric)
    nearest = clusterloom.knn(points, 5, metric=metric)[0][:, 4]
    np.testing.assert_array_equal(found.distances, np.sort(nearest)[::-1])
    assert found.whole and found.suggested_eps in found.distances


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: clusterloom.plan(X, 0.0), "eps"),
        (lambda: clusterloom.plan(X, 1.0, ranks=[0]), "ranks must be from 1"),
        (lambda: clusterloom.plan(X, 1.0, ranks=3), "ranks must be a sequence"),
        (lambda: clusterloom.plan(X, 1.0, network=0), "network must be positive"),
        (lambda: clusterloom.plan(X, 1.0, latency=-1), "latency must be positive"),
        (lambda: clusterloom.plan(X, 1.0, min_samples=65), "min_samples must be from 1 to 64"),
        (lambda: clusterloom.plan(X, 1.0, points_per_second="a"), "points_per_second"),
        (lambda: clusterloom.plan([[np.nan]], 1.0), "not a finite"),
        (lambda: clusterloom.cost_of_k(X, -1.0), "eps"),
        (lambda: clusterloom.cost_of_k(np.empty((0, 2)), 1.0), "no points"),
        (lambda: clusterloom.min_samples_curve(X, np.nan), "eps"),
        (lambda: clusterloom.k_distances(X, 601), "only 600 points"),
        (lambda: clusterloom.k_distances(X, 0), "k must be from 1"),
        (lambda: clusterloom.k_distances([[np.inf]], 1), "not a finite"),
        (lambda: clusterloom.k_distances(X, 2, most_sampled=0), "most_sampled"),
        (lambda: clusterloom.k_distances(X, 2, metric="haversine"), "metric must be one of"),
        (lambda: clusterloom.k_distances([[0.0, 0.0]], 1, metric="cosine"), "no direction"),
    ],
)
def test_bad_calls(call, words):
    with pytest.raises(ValueError, match=words):
        call()
