// Query sets: every query has one place, sets follow each other, and all get about the same share
// of any stretch of the order. Runs of equal work: they follow each other, and none is empty.
#include <QTest>

#include <algorithm>
#include <vector>

#include "engine/hybrid/ordered_queries.h"
#include "engine/join/query_sets.h"
#include "tests/test_program.h"

using clusterloom::QuerySets;

class TestQuerySets : public QObject {
  Q_OBJECT

 private slots:
  void everyQueryHasOnePlace() {
    for (const std::uint32_t n : {1U, 2U, 7U, 64U, 255U, 1000U, 40001U, 70000U})
      for (const std::uint32_t m : {1U, 2U, 3U, 8U, 16U, 61U, 1000U}) {
        if (m > n) continue;
        for (const bool single : {false, true}) {
          const QuerySets sets(n, m, single);
          const std::vector<std::size_t> begins = sets.begins();
          QCOMPARE(begins.size(), std::size_t{m} + 1);
          QCOMPARE(begins.front(), std::size_t{0});
          QCOMPARE(begins.back(), std::size_t{n});
          QVERIFY(std::is_sorted(begins.begin(), begins.end()));
          std::vector<std::uint32_t> queryAt(n, n);
          for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t place = sets.place(i);
            QVERIFY(place < n);
            QCOMPARE(queryAt[place], n);
            queryAt[place] = i;
          }
          // Within a set queries keep their order.
          for (std::uint32_t s = 0; s < m; ++s)
            QVERIFY(std::is_sorted(queryAt.begin() + static_cast<std::ptrdiff_t>(begins[s]),
                                   queryAt.begin() + static_cast<std::ptrdiff_t>(begins[s + 1])));
        }
      }
  }

  // As in the paper: query i goes to set i mod m.
  void fewQueriesAreDealtOneByOne() {
    const QuerySets sets(10, 3);
    for (std::uint32_t i = 0; i < 10; ++i)
      QVERIFY(sets.place(i) >= sets.begin(i % 3) && sets.place(i) < sets.begin(i % 3 + 1));
  }

  void manyQueriesStayTogether() {
    const QuerySets sets(2'000'000, 16);
    QCOMPARE(sets.run(), 32U);
    for (std::uint32_t i = 0; i + 1 < 32; ++i) QCOMPARE(sets.place(i + 1), sets.place(i) + 1);
    // As the paper prints it: query i is of set i mod m, however many there are.
    const QuerySets single(2'000'000, 16, true);
    QCOMPARE(single.run(), 1U);
    for (std::uint32_t i = 0; i < 2'000'000; i += 997)
      QCOMPARE(single.place(i), single.begin(i % 16) + i / 16);
  }

  // Work that falls along the order, as that by workload does, is shared evenly.
  void workIsShared() {
    constexpr std::uint32_t kQueries = 50'000;
    constexpr std::uint32_t kSets = 8;
    const QuerySets sets(kQueries, kSets);
    std::vector<double> workAt(kQueries);
    double all = 0;
    for (std::uint32_t i = 0; i < kQueries; ++i) {
      const double work = 1e6 / (1000.0 + i);
      workAt[sets.place(i)] = work;
      all += work;
    }
    for (std::uint32_t s = 0; s < kSets; ++s) {
      double work = 0;
      for (std::uint32_t p = sets.begin(s); p < sets.begin(s + 1); ++p) work += workAt[p];
      QVERIFY2(work < 1.05 * all / kSets, qPrintable(QString::number(work * kSets / all)));
    }
  }

  void runsHaveEqualWork() {
    std::vector<std::uint32_t> points(5000);
    std::vector<std::uint32_t> workloads(points.size());
    for (std::uint32_t q = 0; q < points.size(); ++q) {
      points[q] = q;
      workloads[q] = 3'000'000 / (q + 10);
    }
    const auto queries = clusterloom::orderedQueries(points, workloads);
    const auto n = static_cast<std::uint32_t>(points.size());
    for (const std::uint32_t sets : {1U, 2U, 7U, 40U, 5000U}) {
      const std::vector<std::size_t> begins = clusterloom::runsOfEqualWork(queries, sets);
      QVERIFY(begins.size() >= 2 && begins.size() <= sets + std::size_t{1});
      QCOMPARE(begins.front(), std::size_t{0});
      QCOMPARE(begins.back(), std::size_t{n});
      const double share = queries.workBefore(n) / sets;
      for (std::size_t s = 0; s + 1 < begins.size(); ++s) {
        QVERIFY(begins[s] < begins[s + 1]);
        const auto first = static_cast<std::uint32_t>(begins[s]);
        const auto last = static_cast<std::uint32_t>(begins[s + 1] - 1);
        // Without its last query a run has no more than its share and what the one before it left.
        QVERIFY(queries.workBefore(last) - queries.workBefore(first) <= 1.001 * share);
      }
    }
    const auto none = clusterloom::orderedQueries({}, {});
    QCOMPARE(clusterloom::runsOfEqualWork(none, 1), (std::vector<std::size_t>{0, 0}));
    QCOMPARE(clusterloom::runsOfFallingWork(none, 3), (std::vector<std::size_t>{0, 0}));
  }

  void runsOfFallingWorkEndTogether() {
    std::vector<std::uint32_t> points(200'000);
    std::vector<std::uint32_t> workloads(points.size());
    for (std::uint32_t q = 0; q < points.size(); ++q) {
      points[q] = q;
      workloads[q] = 30'000'000 / (q + 1000);
    }
    const auto queries = clusterloom::orderedQueries(points, workloads);
    for (const std::uint32_t workers : {1U, 3U, 12U}) {
      const std::vector<std::size_t> begins = clusterloom::runsOfFallingWork(queries, workers);
      QCOMPARE(begins.front(), std::size_t{0});
      QCOMPARE(begins.back(), points.size());
      QVERIFY(begins.size() > 4 * workers && begins.size() < 50 * workers);
      // Whoever is free takes the next one.
      std::vector<double> ends(workers, 0.0);
      for (std::size_t s = 0; s + 1 < begins.size(); ++s) {
        QVERIFY(begins[s] < begins[s + 1]);
        auto& first = *std::ranges::min_element(ends);
        first += queries.workBefore(static_cast<std::uint32_t>(begins[s + 1])) -
                 queries.workBefore(static_cast<std::uint32_t>(begins[s]));
      }
      const double mean = queries.workBefore(queries.size()) / workers;
      QVERIFY2(*std::ranges::max_element(ends) < 1.04 * mean,
               qPrintable(QString::number(*std::ranges::max_element(ends) / mean)));
    }
  }
};

APPLESS_TEST(TestQuerySets);
#include "tst_query_sets.moc"
