#include "engine/product/rounded_points.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "engine/core/infinity.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
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
  tbb::parallel_for(std::size_t{0}, (cloud.size() + size - 1) / size, [&](std::size_t i) {
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

/// The rounded coordinates by point, [point][padded dims], and the distance that each one moved.
struct RoundedRows {
  std::size_t width = 0;
  std::vector<std::int16_t> rows;
  std::vector<double> errors;

  const std::int16_t* row(std::uint32_t point) const { return rows.data() + point * width; }
};

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

/// Rounds one row; returns the distance that it moved, rounded up.
template <class Real>
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
  return std::sqrt(std::accumulate(squares, squares + kLanes, 0.0)) * (1 + kMargin);
}

/// Rounds the coordinates of a point; returns the distance that it moved, rounded up.
double roundPoint(const RoundedPoints& points, const Rounding& rounding, std::size_t point,
                  std::int16_t* rounded) {
  const void* const row = points.exact.first + std::ptrdiff_t(point) * points.exact.stride;
  return points.exact.single ? roundRow(static_cast<const float*>(row), rounding, rounded)
                             : roundRow(static_cast<const double*>(row), rounding, rounded);
}

/// Sets points.exact, and copies the coordinates to points.rows where the cloud does not borrow
/// rows.
RoundedRows roundRows(const PointCloud& cloud, const Rounding& rounding, RoundedPoints& points,
                      const Task& task) {
  RoundedRows result;
  const std::size_t n = cloud.dims();
  const std::optional<PointRows> borrowed = rowsOf(cloud);
  if (!borrowed) points.rows = std::make_unique_for_overwrite<double[]>(cloud.size() * n);
  points.exact = borrowed.value_or(PointRows{reinterpret_cast<const char*>(points.rows.get()),
                                             std::ptrdiff_t(n * sizeof(double)), false});
  result.width = n + n % 2;
  result.rows.assign(cloud.size() * result.width, 0);
  result.errors.assign(cloud.size(), kInfinity);
  constexpr std::size_t kRowsAtOnce = 64;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, cloud.size(), kRowsAtOnce), [&](const auto& r) {
        if (task.cancelled()) return;
        if (!borrowed) transpose(cloud, r.begin(), r.end(), points.rows.get());
        if (rounding.scale == 0) return;
        for (std::size_t p = r.begin(); p < r.end(); ++p)
          result.errors[p] = roundPoint(points, rounding, p, result.rows.data() + p * result.width);
      });
  return result;
}

/// Divides ids into leaves of at most 64 that are near each other.
class Splitter {
 public:
  Splitter(const RoundedRows& rows, std::span<std::uint32_t> ids, const Task& task)
      : rows_(rows), ids_(ids), starts_(ids.size()), task_(task) {
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
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, ids.size(), kGrain), [&](const auto& r) {
      for (std::size_t i = r.begin(); i < r.end(); ++i)
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

  /// Approximately: it only chooses between ways to divide.
  float squaredDistance(std::uint32_t a, std::uint32_t b) const {
    const std::int16_t* const x = rows_.row(a);
    const std::int16_t* const y = rows_.row(b);
    return sumOf([&](std::size_t j) {
      const auto difference = float(x[j] - y[j]);
      return difference * difference;
    });
  }

  /// Of the padded dimensions, in lanes that the compiler can make a vector of.
  template <class Term>
  float sumOf(const Term& term) const {
    constexpr std::size_t kLanes = 16;
    float sums[kLanes] = {};
    std::size_t j = 0;
    for (; j + kLanes <= rows_.width; j += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += term(j + lane);
    for (; j < rows_.width; ++j) sums[0] += term(j);
    return std::accumulate(sums, sums + kLanes, 0.0F);
  }

  std::uint32_t farthest(std::span<const std::uint32_t> ids, std::size_t step,
                         std::uint32_t from) const {
    std::uint32_t best = from;
    float most = 0;
    for (std::size_t i = 0; i < ids.size(); i += step) {
      const float distance = squaredDistance(from, ids[i]);
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
    std::vector<float> direction(rows_.width);
    for (std::size_t j = 0; j < direction.size(); ++j)
      direction[j] = float(rows_.row(b)[j] - rows_.row(a)[j]);
    return direction;
  }

  float along(const std::vector<float>& direction, std::uint32_t id) const {
    const std::int16_t* const row = rows_.row(id);
    return sumOf([&](std::size_t j) { return direction[j] * float(row[j]); });
  }

  const RoundedRows& rows_;
  const std::span<std::uint32_t> ids_;
  std::vector<std::uint8_t> starts_;
  const Task& task_;
};

/// Fills leaf `index` from the ids at its positions. Its points are rounded again: with the rows in
/// the order of the points beside the panels, memory would be needed for both.
void fillLeaf(const Rounding& rounding, const std::vector<double>& errors, std::size_t index,
              RoundedPoints& points) {
  RoundedLeaf& leaf = points.leaves[index];
  const std::size_t first = leaf.first;
  const std::size_t width = points.pairsOfDims * 2;
  std::vector<std::int16_t> rows(leaf.count * width);
  std::int16_t* const values = points.panels.data() + index * points.leafSize();
  float* const centre = points.centres.data() + index * points.dims;
  std::vector<double> sums(points.dims);
  for (std::size_t i = 0; i < leaf.count; ++i) {
    const std::uint32_t id = points.pointIds[first + i];
    std::int16_t* const row = rows.data() + i * width;
    if (rounding.scale != 0) roundPoint(points, rounding, id, row);
    std::int16_t* const at = values + (i / kPanelPoints) * points.pairsOfDims * 2 * kPanelPoints +
                             (i % kPanelPoints) * 2;
    std::int32_t norm = 0;
    for (std::size_t j = 0; j < width; ++j) {
      at[(j / 2) * 2 * kPanelPoints + j % 2] = row[j];
      norm += row[j] * row[j];
    }
    for (std::size_t j = 0; j < points.dims; ++j) sums[j] += row[j];
    points.norms[index * kTilePoints + i] = norm;
    leaf.error = std::max(leaf.error, errors[id]);
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
  return scaledEps(points.scale, eps, points.dims, kLargestRoundedDistance);
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
  // as many points as have room, and centres of leaves; ids, errors, norms and keys of the order.
  const std::uint64_t bytesOfACoordinate = (rowsOf(cloud) ? 0 : 8) + 4 + 1;
  constexpr std::uint64_t kBytesOfAPoint = 48;
  return cloud.size() * (bytesOfACoordinate * (cloud.dims() + 1) + kBytesOfAPoint);
}

Result<RoundedPoints> roundPoints(const PointCloud& cloud, const Rounding& rounding,
                                  const Task& task) {
  if (task.cancelled()) return cancelledError();
  task.report("rounding coordinates", 0);
  RoundedPoints points;
  RoundedRows rows = roundRows(cloud, rounding, points, task);
  if (task.cancelled()) return cancelledError();

  points.dims = cloud.dims();
  points.pairsOfDims = rows.width / 2;
  points.scale = rounding.scale;
  points.pointIds.resize(cloud.size());
  std::iota(points.pointIds.begin(), points.pointIds.end(), 0U);
  task.report("ordering points", 0);
  const Splitter splitter(rows, points.pointIds, task);
  if (task.cancelled()) return cancelledError();
  decltype(rows.rows)().swap(rows.rows);  // frees them, which an assignment does not
  for (std::uint32_t p = 0; p < cloud.size(); ++p) {
    if (splitter.starts()[p]) points.leaves.push_back({.first = p});
    ++points.leaves.back().count;
  }
  const std::size_t leaves = points.leaves.size();
  points.panels.assign(leaves * points.leafSize(), 0);
  points.norms.assign(leaves * kTilePoints, 0);
  points.centres.resize(leaves * points.dims);
  tbb::parallel_for(std::size_t{0}, leaves, [&](std::size_t leaf) {
    if (!task.cancelled()) fillLeaf(rounding, rows.errors, leaf, points);
  });
  if (task.cancelled()) return cancelledError();
  return points;
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
