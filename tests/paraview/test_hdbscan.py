"""Clusterloom HDBSCAN against the command line on the same points."""

import os
import subprocess
import tempfile

from filters import array_of, columns, np, oracle, partitions, points, run, run_all, table, unittest

X = oracle.blobs(11, 700, 3)


def by_the_command_line(rows, *options):
    """Labels, probabilities and outlier scores."""
    # pvpython is a rank of its own, of which its children would be ranks, too.
    ranks = ("OMPI_", "PMIX_", "PRTE_")
    alone = {name: value for name, value in os.environ.items() if not name.startswith(ranks)}
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("x.npy", "l.npy", "p.npy", "o.npy")]
        np.save(files[0], rows)
        subprocess.run(
            [os.environ["CLUSTERLOOM_CLI"], "hdbscan", files[0], "--labels", files[1]]
            + ["--probabilities", files[2], "--outlier-scores", files[3], *options],
            check=True,
            env=alone,
            stdout=subprocess.DEVNULL,
        )
        return [np.load(file) for file in files[1:]]


class Hdbscan(unittest.TestCase):
    def check(self, data, options, **properties):
        labels, probabilities, scores = by_the_command_line(X, *options)
        output, errors, _ = run("ClusterloomHDBSCAN", data, **properties)
        self.assertEqual(errors, [])
        np.testing.assert_array_equal(array_of(output, "label"), labels)
        np.testing.assert_array_equal(array_of(output, "probability"), probabilities)
        np.testing.assert_array_equal(array_of(output, "outlier_score"), scores)
        self.assertIsNone(array_of(output, "role"))
        return labels

    def test_points(self):
        labels = self.check(points(X), ["--min-cluster-size", "15"], MinClusterSize=15)
        self.assertEqual(labels.max(), 2)
        self.assertTrue((labels < 0).any())

    def test_table_and_pieces(self):
        options = ["--min-cluster-size", "10", "--min-pts", "4"]
        names = ["c0", "c1", "c2"]
        self.check(
            table(columns(X)), options, Coordinates=names, MinClusterSize=10, MinSamples=4
        )
        pieces = partitions(*(points(part) for part in np.split(X, [50, 400])))
        self.check(pieces, options, MinClusterSize=10, MinSamples=4)

    def test_options(self):
        self.check(
            points(X),
            ["--min-cluster-size", "8", "--select", "leaves"],
            MinClusterSize=8,
            Selection="Leaves",
        )
        self.check(
            points(X),
            ["--min-cluster-size", "8", "--selection-eps", "1.5", "--max-cluster-size", "150"],
            MinClusterSize=8,
            SelectionEpsilon=1.5,
            MaxClusterSize=150,
        )
        self.check(
            points(X),
            ["--min-cluster-size", "300", "--allow-single-cluster"],
            MinClusterSize=300,
            AllowSingleCluster=1,
        )

    def test_most_neighbours(self):
        self.check(
            points(X),
            ["--min-cluster-size", "15", "--min-pts", "100"],
            MinClusterSize=15,
            MinSamples=100,
        )
        _, errors, made = run("ClusterloomHDBSCAN", points(X), MinSamples=1024)
        self.assertEqual(errors, [])
        allowed = made.GetProperty("MinSamples").GetDomain("range")
        self.assertEqual((allowed.GetMinimum(0), allowed.GetMaximum(0)), (0, 1024))

    def test_all_points_left_out(self):
        data = points(np.full((20, 2), np.nan))
        output, errors, _ = run("ClusterloomHDBSCAN", data, LeaveOutMissing=1)
        self.assertEqual(errors, [])
        np.testing.assert_array_equal(array_of(output, "label"), np.full(20, -2))
        np.testing.assert_array_equal(array_of(output, "probability"), np.zeros(20))
        np.testing.assert_array_equal(array_of(output, "outlier_score"), np.zeros(20))

    def test_wrong_calls(self):
        for properties, message in (
            ({"MinClusterSize": 1}, "Min Cluster Size must be at least 2."),
            ({"MinSamples": -1}, "Min Samples must be at least 0."),
            ({"SelectionEpsilon": -1.0}, "Selection Epsilon must be at least 0."),
        ):
            output, errors, _ = run("ClusterloomHDBSCAN", points(X), **properties)
            self.assertEqual(len(errors), 1)
            self.assertIn(message, errors[0])
            self.assertIsNone(array_of(output, "label"))


if __name__ == "__main__":
    run_all()
