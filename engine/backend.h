#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/gpu_device.h"
#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/division.h"
#include "engine/join/join_input.h"
#include "engine/join/join_plan.h"
#include "engine/join/join_results.h"
#include "engine/join/strategy.h"
#include "engine/load/load_report.h"

namespace clusterloom {

/// Runs joins and DBSCAN on one processor. Every backend and every strategy gives the same answer
/// (engine/DESIGN.md). A join takes one cloud or two (engine/join/join_input.h). The results of a
/// join A ⋈ B have a row for each point of A and name points of B. For several runs on one cloud,
/// pass a PreparedCloud: it keeps what they share. Stateless: a backend may be used from several
/// threads at once.
///
/// Example:
///
///     const auto backend = makeBackend("auto", {});
///     if (!backend) return tl::unexpected(backend.error());
///     const auto clusters = (*backend)->dbscan(cloud, {.eps = 0.5, .minPts = 3}, {}, {});
///     const auto counts = (*backend)->count(cloud, 0.5, {}, {});
///
/// Performance. Time grows with the number of candidates, the points in the cells around each
/// point: linearly in n while the number of neighbours of a point stays about the same. All threads
/// of BackendOptions work on one call. Memory beyond the coordinates: DBSCAN on a CPU less than 64
/// + 8·d bytes a point, where it goes by a tree of points 40 + 26·d; counts 4 bytes a point, pairs
/// 8 bytes each, tables 8 bytes a point and 4 a neighbour. Times: tests/bench/RESULTS.md.
///
/// Parameters. ε is in the units of the coordinates; minPts counts the point itself; `strategy`
/// says how (engine/join/strategy.h), and {} leaves that to the engine; `task` stops a call and
/// receives its progress (engine/core/task.h).
///
/// Errors. No exception leaves a call. BadCall for ε, minPts or k out of range and for a strategy
/// that this backend does not support; BadInput for a cloud that `validate` refuses, or two clouds
/// of different dimensions; TooLarge, with the predicted size, before a result that does not fit
/// into memory is computed; Cancelled.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  /// Its limits, for checkStrategy.
  virtual BackendLimits limits() const = 0;
  /// One line for display: the device and its memory, or the number of threads.
  virtual std::string describe() const = 0;
  /// The GPUs that it could run on; empty where it runs on none.
  virtual std::vector<GpuDevice> devices() const { return {}; }
  /// This backend with Manhattan or Chebyshev distances (engine/core/metric.h): on a CPU by trees
  /// of points, on a GPU by the grid. It supports everything but `load` and options of a strategy.
  /// BadCall where it has none.
  virtual Result<std::shared_ptr<const Backend>> withMetric(Metric metric) const {
    return badCall("The backend " + std::string(name()) + " has Euclidean distances only, not " +
                   std::string(toText(metric)) + " ones; choose the backend auto or cpu.");
  }
  /// A remark for the user, e.g. why the CPU replaces a GPU; usually empty.
  virtual std::string remark() const { return {}; }
  virtual Result<NeighbourCounts> count(const JoinInput& input, double eps,
                                        const Strategy& strategy, const Task& task) const = 0;
  virtual Result<PairList> pairs(const JoinInput& input, double eps, const Strategy& strategy,
                                 const Task& task) const = 0;
  virtual Result<NeighbourTable> neighbourTable(const JoinInput& input, double eps,
                                                const Strategy& strategy,
                                                const Task& task) const = 0;
  /// Computed by the grid or by products, of other metrics on a CPU by a tree, in `bins` bins, 1 …
  /// 4096.
  virtual Result<DistanceHistogram> histogram(const JoinInput& input, double eps, int bins,
                                              const Strategy& strategy, const Task& task) const = 0;
  /// For each query point the lowest label ≥ 0 among the points within ε, else kNoise. `labels` has
  /// one entry for each of input.points, negative where a point does not count; BadCall for another
  /// number. One cloud is joined with itself, and each point is its own neighbour too.
  virtual Result<LowestLabels> lowestLabels(const JoinInput& input,
                                            std::span<const std::int32_t> labels, double eps,
                                            const Strategy& strategy, const Task& task) const = 0;
  /// For one cloud; BadCall for two.
  virtual Result<Clustering> dbscan(const JoinInput& input, const DbscanParams& params,
                                    const Strategy& strategy, const Task& task) const = 0;
  /// The load of a GPU's warps in the join that `request` names: measured where the backend is a
  /// GPU, elsewhere modelled (engine/load/load_model.h) on the standard machine with the standard
  /// weights.
  virtual Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                                  const LoadRequest& request, const Task& task) const = 0;
};

/// The value of BackendOptions::ranks for one rank per device.
inline constexpr int kRankADevice = -1;

/// Options of `makeBackend`.
struct BackendOptions {
  /// What programs let a user ask for.
  static constexpr int kMostThreads = 4096;
  static constexpr int kMostRanks = 1024;

  int threads = 0;  ///< CPU threads; 0: as many as the machine has
  int device = -1;  ///< number of the GPU; −1 takes the first that answers
  /// File with the times of batched joins on GPUs, from which later batch sizes are chosen
  /// (engine/batch_history.h); empty: nothing is kept and the batch size is the standard one.
  std::string batchHistory = {};
  /// GPUs that share each join, all of them with the whole cloud; empty: one GPU.
  std::vector<int> devices = {};
  bool allDevices = false;      ///< all GPUs that answer share each join
  std::uint32_t querySets = 0;  ///< of a shared join; 0: as ReplicatedOptions
  Deal deal = Deal::Queue;      ///< of its query sets
  /// DBSCAN is divided in space between `ranks` ranks in this process, which share the threads and
  /// take `devices` in turn (engine/distributed/divided_backend.h); everything else runs on the
  /// first device. 0: it is not divided. May be kRankADevice.
  int ranks = 0;
  /// For a program that ends after a few runs: "auto" starts no GPU for runs that the CPU finishes
  /// before it would have started (engine/auto_backend.h).
  bool lateStart = false;
};

/// Makes "cpu", "auto", "simt" (which only models the load), "cuda" or "hybrid" (CPU and GPU share
/// each join); a name that is known but not in this build gives Unavailable with a message, an
/// unknown one BadCall; TooLarge where the threads cannot be started. With several devices and no
/// ranks, "auto" and "cuda" share joins between the devices. A device that was named and does not
/// answer is an error.
Result<std::unique_ptr<Backend>> makeBackend(const std::string& name,
                                             const BackendOptions& options);

/// The backends of this build, best first. The machine may still lack the device of one of
/// them.
std::vector<std::string> availableBackends();

}  // namespace clusterloom
