#include "engine/cuda/hybrid/shared_gpu.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/grid/device_grid.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/join/kernels/tile_count.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/cuda/runtime/probe.h"
#include "engine/join/query_sets.h"

namespace clusterloom {
namespace {

constexpr int kStandardStreams = 3;  // [Gallet 2020, §5.3]
constexpr std::uint32_t kMostThreadsPerQuery = 32;
constexpr std::uint64_t kMostBatchPairs = std::uint64_t{1} << 31;
// Rows of a batch: their offsets pass through one slab.
constexpr std::uint32_t kMostBatchRows = 4U << 20;
static_assert((kMostBatchRows + std::size_t{1}) * sizeof(std::uint64_t) <= SlabPool::kSlabBytes);

// workloads[n] = 0, so that a scan of n + 1 entries ends with the sum.
__global__ void describeTickets(const std::uint32_t* queries, const std::uint32_t* pointIds,
                                const std::uint32_t* cellOf, std::uint32_t firstCell,
                                const std::uint32_t* workloadOfCell, std::uint32_t* points,
                                std::uint32_t* workloads, std::size_t n) {
  const std::size_t t = threadNumber();
  if (t > n) return;
  std::uint32_t workload = 0;
  if (t < n) {
    const std::uint32_t position = queries[t];
    points[t] = pointIds[position];
    workload = workloadOfCell[cellOf[position] - firstCell];
  }
  workloads[t] = workload;
}

// cuts[i]: the first ticket with (i + 1) / parts of `share` of all work before it.
__global__ void cutsOfWork(const std::uint64_t* candidatesBefore, std::uint32_t n, double share,
                           std::uint32_t parts, std::uint32_t* cuts) {
  const std::size_t i = threadNumber();
  if (i >= parts) return;
  const auto workBefore = [&](std::uint32_t t) {
    return double(candidatesBefore[t]) + kQueryWork * t;
  };
  const double wanted = share * workBefore(n) * double(i + 1) / parts;
  std::uint32_t low = 0;
  std::uint32_t high = n;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (workBefore(middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  cuts[i] = low;
}

__global__ void dealTickets(const std::uint32_t* queries, QuerySets sets, std::uint32_t* dealt,
                            std::uint32_t n) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  const auto ticket = std::uint32_t(i);
  dealt[sets.place(ticket)] = queries[ticket];
}

__global__ void everyNthTicket(const std::uint32_t* queries, std::uint32_t nth,
                               std::uint32_t* positions, std::size_t count) {
  const std::size_t i = threadNumber();
  if (i < count) positions[i] = queries[i * nth];
}

__global__ void gather(const std::uint32_t* values, const std::uint32_t* at, std::uint32_t* out,
                       std::size_t count) {
  const std::size_t i = threadNumber();
  if (i < count) out[i] = values[at[i]];
}

// Threads that share a query of a batch: the strategy's number, or more where the batch has too few
// queries to keep `busy` threads busy. The first queries of the order have so many candidates that
// a few of them are a batch.
std::uint32_t threadsPerQuery(const Strategy& strategy, std::size_t queries, std::size_t busy) {
  auto threads = std::uint32_t(strategy.threadsPerPoint);
  while (threads < kMostThreadsPerQuery && queries * threads < busy) threads *= 2;
  return threads;
}

// Exceptions of this module as errors.
template <class T, class Body>
Result<T> guarded(const Body& body) {
  try {
    return body();
  } catch (const CudaStopped&) {
    return cancelledError();
  } catch (const CudaFailure& failure) {
    return tl::unexpected(errorOf(failure));
  }
}

/// A stream and the buffers of its batches, for one host thread at a time.
class SharedStream {
 public:
  /// `countsHere`: its own page-locked memory, for counts in transfer. `share`: the threads of the
  /// device that a batch of this stream should keep busy.
  SharedStream(GpuRun& run, DeviceJoin& join, DeviceBuffer<std::uint32_t>& counts,
               std::span<std::uint32_t> countsHere, std::size_t share)
      : run_(run),
        join_(join),
        counts_(counts),
        share_(share),
        lease_(run.leaseOn(stream_)),
        head_(lease_, 1),
        headHere_(1),
        countsHere_(countsHere) {}
  ~SharedStream() { cudaStreamSynchronize(stream_); }
  SharedStream(const SharedStream&) = delete;
  SharedStream& operator=(const SharedStream&) = delete;

  DeviceBatch count(TicketRange range, std::uint32_t enough, JoinSink& sink) {
    const GpuPhase phase("shared counts");
    launchJoin(launch(), join_.view, rangeOf(range),
               LaneCountSink<CudaLane>{.counts = counts_.data(), .enough = enough});
    DeviceBuffer<std::uint32_t> found(lease_, range.size());
    gather<<<blocksFor(range.size()), kBlockSize, 0, stream_>>>(
        counts_.data(), join_.schedule.queries.data() + range.begin, found.data(), range.size());
    CUDA_CHECK_LAUNCH();
    wait();
    DeviceBatch batch;
    bring(found, range.size(), countsHere_, batch,
          [&](std::uint64_t first, std::span<const std::uint32_t> counts) {
            sink.takeCounts(range.begin + std::uint32_t(first), counts);
          });
    return batch;
  }

  Result<DeviceBatch> fill(TicketRange range, std::uint64_t capacity, JoinSink& sink) {
    const GpuPhase phase("shared rows");
    const std::uint32_t rows = range.size();
    if (rows > kMostBatchRows) return DeviceBatch{.overflowed = true};
    startHere_.resize(rows + std::size_t{1});
    startHere_[0] = 0;
    for (std::uint32_t r = 0; r < rows; ++r)
      startHere_[r + 1] = startHere_[r] + sink.row(range.begin + r).size();
    const std::uint64_t entries = startHere_[rows];
    if (entries > capacity && rows > 1) return DeviceBatch{.overflowed = true};
    // The offsets go up through the slab before the entries come down through it.
    if (!slab_) slab_.emplace(run_.device().slabs().take());
    const std::span<std::uint64_t> staged = slab_->as<std::uint64_t>().first(startHere_.size());
    std::ranges::copy(startHere_, staged.begin());
    DeviceBuffer<std::uint64_t> rowStart(lease_, startHere_.size());
    rowStart.upload(staged);
    DeviceBuffer<std::uint32_t> cursors(lease_, threadsFor(range) > 1 ? rows : 0);
    cursors.fillBytes(0);
    DeviceBuffer<std::uint32_t> ids(lease_, entries);
    launchJoin(launch(), join_.view, rangeOf(range),
               LaneFillSink<CudaLane>{.pointIds = join_.grid.pointIds.data(),
                                      .rowStart = rowStart.data(),
                                      .cursors = cursors.data(),
                                      .ids = ids.data(),
                                      .firstTicket = range.begin});
    if (entries > 0) sortRows(lease_, ids, entries, rowStart.data(), rows);
    wait();
    DeviceBatch batch;
    bool fits = true;
    bring(ids, entries, slab_->as<std::uint32_t>(), batch,
          [&](std::uint64_t first, std::span<const std::uint32_t> here) {
            fits = fits && sink.takeRows({range.begin, startHere_, first, here});
          });
    if (!fits) return unavailable("The GPU's rows do not fit those counted.");
    return batch;
  }

  /// Kernels so far; for a thread that knows that none is running.
  const std::vector<KernelStats>& kernels() { return log_.stats(); }

 private:
  KernelLaunch launch() {
    KernelLaunch here = launchOn(run_, join_, stream_);
    here.log = &log_;
    return here;
  }
  QueryRange rangeOf(TicketRange range) {
    headHere_[0] = range.begin;
    head_.upload({headHere_.data(), 1});
    QueryRange tickets = clusterloom::rangeOf(run_, join_, range.begin, range.end, head_.data());
    tickets.threadsPerPoint = threadsFor(range);
    return tickets;
  }
  std::uint32_t threadsFor(TicketRange range) const {
    return threadsPerQuery(join_.plan.strategy, range.size(), share_);
  }
  void wait() {
    passed_.record(stream_);
    run_.wait(passed_, GpuRun::Waiting::Sleep);  // the CPU has its own queries to do
  }
  // Brings `count` values to the host through page-locked memory, piece by piece: take(first, span)
  // for each.
  template <class Take>
  void bring(const DeviceBuffer<std::uint32_t>& values, std::uint64_t count,
             std::span<std::uint32_t> locked, DeviceBatch& batch, const Take& take) {
    for (std::uint64_t first = 0; first < count; first += locked.size()) {
      const std::uint64_t size = std::min<std::uint64_t>(locked.size(), count - first);
      const Stopwatch watch;
      values.download(locked.first(size), first);
      wait();
      batch.transfer += watch.seconds();
      batch.bytes += size * sizeof(std::uint32_t);
      take(first, std::span<const std::uint32_t>(locked.first(size)));
    }
  }

  GpuRun& run_;
  DeviceJoin& join_;
  DeviceBuffer<std::uint32_t>& counts_;
  const std::size_t share_;
  Stream stream_;
  const Lease lease_;
  DeviceBuffer<std::uint32_t> head_;
  PinnedBuffer<std::uint32_t> headHere_;
  const std::span<std::uint32_t> countsHere_;
  std::optional<SlabPool::Slab> slab_;  // rows only: to lock one takes long
  std::vector<std::uint64_t> startHere_;
  Event passed_;
  KernelLog log_;
};

class SharedGpuRun final : public DeviceRun {
 public:
  SharedGpuRun(const Device& device, const SharedWork& work, const Task& task,
               GpuRun::Copies copies)
      : run_(device, task, copies), join_(work.plan), slab_(device.slabs().take()) {
    GpuPhase phase("index", task);
    prepareDeviceJoin(run_, work.input, work.eps, {}, join_);
    if (queries() > 0) {
      if (work.querySets > 1) dealOrder(QuerySets(queries(), work.querySets, work.singleQueries));
      describeOrder();
    }
    const std::size_t positions = std::max<std::size_t>(1, join_.grid.positions());
    counts_ = DeviceBuffer<std::uint32_t>(run_.lease(), positions);
    counts_.fillBytes(0);
    const int asked = work.plan.strategy.streams;
    const auto count = std::size_t(asked > 0 ? asked : kStandardStreams);
    const std::span<std::uint32_t> locked = slab_.as<std::uint32_t>();
    const std::size_t each = locked.size() / count;
    for (std::size_t s = 0; s < count; ++s)
      streams_.push_back(std::make_unique<SharedStream>(run_, join_, counts_,
                                                        locked.subspan(s * each, each),
                                                        run_.device().residentThreads() / count));
    run_.wait();
  }

  int streams() const override { return int(streams_.size()); }
  std::uint32_t queries() const override { return std::uint32_t(join_.grid.queries()); }

  // Only copies: the first launch of a kernel would wait for the batches that run meanwhile.
  Result<OrderedQueries> order() override {
    return guarded<OrderedQueries>([&]() -> Result<OrderedQueries> {
      CUDA_CHECK(cudaSetDevice(run_.device().id()));
      std::vector<std::uint32_t> points(queries());
      OrderedQueries order;
      if (points.empty()) {  // no point of the other cloud is near
        order.candidatesBefore = {0};
        order.points = std::make_shared<const std::vector<std::uint32_t>>();
        return order;
      }
      order.candidatesBefore.resize(queries() + std::size_t{1});
      pointOfTicket_.download(points);
      candidatesBefore_.download(order.candidatesBefore);
      run_.wait();
      order.points = std::make_shared<const std::vector<std::uint32_t>>(std::move(points));
      return order;
    });
  }

  Result<std::vector<std::uint32_t>> firstBatches(double share, int batches) override {
    return guarded<std::vector<std::uint32_t>>([&]() -> Result<std::vector<std::uint32_t>> {
      CUDA_CHECK(cudaSetDevice(run_.device().id()));
      const auto parts = std::uint32_t(batches);
      if (queries() == 0) return std::vector<std::uint32_t>(parts + std::size_t{1}, 0);
      DeviceBuffer<std::uint32_t> cuts(run_.lease(), parts);
      cutsOfWork<<<blocksFor(parts), kBlockSize, 0, run_.stream()>>>(
          candidatesBefore_.data(), queries(), share, parts, cuts.data());
      CUDA_CHECK_LAUNCH();
      const auto here = run_.mailbox<std::uint32_t>(parts);
      cuts.download(here);
      run_.wait();
      std::vector<std::uint32_t> begins{0};
      begins.insert(begins.end(), here.begin(), here.end());
      return begins;
    });
  }

  std::uint32_t queriesAtOnce() const override {
    return std::uint32_t(run_.device().residentThreads()) / kMostThreadsPerQuery;
  }
  Result<DeviceSample> sample(std::uint32_t step) override {
    return guarded<DeviceSample>([&] { return sampleHere(step); });
  }

  Result<DeviceBatch> run(int stream, TicketRange range, std::uint32_t enough,
                          JoinSink& sink) override {
    return guarded<DeviceBatch>([&]() -> Result<DeviceBatch> {
      CUDA_CHECK(cudaSetDevice(run_.device().id()));
      SharedStream& on = *streams_[std::size_t(stream)];
      if (!sink.wantsRows()) return on.count(range, enough, sink);
      const std::uint64_t asked = join_.plan.strategy.batchPairs;
      return on.fill(range, std::min(asked > 0 ? asked : kSharedBatchPairs, kMostBatchPairs), sink);
    });
  }

  Result<void> addTo(RunStats& stats) override {
    return guarded<void>([&]() -> Result<void> {
      stats.distanceCalculations += calculationsOf(run_, join_);
      stats.cells = join_.grid.cells;
      for (const auto& stream : streams_) join_.log.add(stream->kernels());
      stats.kernels = join_.log.stats();
      return {};
    });
  }

 private:
  void dealOrder(const QuerySets& sets) {
    const std::uint32_t n = queries();
    DeviceBuffer<std::uint32_t> dealt(run_.lease(), n);
    dealTickets<<<blocksFor(n), kBlockSize, 0, run_.stream()>>>(join_.schedule.queries.data(), sets,
                                                                dealt.data(), n);
    CUDA_CHECK_LAUNCH();
    join_.schedule.queries = std::move(dealt);
  }

  // The point of each ticket, and the candidates before it.
  void describeOrder() {
    const std::size_t n = queries();
    if (join_.grid.occupied.empty()) {  // tiles in the order of the input did not need them
      addOccupiedCoordinates(run_, join_.grid);
      join_.view = viewOf(join_.grid, join_.plan);
    }
    const DeviceBuffer<std::uint32_t> ofCell = deviceWorkloads(run_, join_.grid, join_.view);
    pointOfTicket_ = DeviceBuffer<std::uint32_t>(run_.lease(), n);
    DeviceBuffer<std::uint32_t> workloads(run_.lease(), n + 1);
    describeTickets<<<blocksFor(n + 1), kBlockSize, 0, run_.stream()>>>(
        join_.schedule.queries.data(), join_.grid.pointIds.data(), join_.grid.cellOf.data(),
        join_.grid.firstQueryCell(), ofCell.data(), pointOfTicket_.data(), workloads.data(), n);
    CUDA_CHECK_LAUNCH();
    candidatesBefore_ = DeviceBuffer<std::uint64_t>(run_.lease(), n + 1);
    exclusiveScan(run_.lease(), workloads.data(), candidatesBefore_.data(), n + 1);
  }

  DeviceSample sampleHere(std::uint32_t step) {
    const auto count = std::uint32_t((queries() + std::size_t{step} - 1) / step);
    DeviceBuffer<std::uint32_t> positions(run_.lease(), count);
    everyNthTicket<<<blocksFor(count), kBlockSize, 0, run_.stream()>>>(
        join_.schedule.queries.data(), step, positions.data(), count);
    CUDA_CHECK_LAUNCH();
    DeviceBuffer<std::uint32_t> found(run_.lease(), count);
    DeviceBuffer<std::uint64_t> spent(run_.lease(), kCalculationSlots);
    spent.fillBytes(0);
    const auto queue = [&](std::uint32_t queries) {
      QueryRange range = rangeOf(run_, join_, 0, queries, nullptr);
      range.queries = positions.data();
      range.threadsPerPoint =
          threadsPerQuery(join_.plan.strategy, queries, run_.device().residentThreads());
      range.calculations = spent.data();  // not part of the join's own
      launchJoin(launchOn(run_, join_, run_.stream()), join_.view, range,
                 LaneCountSink<CudaLane>{.counts = counts_.data()});
    };
    queue(std::min(count, 32U));  // a kernel's first launch loads it
    run_.wait();
    DeviceSample sample;
    const Stopwatch watch;
    queue(count);
    run_.wait();
    sample.seconds = watch.seconds();
    gather<<<blocksFor(count), kBlockSize, 0, run_.stream()>>>(counts_.data(), positions.data(),
                                                               found.data(), count);
    CUDA_CHECK_LAUNCH();
    sample.neighbours.step = step;
    sample.neighbours.counts.resize(count);
    run_.read(found, std::span(sample.neighbours.counts));
    return sample;
  }

  GpuRun run_;
  DeviceJoin join_;
  SlabPool::Slab slab_;  // counts of all streams on their way
  DeviceBuffer<std::uint32_t> pointOfTicket_;
  DeviceBuffer<std::uint64_t> candidatesBefore_;
  DeviceBuffer<std::uint32_t> counts_;  // by position
  std::vector<std::unique_ptr<SharedStream>> streams_;
};

class SharedGpu final : public SharedDevice {
 public:
  explicit SharedGpu(GpuInfo gpu) : gpu_(std::move(gpu)), device_(gpu_.id) {}

  std::string describe() const override { return nameOf(gpu_); }
  std::vector<GpuDevice> devices() const override { return knownGpus(gpu_); }

  // By tests on one H200: a multiprocessor decides 3.5 candidates of the plain kernels in a cycle
  // in 2-D, and fewer as dimensions are added.
  double expectedRate(std::size_t dims) const override {
    int kilohertz = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, gpu_.id) != cudaSuccess) return 0;
    return 7.0 / double(dims) * 1e3 * kilohertz * device_.multiprocessors();
  }

  // Measured on one H200: 0.67 in 2-D, 0.65 in 3-D, 0.25 and 0.5 in 6-D. Queries of one cell stay
  // together in the shared order, but cells near each other do not.
  double sharedFraction(std::size_t dims) const override {
    return std::max(0.25, 0.76 - 0.045 * double(dims));
  }

  Result<std::unique_ptr<DeviceRun>> begin(const SharedWork& work,
                                           const Task& task) const override {
    return guarded<std::unique_ptr<DeviceRun>>([&] {
      return retriedWithoutCopies(
          device_, [&](GpuRun::Copies copies) -> std::unique_ptr<DeviceRun> {
            return std::make_unique<SharedGpuRun>(device_, work, task, copies);
          });
    });
  }

  Result<std::optional<NeighbourCounts>> countPart(const SharedWork& work, QueryPart part,
                                                   const Task& task) const override {
    if (work.input.twoClouds) return std::nullopt;
    return guarded<std::optional<NeighbourCounts>>([&] {
      return retriedWithoutCopies(device_, [&](GpuRun::Copies copies) {
        GpuRun run(device_, task, copies);
        return countByTilesOnGpu(run, work.input, work.eps, work.plan, part);
      });
    });
  }

 private:
  const GpuInfo gpu_;
  const Device device_;
};

}  // namespace

Result<std::unique_ptr<SharedDevice>> makeSharedGpu(int device) {
  const auto gpu = findGpu(device);
  if (!gpu) return tl::unexpected(gpu.error());
  return guarded<std::unique_ptr<SharedDevice>>(
      [&]() -> Result<std::unique_ptr<SharedDevice>> { return std::make_unique<SharedGpu>(*gpu); });
}

}  // namespace clusterloom
