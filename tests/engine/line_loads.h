#pragma once

#include <QTest>
#include <utility>
#include <vector>

#include "cloud_draws.h"
#include "engine/load/load_kernel.h"
#include "engine/load/load_model.h"

/// Loads that are small enough to be worked out by hand.
namespace lineLoads {

using namespace clusterloom;

inline constexpr LoopWeights kUnit;

inline Strategy plainStrategy(AccessPattern pattern = AccessPattern::Full,
                              QueryOrder order = QueryOrder::Cell) {
  return {.pattern = pattern,
          .order = order,
          .indexedDims = 1,
          .sortIdu = Toggle::Off,
          .shortCircuit = Toggle::Off};
}

inline PointCloud onALine(std::vector<double> x) { return draws::cloudOf({std::move(x)}); }

inline LoadReport reportOf(const PointCloud& cloud, double eps, const Strategy& strategy,
                           const LoadRequest& request = {}, const SimtMachine& machine = {}) {
  const auto report = modelLoad(cloud, eps, strategy, request, machine, kUnit, {});
  if (!report) QTest::qFail(report.error().message.c_str(), __FILE__, __LINE__);
  return report ? *report : LoadReport{};
}

}  // namespace lineLoads
