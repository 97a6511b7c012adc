"""Arrays are read where they are: results do not depend on their order, strides and type."""

import resource
import subprocess
import sys

import numpy as np
import pytest

import clusterloom
from clusterloom._options import points_of

RNG = np.random.default_rng(25)


def layouts(points, folder):
    """The same numbers in arrays of all kinds, with a name each."""
    n, d = points.shape
    yield "C", np.ascontiguousarray(points)
    yield "Fortran", np.asfortranarray(points)
    wide = np.full((2 * n, 3 * d), np.nan, dtype=points.dtype)
    wide[::2, ::3] = points
    yield "every second row and third column", wide[::2, ::3]
    yield "backwards", np.ascontiguousarray(points[::-1, ::-1])[::-1, ::-1]
    readonly = points.copy()
    readonly.flags.writeable = False
    yield "read-only", readonly
    np.save(folder / "points.npy", points)
    yield "mapped", np.load(folder / "points.npy", mmap_mode="r")
    np.save(folder / "columns.npy", np.asfortranarray(points))
    yield "mapped columns", np.load(folder / "columns.npy", mmap_mode="r")
    unaligned = np.frombuffer(b"\0" + points.tobytes(), dtype=points.dtype, offset=1)
    yield "not aligned", unaligned.reshape(n, d)
    yield "of the other byte order", points.astype(points.dtype.newbyteorder())


def results(points):
    """What the calls find that take points."""
    eps = 0.3 * np.sqrt(points.shape[1])
    model = clusterloom.DBSCAN(eps, 4).fit(points)
    weighted = clusterloom.DBSCAN(eps, 4).fit(points, sample_weight=np.ones(len(points)))
    hierarchy = clusterloom.Hierarchy(points, 4)
    hdbscan = clusterloom.HDBSCAN(8, 4, copy=True, store_centers="both").fit(points)
    distances, rows = clusterloom.knn(points, 5)
    return {
        "labels": model.labels_,
        "components": model.components_,
        "predicted": model.predict(points[:9]),
        "weighted": weighted.labels_,
        "counts": clusterloom.radius_join(points, eps),
        "pairs": clusterloom.radius_join(points, eps, output="pairs"),
        "of two": clusterloom.radius_join(points, eps, points[:20]),
        "label": clusterloom.label(points[:7], points, eps, 4),
        "distances": distances,
        "rows": rows,
        "hierarchy": hierarchy.labels(eps),
        "linkage": hierarchy.linkage(),
        "hdbscan": hdbscan.labels_,
        "probabilities": hdbscan.probabilities_,
        "centroids": hdbscan.centroids_,
        "medoids": hdbscan.medoids_,
        "predicted by hdbscan": hdbscan.predict(points[:9]),
        "memberships": hdbscan.membership_vectors(),
        "validity": clusterloom.validity(points, model.labels_).validity,
        "many": clusterloom.DBSCAN(eps, 4).fit_many(points, np.arange(len(points)) % 2).labels_,
    }


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("dims", [1, 2, 3, 20])
def test_results_are_those_of_a_copy_in_doubles(dims, dtype, tmp_path):
    centres = RNG.normal(size=(5, dims)) * 4
    points = (centres[RNG.integers(5, size=200)] + RNG.normal(size=(200, dims)) / 3).astype(dtype)
    points[20:30] = points[10:20]  # equal points
    expected = results(points.astype(np.float64))
    for name, array in layouts(points, tmp_path):
        for of, found in results(array).items():
            np.testing.assert_array_equal(found, expected[of], err_msg=f"{of}, {name}")
        np.testing.assert_array_equal(array, points, err_msg=name)


def test_ties_of_floats_are_those_of_the_same_doubles():
    points = np.stack(np.meshgrid(*[np.arange(8, dtype=np.float32) / 10] * 2), -1).reshape(-1, 2)
    assert points.dtype == np.float32
    for eps in (0.1, np.float64(np.float32(0.1)), 0.2, np.sqrt(0.02)):
        np.testing.assert_array_equal(
            clusterloom.radius_join(points, eps),
            clusterloom.radius_join(points.astype(np.float64), eps),
        )


def test_arrays_are_not_copied_or_converted(tmp_path):
    for dtype in (np.float64, np.float32):
        points = RNG.random((10, 3)).astype(dtype)
        for name, array in layouts(points, tmp_path):
            kept = points_of(array)
            copied = name in ("not aligned", "of the other byte order")
            assert np.shares_memory(kept, array) != copied, name
            if name != "of the other byte order":
                assert kept.dtype == dtype
    for other in (np.int32, np.float16, bool):
        assert points_of(np.ones((3, 2), dtype=other)).dtype == np.float64


def test_strides_of_one_row_or_column_do_not_matter():
    memory = np.zeros(200, dtype=np.uint8)
    for shape, strides in (((5, 1), (8, 3)), ((1, 5), (3, 8))):
        array = np.ndarray(shape, dtype=np.float64, buffer=memory, strides=strides)
        assert array.flags.aligned
        assert np.shares_memory(points_of(array), array)
        assert clusterloom.radius_join(array, 1).tolist() == [shape[0]] * shape[0]


def test_broadcast_arrays(tmp_path):
    row = RNG.random((1, 20)).astype(np.float32)
    for array in (np.broadcast_to(row, (30, 20)), np.broadcast_to(row.T, (20, 20))):
        assert 0 in array.strides
        expected = results(array.astype(np.float64))
        for of, found in results(array).items():
            np.testing.assert_array_equal(found, expected[of], err_msg=of)


def test_too_many_columns_are_refused_at_once():
    wide = np.zeros((2, 5_000_000), dtype=np.float32)  # a column of each would take a gigabyte
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for call in (lambda: clusterloom.radius_join(wide, 1), lambda: clusterloom.knn(wide, 1)):
        with pytest.raises(ValueError, match="has 5000000 dimensions; at most 4096 are possible"):
            call()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # KiB


def test_core_points_have_the_type_of_the_array():
    points = RNG.random((50, 2)).astype(np.float32)
    model = clusterloom.DBSCAN(0.5, 2).fit(points)
    assert model.components_.dtype == np.float32
    np.testing.assert_array_equal(model.components_, points[model.core_sample_indices_])


# 16 clumps of 1,250 points, all of which are neighbours: 12.5 million pairs, which would take 100
# MB in a list. The array has 7.7 MB.
MEMORY = """
import numpy as np, clusterloom
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
random = np.random.default_rng(1)
points = (np.repeat(np.eye(16, 96) * 50, 1250, axis=0) + random.random((20000, 96))).astype("f4")
call = {
    "dbscan": lambda X: clusterloom.DBSCAN(8, n_jobs=2).fit(X).labels_.max() + 1,
    "counts": lambda X: clusterloom.radius_join(X, 8, n_jobs=2).max() // 1250 * 16,
}["WHAT"]
call(points[:500])  # what a first call imports and starts
before = peak()
assert call(points) == 16
print((peak() - before) / points.nbytes)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("what", ["dbscan", "counts"])
def test_memory_does_not_grow_with_the_number_of_pairs(what):
    program = MEMORY.replace("WHAT", what)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) < 2.5  # rounded points are a half, core points one


@pytest.mark.parametrize("metric", ["cosine", "manhattan", "chebyshev"])
def test_metrics(metric, tmp_path):
    points = (RNG.normal(size=(150, 24)) + 2).astype(np.float32)
    doubles = points.astype(np.float64)
    eps = {"cosine": 0.1, "manhattan": 20, "chebyshev": 2}[metric]
    for name, array in layouts(points, tmp_path):
        for found, expected in (
            (m.fit_predict(X) for X in (array, doubles))
            for m in (
                clusterloom.DBSCAN(eps, 3, metric=metric),
                clusterloom.HDBSCAN(5, metric=metric, copy=True),
            )
        ):
            np.testing.assert_array_equal(found, expected, err_msg=name)
        for a, b in zip(
            clusterloom.knn(array, 4, metric=metric), clusterloom.knn(doubles, 4, metric=metric)
        ):
            np.testing.assert_array_equal(a, b, err_msg=name)


def test_one_point_and_none():
    for dtype in (np.float64, np.float32):
        one = np.ones((1, 3), dtype=dtype)
        assert clusterloom.DBSCAN(1, min_samples=1).fit_predict(one).tolist() == [0]
        assert clusterloom.knn(one, 1)[1].tolist() == [[0]]
        with pytest.raises(ValueError):
            clusterloom.radius_join(one[:0], 1)
        one[0, 1] = np.nan
        with pytest.raises(ValueError, match="NaN|finite"):
            clusterloom.radius_join(one, 1)
