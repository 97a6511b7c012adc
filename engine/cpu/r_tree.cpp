#include "engine/cpu/methods.h"

// Boost.Geometry 1.74 includes headers that Boost itself calls deprecated.
#define BOOST_ALLOW_DEPRECATED_HEADERS

#include <algorithm>
#include <atomic>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/cloud/point_distance.h"
#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/pair_forecast.h"
#include "engine/grid/dimension_order.h"

#include <tbb/task_arena.h>

namespace clusterloom {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

/// Thrown inside this file to leave a sort, or a query with very many points.
struct Stopped {};

constexpr std::size_t kStepsPerLook = 1024;
// Of the searches of all points; a DBSCAN takes up to twice as long. The grid takes 5 % of that for
// a lattice of 7⁶ points at ε = 1.2, and 0.1 % for one of 30³ in a periodic box at ε = 7.
constexpr double kMostSeconds = 100;

/// Ids sorted by their bin of unit length, first dimension slowest ([Gowanlock 2018, §5.2.2]:
/// co-located points are inserted together).
std::vector<std::uint32_t> unitBinOrder(const PointCloud& cloud, const Task& task) {
  std::vector<std::uint32_t> order(cloud.size());
  std::iota(order.begin(), order.end(), 0U);
  std::size_t steps = 0;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (++steps % kStepsPerLook == 0 && task.cancelled()) throw Stopped{};
    for (const Coordinates& column : cloud.columns) {
      const double binA = std::floor(column[a]);
      const double binB = std::floor(column[b]);
      if (binA != binB) return binA < binB;
    }
    return a < b;
  });
  return order;
}

/// Takes a position that was found and says whether it is the last that is needed.
using Visit = std::function<bool(std::uint32_t)>;

/// The points of a cloud, by position, in a tree over some of its dimensions.
class SearchTree {
 public:
  virtual ~SearchTree() = default;
  /// Visits the positions in the box around the point at `query`. `stepwise`: the search goes on
  /// only as far as visits ask for, which costs up to two fifths more where all are visited.
  virtual void search(std::uint32_t query, bool stepwise, const Visit& visit) const = 0;
};

template <std::size_t Dims>
class TreeOf final : public SearchTree {
 public:
  TreeOf(const PointCloud& ordered, const std::vector<int>& dims, double eps, const Task& task)
      // Inside the predicate each |fl(dx)| ≤ ε·(1 + 2u), u = 2⁻⁵³, so |dx| ≤ ε·(1 + 4u); the reach
      // exceeds that after its own rounding, and stepping to the next double covers the rounding of
      // the corner. No box therefore loses a neighbour.
      : reach_(eps * (1 + 0x1p-50)) {
    for (std::size_t i = 0; i < Dims; ++i)
      columns_[i] = ordered.columns[std::size_t(dims[i])].data();
    const std::size_t n = ordered.size();
    for (std::uint32_t p = 0; p < n; ++p) {
      if (p % kStepsPerLook == 0) {
        if (task.cancelled()) throw Stopped{};
        task.report("building the R-tree", double(p) / double(n));
      }
      tree_.insert(Value(corner(p, 0), p));
    }
  }

  void search(std::uint32_t query, bool stepwise, const Visit& visit) const override {
    const auto inBox = bgi::intersects(Box(corner(query, -1), corner(query, 1)));
    if (stepwise) {
      for (auto found = tree_.qbegin(inBox); found != tree_.qend(); ++found)
        if (visit(found->second)) return;
      return;
    }
    const auto take = [&](const Value& value) {
      if (visit(value.second)) throw Stopped{};
    };
    try {
      tree_.query(inBox, boost::make_function_output_iterator(take));
    } catch (const Stopped&) {
    }
  }

 private:
  using Point = bg::model::point<double, Dims, bg::cs::cartesian>;
  using Box = bg::model::box<Point>;
  using Value = std::pair<Point, std::uint32_t>;

  /// The point itself (side 0), or the lower (−1) or upper (1) corner of the box around it.
  Point corner(std::uint32_t p, int side) const {
    return cornerOf(p, side, std::make_index_sequence<Dims>());
  }
  template <std::size_t... J>
  Point cornerOf(std::uint32_t p, int side, std::index_sequence<J...>) const {
    Point point;
    (bg::set<J>(point, moved(columns_[J][p], side)), ...);
    return point;
  }
  double moved(double x, int side) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return side == 0 ? x : std::nextafter(x + side * reach_, side * infinity);
  }

  double reach_;
  const double* columns_[Dims] = {};
  bgi::rtree<Value, bgi::quadratic<16>> tree_;
};

std::unique_ptr<SearchTree> makeTree(const PointCloud& ordered, const std::vector<int>& dims,
                                     double eps, const Task& task) {
  switch (dims.size()) {
    case 1: return std::make_unique<TreeOf<1>>(ordered, dims, eps, task);
    case 2: return std::make_unique<TreeOf<2>>(ordered, dims, eps, task);
    case 3: return std::make_unique<TreeOf<3>>(ordered, dims, eps, task);
    case 4: return std::make_unique<TreeOf<4>>(ordered, dims, eps, task);
    case 5: return std::make_unique<TreeOf<5>>(ordered, dims, eps, task);
    default: return std::make_unique<TreeOf<kRTreeMaxDims>>(ordered, dims, eps, task);
  }
}

class RTreeMethod final : public SinkJoin<RTreeMethod> {
 public:
  RTreeMethod(const PointCloud& cloud, double eps, double squaredEps, const Task& task)
      : cloud_(cloud), eps_(eps), squaredEps_(squaredEps), pointIds_(unitBinOrder(cloud, task)) {
    for (const Coordinates& column : cloud.columns) {
      if (task.cancelled()) throw Stopped{};
      std::vector<double> ordered(column.size());
      for (std::size_t p = 0; p < column.size(); ++p) ordered[p] = column[pointIds_[p]];
      ordered_.columns.push_back(std::move(ordered));
    }
    std::vector<int> dims = dimensionsByVariance(cloud);
    dims.resize(std::min(dims.size(), kRTreeMaxDims));
    tree_ = makeTree(ordered_, dims, eps, task);
  }

  const std::vector<std::uint32_t>& pointIds() const override { return pointIds_; }
  void addStats(RunStats& stats) const override { stats.batches = 1; }
  Result<void> checkPairsFit(std::uint64_t bytesPerPair, const Task& task) const override {
    return checkPairsFitByGrid(cloud_, eps_, bytesPerPair, task);
  }
  Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts,
                         std::uint32_t enough, const Task& task) const override {
    return run(
        stage, task, [&] { return CountSink(counts, false, enough); },
        [](std::uint32_t) { return true; }, enough <= pointIds_.size());
  }
  Result<void> checkDbscan(const Task& task) const override {
    const double seconds = forecastSeconds(task);
    if (task.cancelled()) return cancelledError();
    if (seconds <= kMostSeconds) return {};
    return tooLarge("With the R-tree each point searches alone, which would take more than " +
                    groupedText(std::uint64_t(kMostSeconds)) +
                    " s here, by a sample of the searches. Use the method grid, which gives the "
                    "same clusters, or a smaller ε.");
  }

  bool bothWays() const { return false; }
  /// `stepwise` where hits may end a search.
  template <class MakeSink, class Wanted>
  Result<JoinWork> run(std::string_view stage, const Task& task, const MakeSink& makeSink,
                       const Wanted& wanted, bool stepwise = false) const {
    constexpr std::size_t kQueriesPerBlock = 64;
    std::atomic<std::uint64_t> candidates = 0;
    SharedProgress progress(task, stage, pointIds_.size());
    parallelForBlocks(pointIds_.size(), kQueriesPerBlock, [&](std::size_t begin, std::size_t end) {
      auto sink = makeSink();
      std::uint32_t query = 0;
      std::uint64_t examined = 0;
      const Visit visit = [&](std::uint32_t p) {
        if (++examined % kStepsPerLook == 0 && task.cancelled()) return true;
        return withinEps(canonicalSquaredDistance(ordered_, query, p), squaredEps_) &&
               sink.hit(query, p);
      };
      for (std::size_t i = begin; i < end && !task.cancelled(); ++i) {
        query = std::uint32_t(i);
        if (!wanted(query)) continue;
        tree_->search(query, stepwise, visit);
        sink.finish(query);
      }
      candidates += examined;
      progress.add(end - begin);
    });
    if (task.cancelled()) return cancelledError();
    return JoinWork{candidates, candidates};
  }

 private:
  /// Of one search by each point on all threads, by the processor time of a sample that is spread
  /// over the positions. The sample ends as soon as it proves more than kMostSeconds.
  double forecastSeconds(const Task& task) const {
    constexpr std::size_t kSamples = 256;
    const std::size_t n = pointIds_.size();
    if (n <= kSamples) return 0;
    const double whole = double(n) / kSamples / tbb::this_task_arena::max_concurrency();
    const double start = threadSeconds();
    double seconds = 0;
    std::uint64_t examined = 0;
    for (std::size_t s = 0; s < kSamples && seconds <= kMostSeconds && !task.cancelled(); ++s) {
      const auto query = std::uint32_t(s * n / kSamples);
      std::uint64_t within = 0;
      tree_->search(query, false, [&](std::uint32_t p) {
        within += withinEps(canonicalSquaredDistance(ordered_, query, p), squaredEps_);
        if (++examined % kStepsPerLook != 0) return false;
        seconds = (threadSeconds() - start) * whole;
        return seconds > kMostSeconds || task.cancelled();
      });
      seconds = (threadSeconds() - start) * whole;
    }
    return seconds;
  }

  const PointCloud& cloud_;
  double eps_;
  double squaredEps_;
  std::vector<std::uint32_t> pointIds_;
  PointCloud ordered_;
  std::unique_ptr<SearchTree> tree_;
};

}  // namespace

Result<std::unique_ptr<PreparedJoin>> prepareRTreeJoin(const PointCloud& cloud, double eps,
                                                       const JoinPlan& plan, const Task& task) {
  try {
    return std::make_unique<RTreeMethod>(cloud, eps, plan.squaredEps, task);
  } catch (const Stopped&) {
    return cancelledError();
  }
}

}  // namespace clusterloom
