#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/hierarchy/forest_work.h"
#include "engine/cuda/product/nearest_search.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/kernel_log.h"

namespace clusterloom {

/// The search of Borůvka's rounds by products of bytes on matrix units, for many dimensions; places
/// are positions of the rounded cloud.
///
/// Bytes prove a bound below the weight of each pair. For every pair of tiles the lightest pair
/// between two components is kept from round to round, with its bound. A round begins with the
/// exact weights of these pairs and of those that the lists hold; only tiles whose last lightest
/// pair lies within one component by now, and those with points of a component of which no edge is
/// known, are multiplied again. The edge then known for a component is mostly its lightest or close
/// to it. A second product lists all pairs that may still be lighter, in the few tiles whose bound
/// allows one; 16 bits sift them, and exact distances decide. So no lighter edge is missed, however
/// good the first edge was.
///
/// Memory: n²/4,096 bytes for the pairs of tiles, besides that of neighbours by products.
class ForestSearch {
 public:
  /// Takes the room for pairs and tiles. `found` must stay.
  ForestSearch(GpuRun& run, NearestThere& found);

  /// Searches for a round in which the tree has `edges` edges (groupSpanningTree). Throws
  /// CudaFailure, CudaStopped.
  void operator()(const GroupForest& forest, std::uint32_t edges);
  /// Times of its kernels; all of them must be past.
  const std::vector<KernelStats>& kernels() { return log_.stats(); }

 private:
  /// Queues the choice of tiles and their products.
  void multiply(const TileBand& band, ForestPass pass);
  void findLightest();
  void takeSeeds();
  /// Takes all useful pairs of these tiles; where there are more than the list holds, takes the
  /// tiles in parts.
  void takeOpen(const TileBand& band);
  /// Calls act(band) for bands of all tiles whose choice the lists hold.
  template <class Act>
  void forBands(const Act& act);

  GpuRun& run_;
  NearestThere& found_;
  ForestWork work_;
  DeviceBuffer<std::uint32_t> locks_;
  DeviceBuffer<int2> places_;
  DeviceBuffer<std::int32_t> limits_;
  DeviceBuffer<std::int32_t> reaches_;
  DeviceBuffer<double> tileReaches_;
  DeviceBuffer<std::uint32_t> tileTags_;
  DeviceBuffer<unsigned long long> lightest_;
  DeviceBuffer<unsigned long long> seeds_;
  KernelLog log_;
};

}  // namespace clusterloom
