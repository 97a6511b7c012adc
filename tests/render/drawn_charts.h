#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "made_reports.h"
#include "render/charts/batch_chart.h"
#include "render/charts/cost_chart.h"
#include "render/charts/eps_curve_chart.h"
#include "render/charts/gain_chart.h"
#include "render/charts/k_distance_chart.h"
#include "render/charts/lane_chart.h"
#include "render/charts/multiprocessor_chart.h"
#include "render/charts/parameter_map_chart.h"
#include "render/charts/plan_chart.h"
#include "render/charts/processor_chart.h"
#include "render/charts/rank_chart.h"
#include "render/charts/reachability_chart.h"
#include "render/charts/response_chart.h"
#include "render/charts/steps_histogram_chart.h"
#include "render/charts/sweep_chart.h"
#include "render/charts/tree_chart.h"
#include "render/charts/warp_load_chart.h"

namespace clusterloom::testing {

// fill(chart) gives each kind of chart the numbers of its pictures: made up, the same everywhere,
// and such that every part of the chart is seen.

inline void fill(KDistanceChart& chart) {
  auto data = std::make_shared<KDistances>();
  data->k = 8;
  data->sampled = 2000;
  for (std::size_t i = 0; i < data->sampled; ++i) {
    const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(data->sampled);
    data->distances.push_back(0.2 + 0.3 * (1 - t) + 5 * std::exp(-20 * t));
  }
  data->suggestedEps = 0.7;
  chart.setLogarithmic(true);
  chart.setData(data);
  chart.setEps(2);
}

inline void fill(GainChart& chart) {
  chart.setData({{"GPUCALCGLOBAL", {}},
                 {"SORTBYWL", {.searches = 1.25, .comparisons = 2, .lanes = 1.5, .tail = 1.1}},
                 {"UNICOMP", {.searches = 1, .comparisons = 2, .lanes = 0.4, .tail = 1.5}}},
                "GPU model: A100, 108 multiprocessors × 64 warps");
}

inline void fill(SweepChart& chart) {
  chart.setData(madeSweep(), 1000);
  chart.setEps(0.3);
  chart.setFoundAgain({{0.08, 0.31}, {0.15, 0.74}, {0.3, 0.93}});
}

inline void fill(EpsCurveChart& chart) {
  auto curve = std::make_shared<EpsCurve>();
  constexpr std::uint32_t kPoints = 1000;
  std::vector<Plateau> plateaus;
  const std::pair<double, std::uint32_t> steps[] = {{0.1, 4},  {0.2, 19}, {0.3, 31}, {0.5, 24},
                                                    {0.7, 12}, {1, 8},    {2.6, 5},  {3, 3},
                                                    {7, 2},    {9, 1}};
  for (const auto& [eps, clusters] : steps) {
    curve->eps.push_back(eps);
    curve->clusters.push_back(clusters);
    curve->noise.push_back(static_cast<std::uint32_t>(kPoints / (1 + std::pow(eps / 0.4, 3))));
    curve->largest.push_back(static_cast<std::uint32_t>(kPoints / (1 + std::pow(3 / eps, 2))));
  }
  plateaus = {{1, 2.6, 8}, {3, 7, 3}};
  chart.setData(curve, plateaus, kPoints);
  chart.setEps(1.4);
}

inline void fill(CostChart& chart) {
  chart.setData(madeCosts(), 2);
  chart.setMeasured({{2, 0.21}, {4, 0.15}});
}

inline std::shared_ptr<LoadReport> waveOfWarps() {
  return madeReport(
      3000, [](std::size_t i) { return 400 * (2 + std::sin(double(i) / 200)) + double(i % 7); },
      [](std::size_t i) { return 0.3 + 0.25 * std::cos(double(i) / 90); }, 24, 16, 5);
}

inline void fill(WarpLoadChart& chart) {
  chart.setData(waveOfWarps());
  chart.setMarked(1234);
}

inline void fill(MultiprocessorChart& chart) {
  chart.setData(waveOfWarps());
  chart.setMarked(1234);
}

inline void fill(StepsHistogramChart& chart) {
  chart.setData(waveOfWarps());
  chart.setMarked(1234);
}

inline void fill(LaneChart& chart) {
  chart.setData(madeTrace(320));
  chart.setCursor(150);
}

inline void fill(BatchChart& chart) {
  BatchPrediction prediction;
  prediction.join = "table";
  prediction.predicted = 0.1;
  prediction.measured = 0.106;
  prediction.joining = 0.08;
  prediction.perBatch = 0.001;
  prediction.buffers = 0.0037;
  prediction.batches = 9;
  prediction.streams = 3;
  chart.setTimeline(madeTimeline(), {prediction});
  chart.setMarked(4);
}

inline void fill(ProcessorChart& chart) {
  auto times = std::make_shared<ProcessorTimes>();
  for (const char* name : {"HEGJoin-Dyn", "adaptive"}) {
    auto pass = std::make_shared<SharedPass>();
    pass->stage = "counting";
    pass->division = "dyn";
    pass->queries = 100;
    pass->meeting = 60;
    const auto add = [&](Processor processor, int lane, double start, double end,
                         std::uint32_t first, std::uint32_t queries, std::uint64_t candidates) {
      SharedBatch batch;
      batch.processor = processor;
      batch.lane = lane;
      batch.start = start;
      batch.end = end;
      batch.firstQuery = first;
      batch.queries = queries;
      batch.candidates = candidates;
      pass->batches.push_back(batch);
    };
    add(Processor::Gpu, 0, 0, 0.5, 0, 20, 20000);
    add(Processor::Gpu, 0, 0.5, 0.9, 20, 40, 10000);
    add(Processor::Cpu, 0, 0, 1, 60, 20, 200);
    add(Processor::Cpu, 1, 0, 0.95, 80, 20, 200);
    pass->gpuEnd = 0.9;
    pass->cpuEnd = 1;
    pass->imbalance = 0.1;
    pass->gpuQueries = 0.6;
    pass->gpuCandidates = 30000 / 30400.0;
    times->panels.push_back({name, pass, 1, 2});
  }
  chart.setData(times);
  chart.setMarked({1, -1});
}

inline void fill(RankChart& chart) {
  std::vector<RankStats> ranks(3);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const double join = 0.9 - 0.2 * double(r);
    ranks[r].name = "node " + std::to_string(r);
    ranks[r].points = 1200 - 100 * r;
    ranks[r].ghosts = 40 * r;
    ranks[r].bytesSent = 2000;
    ranks[r].spans = {{RankPhase::Read, RankActivity::Busy, 0, 0.1},
                      {RankPhase::Move, RankActivity::Moving, 0.1, 0.2},
                      {RankPhase::Join, RankActivity::Busy, 0.2, 0.2 + join},
                      {RankPhase::Merge, RankActivity::Waiting, 0.2 + join, 1.1},
                      {RankPhase::Merge, RankActivity::Busy, 1.1, 1.2}};
  }
  chart.setRanks(std::move(ranks));
  chart.setMarked(1);
}

inline void fill(ResponseChart& chart) {
  const auto curve = [](const std::string& name, double scale) {
    ResponseCurve made{name, {}};
    for (const double eps : {0.1, 0.3, 1.0, 3.0, 10.0}) {
      const double seconds = scale * (0.01 + 0.02 * eps);
      made.points.push_back({eps, seconds, 10 * eps, 0.9 * seconds, 1.3 * seconds, 3});
    }
    return made;
  };
  chart.setData({curve("UNICOMP", 1), curve("WORKQUEUE", 0.4), curve("SORTBYWL", 2.5)}, "measured");
}

inline void fill(ParameterMapChart& chart) {
  auto map = std::make_shared<ParameterMap>();
  map->eps = {0.5, 1, 2, 4, 8};
  map->minPts = {3, 5, 8, 13};
  for (std::size_t row = 0; row < map->minPts.size(); ++row)
    for (std::size_t column = 0; column < map->eps.size(); ++column) {
      map->clusters.push_back(std::uint32_t((5 - column) * (4 - row)));
      map->noise.push_back(std::uint32_t(20 * (4 - column) + 5 * row));
      map->largest.push_back(std::uint32_t(10 + 20 * column));
    }
  chart.setData(map, 100);
  chart.setMarked(2.2, 5);
}

inline void fill(PlanChart& chart) {
  auto plan = std::make_shared<RankPlan>();
  plan->oneRank = 8;
  for (const std::uint64_t ranks : {1, 2, 4, 8}) {
    const double part = 8.0 / static_cast<double>(ranks);
    RanksForecast f;
    f.ranks = ranks;
    f.ring.total = 1.1 * part + 0.2;
    f.ring.join = 0.6 * part;
    f.ring.index = 0.3 * part;
    f.ring.transfer = 0.1 * part;
    f.replicated.queue = part + 1.5;
    f.replicated.fixed = part + 2;
    f.replicated.single = part + 3;
    f.replicated.index = 1.4;
    plan->forecasts.push_back(f);
    plan->requests.push_back({.ranks = ranks});
  }
  chart.setData(plan);
}

inline void fill(ReachabilityChart& chart) {
  constexpr std::uint32_t kPoints = 300;
  auto plot = std::make_shared<Reachability>();
  auto clustering = std::make_shared<Clustering>();
  for (std::uint32_t i = 0; i < kPoints; ++i) {
    const double height = i % 100 == 0 ? 4 : 1 + 0.4 * std::sin(i / 9.0) + 0.1 * (i % 5);
    plot->order.push_back(i);
    plot->squaredHeight.push_back(height * height);
    clustering->labels.push_back(i % 100 > 80 ? kNoise : static_cast<std::int32_t>(i / 100));
  }
  plot->squaredHeight[0] = std::numeric_limits<double>::infinity();
  plot->lowestSquared = 0.36;
  plot->highestSquared = 16;
  chart.setData(plot);
  chart.setClustering(clustering);
  chart.setEps(1.7);
  chart.setMarked(140);
}

inline void fill(TreeChart& chart) {
  std::vector<TreeEdge> edges;
  const auto chain = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t p = from + 1; p < to; ++p) edges.push_back({p - 1, p, 1 + 0.01 * (p % 7)});
  };
  chain(0, 40);
  chain(60, 100);
  chain(100, 130);
  for (std::uint32_t p = 40; p < 60; ++p) edges.push_back({0, p, 2 + 0.05 * p});
  edges.push_back({60, 100, 9});
  edges.push_back({0, 60, 16});
  auto picture = std::make_shared<TreePicture>();
  picture->tree = *condense(dendrogramOf(130, edges), 10);
  picture->shape = shapeOf(picture->tree);
  picture->flat = takeClusters(picture->tree, {.minClusterSize = 10});
  chart.setData(picture);
  chart.setEps(2.4);
  chart.setMarked(1);
}

/// Calls `call`, a template of a kind of chart, with the name of each: that of its header.
template <class Call>
void forEachChart(const Call& call) {
  call.template operator()<BatchChart>("batch_chart");
  call.template operator()<CostChart>("cost_chart");
  call.template operator()<EpsCurveChart>("eps_curve_chart");
  call.template operator()<GainChart>("gain_chart");
  call.template operator()<KDistanceChart>("k_distance_chart");
  call.template operator()<LaneChart>("lane_chart");
  call.template operator()<MultiprocessorChart>("multiprocessor_chart");
  call.template operator()<ParameterMapChart>("parameter_map_chart");
  call.template operator()<PlanChart>("plan_chart");
  call.template operator()<ProcessorChart>("processor_chart");
  call.template operator()<RankChart>("rank_chart");
  call.template operator()<ReachabilityChart>("reachability_chart");
  call.template operator()<ResponseChart>("response_chart");
  call.template operator()<StepsHistogramChart>("steps_histogram_chart");
  call.template operator()<SweepChart>("sweep_chart");
  call.template operator()<TreeChart>("tree_chart");
  call.template operator()<WarpLoadChart>("warp_load_chart");
}

}  // namespace clusterloom::testing
