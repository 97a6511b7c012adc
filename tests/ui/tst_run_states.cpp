// What the window says of runs is true: which result is on show after a stop or a failure, what is
// written then, and how a run is started again.
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>
#include <atomic>
#include <thread>

#include "holding_backend.h"
#include "render/paint/palette.h"
#include "shown_window.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

class TestRunStates : public QObject, ShownWindow {
  Q_OBJECT

  std::shared_ptr<Hold> hold_;

  void openHeld() {
    hold_->held = false;
    QVERIFY(openSquares());
  }
  /// Starts a run with this ε and stops it.
  void stopAt(double eps) {
    hold_->held = true;
    session_->setEps(eps);
    QVERIFY(waitUntil([&] { return session_->jobs().isActive(JobKind::Cluster); }));
    QVERIFY2(summary().contains("running; showing the result of ε "), qPrintable(summary()));
    window_->action("stop")->trigger();
  }
  QString summary() const { return window_->status()->summary(); }

 private Q_SLOTS:
  void init() {
    hold_ = std::make_shared<Hold>();
    QVERIFY(showWindow({1280, 800}, {}, holdingBackends(hold_)));
  }
  void cleanup() { closeWindow(); }

  void aStoppedRunSaysSo() {
    openHeld();
    const auto shown = session_->clusterRun().result();
    stopAt(40);
    QCOMPARE(session_->clusterRun().state(), RunState::Stopped);
    QCOMPARE(session_->clusterRun().result(), shown);
    QVERIFY2(summary().contains("stopped; showing the result of ε 1.5"), qPrintable(summary()));
    QVERIFY(window_->messages()->isVisible());
    QCOMPARE(window_->messages()->text(), QString("Stopped; showing the result of ε 1.5."));
    QCOMPARE(window_->messages()->actionButton()->text(), QString("Run"));
    QVERIFY(window_->action("run")->isEnabled());
    QVERIFY(window_->parameters()->runButton()->isEnabled());
    QCOMPARE(window_->parameters()->eps()->box()->text(), QString("40"));
    shot(window_.get(), "stopped");

    hold_->held = false;
    QTest::mouseClick(window_->messages()->actionButton(), Qt::LeftButton);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    QVERIFY(!window_->messages()->isVisible());
    QVERIFY(!summary().contains("showing"));
    QVERIFY(!window_->action("run")->isEnabled());
  }

  void whatIsWrittenAfterAStopIsSaid() {
    openHeld();
    stopAt(40);
    window_->action("copyCommandLine")->trigger();
    QVERIFY(QApplication::clipboard()->text().contains("--eps 40"));
    QVERIFY2(window_->messages()->text().contains("(ε 40)") &&
                 window_->messages()->text().contains("belongs to ε 1.5"),
             qPrintable(window_->messages()->text()));
    QSignalSpy saved(&session_->files(), &SessionFiles::sessionSaved);
    session_->files().saveSession(directory_->filePath("s.clusterloom"));
    QVERIFY(waitUntil([&] { return saved.count() == 1; }));
    QVERIFY(window_->messages()->text().contains("belongs to ε 1.5"));
    shot(window_.get(), "saved-after-a-stop");

    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    const auto* note = dialog->findChild<QLabel*>("exportNote");
    QVERIFY(note->isVisible());
    QVERIFY2(note->text().contains("(ε 1.5)") && note->text().contains("now ε 40"),
             qPrintable(note->text()));
    shot(dialog, "export-after-a-stop");
    const QString out = directory_->filePath("out.csv");
    dialog->setPath(out);
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    QTest::mouseClick(dialog->findChild<QPushButton*>("exportButton"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return exported.count() == 1; }));
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains(",1,core"));  // two clusters: those of ε 1.5
    // A result of the parameters needs no note.
    hold_->held = false;
    session_->clusterRun().run();
    QVERIFY(waitForResult(*session_));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<ExportDialog*>(), 60000);
    window_->action("export")->trigger();
    QVERIFY(!window_->findChild<ExportDialog*>()->findChild<QLabel*>("exportNote")->isVisible());
  }

  void theNoteOfAnExportFollowsTheRun() {
    openHeld();
    stopAt(40);
    window_->action("export")->trigger();
    const auto* note = window_->findChild<ExportDialog*>()->findChild<QLabel*>("exportNote");
    QVERIFY(note->isVisible());
    hold_->held = false;
    session_->clusterRun().run();
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntil([&] { return !note->isVisible(); }));
  }

  /// They have other numbers in the result that the session has once it is opened.
  void clustersOfAnOlderResultAreNotSaved() {
    openHeld();
    session_->setSelectedClusters({1});
    DisplayState display = session_->display();
    display.hidden = {kNoise, 0};
    session_->setDisplay(display);
    stopAt(40);
    session_->files().saveSession(path("older.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(session_->display().hidden, (std::set<std::int32_t>{kNoise, 0}));
    session_->closeData();
    hold_->held = false;
    session_->files().openSession(path("older.clusterloom"));
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    QCOMPARE(session_->display().hidden, std::set<std::int32_t>{kNoise});
    QVERIFY(session_->selection().clusters.empty());
  }

  void theStatusLineShowsJobsByTheirTitles() {
    QVERIFY(waitUntilIdle(*session_));  // without data, of which there would be other jobs
    const auto go = std::make_shared<std::atomic<bool>>(false);
    const auto waits = [go](const Job&) {
      while (!*go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    auto* stop = window_->status()->findChild<QToolButton*>();
    session_->jobs().start(JobKind::SelectionSummary, {}, waits);
    QTest::qWait(300);  // longer than jobs that are not shown
    QCOMPARE(window_->status()->jobText(), QString());
    session_->jobs().start(JobKind::SaveSession, "Saving one", waits);
    QVERIFY(waitUntil([&] { return window_->status()->jobText().contains("Saving one"); }));
    QVERIFY(!window_->status()->jobText().contains("(+"));
    QVERIFY(!stop->isVisible());  // it would not stop this
    session_->jobs().start(JobKind::Sweep, "Sweeping", waits);
    QVERIFY(waitUntil([&] { return stop->isVisible(); }));
    QVERIFY(window_->status()->jobText().contains("(+1)"));
    *go = true;
    QVERIFY(waitUntil([&] { return window_->status()->jobText().isEmpty(); }));
  }

  void aStoppedRunIsRunAgainFromTheKeyboard() {
    openHeld();
    ParametersPanel* panel = window_->parameters();
    const auto runs = [&](QWidget* where, Qt::Key key) {
      hold_->held = true;
      session_->setEps(session_->parameters().dbscan.eps + 1);
      if (!waitUntil([&] { return session_->jobs().isActive(JobKind::Cluster); })) return false;
      window_->action("stop")->trigger();
      if (session_->clusterRun().state() != RunState::Stopped) return false;
      hold_->held = false;
      where->setFocus();
      QTest::keyClick(where, key);
      return waitUntil([&] { return session_->clusterRun().isResultCurrent(); });
    };
    QVERIFY(runs(panel->eps()->box(), Qt::Key_Return));  // ε stays what it is
    QVERIFY(runs(panel->minPts(), Qt::Key_Return));
    QVERIFY(runs(window_->cloudView(), Qt::Key_F5));
    // Undo back to the parameters of the result is no run at all.
    stopAt(40);
    const std::size_t runsBefore = session_->clusterRun().runs().size();
    window_->action("undo")->trigger();
    QCOMPARE(session_->clusterRun().state(), RunState::Current);
    QVERIFY(!window_->messages()->isVisible());
    QCOMPARE(session_->clusterRun().runs().size(), runsBefore);
  }

  void aStopWithoutAResultSaysSo() {
    hold_->held = true;
    OpenRequest request;
    request.path = writeSquares(directory_->path());
    request.eps = 1.5;
    window_->openRequest(request);
    QVERIFY(waitUntil([&] { return session_->jobs().isActive(JobKind::Cluster); }));
    window_->action("stop")->trigger();
    QVERIFY(!session_->clusterRun().result());
    QVERIFY2(summary().contains("stopped; no result"), qPrintable(summary()));
    QVERIFY(!window_->action("export")->isEnabled());
    shot(window_.get(), "stopped-without-a-result");
  }

  void aFailedRunSaysSo() {
    openHeld();
    hold_->fails = true;
    session_->setEps(40);
    QVERIFY(waitUntil([&] { return session_->clusterRun().state() == RunState::Failed; }));
    QVERIFY(summary().contains("the run failed; showing the result of ε 1.5"));
    hold_->fails = false;
    window_->action("run")->trigger();
    QVERIFY(waitForResult(*session_));
  }

  void aStopEndsThePreview() {
    hold_->seconds = 1;  // so long that ε is dragged with a preview
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 60000, 2, 1};
    request.eps = 0.4;
    request.minPts = 8;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    const QImage before = window_->cloudView()->grabFrame();
    hold_->held = true;
    session_->setDragging(true);
    session_->setEps(0.05);
    session_->setDragging(false);  // the run begins; its preview has had no time yet
    session_->setDragging(true);
    session_->setEps(0.06);
    QVERIFY(waitUntil([&] { return bool(session_->clusterRun().preview()); }));
    window_->action("stop")->trigger();
    QVERIFY(!session_->clusterRun().preview());
    QVERIFY(summary().contains("showing the result of ε 0.4"));
    QTest::qWait(300);
    QVERIFY(waitUntil([&] { return window_->cloudView()->isSettled(); }));
    QVERIFY(!window_->cloudView()->findChild<QLabel*>("previewBadge")->isVisible());
    session_->setDragging(false);
    window_->action("stop")->trigger();
    QTest::qWait(200);
    // The message above the view takes some of its height, so the frames are compared by colours.
    const Colour first = clusterColour(0, Background::Light);
    const int pixels = pixelsLike(before, qRgb(first.r, first.g, first.b), 12);
    const int now =
        pixelsLike(window_->cloudView()->grabFrame(), qRgb(first.r, first.g, first.b), 12);
    QVERIFY2(pixels > 0 && std::abs(now - pixels) < pixels / 3 + 50,
             qPrintable(QString("%1 and %2").arg(pixels).arg(now)));
  }

  void runsCanWaitToBeAskedFor() {
    openHeld();
    ParametersPanel* panel = window_->parameters();
    QVERIFY(panel->autoRun()->isChecked());
    panel->autoRun()->click();
    QVERIFY(!window_->action("autoRun")->isChecked());
    session_->setEps(40);
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(session_->clusterRun().result()->parameters.dbscan.eps, 1.5);
    QVERIFY2(summary().contains("not run; showing the result of ε 1.5"), qPrintable(summary()));
    QVERIFY(!window_->messages()->isVisible());
    shot(window_.get(), "not-run");
    QTest::mouseClick(panel->runButton(), Qt::LeftButton);
    QVERIFY(waitForResult(*session_) && waitUntilIdle(*session_));
    // The first Return takes a new number, the second runs.
    QLineEdit* box = panel->eps()->box();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "35");
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(!session_->jobs().isActive(JobKind::Cluster));
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(waitForResult(*session_) && waitUntilIdle(*session_));
    session_->setDragging(true);
    session_->setEps(30);
    QVERIFY(!session_->jobs().isActive(JobKind::Cluster));
    session_->setDragging(false);
    QVERIFY(!session_->jobs().isActive(JobKind::Cluster));
    window_->action("autoRun")->trigger();  // what waits is run
    QVERIFY(panel->autoRun()->isChecked());
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->parameters.dbscan.eps, 30.0);
  }

  void theEpsOfTheLastFileIsNotShown() {
    openHeld();
    QLineEdit* box = window_->parameters()->eps()->box();
    QCOMPARE(box->text(), QString("1.5"));
    const auto awaits = [&] { return session_->data().cloud() && session_->data().awaitsEps(); };
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 250000, 3, 1};
    window_->openRequest(request);
    QVERIFY(waitUntil(awaits));
    QCOMPARE(box->text(), QString());
    QVERIFY(box->placeholderText().contains("looking for"));
    QVERIFY(!window_->action("copyCommandLine")->isEnabled());
    QVERIFY(!window_->action("saveSession")->isEnabled());
    QCOMPARE(session_->files().commandLine(), QString());
    shot(window_.get(), "eps-sought");
    window_->action("stop")->trigger();
    QCOMPARE(box->text(), QString());
    QCOMPARE(session_->clusterRun().state(), RunState::NeedsEps);
    QCOMPARE(box->placeholderText(), QString("no ε yet"));
    QVERIFY(window_->messages()->text().startsWith("Stopped before an ε was suggested"));
    shot(window_.get(), "stopped-without-eps");
    QTest::mouseClick(window_->messages()->actionButton(), Qt::LeftButton);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(box->text(), shortestText(session_->parameters().dbscan.eps));
    QVERIFY(session_->parameters().dbscan.eps != 1.5);
    QVERIFY(window_->action("copyCommandLine")->isEnabled());
  }

  void coloursAreThoseOfTheLabels() {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 3000, 2, 4};
    request.eps = 0.6;
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->action("densityBlended")->trigger();  // colours are not mixed with the ground
    QVERIFY(waitUntilSettled(*window_));
    const QImage first = window_->cloudView()->grabFrame();
    for (const double eps : {0.2, 3.0, 0.35}) {
      session_->setEps(eps);
      QVERIFY(waitUntilSettled(*window_));
    }
    QVERIFY(differingPixels(first, window_->cloudView()->grabFrame()) > 100);
    for (int i = 0; i < 3; ++i) window_->action("undo")->trigger();
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(differingPixels(first, window_->cloudView()->grabFrame()), 0);
    // The same after reopening.
    QSignalSpy saved(&session_->files(), &SessionFiles::sessionSaved);
    session_->setEps(0.2);
    session_->setEps(0.6);
    QVERIFY(waitUntilSettled(*window_));
    session_->files().saveSession(directory_->filePath("c.clusterloom"));
    QVERIFY(waitUntil([&] { return saved.count() == 1; }));
    session_->closeData();
    session_->files().openSession(directory_->filePath("c.clusterloom"));
    QVERIFY(waitUntil([&] { return bool(session_->clusterRun().result()); }));
    QVERIFY(waitUntilSettled(*window_));
    window_->messages()->hide();
    QVERIFY(waitUntilSettled(*window_));
    const QImage reopened = window_->cloudView()->grabFrame();
    for (int label = 0; label < 3; ++label) {
      const Colour colour = clusterColour(label, Background::Light);
      const int before = pixelsLike(first, qRgb(colour.r, colour.g, colour.b), 12);
      const int now = pixelsLike(reopened, qRgb(colour.r, colour.g, colour.b), 12);
      // A few pixels: the view need not have the very size it had.
      QVERIFY2(before > 0 && std::abs(now - before) <= 4 + before / 10,
               qPrintable(QString("%1: %2 and %3").arg(label).arg(before).arg(now)));
    }
  }

  /// The engine panel offers a GPU only where there is a choice.
  void aGpuIsChosenWhereThereAreSeveral() {
    EnginePanel* engine = window_->engine();
    engine->setExpanded(true);
    QVERIFY(openSquares());
    auto* box = engine->findChild<QComboBox*>("device");
    QVERIFY(box && !box->isVisible());

    hold_->devices = {{0, "GPU A, 80 GiB"}, {1, "GPU B, 80 GiB"}};
    session_->clusterRun().setBackend("cuda");
    QVERIFY(waitUntil([&] { return box->isVisible(); }));
    QCOMPARE(box->count(), 3);
    QCOMPARE(box->currentData().toInt(), -1);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "engine-devices");
    box->setCurrentIndex(2);
    Q_EMIT box->activated(2);
    QCOMPARE(session_->clusterRun().device(), 1);
    QVERIFY(waitUntil([&] { return hold_->device == 1 && box->count() == 3; }));
    QCOMPARE(box->currentText(), QString("1 · GPU B, 80 GiB"));
    QVERIFY(waitForResult(*session_));

    session_->clusterRun().setBackend("cpu");
    QVERIFY(!box->isVisible());
    QVERIFY(waitForResult(*session_));
    // One that does not answer is shown, so that it can be changed.
    hold_->devices = {};
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    session_->clusterRun().setBackend("auto");
    QVERIFY(waitUntil([&] { return failed.count() == 1; }));
    QVERIFY(box->isVisible());
    QCOMPARE(box->currentData().toInt(), 1);
    box->setCurrentIndex(0);
    Q_EMIT box->activated(0);
    QVERIFY(waitForResult(*session_));
    QVERIFY(!box->isVisible());
  }
};

WINDOW_TEST(TestRunStates, qEnvironmentVariableIsSet("CLUSTERLOOM_SHOTS_DARK")
                               ? ThemeChoice::Dark
                               : ThemeChoice::Light);
#include "tst_run_states.moc"
