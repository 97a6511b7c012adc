#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/core/stopwatch.h"
#include "engine/hybrid/cpu_side.h"
#include "engine/hybrid/shared_device.h"
#include "engine/hybrid/simulate_division.h"

namespace clusterloom {

/// A stand-in for a GPU: threads of the CPU that answer a device's batches, no faster than a
/// modelled device would. Shows on any machine how a join divides its work.
struct StandInSpec {
  /// Streams and speed. A rate of 0 sets no limit: the batch takes what it takes.
  SideModel speed{.lanes = 3};
  std::uint64_t bufferPairs = kSharedBatchPairs;  ///< pairs of a batch's rows that fit
  bool failsToBegin = false;
  double orderSeconds = 0;  ///< from the order on the device to the order on the host
  bool failsToOrder = false;
  bool countsParts = false;  ///< has a way of its own to count a part of the queries
  /// Batches that succeed before the device fails for good; −1: it never fails.
  int batchesBeforeFailure = -1;
};

class StandInRun final : public DeviceRun {
 public:
  StandInRun(const StandInSpec& spec, std::unique_ptr<CpuSide> side, OrderedQueries queries,
             const Task& task)
      : spec_(spec), side_(std::move(side)), queries_(std::move(queries)), task_(task) {
    for (int s = 0; s < spec.speed.lanes; ++s) workers_.push_back(side_->worker());
  }

  int streams() const override { return spec_.speed.lanes; }
  std::uint32_t queries() const override { return queries_.size(); }

  Result<OrderedQueries> order() override {
    if (!lasts(Stopwatch(), spec_.orderSeconds)) return cancelledError();
    if (spec_.failsToOrder) return unavailable("The stand-in device does not give its order.");
    return queries_;
  }

  Result<std::vector<std::uint32_t>> firstBatches(double share, int batches) override {
    std::vector<std::uint32_t> cuts{0};
    const double wanted = share * queries_.workBefore(queries_.size());
    for (int b = 1; b <= batches; ++b) {
      std::uint32_t cut = cuts.back();
      while (cut < queries_.size() && queries_.workBefore(cut) < b * wanted / batches) ++cut;
      cuts.push_back(cut);
    }
    return cuts;
  }

  Result<DeviceSample> sample(std::uint32_t step) override {
    const Stopwatch watch;
    DeviceSample sample;
    sample.neighbours.step = step;
    std::uint64_t candidates = 0;
    for (std::uint64_t q = 0; q < queries_.size(); q += step) {
      if (task_.cancelled()) return cancelledError();
      const auto query = std::uint32_t(q);
      sample.neighbours.counts.push_back(
          workers_[0]->count((*queries_.points)[query], ~std::uint32_t{0}));
      candidates += queries_.candidates(query, query + 1);
    }
    // All streams together.
    SideModel all = spec_.speed;
    all.lanes = 1;
    if (!lasts(watch, secondsOfBatch(all, sample.neighbours.counts.size(), candidates)))
      return cancelledError();
    sample.seconds = watch.seconds();
    return sample;
  }

  Result<DeviceBatch> run(int stream, TicketRange range, std::uint32_t enough,
                          JoinSink& sink) override {
    if (spec_.batchesBeforeFailure >= 0 && begun_.fetch_add(1) >= spec_.batchesBeforeFailure)
      return unavailable("The stand-in device has failed.");
    const Stopwatch watch;
    CpuWorker& worker = *workers_[std::size_t(stream)];
    std::vector<std::uint32_t> counts(range.size());
    for (std::uint32_t q = range.begin; q < range.end; ++q) {
      if (task_.cancelled()) return cancelledError();
      counts[q - range.begin] =
          worker.count(pointOf(q), sink.wantsRows() ? ~std::uint32_t{0} : enough);
    }
    DeviceBatch batch;
    if (sink.wantsRows()) {
      std::vector<std::uint64_t> start(counts.size() + 1, 0);
      std::inclusive_scan(counts.begin(), counts.end(), start.begin() + 1, std::plus<>{},
                          std::uint64_t{0});
      if (start.back() > spec_.bufferPairs && range.size() > 1)
        return DeviceBatch{.overflowed = true};
      std::vector<std::uint32_t> entries(start.back());
      for (std::uint32_t q = range.begin; q < range.end; ++q) {
        if (task_.cancelled()) return cancelledError();
        const std::size_t r = q - range.begin;
        worker.row(pointOf(q), {reinterpret_cast<std::int32_t*>(entries.data()) + start[r],
                                std::size_t(counts[r])});
      }
      // As a device does: no longer than the model says before anything is delivered.
      if (!lasts(watch, secondsOf(range))) return cancelledError();
      const Stopwatch transfer;
      if (!sink.takeRows({range.begin, start, 0, entries}))
        return unavailable("The stand-in device counted other rows than before.");
      batch.transfer = transfer.seconds();
      batch.bytes = entries.size() * sizeof(std::uint32_t);
      return batch;
    }
    if (!lasts(watch, secondsOf(range))) return cancelledError();
    sink.takeCounts(range.begin, counts);
    batch.bytes = counts.size() * sizeof(std::uint32_t);
    return batch;
  }

  Result<void> addTo(RunStats& stats) override {
    for (const auto& worker : workers_) stats.distanceCalculations += worker->distances();
    stats.cells = side_->cells();
    return {};
  }

 private:
  std::uint32_t pointOf(std::uint32_t query) const { return (*queries_.points)[query]; }
  double secondsOf(TicketRange range) const {
    return secondsOfBatch(spec_.speed, range.size(), queries_.candidates(range.begin, range.end));
  }

  // Waits until the watch shows `seconds`; false when the task was stopped.
  bool lasts(const Stopwatch& watch, double seconds) const {
    using std::chrono::duration;
    for (double left = seconds - watch.seconds(); left > 0 && !task_.cancelled();
         left = seconds - watch.seconds())
      std::this_thread::sleep_for(duration<double>(std::min(left, 0.005)));
    return !task_.cancelled();
  }

  const StandInSpec spec_;
  const std::unique_ptr<CpuSide> side_;
  const OrderedQueries queries_;
  const Task& task_;
  std::vector<std::unique_ptr<CpuWorker>> workers_;
  std::atomic<int> begun_{0};
};

class StandInDevice final : public SharedDevice {
 public:
  explicit StandInDevice(const StandInSpec& spec) : spec_(spec) {}

  std::string describe() const override { return "stand-in device"; }
  double expectedRate(std::size_t) const override { return spec_.speed.candidatesPerSecond; }

  Result<std::unique_ptr<DeviceRun>> begin(const SharedWork& work,
                                           const Task& task) const override {
    if (spec_.failsToBegin) return unavailable("The stand-in device does not answer.");
    auto queries = orderByGrid(work, task);
    if (!queries) return tl::unexpected(queries.error());
    auto side = makeGridSide(work, task);
    if (!side) return tl::unexpected(side.error());
    return std::make_unique<StandInRun>(spec_, std::move(*side), std::move(*queries), task);
  }

  // Query q of each point belongs to part q mod parts.
  Result<std::optional<NeighbourCounts>> countPart(const SharedWork& work, QueryPart part,
                                                   const Task& task) const override {
    if (!spec_.countsParts) return std::nullopt;
    if (spec_.failsToBegin) return unavailable("The stand-in device does not answer.");
    const Stopwatch watch;
    auto side = makeGridSide(work, task);
    if (!side) return tl::unexpected(side.error());
    auto queries = orderByGrid(work, task);
    if (!queries) return tl::unexpected(queries.error());
    NeighbourCounts result;
    result.stats.seconds.index = watch.seconds();
    result.counts.assign(work.input.points.size(), 0);
    result.candidates = queries->candidatesBefore.back();
    const auto worker = (*side)->worker();
    for (std::size_t p = part.part; p < result.counts.size(); p += part.parts) {
      if (task.cancelled()) return cancelledError();
      result.counts[p] = worker->count(std::uint32_t(p), ~std::uint32_t{0});
      result.pairs += result.counts[p];
    }
    result.stats.batches = 1;
    result.stats.seconds.join = watch.seconds() - result.stats.seconds.index;
    return result;
  }

 private:
  const StandInSpec spec_;
};

inline std::unique_ptr<SharedDevice> makeStandInDevice(const StandInSpec& spec) {
  return std::make_unique<StandInDevice>(spec);
}

}  // namespace clusterloom
