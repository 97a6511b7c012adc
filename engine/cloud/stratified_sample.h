#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// `wanted` distinct ids below n, ascending: one drawn from each of as many equal strata, so that
/// clouds stored in some spatial order are sampled evenly. All when wanted ≥ n. The same on every
/// machine; another `seed` gives other ids.
std::vector<std::uint32_t> stratifiedSample(std::uint64_t n, std::uint64_t wanted,
                                            std::uint64_t seed = 0);

/// These points as a cloud with the same names of columns.
PointCloud pointsOf(const PointCloud& cloud, std::span<const std::uint32_t> ids);

}  // namespace clusterloom
