#include "render/charts/cost_chart.h"

#include <algorithm>
#include <utility>

#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

namespace {

/// A time in the unit that keeps it short, for the narrow strip right of the plot.
std::string shortTime(double milliseconds) {
  if (milliseconds >= 1000) return measuredNumber(milliseconds / 1000) + " s";
  if (milliseconds > 0 && milliseconds < 0.1) return measuredNumber(1000 * milliseconds) + " µs";
  return measuredNumber(milliseconds) + " ms";
}

}  // namespace

struct CostChart::Parts : ChartParts {
  CostModel model;
  int chosen = 0;
  std::vector<MeasuredK> measured;
  PlotArea area;
  PlotAxis time;  ///< right axis: milliseconds

  void paintGrid(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    const Ticks up = area.y.ticks(std::max(2, int((area.top - area.bottom) / (30 * r))));
    for (const double value : up.values) {
      const double y = area.y.pixel(value);
      painter.line(area.left, y, area.right, y, t.faintLine);
      painter.text(withUnit(value), area.left - 6 * r, y, Across::Right, Along::Centre, t.faintText,
                   10.5);
    }
    paintFrame(painter, area, t, translate("Charts", "indexed dimensions k"),
               translate("Charts", "operations"));
  }

  void paintBar(Painter& painter, const Theme& t, const CostOfK& cost, double middle,
                double width) const {
    const double r = painter.ratio();
    const double left = middle - width / 2;
    const double search = area.y.pixel(cost.cellSearchOps);
    const double whole = area.y.pixel(cost.total());
    painter.rectangle(left, area.bottom, width, search - area.bottom, t.series[0]);
    painter.rectangle(left, search, width, whole - search, t.series[1]);
    if (cost.k == chosen)
      painter.frame(left - 3 * r, area.bottom, width + 6 * r,
                    std::max(whole - area.bottom, 2 * r) + 3 * r, t.accent, 2);
    painter.text(withUnit(cost.total()), middle, whole + 6 * r, Across::Centre, Along::Bottom,
                 cost.k == model.best ? t.text : t.faintText, 10.5, cost.k == model.best);
    const std::string name = std::to_string(cost.k);
    painter.text(name, middle, area.bottom - 5 * r, Across::Centre, Along::Top,
                 cost.k == chosen ? t.accent : t.text, 11, cost.k == chosen);
  }

  void paintMeasured(Painter& painter, const Theme& t, double slot, double width) const {
    if (measured.empty()) return;
    const double r = painter.ratio();
    for (const double value :
         time.ticks(std::max(2, int((area.top - area.bottom) / (30 * r)))).values)
      painter.text(shortTime(value), area.right + 6 * r, time.pixel(value), Across::Left,
                   Along::Centre, t.faintText, 10.5);
    painter.line(area.right, area.bottom, area.right, area.top, t.line);
    for (const MeasuredK& run : measured) {
      const auto at = std::find_if(model.costs.begin(), model.costs.end(),
                                   [&run](const CostOfK& cost) { return cost.k == run.k; });
      if (at == model.costs.end()) continue;
      const double x = area.left + slot * (double(at - model.costs.begin()) + 0.5);
      const double y = time.pixel(1000 * run.seconds);
      // Over the whole bar, so that it is visible at once.
      painter.line(x - width / 2 - 4 * r, y, x + width / 2 + 4 * r, y, t.ground, 5);
      painter.line(x - width / 2 - 4 * r, y, x + width / 2 + 4 * r, y, t.series[2], 3);
      paintTag(painter, area, shortTime(1000 * run.seconds), x + width / 2 + 6 * r, y, Across::Left,
               Along::Centre, t.series[2], t);
    }
  }

  ChartHeader headerOf(const Theme& t) const {
    ChartHeader header;
    header.addEntry(translate("Charts", "cell searches"), t.series[0]);
    header.addEntry(translate("Charts", "coordinates read"), t.series[1]);
    header.addEntry(translate("Charts", "in use"), t.accent, ChartHeader::Swatch::Frame);
    if (!measured.empty())
      header.addEntry(translate("Charts", "measured, fastest run"), t.series[2]);
    header.setTitle(filled(translate("Charts", "cheapest: k = %1"), {std::to_string(model.best)}));
    return header;
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, !measured.empty());
    ChartHeader header = headerOf(t);
    header.layOut(r, area);
    double slowest = 0;
    for (const MeasuredK& run : measured) slowest = std::max(slowest, 1000 * run.seconds);
    time = {0, 1.14 * std::max(slowest, 1e-3), false, area.y.from, area.y.to};
    double most = 1;
    for (const CostOfK& cost : model.costs) most = std::max(most, cost.total());
    area.y.low = 0;
    area.y.high = most * 1.14;  // space for the number above the tallest bar
    paintGrid(painter, t);
    const double slot = (area.right - area.left) / double(model.costs.size());
    const double width = std::min(0.55 * slot, 64 * r);
    for (std::size_t i = 0; i < model.costs.size(); ++i)
      paintBar(painter, t, model.costs[i], area.left + slot * (double(i) + 0.5), width);
    paintMeasured(painter, t, slot, width);
    header.paint(painter, area, t);
  }
};

CostChart::CostChart() : parts_(partsOf<Parts>(*impl_)) {}

void CostChart::setData(const std::optional<CostModel>& model, int chosen) {
  parts_->model = model.value_or(CostModel{});
  parts_->chosen = chosen;
  impl_->dataSet(parts_->model.costs.empty());
}

void CostChart::setMeasured(std::vector<MeasuredK> measured) {
  parts_->measured = std::move(measured);
  ++impl_->revision;
}

MakeTable CostChart::table() const {
  return [model = parts_->model, chosen = parts_->chosen, measured = parts_->measured] {
    DataTable table{
        {"indexed_dims", "cell_search_operations", "coordinates_read", "in_use", "fastest_run_ms"},
        {}};
    for (const CostOfK& cost : model.costs) {
      const auto run = std::find_if(measured.begin(), measured.end(),
                                    [&cost](const MeasuredK& m) { return m.k == cost.k; });
      table.rows.push_back({std::to_string(cost.k), exactNumber(cost.cellSearchOps),
                            exactNumber(cost.distanceOps), cost.k == chosen ? "yes" : "no",
                            run == measured.end() ? "" : exactMilliseconds(run->seconds)});
    }
    return table;
  };
}

}  // namespace clusterloom
