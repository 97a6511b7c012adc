#include "engine/grid/occupancy.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <utility>

#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

// The finaliser of a 64-bit mixer: neighbouring ids end far apart.
std::uint64_t mixed(std::uint64_t id) {
  id ^= id >> 32;
  id *= 0x9E3779B97F4A7C15ULL;
  return id ^ (id >> 29);
}

}  // namespace

double estimatedPointsPerCell(const PointCloud& cloud, const CellGeometry& geometry) {
  tbb::enumerable_thread_specific<std::vector<std::uint64_t>> samples;
  parallelForBlocks(cloud.size(), 16384, [&](std::size_t begin, std::size_t end) {
    auto& sample = samples.local();
    std::vector<std::uint64_t> ids(end - begin);
    geometry.linearIds(cloud, begin, ids);
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(sample),
                 [](std::uint64_t id) { return mixed(id) % 64 == 0; });
  });
  std::vector<std::uint64_t> all;
  for (const auto& sample : samples) all.insert(all.end(), sample.begin(), sample.end());
  const auto points = double(all.size());
  tbb::parallel_sort(all.begin(), all.end());
  const auto cells = std::unique(all.begin(), all.end()) - all.begin();
  return cells == 0 ? 1.0 : points / double(cells);
}

std::size_t companionSample(std::size_t points) { return std::min<std::size_t>(points, 4096); }

double estimatedCompanions(std::vector<std::uint64_t> ids, std::size_t points) {
  if (ids.size() < 2) return 0;
  std::sort(ids.begin(), ids.end());
  double pairs = 0;  // ordered
  for (auto from = ids.begin(); from != ids.end();) {
    const auto to = std::upper_bound(from, ids.end(), *from);
    const auto together = double(to - from);
    pairs += together * (together - 1);
    from = to;
  }
  const auto asked = double(ids.size());
  return pairs / (asked * (asked - 1)) * double(points - 1);
}

double estimatedCompanions(const PointCloud& cloud, const CellGeometry& geometry) {
  const std::size_t n = cloud.size();
  const std::size_t sample = companionSample(n);
  std::vector<std::uint64_t> ids(sample);
  for (std::size_t i = 0; i < sample; ++i)
    ids[i] = geometry.linearId(cloud, companionOf(i, sample, n));
  return estimatedCompanions(std::move(ids), n);
}

}  // namespace clusterloom
