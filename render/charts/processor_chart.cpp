#include "render/charts/processor_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/number_text.h"
#include "render/charts/axis_window.h"
#include "render/charts/chart_parts.h"
#include "render/charts/load_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/colour_map.h"
#include "render/paint/colour_vision.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostBars = 2000;  // more batches are painted as one picture
constexpr double kHeader = 15;           // logical pixels
constexpr double kProcessorStrip = 7;
constexpr double kPanelGap = 4;  // between panels

bool isFixed(const SharedPass& pass) { return pass.predictedShare >= 0; }

double workloadOf(const SharedBatch& batch) {
  return double(batch.candidates) / std::max<std::uint32_t>(1, batch.queries);
}

/// Where the parts of a panel are, device pixels.
struct Band {
  double top = 0;
  double stripLow = 0, stripHigh = 0;  ///< equal where there is no space for it
  double rowsLow = 0, rowsHigh = 0;
  double header = 0;   ///< height of the words above; 0: no space for them
  bool named = false;  ///< the rows have names

  bool hasStrip() const { return stripHigh > stripLow; }
};

}  // namespace

std::string imbalanceWords(const SharedPass& pass) {
  const double end = pass.end();
  if (!(end > 0)) return translate("Charts", "no batches");
  const std::string words =
      filled(translate("Charts", "imbalance %1: "), {percentText(pass.imbalance)});
  if (!(pass.gpuEnd > 0)) return words + translate("Charts", "the CPU did everything");
  if (!(pass.cpuEnd > 0)) return words + translate("Charts", "the GPU did everything");
  const double apart = std::abs(pass.gpuEnd - pass.cpuEnd);
  if (apart < 5e-4 * end) return words + translate("Charts", "both ended together");
  const bool gpuFirst = pass.gpuEnd < pass.cpuEnd;
  return words + filled(gpuFirst ? translate("Charts", "the GPU ended %1 before the CPU")
                                 : translate("Charts", "the CPU ended %1 before the GPU"),
                        {secondsText(apart)});
}

std::string meetingWords(const SharedPass& pass) {
  if (!(pass.gpuEnd > 0) || !(pass.cpuEnd > 0))
    return filled(translate("Charts", "all %1 queries on one processor"),
                  {groupedText(pass.queries)});
  return filled(
      isFixed(pass)
          ? translate("Charts", "the GPU was given %1 of the queries, %2 of the candidates")
          : translate("Charts", "CPU and GPU met after %1 of the queries, %2 of the candidates"),
      {percentText(pass.gpuQueries), percentText(pass.gpuCandidates)});
}

std::string forecastWords(const SharedPass& pass) {
  if (!pass.forecast || !(pass.end() > 0)) return {};
  return filled(translate("Charts", "predicted %1, took %2"),
                {secondsText(pass.forecast->together), secondsText(pass.end())});
}

std::string batchWords(const SharedBatch& batch) {
  std::string words =
      filled(batch.processor == Processor::Gpu ? translate("Charts", "GPU stream %1")
                                               : translate("Charts", "CPU thread %1"),
             {std::to_string(batch.lane)});
  words += " · " + countedText("Charts", "%1 queries", "1 query", batch.queries);
  words += filled(translate("Charts", ", places %1 to %2"),
                  {groupedText(batch.firstQuery),
                   groupedText(batch.firstQuery + std::max<std::uint32_t>(1, batch.queries) - 1)});
  words += " · " + filled(translate("Charts", "%1 candidates, %2 per query"),
                          {withUnit(double(batch.candidates)), withUnit(workloadOf(batch))});
  words += " · " + secondsText(batch.end - batch.start);
  if (batch.transfer > 0)
    words += filled(translate("Charts", ", including transfer %1"), {secondsText(batch.transfer)});
  if (batch.bytes > 0) words += " · " + withUnit(double(batch.bytes)) + "B";
  if (batch.replays > 0)
    words += " · " + countedText("Charts", "%1 replays", "1 replay", std::uint64_t(batch.replays));
  return words;
}

std::int64_t batchOfQuery(const SharedPass& pass, std::uint32_t query) {
  for (std::size_t b = 0; b < pass.batches.size(); ++b) {
    const SharedBatch& batch = pass.batches[b];
    if (query >= batch.firstQuery && query - batch.firstQuery < batch.queries)
      return std::int64_t(b);
  }
  return -1;
}

struct ProcessorChart::Parts : ChartParts {
  std::shared_ptr<const ProcessorTimes> times;
  double end = 0;  ///< of the longest panel and of what was predicted, seconds
  ScalarScale scale;
  std::vector<std::vector<const SharedBatch*>> byQuery;  ///< of each panel, by first query
  std::vector<std::int64_t> marked;
  PickFn onPick;
  PlotArea area;
  ZoomPointer pointer;
  std::vector<Band> bands;

  std::size_t panels() const { return times->panels.size(); }
  double perSecond() const { return end < kLongRun ? 1000 : 1; }
  std::int64_t markedIn(std::size_t p) const { return p < marked.size() ? marked[p] : -1; }

  static double rowsOf(const ProcessorPanel& panel) {
    return std::max(1, panel.streams + panel.threads);
  }
  double x(double seconds) const {
    return std::clamp(area.x.pixel(seconds * perSecond()), area.left, area.right);
  }
  double xOfQuery(const SharedPass& pass, std::uint32_t query) const {
    return area.left + (area.right - area.left) * query / std::max<double>(1, double(pass.queries));
  }
  static double rowOf(const ProcessorPanel& panel, const SharedBatch& batch) {
    return batch.processor == Processor::Gpu ? batch.lane : panel.streams + batch.lane;
  }
  /// The GPU's share of the height of the rows: the few rows of one side stay visible beside many
  /// of the other.
  static double gpuShareOfRows(const ProcessorPanel& panel) {
    if (panel.streams == 0 || panel.threads == 0) return panel.streams > 0 ? 1 : 0;
    return std::clamp(panel.streams / rowsOf(panel), 0.3, 0.7);
  }
  /// The upper edge of a row; of the number of rows, the lower edge of the last one.
  double rowTop(std::size_t p, double row) const {
    const Band& band = bands[p];
    const ProcessorPanel& panel = times->panels[p];
    const double gpu = gpuShareOfRows(panel);
    const double down = row <= panel.streams && panel.streams > 0
                            ? gpu * row / panel.streams
                            : gpu + (1 - gpu) * (row - panel.streams) / std::max(1, panel.threads);
    return band.rowsHigh - (band.rowsHigh - band.rowsLow) * down;
  }
  /// The row at a height within the rows.
  double rowAt(std::size_t p, double py) const {
    const Band& band = bands[p];
    const ProcessorPanel& panel = times->panels[p];
    const double gpu = gpuShareOfRows(panel);
    const double down = (band.rowsHigh - py) / (band.rowsHigh - band.rowsLow);
    return std::floor(down < gpu ? down / gpu * panel.streams
                                 : panel.streams + (down - gpu) / (1 - gpu) * panel.threads);
  }
  /// The ends of the map would hardly differ from a dark or a light background.
  Colour colourAt(double position) const { return mapColour(scale.map, 0.1 + 0.85 * position); }
  Colour colourOf(const SharedBatch& batch) const {
    return colourAt(positionOn(scale, workloadOf(batch)));
  }

  void layOutBands(Painter& painter) {
    const double r = painter.ratio();
    bands.assign(panels(), {});
    const double height = (area.top - area.bottom) / double(panels());
    const double space = height - kPanelGap * r;
    const bool header = space > (kHeader + 12) * r;
    if (!header) {
      // The words are short and beside the rows.
      for (std::size_t p = 0; p < panels(); ++p)
        area.left = std::max(area.left, painter.widthOf(shortWords(p), 10) + 14 * r);
      area.x.from = area.left;
    }
    for (std::size_t p = 0; p < panels(); ++p) {
      Band& band = bands[p];
      band.top = area.top - height * double(p);
      band.rowsLow = band.top - space;
      band.rowsHigh = band.top;
      if (header) band.header = kHeader * r;
      band.rowsHigh -= band.header;
      if (space > (kHeader + kProcessorStrip + 13) * r) {
        band.stripHigh = band.rowsHigh;
        band.stripLow = band.stripHigh - kProcessorStrip * r;
        band.rowsHigh = band.stripLow - 3 * r;
      }
    }
  }

  std::string shortWords(std::size_t p) const {
    return times->panels[p].name + " " + percentText(times->panels[p].pass->imbalance);
  }

  void paintStrip(Painter& painter, const Theme& t, std::size_t p) const {
    const Band& band = bands[p];
    if (!band.hasStrip()) return;
    const double r = painter.ratio();
    const SharedPass& pass = *times->panels[p].pass;
    const auto columns = std::size_t(std::max(1.0, (area.right - area.left) / painter.ratio()));
    // Batches may be narrower than a pixel: each column has the colour of the batch at its middle.
    const std::vector<const SharedBatch*>& inOrder = byQuery[p];
    std::vector<Colour> colours;
    std::size_t at = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      const double query = (double(i) + 0.5) * pass.queries / double(columns);
      while (at + 1 < inOrder.size() && inOrder[at + 1]->firstQuery <= query) ++at;
      colours.push_back(inOrder.empty() ? t.ground : colourOf(*inOrder[at]));
    }
    painter.pixels(area.left, band.stripLow, area.right - area.left, band.stripHigh - band.stripLow,
                   int(columns), 1, colours);
    const std::int64_t mark = markedIn(p);
    if (mark >= 0) {
      const SharedBatch& batch = pass.batches[std::size_t(mark)];
      const double left = xOfQuery(pass, batch.firstQuery);
      const double right = xOfQuery(pass, batch.firstQuery + batch.queries);
      painter.frame(left, band.stripLow, std::max(right - left, 3 * r),
                    band.stripHigh - band.stripLow, t.accent, 2);
    }
    // The place where CPU and GPU met.
    const double met = xOfQuery(pass, pass.meeting);
    painter.line(met, band.stripLow - 3 * r, met, band.stripHigh + 2 * r, t.text, 2);
    if (band.rowsHigh - band.rowsLow > 20 * r)
      painter.text(translate("Charts", "order"), area.left - 6 * r,
                   (band.stripLow + band.stripHigh) / 2, Across::Right, Along::Centre, t.faintText,
                   10);
  }

  /// Whether one of the heads took this batch last: it ends or begins where they met.
  static bool isAtMeeting(const SharedPass& pass, const SharedBatch& batch) {
    return batch.processor == Processor::Gpu ? batch.firstQuery + batch.queries == pass.meeting
                                             : batch.firstQuery == pass.meeting;
  }

  void paintBars(Painter& painter, const Theme& t, std::size_t p) const {
    const double r = painter.ratio();
    const ProcessorPanel& panel = times->panels[p];
    for (const SharedBatch& batch : panel.pass->batches) {
      const double left = x(batch.start);
      const double right = x(batch.end);
      if (right <= left) continue;
      const double row = rowOf(panel, batch);
      const double inset = rowTop(p, row) - rowTop(p, row + 1) > 5 * r ? r : 0;
      const double high = rowTop(p, row) - inset;
      const double low = rowTop(p, row + 1) + inset;
      painter.rectangle(left, low, right - left, high - low, colourOf(batch));
      // Neighbours of one colour need a border between them.
      if (right - left > 3 * r && left > area.left)
        painter.line(left, low, left, high, t.ground, 1);
    }
  }

  /// The bars of one side as a picture: many may lie in one pixel.
  void paintPicture(Painter& painter, std::size_t p, Processor side, Colour idle) const {
    const ProcessorPanel& panel = times->panels[p];
    const bool gpu = side == Processor::Gpu;
    const auto rows = std::size_t(gpu ? panel.streams : panel.threads);
    if (rows == 0) return;
    const auto columns = std::size_t(std::max(1.0, (area.right - area.left) / painter.ratio()));
    std::vector<Colour> colours(columns * rows, chart->theme().ground);
    const double perPixel = double(columns) / (area.right - area.left);
    const auto until = std::size_t((x(panel.pass->end()) - area.left) * perPixel);
    for (std::size_t at = 0; at < columns * rows; ++at)
      if (at % columns < until) colours[at] = idle;
    for (const SharedBatch& batch : panel.pass->batches) {
      if (batch.processor != side) continue;
      const double left = x(batch.start);
      const double right = x(batch.end);
      if (right <= left) continue;
      const std::size_t row = rows - 1 - std::size_t(batch.lane);
      const auto from = std::size_t((left - area.left) * perPixel);
      const auto to = std::max(from + 1, std::size_t((right - area.left) * perPixel));
      for (std::size_t i = from; i < std::min(to, columns); ++i)
        colours[row * columns + i] = colourOf(batch);
    }
    const double high = rowTop(p, gpu ? 0 : panel.streams);
    const double low = rowTop(p, gpu ? panel.streams : rowsOf(panel));
    painter.pixels(area.left, low, area.right - area.left, high - low, int(columns), int(rows),
                   colours);
  }

  void paintMarks(Painter& painter, const Theme& t, std::size_t p) const {
    const double r = painter.ratio();
    const ProcessorPanel& panel = times->panels[p];
    const auto mark = std::size_t(markedIn(p));
    for (std::size_t b = 0; b < panel.pass->batches.size(); ++b) {
      const SharedBatch& batch = panel.pass->batches[b];
      const double left = x(batch.start);
      const double right = x(batch.end);
      if (right <= left) continue;
      const double high = rowTop(p, rowOf(panel, batch));
      const double height = high - rowTop(p, rowOf(panel, batch) + 1);
      if (isAtMeeting(*panel.pass, batch))
        painter.line(right - r, high - height, right - r, high, t.text, 2);
      if (b == mark)
        painter.frame(left, high - height, std::max(right - left, 3 * r), height, t.accent, 2);
    }
  }

  /// A broken line at the time that a model predicted.
  void paintForecast(Painter& painter, const Theme& t, std::size_t p) const {
    const auto& forecast = times->panels[p].pass->forecast;
    if (!forecast) return;
    const double when = forecast->together * perSecond();
    if (when < area.x.low || when > area.x.high) return;
    const double r = painter.ratio();
    const double at = area.x.pixel(when);
    const Band& band = bands[p];
    for (double y = band.rowsLow; y < band.rowsHigh; y += 6 * r)
      painter.line(at, y, at, std::min(y + 3 * r, band.rowsHigh), t.text, 1.5);
  }

  void paintNames(Painter& painter, const Theme& t, std::size_t p) {
    const double r = painter.ratio();
    const ProcessorPanel& panel = times->panels[p];
    const auto name = [&](const std::string& words, double from, double rows) {
      painter.text(words, area.left - 6 * r, (rowTop(p, from) + rowTop(p, from + rows)) / 2,
                   Across::Right, Along::Centre, t.faintText, 10);
    };
    Band& band = bands[p];
    // A side's rows have names of their own, or one together where they are lower than text.
    const auto nameSide = [&](const std::string& side, int first, int rows) {
      if (rows == 0) return true;
      const double height = rowTop(p, first) - rowTop(p, first + rows);
      if (height < 9 * r) return false;
      if (height < 11 * r * rows) {
        name(side, first, rows);
        return true;
      }
      for (int row = 0; row < rows; ++row) name(side + " " + std::to_string(row), first + row, 1);
      return true;
    };
    band.named = band.header > 0 && nameSide("GPU", 0, panel.streams) &&
                 nameSide("CPU", panel.streams, panel.threads);
    // A line between the two processors.
    const double between = rowTop(p, panel.streams);
    painter.line(area.left - 4 * r, between, area.right, between, t.line);
  }

  void paintHeader(Painter& painter, const Theme& t, std::size_t p) const {
    const double r = painter.ratio();
    const Band& band = bands[p];
    const ProcessorPanel& panel = times->panels[p];
    std::string words = panel.name + " · " + imbalanceWords(*panel.pass);
    if (const std::string forecast = forecastWords(*panel.pass); !forecast.empty())
      words += " · " + forecast;
    words += " · " + meetingWords(*panel.pass);
    if (band.header > 0)
      return painter.text(fitted(painter, words, area.right - area.left, 11), area.left,
                          band.top - band.header / 2, Across::Left, Along::Centre, t.text, 11);
    painter.text(shortWords(p), area.left - 6 * r, (band.rowsLow + band.rowsHigh) / 2,
                 Across::Right, Along::Centre, t.text, 10);
  }

  void paintPanel(Painter& painter, const Theme& t, std::size_t p) {
    const ProcessorPanel& panel = times->panels[p];
    const Colour idle = mix(t.ground, t.line, 0.35);
    const double until = x(panel.pass->end());
    painter.rectangle(area.left, bands[p].rowsLow, until - area.left,
                      bands[p].rowsHigh - bands[p].rowsLow, idle);
    if (panel.pass->batches.size() > kMostBars) {
      paintPicture(painter, p, Processor::Gpu, idle);
      paintPicture(painter, p, Processor::Cpu, idle);
    } else {
      paintBars(painter, t, p);
    }
    paintNames(painter, t, p);
    paintMarks(painter, t, p);
    paintForecast(painter, t, p);
    paintStrip(painter, t, p);
    paintHeader(painter, t, p);
  }

  void paintTimeAxis(Painter& painter, const Theme& t) const {
    paintNumbersBelow(painter, area, t, false);
    const std::string title = times->measured ? translate("Charts", "time since the pass began")
                                              : translate("Charts", "modelled time");
    paintFrame(painter, area, t, title + (end < kLongRun ? " (ms)" : " (s)"), "");
  }

  /// The colours of workloads and of idling, above the plot; returns where they end.
  double paintKey(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    const double y = area.top + 14 * r;
    const std::vector<std::string> texts = {translate("Charts", "candidates per query"),
                                            withUnit(scale.low), withUnit(scale.high),
                                            translate("Charts", "idle")};
    double needed = 112 * r;  // colours and gaps
    for (const std::string& text : texts) needed += painter.widthOf(text, 11);
    // Where the plot is too narrow for it, it begins to the left of the plot.
    double at = std::min(area.left, std::max(4 * r, area.width - needed));
    const auto say = [&](const std::string& words, Colour colour) {
      painter.text(words, at, y, Across::Left, Along::Centre, colour, 11);
      at += painter.widthOf(words, 11) + 5 * r;
    };
    say(texts[0], t.text);
    say(texts[1], t.faintText);
    constexpr int kSteps = 64;
    std::vector<Colour> colours;
    for (int i = 0; i < kSteps; ++i) colours.push_back(colourAt((i + 0.5) / kSteps));
    painter.pixels(at, y - 5 * r, 60 * r, 10 * r, kSteps, 1, colours);
    at += 65 * r;
    say(texts[2], t.faintText);
    at += 8 * r;
    painter.rectangle(at, y - 5 * r, 10 * r, 10 * r, mix(t.ground, t.line, 0.35));
    at += 15 * r;
    say(texts[3], t.text);
    return at + 10 * r;
  }

  std::string title() const {
    std::string words =
        times->measured ? translate("Charts", "measured") : translate("Charts", "modelled");
    const SharedPass& pass = *times->panels.front().pass;
    if (times->measured && panels() == 1) words += " · " + pass.stage;
    if (panels() == 1)
      words += " · " + countedText("Charts", "%1 batches", "1 batch", pass.batches.size());
    if (std::any_of(bands.begin(), bands.end(), [](const Band& band) { return !band.named; }))
      words += translate("Charts", " · GPU above the line, CPU below");
    if (bands.front().header == 0) words += translate("Charts", " · imbalance on the left");
    return words;
  }

  void paint(Painter& painter, const Theme& t, double /*r*/) {
    layOut(area, *chart, pointer.window, 1);
    layOutBands(painter);
    for (std::size_t p = 0; p < panels(); ++p) paintPanel(painter, t, p);
    paintTimeAxis(painter, t);
    paintTitle(painter, area, t, title(), paintKey(painter, t));
    if (!pointer.hoversOver(area)) return;
    const auto [panel, batch] = batchAt(pointer.x, pointer.y);
    if (batch < 0) return;
    const ProcessorPanel& shown = times->panels[panel];
    const SharedBatch& found = shown.pass->batches[std::size_t(batch)];
    std::string words = batchWords(found);
    if (isAtMeeting(*shown.pass, found) && !isFixed(*shown.pass))
      words += translate("Charts", " · CPU and GPU met here");
    paintTag(painter, area, words, pointer.x, pointer.y, t);
  }

  /// The panel and the batch under the pointer, in the rows or in the strip; −1: no batch.
  std::pair<std::size_t, std::int64_t> batchAt(double px, double py) const {
    for (std::size_t p = 0; p < bands.size() && p < panels(); ++p) {
      const Band& band = bands[p];
      const ProcessorPanel& panel = times->panels[p];
      if (band.hasStrip() && py >= band.stripLow && py <= band.stripHigh) {
        const double share = (px - area.left) / std::max(1.0, area.right - area.left);
        const double query = std::floor(share * panel.pass->queries);
        if (query < 0 || query >= panel.pass->queries) return {p, -1};
        return {p, batchOfQuery(*panel.pass, std::uint32_t(query))};
      }
      if (py < band.rowsLow || py > band.rowsHigh) continue;
      const double row = rowAt(p, py);
      const double time = area.x.value(px) / perSecond();
      for (std::size_t b = 0; b < panel.pass->batches.size(); ++b) {
        const SharedBatch& batch = panel.pass->batches[b];
        if (rowOf(panel, batch) == row && time >= batch.start && time <= batch.end)
          return {p, std::int64_t(b)};
      }
      return {p, -1};
    }
    return {0, -1};
  }

  void step(int by) {
    std::size_t panel = 0;
    while (panel < panels() && markedIn(panel) < 0) ++panel;
    if (panel == panels()) panel = 0;
    const auto last = std::int64_t(times->panels[panel].pass->batches.size()) - 1;
    if (last < 0 || !onPick) return;
    const std::int64_t at = markedIn(panel);
    onPick(panel, at < 0 ? 0 : std::clamp<std::int64_t>(at + by, 0, last));
  }
};

ProcessorChart::ProcessorChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  zoomAlongX(*impl_, p.pointer, p.area);
  p.pointer.onClick = [&p](double x, double y) {
    if (!p.onPick) return;
    const auto [panel, batch] = p.batchAt(x, y);
    p.onPick(panel, batch);
  };
  p.pointer.onStep = [&p](int by) { p.step(by); };
}

void ProcessorChart::setData(std::shared_ptr<const ProcessorTimes> times) {
  Parts& p = *parts_;
  p.times = std::move(times);
  p.marked.clear();
  p.byQuery.clear();
  p.end = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  if (p.times) {
    for (const ProcessorPanel& panel : p.times->panels) {
      p.end = std::max(p.end, panel.pass->end());
      // So that its line is on the axis, unless it is wrong by more than a factor of two.
      if (panel.pass->forecast)
        p.end = std::max(p.end, std::min(panel.pass->forecast->together, 2 * panel.pass->end()));
      auto& inOrder = p.byQuery.emplace_back();
      for (const SharedBatch& batch : panel.pass->batches) {
        inOrder.push_back(&batch);
        least = std::min(least, workloadOf(batch));
        most = std::max(most, workloadOf(batch));
      }
      std::sort(inOrder.begin(), inOrder.end(), [](const SharedBatch* a, const SharedBatch* b) {
        return a->firstQuery < b->firstQuery;
      });
    }
  }
  impl_->dataSet(!(p.end > 0));
  if (impl_->empty) return;
  p.scale.low = least;
  p.scale.high = std::max(most, least);
  constexpr double kDecade = 10;
  p.scale.logarithmic = least > 0 && most > kDecade * least;
  const double end = p.end * p.perSecond();
  p.pointer.window.setFull(0, 1.02 * end, end / 10000);
}

void ProcessorChart::setMarked(std::vector<std::int64_t> batchOfPanel) {
  Parts& p = *parts_;
  p.marked = std::move(batchOfPanel);
  if (impl_->empty) return p.marked.clear();
  p.marked.resize(p.panels(), -1);
  for (std::size_t i = 0; i < p.panels(); ++i) {
    const auto batches = std::int64_t(p.times->panels[i].pass->batches.size());
    if (p.marked[i] >= batches) p.marked[i] = -1;
  }
}

void ProcessorChart::setOnPick(PickFn onPick) { parts_->onPick = std::move(onPick); }

MakeTable ProcessorChart::table() const {
  return [times = parts_->times] {
    DataTable table{{"division", "times", "stage", "batch", "processor", "lane", "start_ms",
                     "end_ms", "transfer_ms", "first_query", "queries", "candidates", "bytes",
                     "replays", "processors_meet_at_query", "imbalance_percent", "predicted_ms"},
                    {}};
    if (!times) return table;
    for (const ProcessorPanel& panel : times->panels)
      for (std::size_t b = 0; b < panel.pass->batches.size(); ++b) {
        const SharedBatch& batch = panel.pass->batches[b];
        table.rows.push_back(
            {panel.name, times->measured ? "measured" : "modelled", panel.pass->stage,
             std::to_string(b), batch.processor == Processor::Gpu ? "GPU" : "CPU",
             std::to_string(batch.lane), exactMilliseconds(batch.start),
             exactMilliseconds(batch.end), exactMilliseconds(batch.transfer),
             std::to_string(batch.firstQuery), std::to_string(batch.queries),
             std::to_string(batch.candidates), std::to_string(batch.bytes),
             std::to_string(batch.replays), std::to_string(panel.pass->meeting),
             exactNumber(100 * panel.pass->imbalance),
             panel.pass->forecast ? exactMilliseconds(panel.pass->forecast->together)
                                  : std::string()});
      }
    return table;
  };
}

}  // namespace clusterloom
