#pragma once

#include <cstdint>
#include <memory>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/kernel_log.h"
#include "engine/dbscan/all_pairs_pass.h"
#include "engine/join/join_input.h"

namespace clusterloom {

/// The largest block there is [Frasson 2021, §3.1].
inline constexpr unsigned kLargestAllPairsBlock = 1024;

/// A join of all queries with all points, on one device: what its passes share. Of two clouds the
/// queries are numbered behind the points.
struct AllPairsRun {
  /// Uploads the clouds that are not there, which must stay until the run has been waited for.
  /// Blocks have `mostThreads` threads, or as many as their coordinates fit into shared memory for.
  AllPairsRun(GpuRun& gpuRun, const JoinInput& input, double squaredEps, CandidateAccess how,
              unsigned mostThreads);

  GpuRun& run;
  std::shared_ptr<const DeviceCloud> cloud;  ///< all points, then the queries of a second cloud
  AllPairs all;
  Span32 queries;                ///< whose neighbours are searched …
  std::uint32_t candidates = 0;  ///< … and among how many points
  CandidateAccess access;
  unsigned largestBlock;
  KernelLog log;
  DeviceBuffer<std::uint64_t> calculations;  ///< one: distances decided
};

/// Neighbours of every query to `counts`, which has an entry for each of all.size.
void countNeighbours(AllPairsRun& join, std::uint32_t* counts);

/// Rows of neighbours: of points [begin, end), row p from table + firstEdge[p] − firstEdge[begin]
/// on, `counts[p]` long. In the order of the candidates. A lane ends when its row is full [Frasson
/// 2021, §3.2].
struct RowsToFill {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const std::uint32_t* counts = nullptr;
  const std::uint64_t* firstEdge = nullptr;  ///< device
  std::uint64_t firstOfAll = 0;              ///< firstEdge[begin]
  std::uint32_t* table = nullptr;
};
void listNeighbours(AllPairsRun& join, const RowsToFill& rows);

/// Offsets of the rows of a table from their lengths: all.size + 1 of them, the last being the size
/// of the table. `counts` has as many entries, the last 0.
DeviceBuffer<std::uint64_t> rowOffsets(AllPairsRun& join,
                                       const DeviceBuffer<std::uint32_t>& counts);

/// Distances decided so far; waits.
std::uint64_t calculationsOf(AllPairsRun& join);

}  // namespace clusterloom
