#!/usr/bin/env python3
"""Times DBSCAN on a cluster of Dask against ranks under MPI, and against joining neighbour lists.

    PYTHONPATH=BUILD/app/python python3 compare_dask.py CLUSTERLOOM_CLI [--points N] [--repeats R]
                                  [--clouds unif:2:0.04,...] [--chunks C] [--blocks B]
                                  [--lists REPEATS]

Both read the same NPY file with two processes of one thread each, and take turns. Dask: from the call
of `fit` until the labels are in the memory of the workers; three times reading is part of it, the
start of the cluster is not. Ranks: `mpirun -n 2 clusterloom-cli cluster`, its total seconds without
writing the labels; the start of mpirun is not part of it. Labels are compared element by element.
With --lists a third way afterwards, on two new workers: neighbour lists by scikit-learn, joined
(joined_lists.py). Processor seconds are those of the workers and of this process, or of mpirun and the
ranks, which also read the file and write labels. Memory is the largest resident set of a worker. Needs
numpy, dask and distributed, and for --lists scipy and scikit-learn.
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


def fitted(path, eps, options):
    model = clusterloom.dask.DBSCAN(float(eps), MIN_PTS, blocks=options.blocks, backend="cpu")
    model.fit(array_of(path, options.chunks))
    distributed.wait(model.labels_)
    return model


def peak_of():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


class Way:
    """One of the ways: the seconds of its runs, by the clock and of processors, and its memory."""

    def __init__(self, name):
        self.name, self.clock, self.processor, self.memory = name, [], [], 0

    def row(self, labels):
        if not self.clock:
            return f"| {self.name} | not run | | | |"
        cells = [f"{statistics.median(each):.2f} ({min(each):.2f})"
                 for each in (self.clock, self.processor)]
        memory = f"{self.memory:.2f}" if self.memory else ""
        return f"| {self.name} | {' | '.join(cells)} | {memory} | {labels} |"


def on_workers(way, client, call):
    """Runs `call`, which returns what is kept, and adds its times to `way`."""
    def spent():
        return sum(client.run(time.process_time).values()) + time.process_time()

    before, start = spent(), time.perf_counter()
    result = call()
    way.clock.append(time.perf_counter() - start)
    way.processor.append(spent() - before)
    way.memory = max([way.memory, *client.run(peak_of).values()])
    return result


def by_ranks(way, cli, path, eps, labels):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    way.clock.append(on_ranks(cli, path, eps, labels))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    way.processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def two_workers(folder):
    return distributed.Client(n_workers=2, threads_per_worker=1, processes=True,
                              dashboard_address=":0", local_directory=folder, memory_limit=0)


def compare(cloud, options, folder):
    kind, dims, eps = cloud.split(":")
    path, labels = pathlib.Path(folder, "cloud.npy"), pathlib.Path(folder, "labels.npy")
    run([options.cli, "generate", kind, "--points", str(options.points), "--dims", dims, "--seed", "1",
         path])
    ours, ranks, lists = Way("Dask"), Way("ranks"), Way("joined lists")
    with two_workers(folder) as client:
        client.run(exec, "import clusterloom.dask")  # not timed
        for _ in range(options.repeats):
            model = on_workers(ours, client, lambda: fitted(path, eps, options))
            by_ranks(ranks, options.cli, path, eps, labels)
        found = model.labels_.compute()
        print(f"\n{kind} {dims}-D, ε {eps}: {model.n_clusters_:,} clusters, {len(model.block_sizes_)} "
              f"blocks, at most {model.block_sizes_[:, 1].sum():,} copies in halos\n")
    same = ["equal" if np.array_equal(found, np.load(labels)) else "differ"] * 2
    if options.lists:
        import joined_lists  # needs more than the rest

        with two_workers(folder) as client:
            client.upload_file(str(pathlib.Path(__file__).with_name("joined_lists.py")))
            client.run(exec, "import joined_lists")
            for _ in range(options.lists):
                joined = on_workers(lists, client, lambda: joined_lists.cluster(
                    client, str(path), float(eps), MIN_PTS, options.blocks or options.chunks))
                same[2:] = ["equal" if np.array_equal(found, joined) else "differ"]
    print("| way | s: median (least) | processor s | GiB of a worker | labels |")
    print("|" + "---|" * 5)
    for way, agreement in zip((ours, ranks, lists), [*same, ""]):
        print(way.row(agreement))
    print(f"\nDask / ranks: {statistics.median(ours.clock) / statistics.median(ranks.clock):.2f} by the "
          f"clock, {statistics.median(ours.processor) / statistics.median(ranks.processor):.2f} of "
          "processors", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--points", type=int, default=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--clouds", default=CLOUDS, help="kind:dims:eps, …")
    parser.add_argument("--chunks", type=int, default=8)
    parser.add_argument("--blocks", type=int, default=None)
    parser.add_argument("--lists", type=int, default=0, help="runs by joined neighbour lists")
    options = parser.parse_args()

    print(f"{options.points:,} points, minPts {MIN_PTS}, {options.repeats} runs in turn, Dask "
          f"{dask.__version__}, {options.chunks} chunks, load average before "
          f"{os.getloadavg()[0]:.1f}")
    for cloud in options.clouds.split(","):
        with tempfile.TemporaryDirectory() as folder:
            compare(cloud, options, folder)


if __name__ == "__main__":
    main()
