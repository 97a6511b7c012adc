#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/backend.h"
#include "engine/cloud/dataset.h"
#include "engine/cloud/file_rows.h"

namespace clusterloom {

/// Pairs of one neighbour table: 512 MiB of ids at most.
inline constexpr std::uint64_t kMostWeightedPairs = std::uint64_t{1} << 27;

/// DBSCAN of weighted points, as scikit-learn's `sample_weight`: a point is core when the weights
/// of all points within ε, its own included, sum to at least minPts. Weights may be negative. A sum
/// is that of doubles in ascending order of points on every backend and by every strategy, so that
/// the answer is exact. With all weights 1 it is that of Backend::dbscan.
///
/// Example:
///
///     const std::vector<double> weights = {1, 2.5, 1};
///     const auto clusters =
///         weightedDbscan(backend, cloud, weights, {.eps = 0.5, .minPts = 3}, {}, {});
///
/// Performance. Slower than Backend::dbscan: neighbours are counted, then those of points whose
/// number does not tell whether they are core are listed in neighbour tables of at most 2²⁷ pairs
/// or a sixteenth of the free memory; DBSCAN of the core points and a join of the others with them
/// follow. A copy of the cloud is made. Of a prepared cloud the joins find, or keep, what does not
/// depend on ε, as Backend::dbscan does.
///
/// Parameters. `strategy` is used where the joins behind the answer support it, the standard one
/// elsewhere. `neverCore` is empty or has an entry for each point: where it is not 0, the point
/// counts as a neighbour and is not core itself. `mostPairs` is the most that a neighbour table
/// has, which is at least the neighbours of one point.
///
/// Errors. Those of Backend::dbscan, and BadCall unless there is one finite weight for each point.
Result<Clustering> weightedDbscan(const Backend& backend, const JoinInput& input,
                                  std::span<const double> weights, const DbscanParams& params,
                                  const Strategy& strategy, const Task& task,
                                  std::span<const std::uint8_t> neverCore = {},
                                  std::uint64_t mostPairs = kMostWeightedPairs);

/// The owner of a point that no rank owned: of a weighted run divided over ranks, those that are
/// not core, because its ranks share the core points alone.
inline constexpr std::uint16_t kOwnedByNone = 0xffff;

/// Backend::dbscan where there are no weights (an empty span), else weightedDbscan. Errors are
/// those of the function called.
Result<Clustering> dbscanOf(const Backend& backend, const JoinInput& input,
                            std::span<const double> weights, const DbscanParams& params,
                            const Strategy& strategy, const Task& task);

/// BadCall unless there is one finite weight for each of `points` points. Messages name rows by
/// `rowOf`.
Result<void> checkWeights(std::span<const double> weights, std::size_t points,
                          const RowOfPoint& rowOf = {});

/// A column that was kept with the coordinates, one value per point, for the purpose that messages
/// name: "weights". BadInput where more than one of the columns has this name; BadCall where it is
/// a coordinate, or no column has this name.
Result<const ColumnValues*> keptColumn(const Dataset& dataset, const std::string& name,
                                       const std::string& purpose);

/// The numbers of such a column as weights. BadInput also where it holds text.
Result<const ColumnValues*> weightColumn(const Dataset& dataset, const std::string& name);

}  // namespace clusterloom
