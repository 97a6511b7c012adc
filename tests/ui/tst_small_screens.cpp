// What stays in sight: on low screens, beside scroll bars, in the tool bar, and in both themes.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSet>
#include <QStyle>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QtTest>

#include "render/scene/axes_layout.h"
#include "shown_window.h"
#include "tests/contrast.h"
#include "ui/charts/charts_panel.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_player.h"
#include "ui/models/cluster_table_model.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/lessons_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session_data.h"
#include "ui/window/fit_to_screen.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// What 1600 × 1000 pixels are at 192 dpi, without a title bar.
constexpr QSize kLowScreen{800, 470};
/// What 1600 × 720 pixels are at 168 dpi.
constexpr QSize kLowWindow{914, 411};

/// The largest contrast of a pixel of a button with its corner.
double contrastWithin(QAbstractButton& button) {
  const QImage picture = button.grab().toImage();
  const auto at = [&](int x, int y) {
    const QColor colour = picture.pixelColor(x, y);
    return Colour{std::uint8_t(colour.red()), std::uint8_t(colour.green()),
                  std::uint8_t(colour.blue())};
  };
  double most = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) most = std::max(most, contrast(at(x, y), at(0, 0)));
  return most;
}

bool isWhollyVisible(const QWidget* widget) {
  return widget->visibleRegion().boundingRect() == widget->rect();
}

}  // namespace

class TestSmallScreens : public QObject, ShownWindow {
  Q_OBJECT

  QToolBar* toolBar() const { return window_->findChild<QToolBar*>("toolBar"); }
  static void languagesAsRows() {
    QTest::addColumn<QString>("language");
    for (const Language& language : languages())
      QTest::newRow(qPrintable(language.code)) << language.code;
  }

 private Q_SLOTS:
  void cleanup() {
    closeWindow();
    setLanguage("en");
    applyTheme(*qApp, ThemeChoice::Light);
  }

  void aWindowIsNoLargerThanItsScreen() {
    QVERIFY(showWindow({500, 400}));
    const QSize free = window_->screen()->availableSize();
    QWidget large;
    large.resize(free + QSize(300, 200));
    fitToScreen(large);
    QCOMPARE(large.width(), free.width());
    QCOMPARE(large.height(), free.height() - large.style()->pixelMetric(QStyle::PM_TitleBarHeight));
    QWidget small;
    small.resize(300, 200);
    fitToScreen(small);
    QCOMPARE(small.size(), QSize(300, 200));
    window_->showLessons();
    QVERIFY(window_->lessonWindow()->width() <= free.width());
    QVERIFY(window_->lessonWindow()->height() <= free.height());
  }

  void aLowScreenShowsTheWindow_data() { languagesAsRows(); }
  void aLowScreenShowsTheWindow() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow(kLowScreen));
    QVERIFY(openSquares());
    QCOMPARE(window_->size(), kLowScreen);
    shot(window_.get(), "low-window");
    // Lower still: with every chart.
    window_->resize(kLowWindow);
    for (const ChartPageKind& chart : chartPages()) {
      window_->charts()->showTab(chart.id);
      QCoreApplication::processEvents();
      QVERIFY2(
          window_->size() == kLowWindow && window_->minimumSizeHint().height() <= 411,
          qPrintable(QString("%1: %2").arg(chart.name).arg(window_->minimumSizeHint().height())));
    }
    shot(window_.get(), "lowest-window");
  }

  void aLowScreenShowsTheButtonsOfALesson_data() { languagesAsRows(); }
  void aLowScreenShowsTheButtonsOfALesson() {
    QFETCH(const QString, language);
    setLanguage(language);
    LessonWindow lessons;
    MainWindow& window = lessons.window();
    window.resize(kLowScreen);
    window.show();
    QVERIFY(activate(window));
    QVERIFY(waitUntilSettled(window));
    QCOMPARE(window.size(), kLowScreen);
    shot(&window, "low-lesson");
    LessonPlayer* player = &lessons.player();
    QStringList hidden;
    for (const QString& lesson : shippedLessons()) {
      lessons.lessons()->openFile(lesson);
      for (int step = 0; step < int(player->lesson()->steps.size()); ++step) {
        player->goTo(step);
        lessons.lessons()->revealAnswer();  // the longer text of the button
        QTest::qWait(1);                    // the layout follows
        for (const char* name : {"lessonBack", "lessonNext", "lessonAnswer"}) {
          const auto* button = window.findChild<QPushButton*>(name);
          if (button->isVisible() && !isWhollyVisible(button))
            hidden << QStringLiteral("%1 %2: %3").arg(lesson).arg(step).arg(name);
        }
        QCOMPARE(window.size(), kLowScreen);
      }
    }
    QVERIFY2(hidden.isEmpty(), qPrintable(hidden.join('\n')));
  }

  /// Buttons that have no space are behind one that is seen, has a name and takes the focus.
  void toolsWithoutSpaceAreReached() {
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
      QVERIFY(showWindow(kLowScreen));
      window_->setTheme(theme);
      QVERIFY(openSquares());
      auto* more = toolBar()->findChild<QToolButton*>("qt_toolbar_ext_button");
      auto* last =
          qobject_cast<QToolButton*>(toolBar()->widgetForAction(window_->action("export")));
      QVERIFY(more != nullptr && last != nullptr);
      QVERIFY(isWhollyVisible(more) && !last->isVisible());
      QVERIFY(!more->accessibleName().isEmpty() && (more->focusPolicy() & Qt::TabFocus) != 0);
      QVERIFY2(contrastWithin(*more) >= kGraphicsContrast,
               qPrintable(QString::number(contrastWithin(*more))));
      QTest::mouseClick(more, Qt::LeftButton);
      QTRY_VERIFY_WITH_TIMEOUT(isWhollyVisible(last), 60000);
      shot(window_.get(), theme == ThemeChoice::Light ? "more-tools" : "more-tools-dark");
    }
  }

  void buttonsThatFloatAPanelAreSeen() {
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Light}) {
      QVERIFY(showWindow({1200, 800}));
      window_->setTheme(theme);
      QVERIFY(openSquares());
      int titled = 0;
      for (const auto* dock : window_->findChildren<QDockWidget*>()) {
        if (dock->titleBarWidget() != nullptr) continue;  // its own, without buttons
        ++titled;
        const QString name = dock->objectName();
        auto* button = dock->findChild<QAbstractButton*>("qt_dockwidget_floatbutton");
        QVERIFY2(button != nullptr && button->isVisible(), qPrintable(name));
        const double found = contrastWithin(*button);
        QVERIFY2(found >= kGraphicsContrast, qPrintable(QString("%1: %2").arg(name).arg(found)));
      }
      QVERIFY(titled >= 4);
    }
  }

  void toolsStayInTheirPlaces() {
    QVERIFY(showWindow({1200, 800}));
    OpenRequest request;
    request.path = writeSquares(directory_->path(), "long.csv",
                                "x,y,a column with a name that is longer than the button\n");
    request.eps = 1.5;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    const auto places = [&] {
      QList<QRect> found;
      for (const auto* button : toolBar()->findChildren<QToolButton*>())
        found << button->geometry();
      return found;
    };
    auto* colours =
        qobject_cast<QToolButton*>(toolBar()->widgetForAction(toolBar()->actions().at(13)));
    for (auto* button : toolBar()->findChildren<QToolButton*>())
      if (button->menu() != nullptr) colours = button;
    QVERIFY(colours != nullptr);
    const QList<QRect> before = places();
    DisplayState display = session_->display();
    for (const ColourBy by :
         {ColourBy::Role, ColourBy::IdleLaneSteps, ColourBy::Dimension, ColourBy::Attribute}) {
      display.colourBy = by;
      display.attribute = "a column with a name that is longer than the button";
      session_->setDisplay(display);
      QCoreApplication::processEvents();
      QCOMPARE(places(), before);
      QVERIFY2(colours->sizeHint().width() <= colours->width(), qPrintable(colours->text()));
    }
    QVERIFY2(colours->text().endsWith(QChar(0x2026)), qPrintable(colours->text()));
    QVERIFY(colours->toolTip().contains("longer than the button"));
  }

  void digitsEndBesideTheScrollBar_data() { languagesAsRows(); }
  void digitsEndBesideTheScrollBar() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1360, 860}));
    // 60 clusters of 16 points.
    QFile file(path("many.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y\n");
    for (int i = 0; i < 960; ++i)
      file.write(QStringLiteral("%1,%2\n")
                     .arg(i / 16 % 10 * 20 + i % 4)
                     .arg(i / 160 * 20 + i % 16 / 4)
                     .toUtf8());
    file.close();
    OpenRequest request;
    request.path = file.fileName();
    request.eps = 1.5;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    QTableView* table = window_->clusters()->table();
    QCOMPARE(table->model()->rowCount(), 60);
    QVERIFY(table->verticalScrollBar()->isVisible());
    const int last = ClusterTableModel::Border;
    const int end = table->columnViewportPosition(last) + table->columnWidth(last);
    QVERIFY2(end <= table->viewport()->width(),
             qPrintable(QString("%1 of %2").arg(end).arg(table->viewport()->width())));
    shot(window_.get(), "many-clusters");
  }

  /// Fields that a choice brings come into sight, with what is wrong with them.
  void fieldsThatAreBroughtAreSeen_data() { languagesAsRows(); }
  void fieldsThatAreBroughtAreSeen() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1024, 768}));
    QVERIFY(openSquares());
    const auto seen = [this](const char* name) {
      const auto* widget = window_->findChild<QWidget*>(name);
      return widget->isVisible() && isWhollyVisible(widget);
    };
    const auto choose = [this](const char* name, int index) {
      auto* box = window_->findChild<QComboBox*>(name);
      box->setCurrentIndex(index);
      Q_EMIT box->activated(index);
    };
    choose("space", 1);
    QTRY_VERIFY_WITH_TIMEOUT(seen("periods"), 60000);
    shot(window_.get(), "periods");
    auto* periods = window_->findChild<QLineEdit*>("periods");
    QVERIFY(periods->hasFocus());
    QTest::keyClicks(periods, "900");
    QTest::keyClick(periods, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(seen("spaceError"), 60000);
    choose("space", 0);
    choose("scaling", 3);
    QTRY_VERIFY_WITH_TIMEOUT(seen("factors"), 60000);
  }

  /// Rows of the panel of data keep their heights when fields come and go.
  void rowsKeepTheirHeights() {
    QVERIFY(showWindow({1200, 900}));
    QVERIFY(openSquares());
    const auto choose = [this](const char* name, int index) {
      auto* box = window_->findChild<QComboBox*>(name);
      box->setCurrentIndex(index);
      Q_EMIT box->activated(index);
      QVERIFY(waitUntilSettled(*window_));
    };
    auto* space = window_->findChild<QComboBox*>("space");
    const int height = space->height();
    choose("space", 1);
    choose("space", 0);
    choose("scaling", 3);
    QCOMPARE(space->height(), height);
    QCOMPARE(window_->findChild<QComboBox*>("scaling")->height(), height);
    shot(window_.get(), "rows");
  }

  /// A window that was small for a while has the heights of its panels again.
  void panelsRecoverTheirHeights() {
    QVERIFY(showWindow({1360, 860}));
    QVERIFY(openSquares());
    const auto heights = [this] {
      QMap<QString, int> found;
      for (const QDockWidget* dock : window_->findChildren<QDockWidget*>())
        if (dock->isVisible()) found[dock->objectName()] = dock->height();
      return found;
    };
    const QMap<QString, int> before = heights();
    QVERIFY(before.size() >= 4);
    for (const QSize small : {QSize(1000, 560), kLowWindow, QSize(1360, 600)}) {
      window_->resize(small);
      QTest::qWait(300);
      window_->resize(1360, 860);
      QTest::qWait(300);
      const QMap<QString, int> after = heights();
      for (const QString& name : before.keys())
        QVERIFY2(std::abs(after[name] - before[name]) <= 8,
                 qPrintable(QString("%1 after %2 px: %3, was %4")
                                .arg(name)
                                .arg(small.height())
                                .arg(after[name])
                                .arg(before[name])));
    }
  }

  void buttonsOfTheSelectionDiffer_data() { languagesAsRows(); }
  void buttonsOfTheSelectionDiffer() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1200, 900}));
    QVERIFY(openSquares());
    session_->setSelectedPoints(std::make_shared<const std::vector<std::uint32_t>>(3, 1));
    QSet<QString> texts;
    qsizetype count = 0;
    for (const auto* button : window_->selection()->findChildren<QPushButton*>())
      if (!button->text().isEmpty()) {
        texts << button->text();
        ++count;
      }
    QVERIFY(count >= 3);
    QCOMPARE(texts.size(), count);
    shot(window_.get(), "selection-buttons");
  }

  void fieldsGetTheirFontBackAfterAPresentation() {
    QVERIFY(showWindow({1200, 900}));
    QVERIFY(openSquares());
    const auto sizes = [this] {
      QList<int> pixels;
      for (const auto* field : window_->charts()->findChildren<QLineEdit*>())
        pixels << QFontInfo(field->font()).pixelSize();
      return pixels;
    };
    window_->charts()->showTab(ChartId::Tree);
    QVERIFY(waitUntilSettled(*window_));
    const QList<int> before = sizes();
    QVERIFY(!before.isEmpty());
    window_->setPresenting(true);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(sizes() != before);
    window_->setPresenting(false);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(sizes(), before);
    QVERIFY(!window_->messages()->isVisible());
  }

  /// The message of a presentation covers neither the rulers nor points, and goes.
  void theMessageOfAPresentationCoversNothing() {
    QVERIFY(showWindow({1000, 700}));
    QVERIFY(openSquares());
    MessageBar* message = window_->messages();
    for (int turn = 0; turn < 10; ++turn) {  // on a busy machine it may have gone by itself
      window_->setPresenting(true);
      QVERIFY(waitUntilSettled(*window_));
      if (message->isVisible()) break;
      window_->setPresenting(false);
    }
    QVERIFY(message->isVisible());
    CloudView* view = window_->cloudView();
    const QRect bar(message->mapTo(window_.get(), QPoint()), message->size());
    const QRect inView = bar.translated(-view->mapTo(window_.get(), QPoint()));
    QVERIFY(view->rect().contains(inView));
    QVERIFY(bar.width() < 3 * view->width() / 4);
    const ViewTransform transform = view->scene().viewTransform();
    const AxesLayout axes =
        layOutRulers(view->scene().points()->space, transform, kPresentationScale);
    QVERIFY(inView.left() >= axes.leftBand && inView.bottom() < view->height() - axes.bottomBand);
    for (std::uint32_t point = 0; point < 804; ++point)
      QVERIFY2(!inView.contains(positionOf(point)), qPrintable(QString::number(point)));
    shot(window_.get(), "presentation-message");
    QVERIFY(waitUntil([&] { return !message->isVisible(); }));
    // Outside of presentations messages lie over the lower edge again.
    window_->setPresenting(false);
    message->showMessage(MessageBar::Kind::Information, "words");
    QVERIFY(message->width() > window_->cloudView()->width() / 2);
  }
};

WINDOW_TEST(TestSmallScreens);
#include "tst_small_screens.moc"
