#include "engine/join/join_view.h"

namespace clusterloom {

HostJoinView::HostJoinView(const GridIndex& index, const JoinPlan& plan)
    : occupied_(occupiedCoordinates(index)) {
  for (const auto& column : index.ordered.columns) columns_.push_back(column.data());
  view.columns = columns_.data();
  view.dims = static_cast<int>(columns_.size());
  view.squaredEps = index.eps * index.eps;
  view.cellIds = index.cellIds.data();
  view.cellStart = index.cellStart.data();
  view.cells = static_cast<std::uint32_t>(index.cells());
  view.indexedDims = index.geometry.indexedDims();
  for (std::size_t i = 0; i < index.geometry.dims.size(); ++i) {
    view.occupied[i] = occupied_[i].data();
    view.occupiedCount[i] = static_cast<std::uint32_t>(occupied_[i].size());
    view.stride[i] = index.geometry.stride[i];
    view.extent[i] = index.geometry.extent[i];
  }
  view.pattern = plan.strategy.pattern;
  view.sortedBy = plan.sortWithinCells;
  view.shortCircuit = plan.strategy.shortCircuit == Toggle::On;
  if (!plan.sumOrder.empty()) view.sumOrder = plan.sumOrder.data();
  // Two sums of the same n squares in different orders each lie within (n + 1)u of the true sum,
  // relatively, so they differ by at most 2(n + 2)u·ε² near ε²; two more pay for rounding here.
  const double band = 2.0 * (view.dims + 4.0) * 0x1p-53;
  view.acceptBelow = view.squaredEps * (1.0 - band);
  view.rejectAbove = view.squaredEps * (1.0 + band);
}

}  // namespace clusterloom
