// How the progress of a run in blocks is divided among its passes.
#include <QtTest>

#include "engine/blocks/block_progress.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestBlockProgress : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sharesFollowWhatPassesMove() {
    BlockVolume volume;
    volume.fileBytes = 1000;
    volume.blockBytes = 2000;
    volume.rows = 100;
    const BlockProgress progress(volume);
    // 1000; 1000 + 2 · 2000; 10 · 2000; 14 · 100
    const double all = 1000 + 5000 + 20000 + 1400;
    QCOMPARE(progress.at(BlockPass::Count, 0), 0.0);
    QCOMPARE(progress.at(BlockPass::Count, 0.5), 500 / all);
    QCOMPARE(progress.at(BlockPass::Scatter, 0), 1000 / all);
    QCOMPARE(progress.at(BlockPass::Work, 0), 6000 / all);
    QCOMPARE(progress.at(BlockPass::Work, 1), 26000 / all);
    QCOMPARE(progress.at(BlockPass::Label, 0.3), 26000 / all);  // nothing to label
    QCOMPARE(progress.at(BlockPass::Write, 0), 26000 / all);
    QCOMPARE(progress.at(BlockPass::Write, 1), 1.0);
    // A GPU clusters in less of the time, so that the files take more of it.
    volume.onGpu = true;
    QVERIFY(BlockProgress(volume).at(BlockPass::Count, 1) > 2 * progress.at(BlockPass::Count, 1));
    // New points are labelled in a pass of their own.
    volume.queryBytes = 500;
    const BlockProgress labelled(volume);
    QVERIFY(labelled.at(BlockPass::Label, 1) > labelled.at(BlockPass::Label, 0));
  }

  void whatIsDoneKeepsItsShare() {
    BlockVolume volume;
    volume.fileBytes = 10;
    volume.blockBytes = 10;
    BlockProgress progress(volume);
    const double counted = progress.at(BlockPass::Count, 1);
    const double half = progress.at(BlockPass::Count, 0.5);
    volume.blockBytes = 90;
    progress.expect(BlockPass::Scatter, volume);
    QCOMPARE(progress.at(BlockPass::Count, 0.5), half);
    QCOMPARE(progress.at(BlockPass::Scatter, 0), counted);
    // 10 + 2 · 90 and 10 · 90 of the rest.
    QCOMPARE(progress.at(BlockPass::Scatter, 1), counted + (1 - counted) * 190 / 1090);
    QCOMPARE(progress.at(BlockPass::Work, 1), 1.0);
  }

  void nothingIsNoError() {
    const BlockProgress progress{BlockVolume()};
    QCOMPARE(progress.at(BlockPass::Count, 0), 0.0);
    QCOMPARE(progress.at(BlockPass::Write, 2), 1.0);
  }

  void bytesOfPackedPointsAndTextTakeLonger() {
    QVERIFY(costOfByte(Format::Laz) > costOfByte(Format::Text));
    QVERIFY(costOfByte(Format::Text) > costOfByte(Format::Npy));
    QCOMPARE(costOfByte(Format::Copc), costOfByte(Format::Laz));
  }
};

APPLESS_TEST(TestBlockProgress);
#include "tst_block_progress.moc"
