#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/backend.h"
#include "engine/forwarding_backend.h"
#include "ui/session/backend_slot.h"

/// What a test tells a HoldingBackend to do; shared by the test and the worker threads.
struct Hold {
  std::atomic<bool> held = false;   ///< runs wait until this is false, or until they are stopped
  std::atomic<bool> fails = false;  ///< runs fail
  std::atomic<double> seconds = 0;  ///< what runs say that they took; 0: what they took
  std::atomic<int> device = -1;     ///< of the backend that was made last
  std::vector<clusterloom::GpuDevice> devices;  ///< set before the first run

  void add(const clusterloom::PreparedCloud* prepared) {
    const std::lock_guard lock(mutex_);
    prepared_.push_back(prepared);
  }
  /// What each run so far was given; null: an unprepared cloud.
  std::vector<const clusterloom::PreparedCloud*> prepared() const {
    const std::lock_guard lock(mutex_);
    return prepared_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<const clusterloom::PreparedCloud*> prepared_;
};

/// The CPU backend, whose clusterings last as long as a test wants.
class HoldingBackend final : public clusterloom::ForwardingBackend {
 public:
  HoldingBackend(std::unique_ptr<Backend> cpu, std::shared_ptr<Hold> hold)
      : ForwardingBackend(std::move(cpu)), hold_(std::move(hold)) {}

  std::vector<clusterloom::GpuDevice> devices() const override { return hold_->devices; }
  clusterloom::Result<clusterloom::Clustering> dbscan(
      const clusterloom::JoinInput& input, const clusterloom::DbscanParams& params,
      const clusterloom::Strategy& strategy, const clusterloom::Task& task) const override {
    hold_->add(input.prepared);
    while (hold_->held && !task.cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (hold_->fails)
      return clusterloom::fail(clusterloom::ErrorKind::TooLarge, "The run failed as asked.");
    auto found = backend().dbscan(input, params, strategy, task);
    if (found && hold_->seconds > 0) found->stats.seconds.total = hold_->seconds;
    return found;
  }

 private:
  std::shared_ptr<Hold> hold_;
};

/// Makes it whatever the name, on any of hold's devices; see Session.
inline clusterloom::BackendMaker holdingBackends(std::shared_ptr<Hold> hold) {
  return [hold](const std::string&, clusterloom::BackendOptions options)
             -> clusterloom::Result<std::unique_ptr<clusterloom::Backend>> {
    hold->device = options.device;
    if (options.device >= static_cast<int>(hold->devices.size()))
      return clusterloom::fail(clusterloom::ErrorKind::Unavailable, "That GPU does not answer.");
    options.device = -1;
    auto cpu = clusterloom::makeBackend("cpu", options);
    if (!cpu) return cpu;
    return std::make_unique<HoldingBackend>(std::move(*cpu), hold);
  };
}
