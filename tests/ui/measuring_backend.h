#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/backend.h"
#include "engine/load/load_kernel.h"
#include "engine/load/load_model.h"
#include "ui/session/backend_slot.h"

/// Replaces the CUDA backend where there is no GPU: joins on the CPU, and returns loads in the form
/// in which a device measures them. Every warp takes a tenth more searches than the model's, times
/// are 10 ns a weighted step, and batches are small ones of its own, so that measured figures
/// differ from modelled ones.
class MeasuringBackend final : public clusterloom::Backend {
 public:
  static constexpr std::uint64_t kBatchPairs = 20000;
  static constexpr double kSecondsPerStep = 1e-8;
  static constexpr double kCyclesPerSecond = 2e9;

  /// `lost`: the device has failed, and the CPU models instead, as `auto` does it.
  MeasuringBackend(std::unique_ptr<Backend> cpu, bool lost) : cpu_(std::move(cpu)), lost_(lost) {}

  std::string_view name() const override { return "cuda"; }
  clusterloom::BackendLimits limits() const override {
    return {.name = "cuda", .threadGroups = true};
  }
  std::string describe() const override { return "a made-up GPU"; }

  clusterloom::Result<clusterloom::NeighbourCounts> count(
      const clusterloom::JoinInput& input, double eps, const clusterloom::Strategy& strategy,
      const clusterloom::Task& task) const override {
    return cpu_->count(input, eps, onCpu(strategy), task);
  }
  clusterloom::Result<clusterloom::PairList> pairs(const clusterloom::JoinInput& input, double eps,
                                                   const clusterloom::Strategy& strategy,
                                                   const clusterloom::Task& task) const override {
    return cpu_->pairs(input, eps, onCpu(strategy), task);
  }
  clusterloom::Result<clusterloom::NeighbourTable> neighbourTable(
      const clusterloom::JoinInput& input, double eps, const clusterloom::Strategy& strategy,
      const clusterloom::Task& task) const override {
    return cpu_->neighbourTable(input, eps, onCpu(strategy), task);
  }
  clusterloom::Result<clusterloom::DistanceHistogram> histogram(
      const clusterloom::JoinInput& input, double eps, int bins,
      const clusterloom::Strategy& strategy, const clusterloom::Task& task) const override {
    return cpu_->histogram(input, eps, bins, onCpu(strategy), task);
  }
  clusterloom::Result<clusterloom::LowestLabels> lowestLabels(
      const clusterloom::JoinInput& input, std::span<const std::int32_t> labels, double eps,
      const clusterloom::Strategy& strategy, const clusterloom::Task& task) const override {
    return cpu_->lowestLabels(input, labels, eps, onCpu(strategy), task);
  }
  clusterloom::Result<clusterloom::Clustering> dbscan(
      const clusterloom::JoinInput& input, const clusterloom::DbscanParams& params,
      const clusterloom::Strategy& strategy, const clusterloom::Task& task) const override {
    auto clustering = cpu_->dbscan(input, params, onCpu(strategy), task);
    if (clustering) clustering->stats.kernels = {{.name = "unite", .seconds = 0.25, .launches = 1}};
    return clustering;
  }

  clusterloom::Result<clusterloom::LoadReport> load(const clusterloom::PointCloud& cloud,
                                                    double eps,
                                                    const clusterloom::Strategy& strategy,
                                                    const clusterloom::LoadRequest& request,
                                                    const clusterloom::Task& task) const override {
    using namespace clusterloom;
    if (lost_) return cpu_->load(cloud, eps, strategy, request, task);
    Strategy batched = strategy;
    batched.batchPairs = kBatchPairs;
    auto report =
        modelLoad(cloud, eps, batched, request, SimtMachine{}, weightsOf(request.kernel), task);
    if (!report) return report;
    report->measured = true;
    report->idleCausedByTicket.clear();
    report->steps = report->laneSteps = {};
    report->makespan *= kSecondsPerStep;
    report->idealMakespan *= kSecondsPerStep;
    constexpr auto search = static_cast<std::size_t>(Loop::Search);
    report->stats.timeline.resize(report->batchBegin.size() - 1);
    for (WarpLoad& warp : report->warps) {
      warp.steps[search] += warp.steps[search] / 10 + 1;
      warp.start *= kSecondsPerStep;
      warp.end *= kSecondsPerStep;
      warp.slot = 0;
      warp.cycles = static_cast<std::uint64_t>((warp.end - warp.start) * kCyclesPerSecond);
      for (std::size_t loop = 0; loop < kLoops; ++loop) {
        report->steps[loop] += warp.steps[loop];
        report->laneSteps[loop] += warp.laneSteps[loop];
      }
      BatchStats& batch = report->stats.timeline[warp.batch];
      batch.stream = static_cast<int>(warp.batch % 3);
      batch.queries += warp.tickets;
      batch.start = batch.end > 0 ? std::min(batch.start, warp.start) : warp.start;
      batch.kernelEnd = batch.transferEnd = batch.end = std::max(batch.end, warp.end);
    }
    report->wee = warpExecutionEfficiency(report->steps, report->laneSteps, report->weights);
    report->stats.backend = "cuda";
    report->stats.kernels = {{.name = "measured pairs",
                              .seconds = 0.0125,
                              .launches = 1500,
                              .registers = 40,
                              .occupancy = 0.75},
                             {.name = "copy to host", .seconds = 0.001, .launches = 1}};
    return report;
  }

 private:
  static clusterloom::Strategy onCpu(clusterloom::Strategy strategy) {
    strategy.threadsPerPoint = 1;
    strategy.streams = strategy.blockSize = 0;
    return strategy;
  }

  std::unique_ptr<Backend> cpu_;
  bool lost_;
};

/// Makes it whatever the name; see Session.
inline clusterloom::BackendMaker measuringBackends(bool lost = false) {
  return [lost](const std::string&, const clusterloom::BackendOptions& options)
             -> clusterloom::Result<std::unique_ptr<clusterloom::Backend>> {
    auto cpu = clusterloom::makeBackend("cpu", options);
    if (!cpu) return cpu;
    return std::make_unique<MeasuringBackend>(std::move(*cpu), lost);
  };
}
