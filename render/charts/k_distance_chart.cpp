#include "render/charts/k_distance_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/charts/chart_parts.h"
#include "render/charts/dragged_eps.h"
#include "render/charts/plot_area.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

/// Where the i-th of n distances is plotted, in % of the points.
double placeOf(std::size_t i, double n) { return n > 1 ? 100 * double(i) / (n - 1) : 50; }

/// The knee as it is offered: it is a starting value, not a measurement.
double kneeOf(const KDistances& data) { return briefKnee(data.suggestedEps); }

/// The points of the curve: share of the points in %, and distance.
struct Curve {
  std::vector<double> share;
  std::vector<double> distance;
};

/// All distances as a curve; of very many those at both ends of each of kMostSteps equal steps
/// along the axis, which no chart is wide enough to tell from all.
Curve curveOf(const std::vector<double>& distances) {
  constexpr std::size_t kMostSteps = 8192;
  Curve curve;
  const std::size_t n = distances.size();
  const auto add = [&](std::size_t i) {
    curve.share.push_back(placeOf(i, double(n)));
    curve.distance.push_back(distances[i]);
  };
  if (n <= 2 * kMostSteps) {
    for (std::size_t i = 0; i < n; ++i) add(i);
    return curve;
  }
  for (std::size_t step = 0; step < kMostSteps; ++step) {
    add(step * n / kMostSteps);
    add((step + 1) * n / kMostSteps - 1);
  }
  return curve;
}

}  // namespace

struct KDistanceChart::Parts : ChartParts {
  std::shared_ptr<const KDistances> data;
  Curve curve;
  DraggedEps eps;
  bool logarithmic = true;
  PlotArea area;

  void setRanges() {
    const std::vector<double>& d = data->distances;  // descending
    const double fallback = eps.value > 0 ? eps.value : 1;
    // Where squares overflow, distances are infinite: their points are at the upper end.
    const auto finite = std::find_if(d.begin(), d.end(), [](double v) { return std::isfinite(v); });
    double low = 0;
    double high = finite == d.end() ? fallback : *finite;
    if (logarithmic) {
      const auto zero = std::find_if(d.begin(), d.end(), [](double v) { return !(v > 0); });
      low = zero == d.begin() ? 0 : *(zero - 1);
      // Only duplicates, or only infinite distances: any range works.
      if (!(low > 0) || !std::isfinite(low)) low = high = fallback;
      low /= 1.3;
      high *= 1.3;
    } else {
      low = 0;
      high = high > 0 ? high * 1.06 : 1;
    }
    area.y.logarithmic = logarithmic;
    area.y.low = low;
    area.y.high = high;
    area.x = {0, 100, false, area.x.from, area.x.to};
  }

  double fractionAbove(double value) const {
    const std::vector<double>& d = data->distances;
    const auto end =
        std::partition_point(d.begin(), d.end(), [value](double v) { return v > value; });
    return double(end - d.begin()) / double(d.size());
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, false);
    setRanges();
    const std::string k = std::to_string(data->k);
    paintAxes(painter, area, t, translate("Charts", "points, farthest neighbours first (%)"),
              filled(translate("Charts", "%1-distance"), {k}));

    if (curve.share.size() == 1)
      painter.circle(area.x.pixel(50), std::min(area.y.pixel(curve.distance[0]), area.top), 3 * r,
                     t.series[0], 2);
    paintCurve(painter, area, area.y, curve.share, curve.distance, t.series[0], 2);

    const double knee = kneeOf(*data);
    if (knee > area.y.low && knee < area.y.high) {
      const double y = area.y.pixel(knee);
      for (double x = area.left; x < area.right; x += 9 * r)
        painter.line(x, y, std::min(x + 4 * r, area.right), y, t.series[1], 1);
      // Above its line, but not where the line of ε would cross the text: then above that, unless
      // what is said of ε is there.
      const double above = area.y.pixel(eps.value) - y;
      const bool crossed = eps.value > 0 && above > r && above < 22 * r;
      constexpr double kFarRight = 0.7;
      const bool isFree = fractionAbove(eps.value) < kFarRight;
      paintTag(painter, area, filled(translate("Charts", "knee %1"), {shortNumber(knee)}),
               area.right, crossed && isFree ? y + above : y, Across::Right,
               crossed && !isFree ? Along::Top : Along::Bottom, t.text, t);
    }
    paintCut(painter, t);
    const std::string points =
        data->sampled == 1 ? countedText("Charts", "%1 points", "1 point", 1)
                           : filled(data->isWhole ? translate("Charts", "all %1 points")
                                                  : translate("Charts", "sample of %1 points"),
                                    {groupedText(data->sampled)});
    painter.text(fitted(painter, points, area.right - 2 * r, 10.5), area.right, area.top + 7 * r,
                 Across::Right, Along::Bottom, t.faintText, 10.5);
    if (eps.hoversOver(area)) {
      paintTag(painter, area,
               filled(translate("Charts", "set ε %1"),
                      {shortNumber(epsUnder(eps, area.y, eps.pointerY))}),
               eps.pointerX + 12 * r, eps.pointerY + 4 * r, Across::Left, Along::Bottom, t.text, t);
    }
  }

  void paintCut(Painter& painter, const Theme& t) {
    if (!(eps.value > 0)) return;
    const double r = painter.ratio();
    const double y = std::clamp(area.y.pixel(eps.value), area.bottom, area.top);
    const double core = 1 - fractionAbove(eps.value);
    const double x = area.x.pixel(100 * (1 - core));
    painter.line(area.left, y, area.right, y, t.accent, 2);
    painter.line(x, area.bottom, x, y, t.accent, 1, 140);
    painter.rectangle(area.left - 5 * r, y - 5 * r, 10 * r, 10 * r, t.accent);
    paintTag(
        painter, area,
        filled(translate("Charts", "ε %1 · %2 core"), {shortNumber(eps.value), percentText(core)}),
        x + 6 * r, y + 4 * r, Across::Left, Along::Bottom, t.accent, t);
  }
};

KDistanceChart::KDistanceChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  // The pixel of the knee means the knee.
  p.eps.snap = [&p](double value) {
    const double knee = kneeOf(*p.data);
    const double away = std::abs(p.area.y.pixel(knee) - p.area.y.pixel(value));
    return knee > 0 && away <= 0.5 ? knee : value;
  };
  dragAlongY(*impl_, p.eps, p.area);
}

void KDistanceChart::setData(std::shared_ptr<const KDistances> data) {
  parts_->data = std::move(data);
  impl_->dataSet(!parts_->data || parts_->data->distances.empty());
  parts_->curve = impl_->empty ? Curve{} : curveOf(parts_->data->distances);
}

void KDistanceChart::setLogarithmic(bool logarithmic) { parts_->logarithmic = logarithmic; }

bool KDistanceChart::isLogarithmic() const { return parts_->logarithmic; }

MakeTable KDistanceChart::table() const {
  return [data = parts_->data] {
    DataTable table{{"points_percent", "k", "k_distance"}, {}};
    if (!data) return table;
    const double n = double(data->distances.size());
    for (std::size_t i = 0; i < data->distances.size(); ++i)
      table.rows.push_back(
          {exactNumber(placeOf(i, n)), std::to_string(data->k), exactNumber(data->distances[i])});
    return table;
  };
}

std::uint64_t KDistanceChart::longTableRows() const {
  return parts_->data ? parts_->data->distances.size() : 0;
}

}  // namespace clusterloom
