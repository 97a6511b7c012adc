// How well the model and measured warps agree: 2 M points, sampled, against tests/data/load. With
// CLUSTERLOOM_LOAD_ALL set the rows in 6 dimensions, which take a minute, are modelled and printed
// too.
#include <tbb/parallel_for.h>

#include <QTest>

#include <QFile>
#include <map>
#include <mutex>

#include "engine/cloud/generators.h"
#include "engine/core/predicate.h"
#include "engine/join/join_plan.h"
#include "engine/load/load_kernel.h"
#include "engine/load/load_model.h"
#include "engine/load/trace_lane.h"
#include "fit_weights.h"
#include "plain_kernel.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// A row of measured.csv.
struct Measured {
  LoadKernel kernel = LoadKernel::Pairs;
  std::string cloud;
  int dims = 0;
  double eps = 0;
  Strategy strategy;
  double percent = 0;
  double watched = 0;  ///< by this engine's own kernels; 0: not measured
  WarpSteps steps;     ///< as modelled before, where that takes too long for a test

  std::string name() const {
    return toText(kernel) + ", " + cloud + " " + std::to_string(dims) + "-D, " +
           toText(strategy.order) + ", " + toText(strategy.pattern) + ", " +
           std::to_string(strategy.threadsPerPoint) + " a point";
  }
};

std::vector<Measured> readMeasured() {
  QFile file(QString(CLUSTERLOOM_TEST_DATA) + "/load/measured.csv");
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<Measured> rows;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const auto cells = line.split(',');
    Measured row;
    if (cells.size() != 17 || !fromText(cells[0].toStdString(), row.kernel)) continue;
    row.cloud = cells[1].toStdString();
    row.dims = cells[2].toInt();
    row.eps = cells[3].toDouble();
    // SHORTC changes no step, and with all dimensions indexed SORTIDU is not the papers'.
    row.strategy = {.indexedDims = row.dims,
                    .threadsPerPoint = cells[6].toInt(),
                    .sortIdu = Toggle::Off,
                    .shortCircuit = Toggle::Off};
    if (!fromText(cells[4].toStdString(), row.strategy.order) ||
        !fromText(cells[5].toStdString(), row.strategy.pattern))
      return {};
    row.percent = cells[7].toDouble();
    row.watched = cells[8].toDouble();
    for (int loop = 0; loop < kLoops; ++loop) {
      row.steps.steps[static_cast<std::size_t>(loop)] = cells[9 + loop].toULongLong();
      row.steps.laneSteps[static_cast<std::size_t>(loop)] = cells[13 + loop].toULongLong();
    }
    rows.push_back(row);
  }
  return rows;
}

/// The warps of the report, by the plain kernel.
WarpSteps plainSteps(const LoadModel& model, const LoadReport& report) {
  const GridIndex& index = model.index();
  JoinPlan plan;
  plan.squaredEps = *epsSquared(index.eps);
  plan.strategy = model.strategy();
  plan.dims = index.geometry.dims;
  const HostJoinView host(index, plan);
  const auto cellOf = index.cellOfPosition();
  std::vector<std::uint32_t> positionOf(index.size());
  for (std::uint32_t p = 0; p < index.size(); ++p) positionOf[index.pointIds[p]] = p;
  WarpSteps sum;
  std::mutex adding;
  tbb::parallel_for(std::size_t{0}, report.warps.size(), [&](std::size_t w) {
    AlignedLoops loops;
    std::vector<std::uint64_t> scratch;
    for (std::uint32_t id = 0; id < report.warps[w].tickets; ++id) {
      TraceLane lane(loops, scratch, id);
      CountPairs sink;
      const std::uint32_t query =
          positionOf[report.pointOfTicket[report.warps[w].firstTicket + id]];
      plainKernel(lane, host.view, query, cellOf[query], sink);
    }
    const WarpSteps steps = loops.steps();
    const std::scoped_lock lock(adding);
    for (std::size_t loop = 0; loop < kLoops; ++loop) {
      sum.steps[loop] += steps.steps[loop];
      sum.laneSteps[loop] += steps.laneSteps[loop];
    }
  });
  return sum;
}

/// The steps of `sample` warps of a row's kernel.
Result<WarpSteps> modelledSteps(const PointCloud& cloud, const Measured& row, std::size_t sample) {
  const auto model = LoadModel::make(cloud, row.eps, row.strategy, row.kernel, {}, {});
  if (!model) return tl::unexpected(model.error());
  const auto report =
      model->report({.kernel = row.kernel, .sampleWarps = sample}, weightsOf(row.kernel), {});
  if (!report) return tl::unexpected(report.error());
  if (row.kernel == LoadKernel::Counts) return plainSteps(*model, *report);
  return WarpSteps{report->steps, report->laneSteps};
}

std::string numbersOf(const WarpSteps& steps) {
  std::string text;
  for (const auto* const numbers : {&steps.steps, &steps.laneSteps})
    for (const std::uint64_t number : *numbers)
      text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

double percentOf(const WarpSteps& steps, const LoopWeights& weights) {
  return 100 * warpExecutionEfficiency(steps.steps, steps.laneSteps, weights);
}

constexpr LoopWeights kCandidatesOnly{{0, 0, 1, 0}};

/// Σ of squared errors, in squared points, a row.
double meanSquare(const std::vector<WeightObservation>& rows, const LoopWeights& weights) {
  double sum = 0;
  for (const WeightObservation& row : rows) {
    const double error = percentOf(row.steps, weights) - 100 * row.measured;
    sum += error * error;
  }
  return sum / static_cast<double>(rows.size());
}

}  // namespace

class TestLoadWeights : public QObject {
  Q_OBJECT
 private slots:
  // Efficiencies by known weights lead back to these.
  void fittingFindsTheWeights() {
    const LoopWeights truth{{0, 3, 16, 7}};
    std::vector<WeightObservation> rows(6);
    std::uint64_t seed = 1;
    for (WeightObservation& row : rows) {
      for (std::size_t loop = 0; loop < kLoops; ++loop) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        row.steps.steps[loop] = 100 + (seed >> 40) % 900;
        row.steps.laneSteps[loop] = row.steps.steps[loop] * (1 + (seed >> 20) % 31);
      }
      row.measured = warpExecutionEfficiency(row.steps.steps, row.steps.laneSteps, truth);
    }
    const LoopWeights found = fitWeights(rows, {{0, 1, 16, 1}});
    QCOMPARE(found.of[0], 0.0);
    QVERIFY2(std::abs(found.of[1] - 3) < 0.05, std::to_string(found.of[1]).c_str());
    QCOMPARE(found.of[2], 16.0);
    QVERIFY2(std::abs(found.of[3] - 7) < 0.05, std::to_string(found.of[3]).c_str());
  }

  void modelAndMeasuredWarpsAgree() {
    const bool all = qEnvironmentVariableIsSet("CLUSTERLOOM_LOAD_ALL");
    const std::vector<Measured> rows = readMeasured();
    QCOMPARE(rows.size(), std::size_t{35});
    std::map<std::string, Dataset> clouds;
    std::vector<WeightObservation> counts;
    std::vector<WeightObservation> tableV;
    int watchedRows = 0;
    for (const Measured& row : rows) {
      WarpSteps steps = row.steps;
      if (all || row.dims == 2) {
        Dataset& data = clouds[row.cloud + std::to_string(row.dims)];
        if (data.cloud.size() == 0) {
          auto made = generate({.kind = row.cloud,
                                .points = 2'000'000,
                                .dims = static_cast<std::size_t>(row.dims),
                                .seed = 1});
          QVERIFY(made.has_value());
          data = std::move(*made);
        }
        const auto modelled = modelledSteps(data.cloud, row, row.dims == 2 ? 1000 : 300);
        QVERIFY(modelled.has_value());
        steps = *modelled;
      }
      QVERIFY(steps.steps[static_cast<std::size_t>(Loop::Candidate)] > 0);
      const double modelled = percentOf(steps, weightsOf(row.kernel));
      const double candidates = percentOf(steps, kCandidatesOnly);
      qInfo("%-52s measured %5.1f watched %5.1f modelled %5.1f, candidate loop %5.1f",
            row.name().c_str(), row.percent, row.watched, modelled, candidates);
      if (all && row.dims > 2) qInfo("  as data: %s", numbersOf(steps).c_str());
      if (row.kernel == LoadKernel::Counts) {
        counts.push_back({steps, row.percent / 100});
        if (row.dims == 2) QVERIFY2(std::abs(candidates - row.percent) <= 1, row.name().c_str());
      } else if (row.strategy.pattern == AccessPattern::Full && row.strategy.threadsPerPoint == 1) {
        tableV.push_back({steps, row.percent / 100});
        if (row.dims == 2) QVERIFY2(std::abs(modelled - row.percent) <= 3, row.name().c_str());
      }
      // The hardware lets lanes go on into the next cell, which the model's lockstep does not.
      if (row.watched > 0 && row.dims == 2) {
        QVERIFY2(modelled <= row.watched + 2, row.name().c_str());
        QVERIFY2(modelled >= row.watched - 6, row.name().c_str());
        ++watchedRows;
      }
    }
    // The weights that are stored are, rounded, what these figures ask for.
    QCOMPARE(counts.size(), std::size_t{11});
    QCOMPARE(tableV.size(), std::size_t{12});
    QCOMPARE(watchedRows, 12);
    for (const auto& [observations, kernel] :
         {std::pair{counts, LoadKernel::Counts}, std::pair{tableV, LoadKernel::Pairs}}) {
      const LoopWeights stored = weightsOf(kernel);
      const LoopWeights best = fitWeights(observations, stored);
      qInfo("%s: best weights %.3f %.3f %.3f %.3f, error %.2f points; stored %.2f",
            toText(kernel).c_str(), best.of[0], best.of[1], best.of[2], best.of[3],
            std::sqrt(meanSquare(observations, best)), std::sqrt(meanSquare(observations, stored)));
      QVERIFY(meanSquare(observations, stored) <= 1.1 * meanSquare(observations, best));
    }
  }
};

APPLESS_TEST(TestLoadWeights);
#include "tst_load_weights.moc"
