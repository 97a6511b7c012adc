#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/lane.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/grid_queries.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// Precision 32 (engine/join/single_precision.h): the cloud's offsets in cell order, the dimensions
/// in the order in which distances add them.
struct SingleView {
  const float* columns[kMaxGridDims] = {};
  float blocks[kMaxGridDims] = {};
  float acceptBelow = 0;
  float rejectAbove = 0;
};

/// The part of an index and a plan that lane programs read: plain pointers and numbers, so that the
/// same struct works in host and device memory. Points are named by their position in cell order.
/// In a join of two clouds the queries follow the points of the grid: their positions in the
/// columns, and the linear ids of their cells in cellIds. `cells` counts the grid's cells only, so
/// that no search finds a query.
struct JoinView {
  static constexpr int kMaxIndexed = 8;

  // By value: on a GPU the view is a kernel's argument and these reads cost nothing.
  const double* columns[kMaxGridDims] = {};  ///< cell-ordered, in the cloud's own dimension order
  int dims = 0;
  Metric metric = Metric::Euclidean;
  double squaredEps = 0;

  const std::uint64_t* cellIds = nullptr;    ///< B, then the cells of queries
  const std::uint32_t* cellStart = nullptr;  ///< G
  std::uint32_t cells = 0;
  /// First position in or after the cell of each linear id, one entry more than there are ids; null
  /// where that would be too large (and on the host, whose searches cost less than its memory).
  const std::uint32_t* directory = nullptr;
  const std::uint32_t* occupied[kMaxIndexed] = {};  ///< M
  std::uint32_t occupiedCount[kMaxIndexed] = {};
  std::uint64_t stride[kMaxIndexed] = {};
  std::uint32_t extent[kMaxIndexed] = {};
  int indexedDims = 0;

  AccessPattern pattern = AccessPattern::Full;
  int sortedBy = -1;          ///< SORTIDU's dimension or −1
  bool shortCircuit = false;  ///< SHORTC
  bool reordered = false;     ///< SHORTC adds dimensions by sumOrder, not in the cloud's order
  std::uint8_t sumOrder[kMaxGridDims] = {};  ///< the cloud's own order unless reordered
  double acceptBelow = 0;                    ///< a sum in sumOrder ≤ this is certainly inside …
  double rejectAbove = 0;  ///< … and one > this certainly outside; between, the predicate decides

  bool usesSingle = false;  ///< distances are computed in float first
  SingleView single;        ///< then: what for
};

/// Entries of JoinView::directory for a grid of `points` points, or 0 where a GPU uses none: with
/// more linear ids, empty cells included, than max(4 · points, 2²⁰), or than 2²⁶.
std::uint64_t directoryEntries(const CellGeometry& geometry, std::size_t points);

/// Fills what host and device views share: everything of `plan` and `geometry` but the arrays.
JoinView viewWithoutArrays(const CellGeometry& geometry, const JoinPlan& plan, std::size_t dims);

/// Owns the arrays that a host JoinView points to. Keeps a reference to `index`. `queries` are
/// those of another cloud, which were added to the index; nullptr in a self-join.
struct HostJoinView {
  HostJoinView(const GridIndex& index, const JoinPlan& plan, const GridQueries* queries = nullptr);
  HostJoinView(const HostJoinView&) = delete;
  HostJoinView& operator=(const HostJoinView&) = delete;

  JoinView view;

 private:
  void addSingle(const GridIndex& index, const SinglePrecision& single);

  std::vector<std::uint64_t> cellIds_;  // of grid and queries; empty in a self-join
  std::vector<std::vector<std::uint32_t>> occupied_;
  std::vector<std::vector<float>> offsets_;
};

}  // namespace clusterloom
