#include "render/charts/batch_chart.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "render/charts/axis_window.h"
#include "render/charts/chart_header.h"
#include "render/charts/chart_parts.h"
#include "render/charts/load_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

/// The spans of a modelled report's batches, as kernels without transfers.
std::vector<BatchStats> spansOf(const LoadReport& report) {
  std::map<std::uint32_t, BatchStats> spans;
  for (const WarpLoad& warp : report.warps) {
    auto [at, fresh] = spans.try_emplace(warp.batch);
    BatchStats& span = at->second;
    span.start = fresh ? warp.start : std::min(span.start, warp.start);
    span.end = std::max(span.end, warp.end);
    span.kernelEnd = span.transferEnd = span.end;
    if (warp.batch + 1 < report.batchBegin.size())
      span.queries = report.batchBegin[warp.batch + 1] - report.batchBegin[warp.batch];
  }
  std::vector<BatchStats> timeline(spans.empty() ? 0 : spans.rbegin()->first + 1);
  std::vector<std::pair<std::uint32_t, BatchStats*>> byStart;
  byStart.reserve(spans.size());
  for (auto& [batch, span] : spans) byStart.emplace_back(batch, &span);
  std::stable_sort(byStart.begin(), byStart.end(),
                   [](const auto& a, const auto& b) { return a.second->start < b.second->start; });
  // Batches that overlap in time are drawn in different rows. In order of start, because a later
  // batch that starts earlier would otherwise take a further row.
  std::vector<double> freeAt;
  for (auto& [batch, span] : byStart) {
    const auto row = std::find_if(freeAt.begin(), freeAt.end(),
                                  [span = span](double end) { return end <= span->start; });
    span->stream = int(row - freeAt.begin());
    if (row == freeAt.end())
      freeAt.push_back(span->end);
    else
      *row = span->end;
    timeline[batch] = *span;
  }
  return timeline;
}

}  // namespace

struct BatchChart::Parts : ChartParts {
  std::vector<BatchStats> timeline;
  bool seconds = true;   ///< else weighted steps of a model
  std::string unit;      ///< of modelled times, as tables name it
  std::string unitWord;  ///< the same in the language of the window
  int rows = 1;
  std::int64_t marked = -1;
  std::optional<BatchPrediction> predicted;  ///< of a measured run
  std::string machine;                       ///< machinePart of a modelled report, else empty
  PlotArea area;
  ZoomPointer pointer;

  double scale() const { return seconds ? 1000 : 1; }
  std::string timeText(double time) const {
    return seconds ? measuredNumber(1000 * time) + " ms" : withUnit(time) + " " + unitWord;
  }

  void take(std::vector<BatchStats> taken, bool inSeconds,
            const std::vector<BatchPrediction>& predictions) {
    timeline = std::move(taken);
    machine.clear();
    seconds = inSeconds;
    marked = -1;
    rows = 1;
    for (const BatchStats& batch : timeline) rows = std::max(rows, batch.stream + 1);
    chart->dataSet(timeline.empty() || !(measuredEnd() > 0));
    predicted.reset();
    if (chart->empty) return;
    if (!predictions.empty()) predicted = predictions.front();
    const double end = std::max(measuredEnd(), predictedEnd());
    pointer.window.setFull(0, 1.02 * end * scale(), end * scale() / 1000);
  }

  double measuredEnd() const {
    double end = 0;
    for (const BatchStats& batch : timeline) end = std::max(end, batch.end);
    return end;
  }

  /// Where the last batch would have ended, had the join taken what was predicted: what comes
  /// before the batches, or after them, is as it was.
  double predictedEnd() const {
    return predicted ? std::max(0.0, measuredEnd() + predicted->predicted - predicted->measured)
                     : 0;
  }

  /// What the prediction consists of [Gowanlock 2018, §5.4, equation 4].
  std::string termsText() const {
    const auto term = [](const char* name, double time, double times) {
      return std::string(name) + " " + secondsText(time) + " × " + measuredNumber(times);
    };
    return term("T1", predicted->joining, predicted->volume) + " + " +
           term("θ", predicted->perBatch, predicted->batches) + " + " +
           term("T2", predicted->buffers, predicted->streams);
  }

  void paintPredictedEnd(Painter& painter, const Theme& t) const {
    if (!predicted) return;
    const double px = area.x.pixel(predictedEnd() * scale());
    if (px < area.left || px > area.right) return;
    const double r = painter.ratio();
    for (double y = area.bottom; y < area.top; y += 9 * r)
      painter.line(px, y, px, std::min(y + 5 * r, area.top), t.accent, 2);
  }

  double x(double time) const {
    return std::clamp(area.x.pixel(time * scale()), area.left, area.right);
  }
  double rowLow(int stream) const { return area.y.pixel(rows - 1 - stream + 0.15); }
  double rowHigh(int stream) const { return area.y.pixel(rows - 1 - stream + 0.85); }

  void paintBatch(Painter& painter, const Theme& t, std::size_t b) const {
    const double r = painter.ratio();
    const BatchStats& batch = timeline[b];
    if (batch.end <= batch.start) return;
    const double low = rowLow(batch.stream);
    const double height = rowHigh(batch.stream) - low;
    const auto part = [&](double from, double to, Colour colour) {
      if (to > from && x(to) > x(from))
        painter.rectangle(x(from), low, x(to) - x(from), height, colour);
    };
    part(batch.start, batch.kernelEnd, t.series[0]);
    part(batch.kernelEnd, batch.transferEnd, t.series[1]);
    part(batch.transferEnd, batch.end, t.series[2]);
    const double left = x(batch.start);
    const double wide = x(batch.end) - left;
    // Neighbours of one colour need a border between them.
    if (wide > 3 * r && left > area.left) painter.line(left, low, left, low + height, t.ground, 1);
    if (std::int64_t(b) == marked)
      painter.frame(left, low, std::max(wide, 3 * r), height, t.accent, 2);
    // In the kernel's part: on one colour, the text is readable everywhere.
    const std::string name = std::to_string(b);
    const double room = x(batch.kernelEnd) - left;
    if (room > painter.widthOf(name, 10.5) + 8 * r && height > 12 * r)
      painter.text(name, left + room / 2, low + height / 2, Across::Centre, Along::Centre, t.ground,
                   10.5);
  }

  std::string words(std::size_t b) const {
    const BatchStats& batch = timeline[b];
    std::string text = filled(translate("Charts", "batch %1"), {groupedText(b)});
    if (batch.queries > 0)
      text += " · " + countedText("Charts", "%1 queries", "1 query", batch.queries);
    text +=
        " · " + filled(translate("Charts", "kernel %1"), {timeText(batch.kernelEnd - batch.start)});
    if (batch.transferEnd > batch.kernelEnd)
      text += filled(translate("Charts", ", transfer %1"),
                     {timeText(batch.transferEnd - batch.kernelEnd)});
    if (batch.end > batch.transferEnd)
      text += filled(translate("Charts", ", table %1"), {timeText(batch.end - batch.transferEnd)});
    if (batch.pairs > 0)
      text += " · " + filled(translate("Charts", "%1 pairs"), {withUnit(double(batch.pairs))});
    if (batch.bytes > 0) text += " · " + withUnit(double(batch.bytes)) + "B";
    if (batch.replays > 0)
      text += " · " + countedText("Charts", "%1 replays", "1 replay", std::uint64_t(batch.replays));
    return text;
  }

  void paintAxesOf(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    paintNumbersBelow(painter, area, t, true, !seconds);
    for (int stream = 0; stream < rows && seconds; ++stream)
      painter.text(std::to_string(stream), area.left - 6 * r,
                   (rowLow(stream) + rowHigh(stream)) / 2, Across::Right, Along::Centre,
                   t.faintText, 10.5);
    paintFrame(painter, area, t,
               seconds ? translate("Charts", "time since the join began (ms)")
                       : filled(translate("Charts", "modelled time (%1)"), {unitWord}),
               seconds ? translate("Charts", "stream") : translate("Charts", "batches"));
  }

  ChartHeader headerOf(const Theme& t) const {
    ChartHeader header;
    header.addEntry(translate("Charts", "kernel"), t.series[0]);
    if (seconds) {
      header.addEntry(translate("Charts", "transfer"), t.series[1]);
      header.addEntry(translate("Charts", "table"), t.series[2]);
    }
    if (predicted) header.addEntry(translate("Charts", "predicted end"), t.accent);
    std::string title =
        seconds ? translate("Charts", "measured") : translate("Charts", "modelled, kernels only");
    if (predicted)
      title += " " + filled(translate("Charts", "%1, predicted %2"),
                            {timeText(predicted->measured), timeText(predicted->predicted)});
    title += " · " + countedText("Charts", "%1 batches", "1 batch", timeline.size());
    if (predicted) title += " · " + termsText();
    header.setTitle(title + machine);
    return header;
  }

  void paint(Painter& painter, const Theme& t, double r) {
    layOut(area, *chart, pointer.window, double(rows));
    ChartHeader header = headerOf(t);
    header.layOut(r, area);
    paintAxesOf(painter, t);
    for (std::size_t b = 0; b < timeline.size(); ++b) paintBatch(painter, t, b);
    paintPredictedEnd(painter, t);
    header.paint(painter, area, t);
    if (!pointer.hoversOver(area)) return;
    const double time = area.x.value(pointer.x) / scale();
    for (std::size_t b = 0; b < timeline.size(); ++b) {
      const BatchStats& batch = timeline[b];
      if (time < batch.start || time > batch.end || pointer.y < rowLow(batch.stream) ||
          pointer.y > rowHigh(batch.stream))
        continue;
      paintTag(painter, area, words(b), pointer.x, pointer.y, t);
      return;
    }
  }
};

BatchChart::BatchChart() : parts_(partsOf<Parts>(*impl_)) {
  Parts& p = *parts_;
  zoomAlongX(*impl_, p.pointer, p.area);
}

void BatchChart::setTimeline(std::vector<BatchStats> timeline,
                             const std::vector<BatchPrediction>& predictions) {
  parts_->take(std::move(timeline), true, predictions);
}

void BatchChart::setReport(const std::shared_ptr<const LoadReport>& report) {
  Parts& p = *parts_;
  if (!report) return p.take({}, true, {});
  if (!report->stats.timeline.empty())
    return p.take(report->stats.timeline, true, report->stats.predictions);
  p.unit = stepsName(*report);
  p.unitWord = stepsWord(*report);
  p.take(spansOf(*report), report->measured, {});
  p.machine = machinePart(*report);
}

void BatchChart::setMarked(std::int64_t batch) { parts_->marked = batch; }

MakeTable BatchChart::table() const {
  return [timeline = parts_->timeline, seconds = parts_->seconds, unit = parts_->unit,
          predicted = parts_->predicted] {
    const std::string suffix = seconds ? "_ms" : "_" + columnName(unit);
    DataTable table{
        {"batch", "stream", "start" + suffix, "kernel_end" + suffix, "transfer_end" + suffix,
         "end" + suffix, "queries", "pairs", "bytes", "replays"},
        {}};
    const double scale = seconds ? 1000 : 1;
    for (std::size_t b = 0; b < timeline.size(); ++b) {
      const BatchStats& batch = timeline[b];
      table.rows.push_back({std::to_string(b), std::to_string(batch.stream),
                            exactNumber(scale * batch.start), exactNumber(scale * batch.kernelEnd),
                            exactNumber(scale * batch.transferEnd), exactNumber(scale * batch.end),
                            exactNumber(batch.queries), exactNumber(batch.pairs),
                            exactNumber(batch.bytes), std::to_string(batch.replays)});
    }
    if (predicted) {
      const std::pair<const char*, std::string> columns[] = {
          {"predicted_join_ms", exactMilliseconds(predicted->predicted)},
          {"measured_join_ms", exactMilliseconds(predicted->measured)},
          {"t1_ms", exactMilliseconds(predicted->joining)},
          {"workload_ratio", exactNumber(predicted->volume)},
          {"theta_ms", exactMilliseconds(predicted->perBatch)},
          {"predicted_batches", exactNumber(predicted->batches)},
          {"t2_ms", exactMilliseconds(predicted->buffers)},
          {"streams", std::to_string(predicted->streams)}};
      for (const auto& [name, value] : columns) {
        table.names.emplace_back(name);
        for (auto& row : table.rows) row.push_back(value);
      }
    }
    return table;
  };
}

}  // namespace clusterloom
