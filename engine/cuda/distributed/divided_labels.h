#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/dbscan/fused_dbscan.h"
#include "engine/cuda/distributed/peer_exchange.h"
#include "engine/distributed/distributed_dbscan.h"

namespace clusterloom {

/// The parameters of a divided DBSCAN on GPUs. The same on all ranks.
struct DividedPlan {
  DbscanParams params;
  GpuFusedPlan fused;  ///< of the whole cloud
  bool roles = false;  ///< return roles too
};

/// The answer for the points of one rank's part, in its order, in the memory of its GPU; the counts
/// are of all ranks.
struct DividedLabels : ClusterCounts {
  DeviceBuffer<std::int32_t> labels;
  DeviceBuffer<std::uint8_t> roles;   ///< PointRole; empty where they were not asked for
  DeviceBuffer<std::uint32_t> order;  ///< the points by owner …
  std::vector<std::uint64_t> sent;    ///< … and how many each rank owns
  std::vector<RankReport> ranks;
};

/// Device memory that a point takes beside its coordinates in the part, about
/// (tests/bench/RESULTS.md).
inline double bytesOfDividedPoint(std::size_t dims) { return 64 + 10 * double(dims); }

/// DBSCAN of a cloud that is divided in space between GPUs, from points on the GPUs to labels on
/// the GPUs. Each rank has a part: any number of consecutive points, rank after rank in the order
/// of the cloud. The labels are those of Backend::dbscan for the whole cloud, element by element.
///
/// Overview. Space is divided by work as for CPU ranks (divideSpace), the cells dealt by the GPU of
/// rank 0. Each GPU writes its points into the memory of their owners, in their order, so that each
/// rank's points stay ascending by their number in the cloud, and numbers need not move. Each rank
/// gets copies of the points of others within ε of its cells and runs the fused DBSCAN on both.
/// Between its core tests and its unions the ranks exchange which copies are core: every union
/// between core points of two ranks is then made by both, and a copy shows which clusters of two
/// ranks are one. Each GPU reads these links of all ranks, and joins the clusters itself. All
/// clusters are numbered on the GPUs, by counts of the lowest core points in the order of the
/// cloud. Each GPU reads the labels of the points that it was given from the memory of their
/// owners. Only samples of points go through host memory; all data does where GPUs do not reach
/// each other's memory.
///
/// The part is moved in, to save memory. All ranks give a record, or none. Throws CudaFailure,
/// CudaStopped and RanksFailed. At most DivisionView::kMostRanks ranks; the cloud satisfies
/// `validate`, ε `epsSquared`, minPts ≥ 1.
DividedLabels dividedLabels(Communicator& communicator, PeerGroup& group, GpuRun& run,
                            DeviceCloud part, const DividedPlan& plan, RankRecord* record);

}  // namespace clusterloom
