#!/usr/bin/env python3
"""Times the counts of a join of two clouds against SciPy's cKDTree in one run.

    python3 compare_two_clouds.py CLUSTERLOOM_CLI [--points N] [--repeats R] [--threads T]
                                  [--neighbours M]

Two uniform clouds of N points each, in 2-D and 3-D, and an eps at which a point of one has M
neighbours in the other on average. Each turn runs `clusterloom-cli join A --with B --counts` and
SciPy, both cold. Ours is index and join as --json prints them; SciPy's is the tree of B and
query_ball_point of A in it with return_length and T workers, and beside it count_neighbors of two
trees, both trees included, which has one thread and gives the sum only. Prints Markdown: medians, their ratios, and
whether the counts are equal, element by element. Needs numpy and scipy.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np
from scipy.spatial import cKDTree


def eps_for(points, dims, neighbours):
    """The radius of a ball that holds this many of `points` uniform points in the unit cube."""
    ball = math.pi if dims == 2 else 4 / 3 * math.pi
    return float(f"{(neighbours / points / ball) ** (1 / dims):.6g}")


def ours(cli, folder, eps, threads):
    counts = folder / "counts.npy"
    done = subprocess.run([cli, "join", str(folder / "a.npy"), "--with", str(folder / "b.npy"),
                           "--eps", str(eps), "--backend", "cpu", "--threads", str(threads),
                           "--counts", str(counts), "--json"], check=True, capture_output=True)
    seconds = json.loads(done.stdout)["seconds"]
    return seconds["index"], seconds["join"], np.load(counts)


def scipy(a, b, eps, threads):
    start = time.perf_counter()
    tree = cKDTree(b)
    built = time.perf_counter()
    counts = tree.query_ball_point(a, eps, return_length=True, workers=threads)
    return built - start, time.perf_counter() - built, counts


def scipy_sum(a, b, eps):
    start = time.perf_counter()
    trees = cKDTree(a), cKDTree(b)
    trees[0].count_neighbors(trees[1], eps)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--neighbours", type=int, default=30)
    options = parser.parse_args()
    print(f"{options.points:,} × {options.points:,} points, {options.threads} threads, medians of "
          f"{options.repeats} runs, turn by turn; load average before {os.getloadavg()[0]:.1f}\n")
    print("| cloud | ε | neighbours | ours ms (index + join) | query_ball_point ms (tree + query) | "
          "ratio | count_neighbors ms | ratio | counts |")
    print("|---|---|---|---|---|---|---|---|---|")
    for dims in (2, 3):
        random = np.random.default_rng(dims)
        a, b = random.random((options.points, dims)), random.random((options.points, dims))
        eps = eps_for(options.points, dims, options.neighbours)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            np.save(folder / "a.npy", a)
            np.save(folder / "b.npy", b)
            turns = [(ours(options.cli, folder, eps, options.threads),
                      scipy(a, b, eps, options.threads), scipy_sum(a, b, eps))
                     for _ in range(options.repeats)]
        median = statistics.median
        mine = [turn[0][0] + turn[0][1] for turn in turns]
        theirs = [turn[1][0] + turn[1][1] for turn in turns]
        sums = [turn[2] for turn in turns]
        equal = all(np.array_equal(turn[0][2], turn[1][2]) for turn in turns)
        print(f"| uniform {dims}-D | {eps} | {turns[0][0][2].mean():.1f} | {1e3 * median(mine):.0f} "
              f"({1e3 * median(t[0][0] for t in turns):.0f} + "
              f"{1e3 * median(t[0][1] for t in turns):.0f}) | {1e3 * median(theirs):.0f} "
              f"({1e3 * median(t[1][0] for t in turns):.0f} + "
              f"{1e3 * median(t[1][1] for t in turns):.0f}) | "
              f"{median(m / t for m, t in zip(mine, theirs)):.3f} | {1e3 * median(sums):.0f} | "
              f"{median(m / s for m, s in zip(mine, sums)):.3f} | "
              f"{'equal' if equal else 'DIFFERENT'} |", flush=True)
    print(f"\nLoad average after {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
