#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/cuda/product/rounded_cloud.h"
#include "engine/cuda/runtime/kernel_log.h"

namespace clusterloom {

/// What kernels read of a rounded cloud.
struct RoundedView {
  const std::int8_t* bytes = nullptr;
  const std::int32_t* norms = nullptr;
  const double* tileErrors = nullptr;
  const std::int16_t* words = nullptr;
  const double* wordErrors = nullptr;
  const std::int8_t* wordBytes = nullptr;
  const std::int32_t* wordStarts = nullptr;
  const std::int32_t* wordParts = nullptr;
  const std::uint32_t* pointIds = nullptr;
  const double* columns = nullptr;
  std::size_t stride = 0;  ///< of a column
  std::uint32_t size = 0;
};
RoundedView viewOf(const RoundedCloud& cloud);

/// Tiles to multiply: of each of `rows` tiles of queries from `first` on, the tiles of points that
/// are not proven apart.
struct NearTiles {
  std::uint32_t first = 0;
  std::uint32_t rows = 0;
  std::uint32_t stride = 0;               ///< of a row of `tiles`
  const std::uint32_t* tiles = nullptr;   ///< [row][stride]
  const std::uint32_t* length = nullptr;  ///< by row
  std::uint32_t* head = nullptr;          ///< of the work, zero before
};

/// The coordinates themselves: by rows in the order of positions, or the cloud's columns.
struct ExactRows {
  const double* first = nullptr;
  const std::uint32_t* pointIds = nullptr;  ///< of the columns' points by position; null: rows
  std::size_t ofPoint = 0;
  std::size_t ofDim = 0;
};
/// The cloud's columns.
ExactRows columnsOf(const RoundedView& cloud);

/// A list of pairs in device memory.
struct PairsThere {
  uint2* pairs = nullptr;
  std::uint64_t capacity = 0;
  unsigned long long* count = nullptr;  ///< also of what did not fit and was not written
};

/// Device memory for the lists of tiles of one launch.
inline constexpr std::uint64_t kNearBytes = 64ULL << 20;

/// Open pairs that the lists of a launch hold; those of two tiles always fit.
inline std::uint64_t openPairsOfLaunch(std::uint64_t queries, std::uint64_t points) {
  constexpr std::uint64_t kOfPoint = 512;
  constexpr std::uint64_t kMost = 1ULL << 26;
  const std::uint64_t enough =
      std::min({queries * points, std::max(queries, points) * kOfPoint, kMost});
  return std::max<std::uint64_t>(kProductTile * kProductTile, enough);
}

/// What every search over tiles reads, and its room for tiles and pairs.
struct TileSearch {
  RoundedView queries;
  RoundedView points;
  std::uint32_t dims = 0;
  std::uint32_t byteWidth = 0;
  std::uint32_t wordWidth = 0;
  ExactRows exactQueries;
  ExactRows exactPoints;
  NearTiles near;
  PairsThere open;   ///< positions, what bytes leave open
  PairsThere close;  ///< positions, what 16 bits leave of that; has the capacity of `open`
  const std::uint32_t* stop = nullptr;
};

/// Pairs of one cloud that are of no use: those of two points in one group, and those of a point
/// that takes part in none.
struct PairGroups {
  static constexpr std::uint32_t kNoPairs = ~0U;      ///< the group of points without useful pairs
  static constexpr std::uint32_t kSeveral = ~0U - 1;  ///< the group of a tile of several
  const std::uint32_t* ofPoint = nullptr;             ///< by position; null: all pairs are of use
  const std::uint32_t* ofTile = nullptr;  ///< that of its points, but for those without pairs

  CLUSTERLOOM_LANE static bool areUseless(std::uint32_t a, std::uint32_t b) {
    return a == kNoPairs || b == kNoPairs || (a == b && a != kSeveral);
  }
};

/// A join. Of one cloud each unordered pair is found once, p = q included unless both are in one
/// group. Pairs for which the list of open ones has no room are decided among the products.
struct ProductWork : TileSearch {
  bool oneCloud = true;
  bool multiplyWords = false;  ///< rather than bytes; the predicate decides what words leave open
  TileReach reachOfWords;      ///< of all pairs
  PairGroups groups;
  ScaledEps byBytes;
  ScaledEps byWords;
  double squaredEps = 0;
  PairsThere found;  ///< ids of a query and a point
};

/// Queues the search for pairs within ε, from empty lists `open` and `close`: products by matrix
/// units, sums in 32 bits and exact. 16-bit coordinates decide most of what products of bytes leave
/// open, and the predicate the rest. Needs compute capability 8.0.
void launchProductTiles(GpuRun& run, const ProductWork& work, KernelLog& log);

/// Compute capability from which there are such products.
inline constexpr int kLeastMajorOfProducts = 8;

}  // namespace clusterloom
