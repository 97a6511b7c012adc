#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/shared_pass.h"
#include "engine/core/task.h"
#include "engine/hybrid/batch_cuts.h"
#include "engine/hybrid/simulate_division.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// The queries of a join in the order in which both processors take them, and what a pass of the
/// CPU alone measured for them.
struct TimedQueries {
  OrderedQueries queries;
  NeighbourSample neighbours;  ///< of every query, or of a sample
  SideModel cpu;               ///< its threads in that pass, and their speed; of a sample: none
};

/// Orders the queries of a self-join by workload and counts their neighbours on `threads` CPU
/// threads, as the CPU's share of a hybrid join does it. Strategies that a hybrid join does not
/// support count by the full pattern of the grid. Errors: BadCall, BadInput, TooLarge, Cancelled.
Result<TimedQueries> timeQueries(const PointCloud& cloud, double eps, const Strategy& strategy,
                                 int threads, const Task& task);

/// The same for speeds that are known: nothing is timed, and the neighbours are those of one query
/// of a hundred [Gallet 2020, §4.3], of a larger share where there are few queries, counted on the
/// threads of the caller's arena. Errors as timeQueries'.
Result<TimedQueries> sampleQueries(const PointCloud& cloud, double eps, const Strategy& strategy,
                                   const Task& task);

/// Two processors and how fast they are.
struct ModelledSides {
  SideModel gpu{.lanes = 3};
  SideModel cpu;
  friend bool operator==(const ModelledSides&, const ModelledSides&) = default;
};

/// The modelled time line of a join: batches are cut and handed out as in a real pass that counts
/// (SharedJoin), with the strategy's division, CPU batch and b_s. Streams and threads are those of
/// the sides, at least one each.
SharedPass modelDivision(const TimedQueries& timed, const Strategy& strategy,
                         const ModelledSides& sides);

/// The side that explains a pass best: what a query and a candidate cost, by least squares of the
/// relative errors of its batches' times, without negative costs, scaled to the sum of these times.
/// Without speeds when the processor had no batch or no time was measured.
SideModel fittedSide(const SharedPass& pass, Processor processor);

}  // namespace clusterloom
