#pragma once

#include <cstdint>
#include <vector>

#include "engine/grid/grid_index.h"
#include "engine/join/join_plan.h"
#include "engine/join/lane.h"

namespace clusterloom {

/// What a lane program sees of an index and a plan: plain pointers and numbers, so that the same
/// struct works in host and device memory. Points are named by their position in cell order.
struct JoinView {
  static constexpr int kMaxIndexed = 8;

  // By value: on a GPU the view is a kernel's argument and these reads cost nothing.
  const double* columns[kMaxDims] = {};  ///< cell-ordered, in the cloud's own dimension order
  int dims = 0;
  double squaredEps = 0;

  const std::uint64_t* cellIds = nullptr;    ///< B
  const std::uint32_t* cellStart = nullptr;  ///< G
  std::uint32_t cells = 0;
  const std::uint32_t* occupied[kMaxIndexed] = {};  ///< M
  std::uint32_t occupiedCount[kMaxIndexed] = {};
  std::uint64_t stride[kMaxIndexed] = {};
  std::uint32_t extent[kMaxIndexed] = {};
  int indexedDims = 0;

  AccessPattern pattern = AccessPattern::Full;
  int sortedBy = -1;          ///< SORTIDU's dimension or −1
  bool shortCircuit = false;  ///< SHORTC
  bool reordered = false;     ///< SHORTC adds dimensions by sumOrder, not in the cloud's order
  std::uint8_t sumOrder[kMaxDims] = {};
  double acceptBelow = 0;  ///< a sum in sumOrder ≤ this is certainly inside …
  double rejectAbove = 0;  ///< … and one > this certainly outside; between, the predicate decides
};

/// The canonical predicate at two positions.
CLUSTERLOOM_LANE bool isNeighbour(const JoinView& v, std::uint32_t p, std::uint32_t q) {
  double sum = 0;
  for (int j = 0; j < v.dims; ++j) {
    const double difference = v.columns[j][p] - v.columns[j][q];
    sum += difference * difference;
  }
  return sum <= v.squaredEps;
}

/// The same answer by the road the plan asks for (SHORTC, paper 003 §4.4). In the canonical order
/// partial sums only grow, so stopping needs no band; in another order the sum may differ by the
/// band 2(n + 2)u·ε², inside which the predicate itself decides.
CLUSTERLOOM_LANE bool decideNeighbour(const JoinView& v, std::uint32_t p, std::uint32_t q) {
  if (!v.shortCircuit) return isNeighbour(v, p, q);
  double sum = 0;
  if (!v.reordered) {
    for (int j = 0; j < v.dims; ++j) {
      const double difference = v.columns[j][p] - v.columns[j][q];
      sum += difference * difference;
      if (sum > v.squaredEps) return false;
    }
    return true;
  }
  for (int i = 0; i < v.dims; ++i) {
    const int j = v.sumOrder[i];
    const double difference = v.columns[j][p] - v.columns[j][q];
    sum += difference * difference;
    if (sum > v.rejectAbove) return false;
  }
  return sum <= v.acceptBelow || isNeighbour(v, p, q);
}

/// Fills what host and device views share: everything of `plan` and `geometry` but the arrays.
JoinView viewWithoutArrays(const CellGeometry& geometry, const JoinPlan& plan, std::size_t dims,
                           double eps);

/// Owns what a host JoinView points at. Keeps a reference to `index`.
struct HostJoinView {
  HostJoinView(const GridIndex& index, const JoinPlan& plan);
  HostJoinView(const HostJoinView&) = delete;
  HostJoinView& operator=(const HostJoinView&) = delete;

  JoinView view;

 private:
  std::vector<std::vector<std::uint32_t>> occupied_;
};

}  // namespace clusterloom
