#include "engine/cuda/product/pair_search.h"

#include <algorithm>
#include <cmath>

#include "engine/cuda/product/byte_squares.cuh"
#include "engine/cuda/runtime/launch.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

/// Device memory for the lists of tiles of one launch.
constexpr std::uint64_t kNearBytes = 64ULL << 20;

struct Balls {
  ByteRows centres;
  const double* radii = nullptr;
  const double* errors = nullptr;
  std::uint32_t size = 0;  ///< points
  __device__ std::uint32_t points(std::uint32_t tile) const {
    return min(kProductTile, size - tile * kProductTile);
  }
};

Balls ballsOf(const RoundedCloud& cloud) {
  return {{cloud.centres.data(), cloud.centreNorms.data(), cloud.tiles},
          cloud.radii.data(),
          cloud.tileErrors.data(),
          cloud.size};
}

struct NearList {
  std::uint32_t first = 0;  ///< tile of queries
  std::uint32_t rows = 0;
  std::uint32_t stride = 0;
  std::uint32_t* tiles = nullptr;
  std::uint32_t* length = nullptr;
  unsigned long long* pairs = nullptr;  ///< ordered pairs of points of these tiles
};

// Lists the tiles of points that are not apart from each tile of queries. The distance of two
// centres is exact; no two points are nearer than it less both radii.
__global__ void __launch_bounds__(kSquaresThreads)
    listNearTiles(const __grid_constant__ Balls queries, const __grid_constant__ Balls points,
                  std::uint32_t width, const __grid_constant__ ScaledEps eps, bool oneCloud,
                  const __grid_constant__ NearList to) {
  __shared__ unsigned long long pairsOfBlock;
  if (threadIdx.x == 0) pairsOfBlock = 0;
  std::int32_t squares[4][4];
  byteSquares(queries.centres, to.first, points.centres, width, squares);
  for (unsigned r = 0; r < 4; ++r) {
    const std::uint32_t row = blockIdx.y * kSquaresSide + threadIdx.x / 16 * 4 + r;
    const std::uint32_t a = to.first + row;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t b = blockIdx.x * kSquaresSide + threadIdx.x % 16 + 16 * i;
      if (row >= to.rows || b >= points.centres.count || (oneCloud && b < a)) continue;
      const double least = sqrt(double(squares[r][i])) * (1 - kReachMargin) -
                           (queries.radii[a] + points.radii[b]) * (1 + kReachMargin);
      if (least > outerReach(eps, queries.errors[a] + points.errors[b])) continue;
      to.tiles[std::size_t(row) * to.stride + atomicAdd(to.length + row, 1U)] = b;
      const std::uint32_t ways = oneCloud && a != b ? 2 : 1;
      atomicAdd(&pairsOfBlock,
                static_cast<unsigned long long>(ways * queries.points(a) * points.points(b)));
    }
  }
  __syncthreads();
  if (threadIdx.x == 0 && pairsOfBlock != 0) atomicAdd(to.pairs, pairsOfBlock);
}

}  // namespace

PairSearch::PairSearch(GpuRun& run, const JoinInput& input, double eps, double squaredEps)
    : run_(run) {
  const Lease lease = run.lease();
  std::vector<std::shared_ptr<const DeviceCloud>> there{pointsOnDevice(run, input)};
  std::vector<const DeviceCloud*> clouds{there.front().get()};
  if (input.twoClouds) {
    there.push_back(std::make_shared<const DeviceCloud>(uploadCloud(run, input.queries)));
    clouds.push_back(there.back().get());
  }
  const DeviceRounding rounding = deviceRounding(run, clouds);
  points_ = roundOnDevice(run, there.front(), rounding);
  if (input.twoClouds) queries_ = roundOnDevice(run, there.back(), rounding);

  const std::size_t dims = input.points.dims();
  const std::uint64_t all = std::uint64_t{asking().size} * points_.size;
  // One tile of queries can always be listed.
  const std::uint64_t capacity =
      std::min(all, std::max<std::uint64_t>(1 << 20, std::uint64_t{kProductTile} * points_.size));
  found_ = DeviceBuffer<uint2>(lease, capacity);
  rowsAtOnce_ = std::uint32_t(std::clamp<std::uint64_t>(
      kNearBytes / sizeof(std::uint32_t) / points_.tiles, 1, asking().tiles));
  near_ = DeviceBuffer<std::uint32_t>(lease, std::size_t{rowsAtOnce_} * points_.tiles);
  length_ = DeviceBuffer<std::uint32_t>(lease, rowsAtOnce_);
  head_ = DeviceBuffer<std::uint32_t>(lease, 1);
  sums_ = DeviceBuffer<unsigned long long>(lease, 2);
  work_ = {.queries = viewOf(asking()),
           .points = viewOf(points_),
           .oneCloud = !input.twoClouds,
           .dims = std::uint32_t(dims),
           .byteWidth = points_.byteWidth,
           .wordWidth = points_.wordWidth,
           .byBytes = scaledEps(rounding.byteScale, eps, dims,
                                2 * kLargestByte * std::sqrt(double(dims)) + 1),
           .byWords = scaledEps(rounding.wordScale, eps, dims, kLargestRoundedDistance),
           .squaredEps = squaredEps,
           .near = {.stride = points_.tiles,
                    .tiles = near_.data(),
                    .length = length_.data(),
                    .head = head_.data()},
           .found = found_.data(),
           .capacity = capacity,
           .listed = sums_.data(),
           .stop = run.stop()};
}

PairSearch::Searched PairSearch::searchTiles(std::uint32_t first, std::uint32_t rows) {
  length_.fillBytes(0);
  head_.fillBytes(0);
  CUDA_CHECK(cudaMemsetAsync(sums_.data() + 1, 0, sizeof(unsigned long long), run_.stream()));
  const dim3 blocks(blocksFor(points_.tiles, kSquaresSide), blocksFor(rows, kSquaresSide));
  listNearTiles<<<blocks, kSquaresThreads, 0, run_.stream()>>>(
      ballsOf(asking()), ballsOf(points_), points_.byteWidth, work_.byBytes, oneCloud(),
      NearList{first, rows, points_.tiles, near_.data(), length_.data(), sums_.data() + 1});
  CUDA_CHECK_LAUNCH();
  work_.near.first = first;
  work_.near.rows = rows;
  launchProductTiles(run_, work_, log_);
  const auto sums = run_.mailbox<unsigned long long>(2);
  sums_.download(sums);
  run_.wait();
  log_.settle();
  multiplied_ += sums[1];
  return {.listed = sums[0], .multiplied = sums[1]};
}

void PairSearch::forPairs(std::string_view stage, const Use& use) {
  if (kept_) return use(found_.data(), *kept_);
  const std::uint32_t tiles = asking().tiles;
  std::uint64_t listed = 0;
  std::uint64_t candidates = 0;
  double pairsOfTile = 0;  // that the last tiles of queries had
  bool all = true;
  const auto flush = [&] {
    if (listed > 0) use(found_.data(), listed);
    listed = 0;
    all = false;
    sums_.fillBytes(0);
  };
  sums_.fillBytes(0);
  for (std::uint32_t first = 0; first < tiles;) {
    // The list should not overflow: what overflows is searched again.
    constexpr double kSpare = 1.25;
    const auto room = [&] { return double(work_.capacity - listed); };
    std::uint32_t rows = std::min(rowsAtOnce_, tiles - first);
    if (kSpare * pairsOfTile * rows > room() && listed > 0) flush();
    if (kSpare * pairsOfTile * rows > room())
      rows = std::uint32_t(std::max(1.0, room() / (kSpare * pairsOfTile)));
    const Searched now = searchTiles(first, rows);
    if (now.listed <= work_.capacity) {
      pairsOfTile = double(now.listed - listed) / rows;
      listed = now.listed;
      candidates += now.multiplied;
      first += rows;
      run_.task().report(stage, double(first) / tiles);
    } else {
      if (listed == 0) rowsAtOnce_ = std::max(1U, rows / 2);
      flush();
    }
  }
  if (listed > 0) use(found_.data(), listed);
  if (all) kept_ = listed;
  candidates_ = candidates;
}

}  // namespace clusterloom
