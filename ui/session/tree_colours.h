#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

/// The colours of the clusters of every ε of a hierarchy, as palette indices. They start from the
/// clusters of one ε, whose colours are their numbers, and follow the tree as if ε moved
/// continuously: of clusters that merge, the largest keeps its colour, and of the parts of one that
/// splits, the largest. A new cluster takes the lowest index that is free. So each ε has its own
/// colours, regardless of the path of ε, and no two of its clusters have the same index. Sizes are
/// those of the dendrogram, which counts core points.
class TreeColours {
 public:
  /// The colours that start from the clusters at `eps`. O(n log n) for n points. BadCall for ε that
  /// epsSquared refuses, Cancelled.
  static Result<TreeColours> from(const std::shared_ptr<const Hierarchy>& hierarchy, double eps,
                                  const Task& task = {});

  bool isFrom(const std::shared_ptr<const Hierarchy>& hierarchy, double eps) const {
    return hierarchy_.lock() == hierarchy && eps_ == eps;
  }

  /// The colours of the clusters at some ε, by their nodes (Hierarchy::labels).
  std::vector<std::int32_t> of(std::span<const std::uint32_t> nodes) const;

 private:
  std::weak_ptr<const Hierarchy> hierarchy_;  ///< may be destroyed before its colours
  double eps_ = 0;
  std::vector<std::int32_t> colours_;  ///< by node; negative: never a cluster
};

}  // namespace clusterloom
