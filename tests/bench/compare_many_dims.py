#!/usr/bin/env python3
"""Counts, DBSCAN and nearest neighbours in many dimensions beside scikit-learn.

    python3 tests/bench/compare_many_dims.py CLUSTERLOOM-CLI [--points N] [--repeats R] [--threads T]

Clouds are drawn here: normal points, and 50 round clusters. Times are medians: for the command line
without reading and writing, for scikit-learn of the calls. Counts, labels and neighbours are compared;
scikit-learn decides distances by a matrix product and may differ in ties. Needs NumPy and scikit-learn.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.neighbors import NearestNeighbors


def clouds(points):
    random = np.random.default_rng(1)
    for dims in (16, 64, 128, 768):
        yield f"normal, {dims}-D", random.normal(size=(points, dims))
        centres = random.uniform(0, 100, (50, dims))
        yield f"50 clusters, {dims}-D", centres[random.integers(0, 50, points)] + random.normal(size=(points, dims))


def median_of(repeats, run):
    """The median seconds and the last result of run(), which returns (seconds, result)."""
    seconds = []
    for _ in range(repeats):
        taken, result = run()
        seconds.append(taken)
    return statistics.median(seconds), result


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--points", type=int, default=20000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    print("cloud; operation: median seconds, scikit-learn's, ratio; results")
    with tempfile.TemporaryDirectory() as folder:
        file, out = os.path.join(folder, "cloud.npy"), os.path.join(folder, "out.npy")

        def ours(command, *arguments):
            def run():
                call = [options.cli, command, file, *map(str, arguments), "--backend", "cpu",
                        "--threads", str(options.threads), "--json"]
                seconds = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)["seconds"]
                return sum(s for name, s in seconds.items() if name not in ("read", "write", "total")), np.load(out)
            return median_of(options.repeats, run)

        for name, cloud in clouds(options.points):
            np.save(file, cloud)
            sample = NearestNeighbors(n_neighbors=11, algorithm="brute").fit(cloud).kneighbors(cloud[:500])[0]
            eps = float(np.median(sample[:, -1]))
            searcher = NearestNeighbors(radius=eps, algorithm="brute", n_jobs=options.threads).fit(cloud)

            def row(operation, mine, theirs, same):
                print(f"{name}; {operation}: {mine[0]:.4f} {theirs[0]:.4f} {mine[0] / theirs[0]:.3f}; {same}", flush=True)

            mine = ours("join", "--eps", repr(eps), "--counts", out)
            theirs = median_of(options.repeats, lambda: timed(lambda: searcher.radius_neighbors(return_distance=False, X=cloud)))
            wrong = int(np.sum(mine[1] != np.array([len(found) for found in theirs[1]])))
            row("counts", mine, theirs, f"{wrong} counts differ")
            mine = ours("cluster", "--eps", repr(eps), "--min-pts", 5, "--labels", out)
            theirs = median_of(options.repeats, lambda: timed(lambda: DBSCAN(
                eps=eps, min_samples=5, algorithm="brute", n_jobs=options.threads).fit(cloud).labels_))
            row("DBSCAN", mine, theirs, f"{int(np.sum(mine[1] != theirs[1]))} labels differ")
            mine = ours("knn", "-k", 11, "--ids", out)
            theirs = median_of(options.repeats, lambda: timed(lambda: searcher.kneighbors(
                cloud, n_neighbors=11, return_distance=False)))
            row("10 neighbours", mine, theirs, f"{int(np.sum(np.any(mine[1] != theirs[1], axis=1)))} rows differ")


if __name__ == "__main__":
    main()
