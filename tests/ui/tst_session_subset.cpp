// Parts of a data set: points that are kept or removed, and points that are clustered on their own.
#include <sys/resource.h>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "engine/io/read.h"
#include "holding_backend.h"
#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/session/cluster_run.h"
#include "ui/session/refinement.h"
#include "ui/session/result_words.h"
#include "ui/session/selected_points.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/subset.h"

using namespace clusterloom;

using Points = std::vector<std::uint32_t>;

namespace {

PointSet setOf(Points points) { return std::make_shared<const Points>(std::move(points)); }

/// DBSCAN by brute force and the definition alone, on some points of a cloud.
std::vector<std::int32_t> bruteForce(const PointCloud& cloud, const Points& points,
                                     const DbscanParams& params) {
  const std::size_t n = points.size();
  const auto near = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (const auto& column : cloud.columns) {
      const double d = column[points[a]] - column[points[b]];
      sum += d * d;
    }
    return sum <= params.eps * params.eps;
  };
  std::vector<std::vector<std::size_t>> neighbours(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (near(a, b)) neighbours[a].push_back(b);
  const auto core = [&](std::size_t a) {
    return neighbours[a].size() >= std::size_t(params.minPts);
  };
  std::vector<std::int32_t> labels(n, kNoise);
  std::int32_t next = 0;
  for (std::size_t a = 0; a < n; ++a) {
    if (!core(a) || labels[a] != kNoise) continue;
    std::vector<std::size_t> open{a};
    labels[a] = next;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::size_t b : neighbours[at])
        if (core(b) && labels[b] == kNoise) {
          labels[b] = next;
          open.push_back(b);
        }
    }
    ++next;
  }
  for (std::size_t a = 0; a < n; ++a) {
    if (core(a)) continue;
    for (const std::size_t b : neighbours[a])
      if (core(b) && (labels[a] == kNoise || labels[b] < labels[a])) labels[a] = labels[b];
  }
  return labels;
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestSessionSubset : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> directory_;
  std::unique_ptr<Session> session_;
  std::shared_ptr<const PointCloud> cloud_;  ///< the whole, not scaled

  const std::vector<std::int32_t>& labels() const {
    return session_->clusterRun().result()->clustering.labels;
  }
  void open(const ScalingChoice& scaling = {}) {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 900, 2, 5};
    request.minPts = 5;
    request.eps = scaling.kind == Scaling::Kind::None ? 2.0 : 0.02;
    request.scaling = scaling;
    session_->data().open(request);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilIdle(*session_));
    const auto whole = session_->data().whole();
    cloud_ = std::shared_ptr<const PointCloud>(whole, &whole->cloud);
  }
  /// Points with x below the middle, which cuts some clusters.
  Points leftHalf() const {
    Points points;
    for (std::size_t i = 0; i < cloud_->size(); ++i)
      if (cloud_->columns[0][i] < 45) points.push_back(std::uint32_t(i));
    return points;
  }
  void settle() {
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilIdle(*session_));
  }

 private Q_SLOTS:
  void init() {
    directory_ = std::make_unique<QTemporaryDir>();
    session_ = std::make_unique<Session>(nullptr, directory_->filePath("autosave"));
  }
  void cleanup() {
    session_.reset();
    cloud_.reset();
    directory_.reset();
  }

  void numbersWithinAPart() {
    const PointSet kept = setOf({2, 3, 7, 9});
    QCOMPARE(withinKept(Points{0, 3, 8, 9, 11}, kept), (Points{1, 3}));
    QCOMPARE(withinKept(Points{0, 3}, nullptr), (Points{0, 3}));
    QCOMPARE(ofWhole(Points{0, 3}, kept), (Points{2, 9}));
    QCOMPARE(complementOf(Points{}, 3), (Points{0, 1, 2}));
    QCOMPARE(complementOf(Points{0, 2}, 3), (Points{1}));
    QCOMPARE(unionOf(Points{0, 2, 5}, Points{1, 2}), (Points{0, 1, 2, 5}));
    QVERIFY(samePoints(setOf({1, 2}), setOf({1, 2})));
    QVERIFY(!samePoints(setOf({1, 2}), nullptr));
  }

  void listsOfPointsComeBack() {
    for (const Points& points :
         {Points{0}, Points{5, 6, 7, 900, 100'000, 100'001}, Points{~0U / 2 - 1}}) {
      const PointSet read = pointsFrom(pointsText(points));
      QVERIFY(read && *read == points);
      QCOMPARE(pointsIn(pointsText(points)), points.size());
    }
    for (const char* const none : {"", "AA==", "AAA=", "AAGA", "!", "AP////8P"}) {
      QVERIFY2(pointsFrom(none) == nullptr, none);
      QCOMPARE(pointsIn(none), 0U);
    }
    // A few bytes name all points that there may be: no more than half of the memory is taken.
    const QString all("AP////8H");
    QCOMPARE(pointsIn(all), std::uint64_t{kMaxPoints});
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these map terabytes
    rlimit limit{};
    QCOMPARE(getrlimit(RLIMIT_AS, &limit), 0);
    const rlimit small{std::min<rlim_t>(rlim_t{8} << 30, limit.rlim_max), limit.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_AS, &small), 0);
    QVERIFY(pointsFrom(all) == nullptr);
    QCOMPARE(setrlimit(RLIMIT_AS, &limit), 0);
#endif
  }

  void partsOfADataSetKeepTheirRows() {
    Dataset data;
    data.cloud.columns = {{0, 1, 2, 3}, {5, 6, 7, 8}};
    data.cloud.names = {"x", "y"};
    data.attributes = {{"v", std::vector<double>{10, 11, 12, 13}},
                       {"w", Categories{{0, 1, 0, 1}, {"a", "b"}}}};
    data.inputRows = 6;
    data.skippedRows = {0, 3};
    const Points points{1, 3};
    const auto part = subsetOf(data, points, OtherRows::Skipped);
    QVERIFY(part);
    QCOMPARE(part->cloud.columns[1], (std::vector<double>{6, 8}));
    QCOMPARE(std::get<std::vector<double>>(part->attributes[0].values),
             (std::vector<double>{11, 13}));
    QCOMPARE(std::get<Categories>(part->attributes[1].values).codes,
             (std::vector<std::int32_t>{1, 1}));
    // Points 0 to 3 are rows 1, 2, 4, 5.
    QCOMPARE(part->skippedRows, (std::vector<std::uint64_t>{0, 1, 3, 4}));
    QCOMPARE(part->inputRows, std::uint64_t(6));
    const auto own = subsetOf(data, points, OtherRows::None);
    QVERIFY(own && own->skippedRows.empty());
    QCOMPARE(own->inputRows, std::uint64_t(2));
  }

  void onlyKeptPointsAreClustered_data() {
    QTest::addColumn<bool>("remove");
    QTest::newRow("keep") << false;
    QTest::newRow("remove") << true;
  }
  void onlyKeptPointsAreClustered() {
    QFETCH(bool, remove);
    open();
    const std::vector<std::int32_t> before = labels();
    Points kept = leftHalf();
    session_->setSelectedPoints(setOf(kept));
    if (remove) {
      session_->selectedPoints().remove();
      kept = complementOf(kept, cloud_->size());
    } else {
      session_->selectedPoints().keepOnly();
    }
    settle();
    QCOMPARE(*session_->parameters().kept, kept);
    QCOMPARE(session_->data().cloud()->size(), kept.size());
    QCOMPARE(session_->data().whole()->cloud.size(), std::size_t(900));
    QCOMPARE(labels(), bruteForce(*cloud_, kept, session_->parameters().dbscan));
    QVERIFY(!session_->selection().points);  // its numbers were those of another cloud

    // Removing from what is left.
    const Points some{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    session_->setSelectedPoints(setOf(some));
    session_->selectedPoints().remove();
    settle();
    const Points fewer(kept.begin() + 10, kept.end());
    QCOMPARE(*session_->parameters().kept, fewer);
    QCOMPARE(labels(), bruteForce(*cloud_, fewer, session_->parameters().dbscan));

    session_->undoStack()->undo();
    settle();
    QCOMPARE(*session_->parameters().kept, kept);
    session_->undoStack()->undo();
    settle();
    QVERIFY(!session_->parameters().kept);
    QCOMPARE(labels(), before);
    session_->undoStack()->redo();
    settle();
    QCOMPARE(*session_->parameters().kept, kept);
    session_->selectedPoints().restoreAll();
    settle();
    QCOMPARE(labels(), before);
  }

  void undoWhilePointsAreTaken() {
    open();
    const std::vector<std::int32_t> before = labels();
    session_->setKept(setOf(leftHalf()), "Keep");
    session_->undoStack()->undo();  // the job has not ended
    settle();
    QCOMPARE(labels(), before);
    session_->setKept(setOf(leftHalf()), "Keep");
    session_->cancel();
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!session_->parameters().kept);
    QVERIFY(session_->clusterRun().isResultCurrent());
    QCOMPARE(labels(), before);
  }

  void removingEverythingIsRefused() {
    open();
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    session_->setSelectedPoints(setOf(complementOf({}, 900)));
    session_->selectedPoints().remove();
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failed.count(), 1);
    QVERIFY(!session_->parameters().kept);
    QCOMPARE(session_->undoStack()->count(), 0);
  }

  void selectedClustersCanBeRemoved() {
    open();
    const std::int32_t clusters = session_->clusterRun().result()->clustering.clusters;
    QVERIFY(clusters > 2);
    const auto left = std::count_if(labels().begin(), labels().end(),
                                    [](std::int32_t label) { return label != 0 && label != -1; });
    session_->setSelectedClusters({0, kNoise});
    session_->selectedPoints().remove();
    settle();
    QCOMPARE(std::ptrdiff_t(session_->data().cloud()->size()), std::ptrdiff_t(left));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, clusters - 1);
  }

  void removingPointsDoesNotChangeTheScale() {
    open({Scaling::Kind::Unit, {}});
    const PointCloud before = *session_->data().cloud();
    const Points kept = leftHalf();
    session_->setKept(setOf(kept), "Keep");
    settle();
    const PointCloud& now = *session_->data().cloud();
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (std::size_t j = 0; j < 2; ++j) QCOMPARE(now.columns[j][i], before.columns[j][kept[i]]);
  }

  void refinedPointsGetClustersOfTheirOwn() {
    open();
    const DbscanParams wide{6.0, 5};
    session_->setEps(wide.eps);
    settle();
    const std::vector<std::int32_t> before = labels();
    const Points chosen = leftHalf();
    const DbscanParams narrow{1.2, 4};
    session_->setSelectedPoints(setOf(chosen));
    session_->selectedPoints().tryClustering(narrow);
    QVERIFY(waitUntilIdle(*session_));
    const auto trial = session_->selectedPoints().trial();
    QVERIFY(trial);
    const std::vector<std::int32_t> part = bruteForce(*cloud_, chosen, narrow);
    QCOMPARE(trial->clustering->labels, part);
    QCOMPARE(labels(), before);  // a trial changes nothing
    QCOMPARE(session_->undoStack()->count(), 1);

    session_->selectedPoints().mergeTrial();
    settle();
    const Clustering merged = session_->clusterRun().result()->clustering;
    // Each old or new cluster is one cluster, and no two are the same one.
    std::map<std::pair<bool, std::int32_t>, std::int32_t> numbers;
    std::set<std::int32_t> used;
    std::uint64_t noise = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < cloud_->size(); ++i) {
      const bool mine = at < chosen.size() && chosen[at] == i;
      const std::int32_t expected = mine ? part[at++] : before[i];
      if (expected == kNoise) {
        QCOMPARE(merged.labels[i], kNoise);
        QCOMPARE(merged.roles[i], PointRole::Noise);
        ++noise;
        continue;
      }
      const auto [known, isNew] = numbers.try_emplace({mine, expected}, merged.labels[i]);
      QCOMPARE(merged.labels[i], known->second);
      if (isNew) QVERIFY(used.insert(merged.labels[i]).second);
    }
    QCOMPARE(std::size_t(merged.clusters), used.size());
    QCOMPARE(*used.begin(), 0);
    QCOMPARE(*used.rbegin(), merged.clusters - 1);
    QCOMPARE(merged.noiseCount, noise);
    QCOMPARE(merged.noiseCount + merged.coreCount + merged.borderCount, std::uint64_t(900));
    QVERIFY(merged.stats.note.find("clustered on their own") != std::string::npos);
    QVERIFY(subsetText(session_->parameters(), 900).contains("ε 1.2, minPts 4"));

    session_->undoStack()->undo();
    settle();
    QCOMPARE(labels(), before);
    session_->undoStack()->redo();
    settle();
    QCOMPARE(labels(), merged.labels);

    // Of kept points, those that are left are clustered on their own.
    session_->setKept(setOf(complementOf(Points(chosen.begin(), chosen.begin() + 30), 900)), "");
    settle();
    QCOMPARE(labels().size(), std::size_t(870));
    QVERIFY(session_->clusterRun().result()->clustering.stats.note.find(
                std::to_string(chosen.size() - 30) + " points") != std::string::npos);
    session_->undoStack()->undo();
    session_->clearRefinements();
    settle();
    QCOMPARE(labels(), before);
  }

  void previewsSayThatRefinementsAreMissing() {
    // Runs that take long are waited for with a preview.
    const auto hold = std::make_shared<Hold>();
    hold->seconds = 1;
    session_ =
        std::make_unique<Session>(nullptr, directory_->filePath("autosave"), holdingBackends(hold));
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 100000, 2, 5};
    request.eps = 0.4;
    request.minPts = 5;
    session_->data().open(request);
    settle();
    const auto textWhileDragging = [&](double eps) {
      hold->held = true;
      session_->setDragging(true);
      session_->setEps(eps);
      const bool came = waitUntil([&] { return bool(session_->clusterRun().preview()); });
      const QString text = came ? session_->clusterRun().preview()->text : QString();
      hold->held = false;
      session_->setDragging(false);
      return text;
    };
    const QString before = textWhileDragging(0.41);
    QVERIFY(!before.isEmpty() && !before.contains("on their own"));
    settle();
    session_->addRefinement({setOf({0, 1, 2, 3}), {1, 2}});
    settle();
    const QString after = textWhileDragging(0.42);
    QVERIFY2(after.contains("without the selections clustered on their own"), qPrintable(after));
    settle();
  }

  void sessionsKeepParts() {
    open();
    const QString path = directory_->filePath("part.clusterloom");
    const Points left = leftHalf();
    session_->setKept(setOf(left), "Keep");
    settle();
    session_->addRefinement({setOf(Points(left.begin(), left.begin() + 120)), {1, 3}});
    settle();
    const std::vector<std::int32_t> before = labels();
    const Parameters parameters = session_->parameters();
    session_->files().saveSession(path);
    QVERIFY(waitUntilIdle(*session_));
    session_->closeData();
    QVERIFY(!session_->parameters().kept);
    session_->files().openSession(path);
    QVERIFY(waitForResult(*session_));
    QVERIFY(session_->parameters() == parameters);
    QCOMPARE(labels(), before);
    QCOMPARE(session_->data().whole()->cloud.size(), std::size_t(900));

    // A session whose data has fewer points now.
    QByteArray json = contentOf(path);
    QVERIFY(json.contains("\"900\""));
    json.replace("\"900\"", "\"90\"");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(json);
    file.close();
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    session_->files().openSession(path);
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failed.count(), 1);
    QVERIFY(QString::fromStdString(failed[0][0].value<Failure>().error.message)
                .contains("has only 90 points"));
  }

  void exportsSayWhichPointsTheyAreOf() {
    open();
    const Points kept = leftHalf();
    session_->setKept(setOf(kept), "Keep");
    settle();
    const QString all = directory_->filePath("all.csv");
    session_->files().exportLabelled(all, {}, true);
    const QString own = directory_->filePath("own.csv");
    session_->files().exportPoints(own, nullptr, nullptr, true);
    const QString few = directory_->filePath("few.csv");
    session_->files().exportPoints(few, setOf({1, 3}), nullptr, true);
    QVERIFY(waitUntilIdle(*session_));
    // One line for each row of the input, and one for the header.
    QCOMPARE(contentOf(all).count('\n'), 901);
    QCOMPARE(contentOf(all).count(",-2,skipped"), int(900 - kept.size()));
    QCOMPARE(contentOf(own).count('\n'), int(kept.size()) + 1);
    QCOMPARE(contentOf(few).count('\n'), 3);
    const auto back = readDataset(few.toStdString(), {});
    QVERIFY(back);
    QCOMPARE(back->cloud.columns[0][1], cloud_->columns[0][kept[3]]);
    for (const QString& path : {all, own, few})
      QVERIFY2(contentOf(path + ".provenance.json")
                   .contains(QString("%1 of 900 points kept").arg(kept.size()).toUtf8()),
               qPrintable(path));
    QVERIFY(contentOf(few + ".provenance.json").contains("2 of"));
  }
};

namespace {

int run(int argc, char** argv) {
  QStandardPaths::setTestModeEnabled(true);
  QCoreApplication application(argc, argv);
  QLocale::setDefault(QLocale(QLocale::English));
  return test_program::run<TestSessionSubset>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_session_subset.moc"
