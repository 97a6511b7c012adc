#!/usr/bin/env python3
"""Times Clusterloom's DBSCAN of several processes against HPDBSCAN, on the same clouds and ranks.

    python3 compare_hpdbscan.py CLUSTERLOOM_CLI HPDBSCAN [--points N] [--repeats R]
                                [--clouds unif:2:0.1,...] [--ways ranks,threads]

HPDBSCAN is the program of https://github.com/Markus-Goetz/hpdbscan, built with its own flags and with
MPI. Both get the points as doubles, in an HDF5 file of their own kind and an NPY file. A way is
"ranks" (mpirun -n 2, one thread each) or "threads" (one process, two threads). They take turns. Times
are those that the programs report from the points in memory to labels in memory: reading and writing
files is left out. HPDBSCAN takes ε in single precision: "labels agree" says whether it finds the same
clusters, core points and noise nevertheless, in one process, up to the numbers of clusters and the
choice of border points between two clusters. Needs numpy and h5py.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CLOUDS = "unif:2:0.08,expo:2:0.00015,unif:3:0.9,expo:3:0.0025"
TOTAL = re.compile(r"Total time:\s*([0-9.e+-]+)")
COUNTS = re.compile(r"(Clusters|Core points|Noise points):\s*([0-9]+)")
MPIRUN = ["mpirun", "--oversubscribe", "-n", "2"]


def launcher(way):
    if way == "threads":
        return []
    return MPIRUN + (["--allow-run-as-root"] if os.geteuid() == 0 else [])


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done.stdout


def ours(cli, way, path, eps, min_pts, *more):
    threads = "1" if way == "ranks" else "2"
    out = run([*launcher(way), cli, "cluster", path, "--eps", eps, "--min-pts", min_pts, "--backend",
               "cpu", "--threads", threads, "--json", *more])
    answer = json.loads(out)
    seconds = answer["seconds"]
    spent = seconds["total"] - seconds["read"] - seconds.get("write", 0)
    return spent, (answer["clusters"], answer["core"], answer["noise"])


def theirs(program, way, path, eps, min_pts, labels):
    threads = "1" if way == "ranks" else "2"
    labels.unlink(missing_ok=True)
    out = run([*launcher(way), program, "-t", threads, "-e", eps, "-m", min_pts, "-i", path, "-o",
               str(labels)])
    counts = dict(COUNTS.findall(out))
    return float(TOTAL.search(out)[1]), tuple(
        int(counts[key]) for key in ("Clusters", "Core points", "Noise points"))


def agree(ours_path, theirs_path):
    """Same core points, noise and clusters of core points."""
    labels = np.load(ours_path)
    with h5py.File(theirs_path) as file:
        other = file["CLUSTERS"][:]
    core = other < 0
    if not np.array_equal(labels < 0, other == 0):
        return False
    pairs = np.unique(np.stack([labels[core], -other[core]]), axis=1)
    return len(np.unique(pairs[0])) == len(np.unique(pairs[1])) == pairs.shape[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("hpdbscan")
    parser.add_argument("--points", type=int, default=5_000_000)
    parser.add_argument("--min-pts", default="10")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--clouds", default=CLOUDS, help="kind:dims:eps, …")
    parser.add_argument("--ways", default="ranks,threads")
    options = parser.parse_args()

    print(f"{options.points:,} points, minPts {options.min_pts}, {options.repeats} runs in turn, load "
          f"average before {os.getloadavg()[0]:.1f}\n")
    print("| cloud | way | ours s: median (least) | HPDBSCAN s: median (least) | ratio of medians "
          "(of least) | clusters, core, noise: ours / HPDBSCAN | labels agree |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        npy, hdf5 = folder / "cloud.npy", folder / "cloud.h5"
        for cloud in options.clouds.split(","):
            kind, dims, eps = cloud.split(":")
            run([options.cli, "generate", kind, "--points", str(options.points), "--dims", dims,
                 "--seed", "1", npy])
            with h5py.File(hdf5, "w") as file:
                file["DATA"] = np.load(npy)
            for way in options.ways.split(","):
                labels, other = folder / "labels.npy", folder / "labels.h5"
                seconds = ([], [])
                for _ in range(options.repeats):
                    spent, found = ours(options.cli, way, npy, eps, options.min_pts, "--labels",
                                        labels)
                    seconds[0].append(spent)
                    spent, found_there = theirs(options.hpdbscan, way, hdf5, eps, options.min_pts,
                                                other)
                    seconds[1].append(spent)
                # With several ranks the file that HPDBSCAN writes lacks labels: only sums compare.
                same = ("yes" if agree(labels, other) else "no") if way == "threads" else "–"
                middle = [statistics.median(each) for each in seconds]
                least = [min(each) for each in seconds]
                print(f"| {kind} {dims}-D, ε {eps} | {way} | "
                      + " | ".join(f"{m:.3f} ({b:.3f})" for m, b in zip(middle, least))
                      + f" | {middle[0] / middle[1]:.2f} ({least[0] / least[1]:.2f}) | "
                      + " / ".join(", ".join(f"{n:,}" for n in each) for each in (found, found_there))
                      + f" | {same} |", flush=True)


if __name__ == "__main__":
    main()
