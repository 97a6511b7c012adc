#include "engine/auto_backend.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "engine/core/stopwatch.h"
#include "engine/forwarding_backend.h"
#include "engine/join/join_plan.h"

namespace clusterloom {
namespace {

// Seconds that the start of a GPU takes: on an H200 a call for 36,000 points takes 0.48 s, of which
// the GPU computes for a few milliseconds.
constexpr double kStart = 0.4;
// Coordinates that one thread compares in that time: 0.32 s at most on a core of an AMD EPYC, by
// brute force.
constexpr std::uint64_t kComparedBeforeStart = 400'000'000;
// DBSCAN with dense cells compares few pairs: this number of points in 3-D takes one thread of that
// processor 0.13 to 0.19 s, for any ε and minPts up to 444.
constexpr std::size_t kPointsBeforeStart = 300'000;
constexpr std::size_t kMostDimsOfDenseCells = 3;

// The CPU in place of a GPU that does not answer; says why.
class InsteadOfDevice final : public ForwardingBackend {
 public:
  InsteadOfDevice(std::shared_ptr<const Backend> cpu, std::string reason)
      : ForwardingBackend(std::move(cpu)), reason_(std::move(reason)) {}
  std::string remark() const override { return reason_; }

 private:
  std::string reason_;
};

std::unique_ptr<Backend> deviceOr(std::shared_ptr<const Backend> cpu, const DeviceMaker& make);

// A GPU, with a CPU for the metrics that the GPU lacks.
class WithCpuMetrics final : public ForwardingBackend {
 public:
  WithCpuMetrics(std::shared_ptr<const Backend> device, std::shared_ptr<const Backend> cpu)
      : ForwardingBackend(std::move(device)), cpu_(std::move(cpu)) {}
  Result<std::shared_ptr<const Backend>> withMetric(Metric metric) const override {
    auto cpu = cpu_->withMetric(metric);
    if (!cpu) return cpu;
    return deviceOr(std::move(*cpu), [&] { return backend().withMetric(metric); });
  }

 private:
  std::shared_ptr<const Backend> cpu_;
};

std::unique_ptr<Backend> deviceOr(std::shared_ptr<const Backend> cpu, const DeviceMaker& make) {
  auto device = make();
  if (device) return std::make_unique<WithCpuMetrics>(std::move(*device), std::move(cpu));
  return std::make_unique<InsteadOfDevice>(std::move(cpu), device.error().message);
}

class LateDevice final : public JoinsBy<LateDevice> {
 public:
  LateDevice(std::shared_ptr<const Backend> cpu, DeviceMaker makeDevice)
      : cpu_(std::move(cpu)), makeDevice_(std::move(makeDevice)) {}

  std::string_view name() const override { return device().name(); }
  BackendLimits limits() const override { return device().limits(); }
  std::string describe() const override { return device().describe(); }
  std::vector<GpuDevice> devices() const override { return device().devices(); }
  std::string remark() const override { return started_ ? device().remark() : std::string(); }
  Result<std::shared_ptr<const Backend>> withMetric(Metric metric) const override {
    auto cpu = cpu_->withMetric(metric);
    if (!cpu) return cpu;
    return std::make_shared<const LateDevice>(
        std::move(*cpu), [make = makeDevice_, metric]() -> Result<std::shared_ptr<const Backend>> {
          auto device = make();
          if (!device) return device;
          return (*device)->withMetric(metric);
        });
  }

  // Where the CPU cannot do the run, the device does it or returns the error.
  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    if (started_) return call.on(*device_);
    const bool here = isCpuMethod(call.strategy.method) || (isBeforeStart(call) && spent_ < kStart);
    if (!here || !call.checkFor(cpu_->limits())) return call.on(device());
    const Stopwatch watch;
    Result<T> result = call.on(*cpu_);
    spent_ = spent_ + watch.seconds();  // about: runs at once may count as one
    return result;
  }
  // The load of a GPU can only be measured on one.
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    return device().load(cloud, eps, strategy, request, task);
  }

 private:
  const Backend& device() const {
    std::call_once(once_, [this] {
      device_ = deviceOr(cpu_, makeDevice_);
      started_ = true;
    });
    return *device_;
  }

  static bool isBeforeStart(const JoinArguments& call) {
    if (call.sink == SinkKind::Dbscan)
      return dbscanBeforeStart(call.input, call.params(), call.strategy);
    return joinBeforeStart(call.input);
  }

  std::shared_ptr<const Backend> cpu_;
  DeviceMaker makeDevice_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<Backend> device_;
  mutable std::atomic<bool> started_{false};
  mutable std::atomic<double> spent_{0};  // seconds of runs by the CPU
};

}  // namespace

bool joinBeforeStart(const JoinInput& input) {
  const std::size_t dims = std::max<std::size_t>(1, input.points.dims());
  const std::uint64_t pairs = std::uint64_t{input.points.size()} * input.queries.size();
  return pairs <= kComparedBeforeStart / dims;
}

bool dbscanBeforeStart(const JoinInput& input, const DbscanParams& params,
                       const Strategy& strategy) {
  if (joinBeforeStart(input)) return true;
  const std::size_t points = input.points.size();
  const std::size_t dims = input.points.dims();
  return dims <= kMostDimsOfDenseCells && points <= kPointsBeforeStart &&
         params.minPts <= std::int64_t(kComparedBeforeStart / dims / points) &&
         strategy.method == Method::Grid &&
         decideWithoutK(strategy, SinkKind::Dbscan, dims, {}).denseCells == Toggle::On;
}

std::unique_ptr<Backend> withDevice(std::unique_ptr<Backend> cpu, const DeviceMaker& makeDevice) {
  return deviceOr(std::move(cpu), makeDevice);
}

std::unique_ptr<Backend> withLateDevice(std::unique_ptr<Backend> cpu, DeviceMaker makeDevice) {
  return std::make_unique<LateDevice>(std::move(cpu), std::move(makeDevice));
}

}  // namespace clusterloom
