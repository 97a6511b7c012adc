// The numbers of lessons: what a plain loop counts, and what the lessons that are part of the
// program claim of them.
#include <QDir>
#include <QtTest>
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "made_lessons.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_facts.h"
#include "ui/lessons/lesson_player.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/division_lab.h"
#include "ui/session/load_lab.h"
#include "ui/session/session_data.h"
#include "ui/view/chart_view.h"
#include "ui/window/lesson_window.h"

using namespace clusterloom;

namespace {

/// Clouds are made once, however many steps use them.
std::shared_ptr<const PointCloud> cloudOf(const GeneratorSpec& spec) {
  static std::map<QString, std::shared_ptr<const PointCloud>> made;
  const QString key = QString("%1 %2 %3 %4")
                          .arg(QString::fromStdString(spec.kind))
                          .arg(spec.points)
                          .arg(spec.dims)
                          .arg(spec.seed);
  auto& cloud = made[key];
  if (!cloud) cloud = std::make_shared<const PointCloud>(generate(spec)->cloud);
  return cloud;
}

}  // namespace

class TestLessonFacts : public QObject {
  Q_OBJECT

  /// A number is there, one choice is right, and a goal is reached by its solution and not before.
  static void checkTask(const Lesson& lesson, const LessonStep& step, const FactTable& table) {
    const LessonTask& task = *step.task;
    const auto place = step.title.toUtf8();
    switch (task.kind) {
      case TaskKind::Number: {
        const double value = task.value.value(table);
        const double shown = task.value.style() == NumberStyle::Percent ? 100 * value : value;
        QVERIFY2(checkNumber(task, QString::number(shown, 'g', 12), table) == TaskVerdict::Right,
                 place);
        break;
      }
      case TaskKind::Choice: {
        int right = 0;
        for (int i = 0; i < int(task.choices.size()); ++i) {
          const TaskVerdict verdict = checkChoice(task, i, table);
          QVERIFY2(verdict != TaskVerdict::Unknown, place);
          right += verdict == TaskVerdict::Right ? 1 : 0;
        }
        QVERIFY2(right == 1, place);
        break;
      }
      case TaskKind::Goal: {
        QVERIFY2(!isReached(task, table), place);
        LessonStep solved = step;
        solved.setup = *step.solution;
        const auto facts = factsOf(questionOf(lesson, solved, cloudOf(solved.setup.cloud)), {});
        QVERIFY2(facts, facts ? "" : facts.error().message.c_str());
        QVERIFY2(isReached(task, withPickedWarp(*facts, facts->warp)), place);
        break;
      }
    }
  }

 private Q_SLOTS:
  void shippedLessonsAreTrue_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(CLUSTERLOOM_SOURCE_DIR) + "/resources/lessons");
    QCOMPARE(shippedLessons().size(), folder.entryList({"*.json"}).size());
    for (const QString& path : shippedLessons())
      QTest::newRow(qPrintable(path.section('/', -1))) << path;
  }
  void shippedLessonsAreTrue() {
    QFETCH(QString, path);
    const auto lesson = readLesson(path);
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    QVERIFY(lesson->next.isEmpty() || shippedLessons().contains(lesson->next));
    int tasks = 0;
    for (const LessonStep& step : lesson->steps) {
      QVERIFY2(!step.claims.empty(), qPrintable(step.title));
      // A question is a task.
      QVERIFY2(step.question.isEmpty() || step.task, qPrintable(step.title));
      const auto facts = factsOf(questionOf(*lesson, step, cloudOf(step.setup.cloud)), {});
      QVERIFY2(facts, facts ? "" : facts.error().message.c_str());
      const FactTable table = withPickedWarp(*facts, facts->warp);
      for (const Claim& claim : step.claims)
        QVERIFY2(claim.holds(table), qPrintable(QString("%1: “%2” is %3 against %4")
                                                    .arg(step.title, claim.text())
                                                    .arg(claim.left().value(table))
                                                    .arg(claim.right().value(table))));
      std::vector<const LessonText*> texts = {&step.text, &step.question, &step.answer};
      if (step.task) {
        ++tasks;
        checkTask(*lesson, step, table);
        if (QTest::currentTestFailed()) return;
        for (const LessonText& hint : step.task->hints) texts.push_back(&hint);
      }
      for (const LessonText* text : texts) {
        QString filled = text->filled(table);
        if (qEnvironmentVariableIsSet("CLUSTERLOOM_LESSON_TEXTS")) qInfo().noquote() << filled;
        QVERIFY2(!filled.remove(QString(" …")).contains(QString("…")), qPrintable(filled));
        QVERIFY2(!filled.contains('{') && !filled.contains('}'), qPrintable(filled));
      }
    }
    QVERIFY(tasks >= 3);
  }

  /// The right answer is that for the settings of the step: with these it is another one, or none.
  void otherSettingsHaveOtherAnswers_data() {
    QTest::addColumn<int>("lesson");
    QTest::addColumn<int>("step");
    QTest::addColumn<int>("points");
    QTest::addColumn<double>("eps");
    const auto row = [](int lesson, int step, int points, double eps) {
      QTest::addRow("lesson %d, step %d", lesson, step) << lesson << step << points << eps;
    };
    row(7, 1, 500, 1);     // all query points have the same candidates
    row(7, 5, 50, 0.002);  // as many batches of either size
    row(7, 7, 500, 1);     // both shares are the same
    row(8, 5, 100, 3.7);   // fewer clusters in the widest range than groups
    row(8, 6, 4000, 8);    // more noise by HDBSCAN* than by DBSCAN
    row(10, 1, 500, 1);    // every comparison finds a pair
  }
  void otherSettingsHaveOtherAnswers() {
    QFETCH(const int, lesson);
    QFETCH(const int, step);
    QFETCH(const int, points);
    QFETCH(const double, eps);
    const auto read = readLesson(shippedLessons().at(lesson - 1));
    QVERIFY(read);
    LessonStep changed = read->steps.at(std::size_t(step - 1));
    QVERIFY(changed.task && changed.task->kind == TaskKind::Choice);
    // Right or not, of each choice.
    const auto verdicts = [&] {
      std::vector<TaskVerdict> each;
      const auto facts = factsOf(questionOf(*read, changed, cloudOf(changed.setup.cloud)), {});
      for (int i = 0; facts && i < int(changed.task->choices.size()); ++i)
        each.push_back(checkChoice(*changed.task, i, facts->table));
      return each;
    };
    const std::vector<TaskVerdict> before = verdicts();
    const auto right = std::find(before.begin(), before.end(), TaskVerdict::Right);
    QVERIFY(right != before.end());
    changed.setup.cloud.points = std::size_t(points);
    changed.setup.eps = eps;
    const std::vector<TaskVerdict> after = verdicts();
    QCOMPARE(after.size(), before.size());
    QVERIFY(after[std::size_t(right - before.begin())] == TaskVerdict::Wrong);
  }

  /// Steps that ask for the same load have one, and the numbers that they would have alone.
  void aLoadIsModelledOnce() {
    const auto lesson = lessonFromJson(
        lessonWith("{'title': 's', 'text': '{distance-calculations:UNICOMP}', 'eps': 0.02}"),
        "made.json");
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    const LessonStep& step = lesson->steps[1];
    const FactQuestion question = questionOf(*lesson, step, cloudOf(step.setup.cloud));
    const auto first = factsOf(question, {});
    QVERIFY(first);
    QCOMPARE(first->loads.size(), std::size_t(2));
    FactQuestion other = question;
    other.warp = LessonWarp::Longest;
    const auto next = factsOf(other, {}, first->loads);
    QVERIFY(next);
    QCOMPARE(next->report, first->report);
    const auto alone = factsOf(other, {});
    QVERIFY(alone && alone->report != first->report);
    QCOMPARE(next->warp, alone->warp);
    QVERIFY(next->table == alone->table);
    other.shown.eps = 0.03;
    const auto larger = factsOf(other, {}, first->loads);
    QVERIFY(larger && larger->report != first->report);
    QVERIFY(larger->report->pairs > first->report->pairs);
    // So does the load that the session shows, unless its steps count otherwise.
    const auto shown = loadOf(question.shown, **makeBackend("cpu", {}), {});
    QVERIFY(shown);
    const auto ofSession = factsOf(*shown);
    QVERIFY(ofSession && ofSession->report == shown->report);
    QVERIFY(ofSession->values == first->loads.front().values);
    LoadQuestion unweighted = question.shown;
    unweighted.unweighted = true;
    const auto counted = loadOf(unweighted, **makeBackend("cpu", {}), {});
    QVERIFY(counted && !factsOf(*counted));
  }

  /// The facts against plain loops over all pairs.
  void factsAreWhatAPlainLoopCounts() {
    const auto lesson = lessonFromJson(
        lessonWith("{'title': 's', 'text': '{distance-calculations:UNICOMP}', 'eps': 0.02}"),
        "made.json");
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    const LessonStep& step = lesson->steps[1];
    const auto cloud = cloudOf(step.setup.cloud);
    const auto facts = factsOf(questionOf(*lesson, step, cloud), {});
    QVERIFY(facts);
    double pairs = 0;
    for (std::size_t p = 0; p < cloud->size(); ++p)
      for (std::size_t q = 0; q < cloud->size(); ++q) {
        const double dx = cloud->columns[0][p] - cloud->columns[0][q];
        const double dy = cloud->columns[1][p] - cloud->columns[1][q];
        pairs += dx * dx + dy * dy <= 0.02 * 0.02 ? 1 : 0;
      }
    const FactValues& shown = facts->table.at(QString());
    QCOMPARE(shown.at("pairs"), pairs);
    QCOMPARE(shown.at("points"), 500.0);
    QCOMPARE(shown.at("warps"), std::ceil(500.0 / 32));
    QCOMPARE(shown.at("eps"), 0.02);
    QCOMPARE(shown.at("distance-calculations"), shown.at("candidates"));
    QCOMPARE(shown.at("mean-workload"), shown.at("candidates") / 500);
    const double half = facts->table.at("UNICOMP").at("distance-calculations");
    QVERIFY(half < shown.at("candidates") && half > shown.at("candidates") / 2);
    // WEE again, from the warps of the report.
    double active = 0;
    double steps = 0;
    for (const WarpLoad& warp : facts->report->warps)
      for (int loop = 0; loop < kLoops; ++loop) {
        const double weight = facts->report->weights.of[std::size_t(loop)];
        active += weight * double(warp.laneSteps[std::size_t(loop)]);
        steps += weight * double(warp.steps[std::size_t(loop)]);
      }
    QVERIFY(std::abs(shown.at("wee") - active / (32 * steps)) < 1e-12);
    QVERIFY(std::abs(shown.at("idle") - (32 * steps - active)) < 1e-6 * steps);
    // The same with every step counting 1.
    double ones = 0;
    double all = 0;
    for (int loop = 0; loop < kLoops; ++loop) {
      ones += double(facts->report->laneSteps[std::size_t(loop)]);
      all += double(facts->report->steps[std::size_t(loop)]);
    }
    QVERIFY(std::abs(shown.at("unweighted-wee") - ones / (32 * all)) < 1e-12);
    // Idling by the 50 points with the most candidates within their cell and the adjacent ones.
    QVERIFY(shown.at("heavy-idle") > 0.2 && shown.at("heavy-idle") < 1);
    const WarpLoad& third = facts->report->warps[3];
    const FactTable picked = withPickedWarp(*facts, 3);
    QCOMPARE(picked.at(QString()).at("warp-candidate-steps"), double(third.steps[2]));
    QVERIFY(third.steps[2] >= third.longestLane);
    QCOMPARE(
        picked.at(QString()).at("warp-unweighted-wee"),
        1 - picked.at(QString()).at("warp-idle") / (32 * picked.at(QString()).at("warp-steps")));
    QVERIFY(shown.count("warp") == 0 && picked.at(QString()).at("warp") == 3);
    QCOMPARE(withPickedWarp(*facts, 99).at(QString()).count("warp"), std::size_t(0));
  }

  /// The facts of both processors: speeds by plain sums, times and shares by the batches.
  void factsOfBothProcessorsAreSums() {
    const auto lesson =
        lessonFromJson(lessonWith("{'title': 's', 'text': '{imbalance:HEGJoin-SQ}', 'eps': 0.02, "
                                  "'strategy': 'HEGJoin-Dyn', 'chart': 'processors', "
                                  "'sides': {'gpu': {'streams': 2, 'candidates-per-second': 4000, "
                                  "'queries-per-second': 200}, "
                                  "'cpu': {'threads': 4, 'candidates-per-second': 500}}}"),
                       "made.json");
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    const LessonStep& step = lesson->steps[1];
    QCOMPARE(step.setup.sides->cpu.candidatesPerSecond, 2000.0);  // four threads
    const auto facts = factsOf(questionOf(*lesson, step, cloudOf(step.setup.cloud)), {});
    QVERIFY2(facts, facts ? "" : facts.error().message.c_str());
    const FactValues& shown = facts->table.at(QString());
    const double candidates = shown.at("candidates");
    QVERIFY(std::abs(shown.at("cpu-alone") - 1000 * candidates / 2000) < 1e-6);
    QVERIFY(std::abs(shown.at("gpu-alone") - 1000 * (candidates / 4000 + 500 / 200.0)) < 1e-6);
    QCOMPARE(shown.at("gpu-query-cost"), 20.0);
    QCOMPARE(shown.at("cpu-query-cost"), 0.0);
    QCOMPARE(shown.at("cpu-threads"), 4.0);
    QCOMPARE(shown.at("gpu-streams"), 2.0);
    const double alone = shown.at("cpu-alone") + shown.at("gpu-alone");
    QVERIFY(std::abs(shown.at("speed-share") - shown.at("cpu-alone") / alone) < 1e-12);
    for (const QString name : {"", "HEGJoin-SQ"}) {
      const FactValues& of = facts->table.at(name);
      const double later = std::max(of.at("gpu-time"), of.at("cpu-time"));
      QCOMPARE(of.at("shared-time"), later);
      QVERIFY(std::abs(of.at("imbalance") -
                       std::abs(of.at("gpu-time") - of.at("cpu-time")) / later) < 1e-12);
      QVERIFY(of.at("gpu-queries") >= 0 && of.at("gpu-queries") <= 1);
      QCOMPARE(of.at("gpu-queries"), of.at("meeting") / 500);
    }
    QCOMPARE(facts->table.at("HEGJoin-SQ").at("meeting"),
             std::round(500 * shown.at("speed-share")));
    // Other charts have no such numbers.
    const auto plain = lessonFromJson(lessonWith("{'title': 's', 'text': '{imbalance}'}"), "m");
    QVERIFY(plain);
    const auto none =
        factsOf(questionOf(*plain, plain->steps[1], cloudOf(plain->steps[1].setup.cloud)), {});
    QVERIFY(none && none->table.at(QString()).count("imbalance") == 0);
  }

  /// The facts of ranks: by plain loops over the owners of a run of its own.
  void factsOfRanksAreCounted() {
    const auto lesson = lessonFromJson(
        lessonWith("{'title': 's', 'text': '{ghosts}', 'eps': 0.004, 'chart': 'ranks', "
                   "'ranks': 3}"),
        "made.json");
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    const LessonStep& step = lesson->steps[1];
    const auto cloud = cloudOf(step.setup.cloud);
    const auto facts = factsOf(questionOf(*lesson, step, cloud), {});
    QVERIFY2(facts, facts ? "" : facts.error().message.c_str());
    const auto run = (*makeBackend("cpu", {.ranks = 3}))
                         ->dbscan(*cloud, {.eps = 0.004, .minPts = step.setup.minPts}, {}, {});
    QVERIFY(run && run->stats.owners);
    const auto& owners = *run->stats.owners;
    double own[3] = {};
    std::map<int, std::set<int>> ranksOf;  // of each cluster
    double seen = 0;                       // points that are within ε of one of another rank
    for (std::size_t p = 0; p < cloud->size(); ++p) {
      ++own[owners[p]];
      if (run->labels[p] >= 0) ranksOf[run->labels[p]].insert(owners[p]);
      std::set<int> others;
      for (std::size_t q = 0; q < cloud->size(); ++q) {
        const double dx = cloud->columns[0][p] - cloud->columns[0][q];
        const double dy = cloud->columns[1][p] - cloud->columns[1][q];
        if (owners[q] != owners[p] && dx * dx + dy * dy <= 0.004 * 0.004) others.insert(owners[q]);
      }
      seen += double(others.size());
    }
    const FactValues& shown = facts->table.at(QString());
    QCOMPARE(shown.at("ranks"), 3.0);
    QCOMPARE(shown.at("smallest-block"), *std::min_element(own, own + 3));
    QCOMPARE(shown.at("largest-block"), *std::max_element(own, own + 3));
    QCOMPARE(shown.at("clusters"), double(ranksOf.size()));
    QCOMPARE(shown.at("split-clusters"),
             double(std::count_if(ranksOf.begin(), ranksOf.end(),
                                  [](const auto& one) { return one.second.size() > 1; })));
    QCOMPARE(shown.at("other-labels"), 0.0);
    // Ghosts are those within ε of a block, whether there is a point of it or not.
    QVERIFY(seen > 0);
    QVERIFY(shown.at("ghosts") >= seen && shown.at("ghosts") <= 2 * double(cloud->size()));
    // Undivided: all in one block.
    LessonStep alone = step;
    alone.setup.ranks = 1;
    const auto one = factsOf(questionOf(*lesson, alone, cloud), {});
    QVERIFY(one);
    QCOMPARE(one->table.at(QString()).at("ghosts"), 0.0);
    QCOMPARE(one->table.at(QString()).at("largest-block"), 500.0);
    QCOMPARE(one->table.at(QString()).at("split-clusters"), 0.0);
  }

  void formulasAreReckoned() {
    FactTable facts;
    facts[QString()] = {{"wee", 0.25}, {"cost", 1200}};
    facts["UNICOMP"] = {{"cost", 300}};
    const auto value = [&](const char* text) {
      const auto formula = Formula::parse(QString::fromUtf8(text));
      return formula ? formula->value(facts) : -12345.0;
    };
    QCOMPARE(value("wee"), 0.25);
    QCOMPARE(value("2 + 3 * 4 - 1"), 13.0);
    QCOMPARE(value("(2 + 3) * (4 - 1)"), 15.0);
    QCOMPARE(value("12 / 2 / 3"), 2.0);
    QCOMPARE(value("7 - 2 - 1"), 4.0);
    QCOMPARE(value("cost / cost:UNICOMP"), 4.0);
    QVERIFY(std::isnan(value("1 / (wee - 0.25)")));
    QVERIFY(std::isnan(value("cost:TILE")));
    QVERIFY(Claim::parse("wee < 0.3")->holds(facts));
    QVERIFY(!Claim::parse("wee > 0.3")->holds(facts));
    QVERIFY(Claim::parse("cost:UNICOMP * 4 = cost")->holds(facts));
    QVERIFY(!Claim::parse("wee >= wee:UNICOMP")->holds(facts));  // not known is not true
    const auto text = LessonText::parse("a {wee} b {cost} c {cost:UNICOMP / cost} d");
    QCOMPARE(text->filled(facts), QString("a 25.0 % b 1,200 c 0.25 d"));
    QCOMPARE(LessonText::parse("{cost:UNICOMP / cost | percent}")->filled(facts),
             QString("25.0 %"));
    QCOMPARE(text->filled({}), QString("a … b … c … d"));
    QCOMPARE(text->strategies(), QStringList{"UNICOMP"});
    for (const char* wrong : {"", "2 +", "+ 2", "2 3", "(2", "2)", "( )", "wide", "nan",
                              "points:UNICOMP", "warp-wee:UNICOMP", "2 (3)"}) {
      QVERIFY2(!Formula::parse(wrong), wrong);
    }
    for (const char* wrong : {"wee", "wee < 1 < 2", "< 2", "wee <"})
      QVERIFY2(!Claim::parse(wrong), wrong);
  }
};

GUILESS_TEST(TestLessonFacts);
#include "tst_lesson_facts.moc"
