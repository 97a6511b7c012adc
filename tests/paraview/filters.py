"""The plug-in in pvpython, data to give it, and what its filters answer."""

import contextlib
import os
import resource
import sys
import unittest

try:
    import numpy as np
except ImportError as error:
    print(f"Skipped: pvpython has no NumPy ({error})")
    sys.exit(77)

import oracle  # of the Python module's tests
from paraview import simple
from vtkmodules.util.misc import calldata_type
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.util.vtkConstants import VTK_STRING
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (
    vtkMultiBlockDataSet,
    vtkPartitionedDataSet,
    vtkPartitionedDataSetCollection,
    vtkPolyData,
    vtkTable,
    vtkUnstructuredGrid,
)

__all__ = [
    "array_of",
    "columns",
    "little_memory",
    "multi_block",
    "np",
    "oracle",
    "partitions",
    "pieces_of",
    "points",
    "run",
    "run_all",
    "simple",
    "table",
    "unittest",
    "vtkPolyData",
    "vtkUnstructuredGrid",
]

simple.LoadPlugin(os.environ["CLUSTERLOOM_PLUGIN"], remote=False, ns=vars(simple))


def with_arrays(attributes, arrays):
    for name, values in arrays.items():
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(name)
        attributes.AddArray(array)


def points(X, kind=vtkPolyData, arrays=None):
    """Points in up to three dimensions as a data set."""
    rows = np.zeros((len(X), 3))
    rows[:, : X.shape[1]] = X
    data = kind()
    data.SetPoints(vtkPoints())
    data.GetPoints().SetData(numpy_to_vtk(rows, deep=True))
    with_arrays(data.GetPointData(), arrays or {})
    return data


def columns(X):
    """A dictionary of the columns, named "c0", "c1", …"""
    return {f"c{j}": X[:, j] for j in range(X.shape[1])}


def table(arrays):
    data = vtkTable()
    with_arrays(data.GetRowData(), arrays)
    return data


def multi_block(*blocks):
    """Nested: the last block is in a block of its own; an empty one stands between."""
    inner = vtkMultiBlockDataSet()
    inner.SetBlock(0, blocks[-1])
    data = vtkMultiBlockDataSet()
    for number, block in enumerate(blocks[:-1]):
        data.SetBlock(number, block)
    data.SetBlock(len(blocks), inner)
    return data


def partitions(*pieces):
    """A collection of two partitioned data sets."""
    data = vtkPartitionedDataSetCollection()
    for number, part in enumerate((pieces[:1], pieces[1:])):
        one = vtkPartitionedDataSet()
        for place, piece in enumerate(part):
            one.SetPartition(place, piece)
        data.SetPartitionedDataSet(number, one)
    return data


def pieces_of(data):
    if not hasattr(data, "NewIterator"):
        return [data]
    at = data.NewIterator()
    pieces = []
    at.InitTraversal()
    while not at.IsDoneWithTraversal():
        pieces.append(at.GetCurrentDataObject())
        at.GoToNextItem()
    return pieces


def array_of(data, name):
    """The array of all pieces, or None where there is none."""
    parts = []
    for piece in pieces_of(data):
        attributes = piece.GetRowData() if piece.IsA("vtkTable") else piece.GetPointData()
        if not attributes.HasArray(name):
            return None
        parts.append(vtk_to_numpy(attributes.GetArray(name)))
    return np.concatenate(parts)


def run(filter_name, data, on_progress=None, **properties):
    """The output of a filter, its error messages, and the filter."""
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    made = getattr(simple, filter_name)(Input=source, **properties)
    algorithm = made.GetClientSideObject()
    errors = []

    @calldata_type(VTK_STRING)
    def note(_caller, _event, text):
        errors.append(text)

    algorithm.AddObserver("ErrorEvent", note)
    if on_progress is not None:
        algorithm.AddObserver("ProgressEvent", lambda *_: on_progress(algorithm))
    made.UpdatePipeline()
    return algorithm.GetOutputDataObject(0), errors, made


@contextlib.contextmanager
def little_memory(megabytes):
    """Lets this process take so much more memory, as `ulimit -v` does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + megabytes * 2**20, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def run_all():
    """Runs the tests of the program."""
    unittest.main(module="__main__", argv=sys.argv[:1])
