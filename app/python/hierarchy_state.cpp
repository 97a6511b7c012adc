#include "app/python/hierarchy_state.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "engine/hierarchy/hierarchy_builder.h"

namespace clusterloom::python {

namespace {

/// Calls use(name, array, values) for each array; `values` is how many it has for n points, 0 where
/// that depends on the points.
template <class Arrays, class Use>
void forArrays(Arrays& arrays, std::size_t n, const Use& use) {
  const std::size_t merges = n - 1;
  use("squared_core", arrays.squaredCore, n);
  use("left", arrays.dendrogram.left, merges);
  use("right", arrays.dendrogram.right, merges);
  use("squared_weights", arrays.dendrogram.squaredWeights, merges);
  use("sizes", arrays.dendrogram.sizes, merges);
  use("lowest_points", arrays.lowestPoints, merges);
  use("order", arrays.order.order, n);
  use("positions", arrays.order.positions, n);
  use("begins", arrays.order.begins, merges);
  use("splits", arrays.order.splits, n);
  use("border_offsets", arrays.borders.offsets, n + 1);
  use("border_reach", arrays.borders.squaredReach, std::size_t{0});
  use("border_positions", arrays.borders.positions, std::size_t{0});
  use("first_reach", arrays.firstReach, n);
}

[[noreturn]] void refuse(const std::string& name) {
  throw py::value_error("the state of a Hierarchy is damaged: " + name);
}

/// Each node but the last is a child of one later merge, whose size is that of its children.
void checkMerges(const Dendrogram& tree) {
  const std::size_t n = tree.points;
  std::vector<bool> isChild(2 * n - 1, false);
  const auto take = [&](std::uint32_t node, std::size_t merge, const char* name) {
    if (node >= n + merge || isChild[node]) refuse(name);
    isChild[node] = true;
    return tree.sizeOf(node);
  };
  for (std::size_t merge = 0; merge + 1 < n; ++merge) {
    const std::uint64_t left = take(tree.left[merge], merge, "left");
    if (left + take(tree.right[merge], merge, "right") != tree.sizes[merge]) refuse("sizes");
  }
}

/// Every index of the arrays is one of its target.
void checkIndices(const HierarchyArrays& arrays) {
  const std::size_t n = arrays.dendrogram.points;
  const auto below = [](const auto& values, std::size_t end, const char* name) {
    for (const std::uint32_t value : values)
      if (value >= end) refuse(name);
  };
  checkMerges(arrays.dendrogram);
  below(arrays.lowestPoints, n, "lowest_points");
  below(arrays.order.order, n, "order");
  below(arrays.order.positions, n, "positions");
  below(arrays.order.begins, n, "begins");
  below(arrays.order.splits, n, "splits");
  for (std::size_t i = 1; i < n; ++i)  // nothing is before position 0
    if (arrays.order.splits[i] >= n - 1) refuse("splits");
  for (std::size_t i = 0; i < n; ++i)
    if (arrays.order.positions[arrays.order.order[i]] != i) refuse("positions");
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (arrays.order.begins[i] + std::size_t{arrays.dendrogram.sizes[i]} > n) refuse("begins");
  below(arrays.borders.positions, n, "border_positions");
  const auto& offsets = arrays.borders.offsets;
  for (std::size_t p = 0; p < n; ++p)
    if (offsets[p] > offsets[p + 1]) refuse("border_offsets");
  if (offsets[0] != 0 || offsets[n] != arrays.borders.positions.size() ||
      offsets[n] != arrays.borders.squaredReach.size())
    refuse("border_offsets");
  for (const EarlyPoint& early : arrays.early)
    if (early.point >= n || early.merge > n) refuse("early");
}

}  // namespace

py::dict stateOf(const Hierarchy& hierarchy) {
  HierarchyArrays arrays = HierarchyBuilder::arraysOf(hierarchy);
  py::dict state;
  state["min_pts"] = arrays.minPts;
  state["points"] = arrays.dendrogram.points;
  state["early"] = exportedBytes(std::move(arrays.early));
  forArrays(arrays, hierarchy.points(), [&](const char* name, auto& values, std::size_t) {
    state[name] = exported(std::move(values));
  });
  return state;
}

Hierarchy hierarchyOf(const py::dict& state) {
  HierarchyArrays arrays;
  arrays.minPts = state["min_pts"].cast<std::int64_t>();
  arrays.dendrogram.points = state["points"].cast<std::size_t>();
  if (arrays.minPts < 1) refuse("min_pts");
  if (arrays.dendrogram.points < 1 || arrays.dendrogram.points > kMaxPoints) refuse("points");
  // The bytes of an array of the state.
  const auto fill = [&](const char* name, auto& values) {
    using Value = typename std::remove_reference_t<decltype(values)>::value_type;
    const py::buffer_info info = state[name].cast<py::buffer>().request();
    const auto bytes = static_cast<std::size_t>(info.size * info.itemsize);
    if (info.ndim != 1 || (info.size > 1 && info.strides[0] != info.itemsize) ||
        bytes % sizeof(Value) != 0)
      refuse(name);
    values.resize(bytes / sizeof(Value));
    if (bytes != 0) std::memcpy(static_cast<void*>(values.data()), info.ptr, bytes);
  };
  fill("early", arrays.early);
  forArrays(arrays, arrays.dendrogram.points,
            [&](const char* name, auto& values, std::size_t expected) {
              fill(name, values);
              if (expected != 0 && values.size() != expected) refuse(name);
            });
  checkIndices(arrays);
  return HierarchyBuilder::of(std::move(arrays));
}

}  // namespace clusterloom::python
