#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/backend.h"

namespace clusterloom {

/// A backend that passes every call on to another one: a base class for backends that override some
/// of the calls.
class ForwardingBackend : public Backend {
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
  Result<NeighbourCounts> count(const JoinInput& input, double eps, const Strategy& strategy,
                                const Task& task) const override {
    return backend_->count(input, eps, strategy, task);
  }
  Result<PairList> pairs(const JoinInput& input, double eps, const Strategy& strategy,
                         const Task& task) const override {
    return backend_->pairs(input, eps, strategy, task);
  }
  Result<NeighbourTable> neighbourTable(const JoinInput& input, double eps,
                                        const Strategy& strategy, const Task& task) const override {
    return backend_->neighbourTable(input, eps, strategy, task);
  }
  Result<DistanceHistogram> histogram(const JoinInput& input, double eps, int bins,
                                      const Strategy& strategy, const Task& task) const override {
    return backend_->histogram(input, eps, bins, strategy, task);
  }
  Result<LowestLabels> lowestLabels(const JoinInput& input, std::span<const std::int32_t> labels,
                                    double eps, const Strategy& strategy,
                                    const Task& task) const override {
    return backend_->lowestLabels(input, labels, eps, strategy, task);
  }
  Result<Clustering> dbscan(const JoinInput& input, const DbscanParams& params,
                            const Strategy& strategy, const Task& task) const override {
    return backend_->dbscan(input, params, strategy, task);
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
