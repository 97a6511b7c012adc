// The adjusted Rand index against all pairs, hand values and scikit-learn's.
#include <QtTest/QtTest>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "engine/dbscan/label_agreement.h"
#include "tests/test_program.h"

using namespace clusterloom;

using Labels = std::vector<std::int32_t>;

class TestLabelAgreement : public QObject {
  Q_OBJECT

 private slots:
  void handValues_data();
  void handValues();
  void equalsAllPairs();
  void numbersOfLabelsDoNotMatter();
  void largeCountsAreExact();
  void otherNumbersOfPointsAreRefused();
  void stops();
  void figures();
};

/// The last column is what scikit-learn 1.9's adjusted_rand_score gives for the same labels.
void TestLabelAgreement::handValues_data() {
  QTest::addColumn<Labels>("a");
  QTest::addColumn<Labels>("b");
  QTest::addColumn<double>("expected");
  QTest::newRow("equal") << Labels{0, 0, 1, 1} << Labels{0, 0, 1, 1} << 1.0;
  QTest::newRow("other numbers") << Labels{0, 0, 1, 1} << Labels{7, 7, -1, -1} << 1.0;
  QTest::newRow("one cluster cut in two") << Labels{0, 0, 1, 2} << Labels{0, 0, 1, 1} << 4.0 / 7;
  QTest::newRow("crossed") << Labels{0, 0, 1, 1} << Labels{0, 1, 0, 1} << -0.5;
  QTest::newRow("all together, all apart") << Labels{0, 0, 0, 0} << Labels{0, 1, 2, 3} << 0.0;
  QTest::newRow("noise is a label of its own")
      << Labels{-1, -1, 0, 0, 0, 1} << Labels{0, 1, 2, 2, 2, -1} << 22.0 / 27;
  // Contingency table (2 1 0; 0 2 1; 0 0 3): 5 pairs together, 9 in A, 2 choose 2 + 3 choose 2 +
  // 4 choose 2 = 10 in B, 36 in all: (5 − 90/36) / (9.5 − 90/36) = 5/14.
  QTest::newRow("three and three")
      << Labels{0, 0, 0, 1, 1, 1, 2, 2, 2} << Labels{0, 0, 1, 1, 1, 2, 2, 2, 2} << 5.0 / 14;
  QTest::newRow("all apart in both") << Labels{0, 1, 2} << Labels{2, 0, 1} << 1.0;
  QTest::newRow("all noise in both") << Labels{-1, -1, -1} << Labels{-1, -1, -1} << 1.0;
  QTest::newRow("one point") << Labels{3} << Labels{-1} << 1.0;
  QTest::newRow("no point") << Labels{} << Labels{} << 1.0;
}

void TestLabelAgreement::handValues() {
  QFETCH(Labels, a);
  QFETCH(Labels, b);
  QFETCH(double, expected);
  const auto ab = compareLabels(a, b);
  const auto ba = compareLabels(b, a);
  QVERIFY(ab && ba);
  QCOMPARE(ab->adjustedRandIndex() + 2, expected + 2);  // QCOMPARE is relative: 0 would never do
  QCOMPARE(ba->adjustedRandIndex(), ab->adjustedRandIndex());
}

void TestLabelAgreement::equalsAllPairs() {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 2 + random() % 90;
    const auto draw = [&] {
      const std::uint32_t kinds = 1 + static_cast<std::uint32_t>(random() % 9);
      Labels labels(n);
      for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random() % kinds) - 1;
      return labels;
    };
    const Labels a = draw();
    const Labels b = draw();
    double inA = 0;
    double inB = 0;
    double inBoth = 0;
    double all = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        ++all;
        inA += a[i] == a[j];
        inB += b[i] == b[j];
        inBoth += a[i] == a[j] && b[i] == b[j];
      }
    }
    const auto found = compareLabels(a, b);
    QVERIFY(found);
    QCOMPARE(double(found->pairs), all);
    QCOMPARE(double(found->togetherA), inA);
    QCOMPARE(double(found->togetherB), inB);
    QCOMPARE(double(found->together), inBoth);
    const double expected = inA * inB / all;
    const double most = (inA + inB) / 2;
    const double index = most == expected ? 1 : (inBoth - expected) / (most - expected);
    QVERIFY2(std::abs(found->adjustedRandIndex() - index) < 1e-12, qPrintable(QString::number(n)));
  }
}

void TestLabelAgreement::numbersOfLabelsDoNotMatter() {
  const Labels a{0, 0, 1, 1, 2, 2, 2};
  const std::int32_t least = std::numeric_limits<std::int32_t>::min();
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const Labels renamed{most, most, least, least, 5, 5, 5};
  const Labels other{0, 1, 1, 1, 0, 0, 2};
  QCOMPARE(compareLabels(renamed, other)->adjustedRandIndex(),
           compareLabels(a, other)->adjustedRandIndex());
}

/// Of 2³⁰ points in two halves each way, with one point on the other side, the products of pairs
/// take 116 bits: 64 of them, or doubles, would lose the difference to 1.
void TestLabelAgreement::largeCountsAreExact() {
  const std::uint64_t half = std::uint64_t(1) << 29;
  const auto pairs = [](std::uint64_t n) { return n * (n - 1) / 2; };
  LabelAgreement agreement;
  agreement.points = 2 * half;
  agreement.pairs = pairs(2 * half);
  agreement.togetherA = 2 * pairs(half);
  agreement.togetherB = pairs(half + 1) + pairs(half - 1);
  agreement.together = pairs(half) + pairs(half - 1);
  // (by integers of any length, Python: 1 − 3.7252902984…e-9)
  const double index = agreement.adjustedRandIndex();
  QVERIFY2(std::abs((1 - index) - 3.725290298461914e-09) < 2e-16,
           qPrintable(QString::number(1 - index, 'g', 17)));
}

void TestLabelAgreement::otherNumbersOfPointsAreRefused() {
  const auto found = compareLabels(Labels{0, 1}, Labels{0, 1, 2});
  QVERIFY(!found);
  QCOMPARE(found.error().kind, ErrorKind::BadInput);
  QVERIFY(found.error().message.find("2 and of 3") != std::string::npos);
}

void TestLabelAgreement::stops() {
  std::stop_source stop;
  stop.request_stop();
  const Task task{stop.get_token(), {}};
  const auto found = compareLabels(Labels(10, 0), Labels(10, 1), task);
  QVERIFY(!found);
  QCOMPARE(found.error().kind, ErrorKind::Cancelled);
  const auto counted = figuresOf(Labels(10, 0), task);
  QVERIFY(!counted);
  QCOMPARE(counted.error().kind, ErrorKind::Cancelled);
}

void TestLabelAgreement::figures() {
  const auto found = figuresOf(Labels{-1, 4, 4, 0, -1, 4, 9, 0});
  QVERIFY(found);
  QCOMPARE(found->points, std::uint64_t(8));
  QCOMPARE(found->clusters, std::uint64_t(3));
  QCOMPARE(found->noise, std::uint64_t(2));
  QCOMPARE(found->largest, std::uint64_t(3));
  const auto none = figuresOf(Labels{-1, -1});
  QVERIFY(none);
  QCOMPARE(none->clusters, std::uint64_t(0));
  QCOMPARE(none->largest, std::uint64_t(0));
}

APPLESS_TEST(TestLabelAgreement);
#include "tst_label_agreement.moc"
