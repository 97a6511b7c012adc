#pragma once

#include <array>
#include <cstdint>

#include "engine/load/load_report.h"
#include "engine/load/trace_lane.h"

namespace clusterloom {

/// The steps of the lanes of one warp, by how many lanes are active in them:
/// `of[lane][loop][active]` are the steps in which the lane is one of `active` lanes. A lane
/// decides fewer than 2³¹ distances, so 32 bits hold its steps.
struct SharedSteps {
  static constexpr std::uint32_t kLanes = 32;
  std::array<PerLoop<std::array<std::uint32_t, kLanes + 1>>, kLanes> of{};
};

SharedSteps sharedStepsOf(const AlignedLoops& loops);

/// Idle lane-steps that one lane causes, weighted: in a step that takes a of 32 lanes, the other
/// 32 − a idle because of those a, and each of these causes an equal share (32 − a)/a. Over the
/// lanes of a warp that sums to all of its idle lane-steps, those of lanes without a query
/// included.
double idleCaused(const SharedSteps& shared, std::uint32_t lane, const LoopWeights& weights);

}  // namespace clusterloom
