"""Many clouds in one run against each of them on its own."""

import numpy as np
import oracle
import pytest
import sklearn.cluster

import clusterloom


def one_by_one(X, groups, eps, min_samples, weights=None, fit=None):
    """Labels and core flags of a loop over the groups; clusters of all are numbered by their
    lowest core points."""
    labels, core = np.full(len(X), -1), np.zeros(len(X), dtype=bool)
    clusters = 0
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        if fit is None:
            model = sklearn.cluster.DBSCAN(eps=eps, min_samples=min_samples)
        else:
            model = fit
        model.fit(X[rows], sample_weight=None if weights is None else weights[rows])
        core[rows[model.core_sample_indices_]] = True
        found = model.labels_
        labels[rows] = np.where(found >= 0, found + clusters, -1)
        clusters += found.max() + 1
    firsts = labels[np.flatnonzero(core)]
    order = firsts[np.sort(np.unique(firsts, return_index=True)[1])]
    number = np.empty(clusters + 1, dtype=int)
    number[order], number[-1] = np.arange(clusters), -1
    return number[labels], np.flatnonzero(core)


class Unordered:
    """As the NA of pandas: a comparison with it has no truth value."""

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("ambiguous")


@pytest.mark.parametrize("dims, groups", [(1, 3), (2, 40), (3, 1), (5, 60)])
@pytest.mark.parametrize("weighted", [False, True])
def test_labels_are_those_of_a_loop(dims, groups, weighted):
    draw = np.random.default_rng(dims)
    X = oracle.lattice(dims, 900, dims, 6)
    of = draw.integers(0, groups, len(X)) * 7 - 3
    weights = draw.integers(0, 8, len(X)) / 4 if weighted else None
    labels, core = one_by_one(X, of, 1.0, 3, weights)
    model = clusterloom.DBSCAN(1.0, 3).fit_many(X, of, sample_weight=weights)
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_array_equal(model.core_sample_indices_, core)
    np.testing.assert_array_equal(model.components_, X[core])
    assert model.n_clusters_ == labels.max() + 1
    assert model.labels_.dtype == np.int32


def test_a_sequence_of_clouds():
    clouds = [oracle.blobs(seed, size, 3) for seed, size in ((1, 300), (2, 1), (3, 80))]
    clouds.insert(1, np.empty((0, 3)))
    groups = np.repeat(range(4), [len(cloud) for cloud in clouds])
    together = clusterloom.DBSCAN(1.2, 4).fit_many(np.concatenate(clouds), groups)
    apart = clusterloom.DBSCAN(1.2, 4).fit_many(clouds)
    np.testing.assert_array_equal(apart.labels_, together.labels_)
    assert apart.n_clusters_ > 1


@pytest.mark.parametrize(
    "groups",
    [
        ["oak", "ash", "oak", "ash"],
        [2.5, np.nan, 2.5, np.nan],
        np.array([1, "1", 1, "1"], dtype=object),
        np.array(["oak", None, "oak", np.nan], dtype=object),
        np.array(["2024-01-01", "2024-01-02"] * 2, dtype="datetime64[D]"),
        [True, False, True, False],
        np.array([True, Unordered(), True, Unordered()], dtype=object),
    ],
)
def test_values_of_every_kind(groups):
    X = [[0.0], [0.1], [0.2], [0.3]]
    assert clusterloom.DBSCAN(0.5, 2).fit_many(X, groups).labels_.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("period", [6.0, np.array(6.0), [6.0, None]])
def test_periodic_boxes(period):
    X = oracle.lattice(5, 400, 2, 60) / 10
    groups = np.random.default_rng(5).integers(0, 12, len(X))
    model = clusterloom.DBSCAN(0.5, 3, period=period)
    labels, _ = one_by_one(X, groups, 0.5, 3, fit=clusterloom.DBSCAN(0.5, 3, period=period))
    np.testing.assert_array_equal(model.fit_many(X, groups).labels_, labels)
    assert (labels != one_by_one(X, groups, 0.5, 3)[0]).any()


def test_what_is_refused():
    X = np.zeros((3, 2))
    for groups in ([1, 2], [[1], [2], [3]], 5):
        with pytest.raises(ValueError, match="groups must have the shape"):
            clusterloom.DBSCAN().fit_many(X, groups)
    for other in ({"metric": "manhattan"}, {"metric": "cosine"}, {"eps": 1e200}):
        with pytest.raises(ValueError, match="Euclidean"):
            clusterloom.DBSCAN(**other).fit_many(X, [1, 2, 3])
    with pytest.raises(ValueError):
        clusterloom.DBSCAN().fit_many([])
    with pytest.raises(ValueError, match=r"X\[2\] has 3 columns, and X\[0\] has 2"):
        clusterloom.DBSCAN().fit_many([X, X, np.zeros((4, 3))])
    with pytest.raises(ValueError, match="NaN"):
        clusterloom.DBSCAN().fit_many([[np.nan], [0.0]], [0, 1])
    masked = np.ma.array([1, 2, 3], mask=[0, 1, 0])
    with pytest.raises(ValueError, match="masked"):
        clusterloom.DBSCAN().fit_many(X, masked)
    with pytest.raises(ValueError, match="2 are needed, 1 given"):
        clusterloom.DBSCAN(period=[9.0]).fit_many(X, [1, 2, 3])
    with pytest.raises(ValueError, match="4,096"):
        clusterloom.DBSCAN().fit_many(np.zeros((3, 4096)), [1, 2, 3])

    class Table(list):
        columns = ["x", "y"]

    with pytest.raises(ValueError, match="one table"):
        clusterloom.DBSCAN().fit_many(Table(X.tolist()))
    model = clusterloom.DBSCAN().fit_many(X, [1, 2, 3])
    with pytest.raises(ValueError, match="fit_many"):
        model.predict(X)
    assert model.fit(X).predict(X).shape == (3,)
