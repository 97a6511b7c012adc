// Several clouds beside each other: tabs, shared parameters, undo, the comparison, session files.
#include <QAction>
#include <QFileDialog>
#include <QMimeData>
#include <QTabBar>
#include <QTest>

#include "clouds_window.h"
#include "holding_backend.h"
#include "session_waits.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/every_eps.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/cloud_view.h"

using namespace clusterloom;

class TestClouds : public QObject, private CloudsWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1200, 850})); }
  void cleanup() { closeWindow(); }

  void opensBesideWithTheSameParameters() {
    QAction* const beside = window_->action("openBeside");
    QVERIFY(!beside->isEnabled());
    QVERIFY(openSquares());
    QVERIFY(beside->isEnabled() && tabs()->isHidden());
    QVERIFY(!window_->action("nextCloud")->isEnabled());
    session_->setIndexedDims(1);
    writeMoved();
    beside->trigger();
    auto* dialog = window_->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->selectFile(path("moved.csv"));
    Q_EMIT dialog->fileSelected(path("moved.csv"));
    dialog->reject();
    QVERIFY(activate(*window_));
    QVERIFY(waitUntil([&] { return clouds().count() == 2; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().current(), 1);
    QVERIFY(tabs()->isVisible());
    QCOMPARE(tabs()->count(), 2);
    QCOMPARE(tabs()->tabText(0), QString("squares.csv"));
    QCOMPARE(tabs()->tabText(1), QString("moved.csv"));
    QCOMPARE(tabs()->tabToolTip(1), QDir::toNativeSeparators(path("moved.csv")));
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    QCOMPARE(session_->parameters().dbscan.minPts, 4);
    QCOMPARE(session_->parameters().strategy.indexedDims, 1);
    QCOMPARE(shown().clusters, 3);
    QVERIFY(window_->windowTitle().startsWith("moved.csv"));

    // What is held has nothing that runs prepare.
    const HeldCloud& held = clouds().held()[0];
    QVERIFY(held.whole && held.ready && !held.ready->prepared);

    // ε holds for both.
    session_->setEps(40);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(shown().clusters, 1);
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QCOMPARE(shownFile(), QString("squares.csv"));
    QCOMPARE(session_->parameters().dbscan.eps, 40.0);
    QCOMPARE(shown().clusters, 1);
    QCOMPARE(tabs()->currentIndex(), 0);
    QVERIFY(window_->action("nextCloud")->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QVERIFY(waitForCloud(1));
    QTest::keyClick(window_.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QVERIFY(waitForCloud(0));
    QTest::keyClick(window_.get(), Qt::Key_PageUp, Qt::ControlModifier);
    QVERIFY(waitForCloud(1));
  }

  /// Labels that still hold are shown again without a run, and the list of runs stays.
  void shownAgainWithoutARun() {
    const auto hold = std::make_shared<Hold>();
    QVERIFY(showWindow({1200, 850}, {}, holdingBackends(hold)));
    session_->everyEps().setEnabled(false);
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QCOMPARE(shown().clusters, 2);
    QCOMPARE(session_->clusterRun().runs().size(), std::size_t(1));
    clickTab(1);
    QVERIFY(waitForCloud(1));
    QCOMPARE(shown().clusters, 3);
    QCOMPARE(session_->clusterRun().runs().size(), std::size_t(1));
    // A run may have been started and stopped, but none was waited for.
    hold->held = true;
    clickTab(0);
    QVERIFY(waitForCloud(0));
    hold->held = false;
  }

  /// The same of clusters of HDBSCAN*, as long as their tree is of the parameters.
  void clustersOfHdbscanStay() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    ClusterTree& tree = session_->clusterTree();
    session_->everyEps().setEnabled(true);
    tree.setWanted(ClusterTree::Shown::Tree, true);
    QVERIFY(waitUntil([&] { return tree.tree() != nullptr; }));
    tree.showTaken();
    const auto isShown = [&] {
      const auto result = session_->clusterRun().result();
      return result && result->hdbscan;
    };
    QVERIFY(waitUntil(isShown));
    session_->clusterRun().setAutoRun(false);
    session_->setSelectedClusters({0});
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QVERIFY(!isShown());
    clickTab(1);
    QVERIFY(waitForCloud(1));
    QVERIFY(isShown());
    QCOMPARE(session_->selection().clusters, std::set<std::int32_t>{0});
    clickTab(0);
    QVERIFY(waitForCloud(0));
    session_->clusterRun().setAutoRun(true);
    session_->setMinPts(5);
    clickTab(1);
    QVERIFY(waitForCloud(1));
    QVERIFY(!isShown());
  }

  void undoIsOfTheSharedParameters() {
    QVERIFY(openSquares());
    session_->setMinPts(5);
    const auto some = std::make_shared<const std::vector<std::uint32_t>>(
        std::vector<std::uint32_t>{0, 1, 2, 20, 21, 22, 40, 41, 42, 60, 61, 62});
    session_->setKept(some, "Keep");
    session_->setEps(2);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->undoStack()->count(), 3);
    QVERIFY(addMoved());
    // The step that kept points of the first cloud is left out; the others can be undone.
    QVERIFY(!session_->parameters().kept);
    QCOMPARE(shown().labels.size(), std::size_t(804));
    QCOMPARE(session_->undoStack()->count(), 2);
    window_->action("undo")->trigger();
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    QCOMPARE(session_->parameters().dbscan.minPts, 5);
    QVERIFY(!session_->parameters().kept);
    QVERIFY(waitUntilSettled(*window_));
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QVERIFY(samePoints(session_->parameters().kept, some));
    QCOMPARE(shown().labels.size(), std::size_t(12));
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    QVERIFY(session_->undoStack()->canRedo());
    window_->action("redo")->trigger();
    QCOMPARE(session_->parameters().dbscan.eps, 2.0);
    QVERIFY(samePoints(session_->parameters().kept, some));
    session_->undoStack()->setIndex(0);
    QCOMPARE(session_->parameters().dbscan.minPts, 4);
    QVERIFY(samePoints(session_->parameters().kept, some));
    QVERIFY(waitUntilSettled(*window_));
  }

  /// Switching while ε is sought keeps the steps; the ε of the other cloud belongs to the step that
  /// changed the scaling.
  void undoGoesOnWhileEpsIsAwaited() {
    QVERIFY(openSquares());
    session_->setMinPts(5);
    const auto stopped =
        connect(&session_->jobs(), &JobQueue::started, this, [this](quint64, JobKind kind) {
          if (kind == JobKind::Suggest) session_->jobs().cancel(kind);
        });
    ScalingChoice range;
    range.kind = Scaling::Kind::Unit;
    session_->setScaling(range);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(session_->data().awaitsEps());
    QCOMPARE(session_->undoStack()->count(), 2);
    disconnect(stopped);
    clouds().addFile(writeMoved());
    QVERIFY(waitForCloud(1));
    QVERIFY(!session_->data().awaitsEps());
    const double found = session_->parameters().dbscan.eps;
    QVERIFY(found != 1.5);
    QCOMPARE(session_->undoStack()->count(), 2);
    window_->action("undo")->trigger();
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->parameters().scaling.kind == Scaling::Kind::None);
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    QCOMPARE(session_->parameters().dbscan.minPts, 5);
    window_->action("redo")->trigger();
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->parameters().scaling == range);
    QCOMPARE(session_->parameters().dbscan.eps, found);
  }

  /// Files of a cloud that was left before they were read are read when it is shown again.
  void leftBeforeAddedPointsAndLabelsAreRead() {
    QVERIFY(openSquares());
    QVERIFY(write("added.csv", "x,y,kind\n1,1,new\n"));
    QByteArray labels;
    for (int i = 0; i < 804; ++i) labels += i < 804 / 4 ? "0\n" : "1\n";
    QVERIFY(write("truth.txt", labels));
    clouds().addFile(writeMoved());
    // Jobs of these kinds are done one after the other: the other cloud comes first.
    session_->addedPoints().open(path("added.csv"));
    session_->openedLabels().open(path("truth.txt"));
    QCOMPARE(session_->state().addedPath, path("added.csv"));
    QCOMPARE(session_->state().labelsPath, path("truth.txt"));
    QVERIFY(waitForCloud(1));
    QVERIFY(!session_->addedPoints().dataset());
    QVERIFY(shown().clusters == 3 && session_->state().labelsPath.isEmpty());
    QVERIFY(session_->state().addedPath.isEmpty());
    QCOMPARE(session_->state().others[0].addedPath, path("added.csv"));
    QCOMPARE(session_->state().others[0].labelsPath, path("truth.txt"));
    clickTab(0);
    QVERIFY(waitUntil([&] { return clouds().current() == 0; }));
    QVERIFY(waitUntil([&] {
      const auto result = session_->clusterRun().result();
      return session_->addedPoints().dataset() && result && !result->labelsFile.isEmpty();
    }));
    QCOMPARE(session_->addedPoints().path(), path("added.csv"));
    QCOMPARE(session_->clusterRun().result()->labelsFile, path("truth.txt"));
    // What is removed is not named any more.
    session_->addedPoints().remove();
    QVERIFY(session_->state().addedPath.isEmpty());
    // A file that cannot be read is not either.
    session_->addedPoints().open(path("missing.csv"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(session_->state().addedPath.isEmpty());
  }

  void selectionAndHiddenClustersBelongToEach() {
    QVERIFY(openSquares());
    session_->setSelectedClusters({1});
    DisplayState display = session_->display();
    display.hidden = {0};
    display.opacity = 0.5;
    session_->setDisplay(display);
    QVERIFY(addMoved());
    QVERIFY(session_->selection().clusters.empty());
    QVERIFY(session_->display().hidden.empty());
    QCOMPARE(session_->display().opacity, 0.5);
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QCOMPARE(session_->selection().clusters, (std::set<std::int32_t>{1}));
    QCOMPARE(session_->display().hidden, (std::set<std::int32_t>{0}));
    clickTab(1);
    QVERIFY(waitForCloud(1));
    // At another ε the numbers are those of other clusters.
    session_->setEps(40);
    QVERIFY(waitUntilSettled(*window_));
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QVERIFY(session_->selection().clusters.empty());
    QVERIFY(session_->display().hidden.empty());
  }

  /// Also where the chart of all clouds has labelled them meanwhile.
  void aComparedCloudHasOtherClusters() {
    QVERIFY(openSquares());
    session_->setSelectedClusters({1});
    DisplayState display = session_->display();
    display.hidden = {0, kNoise};
    session_->setDisplay(display);
    QVERIFY(addMoved());
    window_->charts()->showTab(ChartId::Clouds);
    session_->setEps(40);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(waitUntilIdle(*session_));
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    QVERIFY(session_->selection().clusters.empty());
    QCOMPARE(session_->display().hidden, std::set<std::int32_t>{kNoise});
  }

  void closing() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    clouds().addFile(writeMoved("third.csv"));
    QVERIFY(waitForCloud(2));
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "moved.csv", "third.csv"}));
    // One that is not on show.
    QTest::mouseClick(tabs()->tabButton(0, QTabBar::RightSide), Qt::LeftButton);
    QCOMPARE(clouds().titles(), (QStringList{"moved.csv", "third.csv"}));
    QCOMPARE(shownFile(), QString("third.csv"));
    QCOMPARE(tabs()->count(), 2);
    // The one on show: its neighbour takes its place.
    window_->action("closeData")->trigger();
    QVERIFY(waitUntil([&] { return clouds().count() == 1; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(shownFile(), QString("moved.csv"));
    QVERIFY(tabs()->isHidden());
    window_->action("closeData")->trigger();
    QVERIFY(!session_->data().dataset());
    QCOMPARE(clouds().count(), 0);
  }

  void reordering() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    tabs()->moveTab(1, 0);
    QCOMPARE(clouds().titles(), (QStringList{"moved.csv", "squares.csv"}));
    QCOMPARE(clouds().current(), 0);
    QCOMPARE(tabs()->currentIndex(), 0);
    QCOMPARE(shownFile(), QString("moved.csv"));
    clickTab(1);
    QVERIFY(waitForCloud(1));
    QCOMPARE(shownFile(), QString("squares.csv"));
  }

  void droppedWithCtrl() {
    QVERIFY(openSquares());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(writeMoved())});
    dropOn(data, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return clouds().count() == 2; }));
    QVERIFY(waitUntilSettled(*window_));
    // Opening in the ordinary way closes all of them.
    QVERIFY(openSquares());
    QCOMPARE(clouds().count(), 1);
    QVERIFY(tabs()->isHidden());
  }

  void comparesWhatIsOpen() {
    QVERIFY(openSquares());
    window_->charts()->showTab(ChartId::Clouds);
    QVERIFY(note()->isVisible() && note()->text().contains("Open for comparison"));
    QCOMPARE(table()->rowCount(), 0);
    shot(window_.get(), "clouds-one");
    QVERIFY(addMoved());
    QVERIFY(waitForComparison());
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "clouds");
    QVERIFY(note()->isHidden());
    QCOMPARE(table()->rowCount(), 2);
    const auto text = [&](int row, int column) { return table()->item(row, column)->text(); };
    QCOMPARE(text(0, 0), QString("squares.csv"));
    QCOMPARE(text(0, 2), QString("2"));
    QCOMPARE(text(0, 3), QString("4"));
    QCOMPARE(text(1, 2), QString("3"));
    QCOMPARE(text(1, 5), QString("400"));
    QVERIFY(table()->horizontalHeaderItem(7)->toolTip().contains("Noise counts as a cluster"));
    // By all pairs: the labels differ in the moved half alone.
    std::vector<int> a;
    std::vector<int> b;
    for (int i = 0; i < 804; ++i) {
      a.push_back(i >= 800 ? -1 : i / 400);
      b.push_back(i >= 800 ? -1 : i >= 600 ? 2 : i / 400);
    }
    double inA = 0;
    double inB = 0;
    double inBoth = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        inA += a[i] == a[j];
        inB += b[i] == b[j];
        inBoth += a[i] == a[j] && b[i] == b[j];
      }
    const double expected = inA * inB / (804 * 803 / 2);
    const double index = (inBoth - expected) / ((inA + inB) / 2 - expected);
    QCOMPARE(*comparison().adjustedRandIndex(0, 1), index);
    QCOMPARE(*comparison().adjustedRandIndex(1, 0), index);
    QCOMPARE(*comparison().adjustedRandIndex(0, 0), 1.0);
    QCOMPARE(text(0, 8), QString::number(index, 'f', 4));
    const DataTable exact = comparison().table();
    QCOMPARE(exact.names.back(), std::string("adjusted_rand_index_with_moved.csv"));
    QCOMPARE(exact.rows[0].back(), exactNumber(*comparison().adjustedRandIndex(0, 1)));
    QCOMPARE(exact.rows[1][3], std::string("4"));

    // It follows ε, for the cloud that is not on show as well.
    session_->setEps(40);
    QVERIFY(waitUntil([&] {
      return waitForComparison() && text(0, 2) == QString("1") && text(1, 2) == QString("1");
    }));
    QCOMPARE(*comparison().adjustedRandIndex(0, 1),
             compareLabels(clouds().held()[0].result->clustering.labels, shown().labels)
                 ->adjustedRandIndex());
    QVERIFY(!clouds().held()[0].ready->prepared);
    // A row shows its cloud, with the labels that are there already.
    QVERIFY(waitUntilSettled(*window_));
    Q_EMIT table()->cellActivated(0, 0);
    QVERIFY(waitForCloud(0));
    QCOMPARE(shown().clusters, 1);
    QVERIFY(table()->item(0, 0)->font().bold() && !table()->item(1, 0)->font().bold());
    // With another cloud on show the comparison is the same, and is not said to go on.
    QVERIFY(waitForComparison());
    QVERIFY(waitUntil([&] { return note()->isHidden(); }));
  }

  void cloudsOfOtherRowsHaveNoIndex() {
    QVERIFY(openSquares());
    QVERIFY(write("few.csv", "x,y,kind\n0,0,a\n1,0,a\n0,1,a\n1,1,a\n"));
    clouds().addFile(path("few.csv"));
    QVERIFY(waitForCloud(1));
    window_->charts()->showTab(ChartId::Clouds);
    QVERIFY(waitForComparison());
    QVERIFY(!comparison().adjustedRandIndex(0, 1));
    QVERIFY(comparison().adjustedRandIndex(1, 1));
    QVERIFY(table()->item(0, 8)->toolTip().contains("same rows"));
    QCOMPARE(comparison().table().rows[0].back(), std::string());
  }

  /// Rows 0, 2, … of a file are not those of another one with as many rows.
  void rowsReadInPartHaveNoIndexWithOthers() {
    QByteArray rows = "x,y,kind\n";
    for (int i = 0; i < 8; ++i) rows += QByteArray::number(i) + ",0,a\n";
    QVERIFY(write("eight.csv", rows));
    QVERIFY(write("four.csv", "x,y,kind\n0,0,a\n1,0,a\n2,0,a\n3,0,a\n"));
    QVERIFY(openSquares());
    clouds().addFile(path("four.csv"));
    QVERIFY(waitForCloud(1));
    OpenRequest request;
    request.path = path("eight.csv");
    request.read = session_->data().readOptions();
    request.read.every = 2;
    clouds().add(request);
    QVERIFY(waitForCloud(2));
    QCOMPARE(session_->data().whole()->cloud.size(), std::size_t(4));
    window_->charts()->showTab(ChartId::Clouds);
    QVERIFY(waitForComparison());
    QVERIFY(!comparison().adjustedRandIndex(1, 2));
    QVERIFY(comparison().adjustedRandIndex(2, 2));
  }

  /// The same file twice, once with labels of a file: how well do the clusters match them?
  void openedLabelsAreCompared() {
    QVERIFY(openSquares());
    QByteArray labels;
    for (int i = 0; i < 804; ++i) labels += i >= 800 ? "-1\n" : i < 400 ? "0\n" : "1\n";
    QVERIFY(write("truth.txt", labels));
    clouds().addFile(path("squares.csv"));
    QVERIFY(waitForCloud(1));
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "squares.csv (2)"}));
    session_->openedLabels().open(path("truth.txt"));
    QVERIFY(waitUntil([&] { return !session_->clusterRun().result()->labelsFile.isEmpty(); }));
    window_->charts()->showTab(ChartId::Clouds);
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QVERIFY(waitForComparison());
    QCOMPARE(*comparison().adjustedRandIndex(0, 1), 1.0);
    QCOMPARE(table()->item(1, 6)->text(), QString("from a file"));
    // They stay what they are while ε moves.
    session_->setEps(40);
    QVERIFY(waitUntil(
        [&] { return waitForComparison() && comparison().clouds()[0].figures.clusters == 1; }));
    QCOMPARE(comparison().clouds()[1].figures.clusters, std::uint64_t(2));
    QVERIFY(*comparison().adjustedRandIndex(0, 1) < 0.5);
    QVERIFY(waitUntilSettled(*window_));
    clickTab(1);
    QVERIFY(waitUntil([&] { return clouds().current() == 1; }));
    QVERIFY(waitUntil([&] {
      const auto result = session_->clusterRun().result();
      return result && !result->labelsFile.isEmpty();
    }));
  }

  /// Each cloud is prepared for its own run; a stop ends the comparison, and a change begins it
  /// again.
  void stopsAndStartsAgain() {
    const auto hold = std::make_shared<Hold>();
    QVERIFY(showWindow({1200, 850}, {}, holdingBackends(hold)));
    session_->everyEps().setEnabled(false);
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    session_->setEps(2);  // the labels that are held do not hold any more
    QVERIFY(waitUntilSettled(*window_));
    const std::size_t runs = hold->prepared().size();
    hold->held = true;
    window_->charts()->showTab(ChartId::Clouds);
    QVERIFY(waitUntil([&] { return hold->prepared().size() == runs + 1; }));
    QVERIFY(hold->prepared().back() != session_->data().prepared().get());
    QVERIFY(note()->isVisible() && note()->text().contains("Comparing"));
    window_->action("stop")->trigger();
    QVERIFY(waitUntil([&] { return !comparison().isRunning(); }));
    QVERIFY(!comparison().isCurrent());
    QVERIFY2(note()->text().startsWith("Stopped"), qPrintable(note()->text()));
    hold->held = false;
    window_->charts()->showTab(ChartId::Runs);
    window_->charts()->showTab(ChartId::Clouds);
    QVERIFY(waitForComparison());
    QCOMPARE(comparison().clouds().size(), std::size_t(2));
  }

  void sessionsKeepAllClouds() {
    QVERIFY(openSquares());
    QVERIFY(addMoved());
    clouds().addFile(writeMoved("third.csv"));
    QVERIFY(waitForCloud(2));
    clickTab(1);
    QVERIFY(waitForCloud(1));
    QVERIFY(session_->files().isModified());
    session_->files().saveSession(path("three.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!session_->files().isModified());
    const QStringList all{"squares.csv", "moved.csv", "third.csv"};
    QCOMPARE(names(*loadSessionFile(path("three.clusterloom"))), all);
    // Another tab in front is no change of the session; another order is.
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QVERIFY(!session_->files().isModified());
    QCOMPARE(QFileInfo(session_->files().sessionPath()).fileName(), QString("three.clusterloom"));
    clouds().move(0, 2);
    QVERIFY(session_->files().isModified());
    // No file of a cloud is overwritten, on show or not.
    session_->files().exportLabelled(path("third.csv"), {}, false);
    QVERIFY2(message().contains("third.csv is open"), qPrintable(message()));

    session_->files().openSession(path("three.clusterloom"));
    QVERIFY(waitUntil([&] { return !session_->files().isModified() && clouds().current() == 1; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().titles(), all);
    QCOMPARE(shownFile(), QString("moved.csv"));
    QCOMPARE(shown().clusters, 3);
    QVERIFY(!clouds().held()[0].whole);  // read when it is needed
    clickTab(0);
    QVERIFY(waitForCloud(0));
    QCOMPARE(shown().clusters, 2);
    // The comparison reads the third.
    window_->charts()->showTab(ChartId::Clouds);
    QVERIFY(waitForComparison());
    QCOMPARE(*comparison().adjustedRandIndex(1, 2), 1.0);
    QVERIFY(clouds().held()[2].whole);
  }
};

WINDOW_TEST(TestClouds);
#include "tst_clouds.moc"
