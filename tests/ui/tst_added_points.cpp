// Points of another file over the cloud: read, labelled by the clusters on show, drawn, exported.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QTest>
#include <random>

#include "session_waits.h"
#include "shown_window.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"

using namespace clusterloom;

namespace {

bool write(const QString& path, const QByteArray& text) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Rows "x,y" of random points around two places, with some far away.
QByteArray randomRows(std::mt19937_64& random, int n) {
  QByteArray rows = "x,y\n";
  const auto unit = [&] { return double(random() >> 11) * 0x1p-53; };
  for (int i = 0; i < n; ++i) {
    const double centre = random() % 2 == 0 ? 0 : 10;
    const double spread = random() % 10 == 0 ? 20 : 2;
    rows += QByteArray::number(centre + spread * (unit() - 0.5), 'g', 17) + ',' +
            QByteArray::number(centre + spread * (unit() - 0.5), 'g', 17) + '\n';
  }
  return rows;
}

/// By plain loops: the lowest cluster among the core points within ε.
std::vector<std::int32_t> expectedLabels(const PointCloud& added, const PointCloud& cloud,
                                         const Clustering& clustering) {
  std::vector<std::int32_t> labels(added.size(), kNoise);
  const double squaredEps = clustering.params.eps * clustering.params.eps;
  for (std::size_t a = 0; a < added.size(); ++a)
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      if (clustering.roles[p] != PointRole::Core) continue;
      double sum = 0;
      for (std::size_t j = 0; j < cloud.dims(); ++j) {
        const double d = added.columns[j][a] - cloud.columns[j][p];
        sum += d * d;
      }
      if (sum <= squaredEps && (labels[a] == kNoise || clustering.labels[p] < labels[a]))
        labels[a] = clustering.labels[p];
    }
  return labels;
}

}  // namespace

class TestAddedPoints : public QObject, private ShownWindow {
  Q_OBJECT

  AddedPoints& added() { return session_->addedPoints(); }
  bool labelled() {
    return waitUntil([&] { return added().isCurrent(); });
  }
  bool open(int points, double eps = 0.6) {
    std::mt19937_64 random(1);
    if (!write(path("cloud.csv"), randomRows(random, points))) return false;
    if (!write(path("added.csv"), randomRows(random, points / 2))) return false;
    OpenRequest request;
    request.path = path("cloud.csv");
    request.eps = eps;
    request.minPts = 5;
    window_->openRequest(request);
    return waitUntilSettled(*window_);
  }
  void compareWithOracle() {
    const auto result = session_->clusterRun().result();
    QVERIFY(result->clustering.clusters >= 1);
    const std::vector<std::int32_t> expected =
        expectedLabels(*added().cloud(), *result->cloud, result->clustering);
    QVERIFY(added().labels().labels->labels == expected);
    QCOMPARE(added().labels().inClusters,
             std::uint64_t(std::ranges::count_if(expected, [](auto l) { return l >= 0; })));
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1100, 800})); }
  void cleanup() { closeWindow(); }

  void areLabelledByTheClustersOnShow() {
    QVERIFY(!window_->findChild<QAction*>("addPoints")->isEnabled());
    QVERIFY(open(600));
    QVERIFY(window_->findChild<QAction*>("addPoints")->isEnabled());
    QVERIFY(!window_->findChild<QAction*>("removeAdded")->isEnabled());
    added().open(path("added.csv"));
    QVERIFY(labelled());
    QCOMPARE(added().cloud()->size(), std::size_t{300});
    compareWithOracle();
    // The cloud itself is as it was.
    QCOMPARE(session_->clusterRun().result()->clustering.labels.size(), std::size_t{600});
    QVERIFY(window_->findChild<QAction*>("removeAdded")->isEnabled());
    const auto* row = window_->findChild<QLabel*>("addedPoints");
    QVERIFY(row->isVisible());
    QVERIFY2(row->text().contains("300 points added"), qPrintable(row->text()));
    // Live with ε, also when the cloud is scaled.
    session_->setEps(1.1);
    QVERIFY(waitUntil([&] { return session_->clusterRun().isResultCurrent(); }));
    QVERIFY(labelled());
    compareWithOracle();
    session_->setScaling({Scaling::Kind::Unit, {}});
    QVERIFY(waitUntilIdle(*session_));
    session_->setEps(0.05);
    QVERIFY(waitUntil([&] { return session_->clusterRun().isResultCurrent(); }));
    QVERIFY(labelled());
    QVERIFY(added().cloud()->columns[0][0] != added().dataset()->cloud.columns[0][0]);
    compareWithOracle();
  }

  void areDrawnOverTheCloud() {
    QVERIFY(open(600));
    QVERIFY(waitUntilSettled(*window_));
    const QImage without = window_->cloudView()->grabFrame();
    added().open(path("added.csv"));
    QVERIFY(labelled());
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "added_points");
    const QImage with = window_->cloudView()->grabFrame();
    QCOMPARE(with.size(), without.size());
    int changed = 0;
    for (int y = 0; y < with.height(); ++y)
      for (int x = 0; x < with.width(); ++x) changed += with.pixel(x, y) != without.pixel(x, y);
    QVERIFY2(changed > 3000, qPrintable(QString::number(changed)));
    window_->findChild<QAction*>("removeAdded")->trigger();
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->findChild<QLabel*>("addedPoints")->isVisible());
    QVERIFY(window_->cloudView()->grabFrame() == without);
  }

  void areExportedWithTheirLabels() {
    QVERIFY(open(600));
    added().open(path("added.csv"));
    QVERIFY(labelled());
    added().exportLabelled(path("out.csv"), false);
    QVERIFY(waitUntilIdle(*session_));
    const QList<QByteArray> lines = contentOf(path("out.csv")).trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype{301});
    QCOMPARE(lines[0].trimmed(), QByteArray("x,y,label,role"));
    for (int i = 0; i < 300; ++i)
      QCOMPARE(lines[i + 1].split(',')[2].toInt(), added().labels().labels->labels[std::size_t(i)]);
    // Never over an input.
    for (const char* input : {"cloud.csv", "added.csv"}) {
      const QByteArray before = contentOf(path(input));
      added().exportLabelled(path(input), false);
      QVERIFY(waitUntilIdle(*session_));
      QCOMPARE(contentOf(path(input)), before);
      QVERIFY(window_->findChild<MessageBar*>()->text().contains("never overwritten"));
    }
  }

  void whatDoesNotFitIsSaid() {
    QVERIFY(open(200));
    QVERIFY(write(path("three.xyz"), "1 2 3\n4 5 6\n7 8 9\n"));
    for (const char* bad : {"three.xyz", "missing.csv"}) {
      added().open(path(bad));
      QVERIFY(waitUntilIdle(*session_));
      QVERIFY(!added().dataset());
      const QString text = window_->findChild<MessageBar*>()->text();
      QVERIFY2(text.contains(QLatin1String(bad)), qPrintable(text));
    }
    QVERIFY(session_->data().dataset());
    // Points that fit stay when the next file does not.
    added().open(path("added.csv"));
    QVERIFY(labelled());
    added().open(path("missing.csv"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(added().isCurrent());
  }

  void sessionsKeepThem() {
    QVERIFY(open(400));
    added().open(path("added.csv"));
    QVERIFY(labelled());
    QVERIFY(session_->files().isModified());
    const std::vector<std::int32_t> labels = added().labels().labels->labels;
    session_->files().saveSession(path("kept.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!session_->files().isModified());
    session_->closeData();
    session_->files().openSession(path("kept.clusterloom"));
    QVERIFY(labelled());
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(added().labels().labels->labels == labels);
    QVERIFY(!session_->files().isModified());
    window_->findChild<QAction*>("removeAdded")->trigger();
    QVERIFY(session_->files().isModified());
    // A file that is gone is named; the cloud is there all the same.
    QVERIFY(QFile::remove(path("added.csv")));
    session_->files().openSession(path("kept.clusterloom"));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(session_->data().cloud());
    QVERIFY(!added().dataset());
    const QString text = window_->findChild<MessageBar*>()->text();
    QVERIFY2(text.contains("added.csv"), qPrintable(text));
  }

  // The scaling that holds when they have been read counts, not that of the call.
  void areScaledAsTheCloudIs() {
    QVERIFY(open(600));
    added().open(path("added.csv"));
    session_->setScaling({Scaling::Kind::Unit, {}});
    QVERIFY(waitUntilIdle(*session_));
    session_->setEps(0.04);
    QVERIFY(labelled());
    QVERIFY(added().cloud()->columns[0][0] != added().dataset()->cloud.columns[0][0]);
    compareWithOracle();
    // Points that leave the cloud meanwhile take none of the added ones with them.
    added().open(path("added.csv"));
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(
                          std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
                      "keep");
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(labelled());
    QCOMPARE(added().cloud()->size(), std::size_t{300});
  }

  /// Stopped while others are read, or while they are scaled: they have the units of the cloud.
  void areScaledAfterAStop() {
    QVERIFY(open(600));
    QVERIFY(QFile::copy(path("added.csv"), path("others.csv")));
    added().open(path("added.csv"));
    QVERIFY(labelled());
    for (const bool others : {true, false}) {
      session_->setScaling({others ? Scaling::Kind::Unit : Scaling::Kind::ZScore, {}});
      if (others) added().open(path("others.csv"));
      const auto stops = connect(&session_->data(), &SessionData::cloudChanged, window_.get(),
                                 [this] { session_->jobs().cancel(JobKind::AddPoints); });
      QVERIFY(waitUntil([this] { return !session_->jobs().isActive(JobKind::Scale); }));
      disconnect(stops);
      QVERIFY(waitForResult(*session_));
      QVERIFY(labelled());
      QCOMPARE(added().path(), path("added.csv"));
      const PointCloud expected =
          applyScaling(added().dataset()->cloud, session_->data().scaling());
      for (std::size_t j = 0; j < 2; ++j)
        QVERIFY(std::ranges::equal(added().cloud()->columns[j], expected.columns[j]));
      compareWithOracle();
    }
  }

  void areScaledAfterAFileThatCannotBeRead() {
    QVERIFY(open(600));
    added().open(path("added.csv"));
    QVERIFY(labelled());
    const auto reads = connect(&session_->data(), &SessionData::cloudChanged, window_.get(),
                               [this] { added().open(path("none.csv")); });
    session_->setScaling({Scaling::Kind::Unit, {}});
    QVERIFY(waitUntil([this] { return !session_->jobs().isActive(JobKind::Scale); }));
    disconnect(reads);
    QVERIFY(waitForResult(*session_));
    QVERIFY(labelled());
    const PointCloud expected = applyScaling(added().dataset()->cloud, session_->data().scaling());
    for (std::size_t j = 0; j < 2; ++j)
      QVERIFY(std::ranges::equal(added().cloud()->columns[j], expected.columns[j]));
  }

  void coordinatesInAnotherOrderAreMatchedByName() {
    QVERIFY(open(200));
    added().open(path("added.csv"));
    QVERIFY(labelled());
    const std::vector<Coordinates> columns = added().cloud()->columns;
    QByteArray swapped;
    for (const QByteArray& row : contentOf(path("added.csv")).trimmed().split('\n')) {
      const QList<QByteArray> cells = row.split(',');
      swapped += cells[1] + ',' + cells[0] + '\n';
    }
    QVERIFY(write(path("swapped.csv"), swapped));
    added().open(path("swapped.csv"));
    QVERIFY(waitUntil([this] { return added().path() == path("swapped.csv"); }));
    for (std::size_t j = 0; j < 2; ++j)
      QVERIFY(std::ranges::equal(added().cloud()->columns[j], columns[j]));
    const QString text = window_->findChild<MessageBar*>()->text();
    QVERIFY2(text.contains("swapped.csv") && text.contains("by name"), qPrintable(text));
  }

  // No export replaces a file that is open.
  void noExportReplacesThem() {
    QVERIFY(open(200));
    added().open(path("added.csv"));
    QVERIFY(labelled());
    const QByteArray before = contentOf(path("added.csv"));
    session_->files().exportLabelled(path("added.csv"));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(contentOf(path("added.csv")), before);
    QVERIFY(window_->findChild<MessageBar*>()->text().contains("never overwritten"));
  }

  void goWithTheirCloud() {
    QVERIFY(open(200));
    added().open(path("added.csv"));
    QVERIFY(labelled());
    OpenRequest again;
    again.path = path("cloud.csv");
    window_->openRequest(again);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!added().dataset());
    added().open(path("added.csv"));
    QVERIFY(labelled());
    session_->closeData();
    QVERIFY(!added().dataset());
    QVERIFY(added().summary().isEmpty());
  }
};

WINDOW_TEST(TestAddedPoints);
#include "tst_added_points.moc"
