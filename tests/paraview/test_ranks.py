"""Three ranks of a server, under mpirun: the points of all are one cloud."""

import os
import sys
import tempfile

from filters import array_of, np, oracle, points, simple, unittest
from paraview import servermanager
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

X = oracle.blobs(4, 600, 2)
PIECES = (0, 120, 121, 121, 400, 600)  # one of them is empty


def written(folder):
    """A file of pieces, of which each rank reads some."""
    names = []
    for number, (first, last) in enumerate(zip(PIECES, PIECES[1:])):
        name = f"piece-{number}.vtp"
        arrays = {"id": np.arange(first, last, dtype=float)}
        writer = vtkXMLPolyDataWriter()
        writer.SetInputData(points(X[first:last], arrays=arrays))
        writer.SetFileName(os.path.join(folder, name))
        writer.SetDataModeToAscii()
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


if __name__ == "__main__":
    # The other ranks wait for the end of the script, which sys.exit would skip.
    if not unittest.main(exit=False, argv=sys.argv[:1]).result.wasSuccessful():
        sys.exit(1)
