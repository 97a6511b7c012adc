// What the command line prints of the batch-size model, for a run as a GPU does it.
#include <QtTest/QtTest>

#include "app/cli/json_output.h"
#include "app/cli/run_lines.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestCliBatchModel : public QObject {
  Q_OBJECT

 private slots:
  void predictedBesideMeasured() {
    RunStats stats;
    QCOMPARE(cli::batchModelLines(stats.predictions), std::string());
    cli::Json without;
    addStats(without, stats);
    QVERIFY(!without.contains("batch_model"));

    stats.predictions = {{.join = "pairs",
                          .predicted = 2.5,
                          .measured = 2.25,
                          .joining = 1.25,
                          .volume = 2,
                          .perBatch = 0.0125,
                          .batches = 17,
                          .buffers = 0.0125,
                          .streams = 3},
                         {.join = "table", .predicted = 0.5, .measured = 0.75}};
    const std::string lines = cli::batchModelLines(stats.predictions);
    QCOMPARE(lines.substr(0, lines.find('\n', 1)),
             std::string("\nbatch model pairs predicted in 2.50 s, took 2.25 s (T1 1.25 s × 2 + θ "
                         "12.5 ms × 17 batches + T2 12.5 ms × 3 streams)"));
    QVERIFY(lines.find("\nbatch model table predicted in 500.0 ms, took 750.0 ms") !=
            std::string::npos);

    cli::Json object;
    addStats(object, stats);
    const cli::Json& models = object["batch_model"];
    QCOMPARE(models.size(), std::size_t{2});
    QCOMPARE(models[1]["join"].get<std::string>(), std::string("table"));
    const std::pair<const char*, double> fields[] = {{"predicted_join_seconds", 2.5},
                                                     {"measured_join_seconds", 2.25},
                                                     {"t1_seconds", 1.25},
                                                     {"workload_ratio", 2},
                                                     {"theta_seconds", 0.0125},
                                                     {"batches", 17},
                                                     {"t2_seconds", 0.0125},
                                                     {"streams", 3}};
    for (const auto& [name, value] : fields) QVERIFY2(models[0][name].get<double>() == value, name);
  }
};

APPLESS_TEST(TestCliBatchModel);
#include "tst_cli_batch_model.moc"
