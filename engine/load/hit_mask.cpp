#include "engine/load/hit_mask.h"

#include <cstddef>
#include <cstring>

#include "engine/join/instruction_sets.h"
#include "engine/join/lane_program.h"

namespace clusterloom {
namespace {

// Four candidates side by side, in GCC's and Clang's vectors: compilers do not find by themselves
// that comparisons become bits. Vectors of eight take ten times as long where the machine has
// registers of four: GCC keeps them in memory.
using Four = double __attribute__((vector_size(32)));
using Bits = std::int64_t __attribute__((vector_size(32)));

/// Dims 0: as many as `dims` says. `count` is a multiple of four, at most 64.
template <int Dims>
CLUSTERLOOM_INLINE std::uint64_t maskOfBlockIn(const double* const* columns, int dims,
                                               double squaredEps, std::uint32_t query,
                                               std::size_t begin, std::size_t count) {
  if constexpr (Dims > 0) dims = Dims;
  Bits hits = {};
  Bits bit = {1, 2, 4, 8};
  for (std::size_t four = 0; four < count; four += 4) {
    Four sum = {};
    for (int j = 0; j < dims; ++j) {
      Four x;
      std::memcpy(&x, columns[j] + begin + four, sizeof x);
      const Four difference = columns[j][query] - x;
      sum += difference * difference;
    }
    hits |= (sum <= squaredEps) & bit;
    bit <<= 4;
  }
  return std::uint64_t(hits[0] | hits[1] | hits[2] | hits[3]);
}

CLUSTERLOOM_CLONES std::uint64_t maskOfBlock(const double* const* columns, int dims,
                                             double squaredEps, std::uint32_t query,
                                             std::size_t begin, std::size_t count) {
  if (dims == 2) return maskOfBlockIn<2>(columns, dims, squaredEps, query, begin, count);
  if (dims == 3) return maskOfBlockIn<3>(columns, dims, squaredEps, query, begin, count);
  return maskOfBlockIn<0>(columns, dims, squaredEps, query, begin, count);
}

}  // namespace

std::uint64_t hitMask(const JoinView& view, std::uint32_t query, std::uint32_t begin,
                      std::uint32_t stride, std::uint32_t count) {
  std::uint64_t mask = 0;
  std::uint32_t i = 0;
  if (stride == 1) {
    i = count / 4 * 4;
    mask = maskOfBlock(view.columns, view.dims, view.squaredEps, query, begin, i);
  }
  for (; i < count; ++i) {
    const bool hit = isNeighbour(view, query, begin + i * stride);
    mask |= std::uint64_t(hit) << i;
  }
  return mask;
}

}  // namespace clusterloom
