#include "engine/cloud/stratified_sample.h"

#include <algorithm>

#include "engine/core/mixed_bits.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

// The same on every machine.
std::uint64_t mixed(std::uint64_t x) { return mixedBits(x + 0x9e3779b97f4a7c15); }

}  // namespace

std::vector<std::uint32_t> stratifiedSample(std::uint64_t n, std::uint64_t wanted,
                                            std::uint64_t seed) {
  const std::uint64_t m = std::min(n, wanted);
  std::vector<std::uint32_t> sample(m);
  for (std::uint64_t s = 0; s < m; ++s) {
    const std::uint64_t begin = s * n / m;  // n < 2³¹ and m ≤ n: no overflow
    const std::uint64_t end = (s + 1) * n / m;
    sample[s] = std::uint32_t(begin + mixed(s + (seed << 32)) % (end - begin));
  }
  return sample;
}

PointCloud pointsOf(const PointCloud& cloud, std::span<const std::uint32_t> ids) {
  PointCloud result;
  result.names = cloud.names;
  result.columns.resize(cloud.dims());
  parallelFor(cloud.dims(), 1, [&](std::size_t j) {
    std::vector<double>& column = result.columns[j];
    column.reserve(ids.size());
    for (const std::uint32_t p : ids) column.push_back(cloud.columns[j][p]);
  });
  return result;
}

}  // namespace clusterloom
