// Files of the window: which it does not overwrite, what it remembers of them, and what it shows
// while it reads.
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyle>
#include <QtTest>
#include <filesystem>

#include "shown_window.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/files.h"
#include "ui/session/recent_files.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/reading_view.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

class TestOpenFiles : public QObject, ShownWindow {
  Q_OBJECT

  QString summary() const { return window_->status()->summary(); }

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
    QVERIFY(openSquares());
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
               return label->text().contains("This file is open");
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
    QVERIFY(!isSameFile(QString(), QString()));
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
    QVERIFY(session.parameters().scaling == request.scaling);
    QCOMPARE(session.files().sessionPath(), QString());
    QVERIFY(waitUntilIdle(session));
    entry("kept.clusterloom")->trigger();
    QVERIFY(waitUntil([&] { return !session.files().sessionPath().isEmpty(); }));
    QVERIFY(window.windowTitle().startsWith("kept"));
    clearRecentFiles();
  }

  /// The start page offers them with their kind, and keys reach them.
  void recentFilesAreOnTheStartPage() {
    clearRecentFiles();
    const QString cloud = writeSquares(directory_->path(), "a & b.csv");
    Session session(nullptr, directory_->filePath("other"));
    session.data().openFile(cloud);
    QVERIFY(waitForResult(session));
    QSignalSpy saved(&session.files(), &SessionFiles::sessionSaved);
    session.files().saveSession(directory_->filePath("kept.clusterloom"));
    QVERIFY(waitUntil([&] { return saved.count() == 1; }));
    session.closeData();
    addRecentFile({directory_->filePath("kept.clusterloom"), true, {}, {}});
    RecentFile wanted{cloud, false, {}, {}};
    wanted.read.coordinates = {"1"};
    addRecentFile(wanted);

    MainWindow window(session, MainWindow::Memory::Remember);
    window.resize(1100, 900);
    window.show();
    QVERIFY(activate(window));
    std::vector<QPushButton*> buttons;
    for (auto* button : window.findChildren<QPushButton*>("recentButton"))
      if (button->isVisible()) buttons.push_back(button);
    QCOMPARE(buttons.size(), std::size_t(2));
    QVERIFY2(buttons[0]->text().startsWith("a && b.csv\nCSV"), qPrintable(buttons[0]->text()));
    QVERIFY2(buttons[1]->text().startsWith("kept.clusterloom\nsession"),
             qPrintable(buttons[1]->text()));
    QVERIFY(!buttons[0]->accessibleName().isEmpty());
    shot(&window, "start-recent");
    window.findChild<QPushButton*>("welcomeOpen")->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(buttons[0]));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(waitForResult(session));
    QCOMPARE(session.data().dataset()->cloud.names, (std::vector<std::string>{"y"}));
    session.closeData();
    clearRecentFiles();
  }

  /// The next export goes where the last one went, in its format, in this window and the next.
  void exportsRememberFolderAndFormat() {
    QSettings().remove("export");
    QVERIFY(QDir(directory_->path()).mkdir("out"));
    Session session(nullptr, directory_->filePath("other"));
    const QString path = writeSquares(directory_->path());
    const auto choice = [](MainWindow& window, const QString& exportTo) {
      window.action("export")->trigger();
      auto* dialog = window.findChild<ExportDialog*>();
      if (!exportTo.isEmpty()) dialog->setPath(exportTo);
      const ExportChoice chosen = dialog->choice();
      if (exportTo.isEmpty()) {
        dialog->reject();
      } else {
        dialog->accept();
      }
      waitUntil([&] { return !window.findChild<ExportDialog*>(); });
      return chosen;
    };
    {
      MainWindow window(session, MainWindow::Memory::Remember);
      window.openPath(path, MainWindow::Ask::Never);
      QVERIFY(waitForResult(session));
      QCOMPARE(choice(window, {}).path, directory_->filePath("squares-clusters.csv"));
      choice(window, directory_->filePath("out/a.ply"));
      QCOMPARE(choice(window, {}).path, directory_->filePath("out/squares-clusters.ply"));
      QVERIFY(waitUntilIdle(session));
      window.close();
    }
    MainWindow window(session, MainWindow::Memory::Remember);
    QCOMPARE(choice(window, {}).path, directory_->filePath("out/squares-clusters.ply"));
    QVERIFY(QDir(directory_->filePath("out")).removeRecursively());
    QCOMPARE(choice(window, {}).path.section('/', -1), QString("squares-clusters.ply"));
    session.closeData();
    QSettings().remove("export");
    clearRecentFiles();
  }

  /// A sample of a large file is drawn while it is read. Nothing can be done with it, and a stop
  /// shows what was there before.
  void aLargeFileIsShownWhileItIsRead() {
    QVERIFY(openSquares());
    session_->setEps(1.25);
    session_->setEps(1.5);
    window_->action("undo")->trigger();
    session_->setKept(PointSet(new std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}), "Keep 8");
    window_->action("undo")->trigger();
    session_->addRefinement({PointSet(new std::vector<std::uint32_t>{0, 1, 2, 3}), {2, 2}});
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->parameters().dbscan.eps, 1.25);
    const Parameters parameters = session_->parameters();
    window_->action("export")->trigger();
    QPointer<ExportDialog> dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog && window_->action("undo")->isEnabled());
    QVERIFY(window_->action("clusterAlike")->isEnabled());
    const auto result = session_->clusterRun().result();
    const QString path = directory_->filePath("large.csv");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QByteArray block;
    for (int i = 0; i < 20000; ++i)
      block += QByteArray::number(i % 200) + ".25," + QByteArray::number(i / 200) + ".5\n";
    for (int i = 0; i < 500; ++i) QCOMPARE(file.write(block), block.size());
    file.close();
    window_->openPath(path, MainWindow::Ask::Never);
    QVERIFY(waitUntil([&] { return bool(session_->data().partial()); }));
    auto* view = window_->findChild<ReadingView*>();
    QVERIFY(view && view->isVisible());
    QVERIFY(!window_->cloudView()->isVisible());
    const QString text = summary();
    QVERIFY2(
        QRegularExpression("^reading: [0-9,]+ of about 10 M points shown$").match(text).hasMatch(),
        qPrintable(text));
    for (const char* name :
         {"export", "saveSession", "copyCommandLine", "run", "zoomToSelection", "undo", "redo",
          "keepSelection", "restorePoints", "clusterSelection", "clusterAlike"})
      QVERIFY2(!window_->action(name)->isEnabled(), name);
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->parameters() == parameters);
    for (const auto* dock : window_->findChildren<QDockWidget*>()) QVERIFY(!dock->isVisible());
    QCOMPARE(session_->clusterRun().result(), result);
    window_->action("stop")->trigger();  // at once: a busy machine may read the file to its end
    QTRY_VERIFY_WITH_TIMEOUT(!dialog, 60000);
    QVERIFY(!session_->data().partial());
    QVERIFY(window_->cloudView()->isVisible() && !view->isVisible());
    QVERIFY(window_->action("export")->isEnabled());
    QVERIFY(window_->action("undo")->isEnabled());
    QCOMPARE(session_->clusterRun().result(), result);
    QVERIFY(!summary().contains("reading"));
    window_->action("clusterAlike")->trigger();
    QVERIFY(session_->parameters().refinements.empty());
    QVERIFY(waitUntilSettled(*window_));

    // Read to the end, the sample stays until there is a picture of the whole.
    session_->clusterRun().setAutoRun(false);
    OpenRequest whole;
    whole.path = path;
    whole.eps = 1;
    // Watched, not polled: on a busy machine one state may follow the other at once.
    QObject watch;
    const SessionData& data = session_->data();
    bool sampled = false;
    bool drawn = false;
    bool stayed = false;
    connect(&data, &SessionData::partialChanged, &watch,
            [&] { sampled = sampled || data.partial(); });
    connect(&data, &SessionData::cloudChanged, &watch, [&] {
      stayed = view->isVisible() && !window_->cloudView()->isVisible();
      drawn = view->scene().points() && view->scene().points()->size() > 0;
    });
    // The button stays down.
    QSlider* slider = window_->parameters()->eps()->slider();
    const int handle = QStyle::sliderPositionFromValue(slider->minimum(), slider->maximum(),
                                                       slider->value(), slider->width());
    QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(handle, slider->height() / 2));
    QVERIFY(session_->isDragging());
    window_->openRequest(whole);
    QVERIFY(waitUntil([&] { return sampled; }));
    QVERIFY(!session_->isDragging());  // the button is still down, but the panel is hidden
    QVERIFY(waitUntil([&] { return data.cloud()->size() == 10'000'000; }));
    QVERIFY(sampled && drawn);
    QVERIFY(stayed);
    QVERIFY(!data.partial());
    QVERIFY2(summary().startsWith("10,000,000 points"), qPrintable(summary()));
    QVERIFY(waitUntil([&] { return window_->cloudView()->isVisible(); }));
    QVERIFY(!view->isVisible());
    QCOMPARE(window_->cloudView()->scene().points()->size(), std::size_t(10'000'000));
    session_->closeData();
    QVERIFY(!view->isVisible());
  }

  /// Messages about a file are removed when another one is opened, and no message moves the view.
  void messagesBelongToTheirFile() {
    QVERIFY(openSquares());
    const QRect before = window_->cloudView()->geometry();
    const QString target = directory_->filePath("written.csv");
    session_->files().exportLabelled(target, {}, false);
    QVERIFY(waitUntil([&] { return window_->messages()->text().contains("written.csv"); }));
    QVERIFY(window_->messages()->isVisible());
    QCOMPARE(window_->cloudView()->geometry(), before);
    const QWidget* centre = window_->centralWidget();
    QVERIFY(centre->rect().contains(window_->messages()->geometry()));
    shot(window_.get(), "wrote");
    window_->messages()->showMessage(MessageBar::Kind::Error, QString("many words ").repeated(90));
    QVERIFY(centre->rect().contains(window_->messages()->geometry()));
    QVERIFY(window_->messages()->height() > 40);
    QCOMPARE(window_->cloudView()->geometry(), before);
    window_->messages()->showMessage(MessageBar::Kind::Warning, "of this file");
    OpenRequest other;
    other.sample = GeneratorSpec{"moons", 500, 2, 1};
    other.eps = 0.1;
    window_->openRequest(other);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->messages()->isVisible());
  }

  void noWriterTakesTheOpenFile() {
    QVERIFY(openSquares());
    const QString input = directory_->filePath("squares.csv");
    QFile file(input);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    const QString link = directory_->filePath("link.csv");
    QVERIFY(QFile::link(input, link));
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    SessionFiles& files = session_->files();
    files.exportLabelled(input);
    files.exportLabelled(link);
    files.exportClusterTable(link);
    files.exportBytes(input, [] { return std::string("x"); });
    files.exportImage(input, [] { return QImage(4, 4, QImage::Format_RGB32); });
    files.saveSession(input);
    QCOMPARE(failed.count(), 6);
    QVERIFY(QString::fromStdString(failed[0][0].value<Failure>().error.message)
                .contains("never overwritten"));
    QVERIFY(waitUntilIdle(*session_));
    file.seek(0);
    QCOMPARE(file.readAll(), before);
    QVERIFY(QFileInfo(link).isSymLink());
    // The provenance of an export has a name of its own.
    QVERIFY(QFile::link(input, directory_->filePath("new.csv.provenance.json")));
    files.exportLabelled(directory_->filePath("new.csv"), {}, true);
    QCOMPARE(failed.count(), 7);
    QVERIFY(waitUntilIdle(*session_));
    file.seek(0);
    QCOMPARE(file.readAll(), before);
  }
};

WINDOW_TEST(TestOpenFiles, qEnvironmentVariableIsSet("CLUSTERLOOM_SHOTS_DARK")
                               ? ThemeChoice::Dark
                               : ThemeChoice::Light);
#include "tst_open_files.moc"
