#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/grid/grid_index.h"
#include "engine/join/strategy.h"
#include "engine/load/load_report.h"
#include "engine/load/simt_machine.h"
#include "engine/load/warp_trace.h"

namespace clusterloom {

/// The model of a join on a GPU: which queries each warp serves, what its lanes then do step by
/// step, and when it runs. It runs the lane program itself (engine/join/lane_program.h) for each
/// lane and aligns the traces, so that it counts steps, not time.
///
/// Made once for a cloud, ε, a strategy, a kernel and a machine; then it returns reports and single
/// warps. It keeps what it needs of the cloud, can be copied and used from several threads, and
/// gives the same results for any number of threads.
class LoadModel {
 public:
  /// Indexes, estimates and schedules as the papers do: batches of Strategy::batchPairs pairs, for
  /// the pair-writing kernel of 10⁸ when the strategy does not say [Gallet 2019, §II-C2], their
  /// number estimated from a strided 1 % of the queries × 1.05 [Gowanlock 2018, §4.1], of which as
  /// many are used as have 2·10⁸ candidates together; WORKQUEUE's have about equal results by that
  /// sample (engine/join/batch_estimate.h). Threads per point are chosen for the
  /// machine (engine/join/threads_per_point.h), or `threadsPerPoint` where a device has already
  /// chosen. A strategy that joins refuse, or another method than the grid, gives BadCall; a cloud
  /// that `validate` refuses BadInput; Cancelled.
  static Result<LoadModel> make(const PointCloud& cloud, double eps, const Strategy& strategy,
                                LoadKernel kernel, const SimtMachine& machine, const Task& task,
                                std::optional<int> threadsPerPoint = {});

  /// The load of the warps: of all warps when `request` names no sample, there are up to 300,000
  /// points and tracing takes up to 4·10⁹ candidates and search steps; else a sample, stratified
  /// over the order of launch (its size, when the request names none, is limited to 4·10⁸ of them,
  /// but is at least 256 warps, or as many as 10⁹ allow, at least 8). With a sample, sums are of
  /// the sampled warps, `candidates` is exact, `distanceCalculations` and `pairs` are scaled up,
  /// and each sampled warp stands for those of its stratum when the run is scheduled. Cancelled.
  Result<LoadReport> report(const LoadRequest& request, const LoopWeights& weights,
                            const Task& task) const;

  /// One warp step by step. BadCall for a warp that does not exist; Cancelled.
  Result<WarpTrace> trace(std::uint32_t warp, const WarpWindow& window, const Task& task) const;

  /// The same of a warp that serves these points as queries, at most 32 / threads per point, in
  /// this order; its number, batch and first ticket are 0. BadCall for points that do not exist or
  /// too many.
  Result<WarpTrace> traceOf(std::span<const std::uint32_t> points, const WarpWindow& window,
                            const Task& task) const;

  /// Warps of all batches; they never span two.
  std::uint32_t warps() const;
  /// The warp that serves a point as query.
  std::uint32_t warpOfPoint(std::uint32_t point) const;
  /// Candidates that the strategy's pattern examines for a query in each cell.
  const std::vector<std::uint64_t>& workloadOfCell() const;
  /// The grid that is joined; a trace names its cells.
  const GridIndex& index() const;
  /// The strategy with every "auto" decided.
  const Strategy& strategy() const;

 private:
  struct State;
  explicit LoadModel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// LoadModel::make and one report.
Result<LoadReport> modelLoad(const PointCloud& cloud, double eps, const Strategy& strategy,
                             const LoadRequest& request, const SimtMachine& machine,
                             const LoopWeights& weights, const Task& task);

/// The same on the request's machine with its weights.
Result<LoadReport> modelLoad(const PointCloud& cloud, double eps, const Strategy& strategy,
                             const LoadRequest& request, const Task& task);

}  // namespace clusterloom
