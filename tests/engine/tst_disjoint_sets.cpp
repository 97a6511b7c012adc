// Disjoint sets that lanes search and unite at once: against sets that are merged by relabelling,
// with one lane, with threads, and with another lane's work put between any two memory accesses.
#include <QTest>
#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/disjoint_sets.h"
#include "engine/cpu/union_find.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;
using Forest = std::vector<std::uint32_t>;

Forest singles(std::uint32_t n) {
  Forest forest(n);
  std::iota(forest.begin(), forest.end(), 0U);
  return forest;
}

/// The lowest member of each one's set.
std::vector<std::uint32_t> lowestMembers(std::uint32_t n, const std::vector<Edge>& edges) {
  std::vector<std::uint32_t> lowest = singles(n);
  for (const auto& [a, b] : edges) {
    const auto [low, high] = std::minmax(lowest[a], lowest[b]);
    std::replace(lowest.begin(), lowest.end(), std::uint32_t{high}, std::uint32_t{low});
  }
  return lowest;
}

std::vector<std::uint32_t> rootsOf(const Forest& forest) {
  SerialLane lane;
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < forest.size(); ++i) roots.push_back(rootOf(lane, forest.data(), i));
  return roots;
}

std::vector<Edge> randomEdges(std::mt19937_64& random, std::uint32_t n, std::size_t count) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i)
    edges.emplace_back(static_cast<std::uint32_t>(random() % n),
                       static_cast<std::uint32_t>(random() % n));
  return edges;
}

/// A lane before whose `at`-th memory access another lane does its work.
struct InterruptedLane : SerialLane {
  int at = 0;
  std::function<void()> other;

  void access() {
    if (at-- == 0) other();
  }
  template <class T>
  T load(const T* from) {
    access();
    return SerialLane::load(from);
  }
  template <class T>
  void store(T* to, T value) {
    access();
    SerialLane::store(to, value);
  }
  template <class T>
  T swapIf(T* where, T old, T desired) {
    access();
    return SerialLane::swapIf(where, old, desired);
  }
};

}  // namespace

class TestDisjointSets : public QObject {
  Q_OBJECT

 private slots:
  void oneLane() {
    std::mt19937_64 random(5);
    for (int round = 0; round < 200; ++round) {
      const auto n = static_cast<std::uint32_t>(1 + random() % 60);
      const auto edges = randomEdges(random, n, random() % (2 * n));
      const auto expected = lowestMembers(n, edges);
      SerialLane lane;
      Forest forest = singles(n);
      UnionFind sets(n);
      for (const auto& [a, b] : edges) {
        unite(lane, forest.data(), a, b);
        sets.unite(a, b);
      }
      QCOMPARE(rootsOf(forest), expected);
      for (std::uint32_t i = 0; i < n; ++i) {
        QCOMPARE(findRoot(lane, forest.data(), i), expected[i]);
        QCOMPARE(sets.find(i), expected[i]);
        QVERIFY(sets.same(i, expected[i]));
        QCOMPARE(sets.same(0, i), expected[i] == 0);
      }
      QCOMPARE(rootsOf(forest), expected);
    }
  }

  void startsWithSets() {
    UnionFind sets(6);
    for (const std::uint32_t i : {2U, 3U, 4U}) sets.start(i, 2);
    QVERIFY(sets.same(2, 4) && !sets.same(1, 2));
    QVERIFY(sets.isBelow(4, 2) && !sets.isBelow(4, 3));
    sets.unite(4, 1);
    QVERIFY(sets.isBelow(2, 1) && sets.same(3, 1));
    QCOMPARE(sets.find(5), 5U);
  }

  void searchesShortenPathsAndRootOfLeavesThem() {
    const Forest chain{0, 0, 1, 2, 3, 4, 5};
    Forest forest = chain;
    SerialLane lane;
    QCOMPARE(rootOf(lane, forest.data(), 6), 0U);
    QCOMPARE(forest, chain);
    QCOMPARE(findRoot(lane, forest.data(), 6), 0U);
    QCOMPARE(forest, (Forest{0, 0, 0, 1, 2, 3, 4}));
  }

  void threads() {
    std::mt19937_64 random(6);
    for (int round = 0; round < 10; ++round) {
      const std::uint32_t n = 3000;
      const auto edges = randomEdges(random, n, 4000);
      UnionFind sets(n);
      std::vector<std::thread> workers;
      for (std::size_t t = 0; t < 4; ++t)
        workers.emplace_back([&, t] {
          for (std::size_t e = t; e < edges.size(); e += 4)
            sets.unite(edges[e].first, edges[e].second);
        });
      for (std::thread& worker : workers) worker.join();
      const auto expected = lowestMembers(n, edges);
      for (std::uint32_t i = 0; i < n; ++i) QCOMPARE(sets.find(i), expected[i]);
    }
  }

  // One lane unites an edge; between two of its accesses another one unites edges of its own. Every
  // place for that, in forests whose paths are long enough to be shortened by both.
  void interruptedAnywhere() {
    std::mt19937_64 random(7);
    int interrupted = 0;
    for (int round = 0; round < 300; ++round) {
      const auto n = static_cast<std::uint32_t>(4 + random() % 12);
      Forest start = singles(n);
      for (std::uint32_t i = 1; i < n; ++i)
        if (random() % 4 != 0) start[i] = static_cast<std::uint32_t>(i - 1 - random() % i % 2);
      std::vector<Edge> edges;
      for (std::uint32_t i = 0; i < n; ++i) edges.emplace_back(i, start[i]);
      const auto mine = randomEdges(random, n, 1);
      const auto others = randomEdges(random, n, 1 + random() % 3);
      edges.insert(edges.end(), mine.begin(), mine.end());
      edges.insert(edges.end(), others.begin(), others.end());
      const auto expected = lowestMembers(n, edges);
      for (int at = 0;; ++at) {
        Forest forest = start;
        bool done = false;
        InterruptedLane lane;
        lane.at = at;
        lane.other = [&] {
          SerialLane other;
          for (const auto& [a, b] : others) unite(other, forest.data(), a, b);
          done = true;
        };
        unite(lane, forest.data(), mine[0].first, mine[0].second);
        if (!done) break;
        ++interrupted;
        for (std::uint32_t i = 0; i < n; ++i) QVERIFY(forest[i] <= i);
        QCOMPARE(rootsOf(forest), expected);
      }
    }
    QVERIFY(interrupted > 1000);
  }
};

APPLESS_TEST(TestDisjointSets);
#include "tst_disjoint_sets.moc"
