"""Points and weights in every container: the results of the same numbers as an array of float64."""

import warnings

import numpy as np
import oracle
import pytest

import clusterloom
from clusterloom.compat import hdbscan

X = np.round(oracle.blobs(5, 240, 3), 2).astype(np.float32).astype(np.float64)  # exact in both
MODELS = {
    "DBSCAN": lambda: clusterloom.DBSCAN(1.5, 4),
    "DBSCAN, manhattan": lambda: clusterloom.DBSCAN(2.0, 4, metric="manhattan"),
    "HDBSCAN": lambda: clusterloom.HDBSCAN(8, 4, copy=True),
    "hdbscan.HDBSCAN": lambda: hdbscan.HDBSCAN(8, 3),
}


def read_only():
    array = X.copy()
    array.flags.writeable = False
    return array


def strided():
    wide = np.full((2 * len(X), 7), np.nan)
    wide[::2, 1::2] = X
    return wide[::2, 1::2]


def misaligned():
    bytes_of = np.zeros(X.nbytes + 1, dtype=np.uint8)
    array = bytes_of[1:].view(np.float64).reshape(X.shape)
    array[:] = X
    return array


def pandas_frame(**options):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(X, columns=["a", "b", "c"], index=np.arange(len(X))[::-1], **options)


def polars_frame(kind):
    polars = pytest.importorskip("polars")
    types = {name: getattr(polars, kind) for name in "abc"}
    return polars.DataFrame({name: X[:, i] for i, name in enumerate("abc")}, schema=types)


def memory_mapped(tmp_path):
    file = tmp_path / "points.npy"
    np.save(file, X)
    return np.load(file, mmap_mode="r")


KINDS = {
    "list": lambda _: X.tolist(),
    "float32": lambda _: X.astype(np.float32),
    "big-endian": lambda _: X.astype(">f8"),
    "Fortran order": lambda _: np.asfortranarray(X),
    "strided": lambda _: strided(),
    "reversed": lambda _: X[::-1].copy()[::-1],
    "misaligned": lambda _: misaligned(),
    "read-only": lambda _: read_only(),
    "memory-mapped": memory_mapped,
    "pandas": lambda _: pandas_frame(),
    "pandas, float32": lambda _: pandas_frame(dtype=np.float32),
    "pandas, nullable": lambda _: pandas_frame().convert_dtypes(convert_integer=False),
    "polars": lambda _: polars_frame("Float64"),
    "polars, float32": lambda _: polars_frame("Float32"),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", KINDS)
def test_points_in_every_container(model, kind, tmp_path):
    data = KINDS[kind](tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        expected = MODELS[model]().fit(X)
        found = MODELS[model]().fit(data)
    assert expected.labels_.max() > 0
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    if hasattr(expected, "probabilities_"):
        np.testing.assert_array_equal(found.probabilities_, expected.probabilities_)
    if kind.startswith(("pandas", "polars")) and model != "hdbscan.HDBSCAN":
        assert found.feature_names_in_.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_weights_and_precomputed_distances_in_frames(package):
    module = pytest.importorskip(package)
    weights = np.arange(len(X)) % 3
    expected = clusterloom.DBSCAN(1.5, 4).fit_predict(X, sample_weight=weights)
    found = clusterloom.DBSCAN(1.5, 4).fit_predict(X, sample_weight=module.Series(weights))
    np.testing.assert_array_equal(found, expected)
    distances = np.sqrt(oracle.squared_distances(X))
    names = [str(i) for i in range(len(X))]
    frame = module.DataFrame({name: distances[:, i] for i, name in enumerate(names)})
    for model in (
        clusterloom.DBSCAN(1.5, 4, metric="precomputed"),
        clusterloom.HDBSCAN(8, 4, metric="precomputed", copy=True),
        hdbscan.HDBSCAN(8, 3, metric="precomputed"),
    ):
        expected = model.fit_predict(distances).copy()
        np.testing.assert_array_equal(model.fit_predict(frame), expected)


def test_numbers_of_small_types_are_parameters():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (np.float32, np.float16):
            model = clusterloom.DBSCAN(kind(1.5), 4).fit(X)
            np.testing.assert_array_equal(model.labels_, MODELS["DBSCAN"]().fit(X).labels_)
            np.testing.assert_array_equal(model.predict(X) >= 0, model.labels_ >= 0)


@pytest.mark.parametrize(
    "wrong", [[["1.5"], ["2"]], [[b"1"]], [[10**400]]], ids=["texts", "bytes", "large"]
)
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(ValueError):
        clusterloom.radius_join(wrong, 1)


def test_options_are_given_once_in_either_spelling():
    for name in ("index_dims", "index-dims"):
        with pytest.raises(ValueError, match="given twice"):
            clusterloom.radius_join(X, 1, strategy={name: 2}, index_dims=1)
