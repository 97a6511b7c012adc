#!/usr/bin/env python3
"""Times Clusterloom's nearest neighbours of all points against SciPy's cKDTree and nanoflann.

    python3 compare_knn.py BENCH_KNN [--points N] [--repeats R] [--threads T] [--k K]
                           [--clouds unif:2,expo:2,...]

Per cloud all run R times, turn by turn, each in a process of its own that stays warm; the first turn
of each is not counted and gives the distances that are compared. Building the tree is part of every
time. SciPy is timed around cKDTree(points) and query(points, k, workers=T) on a contiguous double
array; nanoflann around building and all queries, in input order and in the order of its tree.
Prints Markdown: medians and, for a machine that others use, minima, with the ratio of ours to the
fastest rival by both. Needs numpy and scipy.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from compare_dbscan import Answering

CLOUDS = [("unif", 2), ("expo", 2), ("unif", 3), ("expo", 3), ("unif", 5), ("expo", 5)]
WHO = ["ours", "scipy", "nanoflann", "nanoflann-tree-order"]

SCIPY = r"""
import json, sys, time
import numpy as np
from scipy.spatial import cKDTree

points = np.ascontiguousarray(np.load(sys.argv[1]), dtype=np.float64)
for line in sys.stdin:
    k, *path = line.split()
    start = time.perf_counter()
    tree = cKDTree(points)
    build = time.perf_counter() - start
    distances, ids = tree.query(points, k=int(k), workers=int(sys.argv[2]))
    seconds = time.perf_counter() - start
    if path:
        np.save(path[0], distances ** 2)
    print(json.dumps({'seconds': seconds, 'build': build}), flush=True)
"""


def compare(bench, path, k, repeats, threads, folder):
    runs = {who: Answering([bench, who, path, str(threads)] if who != "scipy" else
                           [sys.executable, "-c", SCIPY, path, str(threads)], threads)
            for who in WHO}
    files = {who: folder / f"{who}.npy" for who in WHO}
    for who in WHO:
        runs[who].ask(k, files[who])
    seconds = {who: [] for who in WHO}
    for _ in range(repeats):
        for who in WHO:
            seconds[who].append(runs[who].ask(k)["seconds"])
    for run in runs.values():
        run.close()
    distances = {who: np.load(files[who]) for who in WHO}
    same = all(np.allclose(distances["ours"], distances[who], rtol=1e-12, atol=0) for who in WHO)
    return seconds, same


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--clouds", default=",".join(f"{kind}:{dims}" for kind, dims in CLOUDS))
    options = parser.parse_args()

    print(f"{options.points:,} points, k {options.k}, {options.threads} threads, {options.repeats} "
          f"interleaved runs; load average before {os.getloadavg()[0]:.1f}\n")
    print("| cloud | " + " | ".join(f"{who} s: median (least)" for who in WHO)
          + " | ratio to the fastest rival, of medians (of least) | distances agree |")
    print("|---|" + "---|" * (len(WHO) + 2))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, dims in (c.split(":") for c in options.clouds.split(",")):
            path = str(folder / "cloud.npy")
            subprocess.run([options.bench, "generate", kind, str(options.points), dims, "7", path],
                           check=True)
            np.save(path, np.ascontiguousarray(np.load(path)[:, :int(dims)], dtype=np.float64))
            seconds, same = compare(options.bench, path, options.k, options.repeats,
                                    options.threads, folder)
            middle = {who: statistics.median(seconds[who]) for who in WHO}
            least = {who: min(seconds[who]) for who in WHO}
            rivals = [who for who in WHO if who != "ours"]
            print(f"| {kind} {dims}-D | "
                  + " | ".join(f"{middle[who]:.3f} ({least[who]:.3f})" for who in WHO)
                  + f" | {middle['ours'] / min(middle[who] for who in rivals):.2f} "
                    f"({least['ours'] / min(least[who] for who in rivals):.2f}) | "
                  + ("yes" if same else "NO") + " |", flush=True)
    print(f"\nLoad average after {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
