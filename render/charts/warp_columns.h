#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/load/load_report.h"

namespace clusterloom {

/// Cost and useful work of a warp, in weighted steps.
struct WarpWork {
  double steps = 0;  ///< of the warp: the sum over its loops of weight × turns
  double busy = 0;   ///< of them, what 32 always active lanes would need; ≤ steps
  double idleLaneSteps() const { return 32 * (steps - busy); }
};
WarpWork workOf(const WarpLoad& warp, const LoopWeights& weights);

/// Consecutive warps in order of launch, drawn as one column.
struct WarpColumn {
  std::size_t first = 0;  ///< warps [first, end) of the report
  std::size_t end = 0;
  double steps = 0;  ///< mean over them
  double busy = 0;   ///< mean
  double least = 0;  ///< fewest steps of one of them
  double most = 0;   ///< most
};

/// The warps [low, high) of the report (positions, fractions cut off) in at most `columns` columns
/// of nearly equal size; a column per warp where there is space.
std::vector<WarpColumn> warpColumns(const LoadReport& report, double low, double high,
                                    std::size_t columns);

/// How the weighted steps of all warps are distributed.
struct StepsHistogram {
  std::vector<double> edges;      ///< ascending, one more than bins
  std::vector<double> warps;      ///< in each bin
  std::vector<double> busyShare;  ///< of the steps of the warps in the bin; 0 where there are none
  bool logarithmic = false;       ///< bins are even factors, not even steps
};

/// `bins` ≥ 1 bins from the fewest to the most steps; even factors when those lie more than a
/// factor of 50 apart. Empty without warps.
StepsHistogram stepsHistogram(const LoadReport& report, std::size_t bins);

/// For each multiprocessor and each of `columns` equal spans of [low, high): its occupancy, as a
/// fraction of `warpsPerMultiprocessor` resident warps all the time. Row-major, multiprocessors
/// rows.
std::vector<float> occupancyOverTime(const LoadReport& report, double low, double high,
                                     std::size_t columns);

/// Called with the warp that the user picked: its place in LoadReport::warps, −1 for none.
using WarpPickFn = std::function<void(std::int64_t warp)>;

}  // namespace clusterloom
