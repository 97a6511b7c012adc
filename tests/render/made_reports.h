#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/run_stats.h"
#include "engine/dbscan/sweep.h"
#include "engine/join/cost_of_k.h"
#include "engine/load/load_report.h"
#include "engine/load/warp_trace.h"

namespace clusterloom::testing {

/// Costs of k = 1 … 5 of which 3 is the best.
inline CostModel madeCosts() {
  CostModel model;
  for (int k = 1; k <= 5; ++k) {
    CostOfK cost;
    cost.k = k;
    cost.cellSearchOps = 4e6 * std::pow(3, k);
    cost.distanceOps = 2e9 / std::pow(3, k);
    model.costs.push_back(cost);
  }
  model.best = 3;
  return model;
}

/// Nine batches on three streams.
inline std::vector<BatchStats> madeTimeline() {
  std::vector<BatchStats> timeline;
  for (int b = 0; b < 9; ++b) {
    BatchStats batch;
    batch.stream = b % 3;
    batch.start = 0.01 * b;
    batch.kernelEnd = batch.start + 0.01;
    batch.transferEnd = batch.kernelEnd + 0.012;
    batch.end = batch.transferEnd + 0.004;
    batch.pairs = 1000000;
    timeline.push_back(batch);
  }
  return timeline;
}

/// Clusters and noise over ε in 20 steps.
inline std::vector<SweepPoint> madeSweep() {
  std::vector<SweepPoint> steps;
  for (int i = 0; i < 20; ++i) {
    SweepPoint step;
    step.eps = 0.01 * std::pow(1.4, i);
    step.clusters = static_cast<std::int32_t>(1 + 300 * std::exp(-std::pow((i - 7) / 4.0, 2)));
    step.noise = static_cast<std::uint64_t>(1000 / (1 + std::exp((i - 8) / 1.5)));
    step.largest = static_cast<std::uint64_t>(1000 / (1 + std::exp(-(i - 12) / 1.2)));
    steps.push_back(step);
  }
  return steps;
}

/// A warp of 32 queries (points 100 …) whose lane l takes part in candidate steps 0 … 10 l; every
/// tenth step is a search step of all lanes.
inline std::shared_ptr<WarpTrace> madeTrace(std::size_t steps) {
  auto trace = std::make_shared<WarpTrace>();
  trace->load.number = 7;
  for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane) {
    trace->queryPoint[lane] = 100 + lane;
    trace->queryCell[lane] = 0;
  }
  for (std::size_t step = 0; step < steps; ++step) {
    const bool search = step % 10 == 9;
    trace->loopOfStep.push_back(search ? Loop::Search : Loop::Candidate);
    std::uint32_t active = 0;
    for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane)
      if (search || step <= 10 * lane) active |= 1U << lane;
    trace->activeOfStep.push_back(active);
    for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane)
      trace->looksAt.push_back((active >> lane & 1U) != 0 ? std::uint32_t(step)
                                                          : WarpTrace::kNothing);
  }
  trace->allSteps = steps;
  return trace;
}

/// A report of `n` full warps, one candidate loop each: warp i takes `steps(i)` turns of which its
/// 32 lanes were active in the part `busy(i)`. All run on `multiprocessors` of `places` places, the
/// next one where a place is free first.
template <class Steps, class Busy>
std::shared_ptr<LoadReport> madeReport(std::size_t n, Steps steps, Busy busy,
                                       int multiprocessors = 4, int places = 2,
                                       std::size_t batches = 1) {
  auto report = std::make_shared<LoadReport>();
  report->multiprocessors = multiprocessors;
  report->warpsPerMultiprocessor = places;
  report->allWarps = n;
  std::vector<double> freeAt(static_cast<std::size_t>(multiprocessors * places), 0);
  double all = 0;
  double active = 0;
  for (std::size_t i = 0; i < n; ++i) {
    WarpLoad warp;
    warp.number = static_cast<std::uint32_t>(i);
    warp.batch = static_cast<std::uint32_t>(i * batches / n);
    warp.firstTicket = static_cast<std::uint32_t>(32 * i);
    warp.tickets = 32;
    constexpr auto candidate = static_cast<std::size_t>(Loop::Candidate);
    warp.steps[candidate] = static_cast<std::uint64_t>(steps(i));
    warp.laneSteps[candidate] =
        static_cast<std::uint64_t>(32 * busy(i) * static_cast<double>(warp.steps[candidate]));
    const auto place =
        static_cast<std::size_t>(std::min_element(freeAt.begin(), freeAt.end()) - freeAt.begin());
    warp.start = freeAt[place];
    warp.end = freeAt[place] = warp.start + static_cast<double>(warp.steps[candidate]);
    warp.multiprocessor = static_cast<std::uint32_t>(place / static_cast<std::size_t>(places));
    warp.slot = static_cast<std::uint32_t>(place % static_cast<std::size_t>(places));
    report->makespan = std::max(report->makespan, warp.end);
    all += static_cast<double>(warp.steps[candidate]);
    active += static_cast<double>(warp.laneSteps[candidate]) / 32;
    report->steps[candidate] += warp.steps[candidate];
    report->laneSteps[candidate] += warp.laneSteps[candidate];
    report->warps.push_back(warp);
  }
  report->wee = all > 0 ? active / all : 0;
  report->idealMakespan = all / static_cast<double>(freeAt.size());
  for (std::size_t b = 0; b <= batches; ++b) report->batchBegin.push_back(32 * (n * b / batches));
  for (std::uint32_t p = 0; p < 32 * n; ++p) report->pointOfTicket.push_back(p);
  return report;
}

}  // namespace clusterloom::testing
