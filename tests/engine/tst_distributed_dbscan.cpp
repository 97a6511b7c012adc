// DBSCAN over several ranks gives the labels of one machine, element by element.
#include <QtTest/QtTest>

#include <mutex>
#include <numeric>
#include <random>

#include "all_pairs_answer.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/predicate.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/distributed/distributed_dbscan.h"
#include "engine/distributed/local_communicator.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// CLUSTERLOOM_DRAWS in the environment asks for more cases.
int cases() {
  const int asked = qEnvironmentVariableIntValue("CLUSTERLOOM_DRAWS");
  return asked > 0 ? asked : 250;
}

struct Answer {
  std::vector<std::int32_t> labels;
  DistributedClustering sums;  // of rank 0
};

Result<Answer> overRanks(const PointCloud& cloud, const DbscanParams& params,
                         const std::vector<std::size_t>& cuts, const Strategy& strategy = {},
                         const Task& task = {}, Metric metric = Metric::Euclidean) {
  const int ranks = static_cast<int>(cuts.size()) - 1;
  const auto backend =
      backendIn({.metric = metric}, {}, std::move(*makeBackend("cpu", {.threads = 1})));
  Answer answer;
  answer.labels.resize(cloud.size());
  std::mutex mutex;
  std::vector<DistributedClustering> all(static_cast<std::size_t>(ranks));
  const auto done =
      runLocalRanks(ranks, task, [&](Communicator& c, const Task& own) -> Result<void> {
        const auto r = static_cast<std::size_t>(c.rank());
        auto found = distributedDbscan(c, draws::partOf(cloud, cuts[r], cuts[r + 1]), params,
                                       **backend, strategy, {.threads = 1, .metric = metric}, own);
        if (!found) return tl::unexpected(found.error());
        const std::lock_guard lock(mutex);
        if (found->labels.size() != cuts[r + 1] - cuts[r])
          return fail(ErrorKind::BadInput, "wrong number of labels");
        std::copy(found->labels.begin(), found->labels.end(),
                  answer.labels.begin() + static_cast<std::ptrdiff_t>(cuts[r]));
        all[r] = std::move(*found);
        return {};
      });
  if (!done) return tl::unexpected(done.error());
  for (const auto& one : all)
    if (one.clusters != all[0].clusters || one.coreCount != all[0].coreCount ||
        one.noiseCount != all[0].noiseCount || one.borderCount != all[0].borderCount ||
        one.points != cloud.size() || one.ranks.size() != all.size())
      return fail(ErrorKind::BadInput, "the ranks differ in their sums");
  answer.sums = std::move(all[0]);
  return answer;
}

QString difference(const Result<Answer>& found, const Clustering& expected) {
  if (!found) return "error: " + QString::fromStdString(found.error().message);
  for (std::size_t p = 0; p < expected.labels.size(); ++p)
    if (found->labels[p] != expected.labels[p])
      return QString("label of point %1 is %2, not %3")
          .arg(p)
          .arg(found->labels[p])
          .arg(expected.labels[p]);
  if (found->sums.clusters != expected.clusters) return "number of clusters";
  if (found->sums.coreCount != expected.coreCount ||
      found->sums.borderCount != expected.borderCount ||
      found->sums.noiseCount != expected.noiseCount)
    return "counts of roles";
  return {};
}

}  // namespace

class TestDistributedDbscan : public QObject {
  Q_OBJECT

 private slots:
  void drawnCloudsGetTheLabelsOfOneMachine();
  void metricsGetTheLabelsOfAllPairs();
  void strategiesGiveTheSameLabels();
  void largerCloudsGetTheLabelsOfOneMachine_data();
  void largerCloudsGetTheLabelsOfOneMachine();
  void manyDimensions();
  void latticesAcrossBorders_data();
  void latticesAcrossBorders();
  void duplicatesHeavierThanAShare();
  void oneClusterSpansAllRanks();
  void epsBeyondTheExtent();
  void fewerPointsThanRanks();
  void workIsShared_data();
  void workIsShared();
  void denseClustersAreLessWork();
  void badCloudsAreRefused_data();
  void badCloudsAreRefused();
  void badCallsAreRefused();
  void ranksThatDisagreeAreRefused();
  void stops();
};

void TestDistributedDbscan::drawnCloudsGetTheLabelsOfOneMachine() {
  int withGhosts = 0;
  int withEmptyRanks = 0;
  for (int seed = 0; seed < cases(); ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
    const std::size_t n = 1 + random() % (seed % 5 == 0 ? 900 : 250);
    const PointCloud cloud = draws::draw(random, kind, n, 1 + random() % (seed % 3 == 0 ? 12 : 3));
    for (int i = 0; i < 2; ++i) {
      const DbscanParams params{draws::drawEps(random, cloud),
                                static_cast<std::int64_t>(1 + random() % (i == 0 ? 6 : 25))};
      const auto expected = bruteForceDbscan(cloud, params);
      QVERIFY(expected);
      for (int j = 0; j < 2; ++j) {
        const int ranks = 1 + static_cast<int>(random() % 8);
        const auto found = overRanks(cloud, params, draws::drawnCuts(random, n, ranks));
        const QString what = difference(found, *expected);
        QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1, %2, %3 × %4, %5 ranks: %6")
                                                .arg(seed)
                                                .arg(QString::fromStdString(kind))
                                                .arg(n)
                                                .arg(cloud.dims())
                                                .arg(ranks)
                                                .arg(what)));
        for (const RankReport& rank : found->sums.ranks) {
          withGhosts += rank.ghosts > 0;
          withEmptyRanks += rank.points == 0;
        }
      }
    }
  }
  QVERIFY(withGhosts > cases());  // the draws have borders often enough
  QVERIFY(withEmptyRanks > cases() / 10);
}

/// Manhattan and Chebyshev distances: the labels of a comparison of all pairs in plain loops.
void TestDistributedDbscan::metricsGetTheLabelsOfAllPairs() {
  int withGhosts = 0;
  for (int seed = 0; seed < cases(); ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 9000);
    const Metric metric = seed % 2 == 0 ? Metric::Manhattan : Metric::Chebyshev;
    const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
    const std::size_t n = 1 + random() % 200;
    const PointCloud cloud = draws::draw(random, kind, n, 1 + random() % 4);
    const auto distance = [&](std::size_t p, std::size_t q) {
      double sum = 0;
      for (const auto& column : cloud.columns) {
        const double size = std::abs(column[p] - column[q]);
        sum = metric == Metric::Manhattan ? sum + size : std::max(sum, size);
      }
      return sum;
    };
    // Often exactly a distance.
    const double drawn = distance(random() % n, random() % n);
    const DbscanParams params{
        epsSquared(drawn) && seed % 3 != 0 ? drawn : draws::drawEps(random, cloud),
        static_cast<std::int64_t>(1 + random() % 6)};
    const auto expected = answerByAllPairs(n, params.minPts, [&](std::size_t p, std::size_t q) {
      return distance(p, q) <= params.eps;
    });
    const int ranks = 1 + static_cast<int>(random() % 8);
    const auto found = overRanks(cloud, params, draws::drawnCuts(random, n, ranks), {}, {}, metric);
    const QString what = QString("seed %1, %2").arg(seed).arg(QString::fromStdString(kind));
    QVERIFY2(found, qPrintable(what));
    QVERIFY2(found->labels == expected.labels, qPrintable(what));
    for (const RankReport& rank : found->sums.ranks) withGhosts += rank.ghosts > 0;
    // The same ranks behind a backend.
    const auto divided = backendIn({.metric = metric}, {},
                                   std::move(*makeBackend("cpu", {.threads = 2, .ranks = ranks})));
    QVERIFY(divided);
    QVERIFY2((*divided)->dbscan(cloud, params, {}, {})->labels == expected.labels,
             qPrintable(what));
  }
  QVERIFY(withGhosts > cases() / 2);
}

void TestDistributedDbscan::strategiesGiveTheSameLabels() {
  for (int seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 5000);
    const PointCloud cloud = draws::draw(random, "blobs", 300, 1 + random() % 4);
    const DbscanParams params{draws::drawEps(random, cloud), 4};
    const auto expected = bruteForceDbscan(cloud, params);
    QVERIFY(expected);
    const Strategy strategy = strategies::draw(random, cloud.dims(), strategies::For::Dbscan);
    const QString what =
        difference(overRanks(cloud, params, draws::equalCuts(300, 3), strategy), *expected);
    QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1: ").arg(seed) + what));
  }
}

void TestDistributedDbscan::largerCloudsGetTheLabelsOfOneMachine_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("dims");
  QTest::addColumn<double>("eps");
  for (const int minPts : {4, 12}) {
    QTest::addRow("unif 2-D, %d", minPts) << "uniform" << 2 << (minPts == 4 ? 0.06 : 0.11);
    QTest::addRow("expo 2-D, %d", minPts) << "exponential" << 2 << 0.0006;
    QTest::addRow("blobs 3-D, %d", minPts) << "blobs" << 3 << 0.08;
    QTest::addRow("offset 3-D, %d", minPts) << "offset" << 3 << 0.15;
    QTest::addRow("Cauchy 2-D, %d", minPts) << "Cauchy" << 2 << 0.05;
  }
}

void TestDistributedDbscan::largerCloudsGetTheLabelsOfOneMachine() {
  QFETCH(QString, kind);
  QFETCH(int, dims);
  QFETCH(double, eps);
  std::mt19937_64 random(11);
  const PointCloud cloud =
      draws::draw(random, kind.toStdString(), 30000, static_cast<std::size_t>(dims));
  const std::int64_t minPts = QString(QTest::currentDataTag()).endsWith("12") ? 12 : 4;
  const auto expected = (*makeBackend("cpu", {}))->dbscan(cloud, {eps, minPts}, {}, {});
  QVERIFY(expected);
  QVERIFY(expected->clusters > 3 && expected->borderCount > 30);
  for (int ranks = 1; ranks <= 8; ++ranks) {
    const auto found = overRanks(cloud, {eps, minPts}, draws::equalCuts(cloud.size(), ranks));
    const QString what = difference(found, *expected);
    QVERIFY2(what.isEmpty(), qPrintable(QString("%1 ranks: ").arg(ranks) + what));
  }
}

void TestDistributedDbscan::manyDimensions() {
  for (const std::size_t dims : {4, 8, 17, 40, 90}) {
    std::mt19937_64 random(dims);
    const PointCloud cloud = draws::draw(random, "blobs", 400, dims);
    const DbscanParams params{0.6 * std::sqrt(static_cast<double>(dims)), 5};
    const auto expected = bruteForceDbscan(cloud, params);
    QVERIFY(expected && expected->clusters > 0);
    for (const int ranks : {2, 3, 7}) {
      const QString what =
          difference(overRanks(cloud, params, draws::equalCuts(400, ranks)), *expected);
      QVERIFY2(what.isEmpty(), qPrintable(QString("%1 dimensions: ").arg(dims) + what));
    }
  }
}

void TestDistributedDbscan::latticesAcrossBorders_data() {
  QTest::addColumn<double>("step");
  QTest::addColumn<int>("minPts");
  for (const double step : {1.0, 0.1, 1.0 / 3})
    for (const int minPts : {1, 3, 5, 9}) QTest::addRow("%g, %d", step, minPts) << step << minPts;
}

// Every distance is a tie, with as many cells as points on the borders of slices.
void TestDistributedDbscan::latticesAcrossBorders() {
  QFETCH(double, step);
  QFETCH(int, minPts);
  std::mt19937_64 random(3);
  std::vector<std::vector<double>> columns(2);
  std::vector<int> places(40 * 40);
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), random);
  for (const int at : places) {
    if (at % 7 == 0) continue;  // holes, so that some points are no core points
    columns[0].push_back((at % 40) * step - 2);
    columns[1].push_back((at / 40) * step + 5);
  }
  const PointCloud cloud = draws::cloudOf(columns);
  for (const double eps : {step, std::nextafter(step, 0.0), step * std::sqrt(2.0)}) {
    const auto expected = bruteForceDbscan(cloud, {eps, minPts});
    QVERIFY(expected);
    for (int ranks = 1; ranks <= 8; ++ranks) {
      const QString what = difference(
          overRanks(cloud, {eps, minPts}, draws::equalCuts(cloud.size(), ranks)), *expected);
      QVERIFY2(what.isEmpty(), qPrintable(QString("%1 ranks, ε %2: ").arg(ranks).arg(eps) + what));
    }
  }
}

void TestDistributedDbscan::duplicatesHeavierThanAShare() {
  // Nine tenths of the points are one place, the others are around it and far away.
  std::mt19937_64 random(5);
  std::vector<std::vector<double>> columns(2);
  for (int i = 0; i < 2000; ++i) {
    const bool same = i % 10 != 0;
    for (auto& column : columns) column.push_back(same ? 3.0 : 6 * draws::unit(random));
  }
  const PointCloud cloud = draws::cloudOf(columns);
  for (const std::int64_t minPts : {1, 3, 1900}) {
    const auto expected = bruteForceDbscan(cloud, {0.25, minPts});
    QVERIFY(expected);
    for (int ranks = 1; ranks <= 8; ++ranks) {
      const auto found = overRanks(cloud, {0.25, minPts}, draws::equalCuts(cloud.size(), ranks));
      const QString what = difference(found, *expected);
      QVERIFY2(what.isEmpty(), qPrintable(what));
      std::uint64_t most = 0;
      for (const RankReport& rank : found->sums.ranks) most = std::max(most, rank.points);
      QVERIFY(most >= 1800);  // a cell is not divided
    }
  }
}

void TestDistributedDbscan::oneClusterSpansAllRanks() {
  // A chain in shuffled order, whose lowest point is on any rank, with gaps that cut it in two.
  for (const bool cut : {false, true}) {
    std::mt19937_64 random(9);
    std::vector<int> places(3000);
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), random);
    std::vector<std::vector<double>> columns(2);
    for (const int at : places) {
      if (cut && at == 1700) continue;
      columns[0].push_back(at);
      columns[1].push_back(at % 2);
    }
    const PointCloud cloud = draws::cloudOf(columns);
    const auto expected = bruteForceDbscan(cloud, {1.5, 3});
    QVERIFY(expected);
    QCOMPARE(expected->clusters, cut ? 2 : 1);
    for (int ranks = 1; ranks <= 8; ++ranks) {
      const QString what =
          difference(overRanks(cloud, {1.5, 3}, draws::equalCuts(cloud.size(), ranks)), *expected);
      QVERIFY2(what.isEmpty(), qPrintable(what));
    }
  }
}

void TestDistributedDbscan::epsBeyondTheExtent() {
  std::mt19937_64 random(2);
  const PointCloud cloud = draws::draw(random, "uniform", 500, 3);
  for (const double eps : {9.99, 20.0, 1e10}) {
    const auto expected = bruteForceDbscan(cloud, {eps, 5});
    QVERIFY(expected);
    for (const int ranks : {1, 2, 5, 8}) {
      const QString what =
          difference(overRanks(cloud, {eps, 5}, draws::equalCuts(500, ranks)), *expected);
      QVERIFY2(what.isEmpty(), qPrintable(what));
    }
  }
}

void TestDistributedDbscan::fewerPointsThanRanks() {
  for (std::size_t n = 1; n <= 7; ++n) {
    std::mt19937_64 random(n);
    const PointCloud cloud = draws::draw(random, "lattice", n, 2);
    for (const std::int64_t minPts : {1, 2, 9}) {
      const auto expected = bruteForceDbscan(cloud, {1.0, minPts});
      QVERIFY(expected);
      for (int ranks = 1; ranks <= 8; ++ranks) {
        const QString what = difference(
            overRanks(cloud, {1.0, minPts}, draws::drawnCuts(random, n, ranks)), *expected);
        QVERIFY2(what.isEmpty(), qPrintable(what));
      }
    }
  }
  // Rank 0 has no points, but says how the others have worked.
  const auto far =
      overRanks(draws::cloudOf({{0, 0, 9}, {0, 0.5, 9}}), {1.0, 2}, draws::equalCuts(3, 5));
  QVERIFY(far && far->sums.ranks[0].points == 0);
  QCOMPARE(far->sums.stats.backend, std::string("cpu"));
  QCOMPARE(far->sums.stats.indexedDims, 2);
  QVERIFY(far->sums.stats.note.empty());
  const auto none =
      overRanks(draws::cloudOf({{0, 0, 9}, {0, 0.5, 9}}), {1.0, 4}, draws::equalCuts(3, 5));
  QVERIFY(none && none->sums.stats.note.starts_with("minPts is larger than the number of points"));
}

void TestDistributedDbscan::workIsShared_data() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"uniform", "exponential", "blobs", "Cauchy"})
    QTest::newRow(kind) << kind;
}

void TestDistributedDbscan::workIsShared() {
  QFETCH(QString, kind);
  std::mt19937_64 random(4);
  const PointCloud cloud = draws::draw(random, kind.toStdString(), 40000, 2);
  const double eps = kind == "exponential" ? 0.0002 : 0.05;
  for (const int ranks : {2, 4, 8}) {
    const auto found = overRanks(cloud, {eps, 4}, draws::equalCuts(cloud.size(), ranks));
    QVERIFY(found);
    const double share = 40000.0 / ranks;
    for (const RankReport& rank : found->sums.ranks) {
      // Points of dense clusters count a third.
      const double most = kind == "uniform" ? 1.1 : 3.1;
      QVERIFY2(static_cast<double>(rank.points) < most * share &&
                   static_cast<double>(rank.points) > share / most,
               qPrintable(QString("%1 points of %2").arg(rank.points).arg(share)));
      QVERIFY(rank.ghosts < rank.points / 2);
      QVERIFY(rank.bytesSent > 0);
    }
  }
}

// Half of the points are a dense square: with a third of the others' work for each, its rank owns
// two thirds of the points.
void TestDistributedDbscan::denseClustersAreLessWork() {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> draw(0, 1);
  PointCloud cloud;
  cloud.columns.resize(2);
  for (int p = 0; p < 40000; ++p)
    for (auto& column : cloud.columns) column.push_back(p % 2 ? draw(random) : 0.02 * draw(random));
  const auto found = overRanks(cloud, {0.002, 4}, draws::equalCuts(cloud.size(), 2));
  QVERIFY(found);
  const auto more = std::max(found->sums.ranks[0].points, found->sums.ranks[1].points);
  QVERIFY2(more > 24000 && more < 29000, qPrintable(QString::number(more)));
  // Where cells are not full all points count alike.
  const auto sparse = overRanks(cloud, {0.00002, 4}, draws::equalCuts(cloud.size(), 2));
  QVERIFY(sparse);
  for (const RankReport& rank : sparse->sums.ranks)
    QVERIFY2(rank.points > 18000 && rank.points < 22000, qPrintable(QString::number(rank.points)));
}

void TestDistributedDbscan::badCloudsAreRefused_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<QString>("message");
  QTest::newRow("NaN") << std::nan("") << "Point 77 has a coordinate in dimension x1 that is not";
  QTest::newRow("inf") << HUGE_VAL << "Point 77 has a coordinate in dimension x1 that is not";
  QTest::newRow("range") << 1.7e308 << "The range of dimension x1 is too large";
}

void TestDistributedDbscan::badCloudsAreRefused() {
  QFETCH(double, value);
  QFETCH(QString, message);
  std::vector<std::vector<double>> columns(2, std::vector<double>(100, 1.0));
  columns[1][0] = -1.7e308;
  columns[1][77] = value;
  const PointCloud cloud = draws::cloudOf(columns);
  for (const int ranks : {1, 3}) {
    const auto found = overRanks(cloud, {1.0, 3}, draws::equalCuts(100, ranks));
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::BadInput);
    QVERIFY2(QString::fromStdString(found.error().message).contains(message),
             found.error().message.c_str());
  }
  const auto empty = overRanks(draws::cloudOf({{}, {}}), {1.0, 3}, {0, 0, 0});
  QVERIFY(!empty);
  QVERIFY2(QString::fromStdString(empty.error().message).contains("The cloud has no points."),
           empty.error().message.c_str());
}

void TestDistributedDbscan::badCallsAreRefused() {
  const PointCloud cloud = draws::cloudOf({{1, 2, 3}});
  for (const DbscanParams params :
       {DbscanParams{0, 3}, DbscanParams{std::nan(""), 3}, DbscanParams{1, 0}}) {
    const auto found = overRanks(cloud, params, draws::equalCuts(3, 2));
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::BadCall);
    QVERIFY(!found.error().message.starts_with("Rank"));
  }
  Strategy strategy;
  strategy.method = Method::GDbscanPaper;
  const auto found = overRanks(cloud, {1, 3}, draws::equalCuts(3, 2), strategy);
  QVERIFY(!found);
  QCOMPARE(found.error().kind, ErrorKind::BadCall);
}

void TestDistributedDbscan::ranksThatDisagreeAreRefused() {
  const auto backend = makeBackend("cpu", {.threads = 1});
  for (const bool dims : {false, true}) {
    const auto done = runLocalRanks(3, {}, [&](Communicator& c, const Task& task) -> Result<void> {
      const bool other = c.rank() == 1;
      PointCloud part =
          dims && other ? draws::cloudOf({{1}, {2}, {3}}) : draws::cloudOf({{1}, {2}});
      const auto found = distributedDbscan(c, std::move(part), {!dims && other ? 2.0 : 1.0, 3},
                                           **backend, {}, {.threads = 1}, task);
      if (!found) return tl::unexpected(found.error());
      return {};
    });
    QVERIFY(!done);
    const QString text = QString::fromStdString(done.error().message);
    QVERIFY2(text.startsWith("Rank 1 on "), qPrintable(text));
    QVERIFY2(text.contains(dims ? "3 dimensions" : "another ε"), qPrintable(text));
  }
}

void TestDistributedDbscan::stops() {
  std::mt19937_64 random(4);
  const PointCloud cloud = draws::draw(random, "uniform", 20000, 2);
  // Stopped at each of the stages that it reports.
  for (int at = 1; at < 12; ++at) {
    std::stop_source source;
    int reports = 0;
    const Task task{.stop = source.get_token(), .progress = [&](std::string_view, double) {
                      if (++reports == at) source.request_stop();
                    }};
    const auto found = overRanks(cloud, {0.1, 4}, draws::equalCuts(cloud.size(), 3), {}, task);
    if (reports < at) break;
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::Cancelled);
  }
}

APPLESS_TEST(TestDistributedDbscan);
#include "tst_distributed_dbscan.moc"
