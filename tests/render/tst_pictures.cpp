// Do comparisons of pictures notice what a person would, and nothing else? Is every chart pictured?
#include <QDir>
#include <QTest>

#include "chart_stage.h"
#include "drawn_charts.h"
#include "pictures.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

Image drawnSweep() {
  ChartStage<SweepChart> stage;
  fill(stage.chart);
  return stage.window->image();
}

void paint(Image& image, int x0, int y0, int width, int height, Colour colour) {
  for (int y = y0; y < y0 + height; ++y)
    for (int x = x0; x < x0 + width; ++x) {
      std::uint8_t* pixel =
          image.rgba.data() + 4 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x));
      pixel[0] = colour.r;
      pixel[1] = colour.g;
      pixel[2] = colour.b;
    }
}

}  // namespace

class TestPictures : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void otherColoursAreNoticed() {
    const Image image = drawnSweep();
    QCOMPARE(differenceOf(image, image), std::string());
    const Colour line = themeOf(Background::Dark).series[0];
    // A region of a few pixels, also on what is painted already.
    Image other = image;
    paint(other, 200, 100, 5, 5, themeOf(Background::Dark).series[1]);
    QVERIFY(!differenceOf(other, image).empty());
    QVERIFY(!differenceOf(image, other).empty());
    // A thin line in another colour.
    other = image;
    for (std::size_t i = 0; i < other.rgba.size(); i += 4)
      if (difference(other.rgba.data() + i, line) < 20) std::swap(other.rgba[i], other.rgba[i + 2]);
    QVERIFY(countDifferences(image, other, 40) < 0.02 * image.width * image.height);
    QVERIFY(!differenceOf(other, image).empty());
    // A line that is not there.
    other = image;
    paint(other, 150, 60, 200, 1, line);
    QVERIFY(!differenceOf(image, other).empty());
    // Another size.
    other.width /= 2;
    other.height *= 2;
    QVERIFY(!differenceOf(image, other).empty());
  }

  /// As by another driver: what is painted lies a pixel beside, colours are rounded otherwise.
  void otherEdgesAreNot() {
    const Image image = drawnSweep();
    Image other = image;
    for (int y = 0; y < image.height; ++y)
      for (int x = 1; x < image.width; ++x)
        for (int c = 0; c < 3; ++c)
          other.rgba[4 * std::size_t(y * image.width + x) + std::size_t(c)] =
              std::uint8_t(std::min(255, image.pixel(x - 1, y)[c] + 3));
    QVERIFY(countDifferences(image, other, 40) > 100);
    QCOMPARE(std::max(countForeign(image, other, 40), countForeign(other, image, 40)), 0);
  }

  void everyChartIsPictured() {
    const QDir charts(CLUSTERLOOM_SOURCE_DIR "/render/charts");
    const QStringList headers = charts.entryList({"*_chart.h"}, QDir::Files);
    QVERIFY(headers.size() >= 16);
    for (const QString& header : headers)
      for (const char* look : {"light", "dark", "german", "small", "twice"}) {
        const QString name = header.chopped(2) + '_' + look + ".png";
        QVERIFY2(QFile::exists(CLUSTERLOOM_BASELINES "/" + name), qPrintable(name));
      }
  }
};

APPLESS_TEST(TestPictures);
#include "tst_pictures.moc"
