#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hybrid/ordered_queries.h"
#include "engine/hybrid/shared_device.h"

namespace clusterloom {

/// Answers queries on one thread. Queries that follow each other in the order lie close together.
class CpuWorker {
 public:
  virtual ~CpuWorker() = default;
  /// Neighbours of a point, itself included; `enough` or more means at least that many.
  virtual std::uint32_t count(std::uint32_t point, std::uint32_t enough) = 0;
  /// Writes the ids of all neighbours of a point, ascending. `row` has exactly that length.
  virtual void row(std::uint32_t point, std::span<std::int32_t> row) = 0;
  std::uint64_t distances() const { return distances_; }

 protected:
  std::uint64_t distances_ = 0;
};

/// A sink that writes the neighbours of one query.
struct WriteRow {
  std::span<std::int32_t> row;
  std::span<const std::uint32_t> pointIds;
  std::size_t found = 0;
  bool hit(std::uint32_t /*p*/, std::uint32_t q) {
    if (found < row.size()) row[found] = std::int32_t(pointIds[q]);
    ++found;
    return false;
  }
};

/// The data by which the CPU's threads answer queries of one cloud and ε. Immutable.
class CpuSide {
 public:
  virtual ~CpuSide() = default;
  virtual std::unique_ptr<CpuWorker> worker() const = 0;
  /// Non-empty cells of its index; 0 where it has none.
  virtual std::uint64_t cells() const { return 0; }
};

/// Makes the CPU's side of a join, on the caller's TBB arena.
using MakeCpuSide =
    std::function<Result<std::unique_ptr<CpuSide>>(const SharedWork& work, const Task& task)>;

/// By the grid (engine/cpu/cpu_join.h), with candidates read by the tile pattern, the CPU's
/// fastest, also where the device uses another pattern. Where the plan's pattern is tile, cells
/// that their boxes decide are counted without a distance (engine/join/whole_cells.h).
Result<std::unique_ptr<CpuSide>> makeGridSide(const SharedWork& work, const Task& task);

/// By New-Super-EGO [Gallet 2020, §4.5] (engine/ego/new_super_ego.h): egoJoin(E, {q}, 0) for each
/// query, found through the map from points to EGO order. Computes in 64 bits. One cloud only.
Result<std::unique_ptr<CpuSide>> makeEgoSide(const SharedWork& work, const Task& task);

/// The order of queries with the grid's workloads, for joins whose device has none: that of the
/// input where the plan's order is INPUT, else heaviest first, ties in cell order, as WORKQUEUE
/// [Gallet 2019, §III-D]; dealt to the work's query sets.
Result<OrderedQueries> orderByGrid(const SharedWork& work, const Task& task);

}  // namespace clusterloom
