#include <algorithm>
#include <optional>

#include "engine/core/parallel_for.h"
#include "engine/cpu/cpu_join.h"
#include "engine/cpu/tile_counter.h"
#include "engine/hybrid/cpu_side.h"
#include "engine/join/query_sets.h"
#include "engine/join/schedule.h"
#include "engine/join/whole_cells.h"

namespace clusterloom {
namespace {

// The plan of the CPU's own join, which only has to index: no order, one batch.
JoinPlan planWithOrder(const JoinPlan& plan, QueryOrder order) {
  JoinPlan own = plan;
  own.strategy.order = order;
  own.strategy.batchPairs = 0;
  return own;
}

// Counts the neighbours of one query.
struct CountOne {
  std::uint32_t enough;
  std::uint32_t found = 0;
  bool hit(std::uint32_t, std::uint32_t) { return ++found >= enough; }
};

// The data of the CPU's threads.
JoinPlan planOfSide(const JoinPlan& plan) {
  JoinPlan own = planWithOrder(plan, QueryOrder::Cell);
  own.strategy.pattern = AccessPattern::Tile;
  return own;
}

class GridSide final : public CpuSide {
 public:
  GridSide(const SharedWork& work) : plan_(planOfSide(work.plan)) {}

  Result<void> prepare(const SharedWork& work, const Task& task) {
    auto join = prepareCpuJoin(work.input, work.eps, plan_, task);
    if (!join) return tl::unexpected(join.error());
    join_ = std::move(*join);
    // The papers' patterns examine every candidate, so that their work can be compared.
    if (work.plan.strategy.pattern == AccessPattern::Tile && join_->view().sortedBy < 0) {
      const double squaredEps = plan_.squaredEps;
      whole_ = decideWholeCells(join_->index, join_->queries, {&squaredEps, 1}, task);
      if (task.cancelled()) return cancelledError();
    }
    if (!join_->view().usesSingle) {
      window_ = makeRowWindow(join_->index.geometry);
      scan_.emplace(join_->index.ordered, plan_.squaredEps);
    }
    positionOf_.resize(work.input.queries.size());
    const QueryCells& queries = join_->queries;
    parallelFor(queries.size(), 1 << 14, [&](std::size_t i) {
      positionOf_[queries.pointIds[i]] = queries.firstQuery + std::uint32_t(i);
    });
    return {};
  }

  std::unique_ptr<CpuWorker> worker() const override;
  std::uint64_t cells() const override { return join_->index.cells(); }
  const CpuJoin& join() const { return *join_; }
  /// Neighbours of each query of a cell, where its box and those around it prove them.
  std::optional<std::uint32_t> provenCount(std::uint32_t position) const {
    if (whole_.decided.empty()) return std::nullopt;
    const std::uint32_t cell = join_->queryCellOf(position);
    if (!whole_.decided[cell]) return std::nullopt;
    return whole_.neighbours[cell];
  }
  /// In 64 bits candidates are read as vectors; null elsewhere.
  const CandidateScan* scan() const { return scan_ ? &*scan_ : nullptr; }
  const RowWindow& window() const { return window_; }
  std::uint32_t positionOf(std::uint32_t point) const { return positionOf_[point]; }

 private:
  const JoinPlan plan_;  // the join refers to it
  std::unique_ptr<CpuJoin> join_;
  WholeCells whole_;
  RowWindow window_;
  std::optional<CandidateScan> scan_;
  std::vector<std::uint32_t> positionOf_;
};

class GridWorker final : public CpuWorker {
 public:
  explicit GridWorker(const GridSide& side) : side_(side), join_(side.join()) {
    if (side.scan() != nullptr) counter_.emplace(join_, side.window(), *side.scan());
  }

  std::uint32_t count(std::uint32_t point, std::uint32_t enough) override {
    const std::uint32_t position = side_.positionOf(point);
    if (const auto proven = side_.provenCount(position)) return *proven;
    if (counter_) return counter_->count(position, enough, distances_);
    CountOne sink{enough};
    visit(point, sink);
    return sink.found;
  }
  void row(std::uint32_t point, std::span<std::int32_t> row) override {
    WriteRow sink{row, join_.index.pointIds};
    visit(point, sink);
    std::sort(row.begin(), row.end());
  }

 private:
  template <class Sink>
  void visit(std::uint32_t point, Sink& sink) {
    const JoinView& v = join_.view();
    const std::uint32_t query = side_.positionOf(point);
    const std::uint32_t cell = join_.cellOf[query];
    SerialLane lane;
    withDims(v.dims, [&]<int D>(Dims<D>) {
      distances_ += withReal(v, [&]<class Real>(Real) {
        return queryByRows<D, Real>(lane, v, query, cell, 0, 1, sink);
      });
    });
  }

  const GridSide& side_;
  const CpuJoin& join_;
  std::optional<TileCounter> counter_;
};

std::unique_ptr<CpuWorker> GridSide::worker() const { return std::make_unique<GridWorker>(*this); }

}  // namespace

Result<std::unique_ptr<CpuSide>> makeGridSide(const SharedWork& work, const Task& task) {
  auto side = std::make_unique<GridSide>(work);
  if (auto prepared = side->prepare(work, task); !prepared) return tl::unexpected(prepared.error());
  return side;
}

Result<OrderedQueries> orderByGrid(const SharedWork& work, const Task& task) {
  const bool asInput = work.plan.strategy.order == QueryOrder::Input;
  const JoinPlan plan =
      planWithOrder(work.plan, asInput ? QueryOrder::Input : QueryOrder::WorkQueue);
  const auto join = prepareCpuJoin(work.input, work.eps, plan, task);
  if (!join) return tl::unexpected(join.error());
  const std::vector<std::uint64_t> ofCell =
      cellWorkloads((*join)->index, (*join)->queries.ids, plan.strategy.pattern, task);
  const QueryCells& queries = (*join)->queries;
  if (task.cancelled()) return cancelledError();
  std::vector<std::uint32_t> points = std::move((*join)->schedule.queries);
  if (work.querySets > 1) {
    const QuerySets sets(std::uint32_t(points.size()), work.querySets, work.singleQueries);
    std::vector<std::uint32_t> dealt(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) dealt[sets.place(i)] = points[i];
    points = std::move(dealt);
  }
  std::vector<std::uint32_t> workloads(points.size());
  parallelFor(points.size(), 1 << 14, [&](std::size_t t) {
    const std::uint32_t position = points[t];
    workloads[t] = std::uint32_t(ofCell[(*join)->queryCellOf(position)]);
    points[t] = queries.pointIds[position - queries.firstQuery];
  });
  return orderedQueries(std::move(points), workloads);
}

}  // namespace clusterloom
