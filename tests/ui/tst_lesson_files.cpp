// Files of lessons: bad ones are explained, and those in other languages say the same.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "made_lessons.h"
#include "shown_window.h"
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
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

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

class TestLessonFiles : public QObject {
  Q_OBJECT

  static void row(const char* name, const QByteArray& json, const QStringList& words) {
    QTest::newRow(name) << json << (QStringList{"made.json"} + words);
  }

  static void addWrongTasks() {
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
  }

 private Q_SLOTS:
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
    QVERIFY2(QFile::exists(path), qPrintable(place + " is missing: translate the lesson"));
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
    const double start = threadSeconds();
    const auto lesson =
        lessonFromJson(lessonWith(steps + "{'title': 'last', 'text': 'fine'}"), "l");
    QVERIFY(lesson.has_value());
    QCOMPARE(lesson->steps.size(), std::size_t{20002});
    const auto wrong = lessonFromJson(lessonWith(steps + "{'title': 'last'}"), "l");
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().message.find("step 20002 (line 20001)") != std::string::npos,
             wrong.error().message.c_str());
    const double seconds = threadSeconds() - start;
    QVERIFY2(seconds < 10, qPrintable(QString::number(seconds)));
  }

  void specialFilesAreRefused() {
    for (const QString path : {"/dev/zero", "/dev"}) {
      const auto lesson = readLesson(path);
      QVERIFY(!lesson);
      QVERIFY2(lesson.error().message.find("is not a regular file") != std::string::npos,
               lesson.error().message.c_str());
    }
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

  void badFilesAreExplained_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QStringList>("words");
    addWrongTasks();
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

GUILESS_TEST(TestLessonFiles);
#include "tst_lesson_files.moc"
