// Labels of a cloud from a file of their own.
#include <QFile>
#include <QTemporaryDir>

#include "engine/io/read_labels.h"
#include "engine/io/write.h"
#include "engine/validity/cluster_statistics.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Eight rows, of which row 3 is skipped.
Dataset cloudOf(std::uint64_t every = 1) {
  ReadOptions options;
  options.skipNonFinite = true;
  options.every = every;
  auto dataset =
      testing::readBytes("x,y\n0,0\n0,1\n9,9\nnan,0\n9,8\n5,5\n0,2\n9,7\n", options, "cloud.csv");
  if (!dataset) qFatal("%s", dataset.error().message.c_str());
  return std::move(*dataset);
}

Clustering clusteringOfCloud() {
  Clustering clustering;
  clustering.labels = {0, 0, 1, 1, kNoise, 0, 1};
  for (const std::int32_t label : clustering.labels)
    clustering.roles.push_back(label == kNoise ? PointRole::Noise : PointRole::Core);
  clustering.roles[5] = PointRole::Border;
  clustering.clusters = 2;
  return clustering;
}

}  // namespace

class TestReadLabels : public QObject {
  Q_OBJECT

 private slots:
  void whatWasWritten();
  void ofEveryRow();
  void byThemselves();
  void refusals_data();
  void refusals();
  void clustersWithoutPoints();
  void withoutRolesNothingIsWrittenOfThem();

 private:
  std::string write(const char* name, const std::string& text) {
    const QString path = folder_.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(text.data(), qint64(text.size())) != qint64(text.size()))
      qFatal("cannot write %s", name);
    return path.toStdString();
  }
  QTemporaryDir folder_;
};

void TestReadLabels::whatWasWritten() {
  const Dataset cloud = cloudOf();
  const Clustering made = clusteringOfCloud();
  for (const char* name : {"out.npy", "out.csv", "out.ply"}) {
    const std::string path = folder_.filePath(name).toStdString();
    QVERIFY(writeLabelled(path, cloud, made, {}));
    const auto read = readLabels(path, cloud);
    // A PLY file has no place for skipped rows.
    if (std::string(name) == "out.ply") {
      QVERIFY(!read);
      QVERIFY2(testing::has(testing::messageOf(read), "has 7 labels, but the cloud has 8 rows"),
               testing::messageOf(read).c_str());
      continue;
    }
    QVERIFY2(read, testing::messageOf(read).c_str());
    QCOMPARE(read->labels, made.labels);
    QCOMPARE(read->clusters, 2);
    QCOMPARE(read->noiseCount, 1u);
    if (std::string(name) == "out.csv") {
      QVERIFY(read->roles == made.roles);
      QCOMPARE(read->coreCount, 5u);
      QCOMPARE(read->borderCount, 1u);
    } else {
      QVERIFY(read->roles.empty());
    }
  }
}

void TestReadLabels::ofEveryRow() {
  const Dataset thinned = cloudOf(2);  // rows 0, 2, 4, 6
  QCOMPARE(thinned.cloud.size(), 4u);
  const std::string whole = write("whole.txt", "0\n0\n1\n-2\n1\n-1\n0\n1\n");
  const auto ofWhole = readLabels(whole, thinned);
  QVERIFY2(ofWhole, testing::messageOf(ofWhole).c_str());
  QCOMPARE(ofWhole->labels, (std::vector<std::int32_t>{0, 1, 1, 0}));
  const std::string own = write("own.txt", "5\n1\n-1\n0\n");
  const auto ofRead = readLabels(own, thinned);
  QVERIFY2(ofRead, testing::messageOf(ofRead).c_str());
  QCOMPARE(ofRead->labels, (std::vector<std::int32_t>{5, 1, -1, 0}));
  QCOMPARE(ofRead->clusters, 6);
}

void TestReadLabels::byThemselves() {
  const auto column = readLabelRows(write("column.txt", "0\n-2\n1\n-1\n"));
  QVERIFY2(column, testing::messageOf(column).c_str());
  QCOMPARE(*column, (std::vector<std::int32_t>{0, kSkippedRow, 1, kNoise}));
  const auto named = readLabelRows(write("named.csv", "x,label,role\n9,3,core\n8,-1,noise\n"));
  QVERIFY2(named, testing::messageOf(named).c_str());
  QCOMPARE(*named, (std::vector<std::int32_t>{3, kNoise}));
  const auto half = readLabelRows(write("half.txt", "0\n0.5\n"));
  QVERIFY(!half);
  QVERIFY2(testing::has(testing::messageOf(half), "row 1 (counting from 0): 0.5 is not a label"),
           testing::messageOf(half).c_str());
}

void TestReadLabels::refusals_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("says");
  const auto add = [](const char* name, const char* text, const char* says) {
    QTest::newRow(name) << QString(text) << QString(says);
  };
  add("too few", "0\n1\n", "has 2 labels, but the cloud has 8 rows");
  add("too many", "0\n0\n0\n0\n0\n0\n0\n0\n0\n", "has 9 labels");
  add("half a label", "0\n0\n0\n0\n0.5\n0\n0\n0\n", "row 4 (counting from 0): 0.5 is not a label");
  add("below noise", "0\n0\n0\n0\n0\n-3\n0\n0\n", "row 5");
  add("too large", "0\n0\n0\n0\n0\n3e9\n0\n0\n", "3e+09 is not a label");
  add("a skipped point", "0\n-2\n0\n-2\n0\n0\n0\n0\n", "row 1 (counting from 0): was skipped");
  add("two columns", "0,1\n0,1\n0,1\n0,1\n0,1\n0,1\n0,1\n0,1\n", "has no labels");
  add("words", "a\nb\n", "");
  add("a wrong role",
      "label,role\n0,core\n0,core\n-1,border\n-2,skipped\n0,core\n0,core\n0,core\n0,core\n",
      "the role \"border\" does not match the label -1");
  add("an unknown role",
      "label,role\n0,core\n0,edge\n-1,noise\n-2,skipped\n0,core\n0,core\n0,core\n0,core\n",
      "the role \"edge\"");
}

void TestReadLabels::refusals() {
  QFETCH(QString, text);
  QFETCH(QString, says);
  const auto read = readLabels(write("labels.csv", text.toStdString()), cloudOf());
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::BadInput);
  QVERIFY2(testing::has(testing::messageOf(read), says.toStdString()),
           testing::messageOf(read).c_str());
  QVERIFY(testing::has(testing::messageOf(read), "labels.csv"));
}

void TestReadLabels::clustersWithoutPoints() {
  const Dataset cloud = cloudOf();
  const auto read = readLabels(write("sparse.txt", "7\n7\n2\n-2\n2\n-1\n7\n2\n"), cloud);
  QVERIFY2(read, testing::messageOf(read).c_str());
  QCOMPARE(read->clusters, 8);
  const auto statistics = statisticsOf(cloud.cloud, *read);
  QVERIFY(statistics);
  for (const ClusterStatistics& cluster : statistics->clusters) {
    const bool has = cluster.label == 2 || cluster.label == 7;
    QCOMPARE(cluster.size, has ? 3u : 0u);
    QCOMPARE(cluster.core + cluster.border, 0u);
    QCOMPARE(cluster.nearest, has ? 9 - cluster.label : -1);
    QCOMPARE(std::isnan(cluster.centroid[0]), !has);
  }
  QCOMPARE(statistics->clusters[7].centroid[1], 1.0);
  // Only what has points is written.
  const std::string table = folder_.filePath("table.csv").toStdString();
  QVERIFY(writeClusterTable(table, cloud, *statistics, {}));
  QFile file(QString::fromStdString(table));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), qsizetype{3});
  QVERIFY2(lines[1].startsWith("2,3,,,"), lines[1].constData());
}

void TestReadLabels::withoutRolesNothingIsWrittenOfThem() {
  const Dataset cloud = cloudOf();
  Clustering clustering = clusteringOfCloud();
  clustering.roles.clear();
  for (const char* name : {"plain.csv", "plain.ply", "plain.vtp"}) {
    const std::string path = folder_.filePath(name).toStdString();
    QVERIFY(writeLabelled(path, cloud, clustering, {}));
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("label"));
    QVERIFY(!text.contains("role"));
  }
  const auto again = readLabels(folder_.filePath("plain.csv").toStdString(), cloud);
  QVERIFY2(again, testing::messageOf(again).c_str());
  QCOMPARE(again->labels, clustering.labels);
}

GUILESS_TEST(TestReadLabels);
#include "tst_read_labels.moc"
