// The hosting widget and the cloud view: frames are drawn, follow the pointer, and stop at rest.
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QtTest>

#include "render/paint/palette.h"
#include "render/scene/axes_layout.h"
#include "ui/panels/message_bar.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/scene_content.h"
#include "ui/view/vtk_view.h"
#include "window_help.h"

using namespace clusterloom;

class TestView : public QObject {
  Q_OBJECT

  /// A renderer with a green square that fills the middle of the picture.
  static vtkSmartPointer<vtkRenderer> square() {
    auto renderer = vtkSmartPointer<vtkRenderer>::New();
    renderer->SetBackground(0.2, 0, 0);
    vtkNew<vtkPoints> points;
    points->InsertNextPoint(-1, -1, 0);
    points->InsertNextPoint(1, -1, 0);
    points->InsertNextPoint(1, 1, 0);
    points->InsertNextPoint(-1, 1, 0);
    vtkNew<vtkCellArray> polygons;
    const vtkIdType corners[] = {0, 1, 2, 3};
    polygons->InsertNextCell(4, corners);
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    data->SetPolys(polygons);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(data);
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(0, 1, 0);
    actor->GetProperty()->LightingOff();
    renderer->AddActor(actor);
    renderer->ResetCamera();
    return renderer;
  }

 private Q_SLOTS:
  void aRendererIsShown_data() {
    QTest::addColumn<int>("surface");
    QTest::newRow("automatic") << int(VtkView::Surface::Automatic);
    QTest::newRow("surfaceless") << int(VtkView::Surface::Surfaceless);
  }
  void aRendererIsShown() {
    QFETCH(int, surface);
    VtkView view(nullptr, VtkView::Surface(surface));
    auto renderer = square();
    view.addRenderer(renderer);
    view.resize(320, 240);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY_WITH_TIMEOUT(view.frames() > 0, 60000);
    QVERIFY(view.canDraw());
    const QImage picture = view.grabFrame();
    const double ratio = view.devicePixelRatioF();
    QCOMPARE(picture.size(), QSize(qRound(320 * ratio), qRound(240 * ratio)));
    QCOMPARE(picture.pixelColor(picture.rect().center()).green(), 255);
    QVERIFY(picture.pixelColor(2, 2).red() > 20 && picture.pixelColor(2, 2).green() < 20);
    QCOMPARE(picture.pixelColor(2, 2).alpha(), 255);  // nothing shines through

    view.resize(400, 300);
    QTRY_COMPARE_WITH_TIMEOUT(view.renderWindow()->GetSize()[0], qRound(400 * ratio), 60000);
    QCOMPARE(view.grabFrame().width(), qRound(400 * ratio));
  }

  /// Most charts of a window are never looked at.
  void nothingIsMadeBeforeTheFirstFrame() {
    VtkView view(nullptr, VtkView::Surface::Surfaceless);
    auto renderer = square();
    view.addRenderer(renderer);
    view.resize(200, 200);
    auto* window = vtkGenericOpenGLRenderWindow::SafeDownCast(view.renderWindow());
    QVERIFY(view.canDraw() && window != nullptr);
    QVERIFY(!window->GetReadyForRendering());
    QCOMPARE(view.grabFrame().pixelColor(100, 100), QColor(0, 255, 0));
    QVERIFY(window->GetReadyForRendering());
  }

  void theMouseMovesTheCamera() {
    VtkView view;
    auto renderer = square();
    view.addRenderer(renderer);
    vtkNew<vtkInteractorStyleTrackballCamera> style;
    view.interactor()->SetInteractorStyle(style);
    view.resize(300, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY_WITH_TIMEOUT(view.frames() > 0, 60000);
    double before[3];
    double after[3];
    renderer->GetActiveCamera()->GetPosition(before);
    QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(150, 150));
    QTest::mouseMove(&view, QPoint(190, 150));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(190, 150));
    renderer->GetActiveCamera()->GetPosition(after);
    QVERIFY(std::abs(before[0] - after[0]) > 0.1);
    const double distance = renderer->GetActiveCamera()->GetDistance();
    QWheelEvent wheel(QPointF(150, 150), view.mapToGlobal(QPointF(150, 150)), {}, {0, 120},
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &wheel);
    QVERIFY(renderer->GetActiveCamera()->GetDistance() < distance);
    const quint64 frames = view.frames();
    QTRY_VERIFY_WITH_TIMEOUT(view.frames() > frames, 60000);
  }

  /// A view that is destroyed, shown or not, releases its renderer.
  void viewsReleaseTheirRenderers() {
    for (const bool shown : {true, false, true}) {
      const auto renderer = square();
      {
        VtkView view;
        view.addRenderer(renderer);
        view.resize(100, 100);
        if (shown) {
          view.show();
          QVERIFY(QTest::qWaitForWindowExposed(&view));
          QTRY_VERIFY_WITH_TIMEOUT(view.frames() > 0, 60000);
        }
        QCOMPARE(renderer->GetRenderWindow(), view.renderWindow());
      }
      QVERIFY(!renderer->GetRenderWindow());
      QCOMPARE(renderer->GetReferenceCount(), 1);
    }
  }

  void framesStopAtRest() {
    QTemporaryDir directory;
    Session session(nullptr, directory.path());
    MainWindow window(session, MainWindow::Memory::Forget);
    window.resize(1100, 700);
    window.show();
    QVERIFY(activate(window));
    OpenRequest request;
    GeneratorSpec spec;
    spec.kind = "blobs";
    spec.points = 250000;
    spec.dims = 3;
    request.sample = spec;
    request.eps = 0.5;
    request.minPts = 5;
    window.openRequest(request);
    QVERIFY(waitUntilSettled(window, 60000));
    QVERIFY(!window.cloudView()->scene().moreToDraw());
    QCOMPARE(window.cloudView()->scene().drawnFraction(), 1.0);
    QTest::qWait(400);
    const quint64 frames = window.cloudView()->frames();
    QTest::qWait(500);
    QVERIFY2(window.cloudView()->frames() <= frames + 1,
             qPrintable(QString::number(window.cloudView()->frames() - frames)));

    // While it is turned only the first slice is drawn, and all of it at rest.
    CloudView* view = window.cloudView();
    const auto camera = view->cameraState();
    const QPoint middle = view->rect().center();
    QTest::mousePress(view, Qt::LeftButton, {}, middle);
    QTest::mouseMove(view, middle + QPoint(30, 5));
    QTest::mouseMove(view, middle + QPoint(60, 10));
    QTest::mouseRelease(view, Qt::LeftButton, {}, middle + QPoint(60, 10));
    QVERIFY(view->cameraState() != camera);
    QVERIFY(!view->isSettled());
    QVERIFY(session.selection().point < 0);  // a drag is no click
    QVERIFY(waitUntilSettled(window));
    QCOMPARE(view->scene().drawnFraction(), 1.0);

    // Flat and back.
    QVERIFY(!view->scene().isFlat());
    QTest::keyClick(view, Qt::Key_2);
    QVERIFY(waitUntilSettled(window));
    QVERIFY(view->scene().isFlat());
    shot(&window, "flat");
    QTest::keyClick(view, Qt::Key_3);
    QVERIFY(waitUntilSettled(window));
    QVERIFY(!view->scene().isFlat());
    shot(&window, "space");
  }

  void aDoubleClickSetsTheCentreOfRotation() {
    QTemporaryDir directory;
    Session session(nullptr, directory.path());
    MainWindow window(session, MainWindow::Memory::Forget);
    window.resize(1100, 700);
    window.show();
    QVERIFY(activate(window));
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 3000, 3, 5};
    request.minPts = 5;
    window.openRequest(request);
    QVERIFY(waitUntilSettled(window));
    CloudView* view = window.cloudView();
    CloudScene& scene = view->scene();
    QVERIFY(!window.action("turnAbout")->isEnabled());
    const auto pixelOf = [&](const std::array<double, 3>& place) {
      double x = 0;
      double y = 0;
      projectPlace(scene.viewTransform(), place, x, y);
      const double ratio = view->devicePixelRatioF();
      return QPointF(x / ratio, view->height() - y / ratio);
    };
    // The drawn point nearest to the left edge: not the middle of the view.
    const DisplayPoints& points = *scene.points();
    const auto placeOf = [&](std::size_t i) {
      return std::array<double, 3>{double(points.xyz[3 * i]), double(points.xyz[3 * i + 1]),
                                   double(points.xyz[3 * i + 2])};
    };
    std::size_t left = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (pixelOf(placeOf(i)).x() < pixelOf(placeOf(left)).x()) left = i;
    QTest::mouseDClick(view, Qt::LeftButton, {}, pixelOf(placeOf(left)).toPoint());
    QTRY_VERIFY_WITH_TIMEOUT(scene.centreOfRotation(), 60000);
    const std::array<double, 3> centre = *scene.centreOfRotation();
    const QPointF before = pixelOf(centre);
    QVERIFY((before - pixelOf(placeOf(left))).manhattanLength() < 16);
    const auto camera = view->cameraState();
    const QPoint middle = view->rect().center();
    QTest::mousePress(view, Qt::LeftButton, {}, middle);
    QTest::mouseMove(view, middle + QPoint(60, 20));
    QTest::mouseMove(view, middle + QPoint(90, 30));
    QTest::mouseRelease(view, Qt::LeftButton, {}, middle + QPoint(90, 30));
    QVERIFY(view->cameraState() != camera);
    QVERIFY((pixelOf(centre) - before).manhattanLength() < 0.01);
    QVERIFY(waitUntilSettled(window));
    shot(&window, "centre");
    QTest::keyClick(view, Qt::Key_F);
    QVERIFY(!scene.centreOfRotation());
    // By the action, for the picked point.
    session.setPickedPoint(std::int64_t(points.order[left]));
    QVERIFY(waitUntilSettled(window));
    QVERIFY(window.action("turnAbout")->isEnabled());
    QTest::keyClick(view, Qt::Key_C);
    QVERIFY(scene.centreOfRotation() && *scene.centreOfRotation() == placeOf(left));
    QTest::keyClick(view, Qt::Key_Home);
    QVERIFY(!scene.centreOfRotation());
  }

  void cloudsOfAnyDimensionAreShown_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<bool>("flat");
    QTest::newRow("1-D") << 1 << true;
    QTest::newRow("2-D") << 2 << true;
    QTest::newRow("3-D") << 3 << false;
    QTest::newRow("6-D") << 6 << false;
  }
  void cloudsOfAnyDimensionAreShown() {
    QFETCH(int, dims);
    QFETCH(bool, flat);
    QTemporaryDir directory;
    Session session(nullptr, directory.path());
    MainWindow window(session, MainWindow::Memory::Forget);
    window.resize(1100, 700);
    window.show();
    QVERIFY(activate(window));
    OpenRequest request;
    GeneratorSpec spec;
    spec.kind = "blobs";
    spec.points = 3000;
    spec.dims = std::size_t(dims);
    request.sample = spec;
    request.minPts = 5;
    window.openRequest(request);
    QVERIFY(waitUntilSettled(window));
    QCOMPARE(window.cloudView()->scene().isFlat(), flat);
    const QImage picture = window.cloudView()->grabFrame();
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 2) {
      for (int x = 0; x < picture.width(); x += 2) colours.insert(picture.pixel(x, y));
    }
    QVERIFY(colours.size() > 10);
    // Cells, too, wherever they have boxes; where they have none the window says why.
    DisplayState display = session.display();
    QCOMPARE(display.pca, dims > 3);
    if (display.pca) {
      display.gridShown = true;
      session.setDisplay(display);
      QVERIFY(waitUntilSettled(window));
      QVERIFY(window.cloudView()->notice().contains("principal axes"));
      QVERIFY(window.messages()->isVisible());
      shot(&window, "principal");
      display.gridShown = false;
      display.pca = false;
      session.setDisplay(display);
      QVERIFY(waitUntilSettled(window));
      QVERIFY(window.cloudView()->notice().isEmpty());
      QVERIFY(!window.messages()->isVisible());
    }
    const QImage without = window.cloudView()->grabFrame();
    display.gridShown = true;
    session.setDisplay(display);
    QVERIFY(waitUntilSettled(window));
    shot(&window, qPrintable(QString("dims%1").arg(dims)));
    const int differing = differingPixels(without, window.cloudView()->grabFrame());
    QVERIFY2(differing > 200, qPrintable(QString::number(differing)));
    QCOMPARE(window.size(), QSize(1100, 700));  // nothing pushed the window larger
  }

  void previewPointsAreASubsetInOrder() {
    PointCloud cloud;
    cloud.columns = {{}, {}};
    cloud.names = {"x", "y"};
    for (int i = 0; i < 500; ++i) {
      cloud.columns[0].push_back(i);
      cloud.columns[1].push_back((i * 37) % 500);
    }
    const auto points = makeDisplayPoints(cloud, defaultViewAxes(cloud));
    QVERIFY(points.has_value());
    std::vector<std::int32_t> ids;
    for (int i = 3; i < 500; i += 7) ids.push_back(i);
    const DisplayPoints subset = subsetOf(*points, ids);
    QCOMPARE(subset.size(), ids.size());
    QCOMPARE(subset.xyz.size(), 3 * ids.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < points->size(); ++i) {
      if ((points->order[i] - 3) % 7 != 0 || points->order[i] < 3) continue;
      QCOMPARE(subset.order[at], points->order[i]);
      QCOMPARE(subset.xyz[3 * at], points->xyz[3 * i]);
      ++at;
    }
    QCOMPARE(at, ids.size());
  }

  void contentIsPreparedFromValuesAlone() {
    auto cloud = std::make_shared<PointCloud>();
    cloud->columns = {{0, 1, 2, 3}, {0, 1, 0, 1}};
    cloud->names = {"x", "y"};
    SceneRequest request;
    request.cloud = cloud;
    request.axes = defaultViewAxes(*cloud);
    auto result = std::make_shared<ClusterResult>();
    result->cloud = cloud;
    result->clustering.labels = {0, 0, 1, -1};
    result->clustering.roles = {PointRole::Core, PointRole::Border, PointRole::Core,
                                PointRole::Noise};
    result->clustering.clusters = 2;
    request.result = result;
    request.marked = 2;
    request.hidden = {-1};
    const auto content = makeSceneContent(request, {});
    QVERIFY(content.has_value());
    const DisplayPoints& points = *content->drawn();
    QCOMPARE(points.order[*content->marked], 2u);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t id = points.order[i];
      const std::uint8_t* rgb = content->colours->all().data() + 4 * i;
      if (id == 3) {
        QCOMPARE(rgb[3], std::uint8_t(DrawLayer::Hidden));
      } else {
        const Colour wanted = clusterColour(id == 2 ? 1 : 0, Background::Light);
        QCOMPARE(rgb[0], wanted.r);
        QCOMPARE(rgb[1], wanted.g);
        QCOMPARE(rgb[2], wanted.b);
      }
    }
    std::stop_source stop;
    stop.request_stop();
    Task stopped;
    stopped.stop = stop.get_token();
    const auto cancelled = makeSceneContent(request, stopped);
    QVERIFY(!cancelled && cancelled.error().kind == ErrorKind::Cancelled);
  }
};

WINDOW_TEST(TestView, ThemeChoice::Dark);
#include "tst_view.moc"
