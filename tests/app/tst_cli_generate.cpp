// clusterloom-cli generate and info.
#include <QtTest/QtTest>

#include <algorithm>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliGenerate : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void sameSeedSameBytes();
  void everyKindAndFormat();
  void npyHoldsTheDoubles();
  void truthOnRequest();
  void otherFilesStay();
  void json();
  void badCalls();
  void bundledSamplesAreReproduced();
  void helpListsTheKinds();
  void infoSaysWhatIsThere();
  void infoJson();
  void infoSuggestsEps();
};

void TestCliGenerate::sameSeedSameBytes() {
  QCOMPARE(run("generate shapes --points 500 --seed 3 one.csv").status, 0);
  QCOMPARE(run("generate shapes --points 500 --seed 3 two.csv").status, 0);
  QCOMPARE(run("generate shapes --points 500 --seed 4 other.csv").status, 0);
  QVERIFY(oracle::readFile(path("one.csv")).size() > 5000);
  QCOMPARE(oracle::readFile(path("one.csv")), oracle::readFile(path("two.csv")));
  QVERIFY(oracle::readFile(path("one.csv")) != oracle::readFile(path("other.csv")));
  QCOMPARE(oracle::readFile(path("one.csv")).count('\n'), 501);
}

void TestCliGenerate::everyKindAndFormat() {
  for (const char* kind :
       {"unif", "expo", "blobs", "moons", "rings", "varied", "lattice", "spiral", "shapes"})
    for (const char* extension : {"csv", "npy", "ply", "vtp"}) {
      const QString name = QString("%1.%2").arg(kind, extension);
      const CliRun done = runCli({"generate", kind, "--points", "120", name}, folder_.path());
      QVERIFY2(done.status == 0, done.err);
      QVERIFY(QFileInfo(path(name)).size() > 0);
      if (QString(extension) == "vtp") continue;  // written, not read
      const CliRun info = runCli({"info", name, "--json"}, folder_.path());
      QVERIFY2(info.status == 0, info.err);
      QCOMPARE(info.json()["points"].toInt(), 120);
    }
}

void TestCliGenerate::npyHoldsTheDoubles() {
  QCOMPARE(run("generate lattice --points 9 --dims 2 l.npy").status, 0);
  const oracle::Npy npy = oracle::readNpy(path("l.npy"));
  QVERIFY2(npy.header.contains("'descr':'<f8'"), npy.header);
  QVERIFY2(npy.header.contains("'shape':(9,2)"), npy.header);
  std::vector<double> values = npy.values<double>();
  std::sort(values.begin(), values.end());
  QCOMPARE(values, (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
}

void TestCliGenerate::truthOnRequest() {
  QCOMPARE(run("generate moons --points 50 plain.csv").status, 0);
  QVERIFY(oracle::readFile(path("plain.csv")).startsWith("x,y\n"));
  QCOMPARE(run("generate moons --points 50 --truth told.csv").status, 0);
  const QList<QByteArray> lines = oracle::readFile(path("told.csv")).trimmed().split('\n');
  QCOMPARE(lines[0], QByteArray("x,y,truth"));
  for (int i = 1; i <= 50; ++i) QVERIFY(lines[i].endsWith(",0") || lines[i].endsWith(",1"));
  const CliRun none = run("generate unif --points 50 --truth none.csv");
  QCOMPARE(none.status, 0);
  QVERIFY2(none.err.contains("note"), none.err);
}

void TestCliGenerate::otherFilesStay() {
  const QByteArray text = "{\"about\": \"moons\"}\n";
  QVERIFY(oracle::writeFile(path("g.csv.provenance.json"), text));
  QCOMPARE(run("generate moons --points 50 g.csv").status, 0);
  QCOMPARE(oracle::readFile(path("g.csv.provenance.json")), text);
}

void TestCliGenerate::json() {
  const CliRun done = run("generate expo --points 64 --dims 5 --seed 9 --json e.npy");
  QCOMPARE(done.status, 0);
  QCOMPARE(done.json()["kind"].toString(), QString("expo"));
  QCOMPARE(done.json()["points"].toInt(), 64);
  QCOMPARE(done.json()["dims"].toInt(), 5);
  QCOMPARE(done.json()["seed"].toInt(), 9);
  QCOMPARE(done.json()["file"].toString(), QString("e.npy"));
}

void TestCliGenerate::badCalls() {
  for (const char* call :
       {"generate", "generate unif", "generate nothing x.csv", "generate unif --points 0 x.csv",
        "generate unif --points -3 x.csv", "generate unif --points many x.csv",
        "generate unif --dims 4097 x.csv", "generate rings --dims 1 x.csv", "generate unif x.txt",
        "generate unif nowhere/x.csv", "generate unif --seed -1 x.csv"}) {
    const CliRun done = run(call);
    QVERIFY2(done.status == 2, call);
    QVERIFY2(done.lastErrorLine().startsWith("clusterloom-cli: "), done.err);
    QVERIFY(!QFile::exists(path("x.csv")) && !QFile::exists(path("x.txt")));
  }
  const CliRun huge = run("generate unif --points 2000000000 --dims 128 x.npy");
  QCOMPARE(huge.status, 1);
  QVERIFY2(huge.lastErrorLine().contains("memory"), huge.err);
}

/// resources/samples/README.md says how the samples were made: the calls give the same bytes.
void TestCliGenerate::bundledSamplesAreReproduced() {
  const QString samples = QString(CLUSTERLOOM_SOURCE_DIR) + "/resources/samples/";
  const QString readme = QString::fromUtf8(oracle::readFile(samples + "README.md"));
  static const QRegularExpression calls("`clusterloom-cli (generate [^`]* ([^ `]+))`");
  int seen = 0;
  for (auto match = calls.globalMatch(readme); match.hasNext(); ++seen) {
    const QRegularExpressionMatch call = match.next();
    const CliRun done = runCli(call.captured(1).split(' '), folder_.path());
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(oracle::readFile(path(call.captured(2))),
             oracle::readFile(samples + call.captured(2)));
  }
  QCOMPARE(seen, static_cast<int>(QDir(samples).entryList({"*.csv"}).size()));
}

void TestCliGenerate::helpListsTheKinds() {
  const CliRun help = run("generate --help");
  QCOMPARE(help.status, 0);
  for (const char* kind :
       {"unif", "expo", "blobs", "moons", "rings", "varied", "lattice", "spiral", "shapes"})
    QVERIFY2(help.out.contains(QByteArray("\n  ") + kind + ' '), kind);
}

void TestCliGenerate::infoSaysWhatIsThere() {
  QVERIFY(oracle::writeFile(path("cloud.csv"), "east,north,kind\n1,2,a\n3,10,b\n5,0,a\n"));
  const CliRun done = run("info cloud.csv");
  QVERIFY2(done.status == 0, done.err);
  QVERIFY2(done.out.contains("points      3 in 2 dimensions"), done.out);
  QVERIFY2(done.out.contains("east: 1 … 5, mean 3,"), done.out);
  QVERIFY2(done.out.contains("north: 0 … 10, mean 4,"), done.out);
  QVERIFY2(done.out.contains("kind"), done.out);
  // Names of other bytes than UTF-8: terminals and pipes take text.
  QVERIFY(oracle::writeFile(path("latin.csv"), "L\xe4nge,H\xf6he,\xd6l\n1,2,a\n3,10,b\n5,0,a\n"));
  const CliRun other = run("info latin.csv");
  QVERIFY2(other.status == 0, other.err);
  QVERIFY2(other.out.contains("L\uFFFDnge: 1 … 5") && other.out.contains("\uFFFDl"), other.out);
}

void TestCliGenerate::infoJson() {
  QVERIFY(oracle::writeFile(path("cloud.csv"), "east,north,kind\n1,2,a\n3,10,b\n5,0,a\nnan,1,c\n"));
  const QJsonObject json = run("info cloud.csv --skip-non-finite --json").json();
  QCOMPARE(json["format"].toString(), QString("csv"));
  QVERIFY(QRegularExpression("^xxh3:[0-9a-f]{32}$").match(json["hash"].toString()).hasMatch());
  QCOMPARE(json["points"].toInt(), 3);
  QCOMPARE(json["rows"].toInt(), 4);
  QCOMPARE(json["skipped"].toInt(), 1);
  const QJsonObject east = json["columns"][0].toObject();
  QCOMPARE(east["name"].toString(), QString("east"));
  QCOMPARE(east["low"].toDouble(), 1.0);
  QCOMPARE(east["high"].toDouble(), 5.0);
  QCOMPARE(east["mean"].toDouble(), 3.0);
  QVERIFY(std::abs(east["deviation"].toDouble() - std::sqrt(8.0 / 3)) < 1e-12);
  QCOMPARE(json["other_columns"][0].toString(), QString("kind"));
  const QJsonObject range = json["eps_range"].toObject();
  QVERIFY(range["low"].toDouble() > 0 && range["low"].toDouble() < range["high"].toDouble());
}

void TestCliGenerate::infoSuggestsEps() {
  QCOMPARE(run("generate blobs --points 3000 --seed 2 b.csv").status, 0);
  const QJsonObject json = run("info b.csv --min-pts 8 --json").json();
  const double eps = json["suggested_eps"].toDouble();
  QVERIFY(eps > 0);
  // The eight blobs of the cloud come out at the suggested ε.
  const CliRun done = runCli(
      {"cluster", "b.csv", "--eps", QString::number(eps, 'g', 17), "--min-pts", "8", "--json"},
      folder_.path());
  const int clusters = done.json()["clusters"].toInt();
  QVERIFY2(clusters >= 6 && clusters <= 14, done.out);
  QCOMPARE(json["default_min_pts"].toInt(), 9);  // ln 3000 = 8.006…
  QCOMPARE(run("info b.csv --min-pts 0").status, 2);
  QCOMPARE(run("info b.csv --min-pts 4000").status, 2);  // more than the points
}

GUILESS_TEST(TestCliGenerate);
#include "tst_cli_generate.moc"
