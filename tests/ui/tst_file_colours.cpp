// The colours of all rows of a file of which some are open.
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "engine/io/file_stamp.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "levels_window.h"
#include "render/paint/colour_map.h"
#include "render/paint/palette.h"
#include "ui/panels/message_bar.h"
#include "ui/session/derived_results.h"
#include "ui/session/file_colours.h"
#include "ui/session/open_clouds.h"
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
  /// Writes the columns into a file and opens some of their rows; all rows are drawn then.
  bool openColumns(const QString& file, const Dataset& data) {
    if (!writeDataset(path(file).toStdString(), data)) return false;
    OpenRequest request;
    request.path = path(file);
    request.read.every = kEvery;
    request.read.coordinates = {"x", "y"};
    request.eps = 0.5;
    request.minPts = 6;
    window_->openRequest(request);
    return waitUntilSettled(*window_) && waitUntilIdle(*session_) &&
           waitUntil([&] { return isDrawn(); }, 60'000);
  }
  void colourBy(ColourBy by, const QString& name) {
    DisplayState display = session_->display();
    display.colourBy = by;
    display.attribute = name;
    session_->setDisplay(display);
  }

  enum class Change { FewerRows, OtherColumns, OtherValues, Cut, Deleted };
  static void changes() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("message");
    for (const char* file : {"columns.ply", "columns.csv"}) {
      const auto row = [file](const char* name, Change change, const char* message) {
        QTest::addRow("%s, %s", file, name) << file << change << message;
      };
      row("fewer rows", Change::FewerRows, "has changed");
      row("other columns", Change::OtherColumns, "has changed");
      row("other values", Change::OtherValues, "has changed");
      row("cut", Change::Cut, "has changed");
      row("deleted", Change::Deleted, "is not there any more");
    }
  }
  static std::vector<double>& heights(Dataset& data) {
    return std::get<std::vector<double>>(data.attributes.front().values);
  }
  /// The columns with another height.
  static Dataset otherValues() {
    Dataset others = columns();
    for (double& height : heights(others)) height = 100 - height;
    return others;
  }
  /// Does this with the file of the columns; false where it fails.
  bool make(Change change, const QString& file) const {
    const std::string target = path(file).toStdString();
    Dataset fewer = rows();
    switch (change) {
      case Change::FewerRows:
        fewer.inputRows = 100;
        for (auto& column : fewer.cloud.columns) column.resize(100);
        fewer.attributes = {{"height", std::vector<double>(100, 1.5)}};
        fewer.columnOrder.push_back(2);
        return writeDataset(target, fewer).has_value();
      case Change::OtherColumns: return writeDataset(target, rows()).has_value();
      case Change::OtherValues: return writeDataset(target, otherValues()).has_value();
      case Change::Cut: return QFile::resize(path(file), QFileInfo(path(file)).size() / 2);
      case Change::Deleted: return QFile::remove(path(file));
    }
    return false;
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
    QVERIFY(openColumns(file, columns()));
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
      if (name == "kind")
        return clusterColour(std::int32_t(valueOf("kind", row)), Background::Light);
      return clusterColour(valueOf("classification", row) == 6, Background::Light);
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

  // All rows are on show when the file is replaced, and are then coloured by a column.
  void aReplacedFileColoursNothing_data() { changes(); }
  void aReplacedFileColoursNothing() {
    QFETCH(QString, file);
    QFETCH(Change, change);
    QFETCH(QString, message);
    QVERIFY(openColumns(file, columns()));
    const auto stored = levels().stored();
    QVERIFY(make(change, file));
    colourBy(ColourBy::Attribute, "height");
    const auto* messages = window_->findChild<MessageBar*>();
    const auto open = [&] { return session_->derived().colourValues(); };
    QVERIFY(waitUntil([&] { return open() && messages->text().contains(message); }, 60'000));
    QVERIFY2(messages->text().contains(file), qPrintable(messages->text()));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!levels().values(open()));
    // What is drawn has been stored before.
    QVERIFY(levels().stored() == stored);
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    if (file.endsWith("csv")) shot(window_.get(), "file_colours_replaced");
    if (change != Change::OtherValues) return;
    // Opened again it has its own colours.
    QVERIFY(openColumns(file, otherValues()));
    colourBy(ColourBy::Attribute, "height");
    QVERIFY(waitUntil([&] { return open() && levels().values(open()); }, 60'000));
    Dataset others = otherValues();
    const auto block = levels().stored()->read(1);
    QVERIFY(block);
    std::vector<float> values(block->rows.size());
    QVERIFY(levels().values(open())->read(1, std::as_writable_bytes(std::span(values))));
    for (std::size_t i = 0; i < values.size(); ++i)
      QCOMPARE(values[i], float(heights(others)[block->rows[i]]));
  }

  // The file is replaced while it is read in parts.
  void aFileThatIsReplacedWhileItIsReadColoursNothing_data() { changes(); }
  void aFileThatIsReplacedWhileItIsReadColoursNothing() {
    QFETCH(QString, file);
    QFETCH(Change, change);
    QFETCH(QString, message);
    Dataset data = columns();
    QVERIFY(writeDataset(path(file).toStdString(), data));
    ReadOptions read;
    read.coordinates = {"x", "y"};
    ColourValues open;
    open.by = ColourBy::Attribute;
    open.columns = {"height"};
    int parts = 0;
    bool isMade = false;
    constexpr std::uint64_t kMemory = std::uint64_t{1} << 20;
    FileColours colours(path(file).toStdString(), stampOf(path(file).toStdString()), read, open,
                        kRows, kMemory, {}, [&] {
                          if (++parts == 3) isMade = make(change, file);
                        });
    std::vector<std::uint32_t> values(500);
    std::size_t row = 0;
    Result<void> done;
    while (done && row < kRows) {
      done = colours.next(values);
      for (std::size_t i = 0; done && i < values.size(); ++i, ++row)
        QCOMPARE(std::bit_cast<float>(values[i]), float(heights(data)[row]));
    }
    QVERIFY(isMade && row > 0 && row < kRows);
    QVERIFY(!done);
    QCOMPARE(done.error().kind, ErrorKind::BadInput);
    const QString found = QString::fromStdString(done.error().message);
    QVERIFY2(found.contains(message) && found.contains(file), qPrintable(found));
  }

  // A cloud that comes back has its rows in memory, but all rows of the file would be others.
  void aCloudThatWasLeftIsNotMixedWithAnotherFile() {
    QVERIFY(openColumns("columns.ply", columns()));
    OpenRequest beside;
    beside.path = path("cloud.npy");
    beside.read.every = kEvery;
    session_->clouds().add(beside);
    QVERIFY(waitUntil([&] { return session_->clouds().current() == 1; }));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(make(Change::OtherValues, "columns.ply"));
    session_->clouds().show(0);
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY(waitUntil([&] { return messages->text().contains("has changed"); }, 60'000));
    QVERIFY2(messages->text().contains("columns.ply"), qPrintable(messages->text()));
    colourBy(ColourBy::Attribute, "height");
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(!levels().stored());
    QVERIFY(!levels().values(session_->derived().colourValues()));
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
