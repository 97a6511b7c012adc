#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "engine/backend.h"
#include "ui/session/backend_slot.h"

/// What a test tells a HoldingBackend to do; shared by the test and the worker threads.
struct Hold {
  std::atomic<bool> held = false;   ///< runs wait until this is false, or until they are stopped
  std::atomic<bool> fails = false;  ///< runs fail
};

/// The CPU backend, whose clusterings last as long as a test wants.
class HoldingBackend final : public clusterloom::Backend {
 public:
  HoldingBackend(std::unique_ptr<Backend> cpu, std::shared_ptr<Hold> hold)
      : cpu_(std::move(cpu)), hold_(std::move(hold)) {}

  std::string_view name() const override { return cpu_->name(); }
  clusterloom::BackendLimits limits() const override { return cpu_->limits(); }
  std::string describe() const override { return cpu_->describe(); }
  clusterloom::Result<clusterloom::NeighbourCounts> count(
      const clusterloom::JoinInput& input, double eps, const clusterloom::Strategy& strategy,
      const clusterloom::Task& task) const override {
    return cpu_->count(input, eps, strategy, task);
  }
  clusterloom::Result<clusterloom::PairList> pairs(const clusterloom::JoinInput& input, double eps,
                                                   const clusterloom::Strategy& strategy,
                                                   const clusterloom::Task& task) const override {
    return cpu_->pairs(input, eps, strategy, task);
  }
  clusterloom::Result<clusterloom::NeighbourTable> neighbourTable(
      const clusterloom::JoinInput& input, double eps, const clusterloom::Strategy& strategy,
      const clusterloom::Task& task) const override {
    return cpu_->neighbourTable(input, eps, strategy, task);
  }
  clusterloom::Result<clusterloom::DistanceHistogram> histogram(
      const clusterloom::JoinInput& input, double eps, int bins,
      const clusterloom::Strategy& strategy, const clusterloom::Task& task) const override {
    return cpu_->histogram(input, eps, bins, strategy, task);
  }
  clusterloom::Result<clusterloom::LowestLabels> lowestLabels(
      const clusterloom::JoinInput& input, std::span<const std::int32_t> labels, double eps,
      const clusterloom::Strategy& strategy, const clusterloom::Task& task) const override {
    return cpu_->lowestLabels(input, labels, eps, strategy, task);
  }
  clusterloom::Result<clusterloom::Clustering> dbscan(
      const clusterloom::PointCloud& cloud, const clusterloom::DbscanParams& params,
      const clusterloom::Strategy& strategy, const clusterloom::Task& task) const override {
    while (hold_->held && !task.cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (hold_->fails)
      return clusterloom::fail(clusterloom::ErrorKind::TooLarge, "The run failed as asked.");
    return cpu_->dbscan(cloud, params, strategy, task);
  }
  clusterloom::Result<clusterloom::LoadReport> load(const clusterloom::PointCloud& cloud,
                                                    double eps,
                                                    const clusterloom::Strategy& strategy,
                                                    const clusterloom::LoadRequest& request,
                                                    const clusterloom::Task& task) const override {
    return cpu_->load(cloud, eps, strategy, request, task);
  }

 private:
  std::unique_ptr<Backend> cpu_;
  std::shared_ptr<Hold> hold_;
};

/// Makes it whatever the name; see Session.
inline clusterloom::BackendMaker holdingBackends(std::shared_ptr<Hold> hold) {
  return [hold](const std::string&, const clusterloom::BackendOptions& options)
             -> clusterloom::Result<std::unique_ptr<clusterloom::Backend>> {
    auto cpu = clusterloom::makeBackend("cpu", options);
    if (!cpu) return cpu;
    return std::make_unique<HoldingBackend>(std::move(*cpu), hold);
  };
}
