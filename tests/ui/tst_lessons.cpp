// Lessons: what they claim is true, bad files are explained, numbers come from the run, and a class
// gets through them by keyboard.
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <numeric>

#include "engine/cloud/generators.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_facts.h"
#include "window_help.h"

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

}  // namespace

class TestLessons : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void shippedLessonsAreTrue_data() {
    QTest::addColumn<QString>("path");
    QCOMPARE(shippedLessons().size(), 6);
    for (const QString& path : shippedLessons())
      QTest::newRow(qPrintable(path.section('/', -1))) << path;
  }

  void shippedLessonsAreTrue() {
    QFETCH(QString, path);
    const auto lesson = readLesson(path);
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    QVERIFY(lesson->next.isEmpty() || shippedLessons().contains(lesson->next));
    int questions = 0;
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
      for (const LessonText* text : {&step.text, &step.question, &step.answer}) {
        QString filled = text->filled(table);
        if (qEnvironmentVariableIsSet("CLUSTERLOOM_LESSON_TEXTS")) qInfo().noquote() << filled;
        QVERIFY2(!filled.remove(QString(" …")).contains(QString("…")), qPrintable(filled));
        QVERIFY2(!filled.contains('{') && !filled.contains('}'), qPrintable(filled));
      }
      questions += step.question.isEmpty() ? 0 : 1;
    }
    QVERIFY(questions > 0);
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
    QVERIFY(shown.count("warp") == 0 && withPickedWarp(*facts, 3).at(QString()).at("warp") == 3);
    QCOMPARE(withPickedWarp(*facts, 99).at(QString()).count("warp"), std::size_t(0));
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
    row("another file", "{}", {"no lesson"});
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
        {"step 2, cloud", "expo"});
    row("too many points", lessonWith("{'title': 's', 'text': 'x', 'cloud': {'points': 10000000}}"),
        {"step 2, cloud", "points"});
    row("warp", lessonWith("{'title': 's', 'text': 'x', 'warp': 'last'}"),
        {"step 2", "least-efficient"});
    row("threads",
        lessonWith("{'title': 's', 'text': 'x', 'strategy': 'three'}",
                   "'strategies': {'three': {'threads-per-point': 3}}, "),
        {"step 2", "three"});
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

int main(int argc, char** argv) {
  prepareTestApplication();
  QApplication application(argc, argv);
  TestLessons test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_lessons.moc"
