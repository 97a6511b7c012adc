#include "engine/cuda/hierarchy/forest_search.h"

#include <algorithm>

namespace clusterloom {

ForestSearch::ForestSearch(GpuRun& run, NearestThere& found) : run_(run), found_(found) {
  constexpr std::int32_t kMostOfKeys = (1 << 25) - 1;
  const Lease lease = run.lease();
  const RoundedCloud& points = found.points;
  const std::size_t n = points.size;
  const std::size_t places = std::size_t{points.tiles} * kProductTile;
  const auto dims = std::uint32_t(points.cloud->dims);
  locks_ = DeviceBuffer<std::uint32_t>(lease, n);
  locks_.fillBytes(0);
  places_ = DeviceBuffer<int2>(lease, places);
  limits_ = DeviceBuffer<std::int32_t>(lease, places);
  reaches_ = DeviceBuffer<std::int32_t>(lease, places);
  tileReaches_ = DeviceBuffer<double>(lease, points.tiles);
  tileTags_ = DeviceBuffer<std::uint32_t>(lease, points.tiles);
  mostError_ = DeviceBuffer<double>(lease, 1);
  lightest_ = DeviceBuffer<unsigned long long>(lease, ForestWork::at(0, points.tiles));
  seeds_ = DeviceBuffer<unsigned long long>(lease, n);
  length_ = DeviceBuffer<std::uint32_t>(lease, points.tiles);
  head_ = DeviceBuffer<std::uint32_t>(lease, 1);
  sums_ = DeviceBuffer<unsigned long long>(lease, 2);
  int shift = 0;
  while (kMostOfKeys << shift <= 2 * kLargestByte * kLargestByte * std::int32_t(dims) + 1) ++shift;
  const RoundedView view = viewOf(points);
  const ExactRows exact = found.exact.size() > 0
                              ? ExactRows{.first = found.exact.data(), .ofPoint = dims, .ofDim = 1}
                              : columnsOf(view);
  work_ = {.queries = view,
           .points = view,
           .tiles = points.tiles,
           .dims = dims,
           .byteWidth = points.byteWidth,
           .wordWidth = points.wordWidth,
           .byteScale = found.rounding.byteScale,
           .wordScale = found.rounding.wordScale,
           .exactQueries = exact,
           .exactPoints = exact,
           .offers = {},
           .shift = shift,
           .most = kMostOfKeys << shift,
           .places = places_.data(),
           .limits = limits_.data(),
           .reaches = reaches_.data(),
           .tileReaches = tileReaches_.data(),
           .tileTags = tileTags_.data(),
           .mostByteError = mostError_.data(),
           .lightest = lightest_.data(),
           .seeds = seeds_.data(),
           .near = {.tiles = found.near.data(), .length = length_.data(), .head = head_.data()},
           .open = {found.open.data(), found.open.size(), sums_.data()},
           .close = {found.close.data(), found.close.size(), sums_.data() + 1},
           .stop = run.stop()};
  launchForestBounds(run, points, work_);
}

void ForestSearch::operator()(const GroupForest& forest, std::uint32_t edges) {
  run_.task().report("building the spanning tree", double(edges) / double(forest.tree.points));
  work_.offers = {forest, locks_.data()};
  seeds_.fillBytes(0xff);
  takeSeeds();
  findLightest();
  takeSeeds();
  forBands([&](const ForestBand& band) { takeOpen(band); });
  launchRaiseLower(run_, work_);
  run_.wait();
  log_.settle();
}

void ForestSearch::takeSeeds() {
  sums_.fillBytes(0);
  launchForestSeeds(run_, work_);
  launchForestPairs(run_, work_, ForestWork::at(0, work_.tiles) + work_.points.size, log_);
  launchForestReaches(run_, work_);
}

void ForestSearch::findLightest() {
  forBands([&](const ForestBand& band) { multiply(band, ForestPass::Lightest); });
}

template <class Act>
void ForestSearch::forBands(const Act& act) {
  constexpr std::size_t kMostRows = 1U << 15;  // of a launch, in blocks of the y axis
  const std::uint32_t tiles = work_.tiles;
  const auto rows = std::uint32_t(std::clamp<std::size_t>(found_.near.size() / tiles, 1,
                                                          std::min<std::size_t>(kMostRows, tiles)));
  for (std::uint32_t first = 0; first < tiles; first += rows)
    act(ForestBand{first, std::min(rows, tiles - first), first, tiles});
}

void ForestSearch::multiply(const ForestBand& band, ForestPass pass) {
  CUDA_CHECK(cudaMemsetAsync(length_.data(), 0, band.rows * sizeof(std::uint32_t), run_.stream()));
  head_.fillBytes(0);
  work_.near.first = band.first;
  work_.near.rows = band.rows;
  work_.near.stride = band.to - band.from;
  launchForestChoice(run_, work_, band, pass, found_.near.data(), length_.data());
  launchForestTiles(run_, work_, pass, log_);
}

void ForestSearch::takeOpen(const ForestBand& band) {
  sums_.fillBytes(0);
  multiply(band, ForestPass::Open);
  const auto open = run_.mailbox<unsigned long long>(1);
  CUDA_CHECK(cudaMemcpyAsync(open.data(), sums_.data(), sizeof(unsigned long long),
                             cudaMemcpyDeviceToHost, run_.stream()));
  run_.wait();
  log_.settle();
  if (open[0] <= work_.open.capacity) {
    launchForestPairs(run_, work_, open[0], log_);
    launchForestReaches(run_, work_);
    return;
  }
  // Two tiles always fit.
  ForestBand half = band;
  if (band.rows > 1) {
    half.rows = band.rows / 2;
    takeOpen(half);
    half.first += half.rows;
    half.rows = band.rows - half.rows;
    half.from = std::max(half.from, half.first);
    if (half.from >= half.to) return;
  } else {
    half.to = band.from + (band.to - band.from) / 2;
    takeOpen(half);
    half.from = half.to;
    half.to = band.to;
  }
  takeOpen(half);
}

}  // namespace clusterloom
