// The chart of plans: are the curves where the forecasts say, with a mark for each number of ranks?
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "chart_stage.h"
#include "pictures.h"
#include "render/charts/plan_chart.h"
#include "render/paint/palette.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

constexpr int kPlotTop = kChartHeight - 46;  // below two lines of names

/// A ring of 8, 4 and 2 s on 1, 2 and 4 ranks, all of it joins; replicated 8 s on each from a
/// queue, 5 s by a fixed deal and 3 s by one of single queries.
std::shared_ptr<RankPlan> madePlan() {
  auto plan = std::make_shared<RankPlan>();
  plan->oneRank = 8;
  for (const std::uint64_t ranks : {1, 2, 4}) {
    RanksForecast f;
    f.ranks = ranks;
    f.ring.total = 8.0 / static_cast<double>(ranks);
    f.ring.join = f.ring.total / static_cast<double>(ranks);
    f.replicated.queue = 8;
    f.replicated.fixed = 5;
    f.replicated.single = 3;
    plan->forecasts.push_back(f);
    plan->requests.push_back({.ranks = ranks});
  }
  return plan;
}

int xAt(double ranks) {
  const double low = std::log(1 / 1.15);
  const double high = std::log(4 * 1.15);
  return int(kLeft + (kRight - kLeft) * (std::log(ranks) - low) / (high - low));
}
int yAt(double seconds) {
  const double low = std::log(2 / 1.3);
  const double high = std::log(8 * 1.3);
  return int(kBottom + (kPlotTop - kBottom) * (std::log(seconds) - low) / (high - low));
}

bool marked(const Image& image, double ranks, double seconds, int series) {
  const int x = xAt(ranks);
  const int y = kChartHeight - yAt(seconds);
  return countColour(image, clusterColour(series, Background::Dark), 10, x - 3, y - 3, x + 4,
                     y + 4) >= 12;
}

}  // namespace

class TestPlanChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void curvesAreWhereTheForecastsAre() {
    ChartStage<PlanChart> stage;
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setData(madePlan());
    const Image image = stage.window->image();
    QVERIFY(marked(image, 1, 8, 0));
    QVERIFY(marked(image, 2, 4, 0));
    QVERIFY(marked(image, 4, 2, 0));
    QVERIFY(!marked(image, 4, 4, 0));
    QVERIFY(marked(image, 2, 8, 5));
    QVERIFY(marked(image, 4, 8, 5));
    QVERIFY(marked(image, 4, 5, 6));
    QVERIFY(marked(image, 4, 3, 7));
    // Phases that take no time are not drawn as marks.
    QVERIFY(!marked(image, 2, 2 / 1.3, 1));
    stage.send(vtkCommand::MouseMoveEvent, xAt(2), yAt(3));
    QVERIFY(stage.window->image().rgba != image.rgba);
  }

  void table() {
    ChartStage<PlanChart> stage;
    QVERIFY(stage.chart.table()().rows.empty());
    stage.chart.setData(madePlan());
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(table.rows[1][0], std::string("2"));
    QCOMPARE(table.rows[1][1], std::string("4"));
    QCOMPARE(table.rows[1][3], std::string("4"));
    QCOMPARE(madePlan()->efficiency(1, 4), 1.0);
    for (const auto& row : table.rows) QCOMPARE(row.size(), table.names.size());
    const auto cell = [&](const char* name) {
      const auto at = std::ranges::find(table.names, name);
      return table.rows[1][std::size_t(at - table.names.begin())];
    };
    QCOMPARE(cell("replicated_seconds"), std::string("8"));
    QCOMPARE(cell("replicated_fixed_seconds"), std::string("5"));
    QCOMPARE(cell("replicated_single_seconds"), std::string("3"));
    stage.chart.setData(std::make_shared<RankPlan>());
    QVERIFY(stage.chart.isEmpty());
  }

  void oneNumberOfRanks() {
    auto plan = madePlan();
    plan->forecasts.resize(1);
    ChartStage<PlanChart> stage;
    stage.chart.setData(plan);
    QVERIFY(countColour(stage.window->image(), clusterColour(0, Background::Dark), 10) > 12);
  }
};

GUILESS_TEST(TestPlanChart);
#include "tst_plan_chart.moc"
