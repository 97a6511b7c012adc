// What assistive technology is told: charts have a name, a description of what they show and their
// values as a table; the cloud view says what is picked.
#include <QAccessible>
#include <QClipboard>
#include <QFileDialog>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

#include "filled_charts.h"
#include "render/charts/reachability_chart.h"
#include "shown_window.h"
#include "ui/charts/chart_table.h"
#include "ui/panels/message_bar.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/words/column_words.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

namespace {

QString textOf(QObject* object, QAccessible::Text which) {
  QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(object);
  return interface != nullptr ? interface->text(which) : QString();
}

}  // namespace

class TestAccessible : public QObject, ShownWindow {
  Q_OBJECT

  void show(ChartId id) {
    window_->charts()->showTab(id);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    QVERIFY(waitUntilSettled(*window_));
  }
  ChartTableDialog* openTable() {
    ChartTableDialog* dialog = nullptr;
    waitUntil([&] {
      dialog = window_->findChild<ChartTableDialog*>();
      return dialog != nullptr && dialog->table()->model()->rowCount() > 0;
    });
    return dialog;
  }
  void close(ChartTableDialog* dialog) {
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(waitUntil([&] { return window_->findChild<ChartTableDialog*>() == nullptr; }));
  }

  /// Name, role, and a description with the range of every column and what is written on the chart.
  void isDescribed(ChartView& view) {
    const QByteArray name = view.objectName().toUtf8();
    QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(&view);
    QCOMPARE(chart->role(), QAccessible::Chart);
    QVERIFY2(!chart->text(QAccessible::Name).isEmpty(), name);
    QVERIFY(chart->actionInterface()->actionNames().contains(
        QAccessibleActionInterface::pressAction()));
    const DataTable table = view.chart().table()();
    const auto ranges = rangesOf(table);
    // 0: one of the charts with short tables.
    const std::uint64_t known = view.chart().longTableRows();
    QVERIFY2(known == 0 ? table.rows.size() < 10'000 : known == table.rows.size(), name);
    // The lanes are told apart by their steps, not by ranges of columns.
    const bool lanes = name == "laneChart";
    const bool says = waitUntil([&] {
      const QString words = chart->text(QAccessible::Description);
      const auto written = view.chart().words();
      return !written.empty() && words.contains(QString::fromStdString(written.front())) &&
             words.contains(countedRows(table.rows.size())) &&
             (!lanes || words.contains("longest")) &&
             (lanes || std::all_of(ranges.begin(), ranges.end(), [&](const ColumnRange& range) {
                return words.contains(columnWords(range.name) + ' ' + readable(range.least));
              }));
    });
    const QByteArray words = chart->text(QAccessible::Description).toUtf8();
    QVERIFY2(says, name + ": " + words);
    qInfo("%s: %s", name.constData(), words.constData());
  }

  /// Return opens the table, whose accessible cells are the values of the chart.
  void isATable(ChartView& view) {
    const DataTable table = view.chart().table()();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Return);
    ChartTableDialog* dialog = openTable();
    QVERIFY2(dialog != nullptr, qPrintable(view.objectName()));
    if (view.objectName() == "kDistanceChart" || view.objectName() == "rankChart")
      shot(dialog, qPrintable("values-" + view.objectName()));
    QAccessibleInterface* shown = QAccessible::queryAccessibleInterface(dialog->table());
    QVERIFY(shown->text(QAccessible::Name).contains(':'));
    QAccessibleTableInterface* cells = shown->tableInterface();
    QCOMPARE(cells->rowCount(), int(table.rows.size()));
    QCOMPARE(cells->columnCount(), int(table.names.size()));
    for (int column = 0; column < cells->columnCount(); ++column) {
      const std::string& name = table.names[std::size_t(column)];
      QVERIFY2(hasColumnWords(name), name.c_str());  // or it would be in no other language
      QCOMPARE(cells->columnDescription(column), columnWords(name));
      for (const int row : {0, cells->rowCount() / 2, cells->rowCount() - 1})
        QCOMPARE(cells->cellAt(row, column)->text(QAccessible::Name),
                 QString::fromStdString(table.rows[std::size_t(row)][std::size_t(column)]));
    }
    close(dialog);
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(showWindow({1400, 900}));
    QAccessible::setActive(true);
  }
  void cleanup() { closeWindow(); }

  /// Every chart, its words, and its table, by the keyboard and as assistive technology reads it.
  void everyChartIsATable() {
    QVERIFY(openSquares());
    const QStringList missing = visitFilledCharts(*session_, *window_, [this](ChartView& view) {
      isATable(view);
      isDescribed(view);
    });
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(' ')));
  }

  /// A chart of many points: the number of rows at once, without the table of their texts.
  void longTablesAreNotMade() {
    constexpr std::size_t kPoints = 300'000;
    Reachability plot;
    plot.order.resize(kPoints);
    plot.squaredHeight.resize(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) {
      plot.order[i] = std::uint32_t(i);
      plot.squaredHeight[i] = 1 + double(i % 100);
    }
    plot.highestSquared = 100;
    QVERIFY(openSquares());
    show(ChartId::Reachability);
    ChartView& view = *window_->charts()->view(ChartId::Reachability);
    auto& chart = dynamic_cast<ReachabilityChart&>(view.chart());
    const auto says = [&] { return textOf(&view, QAccessible::Description); };
    chart.setData(std::make_shared<const Reachability>(std::move(plot)));
    view.requestFrame();
    QVERIFY(waitUntil([&] { return says().contains("Values: 300,000 rows. Return"); }));
    QVERIFY2(!says().contains("reachability 1 to"), qPrintable(says()));
    // Fewer points: the ranges again.
    Reachability few;
    few.order.resize(2);
    few.squaredHeight.resize(2);
    few.order[1] = 1;
    few.squaredHeight[0] = 4;
    few.squaredHeight[1] = 9;
    few.lowestSquared = 4;
    few.highestSquared = 9;
    chart.setData(std::make_shared<const Reachability>(std::move(few)));
    view.requestFrame();
    QVERIFY(waitUntil([&] { return says().contains("reachability 2 to 3"); }));
    QVERIFY2(says().contains("Values: 2 rows"), qPrintable(says()));
  }

  void emptyChartsSayWhy() {
    window_->charts()->showTab(ChartId::KDistance);
    ChartView* view = window_->charts()->view(ChartId::KDistance);
    QVERIFY(view->chart().isEmpty());
    QVERIFY(view->chart().table()().rows.empty());
    QVERIFY(!view->chart().words().front().empty());
    QTest::keyClick(view, Qt::Key_Return);
    QVERIFY(window_->findChild<ChartTableDialog*>() == nullptr);
  }

  /// Described again when the data change, and the press of assistive technology opens the table.
  void descriptionsFollowTheData() {
    QVERIFY(openSquares());
    show(ChartId::KDistance);
    ChartView* view = window_->charts()->view(ChartId::KDistance);
    QVERIFY(waitUntil([&] { return textOf(view, QAccessible::Description).contains("k 4"); }));
    session_->setMinPts(6);
    QVERIFY(waitUntil([&] { return textOf(view, QAccessible::Description).contains("k 6"); }));
    QAccessible::queryAccessibleInterface(view)->actionInterface()->doAction(
        QAccessibleActionInterface::pressAction());
    ChartTableDialog* dialog = openTable();
    QVERIFY(dialog != nullptr);
    close(dialog);
  }

  void tablesAreCopiedAndSaved() {
    QVERIFY(openSquares());
    show(ChartId::KDistance);
    ChartView* view = window_->charts()->view(ChartId::KDistance);
    const DataTable table = view->chart().table()();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Return);
    ChartTableDialog* dialog = openTable();
    QVERIFY(dialog != nullptr);
    const auto clipboard = [] { return QGuiApplication::clipboard()->text().toStdString(); };
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(dialog->table(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return clipboard() == toTabs(table); }));
    dialog->table()->selectRow(2);
    QTest::keyClick(dialog->table(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return clipboard() == toTabs({table.names, {table.rows[2]}}); }));

    dialog->findChild<QPushButton*>("saveChartValues")->click();
    auto* files = dialog->findChild<QFileDialog*>("chartFileDialog");
    QVERIFY(files != nullptr);
    QCOMPARE(files->nameFilters().size(), qsizetype(1));
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    const QString path = directory_->filePath("values.csv");
    Q_EMIT files->fileSelected(path);
    QVERIFY(waitUntil([&] { return exported.size() == 1; }));
    QFile csv(path);
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll().toStdString(), toCsv(table));
    Q_EMIT files->fileSelected(directory_->filePath("values.png"));
    QVERIFY(waitUntil(
        [&] { return window_->findChild<MessageBar*>()->text().contains("saved as .csv"); }));
    files->reject();
    close(dialog);
  }

  void theViewSaysWhatIsPicked() {
    QVERIFY(openSquares());
    CloudView* view = window_->cloudView();
    const auto says = [&] { return textOf(view, QAccessible::Description); };
    QCOMPARE(textOf(view, QAccessible::Name), QString("Cloud view"));
    QVERIFY2(says().startsWith("Arrow keys"), qPrintable(says()));
    session_->setPickedPoint(21);
    QCOMPARE(says(), QString("point 21 · cluster 0 · core"));
    session_->setSelectedClusters({1});
    QVERIFY2(says().contains("clusters selected: 1"), qPrintable(says()));
    session_->setSelectedClusters({kNoise, 0});
    QVERIFY2(says().contains("clusters selected: noise, 0"), qPrintable(says()));
    // Other clusters, another description of the same point.
    session_->setEps(40);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntil([&] { return says().contains("point 21"); }));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY2(says().startsWith("Arrow keys"), qPrintable(says()));
    session_->setPickedPoint(-1);
    QVERIFY(says().startsWith("Arrow keys"));
  }
};

WINDOW_TEST(TestAccessible);
#include "tst_accessible.moc"
