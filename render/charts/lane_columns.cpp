#include "render/charts/lane_columns.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterloom {

std::vector<LaneSpan> laneColumns(const WarpTrace& trace, double low, double high,
                                  std::size_t columns, std::vector<std::size_t>& firsts) {
  constexpr std::size_t kLanes = WarpTrace::kLanes;
  const auto n = double(trace.steps());
  const auto from = std::size_t(std::clamp(std::floor(low), 0.0, n));
  const auto to = std::size_t(std::clamp(std::ceil(high), 0.0, n));
  firsts.clear();
  if (from >= to || columns == 0) return {};
  const std::size_t count = to - from;
  const std::size_t made = std::min(columns, count);
  std::vector<LaneSpan> spans(made * kLanes);
  for (std::size_t c = 0; c < made; ++c) {
    const std::size_t first = from + count * c / made;
    const std::size_t end = from + count * (c + 1) / made;
    firsts.push_back(first);
    std::array<PerLoop<std::uint32_t>, kLanes> steps{};
    for (std::size_t step = first; step < end; ++step) {
      const auto loop = std::size_t(trace.loopOfStep[step]);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        steps[lane][loop] += trace.active(step, lane) ? 1 : 0;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto most = std::max_element(steps[lane].begin(), steps[lane].end());
      std::uint32_t active = 0;
      for (const std::uint32_t some : steps[lane]) active += some;
      LaneSpan& span = spans[c * kLanes + lane];
      span.loop = static_cast<Loop>(most - steps[lane].begin());
      span.active = float(active) / float(end - first);
    }
  }
  firsts.push_back(to);
  return spans;
}

}  // namespace clusterloom
