// All rows of a file of which some are open: stored once in levels of detail, and drawn.
#include <sys/stat.h>

#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/io/read.h"
#include "engine/io/write.h"
#include "levels_window.h"
#include "tests/ended_process.h"
#include "tests/io/copc_file.h"
#include "ui/dialogs/stored_points_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
#include "ui/session/session_data.h"
#include "ui/session/whole_file.h"
#include "ui/view/cloud_view.h"
#include "ui/view/stored_colours.h"
#include "ui/words/language.h"

using namespace clusterloom;

class TestFileLevels : public QObject, private LevelsWindow {
  Q_OBJECT

  QStringList kept() const {
    return QDir(path("kept")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  ino_t nodeOf(const QString& name) const {
    struct stat found {};
    ::stat(qPrintable(path("kept/" + name)), &found);
    return found.st_ino;
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(showWindow({1100, 800}));
    levels().setPlace(path("kept"), std::uint64_t{1} << 30);
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), rows()));
  }
  void cleanup() {
    closeWindow();
    setLanguage("en");
  }

  void allRowsAreStoredOnceAndDrawn() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    shot(window_.get(), "file_levels");
    const QStringList files = kept();
    QCOMPARE(files.size(), 1);
    QVERIFY(files.front().endsWith(".points"));
    const ino_t node = nodeOf(files.front());
    // The rows that were read are the cloud.
    QCOMPARE(session_->data().cloud()->size(), kRows / kEvery);
    // The same file is not stored again.
    session_->closeData();
    QVERIFY(!levels().stored());
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QCOMPARE(kept(), files);
    QCOMPARE(nodeOf(files.front()), node);
    // A damaged one is.
    session_->closeData();
    QVERIFY(QFile::resize(path("kept/" + files.front()), 1000));
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QCOMPARE(kept(), files);
    // And one of other bytes.
    session_->closeData();
    Dataset others = rows();
    others.cloud.columns[0][0] += 1;
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), others));
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QCOMPARE(kept().size(), 2);
    // All of a file that is open as a whole are in memory.
    OpenRequest whole;
    whole.path = path("cloud.npy");
    window_->openRequest(whole);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!levels().stored() && !scene().storedPoints());
  }

  void otherAxesAndUnitsHaveTheirOwn() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    session_->setScaling({Scaling::Kind::Factors, {1, 3}});
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QCOMPARE(kept().size(), 2);
    const auto block = levels().stored()->read(0);
    QVERIFY(block);
    const Dataset all = rows();
    const DisplaySpace& space = scene().points()->space;
    for (std::size_t i = 0; i < block->rows.size(); ++i)
      QVERIFY(block->xyz[3 * i + 1] ==
              float(space.toDisplay(1, 3 * all.cloud.columns[1][block->rows[i]])));
    // Some points that take no part are no reason to draw all.
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(
                          std::vector<std::uint32_t>{1, 2, 3, 40, 50, 60}),
                      "Keep");
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(waitUntil([&] { return !scene().storedPoints(); }, 60'000));
    QVERIFY(!levels().stored());
  }

  void labelsOfAllRowsColourThem_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << 2;
    QTest::newRow("3-D") << 3;
  }
  void labelsOfAllRowsColourThem() {
    QFETCH(int, dims);
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), rows(std::size_t(dims))));
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QVERIFY(!levels().labels());
    WholeFileOrder order;
    order.params = {dims == 2 ? 0.5 : 1.2, 26};
    order.labels = path("labels.npy");
    order.memory = kLeastBlockMemory;
    order.scratch = directory_->path();
    session_->wholeFile().start(order);
    QVERIFY(waitUntil([&] { return bool(levels().labels()); }, 120'000));
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    shot(window_.get(), qPrintable(QString("file_levels_labels_%1").arg(dims)));
    const auto written = readDataset(path("labels.npy").toStdString(), {});
    QVERIFY(written);
    std::set<std::int32_t> seen;
    const auto& blocks = levels().stored()->outline()->blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto block = levels().stored()->read(b);
      QVERIFY(block);
      std::vector<std::int32_t> labels(block->rows.size());
      QVERIFY(levels().labels()->read(b, labels));
      for (std::size_t i = 0; i < labels.size(); ++i)
        QCOMPARE(double(labels[i]), written->cloud.columns.front()[block->rows[i]]);
      seen.insert(labels.begin(), labels.end());
    }
    QVERIFY(seen.size() >= 3);
    QCOMPARE(levels().labels()->highest(), *seen.rbegin());
    // What blocks have in common is prepared once.
    StoredColouring colouring;
    colouring.isPlain = false;
    colouring.labels = levels().labels();
    colouring.hidden = {*seen.rbegin()};
    const StoredColourer common = storedColourer(colouring);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto block = levels().stored()->read(b);
      QVERIFY(block);
      std::vector<std::uint8_t> bytes(4 * block->rows.size());
      std::vector<std::uint8_t> alone(bytes.size());
      common(b, *block, bytes);
      storedColourer(colouring)(b, *block, alone);
      QVERIFY(bytes == alone);
    }
    // Another run of the open rows has no labels for the others.
    session_->setEps(0.6);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!levels().labels());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
  }

  // Nothing is stored of a file that is a tree of levels itself.
  void aCopcFileIsDrawnByItsTree() {
    const testing::Copc file(200);
    std::ofstream(path("scan.copc.laz").toStdString(), std::ios::binary) << file.bytes;
    levels().setPlace(path("kept"), 1000);  // too little to store anything
    OpenRequest request;
    request.path = path("scan.copc.laz");
    request.read.every = kEvery;
    request.eps = 60;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    const auto rows = file.upTo(testing::kLevels - 1);
    const auto areAllDrawn = [&] {
      return levels().stored() && scene().storedPoints() == levels().stored() &&
             window_->cloudView()->isSettled() && scene().drawnStoredPoints() == rows.size();
    };
    QVERIFY(waitUntil(areAllDrawn, 60'000));
    shot(window_.get(), "file_levels_copc");
    QCOMPARE(kept(), QStringList());
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY2(!messages->text().contains("All rows of large files"), qPrintable(messages->text()));
    WholeFileOrder order;
    order.params = {60, 5};
    order.labels = path("labels.npy");
    order.memory = kLeastBlockMemory;
    order.scratch = directory_->path();
    session_->wholeFile().start(order);
    QVERIFY(waitUntil([&] { return bool(levels().labels()); }, 120'000));
    QVERIFY(waitUntil(areAllDrawn, 60'000));
    shot(window_.get(), "file_levels_copc_labels");
    const auto written = readDataset(path("labels.npy").toStdString(), {});
    QVERIFY(written);
    QCOMPARE(written->cloud.size(), rows.size());
    const auto& blocks = levels().stored()->outline()->blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto block = levels().stored()->read(b);
      QVERIFY(block);
      std::vector<std::int32_t> labels(block->rows.size());
      QVERIFY(levels().labels()->read(b, labels));
      for (std::size_t i = 0; i < labels.size(); ++i)
        QCOMPARE(double(labels[i]), written->cloud.columns.front()[block->rows[i]]);
    }
    QVERIFY(levels().labels()->highest() >= 0);
  }

  void aStopLeavesNothing() {
    const auto stop =
        connect(&session_->jobs(), &JobQueue::started, this, [&](quint64, JobKind kind) {
          if (kind == JobKind::FileLevels) session_->jobs().cancel(JobKind::FileLevels);
        });
    QVERIFY(open());
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!levels().stored());
    QVERIFY(waitUntil([&] { return kept().isEmpty(); }));
    disconnect(stop);
    // It does not begin again by itself.
    session_->setEps(0.7);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!levels().stored());
    levels().setEnabled(false);
    levels().setEnabled(true);
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    levels().setEnabled(false);
    QVERIFY(!levels().stored() && !scene().storedPoints());
  }

  void whatIsTooLargeIsSaid() {
    levels().setPlace(path("kept"), 1000);
    QVERIFY(open());
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!levels().stored());
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY2(messages->text().contains("All rows of large files"), qPrintable(messages->text()));
    // More room is enough.
    levels().setPlace(path("kept"), std::uint64_t{1} << 30);
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
  }

  void rowsThatWereNotDrawnAreNotMissed_data() {
    QTest::addColumn<bool>("areDrawn");
    QTest::newRow("drawn") << true;
    QTest::newRow("too large") << false;
  }
  void rowsThatWereNotDrawnAreNotMissed() {
    QFETCH(bool, areDrawn);
    if (!areDrawn) levels().setPlace(path("kept"), 1000);
    QVERIFY(open());
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(bool(levels().stored()), areDrawn);
    const QSignalSpy warned(&session_->jobs(), &JobQueue::warned);
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(
                          std::vector<std::uint32_t>{1, 2, 3, 40, 50, 60}),
                      "Keep");
    QVERIFY(waitUntilIdle(*session_) && waitUntilSettled(*window_));
    QVERIFY(!levels().stored());
    const auto isOfRows = [](const QList<QVariant>& warning) {
      return warning.front().toString().startsWith("Only the open rows of");
    };
    QCOMPARE(std::any_of(warned.begin(), warned.end(), isOfRows), areDrawn);
  }

  void aFileThatHasChangedIsNotMixedWithItself() {
    levels().setPlace({}, 0);
    QVERIFY(open());
    Dataset others = rows();
    for (double& x : others.cloud.columns[0]) x += 1;
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), others));
    levels().setPlace(path("kept"), std::uint64_t{1} << 30);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!levels().stored());
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY2(messages->text().contains("has changed"), qPrintable(messages->text()));
    QCOMPARE(kept(), QStringList());
  }

  // Other bytes of the same size and time are found where the open rows lie.
  void whatIsStoredOfOthersIsNotKept() {
    levels().setPlace({}, 0);
    QVERIFY(open());
    const std::filesystem::path file = path("cloud.npy").toStdString();
    const auto time = std::filesystem::last_write_time(file);
    std::string bytes(std::filesystem::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), std::streamsize(bytes.size()));
    std::fill(bytes.begin() + 1024, bytes.end(), '\0');  // past the header
    std::fstream(file, std::ios::binary | std::ios::in | std::ios::out)
        .write(bytes.data(), std::streamsize(bytes.size()));
    std::filesystem::last_write_time(file, time);
    levels().setPlace(path("kept"), std::uint64_t{1} << 30);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!levels().stored());
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY2(messages->text().contains("has changed"), qPrintable(messages->text()));
    QCOMPARE(kept(), QStringList());
  }

  void damagedPointsAreStoredAnew() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    const QStringList files = kept();
    QCOMPARE(files.size(), 1);
    session_->closeData();
    const std::string zeros(4000, '\0');
    const auto firstPoints = [&] {
      std::string bytes(zeros.size(), 'x');
      std::ifstream stored(path("kept/" + files.front()).toStdString(), std::ios::binary);
      stored.seekg(sizeof(StoredHeader));
      stored.read(bytes.data(), std::streamsize(bytes.size()));
      return bytes;
    };
    const std::string before = firstPoints();
    std::fstream stored(path("kept/" + files.front()).toStdString(),
                        std::ios::binary | std::ios::in | std::ios::out);
    stored.seekp(sizeof(StoredHeader));
    stored.write(zeros.data(), std::streamsize(zeros.size()));
    stored.close();
    QVERIFY(firstPoints() == zeros);
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QCOMPARE(kept(), files);
    QVERIFY(firstPoints() == before);
  }

  void anotherLimitDoesNotBeginAnew() {
    int starts = 0;
    connect(&session_->jobs(), &JobQueue::started, this, [&](quint64, JobKind kind) {
      if (kind != JobKind::FileLevels) return;
      ++starts;
      QTimer::singleShot(0, this,
                         [this] { levels().setPlace(path("kept"), std::uint64_t{2} << 30); });
    });
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    disconnect(&session_->jobs(), &JobQueue::started, this, nullptr);
    QCOMPARE(levels().limit(), std::uint64_t{2} << 30);
    QCOMPARE(starts, 1);
  }

  void whatCannotBeReadIsSaid() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QVERIFY(QFile::resize(path("kept/" + kept().front()), 5000));
    DisplayState display = session_->display();
    display.colourBy = ColourBy::Dimension;
    display.dimension = 1;
    session_->setDisplay(display);
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY(waitUntil([&] { return messages->text().contains("could not be read"); }, 60'000));
    QVERIFY(waitUntilSettled(*window_));
  }

  // One that removes all is not replaced by one that removes some.
  void removalsDoNotReplaceEachOther() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QCOMPARE(kept().size(), 1);
    QSignalSpy cleared(&levels(), &FileLevels::cleared);
    levels().clear();
    levels().setPlace(path("kept"), std::uint64_t{1} << 29);
    QVERIFY(waitUntil([&] { return cleared.size() == 2; }));
    QCOMPARE(kept(), QStringList());
    QVERIFY(isDrawn());
  }

  void theDialogClears() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    window_->action("storedPoints")->trigger();
    auto* dialog = window_->findChild<StoredPointsDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    auto* text = dialog->findChild<QLabel*>("storedPointsKept");
    auto* clear = dialog->findChild<QPushButton*>("storedPointsClear");
    auto* limit = dialog->findChild<QDoubleSpinBox*>("storedPointsLimit");
    QVERIFY2(text->text().contains("KiB") || text->text().contains("bytes"),
             qPrintable(text->text()));
    QVERIFY(clear->isEnabled());
    QCOMPARE(limit->value(), 1.0);
    shot(dialog, "stored_points_dialog");
    // What a killed process has left goes, too.
    const std::string left = "clusterloom-blocks-" + markOfEndedProcess() + "abcdef/pile-0";
    QVERIFY(QDir(path("kept")).mkpath(left.c_str()));
    clear->click();
    QVERIFY(waitUntil([&] { return kept().isEmpty() && !clear->isEnabled(); }));
    // What is on show stays.
    QVERIFY(isDrawn());
    limit->setValue(2.5);
    Q_EMIT limit->editingFinished();
    QCOMPARE(levels().limit(), std::uint64_t{5} << 29);
    dialog->findChild<QCheckBox*>("storedPointsDrawn")->click();
    QVERIFY(!levels().isEnabled() && !scene().storedPoints());
    dialog->reject();
  }

  void theDialogInGerman() {
    setLanguage("de");
    QVERIFY(showWindow({1100, 800}));
    levels().setPlace(path("kept"), std::uint64_t{1} << 30);
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), rows()));
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    window_->action("storedPoints")->trigger();
    auto* dialog = window_->findChild<StoredPointsDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    shot(dialog, "stored_points_dialog_de");
    const auto* text = dialog->findChild<QLabel*>("storedPointsKept");
    QVERIFY2(text->text().startsWith("Jetzt genutzt: "), qPrintable(text->text()));
    // Nothing is cut off.
    for (const QWidget* widget : dialog->findChildren<QWidget*>())
      if (widget->isVisible() && widget->objectName().startsWith("storedPoints"))
        QVERIFY2(
            widget->width() >= widget->minimumSizeHint().width() &&
                dialog->rect().contains(QRect(widget->mapTo(dialog, QPoint()), widget->size())),
            qPrintable(widget->objectName()));
    dialog->reject();
  }

  void aSmallerLimitRemovesFiles() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    QCOMPARE(kept().size(), 1);
    levels().setPlace(path("kept"), 10);
    QVERIFY(waitUntil([&] { return kept().isEmpty(); }));
    QVERIFY(isDrawn());
  }
};

WINDOW_TEST(TestFileLevels);
#include "tst_file_levels.moc"
