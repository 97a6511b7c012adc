#include <tbb/parallel_for.h>  // before Qt, whose emit it would meet

#include <QtTest/QtTest>

#include <algorithm>
#include <random>
#include <vector>

#include "engine/join/table_builder.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Rows of one batch as a device sends them, and where their entries are cut into parts.
struct SentBatch {
  std::vector<std::uint32_t> points;
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> entries;
  std::vector<std::uint64_t> cuts;
};

struct Made {
  std::vector<std::vector<std::int32_t>> expected;
  std::vector<SentBatch> batches;
};

/// Random neighbours of `n` points; under a half pattern a pair stands in one row, marked, or in
/// both. Where few points have most neighbours, all rows of a batch have these in common.
Made make(std::size_t n, std::size_t pairs, bool half, bool few, std::mt19937_64& random) {
  Made made;
  made.expected.resize(n);
  std::vector<std::vector<std::uint32_t>> rows(n);
  const auto point = [&] {
    const std::size_t among = few && random() % 4 != 0 ? std::max<std::size_t>(1, n / 100) : n;
    return std::uint32_t(random() % among);
  };
  for (std::uint32_t p = 0; p < n; ++p) rows[p].push_back(p);
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint32_t p = point(), q = point();
    if (p == q) continue;
    if (half && random() % 3 != 0) {
      rows[p].push_back(q | SentRows::kBothWays);
    } else {
      rows[p].push_back(q);
      rows[q].push_back(p);
    }
  }
  for (std::uint32_t p = 0; p < n; ++p)
    for (const std::uint32_t entry : rows[p]) {
      const std::uint32_t q = entry & ~SentRows::kBothWays;
      made.expected[p].push_back(std::int32_t(q));
      if (q != entry) made.expected[q].push_back(std::int32_t(p));
    }
  for (auto& row : made.expected) std::sort(row.begin(), row.end());

  std::vector<std::uint32_t> order(n);
  for (std::uint32_t p = 0; p < n; ++p) order[p] = p;
  std::shuffle(order.begin(), order.end(), random);
  for (std::size_t at = 0; at < n;) {
    SentBatch batch;
    const std::size_t end = std::min<std::size_t>(n, at + 1 + random() % (n / 3 + 1));
    for (; at < end; ++at) {
      auto& row = rows[order[at]];
      if (!half) std::sort(row.begin(), row.end());
      batch.points.push_back(order[at]);
      batch.entries.insert(batch.entries.end(), row.begin(), row.end());
      batch.start.push_back(batch.entries.size());
    }
    batch.cuts = {0, batch.entries.size()};
    for (int cut = int(random() % 4); cut > 0; --cut)
      batch.cuts.push_back(random() % (batch.entries.size() + 1));
    std::sort(batch.cuts.begin(), batch.cuts.end());
    made.batches.push_back(std::move(batch));
  }
  return made;
}

}  // namespace

// Rows of a device's batches, cut anywhere and taken by several threads at once, make the table.
class TestTableBuilder : public QObject {
  Q_OBJECT

 private slots:
  void rows_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("pairs");
    QTest::addColumn<bool>("half");
    QTest::addColumn<bool>("few");
    for (const bool half : {false, true}) {
      const char* name = half ? "half" : "whole";
      QTest::addRow("%s: one point", name) << 1 << 0 << half << false;
      QTest::addRow("%s: small", name) << 70 << 300 << half << false;
      QTest::addRow("%s: even", name) << 3000 << 400000 << half << false;
      QTest::addRow("%s: a few have most", name) << 3000 << 400000 << half << true;
    }
  }
  void rows() {
    QFETCH(int, points);
    QFETCH(int, pairs);
    QFETCH(bool, half);
    QFETCH(bool, few);
    std::mt19937_64 random(97);
    const Made made = make(std::size_t(points), std::size_t(pairs), half, few, random);
    NeighbourTable table;
    table.offsets.assign(1, 0);
    for (const auto& row : made.expected)
      table.offsets.push_back(table.offsets.back() + row.size());
    table.ids.resize(table.offsets.back());
    TableBuilder builder(table, half);
    tbb::parallel_for(std::size_t{0}, made.batches.size(), [&](std::size_t number) {
      const SentBatch& batch = made.batches[number];
      for (std::size_t cut = 0; cut + 1 < batch.cuts.size(); ++cut) {
        const std::uint64_t first = batch.cuts[cut], end = batch.cuts[cut + 1];
        builder.take({batch.points, batch.start, first,
                      std::span(batch.entries).subspan(first, end - first)});
      }
    });
    QVERIFY(builder.finish({}));
    for (std::size_t p = 0; p < made.expected.size(); ++p)
      QVERIFY(std::equal(made.expected[p].begin(), made.expected[p].end(),
                         table.ids.begin() + std::ptrdiff_t(table.offsets[p]),
                         table.ids.begin() + std::ptrdiff_t(table.offsets[p + 1])));
  }
};

APPLESS_TEST(TestTableBuilder);
#include "tst_table_builder.moc"
