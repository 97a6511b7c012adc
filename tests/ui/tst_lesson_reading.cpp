// Reading a lesson in its window: what a step says is checked while the reader explores, the
// numbers are those of the step, and what the text speaks of is seen.
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QTextDocument>
#include <QtTest>
#include <algorithm>

#include "measuring_backend.h"
#include "render/paint/colour_map.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_player.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/load_lab.h"
#include "ui/session/paper_strategies.h"
#include "ui/view/data_words.h"
#include "ui/window/lesson_window.h"

using namespace clusterloom;

class TestLessonReading : public QObject {
  Q_OBJECT

  std::unique_ptr<LessonWindow> lessons_;

  bool showLessons(const BackendMaker& measuring = makeBackend) {
    lessons_ = std::make_unique<LessonWindow>(measuring);
    lessons_->window().resize(1400, 900);
    lessons_->window().show();
    return activate(lessons_->window());
  }
  LessonPlayer& player() const { return lessons_->player(); }
  /// Opens a step of a lesson that came with the program, both counted from 0.
  void goTo(int lesson, int step) {
    lessons_->lessons()->openFile(shippedLessons().at(lesson));
    player().goTo(step);
  }
  /// The step has its numbers, and its warp where it picks one.
  bool stepIsReady() {
    return waitUntil(
        [&] {
          const bool picks = player().step().setup.warp != LessonWarp::None;
          return player().areFactsCurrent() &&
                 (!picks || lessons_->session().selection().warp >= 0);
        },
        20000);
  }
  QString lessonText() const { return lessons_->lessons()->text()->toPlainText(); }

 private Q_SLOTS:
  void cleanup() { lessons_.reset(); }

  /// Where a claim of the text does not hold for what the reader has changed, the text says so, and
  /// the step can be restored.
  void claimsAreCheckedWhileTheReaderExplores() {
    QVERIFY(showLessons());
    Session& session = lessons_->session();
    const QString remark = "True for the step's settings";
    auto* restore = lessons_->window().findChild<QPushButton*>("lessonRestore");
    const auto isTrue = [&] {
      return stepIsReady() && player().objections().isEmpty() && !restore->isVisible() &&
             !lessonText().contains(remark);
    };
    goTo(0, 3);
    QVERIFY2(isTrue(), qPrintable(player().objections().join(", ")));
    // Another strategy idles less than the step says.
    const auto papers = paperStrategies();
    const auto sorted = std::find_if(papers.begin(), papers.end(),
                                     [](const PaperStrategy& p) { return p.name == "SORTBYWL"; });
    QVERIFY(sorted != papers.end());
    session.loadLab().setStrategy(sorted->strategy);
    QVERIFY(waitUntil([&] { return player().areFactsCurrent(); }));
    QVERIFY2(player().objections().contains("wee < 0.35"),
             qPrintable(player().objections().join(", ")));
    QVERIFY(restore->isVisible() && lessonText().contains(remark));
    QVERIFY2(restore->toolTip().contains("wee < 0.35"), qPrintable(restore->toolTip()));
    shot(&lessons_->window(), "lesson-not-true");
    QTest::mouseClick(restore, Qt::LeftButton);
    QVERIFY2(isTrue(), qPrintable(player().objections().join(", ")));
    QVERIFY(session.loadLab().strategy() != sorted->strategy);
    QCOMPARE(player().stepNumber(), 3);

    // Where ε is what the text speaks of; a parameter that changes nothing of it is no objection.
    goTo(7, 0);
    QVERIFY2(isTrue(), qPrintable(player().objections().join(", ")));
    session.setEps(0.41);
    QVERIFY2(isTrue(), qPrintable(player().objections().join(", ")));
    session.setEps(3.7);
    QVERIFY(waitUntil([&] { return player().areFactsCurrent(); }));
    QVERIFY2(player().objections().contains("noise > 0.4"),
             qPrintable(player().objections().join(", ")));
    QTest::keyClick(&lessons_->window(), Qt::Key_Home, Qt::AltModifier);
    QVERIFY2(isTrue(), qPrintable(player().objections().join(", ")));
    QCOMPARE(session.parameters().dbscan.eps, 0.4);

    // Colours that the text speaks of.
    goTo(1, 2);
    QVERIFY2(isTrue(), qPrintable(player().objections().join(", ")));
    DisplayState display = session.display();
    display.colourBy = ColourBy::Cluster;
    session.setDisplay(display);
    QCOMPARE(player().objections(), QStringList{"the colouring"});
    QVERIFY(restore->isVisible());
    lessons_->lessons()->restoreStep();
    QVERIFY2(isTrue(), qPrintable(player().objections().join(", ")));
    QCOMPARE(session.display().colourBy, ColourBy::IdleLaneSteps);
    QCOMPARE(session.display().range, (ValueRange{0, 50000}));
  }

  /// While a file is read a step cannot be restored; where that comes to nothing, it can again.
  void aFileThatCannotBeReadChangesNothing() {
    QVERIFY(showLessons());
    Session& session = lessons_->session();
    auto* restore = lessons_->window().findChild<QPushButton*>("lessonRestore");
    goTo(1, 2);
    QVERIFY(stepIsReady());
    QVERIFY(waitUntil([&] { return session.jobs().active().empty(); }));
    OpenRequest request;
    request.path = "/nowhere/at-all.csv";
    session.data().open(request);
    QVERIFY(session.jobs().isActive(JobKind::Load));
    DisplayState display = session.display();
    display.colourBy = ColourBy::Cluster;
    session.setDisplay(display);
    QVERIFY(player().objections().isEmpty() && !restore->isVisible());
    QVERIFY(waitUntil([&] { return !session.jobs().isActive(JobKind::Load); }));
    QCOMPARE(player().objections(), QStringList{"the colouring"});
    QVERIFY(restore->isVisible());
  }

  /// A goal says whether a warp or the settings reach it, and numbers stay beside their units.
  void tasksSayWhatToDo() {
    QVERIFY(showLessons());
    goTo(0, 1);
    QVERIFY(stepIsReady());
    QVERIFY(lessonText().contains("Pick a warp. The program notices"));
    goTo(0, 4);
    QVERIFY(stepIsReady());
    QVERIFY(lessonText().contains("Change the settings. The program notices"));
    QVERIFY(!lessonText().contains("Pick a warp"));
    const QString raw = lessons_->lessons()->text()->document()->toRawText();
    QVERIFY(raw.contains(QRegularExpression("\\d\\x{a0}%")));
    QVERIFY(!raw.contains(QRegularExpression("\\d %")));
  }

  /// What a GPU measures has a paragraph of its own, which is there only where one answers. All
  /// other numbers are the model's in either case.
  void measuredWhereAGpuAnswers() {
    constexpr int kProfiler = 9;
    constexpr int kKernels = 2;  // the step with times, registers and occupancy
    const BackendMaker none = [](const std::string&, const BackendOptions&) {
      return Result<std::unique_ptr<Backend>>(unavailable("no GPU"));
    };
    QString modelled;
    QString note;
    for (const auto& [gpu, answers] :
         {std::pair(none, false), {measuringBackends(true), false}, {measuringBackends(), true}}) {
      QVERIFY(showLessons(gpu));
      goTo(kProfiler, kKernels);
      QVERIFY(stepIsReady());
      const LessonStep& step = player().step();
      const FactTable facts = player().facts();
      QCOMPARE(isMeasured(facts), answers);
      QVERIFY(lessonText().contains(step.text.filled(facts).section("\n\n", 0, 0)));
      const QString live = step.live.filled(facts);
      QCOMPARE(lessonText().contains(live), answers);
      QVERIFY2(player().objections().isEmpty(), qPrintable(player().objections().join(", ")));
      note = lessons_->window().findChild<QLabel*>("lessonNote")->text();
      QCOMPARE(note.contains("measured where the text says so"), answers);
      if (!answers) {
        QVERIFY(!lessonText().contains("GPU of this computer"));
        modelled = QString::number(facts.at("SORTBYWL").at("makespan"));
        continue;
      }
      QCOMPARE(QString::number(facts.at("SORTBYWL").at("makespan")), modelled);
      // The stand-in takes 10 ns a weighted step, and a tenth more searches than it has time for.
      const FactValues& sorted = facts.at("SORTBYWL");
      QVERIFY2(sorted.at("measured-step-time") > 9 && sorted.at("measured-step-time") < 10,
               qPrintable(live));
      // Its batches are smaller than the model's.
      QVERIFY(sorted.at("measured-wee") > 0 && sorted.at("measured-wee") < sorted.at("wee"));
      QCOMPARE(facts.at(QString()).at("measured-registers"), 40.0);
      QCOMPARE(facts.at(QString()).at("measured-occupancy"), 0.75);
      QVERIFY2(live.contains("40 registers, so 75") && !live.contains(QChar(0x2026)),
               qPrintable(live));
      shot(&lessons_->window(), "lesson-measured");
      // Other parameters are measured again.
      const double before = sorted.at("measured-time");
      lessons_->session().setEps(0.004);
      QVERIFY(waitUntil([&] { return player().areFactsCurrent(); }));
      QVERIFY(player().facts().at("SORTBYWL").at("measured-time") > before);
      // A step without such a paragraph measures nothing.
      player().goTo(4);
      QVERIFY(stepIsReady());
      QVERIFY(!isMeasured(player().facts()));
    }
  }

  /// A lesson of one's own that claims what is not true says so when it is opened, whichever step
  /// is on show; restoring the step is not offered for it.
  void falseClaimsAreSaidWhenALessonIsOpened() {
    QTemporaryDir folder;
    const auto write = [&](const char* claim) {
      const QString path = folder.filePath("mine.json");
      QFile file(path);
      if (!file.open(QIODevice::WriteOnly)) return QString();
      QByteArray json =
          "{'format': 'clusterloom lesson', 'version': 1, 'title': 't', 'eps': 0.01,"
          "'machine': {'clock': 0.5}, 'cloud': {'generator': 'expo', 'points': 500, 'dims': 2},"
          "'steps': [{'title': 'a', 'text': 'fine', 'claims': ['points = 500']},"
          "{'title': 'b', 'text': 'fine', 'claims': ['points > 10', 'CLAIM']}]}";
      file.write(json.replace("CLAIM", claim).replace('\'', '"'));
      return path;
    };
    QVERIFY(showLessons());
    auto* note = lessons_->window().findChild<QLabel*>("lessonNote");
    QSignalSpy checked(&player(), &LessonPlayer::claimsChecked);
    lessons_->lessons()->openFile(write("wee > 2"));
    QVERIFY(waitUntil([&] { return !player().falseClaims().isEmpty(); }));
    QCOMPARE(player().falseClaims(), QStringList{"step 2: wee > 2"});
    QCOMPARE(player().stepNumber(), 0);
    QVERIFY2(note->isVisible() && note->text().contains("step 2: wee > 2"),
             qPrintable(note->text()));
    player().goTo(1);
    QVERIFY(stepIsReady());
    QVERIFY(player().objections().isEmpty());
    QVERIFY(!lessons_->window().findChild<QPushButton*>("lessonRestore")->isVisible());
    QVERIFY(!lessonText().contains("True for the step's settings"));
    shot(&lessons_->window(), "lesson-false-claim");
    // The clock of a lesson's GPU: 0.5 GHz, 16 cycles for a step.
    const FactValues facts = player().facts().at(QString());
    QCOMPARE(facts.at("makespan-time"), 1000 * facts.at("makespan") * 16 / 0.5e9);
    checked.clear();
    lessons_->lessons()->openFile(write("wee < 2"));
    QVERIFY(waitUntil([&] { return checked.size() == 2; }));  // forgotten, and done
    QVERIFY(player().falseClaims().isEmpty());
    QVERIFY(!note->text().contains("claims"));
  }

  /// While the numbers of a step are computed, none is shown: neither in the text nor in the chart.
  void numbersOfAnotherStepAreNotShown() {
    QVERIFY(showLessons());
    goTo(4, 0);
    QVERIFY(stepIsReady());
    QVERIFY(waitUntil([&] { return lessons_->session().loadLab().isCurrent(); }));
    const QString before = percent(player().facts().at(QString()).at("wee"));
    QVERIFY(lessonText().contains(before));
    player().goTo(1);
    QVERIFY(!player().areFactsCurrent() && player().facts().empty());
    QVERIFY2(lessonText().contains("WEE rises from … to …."), qPrintable(lessonText()));
    QVERIFY(!lessonText().contains(before));
    QVERIFY(!lessons_->session().loadLab().result());
    QCOMPARE(lessons_->window().findChild<QLabel*>("lessonNote")->text(),
             QString("Computing the numbers of this run…"));
    QVERIFY(!lessons_->window().findChild<QPushButton*>("lessonRestore")->isVisible());
    QVERIFY(stepIsReady());
    QVERIFY(lessonText().contains("WEE rises from " + before + " to "));
    // The same where a parameter is changed.
    lessons_->session().setEps(0.003);
    QVERIFY(!lessonText().contains(before));
    // The new run has other warps, of which none is picked: only its numbers are waited for.
    QVERIFY(waitUntil([&] { return player().areFactsCurrent(); }));
    QVERIFY2(!lessonText().contains("… to …"), qPrintable(lessonText()));
  }

  /// The points that make others wait are seen in the cloud, and then one warp of them.
  void whatCausesTheWaitingIsSeen() {
    QVERIFY(showLessons());
    goTo(1, 2);
    QVERIFY(stepIsReady());
    QVERIFY(waitUntilSettled(lessons_->window()));
    Session& session = lessons_->session();
    QCOMPARE(session.selection().warp, std::int64_t(-1));
    const Colour most = mapColour(session.display().colourMap, 1);
    const auto bright = [&] {
      // The dense corner is on the left; the legend, on the right, has all colours.
      const QImage frame = lessons_->window().cloudView()->grabFrame();
      return pixelsLike(frame.copy(0, 0, frame.width() / 2, frame.height()),
                        qRgb(most.r, most.g, most.b), 24);
    };
    const int seen = bright();
    shot(&lessons_->window(), "lesson-2-3");
    QVERIFY2(seen > 50, qPrintable(QString::number(seen)));
    // Without the range of the step a few pixels at most have that colour.
    DisplayState display = session.display();
    display.range.reset();
    session.setDisplay(display);
    QVERIFY(waitUntilSettled(lessons_->window()));
    QVERIFY2(bright() < seen / 4, qPrintable(QString("%1 of %2").arg(bright()).arg(seen)));
    player().goTo(3);
    QVERIFY(stepIsReady());
    QVERIFY(waitUntilSettled(lessons_->window()));
    const Colour query = themeOf(lessons_->window().cloudView()->scene().background()).accent;
    QVERIFY(pixelsLike(lessons_->window().cloudView()->grabFrame(), qRgb(query.r, query.g, query.b),
                       8) > 100);
    shot(&lessons_->window(), "lesson-2-4");
  }

  /// A presentation shows the text and the chart that it speaks of beside the view.
  void aPresentationKeepsTheChart() {
    QVERIFY(showLessons());
    goTo(0, 0);
    QVERIFY(stepIsReady());
    QVERIFY(waitUntilSettled(lessons_->window()));
    const auto isShown = [&](const char* name) {
      return lessons_->window().findChild<QDockWidget*>(name)->isVisible();
    };
    QTest::keyClick(&lessons_->window(), Qt::Key_F11);
    QVERIFY(lessons_->window().isPresenting());
    QVERIFY(waitUntilSettled(lessons_->window()));
    QVERIFY(isShown("lessonDock") && isShown("chartsDock") && !isShown("parametersDock"));
    QVERIFY(!lessons_->window().menuBar()->isVisible());
    QVERIFY(lessons_->window().charts()->load()->height() > 100);
    shot(&lessons_->window(), "lesson-presented");
    goTo(1, 1);  // another cloud
    QVERIFY(stepIsReady());
    QVERIFY(isShown("lessonDock") && isShown("chartsDock") && !isShown("parametersDock"));
    QTest::keyClick(&lessons_->window(), Qt::Key_Escape);
    QVERIFY(!lessons_->window().isPresenting());
    QVERIFY(waitUntil([&] { return isShown("parametersDock") && isShown("chartsDock"); }));
  }
};

WINDOW_TEST(TestLessonReading);
#include "tst_lesson_reading.moc"
