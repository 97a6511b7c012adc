#include "engine/cuda/join/results/results.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/cuda/join/batch_stream.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/join/results/device_counts.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/join/batch_estimate.h"
#include "engine/join/pairs_of_table.h"
#include "engine/join/sort_rows.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kStandardBatch = 10'000'000;
constexpr std::uint64_t kMostBatch = 500'000'000;
constexpr int kStandardStreams = 3;

/// Batches' sorted keys as they come, from several threads: as many as there is memory for.
class SentKeys {
 public:
  explicit SentKeys(std::uint64_t mostPairs) : mostPairs_(mostPairs) {}

  void take(LargeArray<std::uint64_t>&& keys) {
    const std::lock_guard lock(mutex_);
    pairs_ += keys.size();
    if (!tooMany()) batches_.push_back(std::move(keys));
  }
  std::uint64_t pairs() const { return pairs_; }
  bool tooMany() const { return pairs_ > mostPairs_; }
  std::vector<LargeArray<std::uint64_t>>& batches() { return batches_; }

 private:
  std::mutex mutex_;
  const std::uint64_t mostPairs_;
  std::atomic<std::uint64_t> pairs_ = 0;
  std::vector<LargeArray<std::uint64_t>> batches_;
};

struct Work {
  GpuRun& run;
  DeviceJoin& join;
  BatchQueue& queue;
  SentKeys& sent;
  std::uint64_t capacity;  ///< pairs of a batch's buffer
  std::size_t points;      ///< of the cloud of the queries
};

/// Writes, sorts and brings the pairs of batches on one stream.
class PairSortingWorker {
 public:
  PairSortingWorker(const Work& work, int number)
      : work_(work),
        on_(work.run, work.join, work.queue, number),
        keys_(on_.lease, work.capacity),
        found_(on_.lease, 1),
        foundHere_(1) {}
  ~PairSortingWorker() { on_.finish(); }

  void run() {
    on_.work([this](const Batch& batch) { process(batch); });
  }

 private:
  void process(const Batch& batch) {
    start_.record(on_.stream);
    write(batch);
    if (foundHere_[0] > keys_.size()) {
      if (batch.end - batch.begin > 1) return work_.queue.replayInHalves(batch);
      keys_ = DeviceBuffer<std::uint64_t>(on_.lease, foundHere_[0]);  // one query beyond a batch
      write(batch);
    }
    const std::uint64_t pairs = foundHere_[0];
    if (pairs > 0) sortKeys(on_.lease, keys_, pairs, 32 + std::bit_width(work_.points - 1));
    sorted_.record(on_.stream);
    LargeArray<std::uint64_t> here(pairs);
    on_.bring(keys_, pairs, [&](std::uint64_t first, std::span<const std::uint64_t> keys) {
      std::copy(keys.begin(), keys.end(), here.begin() + std::ptrdiff_t(first));
    });
    work_.run.wait(sorted_);
    BatchStats stats{.stream = on_.number,
                     .start = work_.queue.secondsAt(start_),
                     .kernelEnd = work_.queue.secondsAt(sorted_),
                     .queries = batch.end - batch.begin,
                     .pairs = pairs,
                     .bytes = pairs * sizeof(std::uint64_t),
                     .replays = batch.replays};
    stats.transferEnd = std::max(stats.kernelEnd, work_.queue.secondsNow());
    work_.sent.take(std::move(here));
    stats.end = std::max(stats.transferEnd, work_.queue.secondsNow());
    work_.queue.done(stats);
    if (work_.sent.tooMany()) work_.queue.drop();
  }

  // Leaves the number of pairs in foundHere_.
  void write(const Batch& batch) {
    found_.fillBytes(0);
    launchJoin(on_.launch(), work_.join.view, on_.rangeOf(batch),
               LanePairSink<CudaLane>{.pointIds = work_.join.grid.pointIds.data(),
                                      .keys = keys_.data(),
                                      .capacity = keys_.size(),
                                      .found = found_.data()});
    found_.download({foundHere_.data(), 1});
    on_.wait();
  }

  const Work& work_;
  BatchStream on_;
  DeviceBuffer<std::uint64_t> keys_;
  DeviceBuffer<std::uint64_t> found_;
  PinnedBuffer<std::uint64_t> foundHere_;
  Event start_;
  Event sorted_;
};

tl::unexpected<Error> tooMany(std::uint64_t pairs, std::uint64_t bytesOfPair) {
  return tooLarge("The result would be about " + std::to_string(pairs) + " pairs, " +
                  memoryText(pairs * bytesOfPair) + " while it is put in order, and " +
                  memoryText(availableMemory()) +
                  " are free. Use a smaller ε, or the route count-scan-fill.");
}

// Calls visit(point, its keys) for each run of keys of one point in each batch, in parallel.
template <class Visit>
void forEachRun(SentKeys& sent, const Task& task, const Visit& visit) {
  constexpr std::size_t kKeysAtOnce = std::size_t{1} << 16;
  for (const LargeArray<std::uint64_t>& keys : sent.batches())
    parallelFor(keys.size(), kKeysAtOnce, task, [&](std::size_t i) {
      const std::uint64_t point = keys[i] >> 32;
      if (i > 0 && keys[i - 1] >> 32 == point) return;
      std::size_t end = i + 1;
      while (end < keys.size() && keys[end] >> 32 == point) ++end;
      visit(point, std::span(keys).subspan(i, end - i));
    });
}

// Rows of a table from batches that are sorted each for itself. Under a half pattern a row comes
// from several of them. False when the task was stopped.
bool fillRows(SentKeys& sent, bool half, NeighbourTable& table, const Task& task) {
  using Keys = std::span<const std::uint64_t>;
  const std::size_t n = table.offsets.size() - 1;
  forEachRun(sent, task, [&](std::uint64_t point, Keys keys) {
    std::atomic_ref(table.offsets[point + 1]).fetch_add(keys.size(), std::memory_order_relaxed);
  });
  for (std::size_t p = 0; p < n; ++p) table.offsets[p + 1] += table.offsets[p];
  if (!resizeAndTouch(table.ids, table.offsets[n], "reserving memory", task)) return false;
  std::vector<std::uint64_t> cursors(table.offsets.begin(), table.offsets.end() - 1);
  forEachRun(sent, task, [&](std::uint64_t point, Keys keys) {
    std::uint64_t at =
        std::atomic_ref(cursors[point]).fetch_add(keys.size(), std::memory_order_relaxed);
    for (const std::uint64_t key : keys) table.ids[at++] = std::int32_t(key & 0xffffffffU);
  });
  return !half || sortRows(table, task);
}

Result<NeighbourTable> tableOf(GpuRun& run, const JoinInput& input, double eps,
                               const JoinPlan& plan, std::uint64_t bytesMore) {
  Stopwatch watch;
  NeighbourTable table;
  const std::uint64_t asked = plan.strategy.batchPairs;
  const std::uint64_t size = asked > 0 ? std::min(asked, kMostBatch) : kStandardBatch;
  GpuPhase phase("index", run.task());
  DeviceJoin join(plan);
  const int streams = plan.strategy.streams > 0 ? plan.strategy.streams : kStandardStreams;
  prepareDeviceJoin(run, input, eps, {.pairs = size, .leastBatches = leastBatches(asked, streams)},
                    join);
  run.wait();
  table.stats.seconds.index = watch.lap();
  // Counted here and not below: a repeated batch decides its distances again.
  table.candidates = candidatesOfFullPattern(run, join);
  const double estimate = join.estimatedPairs;
  const std::uint64_t bytesOfPair = sizeof(std::uint64_t) + sizeof(std::int32_t) + bytesMore;
  const std::uint64_t mostPairs = availableMemory() / bytesOfPair;
  if (estimate > double(mostPairs)) return tooMany(std::uint64_t(estimate), bytesOfPair);

  phase.next("writing pairs");
  SentKeys sent(mostPairs);
  BatchQueue queue(run, join, "writing pairs", std::uint64_t(estimate));
  const Work work{.run = run,
                  .join = join,
                  .queue = queue,
                  .sent = sent,
                  .capacity = size,
                  .points = input.queries.size()};
  queue.run(int(std::min<std::size_t>(streams, join.schedule.batches())),
            [&work](int stream) { PairSortingWorker(work, stream).run(); });
  if (sent.tooMany()) return tooMany(sent.pairs(), bytesOfPair);
  table.stats.distanceCalculations = calculationsOf(run, join);
  table.stats.phases = {{"filling", watch.lap(), table.stats.distanceCalculations}};
  phase.next("making rows");
  table.offsets.assign(input.queries.size() + 1, 0);
  if (!fillRows(sent, join.half, table, run.task())) throw CudaStopped{};

  table.stats.phases.push_back({"sorting", watch.lap(), 0});
  for (const JoinPhase& part : table.stats.phases) table.stats.seconds.join += part.seconds;
  addJoinStats(join, {}, table.stats);
  addBatches(queue, table.stats);
  return table;
}

}  // namespace

Result<PairList> pairsByKeyOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                 const JoinPlan& plan) {
  return pairsOfTable(tableOf(run, input, eps, plan, sizeof(Pair)), run.task());
}

Result<NeighbourTable> tableByKeyOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                       const JoinPlan& plan) {
  return tableOf(run, input, eps, plan, 0);
}

}  // namespace clusterloom
