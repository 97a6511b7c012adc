// A lecture: the window for lessons in a presentation, read from the back of a room and driven by a
// remote control.
#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTabBar>
#include <QTextBrowser>
#include <QtTest>
#include <optional>

#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_tasks.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/load_lab.h"
#include "ui/view/chart_view.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

class TestLecture : public QObject {
  Q_OBJECT

  static constexpr int kLeastText = 18;  // pixels
  static constexpr QSize kProjector{1024, 768};

  std::unique_ptr<LessonWindow> lesson_;

  bool show(int lesson, int step) {
    lesson_ = std::make_unique<LessonWindow>();
    lesson_->window().resize(kProjector);
    lesson_->window().show();
    if (!activate(lesson_->window())) return false;
    goTo(lesson, step);
    return waitUntilSettled(lesson_->window());
  }
  /// On a screen of the size of the projector, whatever that of the platform is.
  bool present() {
    QTest::keyClick(&lesson_->window(), Qt::Key_F11);
    lesson_->window().setWindowState(Qt::WindowNoState);
    lesson_->window().resize(kProjector);
    return lesson_->window().isPresenting() &&
           waitUntil([&] { return lesson_->window().size() == kProjector; }) &&
           waitUntilSettled(lesson_->window());
  }
  void goTo(int lesson, int step) {
    lesson_->lessons()->openFile(shippedLessons().at(lesson));
    player().goTo(step);
    waitUntil([&] { return player().areFactsCurrent(); });
  }
  LessonPlayer& player() const { return lesson_->player(); }
  QString lessonText() const { return lesson_->lessons()->text()->toPlainText(); }
  bool isShown(const char* dock) const {
    return lesson_->window().findChild<QDockWidget*>(dock)->isVisible();
  }

  /// The smallest text that the chart draws, in pixels of the screen; of no text a large number.
  static double smallestText(ChartView& view) {
    const double scale = view.magnification();
    const QString drawn = QString::fromStdString(view.chart().toSvg(
        int(view.width() / scale), int(view.height() / scale), Background::Light, "x"));
    static const QRegularExpression size("font-size=\"([0-9.]+)");
    double smallest = 1000;
    for (auto found = size.globalMatch(drawn); found.hasNext();)
      smallest = std::min(smallest, scale * found.next().captured(1).toDouble());
    return smallest;
  }

  /// Texts on the screen that are too small for a room.
  QStringList smallTexts() const {
    QStringList small;
    for (auto* widget : lesson_->window().findChildren<QWidget*>()) {
      if (!widget->isVisible()) continue;
      const bool hasText = qobject_cast<const QLabel*>(widget) != nullptr ||
                           qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                           qobject_cast<const QComboBox*>(widget) != nullptr ||
                           qobject_cast<const QLineEdit*>(widget) != nullptr ||
                           qobject_cast<const QTabBar*>(widget) != nullptr ||
                           qobject_cast<const QTextBrowser*>(widget) != nullptr;
      const int pixels = QFontInfo(widget->font()).pixelSize();
      if (hasText && pixels < kLeastText)
        small << QString("%1 %2: %3")
                     .arg(widget->metaObject()->className(), widget->objectName())
                     .arg(pixels);
      auto* chart = qobject_cast<ChartView*>(widget);
      if (chart != nullptr && smallestText(*chart) < kLeastText)
        small << QString("%1: %2, %3 high")
                     .arg(chart->objectName())
                     .arg(smallestText(*chart))
                     .arg(chart->height());
    }
    return small;
  }

 private Q_SLOTS:
  void cleanup() {
    lesson_.reset();
    setLanguage("en");
    applyTheme(*qApp, ThemeChoice::Light);
  }

  /// View, chart and text grow together, on a small projector, and so does a chart alone.
  void everythingIsReadFromTheBack_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("dark");
    for (const Language& language : languages())
      for (const bool dark : {false, true})
        QTest::addRow("%s %s", qPrintable(language.code), dark ? "dark" : "light")
            << language.code << dark;
  }
  void everythingIsReadFromTheBack() {
    QFETCH(const QString, language);
    QFETCH(const bool, dark);
    setLanguage(language);
    applyTheme(*qApp, dark ? ThemeChoice::Dark : ThemeChoice::Light);
    QVERIFY(show(0, 0));
    const int usual = QFontInfo(lesson_->lessons()->text()->font()).pixelSize();
    QVERIFY(present());
    QVERIFY(isShown("lessonDock") && isShown("chartsDock") && !isShown("parametersDock"));
    for (const auto& [lesson, step] :
         {std::pair{0, 0}, {0, 1}, {3, 1}, {4, 2}, {6, 1}, {7, 1}, {7, 3}, {8, 1}, {9, 2}}) {
      goTo(lesson, step);
      QVERIFY(waitUntilSettled(lesson_->window()));
      const QString name = QString("lecture-%1-%2-%3-%4")
                               .arg(language, dark ? "dark" : "light")
                               .arg(lesson + 1)
                               .arg(step + 1);
      shot(&lesson_->window(), qPrintable(name));
      QStringList small = smallTexts();
      QVERIFY2(small.isEmpty(), qPrintable(name + "\n" + small.join('\n')));
      QVERIFY(lesson_->window().size() == kProjector);
      QVERIFY(lesson_->window().cloudView()->height() > 250);
      QTest::keyClick(&lesson_->window(), Qt::Key_F12);
      QVERIFY(waitUntilSettled(lesson_->window()));
      QVERIFY(isShown("lessonDock") && !lesson_->window().cloudView()->isVisible());
      shot(&lesson_->window(), qPrintable(name + "-chart"));
      small = smallTexts();
      QVERIFY2(small.isEmpty(), qPrintable(name + "\n" + small.join('\n')));
      QVERIFY(lesson_->window().charts()->height() > kProjector.height() - 60);
      QTest::keyClick(&lesson_->window(), Qt::Key_Escape);
    }
    QVERIFY(lesson_->window().isPresenting());
    QTest::keyClick(&lesson_->window(), Qt::Key_Escape);
    QVERIFY(!lesson_->window().isPresenting());
    QCOMPARE(QFontInfo(lesson_->lessons()->text()->font()).pixelSize(), usual);
    QVERIFY(waitUntil([&] { return isShown("parametersDock"); }));
  }

  /// Page Down and Page Up go through the text and from step to step.
  void aRemoteControlStepsThroughTheLesson() {
    QVERIFY(show(0, 0));
    const int steps = int(player().lesson()->steps.size());
    QTest::keyClick(&lesson_->window(), Qt::Key_PageDown);
    QCOMPARE(player().stepNumber(), 0);  // outside of a lecture
    QVERIFY(present());
    const QScrollBar* bar = lesson_->lessons()->text()->verticalScrollBar();
    for (int step = 0; step + 1 < steps; ++step) {
      QCOMPARE(player().stepNumber(), step);
      for (int pages = 0; player().stepNumber() == step; ++pages) {
        QVERIFY(pages < 20);
        const bool atEnd = bar->value() == bar->maximum();
        QTest::keyClick(&lesson_->window(), Qt::Key_PageDown);
        QVERIFY(atEnd == (player().stepNumber() != step));
        QCoreApplication::processEvents();
      }
      QVERIFY(waitUntil([&] { return player().areFactsCurrent(); }));
    }
    QCOMPARE(player().stepNumber(), steps - 1);
    QTest::keyClick(&lesson_->window(), Qt::Key_PageUp);
    QCOMPARE(player().stepNumber(), steps - 2);
  }

  /// The answer is shown by a key alone, also when the task was solved.
  void answersWaitForAKey() {
    QVERIFY(show(0, 0));
    const auto hasTask = [&] { return !player().step().question.isEmpty(); };
    while (!hasTask()) player().goTo(player().stepNumber() + 1);
    QVERIFY(waitUntil([&] { return player().areFactsCurrent(); }));
    const auto answer = [&] {
      return player().step().answer.filled(player().facts()).section(QLatin1String("\n"), 0, 0);
    };
    QTest::keyClick(&lesson_->window(), Qt::Key_Return, Qt::AltModifier);
    QVERIFY(lessonText().contains(answer()));
    QVERIFY(present());
    QVERIFY2(!lessonText().contains(answer()), "an answer that was open is hidden");
    Q_EMIT lesson_->lessons()->tasks().solved();
    QVERIFY(!lessonText().contains(answer()));
    QTest::keyClick(&lesson_->window(), Qt::Key_Period);
    QVERIFY(lessonText().contains(answer()));
    QTest::keyClick(&lesson_->window(), Qt::Key_Period);
    QVERIFY(!lessonText().contains(answer()));
    // Outside of a lecture a solved task shows it.
    QTest::keyClick(&lesson_->window(), Qt::Key_Escape);
    Q_EMIT lesson_->lessons()->tasks().solved();
    QVERIFY(lessonText().contains(answer()));
  }

  /// The warp is played as fast as is chosen.
  void playingHasASpeed() {
    QVERIFY(show(0, 1));
    QVERIFY(waitUntil([&] { return lesson_->session().loadLab().light() != nullptr; }));
    auto* speed = lesson_->window().findChild<QComboBox*>("warpPlaySpeed");
    const auto* load = lesson_->window().charts()->load();
    const auto millisecondsOf = [&](int which, std::int64_t steps) {
      speed->setCurrentIndex(which);
      const std::int64_t from = load->cursor();
      QElapsedTimer timer;
      timer.start();
      lesson_->lessons()->playWarp(true);
      const bool played = waitUntil([&] { return load->cursor() >= from + steps; });
      lesson_->lessons()->playWarp(false);
      return played ? std::optional(timer.elapsed()) : std::nullopt;
    };
    // Two steps a second, never more.
    const auto slow = millisecondsOf(0, 3);
    QVERIFY(slow && *slow > 1300);
    // Eight would take four seconds so; other tests may hold them up now and then.
    const int last = speed->count() - 1;
    QVERIFY(waitUntil([&] {
      const auto fast = millisecondsOf(last, 8);
      return fast && *fast < 3500;
    }));
  }
};

WINDOW_TEST(TestLecture);
#include "tst_lecture.moc"
