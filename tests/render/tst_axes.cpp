// Are the numbers beside the axes round, right, readable and never on top of each other?
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "clouds.h"
#include "render/charts/plot_area.h"
#include "render/paint/ticks.h"
#include "render/scene/axes_layout.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

bool isRound(double step) {
  const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
  for (const double m : {1.0, 2.0, 5.0, 10.0})
    if (std::abs(mantissa - m) < 1e-6) return true;
  return false;
}

DisplaySpace spaceOf(std::size_t dims, double origin, double extent) {
  PointCloud cloud;
  for (std::size_t j = 0; j < dims; ++j) {
    cloud.columns.push_back({origin, origin + extent * (1 + 0.3 * static_cast<double>(j))});
    cloud.names.push_back(std::string(1, static_cast<char>('x' + j)));
  }
  return *makeDisplaySpace(cloud, defaultViewAxes(cloud));
}

ViewTransform flatView(int width, int height, double zoom) {
  ViewTransform view;
  view.width = width;
  view.height = height;
  view.flat = true;
  view.worldToClip = {
      zoom * height / width, 0, 0, 0.1, 0, zoom, 0, 0.07, 0, 0, -0.1, 0, 0, 0, 0, 1};
  return view;
}

/// Orthographic from a side, box well inside of the view.
ViewTransform turnedView(int width, int height, double turn, double tilt) {
  const double ct = std::cos(turn), st = std::sin(turn), cp = std::cos(tilt), sp = std::sin(tilt);
  const double forward[3] = {-ct * cp, -st * cp, -sp};
  const double right[3] = {-st, ct, 0};
  const double up[3] = {-ct * sp, -st * sp, cp};
  ViewTransform view;
  view.width = width;
  view.height = height;
  const double aspect = static_cast<double>(height) / width;
  for (std::size_t a = 0; a < 3; ++a) {
    view.worldToClip[a] = 0.7 * right[a] * aspect;
    view.worldToClip[4 + a] = 0.7 * up[a];
    view.worldToClip[8 + a] = forward[a] * 0.2;
  }
  view.worldToClip[15] = 1;
  return view;
}

/// The same from a random side.
ViewTransform turnedView(int width, int height, std::mt19937_64& random) {
  const double turn = uniform(random) * 6.283;
  return turnedView(width, height, turn, (uniform(random) - 0.5) * 2.6);
}

void verifyTextsApart(const AxesLayout& layout, const ViewTransform& view) {
  for (std::size_t i = 0; i < layout.texts.size(); ++i) {
    const PixelBox& box = layout.texts[i].box;
    QVERIFY2(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= view.width && box.y1 <= view.height,
             layout.texts[i].words.c_str());
    for (std::size_t j = 0; j < i; ++j)
      QVERIFY2(!box.overlaps(layout.texts[j].box),
               (layout.texts[i].words + " on " + layout.texts[j].words).c_str());
  }
}

/// The number of a label, whose digits are in groups.
double numberOf(std::string label) {
  std::erase(label, ',');
  return std::stod(label);
}

}  // namespace

class TestAxes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void ticksAreRoundAndWithin() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 3000; ++round) {
      const double scale = std::pow(10, uniform(random) * 24 - 12);
      const double low = (uniform(random) - 0.5) * scale * std::pow(10, uniform(random) * 4);
      const double high = low + uniform(random) * scale + scale * 1e-3;
      const int most = static_cast<int>(2 + random() % 10);
      const Ticks ticks = ticksWithin(low, high, most);
      QVERIFY(!ticks.values.empty());
      QCOMPARE(ticks.values.size(), ticks.labels.size());
      QVERIFY(static_cast<int>(ticks.values.size()) <= most);
      const double slack = (high - low) * 1e-6;
      for (std::size_t i = 0; i < ticks.values.size(); ++i) {
        QVERIFY(ticks.values[i] >= low - slack && ticks.values[i] <= high + slack);
        QVERIFY(ticks.labels[i] != "-0");
        if (i > 0) {
          QVERIFY(isRound(ticks.values[i] - ticks.values[i - 1]));
          QVERIFY2(ticks.labels[i] != ticks.labels[i - 1], ticks.labels[i].c_str());
        }
        if (ticks.values.size() > 1) {  // what is written is the value
          const double step = ticks.values[1] - ticks.values[0];
          QVERIFY2(std::abs(numberOf(ticks.labels[i]) - ticks.values[i]) < step * 1e-3,
                   ticks.labels[i].c_str());
        }
      }
    }
  }

  void theRoundestNumberOfARange() {
    QCOMPARE(roundestWithin(0.0296, 0.0304), 0.03);
    QCOMPARE(roundestWithin(0.03112, 0.03118), 0.03115);
    QCOMPARE(roundestWithin(0.0311, 0.0317), 0.0314);
    QCOMPARE(roundestWithin(9.6, 10.3), 10.0);
    QCOMPARE(roundestWithin(1.0 / 3, 1.0 / 3), 1.0 / 3);
    for (double low = 1e-12; low < 1e12; low *= 1.7) {
      const double value = roundestWithin(low, low * 1.004);
      QVERIFY(value >= low && value <= low * 1.004);
    }
  }

  void knownTicks() {
    QCOMPARE(ticksWithin(0, 10, 6).labels,
             (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
    QCOMPARE(ticksWithin(-0.05, 0.05, 5).labels,
             (std::vector<std::string>{"-0.04", "-0.02", "0.00", "0.02", "0.04"}));
    QCOMPARE(ticksWithin(6654000.2, 6654001, 5).labels,
             (std::vector<std::string>{"6,654,000.2", "6,654,000.4", "6,654,000.6", "6,654,000.8",
                                       "6,654,001.0"}));
    QCOMPARE(ticksWithin(5, 5, 4).labels, (std::vector<std::string>{"5"}));
    QCOMPARE(logTicksWithin(1, 1000, 4).labels,
             (std::vector<std::string>{"1", "10", "100", "1,000"}));
    QCOMPARE(logTicksWithin(1, 10, 4).labels, (std::vector<std::string>{"1", "2", "5", "10"}));
    QVERIFY(logTicksWithin(1e-200, 1e200, 6).values.size() <= 6);
    // One notation along an axis.
    QCOMPARE(logTicksWithin(1e-5, 0.01, 4).labels,
             (std::vector<std::string>{"0.00001", "0.0001", "0.001", "0.01"}));
    QCOMPARE(logTicksWithin(1e-6, 0.001, 4).labels,
             (std::vector<std::string>{"1e-06", "1e-05", "1e-04", "1e-03"}));
    QCOMPARE(logTicksWithin(1e4, 1e6, 3).labels,
             (std::vector<std::string>{"10,000", "100,000", "1,000,000"}));
    QCOMPARE(ticksWithin(0, 2e-6, 3).labels, (std::vector<std::string>{"0", "1e-06", "2e-06"}));
    PlotAxis counts;
    counts.whole = true;
    counts.logarithmic = true;
    counts.low = 1e5;
    counts.high = 1e6;
    QCOMPARE(counts.ticks(2).labels, (std::vector<std::string>{"100,000", "1,000,000"}));
    counts.logarithmic = false;
    counts.low = 0;
    counts.high = 1;
    QCOMPARE(counts.ticks(9).labels, (std::vector<std::string>{"0", "1"}));
    QCOMPARE(groupedText(0), std::string("0"));
    QCOMPARE(groupedText(1234567), std::string("1,234,567"));
    QCOMPARE(groupedText(123), std::string("123"));
    QCOMPARE(shortNumber(0.25), std::string("0.25"));
    QCOMPARE(significantNumber(1234.5, 3), std::string("1.23e+03"));
    QCOMPARE(tickNumber(1234567), std::string("1.23457e+06"));
    QCOMPARE(tickNumber(-123456), std::string("-123,456"));
    QCOMPARE(tickNumber(1234.5), std::string("1,234.5"));
    QCOMPARE(tickNumber(0.001), std::string("0.001"));
    QCOMPARE(measuredNumber(0), std::string("0"));
    QCOMPARE(measuredNumber(0.0012345), std::string("0.00123"));
    QCOMPARE(measuredNumber(12.345), std::string("12.3"));
    QCOMPARE(measuredNumber(123.45), std::string("123"));
    QCOMPARE(measuredNumber(1234.5), std::string("1,230"));
    QCOMPARE(measuredNumber(9999), std::string("10,000"));
    QCOMPARE(shortNumber(-0.0), std::string("0"));
    QCOMPARE(withUnit(1234567), std::string("1.23 M"));
    QCOMPARE(withUnit(999.6), std::string("1 k"));
    QCOMPARE(withUnit(12), std::string("12"));
    using Labels = std::vector<std::string>;
    QCOMPARE(unitLabels(ticksWithin(1.1e6, 1.3e6, 5)),
             (Labels{"1.1 M", "1.15 M", "1.2 M", "1.25 M", "1.3 M"}));
    // Where three digits are too few, all ticks have their own.
    const Labels close = unitLabels(ticksWithin(1170000, 1182000, 6));
    QVERIFY(close.size() > 2);
    QCOMPARE(std::set<std::string>(close.begin(), close.end()).size(), close.size());
  }

  void rulersSayTheTruth() {
    for (const double origin : {0.0, 654321.25, -1e-7, 4.2e11})
      for (const double zoom : {0.3, 1.9, 40.0, 900.0}) {
        const double extent = origin == -1e-7 ? 1e-6 : 1000;
        const DisplaySpace space = spaceOf(2, origin, extent);
        const ViewTransform view = flatView(1000, 700, zoom);
        const AxesLayout layout = layOutRulers(space, view, 1);
        verifyTextsApart(layout, view);
        int numbers = 0;
        for (const PlacedText& text : layout.texts) {
          if (text.title) continue;
          ++numbers;
          // The number written at a pixel is the value at that pixel.
          const bool bottom = text.y < layout.bottomBand;
          const auto place = placeUnder(space, view, text.x, text.y);
          QVERIFY(place);
          const double perPixel = 2 / (zoom * 700) / space.scale[0];
          QVERIFY2(std::abs(numberOf(text.words) - (*place)[bottom ? 0 : 1]) < perPixel,
                   text.words.c_str());
        }
        QVERIFY(numbers >= 4);
      }
  }

  void oneDimensionHasOneRuler() {
    const DisplaySpace space = spaceOf(1, 0, 10);
    const AxesLayout layout = layOutRulers(space, flatView(800, 300, 1.8), 1);
    QCOMPARE(layout.leftBand, 0.0);
    QVERIFY(layout.bottomBand > 0);
    for (const PlacedText& text : layout.texts) QVERIFY(text.y <= layout.bottomBand);
    verifyTextsApart(layout, flatView(800, 300, 1.8));
  }

  void boxesAreReadableFromEverySide() {
    std::mt19937_64 random(11);
    for (int round = 0; round < 400; ++round) {
      const DisplaySpace space = spaceOf(3, round % 2 == 0 ? -20 : 6654321, 40);
      const ViewTransform view = turnedView(1100, 800, random);
      const double ratio = round % 3 == 0 ? 2 : 1;
      const AxesLayout layout = layOutBox(space, view, ratio);
      verifyTextsApart(layout, view);
      QVERIFY(!layout.grid.empty());
      int numbers = 0;
      for (const PlacedText& text : layout.texts) numbers += text.title ? 0 : 1;
      QVERIFY2(numbers >= 4, qPrintable(QString("%1 numbers in round %2").arg(numbers).arg(round)));
      for (const Segment& s : layout.ticks)
        QVERIFY(std::abs(std::hypot(s.x1 - s.x0, s.y1 - s.y0) - 5 * ratio) < 1e-6);
    }
  }

  void longNamesOfUprightAxesAreShown() {
    DisplaySpace space = spaceOf(3, -20, 40);
    space.names = {"PC 1 (70.3 %)", "PC 2 (20.0 %)", "PC 3 (9.7 %), of four columns"};
    const ViewTransform view = turnedView(700, 600, 0.6, 0.5);
    const AxesLayout layout = layOutBox(space, view, 1);
    verifyTextsApart(layout, view);
    std::set<std::string> titles;
    for (const PlacedText& text : layout.texts)
      if (text.title) titles.insert(text.words);
    QCOMPARE(titles, std::set<std::string>(space.names.begin(), space.names.end()));
  }

  void flatBoxesHaveABoxToo() {
    // All points in a plane: one side is missing and must not break the others.
    PointCloud cloud;
    cloud.columns = {{0, 1}, {0, 2}, {5, 5}};
    cloud.names = {"a", "b", "c"};
    const auto space = makeDisplaySpace(cloud, defaultViewAxes(cloud));
    QVERIFY(space);
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
      const ViewTransform view = turnedView(900, 700, random);
      verifyTextsApart(layOutBox(*space, view, 1), view);
    }
  }

  void aViewerInsideSeesNoBox() {
    ViewTransform view;
    view.width = view.height = 500;
    view.worldToClip = {1, 0, 0,  0, 0, 1, 0,  0,
                        0, 0, -1, 0, 0, 0, -1, 0};  // the viewer is at the middle
    QVERIFY(layOutBox(spaceOf(3, 0, 1), view, 1).texts.empty());
  }
};

APPLESS_TEST(TestAxes);
#include "tst_axes.moc"
