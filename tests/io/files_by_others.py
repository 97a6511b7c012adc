#!/usr/bin/env python3
"""Compares exports with files of other projects: files_by_others.py CLUSTERLOOM_CLI FOLDER...

Each .las, .laz, .fits, .pcd and .ply file of the folders is clustered into its own format (PCD into
PLY, which Clusterloom writes), and both are read by libraries of others: laspy with lazrs, astropy,
plyfile, and for PCD the reader below. Every attribute must be equal, or the program must have
refused the file or named the column in words. Prints what differs and counts; exit status 1 where
anything differs. Not part of the tests: the folders are test data of laspy, PDAL, astropy, the
Point Cloud Library and plyfile.
"""
import collections
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np


def equal(a, b):
    """Whether two columns are equal, NaN being equal to NaN, and texts without blanks at the end."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind in "SU":
        a, b = np.char.strip(a.astype(str)), np.char.strip(b.astype(str))
    if a.size != b.size:
        return False
    a, b = a.ravel(), b.ravel()  # FITS columns of shape (1, 1) and PCD fields of one value
    return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f"))


def compare_las(source, written, _notes):
    import laspy

    x, y = laspy.read(source), laspy.read(written)
    theirs, ours = list(x.point_format.dimension_names), list(y.point_format.dimension_names)
    bad = []
    for name in theirs:
        if name == "ExtraBytes":
            # Bytes that laspy finds no description of: they become columns.
            columns = [np.asarray(y[n]).astype(f"<{np.asarray(y[n]).dtype.str[1:]}")
                       for n in ours if n not in theirs and n not in ("label", "role")]
            raw = np.concatenate([c.reshape(len(c), -1).view("u1") for c in columns], axis=1)
            if not equal(np.asarray(x[name]).view("u1"), raw):
                bad.append(name)
        elif name not in ours:
            bad.append(name + " is missing")
        elif name not in "XYZ" and not equal(x[name], y[name]):
            bad.append(name)
    bad += [n for n in "xyz" if not equal(np.array(x[n]), np.array(y[n]))]

    def keys(records):
        # An export has no octree, and describes compression and extra bytes itself.
        return {(v.user_id, v.record_id) for v in records or []
                if v.user_id not in ("laszip encoded", "copc", "")
                and (v.user_id, v.record_id) != ("LASF_Spec", 4)}

    bad += [f"record {k}" for k in keys(x.vlrs) - keys(y.vlrs)]
    bad += [f"extended record {k}" for k in keys(x.evlrs) - keys(y.evlrs)]
    return bad


def compare_fits(source, written, notes):
    from astropy.io import fits

    with fits.open(source) as x, fits.open(written) as y:
        tables = (fits.BinTableHDU, fits.TableHDU)
        theirs = next(h for h in x if isinstance(h, tables) and h.data is not None and len(h.data))
        ours = next(h for h in y if isinstance(h, tables))
        bad = []
        for name in theirs.columns.names:
            values = theirs.data[name]
            if f"{name} (" in notes:
                continue  # said to be left out
            if name in ours.columns.names:
                if not equal(values, ours.data[name]):
                    bad.append(name)
                continue
            values = np.asarray(values).reshape(len(values), -1)
            parts = [n for n in ours.columns.names
                     if n.rpartition("_")[0] == name and n.rpartition("_")[2].isdigit()]
            if len(parts) != values.shape[1]:
                bad.append(name + " is missing")
            elif not all(equal(values[:, i], ours.data[f"{name}_{i}"]) for i in range(len(parts))):
                bad.append(name)
        return bad


def read_pcd(path):
    """The points of a PCD file as a structured array, and how they are stored."""
    with open(path, "rb") as file:
        data = file.read()
    header, at = {}, 0
    while "DATA" not in header:
        end = data.index(b"\n", at)
        words = data[at:end].decode("latin1").split()
        at = end + 1
        if words and not words[0].startswith("#"):
            header[words[0]] = words[1:]
    counts = [int(c) for c in header.get("COUNT", ["1"] * len(header["FIELDS"]))]
    kinds = {"F": "f", "I": "i", "U": "u"}
    fields = zip(header["FIELDS"], header["TYPE"], header["SIZE"], counts)
    layout = np.dtype([(f"_{i}" if n == "_" else n, kinds[t] + s, (c,))
                       for i, (n, t, s, c) in enumerate(fields)])
    points = int(header["WIDTH"][0]) * int(header["HEIGHT"][0])
    stored = header["DATA"][0]
    if stored == "binary":
        return np.frombuffer(data, layout, points, at), stored
    table = np.zeros(points, layout)
    if stored == "ascii":
        for i, line in enumerate(data[at:].decode().splitlines()[:points]):
            cells, c = line.split(), 0
            for name in layout.names:
                width = layout[name].shape[0]
                table[name][i] = np.array([float(v) for v in cells[c:c + width]])
                c += width
        return table, stored
    import lzf

    packed, unpacked = (int(v) for v in np.frombuffer(data, "<u4", 2, at))
    raw, at = lzf.decompress(data[at + 8:at + 8 + packed], unpacked), 0
    for name in layout.names:
        width = layout[name].shape[0]
        table[name] = np.frombuffer(raw, layout[name].base, points * width, at).reshape(points, width)
        at += layout[name].itemsize * points
    return table, stored


def compare_pcd(source, written, _notes):
    import plyfile

    x, stored = read_pcd(source)
    y = plyfile.PlyData.read(written)["vertex"]
    have = {p.name.lower(): p.name for p in y.properties}
    axes = [n for n in x.dtype.names if n.lower() in ("x", "y", "z")]
    x = x[np.all([np.isfinite(x[n][:, 0]) for n in axes], axis=0)]  # the others are skipped
    bad = []
    for name in x.dtype.names:
        if name.startswith("_"):
            continue
        values = x[name]
        width = values.shape[1]
        for i in range(width):
            ours = name.lower() if width == 1 else f"{name.lower()}_{i}"
            ours = "input_" + ours if ours in ("label", "role") else ours
            if ours not in have:
                bad.append(ours + " is missing")
                continue
            theirs, mine = values[:, i], np.asarray(y[have[ours]])
            if mine.dtype.kind == "u" and theirs.dtype.kind == "f":
                theirs = np.ascontiguousarray(theirs).view(mine.dtype)  # packed colours
            elif stored == "ascii":
                mine = mine.astype(theirs.dtype)  # decimals are read as doubles
            if not equal(theirs, mine):
                bad.append(ours)
    return bad


def compare_ply(source, written, _notes):
    import plyfile

    x, y = plyfile.PlyData.read(source), plyfile.PlyData.read(written)["vertex"]
    have = [p.name for p in y.properties]
    bad = []
    for p in x["vertex"].properties:
        values = x["vertex"][p.name]
        if p.name not in have:
            bad.append(p.name + " is missing")
            continue
        ours = np.asarray(y[p.name])
        if x.text:
            ours = ours.astype(values.dtype)  # decimals are read as doubles
        if not equal(values, ours):
            bad.append(p.name)
    return bad


KINDS = {".las": (compare_las, ".las"), ".laz": (compare_las, ".laz"),
         ".fits": (compare_fits, ".fits"), ".pcd": (compare_pcd, ".ply"),
         ".ply": (compare_ply, ".ply")}


def outcome(program, path, folder):
    """EQUAL, DIFFERS or REFUSED, and what is to be said about it."""
    compare, extension = KINDS[os.path.splitext(path)[1].lower()]
    written = os.path.join(folder, "written" + extension)
    if os.path.exists(written):
        os.remove(written)
    call = [program, "cluster", path, "--eps", "1", "--min-pts", "5", "--labels", written,
            "--skip-non-finite"]
    run = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
    if run.returncode < 0:
        return "CRASHED", f"signal {-run.returncode}"
    if run.returncode > 0:
        return "REFUSED", run.stderr.strip().splitlines()[0]
    try:
        bad = compare(path, written, run.stderr)
    except Exception as error:  # a library that cannot read the file or the export
        return "UNREAD", f"{type(error).__name__}: {error}"
    return ("DIFFERS", ", ".join(bad[:8])) if bad else ("EQUAL", "")


def main(program, folders):
    warnings.simplefilter("ignore")
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders:
            for name in sorted(os.listdir(folder)):
                extension = os.path.splitext(name)[1].lower()
                if extension not in KINDS:
                    continue
                word, text = outcome(program, os.path.join(folder, name), scratch)
                counts[(os.path.basename(folder), extension, word)] += 1
                if word != "EQUAL":
                    print(f"{word:8} {folder}/{name}: {text}")
    for (folder, extension, word), count in sorted(counts.items()):
        print(f"{folder} {extension} {word} {count}")
    return any(word in ("DIFFERS", "CRASHED") for _, _, word in counts)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
