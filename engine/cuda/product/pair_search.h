#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "engine/cuda/product/product_tiles.h"
#include "engine/cuda/runtime/kernel_log.h"
#include "engine/join/join_input.h"

namespace clusterloom {

/// Finds the pairs within ε of one cloud or two by products of bytes on matrix units, as a list in
/// device memory. Tiles of points whose balls are apart are left out. Throws CudaFailure,
/// CudaStopped; the clouds must stay.
class PairSearch {
 public:
  PairSearch(GpuRun& run, const JoinInput& input, double eps, double squaredEps);

  /// `use` gets lists of (query id, point id) in device memory, once or more, until every pair has
  /// been in one list; it queues its work on the run's stream. Of one cloud p ≤ q or q ≤ p, not
  /// both, and p = q once. A later call repeats the search unless the first list held all pairs.
  using Use = std::function<void(const uint2* pairs, std::uint64_t count)>;
  void forPairs(std::string_view stage, const Use& use);

  /// Searches for all pairs; true where one list holds them, which forPairs then gives. Ends as
  /// soon as it is seen that a point has more than some hundred neighbours in the mean.
  bool listsAll(std::string_view stage);

  /// As forPairs for one cloud, but leaves out pairs that are of no use (PairGroups), while
  /// `group` queues the writing of the groups of all points and tiles, by position: before the
  /// pairs of each point with those of its tile, then with those of the next tile, of the next two,
  /// four and so on. So what is found in near tiles can make pairs of farther ones useless.
  using Group =
      std::function<void(const RoundedView& points, std::uint32_t* ofPoint, std::uint32_t* ofTile)>;
  void forUsefulPairs(std::string_view stage, const Group& group, const Use& use);

  /// The coordinates of its pairs, which are ids: the clouds' columns as `exactQueries` and
  /// `exactPoints`. For pairStages::launchExact, with a list of pairs as `close`.
  TileSearch byIds() const;

  bool oneCloud() const { return !queries_; }
  /// Ordered pairs of points of the tiles that were multiplied, by all calls.
  std::uint64_t multiplied() const { return multiplied_; }
  /// The same of one call.
  std::uint64_t candidates() const { return candidates_; }
  KernelLog& log() { return log_; }

 private:
  const RoundedCloud& asking() const { return queries_ ? *queries_ : points_; }
  struct Searched {
    std::uint64_t listed = 0;      ///< pairs in the list, or that would be
    std::uint64_t multiplied = 0;  ///< ordered pairs of points of these tiles
    std::uint64_t open = 0;        ///< pairs that bytes left open
  };
  /// The tiles of points that each tile of queries is multiplied with; of one cloud they are
  /// counted from its own.
  struct Columns {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  /// Searches these tiles of queries, and waits.
  Searched searchTiles(const Columns& columns, std::uint32_t first, std::uint32_t rows);
  /// Searches all tiles of queries from an empty list on. `flush` gets the number of pairs in the
  /// list before it overflows; false ends the search. Gives the number of those in it at the end.
  std::optional<std::uint64_t> searchAll(const Columns& columns, std::string_view stage,
                                         const std::function<bool(std::uint64_t)>& flush);

  GpuRun& run_;
  RoundedCloud points_;
  std::optional<RoundedCloud> queries_;  // of another cloud
  ProductWork work_;
  DeviceBuffer<uint2> found_;
  DeviceBuffer<std::uint32_t> near_;
  DeviceBuffer<std::uint32_t> length_;
  DeviceBuffer<std::uint32_t> head_;
  DeviceBuffer<uint2> open_;
  DeviceBuffer<uint2> close_;
  DeviceBuffer<std::uint32_t> groupOfPoint_;  // where useful pairs were asked for
  DeviceBuffer<std::uint32_t> groupOfTile_;
  DeviceBuffer<unsigned long long> sums_;  // pairs listed, pairs of tiles, open and close ones
  std::uint64_t multiplied_ = 0;
  std::uint64_t candidates_ = 0;
  std::optional<std::uint64_t> kept_;  // pairs, where the list holds all of them
  KernelLog log_;
};

}  // namespace clusterloom
