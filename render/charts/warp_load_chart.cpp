#include "render/charts/warp_load_chart.h"

#include <algorithm>
#include <utility>

#include "render/charts/axis_window.h"
#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/load_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

struct WarpLoadChart::Parts : ChartParts {
  std::shared_ptr<const LoadReport> report;
  std::string name;
  double fullHeight = 0;
  double mostSteps = 1;
  std::int64_t marked = -1;
  std::optional<WarpLoad> outside;
  WarpPickFn onPick;
  PlotArea area;
  ZoomPointer pointer;

  std::size_t warps() const { return report->warps.size(); }

  /// Edges of the columns in pixels: one more than columns.
  std::vector<float> edgesOf(const std::vector<WarpColumn>& columns) const {
    std::vector<float> edges;
    edges.reserve(columns.size() + 1);
    const auto pixel = [&](std::size_t warp) {
      return float(std::clamp(area.x.pixel(double(warp)), area.left, area.right));
    };
    for (const WarpColumn& column : columns) edges.push_back(pixel(column.first));
    edges.push_back(pixel(columns.back().end));
    return edges;
  }

  void paintColumns(Painter& painter, const Theme& t,
                    const std::vector<WarpColumn>& columns) const {
    const double r = painter.ratio();
    const std::vector<float> edges = edgesOf(columns);
    const bool merged = columns.front().end - columns.front().first > 1 ||
                        columns.back().end - columns.back().first > 1;
    std::vector<float> steps;
    std::vector<float> busy;
    for (const WarpColumn& column : columns) {
      steps.push_back(float(std::min(area.y.pixel(column.steps), area.top)));
      busy.push_back(float(std::min(area.y.pixel(column.busy), area.top)));
    }
    const auto width = double(edges[1] - edges[0]);
    if (!merged && width > 5 * r) {
      // Bars wide enough for gaps.
      const double gap = std::min(0.15 * width, 4 * r);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const double left = double(edges[i]) + gap / 2;
        const double wide = std::max(1.0, double(edges[i + 1] - edges[i]) - gap);
        painter.rectangle(left, area.bottom, wide, double(steps[i]) - area.bottom, idleColour(t));
        painter.rectangle(left, area.bottom, wide, double(busy[i]) - area.bottom, t.series[0]);
      }
      return;
    }
    painter.bars(edges, area.bottom, steps, idleColour(t));
    painter.bars(edges, area.bottom, busy, t.series[0]);
    if (!merged) return;
    std::vector<float> longest;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto y = float(std::min(area.y.pixel(columns[i].most), area.top));
      longest.insert(longest.end(), {edges[i], y, edges[i + 1], y});
    }
    painter.polyline(longest, t.line, 1);
  }

  void paintBatches(Painter& painter, const Theme& t) const {
    for (std::size_t w = 1; w < warps(); ++w) {
      if (report->warps[w].batch == report->warps[w - 1].batch) continue;
      const double x = area.x.pixel(double(w));
      if (x > area.left && x < area.right)
        painter.line(x, area.bottom, x, area.top, t.line, 1, 110);
    }
  }

  /// The place of a warp outside the sample: before this index.
  std::int64_t placeOfOutside() const {
    const auto at = std::lower_bound(
        report->warps.begin(), report->warps.end(), outside->number,
        [](const WarpLoad& warp, std::uint32_t number) { return warp.number < number; });
    return at - report->warps.begin();
  }

  // Frames a bar that goes from `left` to `right`, or crosses the plot there if it is too narrow.
  void paintMark(Painter& painter, const Theme& t, const WarpLoad& warp, double left, double right,
                 const std::string& remark) const {
    const double r = painter.ratio();
    if (right < area.left || left > area.right) return;
    const double top = std::max(
        std::min(area.y.pixel(workOf(warp, report->weights).steps), area.top), area.bottom + 2 * r);
    const double from = std::max(left, area.left);
    const double to = std::min(right, area.right);
    if (to - from > 4 * r) {
      painter.frame(from, area.bottom, to - from, top - area.bottom, t.accent, 2);
    } else {
      const double x = (from + to) / 2;
      painter.line(x, area.bottom, x, area.top, t.accent, 2);
    }
    paintTag(painter, area,
             filled(translate("Charts", "warp %1"), {groupedText(warp.number)}) + remark,
             to + 4 * r, area.top, Across::Left, Along::Top, t.accent, t);
  }

  void paintMarked(Painter& painter, const Theme& t) const {
    if (marked >= 0 && std::size_t(marked) < warps()) {
      const auto place = double(marked);
      paintMark(painter, t, report->warps[std::size_t(marked)], area.x.pixel(place),
                area.x.pixel(place + 1), {});
    } else if (outside) {
      // Between the bars of its neighbours, hiding neither.
      const double r = painter.ratio();
      const double x = area.x.pixel(double(placeOfOutside()));
      if (x < area.left || x > area.right) return;
      const double width = std::clamp(area.x.pixel(1) - area.x.pixel(0), 6 * r, 14 * r);
      const double left = std::max(area.left, std::min(x - width / 2, area.right - width));
      const WarpWork work = workOf(*outside, report->weights);
      const auto height = [&](double steps) {
        return std::min(area.y.pixel(steps), area.top) - area.bottom;
      };
      painter.rectangle(left, area.bottom, width, height(work.steps), idleColour(t));
      painter.rectangle(left, area.bottom, width, height(work.busy), t.series[0]);
      paintMark(painter, t, *outside, left, left + width,
                translate("Charts", " · outside the sample"));
    }
  }

  std::string hoverWords(const std::vector<WarpColumn>& columns) const {
    const double at = area.x.value(pointer.x);
    const auto column = std::partition_point(
        columns.begin(), columns.end(), [at](const WarpColumn& c) { return double(c.end) <= at; });
    if (column == columns.end()) return {};
    if (column->end - column->first == 1) return warpWords(*report, column->first);
    return filled(
        translate("Charts", "%1 warps from %2 on · mean %3, %4 to %5 %6, %7 busy"),
        {groupedText(column->end - column->first), groupedText(report->warps[column->first].number),
         withUnit(column->steps), withUnit(column->least), withUnit(column->most),
         stepsWord(*report), percentText(column->steps > 0 ? column->busy / column->steps : 0)});
  }

  void paint(Painter& painter, const Theme& t, double r) {
    double height = fullHeight > 0 ? fullHeight : mostSteps;
    if (outside) height = std::max(height, workOf(*outside, report->weights).steps);
    layOut(area, *chart, pointer.window, 1.06 * height);
    area.x.whole = true;
    const auto room = std::size_t(std::max(1.0, (area.right - area.left) / r));
    const std::vector<WarpColumn> columns =
        warpColumns(*report, pointer.window.low, pointer.window.high, room);
    ChartHeader header;
    header.addEntry(translate("Charts", "busy"), t.series[0]);
    header.addEntry(translate("Charts", "idle"), idleColour(t));
    if (columns.size() < std::size_t(pointer.window.high - pointer.window.low))
      header.addEntry(translate("Charts", "longest"), t.line);
    header.setTitle(name.empty() ? loadTitle(*report) : name + " · " + loadTitle(*report));
    header.layOut(r, area);
    const bool sampled = warps() < report->allWarps;
    paintAxes(painter, area, t,
              sampled ? translate("Charts", "sampled warp, in order of launch")
                      : translate("Charts", "warp, in order of launch"),
              stepsWord(*report));
    paintColumns(painter, t, columns);
    if (report->batchBegin.size() <= room / 8) paintBatches(painter, t);
    painter.line(area.left, area.bottom, area.right, area.bottom, t.line);
    paintMarked(painter, t);
    header.paint(painter, area, t);
    if (!pointer.hoversOver(area)) return;
    painter.line(pointer.x, area.bottom, pointer.x, area.top, t.line, 1, 140);
    const std::string words = hoverWords(columns);
    if (!words.empty()) paintTag(painter, area, words, pointer.x, pointer.y, t);
  }

  void pick(std::int64_t warp) const {
    if (onPick) onPick(warp);
  }
};

WarpLoadChart::WarpLoadChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  zoomAlongX(*impl_, p.pointer, p.area);
  p.pointer.onClick = [&p](double x, double) {
    const double at = std::clamp(p.area.x.value(x), 0.0, double(p.warps()) - 0.5);
    p.pick(std::int64_t(at));
  };
  p.pointer.onStep = [&p](int by) {
    const auto last = std::int64_t(p.warps()) - 1;
    if (p.outside)
      return p.pick(std::clamp<std::int64_t>(p.placeOfOutside() + (by > 0 ? 0 : -1), 0, last));
    p.pick(p.marked < 0 ? (by > 0 ? 0 : last) : std::clamp<std::int64_t>(p.marked + by, 0, last));
  };
}

void WarpLoadChart::setData(std::shared_ptr<const LoadReport> report) {
  Parts& p = *parts_;
  p.report = std::move(report);
  p.marked = -1;
  p.outside.reset();
  impl_->dataSet(!p.report || p.report->warps.empty());
  if (impl_->empty) return;
  p.mostSteps = 1;
  for (const WarpLoad& warp : p.report->warps)
    p.mostSteps = std::max(p.mostSteps, workOf(warp, p.report->weights).steps);
  const auto n = double(p.warps());
  p.pointer.window.setFull(0, n, std::min(n, 8.0));
}

void WarpLoadChart::setMarked(std::int64_t warp) {
  Parts& p = *parts_;
  const bool known = !impl_->empty && warp >= 0 && std::size_t(warp) < p.warps();
  p.marked = known ? warp : -1;
  if (known) p.pointer.window.reveal(double(warp) + 0.5);
}

void WarpLoadChart::setMarkedOutside(const std::optional<WarpLoad>& warp) {
  Parts& p = *parts_;
  p.outside = impl_->empty ? std::nullopt : warp;
  if (p.outside) p.pointer.window.reveal(double(p.placeOfOutside()));
}

void WarpLoadChart::setName(const std::string& name) { parts_->name = name; }

void WarpLoadChart::setFullHeight(double steps) { parts_->fullHeight = steps; }

void WarpLoadChart::setOnPick(WarpPickFn onPick) { parts_->onPick = std::move(onPick); }

MakeTable WarpLoadChart::table() const {
  return [report = parts_->report] {
    if (!report) return DataTable{{"warp", "batch", "queries", "steps", "busy_steps"}, {}};
    const std::string unit = columnName(stepsName(*report));
    DataTable table{{"warp", "batch", "queries", unit, "busy_" + unit}, {}};
    for (const WarpLoad& warp : report->warps) {
      const WarpWork work = workOf(warp, report->weights);
      table.rows.push_back({std::to_string(warp.number), std::to_string(warp.batch),
                            std::to_string(warp.tickets), exactNumber(work.steps),
                            exactNumber(work.busy)});
    }
    return table;
  };
}

std::uint64_t WarpLoadChart::longTableRows() const {
  return parts_->report ? parts_->report->warps.size() : 0;
}

}  // namespace clusterloom
