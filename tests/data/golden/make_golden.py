#!/usr/bin/env python3
"""Makes the golden labels beside it: small clouds and what DBSCAN says of them.

Labels come from scikit-learn's DBSCAN with algorithm='kd_tree' and leaf_size = n, which tests every
pair as s <= eps*eps unless the whole cloud is within eps of a point (with smaller leaves it decides
more nodes by sqrt(s) <= eps and is wrong on some ties). Each labelling is compared with a brute force of its own here, and nothing is written
where the two differ. Needs numpy and scikit-learn; run it as `python3 make_golden.py`.

A file NAME.golden is text:

    points N dims D runs R
    run EPS MINPTS            (R lines; numbers in C hexadecimal, so that they are exact)
    X1 ... XD L1 ... LR       (N lines: coordinates in shortest round-trip decimals, a label a run)
"""

import math
import pathlib
import sys

import numpy as np
from sklearn.cluster import DBSCAN

HERE = pathlib.Path(__file__).resolve().parent
NOISE = -1


def squared_distances(points):
    """All canonical squared distances: dimensions added in order, each operation rounded."""
    n, dims = points.shape
    total = np.zeros((n, n))
    for j in range(dims):
        difference = points[:, j][:, None] - points[:, j][None, :]
        square = difference * difference
        total = total + square
    return total


def brute_force(points, eps, min_pts):
    """DBSCAN by its definition."""
    within = squared_distances(points) <= eps * eps
    core = within.sum(axis=1) >= min_pts
    labels = np.full(len(points), NOISE)
    clusters = 0
    for seed in range(len(points)):
        if not core[seed] or labels[seed] != NOISE:
            continue
        labels[seed] = clusters
        frontier = [seed]
        while frontier:
            p = frontier.pop()
            for q in np.flatnonzero(within[p] & core & (labels == NOISE)):
                labels[q] = clusters
                frontier.append(q)
        clusters += 1
    for p in np.flatnonzero(~core):
        reached = labels[within[p] & core]
        if len(reached):
            labels[p] = reached.min()
    return labels


def oracle(points, eps, min_pts):
    model = DBSCAN(eps=eps, min_samples=min_pts, algorithm="kd_tree", leaf_size=len(points))
    return model.fit(points).labels_


def tie(points, fraction):
    """A distance that some pair has, as near to it from above as a square root gets."""
    squares = np.unique(squared_distances(points))
    squares = squares[squares > 0]
    return math.sqrt(squares[int(fraction * (len(squares) - 1))])


def lattice(side, dims, step=1.0, origin=0.0):
    axes = np.meshgrid(*[np.arange(side) for _ in range(dims)], indexing="ij")
    return np.stack([a.ravel() for a in axes], axis=1) * step + origin


def holes(points, rng, share=0.3):
    """Leaves out some points and shuffles the rest, so that the cases differ."""
    return rng.permutation(points[rng.random(len(points)) > share])


def blobs(rng, n, dims, centres, spread, extent=10.0, background=0.15):
    means = rng.uniform(0, extent, (centres, dims))
    points = means[rng.integers(0, centres, n)] + rng.normal(0, spread, (n, dims))
    loose = rng.random(n) < background
    points[loose] = rng.uniform(-1, extent + 1, (int(loose.sum()), dims))
    return points


def eps_for(points, neighbours):
    """The distance at which a point has about this many neighbours."""
    ordered = np.sort(squared_distances(points), axis=1)
    return float(np.sqrt(np.median(ordered[:, min(neighbours, len(points) - 1)])))


def cases():
    rng = np.random.default_rng(20240607)

    for dims, n in [(1, 300), (2, 500), (3, 400), (4, 300), (5, 250), (6, 250), (8, 200), (12, 150),
                    (20, 120), (40, 80), (64, 60), (90, 60)]:
        points = blobs(rng, n, dims, 4, 0.35).round(3)
        yield f"blobs_{dims}d", points, [(eps_for(points, 5), 4), (eps_for(points, 12), 8),
                                         (tie(points, 0.02), 3), (tie(points, 0.3), 5)]
        points = rng.uniform(0, 100, (n // 2, dims)).round(2)
        yield f"uniform_{dims}d", points, [(eps_for(points, 4), 4), (eps_for(points, 10), 5),
                                           (tie(points, 0.1), 2)]

    points = rng.exponential(1 / 40, (500, 2))
    yield "expo_2d", points, [(0.002, 5), (0.0005, 3), (tie(points, 0.001), 2)]
    points = rng.exponential(1 / 40, (300, 6)).round(6)
    yield "expo_6d", points, [(0.012, 5), (0.03, 8)]

    points = holes(lattice(20, 2), rng)
    yield "lattice_2d", points, [(1.0, 4), (1.0, 5), (math.sqrt(2), 7), (2.0, 9), (math.sqrt(5), 14)]
    points = holes(lattice(7, 3), rng)
    yield "lattice_3d", points, [(1.0, 5), (math.sqrt(2), 12), (math.sqrt(3), 18), (2.0, 20)]
    points = holes(lattice(4, 4), rng)
    yield "lattice_4d", points, [(1.0, 6), (math.sqrt(2), 16), (math.sqrt(3), 28), (2.0, 40)]
    points = holes(lattice(200, 1, 0.1), rng)
    yield "tenths_1d", points, [(0.1, 2), (0.1, 3), (0.2, 4), (0.3, 5), (0.7, 9)]
    points = holes(lattice(22, 2, 0.1, -1.1), rng)
    yield "tenths_2d", points, [(0.1, 4), (0.2, 9), (0.3, 16), (math.sqrt(0.02), 6),
                                (math.sqrt(2) * 0.1, 6), (0.5, 40)]
    points = holes(lattice(8, 3, 0.1), rng)
    yield "tenths_3d", points, [(0.1, 5), (0.2, 14), (0.3, 50), (0.1 * math.sqrt(3), 14)]

    corner = np.array([448262.119, 5411932.678])
    points = (corner + blobs(rng, 500, 2, 6, 1.5, 200)).round(3)
    yield "utm_2d", points, [(2.5, 5), (1.0, 4), (tie(points, 0.002), 4)]
    points = np.column_stack([(corner + blobs(rng, 400, 2, 5, 1.0, 60)).round(3),
                              rng.normal(330, 2, 400).round(3)])
    yield "utm_3d", points, [(1.5, 5), (3.0, 8)]
    points = corner + holes(lattice(18, 2, 0.1), rng)
    yield "utm_tenths", points, [(0.1, 3), (0.1, 4), (0.2, 9), (0.3, 18)]
    points = corner.round() + holes(lattice(18, 2, 0.25), rng)
    yield "utm_quarters", points, [(0.25, 4), (0.5, 9), (0.25 * math.sqrt(2), 6)]

    points = 1e6 + np.repeat(rng.integers(0, 4, (10, 2)) * 1e-3, 30, axis=0) + rng.normal(
        0, 1e-6, (300, 2))
    yield "tiny_at_million", points, [(1e-6, 4), (3e-6, 6), (2.0 ** -33, 3), (2.0 ** -32, 4)]
    points = 1e15 + rng.integers(0, 40, (300, 2)).astype(float) * 0.125
    yield "eighths_at_1e15", points, [(0.125, 3), (0.25, 6), (0.25 * math.sqrt(2), 7)]
    points = rng.integers(0, 60, (300, 2)) * 1e-150
    yield "scale_1e-150", points, [(1e-150, 3), (2e-150, 4), (3.5e-150, 8)]
    points = rng.integers(0, 60, (300, 2)) * 1e150
    yield "scale_1e150", points, [(1e150, 2), (2e150, 4), (3.5e150, 8)]
    points = rng.uniform(0, 1, (200, 2)) * np.array([1e12, 1e-3])
    yield "stretched", points, [(eps_for(points, 4), 4), (1e-3, 2)]

    places = rng.integers(0, 6, (9, 2)).astype(float)
    points = np.vstack([np.repeat(places, 250, axis=0), rng.integers(0, 30, (50, 2)) + 0.5])
    points = rng.permutation(points)
    yield "duplicates", points, [(0.5, 10), (1.0, 251), (1.0, 500), (0.75, 250), (0.75, 251),
                                 (math.sqrt(2), 700)]
    yield "one_place", np.full((1000, 3), 0.1), [(1e-9, 5), (1.0, 1000), (1.0, 1001), (3.0, 1)]

    yield "one_point", np.array([[3.25, -1.5]]), [(1.0, 1), (1.0, 2)]
    yield "two_points", np.array([[0.0], [1.0]]), [(1.0, 2), (1.0, 3), (1 - 2.0 ** -53, 2),
                                                   (0.5, 1)]
    points = rng.permutation(lattice(12, 2, 10.0))
    yield "all_noise", points, [(9.99, 2), (1.0, 2), (10.0, 6)]
    points = rng.normal(0, 1, (250, 2)).round(4)
    yield "one_cluster", points, [(100.0, 5), (2.5, 3), (20.0, 250), (20.0, 251)]
    points = blobs(rng, 250, 2, 5, 0.4).round(3)
    yield "min_pts_1", points, [(0.1, 1), (0.3, 1), (1.0, 1)]
    yield "min_pts_above_n", points, [(0.3, 251), (100.0, 251), (100.0, 10 ** 9)]
    points = rng.permutation(np.column_stack([np.arange(300) * 0.5, np.zeros(300)]))
    yield "chain", points, [(0.5, 3), (0.5, 2), (0.49, 2), (1.0, 5)]

    # Border points between clusters: each belongs to the lowest-numbered one that reaches it.
    points = rng.permutation(np.vstack([lattice(5, 2, 0.5), lattice(5, 2, 0.5) + [4.0, 0.0],
                                        [[3.0, y] for y in (0.0, 0.5, 1.0, 1.5, 2.0)]]))
    yield "shared_borders", points, [(1.0, 8), (1.0, 9), (1.0, 11)]

    # x = 1 - 2^-53 and y = 2 lie two cells of side 1 apart, yet their difference rounds to 1.
    below = 1 - 2.0 ** -53
    yield "two_cells_apart", np.array([[0.0], [below], [2.0]]), [(1.0, 2), (1.0, 3)]
    yield "two_cells_apart_2d", np.array(
        [[0.0, 0.0], [below, 0.0], [2.0, 0.0], [0.0, below], [0.0, 2.0], [2.0, 2.0]]), [
            (1.0, 2), (1.0, 3), (1.0, 4)]
    chain = [[0.0]]
    for i in range(1, 40):
        chain.append([float(i) - (2.0 ** -53 if i == 1 else 0.0)])
    yield "unit_chain", np.array(chain), [(1.0, 2), (1.0, 3)]

    # s = 1 + 2^-52 is not <= 1, but its square root rounds to 1. The far point keeps scikit-learn
    # right: without it the whole tree lies within eps by that square root and no pair is tested.
    yield "root_rounds_down", np.vstack(
        [[[0.0, 0.0]], np.tile([1.0, 2.0 ** -26], (200, 1)), [[5.0, 5.0]]]), [
            (1.0, 2), (1.0, 201), (1.0, 200), (1.0, 150)]

    # Fused multiply-add, or another order of dimensions, would change who is within eps.
    pairs = []
    while len(pairs) < 12:
        x, y, z = rng.uniform(0.1, 1, 3)
        forwards = (x * x + y * y) + z * z
        backwards = (z * z + y * y) + x * x
        if forwards != backwards and math.sqrt(min(forwards, backwards)) ** 2 == min(
                forwards, backwards):
            pairs.append((x, y, z, math.sqrt(min(forwards, backwards))))
    for i, (x, y, z, eps) in enumerate(pairs[:4]):
        yield f"order_of_sum_{i}", np.array([[0.0, 0.0, 0.0], [x, y, z], [-x, -y, -z]]), [
            (eps, 2), (eps, 3), (float(np.nextafter(eps, 9)), 3)]


def write(name, points, runs):
    labellings = []
    for eps, min_pts in runs:
        labels = oracle(points, eps, min_pts)
        judge = brute_force(points, eps, min_pts)
        if not np.array_equal(labels, judge):
            sys.exit(f"{name}: scikit-learn and brute force differ at eps {eps}, minPts {min_pts}")
        labellings.append(labels)
    lines = [f"points {len(points)} dims {points.shape[1]} runs {len(runs)}"]
    lines += [f"run {float(eps).hex()} {min_pts}" for eps, min_pts in runs]
    for i, point in enumerate(points):
        cells = [repr(float(x)) for x in point] + [str(labels[i]) for labels in labellings]
        lines.append(" ".join(cells))
    (HERE / f"{name}.golden").write_text("\n".join(lines) + "\n")
    print(name, points.shape, [f"{len(set(l.tolist()) - {NOISE})}/{int((l == NOISE).sum())}"
                               for l in labellings])


if __name__ == "__main__":
    for old in HERE.glob("*.golden"):
        old.unlink()
    for case in cases():
        write(*case)
