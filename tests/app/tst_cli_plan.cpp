// clusterloom-cli plan: tables and JSON, with given speeds against numbers by hand.
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest/QtTest>
#include <algorithm>
#include <cmath>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliPlan : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(oracle::writeFile(folder_.filePath("cloud.csv"),
                              oracle::csvOf(oracle::clumps(2000, 2, 4))));
  }

  void givenSpeeds() {
    const CliRun done =
        run("plan cloud.csv --eps 0.5 --ranks 1,4,1024 --network 8 --latency 100 --query-sets 16 "
            "--candidates-per-second 1e6 --points-per-second 1e5 --json");
    QVERIFY2(done.status == 0, done.err);
    const QJsonObject plan = done.json();
    QCOMPARE(plan["points"].toInt(), 2000);
    QCOMPARE(plan["sampled"].toInt(), 2000);
    const double candidates = 2000 * plan["candidates_per_query"].toDouble();
    const CliRun join = run("join cloud.csv --eps 0.5 --json");
    QCOMPARE(candidates, join.json()["candidates"].toDouble());
    QVERIFY(std::abs(plan["one_rank"]["seconds"].toDouble() - (0.02 + candidates / 1e6)) < 1e-9);
    const QJsonArray all = plan["forecasts"].toArray();
    QCOMPARE(all.size(), 3);
    const QJsonObject four = all[1].toObject();
    QCOMPARE(four["ranks"].toInt(), 4);
    const QJsonValue round = four["ring"]["round_seconds"];
    QVERIFY(std::abs(round["index"].toDouble() - 0.01) < 1e-12);
    QVERIFY(std::abs(round["transfer"].toDouble() - (500 * 16 / 1e9 + 1e-4)) < 1e-12);
    const double mean = candidates / 1e6 / 16;
    const QJsonValue ring = four["ring"];
    const double shown = ring["choice_seconds"].toDouble() + ring["move_seconds"].toDouble() +
                         4 * (round["index"].toDouble() + round["join"].toDouble()) +
                         3 * round["waiting"].toDouble();
    QVERIFY(std::abs(ring["total_seconds"].toDouble() - shown) < 1e-9);
    QVERIFY(std::abs(round["join"].toDouble() - mean * (1 + four["ring"]["imbalance"].toDouble())) <
            1e-9);
    QCOMPARE(four["replicated"]["query_sets"].toInt(), 16);
    QVERIFY(four["replicated"]["queue_seconds"].toDouble() >= 0.02 + candidates / 4e6 - 1e-9);
    QCOMPARE(all[2].toObject().value("ring").toObject().value("rounds").toInt(), 1024);
  }

  void measuredSpeeds() {
    const CliRun done = run("plan cloud.csv --eps 0.5 --ranks 1,2 --threads 1");
    QVERIFY2(done.status == 0, done.err);
    for (const char* word :
         {"candidates/s", "40 Gbit/s", "ring join", "choice", "replicated", "memory/rank"})
      QVERIFY2(done.out.contains(word), done.out);
    const CliRun json = run("plan cloud.csv --eps 0.5 --ranks 2 --threads 1 --json");
    QVERIFY(json.json().value("one_rank").toObject().value("candidates_per_second").toDouble() > 0);
  }

  // All of few points are asked, so that the pairs are those of the join.
  void pairsAndMemory() {
    const double pairs = run("join cloud.csv --eps 0.5 --json").json()["pairs"].toDouble();
    const QJsonObject join =
        run("plan cloud.csv --eps 0.5 --ranks 2 --json").json()["join"].toObject();
    QCOMPARE(std::round(join["pairs"].toDouble()), pairs);
    QCOMPARE(join["queries"].toInt(), 2000);
    QCOMPARE(join["pairs_error"].toDouble(-1), 0.0);
    QCOMPARE(join["count_bytes"].toDouble(), 4.0 * 2000);
    QVERIFY(std::abs(join["table_bytes"].toDouble() - (8.0 * 2000 + 4 * pairs)) < 1);
    QVERIFY(std::abs(join["pair_list_bytes"].toDouble() - 8 * pairs) < 1);
    QVERIFY(join["free_bytes"].toDouble() > 0 && join["seconds"].toDouble() > 0);
    QCOMPARE(join["seconds_are_most"], QJsonValue(false));
    const CliRun text = run("plan cloud.csv --eps 0.5 --ranks 2");
    for (const char* part : {"pairs ", " ordered", "list of pairs ", " are free", "counting "})
      QVERIFY2(text.out.contains(part), text.out);
  }

  // What every k is predicted to cost, and which costs least.
  void costOfEveryK() {
    QVERIFY(
        oracle::writeFile(folder_.filePath("three.csv"), oracle::csvOf(oracle::clumps(500, 3, 4))));
    const QJsonObject plan = run("plan three.csv --eps 0.5 --ranks 1 --json").json();
    const QJsonArray costs = plan["cost_of_k"].toArray();
    QCOMPARE(costs.size(), 3);
    double least = HUGE_VAL;
    int best = 0;
    for (int k = 1; k <= 3; ++k) {
      const QJsonObject cost = costs[k - 1].toObject();
      QCOMPARE(cost["k"].toInt(), k);
      const double total = cost["total"].toDouble();
      QCOMPARE(cost["cell_search"].toDouble() + cost["distances"].toDouble(), total);
      QVERIFY(total > 0);
      if (total < least) best = k;
      least = std::min(least, total);
    }
    QCOMPARE(plan["best_k"].toInt(), best);
    const CliRun text = run("plan three.csv --eps 0.5 --ranks 1");
    QVERIFY2(text.out.contains("cost of k   1: ") && text.out.contains("(least)"), text.out);
  }

  // A list of pairs that does not fit is announced, and the join refuses it.
  void tooManyPairs() {
    QCOMPARE(run("generate unif --points 300000 --dims 1 --seed 1 far.npy").status, 0);
    const CliRun plan =
        run("plan far.npy --eps 200 --ranks 1 --candidates-per-second 1e9 --points-per-second 1e7");
    QVERIFY2(plan.status == 0, plan.err);
    QVERIFY2(plan.out.contains("list of pairs 671 GiB (too much)"), plan.out);
    const CliRun join = run("join far.npy --eps 200 --pairs pairs.npy");
    QCOMPARE(join.status, 1);
    QVERIFY2(join.lastErrorLine().contains("pairs"), join.err);
  }

  // Where it is asked for; a cloud no larger than a sample is not measured.
  void hierarchy() {
    const QString none = run("plan cloud.csv --eps 0.5 --ranks 1").out;
    QVERIFY2(!none.contains("hierarchy"), qPrintable(none));
    const CliRun small = run("plan cloud.csv --eps 0.5 --ranks 1 --min-pts 7");
    QVERIFY2(small.out.contains("not measured: the cloud is no larger than a sample (minPts 7)\n"),
             small.out);
    const QJsonObject unknown =
        run("plan cloud.csv --eps 0.5 --ranks 1 --min-pts 7 --json").json()["hierarchy"].toObject();
    QCOMPARE(unknown["min_pts"].toInt(), 7);
    for (const char* name : {"seconds", "bytes", "peak_bytes"})
      QVERIFY2(unknown.contains(name) && unknown[name].isNull(), name);
    QCOMPARE(run("generate unif --points 40000 --dims 2 --seed 1 large.npy").status, 0);
    constexpr const char* kPlan =
        "plan large.npy --eps 0.5 --ranks 1 --candidates-per-second 1e9 "
        "--points-per-second 1e7 --min-pts 7";
    const CliRun large = run(kPlan);
    QVERIFY2(large.out.contains("hierarchy") && large.out.contains("while it is built"), large.out);
    const QJsonObject json =
        run((std::string(kPlan) + " --json").c_str()).json()["hierarchy"].toObject();
    QCOMPARE(json["min_pts"].toInt(), 7);
    QVERIFY(json["seconds"].toDouble() > 0);
    QVERIFY(json["peak_bytes"].toDouble() > json["bytes"].toDouble());
    QVERIFY(json["bytes"].toDouble() > 0);
  }

  // It does not depend on ε: a second measurement would give another time.
  void hierarchyOfASweep() {
    QCOMPARE(run("generate unif --points 30000 --dims 2 --seed 1 swept.npy").status, 0);
    const CliRun done =
        run("plan swept.npy --sweep-eps 0.1:0.5:3 --ranks 1 --candidates-per-second 1e9 "
            "--points-per-second 1e7 --min-pts 7");
    QVERIFY2(done.status == 0, done.err);
    const QList<QByteArray> lines = QByteArray(done.out).trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    const auto hierarchyOf = [](const QByteArray& line) {
      return QJsonDocument::fromJson(line).object()["hierarchy"].toObject();
    };
    QVERIFY(hierarchyOf(lines[0])["seconds"].toDouble() > 0);
    QCOMPARE(hierarchyOf(lines[1]), hierarchyOf(lines[0]));
    QCOMPARE(hierarchyOf(lines[2]), hierarchyOf(lines[0]));
  }

  /// Of the joins of unit vectors.
  void cosine() {
    const CliRun done =
        run("plan cloud.csv --metric cosine --eps 0.01 --ranks 1 --min-pts 7 --json");
    QVERIFY2(done.status == 0, done.err);
    const QJsonObject plan = done.json();
    QCOMPARE(plan["metric"].toString(), QString("cosine"));
    const QJsonObject join = run("join cloud.csv --metric cosine --eps 0.01 --json").json();
    QCOMPARE(std::round(plan["join"]["pairs"].toDouble()), join["pairs"].toDouble());
    QCOMPARE(plan["cost_of_k"].toArray().size(), 2);
    QCOMPARE(plan["forecasts"].toArray().size(), 1);
    const CliRun text = run("plan cloud.csv --metric cosine --eps 0.01 --ranks 1");
    QVERIFY2(text.out.contains("cosine distances") && text.out.contains("cost of k   1: "),
             text.out);
    QVERIFY(!run("plan cloud.csv --eps 0.01 --ranks 1 --json").json().contains("metric"));
  }

  /// Their joins have no strategy: the rest is forecast, and the output says what is not.
  void otherMetrics() {
    for (const QString metric : {"manhattan", "chebyshev"}) {
      const QString call = "cloud.csv --eps 0.5 --metric " + metric;
      const CliRun done = run(qPrintable("plan " + call + " --min-pts 7 --json"));
      QVERIFY2(done.status == 0, done.err);
      const QJsonObject plan = done.json();
      QCOMPARE(plan["metric"].toString(), metric);
      const double pairs = run(qPrintable("join " + call + " --json")).json()["pairs"].toDouble();
      QCOMPARE(std::round(plan["join"]["pairs"].toDouble()), pairs);
      QVERIFY(plan["join"]["seconds"].toDouble() > 0);
      QCOMPARE(plan["hierarchy"]["min_pts"].toInt(), 7);
      for (const char* name : {"strategy", "cost_of_k", "best_k", "one_rank", "forecasts"})
        QVERIFY2(plan.contains(name) && plan[name].isNull(), name);
      const CliRun text = run(qPrintable("plan " + call));
      for (const QString& part : {QString("pairs "), QString("counting "),
                                  "cost of k   none for joins by " + metric + " distances",
                                  "ranks       none for joins by " + metric + " distances"})
        QVERIFY2(text.out.contains(qPrintable(part)), text.out);
    }
  }

  void moreDimensionsThanTheGridTakes() {
    QCOMPARE(run("generate blobs --points 500 --dims 200 --seed 3 wide.npy").status, 0);
    for (const char* space : {"--eps 40", "--eps 0.3 --metric cosine"}) {
      const CliRun done = run(qPrintable(QString("plan wide.npy --json ") + space));
      QVERIFY2(done.status == 0, done.err);
      const double pairs =
          run(qPrintable(QString("join wide.npy --json ") + space)).json()["pairs"].toDouble();
      const QJsonObject plan = done.json();
      QCOMPARE(std::round(plan["join"]["pairs"].toDouble()), pairs);
      QVERIFY(plan["cost_of_k"].isNull());
      QCOMPARE(plan["join"]["seconds_are_most"], QJsonValue(true));
    }
    const CliRun text = run("plan wide.npy --eps 40");
    QVERIFY2(text.out.contains("none for joins in more than 128 dimensions") &&
                 text.out.contains("counting    at most about "),
             text.out);
    QCOMPARE(run("plan wide.npy --eps 40 --method products").status, 0);
    const CliRun other = run("plan wide.npy --eps 40 --method brute-force");
    QCOMPARE(other.status, 2);
    QVERIFY2(other.err.contains("for the method products; leave"), other.err);
  }

  void sweep() {
    const CliRun done =
        run("plan cloud.csv --sweep-eps 0.1:1:3 --ranks 2 --candidates-per-second 1e6");
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(done.out.trimmed().split('\n').size(), 3);
  }
};

GUILESS_TEST(TestCliPlan);
#include "tst_cli_plan.moc"
