#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/core/stopwatch.h"
#include "engine/cuda/join/device_join.h"

namespace clusterloom {

/// Tickets [begin, end) to be done as one batch.
struct Batch {
  std::uint32_t begin;
  std::uint32_t end;
  int replays = 0;
};

/// The batches of a join, worked on by one host thread per stream: the batches left, their figures,
/// and errors. Usable from all workers at once.
class BatchQueue {
 public:
  /// All batches of the join's schedule. `expectedPairs` is for the reported progress. Waits.
  BatchQueue(GpuRun& gpuRun, DeviceJoin& deviceJoin, std::string_view stage,
             std::uint64_t expectedPairs);

  /// The next batch; none when all are handed out or a worker failed.
  std::optional<Batch> next();
  /// Returns a batch that did not fit as two.
  void replayInHalves(const Batch& batch);
  void done(const BatchStats& stats);
  /// From now on next() returns no batch.
  void drop();
  /// Runs work(stream number) on `streams` threads and waits for them; throws what one of them
  /// threw.
  void run(int streams, const std::function<void(int)>& work);
  /// To be called by a worker that has its buffers.
  void ready();
  /// Adds what a worker's kernels took.
  void add(const std::vector<KernelStats>& kernels);

  std::uint32_t mostTickets() const { return mostTickets_; }
  /// Seconds from the queue's start: of an event that is past, and now.
  double secondsAt(const Event& event) const { return millisecondsBetween(zero_, event) / 1e3; }
  double secondsNow() const { return clock_.seconds(); }
  /// The batches done, by start.
  std::vector<BatchStats> timeline();
  /// Seconds from the queue's start until the last worker had its buffers.
  double streamsReady() const { return streamsReady_; }

 private:
  GpuRun& run_;
  DeviceJoin& join_;
  std::string_view stage_;
  std::uint64_t expectedPairs_;
  std::uint32_t mostTickets_ = 0;
  Event zero_;       // the timeline's start, on the device …
  Stopwatch clock_;  // … and on the host
  std::mutex mutex_;
  std::vector<Batch> left_;
  std::vector<BatchStats> timeline_;
  std::exception_ptr failure_;
  std::uint64_t pairsDone_ = 0;
  double streamsReady_ = 0;
};

/// The timeline of a queue whose workers have ended, as that of a run's stats.
void addBatches(BatchQueue& queue, RunStats& stats);

}  // namespace clusterloom
