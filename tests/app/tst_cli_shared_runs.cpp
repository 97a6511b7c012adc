// What the command line tells of joins that need a GPU, several processors' and its kernels:
// summaries and JSON of statistics by hand.
#include <QTest>

#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/run_lines.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestCliSharedRuns : public QObject {
  Q_OBJECT

 private slots:
  /// T^HEGJoin beside the measured time [Gallet 2020, eq. 3].
  void modelsOfFixedShares() {
    RunStats stats;
    SharedPass pass;
    pass.stage = "counting";
    pass.gpuEnd = 2.5;
    pass.cpuEnd = 4;
    QVERIFY(cli::divisionModelLine(pass).empty());
    stats.passes = {pass};
    cli::Json without;
    addStats(without, stats);
    QVERIFY(!without["passes"][0].contains("model"));
    pass.forecast = DivisionForecast{
        .referenceEps = 0.5, .volumeRatio = 8, .gpuAlone = 4, .cpuAlone = 12, .together = 3};
    stats.passes = {pass};
    cli::Json object;
    addStats(object, stats);
    const cli::Json& model = object["passes"][0]["model"];
    QCOMPARE(model["reference_eps"].get<double>(), 0.5);
    QCOMPARE(model["volume_ratio"].get<double>(), 8.0);
    QCOMPARE(model["gpu_alone_seconds"].get<double>(), 4.0);
    QCOMPARE(model["cpu_alone_seconds"].get<double>(), 12.0);
    QCOMPARE(model["predicted_seconds"].get<double>(), 3.0);
    QCOMPARE(model["measured_seconds"].get<double>(), 4.0);
    const QString line = QString::fromStdString(cli::divisionModelLine(pass));
    QVERIFY2(line.startsWith("\nmodel ") && line.contains("predicted 3") &&
                 line.contains("took 4") && line.contains("at ε 0.5") && line.endsWith("by 8"),
             qPrintable(line));
  }

  /// The time of each query set [Gowanlock 2019, figure 10].
  void timesOfQuerySets() {
    QVERIFY(cli::querySetLines({}).empty());
    RunStats stats;
    stats.querySets = {{.stage = "counting", .set = 0, .device = 0, .queries = 6, .seconds = 2},
                       {.stage = "counting",
                        .set = 1,
                        .device = 1,
                        .queries = 5,
                        .candidates = 70,
                        .start = 0.25,
                        .seconds = 4},
                       {.stage = "filling", .set = 0, .device = 0, .queries = 11, .seconds = 8}};
    cli::Json object;
    addStats(object, stats);
    const cli::Json& sets = object["query_sets"];
    QCOMPARE(sets.size(), std::size_t{3});
    QCOMPARE(sets[1]["stage"].get<std::string>(), std::string("counting"));
    QCOMPARE(sets[1]["set"].get<int>(), 1);
    QCOMPARE(sets[1]["device"].get<int>(), 1);
    QCOMPARE(sets[1]["queries"].get<int>(), 5);
    QCOMPARE(sets[1]["candidates"].get<int>(), 70);
    QCOMPARE(sets[1]["start"].get<double>(), 0.25);
    QCOMPARE(sets[1]["seconds"].get<double>(), 4.0);
    const QStringList lines =
        QString::fromStdString(cli::querySetLines(stats.querySets)).split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines[1].startsWith("query sets ") && lines[1].contains("2 in counting, 2") &&
                 lines[1].contains(" to 4") && lines[1].contains("mean 3"),
             qPrintable(lines[1]));
    QVERIFY2(lines[2].contains("1 in filling, 8"), qPrintable(lines[2]));
    cli::Json none;
    addStats(none, {});
    QVERIFY(!none.contains("query_sets"));
  }

  /// The copies have no registers.
  void costOfKernels() {
    QCOMPARE(cli::kernelLines({}), std::string());
    const std::string lines = cli::kernelLines(
        {{.name = "count", .seconds = 0.5, .launches = 1500, .registers = 40, .occupancy = 0.75},
         {.name = "copy to host", .seconds = 1.25, .launches = 1}});
    QCOMPARE(lines, '\n' +
                        cli::summaryLine("kernel",
                                         "count: 500.0 ms, launches 1,500, registers per thread "
                                         "40, occupancy 75.0 %") +
                        '\n' + cli::summaryLine("kernel", "copy to host: 1.25 s, launches 1"));
  }
};

APPLESS_TEST(TestCliSharedRuns);
#include "tst_cli_shared_runs.moc"
