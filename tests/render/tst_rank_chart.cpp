// The chart of ranks over time: are phases where and as long as their times say, do clicks and keys
// find ranks, does the imbalance say what the times say?
#include <QtTest>
#include <vector>

#include "chart_stage.h"
#include "pictures.h"
#include "render/charts/rank_chart.h"
#include "render/paint/palette.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Rank 0 joins for 0.6 s, waits for 0.3 s and merges for 0.1 s; rank 1 joins for 0.9 s and sends
/// for 0.1 s.
std::vector<RankStats> madeRanks() {
  std::vector<RankStats> ranks(2);
  ranks[0].name = "one";
  ranks[0].points = 1200;
  ranks[0].ghosts = 1;
  ranks[0].bytesSent = 2000;
  ranks[0].spans = {{RankPhase::Join, RankActivity::Busy, 0, 0.6},
                    {RankPhase::Merge, RankActivity::Waiting, 0.6, 0.9},
                    {RankPhase::Merge, RankActivity::Busy, 0.9, 1}};
  ranks[1].name = "two";
  ranks[1].points = 800;
  ranks[1].spans = {{RankPhase::Join, RankActivity::Busy, 0, 0.9},
                    {RankPhase::Merge, RankActivity::Moving, 0.9, 1}};
  return ranks;
}

Colour colourOf(RankPhase phase) {
  return clusterColour(static_cast<std::int32_t>(phase), Background::Dark);
}
int xAt(double seconds) { return int(kLeft + (kRight - kLeft) * seconds / 1.02); }
/// From below; `part` of the row's height.
int yAt(int row, int rows, double part = 0.5) {
  return int(kBottom + (kTop - kBottom) * (rows - 1 - row + 0.1 + 0.8 * part) / rows);
}

}  // namespace

class TestRankChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void phasesAreAsLongAsTheirTimes() {
    ChartStage<RankChart> stage;
    stage.chart.setRanks(madeRanks());
    const Image image = stage.window->image();
    const auto along = [&](int row, Colour colour, double part = 0.5) {
      const int y = kChartHeight - yAt(row, 2, part);
      return countColour(image, colour, 6, kLeft, y, kRight, y + 1);
    };
    const double perSecond = (kRight - kLeft) / 1.02;
    QVERIFY(std::abs(along(0, colourOf(RankPhase::Join)) - 0.6 * perSecond) <= 4);
    QVERIFY(std::abs(along(1, colourOf(RankPhase::Join)) - 0.9 * perSecond) <= 4);
    QVERIFY(std::abs(along(0, colourOf(RankPhase::Merge)) - 0.1 * perSecond) <= 4);
    // Sending and receiving has half the height.
    QVERIFY(std::abs(along(1, colourOf(RankPhase::Merge)) - 0.1 * perSecond) <= 4);
    QCOMPARE(along(1, colourOf(RankPhase::Merge), 0.1), 0);
    QVERIFY(std::abs(along(0, colourOf(RankPhase::Merge), 0.1) - 0.1 * perSecond) <= 4);
  }

  void emptyWithoutSpans() {
    ChartStage<RankChart> stage;
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setRanks(std::vector<RankStats>(3));
    QVERIFY(stage.chart.isEmpty());
    stage.window->image();
    stage.chart.setRanks(madeRanks());
    QVERIFY(!stage.chart.isEmpty());
    stage.chart.setRanks({});
    QVERIFY(stage.chart.isEmpty());
    QVERIFY(stage.chart.table()().rows.empty());
  }

  void clicksAndKeysFindRanks() {
    ChartStage<RankChart> stage;
    stage.chart.setRanks(madeRanks());
    std::vector<std::int64_t> picked;
    stage.chart.setOnPick([&](std::int64_t rank) {
      picked.push_back(rank);
      stage.chart.setMarked(rank);
    });
    stage.window->image();
    stage.click(xAt(0.3), yAt(0, 2));
    stage.click(xAt(0.95), yAt(1, 2));
    stage.click(xAt(0.3), yAt(0, 2, -0.12));  // between the rows
    QVERIFY(stage.chart.pressKey(ChartKey::Right));
    stage.chart.pressKey(ChartKey::Right);
    stage.chart.pressKey(ChartKey::Right);
    stage.chart.pressKey(ChartKey::Left);
    QCOMPARE(picked, std::vector<std::int64_t>({0, 1, -1, 0, 1, 1, 0}));
  }

  void aMarkedRankHasAFrame() {
    ChartStage<RankChart> stage;
    stage.chart.setRanks(madeRanks());
    const Image before = stage.window->image();
    stage.chart.setMarked(1);
    const Image after = stage.window->image();
    QVERIFY(countDifferences(before, after) > 100);
    stage.chart.setMarked(7);  // no such rank
    QCOMPARE(countDifferences(before, stage.window->image()), 0);
  }

  void wordsAndFigures() {
    const auto ranks = madeRanks();
    // Busy 0.7 and 0.9 s.
    QVERIFY(std::abs(imbalanceOf(ranks) - 0.125) < 1e-12);
    QCOMPARE(imbalanceOf({}), 0.0);
    QCOMPARE(QString::fromStdString(rankWords(ranks, 0)),
             QString("rank 0 on one · 1,200 points, 1 ghost · 2 kB sent · busy 700 ms, waiting 300 "
                     "ms, sending and receiving 0 ms"));
    const DataTable table = [&] {
      ChartStage<RankChart> stage;
      stage.chart.setRanks(ranks);
      return stage.chart.table()();
    }();
    QCOMPARE(table.names.size(), std::size_t{9});
    QCOMPARE(table.rows.size(), std::size_t{5});
    QCOMPARE(table.rows[1], std::vector<std::string>({"0", "one", "merge", "waiting", "600", "900",
                                                      "1200", "1", "2000"}));
    QCOMPARE(table.rows[4][3], std::string("sending and receiving"));
  }

  void manyRanks() {
    std::vector<RankStats> ranks;
    for (int r = 0; r < 500; ++r) ranks.push_back(madeRanks()[static_cast<std::size_t>(r % 2)]);
    ChartStage<RankChart> stage;
    stage.chart.setRanks(ranks);
    const Image image = stage.window->image();
    QVERIFY(countColour(image, colourOf(RankPhase::Join), 40) > 1000);
  }
};

GUILESS_TEST(TestRankChart);
#include "tst_rank_chart.moc"
