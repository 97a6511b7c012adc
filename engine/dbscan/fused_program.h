#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cloud/point_cloud.h"
#include "engine/core/lane.h"
#include "engine/core/metric.h"
#include "engine/core/scattered_sets.h"
#include "engine/grid/cell_buckets.h"

// The work of one lane in the fused DBSCAN on a GPU (engine/DESIGN.md, "Faster than the papers"):
// core tests that stop at minPts, unions of tight cells and of points, border labels. Written over
// a Lane like the joins' programs, so that the CPU runs and tests the same source. D is the number
// of dimensions where that pays, 0 for any number, kAnyMetric for any number and FusedView::metric;
// all others are for Euclidean distances.

namespace clusterloom {

/// Input of the program: an ε-grid in cell order and the state of the run. Plain pointers. Points
/// are named by their position in cell order.
struct FusedView {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  const double* columns[kMaxGridDims] = {};  ///< cell-ordered coordinates
  int dims = 0;
  Metric metric = Metric::Euclidean;
  double squaredEps = 0;
  std::uint32_t size = 0;  ///< points

  const std::uint64_t* cellIds = nullptr;    ///< ascending ids of the non-empty cells
  const std::uint32_t* cellStart = nullptr;  ///< cell c holds [cellStart[c], cellStart[c + 1])
  std::uint32_t cells = 0;
  const std::uint32_t* cellCount = nullptr;  ///< if not null, where to read `cells` from instead
  const std::uint32_t* cellOf = nullptr;     ///< cell of each position
  const std::uint32_t* pointIds = nullptr;   ///< point at each position
  /// bucketFirst[b] is the first cell whose id is ≥ b << bucketShift; one more entry than buckets.
  const std::uint32_t* bucketFirst = nullptr;
  int bucketShift = 0;
  const std::int64_t* rowOffsets = nullptr;  ///< as RowWindow: the own row first, near before far
  std::uint32_t rows = 0;
  std::uint32_t reach = 1;

  std::uint8_t* core = nullptr;         ///< by position
  std::uint8_t* tight = nullptr;        ///< by cell; null: every cell is tight
  std::uint32_t* firstCore = nullptr;   ///< by cell: its first core position, kNone if it has none
  std::uint32_t* parent = nullptr;      ///< by position: of core points in the forest of their sets
  std::uint32_t* largest = nullptr;     ///< root of the set that most belong to, kNone: not known
  std::uint32_t* lowestId = nullptr;    ///< by root: lowest point id of its set
  std::int32_t* labelOf = nullptr;      ///< by position: cluster of a core point
  const std::uint32_t* stop = nullptr;  ///< not 0: leave as soon as possible

  CLUSTERLOOM_LANE std::uint32_t numberOfCells() const {
    return cellCount != nullptr ? *cellCount : cells;
  }
  CLUSTERLOOM_LANE bool isTight(std::uint32_t c) const { return tight == nullptr || tight[c] != 0; }
};

namespace fused {

inline constexpr int kAnyMetric = -1;

/// A query point's coordinates, in registers where D says how many.
template <int D>
struct Query {
  double x[D > 0 ? D : 1];
  std::uint32_t position;

  CLUSTERLOOM_LANE Query(const FusedView& v, std::uint32_t p) : position(p) {
    if constexpr (D > 0)
      for (int j = 0; j < D; ++j) x[j] = v.columns[j][p];
  }
  /// The predicate (engine/core/metric.h).
  CLUSTERLOOM_LANE bool reaches(const FusedView& v, std::uint32_t q) const {
    const auto difference = [&](int j) { return v.columns[j][position] - v.columns[j][q]; };
    if constexpr (D > 0) {
      return squaredDistance(D, [&](int j) { return x[j] - v.columns[j][q]; }) <= v.squaredEps;
    } else if constexpr (D == kAnyMetric) {
      return squaredLength(v.metric, v.dims, difference) <= v.squaredEps;
    } else {
      return squaredDistance(v.dims, difference, [&](double partial) {
               return partial > v.squaredEps;
             }) <= v.squaredEps;
    }
  }
};

struct CellRange {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Non-empty cells of row `row` around the cell with linear id `id`.
CLUSTERLOOM_LANE CellRange cellsOfRow(const FusedView& v, std::uint64_t id, std::uint32_t row) {
  const std::uint64_t centre = id + std::uint64_t(v.rowOffsets[row]);
  return {firstCellFrom(v, centre - v.reach), firstCellFrom(v, centre + v.reach + 1)};
}

/// Whether to stop after `work` candidates: checked after long pieces of work only, because it
/// reads memory that others write.
template <class Lane>
CLUSTERLOOM_LANE bool shouldStop(Lane& lane, const FusedView& v, std::uint32_t work) {
  return work > 1024 && lane.load(v.stop) != 0;
}

/// Neighbours of the point at position p, itself included, but no more than `enough`, at which it
/// stops.
template <int D, class Lane>
CLUSTERLOOM_LANE std::uint32_t neighboursUpTo(Lane& lane, const FusedView& v, std::uint32_t p,
                                              std::uint32_t enough) {
  const std::uint64_t id = v.cellIds[v.cellOf[p]];
  const Query<D> query(v, p);
  std::uint32_t found = 0;
  for (std::uint32_t row = 0; row < v.rows; ++row) {
    const CellRange cells = cellsOfRow(v, id, row);
    const std::uint32_t begin = v.cellStart[cells.begin];
    const std::uint32_t end = v.cellStart[cells.end];
    for (std::uint32_t q = begin; q < end; ++q)
      if (query.reaches(v, q) && ++found >= enough) return found;
    if (shouldStop(lane, v, end - begin)) return found;
  }
  return found;
}

/// Records core point p in its cell's `firstCore`, which starts as kNone.
template <class Lane>
CLUSTERLOOM_LANE void noteFirstCore(Lane& lane, const FusedView& v, std::uint32_t p) {
  if (v.core[p] == 0) return;
  const std::uint32_t c = v.cellOf[p];
  // A core point that follows one of the same cell changes nothing.
  if (p > v.cellStart[c] && v.core[p - 1] != 0) return;
  if (p < lane.load(&v.firstCore[c])) lane.least(&v.firstCore[c], p);
}

// A union is one load after another, and where one set takes most points, all lanes load its root.
// Sets are therefore made in steps, the last of which is exact whatever the others leave undone:
// 1. Sets start without atomics. Where every cell is tight, runs of cells along the fastest
//    dimension: each is marked if it belongs to the one before it, and a running maximum finds the
//    first of each run. Elsewhere every core point takes one before it as its parent.
// 2. Some unions make a large set: of cells with those that share a face with them, or of one point
//    in a few with all within ε.
// 3. voteLargest finds the set that most belong to, if there is one. What is outside it is linked
//    with all within ε; what is in it has nothing to add [Sutton 2018] (Afforest). Without such a
//    set, everything is linked with what comes after it.
// An item is a cell if every cell is tight, else a point.

/// Cell c if it starts a run, 0 if some core points of it and of the cell before it are within ε
/// and all cells are tight. Populous cells compare their first points only: unions are exact later.
template <int D>
CLUSTERLOOM_LANE std::uint32_t runStartOfCell(const FusedView& v, std::uint32_t c) {
  const std::uint32_t first = v.firstCore[c];
  if (c == 0 || first == FusedView::kNone || v.cellIds[c] != v.cellIds[c - 1] + 1) return c;
  const std::uint32_t before = v.firstCore[c - 1];
  if (before == FusedView::kNone) return c;
  constexpr std::uint32_t kFew = 4;
  const std::uint32_t end = v.cellStart[c + 1];
  const std::uint32_t endBefore = v.cellStart[c];
  for (std::uint32_t p = first; p < end && p < first + kFew; ++p) {
    if (v.core[p] == 0) continue;
    const Query<D> query(v, p);
    for (std::uint32_t q = before; q < endBefore && q < before + kFew; ++q)
      if (v.core[q] != 0 && query.reaches(v, q)) return 0;
  }
  return c;
}

/// The first parent of core point p where every cell is tight: the first core point of its run.
CLUSTERLOOM_LANE std::uint32_t firstOfRun(const FusedView& v, std::uint32_t p,
                                          const std::uint32_t* runOf) {
  return v.firstCore[runOf[v.cellOf[p]]];
}

/// The first parent of core point p where cells need not be tight: a core point before it within ε,
/// p if there is none. A tight cell's core points are one set.
template <int D, class Lane>
CLUSTERLOOM_LANE std::uint32_t coreBefore(Lane& lane, const FusedView& v, std::uint32_t p) {
  const std::uint32_t c = v.cellOf[p];
  if (v.isTight(c) && v.firstCore[c] < p) return v.firstCore[c];
  const Query<D> query(v, p);
  for (std::uint32_t row = 0; row < v.rows; ++row) {
    if (v.rowOffsets[row] > 0) continue;
    const CellRange cells = cellsOfRow(v, v.cellIds[c], row);
    const std::uint32_t begin = v.cellStart[cells.begin];
    const std::uint32_t end = v.cellStart[cells.end];
    for (std::uint32_t q = begin; q < end && q < p; ++q)
      if (v.core[q] != 0 && query.reaches(v, q)) return q;
    if (shouldStop(lane, v, end - begin)) return p;
  }
  return p;
}

/// Items of the union: cells if every cell is tight, else points.
CLUSTERLOOM_LANE std::uint32_t numberOfItems(const FusedView& v) {
  return v.tight == nullptr ? v.numberOfCells() : v.size;
}

/// The position at which the set of an item is looked up, kNone without core points.
CLUSTERLOOM_LANE std::uint32_t positionOfItem(const FusedView& v, std::uint32_t item) {
  if (v.tight == nullptr) return v.firstCore[item];
  return v.core[item] != 0 ? item : FusedView::kNone;
}

/// Whether an item is to be linked when the items of the set `largest` are not.
CLUSTERLOOM_LANE bool isOutside(const FusedView& v, std::uint32_t item) {
  const std::uint32_t p = positionOfItem(v, item);
  return p != FusedView::kNone && v.parent[p] != *v.largest;
}

/// Threads of the block of voteLargest, and votes.
inline constexpr std::uint32_t kVotes = 256;
inline constexpr std::size_t kVoteSharedBytes = kVotes * sizeof(std::uint32_t);

/// Stores in `largest`, which is kNone before, the root of the set that has more than half of the
/// votes of items drawn at even steps, if there is one. A program of one block of kVotes threads.
template <class Lane>
CLUSTERLOOM_LANE void voteLargest(Lane& lane, const FusedView& v) {
  const auto votes = lane.template shared<std::uint32_t>();
  const std::uint64_t items = numberOfItems(v);
  const std::uint32_t p = positionOfItem(v, std::uint32_t(lane.thread() * items / kVotes));
  const std::uint32_t mine = p != FusedView::kNone ? v.parent[p] : FusedView::kNone;
  votes[lane.thread()] = mine;
  lane.blockSync();
  std::uint32_t all = 0;
  std::uint32_t equal = 0;
  for (std::uint32_t i = 0; i < kVotes; ++i) {
    all += votes[i] != FusedView::kNone;
    equal += votes[i] == mine;
  }
  if (mine != FusedView::kNone && 2 * equal > all) lane.store(v.largest, mine);
}

/// Whether some core point of a in [begin, end) and some core point of cell b are within ε.
template <int D, class Lane>
CLUSTERLOOM_LANE bool anyPair(Lane& lane, const FusedView& v, std::uint32_t begin,
                              std::uint32_t end, std::uint32_t b) {
  const std::uint32_t firstB = v.firstCore[b];
  const std::uint32_t endB = v.cellStart[b + 1];
  for (std::uint32_t p = begin; p < end; ++p) {
    if (v.core[p] == 0) continue;
    const Query<D> query(v, p);
    for (std::uint32_t q = firstB; q < endB; ++q)
      if (v.core[q] != 0 && query.reaches(v, q)) return true;
    if (shouldStop(lane, v, endB - firstB)) return false;
  }
  return false;
}

/// Two tight cells with too many points for one lane: points [begin, end) of one with all of the
/// other.
struct HeavyLink {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t cell;
};

/// Links that lanes leave for whole blocks.
struct HeavyLinks {
  HeavyLink* links = nullptr;
  std::uint32_t* count = nullptr;  ///< may pass `capacity`: links beyond it were processed in place
  std::uint32_t capacity = 0;
};

inline constexpr std::uint64_t kHeavyPairs = 2048;  // more than a lane should compare alone
inline constexpr std::uint32_t kHeavyChunk = 1024;  // points of one heavy link

/// Makes one set of tight cells a and b if any of their core points are within ε. Pairs with many
/// points go to `heavy`.
template <int D, class Lane>
CLUSTERLOOM_LANE void linkTightCells(Lane& lane, const FusedView& v, std::uint32_t a,
                                     std::uint32_t b, const HeavyLinks& heavy) {
  const std::uint32_t firstA = v.firstCore[a];
  const std::uint32_t firstB = v.firstCore[b];
  if (firstA == FusedView::kNone || firstB == FusedView::kNone) return;
  if (recentRoot(lane, v.parent, firstA) == recentRoot(lane, v.parent, firstB)) return;
  const std::uint32_t endA = v.cellStart[a + 1];
  // Most adjacent cells are decided by their first points.
  if (Query<D>(v, firstA).reaches(v, firstB)) {
    uniteScattered(lane, v.parent, firstA, firstB, *v.largest);
    return;
  }
  const std::uint64_t pairs = std::uint64_t(endA - firstA) * (v.cellStart[b + 1] - firstB);
  if (pairs > kHeavyPairs && heavy.links != nullptr) {
    const std::uint32_t chunks = (endA - firstA + kHeavyChunk - 1) / kHeavyChunk;
    const std::uint32_t at = lane.add(heavy.count, chunks);
    if (at + chunks <= heavy.capacity && at + chunks >= at) {
      for (std::uint32_t i = 0; i < chunks; ++i) {
        const std::uint32_t begin = firstA + i * kHeavyChunk;
        const std::uint32_t end = begin + kHeavyChunk < endA ? begin + kHeavyChunk : endA;
        heavy.links[at + i] = {begin, end, b};
      }
      return;
    }
    // Slots that were reserved and cannot be used are marked empty.
    for (std::uint32_t i = at; i < heavy.capacity && i >= at && i < at + chunks; ++i)
      heavy.links[i] = {0, 0, b};
  }
  if (anyPair<D>(lane, v, firstA, endA, b))
    uniteScattered(lane, v.parent, firstA, firstB, *v.largest);
}

/// Shared memory of a block in linkHeavy: a word that records whether the two cells are known to be
/// one set or are to be skipped.
inline constexpr std::size_t kHeavySharedBytes = sizeof(int);

/// Processes the heavy links: blocks take them one after another, and their threads share the
/// points of each. A block's program; no thread returns early.
template <int D, class Lane>
CLUSTERLOOM_LANE void linkHeavy(Lane& lane, const FusedView& v, const HeavyLinks& heavy) {
  const auto linked = lane.template shared<int>();
  const std::uint32_t count = *heavy.count < heavy.capacity ? *heavy.count : heavy.capacity;
  for (std::uint32_t i = lane.block(); i < count; i += lane.blocks()) {
    const HeavyLink link = heavy.links[i];
    const std::uint32_t firstB = v.firstCore[link.cell];
    if (lane.thread() == 0)
      linked[0] = link.begin == link.end || lane.load(v.stop) != 0 ||
                  recentRoot(lane, v.parent, v.firstCore[v.cellOf[link.begin]]) ==
                      recentRoot(lane, v.parent, firstB);
    lane.blockSync();
    const bool known = linked[0] != 0;
    // No thread may record a found pair before all have read the previous state.
    lane.blockSync();
    if (known) continue;
    const std::uint32_t endB = v.cellStart[link.cell + 1];
    for (std::uint32_t p = link.begin + lane.thread(); p < link.end; p += lane.threads()) {
      if (v.core[p] == 0) continue;
      const Query<D> query(v, p);
      bool found = false;
      for (std::uint32_t q = firstB; q < endB && !found; ++q) {
        found = v.core[q] != 0 && query.reaches(v, q);
        if ((q & 255U) == 0 && (lane.load(linked) != 0 || lane.load(v.stop) != 0)) break;
      }
      if (found) lane.store(linked, 1);
    }
    lane.blockSync();
    if (lane.thread() == 0 && linked[0] != 0 && lane.load(v.stop) == 0)
      uniteScattered(lane, v.parent, v.firstCore[v.cellOf[link.begin]], firstB, *v.largest);
  }
}

/// Links cell c with the cell that lies `offset` linear ids ahead, if there is one.
template <int D, class Lane>
CLUSTERLOOM_LANE void linkNext(Lane& lane, const FusedView& v, std::uint32_t c,
                               std::uint64_t offset, const HeavyLinks& heavy) {
  if (v.firstCore[c] == FusedView::kNone) return;
  const std::uint64_t id = v.cellIds[c] + offset;
  const std::uint32_t b = firstCellFrom(v, id);
  if (b < v.numberOfCells() && v.cellIds[b] == id) linkTightCells<D>(lane, v, c, b, heavy);
}

/// Links cell c, where every cell is tight, with the cells of a row around it; with those after it
/// only if `largest` is kNone, as all items are linked then.
template <int D, class Lane>
CLUSTERLOOM_LANE void linkCell(Lane& lane, const FusedView& v, std::uint32_t c, std::uint32_t row,
                               const HeavyLinks& heavy) {
  const bool onlyAfter = *v.largest == FusedView::kNone;
  const std::uint32_t first = v.firstCore[c];
  if (first == FusedView::kNone || (onlyAfter && v.rowOffsets[row] < 0)) return;
  std::uint32_t root = recentRoot(lane, v.parent, first);
  if (root == *v.largest) return;  // since a row before this one
  const CellRange cells = cellsOfRow(v, v.cellIds[c], row);
  for (std::uint32_t b = onlyAfter && cells.begin <= c ? c + 1 : cells.begin; b < cells.end; ++b) {
    const std::uint32_t firstB = v.firstCore[b];
    // A parent that equals this root, even an older value, proves "same set".
    if (firstB == FusedView::kNone || lane.peek(&v.parent[firstB]) == root) continue;
    linkTightCells<D>(lane, v, c, b, heavy);
    root = recentRoot(lane, v.parent, root);
  }
}

/// Makes one set of the query point and the core points of cell b from position `from` on within ε.
template <int D, class Lane>
CLUSTERLOOM_LANE void linkPointWithCell(Lane& lane, const FusedView& v, const Query<D>& query,
                                        std::uint32_t b, std::uint32_t from, std::uint32_t& root) {
  const std::uint32_t firstB = v.firstCore[b];
  if (firstB == FusedView::kNone) return;
  const bool tight = v.isTight(b);
  // The core points of a tight cell are one set: one of them within ε is enough.
  if (tight && recentRoot(lane, v.parent, firstB) == recentRoot(lane, v.parent, root)) return;
  const std::uint32_t end = v.cellStart[b + 1];
  for (std::uint32_t q = firstB > from ? firstB : from; q < end; ++q) {
    if (v.core[q] == 0 || lane.peek(&v.parent[q]) == root || !query.reaches(v, q)) continue;
    root = uniteScattered(lane, v.parent, root, q, *v.largest);
    if (tight) return;
  }
}

/// Makes one set of the core point p and every core point within ε in the cells of a row around it;
/// with those after it only if `largest` is kNone, as all items are linked then. The general case,
/// where cells need not be tight.
template <int D, class Lane>
CLUSTERLOOM_LANE void linkPoint(Lane& lane, const FusedView& v, std::uint32_t p,
                                std::uint32_t row) {
  constexpr std::uint32_t kMany = 256;  // candidates of a row: then tight cells are worth knowing
  const bool onlyAfter = *v.largest == FusedView::kNone;
  if (v.core[p] == 0 || (onlyAfter && v.rowOffsets[row] < 0)) return;
  std::uint32_t root = recentRoot(lane, v.parent, p);
  if (root == *v.largest) return;  // since a row before this one
  const CellRange cells = cellsOfRow(v, v.cellIds[v.cellOf[p]], row);
  const std::uint32_t from = onlyAfter ? p + 1 : 0;
  const std::uint32_t begin = v.cellStart[cells.begin];
  const std::uint32_t end = v.cellStart[cells.end];
  const Query<D> query(v, p);
  if (end - begin > kMany) {
    for (std::uint32_t b = cells.begin; b < cells.end; ++b)
      linkPointWithCell<D>(lane, v, query, b, from, root);
    return;
  }
  for (std::uint32_t q = begin > from ? begin : from; q < end; ++q) {
    // A parent that is our root, even one read a while ago, says "same set".
    if (v.core[q] == 0 || lane.peek(&v.parent[q]) == root || !query.reaches(v, q)) continue;
    root = uniteScattered(lane, v.parent, root, q, *v.largest);
  }
}

/// The lowest cluster among the core points within ε of the non-core point p, −1 for none.
template <int D, class Lane>
CLUSTERLOOM_LANE std::int32_t borderLabel(Lane& lane, const FusedView& v, std::uint32_t p) {
  const std::uint64_t id = v.cellIds[v.cellOf[p]];
  const Query<D> query(v, p);
  std::uint32_t best = 0xffffffffU;  // as unsigned, −1 is the highest label
  for (std::uint32_t row = 0; row < v.rows; ++row) {
    const CellRange cells = cellsOfRow(v, id, row);
    for (std::uint32_t c = cells.begin; c < cells.end; ++c) {
      const std::uint32_t first = v.firstCore[c];
      if (first == FusedView::kNone) continue;
      const bool tight = v.isTight(c);
      // All core points of a tight cell have one label.
      if (tight && std::uint32_t(v.labelOf[first]) >= best) continue;
      const std::uint32_t end = v.cellStart[c + 1];
      for (std::uint32_t q = first; q < end; ++q) {
        if (v.core[q] == 0) continue;
        const auto label = std::uint32_t(v.labelOf[q]);
        if (label < best && query.reaches(v, q)) {
          best = label;
          if (tight) break;
        }
      }
    }
    if (shouldStop(lane, v, v.cellStart[cells.end] - v.cellStart[cells.begin])) break;
  }
  return std::int32_t(best);
}

}  // namespace fused
}  // namespace clusterloom
