#!/usr/bin/env python3
"""Makes the golden results beside it: small clouds and what scikit-learn's HDBSCAN says of them.

Mutual reachability gives several edges the same weight (the core distance of a point), and the
order in which scikit-learn removes them depends on its sort. A case is written only where twenty
random orders of equal weights give the same labels and probabilities. Needs numpy and scikit-learn 1.9; run it as
`python3 make_hdbscan.py`.

A file NAME.golden is text, numbers in C hexadecimal:

    points N dims D min_pts M min_cluster_size S select eom|leaves single 0|1
    X1 ... XD LABEL PROBABILITY    (N lines)
"""

import pathlib

import numpy as np
from sklearn.cluster import HDBSCAN
from sklearn.cluster._hdbscan._linkage import make_single_linkage, mst_from_data_matrix
from sklearn.cluster._hdbscan._tree import tree_to_labels
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import NearestNeighbors

HERE = pathlib.Path(__file__).resolve().parent
NOISE = -1


def renamed(labels):
    """Numbers clusters by their lowest point."""
    names = {}
    return np.array([NOISE if label < 0 else names.setdefault(label, len(names)) for label in labels])


def order_matters(points, min_pts, size, method, single):
    """Whether the order of equal weights changes labels or probabilities."""
    random = np.random.default_rng(0)
    core = NearestNeighbors(n_neighbors=min_pts).fit(points).kneighbors(points)[0][:, -1]
    tree = mst_from_data_matrix(points, np.ascontiguousarray(core), DistanceMetric.get_metric("euclidean"))
    seen = set()
    for _ in range(20):
        shuffled = tree[random.permutation(len(tree))]
        ascending = shuffled[np.argsort(shuffled["distance"], kind="stable")]
        linkage = make_single_linkage(np.ascontiguousarray(ascending))
        labels, probabilities = tree_to_labels(linkage, size, method, single, 0.0, None)[:2]
        seen.add(renamed(labels).tobytes() + np.asarray(probabilities).tobytes())
    return len(seen) > 1


def blobs(random, points, dims, centres, spread):
    middle = random.uniform(-10, 10, (centres, dims))
    sizes = random.multinomial(points - points // 10, random.dirichlet(np.full(centres, 3.0)))
    parts = [middle[i] + random.normal(0, spread * random.uniform(0.3, 1.5), (sizes[i], dims)) for i in range(centres)]
    parts.append(random.uniform(-12, 12, (points // 10, dims)))
    cloud = np.concatenate(parts)
    random.shuffle(cloud)
    return np.ascontiguousarray(cloud)


def main():
    wanted = [  # points, dims, min_pts, min_cluster_size, method, single
        (120, 1, 4, 8, "eom", False),
        (200, 2, 5, 5, "eom", False),
        (200, 2, 5, 5, "leaf", False),
        (300, 2, 1, 10, "eom", False),
        (300, 2, 2, 2, "eom", False),
        (300, 3, 8, 20, "eom", False),
        (300, 3, 8, 20, "leaf", False),
        (300, 3, 3, 12, "eom", True),
        (250, 2, 6, 100, "eom", True),
        (250, 2, 6, 140, "eom", False),
        (200, 10, 5, 10, "eom", False),
        (150, 40, 4, 6, "leaf", False),
        (1000, 2, 10, 25, "eom", False),
    ]
    for number, (points, dims, min_pts, size, method, single) in enumerate(wanted):
        for seed in range(200):
            random = np.random.default_rng(1000 * number + seed)
            cloud = blobs(random, points, dims, 5, 1.0)
            if not order_matters(cloud, min_pts, size, method, single):
                break
        else:
            print(f"no cloud for case {number}")
            continue
        found = HDBSCAN(min_samples=min_pts, min_cluster_size=size, cluster_selection_method=method,
                        allow_single_cluster=single, algorithm="kd_tree", copy=True).fit(cloud)
        select = "eom" if method == "eom" else "leaves"
        name = f"{points}x{dims}_m{min_pts}_s{size}_{select}{'_single' if single else ''}"
        with open(HERE / f"{name}.golden", "w") as out:
            out.write(f"points {points} dims {dims} min_pts {min_pts} min_cluster_size {size} "
                      f"select {select} single {int(single)}\n")
            for row, label, probability in zip(cloud, renamed(found.labels_), found.probabilities_):
                out.write(" ".join([x.hex() for x in row.tolist()] + [str(label), float(probability).hex()]) + "\n")
        print(name, "seed", seed, "clusters", found.labels_.max() + 1, "noise", int((found.labels_ < 0).sum()))


main()
