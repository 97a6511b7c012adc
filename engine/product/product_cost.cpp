#include "engine/product/product_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/cloud/stratified_sample.h"
#include "engine/core/instruction_sets.h"
#include "engine/core/parallel_for.h"
#include "engine/product/product_reach.h"
#include "engine/product/product_tile.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

// Measured on a processor with AVX-512 and VNNI, two threads (tests/bench/RESULTS.md): a pair takes
// as long as n + 17 coordinates of products. With 16 threads 15 of them take as long as one that
// the grid's tiles compare with vectors.
constexpr double kCoordinatesOfTheRest = 17;
constexpr double kProductsOfACoordinate = 15;
// AVX2 has half of the sums of an instruction; plain C++ an eighth, measured there.
constexpr double kAvx2Share = 0.5;
constexpr double kPlainShare = 0.125;

// Measured on an H200 (tests/bench/RESULTS.md): a pair takes as long as n + 100 bytes of products,
// 2·10¹⁴ of which are multiplied in a second, and one that bytes leave open as 4,000 for each
// dimension. A pair of words takes as long as 1.6·n + 51 of them, a pair that is listed and counted
// as 20,000.
constexpr double kBytesWhileAsking = 1e12;
constexpr double kBytesOfAWord = 1.6;
constexpr double kBytesOfTheRestOfWords = 51;
constexpr double kBytesOfANearPair = 20'000;
constexpr double kBytesOfTheRest = 100;
constexpr double kBytesOfAnOpenDimension = 4000;
// 17 of them take as long as one coordinate of the tiles that count, 300 as one of the others.
constexpr double kBytesOfACoordinate = 300;
constexpr double kBytesOfACountedCoordinate = 17;

double bytesOfAPair(std::size_t dims, ProductUnits by, const PairShares& shares) {
  const double decided = dims <= kWordDims ? double(dims) * kBytesOfAWord + kBytesOfTheRestOfWords
                                           : double(dims) + kBytesOfTheRest;
  const double listed =
      by == ProductUnits::MatrixUnitsBesideCounts ? shares.near * kBytesOfANearPair : 0;
  return decided + double(dims) * shares.open * kBytesOfAnOpenDimension + listed;
}

double productsOfACoordinate() {
  const TileFunction tile = bestProductTile();
  if (tile == productTilePlain) return kProductsOfACoordinate * kPlainShare;
#ifdef CLUSTERLOOM_X86_TILES
  if (tile == productTileAvx2) return kProductsOfACoordinate * kAvx2Share;
#endif
  return kProductsOfACoordinate;
}

// Of the sample of which pairs are left open.
constexpr std::size_t kQueries = 32;
constexpr std::size_t kPoints = 512;
constexpr double kStepsOfBytes = 254;

CLUSTERLOOM_CLONES void addSquares(const double* x, double from, std::size_t count, double* sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += (x[i] - from) * (x[i] - from);
}

PointCloud sampleOf(const PointCloud& cloud, std::size_t most) {
  return pointsOf(cloud, stratifiedSample(cloud.size(), most));
}

}  // namespace

bool areQuickProducts(double pairs, std::size_t dims, ProductUnits by, const PairShares& shares) {
  return pairs * bytesOfAPair(dims, by, shares) < kBytesWhileAsking;
}

double productCost(double pairs, std::size_t dims, ProductUnits by, const PairShares& shares) {
  if (by != ProductUnits::Processor)
    return pairs * bytesOfAPair(dims, by, shares) /
           (by == ProductUnits::MatrixUnits ? kBytesOfACoordinate : kBytesOfACountedCoordinate);
  return pairs * (double(dims) + kCoordinatesOfTheRest) / productsOfACoordinate();
}

PairShares sharesOfPairs(const PointCloud& asking, const PointCloud& cloud, double eps) {
  const std::size_t dims = cloud.dims();
  const PointCloud x = sampleOf(cloud, kPoints);
  const PointCloud y = sampleOf(asking, kQueries);
  const std::size_t points = x.size();
  const std::size_t queries = y.size();
  double widest = 0;
  std::vector<double> norms(points, 0);  // squared, from the middle of the sample
  for (const Coordinates& column : x.columns) {
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    widest = std::max(widest, *high - *low);
    const double middle = std::accumulate(column.begin(), column.end(), 0.0) /
                          double(std::max<std::size_t>(1, points));
    addSquares(column.data(), middle, points, norms.data());
  }
  std::vector<double> squares(queries * points, 0);
  parallelFor(queries, 1, [&](std::size_t q) {
    double* const row = squares.data() + q * points;
    for (std::size_t j = 0; j < dims; ++j)
      addSquares(x.columns[j].data(), y.columns[j][q], points, row);
  });
  // Rounding to bytes moves a coordinate by up to half a step, evenly spread. Of words the bound is
  // used, half a step in each dimension.
  const double farthest = std::sqrt(*std::ranges::max_element(norms));
  const double moved = dims <= kWordDims
                           ? std::sqrt(double(dims)) * farthest / (kLargestRoundedDistance / 2)
                           : 2 * std::sqrt(double(dims) / 12) * widest / kStepsOfBytes;
  const auto shareOf = [&](const auto& holds) {
    return double(std::ranges::count_if(squares, holds)) / double(squares.size());
  };
  return {.open = shareOf([&](double square) {
            return square > 0 && std::abs(std::sqrt(square) - eps) <= moved;
          }),
          .near = shareOf([&](double square) { return square <= eps * eps; })};
}

}  // namespace clusterloom
