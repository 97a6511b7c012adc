// Counts of which each device does one part by its own way: what comes of the parts.
#include <QtTest/QtTest>

#include <algorithm>
#include <numeric>

#include "engine/cloud/generators.h"
#include "engine/distributed/part_counts.h"
#include "engine/join/join_plan.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// Counts point i + 1 times where i mod `parts` is its part, which is none for other points.
class StandIn final : public SharedDevice {
 public:
  explicit StandIn(bool able) : able_(able) {}
  std::string describe() const override { return "stand-in"; }
  Result<std::unique_ptr<DeviceRun>> begin(const SharedWork&, const Task&) const override {
    return unavailable("A stand-in runs no batches.");
  }
  Result<std::optional<NeighbourCounts>> countPart(const SharedWork& work, QueryPart part,
                                                   const Task&) const override {
    if (!able_) return std::nullopt;
    NeighbourCounts made;
    made.counts.assign(work.input.points.size(), 0);
    for (std::size_t i = part.part; i < made.counts.size(); i += part.parts)
      made.counts[i] = std::uint32_t(i) + 1;
    made.pairs = std::accumulate(made.counts.begin(), made.counts.end(), std::uint64_t{0});
    made.candidates = 7;
    made.stats.batches = 1;
    return made;
  }

 private:
  bool able_;
};

std::vector<std::unique_ptr<SharedDevice>> devices(const std::vector<bool>& able) {
  std::vector<std::unique_ptr<SharedDevice>> all;
  for (const bool one : able) all.push_back(std::make_unique<StandIn>(one));
  return all;
}

}  // namespace

class TestPartCounts : public QObject {
  Q_OBJECT

 private slots:
  void addsParts_data();
  void addsParts();
  void needsAllDevices();
};

void TestPartCounts::addsParts_data() {
  QTest::addColumn<int>("parts");
  QTest::addColumn<int>("points");
  for (const int parts : {1, 2, 3, 5})
    for (const int points : {1, 4, 70'000})  // the last takes several pieces
      QTest::addRow("%d parts of %d", parts, points) << parts << points;
}

void TestPartCounts::addsParts() {
  QFETCH(int, parts);
  QFETCH(int, points);
  const PointCloud cloud =
      generate({.kind = "unif", .points = std::size_t(points), .dims = 2, .seed = 1})->cloud;
  const JoinInput input(cloud);
  const JoinPlan plan;
  const auto of = devices(std::vector<bool>(std::size_t(parts), true));
  const auto counted = countByParts(of, {.input = input, .eps = 1, .plan = plan}, {});
  QVERIFY(counted && *counted);
  const NeighbourCounts& all = **counted;
  QCOMPARE(all.counts.size(), std::size_t(points));
  for (std::size_t i = 0; i < all.counts.size(); ++i) QCOMPARE(all.counts[i], std::uint32_t(i) + 1);
  QCOMPARE(all.pairs, std::uint64_t(points) * (std::uint64_t(points) + 1) / 2);
  QCOMPARE(all.candidates, std::uint64_t{7});
  QCOMPARE(all.stats.ranks.size(), std::size_t(parts));
  for (int r = 0; r < parts; ++r)
    QCOMPARE(all.stats.ranks[std::size_t(r)].points,
             std::uint64_t((points + parts - 1 - r) / parts));
}

void TestPartCounts::needsAllDevices() {
  const PointCloud cloud = generate({.kind = "unif", .points = 10, .dims = 2, .seed = 1})->cloud;
  const JoinInput input(cloud);
  const JoinPlan plan;
  const auto counted =
      countByParts(devices({true, false}), {.input = input, .eps = 1, .plan = plan}, {});
  QVERIFY(counted && !*counted);
}

APPLESS_TEST(TestPartCounts);
#include "tst_part_counts.moc"
