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
  lightest_ = DeviceBuffer<unsigned long long>(lease, ForestWork::at(0, points.tiles));
  seeds_ = DeviceBuffer<unsigned long long>(lease, n);
  int shift = 0;
  while (kMostOfKeys << shift <= 2 * kLargestByte * kLargestByte * std::int32_t(dims) + 1) ++shift;
  static_cast<SelfSearch&>(work_) = selfSearch(run, points, found.rounding, found.room);
  work_.shift = shift;
  work_.most = kMostOfKeys << shift;
  work_.places = places_.data();
  work_.limits = limits_.data();
  work_.reaches = reaches_.data();
  work_.tileReaches = tileReaches_.data();
  work_.tileTags = tileTags_.data();
  work_.lightest = lightest_.data();
  work_.seeds = seeds_.data();
  launchForestBounds(run, points, work_);
}

void ForestSearch::operator()(const GroupForest& forest, std::uint32_t edges) {
  run_.task().report("building the spanning tree", double(edges) / double(forest.tree.points));
  work_.offers = {forest, locks_.data()};
  seeds_.fillBytes(0xff);
  takeSeeds();
  findLightest();
  takeSeeds();
  forBands([&](const TileBand& band) { takeOpen(band); });
  launchRaiseLower(run_, work_);
  run_.wait();
  log_.settle();
}

void ForestSearch::takeSeeds() {
  found_.room.sums.fillBytes(0);
  launchForestSeeds(run_, work_);
  launchForestPairs(run_, work_, ForestWork::at(0, work_.tiles) + work_.points.size, log_);
  launchForestReaches(run_, work_);
}

void ForestSearch::findLightest() {
  forBands([&](const TileBand& band) { multiply(band, ForestPass::Lightest); });
}

template <class Act>
void ForestSearch::forBands(const Act& act) {
  constexpr std::size_t kMostRows = 1U << 15;  // of a launch, in blocks of the y axis
  const std::uint32_t tiles = work_.tiles;
  const auto rows = std::uint32_t(std::clamp<std::size_t>(found_.room.near.size() / tiles, 1,
                                                          std::min<std::size_t>(kMostRows, tiles)));
  for (std::uint32_t first = 0; first < tiles; first += rows)
    act(TileBand{first, std::min(rows, tiles - first), first, tiles});
}

void ForestSearch::multiply(const TileBand& band, ForestPass pass) {
  beginBand(run_, work_, found_.room, band);
  launchForestChoice(run_, work_, band, pass, found_.room.near.data(), found_.room.length.data());
  launchForestTiles(run_, work_, pass, log_);
}

void ForestSearch::takeOpen(const TileBand& band) {
  found_.room.sums.fillBytes(0);
  multiply(band, ForestPass::Open);
  const unsigned long long open = run_.read(found_.room.sums);
  log_.settle();
  if (open <= work_.open.capacity) {
    launchForestPairs(run_, work_, open, log_);
    launchForestReaches(run_, work_);
    return;
  }
  // Two tiles always fit.
  for (TileBand half : halvesOf(band)) {
    half.from = std::max(half.from, half.first);
    if (half.from < half.to) takeOpen(half);
  }
}

}  // namespace clusterloom
