// Tasks of lessons: answers are checked with the numbers of the step, goals are noticed when they
// are reached, hints come one by one, and a score is written only where one is asked for.
#include <QAction>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QTextBrowser>
#include <QtTest>

#include "shown_window.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_tasks.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/load_lab.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

LessonTask numberTask(const char* formula) {
  LessonTask task;
  task.value = *Formula::parse(formula);
  task.within = 0.1;
  return task;
}

/// A lesson with a task of every kind; apostrophes stand for quotes.
const char* const kLesson =
    "{"
    "'format': 'clusterloom lesson', 'version': 1, 'title': 'mine, of all', 'eps': 0.004,"
    "'cloud': {'generator': 'expo', 'points': 2000, 'dims': 2, 'seed': 2},"
    "'steps': ["
    "{'title': 'number', 'text': 't', 'question': 'q', 'answer': 'It is {warps}.',"
    "'task': {'value': 'warps', 'within': 0, 'hints': ['first', 'second of {points}']}},"
    "{'title': 'choice', 'text': 't', 'question': 'q', 'answer': 'a', 'machine': 'tiny',"
    "'task': {'choices': [{'text': 'few', 'claim': 'points < 10'},"
    "{'text': 'many', 'claim': 'points > 10'}], 'hints': ['x', 'y']}},"
    "{'title': 'goal', 'text': 't', 'question': 'q', 'answer': 'a',"
    "'task': {'goal': ['eps > 0.006'], 'solution': {'eps': 0.01}, 'hints': ['x', 'y']}},"
    "{'title': 'pick', 'text': 't', 'question': 'q', 'answer': 'a',"
    "'task': {'goal': ['warp-cost >= longest-warp'], 'solution': {'warp': 'longest'},"
    "'hints': ['x', 'y']}},"
    "{'title': 'plain', 'text': 't'}"
    "]}";

}  // namespace

class TestLessonTasks : public QObject, ShownWindow {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<LessonWindow> lessons_;

  QByteArray contents(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  /// Chooses this answer and has it checked, or types this ε; false where there is no such answer.
  bool answerByHand(const QString& answer) {
    MainWindow& window = lessons_->window();
    if (lessons_->lessons()->tasks().task()->kind == TaskKind::Goal) {
      auto* eps = window.findChild<QLineEdit*>("epsBox");
      QTest::keyClick(eps, Qt::Key_A, Qt::ControlModifier);
      QTest::keyClicks(eps, answer);
      QTest::keyClick(eps, Qt::Key_Return);
      const LessonPlayer& player = lessons_->player();
      return waitUntil(
          [&] {
            return player.areFactsCurrent() &&
                   player.facts().at(QString()).at("eps") == answer.toDouble();
          },
          20000);
    }
    auto* choices = window.findChild<QComboBox*>("taskChoices");
    QTest::keyClick(choices, Qt::Key_Home);
    for (int down = choices->findText(answer); down > 0; --down)
      QTest::keyClick(choices, Qt::Key_Down);
    QTest::mouseClick(window.findChild<QPushButton*>("taskCheck"), Qt::LeftButton);
    return choices->currentText() == answer;
  }

 private Q_SLOTS:
  void cleanup() { lessons_.reset(); }

  void numbersAreReadAsTheyAreWritten() {
    const FactTable facts = {{QString(), {{"warps", 32889}, {"wee", 0.25}}}};
    const LessonTask warps = numberTask("warps");
    const LessonTask wee = numberTask("wee");
    const auto english = qScopeGuard([] { setLanguage("en"); });
    for (const char* typed : {"32889", "32,889", " 33000 ", "3.2e4"})
      QVERIFY2(checkNumber(warps, typed, facts) == TaskVerdict::Right, typed);
    for (const char* typed : {"25", "25 %", "25%", "26.9"})
      QVERIFY2(checkNumber(wee, typed, facts) == TaskVerdict::Right, typed);
    setLanguage("de");
    for (const char* typed : {"32889", "32.889"})
      QVERIFY2(checkNumber(warps, typed, facts) == TaskVerdict::Right, typed);
    QVERIFY(checkNumber(wee, "26,9 %", facts) == TaskVerdict::Right);
    QVERIFY(checkNumber(warps, "20000", facts) == TaskVerdict::TooLow);
    QVERIFY(checkNumber(warps, "40000", facts) == TaskVerdict::TooHigh);
    QVERIFY(checkNumber(warps, "many", facts) == TaskVerdict::NoNumber);
    QVERIFY(checkNumber(warps, "", facts) == TaskVerdict::NoNumber);
    QVERIFY(checkNumber(warps, "1", {}) == TaskVerdict::Unknown);
    // Three digits of a fraction are no group.
    const LessonTask factor = numberTask("warps / 10000");
    for (const char* language : {"en", "de"}) {
      setLanguage(language);
      for (const char* typed : {"3.289", "3,289"})
        QVERIFY2(checkNumber(factor, typed, facts) == TaskVerdict::Right, typed);
      for (const char* typed : {"2.001", "2,001"})
        QVERIFY2(checkNumber(factor, typed, facts) == TaskVerdict::TooLow, typed);
    }
  }

  /// The task of another lesson, or of the same one that was edited, has its own choices.
  void choicesAreThoseOfTheLesson() {
    const auto write = [this](const char* name, const char* few) {
      QFile file(folder_.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray("{'format': 'clusterloom lesson', 'version': 1, 'title': 'short', "
                            "'eps': 0.004, 'cloud': {'generator': 'expo', 'points': 500, 'dims': "
                            "2, 'seed': 2}, 'steps': [{'title': 'choice', 'text': 't', "
                            "'question': 'q', 'answer': 'a', 'task': {'choices': [{'text': '") +
                 few +
                 "', 'claim': 'points < 10'}, {'text': 'many', 'claim': 'points > 10'}], "
                 "'hints': ['x', 'y']}}]}");
      file.close();
      QVERIFY(file.open(QIODevice::ReadWrite));
      const QByteArray text = file.readAll().replace('\'', '"');
      QVERIFY(file.resize(0) && file.seek(0));
      file.write(text);
    };
    write("one.json", "few");
    write("two.json", "fewer");
    lessons_ = std::make_unique<LessonWindow>();
    lessons_->window().show();
    QVERIFY(activate(lessons_->window()));
    LessonsPanel* panel = lessons_->lessons();
    auto* choices = lessons_->window().findChild<QComboBox*>("taskChoices");
    for (const auto& [name, first] :
         {std::pair{"one.json", "few"}, {"two.json", "fewer"}, {"one.json", "few"}}) {
      panel->openFile(folder_.filePath(name));
      QCOMPARE(panel->complaint(), QString());
      QCOMPARE(choices->count(), 2);
      QCOMPARE(choices->itemText(0), QString(first));
    }
    write("one.json", "least");
    panel->openFile(folder_.filePath("one.json"));
    QCOMPARE(choices->itemText(0), QString("least"));
  }

  void scoresAreTables() {
    const std::vector<TaskProgress> tasks = {{"a, \"b\"", 3, "t", 2, 1, false, true}};
    QCOMPARE(scoreCsv(tasks), QByteArray("lesson,step,task,attempts,hints,answer_shown,solved\n"
                                         "\"a, \"\"b\"\"\",3,\"t\",2,1,0,1\n"));
    const QJsonObject object = QJsonDocument::fromJson(scoreJson(tasks)).object();
    QCOMPARE(object["format"].toString(), QString("clusterloom score"));
    const QJsonObject first = object["tasks"].toArray()[0].toObject();
    QCOMPARE(first["lesson"].toString(), QString("a, \"b\""));
    QCOMPARE(first["attempts"].toInt(), 2);
    QVERIFY(first["solved"].toBool() && !first["answer_shown"].toBool());
  }

  /// A reader goes through a lesson of every kind of task.
  void tasksAreSolvedInTheWindow() {
    QFile file(folder_.filePath("mine.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(kLesson).replace('\'', '"'));
    file.close();
    lessons_ = std::make_unique<LessonWindow>();
    lessons_->window().resize(1400, 900);
    lessons_->window().show();
    QVERIFY(activate(lessons_->window()));
    LessonsPanel* panel = lessons_->lessons();
    panel->openFile(file.fileName());
    QCOMPARE(panel->complaint(), QString());
    Session& session = lessons_->session();
    auto* player = session.findChild<LessonPlayer*>();
    LessonTasks& tasks = panel->tasks();
    QVERIFY(!lessons_->window().action("recordScore")->isChecked());
    QVERIFY(tasks.scorePath().isEmpty());
    const auto ready = [&] { return player->areFactsCurrent(); };
    const auto text = [&] { return panel->text()->toPlainText(); };

    // A number: wrong, two hints, right; then the answer is there.
    QVERIFY(waitUntil(ready, 20000));
    auto* number = lessons_->window().findChild<QLineEdit*>("taskNumber");
    auto* hint = lessons_->window().findChild<QPushButton*>("taskHint");
    QVERIFY(number->isVisible());
    QVERIFY(!lessons_->window().findChild<QComboBox*>("taskChoices")->isVisible());
    QTest::keyClicks(number, "3");
    QTest::keyClick(number, Qt::Key_Return);
    QVERIFY2(text().contains("Too low."), qPrintable(text()));
    QVERIFY(!text().contains("first"));
    hint->click();
    QVERIFY2(text().contains("Hint: first"), qPrintable(text()));
    QVERIFY(!text().contains("second"));
    hint->click();
    QVERIFY2(text().contains("second of 2,000"), qPrintable(text()));
    QVERIFY(!hint->isEnabled());
    QVERIFY(!text().contains("It is 63."));
    QVERIFY(contents("score.csv").isEmpty());
    QVERIFY(tasks.recordIn(folder_.filePath("score.csv")));
    number->clear();
    QTest::keyClicks(number, "63");
    lessons_->window().findChild<QPushButton*>("taskCheck")->click();
    QVERIFY2(text().contains("Right.") && text().contains("It is 63."), qPrintable(text()));
    QVERIFY2(contents("score.csv").contains("\",1,\"number\",2,2,0,1"), contents("score.csv"));

    // A choice.
    panel->goNext();
    QVERIFY(waitUntil(ready, 20000));
    auto* choices = lessons_->window().findChild<QComboBox*>("taskChoices");
    QVERIFY(choices->isVisible() && !number->isVisible());
    QCOMPARE(choices->count(), 2);
    lessons_->window().findChild<QPushButton*>("taskCheck")->click();  // nothing is chosen yet
    QCOMPARE(tasks.progress().attempts, 0);
    choices->setCurrentIndex(0);
    lessons_->window().findChild<QPushButton*>("taskCheck")->click();
    QVERIFY2(text().contains("Look again"), qPrintable(text()));
    choices->setCurrentIndex(1);
    lessons_->window().findChild<QPushButton*>("taskCheck")->click();
    QVERIFY(tasks.progress().solved);
    QCOMPARE(tasks.progress().attempts, 2);

    // A goal is noticed; looking at the answer before is noted.
    panel->goNext();
    QVERIFY(waitUntil(ready, 20000));
    QVERIFY(!choices->isVisible());
    QVERIFY(!tasks.progress().solved);
    panel->revealAnswer();
    QVERIFY(tasks.progress().answerShown);
    session.setEps(0.01);
    QVERIFY(waitUntil([&] { return tasks.progress().solved; }));
    QVERIFY2(text().contains("Right."), qPrintable(text()));

    // A warp is picked.
    panel->goNext();
    QVERIFY(waitUntil([&] { return ready() && session.loadLab().isCurrent(); }));
    QVERIFY(!tasks.progress().solved);
    for (int warp = 0; warp < 63 && !tasks.progress().solved; ++warp) session.setPickedWarp(warp);
    QVERIFY(tasks.progress().solved);

    // A step without a task; nothing is written any more.
    panel->goNext();
    QVERIFY(!hint->isVisible());
    QVERIFY(tasks.recordIn({}));
    const QByteArray last = contents("score.csv");
    QCOMPARE(last.count('\n'), 5);
    panel->goBack();
    QVERIFY(tasks.progress().solved);
    QCOMPARE(contents("score.csv"), last);
    const auto failed = tasks.recordIn(folder_.filePath("nowhere/score.json"));
    QVERIFY(!failed && tasks.scorePath().isEmpty());
    QVERIFY(tasks.recordIn(folder_.filePath("score.json")));
    const QJsonObject score = QJsonDocument::fromJson(contents("score.json")).object();
    QCOMPARE(score["tasks"].toArray().size(), 4);
    QVERIFY(score["tasks"].toArray()[2].toObject()["answer_shown"].toBool());
  }

  /// Tasks of lessons that come with the program: other answers do not solve them.
  void shippedTasksAreSolved_data() {
    QTest::addColumn<int>("lesson");
    QTest::addColumn<int>("step");
    QTest::addColumn<QStringList>("wrong");
    QTest::addColumn<QString>("right");
    const auto row = [](int lesson, int step, const QStringList& wrong, const QString& right) {
      QTest::addRow("lesson %d, step %d", lesson, step) << lesson << step << wrong << right;
    };
    row(7, 1, {"The CPU's in the dense corner", "Both all over the cloud"},
        "The GPU's in the dense corner");
    row(7, 5,
        {"Both processors would wait longer at the end",
         "A CPU thread would take longer for a batch"},
        "There would be more, and each costs something");
    row(7, 7,
        {"SQ gives the GPU too few, SC too many", "Both end as early as the adaptive division"},
        "SQ gives the GPU too many, SC too few");
    // There are six clusters, five below the widest range, four.
    row(8, 3, {"4.5", "0.28", "7"}, "6");
    row(8, 5, {"No ε cuts all six", "Every ε cuts all six"}, "Only a range of ε cuts all six");
    row(8, 6, {"More points are noise", "There are more clusters"}, "Fewer points are noise");
    row(8, 7, {"4.5", "0.28", "7"}, "6");
    row(10, 1, {"It counts more comparisons", "It counts all steps alike, whatever they cost"},
        "Few lanes take part in storing hits");
  }
  void shippedTasksAreSolved() {
    QFETCH(const int, lesson);
    QFETCH(const int, step);
    QFETCH(const QStringList, wrong);
    QFETCH(const QString, right);
    lessons_ = std::make_unique<LessonWindow>();
    lessons_->window().resize(1400, 900);
    lessons_->window().show();
    QVERIFY(activate(lessons_->window()));
    LessonsPanel* panel = lessons_->lessons();
    panel->openFile(shippedLessons().at(lesson - 1));
    const LessonPlayer& player = lessons_->player();
    lessons_->player().goTo(step - 1);
    QVERIFY(waitUntil([&] { return player.areFactsCurrent(); }, 20000));
    const LessonTasks& tasks = panel->tasks();
    QVERIFY(tasks.task());
    const bool choice = tasks.task()->kind == TaskKind::Choice;
    if (choice) QCOMPARE(tasks.task()->choices.size(), std::size_t(wrong.size()) + 1);
    const auto says = [&](const QString& words) {
      return panel->text()->toPlainText().contains(words);
    };
    const QString answer = player.step().answer.filled(player.facts());
    QVERIFY(!tasks.progress().solved && !says(answer));
    for (const QString& other : wrong) {
      QVERIFY2(answerByHand(other), qPrintable(other));
      QVERIFY2(!tasks.progress().solved && !says("Right."), qPrintable(other));
      QCOMPARE(says("No. Look again."), choice);
    }
    QVERIFY2(answerByHand(right), qPrintable(right));
    QVERIFY2(tasks.progress().solved && says("Right."), qPrintable(right));
    QVERIFY2(says(player.step().answer.filled(player.facts())), qPrintable(right));
  }
};

WINDOW_TEST(TestLessonTasks, ThemeChoice::Light);
#include "tst_lesson_tasks.moc"
