// Batches of about equal results for an order whose first queries have the most neighbours.
#include <QtTest/QtTest>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "engine/join/batch_estimate.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Begins = std::vector<std::size_t>;

std::vector<std::uint32_t> every(const std::vector<std::uint32_t>& all, std::size_t step) {
  std::vector<std::uint32_t> sample;
  for (std::size_t i = 0; i < all.size(); i += step) sample.push_back(all[i]);
  return sample;
}

}  // namespace

class TestEqualBatches : public QObject {
  Q_OBJECT

 private slots:
  void byHand() {
    // Results 4, 4, 2, 2, 2, 2: two batches of 8.
    const std::vector<std::uint32_t> found{4, 2, 2};
    QCOMPARE(equalBatches(found, 2, 6, 1), (Begins{0, 6}));
    QCOMPARE(equalBatches(found, 2, 6, 2), (Begins{0, 2, 6}));
    QCOMPARE(equalBatches(found, 2, 6, 6), (Begins{0, 1, 2, 3, 4, 5, 6}));
    // One query has nearly everything: the others get a batch each all the same.
    QCOMPARE(equalBatches(std::vector<std::uint32_t>{1000, 1, 1, 1}, 1, 4, 3),
             (Begins{0, 1, 2, 4}));
    // Queries of a second cloud may have no neighbour at all.
    QCOMPARE(equalBatches(std::vector<std::uint32_t>{0, 0}, 2, 4, 2), (Begins{0, 1, 4}));
  }

  void longBatchesAreDivided() {
    const std::vector<std::uint32_t> found{9, 0, 0, 0};
    QCOMPARE(equalBatches(found, 10, 40, 2), (Begins{0, 5, 40}));
    QCOMPARE(equalBatches(found, 10, 40, 2, 18), (Begins{0, 5, 22, 40}));
    QCOMPARE(equalBatches(found, 10, 40, 1, 40), (Begins{0, 40}));
  }

  void resultsAreAboutEqual() {
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = 1 + random() % 20000;
      std::vector<std::uint32_t> all(n);
      for (std::size_t q = 0; q < n; ++q)
        all[q] = 1 + static_cast<std::uint32_t>(
                         5000 * std::exp(-6 * static_cast<double>(q) / static_cast<double>(n)));
      const std::size_t step = 1 + random() % 100;
      const std::size_t batches = 1 + random() % std::min<std::size_t>(n, 50);
      const Begins begin = equalBatches(every(all, step), step, n, batches);
      QCOMPARE(begin.size(), batches + 1);
      QVERIFY(begin.front() == 0 && begin.back() == n);
      const double mean =
          static_cast<double>(std::accumulate(all.begin(), all.end(), std::uint64_t{0})) /
          static_cast<double>(batches);
      for (std::size_t b = 0; b < batches; ++b) {
        QVERIFY(begin[b] < begin[b + 1]);
        const auto at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
        const auto pairs =
            static_cast<double>(std::accumulate(at(begin[b]), at(begin[b + 1]), std::uint64_t{0}));
        // Queries are not divided, and between samples the estimate is that of the last one.
        if (n >= 100 * batches && step * 20 <= n / batches)
          QVERIFY2(std::abs(pairs / mean - 1) < 0.05, qPrintable(QString::number(pairs / mean)));
      }
    }
  }
};

APPLESS_TEST(TestEqualBatches);
#include "tst_equal_batches.moc"
