// The panels of the window as a user operates them: engine, charts, grid, colours, keys and themes.
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QtTest>

#include "engine/cpu/brute_force.h"
#include "render/charts/chart.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/guide/guide_window.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session_data.h"
#include "ui/view/chart_view.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

class TestWindowPanels : public QObject, ShownWindow {
  Q_OBJECT

  /// The words that a chart shows.
  QString wordsOf(ChartId id) const {
    QString all;
    for (const auto& words : window_->charts()->view(id)->chart().words())
      all += QString::fromStdString(words);
    return all;
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1280, 820})); }
  void cleanup() { closeWindow(); }

  /// A new user finds the guide and the lessons without searching the menus.
  void anEmptyWindowTeaches() {
    auto* guide = window_->findChild<QPushButton*>("welcomeGuide");
    auto* lessons = window_->findChild<QPushButton*>("welcomeLessons");
    QVERIFY(guide && guide->isVisible() && lessons && lessons->isVisible());
    QTest::mouseClick(guide, Qt::LeftButton);
    QVERIFY(window_->findChild<GuideWindow*>() && window_->findChild<GuideWindow*>()->isVisible());
    QTest::mouseClick(lessons, Qt::LeftButton);
    QVERIFY(window_->lessonWindow() && window_->lessonWindow()->isVisible());
    window_->lessonWindow()->close();
  }

  /// Keys of old keyboards are not offered.
  void shortcutsAreKeysOnePresses() {
    window_->action("shortcuts")->trigger();
    auto* dialog = window_->findChild<QDialog*>("shortcutsDialog");
    QVERIFY(dialog);
    const auto* table = dialog->findChild<QTableWidget*>();
    static const QRegularExpression old(QStringLiteral("F(1[3-9]|[23][0-9])"));
    QStringList keys;
    for (int row = 0; row < table->rowCount(); ++row) keys << table->item(row, 0)->text();
    QVERIFY(keys.contains("F1") && keys.contains("Ctrl+O"));
    for (const QString& key : keys) QVERIFY2(!key.isEmpty() && !key.contains(old), qPrintable(key));
    dialog->close();
  }

  /// Batch size, streams and block size: numbers or "auto", from the table of options.
  void numbersOfTheEngineAreTaken() {
    QVERIFY(openSquares());
    EnginePanel* engine = window_->engine();
    engine->setExpanded(true);
    const auto type = [&](const char* name, const char* text) {
      auto* line = engine->findChild<QLineEdit*>(name);
      if (line == nullptr || !line->isVisible()) return QString("no field");
      line->setFocus();
      line->selectAll();
      QTest::keyClicks(line, text);
      QTest::keyClick(line, Qt::Key_Return);
      return engine->objection();
    };
    const auto strategy = [&]() -> const Strategy& { return session_->parameters().strategy; };
    QCOMPARE(type("batchPairs", "100000"), QString());
    QCOMPARE(strategy().batchPairs, std::uint64_t(100000));
    QVERIFY(waitForResult(*session_));
    // Out of range, and of a GPU only: each is said, and nothing is changed.
    const QString large = type("streams", "33");
    QVERIFY2(large.contains("streams") && large.contains("32"), qPrintable(large));
    const QString notHere = type("streams", "4");
    QVERIFY2(notHere.contains("streams") && notHere.contains("GPU"), qPrintable(notHere));
    QCOMPARE(strategy().streams, 0);
    QCOMPARE(type("streams", "auto"), QString());
    QVERIFY(!type("blockSize", "100").isEmpty());
    QCOMPARE(type("blockSize", "auto"), QString());
    QCOMPARE(strategy().batchPairs, std::uint64_t(100000));
    session_->undoStack()->undo();
    QCOMPARE(engine->findChild<QLineEdit*>("batchPairs")->text(), QString("auto"));
    shot(window_.get(), "engine-numbers");
  }

  /// The k that ran is marked, which need not be the one with the least predicted cost.
  void theCostOfKMarksTheOneThatRan() {
    QFile file(directory_->filePath("sparse.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y,z\n");
    // So few points that the search of cells in three dimensions costs more than it saves.
    for (int i = 0; i < 400; ++i)
      file.write(QByteArray::number(i) + ',' + QByteArray::number(i * 37 % 400) + ',' +
                 QByteArray::number(i * 91 % 400) + '\n');
    file.close();
    OpenRequest request;
    request.path = file.fileName();
    request.eps = 1.5;
    request.minPts = 3;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->charts()->showTab(ChartId::Cost);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    QVERIFY(session_->derived().costModel()->best < 3);
    const auto marked = [&] {
      QStringList found;
      for (const auto& row : window_->charts()->view(ChartId::Cost)->chart().table()().rows)
        if (row[3] == "yes") found << QString::fromStdString(row[0]);
      return found;
    };
    QCOMPARE(session_->clusterRun().result()->clustering.stats.indexedDims, 3);
    QCOMPARE(marked(), QStringList{"3"});
    session_->setIndexedDims(2);
    QCOMPARE(marked(), QStringList{"2"});
  }

  /// A sweep that was stopped says so, and how it goes on.
  void aStoppedSweepSaysSo() {
    QVERIFY(openSquares());
    QVERIFY(waitUntilIdle(*session_));  // ε is suggested, too
    const auto text = [&] { return wordsOf(ChartId::Sweep); };
    const auto stops = connect(&session_->jobs(), &JobQueue::started, window_.get(),
                               [this](quint64, JobKind kind) {
                                 if (kind == JobKind::Sweep) session_->cancel();
                               });
    window_->charts()->showTab(ChartId::Sweep);
    QVERIFY(session_->derived().sweep().empty());
    QVERIFY2(text().contains("was stopped"), qPrintable(text()));
    disconnect(stops);
    window_->charts()->showTab(ChartId::Runs);
    window_->charts()->showTab(ChartId::Sweep);
    QVERIFY2(text().contains("appears here"), qPrintable(text()));
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    QVERIFY(!session_->derived().sweep().empty());
  }

  /// So do k-distances, which stop with all else that runs.
  void stoppedKDistancesSaySo() {
    QVERIFY(openSquares());
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(session_->derived().kDistances());
    const auto text = [&] { return wordsOf(ChartId::KDistance); };
    const auto stops = connect(&session_->jobs(), &JobQueue::started, window_.get(),
                               [this](quint64, JobKind kind) {
                                 if (kind == JobKind::KDistance) session_->cancel();
                               });
    session_->setMinPts(session_->parameters().dbscan.minPts + 1);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!session_->derived().kDistances());
    QVERIFY2(text().contains("were stopped"), qPrintable(text()));
    disconnect(stops);
    window_->charts()->showTab(ChartId::Runs);
    window_->charts()->showTab(ChartId::KDistance);
    QVERIFY2(text().contains("appear here"), qPrintable(text()));
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    QVERIFY(session_->derived().kDistances());
  }

  /// The forecast of a join is made while the engine panel is open, and follows ε.
  void theEnginePanelForecastsTheJoin() {
    QVERIFY(openSquares());
    EnginePanel* engine = window_->engine();
    auto* forecast = engine->findChild<QLabel*>("joinForecast");
    QVERIFY(forecast != nullptr);
    QVERIFY(!session_->derived().joinForecast());
    engine->setExpanded(true);
    const auto pairsAt = [&](double eps) {
      return bruteForceCounts(*session_->data().cloud(), eps)->pairs;
    };
    const double first = session_->parameters().dbscan.eps;
    for (const double eps : {first, 2 * first}) {
      session_->setEps(eps);
      QVERIFY(waitUntil([&] {
        const auto join = session_->derived().joinForecast();
        return join && join->eps == eps && forecast->text().contains("Memory");
      }));
      QVERIFY(forecast->isVisible());
      QVERIFY2(forecast->text().contains(clusterloom::count(pairsAt(eps)) + " ordered"),
               qPrintable(forecast->text()));
    }
    // The whole text is visible.
    QVERIFY(waitUntil(
        [&] { return forecast->height() >= forecast->heightForWidth(forecast->width()); }));
    shot(engine, "engine-forecast");
    engine->setExpanded(false);
    session_->setEps(first);
    QVERIFY(waitForResult(*session_));
    QVERIFY(!session_->jobs().isActive(JobKind::JoinForecast));
  }

  void refusedStrategiesSayWhyInPlace() {
    QVERIFY(openSquares());
    EnginePanel* engine = window_->engine();
    engine->setExpanded(true);
    auto* threads = engine->findChild<QComboBox*>("threadsPerPoint");
    QVERIFY(threads && threads->isVisible());
    threads->setCurrentIndex(3);
    Q_EMIT threads->activated(3);
    QVERIFY2(engine->objection().contains("thread"), qPrintable(engine->objection()));
    QCOMPARE(session_->parameters().strategy.threadsPerPoint, 1);
    QVERIFY(session_->clusterRun().isResultCurrent());
    shot(window_.get(), "engine");
    threads->setCurrentIndex(0);
    Q_EMIT threads->activated(0);
    QVERIFY(engine->objection().isEmpty());
    const auto labels = session_->clusterRun().result()->clustering.labels;
    auto* pattern = engine->findChild<QComboBox*>("pattern");
    pattern->setCurrentIndex(pattern->findData("unicomp"));
    Q_EMIT pattern->activated(pattern->currentIndex());
    QCOMPARE(session_->parameters().strategy.pattern, AccessPattern::Unicomp);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.labels, labels);
    auto* precision = engine->findChild<QComboBox*>("precision");
    precision->setCurrentIndex(precision->findData("32"));
    Q_EMIT precision->activated(precision->currentIndex());
    QVERIFY2(engine->objection().isEmpty(), qPrintable(engine->objection()));
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.labels, labels);
    QVERIFY(session_->clusterRun().result()->clustering.stats.strategy.find("32-bit") !=
            std::string::npos);
    auto* k = window_->parameters()->indexedDims();
    QVERIFY(waitUntil([&] { return k->itemText(1).contains(" ops"); }));
    k->setCurrentIndex(1);
    Q_EMIT k->activated(1);
    QCOMPARE(session_->parameters().strategy.indexedDims, 1);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.labels, labels);
  }

  void numbersOfOptionsHaveEitherDecimalSign() {
    QVERIFY(openSquares());
    EnginePanel* engine = window_->engine();
    engine->setExpanded(true);
    auto* eps = engine->findChild<QLineEdit*>("referenceEps");
    QVERIFY(eps);
    for (const char* text : {"0,5", "0.5"}) {
      session_->setStrategy({});
      eps->setFocus();
      eps->selectAll();
      QTest::keyClicks(eps, text);
      QTest::keyClick(eps, Qt::Key_Return);
      QVERIFY2(!engine->objection().contains("reference-eps needs"),
               qPrintable(engine->objection()));
    }
  }

  void chartsFollowAndSetEps() {
    QVERIFY(openSquares());
    ChartsPanel* charts = window_->charts();
    QVERIFY(waitUntil([&] { return bool(session_->derived().kDistances()); }));
    ChartView* chart = charts->view(ChartId::KDistance);
    QVERIFY(waitUntil([&] { return chart->frames() > 0; }));
    const QImage before = chart->grabFrame();
    session_->setEps(3);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(differingPixels(before, chart->grabFrame()) > 50);

    // The line of ε is dragged from the handle at its left end; where that is depends on the chart.
    const double eps = session_->parameters().dbscan.eps;
    const int steps = session_->undoStack()->count();
    bool caught = false;
    for (int y = 8; y < chart->height() - 8 && !caught; y += 3) {
      const QPoint at(chart->width() / 2, y);
      QTest::mousePress(chart, Qt::LeftButton, {}, at);
      QTest::mouseMove(chart, at - QPoint(0, 6));
      QTest::mouseMove(chart, at - QPoint(0, 12));
      QTest::mouseRelease(chart, Qt::LeftButton, {}, at - QPoint(0, 12));
      caught = session_->parameters().dbscan.eps != eps;
    }
    QVERIFY(caught);
    QVERIFY(!session_->isDragging());
    QCOMPARE(session_->undoStack()->count(), steps + 1);
    QVERIFY(session_->parameters().dbscan.eps > eps);
    QVERIFY(waitForResult(*session_));

    charts->showTab(ChartId::Sweep);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->derived().sweep().size() > 5);
    shot(window_.get(), "sweep");
    charts->showTab(ChartId::Runs);
    auto* runs = charts->findChild<QTableView*>("runsTable");
    QVERIFY(runs->model()->rowCount() >= 3);
    const double first =
        runs->model()->index(runs->model()->rowCount() - 1, 1).data(Qt::UserRole).toDouble();
    Q_EMIT runs->activated(runs->model()->index(runs->model()->rowCount() - 1, 0));
    QCOMPARE(session_->parameters().dbscan.eps, first);
    shot(window_.get(), "runs");
  }

  void theGridIsShownAndItsCellsDescribed() {
    QVERIFY(openSquares());
    const QImage before = window_->cloudView()->grabFrame();
    QTest::keyClick(window_->cloudView(), Qt::Key_G);
    QVERIFY(session_->display().gridShown);
    QVERIFY(waitUntil([&] { return bool(session_->derived().gridCells()); }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(differingPixels(before, window_->cloudView()->grabFrame()) > 2000);
    QTest::mouseClick(window_->cloudView(), Qt::LeftButton, {}, positionOf(410));
    QTRY_VERIFY_WITH_TIMEOUT(session_->selection().cell >= 0, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(window_->selection()->cellText().contains("adjacent cells"), 60000);
    // One that stands alone: moving the pointer by the system may miss by a pixel or two.
    QTest::mouseMove(window_->cloudView(), positionOf(800));
    QTRY_COMPARE_WITH_TIMEOUT(session_->selection().hoveredPoint, std::int64_t(800), 60000);
    QVERIFY(session_->selection().hoveredCell >= 0);
    shot(window_.get(), "grid");
  }

  void colouringsCanBeChosen() {
    QVERIFY(openSquares());
    CloudView* view = window_->cloudView();
    QSet<QString> seen;
    for (const ColourBy by : {ColourBy::Role, ColourBy::Density, ColourBy::Attribute,
                              ColourBy::Dimension, ColourBy::Cluster}) {
      const QImage before = view->grabFrame();
      DisplayState display = session_->display();
      display.colourBy = by;
      display.attribute = "kind";
      session_->setDisplay(display);
      QVERIFY(waitUntilSettled(*window_));
      const int differing = differingPixels(before, view->grabFrame());
      QVERIFY2(differing > 500, qPrintable(QString("%1: %2").arg(int(by)).arg(differing)));
      const QLabel* key = view->findChild<QLabel*>("colourKey");
      QCOMPARE(key->isVisible(), by == ColourBy::Role || by == ColourBy::Attribute);
      if (by == ColourBy::Attribute) {
        QVERIFY(key->text().contains("left"));
        shot(window_.get(), "column");
      }
    }
  }

  void everythingCanBeDoneWithKeys() {
    const QString path = writeSquares(directory_->path());
    window_->openPath(path, MainWindow::Ask::Never);
    QVERIFY(waitUntilSettled(*window_));
    QTest::keyClick(window_.get(), Qt::Key_L, Qt::ControlModifier);
    QLineEdit* box = window_->parameters()->eps()->box();
    QTRY_VERIFY_WITH_TIMEOUT(box->hasFocus(), 60000);
    QTest::keyClicks(box, "1.5");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(session_->parameters().dbscan.eps, 1.515);
    QTest::keyClick(box, Qt::Key_Down);
    QTest::keyClick(window_.get(), Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window_->parameters()->minPts()->hasFocus(), 60000);
    QTest::keyClicks(window_->parameters()->minPts(), "4");
    QTest::keyClick(window_->parameters()->minPts(), Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(4));
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    QTest::keyClick(window_.get(), Qt::Key_F, Qt::ControlModifier);
    QLineEdit* filter = window_->clusters()->filter();
    QTRY_VERIFY_WITH_TIMEOUT(filter->hasFocus(), 60000);
    QTest::keyClicks(filter, "1");
    QTRY_COMPARE_WITH_TIMEOUT(window_->clusters()->table()->model()->rowCount(), 1, 60000);
    filter->clear();
    QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window_->cloudView()->hasFocus(), 60000);
    const auto camera = window_->cloudView()->cameraState();
    QTest::keyClick(window_->cloudView(), Qt::Key_Plus);
    QTest::keyClick(window_->cloudView(), Qt::Key_Right);
    QVERIFY(window_->cloudView()->cameraState() != camera);
    QTest::keyClick(window_->cloudView(), Qt::Key_Home);

    // Tab walks through every control of the panels and comes back.
    QSet<QWidget*> walked;
    window_->cloudView()->setFocus();
    for (int i = 0; i < 200; ++i) {
      QWidget* focus = window_->focusWidget();
      QVERIFY(focus);
      if (walked.contains(focus) && focus == window_->cloudView()) break;
      walked.insert(focus);
      QTest::keyClick(focus, Qt::Key_Tab);
    }
    for (const char* name : {"epsBox", "minPts", "indexedDims", "scaling", "clusterFilter",
                             "clusterTable", "pointNumber", "epsSlider"}) {
      auto* widget = window_->findChild<QWidget*>(name);
      QVERIFY(widget);
      QVERIFY2(walked.contains(widget), name);
    }
  }

  void everyControlHasAnAccessibleName() {
    QVERIFY(openSquares());
    window_->engine()->setExpanded(true);
    int named = 0;
    for (QWidget* widget : window_->findChildren<QWidget*>()) {
      if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
      if (widget->objectName().startsWith("qt_")) continue;  // Qt's own inner widgets
      QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
      QVERIFY(accessible);
      QVERIFY2(!accessible->text(QAccessible::Name).isEmpty(),
               qPrintable(QString("%1 %2 in %3")
                              .arg(widget->metaObject()->className(), widget->objectName(),
                                   widget->parentWidget()->objectName())));
      ++named;
    }
    QVERIFY(named > 25);
  }

  void shortcutsAreListedAndUnique() {
    QSet<QString> seen;
    for (QAction* action : window_->actions()) {
      for (const QKeySequence& key : action->shortcuts()) {
        QVERIFY2(!seen.contains(key.toString()), qPrintable(key.toString()));
        seen.insert(key.toString());
      }
    }
    window_->action("shortcuts")->trigger();
    auto* dialog = window_->findChild<QDialog*>("shortcutsDialog");
    QVERIFY(dialog && dialog->isVisible());
    auto* table = dialog->findChild<QTableWidget*>();
    QVERIFY(table->rowCount() >= seen.size());
    shot(dialog, "shortcuts");
    dialog->reject();
  }

  void bothThemesAreReadable() {
    QVERIFY(openSquares());
    for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
      window_->setTheme(theme);
      QVERIFY(waitUntilSettled(*window_));
      const QPalette palette = window_->palette();
      QCOMPARE(isDark(palette), theme == ThemeChoice::Dark);
      for (const auto& [text, ground] : {std::pair{QPalette::WindowText, QPalette::Window},
                                         {QPalette::Text, QPalette::Base},
                                         {QPalette::ButtonText, QPalette::Button},
                                         {QPalette::HighlightedText, QPalette::Highlight}}) {
        const auto luminance = [](const QColor& colour) {
          const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
          };
          return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
                 0.0722 * linear(colour.blueF());
        };
        const double a = luminance(palette.color(text)) + 0.05;
        const double b = luminance(palette.color(ground)) + 0.05;
        QVERIFY2(std::max(a, b) / std::min(a, b) >= 4.5, qPrintable(QString::number(int(text))));
      }
      // The picture follows.
      const QImage picture = window_->cloudView()->grabFrame();
      QCOMPARE(qGray(picture.pixel(3, 3)) < 128, theme == ThemeChoice::Dark);
    }
  }
};

WINDOW_TEST(TestWindowPanels);
#include "tst_window_panels.moc"
