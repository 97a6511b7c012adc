#include "engine/join/join_view.h"

#include <algorithm>

#include "engine/core/parallel_for.h"
#include "engine/join/other_order.h"

namespace clusterloom {

std::uint64_t directoryEntries(const CellGeometry& geometry, std::size_t points) {
  constexpr std::uint64_t kMost = 1ULL << 26;
  constexpr std::uint64_t kAlways = 1ULL << 20;
  const std::uint64_t ids = geometry.linearIds();
  return ids > std::max<std::uint64_t>(4 * points, kAlways) || ids > kMost ? 0 : ids + 1;
}

JoinView viewWithoutArrays(const CellGeometry& geometry, const JoinPlan& plan, std::size_t dims) {
  JoinView view;
  view.dims = int(dims);
  view.metric = plan.metric;
  view.squaredEps = plan.squaredEps;
  view.indexedDims = geometry.indexedDims();
  for (std::size_t i = 0; i < geometry.dims.size(); ++i) {
    view.stride[i] = geometry.stride[i];
    view.extent[i] = geometry.extent[i];
  }
  view.pattern = plan.strategy.pattern;
  view.sortedBy = plan.sortWithinCells;
  view.shortCircuit = plan.strategy.shortCircuit == Toggle::On;
  view.reordered = !plan.sumOrder.empty();
  for (std::size_t i = 0; i < dims; ++i)
    view.sumOrder[i] = std::uint8_t(view.reordered ? plan.sumOrder[i] : i);
  const double band = otherOrderBand(view.dims);
  view.acceptBelow = view.squaredEps * (1.0 - band);
  view.rejectAbove = view.squaredEps * (1.0 + band);
  view.usesSingle = plan.strategy.precision == Precision::Single;
  std::ranges::copy(plan.single.blocks, view.single.blocks);
  view.single.acceptBelow = plan.single.acceptBelow;
  view.single.rejectAbove = plan.single.rejectAbove;
  return view;
}

HostJoinView::HostJoinView(const GridIndex& index, const JoinPlan& plan, const GridQueries* queries)
    : view(viewWithoutArrays(index.geometry, plan, index.ordered.dims())),
      occupied_(occupiedCoordinates(index)) {
  for (std::size_t j = 0; j < index.ordered.dims(); ++j)
    view.columns[j] = index.ordered.columns[j].data();
  if (queries != nullptr) {
    cellIds_ = index.cellIds;
    cellIds_.insert(cellIds_.end(), queries->cells.ids.begin(), queries->cells.ids.end());
  }
  view.cellIds = queries != nullptr ? cellIds_.data() : index.cellIds.data();
  view.cellStart = index.cellStart.data();
  view.cells = std::uint32_t(index.cells());
  for (std::size_t i = 0; i < occupied_.size(); ++i) {
    view.occupied[i] = occupied_[i].data();
    view.occupiedCount[i] = std::uint32_t(occupied_[i].size());
  }
  if (view.usesSingle) addSingle(index, plan.single);
}

void HostJoinView::addSingle(const GridIndex& index, const SinglePrecision& single) {
  for (const OffsetColumn& column : single.columns) {
    const std::vector<double>& x = index.ordered.columns[std::size_t(column.dimension)];
    std::vector<float> offsets(x.size());
    parallelFor(x.size(), 4096, [&](std::size_t p) {
      offsets[p] = p < index.size() ? offsetOf(column, single.scale, x[p])
                                    : queryOffsetOf(column, single.scale, x[p]);
    });
    offsets_.push_back(std::move(offsets));
    view.single.columns[offsets_.size() - 1] = offsets_.back().data();
  }
}

}  // namespace clusterloom
