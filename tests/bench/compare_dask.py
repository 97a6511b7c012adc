#!/usr/bin/env python3
"""Times DBSCAN on a cluster of Dask against ranks under MPI, and against joining neighbour lists.

    PYTHONPATH=BUILD/app/python python3 compare_dask.py CLUSTERLOOM_CLI [--points N] [--repeats R]
                                  [--clouds unif:2:0.04,...] [--chunks C] [--blocks B] [--lists]

Both read the same NPY file with two processes of one thread each, and take turns. Dask: from the call
of `fit` until the labels are in the memory of the workers; three times reading is part of it, the
start of the cluster is not. Ranks: `mpirun -n 2 clusterloom-cli cluster`, its total seconds without
writing the labels; the start of mpirun is not part of it. Labels are compared element by element.
With --lists a third way: the pairs of `clusterloom.dask.radius_join` are brought to this process,
which makes clusters of them by SciPy's connected components; border points are left out. Memory is
the largest resident set of a worker so far. Needs numpy, scipy, dask and distributed.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import dask
import dask.array as da
import distributed
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import clusterloom.dask

CLOUDS = "unif:2:0.04,unif:3:0.5"
MIN_PTS = 10
MPIRUN = ["mpirun", "--bind-to", "none", "--oversubscribe", "-n", "2"]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done.stdout


def on_ranks(cli, path, eps, labels):
    launcher = MPIRUN + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    answer = json.loads(
        run([*launcher, cli, "cluster", path, "--eps", eps, "--min-pts", str(MIN_PTS), "--backend",
             "cpu", "--threads", "1", "--labels", labels, "--json"]))
    return answer["seconds"]["total"] - answer["seconds"].get("write", 0)


def rows_of_file(path, chunk, block_id=None):
    begin = block_id[0] * chunk
    return np.array(np.load(path, mmap_mode="r")[begin : begin + chunk])


def array_of(path, chunks):
    points, dims = np.load(path, mmap_mode="r").shape
    chunk = -(-points // chunks)
    sizes = [min(chunk, points - begin) for begin in range(0, points, chunk)]
    return da.map_blocks(rows_of_file, str(path), chunk, chunks=(tuple(sizes), (dims,)),
                         dtype=float, meta=np.empty((0, dims)))


def on_dask(path, eps, options):
    start = time.perf_counter()
    model = clusterloom.dask.DBSCAN(float(eps), MIN_PTS, blocks=options.blocks, backend="cpu")
    model.fit(array_of(path, options.chunks))
    distributed.wait(model.labels_)
    return time.perf_counter() - start, model


def by_lists(path, eps, options):
    start = time.perf_counter()
    X = array_of(path, options.chunks)
    pairs = clusterloom.dask.radius_join(X, float(eps), output="pairs", blocks=options.blocks,
                                         backend="cpu").compute()
    core = np.bincount(pairs[:, 0], minlength=len(X)) >= MIN_PTS
    pairs = pairs[core[pairs[:, 0]] & core[pairs[:, 1]]]
    shape = (len(X), len(X))
    graph = coo_matrix((np.ones(len(pairs), bool), (pairs[:, 0], pairs[:, 1])), shape)
    labels = connected_components(graph, directed=False)[1]
    clusters = len(np.unique(labels[core]))
    return time.perf_counter() - start, clusters


def peak_of():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--points", type=int, default=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--clouds", default=CLOUDS, help="kind:dims:eps, …")
    parser.add_argument("--chunks", type=int, default=8)
    parser.add_argument("--blocks", type=int, default=None)
    parser.add_argument("--lists", action="store_true")
    options = parser.parse_args()

    print(f"{options.points:,} points, minPts {MIN_PTS}, {options.repeats} runs in turn, Dask "
          f"{dask.__version__}, {options.chunks} chunks, load average before "
          f"{os.getloadavg()[0]:.1f}\n")
    print("| cloud | clusters | blocks, copies in halos at most | Dask s: median (least) | ranks s: "
          "median (least) | ratio of medians (of least) | lists s | GiB of a worker | GiB of this "
          "process | labels |")
    print("|" + "---|" * 11)
    for cloud in options.clouds.split(","):
        kind, dims, eps = cloud.split(":")
        with tempfile.TemporaryDirectory() as name, distributed.Client(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0",
            local_directory=name, memory_limit=0
        ) as client:
            path, labels = pathlib.Path(name, "cloud.npy"), pathlib.Path(name, "labels.npy")
            run([options.cli, "generate", kind, "--points", str(options.points), "--dims", dims,
                 "--seed", "1", path])
            client.run(exec, "import clusterloom.dask")  # not timed
            seconds = ([], [])
            for _ in range(options.repeats):
                spent, model = on_dask(path, eps, options)
                seconds[0].append(spent)
                seconds[1].append(on_ranks(options.cli, path, eps, labels))
            same = np.array_equal(model.labels_.compute(), np.load(labels))
            worker = max(client.run(peak_of).values())
            lists = "not run"
            if options.lists:
                spent, clusters = by_lists(path, eps, options)
                lists = f"{spent:.1f}" + ("" if clusters == model.n_clusters_ else ", other clusters")
            middle = [statistics.median(each) for each in seconds]
            least = [min(each) for each in seconds]
            print(f"| {kind} {dims}-D, ε {eps} | {model.n_clusters_:,} | {len(model.block_sizes_)}, "
                  f"{model.block_sizes_[:, 1].sum():,} | "
                  + " | ".join(f"{m:.2f} ({b:.2f})" for m, b in zip(middle, least))
                  + f" | {middle[0] / middle[1]:.2f} ({least[0] / least[1]:.2f}) | {lists} | "
                  f"{worker:.2f} | {peak_of():.2f} | "
                  + ("equal" if same else "differ") + " |", flush=True)


if __name__ == "__main__":
    main()
