#include "engine/product/product_cost.h"

#include "engine/product/product_tile.h"

namespace clusterloom {
namespace {

// Measured on a processor with AVX-512 and VNNI, two threads (tests/bench/RESULTS.md): a pair takes
// as long as n + 17 coordinates of products, 46 of which take as long as one that the grid's join
// reads.
constexpr double kCoordinatesOfTheRest = 17;
constexpr double kProductsOfACoordinate = 46;
// AVX2 has half of the sums of an instruction; plain C++ an eighth, measured there.
constexpr double kAvx2Share = 0.5;
constexpr double kPlainShare = 0.125;

// Measured on an H100 (tests/bench/RESULTS.md): a pair takes as long as n + 100 bytes of products,
// some 10¹⁴ of which are multiplied in a second, and the model of k takes about 0.05 s.
constexpr double kBytesWhileAsking = 5e12;
constexpr double kBytesOfTheRest = 100;
constexpr double kBytesOfACoordinate = 300;

double productsOfACoordinate() {
  const TileFunction tile = bestProductTile();
  if (tile == productTilePlain) return kProductsOfACoordinate * kPlainShare;
#ifdef CLUSTERLOOM_X86_TILES
  if (tile == productTileAvx2) return kProductsOfACoordinate * kAvx2Share;
#endif
  return kProductsOfACoordinate;
}

}  // namespace

bool isQuickByBytes(double pairs, std::size_t dims) {
  return pairs * (double(dims) + kBytesOfTheRest) < kBytesWhileAsking;
}

double productCost(double pairs, std::size_t dims, ProductUnits by) {
  if (by == ProductUnits::MatrixUnits)
    return pairs * (double(dims) + kBytesOfTheRest) / kBytesOfACoordinate;
  return pairs * (double(dims) + kCoordinatesOfTheRest) / productsOfACoordinate();
}

}  // namespace clusterloom
