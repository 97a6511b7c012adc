#include "engine/cuda/join/batches.h"

#include <algorithm>
#include <optional>

#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/cuda/grid/point_order.h"
#include "engine/cuda/join/batch_stream.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/join/results/device_counts.h"
#include "engine/cuda/join/results/ordered_rows.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/join/batch_estimate.h"
#include "engine/join/pairs_of_table.h"
#include "engine/join/table_builder.h"

namespace clusterloom {
namespace {

static_assert(LaneFillSink<CudaLane>::kBothWays == SentRows::kBothWays);

constexpr std::uint64_t kSlabEntries = SlabPool::kSlabBytes / sizeof(std::uint32_t);
constexpr std::uint64_t kMostBatchPairs = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostBatchQueries = std::uint64_t{4} << 20;
constexpr int kStandardStreams = 6;  // three leave the bus idle while the host takes rows in

// The rows of tickets [begin, begin + rows): how long, and whose. sizes[rows] = 0, so that a scan
// of rows + 1 entries ends with the sum.
__global__ void rowsOfTickets(const std::uint32_t* queries, const std::uint32_t* found,
                              const std::uint32_t* pointIds, std::uint32_t begin,
                              std::uint32_t rows, std::uint32_t* sizes, std::uint32_t* points) {
  const std::size_t r = threadNumber();
  if (r > rows) return;
  std::uint32_t size = 0;
  if (r < rows) {
    const auto ticket = begin + std::uint32_t(r);
    const std::uint32_t position = queries == nullptr ? ticket : queries[ticket];
    points[r] = pointIds[position];
    size = found[position];
  }
  sizes[r] = size;  // one store for all lanes: initcheck missed the last one of divergent stores
}

/// The data that the workers share.
struct Work {
  GpuRun& run;
  DeviceJoin& join;
  BatchQueue& queue;
  TableBuilder& builder;
  const std::uint32_t* found;                     ///< entries of each position's row
  std::uint64_t capacity;                         ///< entries of a batch's buffer
  std::optional<DeviceRowCandidates> candidates;  ///< where rows are filled in order
};

/// Fills the rows of batches on one stream.
class RowFillingWorker {
 public:
  RowFillingWorker(const Work& work, int number)
      : work_(work),
        on_(work.run, work.join, work.queue, number),
        sizes_(on_.lease, work.queue.mostTickets() + std::size_t{1}),
        rowStart_(on_.lease, work.queue.mostTickets() + std::size_t{1}),
        points_(on_.lease, work.queue.mostTickets()),
        cursors_(on_.lease, work.join.threadsPerPoint > 1 ? work.queue.mostTickets() : 0),
        entries_(on_.lease, work.capacity),
        startHere_(work.queue.mostTickets() + std::size_t{1}),
        pointsHere_(work.queue.mostTickets()) {}
  ~RowFillingWorker() { on_.finish(); }

  void run() {
    on_.work([this](const Batch& batch) { process(batch); });
  }

 private:
  void process(const Batch& batch) {
    const std::uint32_t rows = batch.end - batch.begin;
    const std::uint64_t entries = countRows(batch);
    if (entries > entries_.size()) {
      if (rows > 1) return work_.queue.replayInHalves(batch);
      entries_ = DeviceBuffer<std::uint32_t>(on_.lease, entries);  // one row longer than a batch
    }
    fill(batch, entries);
    BatchStats stats{.stream = on_.number,
                     .queries = rows,
                     .pairs = entries,
                     .bytes = entries * sizeof(std::uint32_t),
                     .replays = batch.replays};
    on_.bring(entries_, entries, [&](std::uint64_t first, std::span<const std::uint32_t> here) {
      stats.transferEnd = work_.queue.secondsNow();
      work_.builder.take({.pointOfRow = {pointsHere_.data(), rows},
                          .rowStart = {startHere_.data(), rows + std::size_t{1}},
                          .first = first,
                          .entries = here});
    });
    work_.run.wait(filled_);
    stats.start = work_.queue.secondsAt(kernelStart_);
    stats.kernelEnd = work_.queue.secondsAt(filled_);
    stats.transferEnd = std::max(stats.transferEnd, stats.kernelEnd);
    stats.end = std::max(work_.queue.secondsNow(), stats.transferEnd);
    work_.queue.done(stats);
  }

  // Lays out the batch's rows; returns their entries.
  std::uint64_t countRows(const Batch& batch) {
    const std::uint32_t rows = batch.end - batch.begin;
    const DeviceJoin& join = work_.join;
    rowsOfTickets<<<blocksFor(rows + std::size_t{1}), kBlockSize, 0, on_.stream>>>(
        join.schedule.queries.data(), work_.found, join.grid.pointIds.data(), batch.begin, rows,
        sizes_.data(), points_.data());
    CUDA_CHECK_LAUNCH();
    exclusiveScan(on_.lease, sizes_.data(), rowStart_.data(), rows + std::size_t{1});
    rowStart_.download({startHere_.data(), rows + std::size_t{1}});
    points_.download({pointsHere_.data(), rows});
    on_.wait();
    return startHere_[rows];
  }

  void fill(const Batch& batch, std::uint64_t entries) {
    DeviceJoin& join = work_.join;
    kernelStart_.record(on_.stream);
    if (cursors_.size() > 0) cursors_.fillBytes(0);
    const QueryRange range = on_.rangeOf(batch);
    if (work_.candidates) {
      launchOrderedRows(on_.launch(), join, *work_.candidates, range, rowStart_.data(),
                        entries_.data());
      filled_.record(on_.stream);
      return;
    }
    launchJoin(on_.launch(), join.view, range,
               LaneFillSink<CudaLane>{.pointIds = join.grid.pointIds.data(),
                                      .rowStart = rowStart_.data(),
                                      .cursors = cursors_.data(),
                                      .ids = entries_.data(),
                                      .firstTicket = batch.begin});
    // A half pattern's rows meet others' entries on the host and are sorted there.
    if (!join.half && entries > 0)
      sortRows(on_.lease, entries_, entries, rowStart_.data(), batch.end - batch.begin);
    filled_.record(on_.stream);
  }

  const Work& work_;
  BatchStream on_;
  DeviceBuffer<std::uint32_t> sizes_;
  DeviceBuffer<std::uint64_t> rowStart_;
  DeviceBuffer<std::uint32_t> points_;
  DeviceBuffer<std::uint32_t> cursors_;
  DeviceBuffer<std::uint32_t> entries_;
  PinnedBuffer<std::uint64_t> startHere_;
  PinnedBuffer<std::uint32_t> pointsHere_;
  Event kernelStart_;
  Event filled_;
};

// Offsets of a table of n rows, in host memory.
std::vector<std::uint64_t> offsetsOf(GpuRun& run, const DeviceJoin& join,
                                     const DeviceCounts& counts, std::size_t n) {
  DeviceBuffer<std::uint32_t> sizes(run.lease(), n + 1);
  sizes.fillBytes(0);
  toPointOrder(run.lease(), join.grid.queryPoints(), counts.counts.data() + join.grid.firstQuery(),
               sizes.data(), join.grid.queries());
  DeviceBuffer<std::uint64_t> offsets(run.lease(), n + 1);
  exclusiveScan(run.lease(), sizes.data(), offsets.data(), n + 1);
  return run.readAll(offsets);
}

// Batches of neighbouring cells, each as many rows as fit: their queries read the same candidates,
// and how long rows are is known. `counts` by position.
DeviceSchedule batchesThatFit(GpuRun& run, const DeviceBuffer<std::uint32_t>& counts,
                              std::uint64_t most) {
  const std::vector<std::uint32_t> sizes = run.readAll(counts);
  DeviceSchedule schedule;
  schedule.batchBegin.push_back(0);
  std::uint64_t entries = 0;
  for (std::uint32_t p = 0; p < sizes.size(); ++p) {
    const std::uint32_t begin = schedule.batchBegin.back();
    if (p > begin && (entries + sizes[p] > most || p - begin == kMostBatchQueries)) {
      schedule.batchBegin.push_back(p);
      entries = 0;
    }
    entries += sizes[p];
  }
  schedule.batchBegin.push_back(std::uint32_t(sizes.size()));
  return schedule;
}

}  // namespace

Result<NeighbourTable> tableOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                  const JoinPlan& plan, std::uint64_t bytesMore) {
  Stopwatch watch;
  NeighbourTable table;
  const std::uint64_t asked = plan.strategy.batchPairs;
  const std::uint64_t wished = asked > 0 ? std::min(asked, kMostBatchPairs) : kSlabEntries;
  GpuPhase phase("index", run.task());
  DeviceJoin join(plan);
  prepareDeviceJoin(run, input, eps, {.pairs = wished, .queries = kMostBatchQueries}, join);
  run.wait();
  table.stats.seconds.index = watch.lap();

  phase.next("counting");
  const auto endPhase = [&](const char* name, std::uint64_t calculations) {
    table.stats.phases.push_back({name, watch.lap(), calculations});
    table.stats.seconds.join += table.stats.phases.back().seconds;
  };
  const DeviceCounts counts = countInCellOrder(run, join);
  table.offsets = offsetsOf(run, join, counts, input.queries.size());
  const std::uint64_t counted = calculationsOf(run, join);
  table.candidates = candidatesOfFullPattern(run, join, counted);
  endPhase("counting", counted);
  const std::uint64_t pairs = table.offsets.back();
  const std::uint64_t bytes = pairs * (sizeof(std::int32_t) + bytesMore);
  if (auto fits = checkTableFits(pairs, bytes); !fits) return tl::unexpected(fits.error());
  phase.next("reserving memory");
  TableBuilder builder(table, join.half);
  if (!resizeAndTouch(table.ids, pairs, "reserving memory", run.task())) throw CudaStopped{};
  std::optional<DeviceRowCandidates> candidates = makeRowCandidates(run, join);
  const int streams = plan.strategy.streams > 0 ? plan.strategy.streams : kStandardStreams;
  const std::uint64_t most = batchPairsFor(double(pairs), wished, leastBatches(asked, streams));
  const bool fits = candidates && plan.strategy.order == QueryOrder::Cell;
  if (fits) join.schedule = batchesThatFit(run, counts.counts, most);
  phase.next("filling");
  BatchQueue queue(run, join, "filling", pairs);
  const Work work{.run = run,
                  .join = join,
                  .queue = queue,
                  .builder = builder,
                  .found = join.half ? counts.found.data() : counts.counts.data(),
                  .capacity = std::min(fits ? most : wished, pairs),
                  .candidates = std::move(candidates)};
  queue.run(int(std::min<std::size_t>(streams, join.schedule.batches())),
            [&work](int stream) { RowFillingWorker(work, stream).run(); });
  table.stats.distanceCalculations = calculationsOf(run, join);
  endPhase("filling", table.stats.distanceCalculations - counted);
  if (!builder.finish(run.task())) throw CudaStopped{};
  endPhase("sorting", 0);
  addJoinStats(join, {}, table.stats);
  addBatches(queue, table.stats);
  return table;
}

Result<PairList> pairsOnGpu(GpuRun& run, const JoinInput& input, double eps, const JoinPlan& plan) {
  return pairsOfTable(tableOnGpu(run, input, eps, plan, sizeof(Pair)), run.task());
}

}  // namespace clusterloom
