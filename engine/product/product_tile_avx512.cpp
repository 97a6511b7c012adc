// Compiled for processors with AVX-512 and its integer products (VNNI); called on those only.
#include "engine/product/vector_tile.h"

#include <immintrin.h>

namespace clusterloom {
namespace {

struct Sums16 {
  static constexpr int kLanes = 16;
  __m512i v;

  static Sums16 zero() { return {_mm512_setzero_si512()}; }
  static Sums16 load(const std::int16_t* from) { return {_mm512_loadu_si512(from)}; }
  static Sums16 repeat(const std::int16_t* two) {
    std::int32_t both;
    __builtin_memcpy(&both, two, sizeof both);
    return {_mm512_set1_epi32(both)};
  }
  Sums16 plusProducts(const Sums16& a, const Sums16& b) const {
    return {_mm512_dpwssd_epi32(v, a.v, b.v)};
  }
  std::uint32_t toSquares(std::int32_t norm, const std::int32_t* norms, std::int32_t outside,
                          std::int32_t* squares) const {
    const __m512i both = _mm512_add_epi32(_mm512_set1_epi32(norm), _mm512_loadu_si512(norms));
    const __m512i square = _mm512_sub_epi32(both, _mm512_add_epi32(v, v));
    _mm512_storeu_si512(squares, square);
    return _mm512_cmple_epi32_mask(square, _mm512_set1_epi32(outside));
  }
};

}  // namespace

void productTileAvx512(const ProductTile& tile) { wholeTile<Sums16, 8, 2>(tile); }

}  // namespace clusterloom
