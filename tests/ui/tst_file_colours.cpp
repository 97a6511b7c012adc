// The colours of all rows of a file of which some are open.
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/io/read.h"
#include "engine/io/write.h"
#include "levels_window.h"
#include "render/paint/colour_map.h"
#include "render/paint/palette.h"
#include "ui/session/derived_results.h"
#include "ui/session/session_data.h"
#include "ui/view/column_player.h"
#include "ui/view/stored_colours.h"

using namespace clusterloom;

class TestFileColours : public QObject, private LevelsWindow {
  Q_OBJECT

  /// The same with columns beside them. One class and no other rows are never open.
  static Dataset columns() {
    Dataset data = rows();
    std::mt19937 random(12);
    std::vector<double> height(kRows);
    std::vector<std::uint8_t> classes(kRows);
    Categories kinds;
    kinds.words = {"tree", "house", "road"};
    std::array<std::vector<std::uint8_t>, 3> colour;
    for (std::size_t i = 0; i < kRows; ++i) {
      height[i] = data.cloud.columns[0][i] + 0.25;
      classes[i] = i % kEvery == 3 ? 9 : i % 2 == 0 ? 2 : 6;
      kinds.codes.push_back(std::int32_t(i < 3 * kEvery ? i / kEvery : random() % 3));
      for (std::size_t c = 0; c < 3; ++c) colour[c].push_back(std::uint8_t(random() % 256));
    }
    data.attributes = {{"height", height}, {"classification", classes}, {"kind", kinds},
                       {"red", colour[0]}, {"green", colour[1]},        {"blue", colour[2]}};
    for (std::size_t c = 2; c < 8; ++c) data.columnOrder.push_back(c);
    return data;
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(showWindow({1100, 800}));
    levels().setPlace(path("kept"), std::uint64_t{1} << 30);
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), rows()));
  }
  void cleanup() { closeWindow(); }

  // Rows of the cloud are left to it; the others recede, or have the colour of their coordinate.
  void coloursAreThoseOfTheRows() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    const auto block = levels().stored()->read(3);
    QVERIFY(block);
    const std::size_t n = block->rows.size();
    const auto layers = [&](const StoredColouring& colouring) {
      std::vector<std::uint8_t> bytes(4 * n);
      storedColourer(colouring)(3, *block, bytes);
      return bytes;
    };
    StoredColouring colouring;
    colouring.every = kEvery;
    const auto plain = layers(colouring);
    colouring.isPlain = false;
    const auto clustered = layers(colouring);
    colouring.hidden = {kNoise};
    const auto withoutNoise = layers(colouring);
    colouring.axis = 1;
    colouring.shift = 2;
    colouring.factor = 10;
    colouring.scale = {-3, 7};
    const auto scaled = layers(colouring);
    for (std::size_t i = 0; i < n; ++i) {
      const bool isOpen = block->rows[i] % kEvery == 0;
      QCOMPARE(plain[4 * i + 3], std::uint8_t(isOpen ? DrawLayer::Hidden : DrawLayer::Normal));
      QCOMPARE(clustered[4 * i + 3], std::uint8_t(isOpen ? DrawLayer::Hidden : DrawLayer::Noise));
      QCOMPARE(withoutNoise[4 * i + 3], std::uint8_t(DrawLayer::Hidden));
      const Colour expected = mapColour(
          ColourMap::Viridis,
          positionOn(colouring.scale, double(float(2 + 10 * double(block->xyz[3 * i + 1])))));
      QVERIFY(isOpen || (std::abs(scaled[4 * i] - expected.r) <= 1 &&
                         std::abs(scaled[4 * i + 1] - expected.g) <= 1 &&
                         std::abs(scaled[4 * i + 2] - expected.b) <= 1));
    }
    // The view takes the axis and the scale of the legend.
    DisplayState display = session_->display();
    display.colourBy = ColourBy::Dimension;
    display.dimension = 1;
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    shot(window_.get(), "file_levels_dimension");
  }

  // Rows that are not open have the values of their columns.
  void columnsColourAllRows_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("name");
    for (const char* name : {"height", "classification", "true colour"})
      QTest::newRow(name) << "columns.ply" << name;
    QTest::newRow("kind") << "columns.csv"
                          << "kind";
  }
  void columnsColourAllRows() {
    QFETCH(QString, file);
    QFETCH(QString, name);
    QVERIFY(writeDataset(path(file).toStdString(), columns()));
    OpenRequest request;
    request.path = path(file);
    request.read.every = kEvery;
    request.read.coordinates = {"x", "y"};
    request.eps = 0.5;
    request.minPts = 6;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    const auto read = readDataset(path(file).toStdString(), {});
    QVERIFY(read);
    DisplayState display = session_->display();
    display.colourBy = name == "true colour" ? ColourBy::TrueColour : ColourBy::Attribute;
    display.attribute = name;
    session_->setDisplay(display);
    const auto open = [&] { return session_->derived().colourValues(); };
    QVERIFY(waitUntil(
        [&] {
          return open() && open()->by == display.colourBy && levels().values(open()) && isDrawn();
        },
        60'000));
    shot(window_.get(), qPrintable("file_levels_" + QString(name).replace(' ', '_')));
    QCOMPARE(open()->words.size(), std::size_t(name == "kind"             ? 3
                                               : name == "classification" ? 2
                                                                          : 0));
    StoredColouring colouring;
    colouring.every = kEvery;
    colouring.isPlain = false;
    colouring.values = levels().values(open());
    colouring.isTrueColour = display.colourBy == ColourBy::TrueColour;
    colouring.categories = open()->words.size();
    colouring.scale = {0, 60};
    const StoredColourer colourer = storedColourer(colouring);
    const auto valueOf = [&](const char* column, std::uint32_t row) {
      for (const Attribute& attribute : read->attributes)
        if (attribute.name == column)
          return withVector(attribute.values, [&](const auto& v) { return double(v[row]); });
      return -1.0;
    };
    const auto colourOf = [&](std::uint32_t row) -> Colour {
      if (name == "height")
        return mapColour(ColourMap::Viridis, positionOn(colouring.scale, valueOf("height", row)));
      if (name == "true colour")
        return {std::uint8_t(valueOf("red", row)), std::uint8_t(valueOf("green", row)),
                std::uint8_t(valueOf("blue", row))};
      if (name == "kind") return clusterColour(std::int32_t(valueOf("kind", row)));
      return clusterColour(valueOf("classification", row) == 6);
    };
    std::size_t others = 0;
    for (const std::size_t b : {std::size_t{0}, levels().stored()->outline()->blocks.size() - 1}) {
      const auto block = levels().stored()->read(b);
      QVERIFY(block);
      std::vector<std::uint8_t> bytes(4 * block->rows.size());
      colourer(b, *block, bytes);
      for (std::size_t i = 0; i < block->rows.size(); ++i) {
        const std::uint32_t row = block->rows[i];
        // A class that no open row has is no category.
        const bool isOther = name == "classification" && row % kEvery == 3;
        QCOMPARE(bytes[4 * i + 3], std::uint8_t(row % kEvery == 0 ? DrawLayer::Hidden
                                                : isOther         ? DrawLayer::Noise
                                                                  : DrawLayer::Normal));
        if (row % kEvery == 0 || isOther) continue;
        ++others;
        const Colour expected = colourOf(row);
        QVERIFY2(std::abs(bytes[4 * i] - expected.r) <= 1 &&
                     std::abs(bytes[4 * i + 1] - expected.g) <= 1 &&
                     std::abs(bytes[4 * i + 2] - expected.b) <= 1,
                 qPrintable(QString::number(row)));
      }
    }
    QVERIFY(others > 1000);
    // Nobody knows the neighbours of the others.
    display.colourBy = ColourBy::Density;
    session_->setDisplay(display);
    QVERIFY(waitUntilIdle(*session_) && waitUntilSettled(*window_));
    QVERIFY(!levels().values(session_->derived().colourValues()));
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
  }

  // Of the other rows nobody knows whether they are in its window.
  void aPlayedColumnShowsOpenRows() {
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    ColumnPlayer& player = window_->cloudView()->player();
    player.setOn(true);
    QVERIFY(waitUntil([&] { return !scene().storedPoints(); }, 60'000));
    QVERIFY(window_->cloudView()->pointsInWindow());
    player.setOn(false);
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
  }
};

WINDOW_TEST(TestFileColours);
#include "tst_file_colours.moc"
