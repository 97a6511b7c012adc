// clusterloom-cli join A --with B and label NEW --from CLOUD: equal to plain loops.
#include <QtTest/QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

namespace {

/// For every point of `a` its neighbours in `b`, ascending.
std::vector<std::vector<std::int32_t>> neighboursIn(const oracle::Rows& a, const oracle::Rows& b,
                                                    double eps) {
  std::vector<std::vector<std::int32_t>> all(a.size());
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t q = 0; q < b.size(); ++q)
      if (oracle::squaredDistance(a[p], b[q]) <= eps * eps)
        all[p].push_back(static_cast<std::int32_t>(q));
  return all;
}

/// The label of each new point by the core points of `cloud`.
std::vector<std::int32_t> labelsBy(const oracle::Rows& cloud, const oracle::Rows& added, double eps,
                                   std::size_t minPts) {
  const oracle::Labels clusters = oracle::dbscan(cloud, eps, minPts);
  const auto own = oracle::neighbours(cloud, eps);
  std::vector<std::int32_t> labels(added.size(), -1);
  const auto near = neighboursIn(added, cloud, eps);
  for (std::size_t p = 0; p < added.size(); ++p)
    for (const std::int32_t q : near[p]) {
      const auto at = static_cast<std::size_t>(q);
      if (own[at].size() < minPts) continue;
      if (labels[p] < 0 || clusters.labels[at] < labels[p]) labels[p] = clusters.labels[at];
    }
  return labels;
}

oracle::Rows scaled(oracle::Rows rows, const std::vector<double>& offset,
                    const std::vector<double>& factor) {
  for (auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = (row[j] - offset[j]) * factor[j];
  return rows;
}

}  // namespace

class TestCliTwoClouds : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase();
  void countsAndPairs_data();
  void countsAndPairs();
  void histogram();
  void figures();
  void scaledByTheOther();
  void labels_data();
  void labels();
  void labelledFormats();
  void ownLabels();
  void optionsOfOneFormat();
  void provenance();
  void sweep();
  void refusals_data();
  void refusals();

 private:
  oracle::Rows a_ = oracle::clumps(300, 2, 4);
  oracle::Rows b_ = oracle::clumps(400, 2, 21);
};

void TestCliTwoClouds::initTestCase() {
  a_.push_back({-50, 3});  // far from the other cloud
  a_.push_back({1e6, 1e6});
  QVERIFY(oracle::writeFile(path("a.csv"), oracle::csvOf(a_)));
  QVERIFY(oracle::writeFile(path("b.csv"), oracle::csvOf(b_)));
  QVERIFY(oracle::writeFile(path("line.csv"), "x\n1\n2\n"));
  QVERIFY(oracle::writeFile(path("holes.csv"), "x,y\n4,4\nnan,1\n10,10\n4,inf\n-80,2\n"));
}

void TestCliTwoClouds::countsAndPairs_data() {
  QTest::addColumn<QString>("options");
  for (const char* options :
       {"", "--pattern full", "--pattern full --sort-idu on --index-dims 1", "--order work-queue",
        "--order bins", "--batch-size 300 --order sort-by-workload", "--precision 32",
        "--short-circuit on --order input", "--method brute-force", "--threads 1"})
    QTest::newRow(options) << QString(options);
}

void TestCliTwoClouds::countsAndPairs() {
  QFETCH(QString, options);
  const CliRun done = runCli(
      words("join a.csv --with b.csv --eps 0.7 --counts counts.npy --pairs pairs.npy --json") +
          options.split(' ', Qt::SkipEmptyParts),
      folder_.path());
  QVERIFY2(done.status == 0, done.err);
  const auto near = neighboursIn(a_, b_, 0.7);
  std::vector<std::uint32_t> counts;
  std::vector<std::int32_t> pairs;
  for (std::size_t p = 0; p < a_.size(); ++p) {
    counts.push_back(static_cast<std::uint32_t>(near[p].size()));
    for (const std::int32_t q : near[p]) {
      pairs.push_back(static_cast<std::int32_t>(p));
      pairs.push_back(q);
    }
  }
  QVERIFY(pairs.size() > 1000);
  QCOMPARE(oracle::readNpy(path("counts.npy")).values<std::uint32_t>(), counts);
  QCOMPARE(oracle::readNpy(path("pairs.npy")).values<std::int32_t>(), pairs);
  QCOMPARE(done.json()["pairs"].toInt(), static_cast<int>(pairs.size() / 2));
}

void TestCliTwoClouds::histogram() {
  const CliRun done = run("join a.csv --with b.csv --eps 2 --histogram h.csv --bins 4");
  QVERIFY2(done.status == 0, done.err);
  const QList<QByteArray> lines = oracle::readFile(path("h.csv")).trimmed().split('\n');
  QCOMPARE(lines.size(), 5);
  for (int i = 1; i <= 4; ++i) {
    std::uint64_t expected = 0;
    for (const auto& near : neighboursIn(a_, b_, 0.5 * i)) expected += near.size();
    QCOMPARE(lines[i].split(',')[2].toULongLong(), expected);
  }
}

void TestCliTwoClouds::figures() {
  const CliRun done = run("join a.csv --with b.csv --eps 0.7 --json");
  const QJsonObject json = done.json();
  QCOMPARE(json["file"].toString(), QString("a.csv"));
  QCOMPARE(json["points"].toInt(), static_cast<int>(a_.size()));
  QCOMPARE(json["with"].toObject()["file"].toString(), QString("b.csv"));
  QCOMPARE(json["with"].toObject()["points"].toInt(), static_cast<int>(b_.size()));
  QCOMPARE(json["selectivity"].toDouble(),
           json["pairs"].toDouble() / static_cast<double>(a_.size()));
  QVERIFY(json["candidates"].toDouble() >= json["pairs"].toDouble());
  const CliRun summary = run("join a.csv --with b.csv --eps 0.7");
  QVERIFY2(summary.out.contains("with        400 points of b.csv"), summary.out);
  // One cloud's figures are as they were.
  QVERIFY(!run("join b.csv --eps 0.7 --json").json().contains("with"));
}

/// Both clouds are scaled by the ranges of the one that is searched.
void TestCliTwoClouds::scaledByTheOther() {
  std::vector<double> low = b_[0];
  std::vector<double> high = b_[0];
  for (const auto& row : b_)
    for (std::size_t j = 0; j < 2; ++j) {
      low[j] = std::min(low[j], row[j]);
      high[j] = std::max(high[j], row[j]);
    }
  const std::vector<double> factor{1.0 / (high[0] - low[0]), 1.0 / (high[1] - low[1])};
  std::size_t expected = 0;
  for (const auto& near : neighboursIn(scaled(a_, low, factor), scaled(b_, low, factor), 0.03))
    expected += near.size();
  QVERIFY(expected > 500);
  const CliRun unit = run("join a.csv --with b.csv --scale unit --eps 0.03 --json");
  QVERIFY2(unit.status == 0, unit.err);
  QCOMPARE(unit.json()["pairs"].toInt(), static_cast<int>(expected));
  expected = 0;
  for (const auto& near :
       neighboursIn(scaled(a_, {0, 0}, {2, 0.5}), scaled(b_, {0, 0}, {2, 0.5}), 0.7))
    expected += near.size();
  const CliRun factors = run("join a.csv --with b.csv --scale 2,0.5 --eps 0.7 --json");
  QCOMPARE(factors.json()["pairs"].toInt(), static_cast<int>(expected));
}

void TestCliTwoClouds::labels_data() {
  QTest::addColumn<QString>("options");
  for (const char* options : {"", "--pattern full --order sort-by-workload", "--precision 32",
                              "--method brute-force", "--threads 1 --index-dims 1"})
    QTest::newRow(options) << QString(options);
}

void TestCliTwoClouds::labels() {
  QFETCH(QString, options);
  const CliRun done =
      runCli(words("label a.csv --from b.csv --eps 0.5 --min-pts 6 --labels l.npy --json") +
                 options.split(' ', Qt::SkipEmptyParts),
             folder_.path());
  QVERIFY2(done.status == 0, done.err);
  const std::vector<std::int32_t> expected = labelsBy(b_, a_, 0.5, 6);
  QCOMPARE(oracle::readNpy(path("l.npy")).values<std::int32_t>(), expected);
  const auto labelled =
      std::count_if(expected.begin(), expected.end(), [](std::int32_t l) { return l >= 0; });
  QVERIFY(labelled > 100);
  const QJsonObject json = done.json();
  QCOMPARE(json["labelled"].toInt(), static_cast<int>(labelled));
  QCOMPARE(json["unlabelled"].toInt(), static_cast<int>(expected.size()) - int(labelled));
  const oracle::Labels clusters = oracle::dbscan(b_, 0.5, 6);
  QCOMPARE(json["from"].toObject()["clusters"].toInt(), clusters.clusters);
  QCOMPARE(json["from"].toObject()["core"].toInt(), clusters.core);
}

void TestCliTwoClouds::labelledFormats() {
  const CliRun done =
      run("label holes.csv --from b.csv --eps 1 --min-pts 4 --skip-non-finite --labels l.npy");
  QVERIFY2(done.status == 0, done.err);
  QVERIFY2(done.err.contains("holes.csv: 2 of 5 rows"), done.err);
  const auto expected = labelsBy(b_, {{4, 4}, {10, 10}, {-80, 2}}, 1, 4);
  QCOMPARE(oracle::readNpy(path("l.npy")).values<std::int32_t>(),
           (std::vector<std::int32_t>{expected[0], -2, expected[1], -2, -1}));
  const CliRun csv =
      run("label holes.csv --from b.csv --eps 1 --min-pts 4 --skip-non-finite --labels l.csv");
  QVERIFY2(csv.status == 0, csv.err);
  const QList<QByteArray> lines = oracle::readFile(path("l.csv")).trimmed().split('\n');
  QCOMPARE(lines.size(), 6);
  QCOMPARE(lines[0], QByteArray("x,y,label,role"));
  QCOMPARE(lines[1], "4,4," + QByteArray::number(expected[0]) + ",border");
  QCOMPARE(lines[2], QByteArray(",1,-2,skipped"));
  QCOMPARE(lines[5], QByteArray("-80,2,-1,noise"));
}

/// The points of the clustered cloud get the labels that the subcommand cluster gives them.
void TestCliTwoClouds::ownLabels() {
  QCOMPARE(run("cluster b.csv --eps 0.5 --min-pts 6 --labels own.npy").status, 0);
  QCOMPARE(run("label b.csv --from b.csv --eps 0.5 --min-pts 6 --labels again.npy").status, 0);
  QCOMPARE(oracle::readFile(path("again.npy")), oracle::readFile(path("own.npy")));
  QVERIFY(!QFile::exists(path("again.npy.provenance.json")));
}

/// Names both clouds and all parameters.
/// Options of text are refused where no file is text, and say how the one of two is read that is.
void TestCliTwoClouds::optionsOfOneFormat() {
  QVERIFY(run("generate blobs --points 50 x.npy").status == 0);
  QVERIFY(run("generate blobs --points 50 --seed 2 y.npy").status == 0);
  QVERIFY(run("generate blobs --points 50 z.csv").status == 0);
  for (const char* option : {"--delimiter comma", "--skip-lines 0", "--thousands none",
                             "--header no", "--decimal-comma", "--decimal-point"}) {
    const QByteArray name = QByteArray(option).split(' ').first();
    const CliRun one = run((std::string("info x.npy ") + option).c_str());
    QCOMPARE(one.status, 2);
    QVERIFY2(one.err.contains(name + " is for text files; x.npy is npy."), one.err);
    const CliRun two = run((std::string("join x.npy --with y.npy --eps 1 ") + option).c_str());
    QVERIFY2(two.err.contains(name + " is for text files; x.npy is npy and y.npy is npy."),
             two.err);
  }
  for (const char* files : {"z.csv --with x.npy", "x.npy --with z.csv"}) {
    const CliRun done = run((std::string("join ") + files + " --eps 1 --delimiter comma").c_str());
    QVERIFY2(done.status == 0, done.err);
  }
}

void TestCliTwoClouds::provenance() {
  QCOMPARE(
      run("label a.csv --from b.csv --eps 0.5 --min-pts 6 --labels p.npy --provenance on").status,
      0);
  const QByteArray text = oracle::readFile(path("p.npy.provenance.json"));
  QVERIFY(!QJsonDocument::fromJson(text).isNull());
  for (const char* word : {CLUSTERLOOM_VERSION, "a.csv", "b.csv", "xxh3:", "min_pts", "backend"})
    QVERIFY2(text.contains(word), text);
}

void TestCliTwoClouds::sweep() {
  const CliRun done = run("label a.csv --from b.csv --sweep-eps 0.25:1:3 --min-pts 6");
  QVERIFY2(done.status == 0, done.err);
  const QList<QByteArray> lines = done.out.trimmed().split('\n');
  QCOMPARE(lines.size(), 3);
  for (const QByteArray& line : lines) {
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    const auto expected = labelsBy(b_, a_, json["eps"].toDouble(), 6);
    QCOMPARE(json["labelled"].toInt(-1),
             static_cast<int>(std::count_if(expected.begin(), expected.end(),
                                            [](std::int32_t l) { return l >= 0; })));
  }
}

void TestCliTwoClouds::refusals_data() {
  QTest::addColumn<QString>("call");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("says");
  const auto add = [](const char* call, int status, const char* says) {
    QTest::newRow(call) << QString(call) << status << QString(says);
  };
  add("join a.csv --with missing.csv --eps 1", 1, "missing.csv");
  add("join a.csv --with line.csv --eps 1", 1, "same dimensions");
  add("label line.csv --from b.csv --eps 1 --min-pts 3", 1, "same dimensions");
  add("join a.csv --with b.csv --eps 1 --pattern unicomp", 2, "choose full or tile");
  add("label a.csv --from b.csv --eps 1 --min-pts 3 --pattern lid-unicomp", 2,
      "choose full or tile");
  add("join a.csv --with b.csv --eps 1 --method super-ego", 2, "itself only");
  add("label a.csv --from b.csv --eps 1 --min-pts 3 --method g-dbscan", 2, "");
  add("label a.csv --from b.csv --eps 1 --min-pts 3 --labels b.csv", 2, "overwrite the input");
  add("label a.csv --from b.csv --eps 1 --min-pts 3 --labels ./a.csv", 2, "overwrite the input");
  add("label a.csv --eps 1 --min-pts 3", 2, "--from");
  add("label a.csv --from b.csv --eps 1", 2, "--min-pts");
  add("label a.csv --from b.csv --sweep-eps 1:2:3 --min-pts 3 --labels l.csv", 2, "one --eps");
  add("join a.csv --with holes.csv --eps 1", 1, "holes.csv");
  add("join a.csv --with b.csv --eps 0", 2, "ε");
}

void TestCliTwoClouds::refusals() {
  QFETCH(QString, call);
  QFETCH(int, status);
  QFETCH(QString, says);
  const QByteArray before = oracle::readFile(path("b.csv"));
  const CliRun done = runCli(call.split(' '), folder_.path());
  QVERIFY2(done.status == status, done.err);
  QVERIFY2(done.lastErrorLine().contains(says.toUtf8()), done.err);
  QCOMPARE(oracle::readFile(path("b.csv")), before);
}

GUILESS_TEST(TestCliTwoClouds);
#include "tst_cli_two_clouds.moc"
