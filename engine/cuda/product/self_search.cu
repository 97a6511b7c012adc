#include "engine/cuda/product/self_search.h"

#include <algorithm>

#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

__global__ void __launch_bounds__(kProductTile)
    mostError(const double* tileErrors, std::uint32_t tiles, double* most) {
  double mine = 0;
  for (std::size_t t = threadNumber(); t < tiles; t += std::size_t(gridDim.x) * blockDim.x)
    mine = fmax(mine, tileErrors[t]);
  atomicMaximum(most, mine);
}

}  // namespace

SelfSearchRoom roomForSearch(GpuRun& run, const RoundedCloud& points) {
  const Lease lease = run.lease();
  const std::uint64_t capacity = openPairsOfLaunch(points.size, points.size);
  SelfSearchRoom room;
  room.open = DeviceBuffer<uint2>(lease, capacity);
  room.close = DeviceBuffer<uint2>(lease, capacity);
  room.near = DeviceBuffer<std::uint32_t>(
      lease, std::min<std::uint64_t>(kNearBytes / sizeof(std::uint32_t),
                                     std::uint64_t{points.tiles} * points.tiles));
  room.length = DeviceBuffer<std::uint32_t>(lease, points.tiles);
  room.head = DeviceBuffer<std::uint32_t>(lease, 1);
  room.sums = DeviceBuffer<unsigned long long>(lease, 3);
  room.mostError = DeviceBuffer<double>(lease, 1);
  return room;
}

SelfSearch selfSearch(const GpuRun& run, const RoundedCloud& points, const DeviceRounding& rounding,
                      SelfSearchRoom& room) {
  const RoundedView view = viewOf(points);
  const auto dims = std::uint32_t(points.cloud->dims);
  const ExactRows exact = room.exact.size() > 0
                              ? ExactRows{.first = room.exact.data(), .ofPoint = dims, .ofDim = 1}
                              : columnsOf(view);
  SelfSearch search;
  static_cast<TileSearch&>(search) = {
      .queries = view,
      .points = view,
      .dims = dims,
      .byteWidth = points.byteWidth,
      .wordWidth = points.wordWidth,
      .exactQueries = exact,
      .exactPoints = exact,
      .near = {.tiles = room.near.data(), .length = room.length.data(), .head = room.head.data()},
      .open = {room.open.data(), room.open.size(), room.sums.data()},
      .close = {room.close.data(), room.close.size(), room.sums.data() + 1},
      .stop = run.stop()};
  search.tiles = points.tiles;
  search.byteScale = rounding.byteScale;
  search.wordScale = rounding.wordScale;
  search.mostByteError = room.mostError.data();
  return search;
}

void launchMostByteError(GpuRun& run, const SelfSearch& search) {
  constexpr unsigned kMostBlocks = 1024;
  CUDA_CHECK(cudaMemsetAsync(search.mostByteError, 0, sizeof(double), run.stream()));
  mostError<<<std::min(kMostBlocks, blocksFor(search.tiles, kProductTile)), kProductTile, 0,
              run.stream()>>>(search.points.tileErrors, search.tiles, search.mostByteError);
  CUDA_CHECK_LAUNCH();
}

std::array<TileBand, 2> halvesOf(const TileBand& band) {
  TileBand first = band;
  TileBand second = band;
  if (band.rows > 1) {
    first.rows = band.rows / 2;
    second.first += first.rows;
    second.rows -= first.rows;
  } else {
    first.to = second.from = band.from + (band.to - band.from) / 2;
  }
  return {first, second};
}

void beginBand(GpuRun& run, SelfSearch& search, SelfSearchRoom& room, const TileBand& band) {
  CUDA_CHECK(
      cudaMemsetAsync(room.length.data(), 0, band.rows * sizeof(std::uint32_t), run.stream()));
  room.head.fillBytes(0);
  search.near.first = band.first;
  search.near.rows = band.rows;
  search.near.stride = band.to - band.from;
}

}  // namespace clusterloom
