// The comparison of strategies: runs and their answers, times repeated and over ε, files of them.
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTableWidget>
#include <QtTest>

#include "load_window.h"
#include "render/paint/palette.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/compare_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/comparison.h"
#include "ui/session/load_lab.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/chart_view.h"
#include "ui/view/data_words.h"

using namespace clusterloom;

class TestComparison : public QObject, LoadWindow {
  Q_OBJECT

  /// Pairs of points within ε of each other, as all pairs tell.
  std::uint64_t pairsWithin(double eps) const {
    const PointCloud& cloud = *session_->data().cloud();
    std::uint64_t pairs = 0;
    for (std::size_t p = 0; p < cloud.size(); ++p)
      for (std::size_t q = 0; q < cloud.size(); ++q) {
        const double dx = cloud.columns[0][p] - cloud.columns[0][q];
        const double dy = cloud.columns[1][p] - cloud.columns[1][q];
        pairs += dx * dx + dy * dy <= eps * eps ? 1 : 0;
      }
    return pairs;
  }

  void checkRuns() {
    const Comparison& comparison = session_->comparison();
    const std::uint64_t pairs = pairsWithin(0.006);
    for (const ComparedRun& compared : comparison.runs()) {
      if (compared.shared && !compared.failure.isEmpty()) {
        // Without a GPU it is said why.
        QVERIFY2(compared.failure.contains("hybrid"), qPrintable(compared.failure));
        continue;
      }
      QVERIFY2(compared.failure.isEmpty(), qPrintable(compared.failure));
      QVERIFY(compared.identical);
      QCOMPARE(compared.seconds, std::vector<double>{compared.stats.seconds.total});
      QCOMPARE(compared.pairs, pairs);
      QCOMPARE(compared.remark.isEmpty(), compared.strategy.threadsPerPoint == 1);
    }
    const auto& runs = comparison.runs();
    // Joins without a grid have no warps, but times, candidates and distances.
    const std::size_t firstOther = paperStrategies().size();
    for (std::size_t i = firstOther; i < firstOther + otherJoins().size(); ++i) {
      QVERIFY(!runs[i].report);
      QCOMPARE(runs[i].strategy.method, otherJoins()[i - firstOther].strategy.method);
      QVERIFY(runs[i].candidates >= pairs);
      QCOMPARE(runs[i].distanceCalculations(), runs[i].stats.distanceCalculations);
      const auto row = int(i);
      QTableWidget* shown = window_->charts()->compare()->table();
      QCOMPARE(shown->item(row, ComparePanel::Wee)->text(), QString("—"));
      QVERIFY(!shown->item(row, ComparePanel::Time)->text().isEmpty());
      QVERIFY(shown->item(row, ComparePanel::Distances)->text() != QString("0"));
    }
    const DataTable exact = comparison.table();
    QCOMPARE(exact.rows.size(),
             std::size_t(std::count_if(runs.begin(), runs.end(),
                                       [](const auto& r) { return r.succeeded(); })));
    for (const auto& row : exact.rows) QCOMPARE(row.size(), exact.names.size());
    QVERIFY(exact.rows[firstOther][4].empty() && !exact.rows[0][4].empty());
    // Half patterns do about half of the work.
    const double half =
        double(runs[2].report->distanceCalculations) / double(runs[0].report->distanceCalculations);
    QVERIFY2(half > 0.45 && half < 0.75, qPrintable(QString::number(half)));
  }

  void checkTable() {
    const auto& runs = session_->comparison().runs();
    const double half =
        double(runs[2].report->distanceCalculations) / double(runs[0].report->distanceCalculations);
    QTableWidget* table = window_->charts()->compare()->table();
    QCOMPARE(table->rowCount(), int(runs.size()));
    // Headings say which figures are of runs on the CPU, and which of the warps of a GPU.
    const std::vector<HeaderGroup>& groups = window_->charts()->compare()->header().groups();
    QCOMPARE(groups.size(), std::size_t(2));
    QCOMPARE(groups[0].title, "Runs: " + session_->clusterRun().backendDescription());
    QCOMPARE(groups[1].title, QString("GPU model: H200, 132 multiprocessors × 64 warps, 1.98 GHz"));
    QCOMPARE(groups[0].first, int(ComparePanel::Time));
    QVERIFY(groups[0].last < groups[1].first);
    for (const int column : {ComparePanel::Wee, ComparePanel::Steps, ComparePanel::WarpTime})
      QVERIFY(column >= groups[1].first && column <= groups[1].last);
    const QString drawn = QString::fromStdString(
        window_->charts()->compare()->outputs().front()->svg({1400, 700}, Background::Light));
    for (const HeaderGroup& group : groups)
      QVERIFY2(drawn.contains(group.title.toHtmlEscaped()), qPrintable(group.title));
    QCOMPARE(table->item(0, ComparePanel::Ratio)->text(), QString("1.00 ×"));
    // What is gained over the first, and by what.
    QCOMPARE(table->item(0, ComparePanel::Gain)->text(), QString("1.00 ×"));
    QCOMPARE(table->item(0, ComparePanel::Causes)->text(), QString());
    QCOMPARE(table->item(0, ComparePanel::WarpTime)->text(),
             duration(runs[0].report->makespan * 16 / 1.98e9));
    for (int row = 1; row < int(paperStrategies().size()); ++row) {
      const double gain = runs[0].report->makespan / runs[std::size_t(row)].report->makespan;
      QCOMPARE(table->item(row, ComparePanel::Gain)->text(),
               QLocale().toString(gain, 'f', 2) + " ×");
    }
    QVERIFY(table->item(2, ComparePanel::Causes)->text().contains("fewer comparisons"));
    QVERIFY(!table->item(4, ComparePanel::Causes)->text().contains("comparisons"));  // sorted
    QVERIFY(table->item(4, ComparePanel::Causes)->text().contains("balanced lanes"));
    QCOMPARE(table->item(2, ComparePanel::Ratio)->text(), QLocale().toString(half, 'f', 2) + " ×");
    QCOMPARE(table->item(3, ComparePanel::Identical)->text(), QString("yes"));
  }

  void checkCauses() {
    const Comparison& comparison = session_->comparison();
    // In place of the warps, the causes of the gains: those of the table.
    auto* causes = window_->findChild<ChartView*>("gainChart");
    QVERIFY(!causes->isVisible());
    QTest::mouseClick(window_->findChild<QPushButton*>("compareCauses"), Qt::LeftButton);
    QVERIFY(causes->isVisible() && !window_->findChild<ChartView*>("compareChart0")->isVisible());
    const Colour lanes = clusterColour(2, Background::Light);
    QVERIFY(pixelsLike(causes->grabFrame(), qRgb(lanes.r, lanes.g, lanes.b), 12) > 300);
    const DataTable gains = causes->chart().table()();
    std::size_t withWarps = 0;
    for (const ComparedRun& compared : comparison.runs()) {
      if (!compared.report) continue;
      QCOMPARE(gains.rows[withWarps][0], compared.name.toStdString());
      QCOMPARE(std::stod(gains.rows[withWarps++][1]), comparison.causesOf(compared).all());
    }
    QCOMPARE(gains.rows.size(), withWarps);
    shot(window_.get(), "compare-causes");
    QTest::mouseClick(window_->findChild<QPushButton*>("compareCauses"), Qt::LeftButton);
    QVERIFY(!causes->isVisible());
  }

  void checkFiles() {
    const QString csv = directory_->filePath("runs.csv");
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    const ChartOutput& output = *window_->charts()->compare()->outputs().front();
    saveOutput(*session_, output, csv, {});
    saveOutput(*session_, output, directory_->filePath("runs.png"),
               {output.size(), 1.5, Background::Light});
    QVERIFY(waitUntil([&] { return exported.size() == 2; }));
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), qsizetype(session_->comparison().table().rows.size()) + 1);
    const QStringList names = lines[0].split(',');
    // Counted from the end, since the options before hold commas.
    const QStringList cells = lines[1].split(',');
    QCOMPARE(cells[cells.size() - names.size() + names.indexOf("pairs")],
             QString::number(pairsWithin(0.006)));
    QCOMPARE(lines.filter(QRegularExpression("^WORKQUEUE \\+ LID-UNICOMP \\+ k = 8,")).size(), 1);
    const QImage picture(directory_->filePath("runs.png"));
    QCOMPARE(picture.width(), qRound(1.5 * output.size().width()));
    const Colour busy = themeOf(Background::Light).series[0];
    QVERIFY(pixelsLike(picture, qRgb(busy.r, busy.g, busy.b), 12) > 2000);  // the two charts
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1400, 900})); }
  void cleanup() { closeWindow(); }

  // The kernels of [Gallet 2019], tables III to VI, under their names.
  void presetsAreThoseOfThePapers() {
    using enum AccessPattern;
    using enum QueryOrder;
    struct Preset {
      const char* name;
      AccessPattern pattern;
      QueryOrder order;
      int threads;
    };
    const std::vector<PaperStrategy> papers = paperStrategies();
    for (const Preset& preset :
         {Preset{"GPUCALCGLOBAL", Full, Bins, 1}, Preset{"UNICOMP", Unicomp, Bins, 1},
          Preset{"LID-UNICOMP", LidUnicomp, Bins, 1},
          Preset{"GPUCALCGLOBAL + k = 8", Full, Bins, 8},
          Preset{"SORTBYWL", Full, SortByWorkload, 1}, Preset{"WORKQUEUE", Full, WorkQueue, 1},
          Preset{"WORKQUEUE + LID-UNICOMP", LidUnicomp, WorkQueue, 1},
          Preset{"WORKQUEUE + k = 8", Full, WorkQueue, 8},
          Preset{"WORKQUEUE + LID-UNICOMP + k = 8", LidUnicomp, WorkQueue, 8}}) {
      Strategy expected = gpuCalcGlobal();
      expected.pattern = preset.pattern;
      expected.order = preset.order;
      expected.threadsPerPoint = preset.threads;
      const auto found = std::find_if(papers.begin(), papers.end(), [&](const PaperStrategy& p) {
        return p.name == QLatin1String(preset.name);
      });
      QVERIFY2(found != papers.end(), preset.name);
      QVERIFY2(found->strategy == expected, preset.name);
    }
  }

  // Any two strategies: what the engine panel has can be kept, and set otherwise, and kept again.
  void keptStrategiesAreCompared() {
    openExpo(1000, 0.01);
    window_->charts()->showTab(ChartId::Compare);
    auto* list = window_->findChild<QListWidget*>("compareList");
    auto* keep = window_->findChild<QPushButton*>("compareKeep");
    const int before = list->count();
    for (int i = 0; i < before; ++i) list->item(i)->setCheckState(Qt::Unchecked);
    const Strategy a{.pattern = AccessPattern::LidUnicomp, .order = QueryOrder::Cell};
    const Strategy b{.pattern = AccessPattern::Full, .order = QueryOrder::WorkQueue};
    for (const Strategy& strategy : {a, b, a}) {
      session_->setStrategy(strategy);
      QTest::mouseClick(keep, Qt::LeftButton);
    }
    QCOMPARE(list->count(), before + 2);  // the third was there already
    QCOMPARE(list->item(before)->checkState(), Qt::Checked);
    session_->setStrategy({});
    QTest::mouseClick(window_->findChild<QPushButton*>("compareRun"), Qt::LeftButton);
    const Comparison& comparison = session_->comparison();
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    QCOMPARE(comparison.runs().size(), std::size_t(2));
    for (const ComparedRun& run : comparison.runs()) {
      QVERIFY2(run.failure.isEmpty(), qPrintable(run.failure));
      QVERIFY(run.identical);
    }
    QVERIFY(comparison.runs()[0].strategy.pattern == a.pattern);
    QVERIFY(comparison.runs()[1].strategy.order == b.order);
    // Del takes out what was kept, and nothing else.
    list->setFocus();
    list->setCurrentRow(before + 1);
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(list->count(), before + 1);
    list->setCurrentRow(0);
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(list->count(), before + 1);
  }

  // The row keeps its words when the settings are others.
  void currentSettingsAreNamedByTheirOptions() {
    openExpo(1000, 0.01);
    window_->charts()->showTab(ChartId::Compare);
    auto* list = window_->findChild<QListWidget*>("compareList");
    for (int i = 0; i < list->count(); ++i) list->item(i)->setCheckState(Qt::Unchecked);
    list->item(list->count() - 1)->setCheckState(Qt::Checked);
    session_->setStrategy({.pattern = AccessPattern::LidUnicomp, .order = QueryOrder::Cell});
    QTest::mouseClick(window_->findChild<QPushButton*>("compareRun"), Qt::LeftButton);
    const Comparison& comparison = session_->comparison();
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    session_->setStrategy({});
    QVERIFY2(comparison.runs()[0].name.contains("lid-unicomp", Qt::CaseInsensitive),
             qPrintable(comparison.runs()[0].name));
  }

  void strategiesAreComparedAndAgree() {
    openExpo(3000, 0.006);
    window_->charts()->showTab(ChartId::Compare);
    auto* list = window_->findChild<QListWidget*>("compareList");
    QCOMPARE(list->count(), int(comparableStrategies().size()) + 1);
    for (int i = 0; i < list->count(); ++i) list->item(i)->setCheckState(Qt::Checked);
    auto* run = window_->findChild<QPushButton*>("compareRun");
    QTest::mouseClick(run, Qt::LeftButton);
    const Comparison& comparison = session_->comparison();
    QVERIFY(comparison.isRunning());
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    QCOMPARE(comparison.runs().size(), std::size_t(list->count()));
    checkRuns();
    if (QTest::currentTestFailed()) return;
    checkTable();
    if (QTest::currentTestFailed()) return;
    // Two of them on one axis.
    auto* sideA = window_->findChild<QComboBox*>("compareSide0");
    auto* sideB = window_->findChild<QComboBox*>("compareSide1");
    QCOMPARE(sideA->count(), list->count());
    QCOMPARE(sideB->currentIndex(), 1);
    sideB->setCurrentIndex(4);
    Q_EMIT sideB->activated(4);
    for (const char* name : {"compareChart0", "compareChart1"}) {
      auto* view = window_->findChild<ChartView*>(name);
      const QImage picture = view->grabFrame();
      const Colour busy = themeOf(Background::Light).series[0];
      QVERIFY(pixelsLike(picture, qRgb(busy.r, busy.g, busy.b), 12) > 300);
    }
    shot(window_.get(), "compare");
    checkCauses();
    if (QTest::currentTestFailed()) return;
    checkFiles();
    if (QTest::currentTestFailed()) return;

    // Another ε: what is shown says of which it is.
    session_->setEps(0.007);
    QVERIFY(!comparison.isCurrent());
    QVERIFY(window_->findChild<QLabel*>("compareNote")->text().contains("0.006"));
    session_->closeData();
    QVERIFY(comparison.runs().empty());
    QCOMPARE(window_->charts()->compare()->table()->rowCount(), 0);
  }

  void responseTimesAreMeasuredOverEps() {
    openExpo(2000, 0.008);
    window_->charts()->showTab(ChartId::Compare);
    QTest::mouseClick(window_->findChild<QPushButton*>("compareSweep"), Qt::LeftButton);
    const Comparison& comparison = session_->comparison();
    QVERIFY(comparison.isRunning());
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    const auto& curves = comparison.sweep();
    QVERIFY(curves.size() >= 4);
    const PointCloud& cloud = *session_->data().cloud();
    for (const ResponseCurve& curve : curves) {
      QCOMPARE(curve.points.size(), std::size_t(9));
      QCOMPARE(curve.points.front().eps, 0.002);
      QCOMPARE(curve.points.back().eps, 0.032);
      for (std::size_t i = 0; i < 9; ++i) {
        QVERIFY(curve.points[i].seconds > 0);
        QCOMPARE(curve.points[i].selectivity, curves[0].points[i].selectivity);
      }
    }
    std::uint64_t pairs = 0;  // at the smallest ε, by brute force
    for (std::size_t p = 0; p < cloud.size(); ++p)
      for (std::size_t q = 0; q < cloud.size(); ++q) {
        const double dx = cloud.columns[0][p] - cloud.columns[0][q];
        const double dy = cloud.columns[1][p] - cloud.columns[1][q];
        pairs += dx * dx + dy * dy <= 0.002 * 0.002 ? 1 : 0;
      }
    QCOMPARE(curves[0].points[0].selectivity, (double(pairs) - 2000) / 2000);
    const QImage picture = window_->findChild<ChartView*>("responseChart")->grabFrame();
    for (std::int32_t i = 0; i < std::int32_t(curves.size()); ++i) {
      const Colour colour = clusterColour(i, Background::Light);
      QVERIFY(pixelsLike(picture, qRgb(colour.r, colour.g, colour.b), 20) > 60);
    }
    shot(window_.get(), "response");
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    const auto outputs = window_->charts()->compare()->outputs();
    QCOMPARE(outputs.size(), std::size_t(1));
    saveOutput(*session_, *outputs.front(), directory_->filePath("sweep.csv"), {});
    QVERIFY(waitUntil([&] { return exported.size() == 1; }));
    QFile file(directory_->filePath("sweep.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count("\r\n"), qsizetype(1 + 9 * curves.size()));
  }

  // Over ε also until all pairs are delivered.
  void pairsAreTimedOverEps() {
    openExpo(1000, 0.008);
    window_->charts()->showTab(ChartId::Compare);
    auto* timed = window_->findChild<QComboBox*>("compareTimed");
    const Comparison& comparison = session_->comparison();
    std::vector<double> found[2];
    for (const LoadKernel kernel : {LoadKernel::Counts, LoadKernel::Pairs}) {
      timed->setCurrentIndex(timed->findData(int(kernel)));
      QTest::mouseClick(window_->findChild<QPushButton*>("compareSweep"), Qt::LeftButton);
      QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
      QCOMPARE(comparison.sweepKernel(), kernel);
      QVERIFY2(comparison.sweepFailure().isEmpty(), qPrintable(comparison.sweepFailure()));
      const auto* view = window_->findChild<ChartView*>("responseChart");
      QVERIFY(view->chart()
                  .toSvg(900, 400, Background::Light, "x")
                  .find(kernel == LoadKernel::Pairs ? "delivering pairs" : "counting neighbours") !=
              std::string::npos);
      for (const ResponseCurve& curve : comparison.sweep()) {
        QCOMPARE(curve.points.size(), std::size_t(9));
        for (const ResponsePoint& point : curve.points)
          found[int(kernel)].push_back(point.selectivity);
      }
    }
    QCOMPARE(found[0], found[1]);
  }

  void medianAndSpread() {
    QCOMPARE(spreadOf({}).median, 0.0);
    QCOMPARE(spreadOf({2}).median, 2.0);
    const TimeSpread odd = spreadOf({5, 1, 100});
    QCOMPARE(odd.median, 5.0);
    QCOMPARE(odd.least, 1.0);
    QCOMPARE(odd.most, 100.0);
    QCOMPARE(spreadOf({4, 1, 3, 100}).median, 3.5);
  }

  void runsAreRepeated() {
    openExpo(2000, 0.008);
    window_->charts()->showTab(ChartId::Compare);
    auto* repeats = window_->findChild<QComboBox*>("compareRepeats");
    repeats->setCurrentIndex(repeats->findData(5));
    window_->charts()->compare()->compare();
    const Comparison& comparison = session_->comparison();
    QVERIFY(comparison.isRunning());
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    const QTableWidget* table = window_->charts()->compare()->table();
    QVERIFY(!comparison.runs().empty());
    for (int row = 0; row < table->rowCount(); ++row) {
      const ComparedRun& run = comparison.runs()[std::size_t(row)];
      QCOMPARE(run.seconds.size(), std::size_t(5));
      const TimeSpread spread = spreadOf(run.seconds);
      QVERIFY(table->item(row, ComparePanel::Time)->text().startsWith(duration(spread.median)));
      QCOMPARE(table->item(row, ComparePanel::Spread)->text(),
               duration(spread.least) + " to " + duration(spread.most));
    }
    QVERIFY(window_->findChild<QLabel*>("compareNote")->text().contains("median of 5 runs"));
    // Seen without scrolling, as is the time.
    for (const int column : {ComparePanel::Identical, ComparePanel::Time})
      QVERIFY(table->columnViewportPosition(column) + table->columnWidth(column) <=
              table->viewport()->width());
    shot(window_.get(), "compare-repeats");
    QTest::mouseClick(window_->findChild<QPushButton*>("compareSweep"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return !comparison.isRunning(); }));
    for (const ResponseCurve& curve : comparison.sweep())
      for (const ResponsePoint& point : curve.points) {
        QCOMPARE(point.runs, 5);
        QVERIFY(point.least <= point.seconds && point.seconds <= point.most);
      }
    shot(window_.get(), "response-repeats");
  }

  /// Another choice of threads does not name other times.
  void theBackendThatWasTimedIsNamed() {
    openExpo(2000, 0.008);
    window_->charts()->showTab(ChartId::Compare);
    window_->charts()->compare()->compare();
    QVERIFY(waitUntil([&] { return !session_->comparison().isRunning(); }));
    const QString backend = session_->clusterRun().backendDescription();
    const auto* note = window_->findChild<QLabel*>("compareNote");
    QVERIFY2(note->text().contains(backend), qPrintable(note->text()));
    session_->clusterRun().setBackend("cpu", backend.contains("1 thread") ? 2 : 1);
    QVERIFY(waitUntil([&] { return session_->clusterRun().backendDescription() != backend; }));
    QVERIFY(waitUntilIdle(*session_));
    auto* list = window_->findChild<QListWidget*>("compareList");
    QVERIFY(list);
    list->item(0)->setCheckState(list->item(0)->checkState() == Qt::Checked ? Qt::Unchecked
                                                                            : Qt::Checked);
    QVERIFY2(note->text().contains(backend), qPrintable(note->text()));
  }

  void aComparisonIsCancelled() {
    openExpo(40000, 0.0005);
    session_->loadLab().setWanted(false);
    session_->setEps(0.02);
    session_->comparison().start(paperStrategies(), LoadKernel::Pairs);
    QVERIFY(session_->comparison().isRunning());
    QTest::qWait(10);
    session_->comparison().cancel();
    QVERIFY(!session_->comparison().isRunning());
    const std::size_t runs = session_->comparison().runs().size();
    QVERIFY(runs < paperStrategies().size());
    QTest::qWait(200);
    QCOMPARE(session_->comparison().runs().size(), runs);
    session_->setEps(0.0005);
  }
};

WINDOW_TEST(TestComparison);
#include "tst_comparison.moc"
