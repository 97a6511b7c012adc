"""The script of the guide's page, and the picture that it draws."""

import contextlib
import io
import os
import re
import shutil
import tempfile

from filters import np, run_all, simple, unittest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader


def pixels(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    return vtk_to_numpy(image.GetPointData().GetScalars()), image.GetDimensions()


class Guide(unittest.TestCase):
    def test_the_script_draws_its_clusters(self):
        page = os.path.join(os.environ["CLUSTERLOOM_GUIDE"], "paraview.md")
        with open(page, encoding="utf-8") as file:
            script = "\n".join(re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL))
        told = re.findall(r"# → (.*)", script)
        self.assertEqual(len(told), 1)
        sample = os.path.join(os.environ["CLUSTERLOOM_SAMPLES"], "shapes-2d.csv")
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(sample, folder)
            os.symlink(os.environ["CLUSTERLOOM_PLUGIN"], os.path.join(folder, "Clusterloom.so"))
            os.chdir(folder)
            try:
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    exec(script, {})
                colours, size = pixels("shapes.png")
                kept = os.environ.get("CLUSTERLOOM_KEEP_PICTURE")
                if kept:
                    shutil.copy("shapes.png", kept)
            finally:
                os.chdir(before)
                simple.Disconnect()  # a view that is left to the end of the program ends in an error
        self.assertEqual(said.getvalue().split(), told)
        self.assertEqual(size[:2], (800, 600))
        # The background, eight clusters and noise: colours of many pixels, far from each other.
        colours, counts = np.unique(colours[:, :3].astype(int), axis=0, return_counts=True)
        seen = []
        for colour in colours[np.argsort(-counts)][: np.sum(counts > 100)]:
            if all(np.abs(colour - other).max() > 30 for other in seen):
                seen.append(colour)
        self.assertGreaterEqual(len(seen), 10)


if __name__ == "__main__":
    run_all()
