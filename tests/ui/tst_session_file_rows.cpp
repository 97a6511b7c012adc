// Selected rows of a file of which some are open are read with the columns of these.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/read.h"
#include "tests/test_program.h"
#include "ui/session/file_row.h"

using namespace clusterloom;

class TestFileRows : public QObject {
  Q_OBJECT

  static constexpr int kRows = 4000;
  static constexpr int kSkipped = 13;
  QTemporaryDir folder_;

  static std::string kindOf(int row) { return "kind " + std::to_string(row / 500); }
  QString write(int rows) const {
    QByteArray text = "x,kind,y,mass\n";
    for (int i = 0; i < rows; ++i)
      text += (i == kSkipped ? QByteArray("nan") : QByteArray::number(i)) + ',' +
              QByteArray::fromStdString(kindOf(i)) + ',' + QByteArray::number(i % 7) + ',' +
              QByteArray::number(0.5 * i) + '\n';
    return write(text);
  }
  /// Of x, y and two more columns.
  QString write(const QByteArray& names,
                const std::function<std::pair<QByteArray, QByteArray>(int row)>& values) const {
    QByteArray text = "x," + names.split(',')[0] + ",y," + names.split(',')[1] + '\n';
    for (int i = 0; i < kRows; ++i) {
      const auto [first, second] = values(i);
      text += QByteArray::number(i) + ',' + first + ',' + QByteArray::number(i % 7) + ',' + second +
              '\n';
    }
    return write(text);
  }
  QString write(const QByteArray& text) const {
    QFile file(folder_.filePath("rows.csv"));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                              : QString();
  }
  /// Every fifth row; all are read in this number of parts. With `kept` only these columns beside
  /// the coordinates.
  Result<OpenFile> open(const QString& path, std::uint64_t parts,
                        const std::vector<std::string>& kept = {}) const {
    OpenFile file;
    file.path = path.toStdString();
    file.stamp = stampOf(file.path);
    file.read.coordinates = {"x", "y"};
    file.read.skipNonFinite = true;
    file.read.every = 5;
    file.read.keepOthers = kept.empty();
    file.read.keep = kept;
    auto data = readDataset(file.path, file.read);
    if (!data) return tl::unexpected(data.error());
    data->inputRows = parts * 100'000;
    file.open = std::make_shared<const Dataset>(std::move(*data));
    return file;
  }
  static FileRowSet selected(const std::vector<int>& rows) {
    FileRowSet set;
    for (const int row : rows) set.add(std::uint64_t(row));
    return set;
  }

 private Q_SLOTS:
  void theyHaveTheirColumns_data() {
    QTest::addColumn<quint64>("parts");
    QTest::newRow("at once") << quint64(0);
    QTest::newRow("in parts") << quint64(20);
  }
  void theyHaveTheirColumns() {
    QFETCH(quint64, parts);
    const auto file = open(write(kRows), parts);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const std::vector<int> rows{2, 14, 15, 499, 500, 2001, 3999};
    FileRowSet some = selected(rows);
    some.add(14);  // again
    QCOMPARE(some.count, std::uint64_t(rows.size()));
    const auto found = readFileRows(*file, some, nullptr, {});
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QVERIFY(found->labels.empty());
    const Dataset& data = found->data;
    QCOMPARE(data.cloud.size(), rows.size());
    QCOMPARE(data.inputRows, std::uint64_t(rows.size()));
    QCOMPARE(data.every, std::uint64_t(1));
    QVERIFY(data.columnOrder == file->open->columnOrder);
    QCOMPARE(data.attributes.size(), std::size_t(2));
    QVERIFY(data.attributes[0].name == "kind" && data.attributes[1].name == "mass");
    const auto& kinds = std::get<Categories>(data.attributes[0].values);
    const auto& mass = std::get<std::vector<double>>(data.attributes[1].values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      QCOMPARE(data.cloud.columns[0][i], double(rows[i]));
      QCOMPARE(data.cloud.columns[1][i], double(rows[i] % 7));
      QCOMPARE(kinds.words[std::size_t(kinds.codes[i])], kindOf(rows[i]));
      QCOMPARE(mass[i], 0.5 * rows[i]);
    }
  }

  void columnsMayHaveOneName() {
    const auto file =
        open(write("mass,mass",
                   [](int i) {
                     return std::pair(QByteArray::number(0.5 * i), QByteArray::number(0.25 * i));
                   }),
             20);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->open->attributes.size(), std::size_t(2));
    const auto found = readFileRows(*file, selected({3, 3999}), nullptr, {});
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    const auto& attributes = found->data.attributes;
    QCOMPARE(attributes.size(), std::size_t(2));
    QCOMPARE(std::get<std::vector<double>>(attributes[0].values),
             (std::vector<double>{1.5, 1999.5}));
    QCOMPARE(std::get<std::vector<double>>(attributes[1].values),
             (std::vector<double>{0.75, 999.75}));
  }

  /// One of them is not kept.
  void theKeptOneOfTwoWithOneNameIsExported() {
    const auto file =
        open(write("mass,mass",
                   [](int i) {
                     return std::pair(QByteArray::number(0.5 * i), QByteArray::number(0.25 * i));
                   }),
             20, {"3"});
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto found = readFileRows(*file, selected({3, 3999}), nullptr, {});
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->data.attributes.size(), std::size_t(1));
    QCOMPARE(std::get<std::vector<double>>(found->data.attributes[0].values),
             (std::vector<double>{0.75, 999.75}));
  }

  void aColumnHasOneTypeInAllParts() {
    // A code that becomes text late, and numbers of which one that is not open is no integer.
    constexpr int kLate = 3800;
    constexpr int kHalf = 3801;
    const auto file = open(
        write("code,mass",
              [](int i) {
                return std::pair(i < kLate ? QByteArray::number(i) + ".50" : QByteArray("none"),
                                 i == kHalf ? QByteArray("0.5") : QByteArray::number(i));
              }),
        20);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QVERIFY(isText(file->open->attributes[0].values));
    const auto found = readFileRows(*file, selected({3, kHalf}), nullptr, {});
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    const auto& codes = std::get<Categories>(found->data.attributes[0].values);
    QCOMPARE(codes.words[std::size_t(codes.codes[0])], std::string("3.50"));
    QCOMPARE(codes.words[std::size_t(codes.codes[1])], std::string("none"));
    QCOMPARE(std::get<std::vector<double>>(found->data.attributes[1].values),
             (std::vector<double>{3, 0.5}));
  }

  void anotherFileIsRefused() {
    const auto file = open(write(kRows), 0);
    QVERIFY(file);
    write(kRows - 1);
    const auto changed = readFileRows(*file, selected({2}), nullptr, {});
    QVERIFY(!changed);
    QVERIFY2(changed.error().message.find("has changed") != std::string::npos,
             changed.error().message.c_str());
    // Rows that are not there are those of another file, too.
    const auto shorter = open(write(kRows), 0);
    QVERIFY(shorter);
    QVERIFY(!readFileRows(*shorter, selected({2, kSkipped}), nullptr, {}));
  }

  void aStopEndsIt() {
    const auto file = open(write(kRows), 20);
    QVERIFY(file);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = readFileRows(*file, selected({2}), nullptr, Task{stop.get_token(), {}});
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
  }

  void setsOfRowsAsText() {
    const FileRowSet some = selected({0, 1, 2, 5, 300, 301, 70000});
    const auto found = rowsFrom(rowsText(some), 70'001);
    QVERIFY(found && found->isComplete && found->of == 70'001);
    QVERIFY(!rowsFrom(rowsText(some), 6));
    QVERIFY(sameRows(found, std::make_shared<const FileRowSet>(some)));
    QVERIFY(!sameRows(found, std::make_shared<const FileRowSet>(selected({0, 1, 2, 5, 300}))));
    QVERIFY(!sameRows(found,
                      std::make_shared<const FileRowSet>(selected({0, 1, 2, 5, 300, 301, 70001}))));
    QVERIFY(!sameRows(found, nullptr));
    for (const QString& none : {QString(), QString("no text"), QString("AA")})
      QVERIFY(!rowsFrom(none, 100));
  }

  void rowsAreTakenOut() {
    FileRowSet some = selected({1, 2, 5, 300});
    some.remove(selected({2, 3, 300, 5000}));
    QCOMPARE(some.count, std::uint64_t{2});
    QVERIFY(some.has(1) && some.has(5) && !some.has(2) && !some.has(300));
  }

  void moreThanFitsIsRefused() {
    const auto file = open(write(kRows), 0);
    QVERIFY(file);
    FileRowSet many = selected({2});
    many.count = std::uint64_t{1} << 50;
    QCOMPARE(readFileRows(*file, many, nullptr, {}).error().kind, ErrorKind::TooLarge);
  }
};

APPLESS_TEST(TestFileRows);
#include "tst_session_file_rows.moc"
