// What the window says of its own state is true: what is written where, which keys work, what a
// number means, which result is on show.
#include <QAction>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QtTest>
#include <filesystem>

#include "shown_window.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/recent_files.h"
#include "ui/session/same_file.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

class TestStates : public QObject, ShownWindow {
  Q_OBJECT

  void openSquares(double eps = 1.5) {
    OpenRequest request;
    request.path = writeSquares(directory_->path());
    request.eps = eps;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
  }

  QString write(const char* name, const QByteArray& bytes) const {
    const QString path = directory_->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(bytes);
    return path;
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1280, 800})); }
  void cleanup() { closeWindow(); }

  void theOpenFileIsNoTargetOfAnExport() {
    openSquares();
    const QString input = directory_->filePath("squares.csv");
    const QString symbolic = directory_->filePath("symbolic.csv");
    const QString hard = directory_->filePath("hard.csv");
    QVERIFY(QFile::link(input, symbolic));
    std::filesystem::create_hard_link(input.toStdString(), hard.toStdString());
    QVERIFY(QDir(directory_->path()).mkdir("below"));
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    auto* button = dialog->findChild<QPushButton*>("exportButton");
    const auto refused = [&](const QString& path) {
      dialog->setPath(path);
      const auto labels = dialog->findChildren<QLabel*>();
      return !button->isEnabled() &&
             std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
               return label->text().contains("the file that is open");
             });
    };
    for (const QString& path :
         {input, symbolic, hard, directory_->filePath("below/../squares.csv")})
      QVERIFY2(refused(path), qPrintable(path));
    shot(dialog, "export-refused");
    dialog->setPath(write("other.csv", "x\n1\n"));
    QVERIFY(button->isEnabled());
    dialog->reject();

    QVERIFY(isSameFile(input, hard));
    QVERIFY(!isSameFile(input, directory_->filePath("nothing.csv")));
    QVERIFY(!isSameFile({}, {}));
  }

  void exportsAreWithoutProvenanceUnlessAsked() {
    openSquares();
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    QVERIFY(!dialog->choice().provenance);  // as clusterloom-cli does
  }

  void shortcutsWorkAfterReturnInEps() {
    openSquares();
    QLineEdit* box = window_->parameters()->eps()->box();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "2");
    QVERIFY(box->isUndoAvailable());
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);  // while it is written: of the text
    QCOMPARE(box->text(), QString("1.5"));
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    box->selectAll();
    QTest::keyClicks(box, "2.5");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, 2.5);
    QCOMPARE(box->selectedText(), QString("2.5"));
    // What is typed next replaces it.
    QTest::keyClicks(box, "3");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, 3.0);
    QVERIFY(box->hasFocus());
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().dbscan.eps, 2.5);
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(session_->parameters().dbscan.eps, 3.0);
    QVERIFY(!session_->display().gridShown);
    QTest::keyClick(box, Qt::Key_G);
    QVERIFY(session_->display().gridShown);
    QCOMPARE(box->text(), QString("3"));
    QVERIFY(waitUntilSettled(*window_));
    QTest::keyClick(box, Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(window_->findChild<ExportDialog*>());
  }

  void shortcutsWorkAfterReturnInMinPts() {
    openSquares();
    QSpinBox* box = window_->parameters()->minPts();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "1200");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(1200));
    QCOMPARE(box->text(), QString("1,200"));
    QTest::keyClicks(box, "7");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(7));
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(1200));
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(4));
    QVERIFY(waitUntilSettled(*window_));
    QTest::keyClick(box, Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(window_->findChild<ExportDialog*>());
  }

  void whatTheMouseSetsHasFewDigits() {
    EpsSlider eps;
    eps.resize(260, 70);
    eps.setRange({0.0123456789, 987.654321});
    eps.show();
    QVERIFY(QTest::qWaitForWindowExposed(&eps));
    eps.setValue(std::sqrt(0.0123456789 * 987.654321));  // the handle is in the middle
    QSlider* slider = eps.slider();
    QSignalSpy dragged(&eps, &EpsSlider::dragging);
    QTest::mousePress(slider, Qt::LeftButton, {},
                      QPoint(slider->width() / 2, slider->height() / 2));
    for (int x = 20; x < slider->width() - 20; x += 7)
      QTest::mouseMove(slider, QPoint(x, slider->height() / 2));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(90, slider->height() / 2));
    QVERIFY(dragged.size() > 10);
    for (const auto& value : dragged) {
      const QString digits =
          shortestText(value[0].toDouble()).remove(QRegularExpression("[.]|^0+"));
      QVERIFY2(digits.size() <= 3, qPrintable(digits));  // a pixel is about 5 % of the value
    }
  }

  void importOptionsAreOfferedWhereTheyHelp() {
    const auto offered = [this](const QString& path) {
      window_->messages()->hide();
      window_->openPath(path, MainWindow::Ask::Never);
      return waitUntil([&] { return window_->messages()->isVisible(); }) &&
             waitUntilIdle(*session_) && window_->messages()->actionButton()->isVisible();
    };
    QVERIFY(offered(write("ragged.csv", "x,y\n1,2\n3\n")));
    shot(window_.get(), "import-options-offered");
    QVERIFY(offered(write("words.csv", "x,y\n1,2\nthree,4\n5,6\n")));
    QVERIFY(!offered(write("empty.csv", "")));
    QVERIFY(!offered(write("cut.ply",
                           "ply\nformat binary_little_endian 1.0\nelement vertex 9\n"
                           "property double x\nend_header\n12345678")));
    QVERIFY(!offered(directory_->filePath("missing.csv")));
  }

  void recentFilesKeepTheirImportChoices() {
    clearRecentFiles();
    const QString path = write("wide.csv", "a;b;c;kind\n1;2;3;u\n4;5;6;v\n7;8;9;w\n");
    Session session(nullptr, directory_->filePath("other"));
    MainWindow window(session, MainWindow::Memory::Remember);
    OpenRequest request;
    request.path = path;
    request.read.coordinates = {"2", "0"};
    request.read.keep = {"3"};
    request.read.keepOthers = false;
    request.scaling = ScalingChoice{Scaling::Kind::Unit, {}};
    request.eps = 1;
    window.openRequest(request);
    QVERIFY(waitForResult(session));
    QSignalSpy saved(&session.files(), &SessionFiles::sessionSaved);
    session.files().saveSession(directory_->filePath("kept.clusterloom"));
    QVERIFY(waitUntil([&] { return saved.count() == 1; }));
    session.closeData();
    QCOMPARE(recentFiles().size(), std::size_t(2));
    const auto entry = [&](const QString& name) -> QAction* {
      for (QMenu* menu : window.findChildren<QMenu*>())
        for (QAction* action : menu->actions())
          if (action->text().contains(name)) return action;
      return nullptr;
    };
    QVERIFY(entry("kept.clusterloom"));
    QVERIFY(entry("wide.csv"));
    entry("wide.csv")->trigger();
    QVERIFY(waitUntil([&] { return session.data().cloud() && session.clusterRun().result(); }));
    QVERIFY(!window.findChild<ImportDialog*>());
    QCOMPARE(session.data().dataset()->cloud.names, (std::vector<std::string>{"c", "a"}));
    QCOMPARE(session.data().dataset()->attributes.size(), std::size_t(1));
    QVERIFY(session.parameters().scaling == *request.scaling);
    QCOMPARE(session.files().sessionPath(), QString());
    QVERIFY(waitUntilIdle(session));
    entry("kept.clusterloom")->trigger();
    QVERIFY(waitUntil([&] { return !session.files().sessionPath().isEmpty(); }));
    QVERIFY(window.windowTitle().startsWith("kept"));
    clearRecentFiles();
  }

  void theLessonsCloseByTheirShortcut() {
    window_->showLessons();
    QPointer<MainWindow> lessons = window_->lessonWindow();
    QVERIFY(lessons && QTest::qWaitForWindowExposed(lessons));
    activate(*lessons);
    QVERIFY(lessons->action("closeData")->isEnabled());
    QTest::keyClick(lessons->focusWidget() ? lessons->focusWidget() : lessons.data(), Qt::Key_W,
                    Qt::ControlModifier);
    QTRY_VERIFY(!lessons || !lessons->isVisible());
    QTRY_VERIFY(lessons.isNull());
    QVERIFY(window_->isVisible());
  }

  // One formatter: whatever the system's locale, words and numbers are of one language.
  void numbersDoNotFollowTheSystem() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QStringList texts{count(1234567), readable(1234.5), fixed(2.5, 2), significant(0.25, 3),
                            epsText(0.031), duration(1.5),    percent(0.187)};
    QLocale::setDefault(before);
    QCOMPARE(texts,
             (QStringList{"1,234,567", "1,234.5", "2.50", "0.25", "0.031", "1.50 s", "18.7 %"}));
  }
};

int main(int argc, char** argv) {
  prepareTestApplication();
  QApplication application(argc, argv);
  applyTheme(application, qEnvironmentVariableIsSet("CLUSTERLOOM_SHOTS_DARK") ? ThemeChoice::Dark
                                                                              : ThemeChoice::Light);
  TestStates test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_states.moc"
