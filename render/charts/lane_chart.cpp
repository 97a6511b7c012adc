#include "render/charts/lane_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "render/charts/axis_window.h"
#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/lane_columns.h"
#include "render/charts/load_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/colour_vision.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

struct LaneChart::Parts : ChartParts {
  std::shared_ptr<const WarpTrace> trace;
  std::int64_t cursor = -1;
  std::int64_t markedPoint = -1;
  LaneStepFn onCursor;
  PlotArea area;
  ZoomPointer pointer;

  static constexpr std::uint32_t kLanes = WarpTrace::kLanes;

  bool hasQuery(std::uint32_t lane) const { return trace->queryPoint[lane] != WarpTrace::kNothing; }
  std::int64_t markedLane() const {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      if (hasQuery(lane) && trace->queryPoint[lane] == markedPoint) return lane;
    return -1;
  }
  std::uint32_t laneAt(double y) const {
    // Lane 0 is at the top, as it is read.
    const double row = static_cast<double>(kLanes) - area.y.value(y);
    return static_cast<std::uint32_t>(std::clamp(row, 0.0, kLanes - 0.5));
  }
  std::size_t stepAt(double x) const {
    const auto last = static_cast<double>(trace->steps() - 1);
    return static_cast<std::size_t>(std::clamp(std::floor(area.x.value(x)), 0.0, last));
  }

  void paintLanes(Painter& painter, const Theme& t) const {
    const auto room =
        static_cast<std::size_t>(std::max(1.0, (area.right - area.left) / painter.ratio()));
    std::vector<std::size_t> firsts;
    const std::vector<LaneSpan> spans =
        laneColumns(*trace, pointer.window.low, pointer.window.high, room, firsts);
    if (spans.empty()) return;
    const std::size_t columns = firsts.size() - 1;
    const Colour idle = idleColour(t);
    std::vector<Colour> colours(spans.size());
    for (std::size_t c = 0; c < columns; ++c)
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const LaneSpan& span = spans[c * kLanes + lane];
        colours[(kLanes - 1 - lane) * columns + c] =
            !hasQuery(lane) ? t.ground
                            : mix(idle, loopColour(t, span.loop), static_cast<double>(span.active));
      }
    // Columns of one step each begin and end where their steps do, which may be beyond the edges.
    const double from = area.x.pixel(static_cast<double>(firsts.front()));
    const double to = area.x.pixel(static_cast<double>(firsts.back()));
    painter.pixels(from, area.bottom, to - from, area.top - area.bottom, static_cast<int>(columns),
                   static_cast<int>(kLanes), colours);
    coverEdges(painter, t, from, to);
  }

  void coverEdges(Painter& painter, const Theme& t, double from, double to) const {
    const double height = area.top - area.bottom;
    if (from < area.left) painter.rectangle(from, area.bottom, area.left - from, height, t.ground);
    if (to > area.right)
      painter.rectangle(area.right, area.bottom, to - area.right, height, t.ground);
  }

  void paintAxesOf(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    const Ticks across =
        area.x.ticks(std::max(2, static_cast<int>((area.right - area.left) / (84 * r))));
    for (const double value : across.values) {
      if (value != std::floor(value)) continue;
      const double x = area.x.pixel(value);
      painter.line(x, area.bottom - 4 * r, x, area.bottom, t.line);
      painter.text(tickNumber(value + static_cast<double>(trace->firstStep)), x,
                   area.bottom - 6 * r, Across::Centre, Along::Top, t.faintText, 10.5);
    }
    for (const std::uint32_t lane : {0U, 8U, 16U, 24U, 31U}) {
      const double y = area.y.pixel(kLanes - lane - 0.5);
      painter.text(std::to_string(lane), area.left - 6 * r, y, Across::Right, Along::Centre,
                   t.faintText, 10.5);
    }
    paintFrame(painter, area, t, translate("Charts", "step of the warp"),
               translate("Charts", "lane"));
  }

  std::string words(std::size_t step, std::uint32_t lane) const {
    if (!hasQuery(lane))
      return filled(translate("Charts", "lane %1 has no query"), {std::to_string(lane)});
    const std::string text =
        filled(translate("Charts", "lane %1 (point %2) · step %3, %4"),
               {std::to_string(lane), groupedText(trace->queryPoint[lane]),
                groupedText(trace->firstStep + step + 1), loopWord(trace->loopOfStep[step])});
    if (!trace->active(step, lane)) return text + " · " + translate("Charts", "idle");
    const std::uint32_t at = trace->at(step, lane);
    switch (trace->loopOfStep[step]) {
      case Loop::Candidate:
        return text + " · " +
               filled(translate("Charts", "compares with point %1"), {groupedText(at)});
      case Loop::Hit:
        return text + " · " +
               filled(translate("Charts", "point %1 is within ε"), {groupedText(at)});
      case Loop::Cell:
      case Loop::Search: break;
    }
    return text;
  }

  void paintCursor(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    if (const std::int64_t lane = markedLane(); lane >= 0) {
      const double y = area.y.pixel(static_cast<double>(kLanes - lane - 1));
      const double height = area.y.pixel(1) - area.y.pixel(0);
      painter.frame(area.left, y, area.right - area.left, height, t.accent, 1.5);
    }
    if (cursor < 0) return;
    const double left = area.x.pixel(static_cast<double>(cursor));
    const double right = area.x.pixel(static_cast<double>(cursor) + 1);
    if (right < area.left || left > area.right) return;
    const double from = std::max(left, area.left);
    painter.frame(from, area.bottom, std::max(std::min(right, area.right) - from, r),
                  area.top - area.bottom, t.accent, 2);
  }

  ChartHeader headerOf(const Theme& t) const {
    ChartHeader header;
    for (const Loop loop : {Loop::Cell, Loop::Search, Loop::Candidate, Loop::Hit})
      header.addEntry(loopWord(loop), loopColour(t, loop));
    header.addEntry(translate("Charts", "idle"), idleColour(t));
    std::string title =
        filled(translate("Charts", "modelled · warp %1"), {groupedText(trace->load.number)});
    if (trace->steps() < trace->allSteps)
      title += " · " + filled(translate("Charts", "%1 of %2 steps"),
                              {withUnit(static_cast<double>(trace->steps())),
                               withUnit(static_cast<double>(trace->allSteps))});
    if (trace->machine) title += machinePart(*trace->machine);
    header.setTitle(title);
    return header;
  }

  /// The words of a tag; where its lines would hide half of the lanes, only the parts that fit on
  /// one line, maybe none.
  std::string fitting(Painter& painter, std::string words) const {
    constexpr double kSize = 12;
    constexpr double kLine = 16;
    const double room = area.right - area.left - 22 * painter.ratio();
    const auto width = [&] { return painter.widthOf(words, kSize, true); };
    const double lines = std::ceil(width() / std::max(1.0, room));
    if (2 * lines * kLine * painter.ratio() <= area.top - area.bottom) return words;
    while (width() > room) {
      const std::size_t cut = words.rfind(" · ");
      if (cut == std::string::npos) return {};
      words.resize(cut);
    }
    return words;
  }

  void paint(Painter& painter, const Theme& t, double r) {
    layOut(area, *chart, pointer.window, static_cast<double>(kLanes));
    ChartHeader header = headerOf(t);
    header.layOut(r, area);
    paintLanes(painter, t);
    paintAxesOf(painter, t);
    paintCursor(painter, t);
    header.paint(painter, area, t);
    if (pointer.hoversOver(area)) {
      paintTag(painter, area, words(stepAt(pointer.x), laneAt(pointer.y)), pointer.x, pointer.y, t);
    } else if (cursor >= 0) {
      const std::int64_t lane = std::max<std::int64_t>(markedLane(), 0);
      const std::string shown = fitting(
          painter, words(static_cast<std::size_t>(cursor), static_cast<std::uint32_t>(lane)));
      if (!shown.empty())
        paintTag(painter, area, shown, area.right, area.top, Across::Right, Along::Top, t.accent,
                 t);
    }
  }

  void take(std::size_t step, std::uint32_t lane) {
    cursor = static_cast<std::int64_t>(step);
    pointer.window.reveal(static_cast<double>(step) + 0.5);
    if (onCursor) onCursor(step, lane);
  }
};

LaneChart::LaneChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  zoomAlongX(*impl_, p.pointer, p.area);
  p.pointer.onClick = [&p](double x, double y) { p.take(p.stepAt(x), p.laneAt(y)); };
  impl_->chosen = [&p] {
    if (p.cursor < 0) return std::string();
    return p.words(static_cast<std::size_t>(p.cursor),
                   static_cast<std::uint32_t>(std::max<std::int64_t>(p.markedLane(), 0)));
  };
  p.pointer.onStep = [&p](int by) {
    const auto last = static_cast<std::int64_t>(p.trace->steps()) - 1;
    const std::int64_t step = p.cursor < 0 ? (by > 0 ? 0 : last) : p.cursor + by;
    const std::int64_t lane = std::max<std::int64_t>(p.markedLane(), 0);
    p.take(static_cast<std::size_t>(std::clamp<std::int64_t>(step, 0, last)),
           static_cast<std::uint32_t>(lane));
  };
}

void LaneChart::setData(std::shared_ptr<const WarpTrace> trace) {
  Parts& p = *parts_;
  p.trace = std::move(trace);
  p.cursor = -1;
  impl_->dataSet(!p.trace || p.trace->steps() == 0);
  if (impl_->empty) return;
  const auto n = static_cast<double>(p.trace->steps());
  p.pointer.window.setFull(0, n, std::min(n, 16.0));
  p.pointer.window.showAll();  // also for another warp with as many steps
}

void LaneChart::setCursor(std::int64_t step) {
  Parts& p = *parts_;
  const bool known =
      !impl_->empty && step >= 0 && static_cast<std::size_t>(step) < p.trace->steps();
  p.cursor = known ? step : -1;
  if (known) p.pointer.window.reveal(static_cast<double>(step) + 0.5);
}

void LaneChart::showAroundCursor(std::size_t steps) {
  Parts& p = *parts_;
  if (p.cursor < 0 || steps == 0 || !p.pointer.window.isWhole()) return;
  const double all = p.pointer.window.high - p.pointer.window.low;
  const double at = static_cast<double>(p.cursor) + 0.5;
  p.pointer.window.zoom(std::max(1.0, all / static_cast<double>(steps)), at);
  p.pointer.window.reveal(at);
}

std::int64_t LaneChart::cursor() const { return parts_->cursor; }

void LaneChart::setMarkedPoint(std::int64_t point) { parts_->markedPoint = point; }

void LaneChart::setOnCursor(LaneStepFn onCursor) { parts_->onCursor = std::move(onCursor); }

MakeTable LaneChart::table() const {
  return [trace = parts_->trace] {
    // A lane's column holds 1 where the lane is active and 0 where it idles.
    DataTable table{{"step", "loop"}, {}};
    for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane)
      table.names.push_back("lane_" + std::to_string(lane));
    if (!trace) return table;
    for (std::size_t step = 0; step < trace->steps(); ++step) {
      std::vector<std::string> row{std::to_string(trace->firstStep + step + 1),
                                   loopName(trace->loopOfStep[step])};
      for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane)
        row.emplace_back(trace->active(step, lane) ? "1" : "0");
      table.rows.push_back(std::move(row));
    }
    return table;
  };
}

MakeWords LaneChart::valueWords() const {
  return [trace = parts_->trace] {
    std::vector<std::string> words;
    if (!trace) return words;
    const auto hasQuery = [&](std::uint32_t lane) {
      return trace->queryPoint[lane] != WarpTrace::kNothing;
    };
    std::array<std::size_t, WarpTrace::kLanes> steps{};
    for (std::size_t step = 0; step < trace->steps(); ++step)
      for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane)
        steps[lane] += trace->active(step, lane) ? 1 : 0;
    std::vector<std::uint32_t> lanes;
    std::size_t sum = 0;
    for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane) {
      if (!hasQuery(lane)) continue;
      lanes.push_back(lane);
      sum += steps[lane];
    }
    if (lanes.empty()) return words;
    const auto fewer = [&](std::uint32_t a, std::uint32_t b) { return steps[a] < steps[b]; };
    const std::uint32_t longest = *std::max_element(lanes.begin(), lanes.end(), fewer);
    const std::uint32_t shortest = *std::min_element(lanes.begin(), lanes.end(), fewer);
    if (steps[longest] == steps[shortest]) {
      words.push_back(filled(translate("Charts", "every lane is active in %1 steps"),
                             {groupedText(steps[longest])}));
    } else {
      words.push_back(filled(translate("Charts", "lane %1: %2 steps, longest"),
                             {std::to_string(longest), groupedText(steps[longest])}));
      words.push_back(filled(translate("Charts", "lane %1: %2 steps, shortest"),
                             {std::to_string(shortest), groupedText(steps[shortest])}));
      words.push_back(filled(translate("Charts", "on average %1"),
                             {shortNumber(double(sum) / double(lanes.size()))}));
    }
    if (lanes.size() < WarpTrace::kLanes)
      words.push_back(filled(translate("Charts", "lanes without a query: %1"),
                             {std::to_string(WarpTrace::kLanes - lanes.size())}));
    return words;
  };
}

std::uint64_t LaneChart::longTableRows() const {
  return parts_->trace ? parts_->trace->steps() : 0;
}

}  // namespace clusterloom
