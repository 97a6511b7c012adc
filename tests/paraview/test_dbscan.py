"""Clusterloom DBSCAN against brute force, on every kind of data that it takes."""

from filters import (
    array_of,
    columns,
    multi_block,
    np,
    oracle,
    partitions,
    pieces_of,
    points,
    run,
    run_all,
    table,
    unittest,
    vtkPolyData,
    vtkUnstructuredGrid,
)

X = oracle.blobs(4, 600, 2)
EPS, MIN_PTS = 0.7, 6
LABELS, CORE = oracle.dbscan(X, EPS, MIN_PTS)
ROLES = np.where(CORE, 2, np.where(LABELS >= 0, 1, 0))


class Dbscan(unittest.TestCase):
    def check(self, data, labels=LABELS, roles=ROLES, **properties):
        output, errors, _ = run(
            "ClusterloomDBSCAN", data, **{"Epsilon": EPS, "MinPts": MIN_PTS, **properties}
        )
        self.assertEqual(errors, [])
        self.assertEqual(output.GetClassName(), data.GetClassName())
        np.testing.assert_array_equal(array_of(output, "label"), labels)
        np.testing.assert_array_equal(array_of(output, "role"), roles)
        self.assertEqual(array_of(output, "label").dtype, np.int32)
        figures = output.GetFieldData()
        self.assertEqual(figures.GetArray("clusters").GetValue(0), labels.max() + 1)
        self.assertEqual(figures.GetArray("noise").GetValue(0), np.sum(labels == -1))
        return output

    def test_the_cloud_has_every_role(self):
        self.assertEqual(sorted(set(ROLES)), [0, 1, 2])

    def test_points(self):
        for kind in (vtkPolyData, vtkUnstructuredGrid):
            output = self.check(points(X, kind, {"mass": np.arange(600.0)}))
            np.testing.assert_array_equal(array_of(output, "mass"), np.arange(600.0))

    def test_table(self):
        self.check(table({**columns(X), "id": np.arange(600)}), Coordinates=["c0", "c1"])

    def test_arrays_of_points_in_five_dimensions(self):
        Y = oracle.blobs(5, 500, 5)
        labels, core = oracle.dbscan(Y, 2.5, 4)
        roles = np.where(core, 2, np.where(labels >= 0, 1, 0))
        data = points(np.zeros((500, 1)), arrays={"v": Y[:, :3], "w": Y[:, 3:].astype(float)})
        self.check(data, labels, roles, Coordinates=["v", "w"], Epsilon=2.5, MinPts=4)

    def test_types_of_numbers(self):
        Y = oracle.lattice(2, 500, 2, 30)
        labels, core = oracle.dbscan(Y, 1.0, 5)
        roles = np.where(core, 2, np.where(labels >= 0, 1, 0))
        for kind in (np.float32, np.int32, np.int64, np.uint8):
            data = table(columns(Y.astype(kind)))
            self.check(data, labels, roles, Coordinates=["c0", "c1"], Epsilon=1.0, MinPts=5)

    def test_pieces_are_one_cloud(self):
        parts = np.split(X, [100, 101, 350])
        for made in (
            multi_block(*(points(part) for part in parts)),
            multi_block(*(points(part, vtkUnstructuredGrid) for part in parts)),
            partitions(*(points(part) for part in parts)),
        ):
            before = [piece.GetPointData().GetNumberOfArrays() for piece in pieces_of(made)]
            self.check(made)
            after = [piece.GetPointData().GetNumberOfArrays() for piece in pieces_of(made)]
            self.assertEqual(before, after)  # the input is as it was
        tables = partitions(*(table(columns(part)) for part in parts))
        self.check(tables, Coordinates=["c0", "c1"])

    def test_ghost_points_are_left_out(self):
        first, second = X[:300], X[300:]
        ghosts = np.zeros(350, dtype=np.uint8)
        ghosts[300:] = 1
        with_ghosts = points(np.concatenate([first, second[:50]]), arrays={"vtkGhostType": ghosts})
        output, _, _ = run(
            "ClusterloomDBSCAN",
            multi_block(with_ghosts, points(second)),
            Epsilon=EPS,
            MinPts=MIN_PTS,
        )
        found = array_of(output, "label")
        np.testing.assert_array_equal(np.delete(found, range(300, 350)), LABELS)
        np.testing.assert_array_equal(found[300:350], np.full(50, -2))

    def test_missing_values(self):
        holes = np.insert(X, [0, 30, 600], np.nan, axis=0)
        output, errors, _ = run("ClusterloomDBSCAN", points(holes), Epsilon=EPS, MinPts=MIN_PTS)
        self.assertIn("Point 0 has a value of 'x' that is not a finite number", errors[0])
        self.assertIn("Leave Out Missing", errors[0])
        self.assertIsNone(array_of(output, "label"))
        output, errors, _ = run(
            "ClusterloomDBSCAN", points(holes), Epsilon=EPS, MinPts=MIN_PTS, LeaveOutMissing=1
        )
        self.assertEqual(errors, [])
        found = array_of(output, "label")
        places = np.isnan(holes[:, 0])
        self.assertEqual(places.sum(), 3)
        np.testing.assert_array_equal(found[~places], LABELS)
        np.testing.assert_array_equal(found[places], [-2, -2, -2])

    def test_all_points_left_out(self):
        ghosts = points(X, arrays={"vtkGhostType": np.ones(600, dtype=np.uint8)})
        holes = points(np.full((600, 2), np.nan))
        for data in (ghosts, holes, partitions(ghosts, holes), table({"c0": np.full(600, np.inf)})):
            chosen = ["c0"] if data.IsA("vtkTable") else []
            output, errors, _ = run(
                "ClusterloomDBSCAN", data, Coordinates=chosen, LeaveOutMissing=1
            )
            self.assertEqual(errors, [])
            self.assertEqual(set(array_of(output, "label")), {-2})
            self.assertEqual(set(array_of(output, "role")), {0})
            for figure in ("clusters", "noise"):
                self.assertEqual(output.GetFieldData().GetArray(figure).GetValue(0), 0)

    def test_weights(self):
        weights = np.random.default_rng(1).integers(0, 5, 600)
        near = oracle.within(X, EPS)
        data = points(X, arrays={"weight": weights})
        self.check_neighbours(data, near, near @ weights >= 12, MinPts=12, Weights="weight")

    def test_cosine_distances(self):
        Y = oracle.blobs(6, 400, 3) + 0.25
        unit = Y / np.linalg.norm(Y, axis=1)[:, None]
        near = 1 - unit @ unit.T <= 0.0003
        core = near.sum(axis=1) >= 4
        self.check_neighbours(points(Y), near, core, Epsilon=0.0003, MinPts=4, Metric="Cosine")

    def test_periodic_box(self):
        Y = np.random.default_rng(3).uniform(0, 10, (400, 2))
        apart = np.abs(Y[:, None] - Y[None])
        near = np.sum(np.minimum(apart, 10 - apart) ** 2, axis=2) <= 0.6**2
        core = near.sum(axis=1) >= 6
        self.check_neighbours(points(Y), near, core, Epsilon=0.6, MinPts=6, Periods="10,10,-")
        self.assertTrue((near != oracle.within(Y, 0.6)).any())

    def check_neighbours(self, data, near, core, **properties):
        labels = oracle.labels_of(near, core)
        self.assertTrue(labels.max() > 0 and core.any() and not core.all())
        roles = np.where(core, 2, np.where(labels >= 0, 1, 0))
        self.check(data, labels, roles, **properties)

    def test_suggested_eps(self):
        output, errors, made = run("ClusterloomDBSCAN", points(X), MinPts=MIN_PTS)
        self.assertEqual(errors, [])
        eps = made.FieldData["eps"].GetRange()[0]
        # The knee is a distance to a sixth nearest point.
        sixth = np.sort(np.sqrt(oracle.squared_distances(X)), axis=1)[:, MIN_PTS - 1]
        self.assertLess(np.abs(sixth - eps).min(), 1e-12)
        np.testing.assert_array_equal(
            array_of(output, "label"), oracle.dbscan(X, eps, MIN_PTS)[0]
        )

    def test_suggested_eps_of_cosine_distances(self):
        _, errors, made = run("ClusterloomDBSCAN", points(X), MinPts=MIN_PTS, Metric="Cosine")
        self.assertEqual(errors, [])
        eps = made.FieldData["eps"].GetRange()[0]
        unit = X / np.linalg.norm(X, axis=1)[:, None]
        sixth = np.sort(1 - unit @ unit.T, axis=1)[:, MIN_PTS - 1]
        self.assertLess(np.abs(sixth - eps).min(), 1e-12)


if __name__ == "__main__":
    run_all()
