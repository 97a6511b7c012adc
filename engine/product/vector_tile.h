#pragma once

#include "engine/product/product_tile.h"

namespace clusterloom {
namespace {

// In each source that includes this the templates are its own: it is compiled for one kind of
// processor.

/// `kRows` rows times `kVectors` vectors of columns of a tile, kept in registers over all
/// dimensions. Vector is a vector of 32-bit sums with `kLanes` lanes, at most 16.
template <class Vector, int kRows, int kVectors>
inline void partOfTile(const ProductTile& t, int firstRow, int firstColumn) {
  constexpr int kPanel = 16;
  const std::size_t panelSize = t.pairsOfDims * 2 * kPanel;
  const std::int16_t* const a =
      t.a + std::size_t(firstRow / kPanel) * panelSize + firstRow % kPanel * 2;
  const std::int16_t* b[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    const int column = firstColumn + v * Vector::kLanes;
    b[v] = t.b + std::size_t(column / kPanel) * panelSize + column % kPanel * 2;
  }
  Vector sums[kRows][kVectors];
  for (auto& row : sums)
    for (Vector& sum : row) sum = Vector::zero();
  for (std::size_t pair = 0; pair < t.pairsOfDims; ++pair) {
    const std::size_t at = pair * 2 * kPanel;
    Vector columns[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) columns[v] = Vector::load(b[v] + at);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const Vector row = Vector::repeat(a + at + r * 2);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] = sums[r][v].plusProducts(row, columns[v]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    const int row = firstRow + r;
    for (int v = 0; v < kVectors; ++v) {
      const int column = firstColumn + v * Vector::kLanes;
      // ‖x‖² + ‖y‖² − 2·x·y
      const std::uint32_t near = sums[r][v].toSquares(t.normsA[row], t.normsB + column, t.outside,
                                                      t.squares + row * 64 + column);
      t.near[row] |= std::uint64_t(near) << column;
    }
  }
}

template <class Vector, int kRows, int kVectors>
inline void wholeTile(const ProductTile& t) {
  for (int row = 0; row < 64; ++row) t.near[row] = 0;
  for (int row = 0; row < 64; row += kRows)
    for (int column = 0; column < 64; column += kVectors * Vector::kLanes)
      partOfTile<Vector, kRows, kVectors>(t, row, column);
}

}  // namespace
}  // namespace clusterloom
