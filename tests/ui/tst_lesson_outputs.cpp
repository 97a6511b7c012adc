// What lessons are exported as: hand-outs, slides, PDF, notebook and lane view hold everything in
// them, in the language of the program, with the answers at the end.
#include <QAction>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSvgRenderer>
#include <QtTest>

#include "engine/load/lane_page.h"
#include "shown_window.h"
#include "ui/lessons/lesson.h"
#include "ui/panels/lessons_panel.h"
#include "ui/window/lesson_outputs.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

/// A lesson with a question of every kind; apostrophes stand for quotes.
const char* const kLesson =
    "{"
    "'format': 'clusterloom lesson', 'version': 1, 'title': 'Mine & all', 'summary': 's',"
    "'eps': 0.004, 'cloud': {'generator': 'expo', 'points': 2000, 'dims': 2, 'seed': 2},"
    "'steps': ["
    "{'title': 'number', 'text': 'There are {warps} warps.\\n\\nNext <p>.', 'question': 'FIRST?',"
    "'answer': 'SOLVED {warps}.', 'warp': 'longest', 'cursor': 5,"
    "'task': {'value': 'warps', 'within': 0, 'hints': ['HINTED', 'y']}},"
    "{'title': 'choice', 'text': 't', 'question': 'SECOND?', 'answer': 'SOLVED, too.',"
    "'colour-by': 'workload', 'chart': 'histogram',"
    "'task': {'choices': [{'text': 'few', 'claim': 'points < 10'},"
    "{'text': 'many', 'claim': 'points > 10'}], 'hints': ['HINTED', 'y']}},"
    "{'title': 'goal', 'text': 't', 'question': 'THIRD?', 'answer': 'SOLVED.',"
    "'chart': 'every-eps', 'min-pts': 5,"
    "'task': {'goal': ['eps > 0.006'], 'solution': {'eps': 0.01}, 'hints': ['HINTED', 'y']}},"
    "{'title': 'plain', 'text': 'no question'}"
    "]}";

/// The bytes of the pictures of this type in a page.
QList<QByteArray> picturesIn(const QByteArray& page, const QString& type) {
  const QRegularExpression picture(QStringLiteral("src=\"data:%1;base64,([^\"]*)\"").arg(type));
  QList<QByteArray> found;
  for (auto each = picture.globalMatch(QString::fromLatin1(page)); each.hasNext();)
    found << QByteArray::fromBase64(each.next().captured(1).toLatin1());
  return found;
}

/// What the pictures of a page show, for a failure.
QByteArray wordsOf(const QByteArray& page) {
  const QRegularExpression picture(QStringLiteral("alt=\"([^\"]*)\""));
  QStringList words;
  for (auto each = picture.globalMatch(QString::fromUtf8(page)); each.hasNext();)
    words << each.next().captured(1);
  return words.join(QStringLiteral(", ")).toUtf8();
}

}  // namespace

class TestLessonOutputs : public QObject, ShownWindow {
  Q_OBJECT

  QTemporaryDir folder_;
  QString lesson_;

  QString at(const QString& name) const { return folder_.filePath(name); }
  QByteArray contents(const QString& name) const {
    QFile file(at(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  /// What went wrong; empty when the files are there.
  QString make(const LessonOutputs& wanted) {
    std::optional<QString> said;
    makeLessonOutputs(this, lesson_, wanted, [&said](const Result<void>& made) {
      said = made ? QString() : QString::fromStdString(made.error().message);
    });
    if (!waitUntil([&said] { return said.has_value(); })) return QStringLiteral("no end");
    return *said;
  }

  void checkPage(const QByteArray& page, bool slides, const char* answers) {
    QVERIFY(page.startsWith("<!DOCTYPE html>"));
    QVERIFY(page.contains("Mine &amp; all") && page.contains("Next &lt;p&gt;."));
    QVERIFY(page.contains("There are 63 warps."));
    for (const char* link : {"src=\"http", "href", "url(", "@import", "fetch(", "HINTED"})
      QVERIFY2(!page.contains(link), link);
    // Questions in order, answers after all of them.
    QVERIFY(page.indexOf("FIRST?") < page.indexOf("SECOND?"));
    QVERIFY(page.indexOf("SECOND?") < page.indexOf("THIRD?"));
    QVERIFY(page.indexOf("no question") < page.indexOf(answers));
    QVERIFY(page.indexOf(answers) > 0 && page.indexOf(answers) < page.indexOf("SOLVED"));
    QCOMPARE(page.count("SOLVED"), 3);
    QVERIFY(page.indexOf("SOLVED, too.") > page.indexOf("many", page.indexOf(answers)));
    QCOMPARE(page.contains("<script>"), slides);
    // A title and three answers more.
    QCOMPARE(page.count("<section class=\"step\">"), slides ? 8 : 4);
    const QList<QByteArray> views = picturesIn(page, "image/png");
    QCOMPARE(views.size(), 4);
    for (const QByteArray& view : views) {
      const QImage image = QImage::fromData(view);
      QVERIFY(image.width() > 800);
      const int white = pixelsLike(image, qRgb(255, 255, 255), 3);
      const int all = image.width() * image.height();
      QVERIFY2(white > all / 2 && white < all * 0.99, qPrintable(QString::number(white)));
    }
    // Warps with lanes, histogram, ε sweep, warps.
    const QList<QByteArray> charts = picturesIn(page, "image/svg\\+xml");
    QVERIFY2(charts.size() == 5, wordsOf(page).constData());
    for (const QByteArray& chart : charts) QVERIFY(QSvgRenderer(chart).isValid());
    QVERIFY(charts[1] != charts[0]);
    // Text of usual size on a small picture is large on a slide.
    QCOMPARE(QSvgRenderer(charts[0]).defaultSize().width(), slides ? 400 : 720);
  }

 private Q_SLOTS:
  void initTestCase() {
    lesson_ = at("mine.json");
    QFile file(lesson_);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(kLesson).replace('\'', '"'));
  }
  void cleanup() { setLanguage("en"); }

  void everythingInEveryLanguage_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QByteArray>("answers");
    QTest::addColumn<QByteArray>("question");
    QTest::addColumn<QByteArray>("idle");
    QTest::addColumn<QByteArray>("machine");
    QTest::newRow("English") << "en" << QByteArray("Answers</h2>") << QByteArray("Question 2.")
                             << QByteArray("of 32 lanes") << QByteArray(" multiprocessors × ");
    QTest::newRow("German") << "de" << QByteArray("Antworten</h2>") << QByteArray("Frage 2.")
                            << QByteArray("von 32 Lanes") << QByteArray(" Multiprozessoren × ");
  }
  void everythingInEveryLanguage() {
    QFETCH(QString, code);
    QFETCH(QByteArray, answers);
    QFETCH(QByteArray, question);
    QFETCH(QByteArray, idle);
    QFETCH(QByteArray, machine);
    setLanguage(code);
    LessonOutputs wanted;
    wanted.document = at("page.html");
    wanted.laneView = at("lanes.html");
    wanted.notebook = at("book.ipynb");
    QCOMPARE(make(wanted), QString());
    checkPage(contents("page.html"), false, answers);
    QVERIFY(contents("page.html").contains(question));
    QVERIFY(contents("page.html").contains(("lang=\"" + code + '"').toUtf8()));
    const QByteArray lanes = contents("lanes.html");
    QVERIFY(lanes.size() > 2000 && lanes.size() < 1'000'000);
    QVERIFY(lanes.contains(idle));
    QVERIFY(lanes.contains(machine));
    QVERIFY(!lanes.contains("http:") && !lanes.contains("https:"));
    const QJsonArray cells =
        QJsonDocument::fromJson(contents("book.ipynb")).object()["cells"].toArray();
    QCOMPARE(cells.size(), 2 + 4 * 2 + 1);
    const QByteArray last =
        QJsonDocument(cells.last()["source"].toArray()).toJson(QJsonDocument::Compact);
    QCOMPARE(last.count("SOLVED"), 3);
    QVERIFY(last.contains(QByteArray(answers).replace("</h2>", "")));
  }

  void slidesAndPdf() {
    LessonOutputs wanted;
    wanted.slides = true;
    wanted.document = at("slides.html");
    QCOMPARE(make(wanted), QString());
    checkPage(contents("slides.html"), true, "Answers</h2>");
    for (const bool slides : {false, true}) {
      wanted.slides = slides;
      wanted.document = at("paper.pdf");
      QCOMPARE(make(wanted), QString());
      const QByteArray pdf = contents("paper.pdf");
      QVERIFY(pdf.startsWith("%PDF-") && pdf.trimmed().endsWith("%%EOF"));
      // A page for each step and one for the answers, and the title of slides.
      static const QRegularExpression page("/Type\\s*/Page\\b");
      QVERIFY(QString::fromLatin1(pdf).count(page) >= (slides ? 6 : 5));
    }
  }

  /// Whatever the theme of the program, paper is white.
  void darkThemeGivesTheSame() {
    const auto light = qScopeGuard([] { applyTheme(*qApp, ThemeChoice::Light); });
    applyTheme(*qApp, ThemeChoice::Dark);
    LessonOutputs wanted;
    wanted.document = at("dark.html");
    QCOMPARE(make(wanted), QString());
    checkPage(contents("dark.html"), false, "Answers</h2>");
  }

  void whatCannotBeMadeIsSaid() {
    LessonOutputs wanted;
    wanted.document = at("o.doc");
    QVERIFY(make(wanted).contains(".html"));
    wanted = {};
    wanted.laneView = at("o.html");
    wanted.step = 4;
    QVERIFY(make(wanted).contains("picks no warp"));
    wanted.step = 5;
    QVERIFY(make(wanted).contains("4 steps"));
    wanted.step = 0;
    wanted.document = at("missing/o.html");
    QVERIFY(make(wanted).contains("missing"));
    QVERIFY(!QFile::exists(at("o.html")));
  }

  void lessonsAreFound() {
    QCOMPARE(*findLesson(lesson_, "en"), lesson_);
    QCOMPARE(*findLesson("3", "en"), QString(":/lessons/3-sorting-by-workload.json"));
    QCOMPARE(*findLesson("3-sorting-by-workload", "de"),
             QString(":/lessons/de/3-sorting-by-workload.json"));
    QVERIFY(!findLesson("33", "en"));
    QCOMPARE(languageOfLesson("/somewhere/de/mine.json"), QString("de"));
    QCOMPARE(languageOfLesson("/somewhere/mine.json"), QString());
  }

  /// A long warp gives a page of less than 1 MB.
  void laneViewsAreSmall() {
    WarpTrace trace;
    trace.allSteps = 200'000;
    trace.queryPoint.fill(4'000'000'000U);
    for (std::uint32_t step = 0; step < 100'000; ++step) {
      trace.loopOfStep.push_back(Loop::Candidate);
      trace.activeOfStep.push_back(0xfffffff0U);
      for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane)
        trace.looksAt.push_back(4'000'000'000U - step);
    }
    LanePageWords words;
    words.title = "</script>";
    const std::string page = lanePage(trace, words);
    QVERIFY(page.size() < 1'000'000);
    QVERIFY(page.find("has the first 65") != std::string::npos);
    QCOMPARE(QString::fromStdString(page).count("</script>"), 1);
  }

  /// The menu writes the lesson that is open, and the window goes on as it is.
  void exportsFromTheWindow() {
    LessonWindow lesson;
    MainWindow& lessons = lesson.window();
    lessons.resize(1300, 850);
    lessons.show();
    QVERIFY(activate(lessons));
    lesson.lessons()->openFile(lesson_);
    lesson.lessons()->goNext();
    const QString place = lesson.lessons()->placeWords();
    lessons.action("exportLesson")->trigger();
    auto* dialog = lessons.findChild<QFileDialog*>("exportLessonDialog");
    QVERIFY(dialog);
    QCOMPARE(dialog->nameFilters().size(), 6);
    dialog->selectNameFilter(dialog->nameFilters().at(1));
    Q_EMIT dialog->fileSelected(at("menu.html"));
    dialog->reject();
    QVERIFY(!lessons.action("exportLesson")->isEnabled());
    QVERIFY(waitUntil([&] { return lessons.action("exportLesson")->isEnabled(); }));
    QCOMPARE(lesson.lessons()->complaint(), QString());
    checkPage(contents("menu.html"), true, "Answers</h2>");
    QCOMPARE(lesson.lessons()->placeWords(), place);
  }
};

WINDOW_TEST(TestLessonOutputs);
#include "tst_lesson_outputs.moc"
