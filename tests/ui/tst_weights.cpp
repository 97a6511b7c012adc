// Weights of points in the session, the parameters panel, session files, exports and the calls of
// the command line that the window offers.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <utility>

#include "engine/dbscan/sweep.h"
#include "one_session.h"
#include "tests/test_program.h"
#include "ui/charts/every_eps_words.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/command_line.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/open_clouds.h"
#include "ui/session/preview.h"
#include "ui/session/selected_points.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/weights.h"

using namespace clusterloom;

namespace {

constexpr int kPoints = 600;
constexpr double kEps = 0.9;
constexpr std::int64_t kMinPts = 14;

/// What a weight k stands for: k equal points.
int copiesOf(int point) { return 1 + point % 4; }

}  // namespace

class TestWeights : public QObject, OneSession {
  Q_OBJECT

  PointCloud points_;

  void write(const char* name, const QByteArray& text) {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
  }
  /// x, y, the column w with the weights, and the column bad with a NaN in row 5.
  QByteArray rows() const {
    QByteArray text = "x,y,w,bad,name\n";
    for (int p = 0; p < kPoints; ++p) {
      for (const auto& column : points_.columns)
        text += QByteArray::number(column[std::size_t(p)], 'g', 17) + ',';
      text += QByteArray::number(copiesOf(p)) + ',' + (p == 5 ? "nan" : "1") + ",a\n";
    }
    return text;
  }
  void open(const QString& weights, const Space& space = {}) {
    OpenRequest request;
    request.path = path("points.csv");
    request.read.coordinates = {"x", "y"};
    request.minPts = kMinPts;
    request.eps = kEps;
    request.weights = weights;
    request.space = space;
    session_->data().open(request);
    settle();
  }
  /// DBSCAN, without weights, of a cloud in which each of these points stands as often as its
  /// weight says.
  std::vector<std::int32_t> labelsOfCopies(const std::vector<std::uint32_t>& points,
                                           std::int64_t minPts = kMinPts) const {
    PointCloud copies;
    copies.names = points_.names;
    copies.columns.resize(2);
    std::vector<std::size_t> first;
    for (const std::uint32_t p : points) {
      first.push_back(copies.columns[0].size());
      for (int copy = 0; copy < copiesOf(int(p)); ++copy)
        for (std::size_t j = 0; j < 2; ++j) copies.columns[j].push_back(points_.columns[j][p]);
    }
    const auto backend = makeBackend("cpu", {});
    const auto found = (*backend)->dbscan(copies, {kEps, minPts}, {}, {});
    std::vector<std::int32_t> labels;
    for (const std::size_t at : first) labels.push_back(found->labels[at]);
    return labels;
  }
  std::vector<std::int32_t> labelsOfCopies() const { return labelsOfCopies(some(kPoints)); }
  static std::vector<std::uint32_t> some(std::uint32_t count) {
    std::vector<std::uint32_t> numbers(count);
    for (std::uint32_t i = 0; i < count; ++i) numbers[i] = i;
    return numbers;
  }
  /// What the copied command line writes.
  std::vector<std::int32_t> labelsByCommandLine() const {
    return labelsOfCall(commandLineOf(session_->state()));
  }

 private Q_SLOTS:
  void init() {
    directory_ = std::make_unique<QTemporaryDir>();
    session_ = std::make_unique<Session>(nullptr, directory_->filePath("autosave"));
    std::mt19937_64 draw(11);
    points_ = {};
    points_.names = {"x", "y"};
    points_.columns.resize(2);
    for (int p = 0; p < kPoints; ++p)
      for (auto& column : points_.columns)
        column.push_back(10 * (p % 5) * (p % 3 == 0 ? 0.3 : 1.0) +
                         static_cast<double>(draw() % 100000) / 2e4);
    write("points.csv", rows());
  }
  void cleanup() {
    session_.reset();
    directory_.reset();
  }

  void weightsAreAStepThatUndoes() {
    open({});
    const auto plain = labels();
    session_->setWeights("w");
    settle();
    QCOMPARE(labels(), labelsOfCopies());
    QVERIFY(labels() != plain);
    QVERIFY(session_->clusterRun().result()->clustering.clusters > 1);
    QCOMPARE(session_->undoStack()->undoText(), QString("Weights w"));
    QCOMPARE(session_->parameters().dbscan.eps, kEps);
    QCOMPARE(session_->data().ready().meanWeight, 2.5);
    session_->undoStack()->undo();
    settle();
    QCOMPARE(labels(), plain);
    session_->undoStack()->redo();
    settle();
    QCOMPARE(labels(), labelsOfCopies());
    session_->setMinPts(30);
    settle();
    QCOMPARE(labels(), labelsOfCopies(some(kPoints), 30));
  }

  void theCommandLineGivesTheSameLabels() {
    open("w");
    QVERIFY(commandLineOf(session_->state()).contains("--columns x,y"));
    QCOMPARE(labelsByCommandLine(), labels());
    session_->setScaling({.kind = Scaling::Kind::Factors, .factors = {1, 0.5}});
    session_->setEps(0.4);
    settle();
    QCOMPARE(labelsByCommandLine(), labels());
    // On several ranks, too.
    session_->clusterRun().setRanks(2, {});
    settle();
    QVERIFY(commandLineOf(session_->state()).contains("--ranks 2"));
    QCOMPARE(labelsByCommandLine(), labels());
    // But not on several processes.
    const QString script = batchScriptOf(session_->state());
    QVERIFY(script.contains("--weights w") && !script.contains("mpirun"));
  }

  void inAPeriodicBox() {
    Space box;
    box.periods = {40, 40};  // the last group lies on the first one
    open("w", box);
    QCOMPARE(labelsByCommandLine(), labels());
    QVERIFY(labels() != labelsOfCopies());
  }

  void exportsAreThoseOfTheCommandLine() {
    open("w");
    session_->files().exportLabelled(path("out.npy"), {}, true);
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(readLabels(path("out.npy"), kPoints), labelsByCommandLine());
    QFile provenance(path("out.npy.provenance.json"));
    QVERIFY(provenance.open(QIODevice::ReadOnly));
    QVERIFY(provenance.readAll().contains("\"weights\": \"w\""));
    Parameters other = session_->parameters();
    other.weights.clear();
    QVERIFY(differenceText(session_->parameters(), other).contains("weights w"));
    QVERIFY(differenceText(other, session_->parameters()).contains("no weights"));
  }

  void keptPointsAndSelectionsHaveTheirWeights() {
    open("w");
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(some(400)), "Keep");
    settle();
    QCOMPARE(labels(), labelsOfCopies(some(400)));
    QCOMPARE(session_->data().weights()->size(), std::size_t(400));
    // Some of them on their own.
    session_->setSelectedPoints(std::make_shared<const std::vector<std::uint32_t>>(some(200)));
    session_->selectedPoints().tryClustering({kEps, 10});
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(session_->selectedPoints().trial());
    QCOMPARE(session_->selectedPoints().trial()->clustering->labels, labelsOfCopies(some(200), 10));
    session_->addRefinement(
        {std::make_shared<const std::vector<std::uint32_t>>(some(200)), {kEps, 10}});
    settle();
    const auto part = labelsOfCopies(some(200), 10);
    for (std::size_t p = 0; p < 200; ++p) QCOMPARE(labels()[p] == kNoise, part[p] == kNoise);
  }

  void sessionsKeepThem() {
    open("w");
    const auto before = labels();
    session_->files().saveSession(path("weights.loom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->closeData();
    QVERIFY(session_->parameters().weights.isEmpty() && !session_->data().weights());
    session_->files().openSession(path("weights.loom"));
    settle();
    QCOMPARE(session_->parameters().weights, QString("w"));
    QCOMPARE(labels(), before);
  }

  void theSweepHasThem() {
    open("w");
    QVERIFY(waitUntil([this] { return session_->data().suggestedEps() > 0; }));
    session_->derived().setSweepWanted(true);
    QVERIFY(waitUntil([this] { return session_->derived().sweep().size() == 33; }));
    const auto backend = makeBackend("cpu", {});
    for (const SweepPoint& point : session_->derived().sweep()) {
      PointCloud copies;
      copies.names = points_.names;
      copies.columns.resize(2);
      for (int p = 0; p < kPoints; ++p)
        for (int copy = 0; copy < copiesOf(p); ++copy)
          for (std::size_t j = 0; j < 2; ++j)
            copies.columns[j].push_back(points_.columns[j][std::size_t(p)]);
      QCOMPARE(point.clusters, (*backend)->dbscan(copies, {point.eps, kMinPts}, {}, {})->clusters);
    }
  }

  void previewsHaveThem() {
    open("w");
    const auto preview = previewOf(*session_->data().ready().sample, {kEps, kMinPts}, {}, {},
                                   session_->data().weights(), nullptr, {}, {});
    QVERIFY(preview.has_value());
    QCOMPARE(preview->labels, labelsOfCopies());  // the sample is the whole
    // A threshold below the weight of a few points would join everything.
    QCOMPARE(previewParams({2.0, 5000}, 10, 1000, 2, 1000).minPts, std::int64_t(4000));
    QCOMPARE(previewParams({2.0, 5000}, 10, 1000, 2, -3).minPts, std::int64_t(50));
  }

  void whatCountsNeighboursIsNotShown() {
    open({});
    session_->everyEps().setEnabled(true);
    session_->derived().setKDistanceWanted(true);
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QVERIFY(waitUntil([this] { return session_->derived().kDistances() != nullptr; }));
    session_->setWeights("w");
    settle();
    QCOMPARE(int(session_->everyEps().state()), int(EveryEps::State::Weighted));
    QVERIFY(!session_->everyEps().hierarchy());
    QVERIFY(!session_->derived().kDistances());
    QVERIFY(everyEpsText(*session_, "The tree").contains("without weights"));
    QVERIFY(emptyCountsText(*session_, "text").contains("without weights"));
    QCOMPARE(labels(), labelsOfCopies());
    session_->setWeights({});
    settle();
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QVERIFY(waitUntil([this] { return session_->derived().kDistances() != nullptr; }));
    QCOMPARE(emptyCountsText(*session_, "text"), QString("text"));
  }

  void columnsThatCannotBeAreRefused() {
    open("w");
    const auto before = labels();
    QSignalSpy failures(&session_->jobs(), &JobQueue::failed);
    for (const char* column : {"bad", "name", "x", "none"}) {
      session_->setWeights(column);
      QVERIFY(waitUntilIdle(*session_));
      QCOMPARE(failures.count(), 1);
      const auto failure = failures.takeFirst().at(0).value<Failure>();
      const QString text = QString::fromStdString(failure.error.message);
      QVERIFY2(text.startsWith("Weights: ") && text.contains("below minPts"), qPrintable(text));
      if (QLatin1String(column) == QLatin1String("bad"))
        QVERIFY2(text.contains("row 5 "), qPrintable(text));
      QCOMPARE(session_->parameters().weights, QString("w"));
      settle();
      QCOMPARE(labels(), before);
    }
  }

  void messagesNumberTheRowsOfTheFile() {
    open({});
    std::vector<std::uint32_t> kept = some(kPoints);
    kept.erase(kept.begin(), kept.begin() + 3);
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(kept), "kept");
    settle();
    QSignalSpy failures(&session_->jobs(), &JobQueue::failed);
    session_->setWeights("bad");
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failures.count(), 1);
    const auto failure = failures.takeFirst().at(0).value<Failure>();
    QVERIFY2(failure.error.message.find("row 5 ") != std::string::npos,
             failure.error.message.c_str());
  }

  void aNameOfTwoColumnsIsNoWeight() {
    write("twice.csv", "x,y,w,w,v\n1,2,1,9,1\n1,3,1,9,1\n2,2,1,9,1\n");
    OpenRequest request;
    request.path = path("twice.csv");
    request.read.coordinates = {"0", "1"};
    request.read.keep = {"2", "3", "4"};
    request.eps = 2;
    session_->data().open(request);
    settle();
    QCOMPARE(weightColumns(*session_->data().dataset()), QStringList{"v"});
    QSignalSpy failures(&session_->jobs(), &JobQueue::failed);
    session_->setWeights("w");
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failures.count(), 1);
    const auto failure = failures.takeFirst().at(0).value<Failure>();
    QVERIFY2(failure.error.message.find("more than one column") != std::string::npos,
             failure.error.message.c_str());
  }

  /// The first view is that of as many neighbours as without weights.
  void suggestionsCountNeighbours() {
    const auto openFirst = [this](const QString& weights) {
      OpenRequest request;
      request.path = path("points.csv");
      request.read.coordinates = {"x", "y"};
      request.weights = weights;
      session_->data().open(request);
      settle();
    };
    openFirst({});
    const double minPts = static_cast<double>(session_->parameters().dbscan.minPts);
    const double eps = session_->data().suggestedEps();
    QVERIFY(eps > 0);
    openFirst("w");
    QCOMPARE(session_->parameters().dbscan.minPts, std::llround(minPts * 2.5));
    QCOMPARE(session_->data().suggestedEps(), eps);
  }

  void cloudsBesideEachOtherShareTheColumn() {
    open("w");
    write("same.csv", rows());
    write("without.csv", "x,y\n1,2\n3,4\n");
    session_->clouds().addFile(path("same.csv"));
    QVERIFY(waitUntil([this] { return session_->clouds().count() == 2; }));
    settle();
    QCOMPARE(labels(), labelsOfCopies());
    session_->cloudComparison().setWanted(true);
    QVERIFY(waitUntil([this] {
      return session_->cloudComparison().isCurrent() && !session_->cloudComparison().isRunning();
    }));
    const HeldCloud& held = session_->clouds().held()[0];
    QVERIFY(held.result);
    QCOMPARE(held.result->clustering.labels, labelsOfCopies());
    const QSignalSpy failures(&session_->jobs(), &JobQueue::failed);
    session_->clouds().addFile(path("without.csv"));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failures.count(), 1);
    QCOMPARE(session_->clouds().count(), 2);
    // Compared anew where the other cloud is not on show.
    session_->setWeights({});
    settle();
    QVERIFY(waitUntil([this] {
      return session_->cloudComparison().isCurrent() && !session_->cloudComparison().isRunning();
    }));
    QCOMPARE(session_->clouds().held()[0].result->clustering.labels, labels());
  }

  void thePanelTakesAColumn() {
    open({});
    ParametersPanel panel(*session_);
    auto* weights = panel.findChild<QComboBox*>("weights");
    auto* note = panel.findChild<QLabel*>("weightsNote");
    auto* minPts = panel.findChild<QSpinBox*>("minPts");
    QVERIFY(weights->isVisibleTo(&panel) && !note->isVisibleTo(&panel));
    QStringList offered;
    for (int i = 0; i < weights->count(); ++i) offered << weights->itemData(i).toString();
    QCOMPARE(offered, (QStringList{"", "w", "bad"}));  // no coordinates, no texts
    QVERIFY(!minPts->toolTip().contains("weights"));
    weights->setCurrentIndex(1);
    Q_EMIT weights->activated(1);
    settle();
    QCOMPARE(session_->parameters().weights, QString("w"));
    QVERIFY(note->isVisibleTo(&panel) && note->text().contains("2.5 on average"));
    QVERIFY(minPts->toolTip().contains("weights"));
    QCOMPARE(labels(), labelsOfCopies());
    session_->everyEps().setEnabled(true);
    QVERIFY(panel.findChild<QLabel*>("everyEpsState")->text().contains("without weights"));
    // Other parameters leave the list as it is.
    QSignalSpy removed(weights->model(), &QAbstractItemModel::rowsRemoved);
    session_->setMinPts(session_->parameters().dbscan.minPts + 1);
    session_->undoStack()->undo();
    QCOMPARE(removed.count(), 0);
    QCOMPARE(weights->currentIndex(), 1);
    session_->undoStack()->undo();
    QCOMPARE(weights->currentIndex(), 0);
    QVERIFY(!note->isVisibleTo(&panel));
    settle();
    // Without columns of numbers there is nothing to choose.
    write("plain.csv", "x,y\n1,2\n3,4\n");
    session_->data().openFile(path("plain.csv"));
    settle();
    QVERIFY(!weights->isEnabled());
  }

  /// Whatever is opened, all parameters stay where they are.
  void theRowsOfThePanelStay() {
    open({});
    ParametersPanel panel(*session_);
    panel.resize(290, 900);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto* weights = panel.findChild<QComboBox*>("weights");
    auto* minPts = panel.findChild<QSpinBox*>("minPts");
    const auto places = [&] {
      return std::pair(QRect(minPts->mapTo(&panel, QPoint()), minPts->size()),
                       QRect(weights->mapTo(&panel, QPoint()), weights->size()));
    };
    const auto before = places();
    QVERIFY(weights->isVisible() && weights->isEnabled());
    const auto stay = [&](bool offered) {
      settle();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
      return weights->isVisible() && weights->isEnabled() == offered && minPts->isVisible() &&
             minPts->isEnabled() && places() == before;
    };
    open("w");
    QVERIFY(stay(true));
    write("plain.csv", "x,y\n1,2\n3,4\n");
    session_->data().openFile(path("plain.csv"));
    QVERIFY(stay(false));
    open("w");
    QVERIFY(stay(true));
  }
};

TEST_ENTRY((&test_program::runIn<QApplication, TestWeights>));
#include "tst_weights.moc"
