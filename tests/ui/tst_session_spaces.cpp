// Every ε, the tree and HDBSCAN* in a periodic box and by other metrics: labels against comparisons
// of all pairs and against the copied command lines.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <random>
#include <set>

#include "engine/cloud/directions.h"
#include "engine/core/metric.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/validity/stability_over_eps.h"
#include "one_session.h"
#include "tests/engine/all_pairs_answer.h"
#include "tests/test_program.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/command_line.h"
#include "ui/session/derived_results.h"
#include "ui/session/eps_stability.h"
#include "ui/session/every_eps.h"
#include "ui/session/replay.h"
#include "ui/session/session_data.h"
#include "ui/session/suggestion.h"

using namespace clusterloom;

namespace {

constexpr double kWidth = 16;  // a power of two: wrapping and differences are exact
constexpr std::int64_t kMinPts = 4;

Space boxOf(double period) {
  Space space;
  space.periods = {period, 0};
  return space;
}

/// The distance of two points of the test's file, by plain arithmetic.
double distanceIn(const Space& space, double x, double y) {
  if (!space.periods.empty()) x = std::min(x, space.periods[0] - x);
  if (space.metric == Metric::Manhattan) return x + y;
  if (space.metric == Metric::Chebyshev) return std::max(x, y);
  return std::sqrt(x * x + y * y);
}

}  // namespace

class TestSessionSpaces : public QObject, OneSession {
  Q_OBJECT

  /// Opens the points in a space, with every ε prepared.
  void open(const Space& space, const char* name = "box.csv", double eps = 0.5) {
    OpenRequest request;
    request.path = path(name);
    request.minPts = kMinPts;
    request.eps = eps;
    request.space = space;
    session_->data().open(request);
    settle();
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QVERIFY(waitUntilIdle(*session_));
  }
  const ClusterResult& result() const { return *session_->clusterRun().result(); }
  std::vector<std::int32_t> labelsIn(const Space& space, double eps) const {
    const auto& columns = session_->data().dataset()->cloud.columns;
    return answerByAllPairs(columns[0].size(), kMinPts,
                            [&](std::size_t p, std::size_t q) {
                              return distanceIn(space, std::abs(columns[0][p] - columns[0][q]),
                                                std::abs(columns[1][p] - columns[1][q])) <= eps;
                            })
        .labels;
  }
  std::vector<std::int32_t> labelsByCommandLine(const std::optional<HdbscanOptions>& taken) const {
    return labelsOfCall(commandLineOf(session_->state(), taken));
  }

 private Q_SLOTS:
  /// Coordinates are multiples of 1/256 within the box, clusters lie across its faces.
  void initTestCase() {
    directory_ = std::make_unique<QTemporaryDir>();
    std::mt19937_64 draw(3);
    QFile file(path("box.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y\n");
    const auto near = [&](double width) { return std::floor(double(draw() % 1000) * width) / 256; };
    for (int i = 0; i < 240; ++i) {
      const double x = std::fmod(kWidth + near(0.3) - 0.5 + 5 * (i % 3), kWidth);
      const double y = i % 8 == 0 ? near(2) : near(0.25) + 3 * (i % 2);
      file.write(QByteArray::number(x, 'g', 17) + ',' + QByteArray::number(y, 'g', 17) + '\n');
    }
    // Directions of whole numbers, at several lengths: many angles are equal, some are 0.
    QFile rays(path("rays.csv"));
    QVERIFY(rays.open(QIODevice::WriteOnly));
    rays.write("x,y\n");
    for (int i = 0; i < 200; ++i) {
      const int length = 1 << (i % 3);
      const int x = 40 - int(draw() % 80);
      const int y = i % 5 == 0 ? 1 + int(draw() % 40) : 40 - std::abs(x) / 8 * 2;
      rays.write(QByteArray::number(x * length) + ',' + QByteArray::number(y * length) + '\n');
    }
  }
  void init() {
    session_ = std::make_unique<Session>(nullptr, path("autosave"));
    session_->everyEps().setEnabled(true);
  }
  void cleanup() { session_.reset(); }

  void labelsEqualAllPairs_data() {
    QTest::addColumn<double>("period");
    QTest::addColumn<int>("metric");
    QTest::newRow("box") << kWidth << int(Metric::Euclidean);
    QTest::newRow("Manhattan") << 0.0 << int(Metric::Manhattan);
    QTest::newRow("Chebyshev") << 0.0 << int(Metric::Chebyshev);
  }
  void labelsEqualAllPairs() {
    QFETCH(double, period);
    QFETCH(int, metric);
    Space space{.metric = Metric(metric)};
    if (period > 0) space = boxOf(period);
    open(space);
    QSet<int> numbers;
    for (const double eps : {0.1, 0.25, 0.375, 0.5, 0.75, 1.0, 2.5, 7.75}) {
      session_->setEps(eps);
      settle();
      QVERIFY(result().hierarchy != nullptr);
      QCOMPARE(result().clustering.labels, labelsIn(space, eps));
      numbers << int(result().clustering.clusters);
    }
    QVERIFY(numbers.size() > 3);
    QCOMPARE(labelsByCommandLine({}), result().clustering.labels);
    // Another minPts is another hierarchy in the same space.
    session_->setMinPts(9);
    settle();
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QCOMPARE(session_->everyEps().hierarchy()->minPts(), std::int64_t{9});
    QVERIFY(!session_->everyEps().graph());
  }

  /// At every ε at which something changes, and just below: the session, both command lines, and a
  /// comparison of all pairs by the square of √(2ε), which is what a run by cosine asks.
  void cosineLabelsEqualAllPairs() {
    const Space cosine{.metric = Metric::Cosine};
    open(cosine, "rays.csv", 0.01);
    const auto hierarchy = session_->everyEps().hierarchy();
    const PointCloud vectors = *directions(session_->data().dataset()->cloud, {});
    const auto& x = vectors.columns[0];
    const auto& y = vectors.columns[1];
    const auto byAllPairs = [&](double eps) {
      const double chord = std::sqrt(2 * eps);
      return answerByAllPairs(x.size(), kMinPts, [&](std::size_t p, std::size_t q) {
        const double dx = x[p] - x[q];
        const double dy = y[p] - y[q];
        return dx * dx + dy * dy <= chord * chord;
      });
    };
    std::set<double> values;
    for (const double squared : hierarchy->dendrogram().squaredWeights)
      if (squared > 0) values.insert(smallestEps(squared));
    QVERIFY(values.size() > 20 && values.size() < x.size() - 1);  // there are ties
    QSet<int> numbers;
    std::size_t i = 0;
    for (const double value : values) {
      if (i++ % (values.size() / 8) != 0) continue;
      for (const double eps : {std::nextafter(value, 0.0), value}) {
        session_->setEps(eps);
        settle();
        QVERIFY(result().hierarchy != nullptr);
        QCOMPARE(result().parameters.dbscan.eps, eps);
        QCOMPARE(result().clustering.labels, byAllPairs(eps).labels);
        numbers << int(result().clustering.clusters);
      }
      QCOMPARE(labelsByCommandLine({}), result().clustering.labels);
      QCOMPARE(labelsOfCall("clusterloom-cli hierarchy " + path("rays.csv") +
                            " --min-pts 4 --metric cosine --labels-at " +
                            QString::number(value, 'g', 17)),
               result().clustering.labels);
    }
    QVERIFY(numbers.size() > 3);
    // The curve has the numbers of clusters of these ε, all below 2.
    session_->derived().setSweepWanted(true);
    QVERIFY(waitUntil([this] { return session_->derived().exactSweep() != nullptr; }));
    const EpsCurve& curve = session_->derived().exactSweep()->curve;
    QVERIFY(curve.rows() > 5 && curve.eps.back() < 2);
    for (std::size_t row = 0; row < curve.rows(); ++row)
      QCOMPARE(std::int32_t(curve.clusters[row]), byAllPairs(curve.eps[row]).clusters);
  }

  void theTreeAndTheBandAreByCosine() {
    open({.metric = Metric::Cosine}, "rays.csv", 0.01);
    ClusterTree& tree = session_->clusterTree();
    tree.setMinClusterSize(8);
    tree.setWanted(ClusterTree::Shown::Tree, true);
    QVERIFY(waitUntil([&] { return tree.tree() != nullptr; }));
    tree.showTaken();
    QVERIFY(waitUntil([this] { return result().hdbscan.has_value(); }));
    QVERIFY(result().clustering.clusters >= 2);
    const QString line = commandLineOf(session_->state(), result().hdbscan);
    QVERIFY2(line.contains("hdbscan") && line.contains("--metric cosine"), qPrintable(line));
    QCOMPARE(labelsByCommandLine(result().hdbscan), result().clustering.labels);
    tree.setWanted(ClusterTree::Shown::Reachability, true);
    QVERIFY(waitUntil([&] { return tree.reachability() != nullptr; }));
    session_->derived().setSweepWanted(true);
    EpsStability& stability = session_->epsStability();
    stability.setWanted(true);
    QVERIFY(waitUntil([&] {
      if (stability.state() == CheckState::Asks) stability.run();  // the machine is busy
      return stability.state() == CheckState::Ready;
    }));
    std::vector<double> eps;
    for (const StabilityAt& at : *stability.band()) eps.push_back(at.eps);
    const auto expected =
        stabilityOverEps(*session_->data().cloud(), *session_->everyEps().hierarchy(), eps, {},
                         {.minPts = kMinPts, .metric = Metric::Cosine});
    QVERIFY(expected && eps.back() < 2);
    for (std::size_t i = 0; i < eps.size(); ++i) {
      const double shown = (*stability.band())[i].mean;
      QVERIFY(shown == (*expected)[i].mean ||
              (std::isnan(shown) && std::isnan((*expected)[i].mean)));
    }
  }

  /// One cloud in two spaces: neither takes the hierarchy of the other.
  void spacesHaveHierarchiesOfTheirOwn() {
    open({});
    const auto plain = labelsIn({}, 0.5);
    QCOMPARE(result().clustering.labels, plain);
    const auto euclidean = session_->everyEps().hierarchy();
    session_->setSpace(boxOf(kWidth));
    settle();
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QVERIFY(session_->everyEps().hierarchy() != euclidean);
    QVERIFY(result().clustering.labels != plain);
    QCOMPARE(result().clustering.labels, labelsIn(boxOf(kWidth), 0.5));
    session_->setEps(0.75);
    settle();
    QVERIFY(result().hierarchy != nullptr);
    QCOMPARE(result().clustering.labels, labelsIn(boxOf(kWidth), 0.75));
    session_->setSpace({});
    session_->setEps(0.5);
    settle();
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QCOMPARE(result().clustering.labels, plain);
  }

  /// Periods are in the units of the file.
  void aBoxIsScaled() {
    open(boxOf(kWidth));
    session_->setScaling({.kind = Scaling::Kind::Factors, .factors = {2, 2}});
    session_->setEps(1);
    settle();
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    session_->setEps(1.5);
    settle();
    QVERIFY(result().hierarchy != nullptr);
    QCOMPARE(result().clustering.labels, labelsIn(boxOf(kWidth), 0.75));
  }

  /// The curve ends where runs refuse ε.
  void epsStaysBelowHalfOfThePeriod() {
    open(boxOf(2));  // points are wrapped: most of them are within half of a period
    session_->derived().setSweepWanted(true);
    QVERIFY(waitUntil([this] { return session_->derived().exactSweep() != nullptr; }));
    const ExactSweep& sweep = *session_->derived().exactSweep();
    QVERIFY(sweep.curve.rows() > 3);
    QVERIFY(sweep.curve.eps.back() < 1);
    QCOMPARE(sweep.curve.clusters.size(), sweep.curve.rows());
    for (const Plateau& plateau : sweep.plateaus) QVERIFY(plateau.to <= 1);
    const double most = mostEps(boxOf(2), {});
    QVERIFY(most < 1 && most > 0.99);
    QVERIFY(session_->replay().epsAt(1) <= most);
    const QSignalSpy failures(&session_->jobs(), &JobQueue::failed);
    session_->setEps(most);
    settle();
    QCOMPARE(failures.count(), 0);
    session_->setEps(1);
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failures.count(), 1);
  }

  void theTreeIsOfTheBox() {
    open(boxOf(kWidth));
    ClusterTree& tree = session_->clusterTree();
    tree.setMinClusterSize(10);
    tree.setWanted(ClusterTree::Shown::Tree, true);
    QVERIFY(waitUntil([&] { return tree.tree() != nullptr; }));
    tree.showTaken();
    QVERIFY(waitUntil([this] { return result().hdbscan.has_value(); }));
    QVERIFY(result().clustering.clusters >= 3);
    const QString line = commandLineOf(session_->state(), result().hdbscan);
    QVERIFY2(line.contains("hdbscan") && line.contains("--period 16,-"), qPrintable(line));
    QCOMPARE(labelsByCommandLine(result().hdbscan), result().clustering.labels);
    const auto inBox = result().clustering.labels;
    session_->setSpace({});
    settle();
    QVERIFY(waitUntil([&] { return tree.tree() != nullptr; }));
    QVERIFY(tree.tree()->flat.labels != inBox);
    tree.setWanted(ClusterTree::Shown::Reachability, true);
    session_->setSpace(boxOf(kWidth));
    settle();
    QVERIFY(waitUntil([&] { return tree.reachability() != nullptr; }));
  }

  void theBandIsOfTheBox() {
    open(boxOf(kWidth));
    session_->derived().setSweepWanted(true);
    QVERIFY(waitUntil([this] { return session_->derived().exactSweep() != nullptr; }));
    EpsStability& stability = session_->epsStability();
    stability.setWanted(true);
    QVERIFY(waitUntil([&] {
      if (stability.state() == CheckState::Asks) stability.run();  // the machine is busy
      return stability.state() == CheckState::Ready;
    }));
    QVERIFY(stability.band() && !stability.band()->empty());
    std::vector<double> eps;
    for (const StabilityAt& at : *stability.band()) eps.push_back(at.eps);
    const auto meansWith = [&](const HierarchyOptions& samples) {
      std::vector<double> means;
      const auto found = stabilityOverEps(*session_->data().cloud(),
                                          *session_->everyEps().hierarchy(), eps, {}, samples);
      for (const StabilityAt& at : found.value()) means.push_back(at.mean);
      return means;
    };
    HierarchyOptions samples{.minPts = kMinPts, .periods = {kWidth, 0}};
    const std::vector<double> inBox = meansWith(samples);
    for (std::size_t i = 0; i < eps.size(); ++i) {
      const double shown = (*stability.band())[i].mean;
      QVERIFY(shown == inBox[i] || (std::isnan(shown) && std::isnan(inBox[i])));
    }
    samples.periods.clear();
    QVERIFY(meansWith(samples) != inBox);
  }
};

GUILESS_TEST(TestSessionSpaces);
#include "tst_session_spaces.moc"
