// How clouds come to be open beside each other: by columns, several files, sessions, and what
// fails.
#include <QFile>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTest>

#include "clouds_window.h"
#include "holding_backend.h"
#include "session_waits.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/every_eps.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/cloud_view.h"

using namespace clusterloom;

class TestCloudsOpening : public QObject, private CloudsWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1200, 850})); }
  void cleanup() { closeWindow(); }

  void sessionsAreNotOpenedBeside() {
    QVERIFY(openSquares());
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path("one.clusterloom"))});
    dropOn(data, Qt::ControlModifier);
    QVERIFY2(message().contains("one.clusterloom is a session"), qPrintable(message()));
    QVERIFY(!session_->jobs().isActive(JobKind::Load));
    QCOMPARE(clouds().count(), 1);
  }

  /// Other columns of the file on show: the other tabs stay.
  void columnsAreChosenAgainInPlace() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    clouds().addFile(writeMoved("third.csv"));
    QVERIFY(waitForCloud(2));
    clickTab(1);
    QVERIFY(waitForCloud(1));
    const quint64 number = clouds().number(1);
    window_->action("reimport")->trigger();
    auto* dialog = window_->findChild<ImportDialog*>();
    QVERIFY(dialog && waitUntilIdle(*session_));
    dialog->accept();
    QVERIFY(waitUntil([&] { return clouds().number(clouds().current()) != number; }));
    QVERIFY(waitForCloud(1));
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "moved.csv", "third.csv"}));
    QCOMPARE(shownFile(), QString("moved.csv"));
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    QCOMPARE(shown().clusters, 3);
  }

  /// Where they cannot be read, the choices that the message offers are for the same place, too.
  void columnsThatFailAreChosenAgainInPlace() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    window_->action("reimport")->trigger();
    auto* dialog = window_->findChild<ImportDialog*>();
    QVERIFY(dialog && waitUntilIdle(*session_));
    dialog->setColumnRole(1, ImportDialog::ColumnRole::Attribute);
    dialog->accept();
    QPushButton* options = window_->messages()->actionButton();
    QVERIFY(waitUntil([&] { return options->isVisible() && options->text().contains("mport"); }));
    QVERIFY2(message().contains("1 dimension"), qPrintable(message()));
    QVERIFY(waitUntil([&] { return window_->findChild<ImportDialog*>() == nullptr; }));
    const quint64 number = clouds().number(1);
    options->click();
    dialog = window_->findChild<ImportDialog*>();
    QVERIFY(dialog && waitUntilIdle(*session_));
    dialog->accept();
    QVERIFY(waitUntil([&] { return clouds().number(clouds().current()) != number; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "moved.csv"}));
    QCOMPARE(clouds().current(), 1);
    QCOMPARE(shown().clusters, 3);
  }

  /// Files that are named together: in tabs, the first on show; what cannot be read is left out.
  void filesAreOpenedOneAfterTheOther() {
    const QString first = writeMoved("first.csv");
    const QString second = writeMoved("second.csv");
    window_->openPaths({first, second, path("none.csv"), writeMoved("third.csv")},
                       MainWindow::Ask::IfText);
    QVERIFY(waitUntil([&] { return clouds().count() == 3 && clouds().current() == 0; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().titles(), (QStringList{"first.csv", "second.csv", "third.csv"}));
    QCOMPARE(shownFile(), QString("first.csv"));
    QVERIFY2(message().contains("none.csv"), qPrintable(message()));
    QVERIFY(!window_->findChild<ImportDialog*>());
    // Nothing is added where the first one is not opened.
    window_->openPaths({path("none.csv"), second}, MainWindow::Ask::IfText);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().count(), 3);
    QCOMPARE(shownFile(), QString("first.csv"));
    // Dropped together with Ctrl: beside what is open.
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(second), QUrl::fromLocalFile(first)});
    dropOn(data, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return clouds().count() == 5; }));
    QVERIFY(waitUntilSettled(*window_));
    // And without: in their place, once the person has agreed to lose the tabs.
    dropOn(data, Qt::NoModifier);
    auto* const question = window_->findChild<QMessageBox*>();
    QVERIFY(question);
    question->button(QMessageBox::Discard)->click();
    QVERIFY(waitUntil([&] { return clouds().count() == 2 && clouds().current() == 0; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().titles(), (QStringList{"second.csv", "first.csv"}));
  }

  /// A session among them is no reason to leave out what follows.
  void sessionsAmongSeveralFilesAreLeftOut() {
    QVERIFY(openSquares());
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path("one.clusterloom")), QUrl::fromLocalFile(writeMoved())});
    dropOn(data, Qt::ControlModifier);
    QVERIFY(waitForCloud(1));
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "moved.csv"}));
    QVERIFY2(message().contains("one.clusterloom is a session"), qPrintable(message()));
  }

  void severalFilesCanBeStopped() {
    const QStringList files{writeMoved("first.csv"), writeMoved("second.csv"),
                            writeMoved("third.csv")};
    // While the second is read.
    int loads = 0;
    auto stops = connect(&session_->jobs(), &JobQueue::started, this, [&](quint64, JobKind kind) {
      if (kind == JobKind::Load && ++loads == 2) session_->cancel();
    });
    window_->openPaths(files, MainWindow::Ask::IfText);
    QVERIFY(waitUntil([&] { return loads == 2; }));
    QVERIFY(waitUntilIdle(*session_));
    session_->clusterRun().run();  // it was stopped, too
    QVERIFY(waitUntilSettled(*window_));
    disconnect(stops);
    QCOMPARE(loads, 2);
    QCOMPARE(clouds().titles(), QStringList{"first.csv"});
    // While ε of the first is sought: nothing comes when it is given, either.
    session_->closeData();
    bool stopped = false;
    stops = connect(&session_->jobs(), &JobQueue::started, this, [&](quint64, JobKind kind) {
      if (kind == JobKind::Suggest && !std::exchange(stopped, true)) session_->cancel();
    });
    window_->openPaths(files, MainWindow::Ask::IfText);
    QVERIFY(waitUntil([&] { return stopped; }));
    QVERIFY(waitUntilIdle(*session_));
    disconnect(stops);
    session_->setEps(1.5);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().titles(), QStringList{"first.csv"});
  }

  /// Nothing is opened beside other data than those that were named first.
  void severalFilesEndWithTheFirst() {
    const QStringList files{writeMoved("first.csv"), writeMoved("second.csv"),
                            writeMoved("third.csv")};
    const QString other = writeMoved("other.csv");
    int loads = 0;
    const auto replaces =
        connect(&session_->jobs(), &JobQueue::started, window_.get(), [&](quint64, JobKind kind) {
          if (kind == JobKind::Load && ++loads == 2)
            QMetaObject::invokeMethod(
                window_.get(), [&] { session_->data().openFile(other); }, Qt::QueuedConnection);
        });
    window_->openPaths(files, MainWindow::Ask::IfText);
    QVERIFY(waitUntil([&] { return session_->data().dataset() && shownFile() == "other.csv"; }));
    disconnect(replaces);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().titles(), QStringList{"other.csv"});
  }

  void otherDimensionsAreRefused() {
    QVERIFY(openSquares());
    QVERIFY(write("space.csv", "x,y,z\n1,2,3\n4,5,6\n"));
    OpenRequest request;
    request.path = path("space.csv");
    clouds().add(request);
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(clouds().count(), 1);
    QVERIFY2(message().contains("space.csv has 3 dimensions, but the open clouds have 2"),
             qPrintable(message()));
    QCOMPARE(shown().clusters, 2);
    clouds().addFile(path("missing.csv"));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(clouds().count(), 1);
    QVERIFY2(message().contains("missing.csv"), qPrintable(message()));
  }

  void filesThatAreGone() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    clouds().addFile(writeMoved("third.csv"));
    QVERIFY(waitForCloud(2));
    session_->files().saveSession(path("three.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    // The one on show, and another.
    QVERIFY(QFile::remove(path("third.csv")) && QFile::remove(path("squares.csv")));
    session_->files().openSession(path("three.clusterloom"));
    QVERIFY(waitUntil([&] { return clouds().count() == 1; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(shownFile(), QString("moved.csv"));
    QVERIFY2(message().contains("third.csv") && message().contains("squares.csv") &&
                 !message().contains("moved.csv"),
             qPrintable(message()));
    // None is left.
    QVERIFY(QFile::remove(path("moved.csv")));
    session_->files().openSession(path("three.clusterloom"));
    QVERIFY(waitUntil([&] { return message().contains("third.csv"); }));
    QCOMPARE(shownFile(), QString("moved.csv"));
  }

  /// A file that goes after its session was opened: its row says so, and the others are compared.
  void aCloudThatCannotBeRead() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    session_->files().saveSession(path("two.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->files().openSession(path("two.clusterloom"));
    QVERIFY(waitUntil([&] { return clouds().count() == 2 && !clouds().held()[0].whole; }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(QFile::remove(path("squares.csv")));
    window_->charts()->showTab(ChartId::Clouds);
    QVERIFY(waitForComparison());
    QVERIFY(comparison().clouds()[0].failure.contains("squares.csv"));
    QVERIFY(comparison().clouds()[1].failure.isEmpty());
    QVERIFY(note()->isVisible() && note()->text().contains("squares.csv"));
    QVERIFY(!comparison().adjustedRandIndex(0, 1));
    // Its tab does not come to the front.
    clickTab(0);
    QVERIFY(waitUntil([&] { return message().contains("squares.csv"); }));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(clouds().current(), 1);
    QCOMPARE(tabs()->currentIndex(), 1);
    // The one on show can be closed all the same.
    window_->action("closeData")->trigger();
    QVERIFY(waitUntil([&] { return clouds().count() == 0; }));
    QVERIFY(!session_->data().dataset());
  }

  /// Where the neighbour of a cloud that is closed cannot be read, another one takes its place.
  void closesBesideACloudThatCannotBeRead() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    clouds().addFile(writeMoved("third.csv"));
    QVERIFY(waitForCloud(2));
    session_->files().saveSession(path("three.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->files().openSession(path("three.clusterloom"));
    QVERIFY(waitUntil([&] { return clouds().count() == 3 && !clouds().held()[0].whole; }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(QFile::remove(path("moved.csv")));
    window_->action("closeData")->trigger();
    QVERIFY(waitUntil([&] { return clouds().count() == 2; }));
    QVERIFY(waitForCloud(0));
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "moved.csv"}));
    QCOMPARE(shownFile(), QString("squares.csv"));
  }
};

WINDOW_TEST(TestCloudsOpening);
#include "tst_clouds_opening.moc"
