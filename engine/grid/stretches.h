#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Points close together in one dimension: all of them lie in [low, high].
struct Stretch {
  double low;
  double high;
  std::uint32_t points;  ///< about how many, at least 1
};

/// The length of stretches from which slices for this ε are cut.
inline double stretchLength(double eps) { return eps / 4; }

/// Covers the values by stretches no longer than `length`, ascending by `low`; they may overlap.
/// Parallel on the caller's TBB arena, O(n) and a sort of the stretches. Cancelled when stopped.
Result<std::vector<Stretch>> stretchesOf(const Coordinates& values, double length,
                                         const Task& task);

/// The stretches of a cloud's dimensions, each found when it is first needed: a cloud may be cut
/// more than once for one ε, and few clouds need stretches at all.
class Stretches {
 public:
  /// Gives the stretches of each of the dimensions, ascending by `low`.
  using Find = std::function<Result<std::vector<std::vector<Stretch>>>(const std::vector<int>&)>;
  explicit Stretches(Find find) : find_(std::move(find)) {}

  /// Finds the stretches of the dimensions that are not known yet. The error of `Find`.
  Result<void> find(const std::vector<int>& dims);
  /// The stretches of a dimension that was found.
  const std::vector<Stretch>& of(int dim) const { return known_.at(dim); }

 private:
  Find find_;
  std::map<int, std::vector<Stretch>> known_;
};

/// The stretches of a cloud in host memory; cloud and task must outlive the result.
Stretches stretchesOf(const PointCloud& cloud, double eps, const Task& task);

}  // namespace clusterloom
