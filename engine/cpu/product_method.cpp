#include "engine/cpu/methods.h"

#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/cpu/pair_forecast.h"
#include "engine/cpu/sink_join.h"
#include "engine/product/product_join.h"

namespace clusterloom {
namespace {

using PositionPair = std::pair<std::uint32_t, std::uint32_t>;

/// The pairs of a pass, as long as they fit into a number of bytes.
class KeptPairs {
 public:
  void begin(std::uint64_t bytes) { room_ = std::int64_t(bytes / sizeof(PositionPair)); }

  /// Takes the pairs of one task; drops all when they have become too many.
  void add(std::vector<PositionPair> pairs) {
    const std::lock_guard lock(mutex_);
    room_ -= std::int64_t(pairs.size());
    if (room_ >= 0)
      lists_.push_back(std::move(pairs));
    else
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

/// Gives pairs to a sink, of one cloud both ways, and to the kept pairs in lists of a bounded size.
template <class Sink>
class PairVisit {
 public:
  PairVisit(Sink sink, bool bothWays, KeptPairs* kept)
      : sink_(std::move(sink)), bothWays_(bothWays), kept_(kept) {}
  PairVisit(PairVisit&&) = default;
  ~PairVisit() {
    if (kept_ != nullptr && !pairs_.empty()) kept_->add(std::move(pairs_));
  }
  void operator()(std::uint32_t p, std::uint32_t q) {
    sink_.hit(p, q);
    if (bothWays_ && p != q) sink_.hit(q, p);
    if (kept_ == nullptr) return;
    pairs_.emplace_back(p, q);
    if (pairs_.size() < kMost) return;
    kept_->add(std::exchange(pairs_, {}));
    if (kept_->full()) kept_ = nullptr;
  }

 private:
  static constexpr std::size_t kMost = 1 << 16;
  Sink sink_;
  bool bothWays_;
  KeptPairs* kept_;
  std::vector<PositionPair> pairs_;
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
    // Hits of one query may come from several threads.
    return run(
        stage, task, [&] { return CountSink(counts, true, 0); },
        [](std::uint32_t) { return true; });
  }

  bool bothWays() const { return !clouds_.twoClouds; }
  template <class MakeSink, class Wanted>
  Result<JoinWork> run(std::string_view stage, const Task& task, const MakeSink& makeSink,
                       const Wanted&) const {
    if (kept_.complete()) return repeat(stage, task, makeSink);
    kept_.begin(availableMemory() / 4);
    const auto pairs = runProductJoin(input(), eps_, squaredEps_, stage, task,
                                      [&] { return PairVisit(makeSink(), bothWays(), &kept_); });
    if (!pairs) return tl::unexpected(pairs.error());
    kept_.finish();
    return JoinWork{*pairs, *pairs};
  }

 private:
  ProductInput input() const { return {points_, queries_ ? &*queries_ : nullptr}; }

  template <class MakeSink>
  Result<JoinWork> repeat(std::string_view stage, const Task& task,
                          const MakeSink& makeSink) const {
    SharedProgress progress(task, stage, kept_.lists().size());
    tbb::parallel_for(std::size_t{0}, kept_.lists().size(), [&](std::size_t i) {
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
  mutable KeptPairs kept_;                // by the first pass
};

}  // namespace

Result<std::unique_ptr<PreparedJoin>> prepareProductJoin(const JoinInput& input, double eps,
                                                         const JoinPlan& plan, const Task& task) {
  const PointCloud* const clouds[] = {&input.points, &input.queries};
  const Rounding rounding = roundingFor(std::span(clouds).first(input.twoClouds ? 2 : 1));
  auto points = roundPoints(input.points, rounding, task);
  if (!points) return tl::unexpected(points.error());
  std::optional<RoundedPoints> queries;
  if (input.twoClouds) {
    auto rounded = roundPoints(input.queries, rounding, task);
    if (!rounded) return tl::unexpected(rounded.error());
    queries = std::move(*rounded);
  }
  return std::make_unique<ProductMethod>(input, eps, plan.squaredEps, std::move(*points),
                                         std::move(queries));
}

}  // namespace clusterloom
