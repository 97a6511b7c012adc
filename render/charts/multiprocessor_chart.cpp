#include "render/charts/multiprocessor_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "render/charts/axis_window.h"
#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/load_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/colour_vision.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

struct MultiprocessorChart::Parts : ChartParts {
  std::shared_ptr<const LoadReport> report;
  double begin = 0;  ///< of the first warp, in the report's unit
  std::int64_t marked = -1;
  WarpPickFn onPick;
  PlotArea area;
  ZoomPointer pointer;

  /// Axis values are milliseconds where the report has seconds.
  double scale() const { return report->measured ? 1000 : 1; }
  double toReport(double axisValue) const { return begin + axisValue / scale(); }
  double toAxis(double time) const { return (time - begin) * scale(); }
  double rows() const { return std::max(1, report->multiprocessors); }

  void paintOccupancy(Painter& painter, const Theme& t) const {
    const auto columns = std::size_t(std::max(1.0, (area.right - area.left) / painter.ratio()));
    const std::vector<float> share = occupancyOverTime(*report, toReport(pointer.window.low),
                                                       toReport(pointer.window.high), columns);
    const Colour idle = idleColour(t);
    std::vector<Colour> colours;
    for (const float of : share)
      colours.push_back(of <= 0 ? t.ground : mix(idle, t.series[0], std::min(1.0, double(of))));
    painter.pixels(area.left, area.bottom, area.right - area.left, area.top - area.bottom,
                   int(columns), report->multiprocessors, colours);
  }

  void paintIdealEnd(Painter& painter, const Theme& t) const {
    const double x = area.x.pixel(report->idealMakespan * scale());
    if (report->idealMakespan <= 0 || x < area.left || x > area.right) return;
    painter.line(x, area.bottom, x, area.top, t.series[1], 2);
  }

  void paintMarked(Painter& painter, const Theme& t) const {
    if (marked < 0 || std::size_t(marked) >= report->warps.size()) return;
    const double r = painter.ratio();
    const WarpLoad& warp = report->warps[std::size_t(marked)];
    const double from = std::clamp(area.x.pixel(toAxis(warp.start)), area.left, area.right);
    const double to = std::clamp(area.x.pixel(toAxis(warp.end)), area.left, area.right);
    const double low = area.y.pixel(warp.multiprocessor);
    const double high = area.y.pixel(warp.multiprocessor + 1.0);
    painter.frame(from, low, std::max(to - from, 3 * r), std::max(high - low, 3 * r), t.accent, 2);
    paintTag(painter, area, filled(translate("Charts", "warp %1"), {groupedText(warp.number)}),
             to + 5 * r, high, Across::Left, Along::Centre, t.accent, t);
  }

  /// The warp on the multiprocessor under the pointer whose middle is nearest in time, of those
  /// that run then; −1: none.
  std::int64_t warpAt(double x, double y) const {
    const auto row = std::uint32_t(std::clamp(area.y.value(y), 0.0, std::nextafter(rows(), 0.0)));
    const double time = toReport(area.x.value(x));
    std::int64_t best = -1;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t w = 0; w < report->warps.size(); ++w) {
      const WarpLoad& warp = report->warps[w];
      if (warp.multiprocessor != row || time < warp.start || time > warp.end) continue;
      const double away = std::abs((warp.start + warp.end) / 2 - time);
      if (away >= nearest) continue;
      nearest = away;
      best = std::int64_t(w);
    }
    return best;
  }

  void paintAxesOf(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    paintNumbersBelow(painter, area, t, false, !report->measured);
    for (const double value :
         area.y.ticks(std::max(2, int((area.top - area.bottom) / (28 * r)))).values) {
      if (value != std::floor(value) || value >= rows()) continue;
      const double y = (area.y.pixel(value) + area.y.pixel(value + 1)) / 2;
      painter.text(tickNumber(value), area.left - 6 * r, y, Across::Right, Along::Centre,
                   t.faintText, 10.5);
    }
    paintFrame(painter, area, t, timeAxisTitle(*report), translate("Charts", "multiprocessor"));
  }

  ChartHeader headerOf(const Theme& t) const {
    ChartHeader header;
    header.addEntry(translate("Charts", "full occupancy"), t.series[0]);
    header.addEntry(translate("Charts", "low"), idleColour(t));
    if (report->idealMakespan > 0) header.addEntry(translate("Charts", "ideal end"), t.series[1]);
    std::string title = loadTitle(*report);
    if (report->makespan > 0 && report->idealMakespan > 0)
      title =
          filled(report->measured ? translate("Charts", "measured · makespan %1 × the ideal, %2")
                                  : translate("Charts", "modelled · makespan %1 × the ideal, %2"),
                 {measuredNumber(report->makespan / report->idealMakespan),
                  timeText(*report, report->makespan)}) +
          machinePart(*report);
    header.setTitle(title);
    return header;
  }

  void paint(Painter& painter, const Theme& t, double r) {
    layOut(area, *chart, pointer.window, rows());
    ChartHeader header = headerOf(t);
    header.layOut(r, area);
    paintOccupancy(painter, t);
    paintAxesOf(painter, t);
    paintIdealEnd(painter, t);
    paintMarked(painter, t);
    header.paint(painter, area, t);
    if (!pointer.hoversOver(area)) return;
    const std::int64_t warp = warpAt(pointer.x, pointer.y);
    const auto row = static_cast<unsigned long long>(std::max(0.0, area.y.value(pointer.y)));
    std::string words = filled(translate("Charts", "multiprocessor %1"), {groupedText(row)});
    words += " · ";
    words += warp < 0 ? translate("Charts", "idle") : warpWords(*report, std::size_t(warp));
    paintTag(painter, area, words, pointer.x, pointer.y, t);
  }
};

MultiprocessorChart::MultiprocessorChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  zoomAlongX(*impl_, p.pointer, p.area);
  p.pointer.onClick = [&p](double x, double y) {
    if (p.onPick) p.onPick(p.warpAt(x, y));
  };
}

void MultiprocessorChart::setData(std::shared_ptr<const LoadReport> report) {
  Parts& p = *parts_;
  p.report = std::move(report);
  p.marked = -1;
  impl_->dataSet(!p.report || p.report->warps.empty() || p.report->multiprocessors < 1);
  if (impl_->empty) return;
  p.begin = p.report->warps.front().start;
  double end = p.begin;
  for (const WarpLoad& warp : p.report->warps) {
    p.begin = std::min(p.begin, warp.start);
    end = std::max(end, warp.end);
  }
  const double span = end > p.begin ? (end - p.begin) * p.scale() : 1;
  p.pointer.window.setFull(0, 1.02 * span, span / 1000);
}

void MultiprocessorChart::setMarked(std::int64_t warp) {
  Parts& p = *parts_;
  const bool known = !impl_->empty && warp >= 0 && std::size_t(warp) < p.report->warps.size();
  p.marked = known ? warp : -1;
  if (!known) return;
  const WarpLoad& load = p.report->warps[std::size_t(warp)];
  p.pointer.window.reveal(p.toAxis((load.start + load.end) / 2));
}

void MultiprocessorChart::setOnPick(WarpPickFn onPick) { parts_->onPick = std::move(onPick); }

MakeTable MultiprocessorChart::table() const {
  return [report = parts_->report, begin = parts_->begin] {
    const bool measured = report && report->measured;
    const std::string unit = measured ? "ms" : report ? columnName(stepsName(*report)) : "steps";
    DataTable table{{"warp", "multiprocessor", "start_" + unit, "end_" + unit}, {}};
    if (!report) return table;
    const double scale = measured ? 1000 : 1;
    for (const WarpLoad& warp : report->warps)
      table.rows.push_back({std::to_string(warp.number), std::to_string(warp.multiprocessor),
                            exactNumber(scale * (warp.start - begin)),
                            exactNumber(scale * (warp.end - begin))});
    return table;
  };
}

std::uint64_t MultiprocessorChart::longTableRows() const {
  return parts_->report ? parts_->report->warps.size() : 0;
}

}  // namespace clusterloom
