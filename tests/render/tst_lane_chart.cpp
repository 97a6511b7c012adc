// The lanes of a warp over its steps.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "chart_stage.h"
#include "engine/core/stopwatch.h"
#include "made_reports.h"
#include "pictures.h"
#include "render/charts/lane_chart.h"
#include "render/charts/lane_columns.h"
#include "render/charts/load_parts.h"
#include "render/charts/multiprocessor_chart.h"
#include "render/charts/response_chart.h"
#include "render/charts/steps_histogram_chart.h"
#include "render/charts/warp_load_chart.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Where lane l's row is, from the top of the picture.
int rowOfLane(int lane) { return kChartHeight - kTop + (kTop - kBottom) * (2 * lane + 1) / 64; }

}  // namespace

class TestLaneChart : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void laneColumnsKeepTheirSums_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("columns");
    QTest::newRow("a column per step") << 0.0 << 320.0 << 1000;
    QTest::newRow("few columns") << 0.0 << 320.0 << 9;
    QTest::newRow("a part, beyond the end") << 100.5 << 900.0 << 50;
  }
  void laneColumnsKeepTheirSums() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, columns);
    const auto trace = madeTrace(320);
    std::vector<std::size_t> firsts;
    const auto spans = laneColumns(*trace, low, high, std::size_t(columns), firsts);
    const auto from = std::size_t(low);
    const std::size_t to = std::min<std::size_t>(320, std::size_t(high));
    QCOMPARE(firsts.size() - 1, std::min<std::size_t>(std::size_t(columns), to - from));
    QCOMPARE(spans.size(), (firsts.size() - 1) * 32);
    QVERIFY(firsts.front() == from && firsts.back() == to);
    for (std::size_t c = 0; c + 1 < firsts.size(); ++c)
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        double active = 0, candidate = 0;
        for (std::size_t step = firsts[c]; step < firsts[c + 1]; ++step) {
          active += trace->active(step, lane) ? 1 : 0;
          candidate +=
              trace->active(step, lane) && trace->loopOfStep[step] == Loop::Candidate ? 1 : 0;
        }
        const LaneSpan& span = spans[c * 32 + lane];
        QVERIFY(std::abs(double(span.active) - active / double(firsts[c + 1] - firsts[c])) < 1e-6);
        if (2 * candidate != active && active > 0)
          QCOMPARE(span.loop, 2 * candidate > active ? Loop::Candidate : Loop::Search);
      }
    QVERIFY(laneColumns(WarpTrace{}, 0, 10, 5, firsts).empty());
  }

  /// The words of the cursor are whole where they leave the lanes in sight, else what fits on a
  /// line.
  void wordsOfTheCursorLeaveTheLanes() {
    LaneChart chart;
    chart.setData(madeTrace(320));
    chart.setCursor(150);
    const auto has = [&](int width, int height, const char* words) {
      return chart.toSvg(width, height, Background::Light, "x").find(words) != std::string::npos;
    };
    QVERIFY(has(900, 400, "step 151") && has(900, 400, "lane 0"));
    QVERIFY(has(320, 190, "lane 0") && !has(320, 190, "compares"));
    QVERIFY(!has(140, 170, "step 151"));
  }

  /// As the charts of reports do; a trace that knows no GPU names none.
  void theTitleNamesTheMachine() {
    const auto drawn = [](std::optional<SimtMachine> machine) {
      const auto trace = madeTrace(320);
      trace->machine = std::move(machine);
      LaneChart chart;
      chart.setData(trace);
      return chart.toSvg(900, 400, Background::Light, "x");
    };
    const auto named = drawn(SimtMachine{});
    QVERIFY(named.find("H200: 132 multiprocessors × 64 warps, 1.98 GHz") != std::string::npos);
    const auto own = drawn(*machineFromText("8x4"));
    QVERIFY(own.find("GPU: 8 multiprocessors × 4 warps, 1.98 GHz") != std::string::npos);
    QVERIFY(drawn(std::nullopt).find("multiprocessors") == std::string::npos);
  }

  void lanesAreColouredByLoopOrPale() {
    ChartStage<LaneChart> stage;
    auto trace = madeTrace(320);
    trace->queryPoint[31] = WarpTrace::kNothing;
    stage.chart.setData(trace);
    const Image image = stage.window->image();
    const auto at = [&](std::size_t step, int lane) {
      return image.pixel(int(kLeft + (kRight - kLeft) * (double(step) + 0.5) / 320),
                         rowOfLane(lane));
    };
    for (const int lane : {0, 5, 16, 30})
      for (const std::size_t step : {2U, 55U, 139U, 200U, 304U, 319U}) {
        const Colour expected = trace->active(step, std::uint32_t(lane))
                                    ? loopColour(dark(), trace->loopOfStep[step])
                                    : idleColour(dark());
        QVERIFY2(difference(at(step, lane), expected) <= 4,
                 qPrintable(QString("lane %1 step %2").arg(lane).arg(step)));
      }
    QVERIFY(difference(at(2, 31), dark().ground) <= 4);  // no query, nothing to idle
  }

  void stepsAreWalkedByKeysAndClicks() {
    ChartStage<LaneChart> stage;
    stage.chart.setData(madeTrace(320));
    std::vector<std::pair<std::size_t, std::uint32_t>> heard;
    stage.chart.setOnCursor([&heard](std::size_t step, std::uint32_t lane) {
      heard.push_back({step, lane});
    });
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
    const int x = int(kLeft + (kRight - kLeft) * 150.5 / 320);
    stage.click(x, kChartHeight - 1 - rowOfLane(12));
    QCOMPARE(heard.size(), std::size_t(1));
    QVERIFY(heard[0].second == 12 && heard[0].first >= 149 && heard[0].first <= 151);
    QCOMPARE(stage.chart.cursor(), std::int64_t(heard[0].first));
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
    stage.chart.pressKey(ChartKey::Right);
    stage.chart.pressKey(ChartKey::Right);
    stage.chart.pressKey(ChartKey::Left);
    QCOMPARE(stage.chart.cursor(), std::int64_t(heard[0].first) + 1);
    // Forward to the end and not beyond; setting it from outside calls no callback.
    const std::size_t before = heard.size();
    stage.chart.setCursor(319);
    QCOMPARE(heard.size(), before);
    stage.chart.pressKey(ChartKey::Right);
    QCOMPARE(stage.chart.cursor(), std::int64_t(319));
    stage.chart.setCursor(320);
    QCOMPARE(stage.chart.cursor(), std::int64_t(-1));
    // The lane of the picked point is framed; a point of another warp frames none.
    stage.chart.setMarkedPoint(105);
    const int row = rowOfLane(5);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4, kLeft, row - 6, kRight, row + 6) >
            300);
    stage.chart.setMarkedPoint(5);
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
  }
};

APPLESS_TEST(TestLaneChart);
#include "tst_lane_chart.moc"
