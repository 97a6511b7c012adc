// clusterloom-cli load: figures that can be computed by hand, one row per warp, refusals.
#include <QtTest/QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliLoad : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase();
  void aWarpByHand();
  void warpsAddUp();
  void samples();
  void bareIsGpuCalcGlobal();
  void ordersModelThePapersKernels();
  void gains();
  void sweep();
  void summary();
  void machines();
  void threadsOfTiles();
  void refusals_data();
  void refusals();

 private:
  /// Rows of a CSV file, the header first.
  QList<QStringList> table(const QString& name) const {
    QList<QStringList> rows;
    for (const QByteArray& line : oracle::readFile(path(name)).trimmed().split('\n'))
      rows.append(QString::fromUtf8(line).split(','));
    return rows;
  }
};

void TestCliLoad::initTestCase() {
  QVERIFY(oracle::writeFile(path("line.csv"), "x\n0.1\n0.22\n0.3\n1.2\n1.25\n10.5\n"));
  QVERIFY(oracle::writeFile(path("clumps.csv"), oracle::csvOf(oracle::clumps(1500, 2, 4))));
}

// tests/engine/tst_load_model.cpp works this warp out by hand.
void TestCliLoad::aWarpByHand() {
  const CliRun done =
      run("load line.csv --eps 1 --order cell --short-circuit off --warps warps.csv --json");
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject object = done.json();
  QCOMPARE(object["points"].toInt(), 6);
  QCOMPARE(object["candidates"].toInt(), 26);
  QCOMPARE(object["distance_calculations"].toInt(), 26);
  QCOMPARE(object["pairs"].toInt(), 20);
  QCOMPARE(object["batches"].toInt(), 1);
  QCOMPARE(object["warps"].toInt(), 1);
  QCOMPARE(object["kernel"].toString(), QString("pairs"));
  QCOMPARE(object["measured"].toBool(true), false);
  QCOMPARE(object["wee_error"].toDouble(1), 0.0);
  const QMap<QString, QPair<int, int>> steps{
      {"cell", {2, 11}}, {"search", {4, 10}}, {"candidate", {8, 26}}, {"hit", {7, 20}}};
  double active = 0;
  double all = 0;
  for (auto loop = steps.begin(); loop != steps.end(); ++loop) {
    const QJsonObject figures = object["loops"].toObject()[loop.key()].toObject();
    QCOMPARE(figures["steps"].toInt(), loop->first);
    QCOMPARE(figures["lane_steps"].toInt(), loop->second);
    QCOMPARE(figures["wee"].toDouble(), loop->second / (32.0 * loop->first));
    active += figures["weight"].toDouble() * loop->second;
    all += figures["weight"].toDouble() * 32 * loop->first;
  }
  QVERIFY(all > 0);
  QCOMPARE(object["wee"].toDouble(), active / all);
  QCOMPARE(object["makespan"].toDouble(), all / 32);
  const auto rows = table("warps.csv");
  QCOMPARE(rows.size(), 2);
  QCOMPARE(rows[0].first(), QString("warp"));
  QCOMPARE(rows[1].mid(0, 14), QString("0,0,0,6,2,4,8,7,11,10,26,20,5,1").split(','));
}

void TestCliLoad::warpsAddUp() {
  const CliRun done = run(
      "load clumps.csv --eps 0.4 --pattern lid-unicomp --order work-queue --threads-per-point 4 "
      "--index-dims 2 --batch-size 4000 --warps warps.csv --json");
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject object = done.json();
  QVERIFY(object["batches"].toInt() > 1);
  const auto rows = table("warps.csv");
  QCOMPARE(rows.size() - 1, object["warps"].toInt());
  const int lanes = static_cast<int>(rows[0].indexOf("candidate_lane_steps"));
  const int queries = static_cast<int>(rows[0].indexOf("queries"));
  QVERIFY(lanes > 0 && queries > 0);
  int candidates = 0;
  int points = 0;
  for (const QStringList& row : rows.mid(1)) {
    QCOMPARE(row.size(), rows[0].size());
    QVERIFY(row[queries].toInt() <= 8);
    candidates += row[lanes].toInt();
    points += row[queries].toInt();
  }
  QCOMPARE(points, 1500);
  QCOMPARE(candidates, object["distance_calculations"].toInt());

  // The same pairs as the join, which finds them.
  const CliRun joined = run("join clumps.csv --eps 0.4 --index-dims 2 --json");
  QCOMPARE(object["pairs"].toInt(), joined.json()["pairs"].toInt());
  QCOMPARE(object["candidates"].toInt(), joined.json()["candidates"].toInt());
}

void TestCliLoad::samples() {
  const QJsonObject whole = run("load clumps.csv --eps 0.4 --order input --json").json();
  const CliRun done = run(
      "load clumps.csv --eps 0.4 --order input --sample-warps 20 --sample-seed 3 --warps part.csv "
      "--json");
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject part = done.json();
  QCOMPARE(part["warps"].toInt(), 47);
  QCOMPARE(part["sampled_warps"].toInt(), 20);
  QCOMPARE(whole["sampled_warps"].toInt(), 47);
  QCOMPARE(table("part.csv").size(), 21);
  const double error = part["wee_error"].toDouble();
  QVERIFY(error > 0);
  QVERIFY(std::abs(part["wee"].toDouble() - whole["wee"].toDouble()) < 4 * error);
  for (const QString figure : {"pairs", "distance_calculations"}) {
    QCOMPARE(whole[figure + "_error"].toDouble(-1), 0.0);
    const double off = part[figure + "_error"].toDouble();
    QVERIFY(off > 0);
    QVERIFY(std::abs(part[figure].toDouble() - whole[figure].toDouble()) < 4 * off);
  }
}

// Bare, it is the papers' first kernel, whatever the dimensions; an option that is given counts.
void TestCliLoad::bareIsGpuCalcGlobal() {
  for (const int dims : {2, 6}) {
    QVERIFY(oracle::writeFile(path("bare.csv"), oracle::csvOf(oracle::clumps(300, dims, 4))));
    const QString told = run("load bare.csv --eps 0.8 --json").json()["strategy"].toString();
    const QString asked =
        runCli({"load", "bare.csv", "--eps", "0.8", "--json", "--index-dims", QString::number(dims),
                "--reorder", "off", "--sort-idu", "off", "--short-circuit", "off"},
               folder_.path())
            .json()["strategy"]
            .toString();
    QCOMPARE(told, asked);
    QVERIFY2(told.contains(QString("k = %1").arg(dims)), qPrintable(told));
    for (const char* option : {"no REORDER", "no SORTIDU", "no SHORTC"})
      QVERIFY2(told.contains(option), qPrintable(told));
  }
  const QString given = run("load bare.csv --eps 0.8 --index-dims 2 --reorder on --json")
                            .json()["strategy"]
                            .toString();
  QVERIFY2(given.contains("k = 2, REORDER"), qPrintable(given));
  QVERIFY(run("load --help").out.contains("default: all)"));
}

// Sorting by workload makes warps fuller than the order in which the points came.
void TestCliLoad::ordersModelThePapersKernels() {
  const CliRun generated = run("generate expo --points 20000 --dims 2 --seed 2 expo.npy");
  QVERIFY2(generated.status == 0, generated.err);
  QMap<QString, double> wee;
  for (const char* order : {"bins", "sort-by-workload", "work-queue"}) {
    const QJsonObject object = runCli({"load", "expo.npy", "--eps", "0.02", "--index-dims", "2",
                                       "--order", order, "--json"},
                                      folder_.path())
                                   .json();
    QVERIFY(object["strategy"].toString().contains("batches of 100000000 pairs"));
    QVERIFY(object["strategy"].toString().startsWith("full"));
    wee[order] = object["wee"].toDouble();
  }
  QVERIFY(wee["bins"] > 0.1 && wee["bins"] < 0.5);
  QVERIFY(wee["sort-by-workload"] > wee["bins"] + 0.2);
  QVERIFY(wee["work-queue"] > wee["bins"] + 0.2);
  const QJsonObject counts = run("load expo.npy --eps 0.02 --kernel counts --json").json();
  QCOMPARE(counts["kernel"].toString(), QString("counts"));
  QCOMPARE(counts["loops"].toObject()["hit"].toObject()["weight"].toDouble(1), 0.0);
  QVERIFY(!counts["strategy"].toString().contains("batches"));
}

// The causes of a gain are factors of it; the ratio of the two makespans is the gain.
void TestCliLoad::gains() {
  const QString call = "load clumps.csv --eps 3 --backend simt --batch-size 20000 --json";
  const CliRun before = runCli(call.split(' '), folder_.path());
  QVERIFY2(before.status == 0, before.err);
  QVERIFY(!before.json().contains("gain"));
  const CliRun done =
      runCli((call + " --pattern unicomp --order work-queue --gain").split(' '), folder_.path());
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject gain = done.json()["gain"].toObject();
  const double factor = gain["factor"].toDouble();
  QVERIFY2(
      std::abs(factor * done.json()["makespan"].toDouble() / before.json()["makespan"].toDouble() -
               1) < 1e-9,
      done.out);
  double product = 1;
  for (const char* cause : {"searches", "comparisons", "lanes", "tail"}) {
    QVERIFY2(gain[cause].toDouble() > 0, cause);
    product *= gain[cause].toDouble();
  }
  QVERIFY(std::abs(product / factor - 1) < 1e-9);
  QVERIFY(gain["comparisons"].toDouble() > 1.2);
  QVERIFY(!gain.contains("memory_and_rest"));  // only measured loads know it
  const CliRun text = run("load clumps.csv --eps 3 --backend simt --gain");
  QVERIFY2(text.out.contains("1 × over GPUCALCGLOBAL (searches 1 ×, comparisons 1 ×"), text.out);
}

void TestCliLoad::sweep() {
  const CliRun done = run("load clumps.csv --sweep-eps 0.1:0.4:3");
  QVERIFY2(done.status == 0, done.err);
  const auto lines = done.out.trimmed().split('\n');
  QCOMPARE(lines.size(), 3);
  double before = 0;
  for (const QByteArray& line : lines) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    QVERIFY(object["pairs"].toDouble() > before);
    before = object["pairs"].toDouble();
  }
}

void TestCliLoad::summary() {
  const CliRun done = run("load clumps.csv --eps 0.4 --sample-warps 10 --warps warps.csv");
  QVERIFY2(done.status == 0, done.err);
  for (const char* text :
       {"47 in 1 batch, 10 of them sampled", "of lanes active, modelled", "writes pairs",
        "modelled: H200 with 132 multiprocessors of 64 warps at 1.98 GHz, 3 streams",
        " s, at one instruction for each of ", "weighted by their cost", "unweighted", "warps.csv",
        " ± ", "each point with itself"})
    QVERIFY2(done.out.contains(text), done.out);
  // Both WEE, and the machine, for programs.
  const QJsonObject object = run("load clumps.csv --eps 0.4 --json").json();
  double active = 0;
  double all = 0;
  for (const QJsonValue loop : object["loops"].toObject()) {
    active += loop["lane_steps"].toDouble();
    all += 32 * loop["steps"].toDouble();
  }
  QCOMPARE(object["unweighted_wee"].toDouble(), active / all);
  QCOMPARE(object["wee_weights"].toString(), QString("fitted"));
  QVERIFY(object["unweighted_wee"] != object["wee"]);
  QCOMPARE(object["machine"].toString(), QString("H200"));
  QCOMPARE(object["multiprocessors"].toInt(), 132);
  QCOMPARE(object["streams"].toInt(), 3);
  QCOMPARE(object["clock_ghz"].toDouble(), 1.98);
  QCOMPARE(object["makespan_seconds"].toDouble(), object["makespan"].toDouble() * 16 / 1.98e9);
}

// The GPU and the weights of the steps can be chosen; figures of steps stay, times are others.
void TestCliLoad::machines() {
  const QJsonObject standard = run("load clumps.csv --eps 0.4 --json --backend simt").json();
  const QJsonObject tiny = run("load clumps.csv --eps 0.4 --json --machine TINY").json();
  QCOMPARE(tiny["machine"].toString(), QString("tiny"));
  QCOMPARE(tiny["multiprocessors"].toInt(), 4);
  QCOMPARE(tiny["warps_per_multiprocessor"].toInt(), 4);
  QCOMPARE(tiny["wee"], standard["wee"]);
  QVERIFY(tiny["makespan"].toDouble() > standard["makespan"].toDouble());
  const QJsonObject own =
      run("load clumps.csv --eps 0.4 --json --weights unit --machine 8x4x2").json();
  QCOMPARE(own["machine"].toString(), QString("GPU"));
  QCOMPARE(own["multiprocessors"].toInt(), 8);
  QCOMPARE(own["streams"].toInt(), 2);
  QCOMPARE(own["wee_weights"].toString(), QString("unit"));
  QCOMPARE(own["wee"], standard["unweighted_wee"]);
  const QJsonObject slow = run("load clumps.csv --eps 0.4 --json --machine 8x4x2@0.25").json();
  QCOMPARE(slow["clock_ghz"].toDouble(), 0.25);
  QCOMPARE(slow["makespan_seconds"].toDouble(), slow["makespan"].toDouble() / 0.25e9);
  const CliRun given = run("load clumps.csv --eps 0.4 --weights 0,0,1,0");
  QVERIFY2(given.out.contains("weighted as given (unweighted "), given.out);
  for (const char* wrong : {"--machine B100", "--weights 1,2", "--machine A100 --backend cuda"}) {
    const CliRun refused = run((QByteArray("load clumps.csv --eps 0.4 ") + wrong).constData());
    QVERIFY2(refused.status == 2, wrong);
  }
}

// A tile whose queries are shared by more threads than were asked for is not modelled silently.
void TestCliLoad::threadsOfTiles() {
  const CliRun done = run("load clumps.csv --eps 0.4 --pattern tile --threads-per-point 1");
  QVERIFY2(done.status == 0, done.err);
  QVERIFY2(done.err.contains("tile: 32 threads share each query point instead of 1"), done.err);
  const QJsonObject object = run("load clumps.csv --eps 0.4 --pattern tile --json").json();
  QCOMPARE(object["threads_per_point"].toInt(), 32);
  QVERIFY(object["note"].toString().contains("32 threads"));
  // Those who name a number get it, and full patterns are as asked.
  for (const char* call : {"load clumps.csv --eps 0.4 --pattern tile --threads-per-point 2",
                           "load clumps.csv --eps 0.4 --threads-per-point 1"}) {
    const CliRun silent = run(call);
    QVERIFY2(silent.status == 0 && !silent.err.contains("threads share"), silent.err);
  }
}

void TestCliLoad::refusals_data() {
  QTest::addColumn<QByteArray>("call");
  QTest::addColumn<QByteArray>("says");
  const auto add = [](const char* call, const char* says) {
    QTest::newRow(call) << QByteArray(call) << QByteArray(says);
  };
  add("load clumps.csv", "--eps");
  add("load clumps.csv --eps -1", "positive");
  add("load clumps.csv --eps 1 --kernel fast", "neither pairs nor counts");
  add("load clumps.csv --eps 1 --sample-warps 0", "--sample-warps");
  add("load clumps.csv --eps 1 --warps out.npy", ".csv");
  add("load clumps.csv --sweep-eps 1:2:3 --warps out.csv", "--warps needs one --eps");
  add("load clumps.csv --eps 1 --method brute-force", "method grid");
  add("load clumps.csv --eps 1 --threads-per-point 3", "one of 1, 2, 4, 8, 16, 32");
  add("load clumps.csv --eps 1 --precision 32", "precision 64");
  add("load clumps.csv --eps 1 --backend hybrid", "backend hybrid");
  add("join clumps.csv --eps 1 --backend simt", "finds no pairs");
}

void TestCliLoad::refusals() {
  QFETCH(QByteArray, call);
  QFETCH(QByteArray, says);
  const CliRun done = run(call.constData());
  QCOMPARE(done.status, 2);
  QVERIFY2(done.lastErrorLine().contains(says), done.err);
  QVERIFY(done.out.isEmpty());
}

GUILESS_TEST(TestCliLoad);
#include "tst_cli_load.moc"
