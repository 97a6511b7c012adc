#include "render/charts/warp_columns.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {

WarpWork workOf(const WarpLoad& warp, const LoopWeights& weights) {
  WarpWork work;
  for (std::size_t loop = 0; loop < weights.of.size(); ++loop) {
    work.steps += weights.of[loop] * double(warp.steps[loop]);
    work.busy += weights.of[loop] * double(warp.laneSteps[loop]) / 32;
  }
  return work;
}

std::vector<WarpColumn> warpColumns(const LoadReport& report, double low, double high,
                                    std::size_t columns) {
  const auto n = double(report.warps.size());
  const auto from = std::size_t(std::clamp(std::floor(low), 0.0, n));
  const auto to = std::size_t(std::clamp(std::ceil(high), 0.0, n));
  std::vector<WarpColumn> result;
  if (from >= to || columns == 0) return result;
  const std::size_t count = to - from;
  const std::size_t made = std::min(columns, count);
  result.reserve(made);
  for (std::size_t c = 0; c < made; ++c) {
    WarpColumn column;
    column.first = from + count * c / made;
    column.end = from + count * (c + 1) / made;
    for (std::size_t w = column.first; w < column.end; ++w) {
      const WarpWork work = workOf(report.warps[w], report.weights);
      column.steps += work.steps;
      column.busy += work.busy;
      column.least = w == column.first ? work.steps : std::min(column.least, work.steps);
      column.most = std::max(column.most, work.steps);
    }
    const auto warps = double(column.end - column.first);
    column.steps /= warps;
    column.busy /= warps;
    result.push_back(column);
  }
  return result;
}

StepsHistogram stepsHistogram(const LoadReport& report, std::size_t bins) {
  StepsHistogram histogram;
  if (report.warps.empty()) return histogram;
  std::vector<WarpWork> works;
  works.reserve(report.warps.size());
  for (const WarpLoad& warp : report.warps) works.push_back(workOf(warp, report.weights));
  const auto [least, most] =
      std::minmax_element(works.begin(), works.end(),
                          [](const WarpWork& a, const WarpWork& b) { return a.steps < b.steps; });
  double low = least->steps;
  double high = most->steps;
  if (!(high > low)) {  // one bin's worth: give it some width
    low = std::max(0.0, low - 0.5);
    high += 0.5;
  }
  constexpr double kManyfold = 50;
  histogram.logarithmic = low > 0 && high > kManyfold * low;
  const auto edge = [&](std::size_t i) {
    const double t = double(i) / double(bins);
    return histogram.logarithmic ? low * std::pow(high / low, t) : std::lerp(low, high, t);
  };
  for (std::size_t i = 0; i <= bins; ++i) histogram.edges.push_back(edge(i));
  histogram.warps.assign(bins, 0);
  histogram.busyShare.assign(bins, 0);
  std::vector<double> steps(bins, 0);
  for (const WarpWork& work : works) {
    const auto above =
        std::upper_bound(histogram.edges.begin() + 1, histogram.edges.end() - 1, work.steps);
    const auto bin = std::size_t(above - histogram.edges.begin() - 1);
    histogram.warps[bin] += 1;
    histogram.busyShare[bin] += work.busy;
    steps[bin] += work.steps;
  }
  for (std::size_t i = 0; i < bins; ++i)
    if (steps[i] > 0) histogram.busyShare[i] /= steps[i];
  return histogram;
}

std::vector<float> occupancyOverTime(const LoadReport& report, double low, double high,
                                     std::size_t columns) {
  const auto rows = std::size_t(std::max(0, report.multiprocessors));
  std::vector<float> share(rows * columns, 0);
  if (!(high > low) || columns == 0) return share;
  const double perSpan = double(columns) / (high - low);
  const auto full = float(std::max(1, report.warpsPerMultiprocessor));
  for (const WarpLoad& warp : report.warps) {
    if (warp.multiprocessor >= rows) continue;
    const double from = std::clamp((warp.start - low) * perSpan, 0.0, double(columns));
    const double to = std::clamp((warp.end - low) * perSpan, 0.0, double(columns));
    float* row = share.data() + warp.multiprocessor * columns;
    for (auto c = std::size_t(from); c < columns && double(c) < to; ++c) {
      const double covered = std::min(to, double(c) + 1) - std::max(from, double(c));
      row[c] += float(covered) / full;
    }
  }
  return share;
}

}  // namespace clusterloom
