// The JSON of a run: what only a GPU has, its kernels, is told as the command line prints it.
#include <QTest>

#include "engine/run_json.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestRunJson : public QObject {
  Q_OBJECT

 private slots:
  void kernelsAreTold() {
    RunStats stats;
    stats.backend = "cuda";
    stats.kernels = {
        {.name = "count", .seconds = 0.5, .launches = 3, .registers = 40, .occupancy = 0.75},
        {.name = "fill", .seconds = 0.25, .launches = 1, .registers = 64, .occupancy = 0.5}};
    Json object;
    addStats(object, stats);
    const Json expected = {{{"name", "count"},
                            {"seconds", 0.5},
                            {"launches", 3},
                            {"registers", 40},
                            {"occupancy", 0.75}},
                           {{"name", "fill"},
                            {"seconds", 0.25},
                            {"launches", 1},
                            {"registers", 64},
                            {"occupancy", 0.5}}};
    QCOMPARE(object["kernels"].dump(), expected.dump());
    QCOMPARE(object["backend"].get<std::string>(), std::string("cuda"));
  }

  /// Prediction and measured time side by side, with T1, θ and T2.
  void theBatchModelIsTold() {
    RunStats stats;
    stats.predictions = {{.join = "pairs", .predicted = 2, .measured = 3}};
    stats.predictions[0].joining = 1;
    stats.predictions[0].perBatch = 0.125;
    stats.predictions[0].buffers = 0.25;
    Json object;
    addStats(object, stats);
    const Json& model = object["batch_model"][0];
    QCOMPARE(model["predicted_join_seconds"].get<double>(), 2.0);
    QCOMPARE(model["measured_join_seconds"].get<double>(), 3.0);
    QCOMPARE(model["t1_seconds"].get<double>(), 1.0);
    QCOMPARE(model["theta_seconds"].get<double>(), 0.125);
    QCOMPARE(model["t2_seconds"].get<double>(), 0.25);
  }

  /// What a run has not is not told.
  void nothingIsMadeUp() {
    Json object;
    addStats(object, RunStats{});
    for (const char* name : {"kernels", "batch_model", "sharing", "passes", "ranks"})
      QVERIFY2(!object.contains(name), name);
  }
};

APPLESS_TEST(TestRunJson);
#include "tst_run_json.moc"
