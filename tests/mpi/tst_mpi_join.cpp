// clusterloom-cli join under mpirun: the same files as one process writes, and what goes wrong.
#include <QtTest/QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "mpirun.h"
#include "tests/test_program.h"

class TestMpiJoin : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void filesAreThoseOfOneProcess_data();
  void filesAreThoseOfOneProcess();
  void cosine();
  void figuresOfRanks();
  void sweep();
  void errors_data();
  void errors();
  void unequalFiles();

 private:
  QString path(const QString& name) const { return folder_.filePath(name); }
  QByteArray bytes(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
  }
  // In this process's place, so that it is one rank whatever started the test.
  QString alone(const QStringList& arguments) const {
    QProcess process;
    process.start(CLUSTERLOOM_CLI, arguments);
    process.waitForFinished(240000);
    return process.exitCode() == 0 ? QString() : QString::fromUtf8(process.readAllStandardError());
  }
  QStringList join(const char* cloud, const char* suffix, const QStringList& more) const {
    return QStringList{"join",        path(cloud),
                       "--threads",   "1",
                       "--counts",    path(QString("counts") + suffix + ".npy"),
                       "--pairs",     path(QString("pairs") + suffix + ".npy"),
                       "--histogram", path(QString("histogram") + suffix + ".csv")} +
           more;
  }

  QTemporaryDir folder_;
};

void TestMpiJoin::initTestCase() {
  if (!hasMpirun()) QSKIP("no mpirun here (package openmpi-bin)");
  QCOMPARE(alone({"generate", "shapes", "--points", "1500", path("shapes.npy")}), QString());
  QCOMPARE(alone({"generate", "lattice", "--points", "400", path("lattice.csv")}), QString());
  QFile few(path("few.csv"));
  QVERIFY(few.open(QIODevice::WriteOnly));
  few.write("x,y\n0,0\n0,1\n0,0\n");
  QFile gaps(path("gaps.csv"));
  QVERIFY(gaps.open(QIODevice::WriteOnly));
  QFile wide(path("wide.csv"));
  QVERIFY(wide.open(QIODevice::WriteOnly));
  wide.write("x,y\n-1.5e308,1\n1.5e308,1\n0,3\n");
  gaps.write("x,y\nnan,0\n0,0\nnan,1\nnan,1\n0,1\n0,0\nnan,0\n");
}

void TestMpiJoin::filesAreThoseOfOneProcess_data() {
  QTest::addColumn<int>("ranks");
  QTest::addColumn<QString>("cloud");
  QTest::addColumn<QStringList>("more");
  for (const int ranks : {1, 2, 3, 5}) {
    QTest::addRow("shapes, %d", ranks) << ranks << "shapes.npy" << QStringList{"--eps", "1.5"};
    QTest::addRow("lattice, %d", ranks) << ranks << "lattice.csv" << QStringList{"--eps", "1"};
    QTest::addRow("three points, %d", ranks) << ranks << "few.csv" << QStringList{"--eps", "1"};
  }
  for (const int ranks : {1, 2, 3, 5})
    QTest::addRow("skipped rows, %d", ranks)
        << ranks << "gaps.csv" << QStringList{"--eps", "1", "--skip-non-finite"};
  QTest::newRow("scaled by factors")
      << 2 << "wide.csv" << QStringList{"--eps", "1", "--scale", "0.1,1"};
  QTest::newRow("scaled") << 3 << "shapes.npy"
                          << QStringList{"--eps", "0.02", "--scale", "unit", "--pattern", "full"};
}

void TestMpiJoin::filesAreThoseOfOneProcess() {
  QFETCH(int, ranks);
  QFETCH(QString, cloud);
  QFETCH(QStringList, more);
  const QByteArray name = cloud.toUtf8();
  QCOMPARE(alone(join(name, "1", more)), QString());
  const RanksEnded ended = runRanks(ranks, CLUSTERLOOM_CLI, join(name, "2", more));
  QVERIFY2(ended.status == 0, qPrintable(ended.errors));
  for (const char* file : {"counts%1.npy", "pairs%1.npy", "histogram%1.csv"})
    QVERIFY2(bytes(QString(file).arg(2)) == bytes(QString(file).arg(1)), file);
  QCOMPARE(ended.output.count("pairs  "), 1);  // rank 0 prints, once
}

void TestMpiJoin::cosine() {
  for (const int ranks : {1, 3}) {
    const auto joined = [&](const char* suffix) {
      return QStringList{"join",      path("shapes.npy"),
                         "--eps",     "1e-6",
                         "--metric",  "cosine",
                         "--threads", "1",
                         "--counts",  path(QString("counts") + suffix + ".npy"),
                         "--pairs",   path(QString("pairs") + suffix + ".npy")};
    };
    QCOMPARE(alone(joined("1")), QString());
    const RanksEnded ended = runRanks(ranks, CLUSTERLOOM_CLI, joined("2"));
    QVERIFY2(ended.status == 0, qPrintable(ended.errors));
    for (const char* file : {"counts%1.npy", "pairs%1.npy"})
      QVERIFY2(bytes(QString(file).arg(2)) == bytes(QString(file).arg(1)), file);
    QVERIFY(ended.output.contains("1e-06"));
  }
}

void TestMpiJoin::figuresOfRanks() {
  const RanksEnded ended = runRanks(
      3, CLUSTERLOOM_CLI, {"join", path("shapes.npy"), "--eps", "1.5", "--threads", "1", "--json"});
  QVERIFY2(ended.status == 0, qPrintable(ended.errors));
  const QJsonObject object = QJsonDocument::fromJson(ended.output.toUtf8()).object();
  QCOMPARE(object.value("points").toInt(), 1500);
  const QJsonArray ranks = object.value("ranks").toArray();
  QCOMPARE(ranks.size(), 3);
  double candidates = 0;
  for (const QJsonValue& rank : ranks) {
    QCOMPARE(rank.toObject().value("points").toInt(), 500);
    QCOMPARE(rank.toObject().value("bytes_sent").toInt(), 2 * 500 * 2 * 8);
    candidates += rank.toObject().value("candidates").toDouble();
  }
  QCOMPARE(object.value("candidates").toDouble(), candidates);
  // Pairs are not counted once more for their sums.
  const RanksEnded listed =
      runRanks(3, CLUSTERLOOM_CLI, join("shapes.npy", "3", {"--eps", "1.5", "--json"}));
  QVERIFY2(listed.status == 0, qPrintable(listed.errors));
  const QJsonObject pairs = QJsonDocument::fromJson(listed.output.toUtf8()).object();
  for (const char* figure : {"pairs", "candidates", "selectivity"})
    QCOMPARE(pairs.value(figure).toDouble(), object.value(figure).toDouble());
  QStringList phases;
  for (const QJsonValue& phase : pairs.value("phases").toArray())
    phases << phase.toObject().value("phase").toString();
  QCOMPARE(phases, (QStringList{"pairs", "histogram"}));
}

void TestMpiJoin::sweep() {
  const RanksEnded ended = runRanks(
      2, CLUSTERLOOM_CLI, {"join", path("shapes.npy"), "--sweep-eps", "0.5:2:3", "--threads", "1"});
  QVERIFY2(ended.status == 0, qPrintable(ended.errors));
  QCOMPARE(ended.output.trimmed().split('\n').size(), 3);
}

void TestMpiJoin::errors_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("says");
  QTest::newRow("no file") << QStringList{"join", "nosuch.npy", "--eps", "1"} << 1 << "nosuch.npy";
  QTest::newRow("a half pattern") << QStringList{"join", path("few.csv"), "--eps",
                                                 "1",    "--pattern",     "unicomp"}
                                  << 2 << "choose full or tile";
  QTest::newRow("a bad coordinate")
      << QStringList{"join", path("gaps.csv"), "--eps", "1"} << 1
      << "the coordinate is missing or not a number (NaN). Choose to skip such rows";
  QTest::newRow("two clouds") << QStringList{"join", path("few.csv"), "--eps",
                                             "1",    "--with",        path("few.csv")}
                              << 2 << "--with";
  QTest::newRow("an output in no folder")
      << QStringList{"join", path("few.csv"), "--eps", "1", "--counts", path("no/where.npy")} << 2
      << "there is no folder";
  QTest::newRow("several GPUs") << QStringList{"join", path("few.csv"), "--eps",
                                               "1",    "--devices",     "all"}
                                << 2 << "Leave --devices out";
  QTest::newRow("a wrong option") << QStringList{"join", path("few.csv"), "--epss", "1"} << 2
                                  << "--eps?";
}

void TestMpiJoin::errors() {
  QFETCH(QStringList, arguments);
  QFETCH(int, status);
  QFETCH(QString, says);
  const RanksEnded ended = runRanks(3, CLUSTERLOOM_CLI, arguments);
  QCOMPARE(ended.status, status);
  QCOMPARE(ended.output, QString());
  QVERIFY2(ended.errors.contains(says), qPrintable(ended.errors));
  QCOMPARE(ended.errors.count("clusterloom-cli: "), 1);
}

/// Two ranks of one job that read different files.
void TestMpiJoin::unequalFiles() {
  QVERIFY(QDir(folder_.path()).mkpath("own/0") && QDir(folder_.path()).mkpath("own/1"));
  QVERIFY(QFile::copy(path("few.csv"), path("own/0/cloud.csv")));
  QVERIFY(QFile::copy(path("lattice.csv"), path("own/1/cloud.csv")));
  const RanksEnded ended =
      runRanksIn(path("own"), 2, CLUSTERLOOM_CLI, {"join", "cloud.csv", "--eps", "1"});
  QCOMPARE(ended.status, 1);
  QVERIFY2(
      ended.errors.contains("Rank 1 on ") && ended.errors.contains("Give all ranks the same file"),
      qPrintable(ended.errors));
  QCOMPARE(ended.output, QString());
}

APPLESS_TEST(TestMpiJoin);
#include "tst_mpi_join.moc"
