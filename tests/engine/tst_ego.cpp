#include <tbb/task_arena.h>

#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "cloud_draws.h"
#include "engine/cloud/point_distance.h"
#include "engine/ego/new_super_ego.h"
#include "engine/grid/dimension_order.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// The plan of a method of EGO, made here without the rest of the planning.
JoinPlan planOf(const PointCloud& cloud, double eps, bool single) {
  JoinPlan plan;
  plan.squaredEps = eps * eps;
  if (single) {
    plan.single = singlePrecisionFor({}, boundsOf(cloud), eps, dimensionsByMeanStep(cloud));
    if (plan.single.band <= kWidestBand) plan.strategy.precision = Precision::Single;
  }
  return plan;
}

std::vector<std::uint32_t> plainCounts(const PointCloud& cloud, double squaredEps) {
  std::vector<std::uint32_t> counts(cloud.size(), 0);
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::size_t q = 0; q < cloud.size(); ++q) {
      double sum = 0;
      for (std::size_t j = 0; j < cloud.dims(); ++j) {
        const double d = cloud.columns[j][p] - cloud.columns[j][q];
        sum += d * d;
      }
      counts[p] += sum <= squaredEps;
    }
  return counts;
}

std::vector<std::uint32_t> byPoint(const EgoIndex& index,
                                   const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint32_t> result(counts.size());
  for (std::size_t p = 0; p < counts.size(); ++p) result[index.pointIds[p]] = counts[p];
  return result;
}

// Counts what it is given, one p by several threads.
struct CountingSink {
  std::vector<std::uint32_t>& counts;
  bool hit(std::uint32_t p, std::uint32_t) {
    SerialLane{}.add(&counts[p], 1U);
    return false;
  }
};

using Counts = std::vector<std::uint32_t>;

// All ways that count, each with a name.
std::map<std::string, Counts> countsOfAll(const PointCloud& cloud, double eps, bool single) {
  const JoinPlan plan = planOf(cloud, eps, single);
  const auto ego = *prepareEgoCloud(cloud, eps, plan, true, {});
  const std::size_t n = cloud.size();
  std::map<std::string, Counts> result;
  Counts counts(n, 0);
  const auto keep = [&](const char* name) {
    result[name] = byPoint(ego->index, counts);
    counts.assign(n, 0);
  };
  const auto counted = countBySuperEgo(*ego, "counting", counts, {});
  if (!counted) return {};
  keep("Super-EGO, counts");
  const auto visited = runSuperEgo(*ego, "pairs", {}, [&] { return CountingSink{counts}; });
  if (!visited || visited->candidates != counted->candidates ||
      visited->calculations != counted->calculations)
    return {};
  keep("Super-EGO, pairs");
  withSimpleJoin(*ego, [&](const auto& join) {
    return runNewSuperEgo(*ego, {}, "queries", {}, [&] {
      return [&](std::uint32_t q) {
        CountingSink sink{counts};
        return queryByEgoJoin(ego->index, join, q, sink);
      };
    });
  });
  keep("New-Super-EGO, pairs");
  withSimpleJoin(*ego, [&](const auto& join) {
    return runNewSuperEgo(*ego, {}, "queries", {}, [&] {
      return [&](std::uint32_t q) {
        std::uint64_t calculations = 0;
        counts[q] = countByEgoJoin(ego->index, join, q, ~0U, calculations);
        return calculations;
      };
    });
  });
  keep("New-Super-EGO, counts");
  return result;
}

}  // namespace

/// EGO-sort, EGO-join and simple join: order, pruning, counts.
class Ego : public QObject {
  Q_OBJECT
 private slots:
  void sortsByCells() {
    std::mt19937_64 random(1);
    for (const std::string& kind : draws::kAllKinds)
      for (std::size_t dims : {1, 2, 3, 7, 40}) {
        const PointCloud cloud = draws::draw(random, kind, 1 + random() % 300, dims);
        const EgoIndex index = *buildEgoIndex(cloud, draws::drawEps(random, cloud), {});
        QCOMPARE(index.dims.size(), dims);
        QCOMPARE(index.size(), cloud.size());
        std::vector<std::uint32_t> ids = index.pointIds;
        std::ranges::sort(ids);
        for (std::uint32_t p = 0; p < ids.size(); ++p) QCOMPARE(ids[p], p);
        const auto key = [&](std::size_t position) {
          std::vector<std::uint32_t> cells;
          for (const auto& column : index.cellOf) cells.push_back(column[position]);
          cells.push_back(index.pointIds[position]);
          return cells;
        };
        for (std::size_t p = 1; p < cloud.size(); ++p) QVERIFY(key(p - 1) < key(p));
        for (std::size_t p = 0; p < cloud.size(); ++p)
          for (std::size_t j = 0; j < dims; ++j)
            QCOMPARE(index.ordered.columns[j][p], cloud.columns[j][index.pointIds[p]]);
      }
  }

  void widestDimensionComesFirst() {
    std::mt19937_64 random(2);
    PointCloud cloud = draws::draw(random, "uniform", 500, 4);
    for (double& x : cloud.columns[2]) x *= 50;
    for (double& x : cloud.columns[0]) x *= 0.01;
    const std::vector<int> order = dimensionsByMeanStep(cloud);
    QCOMPARE(order.front(), 2);
    QCOMPARE(order.back(), 0);
  }

  void halvesIntoShortSequences() {
    std::mt19937_64 random(3);
    for (std::size_t n : {1, 31, 32, 33, 1000}) {
      const EgoIndex index = *buildEgoIndex(draws::draw(random, "uniform", n, 2), 0.3, {});
      std::uint32_t next = 0;
      for (std::size_t s = 0; s < index.sequences.size(); ++s) {
        const EgoSequence& sequence = index.sequences[s];
        QCOMPARE(sequence.halved(), sequence.size() >= EgoIndex::kShortest);
        if (sequence.halved()) {
          QCOMPARE(index.sequences[s + 1].begin, sequence.begin);
          QCOMPARE(index.sequences[s + 1].end, index.sequences[sequence.right].begin);
          QCOMPARE(index.sequences[sequence.right].end, sequence.end);
        } else {
          QCOMPARE(sequence.begin, next);
          next = sequence.end;
        }
        for (std::size_t i = 0; i < index.dimensions(); ++i) {
          QCOMPARE(index.cellsOf(std::uint32_t(s))[i].low, index.cellOf[i][sequence.begin]);
          QCOMPARE(index.cellsOf(std::uint32_t(s))[i].high, index.cellOf[i][sequence.end - 1]);
        }
      }
      QCOMPARE(next, std::uint32_t(n));
    }
  }

  // Each pair of short sequences is visited once at most, and no pair within ε is in one that was
  // pruned; whatever the length at which jobs are cut.
  void prunesNoPair() {
    std::mt19937_64 random(4);
    for (const std::string& kind : draws::kAllKinds)
      for (std::size_t dims : {1, 2, 3, 9}) {
        const PointCloud cloud = draws::draw(random, kind, 200 + random() % 200, dims);
        const double eps = draws::drawEps(random, cloud);
        const EgoIndex index = *buildEgoIndex(cloud, eps, {});
        const std::size_t n = cloud.size();
        std::vector<int> visits(n * n, 0);
        egoSelfJoin(index, 0, 64 << random() % 3, [&](std::uint32_t x, std::uint32_t y, int start) {
          visitShortSequences(index, {x, y, start}, [&](std::uint32_t a, std::uint32_t b, int) {
            for (auto p = index.sequences[a].begin; p < index.sequences[a].end; ++p)
              for (auto q = index.sequences[b].begin; q < index.sequences[b].end; ++q) {
                ++visits[p * n + q];
                if (a != b) ++visits[q * n + p];
              }
          });
        });
        for (std::size_t p = 0; p < n; ++p)
          for (std::size_t q = 0; q < n; ++q) {
            QVERIFY(visits[p * n + q] <= 1);
            if (withinEps(canonicalSquaredDistance(index.ordered, p, q), eps * eps))
              QVERIFY2(visits[p * n + q] == 1, qPrintable(QString::fromStdString(kind)));
          }
      }
  }

  // What is visited and what is pruned are all pairs, each once: what the guide's picture shows.
  void visitedAndPrunedAreAllPairs() {
    std::mt19937_64 random(9);
    for (std::size_t n : {1, 40, 700}) {
      const EgoIndex index = *buildEgoIndex(draws::draw(random, "uniform", n, 2), 0.7, {});
      std::uint64_t visited = 0;
      std::uint64_t pruned = 0;
      const auto pairs = [&](std::uint32_t a, std::uint32_t b) {
        return std::uint64_t{index.sequences[a].size()} * index.sequences[b].size() *
               (a == b ? 1 : 2);
      };
      egoSelfJoin(
          index, 0, 0, [&](std::uint32_t a, std::uint32_t b, int) { visited += pairs(a, b); },
          [&](std::uint32_t a, std::uint32_t b) { pruned += pairs(a, b); });
      QCOMPARE(visited + pruned, std::uint64_t{n} * n);
      QVERIFY(n < 700 || (visited > 0 && pruned > visited));
    }
  }

  void countsAsPlainLoops_data() {
    QTest::addColumn<bool>("single");
    QTest::newRow("64 bits") << false;
    QTest::newRow("32 bits") << true;
  }
  void countsAsPlainLoops() {
    QFETCH(bool, single);
    std::mt19937_64 random(single ? 5 : 6);
    for (const std::string& kind : draws::kAllKinds)
      for (std::size_t dims : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 90}) {
        const std::size_t n = dims > 20 ? 1 + random() % 80 : 1 + random() % 400;
        const PointCloud cloud = draws::draw(random, kind, n, dims);
        const double eps = draws::drawEps(random, cloud);
        const Counts expected = plainCounts(cloud, eps * eps);
        const auto found = countsOfAll(cloud, eps, single);
        QCOMPARE(found.size(), std::size_t{4});
        for (const auto& [way, counts] : found)
          QVERIFY2(counts == expected, qPrintable(QStringLiteral("%1: %2, %3-D, ε %4")
                                                      .arg(QString::fromStdString(way))
                                                      .arg(QString::fromStdString(kind))
                                                      .arg(dims)
                                                      .arg(eps, 0, 'g', 17)));
      }
  }

  void severalJobsAndThreads() {
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "exponential", 6000, 3);
    const Counts expected = plainCounts(cloud, 0.01 * 0.01);
    tbb::task_arena arena(4);
    arena.execute([&] {
      const auto found = countsOfAll(cloud, 0.01, false);
      QCOMPARE(found.size(), std::size_t{4});
      for (const auto& [way, counts] : found)
        QVERIFY2(counts == expected, qPrintable(QString::fromStdString(way)));
      const auto ego = *prepareEgoCloud(cloud, 0.01, planOf(cloud, 0.01, false), true, {});
      QVERIFY(ego->jobs.size() > 20);
      Counts counts(cloud.size(), 0);
      const auto work = countBySuperEgo(*ego, "counting", counts, {});
      QVERIFY(work->candidates < std::uint64_t{6000} * 6000 / 3);
      QVERIFY(work->calculations < work->candidates);
    });
  }

  // One thread takes the queries as they are given.
  void queriesGoInTheirOrder() {
    std::mt19937_64 random(3);
    const PointCloud cloud = draws::draw(random, "uniform", 3000, 2);
    const auto ego = *prepareEgoCloud(cloud, 0.2, planOf(cloud, 0.2, false), false, {});
    std::vector<std::uint32_t> order(cloud.size());
    std::iota(order.begin(), order.end(), 0U);
    const std::vector<std::uint32_t> inEgoOrder = order;
    std::shuffle(order.begin(), order.end(), random);
    tbb::task_arena one(1);
    for (const auto& given : {order, std::vector<std::uint32_t>{}}) {
      std::vector<std::uint32_t> taken;
      const auto done = one.execute([&] {
        return runNewSuperEgo(*ego, given, "queries", {}, [&] {
          return [&](std::uint32_t query) {
            taken.push_back(query);
            return std::uint64_t{1};
          };
        });
      });
      QVERIFY(done.has_value());
      QCOMPARE(done->calculations, std::uint64_t{3000});
      QCOMPARE(taken, given.empty() ? inEgoOrder : order);
    }
  }

  // Without an overflow of the counters: all points are neighbours of all.
  void equalPoints() {
    const PointCloud cloud{{std::vector<double>(5000, 1.5), std::vector<double>(5000, -2.0)}, {}};
    for (const auto& [way, counts] : countsOfAll(cloud, 0.1, true))
      QVERIFY2(std::ranges::all_of(counts, [](std::uint32_t c) { return c == 5000; }),
               qPrintable(QString::fromStdString(way)));
  }

  void stops() {
    std::mt19937_64 random(8);
    const PointCloud cloud = draws::draw(random, "uniform", 3000, 2);
    std::stop_source source;
    source.request_stop();
    const Task stopped{.stop = source.get_token(), .progress = {}};
    const JoinPlan plan = planOf(cloud, 0.5, false);
    QCOMPARE(prepareEgoCloud(cloud, 0.5, plan, true, stopped).error().kind, ErrorKind::Cancelled);
    const auto ego = *prepareEgoCloud(cloud, 0.5, plan, true, {});
    Counts counts(cloud.size(), 0);
    QCOMPARE(countBySuperEgo(*ego, "counting", counts, stopped).error().kind, ErrorKind::Cancelled);
    QCOMPARE(runNewSuperEgo(*ego, {}, "queries", stopped,
                            [] { return [](std::uint32_t) { return std::uint64_t{0}; }; })
                 .error()
                 .kind,
             ErrorKind::Cancelled);
  }
};

GUILESS_TEST(Ego);
#include "tst_ego.moc"
