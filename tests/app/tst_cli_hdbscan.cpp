// clusterloom-cli hdbscan: labels and probabilities equal to scikit-learn's.
#include <QtTest/QtTest>
#include <cmath>
#include <filesystem>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

namespace {

/// A file of tests/data/hdbscan (make_hdbscan.py describes the format).
struct Golden {
  QStringList options;
  QByteArray csv;
  std::vector<std::int32_t> labels;
  std::vector<double> probabilities;
};

double number(const QByteArray& text) { return std::strtod(text.constData(), nullptr); }

Golden readGolden(const QString& path) {
  QList<QByteArray> lines = oracle::readFile(path).split('\n');
  Golden golden;
  const QList<QByteArray> head = lines.takeFirst().split(' ');
  golden.options << "--min-pts" << head[5] << "--min-cluster-size" << head[7] << "--select"
                 << head[9];
  if (head[11] == "1") golden.options << "--allow-single-cluster";
  const int dims = head[3].toInt();
  for (int j = 0; j < dims; ++j) golden.csv += (j ? ",x" : "x") + QByteArray::number(j);
  golden.csv += '\n';
  for (const QByteArray& line : lines) {
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != dims + 2) continue;
    for (int j = 0; j < dims; ++j)
      golden.csv += (j ? "," : "") + QByteArray::number(number(words[j]), 'g', 17);
    golden.csv += '\n';
    golden.labels.push_back(words[dims].toInt());
    golden.probabilities.push_back(number(words[dims + 1]));
  }
  return golden;
}

}  // namespace

class TestCliHdbscan : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void labelsAndProbabilities_data() {
    QTest::addColumn<QString>("file");
    for (const auto& entry : std::filesystem::directory_iterator(CLUSTERLOOM_TEST_DATA "/hdbscan"))
      if (entry.path().extension() == ".golden")
        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path());
  }
  void labelsAndProbabilities() {
    QFETCH(QString, file);
    const Golden golden = readGolden(file);
    QVERIFY(golden.labels.size() >= 100);
    QVERIFY(oracle::writeFile(path("cloud.csv"), golden.csv));
    const CliRun done = runCli(QStringList{"hdbscan", "cloud.csv", "--labels", "labels.npy",
                                           "--probabilities", "p.npy", "--json"} +
                                   golden.options,
                               folder_.path());
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(oracle::readNpy(path("labels.npy")).values<std::int32_t>(), golden.labels);
    const oracle::Npy p = oracle::readNpy(path("p.npy"));
    QVERIFY2(p.header.contains("'descr':'<f8'"), p.header);
    const std::vector<double> probabilities = p.values<double>();
    QCOMPARE(probabilities.size(), golden.probabilities.size());
    for (std::size_t i = 0; i < probabilities.size(); ++i)
      QVERIFY(std::abs(probabilities[i] - golden.probabilities[i]) <= 1e-12);
    const QJsonObject json = QJsonDocument::fromJson(done.out).object();
    const auto most = std::max_element(golden.labels.begin(), golden.labels.end());
    QCOMPARE(json["clusters"].toInt(), *most + 1);
    QCOMPARE(json["noise"].toInt(),
             int(std::count(golden.labels.begin(), golden.labels.end(), -1)));
  }

  void equalPoints() {
    QByteArray csv = "x\n";
    for (const char* x : {"0\n", "0.1\n", "10\n"}) csv += QByteArray(x).repeated(20);
    QVERIFY(oracle::writeFile(path("equal.csv"), csv + "500\n500.000001\n"));
    const CliRun done = runCli({"hdbscan", "equal.csv", "--min-cluster-size", "5",
                                "--probabilities", "p.npy", "--clusters", "tree.csv", "--json"},
                               folder_.path());
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(done.json()["clusters"].toInt(), 3);
    QCOMPARE(done.json()["noise"].toInt(), 2);
    const std::vector<double> p = oracle::readNpy(path("p.npy")).values<double>();
    QCOMPARE(std::count(p.begin(), p.end(), 1.0), 60);
    const QByteArray tree = oracle::readFile(path("tree.csv"));
    QCOMPARE(tree.count(",20,"), 3);
    QCOMPARE(tree.count(",0,inf,"), 3);
    QVERIFY(!tree.contains("nan"));
  }

  void skippedRowsAndColumns() {
    QVERIFY(oracle::writeFile(path("gaps.csv"),
                              "x,y,name\n0,0,a\nnan,1,b\n0,1,c\n1,0,d\n9,9,e\n9,8,f\n8,9,g\n"));
    const CliRun done =
        runCli({"hdbscan", "gaps.csv", "--min-cluster-size", "3", "--min-pts", "2",
                "--skip-non-finite", "--labels", "out.csv", "--probabilities", "p.npy",
                "--clusters", "tree.csv", "--provenance", "on", "--columns", "x,y"},
               folder_.path());
    QVERIFY2(done.status == 0, done.err);
    const QList<QByteArray> rows = oracle::readFile(path("out.csv")).split('\n');
    QCOMPARE(rows[0].trimmed(), QByteArray("x,y,name,probability,label"));
    QCOMPARE(rows[1].trimmed(), QByteArray("0,0,a,1,0"));
    QVERIFY2(rows[2].trimmed().endsWith(",-2"), rows[2]);
    QVERIFY2(rows[5].trimmed().endsWith(",1"), rows[5]);
    const std::vector<double> p = oracle::readNpy(path("p.npy")).values<double>();
    QCOMPARE(p.size(), std::size_t{7});
    QVERIFY(std::isnan(p[1]) && p[0] == 1);
    const QList<QByteArray> tree = oracle::readFile(path("tree.csv")).trimmed().split('\n');
    QCOMPARE(tree.size(), 4);
    QVERIFY2(tree[1].startsWith("0,,6,inf,"), tree[1]);
    QVERIFY(oracle::readFile(path("out.csv.provenance.json")).contains("HDBSCAN*"));
    QVERIFY(!oracle::readFile(path("out.csv.provenance.json")).contains("\"eps\""));
    QVERIFY2(done.out.contains("2 taken of 2"), done.out);
    for (const char* file : {"p.npy", "tree.csv"})
      QCOMPARE(oracle::readFile(path(file) + ".provenance.json"),
               oracle::readFile(path("out.csv.provenance.json")));
    QCOMPARE(
        runCli({"hdbscan", "gaps.csv", "--min-cluster-size", "3", "--skip-non-finite", "--columns",
                "x,y", "--allow-single-cluster", "--clusters", "tree.csv", "--provenance", "on"},
               folder_.path())
            .status,
        0);
    QVERIFY(oracle::readFile(path("tree.csv.provenance.json")).contains("allow single cluster"));
  }

  /// Four groups, two pairs of them near each other; figures of the Python package hdbscan 0.8.44,
  /// min_samples 1 (which does not count the point itself).
  void furtherResults() {
    QByteArray csv = "x\n";
    for (const char* x : {"0", "0.1", "0.3", "0.7", "1.5", "1.65", "1.75", "2", "5", "5.2", "5.3",
                          "5.7", "7", "nan", "7.1", "7.4", "7.95", "20"})
      csv += QByteArray(x) + "\n";
    QVERIFY(oracle::writeFile(path("groups.csv"), csv));
    const QStringList call = {
        "hdbscan",  "groups.csv", "--min-cluster-size", "3", "--min-pts", "2", "--skip-non-finite",
        "--labels", "l.npy",      "--provenance",       "on"};
    const auto labelsWith = [&](const QStringList& more) {
      const CliRun done = runCli(call + more, folder_.path());
      return done.status == 0 ? oracle::readNpy(path("l.npy")).values<std::int32_t>()
                              : std::vector<std::int32_t>();
    };
    const auto labels = [](std::vector<std::int32_t> groups) {
      std::vector<std::int32_t> all;
      for (const std::int32_t group : groups) all.insert(all.end(), 4, group);
      all.insert(all.begin() + 13, -2);
      all.push_back(-1);
      return all;
    };
    QCOMPARE(labelsWith({"--outlier-scores", "s.npy", "--clusters", "c.csv", "--condensed-tree",
                         "t.csv", "--tree", "d.npy"}),
             labels({0, 1, 2, 3}));
    QCOMPARE(labelsWith({"--max-cluster-size", "4"}), labels({0, 1, 2, 3}));
    QCOMPARE(labelsWith({"--max-cluster-size", "3"}), labels({-1, -1, -1, -1}));
    const CliRun tooSmall = runCli(call + QStringList{"--max-cluster-size", "2"}, folder_.path());
    QCOMPARE(tooSmall.status, 2);
    QVERIFY(tooSmall.lastErrorLine().contains("at least --min-cluster-size"));
    QCOMPARE(labelsWith({"--selection-eps", "5", "--allow-single-cluster"}), labels({0, 0, 0, 0}));
    QCOMPARE(labelsWith({"--selection-eps", "1.5"}), labels({0, 0, 1, 1}));
    QVERIFY(oracle::readFile(path("l.npy.provenance.json")).contains("selection eps"));
    QCOMPARE(labelsWith({"--select", "leaf"}), labelsWith({"--select", "leaves"}));
    QVERIFY(oracle::readFile(path("l.npy.provenance.json")).contains("leaves"));
    const std::vector<double> scores = oracle::readNpy(path("s.npy")).values<double>();
    const std::vector<double> expected = {0, 0, 0,   0.5, 0, 0, 0, 0.4,      0,
                                          0, 0, 0.5, 0,   0, 0, 0, 5.0 / 11, 0.98755187};
    QCOMPARE(scores.size(), expected.size());
    QVERIFY(std::isnan(scores[13]));
    for (std::size_t i = 0; i < scores.size(); ++i)
      QVERIFY(i == 13 || std::abs(scores[i] - expected[i]) < 1e-8);
    const QList<QByteArray> clusters = oracle::readFile(path("c.csv")).trimmed().split('\n');
    QCOMPARE(clusters.size(), 8);
    std::vector<double> persistence(4);
    for (const QByteArray& line : clusters.mid(1)) {
      const QList<QByteArray> cells = line.trimmed().split(',');
      QCOMPARE(cells.size(), 8);
      if (!cells[7].isEmpty())
        persistence[static_cast<std::size_t>(cells[7].toInt())] = number(cells[6]);
    }
    const std::vector<double> published = {0.46875, 0.7125, 0.5408653846153846, 0.3277972027972};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(persistence[i] - published[i]) < 1e-12);
    const QByteArray tree = oracle::readFile(path("t.csv"));
    QVERIFY2(tree.startsWith("parent,child,lambda_val,child_size\n17,16,"), tree);
    QCOMPARE(tree.count('\n'), 1 + 17 + 6);
    QCOMPARE(oracle::readNpy(path("d.npy")).values<double>().size(), std::size_t{4 * 16});
  }
};

GUILESS_TEST(TestCliHdbscan);
#include "tst_cli_hdbscan.moc"
