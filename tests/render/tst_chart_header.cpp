// The lines above a plot: every entry of a legend is there, also in German, however narrow the
// chart is, and the plot begins below them.
#include <QRectF>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSize>
#include <QtTest>
#include <algorithm>

#include "german_texts.h"
#include "made_reports.h"
#include "render/charts/chart_header.h"
#include "render/charts/lane_chart.h"
#include "render/charts/response_chart.h"
#include "render/charts/warp_load_chart.h"
#include "render/paint/svg_painter.h"
#include "render/paint/text_font.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// A warp of 64 candidate steps in which all lanes take part.
std::shared_ptr<WarpTrace> madeTrace() {
  auto trace = std::make_shared<WarpTrace>();
  trace->queryPoint.fill(0);
  trace->queryCell.fill(0);
  trace->allSteps = 64;
  trace->loopOfStep.assign(trace->allSteps, Loop::Candidate);
  trace->activeOfStep.assign(trace->allSteps, ~std::uint32_t{0});
  trace->looksAt.assign(trace->allSteps * WarpTrace::kLanes, 0);
  return trace;
}

/// Every entry is in the chart, none over another one, and the plot lies below them.
void everyEntryIsAbove(Chart& chart, const QStringList& words, QSize size) {
  const QString svg =
      QString::fromStdString(chart.toSvg(size.width(), size.height(), Background::Light, "x"));
  std::vector<QRectF> taken;
  double lowest = 0;
  for (const QString& word : words) {
    const QString where = QString("%1 at %2 × %3").arg(word).arg(size.width()).arg(size.height());
    const QRegularExpression text("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>" +
                                  QRegularExpression::escape(word) + "</text>");
    const auto found = text.match(svg);
    QVERIFY2(found.hasMatch(), qPrintable(where));
    const double x = found.captured(1).toDouble();
    const double y = found.captured(2).toDouble();
    const QRectF place(x, y - 10, textWidth(word.toStdString(), 11, false), 12);
    QVERIFY2(place.right() <= size.width(), qPrintable(where));
    for (const QRectF& other : taken) QVERIFY2(!place.intersects(other), qPrintable(where));
    taken.push_back(place);
    lowest = std::max(lowest, y);
  }
  // The left axis goes up to the top of the plot.
  const QRegularExpression line("<line x1=\"66\" y1=\"([0-9.]+)\" x2=\"66\" y2=\"([0-9.]+)\"");
  const auto axis = line.match(svg);
  QVERIFY(axis.hasMatch());
  QVERIFY(std::min(axis.captured(1).toDouble(), axis.captured(2).toDouble()) > lowest);
}

}  // namespace

class TestChartHeader : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  /// However many entries a legend has and however narrow the chart is, all are there, each within
  /// the chart and none over another one, and the plot lies below them.
  void noEntryOfALegendIsLeftOut_data() {
    QTest::addColumn<int>("width");
    for (const int width : {1200, 900, 560, 320}) QTest::addRow("%d", width) << width;
  }
  void noEntryOfALegendIsLeftOut() {
    QFETCH(const int, width);
    constexpr int kHeight = 420;
    ResponseChart times;
    std::vector<ResponseCurve> curves;
    QStringList names{"selectivity"};
    for (int i = 0; i < 12; ++i) {
      names << QString("STRATEGY number %1").arg(i);
      // All of them at the top of the axis, right below the legend.
      curves.push_back({names.back().toStdString(), {{0.1, 1, 1}, {1, 1, 2}}});
    }
    times.setData(curves, "measured · counting neighbours");
    LaneChart lanes;
    lanes.setData(madeTrace());
    everyEntryIsAbove(times, names, {width, kHeight});
    everyEntryIsAbove(lanes, {"cell", "search", "candidate", "hit", "idle"}, {width, kHeight});
  }

  /// In a window of 1024 × 768, whatever the panels leave of it for the lanes: a view of a chart is
  /// at least 110 high.
  void germanLanesHaveTheirWholeLegend() {
    QVERIFY(paintGerman(CLUSTERLOOM_SOURCE_DIR "/resources/translations/clusterloom_de.ts"));
    const auto english = qScopeGuard(paintEnglish);
    LaneChart lanes;
    lanes.setData(madeTrace());
    for (int width = 256; width <= 1024; width += 32)
      for (const int height : {110, 768})
        everyEntryIsAbove(lanes, {"Zelle", "Suche", "Kandidat", "Treffer", "untätig"},
                          {width, height});
  }

  /// A title stands beside the entries where it fits, else in lines of its own, broken at " · ";
  /// its last parts are left out where the plot would become too low.
  void titlesAreBrokenAndThenCut() {
    ChartHeader header;
    header.addEntry("busy", {0, 0, 0});
    header.setTitle("modelled · WEE 25.0 % · 3 warps · H200: 132 multiprocessors × 64 warps");
    const auto topOf = [&header](int width, int height) {
      PlotArea area;
      area.layOut(width, height, 1, false);
      const double before = area.top;
      header.layOut(1, area);
      return before - area.top;
    };
    QCOMPARE(topOf(900, 260), 0.0);
    QCOMPARE(topOf(400, 260), 32.0);  // two lines below the entry
    QCOMPARE(topOf(400, 170), 16.0);  // 96 high without, 80 with one, 64 with two
    QCOMPARE(topOf(400, 150), 0.0);
    PlotArea area;
    area.layOut(400, 170, 1, false);
    header.layOut(1, area);
    SvgPainter painter(400, 170, {255, 255, 255}, "");
    header.paint(painter, area, themeOf(Background::Light));
    QVERIFY(painter.document().find("WEE 25.0 %") != std::string::npos);
    QVERIFY(painter.document().find("H200") == std::string::npos);
  }
};

APPLESS_TEST(TestChartHeader);
#include "tst_chart_header.moc"
