// The colours of clusters: they follow the tree from one ε to the next, stay when a drag ends, and
// depend on ε alone, not on the way there.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "engine/cloud/generators.h"
#include "engine/core/predicate.h"
#include "engine/hierarchy/hierarchy.h"
#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"
#include "ui/session/tree_colours.h"

using namespace clusterloom;

namespace {

std::vector<std::int32_t> numbers(std::size_t clusters) {
  std::vector<std::int32_t> colours(clusters);
  std::iota(colours.begin(), colours.end(), 0);
  return colours;
}

/// Just above each ε at which the clusters may change.
std::vector<double> everyEps(const Hierarchy& hierarchy) {
  std::set<double> squares(hierarchy.squaredCoreDistances().begin(),
                           hierarchy.squaredCoreDistances().end());
  const auto& weights = hierarchy.dendrogram().squaredWeights;
  squares.insert(weights.begin(), weights.end());
  std::vector<double> eps;
  for (const double square : squares)
    if (epsSquared(std::sqrt(square))) eps.push_back(std::sqrt(square) * (1 + 1e-12));
  return eps;
}

/// The clusters of one ε: their core points in dendrogram order, and colours.
struct Coloured {
  std::vector<std::size_t> begin;
  std::vector<std::size_t> size;
  std::vector<std::int32_t> colour;
};

Coloured colouredAt(const Hierarchy& hierarchy, const TreeColours& colours, double eps) {
  std::vector<std::uint32_t> nodes;
  if (!hierarchy.labels(eps, &nodes)) qFatal("no labels");
  Coloured at;
  for (const std::uint32_t node : nodes) {
    at.begin.push_back(hierarchy.begin(node));
    at.size.push_back(hierarchy.dendrogram().sizeOf(node));
  }
  at.colour = colours.of(nodes);
  return at;
}

/// Whether cluster `c` of `now` has the colour of a part, and that of the larger one of two.
bool follows(const Coloured& before, const Coloured& now, std::size_t c) {
  std::vector<std::size_t> parts;
  std::size_t newPoints = now.size[c];
  for (std::size_t p = 0; p < before.size.size(); ++p) {
    if (before.begin[p] < now.begin[c] || before.begin[p] >= now.begin[c] + now.size[c]) continue;
    parts.push_back(p);
    newPoints -= before.size[p];
  }
  if (parts.empty()) return true;
  const auto has = [&](std::size_t part) { return before.colour[part] == now.colour[c]; };
  if (parts.size() != 2) return std::any_of(parts.begin(), parts.end(), has);
  if (before.size[parts[0]] < before.size[parts[1]]) std::swap(parts[0], parts[1]);
  // Points that became core in the same step count for the part that they join.
  const bool clear = before.size[parts[0]] > before.size[parts[1]] + newPoints;
  return has(parts[0]) || (!clear && has(parts[1]));
}

bool waitForHierarchy(const Session& session) {
  return waitUntil([&] { return session.everyEps().state() == EveryEps::State::Ready; });
}

}  // namespace

class TestSessionColours : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theTreeIsFollowed_data() {
    QTest::addColumn<double>("lattice");
    QTest::addColumn<int>("minPts");
    QTest::newRow("all distances differ") << 0.0 << 4;
    QTest::newRow("many are equal") << 0.5 << 4;
    QTest::newRow("every point is core") << 0.5 << 1;
    QTest::newRow("no point is core") << 0.0 << 401;
  }
  void theTreeIsFollowed() {
    QFETCH(double, lattice);
    QFETCH(int, minPts);
    PointCloud cloud = generate({"blobs", 400, 2, 3})->cloud;
    if (lattice > 0)
      for (auto& column : cloud.columns)
        for (double& value : column) value = lattice * std::round(value / lattice);
    const auto hierarchy =
        std::make_shared<const Hierarchy>(*Hierarchy::build(cloud, {.minPts = minPts}));
    const std::vector<double> all = everyEps(*hierarchy);
    for (const double share : {0.0, 0.3, 0.7}) {
      const double start = all.empty() ? 1 : all[std::size_t(share * double(all.size()))];
      const auto colours = TreeColours::from(hierarchy, start);
      QVERIFY(colours.has_value());
      QVERIFY(colours->isFrom(hierarchy, start) && !colours->isFrom(hierarchy, 2 * start));
      const Coloured first = colouredAt(*hierarchy, *colours, start);
      QCOMPARE(first.colour, numbers(first.colour.size()));
      std::size_t most = 0;
      std::int32_t highest = -1;
      Coloured before;
      for (const double eps : all) {
        const Coloured now = colouredAt(*hierarchy, *colours, eps);
        most = std::max(most, now.colour.size());
        for (std::size_t c = 0; c < now.colour.size(); ++c) {
          QVERIFY(now.colour[c] >= 0);
          highest = std::max(highest, now.colour[c]);
          QVERIFY2(follows(before, now, c), qPrintable(QString::number(eps, 'g', 17)));
        }
        QCOMPARE(std::set<std::int32_t>(now.colour.begin(), now.colour.end()).size(),
                 now.colour.size());
        before = now;
      }
      // Colours that are free are used again.
      QVERIFY(std::size_t(highest + 1) <= 2 * most);
    }
    QVERIFY(!TreeColours::from(hierarchy, 0).has_value());
    std::stop_source stop;
    stop.request_stop();
    Task stopped;
    stopped.stop = stop.get_token();
    if (!all.empty())
      QVERIFY(TreeColours::from(hierarchy, all.front(), stopped).error().kind ==
              ErrorKind::Cancelled);
  }

  /// The picture after a drag is that of its last frame, and undo gives the one before it.
  void coloursStayWhenADragEnds() {
    const QTemporaryDir folder;
    Session session(nullptr, folder.path());
    session.everyEps().setEnabled(true);
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 4000, 2, 5};
    request.eps = 0.6;
    request.minPts = 6;
    session.data().open(request);
    QVERIFY(waitForResult(session));
    QVERIFY(waitForHierarchy(session));
    QVERIFY(waitUntilIdle(session));
    const ClusterRun& run = session.clusterRun();
    QVERIFY(!run.colours());  // the first result: its labels
    session.setDragging(true);
    for (const double eps : {0.7, 0.8, 1.0, 1.3}) {
      session.setEps(eps);
      QVERIFY(waitForResult(session));
    }
    const auto shown = run.colours();
    QVERIFY(shown && *shown != numbers(shown->size()));
    QSignalSpy recoloured(&run, &ClusterRun::coloursChanged);
    QSignalSpy results(&run, &ClusterRun::resultChanged);
    session.setDragging(false);
    QVERIFY(waitUntilIdle(session));
    QVERIFY(run.colours() == shown);
    QCOMPARE(recoloured.count() + results.count(), 0);

    session.undoStack()->undo();
    QVERIFY(waitForResult(session));
    QVERIFY(!run.colours());
    session.setEps(0.3);
    QVERIFY(waitForResult(session));
    session.setEps(1.3);  // on another way
    QVERIFY(waitForResult(session));
    QCOMPARE(*run.colours(), *shown);
    // Another strategy has the same clusters.
    Strategy unicomp;
    unicomp.pattern = AccessPattern::Unicomp;
    session.setStrategy(unicomp);
    QVERIFY(waitForResult(session));
    QVERIFY(!run.result()->hierarchy);
    QCOMPARE(*run.colours(), *shown);
    session.undoStack()->undo();
    // Another minPts has another tree, and the first one again the same colours.
    session.setMinPts(9);
    QVERIFY(waitForResult(session));
    QVERIFY(waitForHierarchy(session));
    session.undoStack()->undo();
    QVERIFY(waitForResult(session));
    QVERIFY(waitUntil([&] { return run.colours() && *run.colours() == *shown; }));
    // Other points are another cloud; with the points of before its colours come back, too.
    std::vector<std::uint32_t> some(3000);
    std::iota(some.begin(), some.end(), 0U);
    session.setKept(std::make_shared<const std::vector<std::uint32_t>>(some), "keep");
    QVERIFY(waitForResult(session));
    session.undoStack()->undo();
    QVERIFY(waitForResult(session));
    QVERIFY(waitUntil([&] { return run.colours() && *run.colours() == *shown; }));
  }

  /// What is on show when every ε is prepared keeps its colours then, and is where they start.
  void coloursStartFromWhatIsOnShow() {
    const QTemporaryDir folder;
    Session session(nullptr, folder.path());
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 4000, 2, 5};
    request.eps = 0.6;
    request.minPts = 6;
    session.data().open(request);
    QVERIFY(waitForResult(session));
    session.setEps(1.3);
    QVERIFY(waitForResult(session));
    session.everyEps().setEnabled(true);
    QVERIFY(waitForHierarchy(session));
    QVERIFY(waitUntilIdle(session));
    QVERIFY(!session.clusterRun().colours());
    session.setEps(0.8);
    QVERIFY(waitForResult(session));
    QVERIFY(session.clusterRun().colours());
    session.setEps(1.3);
    QVERIFY(waitForResult(session));
    QVERIFY(!session.clusterRun().colours());
  }
};

GUILESS_TEST(TestSessionColours);
#include "tst_session_colours.moc"
