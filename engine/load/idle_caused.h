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

/// Weighted idle lane-steps that one lane causes: in a step with a active lanes of 32, the other
/// 32 − a idle because of them, and each active lane causes an equal share (32 − a)/a. Summed over
/// the lanes of a warp this gives all of its idle lane-steps, including those of lanes without a
/// query.
double idleCaused(const SharedSteps& shared, std::uint32_t lane, const LoopWeights& weights);

}  // namespace clusterloom
