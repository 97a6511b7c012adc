#!/usr/bin/env python3
"""Times Clusterloom's hierarchy against the spanning tree of quitefastmst in one run.

    python3 compare_hierarchy.py BENCH_HIERARCHY [--points N] [--repeats R] [--threads T]
                                 [--clouds unif:2,expo:2,...]

Per cloud both run R times, turn by turn, each in a process of its own that stays warm; the first turn
of each is not counted and gives the weights of the trees, which are compared. Ours is everything from
the coordinates to a hierarchy and the labels at one eps, border points included; the rival is
mst_euclid(points, minPts - 1) (it does not count the point itself) on a contiguous double array, and
its labels step: the components of the edges up to eps by SciPy, core points only. Prints Markdown:
medians and, for a machine that others use, minima, and processor seconds of all threads. Needs numpy,
scipy and quitefastmst.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from compare_dbscan import Answering, eps_for

CLOUDS = [("unif", 2), ("expo", 2), ("unif", 3), ("expo", 3), ("unif", 5), ("expo", 5)]
MIN_PTS = 10

# Answers "MINPTS EPS [WEIGHTS.npy]" lines as bench_hierarchy does.
RIVAL = r"""
import json, resource, sys, time
import numpy as np
import quitefastmst
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime

points = np.ascontiguousarray(np.load(sys.argv[1]), dtype=np.float64)
for line in sys.stdin:
    min_pts, eps, *path = line.split()
    before = processor()
    start = time.perf_counter()
    distances, edges = quitefastmst.mst_euclid(points, int(min_pts) - 1)[:2]
    seconds = time.perf_counter() - start
    used = processor() - before
    start = time.perf_counter()
    kept = edges[distances <= float(eps)]
    graph = coo_array((np.ones(len(kept), bool), (kept[:, 0], kept[:, 1])), (len(points),) * 2)
    connected_components(graph, directed=False)
    labels = time.perf_counter() - start
    if path:
        np.save(path[0], np.sort(distances))
    print(json.dumps({'seconds': seconds, 'labels': labels, 'processor_seconds': used}), flush=True)
"""


def compare(bench, path, eps, repeats, threads, folder):
    ours = Answering([bench, "run", path, str(threads)], threads)
    rival = Answering([sys.executable, "-c", RIVAL, path], threads)
    files = [folder / "ours.npy", folder / "rival.npy"]
    ours.ask(MIN_PTS, eps, files[0])
    rival.ask(MIN_PTS, eps, files[1])
    answers = [(ours.ask(MIN_PTS, eps), rival.ask(MIN_PTS, eps)) for _ in range(repeats)]
    ours.close()
    rival.close()
    weights = [np.sqrt(np.load(files[0])[:, 0]), np.load(files[1])]
    return answers, np.allclose(*weights, rtol=1e-9, atol=0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--clouds", default=",".join(f"{kind}:{dims}" for kind, dims in CLOUDS))
    options = parser.parse_args()
    print(f"{options.points:,} points, minPts {MIN_PTS}, {options.threads} threads, "
          f"{options.repeats} interleaved runs; load average before {os.getloadavg()[0]:.1f}\n")
    print("| cloud | ours s: median (least), processor | rival s: median (least), processor | "
          "ratio of medians (of least, of processor seconds) | weights agree | index, neighbours, "
          "tree, sort, dendrogram, borders, labels s |")
    print("|---|---|---|---|---|---|")
    stages = ["index", "neighbours", "tree", "sort", "dendrogram", "borders", "labels"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, dims in (c.split(":") for c in options.clouds.split(",")):
            path = str(folder / "cloud.npy")
            subprocess.run([options.bench, "generate", kind, str(options.points), dims, path],
                           check=True)
            points = np.ascontiguousarray(np.load(path)[:, :int(dims)], dtype=np.float64)
            np.save(path, points)
            answers, same = compare(options.bench, path, eps_for(points, 10), options.repeats,
                                    options.threads, folder)
            seconds = [[a["seconds"] + a["labels"] for a in side] for side in zip(*answers)]
            processor = [min(a["processor_seconds"] for a in side) for side in zip(*answers)]
            middle = [statistics.median(s) for s in seconds]
            least = [min(s) for s in seconds]
            print(f"| {kind} {dims}-D | {middle[0]:.2f} ({least[0]:.2f}), {processor[0]:.2f} | "
                  f"{middle[1]:.2f} ({least[1]:.2f}), {processor[1]:.2f} | "
                  f"{middle[0] / middle[1]:.2f} ({least[0] / least[1]:.2f}, "
                  f"{processor[0] / processor[1]:.2f}) | {'yes' if same else 'NO'} | "
                  + ", ".join(f"{min(a[s] for a, _ in answers):.3f}" for s in stages)
                  + " |", flush=True)
    print(f"\nLoad average after {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
