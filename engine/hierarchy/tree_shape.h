#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/hierarchy/condensed_tree.h"

namespace clusterloom {

/// The outline of a condensed tree for drawing: points side by side across, ε downwards. A cluster
/// is as wide as it has points at that ε; points that leave it make it narrower on both sides, and
/// its children stand side by side where it splits.
struct TreeShape {
  /// From `eps` downwards the cluster has `size` points.
  struct Step {
    double eps = 0;
    std::uint32_t size = 0;
  };
  std::vector<double> left;        ///< per cluster: its left edge at its birth, in points
  std::vector<std::size_t> begin;  ///< per cluster + 1: its steps are [begin[c], begin[c + 1])
  std::vector<Step> steps;         ///< by falling ε; the first is the birth, +∞ for the root
  std::vector<double> end;         ///< per cluster: the ε at which it ends
  double highest = 1;              ///< the largest finite ε of a step or end
  double lowest = 1;               ///< the smallest one above 0

  std::span<const Step> stepsOf(std::size_t cluster) const {
    return {steps.data() + begin[cluster], begin[cluster + 1] - begin[cluster]};
  }
};

/// The outline of `tree`; O(n log n).
TreeShape shapeOf(const CondensedTree& tree);

}  // namespace clusterloom
