#include "engine/cpu/fused_dbscan.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <boost/container/small_vector.hpp>

#include <algorithm>

#include "engine/core/shared_progress.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/candidate_scan.h"
#include "engine/cpu/closest_cells.h"
#include "engine/cpu/union_find.h"
#include "engine/dbscan/labelling.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostCellsPerBlock = 512;  // a block looks its rows up afresh once
constexpr std::uint32_t kManyPoints = 256;       // a cell with more is split between threads
constexpr std::uint64_t kManyPairs = 1024;       // between two cells: check their boxes first

// Cells around a cell: up to 5³ in three dimensions without touching the heap.
using CellList = boost::container::small_vector<std::uint32_t, 125>;

// State that the stages share. `coreCount` and the order of points within a cell change after the
// core test: each cell's core points come first.
struct Fused {
  const DbscanParams& params;
  const FusedPlan& plan;
  const Task& task;
  GridIndex& index;
  RowWindow window;
  CandidateScan scan;
  std::vector<std::uint8_t> tight;       // per cell
  std::vector<std::uint8_t> core;        // per position
  std::vector<std::uint32_t> coreCount;  // per cell
  UnionFind sets;                        // over positions

  std::uint32_t begin(std::size_t c) const { return index.cellStart[c]; }
  std::uint32_t end(std::size_t c) const { return index.cellStart[c + 1]; }
  std::uint32_t coreEnd(std::size_t c) const { return begin(c) + coreCount[c]; }
  IndexRange positions(IndexRange cells) const {
    return {index.cellStart[cells.begin], index.cellStart[cells.end]};
  }
};

// Calls body(cell, cursors) for every cell, ascending within a block, blocks in parallel; stops
// between cells when the task is cancelled.
template <class Body>
bool sweepCells(Fused& f, std::string_view stage, const Body& body) {
  const std::size_t cells = f.index.cells();
  const std::size_t grain = std::clamp<std::size_t>(cells / 64, 1, kMostCellsPerBlock);
  SharedProgress progress(f.task, stage, f.index.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, cells, grain), [&](const auto& range) {
    if (f.task.cancelled()) return;
    RowCursors cursors(f.index, f.window);
    for (std::size_t c = range.begin(); c < range.end() && !f.task.cancelled(); ++c)
      body(c, cursors);
    progress.add(f.begin(range.end()) - f.begin(range.begin()));
  });
  return !f.task.cancelled();
}

// Calls body(position) for positions [begin, end), in parallel when they are many.
template <class Body>
void forPositions(const Fused& f, std::uint32_t begin, std::uint32_t end, const Body& body) {
  const auto run = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t p = from; p < to && !f.task.cancelled(); ++p) body(p);
  };
  if (end - begin <= kManyPoints)
    run(begin, end);
  else
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(begin, end, kManyPoints / 4),
                      [&](const auto& range) { run(range.begin(), range.end()); });
}

// The non-empty rows of candidates around a cell, nearest first, looked up only when a core test
// gets that far: in dense regions it rarely passes the first few.
class RowsAsNeeded {
 public:
  RowsAsNeeded(const Fused& f, std::size_t cell, RowCursors& cursors)
      : f_(f), id_(f.index.cellIds[cell]), cursors_(cursors) {}

  bool has(std::size_t row) {
    while (found_.size() <= row && next_ < f_.window.offsets.size()) {
      const IndexRange range = f_.positions(cursors_.cells(next_++, id_));
      if (!range.empty()) found_.push_back(range);
    }
    return row < found_.size();
  }
  void findAll() { has(f_.window.offsets.size()); }
  IndexRange operator[](std::size_t row) const { return found_[row]; }

 private:
  const Fused& f_;
  std::uint64_t id_;
  RowCursors& cursors_;
  std::size_t next_ = 0;
  boost::container::small_vector<IndexRange, 25> found_;
};

// Each cell's core points first, the order otherwise kept.
void coreFirst(Fused& f, std::size_t c) {
  const std::uint32_t begin = f.begin(c);
  const std::uint32_t end = f.end(c);
  const auto cores =
      static_cast<std::uint32_t>(std::count(f.core.begin() + begin, f.core.begin() + end, 1));
  f.coreCount[c] = cores;
  if (cores == 0 || cores == end - begin) return;
  std::vector<std::uint32_t> order;
  order.reserve(end - begin);
  for (const std::uint8_t wanted : {std::uint8_t{1}, std::uint8_t{0}})
    for (std::uint32_t p = begin; p < end; ++p)
      if (f.core[p] == wanted) order.push_back(p);
  const auto permute = [&](auto& values) {
    std::vector<std::decay_t<decltype(values[0])>> moved;
    moved.reserve(order.size());
    for (const std::uint32_t p : order) moved.push_back(values[p]);
    std::copy(moved.begin(), moved.end(), values.begin() + begin);
  };
  permute(f.index.pointIds);
  permute(f.core);
  for (auto& column : f.index.ordered.columns) permute(column);
}

bool testCores(Fused& f) {
  const auto minPts = static_cast<std::uint64_t>(f.params.minPts);
  const std::uint32_t n = static_cast<std::uint32_t>(f.index.size());
  const auto enough = static_cast<std::uint32_t>(std::min<std::uint64_t>(minPts, n + 1ULL));
  const std::uint32_t stopAt = f.plan.earlyStop ? enough : n + 1;
  const bool done = sweepCells(f, "core test", [&](std::size_t c, RowCursors& cursors) {
    const std::uint32_t begin = f.begin(c);
    const std::uint32_t end = f.end(c);
    thread_local Box box;
    boxOf(f.scan, begin, end, box);
    const bool tight = allWithin(f.scan, box);
    f.tight[c] = tight;
    if (tight && end - begin >= minPts) {
      std::fill(f.core.begin() + begin, f.core.begin() + end, 1);
      return;
    }
    RowsAsNeeded rows(f, c, cursors);
    // A cell split between threads needs all its rows before they start.
    if (end - begin > kManyPoints) rows.findAll();
    forPositions(f, begin, end, [&](std::uint32_t p) {
      std::uint32_t found = 0;
      for (std::size_t row = 0; found < stopAt && rows.has(row); ++row) {
        const IndexRange range = rows[row];
        found += f.scan.count(p, range.begin, range.end, stopAt - found);
      }
      f.core[p] = found >= minPts;
    });
  });
  if (!done) return false;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, f.index.cells(), 1024),
                    [&](const auto& range) {
                      for (std::size_t c = range.begin(); c < range.end(); ++c) coreFirst(f, c);
                    });
  return !f.task.cancelled();
}

// Makes one set of two tight cells if any of their core points are within ε.
void linkTight(Fused& f, std::size_t a, std::size_t b) {
  if (f.sets.same(f.begin(a), f.begin(b))) return;
  // The cell with fewer core points provides the queries, the other is scanned.
  if (f.coreCount[a] > f.coreCount[b]) std::swap(a, b);
  const IndexRange asking{f.begin(a), f.coreEnd(a)};
  const IndexRange scanned{f.begin(b), f.coreEnd(b)};
  bool linked = false;
  if (std::uint64_t{f.coreCount[a]} * f.coreCount[b] > kManyPairs)
    linked = anyPairWithin(f.scan, asking, scanned, f.task);
  else
    for (std::uint32_t p = asking.begin; p < asking.end && !linked; ++p)
      linked = f.scan.any(p, scanned.begin, scanned.end);
  if (linked) f.sets.unite(asking.begin, scanned.begin);
}

// Joins core point p to the core points of cell b within ε.
void linkPoint(Fused& f, std::uint32_t p, std::size_t b) {
  const std::uint32_t begin = f.begin(b);
  const std::uint32_t end = f.coreEnd(b);
  if (f.tight[b]) {
    if (!f.sets.same(p, begin) && f.scan.any(p, begin, end)) f.sets.unite(p, begin);
    return;
  }
  for (std::uint32_t q = begin; q < end; ++q)
    if (!f.sets.same(p, q) && f.scan.within(p, q)) f.sets.unite(p, q);
}

bool uniteCores(Fused& f) {
  return sweepCells(f, "union", [&](std::size_t c, RowCursors& cursors) {
    if (f.coreCount[c] == 0) return;
    const std::uint32_t begin = f.begin(c);
    const std::uint32_t coreEnd = f.coreEnd(c);
    if (f.tight[c])
      for (std::uint32_t p = begin + 1; p < coreEnd; ++p) f.sets.unite(begin, p);
    // Every pair of cells once, from the one with the lower id.
    CellList later;
    for (std::size_t row = 0; row < f.window.offsets.size(); ++row) {
      if (f.window.offsets[row] < 0) continue;
      const IndexRange cells = cursors.cells(row, f.index.cellIds[c]);
      for (std::uint32_t b = std::max(cells.begin, static_cast<std::uint32_t>(c) + 1);
           b < cells.end; ++b)
        if (f.coreCount[b] > 0) later.push_back(b);
    }
    if (f.tight[c]) {
      for (const std::uint32_t b : later) {
        if (f.tight[b]) {
          linkTight(f, c, b);
        } else {
          forPositions(f, f.begin(b), f.coreEnd(b), [&](std::uint32_t q) { linkPoint(f, q, c); });
        }
      }
      return;
    }
    forPositions(f, begin, coreEnd, [&](std::uint32_t p) {
      for (std::uint32_t q = p + 1; q < coreEnd; ++q)
        if (!f.sets.same(p, q) && f.scan.within(p, q)) f.sets.unite(p, q);
      for (const std::uint32_t b : later) linkPoint(f, p, b);
    });
  });
}

// The lowest-numbered cluster among the core points of cell b within ε of p, if lower than `best`.
std::int32_t lowerLabel(const Fused& f, const std::vector<std::int32_t>& labels, std::uint32_t p,
                        std::size_t b, std::int32_t best) {
  const auto improves = [best](std::int32_t label, std::int32_t now) {
    return now == kNoise ? (best == kNoise || label < best) : label < now;
  };
  const std::uint32_t begin = f.begin(b);
  const std::uint32_t end = f.coreEnd(b);
  if (f.tight[b]) {
    if (improves(labels[begin], kNoise) && f.scan.any(p, begin, end)) return labels[begin];
    return best;
  }
  std::int32_t now = kNoise;
  for (std::uint32_t q = begin; q < end; ++q)
    if (improves(labels[q], now) && f.scan.within(p, q)) now = labels[q];
  return now == kNoise ? best : now;
}

bool labelBorders(Fused& f, std::vector<std::int32_t>& labels) {
  return sweepCells(f, "border points", [&](std::size_t c, RowCursors& cursors) {
    if (f.coreEnd(c) == f.end(c)) return;
    CellList withCore;
    for (std::size_t row = 0; row < f.window.offsets.size(); ++row) {
      const IndexRange cells = cursors.cells(row, f.index.cellIds[c]);
      for (std::uint32_t b = cells.begin; b < cells.end; ++b)
        if (f.coreCount[b] > 0) withCore.push_back(b);
    }
    forPositions(f, f.coreEnd(c), f.end(c), [&](std::uint32_t p) {
      std::int32_t best = kNoise;
      for (const std::uint32_t b : withCore) best = lowerLabel(f, labels, p, b, best);
      labels[p] = best;
    });
  });
}

// From cell order to point order.
template <class T>
std::vector<T> toPointOrder(const std::vector<T>& values, const std::vector<std::uint32_t>& ids) {
  std::vector<T> result(values.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, ids.size(), 16384), [&](const auto& range) {
    for (std::size_t p = range.begin(); p < range.end(); ++p) result[ids[p]] = values[p];
  });
  return result;
}

}  // namespace

Result<Clustering> fusedDbscan(const PointCloud& cloud, const DbscanParams& params,
                               const FusedPlan& plan, const Task& task) {
  Stopwatch watch;
  Clustering clustering;
  clustering.params = params;
  StageSeconds& seconds = clustering.stats.seconds;

  task.report("index", 0);
  Result<GridIndex> built = buildGridIndex(cloud, params.eps, plan.geometry, -1, task);
  if (!built) return tl::unexpected(built.error());
  const std::size_t n = cloud.size();
  const std::size_t cells = built->cells();
  Fused f{.params = params,
          .plan = plan,
          .task = task,
          .index = *built,
          .window = makeRowWindow(built->geometry),
          .scan = CandidateScan(built->ordered, plan.squaredEps),
          .tight = std::vector<std::uint8_t>(cells),
          .core = std::vector<std::uint8_t>(n),
          .coreCount = std::vector<std::uint32_t>(cells),
          .sets = UnionFind(n)};
  seconds.index = watch.lap();

  if (!testCores(f) || !uniteCores(f)) return cancelledError();
  seconds.join = watch.lap();

  std::vector<std::int32_t> labels(n, kNoise);
  {
    std::vector<std::uint32_t> roots(n);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 16384), [&](const auto& range) {
      for (std::size_t p = range.begin(); p < range.end(); ++p)
        roots[p] = f.sets.find(static_cast<std::uint32_t>(p));
    });
    const ClusterNumbers numbers = numberClusters(roots, f.core, f.index.pointIds);
    clustering.clusters = numbers.clusters;
    for (std::size_t p = 0; p < n; ++p)
      if (f.core[p]) labels[p] = numbers.ofSet[roots[p]];
  }
  if (!labelBorders(f, labels)) return cancelledError();
  clustering.labels = toPointOrder(labels, f.index.pointIds);
  fillRoles(clustering, toPointOrder(f.core, f.index.pointIds));
  seconds.label = watch.lap();
  seconds.total = seconds.index + seconds.join + seconds.label;

  clustering.stats.cells = cells;
  clustering.stats.batches = 1;
  clustering.stats.indexedDims = f.index.geometry.indexedDims();
  return clustering;
}

}  // namespace clusterloom
