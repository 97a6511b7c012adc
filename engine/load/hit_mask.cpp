#include "engine/load/hit_mask.h"

#include <cstddef>
#include <cstring>

#include "engine/join/instruction_sets.h"
#include "engine/join/lane_program.h"

namespace clusterloom {
namespace {

// Eight candidates side by side, in GCC's and Clang's vectors: compilers do not see by themselves
// that comparisons become bits.
using Eight = double __attribute__((vector_size(64)));
using Bits = std::int64_t __attribute__((vector_size(64)));

CLUSTERLOOM_CLONES std::uint64_t maskOfBlock(const double* const* columns, int dims,
                                             double squaredEps, std::uint32_t query,
                                             std::size_t begin) {
  Bits hits = {};
  Bits bit = {1, 2, 4, 8, 16, 32, 64, 128};
  for (std::size_t eight = 0; eight < 64; eight += 8) {
    Eight sum = {};
    for (int j = 0; j < dims; ++j) {
      Eight x;
      std::memcpy(&x, columns[j] + begin + eight, sizeof x);
      const Eight difference = columns[j][query] - x;
      sum += difference * difference;
    }
    hits |= (sum <= squaredEps) & bit;
    bit <<= 8;
  }
  std::uint64_t mask = 0;
  for (int i = 0; i < 8; ++i) mask |= std::uint64_t(hits[i]);
  return mask;
}

}  // namespace

std::uint64_t hitMask(const JoinView& view, std::uint32_t query, std::uint32_t begin,
                      std::uint32_t stride, std::uint32_t count) {
  if (stride == 1 && count == 64)
    return maskOfBlock(view.columns, view.dims, view.squaredEps, query, begin);
  std::uint64_t mask = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool hit = isNeighbour(view, query, begin + i * stride);
    mask |= std::uint64_t(hit) << i;
  }
  return mask;
}

}  // namespace clusterloom
