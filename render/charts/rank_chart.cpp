#include "render/charts/rank_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/core/number_text.h"
#include "render/charts/axis_window.h"
#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/colour_vision.h"
#include "render/paint/palette.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

const char* phaseName(RankPhase phase) {
  static constexpr std::array<const char*, kRankPhases> kNames = {
      "read", "divide", "move", "ghosts", "join", "merge", "number", "write"};
  return kNames[std::size_t(phase)];
}

std::string phaseWord(RankPhase phase) {
  const std::array<std::string, kRankPhases> words = {
      translate("Charts", "read"),   translate("Charts", "divide"), translate("Charts", "move"),
      translate("Charts", "ghosts"), translate("Charts", "join"),   translate("Charts", "merge"),
      translate("Charts", "number"), translate("Charts", "write")};
  return words[std::size_t(phase)];
}

const char* activityName(RankActivity activity) {
  static constexpr std::array<const char*, 3> kNames = {"busy", "waiting", "sending and receiving"};
  return kNames[std::size_t(activity)];
}

std::string activityWord(RankActivity activity) {
  const std::array<std::string, 3> words = {translate("Charts", "busy"),
                                            translate("Charts", "waiting"),
                                            translate("Charts", "sending and receiving")};
  return words[std::size_t(activity)];
}

double secondsOf(const RankStats& rank, RankActivity activity) {
  double seconds = 0;
  for (const RankSpan& span : rank.spans)
    if (span.activity == activity) seconds += span.end - span.begin;
  return seconds;
}

}  // namespace

double imbalanceOf(const std::vector<RankStats>& ranks) {
  double longest = 0;
  double sum = 0;
  for (const RankStats& rank : ranks) {
    const double busy = secondsOf(rank, RankActivity::Busy);
    longest = std::max(longest, busy);
    sum += busy;
  }
  return sum > 0 ? longest * double(ranks.size()) / sum - 1 : 0;
}

std::string rankWords(const std::vector<RankStats>& ranks, std::size_t rank) {
  const RankStats& one = ranks[rank];
  return filled(translate("Charts", "rank %1 on %2"), {std::to_string(rank), one.name}) + " · " +
         countedText("Charts", "%1 points", "1 point", one.points) + ", " +
         countedText("Charts", "%1 ghosts", "1 ghost", one.ghosts) + " · " +
         filled(translate("Charts", "%1B sent · busy %2, waiting %3, sending and receiving %4"),
                {withUnit(double(one.bytesSent)), secondsText(secondsOf(one, RankActivity::Busy)),
                 secondsText(secondsOf(one, RankActivity::Waiting)),
                 secondsText(secondsOf(one, RankActivity::Moving))});
}

struct RankChart::Parts : ChartParts {
  std::vector<RankStats> ranks;
  double end = 0;  ///< of the slowest rank, seconds
  std::int64_t marked = -1;
  PickFn onPick;
  PlotArea area;
  ZoomPointer pointer;

  double perSecond() const { return end < kLongRun ? 1000 : 1; }
  double x(double seconds) const {
    return std::clamp(area.x.pixel(seconds * perSecond()), area.left, area.right);
  }
  double rowLow(std::size_t rank) const {
    return area.y.pixel(double(ranks.size() - 1 - rank) + 0.1);
  }
  double rowHigh(std::size_t rank) const {
    return area.y.pixel(double(ranks.size() - 1 - rank) + 0.9);
  }
  Colour colourOf(RankPhase phase) const {
    return clusterColour(std::int32_t(phase), chart->background);
  }
  static Colour waitingColour(const Theme& t) { return mix(t.ground, t.line, 0.35); }

  void paintRow(Painter& painter, const Theme& t, std::size_t rank) const {
    const double r = painter.ratio();
    const double low = rowLow(rank);
    const double height = rowHigh(rank) - low;
    const auto& spans = ranks[rank].spans;
    for (const RankSpan& span : spans) {
      const double left = x(span.begin);
      const double wide = x(span.end) - left;
      if (wide <= 0) continue;
      painter.rectangle(left, low, wide, height, waitingColour(t));
      if (span.activity == RankActivity::Busy)
        painter.rectangle(left, low, wide, height, colourOf(span.phase));
      if (span.activity == RankActivity::Moving)
        painter.rectangle(left, low + height / 4, wide, height / 2, colourOf(span.phase));
    }
    if (std::int64_t(rank) == marked && !spans.empty()) {
      const double left = x(spans.front().begin);
      painter.frame(left, low, std::max(x(spans.back().end) - left, 3 * r), height, t.accent, 2);
    }
  }

  void paintAxesOf(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    paintNumbersBelow(painter, area, t, true);
    // Every row has its number, or as many as there is space for.
    const double row = (area.top - area.bottom) / double(ranks.size());
    const auto every = std::size_t(std::max(1.0, std::ceil(12 * r / row)));
    for (std::size_t rank = 0; rank < ranks.size(); rank += every)
      painter.text(std::to_string(rank), area.left - 6 * r, (rowLow(rank) + rowHigh(rank)) / 2,
                   Across::Right, Along::Centre, t.faintText, 10.5);
    paintFrame(
        painter, area, t,
        translate("Charts", "time since all ranks began") + (end < kLongRun ? " (ms)" : " (s)"),
        translate("Charts", "rank"));
  }

  std::string title() const {
    return filled(translate("Charts", "imbalance %1"), {percentText(imbalanceOf(ranks))}) + " · " +
           countedText("Charts", "%1 ranks", "1 rank", ranks.size()) + " · " + secondsText(end);
  }

  void paint(Painter& painter, const Theme& t, double r) {
    layOut(area, *chart, pointer.window, double(ranks.size()));
    ChartHeader header;
    for (int phase = 0; phase < kRankPhases; ++phase) {
      const auto of = static_cast<RankPhase>(phase);
      const bool seen = std::any_of(ranks.begin(), ranks.end(), [&](const RankStats& rank) {
        return std::any_of(rank.spans.begin(), rank.spans.end(),
                           [&](const RankSpan& span) { return span.phase == of; });
      });
      if (seen) header.addEntry(phaseWord(of), colourOf(of));
    }
    header.addEntry(translate("Charts", "waiting"), waitingColour(t));
    header.setTitle(title());
    header.layOut(r, area);
    paintAxesOf(painter, t);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) paintRow(painter, t, rank);
    header.paint(painter, area, t);
    if (!pointer.hoversOver(area)) return;
    const std::int64_t rank = rankAt(pointer.x, pointer.y);
    if (rank < 0) return;
    paintTag(painter, area, wordsAt(std::size_t(rank), pointer.x), pointer.x, pointer.y, t);
  }

  /// What the rank does at this place, and in all.
  std::string wordsAt(std::size_t rank, double px) const {
    const double time = area.x.value(px) / perSecond();
    std::string words;
    for (const RankSpan& span : ranks[rank].spans)
      if (time >= span.begin && time <= span.end) {
        words = phaseWord(span.phase) + ", " + activityWord(span.activity) + " " +
                secondsText(span.end - span.begin) + " · ";
        break;
      }
    return words + rankWords(ranks, rank);
  }

  std::int64_t rankAt(double px, double py) const {
    if (!area.contains(px, py)) return -1;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      if (py >= rowLow(rank) && py <= rowHigh(rank)) return std::int64_t(rank);
    return -1;
  }

  void step(int by) const {
    const auto last = std::int64_t(ranks.size()) - 1;
    if (last < 0 || !onPick) return;
    onPick(marked < 0 ? 0 : std::clamp<std::int64_t>(marked + by, 0, last));
  }
};

RankChart::RankChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  zoomAlongX(*impl_, p.pointer, p.area);
  p.pointer.onClick = [&p](double x, double y) {
    if (p.onPick) p.onPick(p.rankAt(x, y));
  };
  p.pointer.onStep = [&p](int by) { p.step(by); };
}

void RankChart::setRanks(std::vector<RankStats> ranks) {
  Parts& p = *parts_;
  p.ranks = std::move(ranks);
  p.marked = -1;
  p.end = 0;
  for (const RankStats& rank : p.ranks)
    if (!rank.spans.empty()) p.end = std::max(p.end, rank.spans.back().end);
  impl_->dataSet(!(p.end > 0));
  if (impl_->empty) return;
  const double end = p.end * p.perSecond();
  p.pointer.window.setFull(0, 1.02 * end, end / 10000);
}

void RankChart::setMarked(std::int64_t rank) {
  parts_->marked = rank < std::int64_t(parts_->ranks.size()) ? rank : -1;
}

void RankChart::setOnPick(PickFn onPick) { parts_->onPick = std::move(onPick); }

MakeTable RankChart::table() const {
  return [ranks = parts_->ranks] {
    DataTable table{{"rank", "host", "phase", "activity", "start_ms", "end_ms", "points", "ghosts",
                     "bytes_sent"},
                    {}};
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (const RankSpan& span : ranks[r].spans)
        table.rows.push_back({std::to_string(r), ranks[r].name, phaseName(span.phase),
                              activityName(span.activity), exactMilliseconds(span.begin),
                              exactMilliseconds(span.end), exactNumber(ranks[r].points),
                              exactNumber(ranks[r].ghosts), exactNumber(ranks[r].bytesSent)});
    return table;
  };
}

}  // namespace clusterloom
