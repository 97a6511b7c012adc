#pragma once

#include <cstdint>

#include "engine/cuda/product/byte_squares.cuh"
#include "engine/cuda/product/rounded_cloud.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {

/// The balls around the rounded points of tiles.
struct Balls {
  ByteRows centres;
  const double* radii = nullptr;
  const double* errors = nullptr;
  std::uint32_t size = 0;  ///< points
  __device__ std::uint32_t points(std::uint32_t tile) const {
    return min(kProductTile, size - tile * kProductTile);
  }
};

inline Balls ballsOf(const RoundedCloud& cloud) {
  return {{cloud.centres.data(), cloud.centreNorms.data(), cloud.tiles},
          cloud.radii.data(),
          cloud.tileErrors.data(),
          cloud.size};
}

/// Where the near tiles of points of some tiles of queries are listed.
struct NearList {
  std::uint32_t first = 0;  ///< tile of queries
  std::uint32_t rows = 0;
  bool fromOwn = false;  ///< of one cloud: tiles are counted from the query's own on
  std::uint32_t from = 0;
  std::uint32_t to = 0;      ///< tiles from … to − 1 are looked at
  std::uint32_t stride = 0;  ///< of a row of `tiles`
  std::uint32_t* tiles = nullptr;
  std::uint32_t* length = nullptr;      ///< by row, zero before
  unsigned long long* pairs = nullptr;  ///< takes the ordered pairs of points of these tiles
};

// The distance of two centres is exact; no two points are nearer than it less both radii.
template <class IsNear>
__global__ void __launch_bounds__(kSquaresThreads)
    nearTiles(const __grid_constant__ Balls queries, const __grid_constant__ Balls points,
              std::uint32_t width, const __grid_constant__ NearList to,
              const __grid_constant__ IsNear isNear) {
  __shared__ unsigned long long pairsOfBlock;
  if (threadIdx.x == 0) pairsOfBlock = 0;
  const std::uint32_t firstRow = blockIdx.y * kSquaresSide;
  const std::uint32_t firstB = to.from + (to.fromOwn ? to.first + firstRow : 0);
  std::int32_t squares[4][4];
  byteSquares(queries.centres, to.first, points.centres, firstB, width, squares);
  for (unsigned r = 0; r < 4; ++r) {
    const std::uint32_t row = firstRow + threadIdx.x / 16 * 4 + r;
    const std::uint32_t a = to.first + row;
    const std::uint32_t own = to.fromOwn ? a : 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t b = firstB + blockIdx.x * kSquaresSide + threadIdx.x % 16 + 16 * i;
      if (row >= to.rows || b >= points.centres.count || b < own + to.from || b >= own + to.to)
        continue;
      const double least = sqrt(double(squares[r][i])) * (1 - kReachMargin) -
                           (queries.radii[a] + points.radii[b]) * (1 + kReachMargin);
      if (!isNear(a, b, least, queries.errors[a] + points.errors[b])) continue;
      to.tiles[std::size_t(row) * to.stride + atomicAdd(to.length + row, 1U)] = b;
      const std::uint32_t ways = to.fromOwn && a != b ? 2 : 1;
      atomicAdd(&pairsOfBlock,
                static_cast<unsigned long long>(ways * queries.points(a) * points.points(b)));
    }
  }
  __syncthreads();
  if (threadIdx.x == 0 && pairsOfBlock != 0) atomicAdd(to.pairs, pairsOfBlock);
}

/// Rows of tiles that one launch can list: a grid has at most 65,535 rows of blocks.
inline constexpr std::uint32_t kMostNearRows = 65535U * kSquaresSide;

/// Queues the listing of the tiles for which isNear(a, b, least, errors) is true: no two rounded
/// points of the tiles are nearer than `least`, which may be negative, and rounding moved no two
/// points by more than `errors` together.
template <class IsNear>
void listNearTiles(GpuRun& run, const RoundedCloud& queries, const RoundedCloud& points,
                   const NearList& to, const IsNear& isNear) {
  // Of tiles counted from their own, those of a block's last row begin 63 later.
  const std::uint32_t columns = to.to - to.from + (to.fromOwn ? kSquaresSide - 1 : 0);
  const dim3 blocks(blocksFor(columns, kSquaresSide), blocksFor(to.rows, kSquaresSide));
  nearTiles<<<blocks, kSquaresThreads, 0, run.stream()>>>(ballsOf(queries), ballsOf(points),
                                                          points.byteWidth, to, isNear);
  CUDA_CHECK_LAUNCH();
}

}  // namespace clusterloom
