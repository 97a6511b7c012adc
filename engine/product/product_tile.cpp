#include "engine/product/product_tile.h"

#include "engine/product/vector_tile.h"

namespace clusterloom {
namespace {

/// Plain C++, for processors without the instructions below and for tests.
struct Sums4 {
  static constexpr int kLanes = 4;
  std::int32_t sums[kLanes];
  std::int16_t values[2 * kLanes];

  static Sums4 zero() { return {}; }
  static Sums4 load(const std::int16_t* from) {
    Sums4 result{};
    for (int i = 0; i < 2 * kLanes; ++i) result.values[i] = from[i];
    return result;
  }
  static Sums4 repeat(const std::int16_t* two) {
    Sums4 result{};
    for (int i = 0; i < 2 * kLanes; ++i) result.values[i] = two[i % 2];
    return result;
  }
  Sums4 plusProducts(const Sums4& a, const Sums4& b) const {
    Sums4 result = *this;
    for (int i = 0; i < kLanes; ++i)
      result.sums[i] +=
          a.values[2 * i] * b.values[2 * i] + a.values[2 * i + 1] * b.values[2 * i + 1];
    return result;
  }
  std::uint32_t toSquares(std::int32_t norm, const std::int32_t* norms, std::int32_t outside,
                          std::int32_t* squares) const {
    std::uint32_t near = 0;
    for (int i = 0; i < kLanes; ++i) {
      squares[i] = norm + norms[i] - 2 * sums[i];
      near |= std::uint32_t(squares[i] <= outside) << i;
    }
    return near;
  }
};

}  // namespace

void productTilePlain(const ProductTile& tile) { wholeTile<Sums4, 2, 2>(tile); }

TileFunction bestProductTile() {
#ifdef CLUSTERLOOM_X86_TILES
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni"))
    return productTileAvx512;
  if (__builtin_cpu_supports("avx2")) return productTileAvx2;
#endif
  return productTilePlain;
}

}  // namespace clusterloom
