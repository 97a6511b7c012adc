#pragma once

#include <cstdint>

#include "engine/core/lane.h"
#include "engine/cuda/product/self_search.h"
#include "engine/cuda/runtime/kernel_log.h"

namespace clusterloom {

/// The neighbours found so far, by point: a row of k slots, of which the first is left for the
/// point itself and the others are a heap (engine/product/nearest_heap.h).
struct NearestRows {
  std::uint32_t* ids = nullptr;
  double* squared = nullptr;
  std::uint32_t* counts = nullptr;  ///< slots in use, without the first; zero before
  double* last = nullptr;  ///< squared distance of the last neighbour; +∞ until all are there
  std::uint32_t* locks = nullptr;  ///< zero
  std::uint32_t k = 0;

  CLUSTERLOOM_LANE std::uint32_t others() const { return k - 1; }
};

/// What is further from a point than these is no neighbour of it. They shrink from launch to
/// launch.
struct NearestReaches {
  std::int32_t* bytes = nullptr;  ///< of squared distances of bytes, by position
  double* words = nullptr;        ///< s·D·(1 + η) of words, by position (product_reach.h)
  std::uint32_t* ids = nullptr;   ///< no point of this id or above is one, by position
  double* tiles = nullptr;  ///< the largest s·D·(1 + η) of bytes of a tile's points, by tile
};

/// The search for nearest neighbours of the points of one cloud.
struct NearestWork : SelfSearch {
  NearestRows rows;
  NearestReaches reaches;
};

/// Queues the start of the rows, which are empty.
void launchEmptyRows(GpuRun& run, const NearestWork& work);
/// Queues the reaches by the neighbours found so far.
void launchReaches(GpuRun& run, const NearestWork& work);
/// Queues the search of the tiles `work.near` for pairs that bytes leave open.
void launchNearestTiles(GpuRun& run, const NearestWork& work, KernelLog& log);
/// Queues what is done with `count` open pairs: the 16-bit coordinates leave some of them, whose
/// exact distances are then offered to both points.
void launchNeighbours(GpuRun& run, const NearestWork& work, std::uint64_t count, KernelLog& log);
/// Queues the order of the rows, each with its point first.
void launchSortedRows(GpuRun& run, const NearestWork& work);
/// Queues a copy of the coordinates by rows in the order of positions, or without `pointIds` of
/// points: [position][dims].
void launchExactRows(GpuRun& run, const RoundedView& points, std::uint32_t dims, double* rows);

}  // namespace clusterloom
