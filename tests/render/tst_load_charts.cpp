// Do the charts of load show the numbers of the report, and does a click find the warp under it?
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "chart_stage.h"
#include "engine/core/stopwatch.h"
#include "made_reports.h"
#include "pictures.h"
#include "render/charts/batch_chart.h"
#include "render/charts/lane_chart.h"
#include "render/charts/load_parts.h"
#include "render/charts/multiprocessor_chart.h"
#include "render/charts/response_chart.h"
#include "render/charts/steps_histogram_chart.h"
#include "render/charts/warp_columns.h"
#include "render/charts/warp_load_chart.h"
#include "render/paint/palette.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Warps of 100, 200, … steps, a quarter of them busy.
std::shared_ptr<LoadReport> stairs(std::size_t n, std::size_t batches = 1) {
  return madeReport(
      n, [](std::size_t i) { return 100.0 * double(i + 1); }, [](std::size_t) { return 0.25; }, 4,
      2, batches);
}

/// 60,000 warps, every hundredth of them twenty times as long as the others.
std::shared_ptr<LoadReport> manyWarps() {
  return madeReport(
      60000, [](std::size_t i) { return i % 100 == 0 ? 2000.0 : 100.0; },
      [](std::size_t i) { return i % 100 == 0 ? 0.1 : 0.9; }, 132, 64);
}

/// Pixels of a colour in one column of the plot.
int heightAt(const Image& image, Colour colour, int x) {
  return countColour(image, colour, 4, x, kChartHeight - kTop, x + 1, kChartHeight - kBottom);
}

}  // namespace

class TestLoadCharts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void workIsWeighted() {
    WarpLoad warp;
    warp.steps = {4, 2, 10, 1};
    warp.laneSteps = {64, 32, 160, 32};
    const WarpWork plain = workOf(warp, {});
    QCOMPARE(plain.steps, 17.0);
    QCOMPARE(plain.busy, 9.0);
    QCOMPARE(plain.idleLaneSteps(), 256.0);
    const WarpWork weighted = workOf(warp, LoopWeights{{12, 6, 16, 9.5}});
    QCOMPARE(weighted.steps, 12 * 4 + 6 * 2 + 16 * 10 + 9.5);
    QCOMPARE(weighted.busy, 12 * 2 + 6 * 1 + 16 * 5 + 9.5);
  }

  void columnsKeepTheirSums_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("columns");
    QTest::newRow("all in few") << 0.0 << 1000.0 << 7;
    QTest::newRow("a part") << 13.4 << 611.2 << 50;
    QTest::newRow("one per warp") << 100.0 << 120.0 << 500;
    QTest::newRow("beyond the ends") << -50.0 << 5000.0 << 33;
  }
  void columnsKeepTheirSums() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, columns);
    const auto report = madeReport(
        1000, [](std::size_t i) { return double(1 + (i * 7919) % 503); },
        [](std::size_t i) { return double(i % 10) / 10; });
    const auto made = warpColumns(*report, low, high, std::size_t(columns));
    const auto from = std::size_t(std::max(0.0, std::floor(low)));
    const auto to = std::size_t(std::min(1000.0, std::ceil(high)));
    QCOMPARE(made.size(), std::min<std::size_t>(std::size_t(columns), to - from));
    std::size_t at = from;
    for (const WarpColumn& column : made) {
      QCOMPARE(column.first, at);
      QVERIFY(column.end > column.first);
      double steps = 0, busy = 0, least = 1e9, most = 0;
      for (; at < column.end; ++at) {
        const double s = double(report->warps[at].steps[2]);
        steps += s;
        busy += double(report->warps[at].laneSteps[2]) / 32;
        least = std::min(least, s);
        most = std::max(most, s);
      }
      const auto n = double(column.end - column.first);
      QVERIFY(std::abs(column.steps - steps / n) < 1e-9 * steps);
      QVERIFY(std::abs(column.busy - busy / n) < 1e-9 * steps);
      QCOMPARE(column.least, least);
      QCOMPARE(column.most, most);
    }
    QCOMPARE(at, to);
  }

  void noWarpsMakeNothing() {
    const LoadReport none;
    QVERIFY(warpColumns(none, 0, 10, 5).empty());
    QVERIFY(stepsHistogram(none, 8).edges.empty());
    QVERIFY(occupancyOverTime(none, 0, 1, 5).empty());
    QVERIFY(warpColumns(*stairs(3), 0, 3, 0).empty());
  }

  void theHistogramCountsEveryWarp_data() {
    QTest::addColumn<int>("spread");
    QTest::addColumn<bool>("logarithmic");
    QTest::newRow("all equal") << 1 << false;
    QTest::newRow("narrow") << 30 << false;
    QTest::newRow("wide") << 5000 << true;
  }
  void theHistogramCountsEveryWarp() {
    QFETCH(int, spread);
    QFETCH(bool, logarithmic);
    const auto report = madeReport(
        700, [spread](std::size_t i) { return double(1 + (i * 7919) % std::size_t(spread)); },
        [](std::size_t i) { return double(i % 5) / 4; });
    const StepsHistogram histogram = stepsHistogram(*report, 20);
    QCOMPARE(histogram.logarithmic, logarithmic);
    QCOMPARE(histogram.edges.size(), std::size_t(21));
    for (std::size_t bin = 0; bin < 20; ++bin) {
      double warps = 0, steps = 0, busy = 0;
      for (const WarpLoad& warp : report->warps) {
        const double s = double(warp.steps[2]);
        const bool last = bin == 19;
        // Edges of even factors are rounded: a warp that lies on one may count on either side.
        const bool inside =
            (s >= histogram.edges[bin] || bin == 0) && (s < histogram.edges[bin + 1] || last);
        if (!inside) continue;
        warps += 1;
        steps += s;
        busy += double(warp.laneSteps[2]) / 32;
      }
      QCOMPARE(histogram.warps[bin], warps);
      QVERIFY(std::abs(histogram.busyShare[bin] - (steps > 0 ? busy / steps : 0)) < 1e-9);
    }
  }

  void occupancyIsTimeOverPlaces() {
    LoadReport report;
    report.multiprocessors = 2;
    report.warpsPerMultiprocessor = 2;
    report.warps.resize(3);
    report.warps[0].end = 10;  // on 0 all the time
    report.warps[1].start = 2.5;
    report.warps[1].end = 7.5;  // on 0 the middle half
    report.warps[2].multiprocessor = 1;
    report.warps[2].start = 9;
    report.warps[2].end = 10;
    const auto share = occupancyOverTime(report, 0, 10, 4);
    const std::vector<float> expected{0.5F, 1, 1, 0.5F, 0, 0, 0, 0.2F};
    QCOMPARE(share.size(), expected.size());
    for (std::size_t i = 0; i < share.size(); ++i)
      QVERIFY2(std::abs(share[i] - expected[i]) < 1e-6F, qPrintable(QString::number(i)));
    // A window in time sees the same as its part of the whole.
    const auto part = occupancyOverTime(report, 5, 10, 2);
    QVERIFY(std::abs(part[0] - 1) < 1e-6F && std::abs(part[1] - 0.5F) < 1e-6F);
  }

  void titlesSayWhatItIs() {
    auto report = stairs(3);
    QCOMPARE(loadTitle(*report), std::string("modelled · unweighted WEE 25.0 % · 3 warps"));
    report->measured = true;
    report->allWarps = 62500;
    report->weeError = 0.004;
    QCOMPARE(
        loadTitle(*report),
        std::string("measured · unweighted WEE 25.0 % ± 0.4 % · a sample of 3 of 62,500 warps"));
    QVERIFY(warpWords(*report, 1).find("warp 1 · 32 queries · 200 steps, 25.0 % busy") == 0);
    report->weights.of = {12, 6, 16, 9.5};
    QVERIFY(warpWords(*report, 1).find("3.2 k weighted steps") != std::string::npos);
    // A modelled report names its GPU, and every chart of it does.
    report->measured = false;
    report->machine = "H200";
    report->multiprocessors = 132;
    report->warpsPerMultiprocessor = 64;
    report->clockGHz = 1.98;
    const std::string named = "H200: 132 multiprocessors × 64 warps, 1.98 GHz";
    // What lasts steps also lasts seconds: 16 cycles a step here.
    const std::string time = timeText(*report, 1.98e9);
    QVERIFY2(time.starts_with("1.98 G weighted steps, 16") && time.ends_with(" s"), time.c_str());
    QCOMPARE(machinePart(*report), " · " + named);
    QVERIFY(loadTitle(*report).ends_with(named));
    WarpLoadChart warps;
    warps.setData(report);
    MultiprocessorChart multiprocessors;
    multiprocessors.setData(report);
    StepsHistogramChart histogram;
    histogram.setData(report);
    BatchChart batches;
    batches.setReport(report);
    for (Chart* chart :
         std::initializer_list<Chart*>{&warps, &multiprocessors, &histogram, &batches})
      QVERIFY(chart->toSvg(560, 260, Background::Light, "x").find(named) != std::string::npos);
  }

  void barsAreAsHighAsTheirSteps() {
    ChartStage<WarpLoadChart> stage;
    stage.chart.setData(stairs(10));
    const Image image = stage.window->image();
    const double perStep = (kTop - kBottom) / (1.06 * 1000);
    for (int i = 0; i < 10; ++i) {
      const int x = int(kLeft + (kRight - kLeft) * (i + 0.5) / 10);
      const double steps = 100.0 * (i + 1);
      QVERIFY(std::abs(heightAt(image, dark().series[0], x) - 0.25 * steps * perStep) <= 2);
      QVERIFY(std::abs(heightAt(image, idleColour(dark()), x) - 0.75 * steps * perStep) <= 2);
    }
  }

  void manyWarpsAreMeansAndTheLongestIsTold() {
    ChartStage<WarpLoadChart> stage;
    stage.chart.setData(manyWarps());
    const double start = threadSeconds();
    const Image image = stage.window->image();
    const double seconds = threadSeconds() - start;
    QVERIFY2(seconds < 1, qPrintable(QString::number(seconds)));
    // A column is the mean of about 126 warps, one or two of which are long: 119 or 134 steps, of
    // which 91.1 are busy; the line of the longest lies at 2,000.
    const double perStep = (kTop - kBottom) / (1.06 * 2000);
    for (const int x : {100, 250, 400, 530}) {
      const int busy = heightAt(image, dark().series[0], x);
      const int idle = heightAt(image, idleColour(dark()), x);
      QVERIFY2(std::abs(busy - 91 * perStep) <= 2, qPrintable(QString::number(busy)));
      QVERIFY2(std::abs(idle - 30 * perStep) <= 3, qPrintable(QString::number(idle)));
    }
    const int longest = kChartHeight - 1 - int(kBottom + 2000 * perStep);
    QVERIFY(countColour(image, dark().line, 30, kLeft + 4, longest - 2, kRight, longest + 3) > 300);
    QCOMPARE(
        countColour(image, dark().line, 10, kLeft + 4, longest + 10, kRight - 150, longest + 60),
        0);
  }

  void aClickPicksTheBarUnderIt() {
    ChartStage<WarpLoadChart> stage;
    stage.chart.setData(stairs(10));
    std::vector<std::int64_t> picked;
    stage.chart.setOnPick([&picked](std::int64_t warp) { picked.push_back(warp); });
    stage.window->image();
    for (int i = 0; i < 10; ++i) stage.click(int(kLeft + (kRight - kLeft) * (i + 0.5) / 10), 60);
    QCOMPARE(picked, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    picked.clear();
    stage.click(5, 5);  // beside the plot
    QVERIFY(picked.empty());

    // Zoomed in by the wheel about a warp, a click still finds what is drawn there.
    const int over7 = int(kLeft + (kRight - kLeft) * 0.75);
    stage.send(vtkCommand::MouseMoveEvent, over7, 60);
    for (int i = 0; i < 3; ++i) stage.send(vtkCommand::MouseWheelForwardEvent, over7, 60);
    stage.window->image();
    stage.click(over7, 60);
    QCOMPARE(picked, (std::vector<std::int64_t>{7}));
    // A drag pans and picks nothing.
    stage.drag(over7, 60, over7 + 100, 60);
    QCOMPARE(picked.size(), std::size_t(1));
    stage.window->image();
    stage.click(over7, 60);
    QVERIFY(picked.back() < 7);
    // All of it again.
    QVERIFY(stage.chart.pressKey(ChartKey::All));
    stage.window->image();
    stage.click(over7, 60);
    QCOMPARE(picked.back(), std::int64_t(7));
  }

  void thePickedWarpIsMarkedAndOnShow() {
    ChartStage<WarpLoadChart> stage;
    stage.chart.setData(manyWarps());
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
    stage.chart.setMarked(30000);
    Image image = stage.window->image();
    const int middle = (kLeft + kRight) / 2;
    QVERIFY(heightAt(image, dark().accent, middle) > 150 ||
            heightAt(image, dark().accent, middle - 1) > 150);
    // Zoomed in elsewhere, marking another moves there.
    for (int i = 0; i < 40; ++i) stage.chart.pressKey(ChartKey::ZoomIn);
    stage.chart.setMarked(5);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
    // Arrow keys go from warp to warp.
    std::vector<std::int64_t> picked;
    stage.chart.setOnPick([&](std::int64_t warp) {
      picked.push_back(warp);
      stage.chart.setMarked(warp);
    });
    QVERIFY(stage.chart.pressKey(ChartKey::Right));
    QVERIFY(stage.chart.pressKey(ChartKey::Left));
    QVERIFY(stage.chart.pressKey(ChartKey::Left));
    QCOMPARE(picked, (std::vector<std::int64_t>{6, 5, 4}));
    // Another report forgets the mark; a warp that is not there marks nothing.
    stage.chart.setData(stairs(4));
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
    stage.chart.setMarked(4);
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
  }

  // A sample of every tenth of 100 warps, in steps from 100 to 1,000; warp 25 with 900 steps, a
  // third of them busy, lies between the third and the fourth bar.
  void aWarpOutsideTheSampleIsMarkedWhereItWouldBe() {
    const auto report = stairs(10);
    for (WarpLoad& warp : report->warps) warp.number *= 10;
    report->allWarps = 100;
    constexpr auto candidate = static_cast<std::size_t>(Loop::Candidate);
    WarpLoad outside;
    outside.number = 25;
    outside.steps[candidate] = 900;
    outside.laneSteps[candidate] = 900 * 32 / 3;

    ChartStage<WarpLoadChart> stage;
    stage.chart.setData(report);
    stage.chart.setMarkedOutside(outside);
    const Image image = stage.window->image();
    const int x = int(std::lround(kLeft + (kRight - kLeft) * 0.3));
    const double perStep = (kTop - kBottom) / (1.06 * 1000);
    QVERIFY(std::abs(heightAt(image, dark().series[0], x) - 300 * perStep) <= 4);
    QVERIFY(std::abs(heightAt(image, idleColour(dark()), x) - 600 * perStep) <= 4);
    // Its frame is as high as it; elsewhere there is no mark but the words.
    QVERIFY(countColour(image, dark().accent, 4, x - 9, kChartHeight - kTop, x + 9,
                        kChartHeight - kBottom) > 1.8 * 900 * perStep);
    QCOMPARE(heightAt(image, dark().accent, x - 20), 0);

    // Arrow keys go on from there, to its neighbours in the sample.
    std::vector<std::int64_t> picked;
    stage.chart.setOnPick([&](std::int64_t warp) { picked.push_back(warp); });
    QVERIFY(stage.chart.pressKey(ChartKey::Right));
    QVERIFY(stage.chart.pressKey(ChartKey::Left));
    QCOMPARE(picked, (std::vector<std::int64_t>{3, 2}));

    // A warp longer than any of the sample has room, and zoomed in elsewhere it is brought to show.
    outside.number = 99;
    outside.steps[candidate] = 3000;
    for (int i = 0; i < 3; ++i) stage.chart.pressKey(ChartKey::ZoomIn);
    stage.chart.setMarkedOutside(outside);
    const Image taller = stage.window->image();
    QVERIFY(heightAt(taller, idleColour(dark()), kRight - 5) > 0.8 * (kTop - kBottom));
    stage.chart.setMarkedOutside({});
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
    // Nothing is marked once the report is another.
    stage.chart.setMarkedOutside(outside);
    stage.chart.setData(stairs(4));
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
  }

  void aWarpOutsideTheSampleIsMarkedAmongTheSteps() {
    const auto report = stairs(10);
    report->allWarps = 100;
    constexpr auto candidate = static_cast<std::size_t>(Loop::Candidate);
    WarpLoad outside;
    outside.number = 25;
    ChartStage<StepsHistogramChart> stage;
    stage.chart.setData(report);
    // 100 … 1,000 steps are the axis; fewer and more stand at its ends.
    for (const auto& [steps, place] :
         {std::pair{550, 0.5}, std::pair{50, 0.0}, std::pair{2000, 1.0}}) {
      outside.steps[candidate] = std::uint64_t(steps);
      stage.chart.setMarkedOutside(outside);
      const Image image = stage.window->image();
      const int x = int(std::lround(kLeft + (kRight - kLeft) * place));
      QVERIFY2(countColour(image, dark().accent, 4, std::max(x - 2, 0), 40, x + 2,
                           kChartHeight - kBottom) > 150,
               qPrintable(QString::number(steps)));
    }
    stage.chart.setMarkedOutside({});
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
  }

  void chartsSideBySideShareTheirAxis() {
    ChartStage<WarpLoadChart> stage;
    stage.chart.setData(stairs(10));
    stage.chart.setFullHeight(2000);
    const Image image = stage.window->image();
    const double perStep = (kTop - kBottom) / (1.06 * 2000);
    const int x = int(kLeft + (kRight - kLeft) * 0.95);
    QVERIFY(std::abs(heightAt(image, dark().series[0], x) - 250 * perStep) <= 2);
  }

  void histogramBarsAreAsHighAsTheirCounts() {
    // 90 warps of 100 steps, 10 of 1,000: the first bar is nine times as high as the last.
    const auto report = madeReport(
        100, [](std::size_t i) { return i < 90 ? 100.0 : 1000.0; },
        [](std::size_t i) { return i < 90 ? 0.5 : 0.2; });
    ChartStage<StepsHistogramChart> stage;
    stage.chart.setData(report);
    const Image image = stage.window->image();
    const double perWarp = (kTop - kBottom) / (1.06 * 90);
    const int first = kLeft + 3;
    const int last = kRight - 4;
    QVERIFY(std::abs(heightAt(image, dark().series[0], first) - 45 * perWarp) <= 2);
    QVERIFY(std::abs(heightAt(image, idleColour(dark()), first) - 45 * perWarp) <= 2);
    QVERIFY(std::abs(heightAt(image, dark().series[0], last) - 2 * perWarp) <= 2);
    QVERIFY(std::abs(heightAt(image, idleColour(dark()), last) - 8 * perWarp) <= 2);
    QCOMPARE(heightAt(image, dark().series[0], (kLeft + kRight) / 2), 0);
    stage.chart.setMarked(95);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4, last - 10) > 100);
  }

  void theIdleTailIsSeen() {
    // One warp of ten times the steps of the others: it runs on alone.
    const auto report = madeReport(
        9, [](std::size_t i) { return i == 8 ? 1000.0 : 100.0; }, [](std::size_t) { return 1.0; });
    ChartStage<MultiprocessorChart> stage;
    stage.chart.setData(report);
    const Image image = stage.window->image();
    const double perStep = (kRight - kLeft) / (1.02 * 1100);
    const int early = int(kLeft + 50 * perStep);
    const int late = int(kLeft + 700 * perStep);
    constexpr int kHeight = kTop - 16 - kBottom;  // the title has a line of its own
    // At first all four rows are full, at the end one is half full: its one place of two.
    QVERIFY(heightAt(image, dark().series[0], early) > kHeight - 6);
    QCOMPARE(heightAt(image, dark().series[0], late), 0);
    QVERIFY(heightAt(image, dark().ground, late) > kHeight * 3 / 4 - 30);
    // The ideal end: 1,800 steps over 8 places.
    const int ideal = int(std::lround(kLeft + 225 * perStep));
    QVERIFY(heightAt(image, dark().series[1], ideal) +
                heightAt(image, dark().series[1], ideal - 1) >
            100);
    std::vector<std::int64_t> picked;
    stage.chart.setOnPick([&picked](std::int64_t warp) { picked.push_back(warp); });
    const int row = int(report->warps[8].multiprocessor);
    const int inRow = kBottom + kHeight * (2 * row + 1) / 8;
    stage.click(late, inRow);
    stage.click(late, kBottom + kHeight * (2 * ((row + 1) % 4) + 1) / 8);
    QCOMPARE(picked, (std::vector<std::int64_t>{8, -1}));
    stage.chart.setMarked(8);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 300);
  }

  void batchesLieOnTheirStreams() {
    ChartStage<BatchChart> stage;
    stage.chart.setTimeline(madeTimeline());
    const Image image = stage.window->image();
    const double perSecond = (kRight - kLeft) / (1.02 * 0.106);
    const auto rowMiddle = [](int stream) {
      return kChartHeight - 1 - (kBottom + (kTop - kBottom) * (2 * (2 - stream) + 1) / 6);
    };
    const auto at = [&](double seconds, int stream) {
      return image.pixel(int(kLeft + seconds * perSecond), rowMiddle(stream) - 12);
    };
    QVERIFY(difference(at(0.002, 0), dark().series[0]) <= 4);  // kernel of batch 0
    QVERIFY(difference(at(0.015, 0), dark().series[1]) <= 4);  // its transfer
    QVERIFY(difference(at(0.024, 0), dark().series[2]) <= 4);  // its table
    QVERIFY(difference(at(0.002, 1), dark().ground) <= 4);     // stream 1 has yet to begin
    QVERIFY(difference(at(0.012, 1), dark().series[0]) <= 4);  // kernel of batch 1
    stage.chart.setMarked(4);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
  }

  void modelledBatchesAreTheirWarps() {
    ChartStage<BatchChart> stage;
    stage.chart.setReport(stairs(40, 4));
    const Image image = stage.window->image();
    QVERIFY(countColour(image, dark().series[0], 4) > 5000);
    // Kernels only: nothing is said to be sent. (Batch numbers and the key have no such colour.)
    QCOMPARE(countColour(image, dark().series[1], 4), 0);
    QCOMPARE(countColour(image, dark().series[2], 4), 0);
    auto withStats = stairs(4);
    withStats->stats.timeline = madeTimeline();
    stage.chart.setReport(withStats);
    QVERIFY(countColour(stage.window->image(), dark().series[1], 4) > 1000);
    stage.chart.setReport(nullptr);
    QCOMPARE(coloursIn(stage.window->image()), std::size_t(1));
  }

  /// Two at a time, the later number started first: two rows, both busy all the time.
  void batchesTakeNoMoreRowsThanAreInFlight() {
    auto report = stairs(4, 4);
    const double spans[4][2] = {{0, 4}, {0, 6}, {6, 10}, {4, 10}};
    for (std::size_t i = 0; i < 4; ++i) {
      report->warps[i].start = spans[i][0];
      report->warps[i].end = spans[i][1];
    }
    ChartStage<BatchChart> stage;
    stage.chart.setReport(report);
    const Image image = stage.window->image();
    for (const double time : {1.0, 5.0, 9.0})
      for (const double row : {0.3, 0.8}) {
        const int x = int(kLeft + (kRight - kLeft) * time / 10.2);
        const int y = int(kChartHeight - 1 - (kBottom + (kTop - kBottom) * row));
        QVERIFY2(difference(image.pixel(x, y), dark().series[0]) <= 4,
                 qPrintable(QString("%1, %2").arg(time).arg(row)));
      }
  }

  void responseTimesLieOnTheirAxes() {
    ChartStage<ResponseChart> stage;
    QCOMPARE(coloursIn(stage.window->image()), std::size_t(1));
    ResponseCurve fast{"fast", {{0.1, 0.001, 1}, {1, 0.010, 10}, {10, 0.100, 100}}};
    ResponseCurve slow{"slow", {{0.1, 0.010, 1}, {1, 0.100, 10}, {10, 1, 100}}};
    stage.chart.setData({fast, slow, {"not run", {}}}, "measured");
    const Image image = stage.window->image();
    // Both axes are logarithmic and reach a factor of 1.3 beyond: ε 0.1 to 10, 1 to 1,000 ms.
    const auto at = [&](double eps, double ms) {
      const double right = kChartWidth - 52;
      const double x = kLeft + (right - kLeft) * std::log(1.3 * eps / 0.1) / std::log(169.0);
      const double y = kBottom + (kTop - kBottom) * std::log(1.3 * ms) / std::log(1690.0);
      return std::pair{int(std::lround(x)), kChartHeight - 1 - int(std::lround(y))};
    };
    for (int c = 0; c < 2; ++c)
      for (const ResponsePoint& point : (c == 0 ? fast : slow).points) {
        const auto [x, y] = at(point.eps, 1000 * point.seconds);
        QVERIFY(countColour(image, clusterColour(c, Background::Dark), 8, x - 2, y - 2, x + 3,
                            y + 3) >= 9);
      }
    // Selectivity 0 has no place on its axis and does no harm, like a single point.
    stage.chart.setData({{"one", {{0.5, 0.002, 0}}}}, "measured");
    QVERIFY(countColour(stage.window->image(), clusterColour(0, Background::Dark), 8) > 15);
    stage.send(vtkCommand::MouseMoveEvent, 300, 130);
    stage.window->image();
    stage.chart.setData({}, "");
    QCOMPARE(coloursIn(stage.window->image()), std::size_t(1));
  }

  /// However small, and whatever is missing: pictures have the size of the window, with data in
  /// them where there is data and room, and nothing where there is none.
  void emptyAndTinyChartsDraw() {
    const auto one = stairs(1);
    for (const auto& [width, height] : {std::pair{560, 260}, {60, 40}, {1, 1}}) {
      ChartStage<WarpLoadChart> bars(width, height);
      ChartStage<StepsHistogramChart> histogram(width, height);
      ChartStage<MultiprocessorChart> rows(width, height);
      ChartStage<BatchChart> batches(width, height);
      ChartStage<LaneChart> lanes(width, height);
      const auto isDrawn = [width = width, height = height](const Image& image, bool data) {
        return image.width == width && image.height == height &&
               (width < 500 || (coloursIn(image) > 1) == data);
      };
      for (const std::shared_ptr<WarpTrace>& trace :
           {madeTrace(1), std::make_shared<WarpTrace>(), std::shared_ptr<WarpTrace>()}) {
        lanes.chart.setData(trace);
        lanes.chart.setCursor(0);
        lanes.click(width / 2, height / 2);
        lanes.send(vtkCommand::MouseMoveEvent, width / 2, height / 2);
        lanes.chart.pressKey(ChartKey::Right);
        QVERIFY2(isDrawn(lanes.window->image(), trace && trace->steps() > 0),
                 qPrintable(QString::number(width)));
      }
      for (const std::shared_ptr<LoadReport>& report :
           {one, std::make_shared<LoadReport>(), stairs(5), std::shared_ptr<LoadReport>()}) {
        const bool hasWarps = report && !report->warps.empty();
        bars.chart.setData(report);
        histogram.chart.setData(report);
        rows.chart.setData(report);
        batches.chart.setReport(report);
        bars.chart.setMarked(0);
        histogram.chart.setMarked(0);
        rows.chart.setMarked(0);
        for (const int x : {0, width / 2}) {
          bars.click(x, height / 2);
          bars.send(vtkCommand::MouseMoveEvent, x, height / 2);
          bars.send(vtkCommand::MouseWheelForwardEvent, x, height / 2);
          rows.send(vtkCommand::MouseMoveEvent, x, height / 2);
          batches.send(vtkCommand::MouseMoveEvent, x, height / 2);
          histogram.send(vtkCommand::MouseMoveEvent, x, height / 2);
        }
        QVERIFY2(isDrawn(bars.window->image(), hasWarps), qPrintable(QString::number(width)));
        QVERIFY2(isDrawn(histogram.window->image(), hasWarps), qPrintable(QString::number(width)));
        QVERIFY2(isDrawn(rows.window->image(), hasWarps), qPrintable(QString::number(width)));
        QCOMPARE(batches.window->image().width, width);
      }
    }
  }
};

APPLESS_TEST(TestLoadCharts);
#include "tst_load_charts.moc"
