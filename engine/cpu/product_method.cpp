#include "engine/cpu/methods.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/lower_bound.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/pair_forecast.h"
#include "engine/product/product_join.h"

namespace clusterloom {
namespace {

using PositionPair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs of a pass, as long as they fit into a number of bytes.
class KeptPairs {
 public:
  void begin(std::uint64_t bytes) { room_ = std::int64_t(bytes / sizeof(PositionPair)); }

  /// Takes the pairs of one task; drops all when they have become too many, or memory runs out.
  void add(std::vector<PositionPair> pairs) noexcept {
    const std::lock_guard lock(mutex_);
    room_ -= std::int64_t(pairs.size());
    try {
      if (room_ >= 0) return lists_.push_back(std::move(pairs));
    } catch (const std::bad_alloc&) {
      room_ = -1;
    }
    lists_.clear();
  }
  bool full() {
    const std::lock_guard lock(mutex_);
    return room_ < 0;
  }
  void finish() { complete_ = room_ >= 0; }
  bool complete() const { return complete_; }
  const std::vector<std::vector<PositionPair>>& lists() const { return lists_; }

 private:
  std::mutex mutex_;
  std::int64_t room_ = 0;
  bool complete_ = false;
  std::vector<std::vector<PositionPair>> lists_;
};

/// The pairs that one task keeps, in lists of a bounded size; none where there is nowhere to keep.
class PairsOfTask {
 public:
  explicit PairsOfTask(KeptPairs* kept) : kept_(kept) {}
  PairsOfTask(PairsOfTask&&) = default;
  ~PairsOfTask() {
    if (kept_ != nullptr && !pairs_.empty()) kept_->add(std::move(pairs_));
  }
  void add(std::uint32_t p, std::uint32_t q) {
    if (kept_ == nullptr) return;
    pairs_.emplace_back(p, q);
    if (pairs_.size() < kMost) return;
    kept_->add(std::exchange(pairs_, {}));
    if (kept_->full()) kept_ = nullptr;
  }

 private:
  static constexpr std::size_t kMost = 1 << 16;
  KeptPairs* kept_;
  std::vector<PositionPair> pairs_;
};

/// Gives pairs to a sink, of one cloud both ways, and keeps them.
template <class Sink>
class PairVisit {
 public:
  PairVisit(Sink sink, bool bothWays, KeptPairs* kept)
      : sink_(std::move(sink)), bothWays_(bothWays), kept_(kept) {}
  void operator()(std::uint32_t p, std::uint32_t q) {
    sink_.hit(p, q);
    if (bothWays_ && p != q) sink_.hit(q, p);
    kept_.add(p, q);
  }

 private:
  Sink sink_;
  bool bothWays_;
  PairsOfTask kept_;
};

/// Counts neighbours, and puts two points that are known to be core into one set. What is kept are
/// the other pairs: each is the first, second, … of a point that has fewer than minPts neighbours
/// so far, so that a point has fewer than minPts of them.
class CoreVisit {
 public:
  CoreVisit(std::span<std::uint32_t> counts, std::uint32_t minPts, UnionFind& sets, KeptPairs& kept)
      : counts_(counts), minPts_(minPts), sets_(sets), kept_(&kept) {}
  void operator()(std::uint32_t p, std::uint32_t q) {
    const bool coreP = countOne(p);
    if (p == q) return;
    const bool coreQ = countOne(q);
    if (coreP && coreQ)
      sets_.unite(p, q);
    else
      kept_.add(p, q);
  }

 private:
  /// Whether the point is known to be core now.
  bool countOne(std::uint32_t p) {
    return SerialLane{}.add(&counts_[p], std::uint32_t{1}) + 1 >= minPts_;
  }

  std::span<std::uint32_t> counts_;
  std::uint32_t minPts_;
  UnionFind& sets_;
  PairsOfTask kept_;
};

/// Adds pairs to bins of distance, of one cloud both ways. Where the rounded points prove a pair
/// within an edge and outside the one before, its distance is not needed.
class BinVisit {
 public:
  BinVisit(const ProductInput& input, const DistanceBins& bins, std::span<std::uint64_t> counts)
      : input_(input),
        bins_(bins),
        counts_(counts),
        inside_(counts.size()),
        outside_(counts.size()) {}
  void begin(const LeafOf& a, const LeafOf& b) {
    for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
      const TileReach reach = tileReach(a, b, bins_.upper[bin]);
      inside_[bin] = reach.inside;
      outside_[bin] = reach.outside;
    }
  }
  void operator()(std::uint32_t p, std::uint32_t q, std::int32_t rounded) {
    const std::size_t all = counts_.size();
    std::size_t bin = lowerBound(inside_.data(), std::size_t{0}, all, rounded);
    if (bin == all || (bin > 0 && rounded <= outside_[bin - 1])) {
      const double square =
          canonicalSquaredDistance(input_.asking(), p - input_.firstQuery(), input_.points, q);
      bin = lowerBound(bins_.squared.data(), std::size_t{0}, all - 1, square);
    }
    counts_[bin] += input_.queries == nullptr && p != q ? 2 : 1;
  }

 private:
  const ProductInput input_;
  const DistanceBins& bins_;
  std::span<std::uint64_t> counts_;
  std::vector<std::int32_t> inside_;  // of the present tile, by bin
  std::vector<std::int32_t> outside_;
};

class ProductMethod final : public SinkJoin<ProductMethod> {
 public:
  ProductMethod(const JoinInput& input, double eps, double squaredEps, RoundedPoints points,
                std::optional<RoundedPoints> queries)
      : clouds_(input),
        eps_(eps),
        squaredEps_(squaredEps),
        points_(std::move(points)),
        queries_(std::move(queries)) {}

  const std::vector<std::uint32_t>& pointIds() const override { return points_.pointIds; }
  QueryPositions queries() const override {
    return {input().firstQuery(), input().asking().pointIds};
  }
  void addStats(RunStats& stats) const override { stats.batches = 1; }
  Result<void> checkPairsFit(std::uint64_t bytesPerPair, const Task& task) const override {
    // The grid's forecast is for one cloud, and for the dimensions of the grid.
    if (clouds_.twoClouds || points_.dims > kMaxGridDims) return {};
    return checkPairsFitByGrid(clouds_.points, eps_, bytesPerPair, task);
  }
  Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts, std::uint32_t,
                         const Task& task) const override {
    return search(stage, task, [&] { return PairVisit(countSink(counts), bothWays(), nullptr); });
  }
  Result<JoinWork> countToFill(std::string_view stage, std::span<std::uint32_t> counts,
                               const Task& task) const override {
    return searchAndKeep(stage, task,
                         [&] { return PairVisit(countSink(counts), bothWays(), &kept_); });
  }
  Result<JoinWork> testCore(std::span<std::uint32_t> counts, std::uint32_t minPts, bool,
                            UnionFind& sets, const Task& task) const override {
    return searchAndKeep("core test", task, [&] { return CoreVisit(counts, minPts, sets, kept_); });
  }

  /// Ordered pairs by distance, added to `pairs`, which has an entry for each bin.
  Result<JoinWork> countByDistance(const DistanceBins& bins, std::vector<std::uint64_t>& pairs,
                                   const Task& task) const {
    using Counts = std::vector<std::uint64_t>;
    tbb::enumerable_thread_specific<Counts> counts([&] { return Counts(pairs.size(), 0); });
    auto work = search("counting", task, [&] { return BinVisit(input(), bins, counts.local()); });
    for (const Counts& some : counts)
      std::transform(some.begin(), some.end(), pairs.begin(), pairs.begin(), std::plus<>{});
    return work;
  }

  bool bothWays() const { return !clouds_.twoClouds; }
  template <class MakeSink, class Wanted>
  Result<JoinWork> run(std::string_view stage, const Task& task, const MakeSink& makeSink,
                       const Wanted&) const {
    if (kept_.complete()) return repeat(stage, task, makeSink);
    return search(stage, task, [&] { return PairVisit(makeSink(), bothWays(), nullptr); });
  }

 private:
  ProductInput input() const { return {points_, queries_ ? &*queries_ : nullptr}; }

  /// Hits of one query may come from several threads.
  static CountSink countSink(std::span<std::uint32_t> counts) { return {counts, true, 0}; }

  template <class MakeVisit>
  Result<JoinWork> search(std::string_view stage, const Task& task,
                          const MakeVisit& makeVisit) const {
    const auto pairs = runProductJoin(input(), eps_, squaredEps_, stage, task, makeVisit);
    if (!pairs) return tl::unexpected(pairs.error());
    return JoinWork{*pairs, *pairs};
  }
  template <class MakeVisit>
  Result<JoinWork> searchAndKeep(std::string_view stage, const Task& task,
                                 const MakeVisit& makeVisit) const {
    kept_.begin(availableMemory() / 4);
    auto work = search(stage, task, makeVisit);
    if (work) kept_.finish();
    return work;
  }

  template <class MakeSink>
  Result<JoinWork> repeat(std::string_view stage, const Task& task,
                          const MakeSink& makeSink) const {
    SharedProgress progress(task, stage, kept_.lists().size());
    parallelFor(kept_.lists().size(), 1, [&](std::size_t i) {
      if (task.cancelled()) return;
      PairVisit visit(makeSink(), bothWays(), nullptr);
      for (const auto& [p, q] : kept_.lists()[i]) visit(p, q);
      progress.add(1);
    });
    if (task.cancelled()) return cancelledError();
    return JoinWork{};
  }

  JoinInput clouds_;
  double eps_;
  double squaredEps_;
  RoundedPoints points_;
  std::optional<RoundedPoints> queries_;  // of another cloud
  mutable KeptPairs kept_;                // for the passes that follow the first
};

Result<std::unique_ptr<ProductMethod>> roundedMethod(const JoinInput& input, double eps,
                                                     const JoinPlan& plan, const Task& task) {
  const PointCloud* const clouds[] = {&input.points, &input.queries};
  const Rounding rounding = roundingFor(std::span(clouds).first(input.twoClouds ? 2 : 1), task);
  // Kept for small clouds only: of floats they are half of the coordinates.
  constexpr std::size_t kPanelValues = std::size_t{16} << 20;
  auto points = roundPoints(input.points, rounding, task, kPanelValues);
  if (!points) return tl::unexpected(points.error());
  std::optional<RoundedPoints> queries;
  if (input.twoClouds) {
    auto rounded = roundPoints(input.queries, rounding, task, kPanelValues);
    if (!rounded) return tl::unexpected(rounded.error());
    queries = std::move(*rounded);
  }
  return std::make_unique<ProductMethod>(input, eps, plan.squaredEps, std::move(*points),
                                         std::move(queries));
}

}  // namespace

Result<std::unique_ptr<PreparedJoin>> prepareProductJoin(const JoinInput& input, double eps,
                                                         const JoinPlan& plan, const Task& task) {
  return roundedMethod(input, eps, plan, task);
}

Result<DistanceHistogram> productHistogram(const JoinInput& input, double eps, const JoinPlan& plan,
                                           const DistanceBins& bins, const Task& task) {
  Stopwatch watch;
  const auto join = roundedMethod(input, eps, plan, task);
  if (!join) return tl::unexpected(join.error());
  DistanceHistogram result;
  result.upper = bins.upper;
  result.pairs.assign(bins.upper.size(), 0);
  result.stats.seconds.index = watch.lap();
  const auto counted = (*join)->countByDistance(bins, result.pairs, task);
  if (!counted) return tl::unexpected(counted.error());
  result.stats.distanceCalculations = counted->calculations;
  result.stats.seconds.join = watch.lap();
  (*join)->addStats(result.stats);
  return result;
}

}  // namespace clusterloom
