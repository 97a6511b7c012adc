#include "engine/cpu/fused_dbscan.h"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <limits>

#include "engine/core/large_array.h"
#include "engine/core/large_pages.h"
#include "engine/core/parallel_for.h"
#include "engine/core/profiler_range.h"
#include "engine/core/run_both.h"
#include "engine/core/shared_progress.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/candidate_scan.h"
#include "engine/cpu/union_find.h"
#include "engine/dbscan/labelling.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostCellsPerBlock = 512;  // a block looks its rows up afresh once
constexpr std::uint32_t kManyPoints = 256;       // a cell with more is split between threads
constexpr std::size_t kPositionsPerBlock = 16384;
constexpr std::uint32_t kMostGathered = 32;    // of a row: more are worth a separate loop
constexpr std::uint32_t kEnoughGathered = 48;  // candidates that are worth a loop
constexpr std::int32_t kNoLabel = std::numeric_limits<std::int32_t>::max();  // above all labels
constexpr std::uint64_t kManyPairs = 1024;  // between two cells: check their boxes first

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
  LargeArray<std::uint8_t> tight;       // per cell
  LargeArray<std::uint8_t> core;        // per position
  LargeArray<std::uint32_t> coreCount;  // per cell
  UnionFind sets;                       // over positions

  std::uint32_t begin(std::size_t c) const { return index.cellStart[c]; }
  std::uint32_t end(std::size_t c) const { return index.cellStart[c + 1]; }
  std::uint32_t coreEnd(std::size_t c) const { return begin(c) + coreCount[c]; }
  IndexRange positions(IndexRange cells) const {
    return {index.cellStart[cells.begin], index.cellStart[cells.end]};
  }
};

// The local data of a block of cells.
struct Surroundings {
  RowCursors cursors;
  GatheredPoints gathered;
};

// Calls body(cell, surroundings) for every cell, ascending within a block, blocks in parallel;
// stops between cells when the task is cancelled.
template <class Body>
bool sweepCells(Fused& f, std::string_view stage, const Body& body) {
  const std::size_t cells = f.index.cells();
  const std::size_t grain = std::clamp<std::size_t>(cells / 64, 1, kMostCellsPerBlock);
  SharedProgress progress(f.task, stage, f.index.size());
  parallelForBlocks(cells, grain, f.task, [&](std::size_t begin, std::size_t end) {
    Surroundings around{RowCursors(f.index, f.window), GatheredPoints(f.scan.dims())};
    for (std::size_t c = begin; c < end && !f.task.cancelled(); ++c) body(c, around);
    progress.add(f.begin(end) - f.begin(begin));
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
    parallelForBlocks<std::uint32_t>(
        end - begin, kManyPoints / 4,
        [&](std::uint32_t from, std::uint32_t to) { run(begin + from, begin + to); });
}

// The candidates around a cell, row by row, nearest first. Empty rows are left out.
IndexRange rowOf(const Fused& f, std::size_t cell, std::size_t row, RowCursors& cursors) {
  return f.positions(cursors.cells(row, f.index.cellIds[cell]));
}

// Core tests in a cell that is split between threads.
void testManyPoints(Fused& f, std::size_t c, Surroundings& around, std::uint32_t stopAt) {
  boost::container::small_vector<IndexRange, 25> rows;
  for (std::size_t row = 0; row < f.window.offsets.size(); ++row) {
    const IndexRange range = rowOf(f, c, row, around.cursors);
    if (!range.empty()) rows.push_back(range);
  }
  forPositions(f, f.begin(c), f.end(c), [&](std::uint32_t p) {
    std::uint32_t found = 0;
    for (std::size_t row = 0; found < stopAt && row < rows.size(); ++row)
      found += f.scan.count(p, rows[row].begin, rows[row].end, stopAt - found);
    f.core[p] = std::int64_t(found) >= f.params.minPts;
  });
}

// Core tests in a cell of few points: rows are looked up as long as some point still needs
// candidates, which in dense regions few do after the first. Short rows are gathered first, as the
// points of a cell share them.
void testFewPoints(Fused& f, std::size_t c, Surroundings& around, std::uint32_t stopAt) {
  struct Open {
    std::uint32_t position;
    std::uint32_t found;
  };
  boost::container::small_vector<Open, 32> open;
  for (std::uint32_t p = f.begin(c); p < f.end(c); ++p) {
    open.push_back({p, 0});
    f.core[p] = 0;
  }
  const auto add = [&](const auto& count) {
    std::size_t kept = 0;
    for (Open point : open) {
      point.found += count(point);
      if (std::int64_t(point.found) >= f.params.minPts) f.core[point.position] = 1;
      if (point.found < stopAt) open[kept++] = point;
    }
    open.resize(kept);
  };
  const auto addGathered = [&] {
    add([&](const Open& point) {
      return around.gathered.count(f.scan, point.position, stopAt - point.found);
    });
    around.gathered.clear();
  };
  around.gathered.clear();
  for (std::size_t row = 0; row < f.window.offsets.size() && !open.empty(); ++row) {
    const IndexRange range = rowOf(f, c, row, around.cursors);
    if (range.empty()) continue;
    if (row > 0 && range.end - range.begin <= kMostGathered) {
      around.gathered.add(f.scan, range.begin, range.end);
      if (around.gathered.size() >= kEnoughGathered) addGathered();
    } else {
      add([&](const Open& point) {
        if (f.task.cancelled()) return std::uint32_t{0};
        return f.scan.count(point.position, range.begin, range.end, stopAt - point.found);
      });
    }
  }
  if (around.gathered.size() > 0) addGathered();
}

// Each cell's core points first, the order otherwise kept; those of a tight cell are one set.
void coreFirst(Fused& f, std::size_t c) {
  const std::uint32_t begin = f.begin(c);
  const std::uint32_t end = f.end(c);
  const auto cores = std::uint32_t(std::count(f.core.begin() + begin, f.core.begin() + end, 1));
  f.coreCount[c] = cores;
  if (f.tight[c])
    for (std::uint32_t p = begin; p < begin + cores; ++p) f.sets.start(p, begin);
  if (cores == 0 || cores == end - begin) return;
  const auto partition = [&](auto& values) {
    boost::container::small_vector<std::decay_t<decltype(values[0])>, 32> others;
    std::uint32_t to = begin;
    for (std::uint32_t p = begin; p < end; ++p) {
      if (f.core[p])
        values[to++] = values[p];
      else
        others.push_back(values[p]);
    }
    std::copy(others.begin(), others.end(), values.begin() + to);
  };
  partition(f.index.pointIds);
  for (Coordinates& column : f.index.ordered.columns) partition(column.own());
  std::fill(f.core.begin() + begin, f.core.begin() + begin + cores, 1);
  std::fill(f.core.begin() + begin + cores, f.core.begin() + end, 0);
}

bool testCores(Fused& f) {
  const auto minPts = std::uint64_t(f.params.minPts);
  const std::uint32_t n = std::uint32_t(f.index.size());
  const auto enough = std::uint32_t(std::min<std::uint64_t>(minPts, n + 1ULL));
  const std::uint32_t stopAt = f.plan.earlyStop ? enough : n + 1;
  const bool done = sweepCells(f, "core test", [&](std::size_t c, Surroundings& around) {
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
    if (end - begin > kManyPoints)
      testManyPoints(f, c, around, stopAt);
    else
      testFewPoints(f, c, around, stopAt);
  });
  if (!done) return false;
  parallelFor(f.index.cells(), 1024, [&](std::size_t c) { coreFirst(f, c); });
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

// Joins core point p to those of the core points [begin, end) within ε. `root`: a root that p had.
void linkPoints(Fused& f, std::uint32_t p, std::uint32_t begin, std::uint32_t end,
                std::uint32_t& root) {
  for (std::uint32_t q = begin; q < end; ++q) {
    if (f.sets.isBelow(q, root) || !f.scan.within(p, q)) continue;
    f.sets.unite(p, q);
    root = f.sets.find(p);
  }
}

// Joins core point p to the core points of cell b within ε.
void linkPoint(Fused& f, std::uint32_t p, std::size_t b, std::uint32_t& root) {
  const std::uint32_t begin = f.begin(b);
  const std::uint32_t end = f.coreEnd(b);
  if (!f.tight[b]) {
    linkPoints(f, p, begin, end, root);
  } else if (!f.sets.isBelow(begin, root) && !f.sets.same(p, begin) && f.scan.any(p, begin, end)) {
    f.sets.unite(p, begin);
    root = f.sets.find(p);
  }
}

bool uniteCores(Fused& f) {
  return sweepCells(f, "union", [&](std::size_t c, Surroundings& around) {
    if (f.coreCount[c] == 0) return;
    const std::uint32_t begin = f.begin(c);
    const std::uint32_t coreEnd = f.coreEnd(c);
    // Every pair of cells once, from the one with the lower id.
    CellList later;
    for (std::size_t row = 0; row < f.window.offsets.size(); ++row) {
      if (f.window.offsets[row] < 0) continue;
      const IndexRange cells = around.cursors.cells(row, f.index.cellIds[c]);
      for (std::uint32_t b = std::max(cells.begin, std::uint32_t(c) + 1); b < cells.end; ++b)
        if (f.coreCount[b] > 0) later.push_back(b);
    }
    if (f.tight[c]) {
      for (const std::uint32_t b : later) {
        if (f.tight[b]) {
          linkTight(f, c, b);
        } else {
          forPositions(f, f.begin(b), f.coreEnd(b), [&](std::uint32_t q) {
            std::uint32_t root = f.sets.find(q);
            linkPoint(f, q, c, root);
          });
        }
      }
      return;
    }
    forPositions(f, begin, coreEnd, [&](std::uint32_t p) {
      std::uint32_t root = f.sets.find(p);
      linkPoints(f, p, p + 1, coreEnd, root);
      for (const std::uint32_t b : later) linkPoint(f, p, b, root);
    });
  });
}

// The core points of a cell near a border point.
struct CoreCell {
  std::uint32_t begin;
  std::uint32_t end;
  std::int32_t lowest;  // of their labels
  bool oneLabel;
};

CoreCell coreCell(const Fused& f, const LargeArray<std::int32_t>& labels, std::size_t b) {
  CoreCell cell{f.begin(b), f.coreEnd(b), labels[f.begin(b)], true};
  if (f.tight[b]) return cell;
  for (std::uint32_t q = cell.begin + 1; q < cell.end; ++q) {
    cell.oneLabel = cell.oneLabel && labels[q] == cell.lowest;
    cell.lowest = std::min(cell.lowest, labels[q]);
  }
  return cell;
}

// The lower one of `best` and the lowest label among the cell's core points within ε of p.
std::int32_t lowerLabel(const Fused& f, const LargeArray<std::int32_t>& labels, std::uint32_t p,
                        const CoreCell& cell, std::int32_t best) {
  if (cell.lowest >= best) return best;
  if (cell.oneLabel) return f.scan.any(p, cell.begin, cell.end) ? cell.lowest : best;
  for (std::uint32_t q = cell.begin; q < cell.end; ++q)
    if (labels[q] < best && f.scan.within(p, q)) best = labels[q];
  return best;
}

// Calls body(cell) for the cells around c that have core points, until it returns false.
template <class Body>
void forCoreCells(const Fused& f, const LargeArray<std::int32_t>& labels, std::size_t c,
                  RowCursors& cursors, const Body& body) {
  for (std::size_t row = 0; row < f.window.offsets.size(); ++row) {
    const IndexRange cells = cursors.cells(row, f.index.cellIds[c]);
    for (std::uint32_t b = cells.begin; b < cells.end; ++b)
      if (f.coreCount[b] > 0 && !body(coreCell(f, labels, b))) return;
  }
}

// Each border point gets the lowest-numbered cluster with a core point within ε. Its search ends at
// cluster 0; a cell's points search together, so that rows after that need not be looked up. Not by
// gathered points: most border points find the lowest label in the first few cells.
bool labelBorders(Fused& f, LargeArray<std::int32_t>& labels) {
  const auto labelOf = [](std::int32_t best) { return best == kNoLabel ? kNoise : best; };
  return sweepCells(f, "border points", [&](std::size_t c, Surroundings& around) {
    const std::uint32_t begin = f.coreEnd(c);
    const std::uint32_t end = f.end(c);
    if (begin == end) return;
    if (end - begin > kManyPoints) {
      boost::container::small_vector<CoreCell, 125> near;
      forCoreCells(f, labels, c, around.cursors, [&](const CoreCell& cell) {
        near.push_back(cell);
        return true;
      });
      forPositions(f, begin, end, [&](std::uint32_t p) {
        std::int32_t best = kNoLabel;
        for (std::size_t i = 0; i < near.size() && best > 0; ++i)
          best = lowerLabel(f, labels, p, near[i], best);
        labels[p] = labelOf(best);
      });
      return;
    }
    struct Open {
      std::uint32_t position;
      std::int32_t best;
    };
    boost::container::small_vector<Open, 32> open;
    for (std::uint32_t p = begin; p < end; ++p) open.push_back({p, kNoLabel});
    forCoreCells(f, labels, c, around.cursors, [&](const CoreCell& cell) {
      std::size_t kept = 0;
      for (Open point : open) {
        point.best = lowerLabel(f, labels, point.position, cell, point.best);
        if (point.best > 0)
          open[kept++] = point;
        else
          labels[point.position] = 0;
      }
      open.resize(kept);
      return kept > 0;
    });
    for (const Open& point : open) labels[point.position] = labelOf(point.best);
  });
}

// By position: the cluster of each core point, noise elsewhere.
LargeArray<std::int32_t> labelCores(Fused& f, std::int32_t& clusters) {
  LargeArray<std::uint32_t> roots(f.index.size());
  parallelFor(f.index.size(), kPositionsPerBlock,
              [&](std::size_t p) { roots[p] = f.sets.find(std::uint32_t(p)); });
  const ClusterNumbers numbers = numberClusters(roots, f.core, f.index.pointIds);
  clusters = numbers.clusters;
  LargeArray<std::int32_t> labels(f.index.size());
  parallelFor(f.index.size(), kPositionsPerBlock,
              [&](std::size_t p) { labels[p] = f.core[p] ? numbers.ofSet[roots[p]] : kNoise; });
  return labels;
}

bool labelPoints(Fused& f, Clustering& clustering) {
  LargeArray<std::int32_t> labels = labelCores(f, clustering.clusters);
  if (!labelBorders(f, labels)) return false;
  parallelFor(f.index.size(), kPositionsPerBlock, [&](std::size_t p) {
    const std::uint32_t id = f.index.pointIds[p];
    clustering.labels[id] = labels[p];
    clustering.roles[id] = roleOf(labels[p], f.core[p] != 0);
  });
  countRoles(clustering);
  return true;
}

}  // namespace

Result<Clustering> fusedDbscan(const PointCloud& cloud, const DbscanParams& params,
                               const FusedPlan& plan, const Task& task) {
  Stopwatch watch;
  Clustering clustering;
  clustering.params = params;
  StageSeconds& seconds = clustering.stats.seconds;

  task.report("index", 0);
  ProfilerRange profiled("index");
  const std::size_t n = cloud.size();
  Result<GridIndex> built = cancelledError();
  // The memory of the result meanwhile: its first touch by one thread would take a while later on.
  runBoth(
      n, [&] { built = buildGridIndex(cloud, params.eps, plan.geometry, -1, task); },
      [&] {
        resizeOnLargePages(clustering.labels, n, task);
        resizeOnLargePages(clustering.roles, n, task);
      });
  if (!built) return tl::unexpected(built.error());
  const std::size_t cells = built->cells();
  Fused f{.params = params,
          .plan = plan,
          .task = task,
          .index = *built,
          .window = makeRowWindow(built->geometry),
          .scan = CandidateScan(built->ordered, plan.squaredEps),
          .tight = LargeArray<std::uint8_t>(cells),
          .core = LargeArray<std::uint8_t>(n),
          .coreCount = LargeArray<std::uint32_t>(cells),
          .sets = UnionFind(n)};
  seconds.index = watch.lap();
  profiled.next("join");

  if (!testCores(f) || !uniteCores(f)) return cancelledError();
  seconds.join = watch.lap();
  profiled.next("labels");

  if (!labelPoints(f, clustering)) return cancelledError();
  seconds.label = watch.lap();
  seconds.total = seconds.index + seconds.join + seconds.label;

  clustering.stats.cells = cells;
  clustering.stats.batches = 1;
  clustering.stats.indexedDims = f.index.geometry.indexedDims();
  return clustering;
}

}  // namespace clusterloom
