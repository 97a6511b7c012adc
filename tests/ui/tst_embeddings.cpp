// Clouds of many dimensions in the window: the axes of the view, which may be columns beside the
// coordinates, the nearest neighbours of a picked point, and words under the pointer.
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "engine/cloud/dataset.h"
#include "shown_window.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/view/data_words.h"
#include "ui/words/language.h"

using namespace clusterloom;

class TestEmbeddings : public QObject, ShownWindow {
  Q_OBJECT

  static constexpr int kPoints = 900;
  static constexpr int kDims = 20;
  static constexpr int kWithout = 17;  ///< the point without a projection

  /// Three clusters in 20 dimensions; "umap_1" and "umap_2" lie on a spiral by the order of the
  /// points, one point has none.
  void writeEmbeddings() const {
    QFile file(path("embeddings.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::mt19937_64 random(5);
    QString text;
    for (int j = 0; j < kDims; ++j) text += QString("g%1,").arg(j);
    text += "umap_1,umap_2,score,kind\n";
    for (int i = 0; i < kPoints; ++i) {
      for (int j = 0; j < kDims; ++j)
        text += QString::number((i % 3 == j % 3 ? 5 : 1) + 1e-4 * double(random() % 10000)) + ',';
      const double turn = 0.02 * i;
      text += i == kWithout ? QString(",,")
                            : QString("%1,%2,")
                                  .arg(turn * std::cos(turn), 0, 'g', 12)
                                  .arg(turn * std::sin(turn), 0, 'g', 12);
      text += QString("%1,%2\n").arg(i).arg(i % 3 == 0 ? "apple" : i % 3 == 1 ? "pear" : "");
    }
    file.write(text.toUtf8());
  }
  OpenRequest embeddings() const {
    OpenRequest request;
    request.path = path("embeddings.csv");
    for (int j = 0; j < kDims; ++j) request.read.coordinates.push_back("g" + std::to_string(j));
    request.eps = 3;
    request.minPts = 5;
    return request;
  }
  QComboBox* box(const char* name) const { return window_->findChild<QComboBox*>(name); }
  static void choose(QComboBox* combo, const QString& text) {
    const int index = combo->findText(text);
    QVERIFY2(index >= 0, qPrintable(text));
    combo->setCurrentIndex(index);
    Q_EMIT combo->activated(index);
  }
  const DisplayPoints& drawn() const { return *window_->cloudView()->scene().points(); }
  double numberAt(const char* column, std::size_t point) const {
    for (const Attribute& attribute : session_->data().dataset()->attributes)
      if (attribute.name == column)
        return withVector(attribute.values,
                          [&](const auto& values) { return double(values[point]); });
    return std::nan("");
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(showWindow(QSize(1280, 860)));
    writeEmbeddings();
    window_->openRequest(embeddings());
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->data().cloud()->dims(), std::size_t(kDims));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 3);
  }
  void cleanup() {
    setLanguage("en");
    closeWindow();
  }

  void principalAxesAtFirst() {
    QVERIFY(session_->display().pca);
    QVERIFY(drawn().space.names[0].starts_with("PC 1 ("));
    QCOMPARE(box("axesKind")->currentText(), QString("principal axes"));
    QVERIFY(!box("axis0")->isVisible());
    shot(window_.get(), "principal");
  }

  void chosenDimensions() {
    choose(box("axesKind"), "chosen dimensions");
    choose(box("axis0"), "g7");
    choose(box("axis1"), "g3");
    choose(box("axis2"), "none");
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->display().axes, (std::array<int, 3>{7, 3, -1}));
    QVERIFY(window_->cloudView()->scene().isFlat());
    QCOMPARE(drawn().space.names[0], std::string("g7"));
  }

  void aProjectionOfTheFile() {
    const auto before = session_->clusterRun().result();
    choose(box("axesKind"), "other columns");
    using Names = std::vector<std::string>;
    QCOMPARE(session_->display().projection, (Names{"umap_1", "umap_2"}));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(window_->cloudView()->scene().isFlat());
    QCOMPARE(session_->clusterRun().result(), before);  // clusters are those of all dimensions
    QCOMPARE(drawn().size(), std::size_t(kPoints - 1));
    for (std::size_t i = 0; i < drawn().size(); ++i) {
      const std::size_t point = drawn().order[i];
      QVERIFY(point != kWithout);
      const char* const names[] = {"umap_1", "umap_2"};
      for (std::size_t axis = 0; axis < 2; ++axis)
        QVERIFY(std::abs(drawn().space.toValue(int(axis), drawn().xyz[3 * i + axis]) -
                         numberAt(names[axis], point)) < 1e-5);
    }
    QVERIFY2(window_->cloudView()->notice().contains("1 point has no value"),
             qPrintable(window_->cloudView()->notice()));
    shot(window_.get(), "projection");

    // Picking and outlines are of rows, as before.
    CloudView* const view = window_->cloudView();
    QTest::mouseClick(view, Qt::LeftButton, {}, positionOf(700));
    QTRY_COMPARE_WITH_TIMEOUT(session_->selection().point, std::int64_t(700), 60000);
    const QPoint corner = positionOf(899) - QPoint(4, 4);
    QTest::mousePress(view, Qt::LeftButton, Qt::ShiftModifier, corner);
    QTest::mouseMove(view, corner + QPoint(2, 2));
    QMouseEvent move(QEvent::MouseMove, QPointF(corner + QPoint(8, 8)),
                     view->mapToGlobal(QPointF(corner + QPoint(8, 8))), Qt::NoButton,
                     Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(view, &move);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::ShiftModifier, corner + QPoint(8, 8));
    QTRY_VERIFY_WITH_TIMEOUT(session_->selection().points, 60000);
    const std::vector<std::uint32_t>& chosen = *session_->selection().points;
    QVERIFY(std::find(chosen.begin(), chosen.end(), 899U) != chosen.end());
    QVERIFY(chosen.size() < 20);

    // Three columns are a view in space; none may stand twice.
    choose(box("axis2"), "score");
    QCOMPARE(session_->display().projection, (Names{"umap_1", "umap_2", "score"}));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->cloudView()->scene().isFlat());
    choose(box("axis2"), "umap_1");
    QCOMPARE(session_->display().projection, (Names{"umap_1", "umap_2"}));
    QCOMPARE(box("axis2")->currentText(), QString("none"));
    choose(box("axis1"), "umap_1");  // one axis is no projection
    QCOMPARE(session_->display().projection, (Names{"umap_1", "umap_2"}));
    QCOMPARE(box("axis1")->currentText(), QString("umap_2"));

    // Cells of the grid have no places there.
    DisplayState display = session_->display();
    display.gridShown = true;
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY2(window_->cloudView()->notice().contains("columns beside the coordinates"),
             qPrintable(window_->cloudView()->notice()));
    choose(box("axesKind"), "principal axes");
    QVERIFY(session_->display().projection.empty());
    QVERIFY(session_->display().pca);
  }

  void sessionsKeepTheProjection() {
    choose(box("axesKind"), "other columns");
    choose(box("axis1"), "score");
    const DisplayState shown = session_->display();
    session_->files().saveSession(path("kept.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    // Another cloud has no such columns.
    OpenRequest blobs;
    blobs.sample = GeneratorSpec{"blobs", 500, 6, 1};
    window_->openRequest(blobs);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->display().projection.empty());
    QVERIFY(session_->display().pca);
    QVERIFY(box("axesKind")->findText("other columns") < 0);
    session_->files().openSession(path("kept.clusterloom"));
    QVERIFY(waitUntil([&] { return session_->data().cloud()->size() == kPoints; }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->display() == shown);
    QCOMPARE(drawn().space.names[1], std::string("score"));
    QCOMPARE(box("axis1")->currentText(), QString("score"));
    // What does not fit a cloud is not taken.
    DisplayState odd = shown;
    odd.projection = {"umap_1", "kind"};
    session_->setDisplay(odd);
    QVERIFY(session_->display().projection.empty());
  }

  void neighboursOfAPickedPoint() {
    constexpr std::size_t kPicked = 123;
    session_->setPickedPoint(kPicked);
    auto* const table = window_->findChild<QTableWidget*>("neighbours");
    QVERIFY(table != nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 20, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), 60000);
    const PointCloud& cloud = *session_->data().cloud();
    const auto distance = [&](std::size_t q) {
      double sum = 0;
      for (const auto& column : cloud.columns)
        sum += (column[kPicked] - column[q]) * (column[kPicked] - column[q]);
      return std::sqrt(sum);
    };
    std::vector<std::size_t> order(cloud.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase(order, kPicked);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
    window_->findChild<QToolButton*>("copyNeighbours")->click();
    const QString copied = QApplication::clipboard()->text();
    QApplication::clipboard()->clear();
    table->setFocus();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), copied);
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 21);
    QCOMPARE(lines[0], QString("Point\tDistance\tCluster\tumap_1\tumap_2\tscore\tkind"));
    const auto& labels = session_->clusterRun().result()->clustering.labels;
    for (int row = 0; row < 20; ++row) {
      const QStringList cells = lines[row + 1].split('\t');
      const std::size_t point = order[std::size_t(row)];
      QCOMPARE(cells[0].toUInt(), uint(point));
      QVERIFY(std::abs(cells[1].toDouble() - distance(point)) < 1e-9);
      QCOMPARE(cells[2].toInt(), labels[point]);
      QCOMPARE(cells[5].toUInt(), uint(point));
      QCOMPARE(cells[6], QString(point % 3 == 0 ? "apple" : point % 3 == 1 ? "pear" : ""));
    }
    shot(window_.get(), "neighbours");
    shot(table->parentWidget(), "neighbour-list");
    // Of many coordinates a few are listed.
    const QString text = window_->selection()->pointText();
    QVERIFY(text.contains("g5") && !text.contains("g6<"));
    QVERIFY(text.contains("14 more dimensions"));
    // A click picks the neighbour, and lists its neighbours.
    const QRect cell = table->visualItemRect(table->item(0, 0));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(session_->selection().point, std::int64_t(order[0]));
    QTRY_COMPARE_WITH_TIMEOUT(table->item(0, 0)->text().isEmpty(), false, 60000);
    session_->setPickedPoint(-1);
    QVERIFY(!table->isVisible());
  }

  void wordsUnderThePointer() {
    QCOMPARE(labelsOf(*session_->data().dataset(), 3), QStringList{"kind: apple"});
    QCOMPARE(labelsOf(*session_->data().dataset(), 5), QStringList{});
    choose(box("axesKind"), "other columns");
    QVERIFY(waitUntilSettled(*window_));
    QTest::mouseMove(window_->cloudView(), positionOf(892));
    QTRY_COMPARE_WITH_TIMEOUT(session_->selection().hoveredPoint, std::int64_t(892), 60000);
    const auto* hover = window_->cloudView()->findChild<QLabel*>("hoverText");
    QVERIFY2(hover->text().endsWith("\nkind: pear"), qPrintable(hover->text()));
  }

  void inGerman() {
    setLanguage("de");
    QVERIFY(showWindow(QSize(1280, 860)));
    writeEmbeddings();
    window_->openRequest(embeddings());
    QVERIFY(waitUntilSettled(*window_));
    choose(box("axesKind"), "andere Spalten");
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY2(window_->cloudView()->notice().contains("1 Punkt hat keinen Wert"),
             qPrintable(window_->cloudView()->notice()));
    session_->setPickedPoint(4);
    auto* const table = window_->findChild<QTableWidget*>("neighbours");
    QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 20, 60000);
    QCOMPARE(table->horizontalHeaderItem(1)->text(), QString("Abstand"));
    shot(window_.get(), "german");
  }
};

WINDOW_TEST(TestEmbeddings, ThemeChoice::Light);
#include "tst_embeddings.moc"
