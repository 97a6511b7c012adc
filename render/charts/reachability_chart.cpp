#include "render/charts/reachability_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/number_text.h"
#include "render/charts/chart_parts.h"
#include "render/charts/dragged_eps.h"
#include "render/charts/load_parts.h"
#include "render/paint/palette.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr int kRangeAlpha = 90;           // of the part of a column that only some bars reach
constexpr std::size_t kLeastVisible = 8;  // bars, when zoomed in

/// What the bars of one column of pixels have in common.
struct Column {
  double lowest = std::numeric_limits<double>::infinity();  // squared
  double highest = 0;                                       // squared
  std::int32_t label = kNoise;                              // of its lowest bar
};

}  // namespace

struct ReachabilityChart::Parts : ChartParts {
  std::shared_ptr<const Reachability> plot;
  std::shared_ptr<const Clustering> clustering;
  std::shared_ptr<const std::vector<std::int32_t>> colours;  ///< of its clusters; null: numbers
  std::int64_t marked = -1;                                  ///< point
  std::size_t markedBar = 0;                                 ///< its bar
  DraggedEps eps;
  ZoomPointer pointer;
  PlotArea area;
  std::function<void(std::uint32_t)> onPick;

  std::size_t bars() const { return plot->order.size(); }

  void take(std::shared_ptr<const Reachability> taken) {
    plot = std::move(taken);
    chart->dataSet(!plot || plot->order.size() < 2);
    marked = -1;
    if (chart->empty) return;
    const auto n = double(bars());
    pointer.window.setFull(0, n, std::min(n, double(kLeastVisible)));
  }

  void layOutAxes(double ratio) {
    area.layOut(chart->width, chart->height, ratio, false);
    area.x.low = pointer.window.low;
    area.x.high = pointer.window.high;
    area.x.whole = true;
    const double low = std::sqrt(plot->lowestSquared);
    const double high = std::sqrt(plot->highestSquared);
    const double margin = std::max(1.05, std::pow(high / low, 0.06));
    area.y = {low / margin, high * margin, true, area.y.from, area.y.to};
  }

  std::int32_t labelOf(std::size_t bar) const {
    if (!clustering || clustering->labels.size() != bars()) return kNoise;
    return clustering->labels[plot->order[bar]];
  }

  Colour colourOf(std::int32_t label) const {
    if (label < 0) return noiseColour(chart->background);
    const auto at = std::size_t(label);
    return clusterColour(colours && at < colours->size() ? (*colours)[at] : label,
                         chart->background);
  }

  Column columnOf(std::size_t begin, std::size_t end) const {
    Column column;
    std::size_t lowestBar = begin;
    for (std::size_t i = begin; i < end; ++i) {
      const double height = plot->squaredHeight[i];
      column.highest = std::max(column.highest, height);
      if (height >= column.lowest) continue;
      column.lowest = height;
      lowestBar = i;
    }
    column.label = labelOf(lowestBar);
    return column;
  }

  double y(double squaredHeight) const {
    return std::isinf(squaredHeight)
               ? area.top
               : std::clamp(area.y.pixel(std::sqrt(squaredHeight)), area.bottom, area.top);
  }

  /// Bars as columns of at least one step of the painter; neighbours of one colour in one stroke.
  void paintBars(Painter& painter, const Theme& t) const {
    const double step = std::max(1.0, painter.leastStep());
    std::vector<float> edges;
    std::vector<float> lows;
    std::vector<float> highs;
    std::int32_t label = kNoise;
    const auto flush = [&] {
      if (lows.empty()) return;
      const Colour colour = colourOf(label);
      painter.bars(edges, area.bottom, highs, colour, kRangeAlpha);
      painter.bars(edges, area.bottom, lows, colour);
      lows.clear();
      highs.clear();
    };
    const auto last = std::size_t(std::ceil(std::min(area.x.high, double(bars()))));
    auto bar = std::size_t(std::max(0.0, std::floor(area.x.low)));
    while (bar < last) {
      const double left = std::max(area.left, area.x.pixel(double(bar)));
      const auto after =
          std::size_t(std::max(double(bar) + 1, std::floor(area.x.value(left + step))));
      const std::size_t end = std::min(after, last);
      const Column column = columnOf(bar, end);
      if (lows.empty() || column.label != label) {
        flush();
        label = column.label;
        edges.assign(1, float(left));
      }
      edges.push_back(float(std::min(area.right, area.x.pixel(double(end)))));
      lows.push_back(float(y(column.lowest)));
      highs.push_back(float(y(column.highest)));
      bar = end;
    }
    flush();
    if (marked >= 0) {
      const double px = area.x.pixel(double(markedBar) + 0.5);
      if (px >= area.left && px <= area.right)
        painter.line(px, area.bottom, px, area.top, t.accent, 1);
    }
  }

  /// The bar under a pixel of the area.
  std::size_t barAt(double px) const {
    return std::min(bars() - 1, std::size_t(std::max(0.0, area.x.value(px))));
  }

  std::string words(std::size_t bar) const {
    const double height = plot->squaredHeight[bar];
    std::string text =
        filled(translate("Charts", "point %1"), {groupedText(std::size_t{plot->order[bar]})});
    text += " · ";
    text += std::isinf(height) ? translate("Charts", "first in the order")
                               : filled(translate("Charts", "reachable from ε %1"),
                                        {shortNumber(std::sqrt(height))});
    const std::int32_t label = labelOf(bar);
    return text + " · " +
           (label < 0
                ? translate("Charts", "noise")
                : filled(translate("Charts", "cluster %1"), {groupedText(std::size_t(label))}));
  }

  void paint(Painter& painter, const Theme& t, double r) {
    layOutAxes(r);
    paintAxes(painter, area, t, translate("Charts", "points in the order of the tree of clusters"),
              translate("Charts", "reachability (ε)"));
    paintBars(painter, t);
    paintTitle(
        painter, area, t,
        filled(translate("Charts", "%1 points · mutual reachability"), {groupedText(bars())}),
        area.left);
    paintEpsLine(painter, area, eps, t);
    if (!pointer.hoversOver(area) || eps.dragging) return;
    paintTag(painter, area, words(barAt(pointer.x)), pointer.x, pointer.y, t);
  }
};

ReachabilityChart::ReachabilityChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  dragLineOrZoom(*impl_, p.eps, p.pointer, p.area);
  p.pointer.onClick = [&p](double x, double) {
    if (p.onPick) p.onPick(p.plot->order[p.barAt(x)]);
  };
}

void ReachabilityChart::setData(std::shared_ptr<const Reachability> plot) {
  parts_->take(std::move(plot));
}

void ReachabilityChart::setClustering(std::shared_ptr<const Clustering> clustering,
                                      std::shared_ptr<const std::vector<std::int32_t>> colours) {
  if (parts_->clustering != clustering || parts_->colours != colours) ++impl_->revision;
  parts_->clustering = std::move(clustering);
  parts_->colours = std::move(colours);
}

void ReachabilityChart::setOnPick(std::function<void(std::uint32_t)> onPick) {
  parts_->onPick = std::move(onPick);
}

void ReachabilityChart::setMarked(std::int64_t point) {
  Parts& p = *parts_;
  p.marked = -1;
  if (!p.plot || point < 0) return;
  const auto at = std::find(p.plot->order.begin(), p.plot->order.end(), std::uint32_t(point));
  if (at == p.plot->order.end()) return;
  p.marked = point;
  p.markedBar = std::size_t(at - p.plot->order.begin());
}

MakeTable ReachabilityChart::table() const {
  return [plot = parts_->plot, clustering = parts_->clustering] {
    DataTable table{{"position", "point", "reachability", "label"}, {}};
    if (!plot) return table;
    const bool labelled = clustering && clustering->labels.size() == plot->order.size();
    for (std::size_t i = 0; i < plot->order.size(); ++i) {
      const std::uint32_t point = plot->order[i];
      table.rows.push_back({exactNumber(std::uint64_t{i}), exactNumber(std::uint64_t{point}),
                            exactNumber(std::sqrt(plot->squaredHeight[i])),
                            labelled ? std::to_string(clustering->labels[point]) : std::string()});
    }
    return table;
  };
}

std::uint64_t ReachabilityChart::longTableRows() const {
  return parts_->plot ? parts_->plot->order.size() : 0;
}

}  // namespace clusterloom
