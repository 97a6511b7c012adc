"""What an installed wheel must do where nothing but numpy and scikit-learn is: called by
packaging/check-wheel. Needs no other file."""

import importlib.util
import platform

import numpy as np
import sklearn
import sklearn.cluster
import sklearn.neighbors

import clusterloom


def main() -> None:
    assert importlib.util.find_spec("matplotlib") is None, "this root is not bare"
    draw = np.random.default_rng(5)
    for dims in (1, 2, 3, 5, 20):
        X = np.concatenate([draw.normal(c, 0.5, (2000, dims)) for c in (0, 4)])
        eps = 0.3 * dims**0.5
        ours = clusterloom.DBSCAN(eps, min_samples=8).fit(X)
        theirs = sklearn.cluster.DBSCAN(eps=eps, min_samples=8).fit(X)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
        hierarchy = clusterloom.Hierarchy(X, 8)
        np.testing.assert_array_equal(hierarchy.labels(eps), ours.labels_)
        tree = sklearn.neighbors.NearestNeighbors(n_neighbors=5).fit(X)
        np.testing.assert_allclose(clusterloom.knn(X, 5)[0], tree.kneighbors(X)[0], atol=1e-6)
        assert clusterloom.HDBSCAN(20, copy=True).fit(X).n_clusters_ >= 1
    try:
        hierarchy.curve().plot()
    except ImportError as error:
        assert "pip install matplotlib" in str(error)
    else:
        raise AssertionError("a picture without matplotlib")
    print(
        f"clusterloom {clusterloom.__version__} ({', '.join(clusterloom.backends())}), "
        f"Python {platform.python_version()}, glibc {platform.libc_ver()[1]}, "
        f"numpy {np.__version__}, scikit-learn {sklearn.__version__}: labels equal"
    )


if __name__ == "__main__":
    main()
