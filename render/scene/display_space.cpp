#include "render/scene/display_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/core/infinity.h"
#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"
#include "engine/core/utf8_text.h"
#include "render/paint/translated_text.h"
#include "render/scene/point_levels.h"
#include "render/scene/principal_axes.h"

namespace clusterloom {
namespace {

/// Points between two checks of the stop token.
constexpr std::size_t kPointsPerTask = 1 << 16;
/// Half the height of the strip in which one-dimensional points are spread.
constexpr double kSpaceStrip = 0.06;

Result<void> check(const PointCloud& cloud, const ViewAxes& axes) {
  if (cloud.dims() == 0 || cloud.size() == 0) return badInput("the cloud is empty");
  if (axes.kind == ViewAxes::Kind::Pca) {
    if (axes.components < 1 || axes.components > 3)
      return badCall("1 to 3 principal components can be shown, not " +
                     std::to_string(axes.components));
    return {};
  }
  if (axes.dims.empty() || axes.dims.size() > 3)
    return badCall("1 to 3 dimensions can be shown, not " + std::to_string(axes.dims.size()));
  for (std::size_t a = 0; a < axes.dims.size(); ++a) {
    if (axes.dims[a] < 0 || std::size_t(axes.dims[a]) >= cloud.dims())
      return badCall("there is no dimension " + std::to_string(axes.dims[a]) + " in a cloud of " +
                     std::to_string(cloud.dims()));
    if (std::find(axes.dims.begin(), axes.dims.begin() + std::ptrdiff_t(a), axes.dims[a]) !=
        axes.dims.begin() + std::ptrdiff_t(a))
      return badCall("dimension " + std::to_string(axes.dims[a]) + " is chosen for two axes");
  }
  return {};
}

std::string nameOf(const PointCloud& cloud, std::size_t j) {
  return j < cloud.names.size() && !cloud.names[j].empty()
             ? asUtf8(cloud.names[j])
             : filled(translate("Scene", "dimension %1"), {std::to_string(j)});
}

/// Fills in the axes of a space by the principal axes of the cloud.
Result<void> takePrincipalAxes(const PointCloud& cloud, DisplaySpace& space, const Task& task) {
  auto found = principalAxes(cloud, std::size_t(space.axes), task);
  if (!found) return tl::unexpected(found.error());
  space.centre = std::move(found->centre);
  space.direction = std::move(found->directions);
  space.explained = found->explained;
  for (std::size_t a = 0; a < std::size_t(space.axes); ++a)
    space.names[a] = filled(translate("Scene", "PC %1 (%2)"),
                            {std::to_string(a + 1), percentText(space.explained[a])});
  return {};
}

/// Calls `work(begin, end)` for parts of n points, in parallel. Cancelled.
template <class Work>
Result<void> forParts(std::size_t n, const Task& task, Work&& work) {
  parallelForBlocks(n, kPointsPerTask, task,
                    [&](std::size_t begin, std::size_t end) { work(begin, end); });
  if (task.cancelled()) return cancelledError();
  return {};
}

// Projections of coordinates near the largest double may pass it; their range may not.
constexpr double kLargest = std::numeric_limits<double>::max() / 2.5;

/// Values of all points on one axis: a column of the cloud, or computed.
struct AxisValues {
  std::vector<double> computed;
  std::span<const double> values;
};

Result<AxisValues> valuesOn(const PointCloud& cloud, const DisplaySpace& space, std::size_t axis,
                            const Task& task) {
  AxisValues on;
  if (space.kind == ViewAxes::Kind::Dimensions) {
    on.values = cloud.column(std::size_t(space.dims[axis]));
    return on;
  }
  on.computed.assign(cloud.size(), 0);
  const auto project = [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < cloud.dims(); ++j) {
      const double weight = space.direction[axis][j];
      const double centre = space.centre[j];
      const auto column = cloud.column(j);
      for (std::size_t i = begin; i < end; ++i) on.computed[i] += weight * (column[i] - centre);
    }
    for (std::size_t i = begin; i < end; ++i)
      on.computed[i] = std::clamp(on.computed[i], -kLargest, kLargest);
  };
  const auto copy = [&](std::size_t begin, std::size_t end) {
    const auto column = cloud.column(std::size_t(space.dims[axis]));
    for (std::size_t i = begin; i < end; ++i)  // which nothing has validated
      on.computed[i] =
          std::isfinite(column[i]) ? std::clamp(column[i], -kLargest, kLargest) : column[i];
  };
  const bool isColumn = space.kind == ViewAxes::Kind::Columns;
  if (auto done =
          isColumn ? forParts(cloud.size(), task, copy) : forParts(cloud.size(), task, project);
      !done)
    return tl::unexpected(done.error());
  on.values = on.computed;
  return on;
}

double safeScale(double extent) {
  const double scale = 1 / extent;
  return extent > 0 && std::isfinite(scale) ? scale : 1;
}

using Values = std::array<AxisValues, 3>;

/// The smallest and largest finite value; 0 where there is none.
std::pair<double, double> rangeOf(std::span<const double> values) {
  double low = kInfinity;
  double high = -kInfinity;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return low <= high ? std::pair(low, high) : std::pair(0.0, 0.0);
}

/// Takes their values from points that lack one on another axis, so that axes reach no further than
/// the drawn points.
void leaveOutIncomplete(std::span<AxisValues> axes) {
  for (std::size_t i = 0; i < axes.front().computed.size(); ++i) {
    const auto has = [i](const AxisValues& on) { return std::isfinite(on.computed[i]); };
    if (std::ranges::all_of(axes, has)) continue;
    for (AxisValues& on : axes) on.computed[i] = std::numeric_limits<double>::quiet_NaN();
  }
}

/// Lays out the axes; `values` receives the points' values on them.
Result<DisplaySpace> layOut(const PointCloud& cloud, const ViewAxes& axes, Values& values,
                            const Task& task) {
  if (auto ok = check(cloud, axes); !ok) return tl::unexpected(ok.error());
  DisplaySpace space;
  space.kind = axes.kind;
  if (axes.kind == ViewAxes::Kind::Pca) {
    space.axes = int(std::min<std::size_t>(cloud.dims(), axes.components));
    if (auto ok = takePrincipalAxes(cloud, space, task); !ok) return tl::unexpected(ok.error());
  } else {
    space.axes = int(axes.dims.size());
    for (std::size_t a = 0; a < axes.dims.size(); ++a) {
      space.dims[a] = axes.dims[a];
      space.names[a] = nameOf(cloud, std::size_t(axes.dims[a]));
    }
  }
  for (std::size_t a = 0; a < std::size_t(space.axes); ++a) {
    auto column = valuesOn(cloud, space, a, task);
    if (!column) return tl::unexpected(column.error());
    values[a] = std::move(*column);
  }
  if (space.kind == ViewAxes::Kind::Columns)
    leaveOutIncomplete(std::span(values).first(std::size_t(space.axes)));
  double widest = 0;
  for (std::size_t a = 0; a < std::size_t(space.axes); ++a) {
    const auto [low, high] = rangeOf(values[a].values);
    space.low[a] = low;
    space.high[a] = high;
    space.shift[a] = low + (high - low) / 2;
    widest = std::max(widest, high - low);
    if (task.cancelled()) return cancelledError();
  }
  for (std::size_t a = 0; a < std::size_t(space.axes); ++a)
    space.scale[a] = safeScale(axes.stretch ? space.high[a] - space.low[a] : widest);
  return space;
}

}  // namespace

ViewAxes defaultViewAxes(const PointCloud& cloud) {
  ViewAxes axes;
  if (cloud.dims() > 3) {
    axes.kind = ViewAxes::Kind::Pca;
    return axes;
  }
  for (std::size_t j = 0; j < cloud.dims(); ++j) axes.dims.push_back(int(j));
  return axes;
}

bool samePlaces(const DisplaySpace& a, const DisplaySpace& b) {
  const auto partsOf = [](const DisplaySpace& s) {
    return std::tie(s.axes, s.kind, s.dims, s.centre, s.direction, s.shift, s.scale);
  };
  return partsOf(a) == partsOf(b);
}

Result<DisplaySpace> makeDisplaySpace(const PointCloud& cloud, const ViewAxes& axes,
                                      const Task& task) {
  Values values;
  return layOut(cloud, axes, values, task);
}

namespace {

/// "umap_1, umap_2".
std::string listOfNames(const DisplaySpace& space) {
  std::string names;
  for (std::size_t a = 0; a < std::size_t(space.axes); ++a)
    names += (a > 0 ? ", " : "") + space.names[a];
  return names;
}

/// The ids of the points that have a finite value on each axis.
std::vector<std::uint32_t> placedIds(std::span<const AxisValues> values, std::size_t n) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < n; ++i)
    if (std::ranges::all_of(values, [i](const auto& on) { return std::isfinite(on.values[i]); }))
      ids.push_back(std::uint32_t(i));
  return ids;
}

/// The drawn points for values on the axes of a space.
Result<DisplayPoints> placed(DisplaySpace space, Values values, std::size_t n, const Task& task) {
  DisplayPoints points;
  points.space = std::move(space);
  points.box = {{0, 0, 0}, {0, 0, 0}};
  const std::size_t axes = std::size_t(points.space.axes);
  for (std::size_t a = 0; a < axes; ++a) {
    const auto [low, high] = rangeOf(values[a].values);
    points.box.low[a] = points.space.toDisplay(int(a), low);
    points.box.high[a] = points.space.toDisplay(int(a), high);
    if (task.cancelled()) return cancelledError();
  }
  task.report("laying out", 0);
  std::vector<std::uint32_t> ids;  // only where points are left out
  const bool some = points.space.kind == ViewAxes::Kind::Columns;
  if (some) {
    ids = placedIds(std::span(values).first(axes), n);
    if (ids.empty())
      return badInput(filled(translate("Scene", "No point has a value in each of the columns %1."),
                             {listOfNames(points.space)}));
    n = ids.size();
  }
  const auto idOf = [&](std::size_t i) { return some ? std::size_t{ids[i]} : i; };
  points.xyz.resize(3 * n);
  const auto place = [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t i = begin; i < end; ++i)
        points.xyz[3 * i + a] =
            a < axes ? float(points.space.toDisplay(int(a), values[a].values[idOf(i)])) : 0;
    if (axes > 1) return;
    // One dimension would be a line of dots over each other: spread them evenly across a strip.
    constexpr double kGolden = 0.6180339887498949;
    for (std::size_t i = begin; i < end; ++i) {
      const double turn = kGolden * double(idOf(i) + 1);
      points.xyz[3 * i + 1] = float(kSpaceStrip * (2 * (turn - std::floor(turn)) - 1));
    }
  };
  if (auto done = forParts(n, task, place); !done) return tl::unexpected(done.error());
  values = {};
  if (auto done = sortIntoLevels(points, task); !done) return tl::unexpected(done.error());
  if (some)
    for (std::uint32_t& drawn : points.order) drawn = ids[drawn];
  return points;
}

}  // namespace

Result<DisplayPoints> makeDisplayPoints(const PointCloud& cloud, const ViewAxes& axes,
                                        const Task& task) {
  Values values;
  auto space = layOut(cloud, axes, values, task);
  if (!space) return tl::unexpected(space.error());
  return placed(std::move(*space), std::move(values), cloud.size(), task);
}

Result<DisplayPoints> makeDisplayPoints(const PointCloud& cloud, const DisplaySpace& space,
                                        const Task& task) {
  Values values;
  for (std::size_t a = 0; a < std::size_t(space.axes); ++a) {
    auto column = valuesOn(cloud, space, a, task);
    if (!column) return tl::unexpected(column.error());
    values[a] = std::move(*column);
  }
  return placed(space, std::move(values), cloud.size(), task);
}

namespace {

/// The box of the drawn points whose id is taken; of all when none is.
template <class Takes>
DisplayBox boxOf(const DisplayPoints& points, Takes&& takes) {
  DisplayBox box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!takes(points.order[i])) continue;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto value = double(points.xyz[3 * i + a]);
      box.low[a] = std::min(box.low[a], value);
      box.high[a] = std::max(box.high[a], value);
    }
  }
  return box;
}

DisplayBox orWhole(const DisplayPoints& points, const DisplayBox& box) {
  if (std::isfinite(box.low[0])) return box;
  return boxOf(points, [](std::uint32_t) { return true; });
}

}  // namespace

DisplayBox boxOfLabels(const DisplayPoints& points, std::span<const std::int32_t> labels,
                       std::span<const std::int32_t> wanted) {
  if (points.size() == 0) return {};
  std::vector<std::int32_t> sorted(wanted.begin(), wanted.end());
  std::sort(sorted.begin(), sorted.end());
  return orWhole(points, boxOf(points, [&](std::uint32_t id) {
                   return id < labels.size() &&
                          std::binary_search(sorted.begin(), sorted.end(), labels[id]);
                 }));
}

DisplayBox boxOfPoints(const DisplayPoints& points, std::span<const std::uint32_t> ids) {
  if (points.size() == 0) return {};
  std::vector<bool> wanted(ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end()) + 1, false);
  for (const std::uint32_t id : ids) wanted[id] = true;
  return orWhole(points,
                 boxOf(points, [&](std::uint32_t id) { return id < wanted.size() && wanted[id]; }));
}

}  // namespace clusterloom
