#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

#include "ui/session/file_row_set.h"
#include "ui/session/parameters.h"

/// Parameters of which each differs from its default.
inline clusterloom::Parameters unusualParameters() {
  using namespace clusterloom;
  using Points = std::vector<std::uint32_t>;
  Parameters p;
  p.dbscan = {0.1 + 0.2, std::numeric_limits<std::int64_t>::max()};
  p.scaling = {Scaling::Kind::Factors, {1e-300, -2.5, 1.0 / 3}};
  p.space.periods = {0, 2.5, 360};
  p.space.sphere.emplace().latitudeFirst = true;
  p.space.metric = Metric::Chebyshev;
  p.weights = QStringLiteral("Höhe der Wägung");
  p.kept = std::make_shared<const Points>(Points{0, 1, 2, 5, 300, 301, 70000, 2147483646});
  FileRowSet rows;
  for (const std::uint64_t row : {0ULL, 1ULL, 7ULL, 300ULL, 70000ULL, 70001ULL}) rows.add(row);
  rows.of = 70'002;
  p.keptRows = std::make_shared<const FileRowSet>(rows);
  p.refinements = {{std::make_shared<const Points>(Points{2147483646}), {0.25, 3}},
                   {std::make_shared<const Points>(Points{1, 2, 5}), {1e-9, 1}}};
  Strategy& s = p.strategy;
  s.method = Method::GDbscanShifted;
  s.pattern = AccessPattern::LidUnicomp;
  s.order = QueryOrder::WorkQueue;
  s.indexedDims = 3;
  s.threadsPerPoint = 8;
  s.reorder = Toggle::On;
  s.sortIdu = Toggle::Off;
  s.shortCircuit = Toggle::On;
  s.denseCells = Toggle::Off;
  s.earlyStop = Toggle::Off;
  s.precision = Precision::Single;
  s.batchPairs = 100'000'000'000'000'000ULL;
  s.streams = 4;
  s.blockSize = 256;
  s.division = Division::Queries;
  s.cpuMethod = CpuMethod::NewSuperEgo;
  s.cpuBatch = 17;
  s.referenceEps = 0.1;
  return p;
}

/// All members. Another one does not compile before it is named here twice; it needs a value above,
/// too.
inline auto membersOf(clusterloom::Parameters& p) {
  using namespace clusterloom;
  auto& [scaling, space, weights, kept, keptRows] = static_cast<CloudChoice&>(p);
  auto& [strategy] = static_cast<RunOptions&>(p);
  auto& [dbscan, refinements] = static_cast<RunChoice&>(p);
  return std::tie(scaling, space, weights, kept, keptRows, strategy, dbscan, refinements);
}
