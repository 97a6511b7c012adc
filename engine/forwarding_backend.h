#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/joins_by.h"

namespace clusterloom {

/// A backend that passes every call on to another one, and the base class of backends that override
/// some of the calls.
class ForwardingBackend : public JoinsBy<ForwardingBackend> {
 public:
  explicit ForwardingBackend(std::shared_ptr<const Backend> backend)
      : backend_(std::move(backend)) {}

  std::string_view name() const override { return backend_->name(); }
  BackendLimits limits() const override { return backend_->limits(); }
  std::string describe() const override { return backend_->describe(); }
  std::vector<GpuDevice> devices() const override { return backend_->devices(); }
  std::string remark() const override { return backend_->remark(); }
  Result<std::shared_ptr<const Backend>> withMetric(Metric metric) const override {
    return backend_->withMetric(metric);
  }
  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    return call.on(*backend_);
  }
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    return backend_->load(cloud, eps, strategy, request, task);
  }

 protected:
  const Backend& backend() const { return *backend_; }

 private:
  std::shared_ptr<const Backend> backend_;
};

}  // namespace clusterloom
