#pragma once

#include "engine/core/shared_pass.h"
#include "engine/hybrid/divider.h"

namespace clusterloom {

/// How fast one processor is, as measured or as set by a person. A batch costs its lane the sum of
/// the costs that are set; all lanes of a side together reach the rates.
struct SideModel {
  int lanes = 1;                   ///< streams or threads
  double queriesPerSecond = 0;     ///< 0: queries cost nothing by themselves
  double candidatesPerSecond = 0;  ///< 0: candidates cost nothing
  double secondsPerBatch = 0;      ///< of a lane, for its launch
  double readyAt = 0;              ///< seconds from the beginning until its index is there
  friend bool operator==(const SideModel&, const SideModel&) = default;
};

/// Seconds that one lane of the side takes for a batch.
double secondsOfBatch(const SideModel& side, std::uint64_t queries, std::uint64_t candidates);

/// Seconds that the whole side alone would take for all queries, without its batches' launches.
double secondsAlone(const SideModel& side, const OrderedQueries& queries);

/// The time line of a pass whose sides run at these speeds: the batches are handed out by the same
/// Divider that a real pass uses. Plan.streams and plan.threads are taken from the models. Under
/// the static divisions the boundary follows from the models' times as in a real run, and is not
/// taken from the plan. At least one side has lanes.
SharedPass simulateDivision(const OrderedQueries& queries, DivisionPlan plan, const SideModel& gpu,
                            const SideModel& cpu);

}  // namespace clusterloom
