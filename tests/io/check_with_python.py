#!/usr/bin/env python3
"""Checks by hand that other programs open what Clusterloom writes, and that it reads what they write.

    python3 -m venv VENV && VENV/bin/pip install numpy pandas h5py astropy laspy lazrs laszip zstandard
    VENV/bin/python tests/io/check_with_python.py BUILD/app/clusterloom-cli

Ends with status 1 at the first difference.
"""
import json
import subprocess
import sys
import tempfile

import astropy.io.fits
import astropy.table
import h5py
import laspy
import numpy as np
import pandas as pd

CLI = sys.argv[1]
FOLDER = tempfile.mkdtemp()
RANDOM = np.random.default_rng(14)


def path(name):
    return f"{FOLDER}/{name}"


def cluster(name, output, *options):
    """Clusters a file, writes the labelled points, returns the figures."""
    call = [CLI, "cluster", path(name), "--eps", "0.5", "--min-pts", "5", "--json", "--labels", path(output)]
    return json.loads(subprocess.run([*call, *options], check=True, capture_output=True).stdout)


def check(what, good):
    print(("ok   " if good else "FAIL ") + what)
    if not good:
        sys.exit(1)


points = np.concatenate([RANDOM.normal(c, 0.2, (200, 3)) for c in (0, 5, 9)])
np.save(path("points.npy"), points)
cluster("points.npy", "labels.npy")
labels = np.load(path("labels.npy"))

# Compressed text, by pandas: the compression follows the name there, too.
for suffix in (".gz", ".zst"):
    cluster("points.npy", "out.csv" + suffix)
    table = pd.read_csv(path("out.csv" + suffix))
    check(f"pandas reads .csv{suffix}", (table[["x", "y", "z"]].values == points).all() and (table.label == labels).all())
    table[["x", "y", "z"]].to_csv(path("in.csv" + suffix), index=False)
    cluster("in.csv" + suffix, "again.npy")
    check(f"Clusterloom reads .csv{suffix} of pandas", (np.load(path("again.npy")) == labels).all())

# LAS, by laspy.
for version, point_format in (("1.2", 3), ("1.3", 4), ("1.4", 6), ("1.4", 7)):
    header = laspy.LasHeader(version=version, point_format=point_format)
    header.scales, header.offsets = [0.001] * 3, [500000.0, 5400000.0, 0.0]
    scaled = laspy.ExtraBytesParams("height", np.int32, scales=np.array([0.001]), offsets=np.array([10.0]))
    header.add_extra_dim(scaled)
    las = laspy.LasData(header)
    las.x, las.y, las.z = points.T + [[500000], [5400000], [0]]
    las.intensity = RANDOM.integers(0, 65536, len(points))
    las.gps_time = RANDOM.random(len(points)) * 1e9
    las.return_number = RANDOM.integers(1, 5, len(points))
    las.height = 10 + RANDOM.random(len(points))
    las.write(path("in.las"))
    cluster("in.las", "out.las")
    before, after = laspy.read(path("in.las")), laspy.read(path("out.las"))
    same = all((before.points.array[f] == after.points.array[f]).all() for f in before.points.array.dtype.names)
    check(f"laspy finds every field of LAS {version}, format {point_format}, unchanged", same)
    check("laspy reads label and role", (after["label"] == labels).all() and set(after["role"]) <= {0, 1, 2})

# LAZ, by both libraries that laspy can use.
for version, point_format in (("1.2", 3), ("1.3", 5), ("1.4", 6), ("1.4", 8)):
    las = laspy.LasData(laspy.LasHeader(version=version, point_format=point_format))
    las.header.scales = [0.001] * 3
    las.x, las.y, las.z = np.repeat(points, 200, axis=0).T  # more than a chunk
    las.intensity = RANDOM.integers(0, 65536, len(las.x))
    las.gps_time = np.cumsum(RANDOM.integers(0, 3, len(las.x))) * 1e-5 + 1e8
    if "red" in las.point_format.dimension_names:
        las.red = RANDOM.integers(0, 256, len(las.x)) * 256
    las.write(path("in.las"))
    cluster("in.las", "out.laz")
    for backend in (laspy.LazBackend.Lazrs, laspy.LazBackend.Laszip):
        after = laspy.read(path("out.laz"), laz_backend=backend)
        same = all((las.points.array[f] == after.points.array[f]).all() for f in las.points.array.dtype.names)
        check(f"{backend.name} finds every field of LAZ {version}, format {point_format}, unchanged", same)
        las.write(path("in.laz"), laz_backend=backend)
        cluster("in.laz", "again.las")
        again = laspy.read(path("again.las"))
        same = all((las.points.array[f] == again.points.array[f]).all() for f in las.points.array.dtype.names)
        check(f"Clusterloom reads LAZ {version}, format {point_format}, of {backend.name}", same)

# HDF5, by h5py and pandas.
with h5py.File(path("in.h5"), "w") as file:
    file.create_dataset("cloud/points", data=points.astype("f4"), chunks=(100, 2), compression="gzip", shuffle=True)
    group = file.create_group("columns")
    for j, name in enumerate("xyz"):
        group[name] = points[:, j]
    group["name"] = np.array([b"a", b"bc"] * 300)
    file["records"] = np.rec.fromarrays([*points.T, np.arange(600)], names="x,y,z,frame")
for name in ("/columns", "/records"):
    cluster("in.h5", "h5.npy", "--dataset", name)
    check(f"Clusterloom reads {name} of h5py", (np.load(path("h5.npy")) == labels).all())
figures = cluster("in.h5", "h5.npy", "--dataset", "/cloud/points")
check("Clusterloom reads chunked and compressed float32 of h5py", figures["points"] == len(points))

# FITS, by astropy.
table = astropy.table.Table(dict(zip("xyz", points.T)))
table["x"].unit = "kpc"
table.write(path("in.fits"), overwrite=True)
table.write(path("in.fits.gz"), overwrite=True)
for name in ("in.fits", "in.fits.gz"):
    cluster(name, "fits.npy")
    check(f"Clusterloom reads {name} of astropy", (np.load(path("fits.npy")) == labels).all())

# HDF5 and FITS of Clusterloom.
cluster("points.npy", "out.h5", "--provenance", "on")
with h5py.File(path("out.h5")) as file:
    group = file["points"]
    check("h5py finds the columns of Clusterloom in their order", list(group) == ["column 0", "column 1", "column 2", "label", "role"] or list(group)[-2:] == ["label", "role"])
    columns = [name for name in group if name not in ("label", "role")]
    check("h5py reads the points of Clusterloom", all((group[name][:] == points[:, j]).all() for j, name in enumerate(columns)))
    check("h5py reads its labels and roles", (group["label"][:] == labels).all() and set(group["role"][:]) <= {0, 1, 2})
    check("h5py reads its provenance", any("eps" in name.lower() or "ε" in name for name in group.attrs))
    frame = pd.DataFrame({name: group[name][:] for name in group})
    check("pandas makes a table of it", (frame.label == labels).all())
for name in ("out.fits", "out.fits.gz"):
    cluster("points.npy", name, "--provenance", "on")
    table = astropy.table.Table.read(path(name))
    columns = [c for c in table.colnames if c not in ("label", "role")]
    check(f"astropy reads {name} of Clusterloom", all((table[c] == points[:, j]).all() for j, c in enumerate(columns)) and (table["label"] == labels).all())
    with astropy.io.fits.open(path(name)) as file:
        file.verify("exception")
print("all checks passed")
