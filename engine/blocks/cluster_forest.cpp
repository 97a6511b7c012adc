#include "engine/blocks/cluster_forest.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace clusterloom {

void ClusterForest::add(std::uint64_t lowest) {
  parent_.push_back(std::uint32_t(parent_.size()));
  lowest_.push_back(lowest);
}

std::uint32_t ClusterForest::root(std::uint32_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void ClusterForest::unite(std::uint32_t a, std::uint32_t b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  if (lowest_[b] < lowest_[a]) std::swap(a, b);
  parent_[b] = a;
}

Result<PartNumbers> numberParts(ClusterForest& forest) {
  const auto size = std::uint32_t(forest.size());
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < size; ++i)
    if (forest.root(i) == i) roots.push_back(i);
  if (auto fits = checkClusterCount(roots.size()); !fits) return tl::unexpected(fits.error());
  std::sort(roots.begin(), roots.end(),
            [&](std::uint32_t a, std::uint32_t b) { return forest.lowest(a) < forest.lowest(b); });
  PartNumbers found;
  found.clusters = std::int32_t(roots.size());
  found.numbers.resize(size);
  for (std::size_t n = 0; n < roots.size(); ++n) found.numbers[roots[n]] = std::int32_t(n);
  for (std::uint32_t i = 0; i < size; ++i) found.numbers[i] = found.numbers[forest.root(i)];
  return found;
}

Result<void> checkClusterCount(std::uint64_t clusters) {
  if (clusters <= std::uint64_t(std::numeric_limits<std::int32_t>::max())) return {};
  return tooLarge(
      "There are " + std::to_string(clusters) +
      " clusters, more than labels of 32 bits can number. Use a larger ε or a larger minPts.");
}

}  // namespace clusterloom
