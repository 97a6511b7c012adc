// The window in other languages: what is translated, and how the language is chosen.
#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDir>
#include <QLocale>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTranslator>
#include <QXmlStreamReader>
#include <QtTest>
#include <set>
#include <tuple>

#include "engine/core/memory_budget.h"
#include "engine/core/number_text.h"
#include "engine/io/format_table.h"
#include "engine/join/strategy_options.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/real_spin_box.h"
#include "ui/window/lesson_window.h"
#include "ui/words/column_words.h"
#include "ui/words/engine_words.h"
#include "ui/words/language.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

namespace {

/// Asked before all other translators: keeps what was asked for and answers nothing.
class Listener : public QTranslator {
 public:
  QString translate(const char* context, const char* source, const char* note, int) const override {
    asked.insert({context, source, note});
    return {};
  }
  bool isEmpty() const override { return false; }
  mutable std::set<std::tuple<QByteArray, QByteArray, QByteArray>> asked;
};

/// The texts of this program's own sources, by their contexts.
bool isOwn(const QString& context) {
  return context.startsWith("clusterloom") || context == "Charts" || context == "Scene" ||
         context == "Engine";
}

/// What a translation must keep of its source and does not; empty: nothing.
QString differenceOf(const QString& source, const QString& translation) {
  const auto places = [](const QString& text) {
    static const QRegularExpression place("%[0-9n]");
    QSet<QString> found;
    for (auto at = place.globalMatch(text); at.hasNext();) found << at.next().captured();
    return found;
  };
  const auto hasLetter = [](const QString& text) {
    static const QRegularExpression letter("&[^\\s&]");
    return text.contains(letter);
  };
  if (places(source) != places(translation)) return "other places for values (%1 …)";
  if (hasLetter(source) != hasLetter(translation)) return "a letter after & in one of them only";
  if (source.startsWith(' ') != translation.startsWith(' ') ||
      source.endsWith(' ') != translation.endsWith(' '))
    return "another blank at an end";
  return {};
}

/// The translation that begins here, in each of its plural forms.
QStringList formsOf(QXmlStreamReader& xml) {
  QStringList forms;
  QString text;
  while (xml.readNext() != QXmlStreamReader::EndElement && !xml.hasError())
    if (xml.isStartElement())
      forms << xml.readElementText();
    else
      text += xml.text();
  return forms.isEmpty() ? QStringList{text} : forms;
}

}  // namespace

class TestTranslation : public QObject, private ShownWindow {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { applyTheme(*qApp, ThemeChoice::Light); }
  void cleanup() {
    closeWindow();
    setLanguage("en");
    chooseLanguage({});
  }

  void theLanguageIsChosen() {
    QCOMPARE(language(), QString("en"));
    QCOMPARE(chosenLanguage(), QString());
    chooseLanguage("de");
    QCOMPARE(chosenLanguage(), QString("de"));
    chooseLanguage("xx");  // of a newer version
    QCOMPARE(chosenLanguage(), QString());
    const auto& all = languages();
    QVERIFY(std::any_of(all.begin(), all.end(),
                        [](const Language& one) { return one.code == systemLanguage(); }));
    setLanguage("xx");
    QCOMPARE(language(), QString("en"));
    QCOMPARE(QCoreApplication::translate("Charts", "noise"), QString("noise"));
    setLanguage("de");
    QCOMPARE(language(), QString("de"));
    QCOMPARE(QCoreApplication::translate("Charts", "noise"), QString("Rauschen"));
    QCOMPARE(translate("Charts", "noise"), std::string("Rauschen"));
    setLanguage("en");
    QCOMPARE(translate("Charts", "noise"), std::string("noise"));
  }

  void numbersAreWrittenAsTheLanguageWritesThem() {
    QCOMPARE(count(1234567), QString("1,234,567"));
    setLanguage("de");
    QCOMPARE(count(1234567), QString("1.234.567"));
    QCOMPARE(readable(12345.5), QString("12.345,5"));
    QCOMPARE(fixed(2.5, 2), QString("2,50"));
    QCOMPARE(significant(0.25, 3), QString("0,25"));
    QCOMPARE(epsText(0.031), QString("0,031"));
    QCOMPARE(duration(1.5), QString("1,50 s"));
    QCOMPARE(percent(0.066), QString("6,6 %"));
    QCOMPARE(percent(1e-9), QString("< 0,01 %"));
    QCOMPARE(percentWithError(0.246, 0.003), QString("24,6 % ± 0,3 %"));
    QCOMPARE(shortestText(0.0008), QString("0,0008"));
    QCOMPARE(shortestText(1234567.5), QString("1234567,5"));
    QCOMPARE(engineList("reference ε 0.5"), QString("Referenz-ε 0,5"));
    // Those of the engine and the charts.
    QCOMPARE(groupedText(1234567), std::string("1.234.567"));
    QCOMPARE(memoryText(3 << 19), std::string("1,5 MiB"));
    QCOMPARE(tickNumber(12345.5), std::string("12.345,5"));
    QCOMPARE(measuredNumber(0.00123), std::string("0,00123"));
    QCOMPARE(ticksWithin(0, 0.4, 3).labels, (std::vector<std::string>{"0,0", "0,2", "0,4"}));
    QCOMPARE(QLocale().toString(0.5), QString("0,5"));
    // What programs read.
    QCOMPARE(plainText(1234567.5), QString("1234567.5"));
    QCOMPARE(roundTripText(0.5), std::string("0.5"));
    setLanguage("en");
    QCOMPARE(groupedText(1234567), std::string("1,234,567"));
    QCOMPARE(percent(0.066), QString("6.6 %"));
  }

  void aPointAndACommaAreTyped() {
    for (const char* code : {"en", "de"}) {
      setLanguage(code);
      QCOMPARE(typedNumber(" 0.5 "), std::optional(0.5));
      QCOMPARE(typedNumber("0,5"), std::optional(0.5));
      QCOMPARE(typedNumber("1.234,5"), std::nullopt);  // no groups
      QCOMPARE(typedNumber("inf"), std::nullopt);
      QCOMPARE(plainList(listText({1, 0.5, 1e-7})), QString("1,0.5,1e-07"));
      QCOMPARE(plainList("1, 1, 0.5"), QString("1,1,0.5"));
      QCOMPARE(plainList("1 ; 0,5"), QString(language() == "de" ? "1,0.5" : "1,0,5"));
      RealSpinBox box;
      box.setLocale(numberLocale());
      box.setDecimals(2);
      for (const char* typed : {"1.25", "1,25"}) {
        box.setValue(0);
        box.selectAll();
        QTest::keyClicks(&box, typed);
        QCOMPARE(box.value(), 1.25);
      }
    }
    QCOMPARE(listText({1, 0.5}), QString("1; 0,5"));
    setLanguage("en");
    QCOMPARE(listText({1, 0.5}), QString("1, 0.5"));
    QCOMPARE(plainList("1,0.5"), QString("1,0.5"));
  }

  void phrasesOfTheEngineAreTranslated() {
    const char* strategy = "tile, cell order, k = 2, 8 threads per point, no REORDER";
    QCOMPARE(engineList(strategy), QString(strategy));
    QCOMPARE(engineList("CPU, 1 thread · 4 ranks"), QString("CPU, 1 thread · 4 ranks"));
    setLanguage("de");
    QCOMPARE(engineList(strategy),
             QString("Kachel, Zellenfolge, k = 2, 8 Threads je Punkt, kein REORDER"));
    QCOMPARE(engineList("CPU, 1 thread · 4 ranks"), QString("CPU, 1 Thread · 4 Ranks"));
    QCOMPARE(engineList("GPU X100 (80 GB)"), QString("GPU X100 (80 GB)"));
    QCOMPARE(engineList(""), QString());
  }

  // The forms of the translation, and in English a text of the source for 1.
  void countsHavePluralForms() {
    for (const char* code : {"en", "de"}) {
      setLanguage(code);
      const bool german = language() == "de";
      QCOMPARE(countedPoints(1), german ? QString("1 Punkt") : QString("1 point"));
      QCOMPARE(countedPoints(0), german ? QString("0 Punkte") : QString("0 points"));
      QCOMPARE(countedRows(12345), german ? QString("12.345 Zeilen") : QString("12,345 rows"));
      QCOMPARE(countedText("Charts", "%1 batches", "1 batch", 1), german ? "1 Batch" : "1 batch");
      QCOMPARE(countedText("Charts", "%1 batches", "1 batch", 4'000'000'001),
               german ? "4.000.000.001 Batches" : "4,000,000,001 batches");
    }
    QCOMPARE(pluralNumber(7), 7);
    QCOMPARE(pluralNumber(4'294'967'295'021) % 100, 21);
  }

  void columnsOfTablesAreTranslated() {
    QCOMPARE(columnWords("noise_percent"), QString("noise [%]"));
    QCOMPARE(columnWords("start_weighted_steps"), QString("start [weighted steps]"));
    QCOMPARE(columnWords("steps"), QString("steps"));
    setLanguage("de");
    QCOMPARE(columnWords("noise_percent"), QString("Rauschen [%]"));
    QCOMPARE(columnWords("index_and_join_median_ms"), QString("Index und Join: Median [ms]"));
    QCOMPARE(columnWords("start_weighted_steps"), QString("Beginn [gewichtete Schritte]"));
    QCOMPARE(columnWords("lane_31"), QString("Lane 31"));
    QCOMPARE(columnWords("adjusted_rand_index_with_a_b.csv"),
             QString("angepasster Rand-Index mit a_b.csv"));
    QVERIFY(!hasColumnWords("my_column"));
    QCOMPARE(columnWords("my_column"), QString("my_column"));
  }

  void valuesAreFilledIn() {
    QCOMPARE(filled("%2 of %1", {"a", "b"}), std::string("b of a"));
    QCOMPARE(filled("100 %, %1%", {"%2"}), std::string("100 %, %2%"));
    QCOMPARE(countedText("Charts", "%1 points", "one", 1), std::string("one"));
    QCOMPARE(countedText("Charts", "%1 points", "one", 1234), std::string("1,234 points"));
  }

  void theMenuKeepsTheChoice() {
    QVERIFY(showWindow({1000, 700}));
    auto* german = window_->findChild<QAction*>("language-de");
    QVERIFY(german && !german->isChecked());
    german->trigger();
    QCOMPARE(chosenLanguage(), QString("de"));
    QVERIFY(window_->messages()->isVisible());
    QVERIFY(showWindow({1000, 700}));
    QVERIFY(window_->findChild<QAction*>("language-de")->isChecked());
    window_->findChild<QAction*>("language-")->trigger();
    QCOMPARE(chosenLanguage(), QString());
  }

  static void addLanguages() {
    QTest::addColumn<QString>("code");
    for (const Language& language : languages())
      if (language.code != "en") QTest::newRow(qPrintable(language.code)) << language.code;
  }

  /// What is not compiled into the window: names for file managers, and what takes a language's
  /// code.
  void otherPlacesKnowTheLanguage_data() { addLanguages(); }
  void otherPlacesKnowTheLanguage() {
    QFETCH(QString, code);
    const auto textOf = [](const QString& path) {
      QFile file(QDir(CLUSTERLOOM_SOURCE_DIR).filePath(path));
      return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    const QString entry = textOf("packaging/clusterloom.desktop");
    for (const char* key : {"GenericName", "Comment", "Keywords"})
      QVERIFY2(entry.contains(QStringLiteral("\n%1[%2]=").arg(QLatin1String(key), code)), key);
    const QString types = textOf("packaging/clusterloom.xml");
    QVERIFY(types.contains("<comment>"));
    QCOMPARE(types.count(QStringLiteral("<comment xml:lang=\"%1\">").arg(code)),
             types.count("<comment>"));
    QVERIFY(textOf("app/cli/command_handout.cpp").contains('"' + code + '"'));
    const QString spelling = textOf(".codespellrc");
    for (const char* pages : {"guide", "lessons"})
      QVERIFY2(spelling.contains(QStringLiteral("*/%1/%2/*").arg(QLatin1String(pages), code)),
               pages);
  }

  // The .ts file as lupdate would write it now: every text of the sources has its translation.
  void everyTextIsTranslated_data() { addLanguages(); }
  void everyTextIsTranslated() {
    QFETCH(QString, code);
    const QTemporaryDir folder;
    const QString fileName = "clusterloom_" + code + ".ts";
    const QString name = "resources/translations/" + fileName;
    const QString copy = folder.filePath(fileName);
    QVERIFY(QFile::copy(QDir(CLUSTERLOOM_SOURCE_DIR).filePath(name), copy));
    QProcess lupdate;
    lupdate.start(CLUSTERLOOM_SOURCE_DIR "/resources/translations/update",
                  {CLUSTERLOOM_LUPDATE, copy});
    QVERIFY2(lupdate.waitForFinished(120000) && lupdate.exitCode() == 0,
             qPrintable(lupdate.errorString() + lupdate.readAllStandardError()));
    QFile file(copy);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString context, source;
    QStringList missing, wrong;
    int texts = 0, ofEngine = 0;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == QLatin1String("name")) {
        context = xml.readElementText();
        // lupdate and the program must agree on it.
        if (!isOwn(context))
          wrong << context + ": not a class of the namespace, as lupdate sees it";
      } else if (xml.name() == QLatin1String("source")) {
        source = xml.readElementText();
      } else if (xml.name() == QLatin1String("translation")) {
        const bool unfinished = xml.attributes().value("type") == QLatin1String("unfinished");
        const QStringList forms = formsOf(xml);
        ++texts;
        ofEngine += context == "Engine";
        if (unfinished || forms.contains(QString()))
          missing << context + ": " + source;
        else if (QString problem = differenceOf(source, forms.last()); !problem.isEmpty())
          wrong << context + ": " + source + " → " + forms.last() + ": " + problem;
      }
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QVERIFY2(missing.isEmpty(),
             qPrintable(QStringLiteral("%1 texts have no translation. Run “ninja -C BUILD "
                                       "update-translations” and fill them in, in %2 (how: "
                                       "README.md beside it):\n%3")
                            .arg(missing.size())
                            .arg(name, missing.join('\n'))));
    QVERIFY2(wrong.isEmpty(), qPrintable(name + ":\n" + wrong.join('\n')));
    QVERIFY(texts > 1000);
    QVERIFY(ofEngine > 150);
  }

  // Everything that a window asks for is found under the context that it asks with.
  void aWindowAsksForNothingElse_data() { addLanguages(); }
  void aWindowAsksForNothingElse() {
    QFETCH(QString, code);
    setLanguage(code);
    QTranslator translator;
    QVERIFY(translator.load(":/translations/clusterloom_" + code + ".qm"));
    Listener listener;
    QVERIFY(QCoreApplication::installTranslator(&listener));
    QVERIFY(showWindow({1200, 800}));
    QVERIFY(openSquares());
    for (const ChartPageKind& chart : chartPages()) {
      window_->charts()->showTab(chart.id);
      QVERIFY(waitUntilSettled(*window_));
    }
    for (const char* name : {"shortcuts", "about", "appearance", "export", "savePicture"}) {
      QAction* action = window_->action(name);
      QVERIFY2(action, name);
      action->trigger();
      QCoreApplication::processEvents();
      for (auto* dialog : window_->findChildren<QDialog*>()) dialog->close();
    }
    LessonWindow lessons;
    lessons.window().show();
    QVERIFY(activate(lessons.window()));
    QCoreApplication::removeTranslator(&listener);
    QStringList missing;
    int own = 0;
    for (const auto& [context, source, note] : listener.asked) {
      if (!isOwn(context) || source.isEmpty()) continue;
      ++own;
      // Parts of a list of the engine may be names, as that of a GPU.
      if (context == "Engine") continue;
      if (translator.translate(context, source, note).isNull()) missing << context + ": " + source;
    }
    QVERIFY2(missing.isEmpty(), qPrintable("No translation in clusterloom_" + code + ".ts of\n" +
                                           missing.join('\n') + "\n(how: README.md there)"));
    QVERIFY2(own > 700, qPrintable(QString::number(own)));
    if (code == "de") QCOMPARE(window_->menuBar()->actions().first()->text(), QString("&Datei"));
  }

  // What the engine names while it runs is marked for translation.
  void textsOfTheEngineAreTranslated() {
    QTranslator german;
    QVERIFY(german.load(":/translations/clusterloom_de.qm"));
    QStringList missing;
    const auto check = [&](const std::string& text) {
      bool number = false;
      const QString name = QString::fromStdString(text);
      name.toInt(&number);
      if (!name.isEmpty() && !number && german.translate("Engine", text.c_str()).isNull())
        missing << name;
    };
    for (const StrategyOption& option : strategyOptions()) {
      for (const auto& text : {option.label, option.help, option.details}) check(text);
      for (const auto& value : option.values) check(value.label);
    }
    for (const FileFormat& format : fileFormats()) check(format.exportTitle);
    QVERIFY2(missing.isEmpty(), qPrintable("mark with translatable(): " + missing.join('\n')));
  }
};

WINDOW_TEST(TestTranslation, std::nullopt);
#include "tst_translation.moc"
