#include "engine/cuda/join/batch_queue.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace clusterloom {

BatchQueue::BatchQueue(GpuRun& gpuRun, DeviceJoin& deviceJoin, std::string_view stage,
                       std::uint64_t expectedPairs)
    : run_(gpuRun), join_(deviceJoin), stage_(stage), expectedPairs_(expectedPairs) {
  const std::vector<std::uint32_t>& begin = join_.schedule.batchBegin;
  for (std::size_t b = begin.size() - 1; b-- > 0;) {
    left_.push_back({begin[b], begin[b + 1]});
    mostTickets_ = std::max(mostTickets_, begin[b + 1] - begin[b]);
  }
  zero_.record(run_.stream());
  run_.wait(zero_);
  clock_.lap();
}

std::optional<Batch> BatchQueue::next() {
  const std::lock_guard lock(mutex_);
  if (failure_ || left_.empty()) return std::nullopt;
  const Batch batch = left_.back();
  left_.pop_back();
  return batch;
}

void BatchQueue::replayInHalves(const Batch& batch) {
  const std::uint32_t middle = batch.begin + (batch.end - batch.begin) / 2;
  const std::lock_guard lock(mutex_);
  left_.push_back({middle, batch.end, batch.replays + 1});
  left_.push_back({batch.begin, middle, batch.replays + 1});
}

void BatchQueue::done(const BatchStats& stats) {
  const std::lock_guard lock(mutex_);
  timeline_.push_back(stats);
  pairsDone_ += stats.pairs;
  run_.task().report(stage_, std::min(1.0, double(pairsDone_) /
                                               double(std::max<std::uint64_t>(1, expectedPairs_))));
}

void BatchQueue::drop() {
  const std::lock_guard lock(mutex_);
  left_.clear();
}

void BatchQueue::run(int streams, const std::function<void(int)>& work) {
  const auto workOf = [this, &work](int stream) {
    try {
      CUDA_CHECK(cudaSetDevice(run_.device().id()));
      work(stream);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;  // joined in any case
    try {
      for (int s = 0; s < streams; ++s) threads.emplace_back([&workOf, s] { workOf(s); });
    } catch (const std::system_error&) {
      // Those that run do all batches.
      if (threads.empty()) workOf(0);
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

void BatchQueue::ready() {
  const std::lock_guard lock(mutex_);
  streamsReady_ = std::max(streamsReady_, clock_.seconds());
}

void BatchQueue::add(const std::vector<KernelStats>& kernels) {
  const std::lock_guard lock(mutex_);
  join_.log.add(kernels);
}

std::vector<BatchStats> BatchQueue::timeline() {
  std::sort(timeline_.begin(), timeline_.end(),
            [](const BatchStats& a, const BatchStats& b) { return a.start < b.start; });
  return std::move(timeline_);
}

void addBatches(BatchQueue& queue, RunStats& stats) {
  stats.timeline = queue.timeline();
  stats.batches = stats.timeline.size();
  stats.streamsReady = queue.streamsReady();
}

}  // namespace clusterloom
