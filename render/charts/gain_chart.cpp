#include "render/charts/gain_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/palette.h"
#include "render/paint/text_font.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr double kGainText = 10.5;
/// Factors nearer to 1 are neither seen nor said.
constexpr double kNoGain = 0.005;

/// "1.93 ×".
std::string factorText(double factor) { return significantNumber(factor, 3) + " ×"; }

/// The name, or as much of its beginning and its end as fits: strategies differ in their ends, as
/// "WORKQUEUE + k = 8" and "WORKQUEUE + LID-UNICOMP".
std::string fittedInMiddle(Painter& painter, const std::string& name, double room) {
  if (painter.widthOf(name, kGainText) <= room) return name;
  std::vector<std::size_t> starts;  // of the characters, in UTF-8
  for (std::size_t i = 0; i < name.size(); ++i)
    if ((static_cast<unsigned char>(name[i]) & 0xC0U) != 0x80U) starts.push_back(i);
  for (std::size_t left = starts.size() / 2; left > 0; --left) {
    std::string shorter =
        name.substr(0, starts[left]) + "…" + name.substr(starts[starts.size() - left]);
    if (painter.widthOf(shorter, kGainText) <= room) return shorter;
  }
  return {};
}

/// What the causes that gain gain together, and what those that lose leave.
struct Reach {
  double low = 1;
  double high = 1;
};
Reach reachOf(const GainCauses& causes) {
  Reach reach;
  for (const double factor : causes.factors()) (factor < 1 ? reach.low : reach.high) *= factor;
  return reach;
}

}  // namespace

std::string causeWord(std::size_t cause) {
  switch (cause) {
    case 0: return translate("Charts", "fewer searches");
    case 1: return translate("Charts", "fewer comparisons");
    case 2: return translate("Charts", "balanced lanes");
    case 3: return translate("Charts", "shorter tail");
    default: return translate("Charts", "memory and the rest");
  }
}

struct GainChart::Parts : ChartParts {
  std::vector<StrategyGain> gains;
  std::string title;
  PlotArea area;
  Hover pointer;

  /// Causes that are known: memory only where loads were measured.
  std::size_t causes() const {
    const bool measured = std::any_of(gains.begin(), gains.end(), [](const StrategyGain& gain) {
      return gain.causes.memory.has_value();
    });
    return GainCauses().factors().size() - (measured ? 0 : 1);
  }
  double row() const { return (area.top - area.bottom) / double(gains.size()); }
  double middle(std::size_t i) const { return area.top - (double(i) + 0.5) * row(); }

  void layOutAxes(double r) {
    const auto wide = [r](const std::string& text) {
      return 1.12 * r * textWidth(text, kGainText, false);
    };
    // Names on the left and gains on the right, but no more than half of the width.
    double names = 0;
    double numbers = 0;
    for (const StrategyGain& gain : gains) {
      names = std::max(names, wide(gain.name));
      numbers = std::max(numbers, wide(factorText(gain.causes.all())));
    }
    const double space = area.right - 12 * r;
    area.left = 12 * r + std::min(names, 0.35 * space);
    area.right = std::max(area.width - 18 * r - std::min(numbers, 0.15 * space), area.left + 1);
    Reach reach{0.8, 1.25};
    for (const StrategyGain& gain : gains) {
      const Reach one = reachOf(gain.causes);
      reach.low = std::min(reach.low, one.low);
      reach.high = std::max(reach.high, one.high);
    }
    area.x = {reach.low / 1.05, reach.high * 1.05, true, area.left, area.right};
  }

  void paintBar(Painter& painter, const Theme& t, std::size_t i) const {
    const double r = painter.ratio();
    const GainCauses& causes = gains[i].causes;
    const double high = std::min(0.6 * row(), 18 * r);
    double gained = 1;
    double lost = 1;
    for (std::size_t cause = 0; cause < causes.factors().size(); ++cause) {
      const double factor = causes.factors()[cause];
      double& reached = factor < 1 ? lost : gained;
      const double from = area.x.pixel(reached);
      reached *= factor;
      const double to = area.x.pixel(reached);
      painter.rectangle(std::min(from, to), middle(i) - high / 2, std::abs(to - from), high,
                        clusterColour(std::int32_t(cause), chart->background));
    }
    const double whole = area.x.pixel(causes.all());
    const double reaches = std::min(high / 2 + 3 * r, row() / 2);
    // Light under dark, so that the mark stands out on each colour.
    painter.line(whole, middle(i) - reaches, whole, middle(i) + reaches, t.ground, 4);
    painter.line(whole, middle(i) - reaches, whole, middle(i) + reaches, t.text, 2);
  }

  void paintAxesOf(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    double lastRight = -1e9;
    const Ticks across = area.x.ticks(std::max(2, int((area.right - area.left) / (40 * r))));
    for (const double value : across.values) {
      const double px = area.x.pixel(value);
      painter.line(px, area.bottom, px, area.top, t.faintLine);
      const std::string label = tickNumber(value);
      const double half = painter.widthOf(label, kGainText) / 2;
      if (px - half < lastRight + 6 * r) continue;
      painter.text(label, px, area.bottom - 6 * r, Across::Centre, Along::Top, t.faintText,
                   kGainText);
      lastRight = px + half;
    }
    paintFrame(painter, area, t,
               filled(translate("Charts", "gain over %1 (factor)"), {gains.front().name}), "");
    painter.line(area.x.pixel(1), area.bottom, area.x.pixel(1), area.top, t.line);
    // Every row has its name and number, or as many as there is space for.
    const auto every = std::size_t(std::max(1.0, std::ceil(12 * r / row())));
    for (std::size_t i = 0; i < gains.size(); i += every) {
      painter.text(fittedInMiddle(painter, gains[i].name, area.left - 12 * r), area.left - 6 * r,
                   middle(i), Across::Right, Along::Centre, t.text, kGainText);
      painter.text(factorText(gains[i].causes.all()), area.right + 6 * r, middle(i), Across::Left,
                   Along::Centre, t.text, kGainText);
    }
  }

  std::string words(std::size_t i) const {
    const GainCauses& causes = gains[i].causes;
    std::string text =
        gains[i].name + " · " + filled(translate("Charts", "gain %1"), {factorText(causes.all())});
    for (std::size_t cause = 0; cause < causes.factors().size(); ++cause)
      if (const double factor = causes.factors()[cause]; std::abs(factor - 1) >= kNoGain)
        text += " · " + causeWord(cause) + " " + factorText(factor);
    return text;
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, false);
    ChartHeader header;
    for (std::size_t cause = 0; cause < causes(); ++cause)
      header.addEntry(causeWord(cause), clusterColour(std::int32_t(cause), chart->background));
    header.addEntry(translate("Charts", "whole gain"), t.text, ChartHeader::Swatch::Line);
    header.setTitle(title);
    PlotArea whole = area;  // the header is as wide as the chart
    whole.left = 12 * r;
    whole.right -= 12 * r;
    header.layOut(r, whole);
    area.top = whole.top;
    layOutAxes(r);
    paintAxesOf(painter, t);
    for (std::size_t i = 0; i < gains.size(); ++i) paintBar(painter, t, i);
    header.paint(painter, whole, t);
    if (!pointer.isOver(area)) return;
    const auto at = std::size_t((area.top - pointer.y) / row());
    paintTag(painter, area, words(std::min(at, gains.size() - 1)), pointer.x, pointer.y, t);
  }
};

GainChart::GainChart() : parts_(partsOf<Parts>(*impl_)) { followPointer(*impl_, parts_->pointer); }

void GainChart::setData(std::vector<StrategyGain> gains, const std::string& title) {
  parts_->gains = std::move(gains);
  parts_->title = title;
  impl_->dataSet(parts_->gains.empty());
}

MakeTable GainChart::table() const {
  return [gains = parts_->gains] {
    DataTable table{{"strategy", "gain", "gain_by_searches", "gain_by_comparisons", "gain_by_lanes",
                     "gain_by_tail", "gain_by_memory_and_rest"},
                    {}};
    for (const StrategyGain& gain : gains) {
      const GainCauses& causes = gain.causes;
      table.rows.push_back({gain.name, exactNumber(causes.all()), exactNumber(causes.searches),
                            exactNumber(causes.comparisons), exactNumber(causes.lanes),
                            exactNumber(causes.tail),
                            causes.memory ? exactNumber(*causes.memory) : std::string()});
    }
    return table;
  };
}

}  // namespace clusterloom
