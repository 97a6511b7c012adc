#!/usr/bin/env python3
"""Times the Python module against its engine and against other packages in one run.

    PYTHONPATH=BUILD/app/python python3 compare_python.py [--points N] [--hdbscan-points N]
                                  [--repeats R] [--threads T] [--only overhead,dbscan,hdbscan]
                                  [--clouds unif:2,blobs:8,...] [--without hdbscan,sklearn]

Overhead: `DBSCAN(...).fit(X)` beside the seconds of the engine's call inside it (`run_`), in C and in
Fortran order; the rest is scikit-learn's checks, the copy into the engine's layout, the core points
and the hand-over between threads. DBSCAN: ours, scikit-learn's and `dbscan`; HDBSCAN*: ours,
scikit-learn's, `hdbscan` and `fast-hdbscan`. Each runs R times, turn by turn, in a process of its own
that stays warm, after a turn on 2,000 of the points that is not counted; the labels of the first turn
are compared. Prints Markdown: medians and, for a machine that others use, minima, processor seconds
of all threads, and the most memory of the process beyond what it had before the call, the points among
that. Packages that are not installed are left out and named.
"""

import argparse
import importlib.util
import os
import pathlib
import statistics
import sys
import tempfile

import numpy as np

from compare_dbscan import Answering, eps_for, same_up_to_renaming

MIN_PTS = 10
MIN_CLUSTER = 50
CLOUDS = [("unif", 2), ("blobs", 2), ("unif", 3), ("blobs", 3), ("blobs", 5)]

# Answers "EPS [LABELS.npy]" lines, and "EPS warm" on some of the points; CALL is one of those below.
SERVER = r"""
import json, resource, sys, time, warnings
import numpy as np
warnings.simplefilter('ignore')

def memory(field):
    for line in open('/proc/self/status'):
        if line.startswith(field + ':'):
            return int(line.split()[1]) / 1024

def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime

DATA = np.load(sys.argv[1])
threads = int(sys.argv[2])
IMPORT
for line in sys.stdin:
    value, *path = line.split()
    X = DATA[:2000] if path == ['warm'] else DATA
    more = {}
    open('/proc/self/clear_refs', 'w').write('5')  # the peak begins anew
    resident = memory('VmRSS')
    before = processor()
    start = time.perf_counter()
    CALL
    more['seconds'] = time.perf_counter() - start
    more['processor_seconds'] = processor() - before
    more['mebibytes'] = memory('VmHWM') - resident
    if path and path != ['warm']:
        np.save(path[0], np.asarray(labels, dtype=np.int64))
    print(json.dumps(more), flush=True)
"""

OURS = (
    "import clusterloom\nmodel = clusterloom.DBSCAN(min_samples=%d, n_jobs=threads)" % MIN_PTS,
    "labels = model.set_params(eps=float(value)).fit(X).labels_\n"
    "    more['call'] = model.run_['seconds']['call']\n"
    "    more['call_processor'] = model.run_['seconds']['call_processor']",
)
DBSCAN = {
    "clusterloom": OURS,
    "sklearn": (
        "from sklearn.cluster import DBSCAN",
        "labels = DBSCAN(eps=float(value), min_samples=%d, n_jobs=threads).fit(X).labels_" % MIN_PTS,
    ),
    "dbscan": (
        "import dbscan",
        "labels = dbscan.DBSCAN(X, float(value), min_samples=%d)[0]" % MIN_PTS,
    ),
}
HDBSCAN = {
    "clusterloom": (
        "import clusterloom\nmodel = clusterloom.HDBSCAN(%d, %d, copy=True, n_jobs=threads)"
        % (MIN_CLUSTER, MIN_PTS),
        "labels = model.fit(X).labels_",
    ),
    "sklearn": (
        "from sklearn.cluster import HDBSCAN",
        "labels = HDBSCAN(min_cluster_size=%d, min_samples=%d, n_jobs=threads).fit(X).labels_"
        % (MIN_CLUSTER, MIN_PTS),
    ),
    # They do not count the point itself.
    "hdbscan": (
        "import hdbscan",
        "labels = hdbscan.HDBSCAN(min_cluster_size=%d, min_samples=%d, approx_min_span_tree=False, "
        "core_dist_n_jobs=threads).fit(X).labels_" % (MIN_CLUSTER, MIN_PTS - 1),
    ),
    "fast_hdbscan": (
        "import fast_hdbscan",
        "labels = fast_hdbscan.HDBSCAN(min_cluster_size=%d, min_samples=%d).fit(X).labels_"
        % (MIN_CLUSTER, MIN_PTS - 1),
    ),
}


def cloud(kind, points, dims):
    draw = np.random.default_rng(7)
    if kind == "unif":
        return draw.random((points, dims)) * 100
    centers = draw.random((30, dims)) * 100
    widths = draw.uniform(0.5, 4, 30)
    of = draw.integers(0, 30, points)
    X = centers[of] + draw.normal(size=(points, dims)) * widths[of, None]
    noise = draw.random(points) < 0.05
    X[noise] = draw.random((noise.sum(), dims)) * 100
    return X


def eps_of(X, neighbours):
    """eps at which points have this many neighbours on average, themselves included."""
    if X.shape[1] <= 8:
        return eps_for(X, neighbours)
    from scipy.spatial.distance import cdist  # trees do not help there

    sample = X[np.random.default_rng(1).choice(len(X), 500, replace=False)]
    most = neighbours * len(sample)
    return float(f"{np.partition(cdist(sample, X).ravel(), most)[most]:.4g}")


class Contender:
    def __init__(self, texts, path, threads):
        setup, call = texts
        program = SERVER.replace("IMPORT", setup).replace("CALL", call)
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
        self.process = Answering([sys.executable, "-c", program, path, str(threads)], threads)
        self.answers = []

    def middle(self, key="seconds"):
        return statistics.median(a[key] for a in self.answers)

    def least(self, key="seconds"):
        return min(a[key] for a in self.answers)

    def text(self):
        most = max(a["mebibytes"] for a in self.answers)
        return (f"{self.middle():.3f} ({self.least():.3f}), {self.least('processor_seconds'):.2f}, "
                f"{most:.0f} MiB")


def race(contenders, X, value, repeats, threads, folder):
    """The contenders after their turns, and their labels."""
    path = str(folder / "cloud.npy")
    np.save(path, X)
    running = {name: Contender(texts, path, threads) for name, texts in contenders.items()}
    for one in running.values():
        one.process.ask(value, "warm")
    for turn in range(repeats):
        for name, one in running.items():
            file = [] if turn else [folder / f"{name}.npy"]
            one.answers.append(one.process.ask(value, *file))
    for one in running.values():
        one.process.close()
    return running, {name: np.load(folder / f"{name}.npy") for name in running}


def agreement(ours, theirs):
    if np.array_equal(ours, theirs):
        return "element by element"
    if same_up_to_renaming(ours, theirs):
        return "up to names"
    from sklearn.metrics import adjusted_rand_score

    return f"adjusted Rand index {adjusted_rand_score(ours, theirs):.4f}"


def overhead(options, folder):
    print("\n| cloud | order | fit s: median (least) | engine's call s | rest ms | "
          "overhead %: median of turns | the same of processor seconds |\n|---|---|---|---|---|---|---|")
    for kind, dims in options.clouds:
        X = cloud(kind, options.points, dims)
        eps = eps_of(X, 10)
        for order in "CF":
            found, _ = race({"clusterloom": OURS}, np.asarray(X, order=order), eps,
                            max(options.repeats, 7), options.threads, folder)
            one = found["clusterloom"]
            rest = [a["seconds"] - a["call"] for a in one.answers]
            shares = [a["seconds"] / a["call"] - 1 for a in one.answers]
            used = [a["processor_seconds"] / a["call_processor"] - 1 for a in one.answers]
            print(f"| {kind} {dims}-D | {order} | {one.middle():.3f} ({one.least():.3f}) | "
                  f"{one.middle('call'):.3f} ({one.least('call'):.3f}) | "
                  f"{1e3 * statistics.median(rest):.1f} ({1e3 * min(rest):.1f}) | "
                  f"{100 * statistics.median(shares):.1f} | "
                  f"{100 * statistics.median(used):.1f} |", flush=True)


def compare(title, contenders, points, options, folder, with_eps):
    names = [n for n in contenders if importlib.util.find_spec(n) and n not in options.without]
    missing = [n for n in contenders if not importlib.util.find_spec(n)]
    rivals = names[1:]
    print(f"\n{title}, {points:,} points" + (f"; not installed: {', '.join(missing)}" if missing else "")
          + "\n\n| cloud | clusters | " + " | ".join(f"{n} s: median (least), processor, memory" for n in names)
          + " | ratio to each rival | agreement with each |\n|---|---|" + "---|" * (len(names) + 2))
    for kind, dims in options.clouds:
        X = cloud(kind, points, dims)
        value = eps_of(X, 10) if with_eps else 0
        found, labels = race({n: contenders[n] for n in names}, X, value, options.repeats,
                             options.threads, folder)
        ours = found[names[0]]
        print(f"| {kind} {dims}-D | {labels[names[0]].max() + 1:,} | "
              + " | ".join(found[n].text() for n in names) + " | "
              + ", ".join(f"{ours.middle() / found[n].middle():.2f}" for n in rivals) + " | "
              + ", ".join(agreement(labels[names[0]], labels[n]) for n in rivals) + " |", flush=True)


def clouds_of(text):
    return [(kind, int(dims)) for kind, dims in (word.split(":") for word in text.split(","))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--hdbscan-points", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="overhead,dbscan,hdbscan")
    parser.add_argument("--clouds", type=clouds_of, default=CLOUDS)
    parser.add_argument("--without", default="")
    options = parser.parse_args()
    versions = []
    for name in ("clusterloom", "numpy", "sklearn", "dbscan", "hdbscan", "fast_hdbscan"):
        if importlib.util.find_spec(name):
            from importlib import metadata

            try:
                versions.append(f"{name} {metadata.version(name.replace('sklearn', 'scikit-learn'))}")
            except metadata.PackageNotFoundError:
                versions.append(name)
    print(f"Python {sys.version.split()[0]}, {', '.join(versions)}; {options.threads} threads, "
          f"{options.repeats} turns; load average before {os.getloadavg()[0]:.1f}")
    only = options.only.split(",")
    options.without = options.without.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if "overhead" in only:
            overhead(options, folder)
        if "dbscan" in only:
            compare("DBSCAN", DBSCAN, options.points, options, folder, True)
        if "hdbscan" in only:
            compare("HDBSCAN*", HDBSCAN, options.hdbscan_points, options, folder, False)
    print(f"\nLoad average after {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
