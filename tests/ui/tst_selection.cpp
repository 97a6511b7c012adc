// Points are selected by outlines drawn with the mouse, and the selection says what it is.
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPolygonF>
#include <QPushButton>
#include <QtTest>

#include "engine/cloud/las_origin.h"
#include "engine/io/write.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/cluster_selection_dialog.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/selection_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/selected_points.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/selection_outline.h"
#include "ui/view/view_pointer.h"

using namespace clusterloom;

using Points = std::vector<std::uint32_t>;

class TestSelection : public QObject, ShownWindow {
  Q_OBJECT

  CloudView* view() const { return window_->cloudView(); }
  Points selected() const {
    const PointSet& points = session_->selection().points;
    return points ? *points : Points{};
  }
  std::size_t points() const { return session_->data().cloud()->size(); }

  void openSquares() {
    OpenRequest request;
    request.path = writeSquares(directory_->path());
    request.eps = 1.5;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
  }
  void openBlobs(std::size_t dims, std::size_t count = 4000) {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", count, dims, 5};
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
  }

  /// Where each point of the cloud is in the view, by the transformation of the camera alone.
  std::vector<QPointF> places() const {
    const ViewTransform t = view()->scene().viewTransform();
    const DisplayPoints& drawn = *view()->scene().points();
    std::vector<QPointF> at(points());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      double clip[4];
      for (std::size_t r = 0; r < 4; ++r) {
        clip[r] = t.worldToClip[4 * r + 3];
        for (std::size_t c = 0; c < 3; ++c)
          clip[r] += t.worldToClip[4 * r + c] * double(drawn.xyz[3 * i + c]);
      }
      const double ratio = view()->devicePixelRatioF();
      at[drawn.order[i]] =
          QPointF((clip[0] / clip[3] + 1) / 2 * t.width / ratio,
                  view()->height() - (clip[1] / clip[3] + 1) / 2 * t.height / ratio);
    }
    return at;
  }
  /// Qt's own test of points in polygons.
  Points expectedIn(const QPolygonF& outline) const {
    const std::vector<QPointF> at = places();
    Points inside;
    for (std::size_t i = 0; i < at.size(); ++i)
      if (outline.containsPoint(at[i], Qt::WindingFill)) inside.push_back(std::uint32_t(i));
    return inside;
  }

  void drag(const QPolygon& path, Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(view(), Qt::LeftButton, modifiers, path.first());
    for (const QPoint& place : path) {
      // QTest::mouseMove takes no modifiers.
      QMouseEvent move(QEvent::MouseMove, place, view()->mapToGlobal(place), Qt::NoButton,
                       Qt::LeftButton, modifiers);
      QCoreApplication::sendEvent(view(), &move);
    }
    shot(window_.get(), "outline");
    QTest::mouseRelease(view(), Qt::LeftButton, modifiers, path.last());
    QVERIFY(waitUntilSettled(*window_));
  }
  void dragRectangle(const QRect& rectangle, Qt::KeyboardModifiers modifiers) {
    drag({rectangle.topLeft(), rectangle.center(),
          rectangle.topLeft() + QPoint(rectangle.width(), rectangle.height())},
         modifiers);
  }
  static QPolygonF outlineOf(const QRect& r) {
    return QPolygonF({QPointF(r.topLeft()), QPointF(r.left() + r.width(), r.top()),
                      QPointF(r.left() + r.width(), r.top() + r.height()),
                      QPointF(r.left(), r.top() + r.height())});
  }
  QRect part(double left, double top, double right, double bottom) const {
    const QSize size = view()->size();
    return QRect(QPoint(int(left * size.width()), int(top * size.height())),
                 QPoint(int(right * size.width()), int(bottom * size.height())));
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1200, 800})); }
  void cleanup() { closeWindow(); }

  void shiftDragSelectsARectangle_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << 2;
    QTest::newRow("3-D") << 3;
    QTest::newRow("6-D") << 6;
  }
  void shiftDragSelectsARectangle() {
    QFETCH(int, dims);
    openBlobs(std::size_t(dims));
    const auto camera = view()->cameraState();
    const QRect first = part(0.3, 0.2, 0.6, 0.7);
    dragRectangle(first, Qt::ShiftModifier);
    QCOMPARE(view()->cameraState(), camera);  // the view stays
    const Points inFirst = expectedIn(outlineOf(first));
    QVERIFY(!inFirst.empty() && inFirst.size() < points());
    QCOMPARE(selected(), inFirst);
    QVERIFY(session_->selection().clusters.empty());
    shot(window_.get(), qPrintable(QString("selected-%1").arg(dims)));

    const QRect second = part(0.5, 0.4, 0.9, 0.9);
    dragRectangle(second, Qt::ShiftModifier | Qt::ControlModifier);
    QCOMPARE(view()->cameraState(), camera);
    Points both;
    const Points inSecond = expectedIn(outlineOf(second));
    std::set_union(inFirst.begin(), inFirst.end(), inSecond.begin(), inSecond.end(),
                   std::back_inserter(both));
    QVERIFY(both.size() > inFirst.size());
    QCOMPARE(selected(), both);

    window_->action("invertSelection")->trigger();
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(selected().size(), points() - both.size());
    for (const std::uint32_t point : selected())
      QVERIFY(!std::binary_search(both.begin(), both.end(), point));
    QTest::keyClick(view(), Qt::Key_Escape);
    QVERIFY(!session_->selection().points);
  }

  void aLassoSelectsWhatItWindsAround() {
    openBlobs(3);
    QTest::keyClick(view(), Qt::Key_L);
    QCOMPARE(view()->tool(), PointerTool::Lasso);
    QVERIFY(window_->action("selectLasso")->isChecked());
    QPolygon path;
    const QPoint middle = view()->rect().center();
    for (int i = 0; i < 90; ++i) {  // a loop that crosses itself
      const double turn = 2 * 3.14159265358979 * i / 90;
      const double radius = 40 + 120 * std::abs(std::cos(1.5 * turn));
      path << middle + QPoint(int(radius * std::cos(2 * turn)), int(radius * std::sin(2 * turn)));
    }
    drag(path, {});
    const Points expected = expectedIn(QPolygonF(path));
    QVERIFY2(expected.size() > 20 && expected.size() < points(),
             qPrintable(QString::number(expected.size())));
    QCOMPARE(selected(), expected);
    shot(window_.get(), "lasso");

    // Back to moving the view.
    const auto camera = view()->cameraState();
    QTest::keyClick(view(), Qt::Key_V);
    drag({middle, middle + QPoint(30, 10), middle + QPoint(60, 20)}, {});
    QVERIFY(view()->cameraState() != camera);
    QCOMPARE(selected(), expected);
  }

  void ctrlDragMovesTheView() {
    openBlobs(3);
    const auto camera = view()->cameraState();
    const QPoint middle = view()->rect().center();
    drag({middle, middle + QPoint(30, 10), middle + QPoint(60, 20)}, Qt::ControlModifier);
    const auto moved = view()->cameraState();
    QVERIFY(moved != camera);
    // Moved, not turned: camera and focal point moved by the same.
    for (std::size_t a = 0; a < 3; ++a)
      QVERIFY(std::abs((moved[a] - camera[a]) - (moved[a + 3] - camera[a + 3])) < 1e-9);
    QVERIFY(!session_->selection().points);
  }

  void anotherButtonDoesNotDisturbAnOutline() {
    openSquares();
    auto* outline = view()->findChild<SelectionOutline*>();
    QTest::mousePress(view(), Qt::LeftButton, Qt::ShiftModifier, QPoint(200, 100));
    QTest::mouseMove(view(), QPoint(400, 300));
    QTest::mousePress(view(), Qt::RightButton, Qt::ShiftModifier, QPoint(400, 300));
    QTest::mouseRelease(view(), Qt::RightButton, Qt::ShiftModifier, QPoint(400, 300));
    QVERIFY(outline->isVisible());
    QTest::mouseRelease(view(), Qt::LeftButton, Qt::ShiftModifier, QPoint(400, 300));
    QVERIFY(!outline->isVisible());
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(selected(), expectedIn(QPolygonF(QRectF(200, 100, 200, 200))));
  }

  void escapeGivesUpAnOutline() {
    openSquares();
    QTest::mousePress(view(), Qt::LeftButton, Qt::ShiftModifier, QPoint(200, 100));
    QTest::mouseMove(view(), QPoint(400, 300));
    auto* outline = view()->findChild<SelectionOutline*>();
    QVERIFY(outline->isVisible());
    QTest::keyClick(view(), Qt::Key_Escape);
    QVERIFY(!outline->isVisible());
    QTest::mouseRelease(view(), Qt::LeftButton, Qt::ShiftModifier, QPoint(400, 300));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!session_->selection().points);
    QCOMPARE(session_->selection().point, std::int64_t(-1));
  }

  void theSelectionSaysWhatItIs() {
    openSquares();
    // The left square and the noise point at the lower left corner of the plot.
    const std::vector<QPointF> at = places();
    QRectF left(at[0], at[0]);
    for (std::size_t i = 0; i < 400; ++i) {
      left.setLeft(std::min(left.left(), at[i].x()));
      left.setRight(std::max(left.right(), at[i].x()));
      left.setTop(std::min(left.top(), at[i].y()));
      left.setBottom(std::max(left.bottom(), at[i].y()));
    }
    dragRectangle(left.toAlignedRect().adjusted(-3, -3, 3, 3), Qt::ShiftModifier);
    QCOMPARE(selected().size(), std::size_t(400));
    QString text = window_->selection()->pointsText();
    QVERIFY2(text.contains("400 of 804 points"), qPrintable(text));
    QVERIFY2(text.contains("0 (400)"), qPrintable(text));
    QVERIFY2(text.contains("0 to 19"), qPrintable(text));
    QVERIFY2(text.contains("0 points"), qPrintable(text));  // of noise

    // A row of the table takes over, and a click beside the points clears.
    session_->setSelectedClusters({1});
    QVERIFY(!session_->selection().points);
    QVERIFY(window_->selection()->pointsText().isEmpty());
    window_->action("invertSelection")->trigger();
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(selected().size(), std::size_t(404));
    text = window_->selection()->pointsText();
    QVERIFY2(text.contains("4 points"), qPrintable(text));
    QTest::mouseClick(view(), Qt::LeftButton, {}, part(0.5, 0.5, 0.6, 0.6).topLeft());
    QTRY_VERIFY_WITH_TIMEOUT(!session_->selection().points, 60000);
  }

  void pointsOfHiddenClustersAreLeftOut() {
    openSquares();
    DisplayState display = session_->display();
    display.hidden = {0, kNoise};
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    dragRectangle(view()->rect().adjusted(2, 2, -3, -3), Qt::ShiftModifier);
    QCOMPARE(selected().size(), std::size_t(400));
    for (const std::uint32_t point : selected())
      QCOMPARE(session_->clusterRun().result()->clustering.labels[point], 1);
  }

  void selectedPointsStandOut() {
    openSquares();
    const QImage before = view()->grabFrame();
    session_->setSelectedPoints(std::make_shared<const Points>(Points{0, 1, 2, 3}));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(differingPixels(before, view()->grabFrame()) > 300);
    const auto camera = view()->cameraState();
    window_->action("zoomToSelection")->trigger();
    QVERIFY(waitUntil([&] { return view()->cameraState() != camera; }));
    QVERIFY(waitUntilSettled(*window_));
    const std::vector<QPointF> at = places();
    QVERIFY(view()->rect().contains(at[0].toPoint()));
    QVERIFY(!view()->rect().contains(at[500].toPoint()));
  }

  void theWindowSaysWhichPointsTakePart() {
    openSquares();
    QVERIFY(!window_->action("keepSelection")->isEnabled());
    QVERIFY(!window_->action("restorePoints")->isEnabled());
    session_->setSelectedClusters({1});
    QVERIFY(window_->action("keepSelection")->isEnabled());
    window_->action("keepSelection")->trigger();
    QVERIFY(waitUntil([&] { return session_->data().cloud()->size() == 400; }));
    QVERIFY(waitUntilSettled(*window_));
    QString summary = window_->status()->summary();
    QVERIFY2(summary.contains("400 of 804 points kept") && summary.contains("1 cluster"),
             qPrintable(summary));
    const auto labelled = window_->data()->findChildren<QLabel*>();
    QVERIFY(std::any_of(labelled.begin(), labelled.end(), [](const QLabel* label) {
      return label->text().contains("kept of 804 points");
    }));
    shot(window_.get(), "kept");
    window_->action("copyCommandLine")->trigger();
    QVERIFY2(window_->messages()->text().contains("400 of 804 points kept"),
             qPrintable(window_->messages()->text()));
    window_->action("undo")->trigger();
    QVERIFY(waitUntil([&] { return session_->data().cloud()->size() == 804; }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->status()->summary().contains("kept"));
  }

  void theSelectionIsClusteredOnItsOwn() {
    openSquares();
    session_->setEps(40);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    Points left;
    for (std::uint32_t i = 0; i < 400; ++i) left.push_back(i);
    session_->setSelectedPoints(std::make_shared<const Points>(left));
    window_->action("clusterSelection")->trigger();
    auto* dialog = window_->findChild<ClusterSelectionDialog*>();
    QVERIFY(dialog);
    auto* eps = dialog->findChild<QLineEdit*>("selectionEps");
    auto* run = dialog->findChild<QPushButton*>("selectionRun");
    auto* merge = dialog->findChild<QPushButton*>("selectionMerge");
    QCOMPARE(eps->text(), QString("40"));
    QVERIFY(!merge->isEnabled());
    eps->setText("nothing");
    QVERIFY(!run->isEnabled());
    eps->setText("1.5");
    run->click();
    QTRY_VERIFY2(dialog->resultText().startsWith("1 cluster among 400 points"),
                 qPrintable(dialog->resultText()));
    shot(dialog, "cluster-selection");
    merge->click();
    QVERIFY(waitUntil([&] { return session_->clusterRun().result()->clustering.clusters == 2; }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(window_->status()->summary().contains("1 selection clustered on its own"));
    // The charts know nothing of it, and say so.
    auto* note = window_->charts()->findChild<QLabel*>("chartsNote");
    for (const ChartId id : {ChartId::Sweep, ChartId::WarpLoad, ChartId::Compare}) {
      window_->charts()->showTab(id);
      QVERIFY(note->isVisible() && note->text().startsWith("Computed for all points alike; the "));
    }
    window_->charts()->showTab(ChartId::Runs);
    QVERIFY(!note->isVisible());
    window_->charts()->showTab(ChartId::Sweep);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "refined");
    QVERIFY(window_->action("clusterAlike")->isEnabled());
    window_->action("undo")->trigger();
    QVERIFY(waitUntil([&] { return session_->clusterRun().result()->clustering.clusters == 1; }));
    QVERIFY(!window_->action("clusterAlike")->isEnabled());
    QVERIFY(!note->isVisible());
  }

  /// A value is shown with the digits that the file has of it.
  void pickedPointsShowTheDigitsOfTheFile() {
    const auto picked = [&](const QString& file) {
      OpenRequest request;
      request.path = file;
      request.eps = 1;
      request.minPts = 2;
      window_->openRequest(request);
      if (!waitUntilSettled(*window_)) return QString();
      session_->setPickedPoint(0);
      return window_->selection()->pointText();
    };
    QFile ply(directory_->filePath("single.ply"));
    QVERIFY(ply.open(QIODevice::WriteOnly));
    ply.write(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property double z\nproperty float heat\nend_header\n"
        "0.1 0.0008 0.3 0.7\n1 1 1 1\n2 2 2 2\n");
    ply.close();
    const QString single = picked(ply.fileName());
    for (const char* value : {"<b>0.1</b>", "<b>0.0008</b>", "<b>0.3</b>", "<b>0.7</b>"})
      QVERIFY2(single.contains(value), qPrintable(single));
    // Integers and a scale, whose product is 430.15000000000003.
    Dataset scan;
    scan.cloud.names = {"x", "y", "z"};
    scan.cloud.columns = {{0.35, 1, 2}, {0, 1, 2}, {430.15, 430, 431}};
    scan.inputRows = 3;
    auto origin = std::make_shared<LasOrigin>();
    origin->scale = {0.01, 0.01, 0.01};
    scan.las = std::move(origin);
    Clustering none;
    none.labels.assign(3, kNoise);
    none.roles.assign(3, PointRole::Noise);
    const QString las = directory_->filePath("scan.las");
    QVERIFY(writeLabelled(las.toStdString(), scan, none, {}));
    const QString scanned = picked(las);
    QCOMPARE(session_->data().dataset()->cloud.columns[2][0], 43015 * 0.01);
    for (const char* value : {"<b>0.35</b>", "<b>430.15</b>"})
      QVERIFY2(scanned.contains(value), qPrintable(scanned));
  }

  void toolsAreListedAmongTheShortcuts() {
    for (const char* name : {"moveTool", "selectRectangle", "selectLasso", "invertSelection"})
      QVERIFY2(!window_->action(name)->shortcut().isEmpty(), name);
    QVERIFY(window_->action("selectLasso")->toolTip().contains("behind others"));
  }
};

WINDOW_TEST(TestSelection, ThemeChoice::Dark);
#include "tst_selection.moc"
