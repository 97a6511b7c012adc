// Compiled for processors with AVX2; called on those only.
#include "engine/product/vector_tile.h"

#include <immintrin.h>

namespace clusterloom {
namespace {

struct Sums8 {
  static constexpr int kLanes = 8;
  __m256i v;

  static __m256i loaded(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  static Sums8 zero() { return {_mm256_setzero_si256()}; }
  static Sums8 load(const std::int16_t* from) { return {loaded(from)}; }
  static Sums8 repeat(const std::int16_t* two) {
    std::int32_t both;
    __builtin_memcpy(&both, two, sizeof both);
    return {_mm256_set1_epi32(both)};
  }
  Sums8 plusProducts(const Sums8& a, const Sums8& b) const {
    return {_mm256_add_epi32(v, _mm256_madd_epi16(a.v, b.v))};
  }
  std::uint32_t toSquares(std::int32_t norm, const std::int32_t* norms, std::int32_t outside,
                          std::int32_t* squares) const {
    const __m256i both = _mm256_add_epi32(_mm256_set1_epi32(norm), loaded(norms));
    const __m256i square = _mm256_sub_epi32(both, _mm256_add_epi32(v, v));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(squares), square);
    const __m256i far = _mm256_cmpgt_epi32(square, _mm256_set1_epi32(outside));
    return ~std::uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(far))) & 0xFFU;
  }
};

}  // namespace

void productTileAvx2(const ProductTile& tile) { wholeTile<Sums8, 4, 2>(tile); }

}  // namespace clusterloom
