#include "engine/cpu/r_tree.h"

// Boost.Geometry 1.74 includes headers that Boost itself calls deprecated.
#define BOOST_ALLOW_DEPRECATED_HEADERS

#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/cloud/point_distance.h"
#include "engine/core/stopwatch.h"

namespace clusterloom {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

/// Thrown inside this file to leave a sort, or a query with very many points.
struct Stopped {};

constexpr std::size_t kStepsPerLook = 1024;

/// Ids sorted by their bin of unit length, first dimension slowest ([Gowanlock 2018, §5.2.2]:
/// co-located points are inserted together).
std::vector<std::uint32_t> unitBinOrder(const PointCloud& cloud, const Task& task) {
  std::vector<std::uint32_t> order(cloud.size());
  std::iota(order.begin(), order.end(), 0U);
  std::size_t steps = 0;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (++steps % kStepsPerLook == 0 && task.cancelled()) throw Stopped{};
    for (const std::vector<double>& column : cloud.columns) {
      const double binA = std::floor(column[a]);
      const double binB = std::floor(column[b]);
      if (binA != binB) return binA < binB;
    }
    return a < b;
  });
  return order;
}

template <std::size_t Dims>
struct RTreeJoin {
  using Point = bg::model::point<double, Dims, bg::cs::cartesian>;
  using Box = bg::model::box<Point>;
  using Value = std::pair<Point, std::uint32_t>;
  using Tree = bgi::rtree<Value, bgi::quadratic<16>>;

  template <std::size_t... J>
  static Point pointOf(const std::vector<double>& coordinates, std::index_sequence<J...>) {
    Point point;
    (bg::set<J>(point, coordinates[J]), ...);
    return point;
  }
  static Point pointOf(const std::vector<double>& coordinates) {
    return pointOf(coordinates, std::make_index_sequence<Dims>());
  }

  static Result<NeighbourCounts> run(const PointCloud& cloud, double eps, double squaredEps,
                                     const Task& task) {
    const std::size_t n = cloud.size();
    Stopwatch watch;
    const std::vector<std::uint32_t> order = unitBinOrder(cloud, task);
    std::vector<double> centre(Dims), low(Dims), high(Dims);
    const auto load = [&](std::uint32_t p) {
      for (std::size_t j = 0; j < Dims; ++j) centre[j] = cloud.columns[j][p];
    };
    Tree tree;
    for (std::size_t i = 0; i < n; ++i) {
      if (i % kStepsPerLook == 0) {
        if (task.cancelled()) return cancelledError();
        task.report("building the R-tree", static_cast<double>(i) / static_cast<double>(n));
      }
      load(order[i]);
      tree.insert(Value(pointOf(centre), order[i]));
    }
    const double indexSeconds = watch.lap();

    // Inside the predicate each |fl(dx)| ≤ ε·(1 + 2u), u = 2⁻⁵³, so |dx| ≤ ε·(1 + 4u); the reach
    // exceeds that after its own rounding, and stepping to the next double covers the rounding of
    // the corner. No box therefore loses a neighbour.
    const double reach = eps * (1 + 0x1p-50);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    NeighbourCounts result;
    result.counts.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      if (i % kStepsPerLook == 0) {
        if (task.cancelled()) return cancelledError();
        task.report("searching the R-tree", static_cast<double>(i) / static_cast<double>(n));
      }
      const std::uint32_t p = order[i];
      load(p);
      for (std::size_t j = 0; j < Dims; ++j) {
        low[j] = std::nextafter(centre[j] - reach, -infinity);
        high[j] = std::nextafter(centre[j] + reach, infinity);
      }
      std::uint32_t count = 0;
      std::uint64_t held = 0;
      const auto refine = [&](const Value& value) {
        if (++held % kStepsPerLook == 0 && task.cancelled()) throw Stopped{};
        if (withinEps(canonicalSquaredDistance(cloud, p, value.second), squaredEps)) ++count;
      };
      tree.query(bgi::intersects(Box(pointOf(low), pointOf(high))),
                 boost::make_function_output_iterator(refine));
      result.counts[p] = count;
      result.pairs += count;
      result.candidates += held;
    }
    task.report("searching the R-tree", 1.0);
    result.stats.backend = "R-tree";
    result.stats.threads = 1;
    result.stats.strategy = "search and refine";
    result.stats.indexedDims = static_cast<int>(Dims);
    result.stats.batches = 1;
    result.stats.distanceCalculations = result.candidates;
    result.stats.seconds.index = indexSeconds;
    result.stats.seconds.join = watch.lap();
    result.stats.seconds.total = indexSeconds + result.stats.seconds.join;
    return result;
  }
};

}  // namespace

Result<NeighbourCounts> rTreeCounts(const PointCloud& cloud, double eps, const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  const auto squaredEps = epsSquared(eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  try {
    switch (cloud.dims()) {
      case 1:
        return RTreeJoin<1>::run(cloud, eps, *squaredEps, task);
      case 2:
        return RTreeJoin<2>::run(cloud, eps, *squaredEps, task);
      case 3:
        return RTreeJoin<3>::run(cloud, eps, *squaredEps, task);
      case 4:
        return RTreeJoin<4>::run(cloud, eps, *squaredEps, task);
      case 5:
        return RTreeJoin<5>::run(cloud, eps, *squaredEps, task);
      case 6:
        return RTreeJoin<6>::run(cloud, eps, *squaredEps, task);
      default:
        return fail(ErrorKind::BadCall, "the R-tree takes 1 to " + std::to_string(kRTreeMaxDims) +
                                            " dimensions, the cloud has " +
                                            std::to_string(cloud.dims()));
    }
  } catch (const Stopped&) {
    return cancelledError();
  }
}

}  // namespace clusterloom
