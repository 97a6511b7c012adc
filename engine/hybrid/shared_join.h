#pragma once

#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/core/shared_pass.h"
#include "engine/core/stopwatch.h"
#include "engine/hybrid/cpu_side.h"
#include "engine/hybrid/divider.h"
#include "engine/hybrid/shared_device.h"
#include "engine/hybrid/shares.h"
#include "engine/join/division.h"

namespace clusterloom {

/// The processors that take part in a join.
struct SharedSetup {
  const SharedDevice& device;
  MakeCpuSide makeCpuSide = makeGridSide;
  int threads = 1;  ///< of the CPU
  Division division = Division::Adaptive;
  std::uint32_t cpuBatch = kCpuBatch;
  std::uint64_t batchPairs = kSharedBatchPairs;  ///< b_s
  SideRates expected = {};                       ///< for the adaptive division; 0: unknown
  /// The model behind a static division; without one both processors are timed at the join's own ε.
  std::optional<DivisionForecast> forecast = std::nullopt;
};

/// One pass over all queries.
struct PassRequest {
  std::string_view stage;                    ///< a literal, for progress and statistics
  std::uint32_t enough = ~std::uint32_t{0};  ///< counts may stop here
  /// Neighbours of each query where they are known, which a pass for rows needs.
  std::span<const std::uint32_t> neighbours = {};
};

/// A join that CPU and device do together [Gallet 2020, §4], in one pass or several. The device
/// makes its index and the order of queries; meanwhile the CPU makes its own index, and takes part
/// in the first pass as soon as it has it. Under Adaptive the device counts its first batches while
/// the order is copied to the host. When the device fails, now or later, the CPU does the rest and
/// note() says so. Not for two threads at once; `setup`, `work` and `task` outlive it.
class SharedJoin {
 public:
  SharedJoin(const SharedSetup& setup, const SharedWork& work, const Task& task);
  /// Stops the preparation on the CPU if it still runs.
  ~SharedJoin();
  SharedJoin(const SharedJoin&) = delete;
  SharedJoin& operator=(const SharedJoin&) = delete;

  /// The index, and the order where the device has it. Errors: those of the CPU's side, Cancelled.
  Result<void> prepare();
  /// The number of queries; valid after prepare().
  std::uint32_t size() const { return ordered_ ? queries_.size() : device_->queries(); }
  /// The order of the queries; valid after the first pass.
  const OrderedQueries& queries() const { return queries_; }
  /// The seconds that each processor would take for all queries, by a timed sample over the order:
  /// of single queries on the device, of some that follow each other on the CPU. nullopt where the
  /// device fails and where there are no queries. Errors as prepare().
  Result<std::optional<SecondsAlone>> secondsAlone();
  /// Does every query once. Errors as prepare().
  ///
  /// Under the static divisions without a forecast the first pass times both sides as
  /// secondsAlone() does; later passes use the same times. Under Dyn the batch estimator uses the
  /// device's sample. A pass for rows is cut by the counts of the pass before: under Adaptive by
  /// all of them, else by a sample of them, as in the paper.
  Result<SharedPass> pass(const PassRequest& request, JoinSink& sink);
  /// The CPU's side, when it is ready.
  Result<const CpuSide*> cpuSide();
  /// Adds what both sides did in all passes.
  void addTo(RunStats& stats);
  /// A remark for the user where the device failed; empty otherwise.
  const std::string& note() const { return note_; }

 private:
  struct Pass;
  /// A batch that a stream did, or where it failed.
  struct DoneBatch {
    TicketRange range;
    double start = 0;
    double end = 0;
    int replays = 0;
    Result<DeviceBatch> done;
  };
  using FirstBatches = std::vector<std::future<DoneBatch>>;

  void prepareCpu();
  bool cpuIsReady();
  void deviceFailed(const Error& error);
  Result<void> fetchOrder(FirstBatches& first);
  Result<void> orderByCpu();
  std::uint32_t startFirstBatches(Pass& pass, FirstBatches& batches);
  Result<DivisionPlan> planFor(const PassRequest& request, const JoinSink& sink,
                               SharedPass& result);
  Result<DivisionForecast> forecastHere();
  Result<void> sampleDevice();
  Result<void> sampleCpu();
  NeighbourSample sampleOf(std::span<const std::uint32_t> neighbours, std::uint32_t step) const;
  DoneBatch runBatch(Pass& pass, int stream, TicketRange range, int replays);
  bool finish(Pass& pass, int stream, const DoneBatch& batch, std::uint32_t takenEnd);
  void deviceLane(Pass& pass, int stream, std::future<DoneBatch> first);
  void cpuLane(Pass& pass, int thread);

  const SharedSetup& setup_;
  const SharedWork& work_;
  const Task& task_;
  const Stopwatch sinceBegin_;
  OrderedQueries queries_;
  bool ordered_ = false;               // queries_ are there
  std::unique_ptr<DeviceRun> device_;  // null once it has failed
  std::string note_;
  std::optional<DeviceSample> deviceSample_;
  double deviceSeconds_ = 0;  // for all queries, by the sample
  double cpuSeconds_ = -1;    // −1: not measured
  std::uint64_t cpuDistances_ = 0;

  std::stop_source stopCpu_;
  std::mutex mutex_;
  std::condition_variable cpuEnded_;
  std::optional<Result<std::unique_ptr<CpuSide>>> cpu_;  // guarded until it has a value
  std::thread preparing_;
};

}  // namespace clusterloom
