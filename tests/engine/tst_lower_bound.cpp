// The binary search of kernels and CPU programs, against std::lower_bound, and the one by buckets.
#include <QTest>
#include <algorithm>
#include <random>
#include <vector>

#include "engine/core/lower_bound.h"
#include "engine/grid/cell_buckets.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::vector<std::uint64_t> ascending(std::mt19937_64& random, std::size_t n, std::uint64_t bound) {
  std::vector<std::uint64_t> values(n);
  for (auto& value : values) value = random() % bound;
  std::sort(values.begin(), values.end());
  return values;
}

struct Buckets {
  const std::uint64_t* cellIds;
  const std::uint32_t* bucketFirst;
  int bucketShift;
};

}  // namespace

class TestLowerBound : public QObject {
  Q_OBJECT

 private slots:
  void asTheStandardLibrary() {
    std::mt19937_64 random(8);
    for (std::size_t n = 0; n < 40; ++n) {
      const auto values = ascending(random, n, 25);  // with repeats
      for (std::uint32_t low = 0; low <= n; low += 3)
        for (std::uint32_t high = low; high <= n; high += 2)
          for (std::uint64_t value = 0; value <= 26; ++value) {
            const auto expected =
                std::lower_bound(values.begin() + static_cast<std::ptrdiff_t>(low),
                                 values.begin() + static_cast<std::ptrdiff_t>(high), value);
            QCOMPARE(lowerBound(values.data(), low, high, value),
                     static_cast<std::uint32_t>(expected - values.begin()));
          }
    }
  }

  void rangesUpToTheLastIndex() {
    constexpr std::uint32_t most = ~std::uint32_t{0};
    for (const std::uint32_t first : {0U, 1U, 1U << 31, most - 1, most}) {
      int asked = 0;
      QCOMPARE(firstNotBefore(std::uint32_t{0}, most,
                              [&](std::uint32_t i) {
                                ++asked;
                                return i < first;
                              }),
               first);
      QVERIFY(asked <= 32);
    }
  }

  void byBuckets() {
    std::mt19937_64 random(9);
    for (const std::uint64_t bound : {1ULL, 40ULL, 5000ULL})
      for (int shift = 0; shift < 6; ++shift) {
        auto ids = ascending(random, 60, bound);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        std::vector<std::uint32_t> first((bound >> shift) + 2);
        for (std::uint64_t b = 0; b < first.size(); ++b)
          first[b] = static_cast<std::uint32_t>(
              std::lower_bound(ids.begin(), ids.end(), b << shift) - ids.begin());
        const Buckets view{ids.data(), first.data(), shift};
        for (std::uint64_t id = 0; id < bound; ++id)
          QCOMPARE(firstCellFrom(view, id),
                   static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) -
                                              ids.begin()));
      }
  }
};

APPLESS_TEST(TestLowerBound);
#include "tst_lower_bound.moc"
