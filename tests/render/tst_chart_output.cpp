// Does a saved chart hold what it shows? Its SVG is parsed as XML, its table compared with the
// data.
#include <QSet>
#include <QXmlStreamReader>
#include <QtTest>
#include <charconv>
#include <cmath>

#include "chart_stage.h"
#include "drawn_charts.h"
#include "made_reports.h"
#include "render/charts/table_picture.h"
#include "render/paint/svg_painter.h"
#include "render/paint/text_font.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// What of an SVG document is checked.
struct Drawing {
  QString error;  ///< of the XML; empty when it is well formed
  QSize size;
  QStringList texts;
  QMap<QString, int> rectangles;  ///< by fill
  QList<qsizetype> curves;        ///< points of each polyline
};

Drawing parsed(const std::string& svg) {
  Drawing drawing;
  QXmlStreamReader xml(QByteArray::fromStdString(svg));
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto attributes = xml.attributes();
    if (xml.name() == QLatin1String("svg"))
      drawing.size = {attributes.value("width").toInt(), attributes.value("height").toInt()};
    if (xml.name() == QLatin1String("rect"))
      ++drawing.rectangles[attributes.value("fill").toString()];
    if (xml.name() == QLatin1String("polyline"))
      drawing.curves << attributes.value("points").toString().split(' ').size();
    if (xml.name() == QLatin1String("text")) drawing.texts << xml.readElementText();
  }
  if (xml.hasError()) drawing.error = xml.errorString();
  return drawing;
}

QString hex(Colour colour) {
  return QString("#%1%2%3")
      .arg(colour.r, 2, 16, QChar('0'))
      .arg(colour.g, 2, 16, QChar('0'))
      .arg(colour.b, 2, 16, QChar('0'));
}

const Theme& light() { return themeOf(Background::Light); }

template <class C>
Drawing drawn(C& chart, int width = 700, int height = 300) {
  return parsed(chart.toSvg(width, height, Background::Light, "a chart"));
}

double numberIn(const std::string& cell) {
  double value = std::nan("");
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return read.ptr == cell.data() + cell.size() ? value : std::nan("");
}

std::size_t columnOf(const DataTable& table, const std::string& name) {
  return static_cast<std::size_t>(std::find(table.names.begin(), table.names.end(), name) -
                                  table.names.begin());
}

/// A column's numbers; NaN where a cell holds none.
std::vector<double> numbers(const DataTable& table, const std::string& name) {
  std::vector<double> values;
  const std::size_t column = columnOf(table, name);
  for (const auto& row : table.rows)
    values.push_back(column < row.size() ? numberIn(row[column]) : std::nan(""));
  return values;
}

std::shared_ptr<KDistances> curve(std::size_t n) {
  auto data = std::make_shared<KDistances>();
  data->k = 8;
  data->sampled = n;
  for (std::size_t i = 0; i < n; ++i)
    data->distances.push_back(0.1 + 3 * std::exp(-0.01 * static_cast<double>(i)));
  data->suggestedEps = 0.7;
  return data;
}

std::vector<SweepPoint> sweep() {
  std::vector<SweepPoint> steps;
  for (int i = 0; i < 17; ++i)
    steps.push_back(
        {0.01 * std::pow(1.4, i), 40 - i, std::uint64_t(900 - 50 * i), std::uint64_t(20 * i), 0});
  return steps;
}

}  // namespace

class TestChartOutput : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void kDistances() {
    KDistanceChart chart;
    const auto data = curve(2000);
    chart.setData(data);
    chart.setEps(0.4);
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QCOMPARE(drawing.size, QSize(700, 300));
    QVERIFY(drawing.texts.contains("points, farthest neighbours first (%)"));
    QVERIFY(drawing.texts.contains("8-distance"));
    // Every distance is a corner, however close it is to the one before.
    QVERIFY(drawing.curves.contains(qsizetype(2000)));
    const DataTable table = chart.table()();
    QCOMPARE(table.rows.size(), std::size_t(2000));
    QCOMPARE(numbers(table, "k_distance"), data->distances);
    QCOMPARE(numbers(table, "points_percent").front(), 0.0);
    QCOMPARE(numbers(table, "points_percent").back(), 100.0);
    QVERIFY(drawing.texts.contains("sample of 2,000 points"));
  }

  // The curve of very many points has fewer corners; the table still has every distance.
  void kDistancesOfManyPoints() {
    KDistanceChart chart;
    const auto data = curve(300000);
    data->isWhole = true;
    chart.setData(data);
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QVERIFY(drawing.texts.contains("all 300,000 points"));
    QVERIFY(drawing.curves.contains(qsizetype(16384)));
    QCOMPARE(chart.table()().rows.size(), std::size_t(300000));
  }

  void sweeps() {
    SweepChart chart;
    const auto steps = sweep();
    chart.setData(steps, 1000);
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QVERIFY(drawing.texts.contains("ε") && drawing.texts.contains("clusters"));
    for (const Colour& colour : light().series)  // one mark per step
      QCOMPARE(drawing.rectangles[hex(colour)], int(steps.size()));
    const DataTable table = chart.table()();
    QCOMPARE(table.rows.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      QCOMPARE(numbers(table, "eps")[i], steps[i].eps);
      QCOMPARE(numbers(table, "clusters")[i], double(steps[i].clusters));
      QCOMPARE(numbers(table, "noise_points")[i], double(steps[i].noise));
      QCOMPARE(numbers(table, "noise_percent")[i], 100 * double(steps[i].noise) / 1000);
      QCOMPARE(numbers(table, "largest_cluster_points")[i], double(steps[i].largest));
    }
  }

  void costs() {
    CostModel model;
    for (int k = 1; k <= 4; ++k) {
      CostOfK cost;
      cost.k = k;
      cost.cellSearchOps = 1e6 * k;
      cost.distanceOps = 3e7 / k;
      model.costs.push_back(cost);
    }
    model.best = 4;
    CostChart chart;
    chart.setData(model, 2);
    chart.setMeasured({{2, 0.020}});
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QVERIFY(drawing.texts.contains("indexed dimensions k") && drawing.texts.contains("operations"));
    QCOMPARE(drawing.rectangles[hex(light().series[0])], 4 + 1);  // bars, and the key
    QCOMPARE(drawing.rectangles[hex(light().series[1])], 4 + 1);
    const DataTable table = chart.table()();
    for (std::size_t i = 0; i < 4; ++i) {
      QCOMPARE(numbers(table, "indexed_dims")[i], double(i + 1));
      QCOMPARE(numbers(table, "cell_search_operations")[i], model.costs[i].cellSearchOps);
      QCOMPARE(numbers(table, "coordinates_read")[i], model.costs[i].distanceOps);
      QCOMPARE(table.rows[i][columnOf(table, "in_use")], std::string(i == 1 ? "yes" : "no"));
    }
    QCOMPARE(numbers(table, "fastest_run_ms")[1], 20.0);
    QCOMPARE(table.rows[0][columnOf(table, "fastest_run_ms")], std::string());
  }

  void warps() {
    const auto report = madeReport(
        40, [](std::size_t i) { return 10 + 3 * i; }, [](std::size_t) { return 0.5; });
    WarpLoadChart chart;
    chart.setData(report);
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QVERIFY(drawing.texts.contains("warp, in order of launch") && drawing.texts.contains("steps"));
    QCOMPARE(drawing.rectangles[hex(light().series[0])], 40 + 1);  // bars, and the key
    const DataTable table = chart.table()();
    QCOMPARE(table.rows.size(), std::size_t(40));
    QCOMPARE(numbers(table, "steps")[39], 10.0 + 3 * 39);
    QCOMPARE(numbers(table, "busy_steps")[39], numbers(table, "steps")[39] / 2);

    StepsHistogramChart histogram;
    histogram.setData(report);
    const Drawing bars = drawn(histogram);
    QVERIFY(bars.texts.contains("steps of a warp") && bars.texts.contains("warps"));
    double all = 0;
    int filled = 0;
    for (const double n : numbers(histogram.table()(), "warps")) {
      all += n;
      filled += n > 0 ? 1 : 0;
    }
    QCOMPARE(all, 40.0);
    QCOMPARE(bars.rectangles[hex(light().series[0])], filled + 1);

    MultiprocessorChart places;
    places.setData(report);
    const Drawing rows = drawn(places);
    QVERIFY2(rows.error.isEmpty(), qPrintable(rows.error));
    QVERIFY(rows.texts.contains("multiprocessor") && rows.texts.contains("modelled time (steps)"));
    QCOMPARE(numbers(places.table()(), "end_steps")[7], report->warps[7].end);
    QCOMPARE(numbers(places.table()(), "multiprocessor")[7],
             double(report->warps[7].multiprocessor));
  }

  void batches() {
    std::vector<BatchStats> timeline(5);
    for (std::size_t b = 0; b < timeline.size(); ++b) {
      BatchStats& batch = timeline[b];
      batch.stream = int(b % 3);
      batch.start = 0.010 * double(b);
      batch.kernelEnd = batch.start + 0.006;
      batch.transferEnd = batch.end = batch.start + 0.009;
      batch.queries = 100;
      batch.pairs = 1234567;
    }
    BatchChart chart;
    chart.setTimeline(timeline);
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QVERIFY(drawing.texts.contains("time since the join began (ms)") &&
            drawing.texts.contains("stream"));
    QCOMPARE(drawing.rectangles[hex(light().series[0])], 5 + 1);
    QCOMPARE(drawing.rectangles[hex(light().series[1])], 5 + 1);
    const DataTable table = chart.table()();
    for (std::size_t b = 0; b < timeline.size(); ++b) {
      QCOMPARE(numbers(table, "kernel_end_ms")[b], 1000 * timeline[b].kernelEnd);
      QCOMPARE(numbers(table, "pairs")[b], 1234567.0);
    }
    // What the batch-size model predicted stands beside what was measured (49 ms).
    for (const QString& text : drawing.texts) QVERIFY(!text.contains("predicted"));
    chart.setTimeline(timeline, {{.join = "table",
                                  .predicted = 0.080,
                                  .measured = 0.075,
                                  .joining = 0.025,
                                  .volume = 2,
                                  .perBatch = 0.003,
                                  .batches = 6,
                                  .buffers = 0.004,
                                  .streams = 3}});
    const Drawing predicted = drawn(chart);
    QVERIFY2(predicted.texts.contains("measured 75 ms, predicted 80 ms · 5 batches · T1 25 ms × 2 "
                                      "+ θ 3 ms × 6 + T2 4 ms × 3"),
             qPrintable(predicted.texts.join(" | ")));
    QVERIFY(predicted.texts.contains("predicted end"));
    const DataTable terms = chart.table()();
    QCOMPARE(numbers(terms, "predicted_join_ms"), std::vector<double>(5, 80.0));
    QCOMPARE(numbers(terms, "measured_join_ms"), std::vector<double>(5, 75.0));
    QCOMPARE(numbers(terms, "theta_ms"), std::vector<double>(5, 3.0));
    QCOMPARE(numbers(terms, "t2_ms"), std::vector<double>(5, 4.0));
    QCOMPARE(numbers(terms, "predicted_batches"), std::vector<double>(5, 6.0));
  }

  void lanes() {
    auto trace = std::make_shared<WarpTrace>();
    for (std::uint32_t lane = 0; lane < 32; ++lane) trace->queryPoint[lane] = lane;
    for (std::uint32_t step = 0; step < 6; ++step) {
      trace->loopOfStep.push_back(step == 0 ? Loop::Cell : Loop::Candidate);
      trace->activeOfStep.push_back(step < 3 ? 0xffffffffU : 0xffU);
    }
    trace->allSteps = 6;
    trace->looksAt.assign(6 * 32, 0);
    LaneChart chart;
    chart.setData(trace);
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QVERIFY(drawing.texts.contains("step of the warp") && drawing.texts.contains("lane"));
    // Runs of equal colour: every lane has one of cells and one of candidates, and the key.
    QCOMPARE(drawing.rectangles[hex(light().series[2])], 32 + 1);
    QCOMPARE(drawing.rectangles[hex(light().series[0])], 32 + 1);
    const DataTable table = chart.table()();
    QCOMPARE(table.rows.size(), std::size_t(6));
    QCOMPARE(table.names.size(), std::size_t(34));
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::string name = "lane_" + std::to_string(lane);
      QCOMPARE(numbers(table, name)[0], 1.0);
      QCOMPARE(numbers(table, name)[5], lane < 8 ? 1.0 : 0.0);
    }
  }

  void responseTimes() {
    const std::vector<ResponseCurve> curves{
        {"A, <b> & \"c\"", {{0.1, 0.002, 3, 0.001, 0.008, 3}, {0.2, 0.004, 9}}},
        {"plain", {{0.1, 0.003, 3}}}};
    ResponseChart chart;
    chart.setData(curves, "measured");
    const Drawing drawing = drawn(chart);
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QVERIFY(drawing.texts.contains("index + join (ms)") &&
            drawing.texts.contains("A, <b> & \"c\""));
    const DataTable table = chart.table()();
    QCOMPARE(numbers(table, "index_and_join_median_ms"), (std::vector<double>{2, 4, 3}));
    QCOMPARE(numbers(table, "index_and_join_least_ms"), (std::vector<double>{1, 4, 3}));
    QCOMPARE(numbers(table, "index_and_join_most_ms"), (std::vector<double>{8, 4, 3}));
    QCOMPARE(numbers(table, "runs"), (std::vector<double>{3, 1, 1}));
    QCOMPARE(numbers(table, "selectivity"), (std::vector<double>{3, 9, 3}));
    QVERIFY(QByteArray::fromStdString(toCsv(table))
                .contains("\r\n\"A, <b> & \"\"c\"\"\",0.1,2,1,8,3,3\r\n"));
  }

  void emptyChartsHaveNoRows() {
    KDistanceChart distances;
    distances.setEmptyText("nothing yet");
    QVERIFY(distances.isEmpty());
    QCOMPARE(drawn(distances).texts, QStringList{"nothing yet"});
    QVERIFY(distances.table()().rows.empty());
    WarpLoadChart warps;
    QVERIFY(warps.table()().rows.empty() && !warps.table()().names.empty());
    forEachChart([]<class ChartType>(const char* name) {
      const ChartType chart;
      QVERIFY2(chart.isEmpty() && chart.table()().rows.empty(), name);
    });
  }

  /// A picture of another size and ground is only a picture: what is on the screen stays as it is.
  void savingChangesNothingOnTheScreen() {
    ChartStage<KDistanceChart> stage;
    stage.chart.setData(curve(500));
    stage.chart.setEps(0.45);
    const Image before = stage.window->image();
    stage.click(300, 120);
    const double clicked = stage.chart.eps();
    stage.chart.setEps(0.45);
    stage.window->image();
    QVERIFY(!stage.chart.toSvg(1600, 900, Background::Light, "x").empty());
    stage.click(300, 120);  // before another frame
    QCOMPARE(stage.chart.eps(), clicked);
    stage.chart.setEps(0.45);
    stage.send(vtkCommand::LeaveEvent, 0, 0);
    const Image after = stage.window->image();
    QCOMPARE(after.rgba, before.rgba);
    // What follows the pointer is not part of the picture.
    stage.send(vtkCommand::MouseMoveEvent, 300, 120);
    const Drawing drawing = drawn(stage.chart);
    for (const QString& text : drawing.texts) QVERIFY2(!text.startsWith("set ε"), qPrintable(text));
  }

  void zoomIsToldAndUndone() {
    WarpLoadChart chart;
    QVERIFY(chart.canZoom() && !chart.isZoomed());
    chart.setData(madeReport(
        400, [](std::size_t i) { return 10 + i; }, [](std::size_t) { return 0.5; }));
    QVERIFY(!chart.isZoomed());
    chart.pressKey(ChartKey::ZoomIn);
    QVERIFY(chart.isZoomed());
    chart.pressKey(ChartKey::All);
    QVERIFY(!chart.isZoomed());
    QVERIFY(!KDistanceChart().canZoom());
  }

  /// No text leaves the picture, however small it is. The boxes are what SVG viewers use: anchor,
  /// size and the width of the text in the charts' font.
  void textsStayWithinThePicture_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(190, 110), QSize(230, 110), QSize(320, 170), QSize(1000, 200)})
      QTest::addRow("%d × %d", size.width(), size.height()) << size;
  }
  void textsStayWithinThePicture() {
    QFETCH(QSize, size);
    const auto check = [&](Chart& chart, const char* name) {
      QXmlStreamReader xml(QByteArray::fromStdString(
          chart.toSvg(size.width(), size.height(), Background::Light, name)));
      while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QLatin1String("text"))
          continue;
        const auto a = xml.attributes();
        const bool upwards = a.hasAttribute("transform");
        const double at = upwards ? a.value("y").toDouble() : a.value("x").toDouble();
        const QString anchor = a.value("text-anchor").toString();
        const double fontSize = a.value("font-size").toDouble();
        const bool bold = a.value("font-weight") == QLatin1String("bold");
        const QString words = xml.readElementText();
        const double wide = textWidth(words.toStdString(), fontSize, bold);
        const double before = anchor == "middle" ? wide / 2 : anchor == "end" ? wide : 0;
        // Upwards, the text begins below.
        const double low = upwards ? at + before - wide : at - before;
        const double room = upwards ? size.height() : size.width();
        QVERIFY2(low >= -1 && low + wide <= room + 1,
                 qPrintable(
                     QString("%1: “%2” from %3 to %4").arg(name, words).arg(low).arg(low + wide)));
      }
    };
    KDistanceChart distances;
    distances.setEmptyText("The k-distances appear here once there is a cloud");
    check(distances, "empty");
    distances.setData(curve(500));
    distances.setEps(0.4);
    check(distances, "k-distance");
    SweepChart steps;
    auto many = sweep();
    many[3].clusters = 123456;
    steps.setData(many, 1000);
    steps.setEps(0.1);
    check(steps, "sweep");
    CostModel model;
    model.costs = {CostOfK{}, CostOfK{}};
    for (std::size_t i = 0; i < 2; ++i) {
      model.costs[i].k = int(i + 1);
      model.costs[i].cellSearchOps = 1.23e9;
      model.costs[i].distanceOps = 3.21e9;
    }
    CostChart cost;
    cost.setData(model, 1);
    cost.setMeasured({{1, 1.2345}, {2, 0.5}});
    check(cost, "cost");
    const auto report = madeReport(
        40000, [](std::size_t i) { return 100000 + 3 * i; }, [](std::size_t) { return 0.5; });
    WarpLoadChart warps;
    warps.setData(report);
    warps.setMarked(39999);
    check(warps, "warps");
    StepsHistogramChart histogram;
    histogram.setData(report);
    histogram.setMarked(39999);
    check(histogram, "histogram");
    MultiprocessorChart places;
    places.setData(report);
    places.setMarked(39999);
    check(places, "multiprocessors");
    BatchStats batch;
    batch.end = batch.transferEnd = batch.kernelEnd = 1234.5;
    BatchChart batches;
    batches.setTimeline({batch}, {{.predicted = 1500, .measured = 1234.5, .joining = 1400}});
    check(batches, "batches");
    ResponseChart times;
    times.setData({{"a strategy with a long name", {{0.1, 2, 3000}, {2000, 4, 90000}}}},
                  "measured");
    check(times, "times");
  }

  void tablesArePainted() {
    const ShownTable shown{{{"name", "number"}, {{"one", "1"}, {"a longer one", "12,345"}}},
                           {false, true}};
    const TableSize size = sizeOf(shown);
    SvgPainter painter(size.width, size.height, light().ground, "table");
    paintTable(painter, shown, light());
    const Drawing drawing = parsed(painter.document());
    QVERIFY2(drawing.error.isEmpty(), qPrintable(drawing.error));
    QCOMPARE(drawing.texts, (QStringList{"name", "number", "one", "1", "a longer one", "12,345"}));
    // With a heading over a column that is narrower than it.
    ShownTable grouped = shown;
    grouped.groups = {{"a heading over numbers", 1, 1}};
    const TableSize larger = sizeOf(grouped);
    QVERIFY(larger.height > size.height && larger.width > size.width);
    SvgPainter second(larger.width, larger.height, light().ground, "table");
    paintTable(second, grouped, light());
    QCOMPARE(parsed(second.document()).texts,
             QStringList{"a heading over numbers"} + drawing.texts);
  }

  void csvIsQuotedWhereItMust() {
    DataTable table{{"a", "b"}, {{"x,y", "say \"hi\""}, {"two\nlines", "tab\there"}}};
    table.rows.push_back({exactNumber(0.1), exactNumber(std::uint64_t(1) << 63)});
    QCOMPARE(QByteArray::fromStdString(toCsv(table)),
             QByteArray("a,b\r\n\"x,y\",\"say \"\"hi\"\"\"\r\n\"two\nlines\",tab\there\r\n"
                        "0.1,9223372036854775808\r\n"));
    QCOMPARE(QByteArray::fromStdString(toTabs(table)),
             QByteArray("a\tb\nx,y\tsay \"hi\"\ntwo lines\ttab here\n0.1\t9223372036854775808\n"));
  }
};

APPLESS_TEST(TestChartOutput);
#include "tst_chart_output.moc"
