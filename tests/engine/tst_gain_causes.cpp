// What a strategy gains is split into causes whose product is the whole gain.
#include <QtTest>
#include <cmath>

#include "engine/cloud/generators.h"
#include "engine/load/gain_causes.h"
#include "engine/load/load_model.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestGainCauses : public QObject {
  Q_OBJECT

  static LoadReport reportOf(AccessPattern pattern, QueryOrder order, const SimtMachine& machine,
                             std::uint64_t batch = 0) {
    static const PointCloud cloud =
        generate({.kind = "expo", .points = 20'000, .dims = 2, .seed = 1})->cloud;
    Strategy strategy = gpuCalcGlobal();
    strategy.indexedDims = 2;
    strategy.pattern = pattern;
    strategy.order = order;
    strategy.batchPairs = batch;
    LoadRequest request;
    request.machine = machine;
    return *modelLoad(cloud, 0.002, strategy, request, {});
  }
  static bool near(double a, double b, double within = 1e-9) {
    return std::abs(a - b) <= within * std::abs(b);
  }

 private Q_SLOTS:
  void productIsTheWholeGain() {
    using enum AccessPattern;
    using enum QueryOrder;
    const SimtMachine machine{.multiprocessors = 16, .warpsPerMultiprocessor = 8};
    const LoadReport first = reportOf(Full, Bins, machine, 1'000'000);
    for (const auto pattern : {Full, Unicomp, LidUnicomp})
      for (const auto order : {Bins, SortByWorkload, WorkQueue}) {
        const LoadReport other = reportOf(pattern, order, machine, 1'000'000);
        const GainCauses causes = gainCauses(first, other);
        QVERIFY(near(causes.all(), first.makespan / other.makespan));
        QVERIFY(near(causes.lanes, other.wee / first.wee));
        // The other way round it is lost.
        QVERIFY(near(gainCauses(other, first).comparisons, 1 / causes.comparisons));
      }
    QVERIFY(near(gainCauses(first, first).all(), 1));
  }

  /// Another order does the same work; half patterns compare about half of the candidates.
  void eachCauseIsItsOwn() {
    using enum AccessPattern;
    using enum QueryOrder;
    const SimtMachine small{.multiprocessors = 2, .warpsPerMultiprocessor = 1};
    const LoadReport first = reportOf(Full, Bins, small);
    const GainCauses sorted = gainCauses(first, reportOf(Full, SortByWorkload, small));
    QVERIFY(near(sorted.searches, 1) && near(sorted.comparisons, 1));
    QVERIFY(sorted.lanes > 1.5);
    QVERIFY2(near(sorted.tail, 1, 0.01), qPrintable(QString::number(sorted.tail)));
    const GainCauses half = gainCauses(first, reportOf(LidUnicomp, Bins, small));
    QVERIFY2(half.comparisons > 1.2 && half.comparisons < 2.2,
             qPrintable(QString::number(half.comparisons)));
    // On a GPU with a slot for nearly every warp, the last one counts.
    const SimtMachine large{.multiprocessors = 60, .warpsPerMultiprocessor = 8};
    const GainCauses tail = gainCauses(reportOf(Full, Bins, large, 1'000'000),
                                       reportOf(Full, WorkQueue, large, 1'000'000));
    QVERIFY2(std::abs(std::log(tail.tail)) > 0.05, qPrintable(QString::number(tail.tail)));
  }

  /// Of measured loads, whose times are seconds: what is left when all steps are accounted for is
  /// the time of a step. Of every third warp the factors are the same.
  void measuredStepsTakeTimeOfTheirOwn() {
    using enum QueryOrder;
    const SimtMachine machine{.multiprocessors = 16, .warpsPerMultiprocessor = 8};
    const auto measured = [&](QueryOrder order, double secondsPerStep, bool sampled) {
      LoadReport report = reportOf(AccessPattern::Full, order, machine, 1'000'000);
      report.measured = true;
      report.makespan *= secondsPerStep;
      report.idealMakespan *= secondsPerStep;
      if (!sampled) return report;
      // As if the others were like these: a third of the warps and of the sums.
      report.warps.resize(report.warps.size() / 3);
      const double part = double(report.warps.size()) / double(report.allWarps);
      report.idealMakespan *= part;
      for (auto& steps : report.laneSteps)
        steps = std::uint64_t(std::llround(double(steps) * part));
      return report;
    };
    const GainCauses modelled =
        gainCauses(reportOf(AccessPattern::Full, Bins, machine, 1'000'000),
                   reportOf(AccessPattern::Full, WorkQueue, machine, 1'000'000));
    QVERIFY(!modelled.memory);
    const LoadReport first = measured(Bins, 50e-9, false);
    for (const bool sampled : {false, true}) {
      const LoadReport other = measured(WorkQueue, 33e-9, sampled);
      const GainCauses causes = gainCauses(first, other);
      QVERIFY(causes.memory);
      QVERIFY(near(causes.all(), first.makespan / other.makespan));
      QVERIFY2(near(*causes.memory, 50.0 / 33, 1e-4), qPrintable(QString::number(*causes.memory)));
      QVERIFY(near(causes.searches, modelled.searches, 1e-3));
      QVERIFY(near(causes.comparisons, modelled.comparisons, 1e-3));
      QVERIFY(near(causes.lanes, modelled.lanes));
      QVERIFY(near(causes.tail, modelled.tail, 1e-3));
      const auto factors = causes.factors();
      QCOMPARE(factors.back(), *causes.memory);
    }
  }

  void measuredAndModelledAreNotCompared() {
    const SimtMachine machine{.multiprocessors = 2, .warpsPerMultiprocessor = 1};
    const LoadReport modelled = reportOf(AccessPattern::Full, QueryOrder::Bins, machine);
    LoadReport measured = reportOf(AccessPattern::Unicomp, QueryOrder::Bins, machine);
    measured.measured = true;
    for (const GainCauses& causes :
         {gainCauses(modelled, measured), gainCauses(measured, modelled)}) {
      QCOMPARE(causes.all(), 1.0);
      QVERIFY(!causes.memory);
    }
  }

  void nothingToCompare() {
    const SimtMachine machine;
    const LoadReport some = reportOf(AccessPattern::Full, QueryOrder::Bins, machine);
    for (const GainCauses& causes : {gainCauses(some, {}), gainCauses({}, some)})
      QCOMPARE(causes.all(), 1.0);
  }
};

APPLESS_TEST(TestGainCauses);
#include "tst_gain_causes.moc"
