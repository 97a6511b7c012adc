#include <QAction>
#include <QDockWidget>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <algorithm>

#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/engine_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/every_eps.h"
#include "ui/session/load_lab.h"
#include "ui/session/replay.h"
#include "ui/session/session_data.h"
#include "ui/view/chart_view.h"
#include "ui/window/frame_series.h"

using namespace clusterloom;

/// The charts in two groups, and a chart alone in the window.
class TestChartGroups : public QObject, ShownWindow {
  Q_OBJECT

  QStringList visibleTabs() const {
    const QTabBar* bar = window_->charts()->tabs()->tabBar();
    QStringList texts;
    for (int i = 0; i < bar->count(); ++i)
      if (bar->isTabVisible(i)) texts << bar->tabText(i);
    return texts;
  }
  QToolButton* button(const char* name) const { return window_->findChild<QToolButton*>(name); }
  bool isShown(const char* dock) const {
    return window_->findChild<QDockWidget*>(dock)->isVisible();
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(showWindow({1100, 800}));
    QVERIFY(openSquares());
  }
  void cleanup() { closeWindow(); }

  void oneGroupIsShownAtATime() {
    ChartsPanel* charts = window_->charts();
    const QStringList clusters{"k-distance", "ε sweep", "tree",  "reachability",
                               "ε × minPts", "runs",    "clouds"};
    const QStringList engine{"warp load", "batches", "cost of k", "processors",
                             "ranks",     "plan",    "compare"};
    QCOMPARE(visibleTabs(), clusters);
    shot(window_.get(), "charts-of-clusters");
    charts->showTab(ChartId::Tree);
    QTest::mouseClick(button("engineChartsButton"), Qt::LeftButton);
    QCOMPARE(visibleTabs(), engine);
    QVERIFY(charts->current() == ChartId::WarpLoad);
    QVERIFY(window_->action("engineCharts")->isChecked());
    shot(window_.get(), "charts-of-the-engine");
    // A group remembers its page, and a page brings its group.
    charts->showTab(ChartId::Plan);
    window_->action("engineCharts")->trigger();
    QVERIFY(charts->current() == ChartId::Tree);
    QVERIFY(button("clusterChartsButton")->isChecked());
    window_->engine()->setExpanded(true);
    Q_EMIT window_->engine()->chartsRequested();
    QVERIFY(charts->current() == ChartId::Plan);
    charts->showTab(ChartId::Runs);
    QCOMPARE(visibleTabs(), clusters);
    // The keyboard stays within a group.
    charts->tabs()->tabBar()->setFocus();
    QTest::keyClick(charts->tabs()->tabBar(), Qt::Key_Right);
    QVERIFY(charts->current() == ChartId::Clouds);
    QTest::keyClick(charts->tabs()->tabBar(), Qt::Key_Right);
    QVERIFY(charts->current() == ChartId::Clouds);
  }

  /// A page of the engine may come from the other group, whose tabs are hidden then: its tab is
  /// seen as a whole.
  void theTabOnShowIsSeen() {
    window_->resize(700, 800);
    ChartsPanel* charts = window_->charts();
    const QTabBar* bar = charts->tabs()->tabBar();
    for (const ChartId id : {ChartId::Ranks, ChartId::Compare, ChartId::WarpLoad, ChartId::Plan}) {
      charts->showTab(ChartId::KDistance);
      QVERIFY(waitUntilSettled(*window_));
      charts->showTab(id);
      QVERIFY(waitUntilSettled(*window_));
      const QRect tab = bar->tabRect(bar->currentIndex());
      int end = bar->width();
      for (const auto* arrow : bar->findChildren<QToolButton*>())
        if (arrow->isVisible()) end = std::min(end, arrow->x());
      QVERIFY2(tab.left() >= 0 && tab.right() <= end,
               qPrintable(QString("%1: %2 to %3 of %4")
                              .arg(bar->tabText(bar->currentIndex()))
                              .arg(tab.left())
                              .arg(tab.right())
                              .arg(end)));
    }
  }

  /// Both pages need the load: what is computed for one is not stopped for the other.
  void whatBothPagesNeedGoesOn() {
    window_->charts()->showTab(ChartId::WarpLoad);
    QVERIFY(waitUntil([&] { return session_->loadLab().isComputing(); }));
    const quint64 job = session_->jobs().newest(JobKind::WarpLoad);
    window_->charts()->showTab(ChartId::Batches);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QCOMPARE(session_->jobs().newest(JobKind::WarpLoad), job);
    window_->charts()->showTab(ChartId::Runs);
    session_->setEps(2);
    QVERIFY(waitForResult(*session_));
    QTest::qWait(400);
    QVERIFY(!session_->loadLab().isCurrent());
  }

  void aChartIsMaximised() {
    ChartView* chart = window_->charts()->view(ChartId::KDistance);
    const QSize before = chart->size();
    QTest::keyClick(window_.get(), Qt::Key_F12);
    QVERIFY(window_->isChartMaximised());
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(chart->isVisible() && !window_->cloudView()->isVisible());
    QVERIFY(!isShown("dataDock") && !isShown("parametersDock") && !isShown("chartsDock"));
    QVERIFY(chart->height() > 2 * before.height() && chart->width() >= before.width());
    shot(window_.get(), "chart-maximised");
    // Keys that go to the charts or change the group leave it as it is.
    QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(window_->charts()->current() == ChartId::WarpLoad && !isShown("chartsDock"));
    QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
    QVERIFY(window_->charts()->tabs()->tabBar()->hasFocus() && !isShown("chartsDock"));
    window_->charts()->showTab(ChartId::KDistance);
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!window_->isChartMaximised());
    QVERIFY(waitUntil([&] {
      return isShown("dataDock") && isShown("parametersDock") && isShown("chartsDock") &&
             window_->cloudView()->isVisible() && chart->size() == before;
    }));
    // In a presentation Esc leaves one after the other.
    window_->setPresenting(true);
    QTest::keyClick(window_.get(), Qt::Key_F12);
    QVERIFY(chart->isVisible());
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!window_->isChartMaximised() && window_->isPresenting());
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!window_->isPresenting());
    QVERIFY(waitUntil([&] { return isShown("chartsDock") && chart->isVisible(); }));
  }

  /// Nothing draws the hidden view: what waits for it goes on all the same.
  void theHiddenViewSettles() {
    QTest::keyClick(window_.get(), Qt::Key_F12);
    const CloudView* view = window_->cloudView();
    QVERIFY(!view->isVisible());
    GeneratorSpec rings;
    rings.kind = "rings";
    rings.points = 10'000;
    rings.dims = 2;
    session_->data().openSample(rings);
    const auto isShown = [&] {
      const auto result = session_->clusterRun().result();
      return result && result->cloud->size() == 10'000 && view->isSettled() &&
             view->shownResult() == result;
    };
    QVERIFY(waitUntil(isShown, 20'000));
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return session_->replay().isPossible(); }, 20'000));
    const QTemporaryDir folder;
    int written = -1;
    FrameSeries* series =
        FrameSeries::start(*session_, *window_->cloudView(), growthFrames(*session_),
                           {folder.path(), "growth", 3, {{200, 150}, 1, false}});
    connect(series, &FrameSeries::finished, window_.get(), [&](int count) { written = count; });
    QVERIFY(waitUntil([&] { return written >= 0; }, 20'000));
    QCOMPARE(written, 3);
    QTest::keyClick(window_.get(), Qt::Key_F12);
    QVERIFY(waitUntil([&] { return view->isVisible() && isShown(); }, 20'000));
    QVERIFY(!window_->cloudView()->scene().moreToDraw());
  }

  void aMaximisedChartGoesWithItsData() {
    QTest::mouseClick(window_->charts()->maximiseButton(), Qt::LeftButton);
    QVERIFY(window_->isChartMaximised());
    // What is computed only while a chart is in front is still computed.
    window_->charts()->showTab(ChartId::Sweep);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    session_->closeData();
    QVERIFY(!window_->isChartMaximised());
    QVERIFY(!window_->action("maximiseChart")->isEnabled());
    QVERIFY(openSquares());
    QVERIFY(waitUntil([&] { return isShown("chartsDock") && isShown("dataDock"); }));
    QVERIFY(window_->cloudView()->isVisible());
  }
};

WINDOW_TEST(TestChartGroups);
#include "tst_chart_groups.moc"
