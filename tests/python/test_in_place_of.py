"""Programs as people write them for scikit-learn and hdbscan, with their import and with ours."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn import metrics
from sklearn.datasets import make_blobs
from sklearn.preprocessing import StandardScaler

import clusterloom
from clusterloom.compat import hdbscan as compat


def groups_of_three():
    centers = [[1, 1], [-1, -1], [1, -1]]
    X, truth = make_blobs(n_samples=750, centers=centers, cluster_std=0.4, random_state=0)
    return StandardScaler().fit_transform(X), truth


def scores_of(X, truth, labels):
    """What the examples of scikit-learn print about labels."""
    return (
        len(set(labels)) - (-1 in labels),
        list(labels).count(-1),
        metrics.homogeneity_score(truth, labels),
        metrics.completeness_score(truth, labels),
        metrics.v_measure_score(truth, labels),
        metrics.adjusted_rand_score(truth, labels),
        metrics.adjusted_mutual_info_score(truth, labels),
        metrics.silhouette_score(X, labels),
    )


def dbscan_program(DBSCAN):
    X, truth = groups_of_three()
    db = DBSCAN(eps=0.3, min_samples=10).fit(X)
    core = np.zeros_like(db.labels_, dtype=bool)
    core[db.core_sample_indices_] = True
    drawn = [
        X[(db.labels_ == label) & kind].tolist()
        for label in sorted(set(db.labels_))
        for kind in (core, ~core)
    ]
    found = [db.labels_.tolist(), drawn, db.components_.tolist(), scores_of(X, truth, db.labels_)]
    for scale in (1, 0.5, 3):
        found.append(DBSCAN(eps=0.3).fit(X * scale).labels_.tolist())
    return found


def test_dbscan_of_scikit_learn():
    assert dbscan_program(clusterloom.DBSCAN) == dbscan_program(sklearn.cluster.DBSCAN)


def hdbscan_program(HDBSCAN):
    centers = [[-0.85, -0.85], [-0.85, 0.85], [3, 3], [3, -3]]
    widths = [0.2, 0.35, 1.35, 1.35]
    X, _ = make_blobs(n_samples=750, centers=centers, cluster_std=widths, random_state=0)
    model = HDBSCAN(copy=True).fit(X)
    yield model.labels_
    for cut in (0.1, 0.5, 1.0):
        yield model.dbscan_clustering(cut_distance=cut)
    for options in ({"min_cluster_size": 25}, {"min_cluster_size": 20, "min_samples": 5}):
        yield HDBSCAN(copy=True, **options).fit_predict(X)


@pytest.mark.skipif(
    not hasattr(sklearn.cluster, "HDBSCAN"), reason="this scikit-learn has no HDBSCAN"
)
def test_hdbscan_of_scikit_learn():
    both = zip(hdbscan_program(clusterloom.HDBSCAN), hdbscan_program(sklearn.cluster.HDBSCAN))
    for ours, theirs in both:
        assert ours.max() == theirs.max()
        # Edges of equal weight: single points that stand alone between two clusters.
        assert np.count_nonzero((ours < 0) != (theirs < 0)) <= 2
        inside = (ours >= 0) & (theirs >= 0)
        assert metrics.adjusted_rand_score(ours[inside], theirs[inside]) == 1


def basic_program(hdbscan, seed):
    blobs, _ = make_blobs(n_samples=600, n_features=10, random_state=seed)
    clusterer = hdbscan.HDBSCAN()
    clusterer.fit(blobs)
    assert clusterer.probabilities_.min() >= 0 and clusterer.probabilities_.max() == 1
    yield clusterer.labels_
    clusterer = hdbscan.HDBSCAN(metric="manhattan")
    clusterer.fit(blobs)
    yield clusterer.labels_
    clusterer = hdbscan.HDBSCAN(metric="precomputed")
    clusterer.fit(metrics.pairwise_distances(blobs))
    yield clusterer.labels_


@pytest.mark.parametrize("seed", range(3))
def test_basic_usage_of_hdbscan(seed):
    theirs = pytest.importorskip("hdbscan", reason="the package hdbscan is not installed")
    for a, b in zip(basic_program(compat, seed), basic_program(theirs, seed)):
        pairs = set(zip(a.tolist(), b.tolist()))  # the numbers of clusters differ
        assert len(pairs) == len(set(a.tolist())) == len(set(b.tolist())) >= 2
