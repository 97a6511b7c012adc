#include <QtTest>

#include "engine/join/batch_estimate.h"
#include "engine/join/batch_model.h"
#include "tests/test_program.h"

using namespace clusterloom;

/// The batch-size model of [Gowanlock 2018, §5.4].
class TestBatchModel : public QObject {
  Q_OBJECT

 private slots:
  // The figures that [Gowanlock 2018, §5.4.3] prints: b_s 150 and 50 million, 30 and 89 batches, T2
  // 0.4 s.
  void theFiguresOfThePaper() {
    const BatchedRun alpha{.response = 6.039 + 3 * 0.4 + 0.015 * 30,
                           .batchPairs = 150e6,
                           .batches = 30,
                           .buffers = 0.4};
    const BatchedRun beta{.response = 6.039 + 3 * 0.4 / 3 + 0.015 * 89,
                          .batchPairs = 50e6,
                          .batches = 89,
                          .buffers = 0.4 / 3};
    const auto model = fitBatchModel(alpha, beta, 3, 0.01);
    QVERIFY(model.has_value());
    QVERIFY(std::abs(model->perBatch - 0.015) < 1e-9);
    QVERIFY(std::abs(model->joining - 6.039) < 1e-9);
    // 3·T2 of 25, 50, … 150 million: 0.2, 0.4, … 1.2 s.
    for (int i = 1; i <= 6; ++i)
      QVERIFY(std::abs(3 * model->buffersFor(i * 25e6) - 0.2 * i) < 1e-9);
    QVERIFY(std::abs(model->predict(1, 150e6) - alpha.response) < 1e-9);
    // Table 6, the sizes that the model chose.
    const double small = workloadRatio(0.9, 0.3, 2);
    const double large = workloadRatio(0.9, 1.5, 2);
    QVERIFY(std::abs(small - 1.0 / 9) < 1e-12 && std::abs(large - 25.0 / 9) < 1e-12);
    const auto bestOf = [&](double volume) {
      double best = 25e6;
      for (int i = 2; i <= 6; ++i)
        if (model->predict(volume, i * 25e6) < model->predict(volume, best)) best = i * 25e6;
      return best;
    };
    QCOMPARE(bestOf(small), 25e6);
    QCOMPARE(bestOf(workloadRatio(0.9, 0.6, 2)), 50e6);
    QCOMPARE(bestOf(1), 100e6);
    QCOMPARE(bestOf(workloadRatio(0.9, 1.2, 2)), 125e6);
    QCOMPARE(bestOf(large), 150e6);
  }

  // Memory that is locked in pieces of one size takes a time that no batch size changes.
  void buffersThatDoNotGrowAllTheWay() {
    const auto fitted = [](double ofLarge, double ofSmall) {
      return *fitBatchModel(
          {.response = 2 + 3 * ofLarge, .batchPairs = 4e6, .batches = 5, .buffers = ofLarge},
          {.response = 3 + 3 * ofSmall, .batchPairs = 1e6, .batches = 20, .buffers = ofSmall}, 3,
          0.01);
    };
    const BatchModel grows = fitted(0.05, 0.02);
    QVERIFY(std::abs(grows.buffersFor(4e6) - 0.05) < 1e-12);
    QVERIFY(std::abs(grows.buffersFor(1e6) - 0.02) < 1e-12);
    QVERIFY(std::abs(grows.buffersAtLeast - 0.01) < 1e-12);
    QVERIFY(std::abs(grows.predict(1, 4e6) - 2.15) < 1e-12);
    // The noise of two equal times must not make T2 fall, nor begin below 0.
    const BatchModel falls = fitted(0.02, 0.03);
    QCOMPARE(falls.buffersPerPair, 0.0);
    QCOMPARE(falls.buffersFor(9e6), 0.02);
    const BatchModel steep = fitted(0.05, 0);
    QVERIFY(std::abs(steep.buffersFor(8e6) - 0.1) < 1e-12);
    QVERIFY(std::abs(steep.buffersAtLeast) < 1e-12);
  }

  void theBestBatchIsBest() {
    for (const double growth : {0.0, 1e-9, 3e-9, 1e-7})
      for (const double volume : {0.01, 1.0, 30.0}) {
        const BatchModel model{.joining = 2,
                               .perBatch = 0.004,
                               .buffersAtLeast = 0.02,
                               .buffersPerPair = growth,
                               .batchPairs = 1e7,
                               .batches = 40,
                               .streams = 3};
        const double best = model.bestBatch(volume, 1e6, 5e8);
        QVERIFY(best >= 1e6 && best <= 5e8);
        for (double pairs = 1e6; pairs <= 5e8; pairs *= 1.01)
          QVERIFY(model.predict(volume, best) <= model.predict(volume, pairs) * (1 + 1e-12));
      }
  }

  void wholeBatches() {
    const BatchModel model{.batchPairs = 100, .batches = 3};
    QCOMPARE(model.batchesFor(1, 100), 3.0);
    QCOMPARE(model.batchesFor(1, 99), 4.0);
    QCOMPARE(model.batchesFor(0.001, 1000), 1.0);
  }

  // Every stream gets a batch, unless batches would be too small to pay.
  void batchesForEachStream() {
    const std::uint64_t most = 10'000'000;
    QCOMPARE(batchPairsFor(1e9, most, 3), most);
    for (const int streams : {1, 3, 8, 32}) {
      const std::uint64_t size = batchPairsFor(9e6, most, streams);
      QVERIFY(batchesFor(9e6, size, 1000000) >= std::size_t(streams));
      QVERIFY(size >= kLeastBatchPairs);
      QCOMPARE(batchPairsFor(1000, most, streams), kLeastBatchPairs);
    }
    QCOMPARE(batchPairsFor(9e6, 1000, 3), std::uint64_t{1000});
  }

  // A device has as many streams as are asked for, also one; the papers' least number of batches is
  // three, with and without a size of its own.
  void threeBatchesAtLeast() {
    for (const int streams : {1, 3, 8}) QCOMPARE(leastBatches(0, streams), std::max(3, streams));
    for (const int streams : {1, 3, 8}) QCOMPARE(leastBatches(1000, streams), 3);
    QCOMPARE(batchPairsFor(3e9, 100'000'000'000, leastBatches(100'000'000'000, 1)),
             std::uint64_t{1'000'000'001});
  }

  void noiseIsNotFitted() {
    const BatchedRun alpha{.response = 1.0, .batchPairs = 1e6, .batches = 10};
    const BatchedRun same{.response = 2.0, .batchPairs = 2e6, .batches = 10};
    const BatchedRun close{.response = 1.004, .batchPairs = 2e6, .batches = 5};
    QCOMPARE(fitBatchModel(alpha, same, 3, 0.01).error().kind, ErrorKind::BadInput);
    const auto noise = fitBatchModel(alpha, close, 3, 0.01);
    QVERIFY(!noise && noise.error().message.find("noise") != std::string::npos);
    QVERIFY(fitBatchModel(alpha, close, 3, 0.001).has_value());
  }
};

APPLESS_TEST(TestBatchModel);
#include "tst_batch_model.moc"
