// The load lab as a user operates it: show the warps, pick one, find its points, and the other way
// round; other strategies and kernels; what is cancelled or cannot be.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QtTest>
#include <limits>
#include <numeric>

#include "load_window.h"
#include "render/charts/warp_columns.h"
#include "render/paint/palette.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/compare_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/colour_values.h"
#include "ui/session/comparison.h"
#include "ui/session/derived_results.h"
#include "ui/session/load_lab.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/chart_view.h"
#include "ui/view/data_words.h"
#include "ui/view/pattern_highlights.h"

using namespace clusterloom;

class TestLoadLab : public QObject, LoadWindow {
  Q_OBJECT

  /// Where the middle of a warp's bar is in the chart, all of it on show; logical pixels.
  QPoint positionOfWarp(std::size_t place) const {
    const ChartView* view = load()->view(LoadPanel::Warps);
    const double left = 66;
    const double right = view->width() - 18;
    const auto warps = double(result()->report->warps.size());
    return {int(left + (right - left) * (double(place) + 0.5) / warps), view->height() / 2};
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1400, 900})); }
  void cleanup() { closeWindow(); }

  void theLoadIsComputedOnlyWhileItIsLookedAt() {
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", 2000, 2, 3};
    request.eps = 0.005;
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    QTest::qWait(400);
    QVERIFY(!session_->loadLab().result());
    QCOMPARE(session_->jobs().newest(JobKind::WarpLoad), quint64(0));
    window_->charts()->showTab(ChartId::WarpLoad);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    // Another ε while another tab is in front: not before the load is looked at again.
    window_->charts()->showTab(ChartId::Cost);
    session_->setEps(0.006);
    QVERIFY(waitForResult(*session_));
    QTest::qWait(400);
    QVERIFY(!session_->loadLab().isCurrent());
    window_->charts()->showTab(ChartId::WarpLoad);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(result()->asked.eps, 0.006);
    // The batches are those of the load where no GPU has reported its own.
    window_->charts()->showTab(ChartId::Batches);
    session_->setEps(0.007);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    const Colour kernel = themeOf(Background::Light).series[0];
    QVERIFY(pixelsLike(window_->charts()->view(ChartId::Batches)->grabFrame(),
                       qRgb(kernel.r, kernel.g, kernel.b), 12) > 1000);
  }

  /// Times of a part of the points are none of all of them.
  void timesOfAnotherCloudAreNotMeasured() {
    openExpo(3000, 0.01);
    window_->charts()->showTab(ChartId::Cost);
    session_->setKept(PointSet(new std::vector<std::uint32_t>{0, 1, 2, 3}), "Keep");
    QVERIFY(waitForResult(*session_));
    session_->setKept(nullptr, "All");
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    const DataTable table = window_->charts()->view(ChartId::Cost)->chart().table()();
    double least = std::numeric_limits<double>::infinity();
    for (const RunRecord& run : session_->clusterRun().runs())
      if (!run.parameters.kept) least = std::min(least, run.stats.seconds.total);
    std::vector<std::string> measured;
    for (const auto& row : table.rows)
      if (!row.back().empty()) measured.push_back(row.back());
    QCOMPARE(measured, std::vector<std::string>{exactMilliseconds(least)});
  }

  void whatIsTypedForTheGpuStays() {
    openExpo(3000, 0.01);
    auto* machine = window_->findChild<QComboBox*>("loadMachine");
    machine->lineEdit()->setFocus();
    machine->lineEdit()->selectAll();
    QTest::keyClicks(machine->lineEdit(), "8x");
    session_->setMinPts(7);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QTest::keyClicks(machine->lineEdit(), "4");
    QTest::keyClick(machine->lineEdit(), Qt::Key_Return);
    QCOMPARE(session_->loadLab().machine().multiprocessors, 8);
    QCOMPARE(session_->loadLab().machine().warpsPerMultiprocessor, 4);
  }

  void theSummaryTellsTheReport() {
    openExpo();
    const LoadReport& report = *result()->report;
    QCOMPARE(report.warps.size(), std::size_t(188));  // ⌈6000 / 32⌉
    const QString summary = load()->summary();
    QVERIFY2(summary.contains("modelled") && summary.contains("188 warps") &&
                 summary.contains(QLocale().toString(qulonglong(report.distanceCalculations))),
             qPrintable(summary));
    QVERIFY(summary.contains(QString::number(100 * report.wee, 'f', 1)));
    shot(window_.get(), "load");
  }

  void pickingABarLightsUpItsPoints() {
    openExpo();
    const QImage before = window_->cloudView()->grabFrame();
    const std::size_t place = 77;
    QTest::mouseClick(load()->view(LoadPanel::Warps), Qt::LeftButton, {}, positionOfWarp(place));
    const std::int64_t picked = session_->selection().warp;
    QVERIFY2(std::abs(picked - std::int64_t(place)) <= 1, qPrintable(QString::number(picked)));
    QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
    QVERIFY(waitUntilSettled(*window_));
    const auto light = session_->loadLab().light();
    QCOMPARE(light->trace->load.number, std::uint32_t(picked));

    // The marked query points are those of the warp's tickets, and every neighbour of one of them
    // is a marked candidate.
    const LoadReport& report = *result()->report;
    const WarpLoad& warp = report.warps[std::size_t(result()->placeOf(picked))];
    std::set<std::uint32_t> queries;
    for (std::uint32_t t = 0; t < warp.tickets; ++t)
      queries.insert(report.pointOfTicket[warp.firstTicket + t]);
    QCOMPARE(queries.size(), std::size_t(32));
    const PointCloud& cloud = *session_->data().cloud();
    for (std::uint32_t p = 0; p < cloud.size(); ++p) {
      QCOMPARE(light->marks[p] == PointMark::Query, queries.contains(p));
      bool neighbour = false;
      for (const std::uint32_t q : queries) {
        double sum = 0;
        for (const auto& column : cloud.columns)
          sum += (column[p] - column[q]) * (column[p] - column[q]);
        neighbour = neighbour || sum <= 0.004 * 0.004;
      }
      if (neighbour) QVERIFY(light->marks[p] != PointMark::None);
    }
    const QImage after = window_->cloudView()->grabFrame();
    const Colour accent = themeOf(Background::Light).accent;
    const Colour darkAccent = themeOf(Background::Dark).accent;
    QVERIFY(pixelsLike(after, qRgb(accent.r, accent.g, accent.b), 20) +
                pixelsLike(after, qRgb(darkAccent.r, darkAccent.g, darkAccent.b), 20) >
            100);
    QVERIFY(differingPixels(before, after) > 1000);
    const QString text = window_->selection()->warpText();
    QVERIFY2(text.contains(QString::number(picked)) && text.contains("32"), qPrintable(text));
    shot(window_.get(), "warp");

    // Escape in the view picks nothing, and the cloud is as it was.
    window_->cloudView()->setFocus();
    QTest::keyClick(window_->cloudView(), Qt::Key_Escape);
    QCOMPARE(session_->selection().warp, std::int64_t(-1));
    QVERIFY(!session_->loadLab().light());
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(window_->selection()->warpText().isEmpty());
  }

  void keysGoFromWarpToWarpAndFromStepToStep() {
    openExpo();
    ChartView* warps = load()->view(LoadPanel::Warps);
    warps->setFocus();
    QTest::keyClick(warps, Qt::Key_Right);
    QCOMPARE(session_->selection().warp, std::int64_t(0));
    QTest::keyClick(warps, Qt::Key_Right);
    QTest::keyClick(warps, Qt::Key_Right);
    QTest::keyClick(warps, Qt::Key_Left);
    QCOMPARE(session_->selection().warp, std::int64_t(1));
    QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
    QCOMPARE(session_->loadLab().light()->trace->load.number, std::uint32_t(1));
    ChartView* lanes = load()->lanesView();
    lanes->setFocus();
    QTest::keyClick(lanes, Qt::Key_Right);
    QTest::keyClick(lanes, Qt::Key_Right);
    QCOMPARE(load()->lanes().cursor(), std::int64_t(1));
    // A lane represents its query point: picked here, it is picked everywhere, in the same warp.
    const auto light = session_->loadLab().light();
    QCOMPARE(session_->selection().point, std::int64_t(light->trace->queryPoint[0]));
    QVERIFY(waitUntilSettled(*window_));
    lanes->grabFrame();  // clicks need a painted chart
    const double top = 30;
    const double bottom = lanes->height() - 44;
    QTest::mouseClick(lanes, Qt::LeftButton, {},
                      {lanes->width() / 2, int(top + (bottom - top) * 20.5 / 32)});
    QCOMPARE(session_->selection().point, std::int64_t(light->trace->queryPoint[20]));
    QCOMPARE(session_->selection().warp, std::int64_t(1));
    QCOMPARE(session_->loadLab().light(), light);
    QVERIFY(load()->lanes().cursor() > 1);
  }

  void aPickedPointPicksItsWarp() {
    openExpo();
    auto* number = window_->findChild<QSpinBox*>("pointNumber");
    for (const int point : {1234, 5999, 0}) {
      number->setValue(point);
      const auto warp = std::uint32_t(session_->selection().warp);
      QCOMPARE(warp, result()->model.warpOfPoint(std::uint32_t(point)));
      QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
      QCOMPARE(session_->loadLab().light()->marks[std::size_t(point)], PointMark::Query);
    }
    // Under another strategy the point is served by another warp, which follows it.
    number->setValue(4321);
    const std::int64_t before = session_->selection().warp;
    Strategy sorted = session_->parameters().strategy;
    sorted.order = QueryOrder::SortByWorkload;
    session_->setStrategy(sorted);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(session_->selection().warp, std::int64_t(result()->model.warpOfPoint(4321)));
    QVERIFY(session_->selection().warp != before);
    // A picked cell picks the warp of one of its points.
    window_->action("grid")->trigger();
    QVERIFY(waitUntilSettled(*window_));
    session_->setPickedPoint(-1);
    const std::int64_t cell = session_->derived().gridCells()->cellOfPoint[2500];
    session_->setPickedCell(cell);
    std::set<std::int64_t> warps;
    for (std::uint32_t p = 0; p < session_->data().cloud()->size(); ++p)
      if (session_->derived().gridCells()->cellOfPoint[p] == cell)
        warps.insert(result()->model.warpOfPoint(p));
    QVERIFY(warps.contains(session_->selection().warp));
  }

  void otherStrategiesAndKernelsAreChosenHere() {
    openExpo();
    const double plain = result()->report->wee;
    auto* strategy = window_->findChild<QComboBox*>("loadStrategy");
    strategy->setFocus();
    QTest::keyClick(strategy, Qt::Key_End);  // a closed box goes through its entries by keys
    strategy->setCurrentIndex(strategy->findText("SORTBYWL"));
    Q_EMIT strategy->activated(strategy->currentIndex());
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(result()->asked.strategy.order, QueryOrder::SortByWorkload);
    QVERIFY2(result()->report->wee > plain + 0.2,
             qPrintable(QString::number(result()->report->wee)));
    // The engine's own is as it was.
    QCOMPARE(session_->parameters().strategy.order, QueryOrder::Input);
    const LoadKernel before = session_->loadLab().kernel();
    auto* kernel = window_->findChild<QComboBox*>("loadKernel");
    kernel->setCurrentIndex(1 - kernel->currentIndex());
    Q_EMIT kernel->activated(kernel->currentIndex());
    QVERIFY(session_->loadLab().kernel() != before);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(result()->report->kernel, session_->loadLab().kernel());
    for (const int look : {LoadPanel::Multiprocessors, LoadPanel::Histogram}) {
      auto* looks = window_->findChild<QComboBox*>("loadLook");
      looks->setCurrentIndex(look);
      Q_EMIT looks->activated(look);
      QVERIFY(load()->view(LoadPanel::Look(look))->isVisible());
      shot(window_.get(), look == LoadPanel::Histogram ? "histogram" : "multiprocessors");
    }
  }

  /// The GPU that is modelled and the weighting of its steps, as they are chosen and typed.
  void machineAndWeightingAreChosenHere() {
    openExpo();
    const LoadReport before = *result()->report;
    auto* machine = window_->findChild<QComboBox*>("loadMachine");
    QCOMPARE(machine->currentText(), QString("H200"));
    machine->setCurrentIndex(machine->findText("tiny"));
    Q_EMIT machine->activated(machine->currentIndex());
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(result()->report->machine, std::string("tiny"));
    QVERIFY(result()->report->makespan > before.makespan);
    machine->setFocus();
    machine->lineEdit()->selectAll();
    QTest::keyClicks(machine->lineEdit(), "8x2@1.5");
    QTest::keyClick(machine->lineEdit(), Qt::Key_Return);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(result()->report->multiprocessors, 8);
    QCOMPARE(result()->report->warpsPerMultiprocessor, 2);
    machine->lineEdit()->selectAll();
    QTest::keyClicks(machine->lineEdit(), "8y2");
    QTest::keyClick(machine->lineEdit(), Qt::Key_Return);
    QCOMPARE(machine->currentText(), QString("8x2@1.5"));
    QVERIFY(session_->loadLab().isCurrent());
    auto* weighting = window_->findChild<QComboBox*>("loadWeighting");
    weighting->setCurrentIndex(1);
    Q_EMIT weighting->activated(1);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(result()->report->wee,
             warpExecutionEfficiency(before.steps, before.laneSteps, LoopWeights{}));
    QVERIFY2(load()->summary().contains("unweighted WEE"), qPrintable(load()->summary()));
  }

  void everyPaperStrategyHasALoad() {
    openExpo(3000, 0.006);
    std::uint64_t pairs = 0;
    for (const PaperStrategy& paper : paperStrategies()) {
      session_->loadLab().setStrategy(paper.strategy);
      session_->loadLab().compute();  // without waiting for the parameters to rest
      QVERIFY2(waitUntil([&] { return session_->loadLab().isCurrent(); }),
               qPrintable(paper.name + ": " + session_->loadLab().failure()));
      // Every strategy finds the same pairs.
      if (pairs == 0) pairs = result()->report->pairs;
      QCOMPARE(result()->report->pairs, pairs);
      QVERIFY(result()->report->wee > 0 && result()->report->wee <= 1);
    }
  }

  void whatCannotBeModelledIsSaid() {
    openExpo();
    Strategy brute;
    brute.method = Method::BruteForce;
    session_->setStrategy(brute);
    QVERIFY(waitUntil([&] { return !session_->loadLab().failure().isEmpty(); }));
    QCOMPARE(load()->summary(), session_->loadLab().failure());
    QVERIFY(!session_->loadLab().isCurrent());
    const quint64 jobs = session_->jobs().newest(JobKind::WarpLoad);
    QTest::qWait(600);
    QCOMPARE(session_->jobs().newest(JobKind::WarpLoad), jobs);  // not tried again and again
    session_->undoStack()->undo();
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QVERIFY(load()->summary().contains("WEE"));
  }

  void aLongLoadIsCancelledAndAskedForAgain() {
    openExpo(40000, 0.0005);
    auto* run = window_->findChild<QPushButton*>("computeLoad");
    QVERIFY(!run->isEnabled());  // there is nothing to compute
    session_->setEps(0.01);
    QVERIFY(waitUntil([&] { return session_->loadLab().isComputing(); }));
    QVERIFY(run->isEnabled());
    QCOMPARE(run->text(), QString("Cancel"));
    QTest::mouseClick(run, Qt::LeftButton);
    QVERIFY(!session_->loadLab().isComputing());  // before the work ends
    QVERIFY(!session_->loadLab().isCurrent());
    QVERIFY(load()->summary().contains("for other parameters"));
    QCOMPARE(run->text(), QString("Compute"));
    session_->setEps(0.0006);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
  }

  void pointsAreColouredByLoad() {
    openExpo();
    for (const ColourBy by : {ColourBy::Workload, ColourBy::Warp, ColourBy::IdleLaneSteps}) {
      DisplayState display = session_->display();
      display.colourBy = by;
      session_->setDisplay(display);
      QVERIFY(waitUntil([&] {
        return session_->derived().colourValues() && session_->derived().colourValues()->by == by;
      }));
      const std::vector<float>& values = session_->derived().colourValues()->values;
      QCOMPARE(values.size(), std::size_t(6000));
      const LoadReport& report = *result()->report;
      for (const std::uint32_t p : {0U, 17U, 2999U, 5999U}) {
        const WarpLoad& warp =
            report.warps[std::size_t(result()->placeOf(result()->model.warpOfPoint(p)))];
        double expected = double(warp.number);
        if (by == ColourBy::IdleLaneSteps) {
          const auto ticket =
              std::find(report.pointOfTicket.begin(), report.pointOfTicket.end(), p);
          expected = report.idleCausedByTicket[std::size_t(ticket - report.pointOfTicket.begin())];
        }
        if (by == ColourBy::Workload) {
          // Points in the adjacent cells: counted by hand from the grid's cells.
          const GridIndex& index = result()->model.index();
          const auto own =
              index.geometry.coordinatesOf(index.geometry.linearId(*session_->data().cloud(), p));
          expected = 0;
          for (std::uint32_t q = 0; q < 6000; ++q) {
            const auto other =
                index.geometry.coordinatesOf(index.geometry.linearId(*session_->data().cloud(), q));
            const auto apart = [&](std::size_t i) {
              return std::max(own[i], other[i]) - std::min(own[i], other[i]);
            };
            bool adjacent = true;
            for (std::size_t i = 0; i < own.size(); ++i) adjacent = adjacent && apart(i) <= 1;
            expected += adjacent ? 1 : 0;
          }
        }
        QCOMPARE(values[p], float(expected));
      }
      if (by == ColourBy::IdleLaneSteps) {
        // What the points of a warp cause is what idles in it; its points do not all cause the
        // same.
        const WarpLoad& warp = report.warps[17];
        std::set<float> shares;
        double sum = 0;
        for (std::uint32_t t = 0; t < warp.tickets; ++t) {
          const float share = values[report.pointOfTicket[warp.firstTicket + t]];
          shares.insert(share);
          sum += double(share);
        }
        const double idle = workOf(warp, report.weights).idleLaneSteps();
        QVERIFY2(std::abs(sum - idle) <= 1e-5 * idle, qPrintable(QString::number(sum / idle)));
        QVERIFY(shares.size() > 10);
        QVERIFY(session_->derived().colourValues()->title.contains("caused"));
      }
      QVERIFY(waitUntilSettled(*window_));
      shot(window_.get(), qPrintable("load_colour_" + QString::number(int(by))));
    }
    // Colours of the load keep it up to date whatever tab is in front.
    window_->charts()->showTab(ChartId::Runs);
    session_->setEps(0.005);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QVERIFY(!loadColoursOf(ColourBy::Cluster, *result()));
  }

  // The exponential sample of the papers' size: what table V of [Gallet 2019] prints for three
  // orders, a bar whose work and idling are the report's, and a warp whose lanes and points are the
  // same ones.
  void twoMillionPoints() {
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", 2'000'000, 2, 42};
    request.eps = 0.002;
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    auto* strategy = window_->findChild<QComboBox*>("loadStrategy");
    struct Order {
      const char* name;
      double published;
    };
    for (const Order& order :
         {Order{"GPUCALCGLOBAL", 26.5}, Order{"SORTBYWL", 74.6}, Order{"WORKQUEUE", 83.2}}) {
      strategy->setCurrentIndex(strategy->findText(order.name));
      Q_EMIT strategy->activated(strategy->currentIndex());
      window_->charts()->showTab(ChartId::WarpLoad);
      QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
      const LoadReport& report = *result()->report;
      QVERIFY2(std::abs(100 * report.wee - order.published) < 3,
               qPrintable(QString("%1: %2").arg(order.name).arg(100 * report.wee)));
      QVERIFY(report.weeError > 0 && report.weeError < 0.02);
      QVERIFY(report.allWarps >= 62'500 && report.warps.size() < report.allWarps);
      QVERIFY(waitUntilSettled(*window_));
      // Of the bars' area the busy part is the report's WEE. WORKQUEUE's go down in order.
      const QImage bars = load()->view(LoadPanel::Warps)->grabFrame();
      const Colour busy = themeOf(Background::Light).series[0];
      QVERIFY(pixelsLike(bars, qRgb(busy.r, busy.g, busy.b), 12) > 1000);
      shot(window_.get(), order.name);
    }
    const LoadReport& report = *result()->report;
    double before = 1e300;
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      const std::size_t size = report.warps.size() / 4;
      double steps = 0;
      for (std::size_t w = quarter * size; w < (quarter + 1) * size; ++w)
        steps += workOf(report.warps[w], report.weights).steps;
      QVERIFY(steps < 0.8 * before);
      before = steps;
    }
    session_->setPickedWarp(report.warps[report.warps.size() / 2].number);
    QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
    const auto light = session_->loadLab().light();
    const WarpLoad& warp = report.warps[report.warps.size() / 2];
    QCOMPARE(light->trace->load.steps, warp.steps);
    QCOMPARE(light->trace->load.laneSteps, warp.laneSteps);
    for (std::uint32_t t = 0; t < warp.tickets; ++t)
      QCOMPARE(light->marks[report.pointOfTicket[warp.firstTicket + t]], PointMark::Query);
  }

  void arrowsShowWhatACellIsComparedWith() {
    OpenRequest request;
    request.path = writeSquares(directory_->path());  // lattices of side 1
    request.eps = 2.5;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    QAction* chosen = nullptr;
    for (QAction* action : window_->findChildren<QAction*>())
      if (action->text() == "&LID-UNICOMP") chosen = action;
    QVERIFY(chosen);
    chosen->trigger();
    QVERIFY(session_->display().gridShown);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->derived().gridCells());
    const auto cells = session_->derived().gridCells();
    const std::int64_t inner = cells->cellOfPoint[8 * 20 + 9];  // in the middle of a square
    QCOMPARE(cells->adjacent[std::size_t(inner)], 9U);

    // What the picture is made of, on the display's own axes.
    const WalkedCells walked(cells);
    const DisplaySpace& space = window_->cloudView()->scene().points()->space;
    const auto cell = std::uint32_t(inner);
    QCOMPARE(patternHighlights(walked, PatternArrows::Full, cell, space)->arrows.size(),
             std::size_t(8));
    const auto half = patternHighlights(walked, PatternArrows::LidUnicomp, cell, space);
    QCOMPARE(half->arrows.size(), std::size_t(4));
    QCOMPARE(half->numbers[0], 4U);
    QCOMPARE(half->cells.size(), std::size_t(25));
    for (const auto& [from, to] : half->arrows) {
      QCOMPARE(from, 0U);
      QVERIFY(half->cells.linearId[to] > half->cells.linearId[0]);
    }
    QVERIFY(!patternHighlights(walked, PatternArrows::None, cell, space));

    session_->setSelectedClusters({0});
    const auto camera = window_->cloudView()->cameraState();
    window_->cloudView()->zoomToSelection();
    QVERIFY(waitUntil([&] { return window_->cloudView()->cameraState() != camera; }));
    QVERIFY(waitUntilSettled(*window_));
    const QImage before = window_->cloudView()->grabFrame();
    session_->setHoveredCell(inner);
    QVERIFY(waitUntil(
        [&] { return differingPixels(before, window_->cloudView()->grabFrame()) > 300; }));
    QTest::qWait(100);
    shot(window_.get(), "arrows");
    session_->setHoveredCell(-1);
    QVERIFY(
        waitUntil([&] { return differingPixels(before, window_->cloudView()->grabFrame()) == 0; }));
  }

  void arrowsInSpaceAreThoseOfTwentySevenCells() {
    OpenRequest request;
    request.sample = GeneratorSpec{"unif", 4000, 3, 3};
    request.eps = 12;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    DisplayState display = session_->display();
    display.gridShown = true;
    display.patternArrows = PatternArrows::Unicomp;
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    const auto cells = session_->derived().gridCells();
    const auto inner = std::find(cells->adjacent.begin(), cells->adjacent.end(), 27U);
    QVERIFY(inner != cells->adjacent.end());
    const auto cell = std::uint32_t(inner - cells->adjacent.begin());
    const WalkedCells walked(cells);
    const DisplaySpace& space = window_->cloudView()->scene().points()->space;
    const auto full = patternHighlights(walked, PatternArrows::Full, cell, space);
    QCOMPARE(full->cells.size(), std::size_t(27));
    QCOMPARE(full->arrows.size(), std::size_t(26));
    QCOMPARE(patternHighlights(walked, PatternArrows::LidUnicomp, cell, space)->arrows.size(),
             std::size_t(13));
    const QImage before = window_->cloudView()->grabFrame();
    // UNICOMP: all 26 where every coordinate is odd, none where none is.
    std::size_t most = 0;
    std::uint32_t busiest = cell;
    for (std::uint32_t c = 0; c < cells->size(); ++c) {
      const std::size_t arrows =
          patternHighlights(walked, PatternArrows::Unicomp, c, space)->arrows.size();
      const auto at = cells->geometry.coordinatesOf(cells->linearIds[c]);
      if (std::all_of(at.begin(), at.end(), [](std::uint32_t x) { return x % 2 == 0; }))
        QCOMPARE(arrows, std::size_t(0));
      if (arrows > most) busiest = c;
      most = std::max(most, arrows);
    }
    QCOMPARE(most, std::size_t(26));
    session_->setPickedCell(busiest);
    QVERIFY(waitUntil(
        [&] { return differingPixels(before, window_->cloudView()->grabFrame()) > 300; }));
    QTest::qWait(100);
    shot(window_.get(), "arrows-space");
  }

  void closingTheDataTakesTheLoadAlong() {
    openExpo();
    session_->setPickedWarp(3);
    QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
    session_->closeData();
    QVERIFY(!session_->loadLab().result());
    QVERIFY(!session_->loadLab().light());
    QVERIFY(!session_->loadLab().question());
    QCOMPARE(session_->selection().warp, std::int64_t(-1));
  }
};

WINDOW_TEST(TestLoadLab);
#include "tst_load_lab.moc"
