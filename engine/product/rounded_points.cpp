#include "engine/product/rounded_points.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "engine/core/infinity.h"
#include "engine/core/parallel_for.h"

#include <tbb/parallel_invoke.h>
#include <tbb/parallel_sort.h>

namespace clusterloom {
namespace {

constexpr double kMargin = kReachMargin;

/// No rounded point is further from the centre: 23170² < 2²⁹.
constexpr double kLargestNorm = kLargestRoundedDistance / 2;

/// Points that one task of a parallel loop takes.
constexpr std::size_t kGrain = 256;

/// Points `begin` to `end` of a cloud in dimension `dim`.
struct Block {
  std::size_t begin;
  std::size_t end;
  std::size_t dim;
};

/// Calls work(coordinates, block), in parallel for blocks of points, of each the dimensions in
/// turn. Rows stay in the cache meanwhile. Ends early when the task is stopped.
template <class Work>
void forBlocks(const PointCloud& cloud, const Task& task, const Work& work) {
  const std::size_t size = pointsAtOnce(cloud.dims());
  parallelFor((cloud.size() + size - 1) / size, 1, [&](std::size_t i) {
    if (task.cancelled()) return;
    Block block{i * size, std::min(cloud.size(), (i + 1) * size), 0};
    for (; block.dim < cloud.dims(); ++block.dim)
      withValues(cloud.columns[block.dim], [&](const auto& x) { work(x, block); });
  });
}

/// The values of work(coordinates, block), [block][dim].
template <class Work>
std::vector<std::vector<double>> ofBlocks(const PointCloud& cloud, const Task& task,
                                          const Work& work) {
  const std::size_t size = pointsAtOnce(cloud.dims());
  std::vector<std::vector<double>> found((cloud.size() + size - 1) / size,
                                         std::vector<double>(cloud.dims()));
  forBlocks(cloud, task, [&](const auto& x, const Block& block) {
    found[block.begin / size][block.dim] = work(x, block);
  });
  return found;
}

std::vector<double> meanOf(std::span<const PointCloud* const> clouds, const Task& task) {
  double points = 0;
  for (const PointCloud* cloud : clouds) points += double(cloud->size());
  std::vector<double> mean(clouds.front()->dims());
  for (const PointCloud* cloud : clouds)
    for (const std::vector<double>&sums :
         ofBlocks(*cloud, task, [&](const auto&x, const Block&block) {
           double sum = 0;
           for (std::size_t p = block.begin; p < block.end; ++p) sum += x[p] / points;
           return sum;
         }))
      std::transform(sums.begin(), sums.end(), mean.begin(), mean.begin(), std::plus<>());
  return mean;
}

/// The largest distance of a point from `centre`, without overflow or underflow of squares; +∞
/// where a difference overflows.
double largestNorm(const PointCloud& cloud, const std::vector<double>& centre, const Task& task) {
  double unit = 0;
  for (const std::vector<double>&largest :
       ofBlocks(cloud, task, [&](const auto&x, const Block&block) {
         double most = 0;
         for (std::size_t p = block.begin; p < block.end; ++p)
           most = std::max(most, std::abs(x[p] - centre[block.dim]));
         return most;
       }))
    unit = std::max(unit, *std::max_element(largest.begin(), largest.end()));
  if (unit == 0 || !std::isfinite(unit)) return unit;
  std::vector<double> sums(cloud.size());
  forBlocks(cloud, task, [&](const auto& x, const Block& block) {
    for (std::size_t p = block.begin; p < block.end; ++p) {
      const double share = (x[p] - centre[block.dim]) / unit;
      sums[p] += share * share;
    }
  });
  return unit * std::sqrt(*std::max_element(sums.begin(), sums.end())) * (1 + kMargin);
}

/// Copies points `begin` to `end` of the columns to rows.
void transpose(const PointCloud& cloud, std::size_t begin, std::size_t end, double* rows) {
  constexpr std::size_t kDimsAtOnce = 8;  // a cache line of a row
  const std::size_t n = cloud.dims();
  for (std::size_t first = 0; first < n; first += kDimsAtOnce) {
    const std::size_t last = std::min(n, first + kDimsAtOnce);
    for (std::size_t j = first; j < last; ++j)
      withValues(cloud.columns[j], [&](const auto& x) {
        for (std::size_t p = begin; p < end; ++p) rows[p * n + j] = x[p];
      });
  }
}

/// Rounds one row; returns the distance that it moved, rounded up, if it is wanted.
template <bool kMoved, class Real>
double roundRow(const Real* row, const Rounding& rounding, std::int16_t* rounded) {
  constexpr std::size_t kLanes = 8;
  double squares[kLanes] = {};
  const std::size_t n = rounding.centre.size();
  const auto one = [&](std::size_t j, double& square) {
    rounded[j] =
        std::int16_t(roundedCoordinate(double(row[j]), rounding.centre[j], rounding.scale, square));
  };
  std::size_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) one(j + lane, squares[lane]);
  for (; j < n; ++j) one(j, squares[0]);
  if (!kMoved) return 0;
  return std::sqrt(std::accumulate(squares, squares + kLanes, 0.0)) * (1 + kMargin);
}

/// Calls use(row) with the coordinates of a point where they are.
template <class Use>
decltype(auto) withRow(const RoundedPoints& points, std::size_t point, const Use& use) {
  const void* const row = points.exact.first + std::ptrdiff_t(point) * points.exact.stride;
  return points.exact.single ? use(static_cast<const float*>(row))
                             : use(static_cast<const double*>(row));
}

/// The rows of the cloud: those that it borrows, or a copy.
void takeRows(const PointCloud& cloud, RoundedPoints& points, const Task& task) {
  const std::size_t n = cloud.dims();
  if (const std::optional<PointRows> borrowed = rowsOf(cloud)) {
    points.exact = *borrowed;
    return;
  }
  points.rows = std::make_unique_for_overwrite<double[]>(cloud.size() * n);
  points.exact = {reinterpret_cast<const char*>(points.rows.get()),
                  std::ptrdiff_t(n * sizeof(double)), false};
  constexpr std::size_t kRowsAtOnce = 64;
  parallelForBlocks(cloud.size(), kRowsAtOnce, task, [&](std::size_t begin, std::size_t end) {
    transpose(cloud, begin, end, points.rows.get());
  });
}

/// Divides ids into leaves of at most 64 that are near each other.
class Splitter {
 public:
  Splitter(RoundedPoints& points, const Task& task)
      : points_(points), ids_(points.pointIds), starts_(ids_.size()), task_(task) {
    split(ids_);
  }

  /// By position: whether a leaf starts there.
  const std::vector<std::uint8_t>& starts() const { return starts_; }

 private:
  using Key = std::pair<float, std::uint32_t>;

  void split(std::span<std::uint32_t> ids) {
    if (task_.cancelled()) return;
    if (ids.size() <= kTilePoints) {
      starts_[std::size_t(ids.data() - ids_.data())] = 1;
      return;
    }
    const std::size_t cut = order(ids);
    constexpr std::size_t kAlone = 2048;  // less is not worth a task
    if (ids.size() <= kAlone) {
      split(ids.first(cut));
      split(ids.subspan(cut));
    } else {
      tbb::parallel_invoke([&] { split(ids.first(cut)); }, [&] { split(ids.subspan(cut)); });
    }
  }

  /// Sorts ids by their projections on a long axis and says where to cut them.
  std::size_t order(std::span<std::uint32_t> ids) const {
    const std::vector<float> direction = longAxis(ids);
    std::vector<Key> keys(ids.size());
    parallelFor(ids.size(), kGrain, [&](std::size_t i) {
      keys[i] = {along(direction, ids[i]), ids[i]};
    });
    tbb::parallel_sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = keys[i].second;
    return cutOf(keys);
  }

  /// The widest gap of the middle half, which may separate clusters, where it is wide; else the
  /// middle, with whole tiles before it. A tile that is not full costs as much as a full one, so
  /// that few points are never cut at a gap.
  static std::size_t cutOf(const std::vector<Key>& keys) {
    constexpr std::size_t kWorthATile = 8 * kTilePoints;
    constexpr float kWide = 1.0F / 8;
    const std::size_t n = keys.size();
    if (n >= kWorthATile) {
      const auto gap = [&](std::size_t i) { return keys[i].first - keys[i - 1].first; };
      std::size_t widest = n / 4;
      for (std::size_t i = n / 4; i < n - n / 4; ++i)
        if (gap(i) > gap(widest)) widest = i;
      if (gap(widest) > kWide * (keys.back().first - keys.front().first)) return widest;
    }
    const std::size_t tiles = (n + kTilePoints - 1) / kTilePoints;
    return (tiles + 1) / 2 * kTilePoints;
  }

  /// In the units of rounded coordinates, which all numbers here can hold. Approximately: it only
  /// chooses between ways to divide.
  template <class Real>
  float scaled(const Real* row, std::size_t j) const {
    return float((double(row[j]) - points_.rounding.centre[j]) * points_.rounding.scale);
  }

  std::vector<float> scaledRow(std::uint32_t id) const {
    std::vector<float> row(points_.dims);
    withRow(points_, id, [&](const auto* from) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = scaled(from, j);
    });
    return row;
  }

  /// The sum of term(j, scaled coordinate), in lanes that the compiler can make a vector of.
  template <class Term>
  float sumOf(std::uint32_t id, const Term& term) const {
    constexpr std::size_t kLanes = 16;
    const std::size_t n = points_.dims;
    return withRow(points_, id, [&](const auto* row) {
      float sums[kLanes] = {};
      std::size_t j = 0;
      for (; j + kLanes <= n; j += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          sums[lane] += term(j + lane, scaled(row, j + lane));
      for (; j < n; ++j) sums[0] += term(j, scaled(row, j));
      return std::accumulate(sums, sums + kLanes, 0.0F);
    });
  }

  std::uint32_t farthest(std::span<const std::uint32_t> ids, std::size_t step,
                         std::uint32_t from) const {
    const std::vector<float> there = scaledRow(from);
    std::uint32_t best = from;
    float most = 0;
    for (std::size_t i = 0; i < ids.size(); i += step) {
      const float distance =
          sumOf(ids[i], [&](std::size_t j, float x) { return (x - there[j]) * (x - there[j]); });
      if (distance > most) {
        most = distance;
        best = ids[i];
      }
    }
    return best;
  }

  /// From one of two distant points, found in a sample, to the other.
  std::vector<float> longAxis(std::span<const std::uint32_t> ids) const {
    constexpr std::size_t kAsked = 128;
    const std::size_t step = std::max<std::size_t>(1, ids.size() / kAsked);
    const std::uint32_t a = farthest(ids, step, ids[ids.size() / 2]);
    const std::uint32_t b = farthest(ids, step, a);
    std::vector<float> direction = scaledRow(b);
    const std::vector<float> begin = scaledRow(a);
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] -= begin[j];
    return direction;
  }

  float along(const std::vector<float>& direction, std::uint32_t id) const {
    return sumOf(id, [&](std::size_t j, float x) { return direction[j] * x; });
  }

  const RoundedPoints& points_;
  const std::span<std::uint32_t> ids_;
  std::vector<std::uint8_t> starts_;
  const Task& task_;
};

/// The rounded coordinates of the points of a leaf, [point][padded dims].
struct LeafRows {
  std::vector<std::int16_t> values;
  double moved = 0;  ///< the largest distance that one of them moved, rounded up
};

template <bool kMoved>
LeafRows roundedRows(const RoundedPoints& points, const RoundedLeaf& leaf) {
  const std::size_t width = points.pairsOfDims * 2;
  LeafRows rows{std::vector<std::int16_t>(leaf.count * width)};
  if (points.rounding.scale == 0) {
    rows.moved = kInfinity;
    return rows;
  }
  for (std::size_t i = 0; i < leaf.count; ++i) {
    const double moved = withRow(points, points.pointIds[leaf.first + i], [&](const auto* row) {
      return roundRow<kMoved>(row, points.rounding, rows.values.data() + i * width);
    });
    rows.moved = std::max(rows.moved, moved);
  }
  return rows;
}

/// Puts the rounded rows of a leaf into its panels, whose places without a point are left.
void putPanels(const std::vector<std::int16_t>& rows, std::size_t pairsOfDims,
               std::int16_t* panels) {
  const std::size_t width = 2 * pairsOfDims;
  const std::size_t count = rows.size() / width;
  for (std::size_t first = 0; first < count; first += kPanelPoints) {
    const std::size_t points = std::min(kPanelPoints, count - first);
    for (std::size_t j = 0; j < pairsOfDims; ++j, panels += 2 * kPanelPoints)
      for (std::size_t i = 0; i < points; ++i)
        std::copy_n(rows.data() + (first + i) * width + 2 * j, 2, panels + 2 * i);
  }
}

/// Fills leaf `index` from the ids at its positions.
void fillLeaf(std::size_t index, RoundedPoints& points) {
  RoundedLeaf& leaf = points.leaves[index];
  const std::size_t width = points.pairsOfDims * 2;
  const auto [rows, moved] = roundedRows<true>(points, leaf);
  leaf.error = moved;
  if (!points.panels.empty())
    putPanels(rows, points.pairsOfDims, points.panels.data() + index * points.leafSize());
  float* const centre = points.centres.data() + index * points.dims;
  std::vector<double> sums(points.dims);
  for (std::size_t i = 0; i < leaf.count; ++i) {
    const std::int16_t* const row = rows.data() + i * width;
    std::int32_t norm = 0;
    for (std::size_t j = 0; j < width; ++j) norm += row[j] * row[j];
    for (std::size_t j = 0; j < points.dims; ++j) sums[j] += row[j];
    points.norms[index * kTilePoints + i] = norm;
  }
  for (std::size_t j = 0; j < points.dims; ++j) centre[j] = float(sums[j] / leaf.count);
  for (std::size_t i = 0; i < leaf.count; ++i) {
    const std::int16_t* const row = rows.data() + i * width;
    double sum = 0;
    for (std::size_t j = 0; j < points.dims; ++j) {
      const double difference = row[j] - double(centre[j]);
      sum += difference * difference;
    }
    leaf.radius = std::max(leaf.radius, std::sqrt(sum) * (1 + kMargin));
  }
}

ScaledEps scaledEpsFor(const RoundedPoints& points, double eps) {
  return scaledEps(points.rounding.scale, eps, points.dims, kLargestRoundedDistance);
}

}  // namespace

double scaleOfNorm(double norm, std::size_t dims) {
  if (!std::isfinite(norm)) return 0;
  // Rounding moves a point by at most half of √n.
  const double room = kLargestNorm - std::sqrt(double(dims)) - 2;
  return norm == 0 ? 1.0 : std::min(room / norm, 1e300);
}

Rounding roundingFor(std::span<const PointCloud* const> clouds, const Task& task) {
  if (task.cancelled()) return {std::vector<double>(clouds.front()->dims())};
  Rounding rounding{meanOf(clouds, task)};
  double norm = 0;
  for (const PointCloud* cloud : clouds)
    norm = std::max(norm, largestNorm(*cloud, rounding.centre, task));
  rounding.scale = scaleOfNorm(norm, rounding.centre.size());
  return rounding;
}

std::uint64_t roundedPeakBytes(const PointCloud& cloud) {
  // Coordinates, unless they are read where they are, the same rounded in panels of at least half
  // as many points as have room, and centres of leaves; ids, norms and keys of the order.
  const std::uint64_t bytesOfACoordinate = (rowsOf(cloud) ? 0 : 8) + 4 + 1;
  constexpr std::uint64_t kBytesOfAPoint = 48;
  return cloud.size() * (bytesOfACoordinate * (cloud.dims() + 1) + kBytesOfAPoint);
}

Result<RoundedPoints> roundPoints(const PointCloud& cloud, const Rounding& rounding,
                                  const Task& task, std::size_t panelValues) {
  if (task.cancelled()) return cancelledError();
  task.report("ordering points", 0);
  RoundedPoints points;
  points.dims = cloud.dims();
  points.pairsOfDims = (points.dims + 1) / 2;
  points.rounding = rounding;
  takeRows(cloud, points, task);
  points.pointIds.resize(cloud.size());
  std::iota(points.pointIds.begin(), points.pointIds.end(), 0U);
  const Splitter splitter(points, task);
  if (task.cancelled()) return cancelledError();
  for (std::uint32_t p = 0; p < cloud.size(); ++p) {
    if (splitter.starts()[p]) points.leaves.push_back({.first = p});
    ++points.leaves.back().count;
  }
  task.report("rounding coordinates", 0);
  const std::size_t leaves = points.leaves.size();
  points.panelValues = panelValues;
  if (leaves * points.leafSize() <= panelValues)
    points.panels.assign(leaves * points.leafSize(), 0);
  points.norms.assign(leaves * kTilePoints, 0);
  points.centres.resize(leaves * points.dims);
  parallelFor(leaves, 1, [&](std::size_t leaf) {
    if (!task.cancelled()) fillLeaf(leaf, points);
  });
  if (task.cancelled()) return cancelledError();
  return points;
}

std::size_t panelsAtOnce(const RoundedPoints& points) {
  const std::size_t leaves = points.leaves.size();
  if (!points.panels.empty()) return leaves;
  return std::max({leaves / 8, points.panelValues / points.leafSize(), std::size_t{1}});
}

LeafPanels::LeafPanels(const RoundedPoints& points, std::size_t leaves) : points_(points) {
  if (points.panels.empty()) rooms_.resize(leaves, {std::numeric_limits<std::size_t>::max(), {}});
}

const std::int16_t* LeafPanels::of(std::size_t leaf) {
  if (rooms_.empty()) return points_.panels.data() + leaf * points_.leafSize();
  Room& room = rooms_[leaf % rooms_.size()];
  if (room.leaf != leaf) {
    room.values.assign(points_.leafSize(), 0);
    putPanels(roundedRows<false>(points_, points_.leaves[leaf]).values, points_.pairsOfDims,
              room.values.data());
    room.leaf = leaf;
  }
  return room.values.data();
}

double reachOut(const LeafOf& a, const LeafOf& b, double eps) {
  return outerReach(scaledEpsFor(a.points, eps), a.leaf().error + b.leaf().error);
}

TileReach tileReach(const LeafOf& a, const LeafOf& b, double eps) {
  return tileReach(scaledEpsFor(a.points, eps), a.leaf().error + b.leaf().error);
}

double leastDistance(const LeafOf& a, const LeafOf& b) {
  const std::size_t dims = a.points.dims;
  const float* const x = a.points.centres.data() + a.number * dims;
  const float* const y = b.points.centres.data() + b.number * dims;
  constexpr std::size_t kLanes = 16;
  float sums[kLanes] = {};
  std::size_t j = 0;
  for (; j + kLanes <= dims; j += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float difference = x[j + lane] - y[j + lane];
      sums[lane] += difference * difference;
    }
  }
  for (; j < dims; ++j) sums[0] += (x[j] - y[j]) * (x[j] - y[j]);
  const double distance = std::sqrt(double(std::accumulate(sums, sums + kLanes, 0.0F)));
  // The sum in single precision errs by at most (n + 3)·2⁻²⁴ of itself.
  const double least = distance * (1 - double(dims + 8) * 0x1p-23);
  return least - (a.leaf().radius + b.leaf().radius) * (1 + kMargin);
}

}  // namespace clusterloom
