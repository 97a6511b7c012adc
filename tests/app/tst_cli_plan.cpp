// clusterloom-cli plan: tables and JSON, with given speeds against numbers by hand.
#include <QJsonArray>
#include <QtTest/QtTest>

#include "cli_process.h"
#include "oracle.h"

class TestCliPlan : public QObject {
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
    QVERIFY(std::abs(round["join"].toDouble() - mean * (1 + four["ring"]["imbalance"].toDouble())) <
            1e-9);
    QCOMPARE(four["replicated"]["query_sets"].toInt(), 16);
    QVERIFY(four["replicated"]["queue_seconds"].toDouble() >= 0.02 + candidates / 4e6 - 1e-9);
    QCOMPARE(all[2].toObject().value("ring").toObject().value("rounds").toInt(), 1024);
  }

  void measuredSpeeds() {
    const CliRun done = run("plan cloud.csv --eps 0.5 --ranks 1,2 --threads 1");
    QVERIFY2(done.status == 0, done.err);
    for (const char* word : {"candidates/s", "40 Gbit/s", "ring join", "replicated", "memory/rank"})
      QVERIFY2(done.out.contains(word), done.out);
    const CliRun json = run("plan cloud.csv --eps 0.5 --ranks 2 --threads 1 --json");
    QVERIFY(json.json().value("one_rank").toObject().value("candidates_per_second").toDouble() > 0);
  }

  void sweep() {
    const CliRun done =
        run("plan cloud.csv --sweep-eps 0.1:1:3 --ranks 2 --candidates-per-second 1e6");
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(done.out.trimmed().split('\n').size(), 3);
  }

 private:
  CliRun run(const char* text) const { return runCli(words(text), folder_.path()); }
  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestCliPlan)
#include "tst_cli_plan.moc"
