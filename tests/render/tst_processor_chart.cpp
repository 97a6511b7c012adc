// The chart of both processors: are batches where and as long as their figures say, is the meeting
// point in its place, do clicks and keys find batches, do the words say what the pass says?
#include <QtTest>
#include <algorithm>
#include <set>

#include "chart_stage.h"
#include "engine/core/number_text.h"
#include "engine/core/stopwatch.h"
#include "pictures.h"
#include "render/charts/processor_chart.h"
#include "render/paint/colour_map.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

SharedBatch batchOf(Processor processor, int lane, double start, double end, std::uint32_t first,
                    std::uint32_t queries, std::uint64_t candidates) {
  return {.processor = processor,
          .lane = lane,
          .start = start,
          .end = end,
          .firstQuery = first,
          .queries = queries,
          .candidates = candidates};
}

/// 100 queries: the GPU does the first 60 in two batches until 0.9 s, the CPU's `threads` threads
/// share the others until 1 s.
SharedPass madePass(int threads = 2) {
  SharedPass pass;
  pass.stage = "counting";
  pass.division = "dyn";
  pass.queries = 100;
  pass.meeting = 60;
  pass.batches = {batchOf(Processor::Gpu, 0, 0, 0.5, 0, 20, 20000),
                  batchOf(Processor::Gpu, 0, 0.5, 0.9, 20, 40, 10000)};
  const int each = 40 / threads;
  for (int t = 0; t < threads; ++t) {
    const auto first = static_cast<std::uint32_t>(60 + t * each);
    pass.batches.push_back(
        batchOf(Processor::Cpu, t, 0, 1, first, std::uint32_t(each), std::uint64_t(each) * 10));
  }
  pass.gpuEnd = 0.9;
  pass.cpuEnd = 1;
  pass.imbalance = 0.1;
  pass.gpuQueries = 0.6;
  pass.gpuCandidates = 30000 / 30400.0;
  return pass;
}

std::shared_ptr<ProcessorTimes> timesOf(std::size_t panels = 1, int threads = 2,
                                        bool measured = false) {
  auto times = std::make_shared<ProcessorTimes>();
  times->measured = measured;
  const char* names[] = {"HEGJoin-Dyn", "HEGJoin-SQ", "HEGJoin-SC", "adaptive"};
  for (std::size_t p = 0; p < panels; ++p)
    times->panels.push_back(
        {names[p % 4], std::make_shared<const SharedPass>(madePass(threads)), 1, threads});
  return times;
}

/// Where a time and a row are in a chart of one panel with its header and strip: pixels from the
/// left and from the bottom. Rows: GPU 0, CPU 0, CPU 1, …
int xAt(double seconds) { return int(kLeft + (kRight - kLeft) * seconds / 1.02); }
/// The one row of the GPU has at least three tenths of the height.
int yAt(int row, int rows) {
  const double high = kTop - 15 - 7 - 3;
  const double low = kBottom + 4;
  const double gpu = std::max(0.3, 1.0 / rows);
  const double down = row == 0 ? gpu / 2 : gpu + (1 - gpu) * (row - 0.5) / (rows - 1);
  return int(high - (high - low) * down);
}

Colour workloadColour(double t) { return mapColour(ColourMap::Viridis, 0.1 + 0.85 * t); }

}  // namespace

class TestProcessorChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void batchesAreAsLongAsTheirTimes() {
    ChartStage<ProcessorChart> stage;
    stage.chart.setData(timesOf());
    const Image image = stage.window->image();
    const auto along = [&](int row, Colour colour) {
      const int y = kChartHeight - yAt(row, 3);
      return countColour(image, colour, 6, kLeft, y, kRight, y + 1);
    };
    const double perSecond = (kRight - kLeft) / 1.02;
    // Workloads 1,000, 250 and 10 per query on a logarithmic scale.
    QVERIFY(std::abs(along(0, workloadColour(1)) - 0.5 * perSecond) <= 4);
    const double second = std::log(25.0) / std::log(100.0);
    QVERIFY(std::abs(along(0, workloadColour(second)) - 0.4 * perSecond) <= 4);
    QVERIFY(std::abs(along(1, workloadColour(0)) - perSecond) <= 4);
    QVERIFY(std::abs(along(2, workloadColour(0)) - perSecond) <= 4);
    // After its last batch the GPU idles until the CPU has ended.
    QCOMPARE(along(1, workloadColour(1)), 0);
  }

  void theStripShowsTheOrderAndWhereTheHeadsMet() {
    ChartStage<ProcessorChart> stage;
    stage.chart.setData(timesOf());
    const Image image = stage.window->image();
    const int y = kChartHeight - (kTop - 15 - 4);
    const auto along = [&](Colour colour) {
      return countColour(image, colour, 6, kLeft, y, kRight, y + 1);
    };
    const double width = kRight - kLeft;
    QVERIFY(std::abs(along(workloadColour(1)) - 0.2 * width) <= 3);
    QVERIFY(std::abs(along(workloadColour(0)) - 0.4 * width) <= 4);
    const int met = int(kLeft + 0.6 * width);
    QVERIFY(countColour(image, dark().text, 30, met - 2, y - 4, met + 3, y + 5) >= 12);
  }

  void clicksFindBatches() {
    ChartStage<ProcessorChart> stage;
    stage.chart.setData(timesOf());
    std::vector<std::pair<std::size_t, std::int64_t>> picked;
    stage.chart.setOnPick([&](std::size_t panel, std::int64_t batch) {
      picked.emplace_back(panel, batch);
      stage.chart.setMarked({batch});
    });
    stage.window->image();
    stage.click(xAt(0.25), yAt(0, 3));
    stage.click(xAt(0.7), yAt(0, 3));
    stage.click(xAt(0.95), yAt(0, 3));  // idle
    stage.click(xAt(0.95), yAt(1, 3));
    stage.click(xAt(0.1), yAt(2, 3));
    stage.click(int(kLeft + 0.5 * (kRight - kLeft)), kTop - 15 - 4);  // query 50 in the strip
    using Picks = std::vector<std::pair<std::size_t, std::int64_t>>;
    QCOMPARE(picked, (Picks{{0, 0}, {0, 1}, {0, -1}, {0, 2}, {0, 3}, {0, 1}}));
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
    // Keys go on from there; at the ends they stay.
    picked.clear();
    for (int i = 0; i < 4; ++i) QVERIFY(stage.chart.pressKey(ChartKey::Right));
    QVERIFY(stage.chart.pressKey(ChartKey::Left));
    QCOMPARE(picked, (Picks{{0, 2}, {0, 3}, {0, 3}, {0, 3}, {0, 2}}));
    // What is not there marks nothing.
    stage.chart.setMarked({4});
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
    stage.chart.setMarked({});
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
    // Zoomed in, a click finds what is drawn there.
    picked.clear();
    stage.send(vtkCommand::MouseMoveEvent, xAt(0.8), yAt(0, 3));
    for (int i = 0; i < 5; ++i) stage.send(vtkCommand::MouseWheelForwardEvent, xAt(0.8), yAt(0, 3));
    stage.window->image();
    stage.click(kLeft + 4, yAt(0, 3));
    QCOMPARE(picked, (Picks{{0, 1}}));
    QVERIFY(stage.chart.isZoomed());
  }

  void divisionsAreBelowEachOther() {
    ChartStage<ProcessorChart> stage(kChartWidth, 520);
    const auto times = timesOf(4);
    // The second one takes twice as long: all share its axis.
    SharedPass longer = madePass();
    for (SharedBatch& batch : longer.batches) {
      batch.start *= 2;
      batch.end *= 2;
    }
    longer.cpuEnd = 2;
    times->panels[1].pass = std::make_shared<const SharedPass>(longer);
    stage.chart.setData(times);
    std::set<std::pair<std::size_t, std::int64_t>> picked;
    stage.chart.setOnPick(
        [&](std::size_t panel, std::int64_t batch) { picked.emplace(panel, batch); });
    stage.window->image();
    for (int y = kBottom + 1; y < 520 - 30; y += 3) stage.click(kLeft + 10, y);
    for (std::size_t panel = 0; panel < 4; ++panel)
      for (const std::int64_t batch : {0, 2, 3}) QVERIFY(picked.contains({panel, batch}));
    stage.chart.setMarked({0, 1, 2, -1});
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
    QVERIFY(stage.chart.toSvg(560, 520, Background::Light, "t").find("HEGJoin-SC") !=
            std::string::npos);
    // In little height the names of the divisions give way, not the bars.
    ChartStage<ProcessorChart> low(kChartWidth, 150);
    low.chart.setData(timesOf(4));
    QVERIFY(countColour(low.window->image(), workloadColour(0), 6) > 1000);
  }

  void emptyAndDegenerate() {
    ChartStage<ProcessorChart> stage;
    QVERIFY(stage.chart.isEmpty());
    for (const auto& times :
         {std::shared_ptr<ProcessorTimes>(), std::make_shared<ProcessorTimes>()}) {
      stage.chart.setData(times);
      QVERIFY(stage.chart.isEmpty());
      QVERIFY(stage.chart.table()().rows.empty());
    }
    auto none = std::make_shared<ProcessorTimes>();
    none->panels.push_back({"adaptive", std::make_shared<const SharedPass>(), 3, 2});
    stage.chart.setData(none);
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setMarked({0});
    stage.window->image();
    stage.click(200, 100);
    stage.chart.pressKey(ChartKey::Right);
    // One point, done by the CPU.
    auto one = std::make_shared<ProcessorTimes>();
    SharedPass pass;
    pass.queries = 1;
    pass.batches = {batchOf(Processor::Cpu, 0, 0, 1e-6, 0, 1, 1)};
    pass.cpuEnd = 1e-6;
    pass.imbalance = 1;
    one->panels.push_back({"adaptive", std::make_shared<const SharedPass>(pass), 1, 2});
    stage.chart.setData(one);
    QVERIFY(!stage.chart.isEmpty());
    std::vector<std::int64_t> picked;
    stage.chart.setOnPick([&](std::size_t, std::int64_t batch) { picked.push_back(batch); });
    stage.window->image();
    stage.click((kLeft + kRight) / 2, yAt(1, 3));
    QCOMPARE(picked, std::vector<std::int64_t>{0});
  }

  void twentyThreadsAndManyBatches() {
    ChartStage<ProcessorChart> stage;
    stage.chart.setData(timesOf(1, 20));
    QVERIFY(countColour(stage.window->image(), workloadColour(0), 6) > 20000);
    std::set<std::int64_t> picked;
    stage.chart.setOnPick([&](std::size_t, std::int64_t batch) { picked.insert(batch); });
    for (int row = 0; row < 21; ++row) stage.click(xAt(0.2), yAt(row, 21));
    QCOMPARE(picked.size(), std::size_t(21));
    // 60,000 batches are painted as a picture, in time.
    auto many = timesOf(1, 20);
    SharedPass pass = madePass(20);
    pass.batches.clear();
    pass.queries = 60000;
    for (std::uint32_t b = 0; b < 60000; ++b)
      pass.batches.push_back(batchOf(Processor::Cpu, int(b % 20), b / 20 / 3000.0,
                                     (b / 20 + 1) / 3000.0, 59999 - b, 1, 10 + b));
    many->panels[0].pass = std::make_shared<const SharedPass>(pass);
    stage.chart.setData(many);
    const double start = threadSeconds();
    stage.window->image();
    const double seconds = threadSeconds() - start;
    QVERIFY2(seconds < 1, qPrintable(QString::number(seconds)));
  }

  void wordsSayWhatThePassSays() {
    SharedPass pass = madePass();
    QCOMPARE(imbalanceWords(pass),
             std::string("imbalance 10.0 %: the GPU ended 100 ms before the CPU"));
    QCOMPARE(meetingWords(pass), "CPU and GPU met after 60.0 % of the queries, " +
                                     percentText(30000 / 30400.0) + " of the candidates");
    std::swap(pass.gpuEnd, pass.cpuEnd);
    QCOMPARE(imbalanceWords(pass),
             std::string("imbalance 10.0 %: the CPU ended 100 ms before the GPU"));
    pass.predictedShare = 0.6;
    QVERIFY(meetingWords(pass).find("the GPU was given 60.0 % of the queries") == 0);
    pass.gpuEnd = pass.cpuEnd;
    pass.imbalance = 0;
    QCOMPARE(imbalanceWords(pass), std::string("imbalance 0.0 %: both ended together"));
    pass.gpuEnd = 0;
    pass.imbalance = 1;
    QCOMPARE(imbalanceWords(pass), std::string("imbalance 100.0 %: the CPU did everything"));
    std::swap(pass.gpuEnd, pass.cpuEnd);
    QCOMPARE(imbalanceWords(pass), std::string("imbalance 100.0 %: the GPU did everything"));
    QCOMPARE(meetingWords(pass), std::string("all 100 queries on one processor"));
    QCOMPARE(imbalanceWords({}), std::string("no batches"));
    SharedBatch batch = batchOf(Processor::Gpu, 2, 0.1, 0.2, 1000, 500, 2000000);
    QCOMPARE(batchWords(batch), std::string("GPU stream 2 · 500 queries, places 1,000 to 1,499 · "
                                            "2 M candidates, 4 k per query · 100 ms"));
    batch.transfer = 0.01;
    batch.bytes = 4000;
    batch.replays = 3;
    QVERIFY(batchWords(batch).find("including transfer 10") != std::string::npos);
    QVERIFY(batchWords(batch).find("4 kB · 3 replays") != std::string::npos);
    QCOMPARE(batchOfQuery(madePass(), 0), std::int64_t(0));
    QCOMPARE(batchOfQuery(madePass(), 59), std::int64_t(1));
    QCOMPARE(batchOfQuery(madePass(), 99), std::int64_t(3));
    QCOMPARE(batchOfQuery(madePass(), 100), std::int64_t(-1));
  }

  /// A line at the time that a model predicted, and both times in words.
  void whatWasPredictedIsBesideWhatWasMeasured() {
    SharedPass pass = madePass();
    QCOMPARE(forecastWords(pass), std::string());
    pass.forecast = DivisionForecast{.gpuAlone = 1, .cpuAlone = 4, .together = 0.8};
    QCOMPARE(forecastWords(pass), std::string("predicted 800 ms, took 1,000 ms"));
    SharedPass none;  // of no batches
    none.forecast = pass.forecast;
    QCOMPARE(forecastWords(none), std::string());
    const auto shown = [](const SharedPass& one) {
      auto times = timesOf();
      times->panels[0].pass = std::make_shared<const SharedPass>(one);
      return times;
    };
    const auto inkAt = [](const Image& image, int x) {
      return countColour(image, dark().text, 40, x - 2, kChartHeight - (kTop - 30), x + 3,
                         kChartHeight - kBottom);
    };
    ChartStage<ProcessorChart> stage;
    stage.chart.setData(shown(madePass()));
    QVERIFY(inkAt(stage.window->image(), xAt(0.8)) < 5);
    stage.chart.setData(shown(pass));
    const int ink = inkAt(stage.window->image(), xAt(0.8));
    QVERIFY2(ink > 40, qPrintable(QString::number(ink)));
    QVERIFY(stage.chart.toSvg(900, 260, Background::Light, "t")
                .find("predicted 800 ms, took 1,000 ms") != std::string::npos);
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.names.back(), std::string("predicted_ms"));
    QCOMPARE(table.rows.front().back(), std::string("800"));
    // Up to twice what was measured it is on the axis; beyond, in the words only.
    pass.forecast->together = 2;
    stage.chart.setData(shown(pass));
    QVERIFY(inkAt(stage.window->image(), xAt(1)) > 40);
    pass.forecast->together = 100;
    stage.chart.setData(shown(pass));
    QVERIFY(inkAt(stage.window->image(), xAt(1)) < 5);
    QVERIFY(forecastWords(pass).find("predicted 100 s") == 0);
  }

  void theTableHoldsTheNumbers() {
    ChartStage<ProcessorChart> stage;
    stage.chart.setData(timesOf(2, 2, true));
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.rows.size(), std::size_t(8));
    for (const auto& row : table.rows) QCOMPARE(row.size(), table.names.size());
    const auto cell = [&](std::size_t row, const char* name) {
      const auto at = std::find(table.names.begin(), table.names.end(), name);
      return table.rows[row][std::size_t(at - table.names.begin())];
    };
    QCOMPARE(cell(1, "division"), std::string("HEGJoin-Dyn"));
    QCOMPARE(cell(1, "times"), std::string("measured"));
    QCOMPARE(cell(1, "processor"), std::string("GPU"));
    QCOMPARE(cell(1, "start_ms"), std::string("500"));
    QCOMPARE(cell(1, "queries"), std::string("40"));
    QCOMPARE(cell(6, "processor"), std::string("CPU"));
    QCOMPARE(cell(6, "processors_meet_at_query"), std::string("60"));
    QCOMPARE(cell(6, "imbalance_percent"), std::string("10"));
  }

  void picturesSayModelledOrMeasured() {
    for (const bool measured : {false, true}) {
      ChartStage<ProcessorChart> stage;
      stage.chart.setData(timesOf(1, 2, measured));
      const std::string svg = stage.chart.toSvg(900, 260, Background::Light, "t");
      QCOMPARE(svg.find("modelled") != std::string::npos, !measured);
      QCOMPARE(svg.find("measured · counting") != std::string::npos, measured);
      QVERIFY(svg.find("imbalance 10.0 %: the GPU ended 100 ms before the CPU") !=
              std::string::npos);
    }
  }
};

APPLESS_TEST(TestProcessorChart);
#include "tst_processor_chart.moc"
