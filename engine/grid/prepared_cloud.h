#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"

namespace clusterloom {

/// A copy of a cloud in the memory of a device; the module of the device derives from it.
class DeviceCopy {
 public:
  virtual ~DeviceCopy() = default;
};

/// A cloud with data for runs that do not depend on ε: whether it is valid, its bounds, the order
/// of its dimensions, and copies in the memory of devices. Each part is made when it is first
/// needed and kept for the next run, so that a run on a GPU for another ε uploads nothing. Given to
/// a backend in place of the cloud (JoinInput). Results are the same.
///
/// Copies belong to the cloud and not to a backend: all backends of a process that use a device
/// share one copy, and it is destroyed with the cloud. A backend that needs the memory drops the
/// copies of all clouds (`dropCopies`); a run that uses one keeps it until its end. A copy that was
/// dropped is made again by a later run.
///
/// Immutable to its users, and usable from several threads. The cloud must not change.
class PreparedCloud {
 public:
  /// Returns at once.
  explicit PreparedCloud(std::shared_ptr<const PointCloud> cloud);
  ~PreparedCloud();
  PreparedCloud(const PreparedCloud&) = delete;
  PreparedCloud& operator=(const PreparedCloud&) = delete;

  const PointCloud& cloud() const { return *cloud_; }
  /// `validate` of the cloud.
  const Result<void>& valid() const;
  /// The bounds of a valid cloud.
  const Bounds& bounds() const;
  /// dimensionsByVariance of a valid cloud.
  const std::vector<int>& byVariance() const;

  /// The copy on the device of that number; null where there is none.
  std::shared_ptr<const DeviceCopy> copyOn(int device) const;
  /// Keeps a copy for that device. Returns the one that is kept: the first of several threads'.
  std::shared_ptr<const DeviceCopy> keepCopy(int device,
                                             std::shared_ptr<const DeviceCopy> copy) const;
  /// Drops the copies of all clouds on a device. Returns how many there were. Their memory is free
  /// when no run uses them.
  static int dropCopies(int device);

 private:
  const std::shared_ptr<const PointCloud> cloud_;
  mutable std::once_flag validated_;
  mutable Result<void> valid_;
  mutable std::once_flag bounded_;
  mutable Bounds bounds_;
  mutable std::once_flag ordered_;
  mutable std::vector<int> byVariance_;
  mutable std::mutex mutex_;
  mutable std::map<int, std::shared_ptr<const DeviceCopy>> copies_;
};

}  // namespace clusterloom
