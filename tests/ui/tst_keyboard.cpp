// The first five minutes without a mouse: key events to the active window only, as a keyboard sends
// them, from the start page to the exported labels. And whatever has the focus shows it.
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QWindow>
#include <QtTest>

#include "render/charts/chart.h"
#include "shown_window.h"
#include "typed_keys.h"
#include "ui/charts/chart_table.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/guide/guide_window.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"

using namespace clusterloom;

namespace {

bool focusIs(const QWidget* widget) {
  return waitUntil([&] { return QApplication::focusWidget() == widget; });
}

}  // namespace

class TestKeyboard : public QObject, ShownWindow {
  Q_OBJECT

  const Clustering& clustering() const { return session_->clusterRun().result()->clustering; }

  void lookAtAChartAndTheGuide() {
    // A chart: its tab, the chart, its values as a table.
    press(Qt::Key_G, Qt::ControlModifier);
    QVERIFY(focusIs(window_->charts()->tabs()->tabBar()));
    press(Qt::Key_Right);
    QVERIFY(window_->charts()->current() == ChartId::Sweep);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    shot(window_.get(), "keyboard-tabs");
    ChartView* chart = window_->charts()->view(ChartId::Sweep);
    QVERIFY(tabTo(chart));
    QVERIFY(waitUntil([&] { return !chart->chart().isEmpty(); }));
    shot(window_.get(), "keyboard-chart");
    press(Qt::Key_Return);
    auto* values = activeDialog<ChartTableDialog>();
    QVERIFY(values != nullptr);
    QVERIFY(waitUntil([&] { return values->table()->model()->rowCount() > 0; }));
    QVERIFY(focusIs(values->table()));
    press(Qt::Key_Down);
    QCOMPARE(values->table()->currentIndex().row(), 1);
    press(Qt::Key_Escape);
    QVERIFY(isBack());

    // The guide: another page, read, closed.
    press(Qt::Key_F1);
    auto* guide = activeDialog<GuideWindow>();
    QVERIFY(guide != nullptr);
    auto* page = guide->findChild<QTextBrowser*>("guideView");
    const QUrl first = page->source();
    QVERIFY(focusIs(guide->findChild<QWidget*>("guideContents")));
    for (int i = 0; i < 8 && page->source() == first; ++i) press(Qt::Key_Down);  // over sections
    QVERIFY(page->source() != first);
    QVERIFY(tabTo(page));
    press(Qt::Key_End, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return page->verticalScrollBar()->value() > 0; }));
    press(Qt::Key_W, Qt::ControlModifier);
    QVERIFY(isBack());
  }

  void exportLabels() {
    // Labels are exported where the dialog is told to.
    press(Qt::Key_E, Qt::ControlModifier);
    auto* dialog = activeDialog<ExportDialog>();
    QVERIFY(dialog != nullptr);
    press(Qt::Key_I, Qt::AltModifier);
    QVERIFY(focusIs(dialog->findChild<QLineEdit*>("exportPath")));
    press(Qt::Key_A, Qt::ControlModifier);
    const QString labels = directory_->filePath("labels.csv");
    type(labels);
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    press(Qt::Key_Return);
    QVERIFY(isBack());
    QVERIFY(waitUntil([&] { return exported.size() == 1; }));
    QFile file(labels);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), qsizetype(805));
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1400, 900})); }
  void cleanup() { closeWindow(); }

  void theFirstFiveMinutes() {
    // Open a file: the dialog takes its name, the import dialog is confirmed.
    const QString cloud = writeSquares(directory_->path());
    press(Qt::Key_O, Qt::ControlModifier);
    QVERIFY(activeDialog<QFileDialog>() != nullptr);
    type(cloud);
    press(Qt::Key_Return);
    QVERIFY(activeDialog<ImportDialog>() != nullptr);
    press(Qt::Key_Return);
    QVERIFY(isBack());
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->data().cloud()->size(), std::size_t(804));

    // ε, minPts, and the dimensions of the index.
    press(Qt::Key_L, Qt::ControlModifier);
    QVERIFY(focusIs(window_->parameters()->eps()->box()));
    type("1.5");
    press(Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    press(Qt::Key_M, Qt::ControlModifier);
    QVERIFY(focusIs(window_->parameters()->minPts()));
    type("4");
    press(Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(4));
    auto* dims = window_->findChild<QComboBox*>("indexedDims");
    QVERIFY(tabTo(dims));
    const int indexedBefore = session_->parameters().strategy.indexedDims;
    press(Qt::Key_Down);
    QVERIFY(session_->parameters().strategy.indexedDims != indexedBefore);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));

    // The result: in the status line, in the table.
    QCOMPARE(clustering().clusters, 2);
    auto* summary = window_->findChild<StatusStrip*>()->findChild<QLabel*>("summary");
    QVERIFY(summary != nullptr);
    QVERIFY2(summary->text().contains("2 clusters"), qPrintable(summary->text()));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTableView* table = window_->clusters()->table();
    QVERIFY(focusIs(table));
    press(Qt::Key_Down);
    QVERIFY(waitUntil([&] { return session_->selection().clusters.size() == 1; }));
    const auto camera = window_->cloudView()->cameraState();
    press(Qt::Key_Return);
    QVERIFY(waitUntil([&] { return window_->cloudView()->cameraState() != camera; }));

    // The view says what is selected; arrows and + move it, Home shows everything.
    press(Qt::Key_T, Qt::ControlModifier);
    CloudView* view = window_->cloudView();
    QVERIFY(focusIs(view));
    QVERIFY(view->findChild<QWidget*>("focusFrame")->isVisible());
    QVERIFY2(view->accessibleDescription().contains("clusters selected"),
             qPrintable(view->accessibleDescription()));
    const auto close = view->cameraState();
    press(Qt::Key_Right);
    press(Qt::Key_Plus);
    QVERIFY(view->cameraState() != close);
    press(Qt::Key_Home);
    press(Qt::Key_Escape);
    QVERIFY(session_->selection().clusters.empty());
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "keyboard-view");

    lookAtAChartAndTheGuide();
    if (QTest::currentTestFailed()) return;
    exportLabels();
    if (QTest::currentTestFailed()) return;

    // Undo takes the last parameter back, and the menus are there as well.
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().strategy.indexedDims, indexedBefore);
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->parameters().dbscan.minPts != 4);
    press(Qt::Key_F, Qt::AltModifier);
    QVERIFY(waitUntil([&] { return QApplication::activePopupWidget() != nullptr; }));
    QCOMPARE(qobject_cast<QMenu*>(QApplication::activePopupWidget())->title(), QString("&File"));
    press(Qt::Key_Escape);
    QVERIFY(isBack());
    press(Qt::Key_W, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return !session_->data().cloud(); }));
    press(Qt::Key_Q, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return !window_->isVisible(); }));
  }

  /// A sample is opened from the start page.
  void theStartPage() {
    auto* button = window_->findChild<QWidget*>("sampleButton");
    QVERIFY(button != nullptr);
    QVERIFY(tabTo(button));
    press(Qt::Key_Space);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
  }

  /// What has the focus looks different, in both themes, all round the window.
  void theFocusIsSeen_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void theFocusIsSeen() {
    QFETCH(bool, dark);
    window_->setTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    QVERIFY(openSquares());
    window_->findChild<QCheckBox*>("autoRunBox")->setChecked(true);
    QVERIFY(waitUntilSettled(*window_));
    press(Qt::Key_T, Qt::ControlModifier);
    QSet<QWidget*> walked;
    QImage before = window_->grab().toImage();
    for (int i = 0; i < 120; ++i) {
      press(Qt::Key_Tab);
      QWidget* const focus = QApplication::focusWidget();
      QVERIFY(focus != nullptr);
      QTest::qWait(5);
      const QImage now = window_->grab().toImage();
      if (!walked.contains(focus)) {
        const QRect place = QRect(focus->mapTo(window_.get(), QPoint()), focus->size())
                                .adjusted(-2, -2, 2, 2)
                                .intersected(window_->rect());
        QVERIFY2(differingPixels(before.copy(place), now.copy(place)) >= 8,
                 qPrintable(
                     QString("%1 %2").arg(focus->metaObject()->className(), focus->objectName())));
      }
      if (focus == window_->cloudView()) break;
      walked << focus;
      before = now;
    }
    qInfo("%lld widgets", static_cast<long long>(walked.size()));
    QVERIFY(walked.size() > 20);
  }
};

namespace {

int run(int argc, char** argv) {
  prepareTestApplication();
  QApplication application(argc, argv);
  // Menus and shortcuts of buttons as on a desktop that shows them.
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  applyTheme(application, ThemeChoice::Light);
  return test_program::run<TestKeyboard>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_keyboard.moc"
