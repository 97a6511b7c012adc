// Lessons: what they claim is true, bad files are explained, numbers come from the run, and a class
// gets through them by keyboard.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTextBrowser>
#include <QtTest>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "made_lessons.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_player.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/division_lab.h"
#include "ui/session/load_lab.h"
#include "ui/session/session_data.h"
#include "ui/view/chart_view.h"
#include "ui/window/lesson_window.h"

using namespace clusterloom;

class TestLessons : public QObject, ShownWindow {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<LessonWindow> lessons_;  ///< without a window from which it was opened

  bool showLessons() {
    lessons_ = std::make_unique<LessonWindow>();
    lessons_->window().resize(1400, 900);
    lessons_->window().show();
    return activate(lessons_->window());
  }

  static void stepThroughTheWarp(MainWindow& lessons, LessonsPanel& panel,
                                 const LessonSetup& setup) {
    // The warp of the step is picked, and its lanes are stepped through, forward and back.
    LoadPanel* load = lessons.charts()->load();
    QVERIFY(waitUntil([&] { return load->cursor() == setup.cursor; }));
    QVERIFY(panel.stepWords().startsWith("Step 1 of"));
    QTest::keyClick(&lessons, Qt::Key_Period, Qt::AltModifier);
    QTest::keyClick(&lessons, Qt::Key_Period, Qt::AltModifier);
    QCOMPARE(load->cursor(), setup.cursor + 2);
    QVERIFY(panel.stepWords().startsWith("Step 3 of"));
    QTest::keyClick(&lessons, Qt::Key_Comma, Qt::AltModifier);
    QCOMPARE(load->cursor(), setup.cursor + 1);
    // The cloud shows what is compared at the step: the query points and no others.
    const auto light = lessons.session().loadLab().light();
    QCOMPARE(lessons.session().loadLab().lightStep(), load->cursor());
    while (light->trace->loopOfStep[std::size_t(load->cursor())] != Loop::Candidate)
      QTest::keyClick(&lessons, Qt::Key_Period, Qt::AltModifier);
    const auto at = std::size_t(load->cursor());
    const std::vector<PointMark> marks = marksAtStep(*light, load->cursor());
    QVERIFY(marks != light->marks);
    for (std::uint32_t p = 0; p < marks.size(); ++p) {
      bool isQuery = false;
      bool isLookedAt = false;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        isQuery |= light->trace->queryPoint[lane] == p;
        isLookedAt |= light->trace->active(at, lane) && light->trace->at(at, lane) == p;
      }
      QCOMPARE(marks[p], isQuery      ? PointMark::Query
                         : isLookedAt ? PointMark::Candidate
                                      : PointMark::None);
    }
    const std::int64_t from = load->cursor();
    QTest::keyClick(&lessons, Qt::Key_P, Qt::AltModifier);
    QVERIFY(waitUntil([&] { return load->cursor() >= from + 2; }));
    QTest::keyClick(&lessons, Qt::Key_P, Qt::AltModifier);
    QVERIFY(!panel.isPlaying());
  }

 private Q_SLOTS:
  void cleanup() {
    lessons_.reset();
    closeWindow();
  }

  void lessonThreeIsWalkedByKeyboard() {
    QVERIFY(showWindow({1400, 900}, [](MainWindow& made) {
      made.setTheme(qEnvironmentVariableIsSet("CLUSTERLOOM_DARK") ? ThemeChoice::Dark
                                                                  : ThemeChoice::Light);
    }));
    MainWindow& window = *window_;
    Session& session = *session_;
    OpenRequest own;
    own.sample = GeneratorSpec{"moons", 600, 2, 1};
    own.eps = 0.1;
    window.openRequest(own);
    QVERIFY(waitForResult(session));
    const auto cloud = session.data().cloud();
    const auto result = session.clusterRun().result();

    QTest::keyClick(&window, Qt::Key_F1, Qt::ControlModifier);
    MainWindow* lessons = window.lessonWindow();
    QVERIFY(lessons);
    QVERIFY(activate(*lessons));
    auto* panel = lessons->findChild<LessonsPanel*>();
    auto* list = lessons->findChild<QComboBox*>("lessonList");
    auto* player = lessons->session().findChild<LessonPlayer*>();
    QVERIFY(panel && list && player);
    QCOMPARE(list->count(), shippedLessons().size());
    const auto ready = [&] {
      return waitUntil([&] { return player->areFactsCurrent(); }) &&
             !panel->text()->toPlainText().isEmpty();
    };
    QVERIFY(ready());
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(player->lesson()->title.left(1), QString("3"));
    QVERIFY(lessons->windowTitle().startsWith(player->lesson()->title));
    QVERIFY(window.windowTitle().startsWith("moons"));
    const auto steps = int(player->lesson()->steps.size());
    for (int step = 0; step < steps; ++step) {
      QCOMPARE(player->stepNumber(), step);
      QVERIFY2(ready(), qPrintable(player->failure()));
      const LessonSetup& setup = player->step().setup;
      Session& there = lessons->session();
      QCOMPARE(there.parameters().dbscan.eps, setup.eps);
      QCOMPARE(there.data().cloud()->size(), setup.cloud.points);
      const FactTable facts = player->facts();
      for (const Claim& claim : player->step().claims)
        if (setup.warp == LessonWarp::None) QVERIFY2(claim.holds(facts), qPrintable(claim.text()));
      QVERIFY(panel->text()->toPlainText().contains(
          player->step().text.filled(facts).section("\n\n", 0, 0)));
      if (setup.warp != LessonWarp::None) {
        stepThroughTheWarp(*lessons, *panel, setup);
        if (QTest::currentTestFailed()) return;
        for (const Claim& claim : player->step().claims)
          QVERIFY2(claim.holds(player->facts()), qPrintable(claim.text()));
      }
      if (!player->step().question.isEmpty()) {
        const QString answer = player->step().answer.filled(player->facts());
        QVERIFY(!panel->text()->toPlainText().contains(answer));
        QTest::keyClick(lessons, Qt::Key_Return, Qt::AltModifier);
        QVERIFY(panel->text()->toPlainText().contains(answer));
      }
      QVERIFY(waitUntilSettled(*lessons));
      shot(lessons, qPrintable(QString("lesson-3-%1").arg(step + 1)));
      if (step + 1 < steps) QTest::keyClick(lessons, Qt::Key_Right, Qt::AltModifier);
    }
    QTest::keyClick(lessons, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(player->stepNumber(), steps - 2);
    QTest::keyClick(lessons, Qt::Key_Right, Qt::AltModifier);
    QTest::keyClick(lessons, Qt::Key_Right, Qt::AltModifier);  // on to the next lesson
    QCOMPARE(player->lesson()->title.left(1), QString("4"));

    // Leaving restores what was there, unchanged.
    QPointer<MainWindow> gone = lessons;
    lessons->close();
    QVERIFY(waitUntil([&] { return gone.isNull(); }));
    QVERIFY(!window.lessonWindow());
    QCOMPARE(session.data().cloud(), cloud);
    QCOMPARE(session.clusterRun().result(), result);
    QCOMPARE(session.parameters().dbscan.eps, 0.1);
  }

  /// Forward through a lesson and back to its beginning: the window shows what each step asks
  /// for, whichever step was before it.
  void everyStepIsSetUp() {
    QVERIFY(showLessons());
    auto* player = &lessons_->player();
    const auto check = [&] {
      const LessonSetup& setup = player->step().setup;
      const QString place =
          QString("%1, step %2").arg(player->lesson()->title).arg(player->stepNumber() + 1);
      const bool ofBoth = isOfBoth(setup.chart);
      const bool ofEveryEps = isOfEveryEps(setup.chart);
      const bool ofRanks = setup.chart == LessonChart::Ranks;
      const auto settled = [&] {
        Session& there = lessons_->session();
        const bool shown =
            ofBoth    ? there.divisionLab().isCurrent()
            : ofRanks ? there.clusterRun().isResultCurrent() &&
                            bool(there.clusterRun().result()->clustering.stats.owners)
            : ofEveryEps
                ? lessons_->window().charts()->isReady() && bool(there.derived().exactSweep())
                : there.loadLab().isCurrent();
        return player->areFactsCurrent() && shown &&
               (lessons_->session().selection().warp >= 0) == (setup.warp != LessonWarp::None);
      };
      QVERIFY2(waitUntil(settled, 20000), qPrintable(place));
      QVERIFY2(lessons_->session().display().colourBy == setup.colourBy, qPrintable(place));
      QVERIFY2(lessons_->session().display().range == setup.colourRange, qPrintable(place));
      // What a step says is true for what it has set up.
      QVERIFY2(player->objections().isEmpty(),
               qPrintable(place + ": " + player->objections().join(", ")));
      QVERIFY2(lessons_->session().display().patternArrows == setup.arrows, qPrintable(place));
      QVERIFY2(lessons_->session().display().gridShown ==
                   (setup.grid || setup.arrows != PatternArrows::None),
               qPrintable(place));
      QCOMPARE(lessons_->session().parameters().dbscan.eps, setup.eps);
      QCOMPARE(lessons_->session().data().cloud()->size(), setup.cloud.points);
      QCOMPARE(lessons_->window().charts()->current(),
               ofBoth                                     ? ChartId::Processors
               : ofRanks                                  ? ChartId::Ranks
               : setup.chart == LessonChart::EveryEps     ? ChartId::Sweep
               : setup.chart == LessonChart::Tree         ? ChartId::Tree
               : setup.chart == LessonChart::Reachability ? ChartId::Reachability
                                                          : ChartId::WarpLoad);
      if (ofEveryEps) {
        // The text's numbers are those of the result on show.
        QVERIFY(waitUntil([&] { return lessons_->session().clusterRun().isResultCurrent(); }));
        QCOMPARE(player->facts().at(QString()).at("clusters"),
                 double(lessons_->session().clusterRun().result()->clustering.clusters));
        shot(&lessons_->window(), qPrintable(QString("lesson-8-%1").arg(player->stepNumber() + 1)));
      }
      QCOMPARE(std::max(1, lessons_->session().clusterRun().ranks()), setup.ranks);
      if (ofRanks) {
        // The chart shows the run that the text speaks of.
        const auto& ranks = lessons_->session().clusterRun().result()->clustering.stats.ranks;
        QCOMPARE(ranks.size(), std::size_t(setup.ranks));
        double ghosts = 0;
        for (const RankStats& rank : ranks) ghosts += double(rank.ghosts);
        QCOMPARE(player->facts().at(QString()).at("ghosts"), ghosts);
        QVERIFY(!lessons_->window().charts()->view(ChartId::Ranks)->chart().isEmpty());
        shot(&lessons_->window(), qPrintable(QString("lesson-9-%1").arg(player->stepNumber() + 1)));
      }
      if (ofBoth) {
        const DivisionLab& lab = lessons_->session().divisionLab();
        QCOMPARE(lab.sides(), setup.sides);
        QCOMPARE(lab.times()->panels.size(),
                 setup.chart == LessonChart::Divisions ? std::size_t(4) : std::size_t(1));
        QVERIFY(!lab.times()->measured);
        // The chart shows what the text says.
        const SharedPass& pass = *lab.times()->panels.back().pass;
        QCOMPARE(player->facts().at(QString()).at("imbalance"), pass.imbalance);
        QCOMPARE(player->facts().at(QString()).at("meeting"), double(pass.meeting));
        shot(&lessons_->window(), qPrintable(QString("lesson-7-%1").arg(player->stepNumber() + 1)));
      }
      if (setup.warp != LessonWarp::None) {
        QCOMPARE(player->facts().at(QString()).at("warp"),
                 double(lessons_->session().selection().warp));
      }
    };
    // Those that change clouds, colours, warps and arrows from step to step.
    for (const int lesson : {0, 1, 5, 6, 7, 8, 0}) {
      lessons_->lessons()->openFile(shippedLessons().at(lesson));
      const auto steps = int(player->lesson()->steps.size());
      for (int step = 0; step < steps; ++step) {
        player->goTo(step);
        check();
      }
      player->goTo(0);
      check();
    }
  }

  void numbersFollowTheParameters() {
    QVERIFY(showLessons());
    MainWindow& window = lessons_->window();
    Session& session = lessons_->session();
    auto* player = session.findChild<LessonPlayer*>();
    LessonsPanel* panel = lessons_->lessons();
    player->goTo(4);
    QVERIFY(waitUntil([&] { return player->areFactsCurrent(); }));
    const double candidates = player->facts().at(QString()).at("candidates");
    const QString before = panel->text()->toPlainText();
    QVERIFY(before.contains(QLocale().toString(candidates, 'f', 0)));
    session.setEps(0.006);
    QVERIFY(!player->areFactsCurrent());
    QVERIFY(waitUntil([&] { return player->areFactsCurrent(); }));
    const double more = player->facts().at(QString()).at("candidates");
    QVERIFY(more > 1.5 * candidates);
    const QString after = panel->text()->toPlainText();
    QVERIFY(after.contains(QLocale().toString(more, 'f', 0)) && after.contains("0.006"));
    QVERIFY(!after.contains(QLocale().toString(candidates, 'f', 0)));
    // Another warp by hand: the text has the numbers of the picked warp.
    player->goTo(1);
    QVERIFY(waitUntil([&] { return window.charts()->load()->cursor() == 0; }));
    session.setPickedWarp(5);
    QCOMPARE(player->facts().at(QString()).at("warp"), 5.0);
    QVERIFY(panel->text()->toPlainText().contains("This is warp 5."));

    // A file of one's own, and one that is none: what was open stays.
    const QString path = folder_.filePath("mine.json");
    const auto write = [&](const QByteArray& bytes) {
      QFile file(path);
      return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write(lessonWith("{'title': 's', 'text': '{points} points'}")));
    panel->openFile(path);
    QCOMPARE(player->lesson()->title, QString("t"));
    player->goTo(1);
    QVERIFY(waitUntil([&] { return panel->text()->toPlainText().contains("500 points"); }));
    QVERIFY(write(lessonWith("{'title': 's', 'text': '{pionts} points'}")));
    panel->openFile(path);
    QVERIFY2(panel->complaint().contains("mine.json") && panel->complaint().contains("step 2"),
             qPrintable(panel->complaint()));
    QCOMPARE(window.findChild<QLabel*>("lessonNote")->text(), panel->complaint());
    QCOMPARE(player->lesson()->steps.size(), std::size_t(2));
    QVERIFY(panel->text()->toPlainText().contains("500 points"));
    shot(&window, "lesson-bad-file");
  }

  /// A copy of a lesson is changed, reloaded, broken and corrected.
  void aCopyIsEditedAndReadAgain() {
    QVERIFY(showLessons());
    auto* player = &lessons_->player();
    LessonsPanel* panel = lessons_->lessons();
    player->goTo(1);
    const QString path = folder_.filePath("mine.json");
    panel->saveCopy(path);
    QCOMPARE(panel->complaint(), QString());
    QCOMPARE(player->lesson()->path, path);
    QCOMPARE(player->lesson()->steps.size(), readLesson(shippedLessons().front())->steps.size());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    file.close();
    const auto write = [&](const QByteArray& bytes) {
      return file.open(QIODevice::WriteOnly | QIODevice::Truncate) &&
             file.write(bytes) == bytes.size() && (file.close(), true);
    };
    player->goTo(2);
    QVERIFY(write(QByteArray(text).replace("\"Lanes wait at every cell\"", "\"Mine\"")));
    lessons_->window().action("reopenLesson")->trigger();
    QCOMPARE(player->stepNumber(), 2);
    QVERIFY(panel->text()->toPlainText().startsWith("Mine"));
    QVERIFY(
        write(QByteArray(text).replace("\"warp\": \"least-efficient\"", "\"wrap\": \"middle\"")));
    lessons_->window().action("reopenLesson")->trigger();
    QVERIFY2(panel->complaint().contains("step 3 (line ") && panel->complaint().contains("wrap"),
             qPrintable(panel->complaint()));
    QVERIFY(panel->text()->toPlainText().startsWith("Mine"));
    QVERIFY(write(text));
    lessons_->window().action("reopenLesson")->trigger();
    QCOMPARE(panel->complaint(), QString());
    QVERIFY(panel->text()->toPlainText().startsWith("Lanes wait at every cell"));
    panel->saveCopy(folder_.filePath("nowhere/mine.json"));
    QVERIFY2(panel->complaint().contains("nowhere"), qPrintable(panel->complaint()));
    QCOMPARE(player->lesson()->path, path);
  }

  /// Every key is documented, and every control is reached and has a name.
  void thePanelIsForTheKeyboard() {
    QVERIFY(showLessons());
    MainWindow& window = lessons_->window();
    Session& session = lessons_->session();
    auto* player = session.findChild<LessonPlayer*>();
    player->goTo(2);
    QVERIFY(waitUntil([&] { return session.loadLab().light() != nullptr; }));
    QVERIFY(waitUntilSettled(window));
    shot(&window, "lesson-1-3");
    QSet<QWidget*> reached;
    auto* list = window.findChild<QComboBox*>("lessonList");
    list->setFocus();
    for (int i = 0; i < 12; ++i) {
      if (QWidget* focus = QApplication::focusWidget()) reached << focus;
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (const char* name : {"lessonList", "openLesson", "lessonText", "warpStepBack", "warpPlay",
                             "warpStepOn", "lessonBack", "lessonAnswer", "lessonNext"}) {
      auto* widget = window.findChild<QWidget*>(name);
      QVERIFY2(widget && reached.contains(widget), name);
      const auto* button = qobject_cast<QAbstractButton*>(widget);
      QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()), name);
    }
    for (const char* name :
         {"lessonStepBack", "lessonStepNext", "lessonReveal", "lessonRestore", "warpBack", "warpOn",
          "warpPlay", "openLesson", "saveLesson", "reopenLesson"})
      QVERIFY2(!window.findChild<QAction*>(name)->shortcut().isEmpty(), name);
  }
};

WINDOW_TEST(TestLessons,
            qEnvironmentVariableIsSet("CLUSTERLOOM_DARK") ? ThemeChoice::Dark : ThemeChoice::Light);
#include "tst_lessons.moc"
