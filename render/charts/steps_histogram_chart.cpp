#include "render/charts/steps_histogram_chart.h"

#include <algorithm>
#include <utility>

#include "render/charts/axis_window.h"
#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/load_parts.h"
#include "render/charts/plot_area.h"
#include "render/charts/warp_columns.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

namespace {
constexpr std::size_t kBins = 60;
}

struct StepsHistogramChart::Parts : ChartParts {
  std::shared_ptr<const LoadReport> report;
  StepsHistogram histogram;
  std::int64_t marked = -1;
  std::optional<WarpLoad> outside;
  PlotArea area;
  ZoomPointer pointer;

  void setRanges() {
    area.x.logarithmic = histogram.logarithmic;
    area.x.low = histogram.edges.front();
    area.x.high = histogram.edges.back();
    double most = 1;
    for (const double warps : histogram.warps) most = std::max(most, warps);
    area.y = {0, 1.06 * most, false, area.y.from, area.y.to, true};
  }

  std::size_t binAt(double steps) const {
    const auto& edges = histogram.edges;
    const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, steps);
    return std::size_t(above - edges.begin() - 1);
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, false);
    ChartHeader header;
    header.addEntry(translate("Charts", "busy"), t.series[0]);
    header.addEntry(translate("Charts", "idle"), idleColour(t));
    header.setTitle(loadTitle(*report));
    header.layOut(r, area);
    setRanges();
    paintAxes(painter, area, t, filled(translate("Charts", "%1 of a warp"), {stepsWord(*report)}),
              translate("Charts", "warps"));
    for (std::size_t i = 0; i < histogram.warps.size(); ++i) {
      if (histogram.warps[i] == 0) continue;
      const double left = area.x.pixel(histogram.edges[i]);
      const double width = std::max(1.0, area.x.pixel(histogram.edges[i + 1]) - left - r);
      // A single warp among thousands must be visible.
      const double height = std::max(2 * r, area.y.pixel(histogram.warps[i]) - area.bottom);
      painter.rectangle(left, area.bottom, width, height, idleColour(t));
      painter.rectangle(left, area.bottom, width, height * histogram.busyShare[i], t.series[0]);
    }
    painter.line(area.left, area.bottom, area.right, area.bottom, t.line);
    paintMarked(painter, t);
    header.paint(painter, area, t);
    if (!pointer.hoversOver(area)) return;
    const std::size_t bin = binAt(area.x.value(pointer.x));
    const std::string words =
        filled(histogram.warps[bin] == 1 ? translate("Charts", "%1 warp of %2 to %3 %4, %5 busy")
                                         : translate("Charts", "%1 warps of %2 to %3 %4, %5 busy"),
               {groupedText(static_cast<unsigned long long>(histogram.warps[bin])),
                withUnit(histogram.edges[bin]), withUnit(histogram.edges[bin + 1]),
                stepsWord(*report), percentText(histogram.busyShare[bin])});
    paintTag(painter, area, words, pointer.x, pointer.y, t);
  }

  void paintMarked(Painter& painter, const Theme& t) const {
    const bool known = marked >= 0 && std::size_t(marked) < report->warps.size();
    if (!known && !outside) return;
    const WarpLoad& warp = known ? report->warps[std::size_t(marked)] : *outside;
    const double r = painter.ratio();
    const double steps = workOf(warp, report->weights).steps;
    std::string words = filled(translate("Charts", "warp %1"), {groupedText(warp.number)});
    if (!known) words += translate("Charts", " · outside the sample");
    if (steps < area.x.low) words += translate("Charts", ", fewer steps than any in it");
    if (steps > area.x.high) words += translate("Charts", ", more steps than any in it");
    const double x = area.x.pixel(std::clamp(steps, area.x.low, area.x.high));
    painter.line(x, area.bottom, x, area.top, t.accent, 2);
    paintTag(painter, area, words, x + 4 * r, area.top, Across::Left, Along::Top, t.accent, t);
  }
};

StepsHistogramChart::StepsHistogramChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  impl_->moved = [&p](double x, double y, bool) {
    p.pointer.x = x;
    p.pointer.y = y;
    p.pointer.hovering = true;
    return true;
  };
  impl_->leave = [&p] { p.pointer.hovering = false; };
}

void StepsHistogramChart::setData(std::shared_ptr<const LoadReport> report) {
  Parts& p = *parts_;
  p.report = std::move(report);
  p.marked = -1;
  p.outside.reset();
  impl_->dataSet(!p.report || p.report->warps.empty());
  p.histogram = impl_->empty ? StepsHistogram{} : stepsHistogram(*p.report, kBins);
}

void StepsHistogramChart::setMarked(std::int64_t warp) { parts_->marked = warp; }

void StepsHistogramChart::setMarkedOutside(const std::optional<WarpLoad>& warp) {
  parts_->outside = warp;
}

MakeTable StepsHistogramChart::table() const {
  return [report = parts_->report, bins = parts_->histogram] {
    const std::string unit = report ? columnName(stepsName(*report)) : "steps";
    DataTable table{{"from_" + unit, "to_" + unit, "warps", "busy_percent"}, {}};
    for (std::size_t i = 0; report && i < bins.warps.size(); ++i)
      table.rows.push_back({exactNumber(bins.edges[i]), exactNumber(bins.edges[i + 1]),
                            exactNumber(bins.warps[i]), exactNumber(100 * bins.busyShare[i])});
    return table;
  };
}

}  // namespace clusterloom
