// clusterloom-cli cluster: labels equal to brute force, every output, the figures it prints.
#include <QtTest/QtTest>

#include <map>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliCluster : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void labelsEqualBruteForce_data();
  void labelsEqualBruteForce();
  void numbersAreReadOnceAndInBaseTen();
  void jsonFields();
  void outputsOfRanks();
  void summaryOnStandardOutput();
  void csvKeepsColumnsAndRoles();
  void skippedRowsKeepTheirPlace();
  void nonFiniteIsRefused();
  void scaling();
  void columnsByNameAndNumber();
  void columnsThatAreGuessedAreSaid();
  void textFormats_data();
  void textFormats();
  void clusterTable();
  void provenance();
  void inputsAreNeverReplaced();
  void weightsCountForPoints();
  void weightsThatCannotBe();
  void rowsOfEachValueApart();
  void messagesNumberTheRowsOfTheFile();
  void sweepPrintsOneObjectEach();
  void laneOptionsGiveTheSameLabels_data();
  void laneOptionsGiveTheSameLabels();
  void allFormatsAreWritten();
  void picture();
  void failedRunsLeaveOldOutputs();
};

void TestCliCluster::labelsEqualBruteForce_data() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<int>("points");
  QTest::addColumn<double>("eps");
  QTest::addColumn<int>("minPts");
  QTest::newRow("1-D") << 1 << 400 << 0.05 << 6;
  QTest::newRow("2-D") << 2 << 900 << 0.35 << 8;
  QTest::newRow("3-D") << 3 << 900 << 0.8 << 6;
  QTest::newRow("6-D") << 6 << 500 << 1.8 << 5;
  QTest::newRow("12-D") << 12 << 300 << 3.0 << 4;
  QTest::newRow("minPts 1") << 2 << 200 << 0.1 << 1;
  QTest::newRow("minPts above n") << 2 << 50 << 0.4 << 51;
  QTest::newRow("one point") << 2 << 1 << 0.4 << 1;
  QTest::newRow("lattice, tie at 1") << 0 << 12 << 1.0 << 5;
  QTest::newRow("lattice, just below") << 0 << 12 << 0.9999999999999999 << 2;
}

void TestCliCluster::labelsEqualBruteForce() {
  QFETCH(int, dims);
  QFETCH(int, points);
  QFETCH(double, eps);
  QFETCH(int, minPts);
  const oracle::Rows rows = dims == 0 ? oracle::lattice(points) : oracle::clumps(points, dims, 17);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const CliRun done =
      runCli({"cluster", "cloud.csv", "--eps", QString::number(eps, 'g', 17), "--min-pts",
              QString::number(minPts), "--labels", "labels.npy", "--json"},
             folder_.path());
  QVERIFY2(done.status == 0, done.err);
  const oracle::Labels truth = oracle::dbscan(rows, eps, static_cast<std::size_t>(minPts));
  const oracle::Npy npy = oracle::readNpy(path("labels.npy"));
  QVERIFY2(npy.header.contains("'descr':'<i4'"), npy.header);
  QVERIFY2(npy.header.contains("'shape':(" + QByteArray::number(qulonglong(rows.size())) + ",)"),
           npy.header);
  QCOMPARE(npy.values<std::int32_t>(), truth.labels);
  const QJsonObject json = done.json();
  QCOMPARE(json["clusters"].toInt(-1), truth.clusters);
  QCOMPARE(json["core"].toInt(-1), truth.core);
  QCOMPARE(json["border"].toInt(-1), truth.border);
  QCOMPARE(json["noise"].toInt(-1), truth.noise);
}

void TestCliCluster::numbersAreReadOnceAndInBaseTen() {
  // By way of long double --eps would become the double below, and the points no neighbours.
  QVERIFY(oracle::writeFile(path("two.csv"), "0\n0.111061\n"));
  CliRun done = run("cluster two.csv --eps 0.111061 --min-pts 2 --json");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(done.json()["clusters"].toInt(-1), 1);
  QCOMPARE(done.json()["eps"].toDouble(), 0.111061);
  done = run("cluster two.csv --eps 1 --min-pts 010 --json");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(done.json()["min_pts"].toInt(-1), 10);
}

void TestCliCluster::jsonFields() {
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(oracle::clumps(300, 2, 3))));
  const CliRun done = run("cluster cloud.csv --eps 0.5 --min-pts 4 --threads 1 --json");
  QCOMPARE(done.status, 0);
  QCOMPARE(done.err, QByteArray());
  QCOMPARE(done.out.count('\n'), 1);
  const QJsonObject json = done.json();
  QCOMPARE(json["points"].toInt(), 300);
  QCOMPARE(json["dims"].toInt(), 2);
  QCOMPARE(json["skipped"].toInt(-1), 0);
  QCOMPARE(json["eps"].toDouble(), 0.5);
  QCOMPARE(json["min_pts"].toInt(), 4);
  QCOMPARE(json["index_dims"].toInt(), 2);
  QCOMPARE(json["backend"].toString(), QString("cpu"));
  QCOMPARE(json["threads"].toInt(), 1);
  QVERIFY(json["strategy"].toString().contains("tile"));
  const QJsonObject seconds = json["seconds"].toObject();
  double sum = 0;
  for (const char* stage : {"read", "index", "join", "label", "write"}) {
    QVERIFY2(seconds[stage].isDouble() && seconds[stage].toDouble() >= 0, stage);
    sum += seconds[stage].toDouble();
  }
  QVERIFY(seconds["total"].toDouble() >= sum * 0.999);
}

// Ranks in one process write every output of one process, and say what each of them did.
void TestCliCluster::outputsOfRanks() {
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(oracle::clumps(400, 2, 3))));
  const QByteArray call = "cluster cloud.csv --eps 0.5 --min-pts 4 --threads 2 --json";
  for (const char* name : {"labels.npy", "labels.csv", "labels.ply", "labels.vtp"}) {
    const CliRun one = run((call + " --clusters one-table.csv --labels one-" + name).constData());
    QCOMPARE(one.status, 0);
    const CliRun all = run((call + " --ranks 3 --clusters table.csv --labels " + name).constData());
    QVERIFY2(all.status == 0, all.err);
    QCOMPARE(oracle::readFile(path(name)), oracle::readFile(path(QString("one-") + name)));
    QCOMPARE(oracle::readFile(path("table.csv")), oracle::readFile(path("one-table.csv")));
    QCOMPARE(all.json()["clusters"], one.json()["clusters"]);
    QCOMPARE(all.json()["ranks"].toArray().size(), 3);
  }
  for (const QByteArray& more : {QByteArray(), QByteArray(" --clusters table.csv")}) {
    const CliRun done = run((call + " --ranks 2" + more).constData());
    QCOMPARE(done.status, 0);
    const QJsonArray ranks = done.json()["ranks"].toArray();
    QCOMPARE(ranks.size(), 2);
    int points = 0;
    for (const QJsonValue& rank : ranks) {
      points += rank["points"].toInt();
      const QJsonArray phases = rank["phases"].toArray();
      QVERIFY(!phases.isEmpty());
      QStringList names;
      double sum = 0;
      for (const QJsonValue& phase : phases) {
        QVERIFY(phase["end"].toDouble() > phase["start"].toDouble());
        sum += phase["end"].toDouble() - phase["start"].toDouble();
        if (names.isEmpty() || names.last() != phase["phase"].toString())
          names << phase["phase"].toString();
      }
      QCOMPARE(names.mid(0, 7).join(' '), QString("read divide move ghosts join merge number"));
      const QJsonObject seconds = rank["seconds"].toObject();
      const double parts =
          seconds["busy"].toDouble() + seconds["waiting"].toDouble() + seconds["moving"].toDouble();
      QVERIFY(std::abs(parts - sum) < 1e-6);
    }
    QCOMPARE(points, 400);
  }
}

void TestCliCluster::summaryOnStandardOutput() {
  const oracle::Rows rows = oracle::clumps(300, 2, 3);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const CliRun done = run("cluster cloud.csv --eps 0.5 --min-pts 4");
  QCOMPARE(done.status, 0);
  QCOMPARE(done.err, QByteArray());  // no progress: standard error is no terminal
  const oracle::Labels truth = oracle::dbscan(rows, 0.5, 4);
  QVERIFY2(done.out.contains("clusters    " + QByteArray::number(truth.clusters) + "\n"), done.out);
  QVERIFY2(done.out.contains("noise       " + QByteArray::number(truth.noise) + " ("), done.out);
}

void TestCliCluster::csvKeepsColumnsAndRoles() {
  QVERIFY(oracle::writeFile(path("named.csv"),
                            "id,x,y,kind\n7,0,0,a\n8,0,1,\"b,c\"\n9,0,2,a\n10,50,0.1,d\n"));
  const CliRun done = run("cluster named.csv --columns x,y --eps 1 --min-pts 3 --labels out.csv");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(oracle::readFile(path("out.csv")),
           QByteArray("id,x,y,kind,label,role\n7,0,0,a,0,border\n8,0,1,\"b,c\",0,core\n"
                      "9,0,2,a,0,border\n10,50,0.1,d,-1,noise\n"));
}

void TestCliCluster::columnsThatAreGuessedAreSaid() {
  QVERIFY(oracle::writeFile(path("cities.csv"),
                            "lon,lat,people,year\n8.5,47.4,12,1999\n8.5,47.5,7,2004\n"));
  const CliRun guessed = run("cluster cities.csv --eps 0.2 --min-pts 2 --json");
  QVERIFY2(guessed.status == 0, guessed.err);
  QCOMPARE(guessed.json()["clusters"].toInt(), 1);
  QVERIFY2(guessed.err.contains("cities.csv: the coordinates are lon, lat; not people, year"),
           guessed.err);
  const CliRun named = run("cluster cities.csv --columns 0,1,2,3 --eps 0.2 --min-pts 2 --json");
  QCOMPARE(named.json()["clusters"].toInt(), 0);
  QCOMPARE(named.err, QByteArray());
}

void TestCliCluster::skippedRowsKeepTheirPlace() {
  QVERIFY(oracle::writeFile(path("gaps.csv"), "x,y\n0,0\nnan,1\n0,1\n5,inf\n0,2\n"));
  const CliRun done =
      run("cluster gaps.csv --skip-non-finite --eps 1 --min-pts 2 --labels out.npy --json");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(oracle::readNpy(path("out.npy")).values<std::int32_t>(),
           (std::vector<std::int32_t>{0, -2, 0, -2, 0}));
  QCOMPARE(done.json()["points"].toInt(), 3);
  QCOMPARE(done.json()["skipped"].toInt(), 2);
  QVERIFY2(done.err.contains("note") && done.err.contains("1, 3"), done.err);
}

void TestCliCluster::nonFiniteIsRefused() {
  QVERIFY(oracle::writeFile(path("gaps.csv"), "x,y\n0,0\nnan,1\n"));
  const CliRun done = run("cluster gaps.csv --eps 1 --min-pts 2");
  QCOMPARE(done.status, 1);
  QCOMPARE(done.out, QByteArray());
  QVERIFY2(done.err.contains("gaps.csv") && done.err.contains("3"), done.err);  // line 3
}

void TestCliCluster::scaling() {
  // Only with y divided by 1000 do the points form two groups for ε = 1.
  const oracle::Rows scaled = {{0, 0}, {0.5, 0.5}, {0, 0.9}, {9, 9}, {9, 8.5}};
  QByteArray csv = "x,y\n";
  for (const auto& row : scaled)
    csv += QByteArray::number(row[0]) + ',' + QByteArray::number(row[1] * 1000) + '\n';
  QVERIFY(oracle::writeFile(path("tall.csv"), csv));
  const CliRun none = run("cluster tall.csv --eps 1 --min-pts 2 --json");
  QCOMPARE(none.json()["clusters"].toInt(-1), 0);
  const CliRun factors =
      run("cluster tall.csv --scale 1,0.001 --eps 1 --min-pts 2 --json --labels out.csv");
  QCOMPARE(factors.json()["clusters"].toInt(-1), 2);
  // Outputs keep the original units.
  QVERIFY(oracle::readFile(path("out.csv")).contains("9,8500,1,core"));
  const CliRun unit = run("cluster tall.csv --scale unit --eps 0.15 --min-pts 2 --json");
  QCOMPARE(unit.json()["clusters"].toInt(-1), 2);
  const CliRun zscore = run("cluster tall.csv --scale zscore --eps 0.3 --min-pts 2 --json");
  QCOMPARE(zscore.json()["clusters"].toInt(-1), 2);
}

void TestCliCluster::columnsByNameAndNumber() {
  QVERIFY(oracle::writeFile(path("three.csv"), "a,b,c\n0,100,0\n0,200,1\n0,300,2\n"));
  for (const char* columns : {"a,c", "0,2", "2,a", "c"}) {
    const CliRun done = runCli(
        {"cluster", "three.csv", "--columns", columns, "--eps", "1", "--min-pts", "2", "--json"},
        folder_.path());
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(done.json()["dims"].toInt(), QString(columns).contains(',') ? 2 : 1);
    QCOMPARE(done.json()["clusters"].toInt(-1), 1);
  }
  const CliRun missing = run("cluster three.csv --columns a,d --eps 1 --min-pts 2");
  QCOMPARE(missing.status, 2);
  QVERIFY2(missing.err.contains("\"d\"") && missing.err.contains("a, b, c"), missing.err);
}

void TestCliCluster::textFormats_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QStringList>("options");
  QTest::newRow("semicolon, decimal comma detected")
      << QByteArray("x;y\n0,5;0\n0,5;1,0\n9;9\n") << words("");
  QTest::newRow("semicolon, decimal comma")
      << QByteArray("x;y\n0,5;0\n0,5;1,0\n9;9\n") << words("--decimal-comma");
  QTest::newRow("thousands detected")
      << QByteArray("x;y\n1,000.5;0\n1,000.5;1.0\n9;9\n") << words("");
  QTest::newRow("thousands") << QByteArray("x;y\n1,000;0\n1,000;1\n9;9\n")
                             << words("--thousands comma");
  QTest::newRow("tab") << QByteArray("0.5\t0\n0.5\t1\n9\t9\n") << words("--delimiter tab");
  QTest::newRow("blanks") << QByteArray("0.5   0\n0.5 1\n9 9\n") << words("--delimiter space");
  QTest::newRow("header forced off")
      << QByteArray("0.5,0\n0.5,1\n9,9\n") << words("--header no --delimiter comma");
  QTest::newRow("header of numbers")
      << QByteArray("2019,2020\n0.5,0\n0.5,1\n9,9\n") << words("--header yes");
}

void TestCliCluster::textFormats() {
  QFETCH(QByteArray, text);
  QFETCH(QStringList, options);
  QVERIFY(oracle::writeFile(path("some.txt"), text));
  const CliRun done =
      runCli(words("cluster some.txt --eps 1 --min-pts 2 --json") + options, folder_.path());
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(done.json()["points"].toInt(), 3);
  QCOMPARE(done.json()["clusters"].toInt(-1), 1);
  QCOMPARE(done.json()["noise"].toInt(-1), 1);
}

void TestCliCluster::clusterTable() {
  QVERIFY(oracle::writeFile(path("few.csv"), "x,y\n0,0\n0,2\n10,0\n10,1\n10,2\n40,40\n"));
  const CliRun done = run("cluster few.csv --eps 2 --min-pts 2 --clusters table.csv");
  QVERIFY2(done.status == 0, done.err);
  const QList<QByteArray> lines = oracle::readFile(path("table.csv")).trimmed().split('\n');
  QCOMPARE(lines.size(), 3);
  QVERIFY2(lines[0].startsWith("label,size,core,border,density,nearest,"), lines[0]);
  QVERIFY2(lines[1].startsWith("0,2,2,0,"), lines[1]);
  QVERIFY2(lines[2].startsWith("1,3,3,0,"), lines[2]);
  QVERIFY2(done.out.contains("table.csv"), done.out);
}

void TestCliCluster::provenance() {
  QVERIFY(oracle::writeFile(path("few.csv"), "x,y\n0,0\n0,2\n10,0\n10,1\n"));
  QVERIFY(run("cluster few.csv --eps 2 --min-pts 2 --scale 1,2 --labels with.csv --provenance on")
              .status == 0);
  // The table itself stays plain CSV: readers of CSV need no option to skip comments.
  QVERIFY(oracle::readFile(path("with.csv")).startsWith("x,y,label,role\n"));
  const QByteArray with = oracle::readFile(path("with.csv.provenance.json"));
  for (const char* word : {CLUSTERLOOM_VERSION, "few.csv", "xxh3:", "1,2"})
    QVERIFY2(with.contains(word), word);
  QVERIFY(run("cluster few.csv --eps 2 --min-pts 2 --labels without.csv").status == 0);
  QVERIFY(!QFile::exists(path("without.csv.provenance.json")));
  QVERIFY(run("cluster few.csv --eps 2 --min-pts 2 --labels with.npy --provenance on").status == 0);
  QVERIFY(!QJsonDocument::fromJson(oracle::readFile(path("with.npy.provenance.json"))).isNull());
  // How the file was read, where the call says so, and by how many ranks.
  QVERIFY(oracle::writeFile(path("odd.csv"), "0,5;0\n0;2\n10;0\n10;1\n"));
  const CliRun odd =
      run("cluster odd.csv --delimiter semicolon --header no --decimal-comma --thousands none "
          "--eps 2 --min-pts 2 "
          "--ranks 2 --labels odd.npy --provenance on");
  QVERIFY2(odd.status == 0, odd.err);
  const QJsonObject lines =
      QJsonDocument::fromJson(oracle::readFile(path("odd.npy.provenance.json"))).object();
  QCOMPARE(lines["delimiter"].toString(), QString("semicolon"));
  QCOMPARE(lines["header"].toString(), QString("no"));
  QCOMPARE(lines["decimal sign"].toString(), QString("comma"));
  QCOMPARE(lines["thousands"].toString(), QString("none"));
  QCOMPARE(lines["ranks"].toString(), QString("2"));
  // What was written can be read again.
  QVERIFY(run("info with.csv").status == 0);
}

/// Not by the provenance of an output either, nor removed with an old one.
void TestCliCluster::inputsAreNeverReplaced() {
  const QByteArray csv = "x,y\n0,0\n0,2\n10,0\n10,1\n";
  QVERIFY(oracle::writeFile(path("q.npy.provenance.json"), csv));
  const CliRun plain = run("cluster q.npy.provenance.json --eps 2 --min-pts 2 --labels q.npy");
  QVERIFY2(plain.status == 0, plain.err);
  QCOMPARE(oracle::readFile(path("q.npy.provenance.json")), csv);
  QVERIFY(oracle::writeFile(path("input.csv"), csv));
  QVERIFY(QFile::link("input.csv", path("r.npy.provenance.json")));
  for (const char* call :
       {"cluster q.npy.provenance.json --eps 2 --min-pts 2 --labels q.npy --provenance on",
        "cluster input.csv --eps 2 --min-pts 2 --labels r.npy --provenance on",
        "hdbscan input.csv --probabilities r.npy --provenance on",
        "label input.csv --from q.npy.provenance.json --eps 2 --min-pts 2 --labels q.npy "
        "--provenance on"}) {
    const CliRun done = run(call);
    QVERIFY2(done.status == 2, call);
    QVERIFY2(done.err.contains("would overwrite the input"), done.err);
    QCOMPARE(oracle::readFile(path("q.npy.provenance.json")), csv);
    QCOMPARE(oracle::readFile(path("input.csv")), csv);
    QVERIFY(!QFile::exists(path("r.npy")));
  }
}

/// A weight k stands for k equal points.
void TestCliCluster::weightsCountForPoints() {
  const oracle::Rows rows = oracle::clumps(400, 2, 23);
  oracle::Rows repeated;
  QByteArray csv = "x,y,w,name\n";
  std::vector<std::size_t> first;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    first.push_back(repeated.size());
    for (std::size_t copy = 0; copy <= p % 3; ++copy) repeated.push_back(rows[p]);
    csv += QByteArray::number(rows[p][0], 'g', 17) + ',' + QByteArray::number(rows[p][1], 'g', 17) +
           ',' + QByteArray::number(int(p % 3 + 1)) + ",a\n";
  }
  QVERIFY(oracle::writeFile(path("weighted.csv"), csv));
  const oracle::Labels truth = oracle::dbscan(repeated, 0.4, 12);
  QVERIFY(truth.clusters > 1 && truth.noise > 0);
  std::vector<std::int32_t> expected;
  for (const std::size_t p : first) expected.push_back(truth.labels[p]);
  const CliRun done = run(
      "cluster weighted.csv --columns x,y --weights w --eps 0.4 --min-pts 12 --labels w.npy --json "
      "--provenance on");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(oracle::readNpy(path("w.npy")).values<std::int32_t>(), expected);
  QCOMPARE(done.json()["weights"].toString(), QString("w"));
  QCOMPARE(done.json()["clusters"].toInt(-1), truth.clusters);
  QFile provenance(path("w.npy.provenance.json"));
  QVERIFY(provenance.open(QIODevice::ReadOnly) && provenance.readAll().contains("\"weights\""));
  // Several ranks in one process share the work.
  const CliRun divided =
      run("cluster weighted.csv --columns x,y --weights w --eps 0.4 --min-pts 12 --labels r.npy "
          "--ranks 2");
  QVERIFY2(divided.status == 0, divided.err);
  QCOMPARE(oracle::readNpy(path("r.npy")).values<std::int32_t>(), expected);
  // With all columns in the output as well.
  const CliRun again =
      run("cluster weighted.csv --columns x,y --weights w --eps 0.4 --min-pts 12 --labels w.csv");
  QVERIFY2(again.status == 0, again.err);
  QFile labelled(path("w.csv"));
  QVERIFY(labelled.open(QIODevice::ReadOnly) && labelled.readLine() == "x,y,w,name,label,role\n");
}

void TestCliCluster::weightsThatCannotBe() {
  QVERIFY(oracle::writeFile(path("few.csv"), "x,y,w,name\n1,2,3,a\n4,5,6,b\n"));
  const auto said = [&](const char* options) {
    const CliRun done = run(options);
    return done.status == 0 ? QByteArray("fine") : done.err;
  };
  QVERIFY(said("cluster few.csv --eps 1 --min-pts 2 --weights w").contains("--columns"));
  QVERIFY(said("cluster few.csv --columns x,y --eps 1 --min-pts 2 --weights name")
              .contains("holds text"));
  QVERIFY(
      said("cluster few.csv --columns x,y --eps 1 --min-pts 2 --weights none").contains("none"));
}

/// --by: labels as of a file for each value, numbered over all of them.
void TestCliCluster::rowsOfEachValueApart() {
  const oracle::Rows rows = oracle::clumps(600, 2, 29);
  QByteArray csv = "x,y,plot\n";
  std::map<QByteArray, oracle::Rows> parts;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const QByteArray plot = QByteArray("plot ") + "abc"[p * p % 3];
    csv += QByteArray::number(rows[p][0], 'g', 17) + ',' + QByteArray::number(rows[p][1], 'g', 17) +
           ',' + plot + '\n';
    parts[plot].push_back(rows[p]);
  }
  QVERIFY(parts.size() > 1 && oracle::writeFile(path("plots.csv"), csv));
  int clusters = 0;
  std::size_t noise = 0;
  for (const auto& [plot, part] : parts) {
    const oracle::Labels truth = oracle::dbscan(part, 0.4, 5);
    clusters += truth.clusters;
    noise += static_cast<std::size_t>(truth.noise);
  }
  for (const char* more : {"", " --ranks 2"}) {
    const CliRun done =
        run((QByteArray("cluster plots.csv --columns x,y --by plot --eps 0.4 --min-pts 5 --labels "
                        "plots.npy --json --provenance on") +
             more)
                .constData());
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(done.json()["clusters"].toInt(-1), clusters);
    QCOMPARE(done.json()["by"].toString(), QString("plot"));
    QCOMPARE(static_cast<std::size_t>(done.json()["noise"].toInt(-1)), noise);
  }
  // No cluster has points of two plots.
  const auto labels = oracle::readNpy(path("plots.npy")).values<std::int32_t>();
  std::map<std::int32_t, std::size_t> plotOf;
  for (std::size_t p = 0; p < labels.size(); ++p)
    if (labels[p] >= 0) QCOMPARE(plotOf.try_emplace(labels[p], p * p % 3).first->second, p * p % 3);
  QFile provenance(path("plots.npy.provenance.json"));
  QVERIFY(provenance.open(QIODevice::ReadOnly) && provenance.readAll().contains("\"by\""));
}

/// Messages count all rows of the file.
void TestCliCluster::messagesNumberTheRowsOfTheFile() {
  QVERIFY(oracle::writeFile(path("rows.csv"), "x,y,w\nnan,2,3\n1,2,3\n4,91,5\n1,2,3\n4,95,nan\n"));
  const auto said = [&](const char* options) {
    return run((QByteArray("cluster rows.csv --eps 1 --min-pts 2 --skip-non-finite ") + options)
                   .constData())
        .lastErrorLine();
  };
  QVERIFY2(said("--columns x,y --weights w").contains("weight of row 4 "), "w");
  QVERIFY2(said("--columns x,y --weights w --every 2").contains("weight of row 4 "), "every");
  QVERIFY2(said("--geographic x,y").contains("latitude of row 2 "), "latitude");
  QVERIFY2(said("--geographic x,y --every 4").contains("latitude of row 4 "), "latitude, every");
}

void TestCliCluster::sweepPrintsOneObjectEach() {
  const oracle::Rows rows = oracle::clumps(300, 2, 3);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const CliRun done = run("cluster cloud.csv --sweep-eps 0.1:1.6:5 --min-pts 4");
  QVERIFY2(done.status == 0, done.err);
  const QList<QByteArray> lines = done.out.trimmed().split('\n');
  QCOMPARE(lines.size(), 5);
  for (int i = 0; i < 5; ++i) {
    const QJsonObject json = QJsonDocument::fromJson(lines[i]).object();
    const double eps = json["eps"].toDouble();
    QVERIFY(std::abs(eps / (0.1 * std::pow(2.0, i)) - 1) < 1e-14);
    const oracle::Labels truth = oracle::dbscan(rows, eps, 4);
    QCOMPARE(json["clusters"].toInt(-1), truth.clusters);
    QCOMPARE(json["noise"].toInt(-1), truth.noise);
  }
  QCOMPARE(QJsonDocument::fromJson(lines[0])["eps"].toDouble(), 0.1);
  QCOMPARE(QJsonDocument::fromJson(lines[4])["eps"].toDouble(), 1.6);
}

void TestCliCluster::laneOptionsGiveTheSameLabels_data() {
  QTest::addColumn<QStringList>("options");
  for (const char* options : {"--pattern full",
                              "--pattern unicomp",
                              "--pattern lid-unicomp",
                              "--pattern full --order sort-by-workload",
                              "--pattern tile --order work-queue",
                              "--order input",
                              "--order bins",
                              "--index-dims 1",
                              "--index-dims 4 --reorder off",
                              "--sort-idu on --index-dims 2",
                              "--short-circuit on",
                              "--short-circuit off",
                              "--dense-cells off",
                              "--early-stop off",
                              "--batch-size 1000",
                              "--threads 3",
                              "--precision 64 --backend cpu",
                              "--precision 32",
                              "--precision 32 --pattern unicomp",
                              "--threads-per-point 1"})
    QTest::newRow(options) << words(options);
}

void TestCliCluster::laneOptionsGiveTheSameLabels() {
  QFETCH(QStringList, options);
  const oracle::Rows rows = oracle::clumps(500, 4, 5);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const CliRun done =
      runCli(words("cluster cloud.csv --eps 1.1 --min-pts 5 --labels l.npy --json") + options,
             folder_.path());
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(oracle::readNpy(path("l.npy")).values<std::int32_t>(),
           oracle::dbscan(rows, 1.1, 5).labels);
  // The option reached the engine.
  if (options[0] == "--pattern" || options[0] == "--order")
    QVERIFY2(done.json()["strategy"].toString().contains(options[1]), done.out);
  QCOMPARE(done.json()["strategy"].toString().contains("32-bit"), options.contains("32"));
  if (options[0] == "--index-dims") QCOMPARE(done.json()["index_dims"].toInt(), options[1].toInt());
  if (options[0] == "--threads") QCOMPARE(done.json()["threads"].toInt(), 3);
}

void TestCliCluster::allFormatsAreWritten() {
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(oracle::clumps(100, 3, 3))));
  for (const char* name : {"out.csv", "out.npy", "out.ply", "out.vtp"}) {
    const CliRun done = runCli(
        {"cluster", "cloud.csv", "--eps", "1", "--min-pts", "4", "--labels", name}, folder_.path());
    QVERIFY2(done.status == 0, done.err);
    QVERIFY(QFile::exists(path(name)));
    QVERIFY2(done.out.contains(name), done.out);
  }
  QVERIFY(oracle::readFile(path("out.ply")).startsWith("ply"));
  QVERIFY(oracle::readFile(path("out.vtp")).contains("PolyData"));
}

void TestCliCluster::picture() {
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(oracle::clumps(300, 2, 3))));
  const CliRun done = run("cluster cloud.csv --eps 0.5 --min-pts 4 --image p.png");
#ifdef CLUSTERLOOM_HAS_PICTURES
  QVERIFY2(done.status == 0, done.err);
  const QByteArray png = oracle::readFile(path("p.png"));
  QVERIFY(png.startsWith("\x89PNG\r\n\x1a\n"));
  QVERIFY(png.size() > 5000);  // a blank picture is smaller
  QVERIFY(!png.contains("iTXt"));
  QCOMPARE(run("cluster cloud.csv --eps 0.5 --min-pts 4 --image p.png --provenance on").status, 0);
  const QByteArray told = oracle::readFile(path("p.png"));
  for (const char* word : {"iTXtprogram", "iTXtinput hash", "xxh3:", "iTXtmin_pts"})
    QVERIFY2(told.contains(word), word);
  // Width, height and colour type (2: RGB, 6: RGBA) are at fixed places of the header.
  const auto number = [](const QByteArray& file, int at) {
    int value = 0;
    for (int i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(file[at + i]);
    return value;
  };
  QCOMPARE(number(png, 16), 1600);
  QCOMPARE(number(png, 20), 1200);
  QCOMPARE(int(png[25]), 2);
  const CliRun other =
      run("cluster cloud.csv --eps 0.5 --min-pts 4 --image t.png --image-size 640x200 "
          "--image-transparent");
  QVERIFY2(other.status == 0, other.err);
  const QByteArray clear = oracle::readFile(path("t.png"));
  QCOMPARE(number(clear, 16), 640);
  QCOMPARE(number(clear, 20), 200);
  QCOMPARE(int(clear[25]), 6);
  for (const char* wrong :
       {"640", "640x", "x200", "640x200x3", "0x5", "-3x200", "99999x200", "16000x16000"}) {
    const QString call =
        QStringLiteral("cluster cloud.csv --eps 0.5 --min-pts 4 --image no.png --image-size=%1");
    const CliRun refused = run(call.arg(QLatin1String(wrong)).toUtf8().constData());
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.lastErrorLine().contains("--image-size"), refused.err);
  }
  QCOMPARE(run("cluster cloud.csv --eps 0.5 --min-pts 4 --image-transparent").status, 2);
  QVERIFY(!QFile::exists(path("no.png")));
#else
  QCOMPARE(done.status, 2);
  QVERIFY2(done.lastErrorLine().contains("clusterloom_pictures.so"), done.err);
  QVERIFY(!QFile::exists(path("p.png")));
#endif
}

void TestCliCluster::failedRunsLeaveOldOutputs() {
  QVERIFY(oracle::writeFile(path("bad.csv"), "x,y\n0,0\n1\n"));
  QVERIFY(oracle::writeFile(path("kept.csv"), "old"));
  QCOMPARE(run("cluster bad.csv --eps 1 --min-pts 2 --labels kept.csv").status, 1);
  QCOMPARE(oracle::readFile(path("kept.csv")), QByteArray("old"));
}

GUILESS_TEST(TestCliCluster);
#include "tst_cli_cluster.moc"
