// What the guide says: the same in each language, and, of sentences that were once untrue, what the
// program does.
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>
#include <algorithm>

#include "engine/cloud/generators.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/join/strategy_options.h"
#include "ui/charts/chart_page.h"
#include "ui/guide/guide_pages.h"
#include "ui/lessons/lesson.h"
#include "ui/words/language.h"
#include "window_help.h"

using namespace clusterloom;

namespace {

/// What a page has in every language.
struct PageParts {
  QStringList headings, links, blocks;  ///< in order
  QStringList code, figures;            ///< sorted
  QStringList lines;                    ///< their number: a paragraph is a line
};

QStringList capturesOf(const QString& text, const char* pattern) {
  const QRegularExpression expression{
      QString::fromUtf8(pattern),
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption};
  QStringList found;
  for (auto at = expression.globalMatch(text); at.hasNext();) found << at.next().captured(1);
  return found;
}

PageParts partsOf(QString text, const QString& language) {
  PageParts parts;
  const QRegularExpression block(
      "^```.*?^```$",
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  parts.blocks = capturesOf(text, "(^```.*?^```$)");
  text.remove(block);
  const qsizetype lines = text.split(u'\n', Qt::SkipEmptyParts).size();
  parts.lines << QString::number(lines);
  parts.headings = capturesOf(text, "^(#+) ");
  parts.links = capturesOf(text, "\\]\\(([^)]*)\\)");
  parts.code = capturesOf(text, "`([^`]+)`");
  text.remove(QRegularExpression("`[^`]+`|\\]\\([^)]*\\)"));
  // Numbers are written as the language writes them.
  const auto sign = [](const QString& character, const char* after) {
    return QRegularExpression("(?<=\\d)" + QRegularExpression::escape(character) + after);
  };
  const QLocale locale(language);
  text.remove(sign(locale.groupSeparator(), "(?=\\d{3}(?!\\d))"));
  text.replace(sign(locale.decimalPoint(), "(?=\\d)"), ".");
  parts.figures = capturesOf(text, "(?<![\\w.])(\\d+(?:\\.\\d+)*)");
  std::sort(parts.code.begin(), parts.code.end());
  std::sort(parts.figures.begin(), parts.figures.end());
  return parts;
}

}  // namespace

class TestGuideTexts : public QObject {
  Q_OBJECT

  static QString pageOf(const QString& language, const QString& name) {
    for (const GuidePage& page : guidePages(language))
      if (page.name == name) return page.markdown;
    return {};
  }
  static void everyLanguage() {
    QTest::addColumn<QString>("language");
    for (const Language& language : languages())
      QTest::newRow(qPrintable(language.code)) << language.code;
  }

 private Q_SLOTS:
  // A page in another language has the headings, links, pictures, code and figures of the English
  // one, so that a translation left behind by a change of its page is found.
  void translatedPagesSayTheSame_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("page");
    for (const Language& language : languages()) {
      if (language.code == "en") continue;
      for (const GuidePage& page : guidePages(u"en"))
        QTest::addRow("%s %s", qPrintable(language.code), qPrintable(page.name))
            << language.code << page.name;
    }
  }
  void translatedPagesSayTheSame() {
    QFETCH(const QString, language);
    QFETCH(const QString, page);
    const QString path = QStringLiteral("resources/guide/%1/%2.md").arg(language, page);
    QVERIFY2(QFile::exists(QStringLiteral(":/guide/%1/%2.md").arg(language, page)),
             qPrintable(path + " is missing: translate the page"));
    const auto& all = guidePages(language);
    const auto translated = std::find_if(all.begin(), all.end(),
                                         [&](const GuidePage& one) { return one.name == page; });
    QVERIFY(translated != all.end());
    const auto& first = guidePages(u"en");
    const auto english = std::find_if(first.begin(), first.end(),
                                      [&](const GuidePage& one) { return one.name == page; });
    QVERIFY(translated->markdown != english->markdown);
    const PageParts has = partsOf(translated->markdown, language);
    const PageParts needs = partsOf(english->markdown, "en");
    for (const auto& [what, parts] : {std::pair{"levels of its headings", &PageParts::headings},
                                      {"numbers of paragraphs and rows", &PageParts::lines},
                                      {"links and pictures", &PageParts::links},
                                      {"blocks of code", &PageParts::blocks},
                                      {"words in code", &PageParts::code},
                                      {"figures", &PageParts::figures}}) {
      if (has.*parts == needs.*parts) continue;
      QStringList missing = needs.*parts;
      for (const QString& part : has.*parts) missing.removeOne(part);
      QStringList extra = has.*parts;
      for (const QString& part : needs.*parts) extra.removeOne(part);
      QFAIL(
          qPrintable(QStringLiteral("%1: the %2 differ from those of the English page. Only "
                                    "there: %3. Only here: %4. Bring the translation up to date.")
                         .arg(path, QLatin1String(what), missing.join(" | "), extra.join(" | "))));
    }
  }

  // Runs on several machines were once said to be missing, when they were not.
  void rangesOfTheProgramAreSaid_data() { everyLanguage(); }
  void rangesOfTheProgramAreSaid() {
    QFETCH(const QString, language);
    for (const GuidePage& page : guidePages(language)) {
      for (const char* missing : {"not in this version", "nicht in dieser Version"})
        QVERIFY2(!page.markdown.contains(QString::fromUtf8(missing)), qPrintable(page.name));
    }
    const QString page = pageOf(language, "clusters-of-machines");
    QVERIFY(page.contains("mpirun -n") && page.contains("clusterloom-cli cluster"));
  }

  /// Each option of a strategy is in the table of options with its words.
  void optionsOfAStrategyAreListed_data() { everyLanguage(); }
  void optionsOfAStrategyAreListed() {
    QFETCH(const QString, language);
    const QStringList lines = pageOf(language, "engine").split(u'\n');
    for (const StrategyOption& option : strategyOptions()) {
      const QString name = "| `--" + QString::fromStdString(option.name) + "` |";
      const auto row = std::find_if(lines.begin(), lines.end(),
                                    [&](const QString& line) { return line.contains(name); });
      QVERIFY2(row != lines.end(), qPrintable(name));
      for (const StrategyOption::Value& value : option.values)
        QVERIFY2(row->contains('`' + QString::fromStdString(value.word) + '`'), qPrintable(*row));
    }
  }

  /// Each chart of the window is described under its name.
  void chartsAreDescribed_data() { everyLanguage(); }
  void chartsAreDescribed() {
    QFETCH(const QString, language);
    setLanguage(language);
    const auto english = qScopeGuard([] { setLanguage("en"); });
    QString pages;
    for (const GuidePage& page : guidePages(language)) pages += page.markdown;
    for (const ChartPageKind& kind : chartPages())
      QVERIFY2(pages.contains("**" + kind.title() + "**"), qPrintable(kind.title()));
  }

  // The knee is that of all points; a sample is named with the cases in which it is taken.
  void kneesComeFromAllPoints_data() { everyLanguage(); }
  void kneesComeFromAllPoints() {
    QFETCH(const QString, language);
    const QString page = pageOf(language, "choosing");
    const QStringList lines = page.split(u'\n');
    const auto about = std::find_if(lines.begin(), lines.end(), [](const QString& line) {
      return line.contains(QRegularExpression("\\*\\*k-[Dd]istan"));
    });
    QVERIFY(about != lines.end());
    const QLocale locale(language);
    QVERIFY2(about->contains(locale.toString(5000)) && about->contains("minPts") &&
                 about->contains(" 64 "),
             qPrintable(*about));
    QVERIFY(!page.contains(locale.toString(300000)));
    // As the program does: all of a cloud of 310,000 points.
    const auto cloud = generate(GeneratorSpec{"unif", 310000, 2, 1});
    QVERIFY(cloud.has_value());
    const auto curve = kDistancesOfAll(cloud->cloud, 4, 5000);
    QVERIFY(curve.has_value());
    QVERIFY(curve->isWhole);
    QCOMPARE(curve->sampled, std::uint64_t{310000});
  }

  void teachingListsTheLessons_data() { everyLanguage(); }
  void teachingListsTheLessons() {
    QFETCH(const QString, language);
    const QString page = pageOf(language, "teaching");
    const QStringList lessons = shippedLessons();
    QVERIFY(lessons.size() >= 10);
    QStringList listed;
    // Bold words of other lists end without a full stop.
    const QRegularExpression entry("^(\\d+)\\. \\*\\*([^*]+)\\.\\*\\*",
                                   QRegularExpression::MultilineOption);
    for (auto found = entry.globalMatch(page); found.hasNext();) {
      const auto match = found.next();
      listed << match.captured(1) + QStringLiteral(" · ") + match.captured(2);
    }
    QStringList titles;
    for (const QString& path : lessons) {
      QFile file(translatedFile(QStringLiteral(":/lessons"), QFileInfo(path).fileName(), language));
      QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
      titles << QJsonDocument::fromJson(file.readAll()).object().value("title").toString();
    }
    QCOMPARE(listed, titles);
  }

  // Of the runs of which a profiler's figure is known it stands beside the measured one.
  void profilersFiguresStandBesideMeasuredOnes_data() { everyLanguage(); }
  void profilersFiguresStandBesideMeasuredOnes() {
    QFETCH(const QString, language);
    const QLocale locale(language);
    const auto percents = [&](double number) { return locale.toString(number, 'f', 1) + " %"; };
    const QString row =
        QStringLiteral("| WORKQUEUE | %1 | %2 |").arg(percents(84.2), percents(68.0));
    QVERIFY2(pageOf(language, "load-lab").contains(row), qPrintable(row));
  }
};

WINDOW_TEST(TestGuideTexts, std::nullopt);
#include "tst_guide_texts.moc"
