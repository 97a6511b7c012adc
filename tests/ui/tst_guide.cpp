// The user's guide: its contents exist, its commands work, and it is used by keyboard.
#include <QAction>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTreeWidget>
#include <QtTest>

#include "tests/io/npz_archive.h"
#include "tests/paper_files.h"
#include "ui/guide/ego_picture.h"
#include "ui/guide/guide_pages.h"
#include "ui/guide/guide_view.h"
#include "ui/guide/guide_window.h"
#include "ui/theme/theme.h"
#include "ui/words/language.h"
#include "window_help.h"

using namespace clusterloom;

namespace {

const GuidePage* pageNamed(const QString& name) {
  for (const GuidePage& page : guidePages()) {
    if (page.name == name) return &page;
  }
  return nullptr;
}

/// The calls of a program that the guide shows in code, in reading order.
QStringList callsOf(const QString& program) {
  QStringList calls;
  const QRegularExpression call(
      QStringLiteral("(?:^|`)(%1 [^`\\n]+)").arg(QRegularExpression::escape(program)),
      QRegularExpression::MultilineOption);
  for (const GuidePage& page : guidePages()) {
    for (auto found = call.globalMatch(page.markdown); found.hasNext();) {
      calls << found.next().captured(1).trimmed();
    }
  }
  return calls;
}

struct Output {
  int status = -1;
  QString text;
};

Output runProgram(const QString& program, const QStringList& arguments, const QString& folder) {
  QProcess process;
  process.setWorkingDirectory(folder);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.setStandardInputFile(QProcess::nullDevice());
  process.start(program, arguments);
  if (!process.waitForFinished(120000)) return {};
  return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

/// The distances of 60 points on a line, as SciPy saves them.
void writeDistances(const QString& path) {
  constexpr int kPoints = 60;
  testing::SparseRowsOf matrix;
  for (int p = 0; p <= kPoints; ++p) matrix.starts.push_back(std::int64_t{p} * kPoints);
  for (int i = 0; i < kPoints * kPoints; ++i) {
    matrix.ids.push_back(i % kPoints);
    matrix.values.push_back(0.1 * std::abs(i / kPoints - i % kPoints));
  }
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray::fromStdString(testing::sparseNpz(matrix)));
}

/// The texts of a menu's actions and of those below it, without marks: "View ▸ Colour by".
void collectMenu(const QMenu& menu, const QString& path, QStringList& paths) {
  for (const QAction* action : menu.actions()) {
    const QString text = action->text().remove(QLatin1Char('&'));
    if (text.isEmpty()) continue;
    const QString here = path + QStringLiteral(" ▸ ") + text;
    paths << here;
    if (action->menu()) collectMenu(*action->menu(), here, paths);
  }
}

/// From 0, black, to 1, white.
double brightness(const QImage& picture) {
  double sum = 0;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) sum += qGray(picture.pixel(x, y));
  }
  return sum / (255.0 * picture.width() * picture.height());
}

/// The formats of the pictures on show.
QList<QTextImageFormat> picturesOf(const GuideView& view) {
  QList<QTextImageFormat> formats;
  for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextCharFormat format = it.fragment().charFormat();
      if (format.isImageFormat()) formats << format.toImageFormat();
    }
  }
  return formats;
}

}  // namespace

class TestGuide : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { applyTheme(*qApp, ThemeChoice::Light); }

  void everyPageIsInTheContents() {
    QVERIFY(guidePages().size() >= 8);
    QStringList names;
    for (const GuidePage& page : guidePages()) {
      QVERIFY2(!page.title.isEmpty(), qPrintable(page.name));
      QVERIFY2(page.text.size() > 300, qPrintable(page.name));
      names << page.name;
    }
    int files = 0;
    for (QDirIterator it(QStringLiteral(":/guide"), {QStringLiteral("*.md")}); it.hasNext();) {
      ++files;
      const QString name = QFileInfo(it.next()).completeBaseName();
      QVERIFY2(names.contains(name), qPrintable(name));
    }
    QCOMPARE(files, int(names.size()));
  }

  void linksAndPicturesResolve() {
    int links = 0, pictures = 0;
    QSet<QString> shown;
    for (const GuidePage& page : guidePages()) {
      QTextDocument document;
      document.setMarkdown(page.markdown);
      for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it) {
          const QTextCharFormat format = it.fragment().charFormat();
          if (format.isImageFormat()) {
            const QUrl url = guideUrl(page.name).resolved(QUrl(format.toImageFormat().name()));
            // For light windows and for dark ones, of one size.
            const QString paths[] = {guidePicture(url, false), guidePicture(url, true)};
            QVERIFY(paths[0] != paths[1]);
            QCOMPARE(QImage(paths[0]).size(), QImage(paths[1]).size());
            for (const QString& path : paths) {
              QVERIFY2(!QImage(path).isNull(), qPrintable(path));
              QVERIFY2(QFileInfo(path).size() <= 150 * 1024, qPrintable(path));
              shown << path;
            }
            QVERIFY2(brightness(QImage(paths[0])) > 0.6, qPrintable(paths[0]));
            QVERIFY2(brightness(QImage(paths[1])) < 0.4, qPrintable(paths[1]));
            ++pictures;
          } else if (format.isAnchor()) {
            const QUrl url = guideUrl(page.name).resolved(QUrl(format.anchorHref()));
            QVERIFY2(pageNamed(guidePageName(url)) || interactivePictureName(url) == "ego-join",
                     qPrintable(page.name + ": " + url.toString()));
            ++links;
          }
        }
      }
    }
    QVERIFY(links >= 15);
    QVERIFY(pictures >= 11);
    // Every picture is used by a page.
    for (QDirIterator it(QStringLiteral(":/guide/pictures")); it.hasNext();) {
      const QString path = it.next();
      QVERIFY2(shown.contains(path), qPrintable(path));
    }
  }

  void everyCallWorks() {
#ifndef CLUSTERLOOM_CLI
    QSKIP("built without clusterloom-cli");
#else
    const QTemporaryDir folder;
    writePaperFiles(folder.path());
    writeDistances(folder.filePath(QStringLiteral("distances.npz")));
    QStringList calls = callsOf(QStringLiteral("clusterloom-cli"));
    calls.erase(std::remove_if(calls.begin(), calls.end(),
                               [](const QString& call) { return call.contains(u'$'); }),
                calls.end());
    QVERIFY(calls.size() >= 15);
    // Clouds first: pages are read in any order.
    std::stable_partition(calls.begin(), calls.end(),
                          [](const QString& call) { return call.contains(" generate "); });
    calls.removeDuplicates();
    QString all;
    for (const QString& call : calls) {
      const QStringList words = call.split(u' ', Qt::SkipEmptyParts);
      const Output output = runProgram(CLUSTERLOOM_CLI, words.mid(1), folder.path());
      QVERIFY2(output.status == 0, qPrintable(call + "\n" + output.text));
      all += output.text;
    }
    for (const char* name : {"labelled.csv", "clusters.csv", "labels.npy", "shapes.png",
                             "counts.npy", "pairs.npy", "distances.csv", "warps.csv"}) {
      QVERIFY2(QFileInfo(folder.filePath(name)).size() > 0, name);
    }
    // The output that the page shows.
    const QRegularExpression block(QStringLiteral("```\\n(points .*?)```"),
                                   QRegularExpression::DotMatchesEverythingOption);
    const QString printed = block.match(pageNamed("batch")->markdown).captured(1);
    QVERIFY(printed.contains("clusters"));
    for (const QString& line : printed.split(u'\n', Qt::SkipEmptyParts)) {
      QVERIFY2(all.contains(line), qPrintable(line));
    }
    for (const char* figure : {"23.6 %", "73.6 %"}) {
      QVERIFY(pageNamed("batch")->markdown.contains(figure));
      QVERIFY2(all.contains(QString(figure) + " of lanes active"), figure);
    }
    // "ε 0.6 gives 70 clusters, ε 1.5 the eight shapes, ε 4 only four"
    QVERIFY(pageNamed("choosing")->markdown.contains("ε 0.6 gives 70 clusters"));
    for (const auto& [eps, clusters] :
         {std::pair{"0.6", 70}, std::pair{"1.5", 8}, std::pair{"4", 4}}) {
      const Output output = runProgram(
          CLUSTERLOOM_CLI, {"cluster", "shapes.csv", "--eps", eps, "--min-pts", "10", "--json"},
          folder.path());
      QVERIFY2(output.text.contains(QString("\"clusters\":%1,").arg(clusters)), eps);
    }
#endif
  }

  void optionsOfTheWindowExist() {
#ifndef CLUSTERLOOM_WINDOW
    QSKIP("built without the window program");
#else
    const QString help = runProgram(CLUSTERLOOM_WINDOW, {"--help"}, QDir::tempPath()).text;
    const QStringList calls = callsOf(QStringLiteral("clusterloom"));
    QVERIFY(!calls.isEmpty());
    for (const QString& call : calls) {
      for (const QString& word : call.split(u' ', Qt::SkipEmptyParts)) {
        if (word.startsWith("--")) QVERIFY2(help.contains(word + ' '), qPrintable(word));
      }
    }
#endif
  }

  void menusAreNamedAsTheyAre_data() {
    QTest::addColumn<QString>("menus");
    QTest::newRow("en") << "File|Edit|Selection|View|Help";
    QTest::newRow("de") << "Datei|Bearbeiten|Auswahl|Ansicht|Hilfe";
  }
  void menusAreNamedAsTheyAre() {
    QFETCH(const QString, menus);
    setLanguage(QTest::currentDataTag());
    const auto english = qScopeGuard([] { setLanguage("en"); });
    Session session;
    const MainWindow window(session, MainWindow::Memory::Forget);
    QStringList paths;
    for (const QAction* top : window.menuBar()->actions()) {
      collectMenu(*top->menu(), top->text().remove(QLatin1Char('&')), paths);
    }
    const QRegularExpression named(QStringLiteral("\\*\\*((?:%1) ▸ [^*]+)\\*\\*").arg(menus));
    const QString colourBy = MainWindow::tr("&Colour by").remove(QLatin1Char('&'));
    int seen = 0;
    for (const GuidePage& page : guidePages()) {
      for (auto found = named.globalMatch(page.markdown); found.hasNext();) {
        const QString path = found.next().captured(1);
        const bool is = std::any_of(paths.begin(), paths.end(), [&](const QString& has) {
          // Text in brackets after a name explains it; colours come with the data.
          return has == path || has.startsWith(path + QStringLiteral(" (")) ||
                 (path.startsWith(has) && has.endsWith(colourBy));
        });
        QVERIFY2(is, qPrintable(page.name + ": " + path));
        ++seen;
      }
    }
    QVERIFY(seen >= 10);
  }

  void f1OpensTheWindow() {
    Session session;
    MainWindow window(session, MainWindow::Memory::Forget);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(!window.findChild<GuideWindow*>());
    window.activateWindow();
    QTest::keyClick(&window, Qt::Key_F1);
    auto* guide = window.findChild<GuideWindow*>();
    QVERIFY(guide);
    QVERIFY(QTest::qWaitForWindowExposed(guide));
    QVERIFY(guide->isWindow());
    QCOMPARE(guide->page(), QStringLiteral("index"));
    guide->close();
    window.action("guide")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(guide->isVisible(), 60000);
    QCOMPARE(window.findChildren<GuideWindow*>().size(), 1);
  }

  void contentsByKeyboard() {
    GuideWindow guide;
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    QVERIFY(guide.contents()->hasFocus() || guide.contents() == guide.focusWidget());
    shot(&guide, "guide-index");
    // Past the start page and its sections to the second page.
    for (int i = 0; i < 20 && guide.page() == "index"; ++i)
      QTest::keyClick(guide.contents(), Qt::Key_Down);
    QCOMPARE(guide.page(), guidePages()[1].name);
    QVERIFY2(guide.windowTitle().contains(guidePages()[1].title), qPrintable(guide.windowTitle()));
    // Its third section.
    for (int i = 0; i < 3; ++i) QTest::keyClick(guide.contents(), Qt::Key_Down);
    QCOMPARE(guide.page(), guidePages()[1].name);
    QCOMPARE(guide.view()->textCursor().block().text(), guidePages()[1].sections[2]);
    QVERIFY(guide.view()->cursorRect().top() < guide.view()->viewport()->height() / 3);
    QTest::keyClick(&guide, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(guide.page(), QStringLiteral("index"));
    QCOMPARE(guide.contents()->currentItem()->text(0), guidePages()[0].title);
    QTest::keyClick(&guide, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(guide.page(), guidePages()[1].name);
  }

  // The link to the picture of the EGO-join opens it; what it says is what it shows.
  void theEgoJoinIsShown() {
    GuideWindow guide;
    guide.showPage("engine");
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    // The link as the keyboard reaches and follows it.
    guide.view()->setFocus();
    const auto link = [&] { return guide.view()->textCursor().charFormat().anchorHref(); };
    for (int i = 0; i < 100 && link() != "ego-join.picture"; ++i)
      QTest::keyClick(guide.view(), Qt::Key_Tab);
    QCOMPARE(link(), QString("ego-join.picture"));
    QTest::keyClick(guide.view(), Qt::Key_Return);
    QCOMPARE(guide.page(), QString("engine"));
    auto* picture = guide.findChild<EgoPictureWindow*>();
    QVERIFY(picture && QTest::qWaitForWindowExposed(picture));
    EgoPictureView* view = picture->view();
    const auto share = [&] { return double(view->comparedPairs()) / double(view->allPairs()); };
    std::uint64_t compared = 0;
    for (const EgoPair& pair : view->pairs()) {
      const std::uint64_t pairs = std::uint64_t{view->index().sequences[pair.a].size()} *
                                  view->index().sequences[pair.b].size();
      if (pair.compared) compared += pair.a == pair.b ? pairs : 2 * pairs;
    }
    QCOMPARE(view->comparedPairs(), compared);
    const double few = share();
    QVERIFY(few > 0.05 && few < 0.9);
    QVERIFY(picture->summary().contains(QLocale().toString(qulonglong(compared))));
    // A larger ε prunes less, the largest nothing.
    const QImage before = view->grab().toImage();
    picture->slider()->setValue(20);
    QVERIFY(share() > few);
    QVERIFY(view->grab().toImage() != before);
    picture->slider()->setValue(picture->slider()->maximum());
    QCOMPARE(view->comparedPairs(), view->allPairs());
    // By the keys: from the first sequence with itself to one that is pruned from it.
    picture->slider()->setValue(8);
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Right);
    QVERIFY(view->picked() && view->picked()->a == view->picked()->b);
    for (int i = 0; i < 40; ++i) QTest::keyClick(view, Qt::Key_Right);
    QVERIFY(view->picked() && !view->picked()->compared);
    QVERIFY2(picture->summary().contains("more than one apart"), qPrintable(picture->summary()));
    QVERIFY(view->accessibleDescription().contains("more than one apart"));
    shot(picture, "ego_picture");
    QTest::keyClick(picture, Qt::Key_Escape);
    QVERIFY(!picture->isVisible());
  }

  void linksAreFollowedByKeyboard() {
    GuideWindow guide;
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    guide.view()->setFocus();
    QTest::keyClick(guide.view(), Qt::Key_Tab);
    QTest::keyClick(guide.view(), Qt::Key_Return);
    QCOMPARE(guide.page(), guidePages()[1].name);
  }

  void searchGoesThroughAllPages() {
    GuideWindow guide;
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    QTest::keyClick(&guide, Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(guide.focusWidget(), guide.searchBox());
    QTest::keyClicks(guide.searchBox(), "Without PARTS smaller");
    QCOMPARE(guide.page(), QStringLiteral("index"));  // typing alone leaves the page
    QTest::keyClick(guide.searchBox(), Qt::Key_Return);
    QCOMPARE(guide.page(), QStringLiteral("glossary"));
    QCOMPARE(guide.view()->textCursor().selectedText().toLower(), QString("without parts smaller"));
    shot(&guide, "guide-search");

    // Every place once, then round to the first again.
    guide.searchBox()->setText("WORKQUEUE");
    int places = 0;
    for (const GuidePage& page : guidePages())
      places += int(page.text.count("WORKQUEUE", Qt::CaseInsensitive));
    QVERIFY(places >= 5);
    QVERIFY(guide.searchNote()->text().contains(QString::number(places)));
    QTest::keyClick(guide.searchBox(), Qt::Key_Return);
    const auto place = [&] {
      return std::pair{guide.page(), guide.view()->textCursor().selectionStart()};
    };
    std::set<std::pair<QString, int>> seen;
    const auto first = place();
    for (int i = 0; i < places; ++i) {
      QVERIFY(seen.insert(place()).second);
      QTest::keyClick(guide.searchBox(), Qt::Key_Return);
    }
    QVERIFY(place() == first);
    // And back.
    QTest::keyClick(guide.searchBox(), Qt::Key_Return, Qt::ShiftModifier);
    QVERIFY(seen.count(place()) == 1 && place() != first);

    // Every place is listed; a click shows its page and selects the words there.
    QListWidget* results = guide.searchResults();
    QVERIFY(results->isVisible());
    QCOMPARE(results->count(), places);
    shot(&guide, "guide-results");
    const QListWidgetItem* last = results->item(results->count() - 1);
    QVERIFY(last->text().contains("WORKQUEUE", Qt::CaseInsensitive));
    QTest::mouseClick(results->viewport(), Qt::LeftButton, {},
                      results->visualItemRect(results->item(0)).center());
    const QString firstPage = guide.page();
    results->setCurrentRow(results->count() - 1);
    QVERIFY(guide.page() != firstPage);
    QCOMPARE(guide.view()->textCursor().selectedText().toUpper(), QString("WORKQUEUE"));
    QVERIFY(!guide.view()->findOnPage("WORKQUEUE", false, false));  // it is the last of its page
    guide.searchBox()->setFocus();
    QTest::keyClick(guide.searchBox(), Qt::Key_Down);
    QCOMPARE(guide.focusWidget(), results);

    guide.searchBox()->setText("no such words");
    QVERIFY(!results->isVisible());
    QVERIFY(guide.searchNote()->text().contains("not"));
    guide.searchBox()->setFocus();
    QTest::keyClick(guide.searchBox(), Qt::Key_Escape);
    QCOMPARE(guide.focusWidget(), guide.view());
  }

  void picturesFitTheWindow() {
    GuideWindow guide;
    guide.showPage("load-lab");
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    for (const QSize size : {QSize(1300, 800), QSize(760, 600), QSize(1080, 760)}) {
      guide.resize(size);
      QTRY_COMPARE_WITH_TIMEOUT(guide.size(), size, 60000);
      QApplication::processEvents();
      const auto formats = picturesOf(*guide.view());
      QVERIFY(formats.size() >= 2);
      for (const QTextImageFormat& format : formats) {
        const int width = int(format.width());
        QVERIFY(width > 150);
        QVERIFY2(width < guide.view()->viewport()->width(), qPrintable(QString::number(width)));
      }
    }
  }

  /// Also those on show while the theme changes, with the page where it was.
  void picturesFollowTheTheme() {
    GuideWindow guide;
    guide.showPage("load-lab");
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    guide.view()->scrollToSection(3);
    const int place = guide.view()->verticalScrollBar()->value();
    QVERIFY(place > 0);
    for (const bool dark : {false, true, false}) {
      applyTheme(*qApp, dark ? ThemeChoice::Dark : ThemeChoice::Light);
      int pictures = 0;
      for (const QTextImageFormat& format : picturesOf(*guide.view())) {
        const QString name = format.name();
        const auto drawn = guide.view()
                               ->document()
                               ->resource(QTextDocument::ImageResource, QUrl(name))
                               .value<QPixmap>();
        const double is = brightness(drawn.toImage());
        QVERIFY2(dark ? is < 0.4 : is > 0.6, qPrintable(QString("%1: %2").arg(name).arg(is)));
        ++pictures;
      }
      QVERIFY(pictures >= 4);
      QCOMPARE(guide.view()->verticalScrollBar()->value(), place);
    }
  }

  /// A page is laid out a few times while its theme changes, not after each change of its formats.
  void isLaidOutSeldom() {
    GuideWindow guide;
    guide.showPage("batch");
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    const QTextDocument& document = *guide.view()->document();
    QVERIFY(document.blockCount() > 100);
    const QSignalSpy layouts(&document, &QTextDocument::contentsChange);
    applyTheme(*qApp, ThemeChoice::Dark);
    QVERIFY2(layouts.size() > 0 && layouts.size() < 20,
             qPrintable(QString::number(layouts.size())));
    applyTheme(*qApp, ThemeChoice::Light);
    const QSignalSpy changes(&document, &QTextDocument::contentsChange);
    guide.showPage("python");
    QVERIFY(document.blockCount() > 100);
    QVERIFY2(changes.size() > 0 && changes.size() < 20,
             qPrintable(QString::number(changes.size())));
  }

  void followsTheTheme() {
    GuideWindow guide;
    guide.showPage("batch");
    guide.show();
    QVERIFY(QTest::qWaitForWindowExposed(&guide));
    QImage pictures[2];
    for (const bool dark : {false, true}) {
      applyTheme(*qApp, dark ? ThemeChoice::Dark : ThemeChoice::Light);
      QCOMPARE(isDark(guide.view()->palette()), dark);
      for (const GuidePage& page : guidePages()) {
        guide.showPage(page.name);
        shot(&guide, qPrintable(QString("guide-%1-%2").arg(page.name, dark ? "dark" : "light")));
      }
      guide.showPage("batch");
      pictures[dark] = guide.view()->viewport()->grab().toImage();
      const QColor text = guide.view()->palette().color(QPalette::Text);
      const QColor base = guide.view()->palette().color(QPalette::Base);
      QVERIFY(pixelsLike(pictures[dark], base.rgb(), 4) > pictures[dark].width() * 100);
      QVERIFY(pixelsLike(pictures[dark], text.rgb(), 60) > 300);
      // Links in the theme's colour, not in the one the page was read with.
      const QTextDocument* document = guide.view()->document();
      for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it) {
          const QTextCharFormat format = it.fragment().charFormat();
          if (!format.isAnchor()) continue;
          QCOMPARE(format.foreground().color(), guide.view()->palette().color(QPalette::Link));
        }
      }
    }
    QVERIFY(differingPixels(pictures[0], pictures[1]) > 10000);
    applyTheme(*qApp, ThemeChoice::Light);
  }
};

WINDOW_TEST(TestGuide, std::nullopt);
#include "tst_guide.moc"
