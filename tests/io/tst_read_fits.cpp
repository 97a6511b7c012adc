// FITS tables made by cfitsio itself.
#include <fitsio.h>

#include <QTest>
#include <stop_token>

#include "engine/io/read_part.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestReadFits : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void columnsAndUnits();
  void nullsAreMissing();
  void unreadColumns();
  void severalTables();
  void textTable();
  void scaledValues();
  void integersOfTextTables();
  void severalTextsInARow();
  void insideGzip();
  void manyRowsInParts();
  void badFiles();
  void namesAreNotExpressions();
  void stopped();

 private:
  fitsfile* create(const std::string& path) {
    fitsfile* file = nullptr;
    int status = 0;
    QFile::remove(QString::fromStdString(path));
    ::fits_create_diskfile(&file, path.c_str(), &status);
    return status == 0 ? file : nullptr;
  }
  /// A table of ra, dec, flux with counts and a name.
  void addStars(fitsfile* file, const char* name, long rows, int kind = BINARY_TBL) {
    int status = 0;
    const char* types[] = {"1D", "1D", "1E", "1J", "8A"};
    const char* asciiTypes[] = {"D25.17", "D25.17", "E15.7", "I10", "A8"};
    const char* names[] = {"ra", "dec", "flux", "count", "name"};
    const char* units[] = {"deg", "deg", "mJy", "", ""};
    ::fits_create_tbl(file, kind, 0, 5, const_cast<char**>(names),
                      const_cast<char**>(kind == BINARY_TBL ? types : asciiTypes),
                      const_cast<char**>(units), name, &status);
    std::vector<double> ra, dec;
    std::vector<float> flux;
    std::vector<int> count;
    std::vector<std::string> words;
    for (long i = 0; i < rows; ++i) {
      ra.push_back(0.1 * double(i));
      dec.push_back(-90 + 1.0 / double(i + 1));
      flux.push_back(1.5F * float(i));
      count.push_back(int(i) - 1);
      words.push_back(i % 2 == 0 ? "even" : "odd");
    }
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    ::fits_write_col(file, TDOUBLE, 1, 1, 1, rows, ra.data(), &status);
    ::fits_write_col(file, TDOUBLE, 2, 1, 1, rows, dec.data(), &status);
    ::fits_write_col(file, TFLOAT, 3, 1, 1, rows, flux.data(), &status);
    ::fits_write_col(file, TINT, 4, 1, 1, rows, count.data(), &status);
    ::fits_write_col(file, TSTRING, 5, 1, 1, rows, pointers.data(), &status);
    QCOMPARE(status, 0);
  }
  void close(fitsfile* file) {
    int status = 0;
    ::fits_close_file(file, &status);
    QCOMPARE(status, 0);
  }
};

void TestReadFits::columnsAndUnits() {
  fitsfile* const file = create(at("a.fits"));
  addStars(file, "STARS", 3);
  close(file);
  ReadOptions options;
  options.coordinates = {"ra", "dec"};
  const auto read = readDataset(at("a.fits"), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0], (std::vector<double>{0, 0.1, 0.2}));
  QCOMPARE(read->cloud.columns[1][2], -90 + 1.0 / 3);
  QCOMPARE(numbersOf(*read, 0), (std::vector<double>{0, 1.5, 3}));
  QCOMPARE(numbersOf(*read, 1), (std::vector<double>{-1, 0, 1}));
  QCOMPARE(wordsOf(*read, 2), (std::vector<std::string>{"even", "odd", "even"}));
  QCOMPARE(read->source.format, std::string("fits"));
  QCOMPARE(read->source.hash, *hashFile(at("a.fits")));
  const auto preview = previewFile(at("a.fits"));
  REQUIRE_OK(preview);
  QCOMPARE(preview->columns[0].unit, std::string("deg"));
  QCOMPARE(preview->columns[2].type, std::string("float32"));
  QCOMPARE(preview->dataset, std::string("STARS"));
  QCOMPARE(preview->rows[1], (std::vector<std::string>{"0.1", "-89.5", "1.5", "0", "odd"}));
  // From memory.
  QVERIFY(readBytes(readFile(at("a.fits")), options).has_value());
}

void TestReadFits::nullsAreMissing() {
  fitsfile* const file = create(at("n.fits"));
  int status = 0;
  const char* types[] = {"1J", "2D", "1L"};
  const char* names[] = {"count", "pair", "flag"};
  ::fits_create_tbl(file, BINARY_TBL, 0, 3, const_cast<char**>(names), const_cast<char**>(types),
                    nullptr, "T", &status);
  int null = -99;
  ::fits_write_key(file, TINT, "TNULL1", &null, nullptr, &status);
  ::fits_set_hdustruc(file, &status);
  int counts[3] = {1, -99, 3};
  double pairs[6] = {1, 2, 3, 4, 5, 6};
  char flags[3] = {1, 0, 1};
  ::fits_write_col(file, TINT, 1, 1, 1, 3, counts, &status);
  ::fits_write_col(file, TDOUBLE, 2, 1, 1, 6, pairs, &status);
  ::fits_write_col(file, TLOGICAL, 3, 1, 1, 3, flags, &status);
  QCOMPARE(status, 0);
  close(file);
  ReadOptions options;
  options.coordinates = {"pair_0", "pair_1"};
  const auto read = readDataset(at("n.fits"), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[1], (std::vector<double>{2, 4, 6}));
  QVERIFY(std::isnan(numbersOf(*read, 0)[1]));
  QCOMPARE(numbersOf(*read, 1), (std::vector<double>{1, 0, 1}));
  options.coordinates = {"count"};
  REQUIRE_PART(messageOf(readDataset(at("n.fits"), options)), "missing or not a number");
  options.skipNonFinite = true;
  QCOMPARE(readDataset(at("n.fits"), options)->cloud.columns[0], (std::vector<double>{1, 3}));
}

/// Columns of a kind that is not read are named: exports lack them.
void TestReadFits::unreadColumns() {
  fitsfile* const file = create(at("u.fits"));
  int status = 0;
  const char* types[] = {"1D", "1C", "16X", "1PJ(3)", "2000E", "2E"};
  const char* names[] = {"x", "wave", "flags", "events", "spectrum", "pair"};
  ::fits_create_tbl(file, BINARY_TBL, 0, 6, const_cast<char**>(names), const_cast<char**>(types),
                    nullptr, "T", &status);
  double x[2] = {1, 2};
  ::fits_write_col(file, TDOUBLE, 1, 1, 1, 2, x, &status);
  QCOMPARE(status, 0);
  close(file);
  ReadOptions options;
  options.coordinates = {"x"};
  const auto read = readDataset(at("u.fits"), options);
  REQUIRE_OK(read);
  QCOMPARE(read->attributes.size(), 2u);  // the pair
  QCOMPARE(read->unreadColumns, (std::vector<std::string>{"wave (complex numbers)", "flags (bits)",
                                                          "events (lists of different lengths)",
                                                          "spectrum (2000 values in each row)"}));
}

void TestReadFits::severalTables() {
  fitsfile* const file = create(at("m.fits"));
  addStars(file, "STARS", 3);
  addStars(file, "", 5);
  close(file);
  const auto read = readDataset(at("m.fits"));
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(read.error().message, "holds 2 tables: STARS (3 × 5 columns), 2 (5 × 5 columns)");
  ReadOptions options;
  options.dataset = "2";
  options.coordinates = {"ra"};
  QCOMPARE(readDataset(at("m.fits"), options)->cloud.size(), 5u);
  options.dataset = "STARS";
  QCOMPARE(readDataset(at("m.fits"), options)->cloud.size(), 3u);
  options.dataset = "1";
  QCOMPARE(readDataset(at("m.fits"), options)->cloud.size(), 3u);
  options.dataset = "none";
  REQUIRE_PART(messageOf(readDataset(at("m.fits"), options)), "there is no table \"none\"");
  options.dataset = "0";  // the primary image
  QVERIFY(!readDataset(at("m.fits"), options));
}

void TestReadFits::textTable() {
  fitsfile* const file = create(at("t.fits"));
  addStars(file, "STARS", 4, ASCII_TBL);
  close(file);
  ReadOptions options;
  options.coordinates = {"ra", "dec"};
  const auto read = readDataset(at("t.fits"), options);
  REQUIRE_OK(read);
  QVERIFY(std::abs(read->cloud.columns[1][3] - (-90 + 0.25)) < 1e-12);
  QCOMPARE(wordsOf(*read, 2)[1], std::string("odd"));
}

/// What is stored, times a scale, has more digits than a float.
void TestReadFits::scaledValues() {
  fitsfile* const file = create(at("scaled.fits"));
  int status = 0;
  const char* types[] = {"1D", "1I", "1B", "1E", "1E", "1I"};
  const char* names[] = {"x", "short", "byte", "float", "plain", "mirrored"};
  ::fits_create_tbl(file, BINARY_TBL, 0, 6, const_cast<char**>(names), const_cast<char**>(types),
                    nullptr, "T", &status);
  const auto write = [&](const char* key, double value) {
    ::fits_write_key(file, TDOUBLE, key, &value, nullptr, &status);
  };
  write("TSCAL2", 0.01);
  write("TZERO3", 0.1);
  write("TSCAL4", 0.1);
  write("TSCAL6", -1);
  int null = -1;
  ::fits_write_key(file, TINT, "TNULL2", &null, nullptr, &status);
  ::fits_set_hdustruc(file, &status);
  for (int column = 1; column <= 6; ++column) ::fits_set_tscale(file, column, 1, 0, &status);
  double x[2] = {1, 2};
  int stored[3][2] = {{12345, -1}, {7, 8}, {3, -4}};
  float floats[2] = {0.3F, 0.7F};
  ::fits_write_col(file, TDOUBLE, 1, 1, 1, 2, x, &status);
  for (const int c : {2, 3, 6})
    ::fits_write_col(file, TINT, c, 1, 1, 2, stored[c == 6 ? 2 : c - 2], &status);
  for (const int c : {4, 5}) ::fits_write_col(file, TFLOAT, c, 1, 1, 2, floats, &status);
  QCOMPARE(status, 0);
  close(file);
  ReadOptions options;
  options.coordinates = {"x"};
  const auto read = readDataset(at("scaled.fits"), options);
  REQUIRE_OK(read);
  QCOMPARE(numbersOf(*read, 0)[0], 12345 * 0.01);
  QVERIFY(std::isnan(numbersOf(*read, 0)[1]));
  QCOMPARE(numbersOf(*read, 1), (std::vector<double>{7 + 0.1, 8 + 0.1}));
  QCOMPARE(numbersOf(*read, 2)[0], static_cast<double>(0.3F) * 0.1);
  QVERIFY(std::holds_alternative<std::vector<float>>(read->attributes[3].values));
  QCOMPARE(numbersOf(*read, 4), (std::vector<double>{-3, 4}));
}

/// Integers with more digits than 32 bits have, and other cells as they are written.
void TestReadFits::integersOfTextTables() {
  fitsfile* const file = create(at("digits.fits"));
  int status = 0;
  const char* types[] = {"I20", "I3", "E15.7"};
  const char* names[] = {"id", "count", "flux"};
  ::fits_create_tbl(file, ASCII_TBL, 0, 3, const_cast<char**>(names), const_cast<char**>(types),
                    nullptr, "T", &status);
  ::fits_write_key(file, TSTRING, "TNULL3", const_cast<char*>("none"), nullptr, &status);
  ::fits_set_hdustruc(file, &status);
  const auto addRow = [&](LONGLONG number, std::string id, std::string count, std::string flux) {
    id.resize(21, ' ');
    count.resize(4, ' ');
    flux.resize(15, ' ');
    std::string row = id + count + flux;
    ::fits_write_tblbytes(file, number, 1, LONGLONG(row.size()),
                          reinterpret_cast<unsigned char*>(row.data()), &status);
  };
  addRow(1, " 9223372036854775807", "  1", "  1.2345678E+01");
  addRow(2, "-9007199254740993", "2", "none");
  addRow(3, "", " +3", "+7.0000000E+00");
  QCOMPARE(status, 0);
  close(file);
  ReadOptions options;
  options.coordinates = {"count"};
  const auto read = readDataset(at("digits.fits"), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0], (std::vector<double>{1, 2, 3}));
  QCOMPARE(std::get<std::vector<std::int64_t>>(read->attributes[0].values),
           (std::vector<std::int64_t>{INT64_MAX, -9007199254740993, 0}));
  const std::vector<double> flux = numbersOf(*read, 1);
  QVERIFY(std::abs(flux[0] - 12.345678) < 1e-14);
  QVERIFY(std::isnan(flux[1]));
  QCOMPARE(flux[2], 7.0);
  // As a coordinate it is a double.
  options.coordinates = {"id"};
  QCOMPARE(readDataset(at("digits.fits"), options)->cloud.columns[0][0], 9223372036854775807.0);
  std::string bytes = readFile(at("digits.fits"));
  bytes.replace(bytes.find(" 9223372036854775807"), 20, "99999999999999999999");
  writeFile(at("digits.fits"), bytes);
  REQUIRE_PART(messageOf(readDataset(at("digits.fits"), options)), "is not a 64-bit integer");
}

/// Several texts in a row are no column of one text: the library would go on with those of the row.
void TestReadFits::severalTextsInARow() {
  fitsfile* const file = create(at("t.fits"));
  int status = 0;
  const char* types[] = {"1D", "10A5"};
  const char* names[] = {"x", "tags"};
  ::fits_create_tbl(file, BINARY_TBL, 0, 2, const_cast<char**>(names), const_cast<char**>(types),
                    nullptr, "T", &status);
  double x[] = {1, 2, 3};
  ::fits_write_col(file, TDOUBLE, 1, 1, 1, 3, x, &status);
  std::vector<std::string> words{"a0", "a1", "b0", "b1", "c0", "c1"};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  ::fits_write_col(file, TSTRING, 2, 1, 1, 6, pointers.data(), &status);
  QCOMPARE(status, 0);
  close(file);
  const auto read = readDataset(at("t.fits"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.size(), 3u);
  QCOMPARE(read->unreadColumns, (std::vector<std::string>{"tags (2 strings in each row)"}));
}

void TestReadFits::insideGzip() {
  fitsfile* const file = create(at("g.fits"));
  addStars(file, "STARS", 3);
  close(file);
  REQUIRE_OK(writeAtomically(at("g.fits.gz"), readFile(at("g.fits"))));
  REQUIRE_OK(writeAtomically(at("g.fits.zst"), readFile(at("g.fits"))));
  ReadOptions options;
  options.coordinates = {"ra", "dec"};
  const auto read = readDataset(at("g.fits.gz"), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0], (std::vector<double>{0, 0.1, 0.2}));
  QCOMPARE(read->source.hash, *hashFile(at("g.fits.gz")));
  ReadOptions little = options;
  little.memoryLimit = 4096;
  for (const char* name : {"g.fits.gz", "g.fits.zst"}) {
    const auto refused = readDataset(at(name), little);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
  }
  const auto zstd = readDataset(at("g.fits.zst"), options);
  REQUIRE_OK(zstd);
  QCOMPARE(zstd->cloud.columns, read->cloud.columns);
  QCOMPARE(zstd->source.hash, *hashFile(at("g.fits.zst")));
}

void TestReadFits::manyRowsInParts() {
  fitsfile* const file = create(at("p.fits"));
  addStars(file, "STARS", 20'000);
  close(file);
  ReadOptions options;
  options.coordinates = {"ra", "dec"};
  const auto whole = readDataset(at("p.fits"), options);
  REQUIRE_OK(whole);
  QCOMPARE(whole->cloud.size(), 20'000u);
  QCOMPARE(whole->cloud.columns[0][19'999], 0.1 * 19'999);
  std::uint64_t before = 0;
  for (int part = 0; part < 3; ++part) {
    const auto opened = openFilePart(at("p.fits"), options, part, 3, {});
    REQUIRE_OK(opened);
    const auto read = (*opened)->read(before, 0, {});
    REQUIRE_OK(read);
    QCOMPARE(read->cloud.columns[1][0], whole->cloud.columns[1][before]);
    before += (*opened)->rows();
  }
  QCOMPARE(before, 20'000u);
}

void TestReadFits::badFiles() {
  fitsfile* const file = create(at("b.fits"));
  addStars(file, "STARS", 2000);
  close(file);
  const std::string bytes = readFile(at("b.fits"));
  ReadOptions options;
  options.coordinates = {"ra", "dec"};
  for (const std::size_t size : {bytes.size() / 2, std::size_t{5760}, std::size_t{3000},
                                 std::size_t{2880}, std::size_t{80}, std::size_t{20}}) {
    writeFile(at("cut.fits"), bytes.substr(0, size));
    const auto read = readDataset(at("cut.fits"), options);
    QVERIFY2(!read, std::to_string(size).c_str());
    QVERIFY(read.error().kind == ErrorKind::BadInput || read.error().kind == ErrorKind::BadCall);
    QVERIFY(has(read.error().message, "cut.fits: "));
  }
  std::string columns = bytes;
  const std::size_t fields = columns.find("TFIELDS =");
  columns.replace(fields + 10, 20, "           108411200");
  // With a second sign, cfitsio takes the number behind it, and 20 GB of memory.
  for (const char* const key : {"TFIELDS =", "TFIELDS=="}) {
    columns.replace(fields, 9, key);
    writeFile(at("columns.fits"), columns);
    REQUIRE_PART(messageOf(readDataset(at("columns.fits"))), "promises more than 999 columns");
    REQUIRE_OK(writeAtomically(at("columns.fits.gz"), columns));
    REQUIRE_PART(messageOf(readDataset(at("columns.fits.gz"))), "promises more than 999 columns");
  }
  fitsfile* const image = create(at("i.fits"));
  int status = 0;
  long shape[2] = {4, 4};
  ::fits_create_img(image, FLOAT_IMG, 2, shape, &status);
  close(image);
  REQUIRE_PART(messageOf(readDataset(at("i.fits"))), "Images of FITS are not read");
}

void TestReadFits::namesAreNotExpressions() {
  fitsfile* const file = create(at("e.fits"));
  addStars(file, "STARS", 3);
  close(file);
  const QString odd = folder_.filePath("e[1][#row > 1].fits");
  QVERIFY(QFile::copy(QString::fromStdString(at("e.fits")), odd));
  ReadOptions options;
  options.coordinates = {"ra"};
  QCOMPARE(readDataset(odd.toStdString(), options)->cloud.size(), 3u);
}

void TestReadFits::stopped() {
  fitsfile* const file = create(at("s.fits"));
  addStars(file, "STARS", 50'000);
  close(file);
  std::stop_source stop;
  Task task;
  task.stop = stop.get_token();
  task.progress = [&](std::string_view, double fraction) {
    if (fraction > 0.2) stop.request_stop();
  };
  const auto read = readDataset(at("s.fits"), {}, task);
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::Cancelled);
}

GUILESS_TEST(TestReadFits);
#include "tst_read_fits.moc"
