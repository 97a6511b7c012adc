#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace clusterloom {

struct ClusterResult;
struct Clustering;

/// For each previous cluster, the current cluster that holds most of its points (ties: the lower
/// label), or −1 when most are noise or the clouds differ in size. By it a selection survives a
/// change of ε.
std::vector<std::int32_t> followLabels(std::span<const std::int32_t> before,
                                       std::int32_t clustersBefore,
                                       std::span<const std::int32_t> now);

/// The same for the clusters of a result; empty where there is none before it.
std::vector<std::int32_t> followLabels(const ClusterResult* before, const Clustering& now);

/// A set of labels carried over; noise stays noise, clusters that no longer exist are left out.
std::set<std::int32_t> carriedOver(const std::set<std::int32_t>& labels,
                                   const std::vector<std::int32_t>& followed);

/// The clusters of `now`, numbered below `clusters`, that have more than half of their points from
/// `labels`; noise stays noise. By it a hidden cluster does not hide a larger one of which it
/// becomes a part, and its parts stay hidden. Contains at most noise when the clouds differ in
/// size.
std::set<std::int32_t> madeOf(const std::set<std::int32_t>& labels,
                              std::span<const std::int32_t> before,
                              std::span<const std::int32_t> now, std::int32_t clusters);

}  // namespace clusterloom
