// Clusters are distinguishable and values readable, also without full colour vision, and clusters
// keep their colours.
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "render/paint/colour_map.h"
#include "render/paint/palette.h"
#include "render/paint/theme.h"
#include "tests/contrast.h"
#include "tests/test_program.h"

using namespace clusterloom;
using clusterloom::testing::contrast;
using clusterloom::testing::kGraphicsContrast;
using clusterloom::testing::kTextContrast;

namespace {

// The reference shares no code with the palette: distances in CIELAB, and the dichromats of Viénot,
// Brettel and Mollon (1999).
using Triple = std::array<double, 3>;

Triple linearOf(Colour c) {
  const auto channel = [](std::uint8_t v) {
    const double s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return {channel(c.r), channel(c.g), channel(c.b)};
}

enum class Eyes { Normal, Protan, Deutan, Tritan };
constexpr std::array kAllEyes{Eyes::Normal, Eyes::Protan, Eyes::Deutan, Eyes::Tritan};

/// Tritanopia needs two half planes (Brettel, Viénot and Mollon 1997), here for linear sRGB.
Triple seenWithoutBlue(const Triple& rgb) {
  using Matrix = std::array<Triple, 3>;
  static constexpr Matrix kOrange{
      {{1.01277, 0.13548, -0.14826}, {-0.01243, 0.86812, 0.14431}, {0.07589, 0.80500, 0.11911}}};
  static constexpr Matrix kCyan{
      {{0.93678, 0.18979, -0.12657}, {0.06154, 0.81526, 0.12320}, {-0.37562, 1.12767, 0.24796}}};
  const bool orange = 0.03901 * rgb[0] - 0.02788 * rgb[1] - 0.01113 * rgb[2] >= 0;
  Triple seen{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Triple& row = (orange ? kOrange : kCyan)[i];
    seen[i] = std::clamp(row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2], 0.0, 1.0);
  }
  return seen;
}

Triple seenBy(Eyes eyes, const Triple& rgb) {
  if (eyes == Eyes::Normal) return rgb;
  if (eyes == Eyes::Tritan) return seenWithoutBlue(rgb);
  const Triple rows =
      eyes == Eyes::Protan ? Triple{0.11238, 0.88762, 0.00401} : Triple{0.29275, 0.70725, 0.02234};
  const double both = rows[0] * rgb[0] + rows[1] * rgb[1];
  const double blue = eyes == Eyes::Protan ? rows[2] * rgb[0] - rows[2] * rgb[1] + rgb[2]
                                           : -rows[2] * rgb[0] + rows[2] * rgb[1] + rgb[2];
  return {both, both, std::clamp(blue, 0.0, 1.0)};
}

Triple labOf(const Triple& rgb) {
  const double x = (0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047;
  const double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
  const double z = (0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883;
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

double deltaE(Colour p, Colour q, Eyes eyes) {
  const Triple a = labOf(seenBy(eyes, linearOf(p)));
  const Triple b = labOf(seenBy(eyes, linearOf(q)));
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// ΔE*ab that is just noticeable side by side (Mahy, Van Eycken and Oosterlinck 1994).
constexpr double kJustNoticeable = 2.3;

double closestPair(std::int32_t colours, Background ground, Eyes eyes) {
  double closest = 1e300;
  for (std::int32_t i = 0; i < colours; ++i)
    for (std::int32_t j = 0; j < i; ++j)
      closest = std::min(closest, deltaE(clusterColour(i, ground), clusterColour(j, ground), eyes));
  return closest;
}

/// The rule of assignColours in its plainest form.
std::vector<std::int32_t> assignPlainly(const std::vector<std::int32_t>& before,
                                        const std::vector<std::int32_t>& colours,
                                        const std::vector<std::int32_t>& now, int clusters) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(clusters), -1);
  std::set<std::int32_t> given;
  while (true) {
    std::int64_t most = 0;
    std::pair<std::int32_t, std::int32_t> best;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(colours.size()); ++p)
      for (std::int32_t c = 0; c < clusters; ++c) {
        if (given.contains(p) || result[static_cast<std::size_t>(c)] >= 0) continue;
        std::int64_t common = 0;
        for (std::size_t i = 0; i < now.size(); ++i) common += before[i] == p && now[i] == c;
        if (common > most) {
          most = common;
          best = {p, c};
        }
      }
    if (most == 0) break;
    given.insert(best.first);
    result[static_cast<std::size_t>(best.second)] = colours[static_cast<std::size_t>(best.first)];
  }
  for (std::int32_t& colour : result)
    if (colour < 0) {
      std::int32_t free = 0;
      while (std::find(result.begin(), result.end(), free) != result.end()) ++free;
      colour = free;
    }
  return result;
}

}  // namespace

class TestPalette : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyoneTellsClustersApart_data() {
    QTest::addColumn<int>("colours");
    QTest::addColumn<double>("normal");
    QTest::addColumn<double>("dichromat");
    QTest::addColumn<double>("tritanope");
    // In ΔE*ab, see kJustNoticeable.
    QTest::newRow("seven") << 7 << 24.0 << 14.0 << 7.0;
    QTest::newRow("twelve") << 12 << 18.0 << 8.0 << 7.0;
    QTest::newRow("thirty") << 30 << 10.0 << 6.5 << kJustNoticeable;
    QTest::newRow("a hundred") << 100 << 4.6 << 2.6 << 0.9;
    QTest::newRow("three hundred") << 300 << kJustNoticeable << 1.0 << 0.4;
  }
  void everyoneTellsClustersApart() {
    QFETCH(int, colours);
    QFETCH(double, normal);
    QFETCH(double, dichromat);
    QFETCH(double, tritanope);
    for (const Background ground : {Background::Dark, Background::Light}) {
      const double seen = closestPair(colours, ground, Eyes::Normal);
      const double protan = closestPair(colours, ground, Eyes::Protan);
      const double deutan = closestPair(colours, ground, Eyes::Deutan);
      const double tritan = closestPair(colours, ground, Eyes::Tritan);
      qInfo(
          "%d colours on %s: closest pair %.1f, protanopia %.1f, deuteranopia %.1f, "
          "tritanopia %.1f",
          colours, ground == Background::Dark ? "dark" : "light", seen, protan, deutan, tritan);
      QVERIFY(seen >= normal);
      QVERIFY(protan >= dichromat);
      QVERIFY(deutan >= dichromat);
      QVERIFY(tritan >= tritanope);
    }
  }

  void allColoursDiffer() {
    for (const Background ground : {Background::Dark, Background::Light}) {
      std::set<std::tuple<int, int, int>> seen;
      for (std::int32_t i = 0; i < kDistinctColours; ++i) {
        const Colour c = clusterColour(i, ground);
        QVERIFY(seen.insert({c.r, c.g, c.b}).second);
      }
      QCOMPARE(clusterColour(kDistinctColours, ground), clusterColour(0, ground));
      QCOMPARE(clusterColour(kDistinctColours + 7, ground), clusterColour(7, ground));
    }
    // Series of charts are the same on all grounds.
    for (std::int32_t i = 0; i < 7; ++i)
      QCOMPARE(clusterColour(i, Background::Dark), clusterColour(i, Background::Light));
  }

  // On light ground some light colours have less.
  void coloursHoldOnBothGrounds() {
    for (const Background background : {Background::Dark, Background::Light}) {
      const double least = background == Background::Dark ? kGraphicsContrast : 1.5;
      for (std::int32_t i = 0; i < kDistinctColours; ++i) {
        const double c = contrast(clusterColour(i, background), themeOf(background).ground);
        QVERIFY2(c >= least, qPrintable(QString("colour %1: contrast %2").arg(i).arg(c)));
      }
    }
  }

  void noiseRecedes() {
    for (const Background background : {Background::Dark, Background::Light}) {
      const Colour noise = noiseColour(background);
      const double c = contrast(noise, themeOf(background).ground);
      QVERIFY(c >= 1.5);  // visible
      QVERIFY(c <= 3.5);  // muted
      const auto [low, high] = std::minmax({noise.r, noise.g, noise.b});
      QVERIFY(high - low <= 20);  // grey
      for (std::int32_t i = 0; i < 20; ++i)
        for (const Eyes eyes : kAllEyes)
          QVERIFY2(deltaE(noise, clusterColour(i, background), eyes) > 5,
                   qPrintable(QString("colour %1 looks like noise").arg(i)));
    }
  }

  void textIsReadable() {
    for (const Background background : {Background::Dark, Background::Light}) {
      const Theme& theme = themeOf(background);
      QVERIFY(contrast(theme.text, theme.ground) >= 7);
      for (const Colour ground : {theme.ground, theme.groundLow}) {
        QVERIFY(contrast(theme.faintText, ground) >= kTextContrast);
        QVERIFY(contrast(theme.accent, ground) >= kTextContrast);
        QVERIFY(contrast(theme.line, ground) >= kGraphicsContrast);
      }
      for (const Colour series : theme.series)
        QVERIFY(contrast(series, theme.ground) >= kGraphicsContrast);
    }
  }

  void theDivergingMapIsLightestInTheMiddle() {
    const auto colour = [](double t) { return mapColour(ColourMap::BlueRed, t); };
    for (const Eyes eyes : kAllEyes) {
      const auto lightness = [&](double t) { return labOf(seenBy(eyes, linearOf(colour(t))))[0]; };
      for (int i = 0; i < 16; ++i) {
        QVERIFY(lightness(i / 32.0) < lightness((i + 1) / 32.0));
        QVERIFY(lightness(1 - i / 32.0) < lightness(1 - (i + 1) / 32.0));
      }
      for (int i = 0; i < 16; ++i)
        QVERIFY2(deltaE(colour(i / 16.0), colour((i + 1) / 16.0), eyes) >= kJustNoticeable,
                 qPrintable(QString("vision %1, step %2").arg(int(eyes)).arg(i)));
      // Its two sides are told apart.
      QVERIFY(deltaE(colour(0.15), colour(0.85), eyes) > 25);
    }
  }

  void colourMapsRise_data() {
    QTest::addColumn<int>("map");
    QTest::addColumn<double>("evenness");
    QTest::newRow("viridis") << static_cast<int>(ColourMap::Viridis) << 2.6;
    QTest::newRow("cividis") << static_cast<int>(ColourMap::Cividis) << 2.6;
    QTest::newRow("plasma") << static_cast<int>(ColourMap::Plasma) << 4.0;
    QTest::newRow("magma") << static_cast<int>(ColourMap::Magma) << 4.0;
    QTest::newRow("grey") << static_cast<int>(ColourMap::Grey) << 2.6;
  }
  void colourMapsRise() {
    QFETCH(int, map);
    QFETCH(double, evenness);
    const auto colour = [map](double t) { return mapColour(static_cast<ColourMap>(map), t); };
    for (const Eyes eyes : kAllEyes) {
      double before = -1;
      for (int i = 0; i <= 32; ++i) {
        const double lightness = labOf(seenBy(eyes, linearOf(colour(i / 32.0))))[0];
        QVERIFY2(lightness > before, qPrintable(QString("step %1").arg(i)));
        before = lightness;
      }
    }
    // Neighbouring steps of sixteen are told apart side by side.
    for (const Eyes eyes : kAllEyes) {
      double closest = 1e300;
      for (int i = 0; i < 16; ++i)
        closest = std::min(closest, deltaE(colour(i / 16.0), colour((i + 1) / 16.0), eyes));
      qInfo("vision %d: closest neighbours %.1f", int(eyes), closest);
      QVERIFY2(closest >= kJustNoticeable, qPrintable(QString::number(closest)));
    }
    // Even steps: no step of sixteen looks many times as large as another (CIELAB, which
    // exaggerates blues).
    double least = 1e300;
    double most = 0;
    for (int i = 0; i < 16; ++i) {
      const double step = deltaE(colour(i / 16.0), colour((i + 1) / 16.0), Eyes::Normal);
      least = std::min(least, step);
      most = std::max(most, step);
    }
    QVERIFY2(most <= evenness * least, qPrintable(QString("%1 to %2").arg(least).arg(most)));
    QCOMPARE(colour(-3), colour(0));
    QCOMPARE(colour(7), colour(1));
    QCOMPARE(colour(std::nan("")), (Colour{128, 128, 128}));
  }

  void scales() {
    const ScalarScale linear{10, 20, false, ColourMap::Viridis};
    QCOMPARE(positionOn(linear, 10), 0.0);
    QCOMPARE(positionOn(linear, 15), 0.5);
    const ScalarScale logarithmic{1, 100, true, ColourMap::Viridis};
    QVERIFY(std::abs(positionOn(logarithmic, 10) - 0.5) < 1e-12);
    QCOMPARE(positionOn(logarithmic, 0), 0.0);
    QCOMPARE(positionOn({5, 5, false, ColourMap::Viridis}, 5), 0.5);
  }

  void sameClustersKeepTheirColours() {
    const std::vector<std::int32_t> labels{0, 0, 1, 1, 2, -1, 2, 0};
    const std::vector<std::int32_t> colours{4, 9, 0};
    QCOMPARE(assignColours(labels, colours, labels, 3), colours);
  }

  void renumberedClustersKeepTheirColours() {
    const std::vector<std::int32_t> before{0, 0, 0, 1, 1, 2};
    const std::vector<std::int32_t> now{2, 2, 2, 0, 0, 1};
    QCOMPARE(assignColours(before, std::vector<std::int32_t>{0, 1, 2}, now, 3),
             (std::vector<std::int32_t>{1, 2, 0}));
  }

  void aSplitClusterKeepsItsColourOnTheLargerPart() {
    const std::vector<std::int32_t> before{0, 0, 0, 0, 0, 1};
    const std::vector<std::int32_t> now{0, 0, 1, 1, 1, 2};
    QCOMPARE(assignColours(before, std::vector<std::int32_t>{3, 5}, now, 3),
             (std::vector<std::int32_t>{0, 3, 5}));
  }

  void mergedClustersTakeTheColourOfTheLargest() {
    const std::vector<std::int32_t> before{0, 0, 1, 1, 1, -1};
    const std::vector<std::int32_t> now{0, 0, 0, 0, 0, 0};
    QCOMPARE(assignColours(before, std::vector<std::int32_t>{0, 1}, now, 1),
             (std::vector<std::int32_t>{1}));
  }

  void tiesGoToTheLowerLabels() {
    const std::vector<std::int32_t> before{0, 1, 0, 1};
    const std::vector<std::int32_t> now{0, 0, 1, 1};
    QCOMPARE(assignColours(before, std::vector<std::int32_t>{7, 8}, now, 2),
             (std::vector<std::int32_t>{7, 8}));
  }

  void freshCloudsStartAtTheFirstColours() {
    const std::vector<std::int32_t> now{0, 1, 2, -1};
    QCOMPARE(assignColours({}, {}, now, 3), (std::vector<std::int32_t>{0, 1, 2}));
    // Labels of another cloud say nothing.
    QCOMPARE(
        assignColours(std::vector<std::int32_t>{2, 2}, std::vector<std::int32_t>{9, 9, 9}, now, 3),
        (std::vector<std::int32_t>{0, 1, 2}));
    QVERIFY(
        assignColours(now, std::vector<std::int32_t>{0, 1, 2}, std::vector<std::int32_t>(4, -1), 0)
            .empty());
  }

  void agreesWithThePlainRule() {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = 1 + random() % 60;
      const int before = static_cast<int>(1 + random() % 6);
      const int after = static_cast<int>(1 + random() % 6);
      std::vector<std::int32_t> p(n);
      std::vector<std::int32_t> q(n);
      for (std::size_t i = 0; i < n; ++i) {
        p[i] = static_cast<std::int32_t>(random() % (before + 1)) - 1;
        q[i] = static_cast<std::int32_t>(random() % (after + 1)) - 1;
      }
      std::vector<std::int32_t> colours(before);
      for (int c = 0; c < before; ++c) colours[static_cast<std::size_t>(c)] = (c * 5 + 3) % 17;
      const auto given = assignColours(p, colours, q, after);
      QCOMPARE(given, assignPlainly(p, colours, q, after));
      QCOMPARE(std::set<std::int32_t>(given.begin(), given.end()).size(), given.size());
    }
  }

  void aMillionLabelsAreQuick() {
    std::mt19937_64 random(1);
    std::vector<std::int32_t> p(1000000);
    std::vector<std::int32_t> q(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = static_cast<std::int32_t>(random() % 1000);
      q[i] = random() % 20 == 0 ? static_cast<std::int32_t>(random() % 1000) : 999 - p[i];
    }
    std::vector<std::int32_t> colours(1000);
    for (std::size_t c = 0; c < colours.size(); ++c) colours[c] = static_cast<std::int32_t>(c);
    const std::clock_t start = std::clock();
    const auto given = assignColours(p, colours, q, 1000);
    const double ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    qInfo("%.0f ms", ms);
    for (std::size_t c = 0; c < given.size(); ++c)
      QCOMPARE(given[c], static_cast<std::int32_t>(999 - c));
    QVERIFY(ms < 1000);
  }
};

APPLESS_TEST(TestPalette);
#include "tst_palette.moc"
