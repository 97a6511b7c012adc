#include "engine/product/product_cost.h"

#include "engine/product/product_tile.h"

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
// dimension.
constexpr double kBytesWhileAsking = 1e12;
constexpr double kBytesOfTheRest = 100;
constexpr double kBytesOfAnOpenDimension = 4000;
// 17 of them take as long as one coordinate of the tiles that count, 300 as one of the others.
constexpr double kBytesOfACoordinate = 300;
constexpr double kBytesOfACountedCoordinate = 17;

double bytesOfAPair(std::size_t dims, double openShare) {
  return double(dims) * (1 + openShare * kBytesOfAnOpenDimension) + kBytesOfTheRest;
}

double productsOfACoordinate() {
  const TileFunction tile = bestProductTile();
  if (tile == productTilePlain) return kProductsOfACoordinate * kPlainShare;
#ifdef CLUSTERLOOM_X86_TILES
  if (tile == productTileAvx2) return kProductsOfACoordinate * kAvx2Share;
#endif
  return kProductsOfACoordinate;
}

}  // namespace

bool isQuickByBytes(double pairs, std::size_t dims, double openShare) {
  return pairs * bytesOfAPair(dims, openShare) < kBytesWhileAsking;
}

double productCost(double pairs, std::size_t dims, ProductUnits by, double openShare) {
  if (by != ProductUnits::Processor)
    return pairs * bytesOfAPair(dims, openShare) /
           (by == ProductUnits::MatrixUnits ? kBytesOfACoordinate : kBytesOfACountedCoordinate);
  return pairs * (double(dims) + kCoordinatesOfTheRest) / productsOfACoordinate();
}

}  // namespace clusterloom
