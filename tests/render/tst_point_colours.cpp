// Does every point get the colour and the layer its label, role or value asks for?
#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "clouds.h"
#include "render/paint/palette.h"
#include "render/scene/point_colours.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

struct Dot {
  Colour colour;
  DrawLayer layer;
};

Dot dotAt(const std::vector<std::uint8_t>& bytes, std::size_t i) {
  return {{bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2]},
          static_cast<DrawLayer>(bytes[4 * i + 3])};
}

std::vector<std::uint32_t> inOrder(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

int brightness(Colour c) { return c.r + c.g + c.b; }

}  // namespace

class TestPointColours : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void clustersTakeTheirPaletteColours() {
    const std::vector<std::int32_t> labels{0, 1, -1, 0, 2, -2};
    const std::vector<std::int32_t> index{5, 0, 9};
    ColourRequest request;
    request.labels = labels;
    request.colourIndex = index;
    const auto bytes = colourPoints(request, inOrder(6));
    QCOMPARE(bytes.size(), std::size_t{24});
    QCOMPARE(dotAt(bytes, 0).colour, clusterColour(5, Background::Dark));
    QCOMPARE(dotAt(bytes, 1).colour, clusterColour(0, Background::Dark));
    QCOMPARE(dotAt(bytes, 3).colour, clusterColour(5, Background::Dark));
    QCOMPARE(dotAt(bytes, 4).colour, clusterColour(9, Background::Dark));
    QCOMPARE(dotAt(bytes, 2).colour, noiseColour(Background::Dark));
    QCOMPARE(dotAt(bytes, 2).layer, DrawLayer::Noise);  // recedes
    QCOMPARE(dotAt(bytes, 0).layer, DrawLayer::Normal);
    QCOMPARE(dotAt(bytes, 5).layer, DrawLayer::Hidden);  // a row that was skipped
  }

  // A table of all labels would take gigabytes, or never end.
  void anyLabelHasAColour() {
    constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
    constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
    const std::vector<std::int32_t> labels{kHighest, 3, kHighest - 1, kLowest, -1};
    const std::vector<std::int32_t> hidden{kHighest - 1};
    ColourRequest request;
    request.labels = labels;
    request.hidden = hidden;
    const auto bytes = colourPoints(request, inOrder(5));
    QCOMPARE(dotAt(bytes, 0).colour, clusterColour(kHighest, Background::Dark));
    QCOMPARE(dotAt(bytes, 0).layer, DrawLayer::Normal);
    QCOMPARE(dotAt(bytes, 1).colour, clusterColour(3, Background::Dark));
    QCOMPARE(dotAt(bytes, 2).layer, DrawLayer::Hidden);
    QCOMPARE(dotAt(bytes, 3).layer, DrawLayer::Hidden);
    QCOMPARE(dotAt(bytes, 4).layer, DrawLayer::Noise);
  }

  // One colourer serves labels that are replaced.
  void labelsMayBeReplaced() {
    std::vector<std::int32_t> labels(3, kNoise);
    ColourRequest request;
    request.labels = labels;
    request.highestLabel = 40;
    const PointColourer colourer = pointColourer(request);
    std::vector<std::uint8_t> bytes(12);
    labels = {40, 41, -2};
    colourer(inOrder(3), bytes);
    QCOMPARE(dotAt(bytes, 0).colour, clusterColour(40, Background::Dark));
    QCOMPARE(dotAt(bytes, 1).colour, clusterColour(41, Background::Dark));
    QCOMPARE(dotAt(bytes, 2).layer, DrawLayer::Hidden);
  }

  void coloursFollowTheDrawnOrder() {
    const std::vector<std::int32_t> labels{0, 1, 2};
    ColourRequest request;
    request.labels = labels;
    const std::vector<std::uint32_t> order{2, 0, 1};
    const auto bytes = colourPoints(request, order);
    for (std::size_t i = 0; i < 3; ++i)
      QCOMPARE(dotAt(bytes, i).colour, clusterColour(labels[order[i]], Background::Dark));
  }

  void highlightedClustersStandOut() {
    const std::vector<std::int32_t> labels{0, 1, -1};
    const std::vector<std::int32_t> highlighted{1};
    for (const Background background : {Background::Dark, Background::Light}) {
      ColourRequest request;
      request.background = background;
      request.labels = labels;
      request.highlighted = highlighted;
      const auto bytes = colourPoints(request, inOrder(3));
      QCOMPARE(dotAt(bytes, 1).colour, clusterColour(1, Background::Dark));
      QCOMPARE(dotAt(bytes, 1).layer, DrawLayer::Front);
      for (const std::size_t dimmed : {0, 2}) {
        QCOMPARE(dotAt(bytes, dimmed).layer, dimmed == 2 ? DrawLayer::Noise : DrawLayer::Back);
        // Nearer to the ground than it was.
        const int ground = brightness(themeOf(background).ground);
        const Colour full =
            dimmed == 0 ? clusterColour(0, Background::Dark) : noiseColour(background);
        QVERIFY(std::abs(brightness(dotAt(bytes, dimmed).colour) - ground) <
                std::abs(brightness(full) - ground) / 2);
      }
    }
  }

  void hiddenLabelsAreHidden() {
    const std::vector<std::int32_t> labels{0, 1, -1, 1};
    const std::vector<std::int32_t> hidden{1, kNoise};
    for (const PointColouring by :
         {PointColouring::Cluster, PointColouring::Role, PointColouring::Scalar}) {
      const std::vector<float> scalar(4, 0.5F);
      const std::vector<PointRole> roles(4, PointRole::Core);
      ColourRequest request;
      request.by = by;
      request.labels = labels;
      request.scalar = scalar;
      request.roles = roles;
      request.hidden = hidden;
      request.highlighted = hidden;  // hiding wins
      const auto bytes = colourPoints(request, inOrder(4));
      QVERIFY(dotAt(bytes, 0).layer != DrawLayer::Hidden);
      for (const std::size_t i : {1, 2, 3}) QCOMPARE(dotAt(bytes, i).layer, DrawLayer::Hidden);
    }
  }

  void rolesHaveThreeColours() {
    const std::vector<PointRole> roles{PointRole::Core, PointRole::Border, PointRole::Noise};
    ColourRequest request;
    request.by = PointColouring::Role;
    request.roles = roles;
    const auto bytes = colourPoints(request, inOrder(3));
    QVERIFY(!(dotAt(bytes, 0).colour == dotAt(bytes, 1).colour));
    QVERIFY(!(dotAt(bytes, 1).colour == dotAt(bytes, 2).colour));
    QCOMPARE(dotAt(bytes, 2).colour, noiseColour(Background::Dark));
  }

  /// Values of noise points are read like those of others: there noise does not recede.
  void noiseRecedesInPicturesOfClustersAndRolesOnly() {
    const std::vector<std::int32_t> labels{0, kNoise};
    const std::vector<float> scalar(2, 0.5F);
    const std::vector<PointRole> roles{PointRole::Core, PointRole::Noise};
    for (const PointColouring by :
         {PointColouring::Cluster, PointColouring::Role, PointColouring::Scalar}) {
      ColourRequest request;
      request.by = by;
      request.labels = labels;
      request.scalar = scalar;
      request.roles = roles;
      QCOMPARE(dotAt(colourPoints(request, inOrder(2)), 1).layer,
               by == PointColouring::Scalar ? DrawLayer::Back : DrawLayer::Noise);
      const std::vector<std::int32_t> highlighted{kNoise};
      request.highlighted = highlighted;
      QCOMPARE(dotAt(colourPoints(request, inOrder(2)), 1).layer, DrawLayer::Front);
    }
  }

  void scalarsRunThroughTheMap() {
    const std::vector<float> scalar{0, 5, 10, -3, 99, std::nanf("")};
    ColourRequest request;
    request.by = PointColouring::Scalar;
    request.scalar = scalar;
    request.scale = {0, 10, false, ColourMap::Viridis};
    const auto bytes = colourPoints(request, inOrder(6));
    QCOMPARE(dotAt(bytes, 0).colour, mapColour(ColourMap::Viridis, 0));
    QCOMPARE(dotAt(bytes, 1).colour, mapColour(ColourMap::Viridis, 0.5));
    QCOMPARE(dotAt(bytes, 2).colour, mapColour(ColourMap::Viridis, 1));
    QCOMPARE(dotAt(bytes, 3).colour, mapColour(ColourMap::Viridis, 0));
    QCOMPARE(dotAt(bytes, 4).colour, mapColour(ColourMap::Viridis, 1));
    QCOMPARE(dotAt(bytes, 5).colour, noiseColour(Background::Dark));
  }

  void trueColoursAreThoseOfThePoints() {
    const std::vector<float> packed{packedColour({1, 2, 3}), packedColour({255, 255, 255}),
                                    std::nanf(""), packedColour({0, 128, 0})};
    const std::vector<std::int32_t> labels{0, 1, 0, kNoise};
    ColourRequest request;
    request.by = PointColouring::TrueColour;
    request.scalar = packed;
    request.labels = labels;
    const auto bytes = colourPoints(request, inOrder(4));
    QCOMPARE(dotAt(bytes, 0).colour, (Colour{1, 2, 3}));
    QCOMPARE(dotAt(bytes, 1).colour, (Colour{255, 255, 255}));
    QCOMPARE(dotAt(bytes, 2).colour, noiseColour(Background::Dark));
    QCOMPARE(dotAt(bytes, 3).colour, (Colour{0, 128, 0}));
    QCOMPARE(dotAt(bytes, 3).layer, DrawLayer::Back);  // does not recede
    const std::vector<std::int32_t> highlighted{1};
    request.highlighted = highlighted;
    const auto dimmed = colourPoints(request, inOrder(4));
    QCOMPARE(dotAt(dimmed, 1).colour, (Colour{255, 255, 255}));
    QVERIFY(!(dotAt(dimmed, 0).colour == Colour{1, 2, 3}));
  }

  void nothingClusteredIsPlain() {
    const auto bytes = colourPoints({}, inOrder(3));
    for (std::size_t i = 0; i < 3; ++i) {
      QCOMPARE(dotAt(bytes, i).colour, dotAt(bytes, 0).colour);
      QCOMPARE(dotAt(bytes, i).layer, DrawLayer::Normal);
    }
    QVERIFY(colourPoints({}, {}).empty());
  }

  void sensibleScales() {
    std::vector<float> values;
    for (int i = 0; i <= 1000; ++i) values.push_back(static_cast<float>(i));
    QCOMPARE(sensibleScale(values).low, 0.0);
    QCOMPARE(sensibleScale(values).high, 1000.0);
    values.push_back(1e9F);  // one outlier must not swallow the map
    QVERIFY(sensibleScale(values).high <= 1000);
    QVERIFY(sensibleScale(values).low >= 0);
    const std::vector<float> none{std::nanf(""), INFINITY};
    QCOMPARE(sensibleScale(none).high, 1.0);
    const std::vector<float> same{3, 3, 3};
    QCOMPARE(sensibleScale(same).low, 3.0);
    QCOMPARE(sensibleScale(same).high, 3.0);
  }

  void aMillionPointsAreQuick() {
    std::mt19937_64 random(1);
    std::vector<std::int32_t> labels(1000000);
    std::vector<std::uint32_t> order = inOrder(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = static_cast<std::int32_t>(random() % 300) - 1;
      std::swap(order[i], order[random() % (i + 1)]);
    }
    ColourRequest request;
    request.labels = labels;
    (void)clusterColour(0, Background::Dark);  // the palette is made once
    const std::clock_t start = std::clock();
    const auto bytes = colourPoints(request, order);
    const double ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    qInfo("%.1f ms", ms);
    QVERIFY(ms < 500);
    QCOMPARE(dotAt(bytes, 77).colour, labels[order[77]] < 0
                                          ? noiseColour(Background::Dark)
                                          : clusterColour(labels[order[77]], Background::Dark));
  }

  void whatIsMarkedLightsUp() {
    const std::vector<std::int32_t> labels{0, 0, 0, 1, 1};
    const std::vector<std::uint32_t> order{4, 2, 0, 1, 3};
    const std::vector<std::int32_t> hidden{1};
    ColourRequest request;
    request.labels = labels;
    request.hidden = hidden;
    const std::vector<std::uint8_t> plain = colourPoints(request, order);
    std::vector<std::uint8_t> lit = plain;
    const std::vector<PointMark> marks{PointMark::Query, PointMark::Candidate, PointMark::None,
                                       PointMark::Query, PointMark::None};
    highlightPoints(lit, order, marks, Background::Dark);
    const Theme& theme = themeOf(Background::Dark);
    const auto rgb = [](const std::vector<std::uint8_t>& bytes, std::size_t i) {
      return Colour{bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2]};
    };
    QCOMPARE(rgb(lit, 2), theme.accent);  // point 0
    QCOMPARE(lit[4 * 2 + 3], std::uint8_t(DrawLayer::Front));
    QCOMPARE(rgb(lit, 3), rgb(plain, 3));  // point 1
    QCOMPARE(lit[4 * 3 + 3], std::uint8_t(DrawLayer::Normal));
    // Point 2 is nearer to the ground than before, and behind.
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint8_t ground = c == 0   ? theme.ground.r
                                  : c == 1 ? theme.ground.g
                                           : theme.ground.b;
      QVERIFY(std::abs(lit[4 + c] - ground) < std::abs(plain[4 + c] - ground) ||
              plain[4 + c] == ground);
    }
    QCOMPARE(lit[4 + 3], std::uint8_t(DrawLayer::Back));
    // Hidden points stay hidden, marked or not.
    for (const std::size_t i : {0U, 4U}) QCOMPARE(lit[4 * i + 3], std::uint8_t(DrawLayer::Hidden));
  }
};

APPLESS_TEST(TestPointColours);
#include "tst_point_colours.moc"
