"""What the pipeline is told: progress, an abort, errors in plain words, empty data."""

from filters import (
    array_of,
    columns,
    little_memory,
    multi_block,
    np,
    oracle,
    points,
    run,
    run_all,
    table,
    unittest,
    vtkPolyData,
)


class Pipeline(unittest.TestCase):
    def test_progress(self):
        told = []
        cloud = np.random.default_rng(1).uniform(0, 1, (60000, 3))
        run(
            "ClusterloomHDBSCAN",
            points(cloud),
            lambda filter: told.append((filter.GetProgressText(), filter.GetProgress())),
        )
        stages = {text for text, _ in told if text}
        self.assertGreaterEqual(len(stages), 1)
        self.assertTrue(all(0 <= fraction <= 1 for _, fraction in told))

    def test_abort(self):
        cloud = np.random.default_rng(2).uniform(0, 1, (400000, 3))
        asked = []

        def stop(algorithm):
            if algorithm.GetProgress() > 0 and not asked:
                asked.append(True)
                algorithm.SetAbortExecute(1)

        output, errors, made = run("ClusterloomHDBSCAN", points(cloud), stop)
        self.assertEqual(len(asked), 1)
        self.assertEqual(errors, [])
        # A run that went on to its end would have points.
        self.assertEqual(output.GetNumberOfPoints(), 0)
        # It runs again when asked again.
        made.GetClientSideObject().SetAbortExecute(0)
        made.MinClusterSize = 50
        made.UpdatePipeline()
        output = made.GetClientSideObject().GetOutputDataObject(0)
        self.assertIsNotNone(array_of(output, "label"))

    def test_errors(self):
        X = oracle.blobs(4, 100, 2)
        cases = (
            (points(X), {"MinPts": 0, "Epsilon": 1.0}, "minPts"),
            (points(X), {"Epsilon": -1.0}, "ε"),
            (table(columns(X)), {}, "Choose the columns that are coordinates"),
            (table(columns(X)), {"Coordinates": ["c0", "c7"]}, "no column 'c7'; there are: c0, c1"),
            (points(X), {"Coordinates": ["c7"]}, "The points have no array 'c7'"),
            (points(X), {"Weights": "mass"}, "The points have no array 'mass'"),
            (points(X, arrays={"v": X}), {"Weights": "v"}, "have 2 components"),
            (points(X), {"Epsilon": 1.0, "Periods": "10,10"}, "3"),
            (points(X), {"Epsilon": 1.0, "Periods": "ten"}, "ten"),
            (
                multi_block(points(X, arrays={"v": X}), points(X, arrays={"v": X[:, 0]})),
                {"Coordinates": ["v"]},
                "2 components in one piece of the data and 1 in another",
            ),
        )
        for data, properties, message in cases:
            output, errors, _ = run("ClusterloomDBSCAN", data, **properties)
            self.assertEqual(len(errors), 1, properties)
            self.assertIn(message, errors[0])
            self.assertIsNone(array_of(output, "label"))

    def test_memory_that_runs_out(self):
        data = table({"c": np.zeros(9_000_000, dtype=np.uint8)})  # coordinates of 72 MB
        with little_memory(48):
            output, errors, _ = run("ClusterloomDBSCAN", data, Coordinates=["c"], Epsilon=1.0)
        self.assertEqual(len(errors), 1)
        self.assertIn("Not enough memory for this run.", errors[0])
        self.assertEqual(output.GetNumberOfRows(), 9_000_000)
        self.assertIsNone(array_of(output, "label"))

    def test_empty_data(self):
        for data in (vtkPolyData(), table({}), multi_block(vtkPolyData())):
            output, errors, _ = run("ClusterloomDBSCAN", data)
            self.assertEqual(errors, [])
            self.assertEqual(output.GetClassName(), data.GetClassName())


if __name__ == "__main__":
    run_all()
