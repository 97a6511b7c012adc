#include "render/charts/sweep_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/infinity.h"
#include "render/charts/chart_parts.h"
#include "render/charts/dragged_eps.h"
#include "render/charts/plot_area.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

struct SweepChart::Parts : ChartParts {
  std::vector<SweepPoint> steps;  ///< by ascending ε
  std::uint64_t points = 0;
  DraggedEps eps;
  PlotArea area;
  PlotAxis share;  ///< right axis: % of points
  ClusterAxis clusterAxis = ClusterAxis::Automatic;
  std::vector<FoundAgainAt> found;

  bool logarithmic() const {
    double least = kInfinity;
    double most = 0;
    for (const SweepPoint& step : steps) {
      if (step.clusters > 0) least = std::min(least, double(step.clusters));
      most = std::max(most, double(step.clusters));
    }
    return clusterloom::isLogarithmic(clusterAxis, least, most);
  }

  void setRanges() {
    double most = 1;
    for (const SweepPoint& step : steps) most = std::max(most, double(step.clusters));
    double low = steps.front().eps;
    double high = steps.back().eps;
    if (!(high > low)) {
      low /= 2;
      high *= 2;
    }
    area.x = {low, high, true, area.x.from, area.x.to};
    share = setSeriesAxes(area, logarithmic(), most);
  }

  void paintSeries(Painter& painter, const PlotAxis& axis, const std::vector<double>& values,
                   Colour colour) const {
    std::vector<double> x;
    x.reserve(steps.size());
    for (const SweepPoint& step : steps) x.push_back(step.eps);
    paintCurve(painter, area, axis, x, values, colour, 2);
    if (steps.size() > 80) return;
    const double half = 2.5 * painter.ratio();
    for (std::size_t i = 0; i < x.size(); ++i)
      painter.rectangle(area.x.pixel(x[i]) - half, axis.pixel(values[i]) - half, 2 * half, 2 * half,
                        colour);
  }

  const SweepPoint& nearest(double value) const {
    return *std::min_element(
        steps.begin(), steps.end(), [value](const SweepPoint& p, const SweepPoint& q) {
          return std::abs(std::log(p.eps / value)) < std::abs(std::log(q.eps / value));
        });
  }

  std::string describe(const SweepPoint& step) const {
    return seriesWords(step.eps, std::uint64_t(step.clusters), step.noise, step.largest, points);
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, true);
    ChartHeader header = seriesHeader(t, !found.empty());
    header.layOut(r, area);
    setRanges();
    paintAxes(painter, area, t, "ε", translate("Charts", "clusters"));
    paintSeriesAxes(painter, area, share, t);
    std::vector<double> clusters;
    std::vector<double> noise;
    std::vector<double> largest;
    const double n = double(std::max<std::uint64_t>(points, 1));
    for (const SweepPoint& step : steps) {
      clusters.push_back(double(step.clusters));
      noise.push_back(100 * double(step.noise) / n);
      largest.push_back(100 * double(step.largest) / n);
    }
    paintSeries(painter, share, largest, t.series[2]);
    paintSeries(painter, share, noise, t.series[1]);
    paintSeries(painter, area.y, clusters, t.series[0]);
    paintFoundAgain(painter, area, share, found, t);
    header.paint(painter, area, t);
    if (eps.value >= area.x.low && eps.value <= area.x.high) {
      const double x = area.x.pixel(eps.value);
      painter.line(x, area.bottom, x, area.top, t.accent, 2);
      paintTag(painter, area, epsTag(eps.value, found), x + 5 * r, area.top, Across::Left,
               Along::Top, t.accent, t);
    }
    if (eps.hoversOver(area)) {
      const SweepPoint& step = nearest(area.x.value(eps.pointerX));
      const double x = area.x.pixel(step.eps);
      painter.line(x, area.bottom, x, area.top, t.line, 1);
      paintTag(painter, area, describe(step), x + 6 * r, eps.pointerY + 4 * r, Across::Left,
               Along::Bottom, t.text, t);
    }
  }
};

SweepChart::SweepChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  // The text beside the pointer is that of a computed step: a press takes the ε of that step.
  p.eps.snap = [&p](double value) { return p.nearest(value).eps; };
  dragAlongX(*impl_, p.eps, p.area);
}

void SweepChart::setData(std::vector<SweepPoint> steps, std::uint64_t points) {
  std::erase_if(steps, [](const SweepPoint& step) { return !(step.eps > 0); });
  std::sort(steps.begin(), steps.end(),
            [](const SweepPoint& p, const SweepPoint& q) { return p.eps < q.eps; });
  parts_->steps = std::move(steps);
  parts_->points = points;
  impl_->dataSet(parts_->steps.empty());
}

void SweepChart::setFoundAgain(std::vector<FoundAgainAt> found) {
  parts_->found = std::move(found);
}

void SweepChart::setClusterAxis(ClusterAxis axis) { parts_->clusterAxis = axis; }

bool SweepChart::isLogarithmic() const { return parts_->logarithmic(); }

MakeTable SweepChart::table() const {
  return [steps = parts_->steps, points = parts_->points] {
    DataTable table{{"eps", "clusters", "noise_points", "noise_percent", "largest_cluster_points",
                     "largest_cluster_percent"},
                    {}};
    const double n = double(std::max<std::uint64_t>(points, 1));
    for (const SweepPoint& step : steps)
      table.rows.push_back({exactNumber(step.eps), std::to_string(step.clusters),
                            exactNumber(step.noise), exactNumber(100 * double(step.noise) / n),
                            exactNumber(step.largest),
                            exactNumber(100 * double(step.largest) / n)});
    return table;
  };
}

}  // namespace clusterloom
