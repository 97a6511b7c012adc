#pragma once

#include <cstdint>

// Squared distances of rows of bytes by the four-byte products of every lane: for the few that
// order points and tiles. The pairs of points go by matrix units.

namespace clusterloom {

/// Rows of bytes; `width` is a multiple of 32.
struct ByteRows {
  const std::int8_t* rows = nullptr;
  const std::int32_t* norms = nullptr;
  std::uint32_t count = 0;
};

inline constexpr unsigned kSquaresSide = 64;  ///< rows and columns of a block
inline constexpr unsigned kSquaresThreads = 256;

/// Exact squared distances of rows firstA + 64·blockIdx.y … of a and firstB + 64·blockIdx.x … of b:
/// those of rows 4·(thread / 16) … + 3 and columns (thread % 16) + 16·i to squares[row][i]. Rows
/// that there are not count as zero.
__device__ inline void byteSquares(const ByteRows& a, std::uint32_t firstA, const ByteRows& b,
                                   std::uint32_t firstB, std::uint32_t width,
                                   std::int32_t (&squares)[4][4]) {
  constexpr unsigned kWords = 8;  // of a step
  __shared__ std::int32_t stepA[kSquaresSide][kWords + 1];
  __shared__ std::int32_t stepB[kSquaresSide][kWords + 1];
  const std::uint32_t rowA = firstA + blockIdx.y * kSquaresSide;
  const std::uint32_t rowB = firstB + blockIdx.x * kSquaresSide;
  const unsigned row = threadIdx.x / 16 * 4;
  const unsigned column = threadIdx.x % 16;
  std::int32_t sums[4][4] = {};
  for (std::uint32_t word = 0; word < width / 4; word += kWords) {
    for (unsigned e = threadIdx.x; e < kSquaresSide * kWords; e += kSquaresThreads) {
      const unsigned r = e / kWords;
      const unsigned c = e % kWords;
      const auto at = [&](const ByteRows& of, std::uint32_t number) {
        return number < of.count ? reinterpret_cast<const std::int32_t*>(
                                       of.rows + std::size_t(number) * width)[word + c]
                                 : 0;
      };
      stepA[r][c] = at(a, rowA + r);
      stepB[r][c] = at(b, rowB + r);
    }
    __syncthreads();
#pragma unroll
    for (unsigned c = 0; c < kWords; ++c)
#pragma unroll
      for (unsigned r = 0; r < 4; ++r)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
          sums[r][i] = __dp4a(stepA[row + r][c], stepB[column + 16 * i][c], sums[r][i]);
    __syncthreads();
  }
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t p = rowA + row + r;
      const std::uint32_t q = rowB + column + 16 * i;
      squares[r][i] =
          (p < a.count ? a.norms[p] : 0) + (q < b.count ? b.norms[q] : 0) - 2 * sums[r][i];
    }
}

}  // namespace clusterloom
