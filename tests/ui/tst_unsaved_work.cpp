// What only the open session has is not given up without a question, and files that are being
// opened beside it are not lost.
#include <QAbstractButton>
#include <QAction>
#include <QCloseEvent>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <atomic>
#include <functional>
#include <numeric>
#include <thread>

#include "engine/io/write.h"
#include "session_waits.h"
#include "shown_window.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

using namespace clusterloom;

class TestUnsavedWork : public QObject, private ShownWindow {
  Q_OBJECT

  QString write(const QString& name, int rows = 100) {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    for (int i = 0; i < rows; ++i) file.write(QByteArray::number(i) + ",1\n");
    return path(name);
  }
  /// One that opens without a dialog.
  QString writeArray(const QString& name) {
    Dataset dataset;
    dataset.cloud.names = {"x", "y"};
    dataset.cloud.columns.resize(2);
    for (int i = 0; i < 100; ++i) {
      dataset.cloud.columns[0].push_back(i % 10);
      dataset.cloud.columns[1].push_back(i / 10);
    }
    dataset.inputRows = 100;
    return writeDataset(path(name).toStdString(), dataset) ? path(name) : QString();
  }
  OpenClouds& clouds() { return session_->clouds(); }
  bool openTwo() {
    if (!openSquares()) return false;
    clouds().addFile(write("second.csv"));
    return waitUntil([&] { return clouds().count() == 2; }) && waitUntilSettled(*window_);
  }
  /// Files are written once it is true.
  std::shared_ptr<std::atomic<bool>> holdFiles() {
    auto go = std::make_shared<std::atomic<bool>>(false);
    session_->jobs().start(JobKind::Export, {}, [go](const Job&) {
      while (!*go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    return go;
  }
  QMessageBox* question() { return window_->findChild<QMessageBox*>(); }
  bool answer(QMessageBox::StandardButton button) {
    QPointer<QMessageBox> box = question();
    if (!box) return false;
    box->button(button)->click();
    return waitUntil([&] { return !box; });
  }
  void drop(const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    dropOn(data);
  }
  /// The first points of a cloud.
  static PointSet some(std::uint32_t count) {
    std::vector<std::uint32_t> points(count);
    std::iota(points.begin(), points.end(), 0U);
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(points));
  }
  /// Rows of a file that is still being read when the window comes to what was asked meanwhile.
  static constexpr int kSlow = 200'000;
  int loads_ = 0;  ///< since this was called
  /// Calls `act` while the first file from now on is read.
  QMetaObject::Connection onFirstLoad(const std::function<void()>& act) {
    loads_ = 0;
    return connect(&session_->jobs(), &JobQueue::started, window_.get(),
                   [this, act](quint64, JobKind kind) {
                     if (kind == JobKind::Load && ++loads_ == 1)
                       QMetaObject::invokeMethod(window_.get(), act, Qt::QueuedConnection);
                   });
  }
  QString shownFile() { return QFileInfo(session_->data().source().path).fileName(); }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1200, 850})); }
  void cleanup() { closeWindow(); }

  void whatCanBeMadeAgainIsNotAskedFor() {
    QVERIFY(openSquares());
    session_->setEps(2);
    drop(writeArray("other.npy"));
    QVERIFY(!question());
    QVERIFY(waitUntil([&] { return shownFile() == "other.npy"; }));
  }

  void tabsAreAskedFor() {
    QVERIFY(openTwo());
    drop(writeArray("other.npy"));
    QVERIFY(question());
    QVERIFY(answer(QMessageBox::Cancel));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().count(), 2);
    drop(path("other.npy"));
    QVERIFY(answer(QMessageBox::Discard));
    QVERIFY(waitUntil([&] { return shownFile() == "other.npy"; }));
    QCOMPARE(clouds().count(), 1);
  }

  void aTabIsAskedForWhereItHasWorkOfItsOwn() {
    QVERIFY(openTwo());
    session_->addedPoints().open(write("more.csv"));
    QVERIFY(waitUntil([&] { return session_->addedPoints().dataset() != nullptr; }));
    auto* tabs = window_->findChild<QTabBar*>("cloudTabs");
    const auto cross = [&](int tab) {
      QTest::mouseClick(tabs->tabButton(tab, QTabBar::RightSide), Qt::LeftButton);
    };
    cross(1);
    QVERIFY(answer(QMessageBox::Cancel));
    QTest::mouseClick(tabs, Qt::MiddleButton, {}, tabs->tabRect(1).center());
    QVERIFY(answer(QMessageBox::Cancel));
    window_->action("closeData")->trigger();
    QVERIFY(answer(QMessageBox::Cancel));
    QCOMPARE(clouds().count(), 2);
    QVERIFY(session_->addedPoints().dataset());
    // Also when it is not on show.
    clouds().show(0);
    QVERIFY(waitUntil([&] { return clouds().current() == 0; }) && waitUntilSettled(*window_));
    cross(1);
    QVERIFY(answer(QMessageBox::Discard));
    QVERIFY(waitUntil([&] { return clouds().count() == 1; }));
    QCOMPARE(shownFile(), QString("squares.csv"));
  }

  void buttonsOfAnErrorAskToo() {
    QVERIFY(openSquares());
    QFile file(path("holes.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y\n1,2\nnan,3\n4,5\n");
    file.close();
    OpenRequest holes;
    holes.path = path("holes.csv");
    session_->data().open(holes);
    QPushButton* const skip = window_->messages()->actionButton();
    QVERIFY(waitUntil([&] { return skip->isVisible() && skip->text().contains("Skip"); }));
    session_->addedPoints().open(write("more.csv"));
    QVERIFY(waitUntil([&] { return session_->addedPoints().dataset() != nullptr; }));
    QTest::mouseClick(skip, Qt::LeftButton);
    QVERIFY(answer(QMessageBox::Cancel));
    QVERIFY(session_->addedPoints().dataset());
    QCOMPARE(shownFile(), QString("squares.csv"));
    session_->data().retrySkippingNonFinite();
    QVERIFY(waitUntil([&] { return shownFile() == "holes.csv"; }));
  }

  void addedPointsAreAskedFor() {
    QVERIFY(openSquares());
    session_->addedPoints().open(write("more.csv"));
    QVERIFY(waitUntil([&] { return session_->addedPoints().dataset() != nullptr; }));
    window_->action("closeData")->trigger();
    QVERIFY(answer(QMessageBox::Cancel));
    QVERIFY(session_->data().dataset());
    window_->close();
    QVERIFY(window_->isVisible());
    QVERIFY(answer(QMessageBox::Discard));
    QVERIFY(waitUntil([&] { return !window_->isVisible(); }));
  }

  void changesOfASessionAreSavedFirst() {
    QVERIFY(openSquares());
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->setMinPts(7);
    drop(writeArray("other.npy"));
    QVERIFY(question() && question()->text().contains("one.clusterloom"));
    QVERIFY(answer(QMessageBox::Save));
    QVERIFY(waitUntil([&] { return shownFile() == "other.npy"; }));
    session_->files().openSession(path("one.clusterloom"));
    QVERIFY(waitUntil([&] { return shownFile() == "squares.csv"; }));
    QCOMPARE(session_->parameters().dbscan.minPts, 7);
  }

  void whatChangesWhileASaveWaitsIsAskedForToo() {
    QVERIFY(openSquares());
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->setMinPts(7);
    const auto go = holdFiles();
    drop(writeArray("other.npy"));
    QVERIFY(answer(QMessageBox::Save));
    session_->setMinPts(8);
    *go = true;
    QVERIFY(waitUntil([&] { return question() != nullptr; }));
    QCOMPARE(shownFile(), QString("squares.csv"));
    QVERIFY(answer(QMessageBox::Save));
    QVERIFY(waitUntil([&] { return shownFile() == "other.npy"; }));
    QCOMPARE(loadSessionFile(path("one.clusterloom"))->parameters.dbscan.minPts, 8);
  }

  /// Saved later, what is open by then would take its place.
  void aSaveThatEndsLateIsOfTheDataBefore() {
    QVERIFY(openSquares());
    const auto go = holdFiles();
    session_->files().saveSession(path("one.clusterloom"));
    session_->data().openSample(GeneratorSpec{"blobs", 300});
    const bool opened = waitUntil([&] { return session_->data().dataset()->cloud.size() == 300; });
    *go = true;
    QVERIFY(opened);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(QFile::exists(path("one.clusterloom")));
    QCOMPARE(session_->files().sessionPath(), QString());
  }

  void whatChangesWhileTheWindowWaitsToCloseIsAskedFor() {
    QVERIFY(openSquares());
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    const auto go = holdFiles();
    const bool closed = window_->close();
    session_->setMinPts(9);
    *go = true;
    QVERIFY(!closed);
    QVERIFY(waitUntil([&] { return question() != nullptr; }));
    QVERIFY(window_->isVisible());
    QVERIFY(answer(QMessageBox::Cancel));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(window_->isVisible());
    QVERIFY(!window_->close());
    QVERIFY(answer(QMessageBox::Discard));
    QVERIFY(waitUntil([&] { return !window_->isVisible(); }));
  }

  /// "Close now" that is given up is asked for again.
  void closingNowIsGivenUp() {
    QVERIFY(openSquares());
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    auto go = holdFiles();
    QVERIFY(!window_->close());
    session_->setMinPts(9);
    window_->messages()->actionButton()->click();
    QVERIFY(answer(QMessageBox::Cancel));
    *go = true;
    QVERIFY(waitUntilIdle(*session_));
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    go = holdFiles();
    const bool closed = window_->close();
    *go = true;
    QVERIFY(!closed);
  }

  /// The file does not come later, with the next save.
  void aSaveThatIsCancelledOpensNothing() {
    QVERIFY(openTwo());
    drop(writeArray("other.npy"));
    QVERIFY(answer(QMessageBox::Save));
    auto* dialog = window_->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->reject();
    session_->files().saveSession(path("two.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().count(), 2);
  }

  void pointsThatWereRemovedAreAskedFor() {
    QVERIFY(openSquares());
    session_->setKept(some(400), "Keep");
    QVERIFY(waitUntilSettled(*window_));
    window_->action("closeData")->trigger();
    QVERIFY(answer(QMessageBox::Cancel));
    QVERIFY(session_->data().dataset());
    session_->undoStack()->undo();
    session_->addRefinement({some(100), {0.5, 4}});
    QVERIFY(waitUntilSettled(*window_));
    window_->action("closeData")->trigger();
    QVERIFY(answer(QMessageBox::Cancel));
    session_->undoStack()->undo();
    QVERIFY(waitUntilSettled(*window_));
    window_->action("closeData")->trigger();
    QVERIFY(!question() && !session_->data().dataset());
  }

  /// The ε in a file would be that of other units.
  void nothingIsSavedWithoutItsEps() {
    QVERIFY(openSquares());
    session_->files().saveSession(path("one.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    const auto stops = connect(&session_->jobs(), &JobQueue::started, window_.get(),
                               [this](quint64, JobKind kind) {
                                 if (kind == JobKind::Suggest) session_->jobs().cancel(kind);
                               });
    ScalingChoice range;
    range.kind = Scaling::Kind::Unit;
    session_->setScaling(range);
    QVERIFY(waitUntilIdle(*session_));
    disconnect(stops);
    QVERIFY(session_->data().awaitsEps());
    drop(writeArray("other.npy"));
    QVERIFY(question() && !question()->button(QMessageBox::Save));
    QVERIFY2(question()->text().contains("one.clusterloom"), qPrintable(question()->text()));
    QVERIFY(answer(QMessageBox::Cancel));
    QCOMPARE(shownFile(), QString("squares.csv"));
    window_->setSavesOnClose(true);
    window_->close();
    QVERIFY(window_->isVisible() && !question()->button(QMessageBox::Save));
    QVERIFY(answer(QMessageBox::Cancel));
    QCOMPARE(loadSessionFile(path("one.clusterloom"))->parameters.dbscan.eps, 1.5);
    // It can be once there is one.
    session_->setEps(0.1);
    drop(path("other.npy"));
    QVERIFY(question() && question()->button(QMessageBox::Save));
    QVERIFY(answer(QMessageBox::Discard));
    QVERIFY(waitUntil([&] { return shownFile() == "other.npy"; }));
  }

  /// Other columns of the only cloud: its session ends.
  void readingItAgainIsAskedFor() {
    QVERIFY(openSquares());
    session_->addedPoints().open(write("more.csv"));
    QVERIFY(waitUntil([&] { return session_->addedPoints().dataset() != nullptr; }));
    const auto before = session_->data().dataset();
    for (const auto button : {QMessageBox::Cancel, QMessageBox::Discard}) {
      window_->action("reimport")->trigger();
      auto* dialog = window_->findChild<ImportDialog*>();
      QVERIFY(dialog && waitUntilIdle(*session_));
      dialog->accept();
      QVERIFY(waitUntil([&] { return window_->findChild<ImportDialog*>() == nullptr; }));
      QCOMPARE(session_->data().dataset(), before);
      QVERIFY(answer(button));
    }
    QVERIFY(waitUntil([&] { return session_->data().dataset() != before; }));
    QVERIFY(!session_->addedPoints().dataset());
  }

  /// Both windows stay until the one for lessons may go.
  void quittingEndsWhereTheLessonsAsk() {
    window_->showLessons();
    const QPointer<MainWindow> lessons = window_->lessonWindow();
    Session& session = lessons->session();
    QVERIFY(waitUntil([&] { return session.data().cloud() != nullptr; }));
    session.setKept(some(100), "Keep");
    window_->setPresenting(true);
    window_->close();
    QVERIFY(window_->isVisible() && window_->isPresenting() && lessons->isVisible());
    auto* box = lessons->findChild<QMessageBox*>();
    QVERIFY(box);
    box->button(QMessageBox::Discard)->click();
    QVERIFY(waitUntil([&] { return lessons.isNull(); }));
    QVERIFY(window_->isVisible());
    window_->close();
    QVERIFY(!window_->isVisible());
  }

  /// Another tab is clicked while a file is read: the file is read after it.
  void aChangeOfTabsPutsFilesOff() {
    QVERIFY(openTwo());
    const auto clicks = onFirstLoad([this] { clouds().show(0); });
    window_->openBeside(write("third.csv", kSlow));
    QVERIFY(waitUntil([&] { return clouds().count() == 3; }));
    QVERIFY(waitUntilSettled(*window_));
    disconnect(clicks);
    QCOMPARE(loads_, 3);
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "third.csv", "second.csv"}));
  }

  /// The second click ends the load of the first: the file is not meant.
  void aClickBackLosesNoFiles() {
    QVERIFY(openTwo());
    const auto clicks = onFirstLoad([this] {
      clouds().show(0);
      clouds().show(1);
    });
    window_->openBeside(write("third.csv", kSlow));
    QVERIFY(waitUntil([&] { return clouds().count() == 3; }));
    QVERIFY(waitUntilSettled(*window_));
    disconnect(clicks);
    QCOMPARE(loads_, 3);
    QCOMPARE(clouds().titles(), (QStringList{"squares.csv", "second.csv", "third.csv"}));
  }

  void aStopEndsWhatWaits() {
    QVERIFY(openTwo());
    const auto stops = onFirstLoad([this] { session_->cancel(); });
    window_->openAlso({}, {write("third.csv", kSlow), write("fourth.csv")});
    QVERIFY(waitUntil([&] { return loads_ == 1; }));
    QVERIFY(waitUntilIdle(*session_));
    disconnect(stops);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(loads_, 1);
    QCOMPARE(clouds().count(), 2);
  }

  /// Asked for while another file is read in place of what is open: opens beside that file.
  void filesComeBesideWhatIsBeingRead() {
    QVERIFY(openSquares());
    session_->data().openFile(writeArray("other.npy"));
    window_->openBeside(write("third.csv"));
    QVERIFY(waitUntil([&] { return clouds().count() == 2; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clouds().titles(), (QStringList{"other.npy", "third.csv"}));
  }
};

WINDOW_TEST(TestUnsavedWork);
#include "tst_unsaved_work.moc"
