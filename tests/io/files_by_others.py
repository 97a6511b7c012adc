#!/usr/bin/env python3
"""Compares exports with files of other projects: files_by_others.py CLUSTERLOOM_CLI FOLDER...

Each .las, .laz, .fits, .h5, .npy, .pcd and .ply file of the folders is clustered into its own format
(PCD into PLY, NPY into HDF5), and both are read by libraries of others: laspy with lazrs, astropy,
h5py, NumPy, plyfile, and for PCD the reader below. Each table of a FITS or HDF5 file is a case of
its own. Every attribute must be equal, or the program must have refused the file or named the column
in words. Prints what differs and counts; exit status 1 where anything differs. Not part of the
tests: the folders are test data of laspy, PDAL, astropy, h5py, PyTables, the Point Cloud Library and
plyfile; the figures are in tests/bench/RESULTS.md.
"""
import collections
import os
import re
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


def without_skipped(values, notes):
    """The rows that the program did not leave out, which its note names where they are few."""
    skipped = re.search(r"were skipped \(rows? ([0-9, ]+), counted from 0", notes)
    return np.delete(values, [int(row) for row in skipped[1].split(",")], 0) if skipped else values


def compare_las(source, written, _table, _notes):
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


def tables_of_fits(path):
    """The numbers of the tables with rows of a FITS file."""
    from astropy.io import fits

    with fits.open(path) as file:
        tables = [str(i) for i, h in enumerate(file)
                  if isinstance(h, (fits.BinTableHDU, fits.TableHDU)) and h.header["NAXIS2"] > 0]
    return tables if len(tables) > 1 else [""]


def compare_fits(source, written, table, notes):
    from astropy.io import fits

    with fits.open(source) as x, fits.open(written) as y:
        tables = (fits.BinTableHDU, fits.TableHDU)
        theirs = x[int(table)] if table else next(
            h for h in x if isinstance(h, tables) and h.data is not None and len(h.data))
        ours = next(h for h in y if isinstance(h, tables))
        bad = []
        for name in theirs.columns.names:
            values = without_skipped(theirs.data[name], notes)
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


def tables_of_hdf5(path):
    """The paths of the datasets with one or two dimensions of an HDF5 file."""
    import h5py

    tables = []

    def visit(name, found):
        if isinstance(found, h5py.Dataset) and found.shape and len(found.shape) < 3 and found.size:
            tables.append("/" + name)

    try:
        with h5py.File(path, "r") as file:
            file.visititems(visit)
    except OSError:
        pass
    return tables or [""]


def columns_of(name, values):
    """The columns of an array, of a record and of records within it, as pairs of name and values."""
    if values.dtype.names:
        return [c for n in values.dtype.names for c in columns_of(n, values[n])]
    values = values.reshape(len(values), -1)
    parts = [values.real, values.imag] if values.dtype.kind == "c" else [values]
    return [(name, part[:, i]) for i in range(values.shape[1]) for part in parts]


def columns_of_ours(path):
    """The columns of an export as HDF5 but for its labels, in the order of the file."""
    import h5py

    with h5py.File(path, "r", track_order=True) as file:
        group = next(o for o in file.values() if isinstance(o, h5py.Group))
        return [(n, group[n][:]) for n in group if n not in ("label", "role")]


def differing_columns(theirs, ours):
    """The columns that have no equal; those of words may be of another length."""
    left = list(ours)
    bad = []
    for name, values in theirs:
        if values.dtype.kind == "O":
            values = np.array([v.decode() if isinstance(v, bytes) else v for v in values])
        found = next((i for i, (_, mine) in enumerate(left) if equal_words(values, mine)), None)
        if found is None:
            bad.append(name)
        else:
            del left[found]
    return bad


def equal_words(values, mine):
    """Like equal, for texts of any kind; a text is equal to no number."""
    if values.dtype.kind in "SUO":
        words = [w.decode() if isinstance(w, bytes) else str(w) for w in np.asarray(mine).tolist()]
        return equal(np.array([w.decode() if isinstance(w, bytes) else str(w)
                               for w in values.tolist()]), np.array(words))
    return mine.dtype.kind not in "SUO" and equal(values, mine)


def compare_hdf5(source, written, table, notes):
    import h5py

    with h5py.File(source, "r") as file:
        if table:
            values = file[table][()]
        else:
            names = tables_of_hdf5(source)
            values = file[names[0]][()]
    return differing_columns(columns_of(table, without_skipped(values, notes)),
                             columns_of_ours(written))


def compare_npy(source, written, _table, notes):
    values = np.load(source)
    return differing_columns(columns_of("column", without_skipped(values, notes)),
                             columns_of_ours(written))


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


def compare_pcd(source, written, _table, _notes):
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


def compare_ply(source, written, _table, _notes):
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
         ".h5": (compare_hdf5, ".h5"), ".hdf5": (compare_hdf5, ".h5"),
         ".npy": (compare_npy, ".h5"), ".ply": (compare_ply, ".ply")}
TABLES = {".fits": tables_of_fits, ".h5": tables_of_hdf5, ".hdf5": tables_of_hdf5}


def tables_of(path):
    """The names of the tables of a file, or an empty one where there is nothing to choose."""
    try:
        return TABLES.get(os.path.splitext(path)[1].lower(), lambda _: [""])(path)
    except Exception:  # its library cannot read it; the program says what it thinks of it
        return [""]


def outcome(program, path, table, folder):
    """EQUAL, DIFFERS or REFUSED, and what is to be said about it."""
    compare, extension = KINDS[os.path.splitext(path)[1].lower()]
    written = os.path.join(folder, "written" + extension)
    if os.path.exists(written):
        os.remove(written)
    call = [program, "cluster", path, "--eps", "1", "--min-pts", "5", "--labels", written,
            "--skip-non-finite"] + (["--dataset", table] if table else [])
    run = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
    if run.returncode < 0:
        return "CRASHED", f"signal {-run.returncode}"
    if run.returncode > 0:
        return "REFUSED", run.stderr.strip().splitlines()[0]
    try:
        bad = compare(path, written, table, run.stderr)
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
                path = os.path.join(folder, name)
                for table in tables_of(path):
                    word, text = outcome(program, path, table, scratch)
                    counts[(os.path.basename(folder), extension, word)] += 1
                    if word != "EQUAL":
                        print(f"{word:8} {path} {table}: {text}")
    for (folder, extension, word), count in sorted(counts.items()):
        print(f"{folder} {extension} {word} {count}")
    return any(word in ("DIFFERS", "CRASHED") for _, _, word in counts)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
