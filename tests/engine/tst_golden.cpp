#include <QtTest>
#include <random>

#include "agreement.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "golden_file.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// The full product of options is run on clouds this small, on one thread; on the others, and with
// more threads, it is sampled.
constexpr std::size_t kTinyCloud = 10;
constexpr int kSampled = 30;

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> result;
  for (const int threads : {1, 2, 4})
    result.push_back(std::move(*makeBackend("cpu", {.threads = threads})));
  return result;
}

}  // namespace

/// Labels equal, element by element, to scikit-learn's and to brute force, whatever the strategy
/// and the number of threads.
class TestGolden : public QObject {
  Q_OBJECT

 private slots:
  void labels_data() {
    QTest::addColumn<QString>("name");
    for (const golden::Case& golden : golden::readAll()) {
      QVERIFY(!golden.name.empty());
      const QString name = QString::fromStdString(golden.name);
      QTest::newRow(qPrintable(name)) << name;
    }
  }

  void labels() {
    QFETCH(QString, name);
    const golden::Case golden = golden::read(
        std::filesystem::path(CLUSTERLOOM_TEST_DATA "/golden") / (name.toStdString() + ".golden"));
    std::mt19937_64 random(std::hash<std::string>{}(golden.name));
    const auto cpus = backends();
    for (const golden::Run& run : golden.runs) {
      const auto judge = bruteForceDbscan(golden.cloud, run.params);
      QVERIFY(judge.has_value());
      QVERIFY(judge->labels == run.labels);
      const auto check = [&](const Backend& cpu, const Strategy& strategy) {
        const std::string what = agreement::ofDbscan(cpu, golden.cloud, *judge, strategy);
        QVERIFY2(what.empty(), what.c_str());
      };
      for (const auto& cpu : cpus) check(*cpu, Strategy{});
      for (int i = 0; i < kSampled; ++i)
        check(*cpus[random() % cpus.size()],
              strategies::draw(random, golden.cloud.dims(), strategies::For::Dbscan));
      if (golden.cloud.size() <= kTinyCloud && &run == &golden.runs.front())
        for (const Strategy& strategy : strategies::all(golden.cloud.dims()))
          if (strategies::legal(strategy, strategies::For::Dbscan)) check(*cpus.front(), strategy);
      if (QTest::currentTestFailed()) return;
    }
  }

  void thereIsEnoughToCompare() { QVERIFY(golden::readAll().size() > 50); }
};

APPLESS_TEST(TestGolden);
#include "tst_golden.moc"
