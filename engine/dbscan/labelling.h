#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/core/large_array.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// Numbers clusters 0, 1, … by their lowest core point. `sets[i]` is any id of the set that core
/// item i belongs to (equal for members of one set, < sets.size()); `pointIds[i]` is the point that
/// item i stands for; only items with core[i] != 0 count. Returns the cluster number of each set id
/// (−1 for ids without a set) and the number of clusters. In parallel on the caller's TBB arena.
struct ClusterNumbers {
  LargeArray<std::int32_t> ofSet;
  std::int32_t clusters = 0;
};
ClusterNumbers numberClusters(std::span<const std::uint32_t> sets,
                              std::span<const std::uint8_t> core,
                              std::span<const std::uint32_t> pointIds);

/// The role of a point with this label.
inline PointRole roleOf(std::int32_t label, bool core) {
  if (core) return PointRole::Core;
  return label == kNoise ? PointRole::Noise : PointRole::Border;
}

/// Fills the three counts of `clustering` from its roles. Parallel.
void countRoles(Clustering& clustering);

/// Fills roles and the three counts of `clustering` from its labels and the core flags, both in
/// point order. Parallel.
void fillRoles(Clustering& clustering, std::span<const std::uint8_t> core);

/// The answer where no work is needed: with minPts above the number of points no point is core, and
/// all are noise. nullopt otherwise. Backends call it, with checked parameters, before they index.
std::optional<Clustering> withoutCorePoints(std::size_t points, const DbscanParams& params);

}  // namespace clusterloom
