#pragma once

#include <cstdint>
#include <string>

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The expected results and cost of a join of a cloud with itself, from sampled queries.
struct JoinForecast {
  double eps = 0;
  std::uint64_t points = 0;
  std::uint64_t queries = 0;  ///< that were asked; each of the points once where all were
  double pairs = 0;           ///< ordered, each point with itself included
  double pairsError = 0;      ///< standard error; 0 where all points were asked
  double candidates = 0;      ///< that the full pattern examines
  double seconds = 0;         ///< of counting all points' neighbours by a grid, index included
  double secondsError = 0;    ///< standard error, by the difference between timed queries
  /// Timed by products: a run compares each pair once, the queries of a sample do it twice, so that
  /// the run takes between half of `seconds` and all of it.
  bool isMost = false;

  bool isWhole() const { return queries == points; }
  /// Bytes of the results: counts of neighbours, a neighbour table, a list of pairs.
  double countBytes() const { return 4.0 * double(points); }
  double tableBytes() const { return 8.0 * double(points) + 4 * pairs; }
  double pairListBytes() const { return 8 * pairs; }
};

/// Forecasts the join of the cloud with itself at this ε by asking `backend` for the neighbours of
/// sampled points, in a second or so beyond building its index a few times. The sample is the same
/// for the same cloud; times are measured. Errors: those of a join of two clouds by `backend`.
Result<JoinForecast> forecastJoin(const Backend& backend, const PointCloud& cloud, double eps,
                                  const Task& task);

/// For display: "about 10,060,000 ordered, standard error 0.1 %, by 50,000 queries".
std::string pairsText(const JoinForecast& join);

/// "counts 3.8 MiB, neighbour table 46 MiB, list of pairs 77 MiB; 21 GiB are free": "(too much)"
/// follows what would be refused because memory is short.
std::string resultsText(const JoinForecast& join);

}  // namespace clusterloom
