#include "engine/hierarchy/leaf_tree.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "engine/core/instruction_sets.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/join/periodic_box.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kParallel = 512;  // leaves from which on children are built side by side
constexpr std::size_t kPointsPerLook = 1 << 14;  // points between two looks at the stop token

/// A point while its node is divided. `from` is its place within the node before.
struct Key {
  double x;
  std::uint32_t id;
  std::uint32_t from;
};

CLUSTERLOOM_INLINE bool isBelow(const Key& a, const Key& b) {
  return (a.x < b.x) | ((a.x == b.x) & (a.id < b.id));
}

/// Moves the keys below `pivot` to the front, without a branch that depends on the keys, and
/// returns their number.
std::size_t partitionBelow(Key* keys, std::size_t size, const Key& pivot) {
  std::size_t below = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Key key = keys[i];
    keys[i] = keys[below];
    keys[below] = key;
    below += isBelow(key, pivot);
  }
  return below;
}

/// A key close to the one at `middle` in the order of all: from a sample, and by two standard
/// errors towards the far end, so that the middle is likely to be in the short part.
Key pivotOf(const Key* keys, std::size_t size, std::size_t middle) {
  constexpr std::size_t kMostSampled = 256;
  Key sample[kMostSampled];
  const std::size_t m = size > 65536 ? kMostSampled : size > 4096 ? 64 : size > 512 ? 16 : 5;
  // Places at irregular distances: input in some regular order must not give a regular sample.
  std::uint64_t state = size * 0x9e3779b97f4a7c15;
  for (std::size_t s = 0; s < m; ++s) {
    state = state * 6364136223846793005 + 1442695040888963407;
    sample[s] = keys[(state >> 33) % size];
  }
  double fraction = double(middle) / double(size);
  if (m >= 64) fraction += (fraction < 0.5 ? 1 : -1) / std::sqrt(double(m));
  const auto at = std::min(m - 1, std::size_t(fraction * double(m)));
  std::nth_element(sample, sample + at, sample + m, isBelow);
  return sample[at];
}

/// std::nth_element for keys that are all different, in blocks between which a stop is noticed.
/// After a stop the order is unspecified.
void divideAt(Key* keys, std::size_t size, std::size_t middle, const Task& task) {
  constexpr std::size_t kFew = 48;
  constexpr int kMostRounds = 100;  // a fallback against repeatedly bad samples
  for (int round = 0; size > kFew && round < kMostRounds; ++round) {
    const Key pivot = pivotOf(keys, size, middle);
    std::size_t below = 0;
    for (std::size_t begin = 0; begin < size; begin += kPointsPerLook) {
      if (task.cancelled()) return;
      const std::size_t length = std::min(kPointsPerLook, size - begin);
      const std::size_t found = partitionBelow(keys + begin, length, pivot);
      // Brings the found ones to those of the earlier blocks.
      const std::size_t gap = begin - below;
      const std::size_t moved = std::min(gap, found);
      std::swap_ranges(keys + below, keys + below + moved, keys + begin + found - moved);
      below += found;
    }
    if (middle < below) {
      size = below;
    } else {
      keys += below;
      size -= below;
      middle -= below;
      // The pivot is the lowest of these. Without this, a pivot that is the lowest key of all would
      // leave everything as it was.
      if (below == 0) {
        for (std::size_t i = 0; i < size; ++i) {
          if (keys[i].id != pivot.id) continue;
          std::swap(keys[0], keys[i]);
          break;
        }
        if (middle == 0) return;
        ++keys;
        --size;
        --middle;
      }
    }
  }
  std::nth_element(keys, keys + middle, keys + size, isBelow);
}

using Eight = double __attribute__((vector_size(64)));

/// Lowest and highest of some values, which are not NaN. The compiler keeps the order of a plain
/// loop's comparisons because of signed zeros; their order does not matter here.
CLUSTERLOOM_CLONES void rangeOf(const double* values, std::size_t size, double& low, double& high) {
  double lowest = values[0];
  double highest = values[0];
  std::size_t i = 0;
  if (size >= 8) {
    Eight lows;
    std::memcpy(&lows, values, sizeof lows);
    Eight highs = lows;
    for (i = 8; i + 8 <= size; i += 8) {
      Eight x;
      std::memcpy(&x, values + i, sizeof x);
      lows = x < lows ? x : lows;
      highs = x > highs ? x : highs;
    }
    for (int lane = 0; lane < 8; ++lane) {
      lowest = lows[lane] < lowest ? lows[lane] : lowest;
      highest = highs[lane] > highest ? highs[lane] : highest;
    }
  }
  for (; i < size; ++i) {
    lowest = values[i] < lowest ? values[i] : lowest;
    highest = values[i] > highest ? values[i] : highest;
  }
  low = lowest;
  high = highest;
}

/// The points of a node's subtree, in the order so far.
struct Order {
  std::vector<LargeArray<double>> columns;
  LargeArray<std::uint32_t> ids;
};

class Builder {
 public:
  Builder(LeafTree& tree, const PointCloud& cloud, const Task& task)
      : tree_(tree), task_(task), progress_(task, "building the tree", tree.leaves) {
    for (Order* order : {&now_, &next_}) {
      order->columns.resize(tree.dims);
      for (auto& column : order->columns) column.resize(tree.points);
      order->ids.resize(tree.points);
    }
    keys_.resize(tree.points);
    forBlocks(tree.points, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = 0; j < tree.dims; ++j)
        withValues(cloud.columns[j], [&](const auto& x) {
          for (std::size_t p = begin; p < end; ++p) now_.columns[j][p] = x[p];
        });
      for (std::size_t p = begin; p < end; ++p) now_.ids[p] = std::uint32_t(p);
    });
  }

  void build() { buildNode(0, 0, tree_.leaves, now_, next_); }

 private:
  template <class Body>
  void forBlocks(std::size_t size, const Body& body) {
    if (size <= kPointsPerLook) return body(std::size_t{0}, size);
    parallelForBlocks(size, kPointsPerLook, task_, body);
  }

  // `now` holds the points; `next` is where their next order goes.
  void buildNode(std::size_t node, std::uint32_t firstLeaf, std::uint32_t leaves, Order& now,
                 Order& next) {
    if (task_.cancelled()) return;
    const std::size_t begin = std::size_t{firstLeaf} * kLeafSize;
    const std::size_t size = std::min(tree_.points - begin, std::size_t{leaves} * kLeafSize);
    double* low = tree_.boxes.data() + node * 2 * tree_.dims;
    double* high = low + tree_.dims;
    std::size_t widest = 0;
    for (std::size_t j = 0; j < tree_.dims; ++j) {
      if (task_.cancelled()) return;
      rangeOf(now.columns[j].data() + begin, size, low[j], high[j]);
      if (high[j] - low[j] > high[widest] - low[widest]) widest = j;
    }
    if (leaves == 1) return fillLeaf(node, firstLeaf, size, now);

    Key* keys = keys_.data() + begin;
    forBlocks(size, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i)
        keys[i] = {now.columns[widest][begin + i], now.ids[begin + i], std::uint32_t(i)};
    });
    const std::uint32_t left = (leaves + 1) / 2;
    divideAt(keys, size, std::size_t{left} * kLeafSize, task_);
    if (task_.cancelled()) return;
    forBlocks(size, [&](std::size_t first, std::size_t end) {
      for (std::size_t j = 0; j < tree_.dims; ++j) {
        const double* from = now.columns[j].data() + begin;
        double* to = next.columns[j].data() + begin;
        for (std::size_t i = first; i < end; ++i) to[i] = from[keys[i].from];
      }
      for (std::size_t i = first; i < end; ++i) next.ids[begin + i] = keys[i].id;
    });
    const std::size_t right = node + 2 * std::size_t{left};
    const auto buildLeft = [&] { buildNode(node + 1, firstLeaf, left, next, now); };
    const auto buildRight = [&] { buildNode(right, firstLeaf + left, leaves - left, next, now); };
    if (leaves >= kParallel) {
      tbb::parallel_invoke(buildLeft, buildRight);
    } else {
      buildLeft();
      buildRight();
    }
    if (task_.cancelled()) return;
    tree_.lowestId[node] = std::min(tree_.lowestId[node + 1], tree_.lowestId[right]);
    if (leaves < kParallel && 2 * leaves >= kParallel) progress_.add(leaves);
  }

  void fillLeaf(std::size_t node, std::uint32_t leaf, std::size_t size, const Order& now) {
    const std::size_t begin = std::size_t{leaf} * kLeafSize;
    double* to = tree_.coordinates.data() + begin * tree_.dims;
    for (std::size_t j = 0; j < tree_.dims; ++j, to += kLeafSize) {
      const double* from = now.columns[j].data() + begin;
      std::copy(from, from + size, to);
      std::fill(to + size, to + kLeafSize, std::numeric_limits<double>::quiet_NaN());
    }
    const std::uint32_t* from = now.ids.data() + begin;
    std::uint32_t* ids = tree_.ids.data() + begin;
    std::copy(from, from + size, ids);
    std::fill(ids + size, ids + kLeafSize, LeafTree::kNobody);
    tree_.lowestId[node] = *std::min_element(from, from + size);
  }

  LeafTree& tree_;
  const Task& task_;
  SharedProgress progress_;
  Order now_;
  Order next_;
  LargeArray<Key> keys_;
};

}  // namespace

std::uint64_t leafTreeBytes(std::size_t points, std::size_t dims) {
  // Coordinates, ids, and for each of kLeafSize points two nodes.
  const std::uint64_t nodes = 2 * (points / kLeafSize + 1);
  return points * (8 * dims + 4) + nodes * (16 * dims + 4);
}

std::uint64_t leafTreePeakBytes(std::size_t points, std::size_t dims) {
  // Two orders and the keys.
  return leafTreeBytes(points, dims) + points * (2 * (8 * dims + 4) + sizeof(Key));
}

Result<LeafTree> buildLeafTree(const PointCloud& cloud, const Task& task) {
  LeafTree tree;
  tree.points = cloud.size();
  tree.dims = cloud.dims();
  tree.leaves = std::uint32_t((tree.points + kLeafSize - 1) / kLeafSize);
  tree.coordinates.resize(std::size_t{tree.leaves} * tree.dims * kLeafSize);
  tree.ids.resize(std::size_t{tree.leaves} * kLeafSize);
  tree.boxes.resize(tree.nodes() * 2 * tree.dims);
  tree.lowestId.resize(tree.nodes());
  Builder(tree, cloud, task).build();
  if (task.cancelled()) return cancelledError();
  return tree;
}

Result<LeafTree> buildLeafTree(const PointCloud& cloud, const std::vector<double>& periods,
                               Metric metric, const Task& task) {
  if (periods.empty()) {
    auto tree = buildLeafTree(cloud, task);
    if (tree && isTreeMetric(metric)) tree->metric = metric;
    return tree;
  }
  if (isTreeMetric(metric))
    return badCall("A periodic box has Euclidean distances, not " + std::string(toText(metric)) +
                   " ones.");
  const auto box = makePeriodicBox(periods, cloud);
  if (!box) return tl::unexpected(box.error());
  const auto moved = wrapped(cloud, *box, task);
  if (!moved) return tl::unexpected(moved.error());
  auto tree = buildLeafTree(*moved, task);
  if (!tree) return tree;
  for (const double period : box->periods)
    tree->periods.push_back(period > 0 ? period : std::numeric_limits<double>::infinity());
  return tree;
}

}  // namespace clusterloom
