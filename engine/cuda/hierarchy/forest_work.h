#pragma once

#include <cstdint>

#include "engine/cuda/product/self_search.h"
#include "engine/cuda/runtime/kernel_log.h"
#include "engine/hierarchy/lanes/group_pairs.h"

namespace clusterloom {

/// A round of Borůvka's search by products of bytes (forest_search.h says how), as plain pointers.
/// Places of the forest are positions of the rounded cloud.
///
/// The heaviness of a pair is that of engine/product/product_reach.h.
struct ForestWork : SelfSearch {
  static constexpr std::uint32_t kNever = 0xffffffffU;   ///< a pair of tiles not multiplied so far
  static constexpr std::uint32_t kNoPair = 0xffffffffU;  ///< heaviness: no two points are apart
  static constexpr std::uint32_t kMixed = GroupForest::kMixed;

  PairOffers offers;

  /// Keys hold the heaviness above 7 bits: it is cut by `shift` bits, and below `most`.
  int shift = 0;
  std::int32_t most = 0;

  int2* places = nullptr;           ///< by position: half of the core distance, and the component
  std::int32_t* limits = nullptr;   ///< by position: no edge as heavy is of use; −1 where none is
  std::int32_t* reaches = nullptr;  ///< by position: of bytes; −1 where no edge is of use
  double* tileReaches = nullptr;  ///< the largest s·D·(1 + η) of bytes of a tile's points, or −1
  std::uint32_t* tileTags = nullptr;  ///< the component of all points of a tile, or kMixed

  /// By pair of tiles, at(a, b): above the least heaviness of pairs between components, below the
  /// pair that has it, as row · 128 + column. Components grow only, so that it stays a bound.
  unsigned long long* lightest = nullptr;
  /// By position: the lightest pair of the point in this round's products, above the other
  /// position.
  unsigned long long* seeds = nullptr;

  /// Of tiles a ≤ b.
  CLUSTERLOOM_LANE static std::size_t at(std::uint32_t a, std::uint32_t b) {
    return std::size_t(b) * (b + 1) / 2 + a;
  }
};

/// What the products of a launch are for.
enum class ForestPass {
  Lightest,  ///< the lightest pairs, where the last ones are within a component by now
  Open,      ///< all pairs that may be edges
};

/// Queues bounds by the balls around tiles for all pairs of tiles.
void launchForestBounds(GpuRun& run, const RoundedCloud& points, const ForestWork& work);
/// Queues the reaches by the edges known so far.
void launchForestReaches(GpuRun& run, const ForestWork& work);
/// Queues the choice of the tiles to multiply, of each row those that do not come before it: writes
/// the lists of `work.near`, whose lengths and head are zero before.
void launchForestChoice(GpuRun& run, const ForestWork& work, const TileBand& band, ForestPass pass,
                        std::uint32_t* nearTiles, std::uint32_t* length);
/// Queues the products of the chosen tiles.
void launchForestTiles(GpuRun& run, const ForestWork& work, ForestPass pass, KernelLog& log);
/// Queues the lightest pairs as open ones.
void launchForestSeeds(GpuRun& run, const ForestWork& work);
/// Queues the work on at most `count` open pairs: the 16-bit coordinates leave some of them, which
/// are taken as edges by their exact distances.
void launchForestPairs(GpuRun& run, const ForestWork& work, std::uint64_t count, KernelLog& log);
/// Queues the end of a round.
void launchRaiseLower(GpuRun& run, const ForestWork& work);

}  // namespace clusterloom
