#include "engine/dbscan/kd_tree.h"

namespace clusterloom {
namespace {

/// Thrown to leave nanoflann's construction, which cannot be stopped otherwise; never leaves this
/// file.
struct Stopped {};

constexpr std::uint32_t kReadsPerLook = 1 << 16;
constexpr std::size_t kPointsPerLeaf = 16;

}  // namespace

void KdTree::Points::lookUp() const {
  if (++reads_ % kReadsPerLook == 0 && task_.cancelled()) throw Stopped{};
}

Result<std::unique_ptr<KdTree>> KdTree::build(const PointCloud& cloud, const Task& task) {
  std::unique_ptr<KdTree> made(new KdTree(cloud, task));
  try {
    made->tree_ = std::make_unique<Tree>(int(cloud.dims()), made->points_,
                                         nanoflann::KDTreeSingleIndexAdaptorParams(kPointsPerLeaf));
  } catch (const Stopped&) {
    return cancelledError();
  }
  made->points_.finishBuilding();
  return made;
}

}  // namespace clusterloom
