#include "engine/hybrid/shared_join.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/core/shared_progress.h"
#include "engine/core/within_memory.h"
#include "engine/hybrid/shared_stats.h"
#include "engine/join/strategy.h"

namespace clusterloom {
namespace {

// The CPU is slower: its timed sample is smaller.
constexpr std::uint32_t kCpuSampledOneIn = 200;
constexpr std::uint32_t kLeastCpuSampled = 2000;
// This many of the sample follow each other, as in a batch: queries of one cell find its candidates
// in the caches. Single ones take three times as long in a cloud of a million points.
constexpr std::uint32_t kSampledRun = 32;

Error noThread() {
  return {.kind = ErrorKind::TooLarge,
          .message = "The system could not start another thread. Use fewer threads."};
}

// A batch on the device, with exhausted memory as an error of the device.
Result<DeviceBatch> runOnDevice(DeviceRun& device, int stream, TicketRange range,
                                std::uint32_t enough, JoinSink& sink) {
  return withinMemory([&] { return device.run(stream, range, enough, sink); });
}

// The share of all work that the device does before the order is on the host: half of its share by
// the expected rates, which may be wrong by a factor, or little where none are expected.
double firstShare(const SideRates& expected) {
  return expected.known() ? expected.gpu / (expected.gpu + expected.cpu) / 2 : 1.0 / 16;
}

// Threads that are joined in any case.
class Lanes {
 public:
  ~Lanes() { join(); }
  template <class Body>
  void start(Body&& body) {
    threads_.emplace_back(std::forward<Body>(body));
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace

/// The data that the lanes of a pass share.
struct SharedJoin::Pass {
  const PassRequest& request;
  JoinSink& sink;
  SharedProgress progress;
  std::optional<Divider> divider = std::nullopt;  // there before any lane starts
  Stopwatch watch = {};
  std::mutex mutex = {};
  std::vector<SharedBatch> batches = {};            // guarded
  std::optional<Error> deviceError = std::nullopt;  // guarded
  std::optional<Error> error = std::nullopt;        // guarded
  std::uint64_t cpuDistances = 0;                   // guarded

  void add(const SharedBatch& batch) {
    {
      const std::lock_guard lock(mutex);
      batches.push_back(batch);
    }
    divider->done(batch.processor, {batch.firstQuery, batch.firstQuery + batch.queries},
                  batch.end - batch.start);
    progress.add(batch.queries);
  }
  void failAll(Error why) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(why);
    divider->drop();
  }
};

SharedJoin::SharedJoin(const SharedSetup& setup, const SharedWork& work, const Task& task)
    : setup_(setup), work_(work), task_(task) {}

SharedJoin::~SharedJoin() {
  stopCpu_.request_stop();
  if (preparing_.joinable()) preparing_.join();
}

void SharedJoin::prepareCpu() {
  auto made = withinMemory([&] {
    // No progress: the device's preparation reports it.
    const Task task{stopCpu_.get_token(), {}};
    tbb::task_arena arena(std::min(setup_.threads, tbb::info::default_concurrency()));
    return arena.execute([&] { return setup_.makeCpuSide(work_, task); });
  });
  const std::lock_guard lock(mutex_);
  cpu_ = std::move(made);
  cpuEnded_.notify_all();
}

bool SharedJoin::cpuIsReady() {
  const std::lock_guard lock(mutex_);
  return cpu_.has_value();
}

Result<const CpuSide*> SharedJoin::cpuSide() {
  std::unique_lock lock(mutex_);
  // The preparation stops itself when the task is stopped.
  cpuEnded_.wait(lock, [this] { return cpu_.has_value(); });
  if (!*cpu_) return tl::unexpected(cpu_->error());
  return cpu_->value().get();
}

void SharedJoin::deviceFailed(const Error& error) {
  device_.reset();
  note_ = error.message + " The CPU did the rest of this run alone.";
}

Result<void> SharedJoin::prepare() {
  const std::stop_callback stopWithTask(task_.stop, [this] { stopCpu_.request_stop(); });
  try {
    preparing_ = std::thread([this] { prepareCpu(); });
  } catch (const std::system_error&) {
    return tl::unexpected(noThread());
  }
  auto begun = setup_.device.begin(work_, task_);
  if (task_.cancelled()) return cancelledError();
  if (begun) {
    device_ = std::move(*begun);
    return {};
  }
  deviceFailed(begun.error());
  return orderByCpu();
}

Result<void> SharedJoin::orderByCpu() {
  auto order = orderByGrid(work_, task_);
  if (!order) return tl::unexpected(order.error());
  queries_ = std::move(*order);
  ordered_ = true;
  return {};
}

// The device's order; the CPU's where the device failed, in which no first batches fit.
Result<void> SharedJoin::fetchOrder(FirstBatches& first) {
  if (ordered_) return {};
  auto order = device_->order();
  if (task_.cancelled()) return cancelledError();
  if (!order) {
    first.clear();  // waits for them: they use the device
    deviceFailed(order.error());
    return orderByCpu();
  }
  queries_ = std::move(*order);
  ordered_ = true;
  return {};
}

NeighbourSample SharedJoin::sampleOf(std::span<const std::uint32_t> neighbours,
                                     std::uint32_t step) const {
  NeighbourSample sample{.step = step, .counts = {}};
  sample.counts.reserve(neighbours.size() / step + 1);
  for (std::size_t q = 0; q < neighbours.size(); q += step) sample.counts.push_back(neighbours[q]);
  return sample;
}

Result<void> SharedJoin::sampleDevice() {
  if (deviceSample_) return {};
  // The sample from which a static division is derived must keep the device busy.
  std::uint32_t step = neighbourSampleStep(queries_.size());
  if (isStatic(setup_.division))
    step = std::clamp<std::uint32_t>(queries_.size() / std::max(1U, device_->queriesAtOnce()), 1,
                                     step);
  auto sample = device_->sample(step);
  if (!sample) return tl::unexpected(sample.error());
  deviceSample_ = std::move(*sample);
  deviceSeconds_ =
      deviceSample_->seconds * queries_.size() / double(deviceSample_->neighbours.counts.size());
  return {};
}

Result<void> SharedJoin::sampleCpu() {
  if (cpuSeconds_ >= 0) return {};
  const auto side = cpuSide();
  if (!side) return tl::unexpected(side.error());
  const std::uint32_t n = queries_.size();
  const std::uint32_t sampled = std::min(n, std::max(kLeastCpuSampled, n / kCpuSampledOneIn));
  const std::uint32_t run = std::min(sampled, kSampledRun);
  const std::uint32_t runs = sampled / run;
  const auto threads = std::uint32_t(std::min<std::uint64_t>(runs, std::uint64_t(setup_.threads)));
  // The order may begin with the heaviest queries: those in the middle are as heavy as the others
  // on average.
  const auto middle = [&](std::uint64_t r) { return (2 * r + 1) * n / (2 * std::uint64_t{runs}); };
  std::mutex mutex;
  std::optional<Error> error;
  double busy = 0;  // of all threads, which share the queries of a join evenly
  try {
    Lanes lanes;
    for (std::uint32_t t = 0; t < threads; ++t)
      lanes.start([&, t] {
        try {
          const auto worker = (*side)->worker();
          const Stopwatch watch;
          for (std::uint64_t r = t; r < runs && !task_.cancelled(); r += threads)
            for (std::uint64_t q = middle(r) - run / 2, end = q + run; q < end; ++q)
              worker->count((*queries_.points)[q], ~std::uint32_t{0});
          const double seconds = watch.seconds();
          const std::lock_guard lock(mutex);
          busy += seconds;
        } catch (const std::bad_alloc&) {
          const std::lock_guard lock(mutex);
          error = outOfMemory();
        }
      });
  } catch (const std::system_error&) {
    return tl::unexpected(noThread());
  }
  if (task_.cancelled()) return cancelledError();
  if (error) return tl::unexpected(*error);
  cpuSeconds_ = busy / setup_.threads * n / (double(runs) * run);
  return {};
}

Result<std::optional<SecondsAlone>> SharedJoin::secondsAlone() {
  if (size() == 0) return std::nullopt;
  FirstBatches none;
  if (auto fetched = fetchOrder(none); !fetched) return tl::unexpected(fetched.error());
  if (!device_) return std::nullopt;
  if (auto sampled = sampleDevice(); !sampled) {
    if (task_.cancelled()) return cancelledError();
    return std::nullopt;
  }
  if (auto sampled = sampleCpu(); !sampled) return tl::unexpected(sampled.error());
  return SecondsAlone{.gpu = deviceSeconds_, .cpu = cpuSeconds_};
}

// The given model, or that of the sampled times. Either way the CPU is ready then, so that no pass
// of a static division begins with waiting.
Result<DivisionForecast> SharedJoin::forecastHere() {
  if (!setup_.forecast) {
    if (auto sampled = sampleCpu(); !sampled) return tl::unexpected(sampled.error());
    return forecastDivision({.gpu = deviceSeconds_, .cpu = cpuSeconds_}, work_.eps, 1);
  }
  if (const auto side = cpuSide(); !side) return tl::unexpected(side.error());
  return *setup_.forecast;
}

Result<DivisionPlan> SharedJoin::planFor(const PassRequest& request, const JoinSink& sink,
                                         SharedPass& result) {
  const std::uint32_t n = queries_.size();
  DivisionPlan plan{.division = setup_.division,
                    .cuts = {0, n},
                    .cpuBatch = setup_.cpuBatch,
                    .expected = setup_.expected,
                    .streams = device_ ? device_->streams() : 0,
                    .threads = setup_.threads};
  const bool fixed = isStatic(plan.division);
  if (device_ && (fixed || (plan.division == Division::Dyn && !sink.wantsRows())))
    if (auto sampled = sampleDevice(); !sampled) {
      if (task_.cancelled()) return cancelledError();
      deviceFailed(sampled.error());
    }
  if (!device_) {
    plan.division = Division::Dyn;
    plan.streams = 0;
    return plan;
  }
  std::uint32_t queries = n;  // that the GPU may take
  if (fixed) {
    const auto forecast = forecastHere();
    if (!forecast) return tl::unexpected(forecast.error());
    // The sampled queries were counted to the end: the model does not apply to other passes.
    if (!sink.wantsRows() && request.enough == PassRequest{}.enough) result.forecast = *forecast;
    const double share = gpuShare(forecast->cpuAlone, forecast->gpuAlone);
    result.predictedShare = share;
    plan.boundary = plan.division == Division::Queries ? boundaryByQueries(n, share)
                                                       : boundaryByCandidates(queries_, share);
    queries = plan.boundary;
  }
  const auto streams = std::uint32_t(plan.streams);
  if (plan.division == Division::Adaptive) {
    if (sink.wantsRows())
      plan.cuts = cutBatches(sampleOf(request.neighbours, 1), n, setup_.batchPairs, 1);
  } else {
    const NeighbourSample sample =
        sink.wantsRows() ? sampleOf(request.neighbours, neighbourSampleStep(queries_.size()))
                         : deviceSample_->neighbours;
    plan.cuts = cutBatches(sample, queries, setup_.batchPairs, fixed ? streams : 2 * streams);
  }
  return plan;
}

// Starts the first batch of each stream; returns the first query behind them. 0, and no batches,
// where the device failed.
std::uint32_t SharedJoin::startFirstBatches(Pass& pass, FirstBatches& batches) {
  const auto cuts = device_->firstBatches(firstShare(setup_.expected), device_->streams());
  if (!cuts) return 0;  // it will fail again
  for (int s = 0; s < device_->streams(); ++s) {
    const auto at = std::size_t(s);
    const TicketRange range{(*cuts)[at], (*cuts)[at + 1]};
    if (range.empty())
      batches.emplace_back();
    else
      batches.push_back(std::async(
          std::launch::async, [this, &pass, s, range] { return runBatch(pass, s, range, 0); }));
  }
  return cuts->back();
}

SharedJoin::DoneBatch SharedJoin::runBatch(Pass& pass, int stream, TicketRange range, int replays) {
  const double start = pass.watch.seconds();
  auto done = runOnDevice(*device_, stream, range, pass.request.enough, pass.sink);
  return {range, start, pass.watch.seconds(), replays, std::move(done)};
}

// Records what a stream did of the queries before `takenEnd` that it had taken; false where the
// device failed. What is left of them then is one range: parts are done in order.
bool SharedJoin::finish(Pass& pass, int stream, const DoneBatch& batch, std::uint32_t takenEnd) {
  const TicketRange range = batch.range;
  if (!batch.done) {
    pass.divider->gpuFailed({range.begin, takenEnd});
    const std::lock_guard lock(pass.mutex);
    if (!pass.deviceError) pass.deviceError = batch.done.error();
    return false;
  }
  pass.add({.processor = Processor::Gpu,
            .lane = stream,
            .start = batch.start,
            .end = batch.end,
            .transfer = batch.done->transfer,
            .firstQuery = range.begin,
            .queries = range.size(),
            .candidates = queries_.candidates(range.begin, range.end),
            .bytes = batch.done->bytes,
            .replays = batch.replays});
  return true;
}

void SharedJoin::deviceLane(Pass& pass, int stream, std::future<DoneBatch> first) {
  struct Part {
    TicketRange range;
    int replays;
  };
  try {
    if (first.valid()) {
      const DoneBatch batch = first.get();
      if (!finish(pass, stream, batch, batch.range.end)) return;
    }
    while (const auto taken = pass.divider->nextForGpu()) {
      std::vector<Part> parts{{*taken, 0}};
      while (!parts.empty()) {
        const auto [range, replays] = parts.back();
        parts.pop_back();
        DoneBatch batch = runBatch(pass, stream, range, replays);
        if (batch.done && batch.done->overflowed) {
          if (range.size() > 1) {
            const auto [front, behind] = halvesOf(range);
            parts.push_back({behind, replays + 1});
            parts.push_back({front, replays + 1});
            continue;
          }
          batch.done = unavailable("A device had no space for the pairs of one query.");
        }
        if (!finish(pass, stream, batch, taken->end)) return;
      }
    }
  } catch (const std::bad_alloc&) {
    pass.failAll(outOfMemory());  // not the device's: a batch is done, the rest is not
  }
}

void SharedJoin::cpuLane(Pass& pass, int thread) {
  try {
    {
      // The index may not be there yet, and the device may be done before it is.
      std::unique_lock lock(mutex_);
      while (!cpu_ && !pass.divider->cpuIsDone() && !task_.cancelled())
        cpuEnded_.wait_for(lock, std::chrono::milliseconds(1));
      if (!cpu_) return;
      if (!*cpu_) return pass.failAll(cpu_->error());
    }
    const auto worker = cpu_->value()->worker();
    while (const auto range = pass.divider->nextForCpu()) {
      const double start = pass.watch.seconds();
      for (std::uint32_t q = range->begin; q < range->end; ++q) {
        if (task_.cancelled()) return pass.divider->drop();
        const std::uint32_t point = (*queries_.points)[q];
        if (pass.sink.wantsRows()) {
          worker->row(point, pass.sink.row(q));
        } else {
          const std::uint32_t count = worker->count(point, pass.request.enough);
          pass.sink.takeCounts(q, {&count, 1});
        }
      }
      pass.add({.processor = Processor::Cpu,
                .lane = thread,
                .start = start,
                .end = pass.watch.seconds(),
                .firstQuery = range->begin,
                .queries = range->size(),
                .candidates = queries_.candidates(range->begin, range->end)});
    }
    const std::lock_guard lock(pass.mutex);
    pass.cpuDistances += worker->distances();
  } catch (const std::bad_alloc&) {
    pass.failAll(outOfMemory());
  }
}

Result<SharedPass> SharedJoin::pass(const PassRequest& request, JoinSink& sink) {
  const std::stop_callback stopWithTask(task_.stop, [this] { stopCpu_.request_stop(); });
  SharedPass result;
  result.stage = request.stage;
  result.division = toText(setup_.division);
  Pass pass{
      .request = request, .sink = sink, .progress = SharedProgress(task_, request.stage, size())};
  FirstBatches first;  // destroying it waits for them
  std::uint32_t begun = 0;
  if (!ordered_ && setup_.division == Division::Adaptive && !sink.wantsRows()) {
    result.start = sinceBegin_.seconds();
    try {
      begun = startFirstBatches(pass, first);
    } catch (const std::system_error&) {
      return tl::unexpected(noThread());
    }
  }
  if (auto fetched = fetchOrder(first); !fetched) return tl::unexpected(fetched.error());
  if (first.empty()) begun = 0;
  auto plan = planFor(request, sink, result);
  if (!plan) return tl::unexpected(plan.error());
  const std::uint32_t n = queries_.size();
  const int threads = int(std::min<std::int64_t>(setup_.threads, n));
  result.streams = plan->streams;
  result.threads = threads;
  if (first.empty()) {
    result.start = sinceBegin_.seconds();
    pass.watch.lap();
  }
  plan->begun = begun;
  pass.divider.emplace(queries_, *plan);
  first.resize(std::size_t(plan->streams));
  const auto startCpuLanes = [&](Lanes& lanes) {
    for (int t = 0; t < threads; ++t) lanes.start([this, &pass, t] { cpuLane(pass, t); });
  };
  try {
    Lanes lanes;
    try {
      for (int s = 0; s < plan->streams; ++s)
        lanes.start([this, &pass, s, done = std::move(first[std::size_t(s)])]() mutable {
          deviceLane(pass, s, std::move(done));
        });
      startCpuLanes(lanes);
    } catch (const std::system_error&) {
      pass.divider->drop();
      throw;
    }
    lanes.join();
    // The CPU's threads may have been done before the device failed.
    while (!task_.cancelled() && !pass.error && !pass.divider->cpuIsDone()) {
      startCpuLanes(lanes);
      lanes.join();
    }
  } catch (const std::system_error&) {
    return tl::unexpected(noThread());
  }
  if (task_.cancelled()) return cancelledError();
  if (pass.error) return tl::unexpected(*pass.error);
  if (pass.deviceError) deviceFailed(*pass.deviceError);
  cpuDistances_ += pass.cpuDistances;
  result.batches = std::move(pass.batches);
  result.meeting = pass.divider->meeting();
  summarise(result, queries_);
  return result;
}

void SharedJoin::addTo(RunStats& stats) {
  stats.distanceCalculations += cpuDistances_;
  if (!device_) return;
  // The result is valid although its statistics are incomplete.
  if (auto added = device_->addTo(stats); !added) deviceFailed(added.error());
}

}  // namespace clusterloom
