#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/result.h"

namespace clusterloom {

/// Clusters that were found in parts, of which some are parts of one cluster. A set of parts keeps
/// the id of its lowest core point, by which it is numbered.
class ClusterForest {
 public:
  /// Adds a cluster; `lowest` is the id of its lowest core point. Clusters are numbered 0, 1, … in
  /// the order in which they are added; at most 2³² − 1.
  void add(std::uint64_t lowest);
  std::size_t size() const { return parent_.size(); }
  /// The cluster that stands for all parts of the cluster that i is a part of.
  std::uint32_t root(std::uint32_t i);
  /// Says that a and b are parts of one cluster.
  void unite(std::uint32_t a, std::uint32_t b);
  /// The lowest core point of a root and all its parts.
  std::uint64_t lowest(std::uint32_t root) const { return lowest_[root]; }
  /// Bytes that each cluster takes, those of numberParts included.
  static constexpr std::uint64_t kBytes = 20;

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint64_t> lowest_;
};

/// The numbers of clusters that were found in parts.
struct PartNumbers {
  std::vector<std::int32_t> numbers;  ///< of each part
  std::int32_t clusters = 0;
};

/// Numbers merged clusters by their lowest core point. TooLarge for more clusters than labels can
/// number.
Result<PartNumbers> numberParts(ClusterForest& forest);

/// The error for `clusters` clusters, if labels cannot hold that many numbers.
Result<void> checkClusterCount(std::uint64_t clusters);

}  // namespace clusterloom
