// How points are drawn is set in a dialog, takes effect at once and belongs to the session.
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "shown_window.h"
#include "ui/dialogs/appearance_dialog.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"

using namespace clusterloom;

class TestAppearance : public QObject, ShownWindow {
  Q_OBJECT

  AppearanceDialog* dialog_ = nullptr;

  CloudView* view() const { return window_->cloudView(); }
  template <class Widget>
  Widget* part(const char* name) const {
    return dialog_->findChild<Widget*>(QLatin1String(name));
  }
  void colourBy(ColourBy by, int dimension = 0) {
    DisplayState display = session_->display();
    display.colourBy = by;
    display.dimension = dimension;
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
  }
  void enter(const char* name, const QString& text) {
    auto* box = part<QLineEdit>(name);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(showWindow({1200, 800}));
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 4000, 2, 5};
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->action("appearance")->trigger();
    dialog_ = window_->findChild<AppearanceDialog*>();
    QVERIFY(dialog_);
  }
  void cleanup() { closeWindow(); }

  void sizeAndOpacityTakeEffectAtOnce() {
    const QImage before = view()->grabFrame();
    part<QDoubleSpinBox>("appearanceSize")->setValue(7);
    QVERIFY(waitUntilSettled(*window_));
    const QImage larger = view()->grabFrame();
    QVERIFY(differingPixels(before, larger) > 500);
    QCOMPARE(session_->display().pointSize, 7.0);
    part<QSlider>("appearanceOpacity")->setValue(20);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->display().opacity, 0.2);
    QVERIFY(differingPixels(larger, view()->grabFrame()) > 500);
    shot(window_.get(), "faint");
    part<QSlider>("appearanceOpacity")->setValue(100);
    QVERIFY(waitUntilSettled(*window_));
    const QImage receding = view()->grabFrame();
    part<QSlider>("appearanceNoise")->setValue(100);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->display().noise, 1.0);
    QVERIFY(differingPixels(receding, view()->grabFrame()) > 50);
    // The keys for the size are followed.
    window_->action("smallerPoints")->trigger();
    QCOMPARE(part<QDoubleSpinBox>("appearanceSize")->value(), 6.0);
  }

  /// The slider in the tool bar and the one in the dialog set the same.
  void noiseRecedesByTheToolBar() {
    auto* slider = window_->findChild<QSlider*>(QStringLiteral("noiseSlider"));
    QVERIFY(slider);
    QVERIFY(slider->isVisible() && slider->isEnabled());
    QCOMPARE(slider->value(), int(std::lround(100 * kNoiseStrength)));
    const QImage receding = view()->grabFrame();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(session_->display().noise, 1.0);
    QCOMPARE(part<QSlider>("appearanceNoise")->value(), 100);
    QVERIFY(slider->toolTip().contains(QLatin1String("100")));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(differingPixels(receding, view()->grabFrame()) > 50);
    const QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(slider);
    QVERIFY(!spoken->text(QAccessible::Name).isEmpty());
    auto* value = const_cast<QAccessibleInterface*>(spoken)->valueInterface();
    QCOMPARE(value->currentValue().toInt(), 100);
    value->setCurrentValue(0);
    QCOMPARE(session_->display().noise, 0.0);
    part<QSlider>("appearanceNoise")->setValue(35);
    QCOMPARE(slider->value(), 35);
    // A strength between two percentages stays as a session has it.
    DisplayState display = session_->display();
    display.noise = 0.123;
    session_->setDisplay(display);
    QCOMPARE(session_->display().noise, 0.123);
    QCOMPARE(slider->value(), 12);
    // Numbers colour noise like all other points.
    colourBy(ColourBy::Dimension);
    QVERIFY(!slider->isEnabled());
    colourBy(ColourBy::Role);
    QVERIFY(slider->isEnabled());
  }

  /// The switches in View change the picture and belong to the display.
  void switchesOfTheView() {
    const auto differs = [&](const char* name) {
      const QImage before = view()->grabFrame();
      window_->action(name)->trigger();
      return waitUntilSettled(*window_) ? differingPixels(before, view()->grabFrame()) : 0;
    };
    QVERIFY(!session_->display().scaleBar);
    QVERIFY(differs("scaleBar") > 100);
    QVERIFY(session_->display().scaleBar);
    QVERIFY(session_->display().densityBlended);
    QCOMPARE(differs("orthographic"), 0);  // flat views are so already
    QCOMPARE(differs("lighting"), 0);
    QVERIFY(session_->display().orthographic && session_->display().lighting);

    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 20000, 3, 5};
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(view()->scene().isOrthographic());  // as the cloud before
    QVERIFY(!session_->display().lighting);     // no scan
    shot(window_.get(), "orthographic");
    QVERIFY(differs("lighting") > 500);
    QVERIFY(differs("orthographic") > 500);
    QVERIFY(!view()->scene().isOrthographic());
    QCOMPARE(differs("densityBlended"), 0);  // of flat views only
  }

  /// Where points lie over each other their density is seen, unless colours are of numbers.
  void densityIsBlendedInFlatViews() {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 60000, 2, 5};
    request.minPts = 5;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    const auto toggled = [&] {
      const QImage before = view()->grabFrame();
      window_->action("densityBlended")->trigger();
      return waitUntilSettled(*window_) ? differingPixels(before, view()->grabFrame()) : 0;
    };
    QVERIFY(toggled() > 500);
    colourBy(ColourBy::Dimension);
    QCOMPARE(toggled(), 0);
  }

  /// Formats of scanners are lit when they are opened, others are not.
  void scansAreLit() {
    QTemporaryDir folder;
    const QString scan = folder.filePath("scan.ply");
    QFile file(scan);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    file.close();
    OpenRequest request;
    request.path = scan;
    request.eps = 2;
    window_->openRequest(request);
    QVERIFY(waitUntil([&] {
      return session_->data().dataset() && session_->data().dataset()->cloud.size() == 4;
    }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->display().lighting);
    QVERIFY(window_->action("lighting")->isChecked());
  }

  void rangesAreOfTheColouringInUse() {
    QVERIFY(!part<QLineEdit>("appearanceLow")->isEnabled());  // clusters have no range
    colourBy(ColourBy::Dimension, 0);
    QVERIFY(view()->valueScale());
    const ScalarScale own = *view()->valueScale();
    QTRY_VERIFY_WITH_TIMEOUT(part<QLineEdit>("appearanceLow")->isEnabled(), 60000);
    QVERIFY(!part<QPushButton>("appearanceReset")->isEnabled());
    QCOMPARE(part<QLineEdit>("appearanceHigh")->text().toDouble(), own.high);
    const QImage before = view()->grabFrame();

    enter("appearanceLow", "10");
    enter("appearanceHigh", "12.5");
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(view()->valueScale()->low, 10.0);
    QCOMPARE(view()->valueScale()->high, 12.5);
    QVERIFY(differingPixels(before, view()->grabFrame()) > 500);
    shot(dialog_, "appearance");
    // What is no range changes nothing.
    enter("appearanceHigh", "3");
    QCOMPARE(session_->display().range->high, 12.5);
    QVERIFY(part<QLineEdit>("appearanceHigh")->property("wrong").toBool());
    enter("appearanceHigh", "nothing");
    QCOMPARE(session_->display().range->high, 12.5);

    // Other values have their own range.
    colourBy(ColourBy::Dimension, 1);
    QVERIFY(!session_->display().range);
    QVERIFY(view()->valueScale()->high != 12.5);
    colourBy(ColourBy::Dimension, 0);
    QCOMPARE(view()->valueScale()->low, own.low);
    QCOMPARE(view()->valueScale()->high, own.high);
    enter("appearanceLow", "10");
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->display().range);
    part<QPushButton>("appearanceReset")->click();
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!session_->display().range);
    QCOMPARE(view()->valueScale()->low, own.low);
  }

  void mapsColourThePointsAndTheLegend() {
    colourBy(ColourBy::Dimension, 0);
    auto* maps = part<QComboBox>("appearanceMap");
    QCOMPARE(maps->count(), kColourMaps);
    QImage before = view()->grabFrame();
    for (int map = 1; map < kColourMaps; ++map) {
      maps->setCurrentIndex(map);
      Q_EMIT maps->activated(map);
      QVERIFY(waitUntilSettled(*window_));
      QCOMPARE(session_->display().colourMap, ColourMap(map));
      QCOMPARE(view()->valueScale()->map, ColourMap(map));
      const QImage now = view()->grabFrame();
      QVERIFY(differingPixels(before, now) > 500);
      before = now;
      if (map == int(ColourMap::BlueRed)) shot(window_.get(), "blue-red");
    }
  }
};

WINDOW_TEST(TestAppearance);
#include "tst_appearance.moc"
