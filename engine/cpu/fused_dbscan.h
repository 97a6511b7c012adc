#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {

/// The plan of the fused DBSCAN, with every "auto" resolved.
struct FusedPlan {
  double squaredEps;      ///< as JoinPlan
  CellGeometry geometry;  ///< of the cloud for ε; reach 2 gives sub-cells of side ε/2
  bool earlyStop = true;  ///< core tests stop at minPts
};

/// DBSCAN with dense sub-cells, core tests and unions fused (engine/DESIGN.md, "Faster than
/// the papers").
///
/// Overview. Points are sorted into cells of side ε/reach. A cell is *tight* when the canonical
/// predicate holds for the bounding box of its points, which proves every pair inside: a tight
/// cell's core points are one set, and all of them are core when the cell holds ≥ minPts points,
/// with no distance computed. Other points count candidates row by row, nearest rows first, until
/// minPts is reached. Two tight cells need one pair within ε to become one set; pairs already in
/// one set are skipped. Border points then look for the lowest-numbered cluster among core points
/// within ε.
///
/// Performance. One radix sort, two sweeps over the cells with row cursors, everything parallel.
/// Memory beyond the coordinates, per point: 8·d bytes for the cell-ordered copy, less than 64
/// more.
///
/// Runs on the caller's TBB arena. The cloud satisfies `validate`, ε `epsSquared`, minPts ≥ 1.
Result<Clustering> fusedDbscan(const PointCloud& cloud, const DbscanParams& params,
                               const FusedPlan& plan, const Task& task);

}  // namespace clusterloom
