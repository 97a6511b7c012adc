// Lessons: what they claim is true, bad files are explained, numbers come from the run, and a class
// gets through them by keyboard.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTextBrowser>
#include <QtTest>
#include <map>
#include <numeric>
#include <set>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_facts.h"
#include "ui/lessons/lesson_player.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/division_lab.h"
#include "ui/session/load_lab.h"
#include "ui/session/session_data.h"
#include "ui/view/chart_view.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

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

/// Quotes are written as apostrophes.
QByteArray quoted(QByteArray json) { return json.replace('\'', '"'); }

/// A lesson whose second step is this one.
QByteArray lessonWith(const QByteArray& step, const QByteArray& more = {}) {
  return quoted("{'format': 'clusterloom lesson', 'version': 1, 'title': 't', 'eps': 0.01, " +
                more +
                "'cloud': {'generator': 'expo', 'points': 500, 'dims': 2, 'seed': 2}, "
                "'steps': [{'title': 'first', 'text': 'fine'}, " +
                step + "]}");
}

/// The texts of a lesson in reading order, and everything else.
struct LessonParts {
  QStringList texts;
  QJsonValue rest;
};

/// Takes the texts out of `value`.
QJsonValue withoutTexts(const QJsonValue& value, QStringList& texts) {
  static const QStringList kTexts{"title", "summary", "text", "live", "question", "answer"};
  if (value.isArray()) {
    QJsonArray rest;
    for (const QJsonValue element : value.toArray()) rest << withoutTexts(element, texts);
    return rest;
  }
  if (!value.isObject()) return value;
  QJsonObject rest;
  const QJsonObject object = value.toObject();
  for (auto member = object.begin(); member != object.end(); ++member) {
    if (member.key() == "hints")
      for (const QJsonValue hint : member.value().toArray()) texts << hint.toString();
    else if (kTexts.contains(member.key()))
      texts << member.value().toString();
    else
      rest[member.key()] = withoutTexts(member.value(), texts);
  }
  return rest;
}

LessonParts partsOf(const QString& path) {
  LessonParts parts;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return parts;
  parts.rest = withoutTexts(QJsonDocument::fromJson(file.readAll()).object(), parts.texts);
  return parts;
}

/// Sorted: another language may have another order.
QStringList formulasOf(const QString& text) {
  static const QRegularExpression formula("\\{[^}]*\\}");
  QStringList formulas;
  for (auto found = formula.globalMatch(text); found.hasNext();)
    formulas << found.next().captured();
  formulas.sort();
  return formulas;
}

}  // namespace

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
  void cleanup() {
    lessons_.reset();
    closeWindow();
  }

  // A lesson in another language differs from the English one in its texts only, and these have the
  // same formulas.
  void translatedLessonsSayTheSame_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("name");
    for (const Language& language : languages()) {
      if (language.code == "en") continue;
      for (const QString& path : shippedLessons())
        QTest::addRow("%s %s", qPrintable(language.code), qPrintable(QFileInfo(path).fileName()))
            << language.code << QFileInfo(path).fileName();
    }
  }
  void translatedLessonsSayTheSame() {
    QFETCH(const QString, language);
    QFETCH(const QString, name);
    const QString path = QStringLiteral(":/lessons/%1/%2").arg(language, name);
    const QString place = QStringLiteral("resources/lessons/%1/%2").arg(language, name);
    QVERIFY2(QFile::exists(path), qPrintable(place + " is missing: translate the lesson, and name "
                                                     "it in lessons.qrc"));
    setLanguage(language);
    const auto english = qScopeGuard([] { setLanguage("en"); });
    QVERIFY(shippedLessons().contains(path));
    const auto lesson = readLesson(path);
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    QVERIFY(lesson->next.isEmpty() || shippedLessons().contains(lesson->next));
    LessonParts has = partsOf(path);
    LessonParts needs = partsOf(":/lessons/" + name);
    QCOMPARE(has.texts.size(), needs.texts.size());
    for (qsizetype i = 0; i < has.texts.size(); ++i) {
      QVERIFY2(has.texts[i] != needs.texts[i] || has.texts[i].size() < 12,
               qPrintable(place + ": not translated: " + needs.texts[i]));
      QVERIFY2(formulasOf(has.texts[i]) == formulasOf(needs.texts[i]),
               qPrintable(place + ": the formulas differ from those of: " + needs.texts[i]));
    }
    QVERIFY2(has.rest == needs.rest,
             qPrintable(place + ": what is no text differs from the English lesson"));
  }

  /// Linear in the number of steps: each has its line, and looking for one must not start again.
  void manySteps() {
    QByteArray steps;
    for (int i = 0; i < 20000; ++i) steps += "{'title': 'more', 'text': 'fine'},\n";
    QElapsedTimer timer;
    timer.start();
    const auto lesson =
        lessonFromJson(lessonWith(steps + "{'title': 'last', 'text': 'fine'}"), "l");
    QVERIFY(lesson.has_value());
    QCOMPARE(lesson->steps.size(), std::size_t{20002});
    const auto wrong = lessonFromJson(lessonWith(steps + "{'title': 'last'}"), "l");
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().message.find("step 20002 (line 20001)") != std::string::npos,
             wrong.error().message.c_str());
    QVERIFY2(timer.elapsed() < 10000, qPrintable(QString::number(timer.elapsed())));
  }

  void specialFilesAreRefused() {
    for (const QString path : {"/dev/zero", "/dev"}) {
      const auto lesson = readLesson(path);
      QVERIFY(!lesson);
      QVERIFY2(lesson.error().message.find("is not a regular file") != std::string::npos,
               lesson.error().message.c_str());
    }
  }

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

  /// Lanes wait at every cell, so a warp takes longer than its longest lane (lesson 1, step 3).
  void noWarpTakesAsLongAsItsLongestLane() {
    const QRegularExpression wrong(
        "takes (?!at least)[^.]{0,20}as long as (its|the) longest lane|"
        "braucht (?!mindestens)[^.]{0,20}so lang(e)? wie (seine|die) längste Lane");
    for (const char* folder : {":/lessons", ":/lessons/de"}) {
      const QDir lessons(QString::fromLatin1(folder));
      const QStringList names = lessons.entryList({"*.json"});
      QVERIFY(!names.isEmpty());
      for (const QString& name : names) {
        QFile file(lessons.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto found = wrong.match(QString::fromUtf8(file.readAll()));
        QVERIFY2(!found.hasMatch(), qPrintable(name + ": " + found.captured()));
      }
    }
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

  void badFilesAreExplained_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const QByteArray& json, const QStringList& words) {
      QTest::newRow(name) << json << (QStringList{"made.json"} + words);
    };
    row("no json", "{\n\n oops", {"line 3"});
    row("no comma", "{\n\"a\": 1\n\"b\": 2}", {"line 3", "comma"});
    row("another file", "{}", {"not a lesson"});
    row("newer", quoted("{'format': 'clusterloom lesson', 'version': 2}"), {"version 2"});
    row("no steps", quoted("{'format': 'clusterloom lesson', 'title': 't'}"), {"steps"});
    row("unknown number", lessonWith("{'title': 's', 'text': '{wide}'}"),
        {"step 2", "text", "wide"});
    row("brace", lessonWith("{'title': 's', 'text': '{wee'}"), {"step 2", "text", "{"});
    row("style", lessonWith("{'title': 's', 'text': '{wee | loud}'}"), {"step 2", "percent"});
    row("no text", lessonWith("{'title': 's'}"), {"step 2", "text"});
    row("claim", lessonWith("{'title': 's', 'text': 'x', 'claims': ['wee']}"),
        {"step 2", "claims", "wee"});
    row("answer alone", lessonWith("{'title': 's', 'text': 'x', 'answer': 'y'}"),
        {"step 2", "question"});
    row("slip of the pen", lessonWith("{'title': 's', 'text': 'x', 'epz': 1}"), {"step 2", "epz"});
    row("ε", lessonWith("{'title': 's', 'text': 'x', 'eps': -1}"), {"step 2", "eps"});
    row("strategy", lessonWith("{'title': 's', 'text': 'x', 'strategy': 'FASTEST'}"),
        {"step 2", "FASTEST", "SORTBYWL"});
    row("strategy in a text", lessonWith("{'title': 's', 'text': '{wee:FASTEST}'}"),
        {"step 2", "FASTEST"});
    row("cloud", lessonWith("{'title': 's', 'text': 'x', 'cloud': {'generator': 'fog'}}"),
        {"step 2 (line 1), cloud", "expo"});
    // The line on which the step begins, whatever stands before it.
    row("line",
        quoted("{\n'format': 'clusterloom lesson', 'title': 'steps: [{', 'eps': 1,\n"
               "'strategies': {'steps': {}},\n"
               "'steps': [\n"
               "  {'title': 'a }] \\\'', 'text': 'x',\n   'cloud': {'dims': 2}},\n"
               "\n"
               "  {'title': 's'}]}"),
        {"step 2 (line 8): “text” is missing"});
    row("line of a number",
        quoted("{\n'format': 'clusterloom lesson', 'title': 't', 'eps': 1,\n"
               "'steps': [\n"
               "  {'title': 'a', 'text': 'x', 'cloud': {'dims': 2}},\n"
               "  3,\n"
               "  {'title': 's'}]}"),
        {"step 2 (line 5)"});
    row("arrows", lessonWith("{'title': 's', 'text': 'x', 'arrows': 'tile'}"),
        {"step 2", "arrows", "lid-unicomp"});
    row("range",
        lessonWith("{'title': 's', 'text': 'x', 'colour-by': 'workload', 'colour-range': [2, 1]}"),
        {"step 2", "colour-range"});
    row("too many points", lessonWith("{'title': 's', 'text': 'x', 'cloud': {'points': 10000000}}"),
        {"step 2 (line 1), cloud", "points"});
    row("ranks", lessonWith("{'title': 's', 'text': 'x', 'ranks': 65}"), {"step 2", "ranks"});
    row("unknown GPU", lessonWith("{'title': 's', 'text': 'x', 'machine': 'B100'}"),
        {"step 2", "B100", "A100"});
    row("clock", lessonWith("{'title': 's', 'text': 'x', 'machine': {'clock': 0}}"),
        {"step 2 (line 1), machine", "clock"});
    row("weights", lessonWith("{'title': 's', 'text': 'x', 'machine': {'weights': '1,2'}}"),
        {"step 2 (line 1), machine", "1,2"});
    const auto task = [](const QByteArray& members) {
      return lessonWith("{'title': 's', 'text': 'x', 'question': 'q', 'answer': 'a', 'task': {" +
                        members + "}}");
    };
    row("no task", task("'hints': ['a', 'b']"), {"step 2 (line 1), task", "value", "goal"});
    row("two tasks", task("'value': 'wee', 'goal': ['wee > 1'], 'hints': ['a', 'b']"),
        {"step 2 (line 1), task", "choices"});
    row("measured outside live", lessonWith("{'title': 's', 'text': '{measured-wee}'}"),
        {"step 2 (line 1)", "live"});
    row("measured claim",
        lessonWith("{'title': 's', 'text': 'x', 'claims': ['wee > measured-wee - 1']}"),
        {"step 2 (line 1)", "live"});
    row("measured task", task("'value': 'measured-time', 'hints': ['a', 'b']"),
        {"step 2 (line 1)", "live"});
    row("one hint", task("'value': 'wee', 'hints': ['a']"), {"step 2 (line 1), task", "hints"});
    row("value", task("'value': 'wide', 'hints': ['a', 'b']"), {"task", "value", "wide"});
    row("one choice", task("'choices': [{'text': 'c', 'claim': 'wee > 0'}], 'hints': ['a', 'b']"),
        {"task", "choices"});
    row("no claim", task("'choices': [{'text': 'c'}, {'text': 'd'}], 'hints': ['a', 'b']"),
        {"task, choices", "claim"});
    row("no solution", task("'goal': ['wee > 0.5'], 'hints': ['a', 'b']"), {"task", "solution"});
    row("task without question",
        lessonWith("{'title': 's', 'text': 'x', 'task': {'value': 'wee', 'hints': ['a', 'b']}}"),
        {"step 2", "question"});
    row("speeds",
        lessonWith("{'title': 's', 'text': 'x', 'strategy': 'HEGJoin-SQ', "
                   "'chart': 'processors'}"),
        {"step 2", "sides"});
    row("no speed", lessonWith("{'title': 's', 'text': 'x', 'sides': {'gpu': {'streams': 2}}}"),
        {"step 2 (line 1), sides, gpu", "candidates-per-second"});
    row("lanes",
        lessonWith("{'title': 's', 'text': 'x', 'sides': {'gpu': {'streams': 0, "
                   "'candidates-per-second': 1}}}"),
        {"step 2 (line 1), sides, gpu", "streams"});
    row("unknown side",
        lessonWith("{'title': 's', 'text': 'x', 'sides': {"
                   "'gpu': {'candidates-per-second': 1}, "
                   "'cpu': {'candidates-per-second': 1}, 'npu': {}}}"),
        {"step 2", "npu"});
    row("division without both",
        lessonWith("{'title': 's', 'text': 'x', "
                   "'strategy': 'HEGJoin-SQ'}"),
        {"step 2", "HEGJoin-SQ", "division"});
    row("warp", lessonWith("{'title': 's', 'text': 'x', 'warp': 'last'}"),
        {"step 2", "least-efficient"});
    row("threads",
        lessonWith("{'title': 's', 'text': 'x', 'strategy': 'three'}",
                   "'strategies': {'three': {'threads-per-point': 3}}, "),
        {"three", "threads-per-point"});
    row("order",
        lessonWith("{'title': 's', 'text': 'x'}", "'strategies': {'mine': {'order': 'any'}}, "),
        {"mine", "any"});
  }

  void badFilesAreExplained() {
    QFETCH(QByteArray, json);
    QFETCH(QStringList, words);
    const auto lesson = lessonFromJson(json, "made.json");
    QVERIFY(!lesson);
    const QString message = QString::fromStdString(lesson.error().message);
    for (const QString& word : words) QVERIFY2(message.contains(word), qPrintable(message));
    QVERIFY(lessonFromJson(lessonWith("{'title': 's', 'text': '{wee}'}"), "made.json"));
  }

  void aFileThatIsNotThereIsSaid() {
    const auto lesson = readLesson("/nowhere/lesson.json");
    QVERIFY(!lesson);
    QCOMPARE(lesson.error().kind, ErrorKind::Io);
    QVERIFY(lesson.error().message.find("lesson.json") != std::string::npos);
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
      return waitUntil([&] { return player->areFactsCurrent(); }, 20000) &&
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
        // The warp of the step is picked, and its lanes are stepped through, forward and back.
        LoadPanel* load = lessons->charts()->load();
        QVERIFY(waitUntil([&] { return load->cursor() == setup.cursor; }, 20000));
        QVERIFY(panel->stepWords().startsWith("Step 1 of"));
        QTest::keyClick(lessons, Qt::Key_Period, Qt::AltModifier);
        QTest::keyClick(lessons, Qt::Key_Period, Qt::AltModifier);
        QCOMPARE(load->cursor(), setup.cursor + 2);
        QVERIFY(panel->stepWords().startsWith("Step 3 of"));
        QTest::keyClick(lessons, Qt::Key_Comma, Qt::AltModifier);
        QCOMPARE(load->cursor(), setup.cursor + 1);
        // The cloud shows what is compared at the step: the query points and no others.
        const auto light = there.loadLab().light();
        QCOMPARE(there.loadLab().lightStep(), load->cursor());
        while (light->trace->loopOfStep[std::size_t(load->cursor())] != Loop::Candidate)
          QTest::keyClick(lessons, Qt::Key_Period, Qt::AltModifier);
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
        QTest::keyClick(lessons, Qt::Key_P, Qt::AltModifier);
        QVERIFY(waitUntil([&] { return load->cursor() >= from + 2; }));
        QTest::keyClick(lessons, Qt::Key_P, Qt::AltModifier);
        QVERIFY(!panel->isPlaying());
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
    QVERIFY(waitUntil([&] { return player->areFactsCurrent(); }, 20000));
    const double candidates = player->facts().at(QString()).at("candidates");
    const QString before = panel->text()->toPlainText();
    QVERIFY(before.contains(QLocale().toString(candidates, 'f', 0)));
    session.setEps(0.006);
    QVERIFY(!player->areFactsCurrent());
    QVERIFY(waitUntil([&] { return player->areFactsCurrent(); }, 20000));
    const double more = player->facts().at(QString()).at("candidates");
    QVERIFY(more > 1.5 * candidates);
    const QString after = panel->text()->toPlainText();
    QVERIFY(after.contains(QLocale().toString(more, 'f', 0)) && after.contains("0.006"));
    QVERIFY(!after.contains(QLocale().toString(candidates, 'f', 0)));
    // Another warp by hand: the text has the numbers of the picked warp.
    player->goTo(1);
    QVERIFY(waitUntil([&] { return window.charts()->load()->cursor() == 0; }, 20000));
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
    QVERIFY(waitUntil([&] { return session.loadLab().light() != nullptr; }, 20000));
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

  /// Every number that texts may use is in the README beside the lessons.
  void theReadmeKnowsEveryFact() {
    QFile file(QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/resources/lessons/README.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString readme = QString::fromUtf8(file.readAll());
    for (const Fact& fact : knownFacts())
      QVERIFY2(readme.contains(QString("| `%1` | %2 |").arg(fact.name, fact.meaning)),
               qPrintable(QString("| `%1` | %2 |").arg(fact.name, fact.meaning)));
  }
};

WINDOW_TEST(TestLessons,
            qEnvironmentVariableIsSet("CLUSTERLOOM_DARK") ? ThemeChoice::Dark : ThemeChoice::Light);
#include "tst_lessons.moc"
