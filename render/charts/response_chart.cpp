#include "render/charts/response_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/palette.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

namespace {

double leastOf(const ResponsePoint& point) { return point.runs > 1 ? point.least : point.seconds; }
double mostOf(const ResponsePoint& point) { return point.runs > 1 ? point.most : point.seconds; }

/// A logarithmic axis around positive values, at least a factor of two wide.
void fitLogarithmic(PlotAxis& axis, double low, double high) {
  if (!(low <= high)) low = high = 1;
  axis.logarithmic = true;
  axis.low = low / 1.3;
  axis.high = std::max(high * 1.3, 2 * axis.low);
}

}  // namespace

struct ResponseChart::Parts : ChartParts {
  std::vector<ResponseCurve> curves;
  std::string times;
  PlotArea area;
  PlotAxis selectivity;
  Hover pointer;

  void setRanges() {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    double lowEps = kNone, highEps = 0, lowTime = kNone, highTime = 0, lowS = kNone, highS = 0;
    for (const ResponseCurve& curve : curves)
      for (const ResponsePoint& point : curve.points) {
        lowEps = std::min(lowEps, point.eps);
        highEps = std::max(highEps, point.eps);
        lowTime = std::min(lowTime, 1000 * leastOf(point));
        highTime = std::max(highTime, 1000 * mostOf(point));
        if (!(point.selectivity > 0)) continue;  // has no logarithm
        lowS = std::min(lowS, point.selectivity);
        highS = std::max(highS, point.selectivity);
      }
    fitLogarithmic(area.x, lowEps, highEps);
    fitLogarithmic(area.y, lowTime, highTime);
    selectivity.from = area.y.from;
    selectivity.to = area.y.to;
    fitLogarithmic(selectivity, lowS, highS);
  }

  void paintCurveOf(Painter& painter, const PlotAxis& axis, const ResponseCurve& curve,
                    double (*value)(const ResponsePoint&), Colour colour, double width) const {
    std::vector<double> x;
    std::vector<double> y;
    for (const ResponsePoint& point : curve.points) {
      x.push_back(point.eps);
      y.push_back(value(point));
    }
    paintCurve(painter, area, axis, x, y, colour, width);
    const double half = 2.5 * painter.ratio();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (y[i] > 0)
        painter.rectangle(area.x.pixel(x[i]) - half, axis.pixel(y[i]) - half, 2 * half, 2 * half,
                          colour);
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, true);
    ChartHeader header;
    header.addEntry(translate("Charts", "selectivity"), t.faintText);
    for (std::size_t i = 0; i < curves.size(); ++i)
      header.addEntry(curves[i].name, clusterColour(std::int32_t(i), chart->background));
    header.setTitle(times);
    header.layOut(r, area);
    setRanges();
    paintAxes(painter, area, t, "ε", translate("Charts", "index + join (ms)"));
    for (const double value :
         selectivity.ticks(std::max(2, int((area.top - area.bottom) / (28 * r)))).values)
      painter.text(withUnit(value), area.right + 6 * r, selectivity.pixel(value), Across::Left,
                   Along::Centre, t.faintText, 10.5);
    painter.line(area.right, area.bottom, area.right, area.top, t.line);
    const auto longest = std::max_element(
        curves.begin(), curves.end(),
        [](const auto& a, const auto& b) { return a.points.size() < b.points.size(); });
    paintCurveOf(
        painter, selectivity, *longest, [](const ResponsePoint& p) { return p.selectivity; },
        t.faintText, 1);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const Colour colour = clusterColour(std::int32_t(i), chart->background);
      paintCurveOf(
          painter, area.y, curves[i], [](const ResponsePoint& p) { return 1000 * p.seconds; },
          colour, 2);
      for (const ResponsePoint& point : curves[i].points) {
        const double x = area.x.pixel(point.eps);
        if (point.runs > 1)
          painter.line(x, area.y.pixel(1000 * point.least), x, area.y.pixel(1000 * point.most),
                       colour, 1);
      }
    }
    header.paint(painter, area, t);
    if (pointer.isOver(area)) paintNearest(painter, t);
  }

  static std::string spreadText(const ResponsePoint& point) {
    if (point.runs < 2) return {};
    return " " + filled(translate("Charts", "(median of %1, %2 to %3)"),
                        {std::to_string(point.runs), measuredNumber(1000 * point.least),
                         measuredNumber(1000 * point.most)});
  }

  void paintNearest(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    const ResponseCurve* of = nullptr;
    const ResponsePoint* nearest = nullptr;
    double least = 40 * r;
    for (const ResponseCurve& curve : curves)
      for (const ResponsePoint& point : curve.points) {
        const double away = std::hypot(area.x.pixel(point.eps) - pointer.x,
                                       area.y.pixel(1000 * point.seconds) - pointer.y);
        if (away >= least) continue;
        least = away;
        of = &curve;
        nearest = &point;
      }
    if (nearest == nullptr) return;
    paintTag(painter, area,
             of->name + " · ε " + shortNumber(nearest->eps) + " · " +
                 measuredNumber(1000 * nearest->seconds) + " ms" + spreadText(*nearest) + " · " +
                 filled(translate("Charts", "selectivity %1"), {withUnit(nearest->selectivity)}),
             pointer.x, pointer.y, t);
  }
};

ResponseChart::ResponseChart() : parts_(partsOf<Parts>(*impl_)) {
  followPointer(*impl_, parts_->pointer);
}

void ResponseChart::setData(std::vector<ResponseCurve> curves, const std::string& times) {
  std::erase_if(curves, [](const ResponseCurve& curve) { return curve.points.empty(); });
  parts_->curves = std::move(curves);
  parts_->times = times;
  impl_->dataSet(parts_->curves.empty());
}

MakeTable ResponseChart::table() const {
  return [curves = parts_->curves] {
    DataTable table{{"strategy", "eps", "index_and_join_median_ms", "index_and_join_least_ms",
                     "index_and_join_most_ms", "runs", "selectivity"},
                    {}};
    for (const ResponseCurve& curve : curves)
      for (const ResponsePoint& point : curve.points)
        table.rows.push_back({curve.name, exactNumber(point.eps), exactMilliseconds(point.seconds),
                              exactMilliseconds(leastOf(point)), exactMilliseconds(mostOf(point)),
                              std::to_string(point.runs), exactNumber(point.selectivity)});
    return table;
  };
}

}  // namespace clusterloom
