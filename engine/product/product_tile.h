#pragma once

#include <cstddef>
#include <cstdint>

namespace clusterloom {

// Included by sources that are compiled for newer processors than the rest of the program: nothing
// here and there may instantiate inline functions of the standard library.

/// Computes the squared distances of all pairs of two leaves (engine/product/rounded_points.h).
struct ProductTile {
  const std::int16_t* a = nullptr;  ///< panels of the leaf that gives the rows
  const std::int16_t* b = nullptr;  ///< panels of the leaf that gives the columns
  std::size_t pairsOfDims = 0;
  const std::int32_t* normsA = nullptr;
  const std::int32_t* normsB = nullptr;
  std::int32_t outside = 0;         ///< pairs at a larger squared distance are not near
  std::int32_t* squares = nullptr;  ///< result, [64][64]
  std::uint64_t* near = nullptr;    ///< result, [64]: bit c of row r says whether r and c are near
};

using TileFunction = void (*)(const ProductTile&);

void productTilePlain(const ProductTile& tile);
#ifdef CLUSTERLOOM_X86_TILES
void productTileAvx2(const ProductTile& tile);
void productTileAvx512(const ProductTile& tile);
#endif

/// The fastest of them that this processor runs; all give the same.
TileFunction bestProductTile();

}  // namespace clusterloom
