// What assistive technology finds in the windows: a name for everything, one focus, no panes that
// say nothing, and charts, menus and links that keys reach and that speak. In English and in
// German. Events are in tst_at_spi: Qt sends none on its offscreen platform.
#include <QAccessible>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include "observer.h"
#include "render/charts/lane_chart.h"
#include "render/charts/parameter_map_chart.h"
#include "render/charts/tree_chart.h"
#include "shown_window.h"
#include "typed_keys.h"
#include "ui/charts/chart_table.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/guide/guide_view.h"
#include "ui/guide/guide_window.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/load_lab.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

bool wantsName(QAccessible::Role role) {
  switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::ButtonDropDown:
    case QAccessible::Chart:
    case QAccessible::CheckBox:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::List:
    case QAccessible::PageTab:
    case QAccessible::PageTabList:
    case QAccessible::ProgressBar:
    case QAccessible::Slider:
    case QAccessible::SpinBox:
    case QAccessible::Table:
    case QAccessible::ToolBar:
    case QAccessible::Tree: return true;
    default: return false;
  }
}

QString describe(const QAccessibleInterface& interface) {
  const QObject* object = interface.object();
  return QStringLiteral("role %1 %2 %3 \"%4\"")
      .arg(int(interface.role()))
      .arg(object ? object->metaObject()->className() : "", object ? object->objectName() : "",
           interface.text(QAccessible::Name));
}

}  // namespace

class TestObserver : public QObject, ShownWindow {
  Q_OBJECT

  static void languagesAsRows() {
    QTest::addColumn<QString>("language");
    for (const Language& language : languages())
      QTest::newRow(qPrintable(language.code)) << language.code;
  }
  static QStringList namelessIn(QWidget& window) {
    QStringList found;
    visitAccessible(QAccessible::queryAccessibleInterface(&window),
                    [&](const QAccessibleInterface& part) {
                      if (part.role() == QAccessible::LayeredPane ||
                          (wantsName(part.role()) && part.text(QAccessible::Name).isEmpty()))
                        found << describe(part);
                    });
    return found;
  }
  /// What says that it has the keyboard.
  QStringList focused() {
    QStringList found;
    visitAccessible(QAccessible::queryAccessibleInterface(window_.get()),
                    [&](const QAccessibleInterface& part) {
                      if (part.state().focused) found << describe(part);
                    });
    return found;
  }
  /// The chart of a page, filled and with the keyboard.
  ChartView* chartWithKeys(ChartId id) {
    window_->charts()->showTab(id);
    ChartView* view = window_->charts()->view(id);
    QAccessible::setActive(true);
    const bool filled =
        waitUntil([&] { return window_->charts()->isReady() && !view->chart().isEmpty(); });
    if (!filled || !waitUntilSettled(*window_)) return nullptr;
    view->setFocus(Qt::TabFocusReason);
    return view;
  }

 private Q_SLOTS:
  void cleanup() {
    closeWindow();
    setLanguage("en");
  }

  void everythingHasAName_data() { languagesAsRows(); }
  void everythingHasAName() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1400, 1000}));
    QVERIFY(openSquares());
    QStringList found;
    for (const ChartPageKind& chart : chartPages()) {
      window_->charts()->showTab(chart.id);
      found << namelessIn(*window_);
    }
    window_->action("guide")->trigger();
    auto* guide = window_->findChild<GuideWindow*>();
    QVERIFY(QTest::qWaitForWindowExposed(guide));
    found << namelessIn(*guide);
    LessonWindow lesson;
    lesson.window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&lesson.window()));
    found << namelessIn(lesson.window());
    found.removeDuplicates();
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    // The header of a column that shows no title.
    const QAbstractItemModel* table = window_->clusters()->table()->model();
    QVERIFY(!table->headerData(0, Qt::Horizontal, Qt::AccessibleTextRole).toString().isEmpty());
  }

  /// Beside a chart that has the keyboard no tab says that it has it.
  void oneObjectIsFocused() {
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    ChartView* chart = chartWithKeys(ChartId::KDistance);
    QVERIFY(chart != nullptr);
    QVERIFY(chart->hasFocus());
    QVERIFY2(focused().size() == 1, qPrintable(focused().join('\n')));
    QTabBar* bar = window_->charts()->tabs()->tabBar();
    press(Qt::Key_G, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return bar->hasFocus(); }));
    // The bar and its tab.
    QAccessibleInterface* tabs = QAccessible::queryAccessibleInterface(bar);
    QCOMPARE(tabs->childCount(), bar->count());
    QVERIFY2(focused().size() == 2, qPrintable(focused().join('\n')));
    QVERIFY(tabs->focusChild() == tabs->child(bar->currentIndex()));
    QVERIFY(tabs->child(bar->currentIndex())->state().focused);
    QCOMPARE(tabs->indexOfChild(tabs->child(3)), 3);
    tabs->child(1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(bar->currentIndex(), 1);
    QVERIFY(!tabs->child(0)->state().focused && tabs->child(1)->state().selected);
  }

  /// From ε to its slider, and not past it.
  void tabGoesFromEpsToItsSlider() {
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    EpsSlider* eps = window_->parameters()->eps();
    press(Qt::Key_L, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return eps->box()->hasFocus(); }));
    press(Qt::Key_Tab);
    QVERIFY2(eps->slider()->hasFocus(), qPrintable(QApplication::focusWidget()->objectName()));
  }

  /// Space works wherever in its row the keyboard is: the arrows begin in the first cell.
  void spaceHidesFromAnyCell_data() { languagesAsRows(); }
  void spaceHidesFromAnyCell() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    Observer observer;
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTableView* table = window_->clusters()->table();
    QVERIFY(waitUntil([&] { return table->hasFocus(); }));
    press(Qt::Key_Down);
    QCOMPARE(table->currentIndex().column(), 0);
    press(Qt::Key_Space);
    QVERIFY(observer.hears(language == "de" ? "Cluster 0 ausgeblendet" : "Cluster 0 hidden"));
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    press(Qt::Key_Space);
    QVERIFY(observer.hears(language == "de" ? "eingeblendet" : "shown"));
    QVERIFY(session_->display().hidden.empty());
  }

  /// A message that is left gives the keyboard back to where it was.
  void messagesGiveTheFocusBack() {
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    press(Qt::Key_L, Qt::ControlModifier);
    QLineEdit* box = window_->parameters()->eps()->box();
    QVERIFY(waitUntil([&] { return box->hasFocus(); }));
    window_->messages()->showMessage(MessageBar::Kind::Information, "heard", "Act");
    press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(waitUntil([&] { return window_->messages()->actionButton()->hasFocus(); }));
    press(Qt::Key_Escape);
    QVERIFY(window_->messages()->isHidden());
    QVERIFY2(box->hasFocus(), qPrintable(QApplication::focusWidget()->objectName()));
  }

  void arrowsGoThroughTheTree_data() { languagesAsRows(); }
  void arrowsGoThroughTheTree() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    ChartView* view = chartWithKeys(ChartId::Tree);
    QVERIFY(view != nullptr);
    Observer observer;
    auto& chart = dynamic_cast<TreeChart&>(view->chart());
    const QString points = language == "de" ? "400 Punkte" : "400 points";
    press(Qt::Key_Down);
    const std::int32_t first = chart.marked();
    QVERIFY(first > 0);
    QVERIFY(observer.hears(points));
    QVERIFY(waitUntil([&] {
      return session_->selection().points && session_->selection().points->size() == 400;
    }));
    // Aside to the other square and back, up to all points, and down again.
    press(Qt::Key_Right);
    const bool moved = chart.marked() != first;
    if (!moved) press(Qt::Key_Left);
    const std::int32_t other = chart.marked();
    QVERIFY(other != first);
    QCOMPARE(session_->clusterTree().selected(), other);
    press(moved ? Qt::Key_Left : Qt::Key_Right);
    QCOMPARE(chart.marked(), first);
    press(Qt::Key_Up);
    QCOMPARE(chart.marked(), 0);
    QVERIFY(observer.hears(language == "de" ? "804 Punkte" : "804 points"));
    press(Qt::Key_Down);
    QVERIFY(chart.marked() == first || chart.marked() == other);
    // Return shows the values as before.
    press(Qt::Key_Return);
    QVERIFY(activeDialog<ChartTableDialog>() != nullptr);
    press(Qt::Key_Escape);
    QVERIFY(isBack());
  }

  void arrowsAndReturnChooseInTheMap_data() { languagesAsRows(); }
  void arrowsAndReturnChooseInTheMap() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    ChartView* view = chartWithKeys(ChartId::Map);
    QVERIFY(view != nullptr);
    Observer observer;
    const DbscanParams before = session_->parameters().dbscan;
    const auto isAt = [this](const DbscanParams& of) {
      const DbscanParams& now = session_->parameters().dbscan;
      return now.eps == of.eps && now.minPts == of.minPts;
    };
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    press(Qt::Key_Up);
    const QString chosen = QString::fromStdString(view->chart().chosenWords());
    QVERIFY2(chosen.contains("minPts") && chosen.contains("ε"), qPrintable(chosen));
    QVERIFY(observer.hears(chosen));
    QVERIFY(isAt(before));  // only chosen
    press(Qt::Key_Return);
    const DbscanParams after = session_->parameters().dbscan;
    QVERIFY(after.eps > before.eps && after.minPts > before.minPts);
    QVERIFY(view->chart().chosenWords().empty());
    // Both were one step, and Home drops a choice.
    window_->action("undo")->trigger();
    QVERIFY(isAt(before));
    press(Qt::Key_Down);
    QVERIFY(!view->chart().chosenWords().empty());
    press(Qt::Key_Home);
    QVERIFY(view->chart().chosenWords().empty());
    press(Qt::Key_Return);
    QVERIFY(activeDialog<ChartTableDialog>() != nullptr);
    press(Qt::Key_Escape);
    QVERIFY(isBack());
  }

  /// Of the lanes of a warp what differs, not 32 times "0 to 1".
  void lanesSayWhatDiffers_data() { languagesAsRows(); }
  void lanesSayWhatDiffers() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    QVERIFY(chartWithKeys(ChartId::WarpLoad) != nullptr);
    press(Qt::Key_Right);
    QVERIFY(waitUntil([&] { return session_->selection().warp >= 0; }));
    auto* lanes = window_->findChild<ChartView*>("laneChart");
    const auto says = [&] { return lanes->accessibleDescription(); };
    const QString longest = language == "de" ? "am längsten" : "longest";
    QVERIFY2(waitUntil([&] { return says().contains(longest); }), qPrintable(says()));
    QVERIFY2(!says().contains(" 31 0 "), qPrintable(says()));
    const std::vector<std::string> words = lanes->chart().valueWords()();
    QVERIFY(words.size() >= 3 && words.size() <= 4);
    // Against the table, by a plain loop.
    const DataTable table = lanes->chart().table()();
    std::vector<int> steps(32, 0);
    for (const auto& row : table.rows)
      for (std::size_t lane = 0; lane < 32; ++lane) steps[lane] += row[lane + 2] == "1" ? 1 : 0;
    const auto most = std::max_element(steps.begin(), steps.end());
    QVERIFY2(words.front().find(std::to_string(most - steps.begin()) + ": " +
                                std::to_string(*most)) != std::string::npos,
             words.front().c_str());
  }

  void shiftF10OpensTheMenuOfAChart() {
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    QVERIFY(chartWithKeys(ChartId::KDistance) != nullptr);
    press(Qt::Key_F10, Qt::ShiftModifier);
    QVERIFY(waitUntil([&] { return QApplication::activePopupWidget() != nullptr; }));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr && menu->findChild<QAction*>("showChartTable") != nullptr);
    menu->close();
  }

  void theGuideSpeaksItsLinks_data() { languagesAsRows(); }
  void theGuideSpeaksItsLinks() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1000, 700}));
    window_->action("guide")->trigger();
    auto* guide = window_->findChild<GuideWindow*>();
    QVERIFY(activate(*guide));
    Observer observer;
    auto* page = guide->findChild<GuideView*>();
    page->setFocus(Qt::TabFocusReason);
    press(Qt::Key_Tab);
    QVERIFY(observer.hears(language == "de" ? ", Link" : ", link"));
    QVERIFY(!page->textCursor().selectedText().isEmpty());
  }
};

WINDOW_TEST(TestObserver);
#include "tst_observer.moc"
