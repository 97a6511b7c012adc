#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/grid/prepared_cloud.h"
#include "engine/hierarchy/exact_squares.h"
#include "engine/hierarchy/nearest_neighbours.h"

/// The method products beside brute force on clouds that are hard for rounded coordinates, without
/// a test framework: for tests, and for a program on a machine with a GPU.
namespace productAgreement {

using namespace clusterloom;

/// Draws of `draws` and those that are hard for rounded coordinates.
inline PointCloud hardCloud(std::mt19937_64& random, std::uint64_t seed, std::size_t n,
                            std::size_t dims) {
  const auto& kinds = draws::kAllKinds;
  const std::size_t kind = seed % (kinds.size() + 9);
  if (kind < kinds.size()) return draws::draw(random, kinds[kind], n, dims);
  PointCloud cloud = draws::draw(random, "blobs", n, dims);
  for (std::size_t j = 0; j < dims; ++j) {
    for (std::size_t p = 0; p < n; ++p) {
      double& x = cloud.columns[j][p];
      switch (kind - kinds.size()) {
        case 0:  // nothing but subnormal differences
          x = std::ldexp(std::round(x), -1070);
          break;
        case 1:  // differences overflow
          x = (p % 2 == 0 ? 1.0 : -1.0) * std::ldexp(1.0 + x / 64, 1022);
          break;
        case 2:  // one dimension decides
          x = j == 0 ? x * 1e6 : x;
          break;
        case 3:  // a far offset leaves few digits
          x += 1e14;
          break;
        case 4:  // equal points
          x = 7;
          break;
        case 5:  // huge, and differences with it
          x *= 1e30;
          break;
        case 6: x *= 1e-30; break;
        case 7:  // an offset, with differences that cancel
          x = 1e6 + x * 1e-6;
          break;
        default:  // one huge coordinate
          if (p == 0 && j == 0) x = 1e12;
      }
    }
  }
  return cloud;
}

/// A distance that occurs, so that pairs are ties, else one in between.
inline double someEps(std::mt19937_64& random, const PointCloud& cloud) {
  const double square =
      canonicalSquaredDistance(cloud, random() % cloud.size(), random() % cloud.size());
  const double eps = std::sqrt(square) * (random() % 2 == 0 ? 1.0 : draws::unit(random));
  return std::isfinite(eps) && eps > 1e-150 && eps < 1e150 ? eps : 0.5;
}

/// Counts, pairs, histogram, table, DBSCAN and joins of two clouds of one drawn case; what differs,
/// or nothing.
inline std::string drawnCase(const Backend& backend, std::uint64_t seed, std::size_t dims,
                             std::size_t most, const Strategy& way) {
  std::mt19937_64 random(seed);
  const std::size_t n = seed % 3 == 0 ? 1 + random() % 5 : 1 + random() % most;
  const PointCloud cloud = hardCloud(random, seed, n, dims);
  if (!validate(JoinInput(cloud))) return {};
  const double eps = someEps(random, cloud);
  const auto counts = bruteForceCounts(cloud, eps);
  const auto pairs = bruteForcePairs(cloud, eps);
  const auto labels = bruteForceDbscan(cloud, {eps, static_cast<std::int64_t>(1 + random() % 8)});
  std::string what = agreement::ofJoins(backend, cloud, eps, *counts, *pairs, way);
  if (what.empty()) what = agreement::ofDbscan(backend, cloud, *labels, way);
  if (!what.empty()) return what;
  if (seed % 4 == 0) {
    const PreparedCloud prepared(std::make_shared<const PointCloud>(cloud));
    const auto counted = backend.count(JoinInput(prepared), eps, way, {});
    if (!counted) return counted.error().message;
    if (counted->counts != counts->counts) return "counts of a prepared cloud";
  }

  PointCloud queries = hardCloud(random, seed, 1 + random() % most, dims);
  for (std::size_t j = 0; j < dims; ++j) queries.columns[j][0] = cloud.columns[j][0];
  const JoinInput input(queries, cloud);
  if (!validate(input)) return {};
  std::vector<std::int32_t> given(cloud.size());
  for (std::int32_t& label : given) label = static_cast<std::int32_t>(random() % 5) - 1;
  const auto counted = backend.count(input, eps, way, {});
  if (!counted) return counted.error().message;
  if (counted->counts != bruteForceCounts(input, eps)->counts) return "counts of two clouds";
  const auto listed = backend.pairs(input, eps, way, {});
  if (!listed) return listed.error().message;
  const auto near = bruteForcePairs(input, eps);
  if (listed->pairs != near->pairs) return "pairs of two clouds";
  constexpr std::size_t kMostCompared = std::size_t{1} << 26;
  if (near->pairs.size() <= kMostCompared / dims)
    if (what = agreement::ofHistogram(backend, input, eps, *near, way, 20); !what.empty())
      return "two clouds: " + what;
  const auto lowest = backend.lowestLabels(input, given, eps, way, {});
  if (!lowest) return lowest.error().message;
  return lowest->labels == bruteForceLowestLabels(input, given, eps)->labels ? "" : "lowest labels";
}

/// check(dims, most points) for 1 to 4,096 dimensions, twelve times with few points, then
/// `largeRounds` times with many, while there is `more` time; the first that it finds wrong, or
/// nothing.
inline std::string overDims(
    const std::function<std::string(std::size_t dims, std::size_t most)>& check,
    const std::function<bool()>& more, std::size_t few, int largeRounds) {
  const std::size_t dims[] = {1,  2,  3,   7,   16,  31,  32,  33,  64,
                              65, 90, 128, 384, 385, 448, 768, 4096};
  for (int round = 0; round < 12; ++round)
    for (const std::size_t d : dims)
      if (more())
        if (std::string what = check(d, d > 512 ? 150 : few); !what.empty()) return what;
  for (const std::size_t d : {std::size_t{8}, std::size_t{40}, std::size_t{200}})
    for (int round = 0; round < largeRounds; ++round)
      if (more())
        if (std::string what = check(d, 9000); !what.empty()) return what;
  return {};
}

/// DBSCAN's labels of a drawn case in which points tend to have hundreds of neighbours, so that not
/// all pairs are listed; what differs, or nothing.
inline std::string denseCase(const Backend& backend, std::uint64_t seed, const Strategy& way) {
  const std::size_t dims[] = {2, 16, 17, 40};
  std::mt19937_64 random(seed);
  const std::size_t n = 1500 + random() % 1000;
  const PointCloud cloud = hardCloud(random, seed, n, dims[seed % std::size(dims)]);
  if (!validate(JoinInput(cloud))) return {};
  const auto most = static_cast<std::int64_t>(seed % 2 == 0 ? 10 : n / 4);
  const auto labels = bruteForceDbscan(
      cloud,
      {someEps(random, cloud), 1 + static_cast<std::int64_t>(random() % std::uint64_t(most))});
  return agreement::ofDbscan(backend, cloud, *labels, way);
}

/// Clouds of 1 to 4,096 dimensions, small, and of as many points as are put in order first, and
/// dense ones.
inline std::string onGpu(const Backend& gpu, const std::function<bool()>& more,
                         std::uint64_t& cases) {
  const Strategy way{.method = Method::Products};
  std::uint64_t seed = 0;
  const auto check = [&](std::size_t d, std::size_t most) {
    std::string what = drawnCase(gpu, seed, d, most, way);
    if (!what.empty())
      what = "products, seed " + std::to_string(seed) + ", " + std::to_string(d) + "-D: " + what;
    ++seed;
    ++cases;
    return what;
  };
  for (std::uint64_t dense = 0; dense < 24 && more(); ++dense, ++cases)
    if (const std::string what = denseCase(gpu, dense, way); !what.empty())
      return "products, dense seed " + std::to_string(dense) + ": " + what;
  return overDims(check, more, 400, 4);
}

/// Rows of nearest neighbours beside the canonical distances of all points; what differs, or
/// nothing.
inline std::string nearestDiffer(const PointCloud& cloud, int k, const NearestNeighbours& found) {
  const std::size_t n = cloud.size();
  const std::size_t entries = std::min(n, static_cast<std::size_t>(k));
  if (found.points != n || found.k != static_cast<int>(entries)) return "shape of neighbours";
  std::vector<std::pair<double, std::uint32_t>> others;
  for (std::size_t p = 0; p < n; ++p) {
    others.clear();
    for (std::size_t q = 0; q < n; ++q)
      if (q != p)
        others.emplace_back(canonicalSquaredDistance(cloud, p, q), static_cast<std::uint32_t>(q));
    std::sort(others.begin(), others.end());
    others.insert(others.begin(), {0.0, static_cast<std::uint32_t>(p)});
    for (std::size_t i = 0; i < entries; ++i)
      if (found.idsOf(p)[i] != others[i].second ||
          found.squaredDistancesOf(p)[i] != others[i].first)
        return "neighbour " + std::to_string(i) + " of point " + std::to_string(p);
  }
  return {};
}

/// The message of a refusal; nothing where squares overflow or underflow, which findNearest refuses
/// and nearestNeighbours does not.
inline std::string wronglyRefused(const PointCloud& cloud, int k,
                                  const Result<NearestNeighbours>& refused) {
  const auto found = nearestNeighbours(cloud, k);
  if (found && !checkSquares(cloud, *found, {})) return {};
  return refused.error().message;
}

/// Nearest neighbours by `find`, for 1 to kMaxNeighbours of them, on clouds of 1 to 4,096
/// dimensions that are hard for rounded coordinates.
inline std::string ofNearest(
    const std::function<Result<NearestNeighbours>(const PointCloud&, int)>& find,
    const std::function<bool()>& more, std::uint64_t& cases) {
  std::uint64_t seed = 0;
  const auto check = [&](std::size_t dims, std::size_t most) -> std::string {
    std::mt19937_64 random(++seed);
    const std::size_t n = seed % 7 == 0 ? 1 + random() % 5 : 1 + random() % most;
    const PointCloud cloud = hardCloud(random, seed, n, dims);
    if (!validate(JoinInput(cloud))) return {};
    const int k = 1 + static_cast<int>(random() % (seed % 3 == 0 ? kMaxNeighbours : 40));
    const auto found = find(cloud, k);
    const std::string what =
        found ? nearestDiffer(cloud, k, *found) : wronglyRefused(cloud, k, found);
    ++cases;
    if (what.empty()) return {};
    return "nearest, seed " + std::to_string(seed) + ", " + std::to_string(n) + " x " +
           std::to_string(dims) + ", k " + std::to_string(k) + ": " + what;
  };
  return overDims(check, more, 700, 3);
}

}  // namespace productAgreement
