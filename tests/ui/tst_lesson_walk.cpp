// All lessons walked by keys alone, in every language, in a window of 1024 × 768: what each step
// says is true and seen as a whole.
#include <QAbstractButton>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QScrollBar>
#include <QTextBrowser>
#include <QtTest>

#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_tasks.h"
#include "ui/panels/lessons_panel.h"
#include "ui/view/chart_view.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

class TestLessonWalk : public QObject {
  Q_OBJECT

  static constexpr QSize kProjector{1024, 768};

  std::unique_ptr<LessonWindow> lessons_;

  LessonPlayer& player() const { return lessons_->player(); }
  MainWindow& window() const { return lessons_->window(); }
  QString lessonText() const { return lessons_->lessons()->text()->toPlainText(); }
  bool isReady() {
    return waitUntil(
               [&] {
                 const bool picks = player().step().setup.warp != LessonWarp::None;
                 return player().areFactsCurrent() &&
                        (!picks || lessons_->session().selection().warp >= 0);
               },
               30000) &&
           waitUntilSettled(window());
  }
  /// Buttons, fields and labels of the lesson that are not seen as a whole.
  QStringList cutOff() const {
    QStringList cut;
    for (const auto* part : lessons_->lessons()->findChildren<QWidget*>()) {
      if (!part->isVisible()) continue;
      const auto* button = qobject_cast<const QAbstractButton*>(part);
      const auto* label = qobject_cast<const QLabel*>(part);
      const bool isField = qobject_cast<const QLineEdit*>(part) != nullptr;
      if (button == nullptr && label == nullptr && !isField) continue;
      const QString name = part->objectName() + ' ' +
                           (button != nullptr  ? button->text()
                            : label != nullptr ? label->text()
                                               : QString());
      if (part->visibleRegion().boundingRect() != part->rect()) cut << "hidden: " + name;
      if (button != nullptr && part->width() < part->minimumSizeHint().width())
        cut << "narrow: " + name;
      if (label != nullptr && label->wordWrap() &&
          label->height() < label->heightForWidth(label->width()))
        cut << "low: " + name;
    }
    return cut;
  }
  /// What is wrong with the step on show; empty where nothing is.
  QStringList faults() {
    QStringList wrong = player().objections() + cutOff();
    const FactTable facts = player().facts();
    const LessonStep& step = player().step();
    for (const Claim& claim : step.claims)
      if (!claim.holds(facts)) wrong << "not true: " + claim.text();
    // Qt's plain text has one end of a line between paragraphs.
    const QString text = lessonText();
    for (const QString& paragraph : step.text.filled(facts).split("\n\n"))
      if (!text.contains(paragraph)) wrong << "not shown: " + paragraph;
    if (window().size() != kProjector) wrong << "the window has grown";
    if (lessons_->lessons()->text()->height() < 120) wrong << "little space for the text";
    if (window().cloudView()->height() < 150) wrong << "little space for the view";
    return wrong;
  }

 private Q_SLOTS:
  void cleanup() {
    lessons_.reset();
    setLanguage("en");
    applyTheme(*qApp, ThemeChoice::Light);
  }

  void everyStepByKeys_data() {
    QTest::addColumn<QString>("language");
    for (const Language& language : languages())
      QTest::newRow(qPrintable(language.code)) << language.code;
  }
  void everyStepByKeys() {
    QFETCH(const QString, language);
    setLanguage(language);
    if (qEnvironmentVariableIsSet("CLUSTERLOOM_DARK")) applyTheme(*qApp, ThemeChoice::Dark);
    lessons_ = std::make_unique<LessonWindow>();
    window().resize(kProjector);
    window().show();
    QVERIFY(activate(window()));
    QStringList wrong;
    for (int lesson = 0; lesson < int(shippedLessons().size()); ++lesson) {
      QCOMPARE(player().lesson()->path, shippedLessons().at(lesson));
      const auto steps = int(player().lesson()->steps.size());
      for (int step = 0; step < steps; ++step) {
        QCOMPARE(player().stepNumber(), step);
        const QString place = QString("%1-%2-%3").arg(language).arg(lesson + 1).arg(step + 1);
        QVERIFY2(isReady(), qPrintable(place + ' ' + player().failure()));
        shot(&window(), qPrintable("walk-" + place));
        for (const QString& fault : faults()) wrong << place + ": " + fault;
        if (!player().step().question.isEmpty()) {
          QTest::keyClick(&window(), Qt::Key_Return, Qt::AltModifier);
          waitUntil([&] { return cutOff().isEmpty(); });  // laid out
          const QString answer =
              player().step().answer.filled(player().facts()).section("\n\n", 0, 0);
          if (!lessonText().contains(answer)) wrong << place + ": no answer";
          const QScrollBar* bar = lessons_->lessons()->text()->verticalScrollBar();
          if (bar->value() != bar->maximum()) wrong << place + ": the answer is out of sight";
          shot(&window(), qPrintable("walk-" + place + "-answer"));
          for (const QString& fault : cutOff()) wrong << place + ", answered: " + fault;
        }
        QTest::keyClick(&window(), Qt::Key_Right, Qt::AltModifier);
      }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    // The last step of the last lesson stays.
    QCOMPARE(player().stepNumber(), int(player().lesson()->steps.size()) - 1);
  }
};

WINDOW_TEST(TestLessonWalk);
#include "tst_lesson_walk.moc"
