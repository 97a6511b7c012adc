// The tables: clusters (sorting, filtering, copying, hiding) and runs.
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <random>

#include "engine/core/stopwatch.h"
#include "tests/test_program.h"
#include "ui/models/cluster_table_model.h"
#include "ui/models/runs_model.h"
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

using Table = ClusterTableModel;

struct Fixture {
  std::shared_ptr<ClusterResult> result = std::make_shared<ClusterResult>();
  std::shared_ptr<ClusteringStatistics> statistics = std::make_shared<ClusteringStatistics>();
};

/// Clusters of the given sizes; cluster c has c core points, centroid (c, −size).
Fixture clustersOf(const std::vector<std::uint64_t>& sizes) {
  Fixture f;
  f.result->clustering.clusters = int(sizes.size());
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    ClusterStatistics cluster;
    cluster.label = int(c);
    cluster.size = sizes[c];
    cluster.core = c;
    cluster.border = sizes[c] - c;
    cluster.density = double(sizes[c]) / 3;
    cluster.nearest = sizes.size() > 1 ? int(c ? c - 1 : 1) : -1;
    cluster.nearestDistance = 1.5 * double(c + 1);
    cluster.centroid = {double(c), -double(sizes[c])};
    f.statistics->clusters.push_back(cluster);
  }
  return f;
}

QList<int> labels(const QAbstractItemModel& proxy) {
  QList<int> shown;
  for (int row = 0; row < proxy.rowCount(); ++row)
    shown << int(proxy.index(row, Table::Label).data(Table::ValueRole).toDouble());
  return shown;
}

}  // namespace

class TestModels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }

  void emptyTable() {
    Table table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    proxy.setFilterText("size>3");
    proxy.sort(Table::Size);
    QCOMPARE(proxy.rowCount(), 0);
    table.setResult(clustersOf({}).result, clustersOf({}).statistics, {"x"});
    QCOMPARE(table.rowCount(), 0);
    table.setResult(nullptr, nullptr, {});
    QCOMPARE(table.rowCount(), 0);
  }

  void numbersAppearWithTheStatistics() {
    Table table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Fixture f = clustersOf({10, 2000, 7});
    QSignalSpy reset(&table, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&table, &QAbstractItemModel::dataChanged);
    table.setResult(f.result, nullptr, {"x", "y"});
    QCOMPARE(table.rowCount(), 3);
    QCOMPARE(table.columnCount(), int(Table::FirstCentroid) + 2);
    QCOMPARE(table.index(1, Table::Label).data().toString(), QString("1"));
    QCOMPARE(table.index(1, Table::Size).data().toString(), QString());
    QVERIFY(!table.index(1, Table::Size).data(Table::ValueRole).isValid());
    table.setResult(f.result, f.statistics, {"x", "y"});
    QCOMPARE(reset.count(), 1);  // the selection of rows survives
    QCOMPARE(changed.count(), 1);
    QCOMPARE(table.index(1, Table::Size).data(Table::ValueRole).toDouble(), 2000.0);
    QCOMPARE(table.index(1, Table::FirstCentroid + 1).data(Table::ValueRole).toDouble(), -2000.0);
    QCOMPARE(table.index(2, Table::Colour).data(Table::PaletteIndexRole).toInt(), 2);
    QVERIFY(table.index(2, Table::Colour).data(Qt::DecorationRole).value<QColor>().isValid());
    QCOMPARE(table.headerData(Table::FirstCentroid, Qt::Horizontal, Qt::DisplayRole).toString(),
             QString("x"));
    // Statistics of another result are ignored.
    table.setResult(f.result, clustersOf({1}).statistics, {"x", "y"});
    QVERIFY(!table.index(0, Table::Size).data(Table::ValueRole).isValid());
  }

  /// Sorted, filtered and copied as the other columns, once they are shown.
  void figuresOfChecksAreColumns() {
    Table table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Fixture f = clustersOf({10, 20, 30});
    table.setResult(f.result, f.statistics, {});
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    proxy.setFilterText("validity>0");
    QVERIFY(!proxy.filterError().isEmpty());
    ClusterFigures figures;
    Validity validity;
    validity.clusters = {{0, 10, 0.5, 1, 1, 0.5}, {1, 20, 2, 1, 0, -0.5}, {2, 30, 1, 4, 0, 0.75}};
    figures.validity = std::make_shared<const Validity>(validity);
    FoundAgain again;
    again.clusters = {{0, 10, 20, 19, 0.93}, {2, 30, 0, 0, 0}};
    figures.foundAgain = std::make_shared<const FoundAgain>(again);
    figures.persistence = std::make_shared<const std::vector<EpsRangeOfCluster>>(
        std::vector<EpsRangeOfCluster>{{1, 3}, {0.5, 0.75}, {2, HUGE_VAL}});
    table.setFigures(figures, {Table::Validity, Table::FoundAgain, Table::Persistence});
    const auto text = [&](int row, int column) {
      return table.index(row, column).data().toString();
    };
    QCOMPARE(text(0, Table::Validity), QString("0.50"));
    QCOMPARE(table.index(2, Table::Validity).data(Table::ValueRole).toDouble(), 0.75);
    QCOMPARE(text(0, Table::FoundAgain), QString("95 %"));
    QCOMPARE(text(1, Table::FoundAgain), QString());  // not known
    QCOMPARE(text(2, Table::FoundAgain), QString());  // in no sample
    QCOMPARE(text(1, Table::Persistence), QString("1.5"));
    QCOMPARE(text(2, Table::Persistence), QString("∞"));
    const auto tip = [&](int row, int column) {
      return table.index(row, column).data(Qt::ToolTipRole).toString();
    };
    QVERIFY(tip(0, Table::FoundAgain).contains("19") && tip(0, Table::FoundAgain).contains("0.93"));
    QVERIFY(tip(1, Table::Persistence).contains("0.75"));
    QVERIFY(tip(1, Table::FoundAgain).isEmpty());
    QCOMPARE(proxy.filterError(), QString());
    QCOMPARE(labels(proxy), (QList<int>{0, 2}));
    proxy.setFilterText("found_percent>=95 persistence<4");
    QCOMPARE(labels(proxy), (QList<int>{0}));
    proxy.setFilterText({});
    proxy.sort(Table::Validity, Qt::AscendingOrder);
    QCOMPARE(labels(proxy), (QList<int>{1, 0, 2}));
    proxy.sort(Table::Persistence, Qt::DescendingOrder);
    QCOMPARE(labels(proxy), (QList<int>{2, 0, 1}));
    QVERIFY(selectionAsTsv(proxy, {proxy.index(0, 0)}).contains("\tFound\t"));
    // Without a value they stay in place; not shown, they have no title.
    table.setFigures({}, {Table::Validity});
    QCOMPARE(text(0, Table::Validity), QString());
    QCOMPARE(table.headerData(Table::Validity, Qt::Horizontal, Qt::DisplayRole).toString(),
             QString("Validity"));
    QVERIFY(
        table.headerData(Table::FoundAgain, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
  }

  void aLoneClusterHasNoNearest() {
    Table table;
    const Fixture f = clustersOf({10});
    table.setResult(f.result, f.statistics, {});
    QCOMPARE(table.index(0, Table::Nearest).data().toString(), QString());
    QCOMPARE(table.index(0, Table::Distance).data().toString(), QString());
  }

  void sortsByNumber() {
    Table table;
    const Fixture f = clustersOf({9, 100, 20, 1000, 100});
    table.setResult(f.result, f.statistics, {"x", "y"});
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
    proxy.sort(Table::Size, Qt::AscendingOrder);
    QCOMPARE(labels(proxy), (QList<int>{0, 2, 1, 4, 3}));  // not 100, 1000, 20, 9
    proxy.sort(Table::Size, Qt::DescendingOrder);
    QCOMPARE(labels(proxy).front(), 3);
    QCOMPARE(labels(proxy).back(), 0);
    proxy.sort(Table::FirstCentroid + 1, Qt::AscendingOrder);
    QCOMPARE(labels(proxy).front(), 3);
    proxy.sort(-1);
    QCOMPARE(labels(proxy), (QList<int>{0, 1, 2, 3, 4}));
  }

  void filters_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("shown");
    const QList<int> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    QTest::newRow("empty") << "" << all;
    QTest::newRow("blanks") << "  , " << all;
    QTest::newRow("label") << "11" << QList<int>{11};
    QTest::newRow("not a prefix") << "1" << QList<int>{1};
    QTest::newRow("several labels") << "1 5,7" << QList<int>{1, 5, 7};
    QTest::newRow("range") << "2-4" << QList<int>{2, 3, 4};
    QTest::newRow("range backwards") << "4-2" << QList<int>{2, 3, 4};
    QTest::newRow("more") << "size>90" << QList<int>{10, 11};
    QTest::newRow("at least") << "size>=90" << QList<int>{9, 10, 11};
    QTest::newRow("less") << "size<10" << QList<int>{0};
    QTest::newRow("at most") << "SIZE<=10" << QList<int>{0, 1};
    QTest::newRow("equal") << "size=30" << QList<int>{3};
    QTest::newRow("unequal") << "label!=3 label<5" << QList<int>{0, 1, 2, 4};
    QTest::newRow("and") << "size>20 size<50" << QList<int>{3, 4};
    QTest::newRow("labels and condition") << "2-8 size>60" << QList<int>{7, 8};
    QTest::newRow("centroid") << "y<-100" << QList<int>{11};
    QTest::newRow("fraction") << "x>9.5" << QList<int>{10, 11};
    QTest::newRow("exponent") << "size>1e2" << QList<int>{11};
    QTest::newRow("none") << "size>1e9" << QList<int>{};
  }

  void filters() {
    QFETCH(QString, text);
    QFETCH(QList<int>, shown);
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t c = 0; c < 12; ++c) sizes.push_back(c ? 10 * c : 1);
    Table table;
    const Fixture f = clustersOf(sizes);
    table.setResult(f.result, f.statistics, {"x", "y"});
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    proxy.setFilterText(text);
    QCOMPARE(labels(proxy), shown);
    QCOMPARE(proxy.filterError(), QString());
  }

  void noConditionHoldsWithoutAValue() {
    Table table;
    const Fixture f = clustersOf({5});  // one cluster has no nearest one
    table.setResult(f.result, f.statistics, {"x", "y"});
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    for (const char* text : {"distance!=2", "distance=2", "distance<2", "distance>=2"}) {
      proxy.setFilterText(text);
      QCOMPARE(proxy.filterError(), QString());
      QCOMPARE(labels(proxy), QList<int>{});
    }
    proxy.setFilterText("size!=2");
    QCOMPARE(labels(proxy), QList<int>{0});
  }

  /// Numbers as the table shows them, with groups of thousands.
  void filtersTakeGroups() {
    Table table;
    const Fixture f = clustersOf({1500, 20, 3000});
    table.setResult(f.result, f.statistics, {"x", "y"});
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    const auto english = qScopeGuard([] { setLanguage("en"); });
    for (const auto& [language, text] :
         {std::pair{"en", "size>1,234"}, {"de", "size>1.234"}, {"de", "size>1234"}}) {
      setLanguage(language);
      proxy.setFilterText({});
      proxy.setFilterText(text);
      QCOMPARE(labels(proxy), (QList<int>{0, 2}));
    }
    // A fraction of a coordinate is none.
    proxy.setFilterText("x>1.234");
    QCOMPARE(labels(proxy), (QList<int>{2}));
    setLanguage("en");
    proxy.setFilterText("0,2");
    QCOMPARE(labels(proxy), (QList<int>{0, 2}));
  }

  void filtersThatMakeNoSenseShowEverythingAndSaySo() {
    Table table;
    const Fixture f = clustersOf({1, 2, 3});
    table.setResult(f.result, f.statistics, {"x", "y"});
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    for (const char* text : {"size>", "size", ">3", "size>many", "colour>3", "1 and 2", "-1", "z<2",
                             "99999999999999", "size>>3"}) {
      proxy.setFilterText(text);
      QCOMPARE(proxy.rowCount(), 3);
      QVERIFY2(!proxy.filterError().isEmpty(), text);
    }
    proxy.setFilterText("2");
    QCOMPARE(proxy.rowCount(), 1);
    QVERIFY(proxy.filterError().isEmpty());
  }

  void filterFollowsTheData() {
    Table table;
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    proxy.setFilterText("height>-15 size>5");
    QVERIFY(!proxy.filterError().isEmpty());  // no such dimension yet
    const Fixture f = clustersOf({4, 10, 20});
    table.setResult(f.result, nullptr, {"x", "height"});
    QCOMPARE(proxy.filterError(), QString());
    QCOMPARE(labels(proxy), QList<int>{});  // nothing is known of sizes
    table.setResult(f.result, f.statistics, {"x", "height"});
    QCOMPARE(labels(proxy), QList<int>{1});
    const Fixture other = clustersOf({10, 20, 12});
    table.setResult(other.result, other.statistics, {"x", "height"});
    QCOMPARE(labels(proxy), (QList<int>{0, 2}));
  }

  void hiding() {
    Table table;
    const Fixture f = clustersOf({4, 10, 20});
    table.setResult(f.result, f.statistics, {});
    QSignalSpy toggled(&table, &Table::hiddenToggled);
    const QModelIndex box = table.index(1, Table::Label);
    QVERIFY(table.flags(box) & Qt::ItemIsUserCheckable);
    QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    QVERIFY(table.setData(box, Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(toggled.count(), 1);
    QCOMPARE(toggled[0][0].value<std::int32_t>(), 1);
    QCOMPARE(toggled[0][1].toBool(), true);
    QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    table.setHidden({2});
    QCOMPARE(toggled.count(), 1);  // notified only
    QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    QVERIFY(!table.setData(table.index(1, Table::Size), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!table.setData(box, 3, Qt::EditRole));
  }

  void noiseIsARow() {
    Table table;
    Fixture f = clustersOf({4, 10, 20});
    table.setResult(f.result, f.statistics, {"x", "y"});
    QCOMPARE(table.rowCount(), 3);
    QCOMPARE(table.rowOfLabel(kNoise), -1);
    auto noisy = std::make_shared<ClusterResult>(*f.result);
    noisy->clustering.noiseCount = 12;
    table.setResult(noisy, f.statistics, {"x", "y"});
    QCOMPARE(table.rowCount(), 4);
    QCOMPARE(table.clusterRows(), 3);
    QCOMPARE(table.rowOfLabel(kNoise), 3);
    QCOMPARE(table.labelOfRow(3), kNoise);
    QCOMPARE(table.index(3, Table::Label).data().toString(), QString("noise"));
    QCOMPARE(table.index(3, Table::Size).data().toString(), QString("12"));
    QCOMPARE(table.index(3, Table::Core).data().toString(), QString());
    QCOMPARE(table.index(3, Table::FirstCentroid).data().toString(), QString());

    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
      proxy.sort(Table::Size, order);
      QCOMPARE(labels(proxy).size(), 4);
      QCOMPARE(labels(proxy).front(), kNoise);
    }
    proxy.sort(-1);
    proxy.setFilterText("noise");
    QCOMPARE(labels(proxy), QList<int>{kNoise});
    proxy.setFilterText("noise 0-1");
    QCOMPARE(labels(proxy), (QList<int>{kNoise, 0, 1}));
    proxy.setFilterText("size>11");
    QCOMPARE(labels(proxy), (QList<int>{kNoise, 2}));
    proxy.setFilterText("1");
    QCOMPARE(labels(proxy), QList<int>{1});

    QSignalSpy toggled(&table, &Table::hiddenToggled);
    QVERIFY(table.setData(table.index(3, Table::Label), Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(toggled[0][0].value<std::int32_t>(), kNoise);
    QCOMPARE(table.index(3, Table::Label).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    QCOMPARE(table.index(0, Table::Label).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
  }

  void largestFirstOnTheFirstClick() {
    Table table;
    const auto order = [&](int column) {
      return table.headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).toInt();
    };
    QCOMPARE(order(Table::Size), int(Qt::DescendingOrder));
    QCOMPARE(order(Table::Density), int(Qt::DescendingOrder));
    QCOMPARE(order(Table::Label), int(Qt::AscendingOrder));
  }

  void copiesAsTsv() {
    Table table;
    const Fixture f = clustersOf({1234567, 10, 20});
    f.statistics->clusters[0].centroid = {0.1 + 0.2, 1e-300};
    table.setResult(f.result, f.statistics, {"x", "odd\tname"});
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    proxy.sort(Table::Size, Qt::DescendingOrder);
    const QModelIndexList selected{proxy.index(0, 1), proxy.index(0, 3), proxy.index(2, 1)};
    const QStringList lines = selectionAsTsv(proxy, selected).split('\n');
    QCOMPARE(lines.size(), 4);  // header, two rows, the end
    // The columns of the checks are left out while they are not shown.
    QCOMPARE(lines[0].split('\t').size(), int(Table::FirstCentroid) + 1 - 3);
    QVERIFY(lines[0].startsWith("Label\tSize"));
    QVERIFY(lines[1].startsWith("0\t1234567\t0\t"));
    QVERIFY(lines[1].endsWith("0.30000000000000004\t1e-300"));
    QVERIFY(lines[2].startsWith("1\t10\t"));
    QCOMPARE(lines[3], QString());
    QCOMPARE(selectionAsTsv(proxy, {}).count('\n'), 1);
  }

  void aHundredThousandClusters() {
    std::mt19937 random(1);
    std::vector<std::uint64_t> sizes(100000);
    for (std::size_t c = 0; c < sizes.size(); ++c) sizes[c] = c + random() % 100000;
    const Fixture f = clustersOf(sizes);
    Table table;
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    const double begin = threadSeconds();
    table.setResult(f.result, f.statistics, {"x", "y"});
    const double set = threadSeconds();
    proxy.sort(Table::Size);
    const double sorted = threadSeconds();
    proxy.setFilterText("size>50000");
    const double filtered = threadSeconds();
    qInfo("100,000 clusters: set %.3f s, sort %.3f s, filter %.3f s", set - begin, sorted - set,
          filtered - sorted);
    QVERIFY(sorted - set < 2);
    QVERIFY(filtered - sorted < 2);
    double last = 0;
    for (int row = 0; row < proxy.rowCount(); row += 100) {
      const double size = proxy.index(row, Table::Size).data(Table::ValueRole).toDouble();
      QVERIFY(size > 50000 && size >= last);
      last = size;
    }
  }

  void runs() {
    RunsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    RunRecord first;
    first.job = 3;
    first.parameters.dbscan = {0.25, 8};
    first.clusters = 12;
    first.noise = 250;
    first.points = 1000;
    first.stats.backend = "cpu";
    first.stats.threads = 2;
    first.stats.seconds.total = 0.0421;
    RunRecord second = first;
    second.job = 4;
    second.stats.seconds.total = 3.5;
    model.setRuns({first, second});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.run(0).job, quint64(4));  // newest first
    QCOMPARE(model.index(1, RunsModel::Seconds).data().toString(), QString("42 ms"));
    QCOMPARE(model.index(0, RunsModel::Seconds).data().toString(), QString("3.50 s"));
    QCOMPARE(model.index(1, RunsModel::Noise).data().toString(), QString("25.0 %"));
    QCOMPARE(model.index(1, RunsModel::Eps).data(RunsModel::ValueRole).toDouble(), 0.25);
    QCOMPARE(model.index(0, RunsModel::Distances).data().toString(), QString("not counted"));
    second.stats.distanceCalculations = 1234567;
    second.stats.strategy = "full, input";
    model.setRuns({first, second});
    QCOMPARE(model.index(0, RunsModel::Distances).data().toString(), QString("1,234,567"));
    // What tells runs of one ε apart.
    second.parameters.space.metric = Metric::Cosine;
    model.setRuns({first, second});
    const auto tip = [&](int row) { return model.index(row, 0).data(Qt::ToolTipRole).toString(); };
    QVERIFY2(tip(0).contains("full, input") && tip(0).contains("cosine"), qPrintable(tip(0)));
    QVERIFY2(!tip(1).contains("cosine"), qPrintable(tip(1)));
    QCOMPARE(model.index(1, RunsModel::IndexedDims).data().toString(), QString());
    const QStringList lines =
        QString::fromStdString(toCsv(runsTable({first, second}))).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("job,when,points,eps,min_pts,"));
    QVERIFY(lines[1].startsWith("3,") && lines[1].contains(",1000,0.25,8,"));
    QVERIFY(lines[2].contains(",\"full, input\",12,250,1234567,"));
    first.points = 0;
    first.noise = 0;
    model.setRuns({first});
    QCOMPARE(model.index(0, RunsModel::Noise).data().toString(), QString("0.0 %"));
  }
};

GUILESS_TEST(TestModels);
#include "tst_models.moc"
