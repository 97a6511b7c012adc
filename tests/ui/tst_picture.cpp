// Pictures of the view have the size that was asked for and, if wanted, no ground.
#include <QAction>
#include <QCheckBox>
#include <QFileDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

#include "render/paint/palette.h"
#include "shown_window.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/picture_dialog.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"

using namespace clusterloom;

class TestPicture : public QObject, ShownWindow {
  Q_OBJECT

  CloudView* view() const { return window_->cloudView(); }
  QImage drawn(const PictureSize& size) const {
    std::optional<Result<PictureDrawing::Make>> result;
    view()->drawPicture(size, [&](Result<PictureDrawing::Make> made) { result = std::move(made); });
    if (!waitUntil([&] { return result.has_value(); }) || !*result) return {};
    return (**result)();
  }
  /// Leaves a picture to be looked at.
  static void keep(const QImage& picture, const char* name) {
    const QString folder = qEnvironmentVariable("CLUSTERLOOM_SHOTS");
    if (!folder.isEmpty()) picture.save(QDir(folder).filePath(QLatin1String(name) + ".png"));
  }
  void open(std::size_t dims, std::size_t points = 3000) {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", points, dims, 5};
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1000, 700})); }
  void cleanup() { closeWindow(); }

  void sizesAreThoseAskedFor_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << 2;
    QTest::newRow("3-D") << 3;
  }
  void sizesAreThoseAskedFor() {
    QFETCH(int, dims);
    open(std::size_t(dims), 250000);  // several slices
    DisplayState display = session_->display();
    display.hidden = {kNoise};  // it would cover the clusters
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    const auto camera = view()->cameraState();
    for (const QSize size : {QSize(640, 480), QSize(2400, 1000)}) {
      const QImage picture = drawn({size, 2, false});
      QCOMPARE(picture.size(), size);
      QCOMPARE(qAlpha(picture.pixel(2, 2)), 255);
      keep(picture, qPrintable(QStringLiteral("picture-%1-%2").arg(dims).arg(size.width())));
      for (const int cluster : {0, 1, 2}) {
        const Colour colour = clusterColour(cluster, Background::Light);
        QVERIFY(pixelsLike(picture, qRgb(colour.r, colour.g, colour.b), 70) > 100);
      }
    }
    QVERIFY(view()->cameraState() == camera);
    // What is on the screen is drawn again as before.
    const QImage before = view()->grabFrame();
    drawn({{300, 200}, 1, false});
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(differingPixels(before, view()->grabFrame()), 0);
  }

  /// Pictures of one size that follow one another share a window, which keeps nothing of them.
  void picturesInARowAreAsAlone() {
    open(2);
    const PictureSize size{{500, 400}, 1, false};
    const QImage alone = drawn(size);
    QVERIFY(!alone.isNull());
    DisplayState display = session_->display();
    display.hidden = {0, 1};
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(drawn({size.pixels, size.ratio, true}).hasAlphaChannel());
    const QImage without = drawn(size);
    QVERIFY(differingPixels(without, alone) > 100);
    QCOMPARE(drawn({{300, 200}, 1, false}).size(), QSize(300, 200));
    QCOMPARE(differingPixels(drawn(size), without), 0);
    display.hidden = {};
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(differingPixels(drawn(size), alone), 0);
  }

  void transparentPicturesHaveNoGround() {
    open(2);
    const PictureSize size{{900, 700}, 1.5, false};
    const QImage opaque = drawn(size);
    const QImage clear = drawn({size.pixels, size.ratio, true});
    QCOMPARE(clear.size(), opaque.size());
    const QColor ground(23, 27, 34);  // of the dark theme
    int through = 0;
    int solid = 0;
    int wrong = 0;
    for (int y = 0; y < clear.height(); ++y) {
      for (int x = 0; x < clear.width(); ++x) {
        const QColor pixel = clear.pixelColor(x, y);
        through += pixel.alpha() == 0;
        solid += pixel.alpha() == 255;
        // Put on the ground it is the other picture again.
        const QColor other = opaque.pixelColor(x, y);
        const double a = pixel.alphaF();
        for (const auto& [c, g, o] : {std::tuple(pixel.red(), ground.red(), other.red()),
                                      std::tuple(pixel.green(), ground.green(), other.green()),
                                      std::tuple(pixel.blue(), ground.blue(), other.blue())})
          wrong += std::abs(a * c + (1 - a) * g - o) > 4;
      }
    }
    QVERIFY(through > clear.width() * clear.height() / 3);
    QVERIFY(solid > 2000);
    QVERIFY2(wrong < clear.width() * clear.height() / 200, qPrintable(QString::number(wrong)));
    keep(clear, "clear");
  }

  void theDialogWritesTheFile() {
    open(3);
    QVERIFY(window_->action("savePicture")->isEnabled());
    window_->action("savePicture")->trigger();
    auto* dialog = window_->findChild<PictureDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->chosen().pixels, 2 * view()->size());
    dialog->findChild<QSpinBox*>("viewPictureWidth")->setValue(16000);
    dialog->findChild<QSpinBox*>("viewPictureHeight")->setValue(16000);
    QVERIFY(!dialog->findChild<QPushButton*>("viewPictureSave")->isEnabled());
    dialog->findChild<QSpinBox*>("viewPictureWidth")->setValue(700);
    dialog->findChild<QSpinBox*>("viewPictureHeight")->setValue(500);
    dialog->findChild<QCheckBox*>("viewPictureTransparent")->setChecked(true);
    shot(dialog, "picture-dialog");
    dialog->accept();
    auto* target = window_->findChild<QFileDialog*>();
    QVERIFY(target);
    const QString path = directory_->filePath("view.png");
    Q_EMIT target->fileSelected(path);
    target->reject();
    QVERIFY(waitUntil([&] { return QFile::exists(path); }));
    QVERIFY(waitUntilIdle(*session_));
    const QImage read(path);
    QCOMPARE(read.size(), QSize(700, 500));
    QVERIFY(read.hasAlphaChannel());
    QCOMPARE(qAlpha(read.pixel(1, 1)), 0);
  }

  void theExportDialogHasTheSameChoices() {
    open(2);
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    auto* width = dialog->findChild<QSpinBox*>("viewPictureWidth");
    auto* height = dialog->findChild<QSpinBox*>("viewPictureHeight");
    auto* button = dialog->findChild<QPushButton*>("exportButton");
    QVERIFY(width && height && !width->isVisible());
    dialog->setWhat(ExportChoice::What::Picture);
    QVERIFY(width->isVisible());
    const QString path = directory_->filePath("exported.png");
    dialog->setPath(path);
    QCOMPARE(dialog->choice().picture.pixels, 2 * view()->size());
    width->setValue(16000);
    height->setValue(16000);
    QVERIFY(!button->isEnabled());
    dialog->setWhat(ExportChoice::What::AllPoints);
    QVERIFY(button->isEnabled());
    dialog->setWhat(ExportChoice::What::Picture);
    dialog->setPath(path);
    width->setValue(810);
    height->setValue(460);
    QVERIFY(button->isEnabled());
    dialog->findChild<QCheckBox*>("viewPictureTransparent")->setChecked(true);
    shot(dialog, "export-picture");
    dialog->accept();
    QVERIFY(waitUntil([&] { return QFile::exists(path); }));
    QVERIFY(waitUntilIdle(*session_));
    const QImage read(path);
    QCOMPARE(read.size(), QSize(810, 460));
    QCOMPARE(qAlpha(read.pixel(1, 1)), 0);
  }

  void tooLargePicturesAreRefused() {
    open(2);
    std::optional<Result<PictureDrawing::Make>> result;
    view()->drawPicture({{16000, 16000}, 1, false},
                        [&](Result<PictureDrawing::Make> made) { result = std::move(made); });
    QVERIFY(waitUntil([&] { return result.has_value(); }));
    QVERIFY(!*result);
    QVERIFY(result->error().kind == ErrorKind::BadCall);
  }
};

WINDOW_TEST(TestPicture, ThemeChoice::Dark);
#include "tst_picture.moc"
