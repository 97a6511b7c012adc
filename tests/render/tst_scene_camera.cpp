// Where the camera of a scene looks: kept, saved, along axes, and moved by hand.
#include <vtkCamera.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <QtTest>
#include <cmath>

#include "pictures.h"
#include "render/paint/palette.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/point_colours.h"
#include "scene_stage.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

using Stage = SceneStage;

class TestSceneCamera : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theSameViewIsKeptForTheSameCloud() {
    Stage stage;
    const Blobs blobs = makeBlobs(1000, 2, 2, 5);
    stage.show(blobs);
    stage.window->image();
    stage.scene.zoomBy(3);
    const auto camera = stage.scene.cameraState();
    stage.show(blobs);
    QCOMPARE(stage.scene.cameraState(), camera);
    stage.show(makeBlobs(1000, 2, 5, 6));  // another cloud is shown whole
    QVERIFY(stage.scene.cameraState() != camera);
  }

  void camerasAreSavedAndRestored() {
    Stage stage;
    stage.show(makeBlobs(1000, 3, 2, 5));
    stage.window->image();
    stage.scene.turnBy(33, 20);
    const Image turned = stage.whole();
    const auto camera = stage.scene.cameraState();
    stage.scene.setViewPreset(ViewPreset::Top);
    QVERIFY(countDifferences(stage.whole(), turned) > 1000);
    QVERIFY(stage.scene.setCameraState(camera));
    QCOMPARE(countDifferences(stage.whole(), turned), 0);
    QVERIFY(!stage.scene.setCameraState({1, 2, 3}));
    auto broken = camera;
    broken[4] = std::nan("");
    QVERIFY(!stage.scene.setCameraState(broken));
    QCOMPARE(countDifferences(stage.whole(), turned), 0);
  }

  void presetsLookAlongTheAxes() {
    Stage stage;
    stage.show(makeBlobs(1000, 3, 2, 5));
    stage.window->image();
    const std::pair<ViewPreset, std::array<double, 3>> looks[] = {
        {ViewPreset::Front, {0, 1, 0}}, {ViewPreset::Back, {0, -1, 0}},
        {ViewPreset::Left, {1, 0, 0}},  {ViewPreset::Right, {-1, 0, 0}},
        {ViewPreset::Top, {0, 0, -1}},  {ViewPreset::Bottom, {0, 0, 1}}};
    for (const auto& [preset, direction] : looks) {
      stage.scene.setViewPreset(preset);
      const double* looking = stage.scene.renderer()->GetActiveCamera()->GetDirectionOfProjection();
      for (std::size_t a = 0; a < 3; ++a) QVERIFY(std::abs(looking[a] - direction[a]) < 1e-9);
      QVERIFY(coloursIn(stage.whole()) > 20);
    }
  }

  void zoomingShowsTheBox() {
    Stage stage;
    const Blobs blobs = makeBlobs(3000, 2, 3, 5);
    stage.show(blobs);
    const int before = countColour(stage.whole(), clusterColour(1, Background::Dark), 12);
    const std::vector<std::int32_t> wanted{1};
    stage.scene.zoomTo(boxOfLabels(*stage.scene.points(), blobs.labels, wanted));
    stage.scene.setPointSize(6);
    QVERIFY(countColour(stage.whole(), clusterColour(1, Background::Dark), 12) > 2 * before);
    QCOMPARE(countColour(stage.whole(), clusterColour(0, Background::Dark), 4), 0);
  }

  void textsGrowWithThePixelRatio() {
    Stage stage(800, 600);
    stage.show(makeBlobs(300, 2, 2, 5));
    const Colour text = themeOf(Background::Dark).faintText;
    const int small = countColour(stage.whole(), text, 40);
    stage.scene.setPixelRatio(2);
    stage.scene.fit();
    const int large = countColour(stage.whole(), text, 40);
    QVERIFY2(large > 1.6 * small, qPrintable(QString("%1 and %2").arg(small).arg(large)));
  }

  // Rulers and key are larger then: less space is left for the points.
  void fitsAgainForAnotherPixelRatio_data() {
    QTest::addColumn<int>("dims");
    for (const int dims : {2, 3}) QTest::addRow("%d-D", dims) << dims;
  }
  void fitsAgainForAnotherPixelRatio() {
    QFETCH(int, dims);
    const Blobs blobs = makeBlobs(500, static_cast<std::size_t>(dims), 3, 5);
    Stage before(1000, 800);
    before.scene.setPixelRatio(2);
    before.show(blobs);
    before.whole();
    Stage after(1000, 800);
    after.show(blobs);
    after.whole();
    const std::vector<double> small = after.scene.cameraState();
    after.scene.setPixelRatio(2);
    after.whole();
    QVERIFY(after.scene.isFitted());
    // In space the direction of a fitted camera is rounded anew.
    const std::vector<double> expected = before.scene.cameraState();
    const std::vector<double> found = after.scene.cameraState();
    QCOMPARE(found.size(), expected.size());
    double difference = 0;
    double change = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      difference = std::max(difference, std::abs(found[i] - expected[i]));
      change = std::max(change, std::abs(found[i] - small[i]));
    }
    QVERIFY2(difference < 1e-9 && change > 1e-3,
             qPrintable(QString("%1, %2").arg(difference).arg(change)));
    // A view that was moved stays.
    QVERIFY(after.scene.setCameraState(small));
    after.scene.setPixelRatio(1.5);
    after.whole();
    QVERIFY(after.scene.cameraState() == small);
  }

  void handsMoveTheView() {
    Stage stage;
    stage.show(makeBlobs(150000, 3, 3, 5));
    stage.whole();
    vtkNew<vtkGenericRenderWindowInteractor> interactor;
    interactor->SetRenderWindow(stage.window->window());
    interactor->SetEnableRender(false);
    interactor->Initialize();
    const auto drag = [&](int x, int y) {
      interactor->SetInteractorStyle(stage.scene.interactorStyle());
      interactor->SetEventInformation(kWidth / 2, kHeight / 2, 0, 0);
      interactor->InvokeEvent(vtkCommand::LeftButtonPressEvent);
      interactor->SetEventInformation(kWidth / 2 + x, kHeight / 2 + y, 0, 0);
      interactor->InvokeEvent(vtkCommand::MouseMoveEvent);
    };
    // 3-D: the cloud turns and its middle stays; while dragging only the first slice is drawn.
    auto before = stage.scene.cameraState();
    drag(40, 10);
    stage.window->image();
    QVERIFY(!stage.scene.moreToDraw());
    QVERIFY(stage.scene.drawnFraction() < 1);
    interactor->InvokeEvent(vtkCommand::LeftButtonReleaseEvent);
    QVERIFY(stage.scene.moreToDraw());
    auto after = stage.scene.cameraState();
    QVERIFY(before[0] != after[0]);
    for (std::size_t i = 3; i < 6; ++i) QCOMPARE(before[i], after[i]);

    // Flat: the place under the pointer moves along with it, nothing turns.
    stage.show(makeBlobs(1000, 2, 3, 5));
    stage.whole();
    const DisplaySpace space = stage.scene.points()->space;
    const auto grabbed = placeUnder(space, stage.scene.viewTransform(), kWidth / 2, kHeight / 2);
    drag(40, 10);
    interactor->InvokeEvent(vtkCommand::LeftButtonReleaseEvent);
    const auto dropped =
        placeUnder(space, stage.scene.viewTransform(), kWidth / 2 + 40, kHeight / 2 + 10);
    QVERIFY(grabbed && dropped);
    for (std::size_t a = 0; a < 2; ++a) QVERIFY(std::abs((*grabbed)[a] - (*dropped)[a]) < 1e-6);
    const double* up = stage.scene.renderer()->GetActiveCamera()->GetViewUp();
    QCOMPARE(up[1], 1.0);

    // The wheel zooms about the pointer.
    interactor->SetEventInformation(100, 80, 0, 0);
    const auto pointed = placeUnder(space, stage.scene.viewTransform(), 100, 80);
    const double scale = stage.scene.cameraState()[9];
    interactor->InvokeEvent(vtkCommand::MouseWheelForwardEvent);
    const auto still = placeUnder(space, stage.scene.viewTransform(), 100, 80);
    QVERIFY(stage.scene.cameraState()[9] < scale);
    for (std::size_t a = 0; a < 2; ++a) QVERIFY(std::abs((*pointed)[a] - (*still)[a]) < 1e-6);

    // Keys that would quit or draw wire frames do nothing.
    for (const char key : {'q', 'e', 'w', 's', '3', 'f', 'p', 'r'}) {
      const auto camera = stage.scene.cameraState();
      interactor->SetEventInformation(100, 80, 0, 0, key);
      interactor->InvokeEvent(vtkCommand::CharEvent);
      QCOMPARE(stage.scene.cameraState(), camera);
    }
    interactor->SetInteractorStyle(nullptr);
    stage.window->window()->SetInteractor(nullptr);
  }

  void scenesMoveBetweenWindows() {
    CloudScene scene;
    const Blobs blobs = makeBlobs(220000, 2, 2, 5);
    const auto points = display(blobs.cloud);
    std::vector<Image> images;
    for (int i = 0; i < 2; ++i) {
      auto window = OffscreenWindow::make(kWidth, kHeight);
      QVERIFY(window);
      scene.attach((*window)->window());
      scene.setPoints(points);
      scene.setColours(colourPoints(byCluster(blobs.labels), points->order));
      Image image = (*window)->image();
      while (scene.moreToDraw()) image = (*window)->image();
      images.push_back(image);
      scene.detach();
    }
    QCOMPARE(countDifferences(images[0], images[1]), 0);
    // A window may be destroyed before the scene.
    auto window = OffscreenWindow::make(kWidth, kHeight);
    scene.attach((*window)->window());
    (*window)->image();
    window->reset();
    scene.fit();
    scene.restartFrame();
  }
};

APPLESS_TEST(TestSceneCamera);
#include "tst_scene_camera.moc"
