// Labels from a file shown in place of a run's, and clouds of which some rows are read.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <random>

#include "session_waits.h"
#include "shown_window.h"
#include "ui/panels/message_bar.h"
#include "ui/session/opened_labels.h"
#include "ui/session/result_words.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"

using namespace clusterloom;

class TestOpenedLabels : public QObject, private ShownWindow {
  Q_OBJECT

  bool write(const char* name, const QByteArray& text) {
    QFile file(path(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
  }
  /// A lattice of `side` × `side` points, and a cluster number for each: its quarter; the point in
  /// the middle is noise.
  bool openLattice(int side) {
    QByteArray rows = "x,y\n";
    QByteArray labels;
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        rows += QByteArray::number(i) + ',' + QByteArray::number(j) + '\n';
        const bool middle = i == side / 2 && j == side / 2;
        labels +=
            QByteArray::number(middle ? -1 : 2 * int(2 * i > side) + int(2 * j > side)) + '\n';
      }
    if (!write("cloud.csv", rows) || !write("labels.txt", labels)) return false;
    OpenRequest request;
    request.path = path("cloud.csv");
    request.eps = 1.5;
    request.minPts = 4;
    window_->openRequest(request);
    return waitUntilSettled(*window_);
  }
  bool showsLabels() {
    return waitUntil([&] {
      const auto result = session_->clusterRun().result();
      return result && !result->labelsFile.isEmpty();
    });
  }
  QString standing() { return resultText(session_->clusterRun(), session_->parameters()); }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1100, 800})); }
  void cleanup() { closeWindow(); }

  void takeThePlaceOfARun() {
    QVERIFY(!window_->findChild<QAction*>("openLabels")->isEnabled());
    QVERIFY(openLattice(30));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    const std::size_t runs = session_->clusterRun().runs().size();
    QVERIFY(window_->findChild<QAction*>("openLabels")->isEnabled());
    session_->openedLabels().open(path("labels.txt"));
    QVERIFY(showsLabels());
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "opened_labels");
    const auto result = session_->clusterRun().result();
    QCOMPARE(result->clustering.clusters, 4);
    QCOMPARE(result->clustering.noiseCount, 1u);
    QVERIFY(result->clustering.roles.empty());
    QCOMPARE(standing(), QString("labels of labels.txt"));
    QVERIFY(!session_->clusterRun().isResultCurrent());
    const auto* summary = window_->findChild<QLabel*>("summary");
    QVERIFY2(summary->text().endsWith("labels of labels.txt") && !summary->text().contains("ms"),
             qPrintable(summary->text()));
    QCOMPARE(session_->clusterRun().runs().size(), runs);
    QVERIFY(session_->files().isModified());
    QVERIFY(window_->findChild<QAction*>("run")->isEnabled());
    // Exported with their labels and without roles; never over their own file.
    session_->files().exportLabelled(path("out.csv"), {}, false);
    QVERIFY(waitUntilIdle(*session_));
    QFile out(path("out.csv"));
    QVERIFY(out.open(QIODevice::ReadOnly));
    QCOMPARE(out.readLine().trimmed(), QByteArray("x,y,label"));
    session_->files().exportLabelled(path("labels.txt"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(window_->findChild<MessageBar*>()->text().contains("never overwritten"));
    // Colours by role have nothing to show then; picking a point names its cluster only.
    DisplayState display = session_->display();
    display.colourBy = ColourBy::Role;
    session_->setDisplay(display);
    Selection selection = session_->selection();
    selection.point = 3;
    session_->setSelection(selection);
    QVERIFY(waitUntilSettled(*window_));
    // Nothing of the engine is in them, and a handle that is not moved changes nothing.
    session_->clusterRun().setBackend("cpu", 1);
    session_->setDragging(true);
    session_->setDragging(false);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->clusterRun().result(), result);
    // A run replaces them.
    window_->findChild<QAction*>("run")->trigger();
    QVERIFY(waitUntil([&] { return session_->clusterRun().isResultCurrent(); }));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
  }

  void sessionsKeepThem() {
    QVERIFY(openLattice(20));
    session_->openedLabels().open(path("labels.txt"));
    QVERIFY(showsLabels());
    // A run has one cluster here.
    session_->setSelectedClusters({3});
    DisplayState display = session_->display();
    display.hidden = {2};
    session_->setDisplay(display);
    session_->files().saveSession(path("kept.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->closeData();
    session_->files().openSession(path("kept.clusterloom"));
    QVERIFY(showsLabels());
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 4);
    QCOMPARE(session_->selection().clusters, std::set<std::int32_t>{3});
    QCOMPARE(session_->display().hidden, std::set<std::int32_t>{2});
    QVERIFY(!session_->files().isModified());
    // Without its labels it has a run.
    QVERIFY(QFile::remove(path("labels.txt")));
    session_->files().openSession(path("kept.clusterloom"));
    QVERIFY(waitUntil([this] { return session_->clusterRun().isResultCurrent(); }));
    QVERIFY(window_->findChild<MessageBar*>()->text().contains("labels.txt"));
  }

  /// A file that cannot be read starts no run that a person has stopped.
  void aWrongFileLeavesAStoppedRun() {
    QVERIFY(openLattice(20));
    const auto stops = connect(&session_->jobs(), &JobQueue::started, window_.get(),
                               [this](quint64, JobKind kind) {
                                 if (kind == JobKind::Cluster) session_->clusterRun().stop();
                               });
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(
                          std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
                      "Keep");
    QVERIFY(waitUntilIdle(*session_));
    disconnect(stops);
    QVERIFY(session_->clusterRun().state() == RunState::Stopped);
    session_->openedLabels().open(path("none.txt"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(session_->clusterRun().state() == RunState::Stopped);
  }

  void theirProvenanceNamesEpsAndMinPts() {
    QVERIFY(openLattice(20));
    QVERIFY(write("labels.txt.provenance.json", R"({"eps": "0.25", "min_pts": "7"})"));
    session_->openedLabels().open(path("labels.txt"));
    QVERIFY(showsLabels());
    const Clustering& clustering = session_->clusterRun().result()->clustering;
    QCOMPARE(clustering.params.eps, 0.25);
    QCOMPARE(clustering.params.minPts, 7);
  }

  void ofKeptPoints() {
    QVERIFY(openLattice(20));
    std::vector<std::uint32_t> kept;
    for (std::uint32_t p = 0; p < 100; ++p) kept.push_back(3 * p);
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(kept), "keep");
    QVERIFY(waitUntilIdle(*session_));
    session_->openedLabels().open(path("labels.txt"));
    QVERIFY(showsLabels());
    const auto result = session_->clusterRun().result();
    QCOMPARE(result->clustering.labels.size(), std::size_t{100});
    QFile file(path("labels.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> labels = file.readAll().trimmed().split('\n');
    for (std::size_t i = 0; i < kept.size(); ++i)
      QCOMPARE(result->clustering.labels[i], labels[qsizetype(kept[i])].toInt());
  }

  void whatDoesNotFitIsSaid() {
    QVERIFY(openLattice(20));
    const auto before = session_->clusterRun().result();
    QVERIFY(write("few.txt", "1\n2\n"));
    for (const char* name : {"few.txt", "missing.npy"}) {
      session_->openedLabels().open(path(name));
      QVERIFY(waitUntilIdle(*session_));
      QVERIFY(window_->findChild<MessageBar*>()->text().contains(QLatin1String(name)));
      QCOMPARE(session_->clusterRun().result(), before);
      QVERIFY(session_->clusterRun().isResultCurrent());
    }
  }

  // For a file that is too large the message offers to read every n-th row; its labels fit, too.
  void largeFilesAreThinned() {
    QVERIFY(openLattice(100));
    OpenRequest request;
    request.path = path("cloud.csv");
    request.read.memoryLimit = 20'000;  // of 160,000
    request.eps = 20;
    request.minPts = 4;
    window_->openRequest(request);
    auto* messages = window_->findChild<MessageBar*>();
    const auto offer = [&]() -> QPushButton* {
      for (QPushButton* button : messages->findChildren<QPushButton*>())
        if (button->isVisible() && button->text().contains("one row of 10")) return button;
      return nullptr;
    };
    QVERIFY(waitUntil([&] { return offer() != nullptr; }));
    shot(window_.get(), "too_large");
    offer()->click();
    QVERIFY(waitUntil([&] {
      const auto data = session_->data().dataset();
      return data && data->every == 10;
    }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->data().dataset()->cloud.size(), std::size_t{1000});
    bool said = false;
    for (const QLabel* label : window_->findChildren<QLabel*>())
      said = said || label->text().contains("one row of 10 was read");
    QVERIFY(said);
    QVERIFY(session_->files().commandLine().contains("--every 10"));
    session_->openedLabels().open(path("labels.txt"));
    QVERIFY(showsLabels());
    QCOMPARE(session_->clusterRun().result()->clustering.labels.size(), std::size_t{1000});
    shot(window_.get(), "thinned");
  }
};

WINDOW_TEST(TestOpenedLabels);
#include "tst_opened_labels.moc"
