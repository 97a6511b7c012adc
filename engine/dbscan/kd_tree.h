#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nanoflann.hpp>
#include <span>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// A kd-tree over the points of a cloud, with any number of dimensions. Its metric adds squared
/// differences in the cloud's own order without fused multiply-add, so that its results are
/// canonical squared distances (engine/core/predicate.h).
class KdTree {
 public:
  /// Builds the tree on the caller's thread. The cloud must satisfy `validate` and outlive the
  /// tree. Cancelled when stopped.
  static Result<std::unique_ptr<KdTree>> build(const PointCloud& cloud, const Task& task);

  /// Searches around `query`. ResultSet is nanoflann's concept: size, full, worstDist, addPoint.
  /// The tree prunes with sums in another order than the metric's: see kPruningSlack.
  template <class ResultSet>
  void search(ResultSet& results, std::span<const double> query) const {
    tree_->findNeighbors(results, query.data(), {});
  }

  /// A result set that must not miss a tie returns worstDist() larger than its worst by this
  /// factor: the bounds used for pruning carry at most two roundings of relative size 2⁻⁵³ a level,
  /// and no tree of doubles is 2¹⁵ levels deep.
  static constexpr double kPruningSlack = 1 + 0x1p-36;

 private:
  class Points {
   public:
    Points(const PointCloud& cloud, const Task& task) : cloud_(cloud), task_(task) {}
    std::size_t kdtree_get_point_count() const { return cloud_.size(); }
    double kdtree_get_pt(std::size_t p, std::size_t j) const {
      if (building_) lookUp();
      return cloud_.columns[j][p];
    }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
    void finishBuilding() { building_ = false; }

   private:
    void lookUp() const;
    const PointCloud& cloud_;
    const Task& task_;
    bool building_ = true;
    mutable std::uint32_t reads_ = 0;
  };
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Points>,
                                                   Points, -1, std::uint32_t>;

  KdTree(const PointCloud& cloud, const Task& task) : points_(cloud, task) {}

  Points points_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace clusterloom
