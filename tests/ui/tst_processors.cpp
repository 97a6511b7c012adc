// The chart of both processors as a user operates it: measured runs and modelled divisions, batches
// and their points, speeds set by hand, what is stopped or cannot be.
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <numeric>

#include "engine/core/number_text.h"
#include "shared_backend.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/compare_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/comparison.h"
#include "ui/session/division_lab.h"
#include "ui/session/session_data.h"
#include "ui/view/chart_view.h"

using namespace clusterloom;

namespace {

constexpr int kLeft = 66;  // of the plot, logical pixels

}  // namespace

class TestProcessors : public QObject, ShownWindow {
  Q_OBJECT

  DivisionLab& lab() { return session_->divisionLab(); }
  ChartView* view() const { return window_->charts()->view(ChartId::Processors); }
  QString summary() const { return window_->findChild<QLabel*>("divisionSummary")->text(); }
  ThemeChoice theme() const {
    return qEnvironmentVariableIsSet("CLUSTERLOOM_DARK") ? ThemeChoice::Dark : ThemeChoice::Light;
  }
  bool show(const QSize& size, const BackendMaker& backends) {
    return showWindow(
        size, [this](MainWindow& made) { made.setTheme(theme()); }, backends);
  }

  void openExpo(std::size_t points = 6000, double eps = 0.004) {
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", points, 2, 3};
    request.eps = eps;
    request.minPts = 5;
    window_->charts()->showTab(ChartId::Processors);
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntil([&] { return lab().isReady() && !lab().isComputing(); }));
    QVERIFY(waitUntilSettled(*window_));
  }
  void choose(DivisionShown shown) {
    auto* box = window_->findChild<QComboBox*>("divisionShown");
    box->setCurrentIndex(box->findData(int(shown)));
    QVERIFY(box->currentIndex() >= 0);
    Q_EMIT box->activated(box->currentIndex());
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QVERIFY(waitUntilSettled(*window_));
  }
  /// The speeds of a small machine, so that every division has batches of both.
  void setSpeeds(int threads = 4) {
    ModelledSides sides;
    sides.gpu = {.lanes = 2, .candidatesPerSecond = 8e6};
    sides.cpu = {.lanes = threads, .queriesPerSecond = 2e6, .candidatesPerSecond = 4e6};
    lab().setSides(sides);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
  }
  /// Every point is in one batch of the pass.
  static bool coversEachPointOnce(const SharedPass& pass, std::size_t points) {
    std::vector<std::uint32_t> all;
    for (const SharedBatch& batch : pass.batches) {
      const auto some = pointsOfBatch(pass, batch);
      all.insert(all.end(), some.begin(), some.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> expected(points);
    std::iota(expected.begin(), expected.end(), 0U);
    return all == expected;
  }

 private Q_SLOTS:
  void cleanup() { closeWindow(); }

  void queriesAreTimedOnlyWhileTheChartIsShown() {
    QVERIFY(show({1400, 900}, makeBackend));
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", 2000, 2, 3};
    request.eps = 0.005;
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    QTest::qWait(400);
    QCOMPARE(session_->jobs().newest(JobKind::DivisionTiming), quint64(0));
    QVERIFY(!lab().times());
    window_->charts()->showTab(ChartId::Processors);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QVERIFY(window_->charts()->isReady());
    QCOMPARE(lab().times()->panels.size(), std::size_t(4));
    window_->charts()->showTab(ChartId::Cost);
    session_->setEps(0.006);
    QVERIFY(waitForResult(*session_));
    QTest::qWait(400);
    QVERIFY(!lab().isCurrent());
    window_->charts()->showTab(ChartId::Processors);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QCOMPARE(lab().timing()->asked.eps, 0.006);
  }

  void modelledDivisionsAreBelowEachOther() {
    QVERIFY(show({1400, 900}, makeBackend));
    openExpo();
    const auto times = lab().times();
    QVERIFY(times && !times->measured);
    QCOMPARE(lab().shown(), DivisionShown::All);
    QStringList names;
    for (const ProcessorPanel& panel : times->panels) {
      names << QString::fromStdString(panel.name);
      QVERIFY(coversEachPointOnce(*panel.pass, 6000));
    }
    QCOMPARE(names, QStringList({"HEGJoin-Dyn", "HEGJoin-SQ", "HEGJoin-SC", "adaptive"}));
    QVERIFY2(summary().contains("modelled") && summary().contains("HEGJoin-SQ"),
             qPrintable(summary()));
    QVERIFY2(summary().contains("no GPU: its speed is assumed to equal 40"), qPrintable(summary()));
    shot(window_.get(), "processors-all");
    for (const DivisionShown one : {DivisionShown::Dyn, DivisionShown::Queries,
                                    DivisionShown::Candidates, DivisionShown::Adaptive}) {
      choose(one);
      QCOMPARE(lab().times()->panels.size(), std::size_t(1));
      QVERIFY2(summary().contains("imbalance"), qPrintable(summary()));
    }
    shot(window_.get(), "processors-adaptive");
  }

  void aBatchSelectsItsPoints() {
    QVERIFY(show({1400, 900}, makeBackend));
    openExpo();
    setSpeeds();
    choose(DivisionShown::Dyn);
    QVERIFY(waitUntilSettled(*window_));
    const auto pass = lab().times()->panels[0].pass;
    const QImage before = window_->cloudView()->grabFrame();
    // The strip of the order is below the header; its left end are the heaviest queries.
    view()->grabFrame();
    QTest::mouseClick(view(), Qt::LeftButton, {}, {kLeft + 2, 30 + 15 + 4});
    QVERIFY(waitUntil([&] { return session_->selection().points != nullptr; }));
    const std::int64_t batch = batchOfQuery(*pass, 0);
    QVERIFY(batch >= 0);
    QCOMPARE(lab().marked(), std::vector<std::int64_t>{batch});
    const auto expected = pointsOfBatch(*pass, pass->batches[std::size_t(batch)]);
    QCOMPARE(*session_->selection().points, expected);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(differingPixels(before, window_->cloudView()->grabFrame()) > 1000);
    shot(window_.get(), "processors-batch");

    // The keys go on to the next batch.
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_Right);
    QVERIFY(waitUntil([&] {
      const auto marked = lab().marked();
      return marked[0] == batch + 1 && session_->selection().points &&
             *session_->selection().points ==
                 pointsOfBatch(*pass, pass->batches[std::size_t(batch) + 1]);
    }));
    // Another selection is not that of the batch; Escape selects nothing.
    session_->setSelectedPoints(
        std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{1, 2}));
    QCOMPARE(lab().marked(), std::vector<std::int64_t>{-1});
    lab().pickBatch(0, 0);
    QVERIFY(waitUntil([&] { return session_->selection().points->size() > 2; }));
    lab().pickBatch(0, -1);
    QVERIFY(!session_->selection().points);
    lab().pickBatch(0, 0);
    QVERIFY(waitUntil([&] { return session_->selection().points != nullptr; }));
    window_->cloudView()->setFocus();
    QTest::keyClick(window_->cloudView(), Qt::Key_Escape);
    QVERIFY(!session_->selection().points);
    QCOMPARE(lab().marked(), std::vector<std::int64_t>{-1});
    lab().pickBatch(7, 0);  // there is no such panel
    lab().pickBatch(0, 1 << 20);
    QCOMPARE(lab().marked(), std::vector<std::int64_t>{-1});
  }

  void aPickedPointMarksItsBatchInEveryDivision() {
    QVERIFY(show({1400, 900}, makeBackend));
    openExpo();
    setSpeeds();
    const auto times = lab().times();
    QCOMPARE(times->panels.size(), std::size_t(4));
    for (const std::uint32_t point : {0U, 1234U, 5999U}) {
      window_->findChild<QSpinBox*>("pointNumber")->setValue(int(point));
      const auto marked = lab().marked();
      QCOMPARE(marked.size(), std::size_t(4));
      for (std::size_t p = 0; p < 4; ++p) {
        const SharedPass& pass = *times->panels[p].pass;
        QVERIFY(marked[p] >= 0);
        const auto points = pointsOfBatch(pass, pass.batches[std::size_t(marked[p])]);
        QVERIFY(std::binary_search(points.begin(), points.end(), point));
      }
    }
    const Colour accent =
        themeOf(theme() == ThemeChoice::Dark ? Background::Dark : Background::Light).accent;
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(pixelsLike(view()->grabFrame(), qRgb(accent.r, accent.g, accent.b), 20) > 20);
    session_->setPickedPoint(-1);
    QCOMPARE(lab().marked(), (std::vector<std::int64_t>{-1, -1, -1, -1}));
  }

  void aRunOfBothIsMeasured() {
    // As slow as a CPU, so that both have something to do.
    StandInSpec slow;
    slow.speed.candidatesPerSecond = 2e7;
    QVERIFY(show({1400, 900}, sharedBackends(slow)));
    session_->clusterRun().setBackend(QStringLiteral("hybrid"), 3);
    openExpo(20000, 0.004);
    // DBSCAN by the adaptive division may be done by one processor.
    Strategy dyn;
    dyn.division = Division::Dyn;
    dyn.cpuBatch = 256;
    session_->setStrategy(dyn);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(lab().hasRun());
    QCOMPARE(lab().shown(), DivisionShown::Run);
    const auto times = lab().times();
    QVERIFY(times->measured);
    const RunStats& stats = session_->clusterRun().result()->clustering.stats;
    QCOMPARE(times->panels.size(), stats.passes.size());
    QCOMPARE(times->panels[0].name, std::string("HEGJoin-Dyn"));
    QCOMPARE(times->panels[0].streams, 3);
    QCOMPARE(times->panels[0].threads, 3);
    QVERIFY(coversEachPointOnce(*times->panels[0].pass, 20000));
    QVERIFY2(summary().startsWith("measured"), qPrintable(summary()));
    QVERIFY(!window_->findChild<QPushButton*>("computeDivision")->isVisible());
    shot(window_.get(), "processors-run");
    lab().pickBatch(0, 0);
    QVERIFY(waitUntil([&] { return session_->selection().points != nullptr; }));
    QCOMPARE(*session_->selection().points,
             pointsOfBatch(*times->panels[0].pass, times->panels[0].pass->batches[0]));
    // What the divisions would have done, at the speeds of that GPU.
    choose(DivisionShown::All);
    // A stream may have run too late to take part: then it is timed again.
    const auto allTookPart = [&] { return lab().timing()->gpu && lab().timing()->gpu->lanes == 3; };
    for (int turn = 1; turn <= 20 && !allTookPart(); ++turn) {
      session_->setEps(session_->parameters().dbscan.eps * (1 + 1e-4));
      QVERIFY(waitForResult(*session_));
      choose(DivisionShown::All);
      QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    }
    QVERIFY(lab().timing()->gpu.has_value());
    QCOMPARE(lab().sidesInUse()->gpu.lanes, 3);
    QCOMPARE(lab().sidesInUse()->cpu.lanes, 3);
    QVERIFY2(summary().contains("modelled") && summary().contains("as measured"),
             qPrintable(summary()));
    QVERIFY(!summary().contains("no GPU"));
    choose(DivisionShown::Run);
    QVERIFY(lab().times()->measured);
    // The list of runs does not keep the orders.
    QVERIFY(session_->clusterRun().runs().back().stats.passes.empty());
    // A run of one processor has no such times.
    session_->setStrategy({});
    session_->clusterRun().setBackend(QStringLiteral("cpu"));
    QVERIFY(waitUntil([&] { return !lab().hasRun(); }));
    QCOMPARE(lab().shown(), DivisionShown::All);
    QVERIFY(window_->findChild<QComboBox*>("divisionShown")->findData(int(DivisionShown::Run)) < 0);
  }

  void speedsAreSetByHand() {
    QVERIFY(show({1400, 900}, makeBackend));
    openExpo();
    auto* speeds = window_->findChild<QToolButton*>("divisionSpeeds");
    auto* threads = window_->findChild<QSpinBox*>("divisionThreads");
    auto* gpu = window_->findChild<QDoubleSpinBox*>("divisionGpuCandidates");
    auto* measured = window_->findChild<QPushButton*>("divisionMeasured");
    QVERIFY(!threads->isVisible());
    speeds->click();
    QVERIFY(threads->isVisible() && gpu->isVisible());
    QVERIFY(!measured->isEnabled());
    const auto timed = lab().sidesInUse();
    QVERIFY(timed && !lab().sides());
    QCOMPARE(threads->value(), timed->cpu.lanes);
    setSpeeds(2);
    const auto before = lab().sidesInUse();
    QCOMPARE(gpu->value(),
             QString::number(before->gpu.candidatesPerSecond / 1e6, 'f', 3).toDouble());
    // Twenty threads, each as fast as before: the CPU as a whole is faster.
    threads->setValue(20);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QVERIFY(lab().sides().has_value());
    QCOMPARE(lab().times()->panels[0].threads, 20);
    const double faster = lab().sides()->cpu.candidatesPerSecond / before->cpu.candidatesPerSecond *
                          before->cpu.lanes / 20;
    QVERIFY2(std::abs(faster - 1) < 0.01, qPrintable(QString::number(faster)));
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "processors-speeds");
    // A slower GPU does a smaller share.
    const double share = lab().times()->panels[2].pass->gpuCandidates;
    gpu->setValue(gpu->value() / 20);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QVERIFY(lab().times()->panels[2].pass->gpuCandidates < share);
    QVERIFY2(!summary().contains("measured"), qPrintable(summary()));
    // Another ε keeps what was set.
    const auto set = lab().sides();
    session_->setEps(0.005);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QCOMPARE(lab().sides(), set);
    QVERIFY(measured->isEnabled());
    measured->click();
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QVERIFY(!lab().sides());
    QCOMPARE(threads->value(), timed->cpu.lanes);
    // Costs of nothing are possible: there is no time line, and it is said.
    for (const char* field : {"divisionGpuCandidates", "divisionGpuQueries",
                              "divisionCpuCandidates", "divisionCpuQueries"})
      window_->findChild<QDoubleSpinBox*>(field)->setValue(0);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    QVERIFY(view()->chart().isEmpty());
    QVERIFY2(summary().contains("modelled"), qPrintable(summary()));
  }

  /// T^HEGJoin [Gallet 2020, eq. 3] beside the time of the run, of divisions by fixed shares.
  void whatIsPredictedIsSaid() {
    StandInSpec slow;
    slow.speed.candidatesPerSecond = 2e7;
    QVERIFY(show({1400, 900}, sharedBackends(slow)));
    session_->clusterRun().setBackend(QStringLiteral("hybrid"), 3);
    openExpo(20000, 0.004);
    Strategy fixed;
    fixed.division = Division::Candidates;
    fixed.referenceEps = 0.002;
    fixed.earlyStop = Toggle::Off;  // the model is of complete counts
    session_->setStrategy(fixed);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    const SharedPass& pass = session_->clusterRun().result()->clustering.stats.passes.front();
    QVERIFY(pass.forecast.has_value());
    QCOMPARE(pass.forecast->referenceEps, 0.002);
    QCOMPARE(pass.forecast->volumeRatio, 4.0);
    QVERIFY2(summary().contains(QString::fromStdString(forecastWords(pass))),
             qPrintable(summary()));
    QVERIFY2(summary().contains("predicted "), qPrintable(summary()));
    // Modelled: with the speeds of the model.
    choose(DivisionShown::Queries);
    QVERIFY(lab().times()->panels[0].pass->forecast.has_value());
    QVERIFY2(summary().contains("predicted "), qPrintable(summary()));
    choose(DivisionShown::Dyn);
    QVERIFY2(!summary().contains("predicted "), qPrintable(summary()));
  }

  void theChartIsSavedWithItsNumbers() {
    QVERIFY(show({1400, 900}, makeBackend));
    openExpo();
    const auto outputs = window_->charts()->page(ChartId::Processors)->outputs();
    QCOMPARE(outputs.size(), std::size_t(1));
    const DataTable table = outputs[0]->table()();
    std::size_t batches = 0;
    for (const ProcessorPanel& panel : lab().times()->panels) batches += panel.pass->batches.size();
    QCOMPARE(table.rows.size(), batches);
    const std::string svg = outputs[0]->svg({900, 500}, Background::Light);
    QVERIFY(svg.find("HEGJoin-SC") != std::string::npos);
    QVERIFY(svg.find("modelled") != std::string::npos);
    // The context menu offers it.
    QContextMenuEvent event(QContextMenuEvent::Mouse, {20, 20},
                            view()->mapToGlobal(QPoint{20, 20}));
    QCoreApplication::sendEvent(view(), &event);
    auto* menu = view()->findChild<QMenu*>();
    QVERIFY(menu && !menu->actions().isEmpty());
    menu->close();
  }

  void onePointAndClosedData() {
    QVERIFY(show({1400, 900}, makeBackend));
    openExpo(1);
    QVERIFY(lab().times());
    QCOMPARE(lab().times()->panels[0].pass->queries, 1U);
    session_->setPickedPoint(0);
    for (const std::int64_t batch : lab().marked()) QCOMPARE(batch, std::int64_t(0));
    session_->closeData();
    QVERIFY(!lab().times() && !lab().isCurrent());
    QVERIFY(lab().marked().empty());
    lab().pickBatch(0, 0);
    lab().compute();
    QVERIFY(!lab().isComputing());
    QVERIFY(view()->chart().isEmpty());
  }

  void timingIsStoppedAndAskedForAgain() {
    QVERIFY(show({1400, 900}, makeBackend));
    openExpo(40000, 0.0005);
    auto* run = window_->findChild<QPushButton*>("computeDivision");
    QVERIFY(!run->isEnabled());
    // A count of all pairs, which takes a while.
    session_->setEps(0.2);
    QVERIFY(waitUntil([&] { return lab().isComputing(); }));
    QCOMPARE(run->text(), QString("Cancel"));
    QTest::mouseClick(run, Qt::LeftButton);
    QVERIFY(!lab().isComputing());
    QVERIFY(!lab().isCurrent());
    QCOMPARE(run->text(), QString("Compute"));
    QVERIFY(run->isEnabled());
    session_->setEps(0.0006);
    QVERIFY(waitUntil([&] { return lab().isCurrent(); }));
    // Escape in the status line's sense: everything that runs is stopped, this too.
    session_->setEps(0.25);
    QVERIFY(waitUntil([&] { return lab().isComputing(); }));
    session_->cancel();
    QVERIFY(waitUntil([&] { return !lab().isComputing(); }));
  }

  /// The presets of the comparison by CPU and GPU together, on a stand-in for a GPU.
  void sharedJoinsAreCompared() {
    QVERIFY(show({1400, 900}, sharedBackends()));
    session_->clusterRun().setBackend(QStringLiteral("cpu"), 2);
    window_->charts()->showTab(ChartId::Compare);
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", 4000, 2, 3};
    request.eps = 0.005;
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    auto* list = window_->findChild<QListWidget*>("compareList");
    const Comparison& comparison = session_->comparison();
    const QStringList names{"HEGJoin-Dyn", "HEGJoin-SQ", "HEGJoin-SC", "adaptive"};
    for (int i = 0; i < list->count(); ++i) list->item(i)->setCheckState(Qt::Unchecked);
    QVERIFY(waitUntil([&] { return !session_->jobs().isActive(JobKind::FindHybrid); }));
    list->findItems("GPUCALCGLOBAL", Qt::MatchExactly)[0]->setCheckState(Qt::Checked);
    for (const QString& name : names) {
      const auto found = list->findItems(name, Qt::MatchExactly);
      QCOMPARE(found.size(), 1);
      QVERIFY(found[0]->flags().testFlag(Qt::ItemIsEnabled));
      found[0]->setCheckState(Qt::Checked);
    }
    window_->charts()->compare()->compare();
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    QCOMPARE(comparison.runs().size(), std::size_t(5));
    QTableWidget* table = window_->charts()->compare()->table();
    for (std::size_t i = 0; i < 5; ++i) {
      const ComparedRun& run = comparison.runs()[i];
      QVERIFY2(run.failure.isEmpty(), qPrintable(run.failure));
      QVERIFY(run.identical);
      QCOMPARE(run.pairs, comparison.runs()[0].pairs);
      QCOMPARE(run.shared, i > 0);
      QCOMPARE(run.stats.backend, std::string(i > 0 ? "hybrid" : "cpu"));
      if (i == 0) continue;
      QCOMPARE(run.name, names[qsizetype(i) - 1]);
      QVERIFY(!run.report);
      QCOMPARE(run.stats.passes.front().division, toText(run.strategy.division));
      QCOMPARE(table->item(int(i), ComparePanel::Imbalance)->text(),
               QString::fromStdString(percentText(run.stats.passes.front().imbalance)));
    }
    QVERIFY(!table->isColumnHidden(ComparePanel::Imbalance));
    QVERIFY(table->item(0, ComparePanel::Imbalance)->text().isEmpty());
    shot(window_.get(), "processors-compare");
    window_->charts()->compare()->findChild<QPushButton*>("compareSweep")->click();
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    QCOMPARE(comparison.sweep().size(), std::size_t(5));
    for (const ResponseCurve& curve : comparison.sweep()) QVERIFY(curve.points.size() == 9);
  }

  void sharedJoinsSayWhyTheyAreNotPossible() {
    const BackendMaker noGpu =
        [](const std::string& name,
           const BackendOptions& options) -> Result<std::unique_ptr<Backend>> {
      if (name == "hybrid")
        return fail(ErrorKind::Unavailable, "No GPU answers. The backend hybrid needs a GPU.");
      return makeBackend(name, options);
    };
    QVERIFY(show({1400, 900}, noGpu));
    openExpo(500);
    window_->charts()->showTab(ChartId::Compare);
    auto* list = window_->findChild<QListWidget*>("compareList");
    const auto item = [&] { return list->findItems("HEGJoin-Dyn", Qt::MatchExactly)[0]; };
    QVERIFY(waitUntil([&] { return !item()->flags().testFlag(Qt::ItemIsEnabled); }));
    QVERIFY2(item()->toolTip().contains("No GPU answers"), qPrintable(item()->toolTip()));
    QCOMPARE(item()->checkState(), Qt::Unchecked);
    QVERIFY(list->item(0)->flags().testFlag(Qt::ItemIsEnabled));
  }

  void smallWindows() {
    QVERIFY(show({1024, 700}, makeBackend));
    openExpo(20000, 0.002);
    setSpeeds(20);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "processors-small-all");
    choose(DivisionShown::Dyn);
    shot(window_.get(), "processors-small-dyn");
    window_->findChild<QToolButton*>("divisionSpeeds")->click();
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "processors-small-speeds");
    QCOMPARE(window_->size(), QSize(1024, 700));
  }
};

WINDOW_TEST(TestProcessors);
#include "tst_processors.moc"
