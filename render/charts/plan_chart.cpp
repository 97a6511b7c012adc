#include "render/charts/plan_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/number_text.h"
#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/paint/palette.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

/// A curve of the chart: seconds of a forecast, all rounds together.
struct Series {
  std::string (*name)();
  double (*seconds)(const RanksForecast& forecast);
  double width;
};

double rounds(const RanksForecast& f) { return double(f.ranks); }

const std::array<Series, 8>& allSeries() {
  static const std::array<Series, 8> series{
      {{[] { return translate("Charts", "ring join"); },
        [](const RanksForecast& f) { return f.ring.total; }, 3},
       {[] { return translate("Charts", "index"); },
        [](const RanksForecast& f) { return rounds(f) * f.ring.index; }, 1.5},
       {[] { return translate("Charts", "join"); },
        [](const RanksForecast& f) { return rounds(f) * f.ring.join; }, 1.5},
       {[] { return translate("Charts", "transfer"); },
        [](const RanksForecast& f) { return (rounds(f) - 1) * f.ring.transfer; }, 1.5},
       {[] { return translate("Charts", "move"); },
        [](const RanksForecast& f) { return f.ring.move; }, 1.5},
       {[] { return translate("Charts", "replicated join"); },
        [](const RanksForecast& f) { return f.replicated.queue; }, 3},
       {[] { return translate("Charts", "fixed deal"); },
        [](const RanksForecast& f) { return f.replicated.fixed; }, 1.5},
       {[] { return translate("Charts", "of single queries"); },
        [](const RanksForecast& f) { return f.replicated.single; }, 1.5}}};
  return series;
}

}  // namespace

struct PlanChart::Parts : ChartParts {
  std::shared_ptr<const RankPlan> plan;
  PlotArea area;
  Hover pointer;

  const std::vector<RanksForecast>& forecasts() const { return plan->forecasts; }
  double perfect(const RanksForecast& f) const { return plan->oneRank / double(f.ranks); }

  void layOutAxes(double ratio) {
    area.layOut(chart->width, chart->height, ratio, false);
    double low = INFINITY;
    double high = 0;
    const auto take = [&](double seconds) {
      if (!(seconds > 0)) return;
      low = std::min(low, seconds);
      high = std::max(high, seconds);
    };
    for (const RanksForecast& f : forecasts()) {
      for (const Series& series : allSeries()) take(series.seconds(f));
      take(perfect(f));
    }
    if (!(high > 0)) low = high = 1;
    // No more than six decades: phases that take next to nothing are at the low end.
    low = std::max(low, high * 1e-6);
    area.y = {low / 1.3, high * 1.3, true, area.y.from, area.y.to};
    const auto first = double(forecasts().front().ranks);
    const auto last = double(forecasts().back().ranks);
    area.x = {first / 1.15, last * 1.15, true, area.x.from, area.x.to};
  }

  void paintSeries(Painter& painter, std::size_t s) const {
    const Series& series = allSeries()[s];
    const Colour colour = clusterColour(std::int32_t(s), chart->background);
    std::vector<double> x;
    std::vector<double> y;
    for (const RanksForecast& f : forecasts()) {
      x.push_back(double(f.ranks));
      y.push_back(series.seconds(f));
    }
    paintCurve(painter, area, area.y, x, y, colour, series.width);
    const double half = 2.5 * painter.ratio();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (y[i] < area.y.low) continue;
      painter.rectangle(area.x.pixel(x[i]) - half, area.y.pixel(y[i]) - half, 2 * half, 2 * half,
                        colour);
    }
  }

  void paintPerfect(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    const RanksForecast& first = forecasts().front();
    const RanksForecast& last = forecasts().back();
    const double x0 = area.x.pixel(double(first.ranks));
    const double x1 = area.x.pixel(double(last.ranks));
    const double y0 = area.y.pixel(perfect(first));
    const double y1 = area.y.pixel(perfect(last));
    const double length = std::max(1.0, std::hypot(x1 - x0, y1 - y0));
    for (double at = 0; at < length; at += 9 * r) {
      const double from = at / length;
      const double to = std::min(1.0, (at + 4 * r) / length);
      painter.line(std::lerp(x0, x1, from), std::lerp(y0, y1, from), std::lerp(x0, x1, to),
                   std::lerp(y0, y1, to), t.faintText, 1.5);
    }
  }

  std::string words(std::size_t i) const {
    const RanksForecast& f = forecasts()[i];
    std::string text = countedText("Charts", "%1 ranks", "1 rank", f.ranks);
    text += " · " +
            filled(translate("Charts", "ring %1, efficiency %2"),
                   {forecastText(f.ring.total), percentText(plan->efficiency(i, f.ring.total))});
    text += " · " + filled(translate("Charts", "index %1, join %2, imbalance %3"),
                           {forecastText(rounds(f) * f.ring.index),
                            forecastText(rounds(f) * f.ring.join), percentText(f.ring.imbalance)});
    text += " · " + filled(translate("Charts", "replicated %1, efficiency %2"),
                           {forecastText(f.replicated.queue),
                            percentText(plan->efficiency(i, f.replicated.queue))});
    return text + " · " +
           filled(translate("Charts", "by a fixed deal %1, of single queries %2"),
                  {forecastText(f.replicated.fixed), forecastText(f.replicated.single)});
  }

  static std::string forecastText(double seconds) {
    return seconds < 1 ? measuredNumber(1000 * seconds) + " ms" : measuredNumber(seconds) + " s";
  }

  std::size_t nearest(double px) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < forecasts().size(); ++i) {
      const auto at = [&](std::size_t k) {
        return std::abs(area.x.pixel(double(forecasts()[k].ranks)) - px);
      };
      if (at(i) < at(best)) best = i;
    }
    return best;
  }

  void paint(Painter& painter, const Theme& t, double r) {
    layOutAxes(r);
    ChartHeader header;
    for (std::size_t s = 0; s < allSeries().size(); ++s)
      header.addEntry(allSeries()[s].name(), clusterColour(std::int32_t(s), chart->background));
    header.addEntry(translate("Charts", "without loss"), t.faintText);
    header.layOut(r, area);
    for (const double value : area.y.ticks(6).values) {
      const double y = area.y.pixel(value);
      painter.line(area.left, y, area.right, y, t.faintLine);
      painter.text(tickNumber(value), area.left - 6 * r, y, Across::Right, Along::Centre,
                   t.faintText, 10.5);
    }
    double last = -INFINITY;
    for (const RanksForecast& f : forecasts()) {
      const double x = area.x.pixel(double(f.ranks));
      painter.line(x, area.bottom, x, area.top, t.faintLine);
      const std::string name = groupedText(f.ranks);
      const double half = painter.widthOf(name, 10.5) / 2;
      if (x - half < last) continue;
      last = x + half + 6 * r;
      painter.text(name, x, area.bottom - 6 * r, Across::Centre, Along::Top, t.faintText, 10.5);
    }
    paintFrame(painter, area, t, translate("Charts", "ranks"), translate("Charts", "seconds"));
    paintPerfect(painter, t);
    for (std::size_t s = allSeries().size(); s-- > 0;) paintSeries(painter, s);
    header.paint(painter, area, t);
    if (!pointer.isOver(area)) return;
    const std::size_t i = nearest(pointer.x);
    const double x = area.x.pixel(double(forecasts()[i].ranks));
    painter.line(x, area.bottom, x, area.top, t.line);
    paintTag(painter, area, words(i), x + 8 * r, pointer.y + 4 * r, Across::Left, Along::Bottom,
             t.text, t);
  }
};

PlanChart::PlanChart() : parts_(partsOf<Parts>(*impl_)) { followPointer(*impl_, parts_->pointer); }

void PlanChart::setData(std::shared_ptr<const RankPlan> plan) {
  parts_->plan = std::move(plan);
  impl_->dataSet(!parts_->plan || parts_->plan->forecasts.empty());
}

MakeTable PlanChart::table() const {
  return [plan = parts_->plan] {
    DataTable table{{"ranks", "ring_seconds", "ring_index_seconds", "ring_join_seconds",
                     "ring_transfer_seconds", "ring_move_seconds", "ring_imbalance",
                     "ring_memory_bytes", "replicated_seconds", "replicated_fixed_seconds",
                     "replicated_single_seconds", "replicated_memory_bytes"},
                    {}};
    if (!plan) return table;
    for (const RanksForecast& f : plan->forecasts) {
      const auto& series = allSeries();
      table.rows.push_back({exactNumber(f.ranks), exactNumber(series[0].seconds(f)),
                            exactNumber(series[1].seconds(f)), exactNumber(series[2].seconds(f)),
                            exactNumber(series[3].seconds(f)), exactNumber(series[4].seconds(f)),
                            exactNumber(f.ring.imbalance), exactNumber(f.ring.memory),
                            exactNumber(series[5].seconds(f)), exactNumber(series[6].seconds(f)),
                            exactNumber(series[7].seconds(f)), exactNumber(f.replicated.memory)});
    }
    return table;
  };
}

}  // namespace clusterloom
