#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/product/self_search.h"
#include "engine/cuda/runtime/device.h"
#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// How nearest neighbours are found by products.
struct NearestByProducts {
  /// Returns nothing where bytes prove next to nothing, as where one huge coordinate leaves all
  /// others in one step of the rounding: another way is faster then.
  bool mayGiveUp = false;
  std::vector<KernelStats>* kernels = nullptr;  ///< takes the times, if given
};

/// The nearest neighbours by products of bytes on matrix units, for many dimensions: equal to those
/// of nearestNeighbours, 2 ≤ k ≤ number of points. Needs compute capability kLeastMajorOfProducts
/// (product_tiles.h).
///
/// Points stand in tiles of 128 that are near each other. Two tiles are multiplied unless the balls
/// around them prove that no neighbour of either is in the other; first those of one tile, then
/// those a tile apart, and so on in rounds, each of which doubles what every point has been
/// compared with. So the distance of a point's last neighbour soon is near its final value. Bytes
/// leave a pair open unless they prove that neither point can be a neighbour of the other
/// (nearestReach in engine/product/product_reach.h); 16 bits then leave few, whose exact distances
/// are offered to both points. A reach taken from the neighbours found so far is never less than
/// that of the final ones, so none is lost, ties included.
///
/// Throws CudaFailure, CudaStopped.
std::optional<NearestNeighbours> nearestByProductsOnGpu(GpuRun& run,
                                                        std::shared_ptr<const DeviceCloud> cloud,
                                                        int k,
                                                        const NearestByProducts& options = {});

/// Nearest neighbours that stay on the device, and what another search of the same points goes on
/// with.
struct NearestThere {
  RoundedCloud points;
  DeviceRounding rounding;
  std::uint32_t k = 0;
  DeviceBuffer<std::uint32_t> ids;  ///< as in NearestNeighbours
  DeviceBuffer<double> squared;
  SelfSearchRoom room;
};
std::optional<NearestThere> findNearestByProducts(GpuRun& run,
                                                  std::shared_ptr<const DeviceCloud> cloud, int k,
                                                  const NearestByProducts& options = {});
/// After a change of the order of `points.pointIds`.
void takeOrder(GpuRun& run, NearestThere& there);

}  // namespace clusterloom
