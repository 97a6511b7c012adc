// What a screen reader is told while an analyst works by the keyboard: opening, importing, ε,
// minPts, a run, stopping it, hiding, a chart as a table, exporting, a lesson. In English and in
// German.
#include <QAccessible>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include "holding_backend.h"
#include "observer.h"
#include "render/charts/chart.h"
#include "shown_window.h"
#include "typed_keys.h"
#include "ui/charts/chart_table.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/appearance_dialog.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/lessons_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/every_eps.h"
#include "ui/view/announcer.h"
#include "ui/view/chart_view.h"
#include "ui/words/language.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

namespace {

QString nameOf(QObject* object) {
  QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(object);
  return interface != nullptr ? interface->text(QAccessible::Name) : QString();
}

}  // namespace

class TestAnnouncements : public QObject, ShownWindow {
  Q_OBJECT

  std::shared_ptr<Hold> hold_;

  bool show() {
    hold_ = std::make_shared<Hold>();
    if (!showWindow({1400, 900}, {}, holdingBackends(hold_))) return false;
    session_->everyEps().setEnabled(false);  // or there would be nothing to wait for
    return true;
  }
  /// Visible widgets of a window whose name shows the letter after Alt.
  static QStringList namesWithAmpersand(const QWidget& window) {
    QStringList found;
    static const QRegularExpression letter("&[^\\s&]");
    for (QWidget* widget : window.findChildren<QWidget*>())
      if (widget->isVisible() && nameOf(widget).contains(letter)) found << nameOf(widget);
    return found;
  }

  void importTheSquares(Observer& observer, const QStringList& words) {
    // Open and import: without a coordinate it says why there is nothing to open, then what it is.
    const QString cloud = writeSquares(directory_->path());
    press(Qt::Key_O, Qt::ControlModifier);
    QVERIFY(activeDialog<QFileDialog>() != nullptr);
    type(cloud);
    press(Qt::Key_Return);
    auto* import = activeDialog<ImportDialog>();
    QVERIFY(import != nullptr);
    QVERIFY(tabTo(import->findChild<QPushButton*>("allIgnored")));
    press(Qt::Key_Space);
    QVERIFY(observer.hears(words[0]));
    press(Qt::Key_Return);
    QVERIFY(observer.hears(words[0]));
    QVERIFY(import->isVisible());
    QVERIFY(tabTo(import->findChild<QPushButton*>("allCoordinates")));
    press(Qt::Key_Space);
    press(Qt::Key_Return);
    QVERIFY(isBack());
    QVERIFY(observer.hears(words[1]));
  }

  void readAChart() {
    // A chart as a table, whose name says of which chart.
    press(Qt::Key_G, Qt::ControlModifier);
    QVERIFY(waitUntil(
        [&] { return QApplication::focusWidget() == window_->charts()->tabs()->tabBar(); }));
    ChartView* chart = window_->charts()->view(ChartId::KDistance);
    QVERIFY(tabTo(chart));
    QVERIFY(waitUntil([&] { return !chart->chart().isEmpty(); }));
    press(Qt::Key_Return);
    auto* values = activeDialog<ChartTableDialog>();
    QVERIFY(values != nullptr);
    QVERIFY(!nameOf(values->table()).isEmpty());
    press(Qt::Key_Escape);
    QVERIFY(isBack());
  }

 private Q_SLOTS:
  void cleanup() {
    if (hold_) hold_->held = false;
    closeWindow();
    setLanguage("en");
  }

  void theAnalystsPath_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("en") << "en"
                        << QStringList{"Choose at least one column",
                                       "squares.csv: 804 points",
                                       "2 clusters, %1 noise",
                                       "ε must be a number above 0",
                                       "Clustering 804 points",
                                       "Stopped; showing the result",
                                       "1 cluster and noise hidden",
                                       "All clusters shown",
                                       "Wrote",
                                       "Step 1 of",
                                       "Step 2 of",
                                       "hidden",
                                       "shown"};
    QTest::newRow("de") << "de"
                        << QStringList{"Mindestens eine Spalte",
                                       "squares.csv: 804 Punkte",
                                       "2 Cluster, %1 Rauschen",
                                       "ε ist eine Zahl über 0",
                                       "804 Punkte",
                                       "ngehalten",
                                       "1 Cluster und Rauschen ausgeblendet",
                                       "Alle Cluster eingeblendet",
                                       "labels.csv",
                                       "Schritt 1 von",
                                       "Schritt 2 von",
                                       "ausgeblendet",
                                       "eingeblendet"};
  }
  void theAnalystsPath() {
    QFETCH(QString, language);
    QFETCH(QStringList, words);
    setLanguage(language);
    QVERIFY(show());
    Observer observer;
    const QString found = words[2].arg(percent(4 / 804.0));

    importTheSquares(observer, words);
    if (QTest::currentTestFailed()) return;

    // ε and minPts: the result, and what is wrong with a word.
    QVERIFY(waitUntilSettled(*window_));
    press(Qt::Key_L, Qt::ControlModifier);
    type("x");
    press(Qt::Key_Return);
    QVERIFY(observer.hears(words[3]));
    press(Qt::Key_L, Qt::ControlModifier);
    type("1.5");
    press(Qt::Key_Return);
    QVERIFY(observer.hears(found));
    press(Qt::Key_M, Qt::ControlModifier);
    type("5");
    press(Qt::Key_Return);
    QVERIFY(observer.hears(found));
    QVERIFY(waitUntilSettled(*window_));

    // A run that takes longer says that it is under way; stopped and run again.
    hold_->held = true;
    press(Qt::Key_L, Qt::ControlModifier);
    type("1.6");
    press(Qt::Key_Return);
    QVERIFY(observer.hears(words[4]));
    press(Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(observer.hears(words[5]));
    hold_->held = false;
    press(Qt::Key_F5);
    QVERIFY(observer.hears(found));
    QVERIFY(waitUntilSettled(*window_));

    // Hiding and showing: in words, and by the rows.
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTableView* table = window_->clusters()->table();
    QVERIFY(waitUntil([&] { return QApplication::focusWidget() == table; }));
    session_->setSelectedClusters({0});
    const auto label = [&](int row) {
      return QAccessible::queryAccessibleInterface(table)->tableInterface()->cellAt(row, 1)->text(
          QAccessible::Name);
    };
    press(Qt::Key_H);
    QVERIFY(observer.hears(words[6]));
    QVERIFY2(label(0).endsWith(words[11]), qPrintable(label(0)));  // noise
    QVERIFY2(label(1).endsWith(words[11]) != label(2).endsWith(words[11]), qPrintable(label(1)));
    press(Qt::Key_H, Qt::ShiftModifier);
    QVERIFY(observer.hears(words[7]));
    for (const int row : {0, 1, 2})
      QVERIFY2(label(row).endsWith(words[12]), qPrintable(label(row)));

    readAChart();
    if (QTest::currentTestFailed()) return;

    // Exporting: the message, and the way to its button, which repeats it.
    press(Qt::Key_E, Qt::ControlModifier);
    auto* exporting = activeDialog<ExportDialog>();
    QVERIFY(exporting != nullptr);
    auto* path = exporting->findChild<QLineEdit*>("exportPath");
    QVERIFY(tabTo(path));
    press(Qt::Key_A, Qt::ControlModifier);
    type(directory_->filePath("labels.csv"));
    press(Qt::Key_Return);
    QVERIFY(isBack());
    QVERIFY(observer.hears(words[8]));
    press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    QWidget* const button = window_->messages()->actionButton();
    QVERIFY(waitUntil([&] { return QApplication::focusWidget() == button; }));
    QVERIFY2(button->accessibleDescription().contains("labels.csv"),
             qPrintable(button->accessibleDescription()));

    // The first lesson, and its second step.
    press(Qt::Key_F1, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return window_->lessonWindow() != nullptr; }));
    QVERIFY(activate(*window_->lessonWindow()));
    QVERIFY(observer.hears(words[9]));
    press(Qt::Key_Right, Qt::AltModifier);
    QVERIFY(observer.hears(words[10]));
    window_->lessonWindow()->close();
  }

  /// What follows each other fast is summed up by the last; an error does not wait.
  void notMoreThanOneASecond() {
    QVERIFY(show());
    QTest::qWait(1100);  // what the window said when it opened delays nothing any more
    Observer observer;
    Announcer& announcer = Announcer::ofApplication();
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < 20; ++i) {
      if (i > 0) QTest::qWait(30);  // none after the last one: its time may come then
      announcer.say(*window_, Announcer::Topic::Run, QString("value %1").arg(i));
    }
    announcer.say(*window_, Announcer::Topic::Error, "wrong");
    QCOMPARE(observer.said.back(), QString("wrong"));
    QVERIFY(observer.hears("value 19"));
    QVERIFY(observer.said.isEmpty());
    QVERIFY(clock.elapsed() >= 900);
  }

  void dragsAreSummedUp() {
    QVERIFY(show());
    QVERIFY(openSquares());
    Observer observer;
    QTest::qWait(1100);
    observer.said.clear();
    QElapsedTimer clock;
    clock.start();
    window_->parameters()->eps()->slider()->setFocus();
    for (int i = 0; i < 30; ++i) press(Qt::Key_Right);
    QVERIFY(waitForResult(*session_));
    QTest::qWait(1200);
    QVERIFY(!observer.said.isEmpty());
    QVERIFY2(observer.said.size() <= 1 + clock.elapsed() / 1000,
             qPrintable(observer.said.join(" | ")));
  }

  void errorsAreSpoken() {
    QVERIFY(show());
    QVERIFY(openSquares());
    Observer observer;
    hold_->fails = true;
    session_->setEps(1.7);
    QVERIFY(observer.hears("The run failed as asked."));
  }

  /// ε and percentages, not positions of sliders.
  void slidersSpeakTheirValues() {
    QVERIFY(show());
    QVERIFY(openSquares());
    const auto valueOf = [](QObject* slider) {
      return QAccessible::queryAccessibleInterface(slider)->valueInterface();
    };
    QSlider* slider = window_->parameters()->eps()->slider();
    QCOMPARE(valueOf(slider)->currentValue().toDouble(), 1.5);
    QCOMPARE(valueOf(slider)->minimumStepSize().toDouble(), 0.1);
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    const auto* attributes = QAccessible::queryAccessibleInterface(slider)->attributesInterface();
    QVERIFY(attributes != nullptr);
    const auto words =
        attributes->attributeValue(QAccessible::Attribute::Custom).value<QHash<QString, QString>>();
    QCOMPARE(words.value("valuetext"), QString("1.5"));
#endif
    slider->setFocus();
    press(Qt::Key_Right);
    QCOMPARE(valueOf(slider)->currentValue().toDouble(), session_->parameters().dbscan.eps);
    QVERIFY(session_->parameters().dbscan.eps > 1.5);
    valueOf(slider)->setCurrentValue(1.5);
    QVERIFY(std::abs(session_->parameters().dbscan.eps / 1.5 - 1) < 0.02);

    window_->action("appearance")->trigger();
    auto* opacity = window_->findChild<QSlider*>("appearanceOpacity");
    QVERIFY(opacity != nullptr);
    QCOMPARE(valueOf(opacity)->minimumValue().toDouble(), 0.0);
    QCOMPARE(valueOf(opacity)->currentValue().toInt(), opacity->value());
  }

  void namesHaveNoLettersOfAlt() {
    QVERIFY(show());
    QVERIFY(openSquares());
    QStringList found = namesWithAmpersand(*window_);
    for (const char* action : {"export", "appearance", "savePicture"}) {
      window_->action(action)->trigger();
      auto* dialog = window_->findChild<QDialog*>();
      QVERIFY2(dialog != nullptr, action);
      found << namesWithAmpersand(*dialog);
      dialog->close();
      QVERIFY(waitUntil([&] { return !window_->findChild<QDialog*>(); }));
    }
    window_->showImportDialog(path("squares.csv"), {});
    auto* import = window_->findChild<ImportDialog*>();
    auto* preview = import->findChild<QTableView*>("previewTable");
    QVERIFY(waitUntil([&] { return preview->model()->columnCount() == 3; }));
    found << namesWithAmpersand(*import);
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));

    // Its boxes name their columns; Tab goes through it from top to bottom.
    QStringList roles;
    for (auto* box : preview->findChildren<QComboBox*>()) {
      roles << box->accessibleName();
      // Their names on the bus are what they show.
      QCOMPARE(QAccessible::queryAccessibleInterface(box)->text(QAccessible::Description),
               box->accessibleName());
    }
    QVERIFY2(roles.contains("x, use as") && roles.contains("kind, use as"),
             qPrintable(roles.join(" | ")));
    QVERIFY(activate(*import));
    import->findChild<QWidget*>("delimiter")->setFocus();
    int lowest = 0;
    for (const QWidget* last = import->findChild<QPushButton*>("allIgnored");;) {
      const QWidget* focus = QApplication::focusWidget();
      const int top = focus->mapTo(import, QPoint()).y();
      QVERIFY2(top >= lowest - focus->height(), qPrintable(focus->objectName()));
      lowest = std::max(lowest, top);
      if (focus == last) break;
      press(Qt::Key_Tab);
      QVERIFY(QApplication::focusWidget() != focus);
    }
  }

  void theStatusBarSaysTheResult() {
    QVERIFY(show());
    QVERIFY(openSquares());
    auto* bar = window_->findChild<QWidget*>("statusStrip")->parentWidget();
    QVERIFY2(nameOf(bar).contains("2 clusters"), qPrintable(nameOf(bar)));
    QVERIFY(window_->parameters()->eps()->box()->accessibleDescription().contains("ε") ||
            window_->parameters()->eps()->box()->accessibleDescription().contains("knee"));
  }

  void f10OpensTheMenus() {
    QVERIFY(show());
    press(Qt::Key_F10);
    QVERIFY(waitUntil([&] { return window_->menuBar()->activeAction() != nullptr; }));
    QCOMPARE(window_->menuBar()->activeAction(), window_->menuBar()->actions().front());
    if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
  }
};

namespace {

int run(int argc, char** argv) {
  prepareTestApplication();
  QApplication application(argc, argv);
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  applyTheme(application, ThemeChoice::Light);
  return test_program::run<TestAnnouncements>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_announcements.moc"
