// Coordinates of two clouds are matched by their names.
#include <QTest>

#include "engine/cloud/coordinate_order.h"
#include "tests/test_program.h"

using namespace clusterloom;

class CoordinateOrder : public QObject {
  Q_OBJECT
 private slots:
  void names() {
    using Names = std::vector<std::string>;
    const auto other = [](const Names& a, const Names& b) { return sameInAnotherOrder(a, b); };
    QVERIFY(other({"x", "y"}, {"y", "x"}));
    QVERIFY(other({"x", "y", "z"}, {"z", "x", "y"}));
    QVERIFY(!other({"x", "y"}, {"x", "y"}));
    QVERIFY(!other({"x", "y"}, {"y", "z"}));
    QVERIFY(!other({"x", "y"}, {"y", "x", "z"}));
    QVERIFY(!other({"x", "x", "y"}, {"x", "y", "x"}));  // which x is which?
    QVERIFY(!other({}, {}));
  }

  void columns() {
    PointCloud cloud{.columns = {{3, 6}, {1, 4}, {2, 5}}, .names = {"z", "x", "y"}};
    const std::vector<std::string> names = {"x", "y", "z"};
    QVERIFY(orderCoordinates(names, cloud));
    QCOMPARE(cloud.names, names);
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t p = 0; p < 2; ++p) QCOMPARE(cloud.column(j)[p], double(3 * p + j + 1));
    QVERIFY(!orderCoordinates(names, cloud));
  }
};

GUILESS_TEST(CoordinateOrder);
#include "tst_coordinate_order.moc"
