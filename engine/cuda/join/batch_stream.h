#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/cuda/join/batch_queue.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/slab_pool.h"

namespace clusterloom {

/// The stream and buffers by which a host thread does batches of a join, for any result. While it
/// waits for a transfer or stores a result, the other threads' kernels run.
///
/// Owners of buffers on the stream wait for it before they free them.
class BatchStream {
 public:
  BatchStream(GpuRun& gpuRun, DeviceJoin& deviceJoin, BatchQueue& batchQueue, int streamNumber)
      : run(gpuRun),
        join(deviceJoin),
        queue(batchQueue),
        number(streamNumber),
        lease(run.leaseOn(stream)),
        head_(lease, 1),
        headHere_(1),
        slab_(run.device().slabs().take()) {}
  ~BatchStream() { finish(); }
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  GpuRun& run;
  DeviceJoin& join;
  BatchQueue& queue;
  const int number;
  Stream stream;
  const Lease lease;

  /// Calls process(batch) for batches of the queue until none is left. The caller has all its
  /// buffers.
  template <class Process>
  void work(Process&& process) {
    queue.ready();
    while (const auto batch = queue.next()) {
      const GpuPhase phase("batch");
      process(*batch);
    }
    CUDA_CHECK(cudaStreamSynchronize(stream));
    queue.add(log_.stats());
  }

  KernelLaunch launch() {
    KernelLaunch here = launchOn(run, join, stream);
    here.log = &log_;
    return here;
  }
  /// The batch's tickets, with the head of a work queue set to the first of them.
  QueryRange rangeOf(const Batch& batch) {
    if (join.schedule.workQueue) {
      headHere_[0] = batch.begin;
      head_.upload({headHere_.data(), 1});
    }
    return clusterloom::rangeOf(run, join, batch.begin, batch.end,
                                join.schedule.workQueue ? head_.data() : nullptr);
  }

  /// Waits for queued work, and reacts to a stop.
  void wait() {
    passed_.record(stream);
    run.wait(passed_);
  }
  /// Waits for everything; for destructors.
  void finish() { cudaStreamSynchronize(stream); }

  /// Brings the first `count` of `values` to the host, slab by slab: take(first, span) for each.
  template <class T, class Take>
  void bring(const DeviceBuffer<T>& values, std::uint64_t count, Take&& take) {
    const std::span<T> slab = slab_.as<T>();
    for (std::uint64_t first = 0; first < count; first += slab.size()) {
      const std::uint64_t size = std::min<std::uint64_t>(slab.size(), count - first);
      values.download(slab.first(size), first);
      wait();
      take(first, std::span<const T>(slab.first(size)));
    }
  }

 private:
  DeviceBuffer<std::uint32_t> head_;
  PinnedBuffer<std::uint32_t> headHere_;
  SlabPool::Slab slab_;
  Event passed_;
  KernelLog log_;
};

}  // namespace clusterloom
