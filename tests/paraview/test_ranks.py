"""Three ranks of a server, under mpirun: the points of all are one cloud."""

import os
import sys
import tempfile

from filters import array_of, np, oracle, points, simple, unittest
from paraview import servermanager
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

X = oracle.blobs(4, 600, 2)
PIECES = (0, 120, 121, 121, 400, 600)  # one of them is empty


def written(folder, rows=X, pieces=PIECES):
    """A file of pieces, of which each rank reads some."""
    names = []
    for number, (first, last) in enumerate(zip(pieces, pieces[1:])):
        name = f"piece-{number}.vtp"
        arrays = {"id": np.arange(first, last, dtype=float)}
        writer = vtkXMLPolyDataWriter()
        writer.SetInputData(points(rows[first:last], arrays=arrays))
        writer.SetFileName(os.path.join(folder, name))
        writer.SetDataModeToBinary()
        writer.Write()
        names.append(name)
    path = os.path.join(folder, "points.pvtp")
    with open(path, "w", encoding="utf-8") as file:
        file.write('<VTKFile type="PPolyData" version="0.1"><PPolyData GhostLevel="0">')
        file.write('<PPoints><PDataArray type="Float64" NumberOfComponents="3"/></PPoints>')
        file.write('<PPointData><PDataArray type="Float64" Name="id"/></PPointData>')
        file.writelines(f'<Piece Source="{name}"/>' for name in names)
        file.write("</PPolyData></VTKFile>")
    return path


# Rows of each rank, and the rank that has little memory from then on, or None.
SOURCE = """
import resource
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkParallelCore import vtkMultiProcessController

rank = vtkMultiProcessController.GetGlobalController().GetLocalProcessId()
array = numpy_to_vtk(np.zeros({rows}[rank], dtype=np.uint8), deep=True)
array.SetName("c")
self.GetOutputDataObject(0).GetRowData().AddArray(array)
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
with open("/proc/self/statm", encoding="ascii") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
most = taken + 48 * 2**20 if rank == {limited} else hard
resource.setrlimit(resource.RLIMIT_AS, (most, hard))
"""


class Ranks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = simple.OpenDataFile(written(self.folder.name))

    def test_there_are_three(self):
        self.assertEqual(servermanager.ActiveConnection.GetNumberOfDataPartitions(), 3)

    def fetched(self, made):
        """The output of all ranks, in the order of their points."""
        made.UpdatePipeline()
        output = servermanager.Fetch(made)
        self.assertEqual(output.GetNumberOfPoints(), len(X))
        ranks = simple.ProcessIdScalars(Input=made)
        ids = np.unique(array_of(servermanager.Fetch(ranks), "ProcessId"))
        self.assertGreater(len(ids), 1)  # not all were on one rank
        return output

    def test_dbscan(self):
        made = simple.ClusterloomDBSCAN(Input=self.source, Epsilon=0.7, MinPts=6)
        output = self.fetched(made)
        order = array_of(output, "id").astype(int)
        np.testing.assert_array_equal(np.sort(order), np.arange(len(X)))
        labels, core = oracle.dbscan(X[order], 0.7, 6)
        np.testing.assert_array_equal(array_of(output, "label"), labels)
        np.testing.assert_array_equal(array_of(output, "role") == 2, core)
        self.assertEqual(made.FieldData["clusters"].GetRange()[1], labels.max() + 1)

    def test_ranks_whose_points_are_all_left_out(self):
        cuts = (0, 200, 400, 600)  # a piece for each rank
        for without in ((0,), (1,), (2,), (0, 2), (0, 1, 2)):
            rows = X.copy()
            for piece in without:
                rows[cuts[piece] : cuts[piece + 1]] = np.nan
            with tempfile.TemporaryDirectory() as folder:
                made = simple.ClusterloomDBSCAN(
                    Input=simple.OpenDataFile(written(folder, rows, cuts)),
                    Epsilon=0.7,
                    MinPts=6,
                    LeaveOutMissing=1,
                )
                output = self.fetched(made)
            order = array_of(output, "id").astype(int)
            kept = np.isfinite(rows[order, 0])
            self.assertEqual(kept.sum(), 200 * (3 - len(without)))
            labels, roles = np.full(600, -2), np.zeros(600)
            if kept.any():
                labels[kept], core = oracle.dbscan(X[order[kept]], 0.7, 6)
                roles[kept] = np.where(core, 2, np.where(labels[kept] >= 0, 1, 0))
            np.testing.assert_array_equal(array_of(output, "label"), labels)
            np.testing.assert_array_equal(array_of(output, "role"), roles)

    def test_hdbscan(self):
        output = self.fetched(simple.ClusterloomHDBSCAN(Input=self.source, MinClusterSize=15))
        labels = array_of(output, "label")
        self.assertEqual(labels.max(), 2)
        probabilities = array_of(output, "probability")
        np.testing.assert_array_equal(probabilities > 0, labels >= 0)

    def test_an_error_ends_the_call_on_all_ranks(self):
        made = simple.ClusterloomDBSCAN(Input=self.source, Epsilon=-1.0)
        made.UpdatePipeline()
        self.assertIsNone(array_of(servermanager.Fetch(made), "label"))
        made.Epsilon = 0.7
        made.Coordinates = ["none"]
        made.UpdatePipeline()
        self.assertIsNone(array_of(servermanager.Fetch(made), "label"))
        made.Coordinates = []
        made.UpdatePipeline()
        self.assertIsNotNone(array_of(servermanager.Fetch(made), "label"))

    def test_memory_that_runs_out_ends_the_call_on_all_ranks(self):
        source = simple.ProgrammableSource(OutputDataSetType="vtkTable")
        made = simple.ClusterloomDBSCAN(Input=source, Coordinates=["c"], Epsilon=1.0)
        for rows, limited in (
            ((10, 9_000_000, 10), 1),  # its own coordinates
            ((10, 4_500_000, 4_500_000), 0),  # those of all
            ((10, 10, 10), None),
        ):
            source.Script = SOURCE.format(rows=rows, limited=limited)
            made.UpdatePipeline()
        # The last call is as if the others had not been.
        of_rows = made.GetDataInformation().GetRowDataInformation()
        self.assertEqual(of_rows.GetArrayInformation("c").GetNumberOfTuples(), 30)
        self.assertIsNotNone(of_rows.GetArrayInformation("label"))


if __name__ == "__main__":
    # The other ranks wait for the end of the script, which sys.exit would skip.
    if not unittest.main(exit=False, argv=sys.argv[:1]).result.wasSuccessful():
        sys.exit(1)
