#include "engine/grid/prepared_cloud.h"

#include <set>
#include <utility>

#include "engine/grid/dimension_order.h"

namespace clusterloom {
namespace {

// All prepared clouds of the process.
struct Registry {
  std::mutex mutex;
  std::set<const PreparedCloud*> clouds;
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

PreparedCloud::PreparedCloud(std::shared_ptr<const PointCloud> cloud) : cloud_(std::move(cloud)) {
  const std::lock_guard lock(registry().mutex);
  registry().clouds.insert(this);
}

PreparedCloud::~PreparedCloud() {
  const std::lock_guard lock(registry().mutex);
  registry().clouds.erase(this);
}

const Result<void>& PreparedCloud::valid() const {
  std::call_once(validated_, [this] { valid_ = validate(*cloud_); });
  return valid_;
}

const Bounds& PreparedCloud::bounds() const {
  std::call_once(bounded_, [this] { bounds_ = boundsOf(*cloud_); });
  return bounds_;
}

const std::vector<int>& PreparedCloud::byVariance() const {
  std::call_once(ordered_, [this] { byVariance_ = dimensionsByVariance(*cloud_); });
  return byVariance_;
}

std::shared_ptr<const DeviceCopy> PreparedCloud::copyOn(int device) const {
  const std::lock_guard lock(mutex_);
  const auto found = copies_.find(device);
  return found == copies_.end() ? nullptr : found->second;
}

std::shared_ptr<const DeviceCopy> PreparedCloud::keepCopy(
    int device, std::shared_ptr<const DeviceCopy> copy) const {
  const std::lock_guard lock(mutex_);
  return copies_.try_emplace(device, std::move(copy)).first->second;
}

int PreparedCloud::dropCopies(int device) {
  // Destroyed after the locks are released: freeing device memory may wait for the device.
  std::vector<std::shared_ptr<const DeviceCopy>> dropped;
  const std::lock_guard lock(registry().mutex);
  for (const PreparedCloud* cloud : registry().clouds) {
    const std::lock_guard ofCloud(cloud->mutex_);
    const auto found = cloud->copies_.find(device);
    if (found == cloud->copies_.end()) continue;
    dropped.push_back(std::move(found->second));
    cloud->copies_.erase(found);
  }
  return int(dropped.size());
}

}  // namespace clusterloom
