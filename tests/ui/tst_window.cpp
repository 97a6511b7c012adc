// The window as a user operates it: open, drag ε, pick, undo, export, drop, close while a job runs.
#include <QAccessible>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <string_view>

#include "holding_backend.h"
#include "render/paint/palette.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/guide/guide_window.h"
#include "ui/models/cluster_table_model.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/recent_files.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/chart_view.h"
#include "ui/view/vtk_view.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

namespace {

/// Leaves an autosave and ends without closing anything, as a crash does.
[[noreturn]] void crash(const QString& directory) {
  Session session(nullptr, directory);
  OpenRequest request;
  request.sample = GeneratorSpec{"blobs", 1500, 2, 5};
  request.eps = 3.25;
  request.minPts = 7;
  session.data().open(request);
  waitForResult(session);
  session.setMinPts(8);
  session.setMinPts(7);
  waitUntil([&] { return !QDir(directory).entryList({"*.json"}, QDir::Files).isEmpty(); });
  waitUntilIdle(session);
  std::_Exit(42);
}

}  // namespace

class TestWindow : public QObject, ShownWindow {
  Q_OBJECT

  std::int32_t labelOf(std::size_t point) const {
    return session_->clusterRun().result()->clustering.labels[point];
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1280, 820})); }
  void cleanup() { closeWindow(); }

  void anEmptyWindowInvites() {
    shot(window_.get(), "empty");
    auto* open = window_->findChild<QPushButton*>("welcomeOpen");
    QVERIFY(open && open->isVisible());
    const auto samples = window_->findChildren<QToolButton*>("sampleButton");
    QVERIFY(samples.size() >= 5);
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) QVERIFY(!dock->isVisible());
    QVERIFY(!window_->action("export")->isEnabled());
    QTest::mouseClick(samples.at(1), Qt::LeftButton);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->clusterRun().result()->clustering.clusters >= 1);
    QVERIFY(window_->clusters()->isVisible());
    QVERIFY(!open->isVisible());
    window_->action("closeData")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(open->isVisible(), 60000);
    QVERIFY(!session_->data().dataset());
  }

  void aFileIsShownAndDescribed() {
    QVERIFY(openSquares());
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 2);
    QCOMPARE(session_->clusterRun().result()->clustering.noiseCount, std::uint64_t(4));
    QCOMPARE(window_->clusters()->table()->model()->rowCount(), 3);  // the noise and two clusters
    const QString summary = window_->status()->summary();
    QVERIFY2(summary.contains("804") && summary.contains("2 clusters") && summary.contains("0.5 %"),
             qPrintable(summary));
    QVERIFY(window_->windowTitle().contains("squares.csv"));
    // The two squares are there in the two first colours of the palette.
    const QImage picture = window_->cloudView()->grabFrame();
    for (const int cluster : {0, 1}) {
      const Colour colour = clusterColour(cluster, Background::Light);
      const int found = pixelsLike(picture, qRgb(colour.r, colour.g, colour.b), 30);
      QVERIFY2(found > 400, qPrintable(QString("cluster %1: %2 pixels").arg(cluster).arg(found)));
    }
    shot(window_.get(), "squares");
  }

  void draggingEpsChangesLabelsAndIsOneUndoStep() {
    QVERIFY(openSquares());
    EpsSlider* eps = window_->parameters()->eps();
    QSlider* slider = eps->slider();
    const int steps = session_->undoStack()->count();
    const QPoint from(slider->width() * slider->value() / slider->maximum(), slider->height() / 2);
    const QPoint to(slider->width() - 3, slider->height() / 2);
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    QVERIFY(session_->isDragging());
    for (int i = 1; i <= 8; ++i) {
      QTest::mouseMove(slider, from + (to - from) * i / 8);
      QTest::qWait(15);
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, to);
    QVERIFY(!session_->isDragging());
    const double dragged = session_->parameters().dbscan.eps;
    QVERIFY2(dragged > 31, qPrintable(QString::number(dragged)));
    QCOMPARE(session_->undoStack()->count(), steps + 1);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    QCOMPARE(labelOf(0), labelOf(799));
    QTRY_COMPARE_WITH_TIMEOUT(window_->clusters()->table()->model()->rowCount(), 1, 60000);
    QCOMPARE(eps->box()->text(), shortestText(dragged));

    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    QCOMPARE(eps->box()->text(), QString("1.5"));
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 2);
    window_->action("redo")->trigger();
    QCOMPARE(session_->parameters().dbscan.eps, dragged);
  }

  void exactValuesAreTakenAsWritten() {
    QVERIFY(openSquares());
    QLineEdit* box = window_->parameters()->eps()->box();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "1.4142135623730951");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, std::sqrt(2.0));
    box->selectAll();
    QTest::keyClicks(box, "rubbish");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, std::sqrt(2.0));
    QVERIFY(box->property("wrong").toBool());
    QTest::keyClick(box, Qt::Key_Escape);
    QCOMPARE(box->text(), QString("1.4142135623730951"));
    // One whose square is no number is refused, and does not look taken.
    box->selectAll();
    QTest::keyClicks(box, "1e200");
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(window_->messages()->isVisible());
    QCOMPARE(session_->parameters().dbscan.eps, std::sqrt(2.0));
    QCOMPARE(window_->parameters()->eps()->value(), std::sqrt(2.0));
    QCOMPARE(box->text(), QString("1.4142135623730951"));
    window_->parameters()->minPts()->setValue(9);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->parameters.dbscan.minPts, std::int64_t(9));
    QCOMPARE(session_->clusterRun().result()->clustering.coreCount, std::uint64_t(2 * 18 * 18));
  }

  /// A suggested ε that arrives, or anything else that changes parameters, leaves it alone.
  void whatIsTypedStays() {
    QVERIFY(openSquares());
    QSpinBox* minPts = window_->parameters()->minPts();
    minPts->setFocus();
    minPts->selectAll();
    QTest::keyClicks(minPts, "20");
    session_->setEps(2);
    QTest::keyClick(minPts, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(20));

    auto* scaling = window_->findChild<QComboBox*>("scaling");
    auto* factors = window_->findChild<QLineEdit*>("factors");
    scaling->setCurrentIndex(scaling->findData(int(Scaling::Kind::Factors)));
    Q_EMIT scaling->activated(scaling->currentIndex());
    QVERIFY(factors->hasFocus());
    QTest::keyClicks(factors, "1,");
    session_->setEps(3);
    QTest::keyClicks(factors, "2");
    QTest::keyClick(factors, Qt::Key_Return);
    QCOMPARE(session_->parameters().scaling.factors, (std::vector<double>{1, 2}));
  }

  void pickingInTheViewSelectsInTheTable() {
    QVERIFY(openSquares());
    CloudView* view = window_->cloudView();
    const std::uint32_t point = 610;  // inside the right square
    const QPoint at = positionOf(point);
    QVERIFY(view->rect().contains(at));
    QTest::mouseClick(view, Qt::LeftButton, {}, at);
    QTRY_COMPARE_WITH_TIMEOUT(session_->selection().point, std::int64_t(point), 60000);
    QCOMPARE(session_->selection().clusters, std::set<std::int32_t>{labelOf(point)});
    QTableView* table = window_->clusters()->table();
    QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(table->selectionModel()->selectedRows(1).front().data().toString(), QString("1"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->selection()->pointText().contains("9 within"),
                             60000);                               // ε 1.5: its 8 and itself
    QVERIFY(window_->selection()->pointText().contains("right"));  // the kept column
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "picked");
    const QImage highlighted = view->grabFrame();

    // And the other way round: a row selected in the table highlights in the view.
    table->selectRow(1);  // below the noise
    QCOMPARE(session_->selection().clusters, (std::set<std::int32_t>{0}));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(differingPixels(highlighted, view->grabFrame()) > 1000);

    // A click beside the points selects nothing.
    QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(view->width() / 2, view->height() / 2));
    QTRY_VERIFY_WITH_TIMEOUT(session_->selection().clusters.empty(), 60000);
    QCOMPARE(table->selectionModel()->selectedRows().size(), 0);
  }

  void othersAreHiddenAndShownAgain() {
    QVERIFY(openSquares());
    CloudView* view = window_->cloudView();
    const QImage whole = view->grabFrame();
    session_->setSelectedClusters({1});
    window_->action("hideOthers")->trigger();
    QCOMPARE(session_->display().hidden, (std::set<std::int32_t>{-1, 0}));
    QVERIFY(waitUntilSettled(*window_));
    const Colour first = clusterColour(0, Background::Light);
    QVERIFY(pixelsLike(view->grabFrame(), qRgb(first.r, first.g, first.b), 20) < 20);
    QTest::keyClick(view, Qt::Key_H, Qt::ShiftModifier);
    session_->setSelection({});
    QVERIFY(session_->display().hidden.empty());
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(differingPixels(whole, view->grabFrame()) < 50);
  }

  void exportIsReadBackTheSame() {
    QVERIFY(openSquares());
    const QString out = directory_->filePath("out.csv");
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    dialog->setPath(directory_->filePath("no/such/folder/out.csv"));
    QVERIFY(!dialog->findChild<QPushButton*>("exportButton")->isEnabled());
    dialog->setPath(out);
    shot(dialog, "export");
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    QTest::mouseClick(dialog->findChild<QPushButton*>("exportButton"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return exported.count() == 1; }));
    QVERIFY(window_->messages()->isVisible());
    QVERIFY(window_->messages()->text().contains("out.csv"));

    const auto before = session_->clusterRun().result();
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QStringList lines;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
      if (!line.startsWith('#') && !line.isEmpty()) lines << line;
    }
    QCOMPARE(lines.size(), 805);
    const QStringList header = lines.front().split(',');
    const auto column = header.indexOf("label");
    QVERIFY2(column >= 0, qPrintable(lines.front()));
    for (int i = 0; i < 804; ++i) {
      QCOMPARE(lines.at(i + 1).split(',').at(column).toInt(),
               before->clustering.labels[std::size_t(i)]);
    }

    // The program opens its own export and finds the same clusters in it.
    OpenRequest request;
    request.path = out;
    request.read.coordinates = {"x", "y"};
    request.eps = 1.5;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntil([&] {
      return session_->clusterRun().result() && session_->clusterRun().result() != before;
    }));
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.labels, before->clustering.labels);
  }

  void selectedClustersTableAndPictureAreExported() {
    QVERIFY(openSquares());
    session_->setSelectedClusters({1});
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    const struct {
      ExportChoice::What what;
      QString name;
    } exports[] = {{ExportChoice::What::SelectedClusters, "one.csv"},
                   {ExportChoice::What::ClusterTable, "table.csv"},
                   {ExportChoice::What::Picture, "view.png"}};
    int done = 0;
    for (const auto& [what, name] : exports) {
      window_->action("export")->trigger();
      auto* dialog = window_->findChild<ExportDialog*>();
      QVERIFY(dialog);
      dialog->setWhat(what);
      dialog->setPath(directory_->filePath(name));
      dialog->accept();
      ++done;
      QVERIFY(waitUntil([&] { return exported.count() == done; }));
      QVERIFY(waitUntil([&] { return !window_->findChild<ExportDialog*>(); }));
    }
    QFile one(directory_->filePath("one.csv"));
    QVERIFY(one.open(QIODevice::ReadOnly));
    int rows = 0;
    for (const QByteArray& line : one.readAll().split('\n')) {
      rows += !line.isEmpty() && !line.startsWith('#') ? 1 : 0;
    }
    QCOMPARE(rows, 401);
    const QImage picture(directory_->filePath("view.png"));
    QCOMPARE(picture.size(), 2 * window_->cloudView()->size());
    // The same picture, larger: about four times as many pixels of the clusters.
    const auto pixels = [](const QImage& image) {
      int found = 0;
      for (const int cluster : {0, 1}) {
        const Colour colour = clusterColour(cluster, Background::Light);
        found += pixelsLike(image, qRgb(colour.r, colour.g, colour.b), 12);
      }
      return found;
    };
    const int shown = pixels(window_->cloudView()->grabFrame());
    QVERIFY2(shown > 100 && pixels(picture) > 3 * shown && pixels(picture) < 6 * shown,
             qPrintable(QString("%1 and %2").arg(shown).arg(pixels(picture))));
  }

  void droppedTextOpensTheImportDialog() {
    const QString path = writeSquares(directory_->path(), "dropped.csv");
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &drop);
    QVERIFY(waitUntil([&] { return window_->findChild<ImportDialog*>(); }));
    auto* dialog = window_->findChild<ImportDialog*>();
    QCOMPARE(dialog->columnRole(0), ImportDialog::ColumnRole::Coordinate);
    QCOMPARE(dialog->columnRole(2), ImportDialog::ColumnRole::Attribute);  // words
    shot(dialog, "import");
    QTest::keyClick(dialog, Qt::Key_Return);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->data().dataset()->cloud.dims(), std::size_t(2));
    QCOMPARE(session_->data().dataset()->cloud.size(), std::size_t(804));
    QCOMPARE(session_->data().dataset()->attributes.size(), std::size_t(1));
  }

  void badFilesShowAMessageWithAWayOut() {
    const QString path = directory_->filePath("nan.csv");
    {
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("x,y\n");
      for (int i = 0; i < 50; ++i)
        file.write(QByteArray::number(i) + "," + QByteArray::number(i % 7) + "\n");
      file.write("nan,3\n1,inf\n");
    }
    MessageBar* bar = window_->messages();
    window_->openPath(path, MainWindow::Ask::Never);
    QVERIFY(waitUntil([&] { return bar->isVisible(); }));
    QCOMPARE(bar->kind(), MessageBar::Kind::Error);
    QVERIFY2(bar->text().contains("nan.csv"), qPrintable(bar->text()));
    QVERIFY(bar->actionButton()->isVisible());
    shot(window_.get(), "error");
    QTest::mouseClick(bar->actionButton(), Qt::LeftButton);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->data().dataset()->cloud.size(), std::size_t(50));
    QCOMPARE(session_->data().dataset()->skippedRows.size(), std::size_t(2));

    // What was open stays when the next file cannot be read.
    window_->openPath(directory_->filePath("missing.csv"), MainWindow::Ask::IfText);
    QVERIFY(waitUntil([&] { return bar->isVisible() && bar->kind() == MessageBar::Kind::Error; }));
    QVERIFY(bar->text().contains("missing.csv"));
    QCOMPARE(session_->data().dataset()->cloud.size(), std::size_t(50));
    bar->setFocus();
    QTest::keyClick(bar, Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
  }

  void errorsGoWhenTheSameWorkIsDone() {
    QVERIFY(openSquares());
    MessageBar* bar = window_->messages();
    JobQueue& jobs = session_->jobs();
    const auto fails = [&](JobKind kind) {
      jobs.report(kind, {ErrorKind::TooLarge, "It did not fit."});
      return bar->isVisible() && bar->kind() == MessageBar::Kind::Error;
    };
    QVERIFY(fails(JobKind::Cluster));
    session_->setEps(2);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!bar->isVisible());
    // Other work says nothing about it.
    QVERIFY(fails(JobKind::Export));
    session_->setEps(1.5);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(bar->isVisible());
    // A newer message stays.
    QVERIFY(fails(JobKind::Cluster));
    bar->showMessage(MessageBar::Kind::Error, "Something else.");
    session_->setEps(2);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(bar->isVisible());
  }

  void sessionsKeepEverything() {
    QVERIFY(openSquares());
    DisplayState display = session_->display();
    display.colourBy = ColourBy::Role;
    session_->setDisplay(display);
    window_->cloudView()->scene().zoomBy(2);
    const auto camera = window_->cloudView()->cameraState();
    QVERIFY(waitUntilSettled(*window_));
    // What a timer keeps while the user works.
    QJsonArray wanted;
    for (const double value : camera) wanted.append(value);
    QVERIFY(waitUntil([&] {
      const auto state = QJsonDocument::fromJson(session_->files().viewState()).object();
      return state["camera"].toArray() == wanted;
    }));
    const QString file = directory_->filePath("kept.clusterloom");
    QSignalSpy saved(&session_->files(), &SessionFiles::sessionSaved);
    session_->files().saveSession(file);
    QVERIFY(waitUntil([&] { return saved.count() == 1; }));
    const auto labels = session_->clusterRun().result()->clustering.labels;

    Session other(nullptr, directory_->filePath("other"));
    MainWindow window(other, MainWindow::Memory::Forget);
    window.resize(1280, 820);
    window.show();
    window.openPath(file, MainWindow::Ask::IfText);
    QVERIFY(waitUntilSettled(window));
    QCOMPARE(other.parameters().dbscan.eps, 1.5);
    QCOMPARE(other.display().colourBy, ColourBy::Role);
    QCOMPARE(other.clusterRun().result()->clustering.labels, labels);
    const auto restored = window.cloudView()->cameraState();
    QCOMPARE(restored.size(), camera.size());
    for (std::size_t i = 0; i < camera.size(); ++i) {
      QVERIFY2(std::abs(restored[i] - camera[i]) < 1e-6, qPrintable(QString::number(i)));
    }
  }

  // A window that keeps nothing, as the one behind --screenshot, leaves the recent files alone.
  void onlyAWindowThatRemembersAddsRecentFiles() {
    const QString file = writeSquares(directory_->path());
    clearRecentFiles();
    QVERIFY(openSquares());
    QVERIFY(recentFiles().empty());
    Session other(nullptr, directory_->filePath("other"));
    MainWindow window(other, MainWindow::Memory::Remember);
    window.openPath(file, MainWindow::Ask::Never);
    QVERIFY(waitUntil([&] { return recentFiles().size() == std::size_t(1); }));
    QCOMPARE(recentFiles().front().path, file);
    QVERIFY(waitForResult(other));
    clearRecentFiles();
  }

  void theCommandLineIsCopied() {
    QVERIFY(openSquares());
    window_->action("copyCommandLine")->trigger();
    const QString text = QApplication::clipboard()->text();
    QVERIFY2(text.startsWith("clusterloom-cli cluster") && text.contains("--eps 1.5") &&
                 text.contains("squares.csv"),
             qPrintable(text));
  }

  void closingWhileAJobRunsIsQuick() {
    GeneratorSpec spec;
    spec.kind = "unif";
    spec.points = 400000;
    spec.dims = 3;
    OpenRequest request;
    request.sample = spec;
    request.eps = 6;
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitUntil([&] { return session_->jobs().isActive(JobKind::Cluster); }));
    QElapsedTimer clock;
    clock.start();
    QVERIFY(window_->close());
    const qint64 closing = clock.elapsed();
    window_.reset();  // what the graphics take is not asked
    clock.restart();
    session_.reset();
    const qint64 elapsed = closing + clock.elapsed();
    QVERIFY2(elapsed < 20000, qPrintable(QString::number(elapsed)));
  }

  void closingWaitsForWhatIsBeingWritten() {
    QVERIFY(openSquares());
    const QString out = directory_->filePath("late.csv");
    session_->files().exportLabelled(out);
    QVERIFY(session_->jobs().isActive(JobKind::Export));
    QVERIFY(!window_->close());
    QVERIFY(waitUntil([&] { return !window_->isVisible(); }));
    QVERIFY(QFileInfo(out).size() > 1000);
  }

  void aCrashIsOfferedToBeRestored() {
    const QString autosaves = directory_->filePath("crashed");
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"tst_window", "--crash", autosaves});
    QVERIFY(process.waitForFinished(240000));
    QCOMPARE(process.exitCode(), 42);
    Session session(nullptr, autosaves);
    MainWindow window(session, MainWindow::Memory::Forget);
    window.show();
    window.offerRecovery();
    QVERIFY(window.messages()->isVisible());
    QVERIFY(window.messages()->actionButton()->isVisible());
    shot(&window, "recovery");
    QTest::mouseClick(window.messages()->actionButton(), Qt::LeftButton);
    QVERIFY(waitUntilSettled(window));
    QCOMPARE(session.parameters().dbscan.eps, 3.25);
    QCOMPARE(session.parameters().dbscan.minPts, std::int64_t(7));
  }

  void approximationsAreLabelled() {
    const auto hold = std::make_shared<Hold>();
    hold->seconds = 1;  // so long that ε is dragged with a preview
    QVERIFY(showWindow({1280, 820}, {}, holdingBackends(hold)));
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 60000};
    request.eps = 0.4;
    request.minPts = 8;
    window_->openRequest(request);
    QVERIFY(waitUntil([&] { return session_->clusterRun().isResultCurrent(); }));
    QVERIFY(waitUntil([&] { return session_->derived().statistics() != nullptr; }));
    auto* table = window_->findChild<ClustersPanel*>()->table();
    const auto* clusters = window_->findChild<QLabel*>("clustersSummary");
    const auto textPixels = [table] {
      const QRect row = table->visualRect(table->model()->index(0, ClusterTableModel::Size));
      return pixelsLike(table->viewport()->grab(row).toImage(),
                        table->palette().color(QPalette::Text).rgb());
    };
    QVERIFY(textPixels() > 0);
    QVERIFY2(clusters->text().contains(" clusters"), qPrintable(clusters->text()));
    hold->held = true;  // however long the preview takes
    session_->setDragging(true);
    session_->setEps(0.5);
    QVERIFY(waitUntil([&] { return bool(session_->clusterRun().preview()); }));
    // The table is that of the result before, and is marked.
    QCOMPARE(clusters->text(), QString("of the last run; a preview is on screen"));
    QCOMPARE(textPixels(), 0);
    const auto* badge = window_->cloudView()->findChild<QLabel*>("previewBadge");
    QVERIFY(badge->isVisible());
    QVERIFY2(badge->text().contains("pproximate") && badge->text().contains("60,000"),
             qPrintable(badge->text()));
    QVERIFY2(window_->status()->summary().contains("preview: ") &&
                 window_->status()->summary().contains(" clusters among 20,000 points"),
             qPrintable(window_->status()->summary()));
    shot(window_.get(), "preview");
    hold->held = false;
    session_->setDragging(false);
    QVERIFY(waitUntil([&] { return session_->clusterRun().isResultCurrent(); }));
    QVERIFY(!badge->isVisible());
    QVERIFY2(clusters->text().contains(" clusters"), qPrintable(clusters->text()));
    QVERIFY(waitUntil([&] { return session_->derived().statistics() != nullptr; }));
    QVERIFY(textPixels() > 0);
  }
};

namespace {

int run(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--crash") {
    QStandardPaths::setTestModeEnabled(true);
    const QCoreApplication application(argc, argv);
    crash(QString::fromLocal8Bit(argv[2]));
  }
  return runWindowTest<TestWindow>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_window.moc"
