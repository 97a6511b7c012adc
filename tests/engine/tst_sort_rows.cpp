// Rows of neighbour tables come out sorted, whatever their lengths and ids.
#include <tbb/parallel_for.h>  // before Qt, whose emit it would meet

#include <QtTest/QtTest>

#include <algorithm>
#include <limits>
#include <random>
#include <stop_token>
#include <vector>

#include "engine/join/sort_rows.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

NeighbourTable tableOf(const std::vector<std::vector<std::int32_t>>& rows) {
  NeighbourTable table;
  table.offsets.push_back(0);
  for (const auto& row : rows) {
    table.ids.insert(table.ids.end(), row.begin(), row.end());
    table.offsets.push_back(table.ids.size());
  }
  return table;
}

}  // namespace

class SortRowsTest : public QObject {
  Q_OBJECT

 private slots:
  void asByStdSort_data();
  void asByStdSort();
  void stops();
};

void SortRowsTest::asByStdSort_data() {
  QTest::addColumn<int>("most");  // the largest id
  for (const int most : {0, 1, 255, 256, 65535, 65536, 0xffffff, 0x1000000,
                         std::numeric_limits<std::int32_t>::max()})
    QTest::addRow("ids up to %d", most) << most;
}

void SortRowsTest::asByStdSort() {
  QFETCH(int, most);
  std::mt19937_64 random(11);
  std::uniform_int_distribution<std::int32_t> ids(0, most);
  std::vector<std::vector<std::int32_t>> rows;
  for (const std::size_t length : {0, 1, 2, 63, 64, 65, 127, 1000, 0, 70000, 300, 20, 64}) {
    std::vector<std::int32_t> row(length);
    for (std::int32_t& id : row) id = ids(random);
    if (length > 10) row[length / 2] = most;
    rows.push_back(row);
    std::sort(row.begin(), row.end());
    rows.push_back(row);  // one that is sorted already
    std::reverse(row.begin(), row.end());
    rows.push_back(row);
  }
  NeighbourTable table = tableOf(rows);
  QVERIFY(sortRows(table, {}));
  for (auto& row : rows) std::sort(row.begin(), row.end());
  const NeighbourTable expected = tableOf(rows);
  QVERIFY(table.ids == expected.ids);
  QVERIFY(table.offsets == expected.offsets);
}

void SortRowsTest::stops() {
  std::stop_source source;
  source.request_stop();
  Task task;
  task.stop = source.get_token();
  NeighbourTable table = tableOf({{2, 1}});
  QVERIFY(!sortRows(table, task));
}

APPLESS_TEST(SortRowsTest);
#include "tst_sort_rows.moc"
