// The letters after Alt: each leads to one place in a window and in a menu, in every language.
#include <QAbstractButton>
#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QtTest>
#include <algorithm>
#include <vector>

#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_player.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/lessons_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/view/cloud_view.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

/// The texts of a window that take a letter with Alt, and its shortcuts with Alt.
QStringList textsOf(const QWidget& window) {
  QStringList texts;
  const auto isOn = [&](const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && widget->window() == &window;
  };
  for (const auto* bar : window.findChildren<QMenuBar*>())
    for (const QAction* menu : bar->actions())
      if (isOn(bar)) texts << menu->text();
  for (const auto* label : window.findChildren<QLabel*>())
    if (label->buddy() != nullptr && isOn(label)) texts << label->text();
  for (const auto* button : window.findChildren<QAbstractButton*>())
    if (isOn(button)) texts << button->text();
  for (const QAction* action : window.actions())
    for (const QKeySequence& key : action->shortcuts())
      if (key.count() == 1 && key[0].keyboardModifiers() == Qt::AltModifier &&
          key[0].key() <= Qt::Key_Z)
        texts << QLatin1Char('&') + QString(QChar(int(key[0].key()))) + action->text();
  return texts;
}

/// The letters that several of these texts take, with the texts; empty: none.
QString shared(const QStringList& texts) {
  QMap<QString, QString> taken;
  QStringList found;
  for (const QString& text : texts) {
    const QString letter = QKeySequence::mnemonic(text).toString();
    if (letter.isEmpty()) continue;
    if (taken.contains(letter)) found << letter + ": " + taken.value(letter) + ", " + text;
    taken[letter] = text;
  }
  return found.join('\n');
}

/// The same in a menu and in those that it opens; `menus` counts them.
QString sharedInMenus(const QList<QAction*>& actions, int& menus) {
  ++menus;
  QStringList texts;
  QString found;
  for (const QAction* action : actions) {
    texts << action->text();
    if (action->menu() != nullptr) found += sharedInMenus(action->menu()->actions(), menus);
  }
  return shared(texts) + found;
}

}  // namespace

class TestLetters : public QObject, ShownWindow {
  Q_OBJECT

  static void languagesAsRows() {
    QTest::addColumn<QString>("language");
    for (const Language& language : languages())
      QTest::newRow(qPrintable(language.code)) << language.code;
  }
  QStringList found_;  ///< by `check`
  void check(const QWidget& window, const QString& what) {
    const QString found = shared(textsOf(window));
    if (!found.isEmpty() && !found_.contains(found)) found_ << what + ": " + found;
  }

 private Q_SLOTS:
  void init() { found_.clear(); }
  void cleanup() {
    closeWindow();
    setLanguage("en");
  }

  void theWindow_data() { languagesAsRows(); }
  void theWindow() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1400, 1000}));
    // What a message can offer, on the start page and beside each chart.
    const std::vector<const char*> offers{"Show f&older",     "Rest&ore",
                                          "Skip these r&ows", "Read &one row of %1",
                                          "Import &options…", "Cl&ose now"};
    const auto checkWithMessages = [&](const QString& what) {
      for (const char* offer : offers) {
        const QString text = MainWindow::tr(offer);
        QVERIFY2(language == "en" || text != QString::fromUtf8(offer), offer);
        window_->messages()->showMessage(MessageBar::Kind::Warning, "message", text);
        check(*window_, what);
      }
      window_->messages()->hide();
    };
    checkWithMessages("start page");
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 500, 4, 1};  // with a choice of axes
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->engine()->setExpanded(true);
    session_->setPickedPoint(3);
    for (const ChartPageKind& chart : chartPages()) {
      window_->charts()->showTab(chart.id);
      checkWithMessages(chart.name);
    }
    QVERIFY2(found_.isEmpty(), qPrintable(found_.join('\n')));
    QVERIFY(textsOf(*window_).filter(QStringLiteral("&")).size() > 15);
  }

  void dialogs_data() { languagesAsRows(); }
  void dialogs() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1400, 1000}));
    QVERIFY(openSquares());
    session_->setSelectedClusters({0});
    for (const char* action :
         {"export", "shortcuts", "about", "savePicture", "appearance", "clusterSelection"}) {
      window_->action(action)->trigger();
      const auto dialogs = window_->findChildren<QDialog*>();
      QVERIFY2(dialogs.size() == 1, action);
      check(*dialogs.front(), action);
      if (auto* exporting = qobject_cast<ExportDialog*>(dialogs.front()))
        for (const auto what : {ExportChoice::What::ClusterTable, ExportChoice::What::Picture}) {
          exporting->setWhat(what);
          check(*exporting, "export of another kind");
        }
      dialogs.front()->close();
      QVERIFY(waitUntil([&] { return !window_->findChild<QDialog*>(); }));
    }
    window_->showImportDialog(path("squares.csv"), {});
    auto* import = window_->findChild<ImportDialog*>();
    QVERIFY(import != nullptr);
    check(*import, "import");
    QVERIFY2(found_.isEmpty(), qPrintable(found_.join('\n')));
  }

  void lessons_data() { languagesAsRows(); }
  void lessons() {
    QFETCH(const QString, language);
    setLanguage(language);
    LessonWindow lessons;
    MainWindow& window = lessons.window();
    window.resize(1400, 1000);
    window.show();
    QVERIFY(activate(window));
    window.engine()->setExpanded(true);
    LessonPlayer* player = &lessons.player();
    for (const QString& lesson : shippedLessons()) {
      lessons.lessons()->openFile(lesson);
      // Until then the welcome page is shown, with letters of its own.
      QVERIFY(waitUntil([&] { return window.cloudView()->isVisible(); }, 20'000));
      for (int step = 0; step < int(player->lesson()->steps.size()); ++step) {
        player->goTo(step);
        check(window, QString("%1, step %2").arg(lesson).arg(step));
        lessons.lessons()->revealAnswer();
        check(window, QString("%1, answer of step %2").arg(lesson).arg(step));
      }
    }
    QVERIFY2(found_.isEmpty(), qPrintable(found_.join('\n')));
    int menus = 0;
    const QString found = sharedInMenus(window.menuBar()->actions(), menus);
    QVERIFY2(found.isEmpty(), qPrintable(found));
    // Alt+L opens the menu of the lesson.
    const QList<QAction*> bar = window.menuBar()->actions();
    const auto lesson = std::find_if(bar.begin(), bar.end(), [](const QAction* menu) {
      return menu->menu()->actions().front()->objectName() == "lessonStepBack";
    });
    QVERIFY(lesson != bar.end());
    QTest::keyClick(&window, Qt::Key_L, Qt::AltModifier);
    QVERIFY(waitUntil([&] { return (*lesson)->menu()->isVisible(); }));
    (*lesson)->menu()->close();
  }

  void menus_data() { languagesAsRows(); }
  void menus() {
    QFETCH(const QString, language);
    setLanguage(language);
    QVERIFY(showWindow({1000, 700}));
    QVERIFY(openSquares());
    int menus = 0;
    QString found = sharedInMenus(window_->menuBar()->actions(), menus);
    QVERIFY2(found.isEmpty(), qPrintable(found));
    QVERIFY(menus > 8);
    Q_EMIT window_->cloudView()->menuRequested(window_->mapToGlobal(QPoint(300, 300)));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    found = sharedInMenus(menu->actions(), menus);
    menu->close();
    QVERIFY2(found.isEmpty(), qPrintable(found));
  }
};

WINDOW_TEST(TestLetters);
#include "tst_letters.moc"
