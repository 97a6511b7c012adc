// The load lab with a backend that measures: measured figures are shown as measured, in their
// units, beside the modelled ones.
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTableWidget>
#include <QtTest>
#include <cmath>
#include <map>
#include <set>

#include "measuring_backend.h"
#include "render/charts/load_parts.h"
#include "render/charts/warp_columns.h"
#include "render/paint/palette.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/compare_panel.h"
#include "ui/charts/kernel_table.h"
#include "ui/charts/load_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/comparison.h"
#include "ui/session/derived_results.h"
#include "ui/session/load_lab.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"
#include "ui/view/data_words.h"

using namespace clusterloom;

class TestMeasuredLoad : public QObject, private ShownWindow {
  Q_OBJECT

  void openExpo(ChartId tab = ChartId::WarpLoad) {
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", 6000, 2, 3};
    request.eps = 0.004;
    request.minPts = 5;
    Strategy plain;
    plain.pattern = AccessPattern::Full;
    plain.order = QueryOrder::Input;
    request.run = RunOptions{plain};
    window_->charts()->showTab(tab);
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    if (tab == ChartId::WarpLoad)
      QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QVERIFY(waitUntilSettled(*window_));
  }
  LoadPanel* load() const { return window_->charts()->load(); }
  std::shared_ptr<const LoadResult> result() const { return session_->loadLab().result(); }
  int pixels(ChartView* view, Colour colour) const {
    return pixelsLike(view->grabFrame(), qRgb(colour.r, colour.g, colour.b), 12);
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1400, 900}, {}, measuringBackends())); }
  void cleanup() { closeWindow(); }

  void measuredAndModelledStandSideBySide() {
    openExpo();
    const LoadReport& report = *result()->report;
    QVERIFY(report.measured);
    QVERIFY(report.batchBegin.size() > 5);
    QVERIFY(result()->predicted.has_value());
    // Fewer than 512 warps: the model looks at all of them, and knows of no further searches.
    const auto modelled = result()->model.report({.kernel = report.kernel}, report.weights, {});
    QVERIFY(modelled.has_value());
    QCOMPARE(result()->predicted->wee, modelled->wee);
    QVERIFY(report.wee < modelled->wee);
    const QString summary = load()->summary();
    QVERIFY2(summary.startsWith("steps measured, weights fitted · WEE " + percent(report.wee) +
                                " · modelled " + percent(modelled->wee)),
             qPrintable(summary));
    // What a profiler would show is lower; where both are known, the guide has them.
    const QString tip = window_->findChild<QLabel*>("loadSummary")->toolTip();
    QVERIFY2(tip.startsWith(summary) && tip.contains("84.2 %") && tip.contains("68.0 %"),
             qPrintable(tip));
    shot(window_.get(), "measured_warps");
  }

  void timesAreInSeconds() {
    openExpo();
    const LoadReport& report = *result()->report;
    QVERIFY(report.makespan > 0 && report.makespan < 1);
    QCOMPARE(timeAxisTitle(report), std::string("time since the first warp began (ms)"));
    load()->setLook(LoadPanel::Multiprocessors);
    QVERIFY(waitUntilSettled(*window_));
    ChartView* view = load()->view(LoadPanel::Multiprocessors);
    QVERIFY(pixels(view, themeOf(Background::Light).series[1]) > 20);  // the ideal end
    // A click where a warp ran picks one that ran there and then; a row is less than a pixel high.
    const double left = 66;
    const double right = view->width() - 18;
    const WarpLoad& aim = report.warps[report.warps.size() / 2];
    const double at = (aim.start + aim.end) / 2;
    const double x = left + (right - left) * at / (1.02 * report.makespan);
    const double rows = report.multiprocessors;
    const double y =
        view->height() - 44 - (view->height() - 74) * (aim.multiprocessor + 0.5) / rows;
    view->grabFrame();  // clicks need a painted chart
    QTest::mouseClick(view, Qt::LeftButton, {}, {int(x), int(y)});
    const std::int64_t place = result()->placeOf(session_->selection().warp);
    QVERIFY(place >= 0);
    const WarpLoad& picked = report.warps[std::size_t(place)];
    const double pixel = report.makespan / (right - left);
    QVERIFY(picked.start <= at + 2 * pixel && picked.end >= at - 2 * pixel);
    QVERIFY(std::abs(int(picked.multiprocessor) - int(aim.multiprocessor)) <= 2);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "measured_multiprocessors");
    QCOMPARE(timeText(report, 0.0027223), std::string("2.72 ms"));
    // The batches are those that the device reported.
    window_->charts()->showTab(ChartId::Batches);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(pixels(window_->charts()->view(ChartId::Batches),
                   themeOf(Background::Light).series[0]) > 1000);
    shot(window_.get(), "measured_batches");
  }

  // What each kernel cost stands beside the batches, and can be saved like them.
  void kernelsAreListed() {
    openExpo(ChartId::Batches);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    auto* table = window_->findChild<KernelTable*>("kernelTable");
    QVERIFY(table->isVisible());
    const auto cell = [&](int row, KernelTable::Column column) {
      return table->item(row, column)->text();
    };
    QCOMPARE(table->horizontalHeaderItem(KernelTable::Kernel)->text(),
             QString("Kernel of the measured load"));
    QCOMPARE(table->rowCount(), 2);
    QCOMPARE(cell(0, KernelTable::Kernel), QString("measured pairs"));
    QCOMPARE(cell(0, KernelTable::Launches), QString("1,500"));
    QCOMPARE(cell(0, KernelTable::Time), QString("13 ms"));
    QCOMPARE(cell(0, KernelTable::Registers), QString("40"));
    QCOMPARE(cell(0, KernelTable::Occupancy), percent(0.75));
    QCOMPARE(cell(1, KernelTable::Registers), QString("—"));
    QCOMPARE(cell(1, KernelTable::Occupancy), QString("—"));
    const DataTable exact = table->makeTable()();
    QCOMPARE(exact.names.size(), std::size_t(5));
    QCOMPARE(exact.rows.size(), std::size_t(2));
    QCOMPARE(exact.rows[0][2], exactMilliseconds(0.0125));
    QCOMPARE(exact.rows[1][3], std::string("0"));
    shot(window_.get(), "kernels");
  }

  void aPickedPointFindsTheWarpThatServedIt() {
    openExpo();
    const LoadReport& report = *result()->report;
    int elsewhere = 0;
    for (const std::uint32_t point : {0U, 17U, 1234U, 2999U, 5999U}) {
      session_->setPickedPoint(point);
      const std::int64_t picked = session_->selection().warp;
      const std::int64_t place = result()->placeOf(picked);
      QVERIFY(place >= 0);
      const WarpLoad& warp = report.warps[std::size_t(place)];
      std::set<std::uint32_t> served;
      for (std::uint32_t t = 0; t < warp.tickets; ++t)
        served.insert(report.pointOfTicket[warp.firstTicket + t]);
      QVERIFY(served.contains(point));
      elsewhere += result()->model.warpOfPoint(point) != picked ? 1 : 0;
      QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
      const WarpTrace& trace = *session_->loadLab().light()->trace;
      QCOMPARE(trace.load.number, std::uint32_t(picked));
      std::set<std::uint32_t> traced(trace.queryPoint.begin(), trace.queryPoint.end());
      traced.erase(WarpTrace::kNothing);
      QVERIFY(traced == served);
    }
    QVERIFY(elsewhere > 0);  // the model's batches begin elsewhere, or nothing was shown here
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(pixels(load()->view(LoadPanel::Warps), themeOf(Background::Light).accent) > 20);

    // The selection panel has the figures that were measured.
    const WarpLoad& warp = report.warps[std::size_t(result()->placeOf(session_->selection().warp))];
    const QString text = window_->findChild<SelectionPanel*>()->warpText();
    QVERIFY2(text.contains(QLocale().toString(qulonglong(warp.cycles)) + " cycles"),
             qPrintable(text));
    const std::uint64_t searches = warp.steps[std::size_t(Loop::Search)];
    QVERIFY(searches != session_->loadLab().light()->trace->load.steps[std::size_t(Loop::Search)]);
    QVERIFY2(text.contains(QLocale().toString(qulonglong(searches)) + ","), qPrintable(text));
    shot(window_.get(), "measured_warp_picked");
  }

  void idlingIsSharedEquallyAndTheLegendSaysSo() {
    openExpo();
    const LoadReport& report = *result()->report;
    for (const ColourBy by : {ColourBy::Workload, ColourBy::Warp, ColourBy::IdleLaneSteps}) {
      DisplayState display = session_->display();
      display.colourBy = by;
      session_->setDisplay(display);
      QVERIFY(waitUntil([&] {
        return session_->derived().colourValues() && session_->derived().colourValues()->by == by;
      }));
      const std::vector<float>& values = session_->derived().colourValues()->values;
      QVERIFY(std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }));
      if (by != ColourBy::IdleLaneSteps) continue;
      QVERIFY(session_->derived().colourValues()->title.contains("measured"));
      for (const std::size_t place : {std::size_t(0), std::size_t(40), report.warps.size() - 1}) {
        const WarpLoad& warp = report.warps[place];
        const double share = workOf(warp, report.weights).idleLaneSteps() / warp.tickets;
        for (std::uint32_t t = 0; t < warp.tickets; ++t)
          QCOMPARE(values[report.pointOfTicket[warp.firstTicket + t]], float(share));
      }
      QVERIFY(waitUntilSettled(*window_));
      shot(window_.get(), "measured_idle");
    }
  }

  void aComparisonSaysWhatWasMeasured() {
    openExpo(ChartId::Compare);
    auto* list = window_->findChild<QListWidget*>("compareList");
    for (int i = 0; i < list->count(); ++i)
      list->item(i)->setCheckState(i < 3 ? Qt::Checked : Qt::Unchecked);
    QTest::mouseClick(window_->findChild<QPushButton*>("compareRun"), Qt::LeftButton);
    const Comparison& comparison = session_->comparison();
    QVERIFY(waitUntil([&] { return comparison.runs().size() == 3 && !comparison.isRunning(); }));
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "measured_compare");
    const QString note = window_->findChild<QLabel*>("compareNote")->text();
    QVERIFY2(note.contains("Warps measured") && note.contains("a made-up GPU"), qPrintable(note));
    const QTableWidget* table = window_->charts()->compare()->table();
    const QFontMetrics letters(table->horizontalHeader()->font());
    for (int c = 0; c + 1 < table->columnCount(); ++c)  // no header is cut off
      if (!table->isColumnHidden(c))
        QVERIFY(table->columnWidth(c) >=
                letters.horizontalAdvance(table->horizontalHeaderItem(c)->text()) + 28);
    const QStringList lines =
        QString::fromStdString(toCsv(comparison.table())).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), qsizetype(4));
    const QStringList names = lines[0].split(',');
    for (int i = 0; i < 3; ++i) {
      const ComparedRun& run = comparison.runs()[std::size_t(i)];
      QVERIFY(run.report->measured && run.predicted);
      QVERIFY(table->item(i, ComparePanel::Wee)
                  ->toolTip()
                  .contains("modelled " + percent(run.predicted->wee)));
      const QStringList cells = lines[i + 1].split(',');
      const auto cell = [&](const char* name) {  // from the end: the options before hold commas
        return cells[cells.size() - names.size() + names.indexOf(QLatin1String(name))];
      };
      QCOMPARE(cell("load"), QString("measured"));
      QCOMPARE(cell("wee_percent").toDouble(), 100 * run.report->wee);
      QCOMPARE(cell("modelled_wee_percent").toDouble(), 100 * run.predicted->wee);
      // Seconds of the warps are split into causes; those of the stand-in take as long for a step.
      const GainCauses causes = comparison.causesOf(run);
      const LoadReport& before = *comparison.runs().front().report;
      QVERIFY(std::abs(causes.all() * run.report->makespan / before.makespan - 1) < 1e-9);
      QVERIFY(causes.memory && std::abs(*causes.memory - 1) < 0.05);
      QCOMPARE(cell("gain_by_memory_and_rest").toDouble(), *causes.memory);
    }
  }

  // The device is lost: the replacement is modelled and labelled so.
  void whatIsModelledInsteadIsSaidToBe() {
    QVERIFY(showWindow({1400, 900}, {}, measuringBackends(true)));
    openExpo();
    QVERIFY(!result()->report->measured);
    QVERIFY(!result()->predicted);
    QVERIFY2(load()->summary().startsWith("modelled · WEE"), qPrintable(load()->summary()));
    QVERIFY(!load()->summary().contains("measured"));
    // The model has no kernels; the run has.
    window_->charts()->showTab(ChartId::Batches);
    auto* table = window_->findChild<KernelTable*>("kernelTable");
    QVERIFY(waitUntil([&] { return table->isVisible(); }));
    QCOMPARE(table->horizontalHeaderItem(KernelTable::Kernel)->text(),
             QString("Kernel of the run"));
    QCOMPARE(table->rowCount(), 1);
    QCOMPARE(table->item(0, KernelTable::Kernel)->text(), QString("unite"));
  }
};

WINDOW_TEST(TestMeasuredLoad);
#include "tst_measured_load.moc"
