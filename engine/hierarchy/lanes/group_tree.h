#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/core/hilbert_curve.h"
#include "engine/core/lane.h"
#include "engine/core/ordered_bits.h"

// A tree for the searches of a GPU: points in the order of a Hilbert curve, 32 consecutive ones a
// group, 32 consecutive groups or nodes a node above. A warp searches for the 32 points of a group
// together: each lane tests one child of a node, and each lane compares its own point with the
// points of a group, which all lanes read at once.
//
// The building programs are objects for a machine (engine/hierarchy/lanes/machine.h describes it).

namespace clusterloom {

inline constexpr std::uint32_t kAllLanes = 0xffffffffU;

/// Folds a value of each lane of a full warp; every lane gets the result. `pick` is commutative.
template <class Lane, class T, class Pick>
CLUSTERLOOM_LANE T overWarp(Lane& lane, T value, Pick&& pick) {
  CLUSTERLOOM_UNROLL
  for (std::uint32_t apart = 16; apart > 0; apart /= 2)
    value = pick(value, lane.exchange(kAllLanes, value, apart));
  return value;
}
struct Minimum {
  template <class T>
  CLUSTERLOOM_LANE T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  CLUSTERLOOM_LANE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

/// Plain pointers to a tree. A place is the number of a point along the curve. Node i of a level
/// holds the nodes 32·i … 32·i + 31 of the level below; the nodes of level 0 are the groups. The
/// highest level has at most 32 nodes.
struct GroupTreeView {
  static constexpr std::uint32_t kGroup = 32;
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr int kMostLevels = 7;

  std::uint32_t points = 0;
  std::uint32_t dims = 0;
  std::uint32_t groups = 0;
  int levels = 0;
  std::uint32_t nodes[kMostLevels] = {};  ///< of each level
  std::uint32_t first[kMostLevels] = {};  ///< number of a level's first node, a multiple of 32

  /// Group by group, dimension-major within each: groups × dims × 32. NaN behind the last point.
  double* coordinates = nullptr;
  std::uint32_t* ids = nullptr;  ///< groups × 32: point at each place, kNobody behind the last
  /// 32 nodes by 32, component by component: the lowest coordinates, then the highest.
  double* boxes = nullptr;
  std::uint32_t* lowestIds = nullptr;  ///< of each node's points

  CLUSTERLOOM_LANE std::uint32_t places() const { return groups * kGroup; }
  CLUSTERLOOM_LANE std::uint32_t allNodes() const {
    return first[levels - 1] + (nodes[levels - 1] + 31) / 32 * 32;
  }
  /// Number of node i of a level.
  CLUSTERLOOM_LANE std::uint32_t node(int level, std::uint32_t i) const { return first[level] + i; }
  CLUSTERLOOM_LANE double* boxOf(std::uint32_t node) const {
    return boxes + (std::size_t(node / 32) * 2 * dims) * 32 + node % 32;
  }
  /// Coordinate 0 of a place; the others follow 32 apart.
  CLUSTERLOOM_LANE double* pointAt(std::uint32_t place) const {
    return coordinates + std::size_t(place / kGroup) * dims * kGroup + place % kGroup;
  }
  CLUSTERLOOM_LANE std::uint32_t inGroup(std::uint32_t group) const {
    const std::uint32_t rest = points - group * kGroup;
    return rest < kGroup ? rest : kGroup;
  }

  /// The shape of a tree of `points` points; pointers are left out.
  static GroupTreeView of(std::size_t points, std::size_t dims) {
    GroupTreeView view;
    view.points = std::uint32_t(points);
    view.dims = std::uint32_t(dims);
    view.groups = (view.points + kGroup - 1) / kGroup;
    std::uint32_t first = 0;
    for (std::uint32_t nodes = view.groups;; nodes = (nodes + 31) / 32) {
      view.nodes[view.levels] = nodes;
      view.first[view.levels++] = first;
      if (nodes <= 32) return view;
      first += (nodes + 31) / 32 * 32;
    }
  }
};

// Why no point of a box is missed: leaf_lanes.h proves that these sums, rounded as they are, are at
// most the canonical squared distances of the points of the boxes.

/// The square of the gap between [lowA, highA] and [lowB, highB].
CLUSTERLOOM_LANE double squaredGap(double lowA, double highA, double lowB, double highB) {
  const double before = lowB - highA;
  const double after = lowA - highB;
  const double larger = before > after ? before : after;
  const double gap = larger > 0 ? larger : 0.0;
  return gap * gap;
}

/// A point of a group. D is the number of dimensions, or 0 for any; then its coordinates are read
/// where they are.
template <int D>
struct GroupPoint {
  double x[D];

  CLUSTERLOOM_LANE GroupPoint(const GroupTreeView& tree, std::uint32_t place) {
    const double* own = tree.pointAt(place);
    CLUSTERLOOM_UNROLL
    for (int j = 0; j < D; ++j) x[j] = own[j * 32];
  }
  /// The canonical squared distance to another point.
  CLUSTERLOOM_LANE double squaredTo(const double* point, std::uint32_t) const {
    double sum = 0;
    CLUSTERLOOM_UNROLL
    for (int j = 0; j < D; ++j) {
      const double d = x[j] - point[j * 32];
      sum += d * d;
    }
    return sum;
  }
  /// A bound below the squared distances to the points of a box.
  CLUSTERLOOM_LANE double pointBound(const double* box, std::uint32_t) const {
    double sum = 0;
    CLUSTERLOOM_UNROLL
    for (int j = 0; j < D; ++j) sum += squaredGap(x[j], x[j], box[j * 32], box[(D + j) * 32]);
    return sum;
  }
};

template <>
struct GroupPoint<0> {
  const double* own;

  CLUSTERLOOM_LANE GroupPoint(const GroupTreeView& tree, std::uint32_t place)
      : own(tree.pointAt(place)) {}
  CLUSTERLOOM_LANE double squaredTo(const double* point, std::uint32_t dims) const {
    double sum = 0;
    for (std::uint32_t j = 0; j < dims; ++j) {
      const double d = own[j * 32] - point[j * 32];
      sum += d * d;
    }
    return sum;
  }
  CLUSTERLOOM_LANE double pointBound(const double* box, std::uint32_t dims) const {
    double sum = 0;
    for (std::uint32_t j = 0; j < dims; ++j)
      sum += squaredGap(own[j * 32], own[j * 32], box[j * 32], box[(dims + j) * 32]);
    return sum;
  }
};

/// The points of a group as queries, one a lane, and their box.
template <int D>
struct GroupQuery : GroupPoint<D> {
  double low[D];
  double high[D];

  CLUSTERLOOM_LANE GroupQuery(const GroupTreeView& tree, std::uint32_t group, std::uint32_t lane)
      : GroupPoint<D>(tree, group * 32 + lane) {
    const double* box = tree.boxOf(group);
    CLUSTERLOOM_UNROLL
    for (int j = 0; j < D; ++j) {
      low[j] = box[j * 32];
      high[j] = box[(D + j) * 32];
    }
  }
  /// A bound below the squared distances of the group's points to those of a box.
  CLUSTERLOOM_LANE double groupBound(const double* box, std::uint32_t) const {
    double sum = 0;
    CLUSTERLOOM_UNROLL
    for (int j = 0; j < D; ++j) sum += squaredGap(low[j], high[j], box[j * 32], box[(D + j) * 32]);
    return sum;
  }
};

template <>
struct GroupQuery<0> : GroupPoint<0> {
  const double* ownBox;

  CLUSTERLOOM_LANE GroupQuery(const GroupTreeView& tree, std::uint32_t group, std::uint32_t lane)
      : GroupPoint<0>(tree, group * 32 + lane), ownBox(tree.boxOf(group)) {}
  CLUSTERLOOM_LANE double groupBound(const double* box, std::uint32_t dims) const {
    double sum = 0;
    for (std::uint32_t j = 0; j < dims; ++j)
      sum += squaredGap(ownBox[j * 32], ownBox[(dims + j) * 32], box[j * 32], box[(dims + j) * 32]);
    return sum;
  }
};

/// The number of the lowest bit that is set.
CLUSTERLOOM_LANE std::uint32_t lowestBit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return std::uint32_t(__ffs(int(bits))) - 1;
#else
  return std::uint32_t(__builtin_ctz(bits));
#endif
}

CLUSTERLOOM_LANE std::uint32_t bitCount(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return std::uint32_t(__popc(int(bits)));
#else
  return std::uint32_t(__builtin_popcount(bits));
#endif
}

/// Walks over the groups for the queries of group `own`, nodes that hold it first. `near(node,
/// level)` asks each lane for another node, whether the queries' box is near it; `wants(node)` asks
/// all lanes for the same node, each for its own query: a group of distant points has a large box.
/// `visit(group)` is called by all lanes together.
template <class Lane, class Near, class Wants, class Visit>
CLUSTERLOOM_LANE void walkGroups(Lane& lane, const GroupTreeView& tree, std::uint32_t own,
                                 Near&& near, Wants&& wants, Visit&& visit) {
  std::uint32_t block[GroupTreeView::kMostLevels];  // 32 nodes by 32
  std::uint32_t open[GroupTreeView::kMostLevels];
  int level = tree.levels - 1;
  const auto enter = [&](std::uint32_t at) {
    block[level] = at;
    const std::uint32_t i = at * 32 + lane.id();
    open[level] = lane.ballot(kAllLanes, i < tree.nodes[level] && near(tree.node(level, i), level));
  };
  enter(0);
  while (level < tree.levels) {
    if (open[level] == 0) {
      ++level;
      continue;
    }
    std::uint32_t bit = lowestBit(open[level]);
    const std::uint32_t ownNode = own >> (5 * level);
    if (ownNode / 32 == block[level] && (open[level] >> ownNode % 32 & 1) != 0) bit = ownNode % 32;
    open[level] &= ~(1U << bit);
    const std::uint32_t child = block[level] * 32 + bit;
    if (level == 0) {
      visit(child);
      if (lane.ballot(kAllLanes, lane.stopping()) != 0) return;
    } else if (lane.ballot(kAllLanes, wants(tree.node(level, child))) != 0) {
      --level;
      enter(child);
    }
  }
}

// Programs that build a tree.

/// Lowest and highest coordinates: of each warp's 32 × kEach points. ends[2j] takes the lowest and
/// ends[2j + 1] the complement of the highest coordinate of dimension j; both start as all ones.
struct FindRanges {
  static constexpr std::uint32_t kEach = 32;
  const double* columns;
  std::uint32_t points;
  std::uint32_t dims;
  std::uint64_t* ends;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t warp) const {
    for (std::uint32_t j = 0; j < dims; ++j) {
      const double* x = columns + std::size_t(j) * points;
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (std::uint32_t i = 0; i < kEach; ++i) {
        const std::uint64_t p = (std::uint64_t(warp) * kEach + i) * 32 + lane.id();
        if (p >= points) break;
        low = Minimum()(low, x[p]);
        high = Maximum()(high, x[p]);
      }
      low = overWarp(lane, low, Minimum());
      high = overWarp(lane, high, Maximum());
      if (lane.id() != 0) continue;
      lane.least(ends + 2 * j, orderedBits(low));
      lane.least(ends + 2 * j + 1, ~orderedBits(high));
    }
  }
};

/// The place of each point's cell on the curve. D is the number of dimensions or 0 for any, of
/// which the curve goes through the first kMostDims.
template <int D>
struct CurveKeys {
  static constexpr int kMostDims = 16;
  const double* columns;
  std::uint32_t points;
  int dims;  ///< of the curve
  int bits;  ///< of each
  const std::uint64_t* ends;
  std::uint64_t* keys;
  std::uint32_t* order;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t p) const {
    std::uint32_t x[D > 0 ? D : kMostDims];
    const int n = D > 0 ? D : dims;
    const double cells = double(1U << bits);
    CLUSTERLOOM_UNROLL
    for (int j = 0; j < n; ++j) {
      const double low = fromOrderedBits(ends[2 * j]);
      const double extent = fromOrderedBits(~ends[2 * j + 1]) - low;
      const double at = columns[std::size_t(j) * points + p] - low;
      const double cell = extent > 0 ? at / extent * cells : 0.0;
      x[j] = cell < cells - 1 ? std::uint32_t(cell) : (1U << bits) - 1;
    }
    keys[p] = hilbertPlace(x, n, bits);
    order[p] = p;
  }
};

/// Whether a key is that of the key before.
struct FlagRepeats {
  const std::uint64_t* keys;
  std::uint32_t* flags;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    flags[i] = i > 0 && keys[i] == keys[i - 1];
  }
};

/// Coordinates of one dimension as keys.
struct ColumnKeys {
  const double* column;
  std::uint64_t* keys;
  std::uint32_t* order;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t p) const {
    keys[p] = orderedBits(column[p]);
    order[p] = p;
  }
};

/// The index of a key, if it is the first of its value.
struct FirstOfValue {
  const std::uint64_t* keys;
  std::uint32_t* first;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    first[i] = i > 0 && keys[i] == keys[i - 1] ? 0 : i;
  }
};

/// Cells of one dimension by rank, with about as many points each; equal values share a cell.
struct RankCells {
  const std::uint32_t* first;
  const std::uint32_t* order;
  std::uint32_t points;
  int bits;
  std::uint32_t* cells;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    cells[order[i]] = std::uint32_t((std::uint64_t{first[i]} << bits) / points);
  }
};

/// The place of each point's cell on the curve, the cells being known.
struct CellKeys {
  const std::uint32_t* cells;  ///< dimension-major
  std::uint32_t points;
  int dims;
  int bits;
  std::uint64_t* keys;
  std::uint32_t* order;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t p) const {
    std::uint32_t x[CurveKeys<0>::kMostDims];
    for (int j = 0; j < dims; ++j) x[j] = cells[std::size_t(j) * points + p];
    keys[p] = hilbertPlace(x, dims, bits);
    order[p] = p;
  }
};

struct NumberItems {
  std::uint32_t* to;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    to[i] = i;
  }
};

/// The points of the places, in the order of the curve.
struct GatherPoints {
  GroupTreeView tree;
  const double* columns;
  const std::uint32_t* order;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    const bool isPoint = place < tree.points;
    const std::uint32_t id = isPoint ? order[place] : GroupTreeView::kNobody;
    tree.ids[place] = id;
    double* to = tree.pointAt(place);
    for (std::uint32_t j = 0; j < tree.dims; ++j)
      to[j * 32] = isPoint ? columns[std::size_t(j) * tree.points + id]
                           : std::numeric_limits<double>::quiet_NaN();
  }
};

/// Box and lowest id of each node of a level, a warp a node, from its points or its children.
struct BoxNodes {
  GroupTreeView tree;
  int level;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    const std::uint32_t child = i * 32 + lane.id();
    const bool isThere = child < (level == 0 ? tree.points : tree.nodes[level - 1]);
    const std::uint32_t node = tree.node(level, i);
    const std::uint32_t below = level == 0 ? child : tree.node(level - 1, child);
    double* box = tree.boxOf(node);
    for (std::uint32_t j = 0; j < tree.dims; ++j) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      if (isThere && level == 0) {
        low = high = tree.pointAt(child)[j * 32];
      } else if (isThere) {
        low = tree.boxOf(below)[j * 32];
        high = tree.boxOf(below)[(tree.dims + j) * 32];
      }
      low = overWarp(lane, low, Minimum());
      high = overWarp(lane, high, Maximum());
      if (lane.id() != 0) continue;
      box[j * 32] = low;
      box[(tree.dims + j) * 32] = high;
    }
    std::uint32_t lowest = GroupTreeView::kNobody;
    if (isThere) lowest = level == 0 ? tree.ids[child] : tree.lowestIds[below];
    lowest = overWarp(lane, lowest, Minimum());
    if (lane.id() == 0) tree.lowestIds[node] = lowest;
  }
};

/// A tree in the memory of a machine.
template <class Machine>
struct GroupTree {
  typename Machine::template Array<double> coordinates;
  typename Machine::template Array<std::uint32_t> ids;
  typename Machine::template Array<double> boxes;
  typename Machine::template Array<std::uint32_t> lowestIds;
  GroupTreeView view;
};

/// Builds the tree of `points` > 0 points in the machine's memory, dimension-major and without
/// gaps.
template <class Machine>
GroupTree<Machine> buildGroupTree(Machine& machine, const double* columns, std::size_t points,
                                  std::size_t dims) {
  GroupTree<Machine> tree;
  tree.view = GroupTreeView::of(points, dims);
  GroupTreeView& view = tree.view;
  const int curveDims = dims < CurveKeys<0>::kMostDims ? int(dims) : CurveKeys<0>::kMostDims;
  // Radix sorts take time by bits; of few dimensions 24 bits each are far below most spacings.
  const int bits = 48 / curveDims < 24 ? 48 / curveDims : 24;
  auto ends = machine.template make<std::uint64_t>(2 * dims);
  machine.fill(ends, 0xff);
  machine.warps((points + 32 * FindRanges::kEach - 1) / (32 * FindRanges::kEach),
                FindRanges{columns, view.points, view.dims, ends.data()});
  auto keys = machine.template make<std::uint64_t>(points);
  auto order = machine.template make<std::uint32_t>(points);
  const auto number = [&](auto program) {
    machine.each(points, decltype(program){columns, view.points, curveDims, bits, ends.data(),
                                           keys.data(), order.data()});
  };
  if (dims == 2)
    number(CurveKeys<2>{});
  else if (dims == 3)
    number(CurveKeys<3>{});
  else
    number(CurveKeys<0>{});
  machine.sortByKey(keys, order, bits * curveDims);
  // Where many points share cells of equal size, a few points far from the others have made these
  // too large, and the curve goes through ranks instead.
  auto first = machine.template make<std::uint32_t>(points);
  auto repeats = machine.template make<std::uint64_t>(1);
  machine.each(points, FlagRepeats{keys.data(), first.data()});
  machine.sum(first.data(), repeats.data(), points);
  if (machine.read(repeats) > points / 8) {
    auto cells = machine.template make<std::uint32_t>(points * std::size_t(curveDims));
    for (int j = 0; j < curveDims; ++j) {
      const std::size_t column = std::size_t(j) * points;
      machine.each(points, ColumnKeys{columns + column, keys.data(), order.data()});
      machine.sortByKey(keys, order, 64);
      machine.each(points, FirstOfValue{keys.data(), first.data()});
      machine.runningMaximum(first.data(), first.data(), points);
      machine.each(points,
                   RankCells{first.data(), order.data(), view.points, bits, cells.data() + column});
    }
    machine.each(points,
                 CellKeys{cells.data(), view.points, curveDims, bits, keys.data(), order.data()});
    machine.sortByKey(keys, order, bits * curveDims);
  }

  tree.coordinates = machine.template make<double>(std::size_t{view.places()} * dims);
  tree.ids = machine.template make<std::uint32_t>(view.places());
  tree.boxes = machine.template make<double>(std::size_t{view.allNodes()} * 2 * dims);
  tree.lowestIds = machine.template make<std::uint32_t>(view.allNodes());
  view.coordinates = tree.coordinates.data();
  view.ids = tree.ids.data();
  view.boxes = tree.boxes.data();
  view.lowestIds = tree.lowestIds.data();
  machine.each(view.places(), GatherPoints{view, columns, order.data()});
  for (int level = 0; level < view.levels; ++level)
    machine.warps(view.nodes[level], BoxNodes{view, level});
  return tree;
}

}  // namespace clusterloom
