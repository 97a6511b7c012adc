#pragma once

#include <algorithm>
#include <cstddef>

#include "render/scene/point_levels.h"
#include "render/scene/point_prop.h"

namespace clusterloom {

/// How many points a frame has time for: some ten thousand in software, millions on a fast GPU.
/// There are more only where time would remain, because the density of points that are drawn again
/// and again must not change from frame to frame.
class FrameBudget {
 public:
  std::size_t points() const { return points_; }
  /// Learns from the last frame how long points take, for frames that draw points for `ms`, and for
  /// a fifth of it where that is enough for a million: then more frames a second are worth more.
  void adapt(const PointProp::Drawn& last, double ms) {
    constexpr double kMostToGrow = 0.8;
    constexpr double kEnoughPoints = 1e6;
    if (last.points == 0) return;
    const double rate = double(last.points) / std::max(last.ms, 1e-3);
    const double most = std::clamp(kEnoughPoints / rate, ms / 5, ms);
    const auto fitting = [rate](double time) {
      return std::size_t(std::max(rate * time, double(kRootPoints)));
    };
    if (last.ms > most)
      points_ = std::min(points_, fitting(most));
    else if (last.points >= points_)
      points_ = std::max(points_, std::min(2 * points_, fitting(kMostToGrow * most)));
  }

 private:
  std::size_t points_ = kRootPoints;
};

}  // namespace clusterloom
