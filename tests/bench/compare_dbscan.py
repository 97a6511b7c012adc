#!/usr/bin/env python3
"""Times Clusterloom's DBSCAN against Wang, Gu and Shun's (`dbscan` for Python) in one run.

    python3 compare_dbscan.py BENCH_DBSCAN [--points N] [--repeats R] [--threads T] [--scikit-learn]
                              [--clouds unif:2,expo:3,...]

Per cloud (uniform, blobs, exponential; 2-D and 3-D) and per eps (about 10 and about 100 neighbours
on average, found on a sample) both run R times, turn by turn, each in a process of its own that
stays warm; the first turn of each is not counted. The rival is timed around its module's one C++
call on a contiguous double array, so nothing of Python is in its time; ours around Backend::dbscan.
Prints Markdown: medians, their ratio, whether the labels agree up to renaming, and peak memory
beyond the coordinates. Needs numpy, scipy, dbscan and, for --scikit-learn, scikit-learn.

    python3 compare_dbscan.py BENCH_DBSCAN --g-dbscan WHERE [--repeats R] [--small] [--scikit-learn]

The tables of [Frasson 2021, section 4] instead: WHERE is the program tests/device/bench_g_dbscan,
which is run on this machine's GPU, or a folder that it has written on another one. With
--scikit-learn the same points are made here and given to scikit-learn, whose labels are compared
element by element; --small leaves out the larger cloud.
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

CLOUDS = [("unif", 2), ("blobs", 2), ("expo", 2), ("unif", 3), ("blobs", 3), ("expo", 3)]
NEIGHBOURS = [10, 100]
MIN_PTS = 10

# Answers "EPS MINPTS [LABELS CORE]" lines as bench_dbscan does, with the rival.
RIVAL = r"""
import json, sys, time
import numpy as np
import dbscan

def memory(field):
    for line in open('/proc/self/status'):
        if line.startswith(field + ':'):
            return int(line.split()[1]) * 1024

points = np.ascontiguousarray(np.load(sys.argv[1]), dtype=np.float64)
for line in sys.stdin:
    eps, min_pts, *path = line.split()
    before = memory('VmRSS')
    open('/proc/self/clear_refs', 'w').write('5')
    start = time.perf_counter()
    labels, core = dbscan.DBSCAN(points, float(eps), min_samples=int(min_pts))
    seconds = time.perf_counter() - start
    peak = memory('VmHWM')
    if path:
        np.save(path[0], np.asarray(labels, dtype=np.int32))
        np.save(path[1], np.asarray(core, dtype=np.int32))
    print(json.dumps({'seconds': seconds, 'bytes_per_point': max(0, peak - before) / len(points)}),
          flush=True)
"""


def eps_for(points, neighbours):
    """eps at which points have this many neighbours on average, themselves included."""
    from scipy.spatial import cKDTree
    tree = cKDTree(points)
    sample = points[np.random.default_rng(1).choice(len(points), 2000, replace=False)]
    low, high = 0.0, float(np.linalg.norm(np.ptp(points, axis=0)))
    # Start near the answer: searching with a large eps would take long.
    high = min(high, 4 * float(np.median(tree.query(sample, k=neighbours)[0][:, -1])))
    for _ in range(40):
        middle = (low + high) / 2
        mean = tree.query_ball_point(sample, middle, return_length=True).mean()
        low, high = (middle, high) if mean < neighbours else (low, middle)
    return float(f"{high:.4g}")


class Answering:
    """A process that answers each line it is sent by one line of JSON."""

    def __init__(self, command, threads):
        env = dict(os.environ, PARLAY_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=env)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(w) for w in words) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        sys.exit("a process under test ended early")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def same_up_to_renaming(a, b):
    """Whether two labellings are one partition: -1 to -1 and clusters one to one."""
    pairs = np.unique(np.stack([a, b], axis=1), axis=0)
    return (len(np.unique(pairs[:, 0])) == len(pairs) == len(np.unique(pairs[:, 1]))
            and all((x < 0) == (y < 0) for x, y in pairs))


def agreement(ours, rival):
    """How far two answers, labels and core flags each, are the same up to renaming. Which of several
    clusters a border point gets is free by DBSCAN's definition, so core points are compared."""
    if same_up_to_renaming(ours[0], rival[0]):
        return "yes"
    core = ours[1] > 0
    if not np.array_equal(core, rival[1] > 0):
        return f"no: {np.count_nonzero(core != (rival[1] > 0)):,} core flags"
    if same_up_to_renaming(ours[0][core], rival[0][core]):
        if np.array_equal(ours[0] < 0, rival[0] < 0):
            return "yes but for border points"
        return f"core points; {np.count_nonzero((ours[0] < 0) != (rival[0] < 0)):,} noise flags no"
    return f"no: {len(np.unique(rival[0][rival[0] >= 0])):,} clusters"


def compare(bench, path, eps, repeats, threads, folder):
    ours = Answering([bench, "run", path, str(threads)], threads)
    rival = Answering([sys.executable, "-c", RIVAL, path], threads)
    files = [[folder / f"{who}_{what}.npy" for what in ("labels", "core")]
             for who in ("ours", "rival")]
    first = [ours.ask(eps, MIN_PTS, *files[0]), rival.ask(eps, MIN_PTS, *files[1])]
    answers = [(ours.ask(eps, MIN_PTS), rival.ask(eps, MIN_PTS)) for _ in range(repeats)]
    ours.close()
    rival.close()
    row = {"eps": eps, "clusters": first[0]["clusters"], "noise": first[0]["noise"]}
    row["ours"] = statistics.median(a["seconds"] for a, _ in answers)
    row["rival"] = statistics.median(b["seconds"] for _, b in answers)
    row["ratio"] = statistics.median(a["seconds"] / b["seconds"] for a, b in answers)
    for stage in ("index", "join", "label"):
        row[stage] = statistics.median(a[stage] for a, _ in answers)
    row["agree"] = agreement(*[[np.load(f) for f in pair] for pair in files])
    row["memory"] = first[0]["bytes_per_point"]
    row["rival_memory"] = first[1]["bytes_per_point"]
    return row


def scikit_learn_seconds(points, eps):
    import time
    from sklearn.cluster import DBSCAN
    start = time.perf_counter()
    DBSCAN(eps=eps, min_samples=MIN_PTS, algorithm="kd_tree", n_jobs=-1).fit(points)
    return time.perf_counter() - start


def g_dbscan_rows(where, repeats, small, folder):
    """What bench_g_dbscan measured, by cloud, and the folder with its labels."""
    if not os.path.isdir(where):
        done = subprocess.run([where, str(repeats), "0" if small else "1", str(folder)],
                              stdout=sys.stderr)
        if done.returncode not in (0, 1):  # 1: labels differ, which the table shows
            sys.exit(f"{where} ended with {done.returncode}; without a GPU give it a folder that "
                     "was written on a machine with one")
        where = folder
    clouds = {}
    for line in (pathlib.Path(where) / "g_dbscan.jsonl").read_text().splitlines():
        row = json.loads(line)
        if small and row["dims"] > 10:
            continue
        key = (row["points"], row["dims"], row["eps"], row["min_pts"], row["seed"])
        clouds.setdefault(key, []).append(row)
    return clouds, pathlib.Path(where)


def scikit_learn_row(bench, key, folder, labels):
    """scikit-learn on the same points: seconds, and whether its labels are the same."""
    import time
    from sklearn.cluster import DBSCAN
    count, dims, eps, min_pts, seed = key
    path = str(folder / "cloud.npy")
    subprocess.run([bench, "generate", "blobs", str(count), str(dims), str(seed), path], check=True)
    points = np.ascontiguousarray(np.load(path)[:, :dims], dtype=np.float64)
    os.remove(path)
    start = time.perf_counter()
    found = DBSCAN(eps=eps, min_samples=min_pts, n_jobs=-1).fit(points)
    seconds = time.perf_counter() - start
    return seconds, np.array_equal(found.labels_, np.load(labels))


def compare_g_dbscan(options):
    # Seconds of scikit-learn in the paper, on two cores at 2.2 GHz and data of its own.
    published = {(200_000, 10): 547.918, (400_000, 20): 2770.610}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        clouds, where = g_dbscan_rows(options.g_dbscan, options.repeats, options.small, folder)
        for key, rows in clouds.items():
            count, dims, eps, min_pts, _ = key
            print(f"blobs, {count:,} points, {dims}-D, eps {eps:g}, minPts {min_pts}\n")
            print("| version | ours s | published s | labels | remark |")
            print("|---|---|---|---|---|")
            for row in rows:
                version = row["method"] + (", SHORTC" if row["short_circuit"] else "")
                theirs = f"{row['published']:.3f}" if "published" in row else "–"
                print(f"| {version} | {row['seconds']:.3f} | {theirs} | "
                      f"{'equal' if row['labels_equal'] else 'DIFFERENT'} | {row['note']} |")
            if options.scikit_learn:
                seconds, same = scikit_learn_row(options.bench, key, folder,
                                                 where / f"labels_{count}x{dims}.npy")
                print(f"| scikit-learn, {os.cpu_count()} threads | {seconds:.3f} | "
                      f"{published.get((count, dims), float('nan')):.3f} | "
                      f"{'equal' if same else 'DIFFERENT'} | |")
            print(flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--scikit-learn", action="store_true")
    parser.add_argument("--g-dbscan", metavar="WHERE")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--clouds", default=",".join(f"{kind}:{dims}" for kind, dims in CLOUDS))
    options = parser.parse_args()
    if options.g_dbscan:
        return compare_g_dbscan(options)

    print(f"{options.points:,} points, minPts {MIN_PTS}, {options.threads} threads, medians of "
          f"{options.repeats} interleaved runs; load average before {os.getloadavg()[0]:.1f}\n")
    print("| cloud | neighbours | ε | clusters | ours ms (index + join + label) | rival ms | "
          "ratio | agree | bytes per point, ours | rival |"
          + (" scikit-learn ms |" if options.scikit_learn else ""))
    print("|---|---|---|---|---|---|---|---|---|---|" + ("---|" if options.scikit_learn else ""))
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, dims in ((c.split(":")[0], int(c.split(":")[1])) for c in options.clouds.split(",")):
            path = str(folder / f"{kind}{dims}.npy")
            subprocess.run([options.bench, "generate", kind, str(options.points), str(dims), "7",
                            path], check=True)
            points = np.ascontiguousarray(np.load(path)[:, :dims], dtype=np.float64)
            np.save(path, points)  # coordinates only, rows together, as the rival takes them
            for neighbours in NEIGHBOURS:
                eps = eps_for(points, neighbours)
                row = compare(options.bench, path, eps, options.repeats, options.threads, folder)
                ratios.append(row["ratio"])
                line = (f"| {kind} {dims}-D | {neighbours} | {eps} | {row['clusters']:,} | "
                        f"{1e3 * row['ours']:.1f} ({1e3 * row['index']:.0f} + "
                        f"{1e3 * row['join']:.0f} + {1e3 * row['label']:.0f}) | "
                        f"{1e3 * row['rival']:.1f} | {row['ratio']:.2f} | {row['agree']} | "
                        f"{row['memory']:.0f} | {row['rival_memory']:.0f} |")
                if options.scikit_learn:
                    line += (f" {1e3 * scikit_learn_seconds(points, eps):,.0f} |"
                             if neighbours == NEIGHBOURS[0] else " – |")
                print(line, flush=True)
            os.remove(path)
    print(f"\nMedian of the ratios {statistics.median(ratios):.2f}, largest {max(ratios):.2f}; "
          f"load average after {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
