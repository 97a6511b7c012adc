// One table of the options of a strategy: every value goes in and comes out,
// the rest is refused.
#include <QSet>
#include <QtTest/QtTest>

#include "engine/join/join_plan.h"
#include "engine/join/strategy_options.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// What supports every strategy that one processor runs.
constexpr BackendLimits kOneProcessor{.name = "test",
                                      .threadGroups = true,
                                      .singlePrecision = true,
                                      .keyValueSort = true,
                                      .gDbscan = true,
                                      .twoClouds = true,
                                      .cpuMethods = true,
                                      .manyDims = true,
                                      .products = true};

}  // namespace

class TestStrategyOptions : public QObject {
  Q_OBJECT

 private slots:
  void namesAreUnique();
  void everyValueComesBack();
  void numbersComeBack();
  void everyMemberHasAnOption();
  void othersAreRefused_data();
  void othersAreRefused();
};

void TestStrategyOptions::namesAreUnique() {
  QSet<QString> names;
  QSet<QString> keys;
  for (const StrategyOption& option : strategyOptions()) {
    names.insert(QString::fromStdString(option.name));
    keys.insert(QString::fromStdString(option.key));
    QVERIFY(!option.help.empty() && !option.label.empty() && !option.placeholder.empty());
    QCOMPARE(findStrategyOption(option.name), &option);
  }
  QCOMPARE(names.size(), qsizetype(strategyOptions().size()));
  QCOMPARE(keys.size(), qsizetype(strategyOptions().size()));
  QVERIFY(findStrategyOption("method") != nullptr);
  QVERIFY(findStrategyOption("nosuch") == nullptr);
}

void TestStrategyOptions::everyValueComesBack() {
  for (const StrategyOption& option : strategyOptions()) {
    QSet<QString> seen;
    for (const StrategyOption::Value& value : option.values) {
      Strategy strategy;
      QVERIFY(setOption(strategy, option, value.word));
      QCOMPARE(option.get(strategy), value.word);
      seen.insert(QString::fromStdString(value.word));
      // Nothing else changed.
      Strategy back = strategy;
      QVERIFY(setOption(back, option, option.get(Strategy{})));
      QCOMPARE(back, Strategy{});
    }
    QCOMPARE(seen.size(), qsizetype(option.values.size()));
  }
}

void TestStrategyOptions::numbersComeBack() {
  for (const StrategyOption& option : strategyOptions()) {
    if (!option.values.empty()) continue;
    const std::vector<std::string> numbers =
        option.decimal
            ? std::vector<std::string>{"0.1", "3", "1e+300", "5e-324"}
            : std::vector<std::string>{std::to_string(option.least), std::to_string(option.most)};
    for (const std::string& number : numbers) {
      Strategy strategy;
      QVERIFY(setOption(strategy, option, number));
      QCOMPARE(option.get(strategy), number);
      QVERIFY(setOption(strategy, option, "auto"));
      QCOMPARE(strategy, Strategy{});
    }
  }
}

void TestStrategyOptions::everyMemberHasAnOption() {
  // Each with a value that is not its default.
  const Strategy other{.method = Method::BruteForce,
                       .pattern = AccessPattern::Full,
                       .order = QueryOrder::Bins,
                       .indexedDims = 3,
                       .threadsPerPoint = 4,
                       .reorder = Toggle::On,
                       .sortIdu = Toggle::Off,
                       .shortCircuit = Toggle::On,
                       .denseCells = Toggle::Off,
                       .earlyStop = Toggle::On,
                       .precision = Precision::Single,
                       .route = ResultRoute::KeyValueSort,
                       .batchPairs = 12345,
                       .streams = 5,
                       .blockSize = 64,
                       .division = Division::Candidates,
                       .cpuMethod = CpuMethod::NewSuperEgo,
                       .cpuBatch = 77,
                       .referenceEps = 0.25};
  // Another member does not compile before it is named here; it needs a value above, too.
  [[maybe_unused]] const auto& [method, pattern, order, indexedDims, threadsPerPoint, reorder,
                                sortIdu, shortCircuit, denseCells, earlyStop, precision, route,
                                batchPairs, streams, blockSize, division, cpuMethod, cpuBatch,
                                referenceEps] = other;
  Strategy made;
  for (const StrategyOption& option : strategyOptions()) {
    QVERIFY2(option.get(other) != option.get(Strategy{}), option.name.c_str());
    QVERIFY(setOption(made, option, option.get(other)));
    // Status lines name it.
    Strategy alone;
    QVERIFY(setOption(alone, option, option.get(other)));
    QVERIFY2(describe(alone) != describe(Strategy{}), option.name.c_str());
    // Brute force takes no other option.
    if (alone.method == Method::BruteForce) continue;
    alone.method = Method::BruteForce;
    QVERIFY2(!checkStrategy(alone, SinkKind::Dbscan, kOneProcessor, 4), option.name.c_str());
  }
  QCOMPARE(made, other);
  // Without those of DBSCAN and of both processors.
  Strategy plain = ofOneProcessor(asJoin(other));
  for (const StrategyOption& option : strategyOptions())
    if (option.use == OptionUse::Dbscan)
      QVERIFY2(option.get(plain) == option.get(Strategy{}), option.name.c_str());
  plain.method = Method::Grid;
  const auto legal = checkStrategy(plain, SinkKind::Pairs, kOneProcessor, 4);
  QVERIFY2(legal, legal ? "" : legal.error().message.c_str());
}

void TestStrategyOptions::othersAreRefused_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("text");
  for (const char* text : {"", "Full", "full ", "half", "1"})
    QTest::addRow("pattern '%s'", text) << "pattern" << text;
  for (const char* text : {"", "0", "9", "-1", "1.0", "0x2", "Auto"})
    QTest::addRow("index-dims '%s'", text) << "index-dims" << text;
  for (const char* text : {"0", "18446744073709551616", "1e6"})
    QTest::addRow("batch-size '%s'", text) << "batch-size" << text;
  for (const char* text : {"", "auto", "HEGJoin-Dyn"})
    QTest::addRow("division '%s'", text) << "division" << text;
  for (const char* text : {"0", "-1", "1073741825"})
    QTest::addRow("cpu-batch '%s'", text) << "cpu-batch" << text;
  for (const char* text : {"", "0", "-1", "inf", "nan", "1,5", "0.5 "})
    QTest::addRow("reference-eps '%s'", text) << "reference-eps" << text;
  for (const char* text : {"auto", "3", "64"})
    QTest::addRow("threads-per-point '%s'", text) << "threads-per-point" << text;
}

void TestStrategyOptions::othersAreRefused() {
  QFETCH(QString, name);
  QFETCH(QString, text);
  const StrategyOption* option = findStrategyOption(name.toStdString());
  QVERIFY(option != nullptr);
  Strategy strategy;
  const auto set = setOption(strategy, *option, text.toStdString());
  QVERIFY(!set);
  QCOMPARE(set.error().kind, ErrorKind::BadCall);
  const QString message = QString::fromStdString(set.error().message);
  QVERIFY2(message.contains("--" + name), qPrintable(message));
  QVERIFY2(message.contains(QString::fromStdString(choicesOf(*option))), qPrintable(message));
  QCOMPARE(strategy, Strategy{});
}

GUILESS_TEST(TestStrategyOptions);
#include "tst_strategy_options.moc"
