#include "engine/cuda/product/pair_search.h"

#include <algorithm>

#include "engine/cuda/product/near_tiles.cuh"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

/// Up to these dimensions open pairs are decided among the products: their rows are so short that a
/// list of pairs costs more (tests/bench/RESULTS.md).
constexpr std::size_t kFewDims = 16;

/// Tiles of queries that are searched first, to see how many pairs are to be expected, or one in so
/// many.
constexpr std::uint32_t kTilesOfTrial = 32;

/// Tiles that hold a pair within ε, unless their balls prove that none is.
struct WithinEps {
  ScaledEps eps;
  __device__ bool operator()(std::uint32_t, std::uint32_t, double least, double errors) const {
    return !(least > outerReach(eps, errors));
  }
};

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
  const std::uint64_t openPairs =
      dims <= kFewDims ? 0 : openPairsOfLaunch(asking().size, points_.size);
  open_ = DeviceBuffer<uint2>(lease, openPairs);
  close_ = DeviceBuffer<uint2>(lease, openPairs);
  sums_ = DeviceBuffer<unsigned long long>(lease, 4);
  static_cast<TileSearch&>(work_) = {.queries = viewOf(asking()),
                                     .points = viewOf(points_),
                                     .dims = std::uint32_t(dims),
                                     .byteWidth = points_.byteWidth,
                                     .wordWidth = points_.wordWidth,
                                     .exactQueries = columnsOf(viewOf(asking())),
                                     .exactPoints = columnsOf(viewOf(points_)),
                                     .near = {.stride = points_.tiles,
                                              .tiles = near_.data(),
                                              .length = length_.data(),
                                              .head = head_.data()},
                                     .open = {open_.data(), openPairs, sums_.data() + 2},
                                     .close = {close_.data(), openPairs, sums_.data() + 3},
                                     .stop = run.stop()};
  work_.oneCloud = !input.twoClouds;
  work_.byBytes = scaledEps(rounding.byteScale, eps, dims, largestDistanceOfBytes(dims));
  work_.byWords = scaledEps(rounding.wordScale, eps, dims, kLargestRoundedDistance);
  work_.squaredEps = squaredEps;
  work_.found = {found_.data(), capacity, sums_.data()};
}

PairSearch::Searched PairSearch::searchTiles(std::uint32_t first, std::uint32_t rows) {
  length_.fillBytes(0);
  head_.fillBytes(0);
  CUDA_CHECK(cudaMemsetAsync(sums_.data() + 1, 0, 3 * sizeof(unsigned long long), run_.stream()));
  listNearTiles(run_, asking(), points_,
                NearList{.first = first,
                         .rows = rows,
                         .fromOwn = oneCloud(),
                         .to = points_.tiles,
                         .stride = points_.tiles,
                         .tiles = near_.data(),
                         .length = length_.data(),
                         .pairs = sums_.data() + 1},
                WithinEps{work_.byBytes});
  work_.near.first = first;
  work_.near.rows = rows;
  launchProductTiles(run_, work_, log_);
  const auto sums = run_.mailbox<unsigned long long>(3);
  CUDA_CHECK(cudaMemcpyAsync(sums.data(), sums_.data(), sums.size_bytes(), cudaMemcpyDeviceToHost,
                             run_.stream()));
  run_.wait();
  log_.settle();
  multiplied_ += sums[1];
  return {.listed = sums[0], .multiplied = sums[1], .open = sums[2]};
}

void PairSearch::forPairs(std::string_view stage, const Use& use) {
  if (kept_) return use(found_.data(), *kept_);
  const std::uint32_t tiles = asking().tiles;
  std::uint64_t listed = 0;
  std::uint64_t candidates = 0;
  double pairsOfTile = 0;  // that the last tiles of queries had
  double openOfTile = 1;
  bool all = true;
  const auto flush = [&] {
    if (listed > 0) use(found_.data(), listed);
    listed = 0;
    all = false;
    sums_.fillBytes(0);
  };
  sums_.fillBytes(0);
  for (std::uint32_t first = 0; first < tiles;) {
    // The list of pairs should not overflow: what overflows is searched again. Nor should that of
    // open ones.
    constexpr double kSpare = 1.25;
    const auto room = [&] { return double(work_.found.capacity - listed); };
    std::uint32_t rows = std::min(rowsAtOnce_, tiles - first);
    if (first == 0) rows = std::min(rows, std::max(kTilesOfTrial, tiles / kTilesOfTrial));
    if (work_.open.capacity > 0)
      rows = std::uint32_t(
          std::clamp(double(work_.open.capacity) / (kSpare * openOfTile), 1.0, double(rows)));
    if (kSpare * pairsOfTile * rows > room() && listed > 0) flush();
    if (kSpare * pairsOfTile * rows > room())
      rows = std::uint32_t(std::max(1.0, room() / (kSpare * pairsOfTile)));
    const Searched now = searchTiles(first, rows);
    if (now.listed <= work_.found.capacity) {
      pairsOfTile = double(now.listed - listed) / rows;
      openOfTile = std::max(1.0, double(now.open) / rows);
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
