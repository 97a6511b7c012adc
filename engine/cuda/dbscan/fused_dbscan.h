#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/metric.h"
#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/join_input.h"

namespace clusterloom {

/// The plan of a fused DBSCAN on a GPU.
struct GpuFusedPlan {
  double squaredEps;  ///< as JoinPlan
  Metric metric = Metric::Euclidean;
  std::vector<int> dims;  ///< indexed dimensions, slowest first
  int reach = 0;          ///< cells that one ε spans, 1 or 2; 0 decides by how full the cells are
  bool earlyStop = true;  ///< core tests stop at minPts
};

/// Labels in device memory, in point order.
struct DeviceLabels {
  /// With a halo: words (label_word.h), of core points with the number of their cluster here.
  DeviceBuffer<std::int32_t> labels;
  DeviceBuffer<std::uint8_t> roles;    ///< PointRole; with a halo: empty
  DeviceBuffer<std::uint32_t> totals;  ///< clusters, core points, border points
  int reach = 1;                       ///< cells that one ε spans, as decided
  DeviceBuffer<std::uint32_t> cellCount;
  /// Stages in order, each with the event that ended it; the first entry is the start.
  std::vector<std::pair<std::string, Event>> stages;
};

/// The other GPUs of a DBSCAN that is divided in space (engine/cuda/distributed). The cloud then
/// holds the points of this GPU, which come first, and copies of those of others within ε of them.
/// Own points have all their neighbours here, so their roles are found here; the others' roles and
/// the final numbers of the clusters come from outside. The functions are called once each, in this
/// order, from the thread of the run, with work queued on its stream.
class FusedHalo {
 public:
  virtual ~FusedHalo() = default;
  /// Number of own points.
  virtual std::size_t own() const = 0;
  /// Own points of which others have copies; a point may be there more than once.
  virtual const DeviceBuffer<std::uint32_t>& copied() const = 0;
  /// `copied`: whether each point of copied() is core. Fills in the same for the copies here.
  virtual void shareCores(const DeviceBuffer<std::uint8_t>& copied,
                          DeviceBuffer<std::uint8_t>& copies) = 0;
  /// The clusters of copied() and of the copies here, negative where a point is not core, and the
  /// lowest point of each cluster, ascending. Returns the final number of each cluster, in the
  /// halo's memory.
  virtual const std::int32_t* number(const DeviceBuffer<std::int32_t>& copied,
                                     const DeviceBuffer<std::int32_t>& copies,
                                     const DeviceBuffer<std::uint32_t>& lowest) = 0;
};

/// DBSCAN with dense sub-cells, core tests that stop at minPts and union-find fused into the join
/// (ours; DESIGN "Faster than the papers"), from a cloud on the device to labels on the device.
///
/// Overview. Points are sorted into cells of side ε/2 where those hold some points each, of side ε
/// where they do not. A sub-cell in up to three dimensions is tight: any two of its points are
/// neighbours. Its points are core without a distance when it holds minPts of them, and its core
/// points are one set from the start; two such cells need one pair within ε to become one set.
/// Other points count candidates row by row, nearest rows first, until minPts.
///
/// Waits for a few bytes (bounds where they are not known; how many cells are occupied), not for
/// the labels.
/// Throws CudaFailure, CudaStopped. The cloud satisfies `validate`, ε `epsSquared`, minPts ≥ 1.
///
/// With a halo only own points get a word of label and role and are counted, except that `totals`
/// begins with the number of clusters here; the points of others have the number of their cluster
/// where they are core.
DeviceLabels fusedLabels(GpuRun& run, const DeviceCloud& cloud, const DbscanParams& params,
                         const GpuFusedPlan& plan, FusedHalo* halo = nullptr);

/// The same from host coordinates to a host result, stats included, except `strategy`, which
/// the caller sets. Uploads what is not there (pointsOnDevice).
Clustering fusedDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                            const GpuFusedPlan& plan);

}  // namespace clusterloom
