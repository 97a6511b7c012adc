// HDF5 files made by the library itself: every shape of table, types, chunks, filters.
#include <malloc.h>

#include <QTest>
#include <algorithm>
#include <array>
#include <stop_token>

#include "engine/io/read_part.h"
#include "engine/io/write.h"
#include "hdf5_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestReadHdf5 : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void layouts_data();
  void layouts();
  void numberTypes_data();
  void numberTypes();
  void groupOfColumns();
  void records();
  void recordsInRecords();
  void recordsGiveMemoryBack();
  void texts();
  void writtenTextsSayTheirEncoding();
  void cellsFile();
  void chosenColumnsOfAWideMatrix();
  void contentAfterAUserBlock();
  void parts();
  void badChoices();
  void namesOfLargeGroups();
  void deepGroups();
  void orderOfNames();
  void stopAndProgress();
};

void TestReadHdf5::layouts_data() {
  QTest::addColumn<std::vector<hsize_t>>("chunk");
  QTest::addColumn<int>("gzip");
  QTest::newRow("contiguous") << std::vector<hsize_t>{} << 0;
  QTest::newRow("chunked") << std::vector<hsize_t>{1000, 3} << 0;
  QTest::newRow("chunked, gzip, shuffled") << std::vector<hsize_t>{777, 2} << 4;
  QTest::newRow("chunks of columns") << std::vector<hsize_t>{90'000, 1} << 1;
}

void TestReadHdf5::layouts() {
  QFETCH(std::vector<hsize_t>, chunk);
  QFETCH(int, gzip);
  constexpr std::size_t n = 100'000;
  const auto values = drawn(3 * n);
  {
    const Hdf5File file(at("m.h5"));
    file.add("points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {n, 3}, values.data(), chunk, gzip);
  }
  const auto read = readDataset(at("m.h5"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.size(), n);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "y", "z"}));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (read->cloud.columns[j][i] != values[3 * i + j]) QFAIL(std::to_string(i).c_str());
  QCOMPARE(read->source.format, std::string("hdf5"));
  QCOMPARE(read->source.hash, *hashFile(at("m.h5")));
  ReadOptions options;
  options.every = 1000;
  QCOMPARE(readDataset(at("m.h5"), options)->cloud.columns[1][7], values[3 * 7000 + 1]);
}

void TestReadHdf5::numberTypes_data() {
  QTest::addColumn<qint64>("type");
  QTest::addColumn<QString>("name");
  const auto add = [](const char* row, hid_t type, const char* name) {
    QTest::newRow(row) << qint64(type) << name;
  };
  add("i8", H5T_STD_I8LE, "int8");
  add("u8", H5T_STD_U8LE, "uint8");
  add("i16 big", H5T_STD_I16BE, "int16");
  add("u32", H5T_STD_U32LE, "uint32");
  add("i64 big", H5T_STD_I64BE, "int64");
  add("f32", H5T_IEEE_F32LE, "float32");
  add("f32 big", H5T_IEEE_F32BE, "float32");
  add("f64 big", H5T_IEEE_F64BE, "float64");
}

void TestReadHdf5::numberTypes() {
  QFETCH(qint64, type);
  QFETCH(QString, name);
  const std::vector<double> values{1, 2, 3, 100, 5, 6, 7, 120};
  {
    const Hdf5File file(at("t.h5"));
    file.add("points", hid_t(type), H5T_NATIVE_DOUBLE, {4, 2}, values.data());
  }
  const auto read = readDataset(at("t.h5"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0], (std::vector<double>{1, 3, 5, 7}));
  QCOMPARE(read->cloud.columns[1], (std::vector<double>{2, 100, 6, 120}));
  QCOMPARE(previewFile(at("t.h5"))->columns[0].type, name.toStdString());
}

void TestReadHdf5::groupOfColumns() {
  {
    const Hdf5File file(at("g.h5"));
    file.group("locs");
    file.doubles("locs/x", {1, 2, 3});
    file.doubles("locs/y", {4, 5, 6});
    file.doubles("locs/sigma", {0.1, 0.2, 0.3});
    file.doubles("locs/bounds", {0, 1});  // of another length: no column
    const std::array<float, 3> frame{10, 11, 12};
    file.add("locs/frame", H5T_STD_U32LE, H5T_NATIVE_FLOAT, {3}, frame.data());
    const hid_t set = H5Dopen2(file, "locs/x", H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 3);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t units = H5Acreate2(set, "units", type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(units, type, "nm");
    H5Aclose(units);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
  }
  const auto read = readDataset(at("g.h5"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "y"}));
  QCOMPARE(read->cloud.columns[1], (std::vector<double>{4, 5, 6}));
  QCOMPARE(read->attributes.size(), 2u);
  QCOMPARE(read->attributes[0].name, std::string("frame"));
  QCOMPARE(numbersOf(*read, 0), (std::vector<double>{10, 11, 12}));
  const auto preview = previewFile(at("g.h5"));
  REQUIRE_OK(preview);
  QCOMPARE(preview->dataset, std::string("/locs"));
  QCOMPARE(preview->columns[2].unit, std::string("nm"));
  // One dataset of the group alone.
  const auto alone = readDataset(at("g.h5"), from("/locs/sigma"));
  REQUIRE_OK(alone);
  QCOMPARE(alone->cloud.names, std::vector<std::string>{"sigma"});
}

void TestReadHdf5::records() {
  struct Record {
    float x;
    std::int32_t frame;
    double y;
    std::array<double, 2> shift;
    char kind[4];
  };
  const std::vector<Record> rows{{1.5F, 7, 2.5, {8, 9}, "ab"}, {3.5F, 8, 4.5, {10, 11}, "cde"}};
  {
    const Hdf5File file(at("r.h5"));
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
    const hsize_t two = 2;
    const hid_t pair = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 4);
    H5Tinsert(type, "x", HOFFSET(Record, x), H5T_NATIVE_FLOAT);
    H5Tinsert(type, "frame", HOFFSET(Record, frame), H5T_NATIVE_INT32);
    H5Tinsert(type, "y", HOFFSET(Record, y), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "shift", HOFFSET(Record, shift), pair);
    H5Tinsert(type, "kind", HOFFSET(Record, kind), text);
    file.add("locs", type, type, {2}, rows.data());
    H5Tclose(text);
    H5Tclose(pair);
    H5Tclose(type);
  }
  const auto read = readDataset(at("r.h5"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "y"}));
  QCOMPARE(read->cloud.columns[0], (std::vector<double>{1.5, 3.5}));
  QCOMPARE(numbersOf(*read, 0), (std::vector<double>{7, 8}));
  QCOMPARE(read->attributes[2].name, std::string("shift_1"));
  QCOMPARE(numbersOf(*read, 2), (std::vector<double>{9, 11}));
  QCOMPARE(wordsOf(*read, 3), (std::vector<std::string>{"ab", "cde"}));
  QCOMPARE(previewFile(at("r.h5"))->rows[1],
           (std::vector<std::string>{"3.5", "8", "4.5", "10", "11", "cde"}));
}

/// No member of a record is lost without a word.
void TestReadHdf5::recordsInRecords() {
  struct Place {
    double x;
    double y;
  };
  struct Record {
    std::int32_t id;
    Place place;
    const char* word;
  };
  const std::vector<Record> rows{{7, {1.5, 2.5}, "a"}, {8, {3.5, 4.5}, "b"}};
  {
    const Hdf5File file(at("n.h5"));
    const hid_t place = H5Tcreate(H5T_COMPOUND, sizeof(Place));
    H5Tinsert(place, "x", HOFFSET(Place, x), H5T_NATIVE_DOUBLE);
    H5Tinsert(place, "y", HOFFSET(Place, y), H5T_NATIVE_DOUBLE);
    const hid_t variable = H5Tcopy(H5T_C_S1);
    H5Tset_size(variable, H5T_VARIABLE);
    const hid_t nested = H5Tcreate(H5T_COMPOUND, sizeof(Record));
    H5Tinsert(nested, "id", HOFFSET(Record, id), H5T_NATIVE_INT32);
    H5Tinsert(nested, "place", HOFFSET(Record, place), place);
    file.add("nested", nested, nested, {2}, rows.data());
    H5Tinsert(nested, "word", HOFFSET(Record, word), variable);
    file.add("worded", nested, nested, {2}, rows.data());
    H5Tclose(nested);
    H5Tclose(variable);
    H5Tclose(place);
  }
  ReadOptions options;
  options.dataset = "/nested";
  options.coordinates = {"place.x", "place.y"};
  const auto read = readDataset(at("n.h5"), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (std::vector<Coordinates>{{1.5, 3.5}, {2.5, 4.5}}));
  QCOMPARE(numbersOf(*read, 0), (std::vector<double>{7, 8}));
  options.dataset = "/worded";
  REQUIRE_OK(readDataset(at("n.h5"), options));
  options.coordinates.clear();
  REQUIRE_PART(messageOf(readDataset(at("n.h5"), options)), "\"word\"");
}

/// Texts of any length lie beside the records.
void TestReadHdf5::recordsGiveMemoryBack() {
  struct Record {
    double x;
    const char* word;
  };
  constexpr std::size_t rows = 2000;
  const std::string word(10'000, 'w');
  {
    const std::vector<Record> records(rows, {1.5, word.c_str()});
    const Hdf5File file(at("v.h5"));
    const hid_t variable = H5Tcopy(H5T_C_S1);
    H5Tset_size(variable, H5T_VARIABLE);
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
    H5Tinsert(type, "x", HOFFSET(Record, x), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "word", HOFFSET(Record, word), variable);
    file.add("records", type, type, {rows}, records.data());
    H5Tclose(type);
    H5Tclose(variable);
  }
  ReadOptions options;
  options.coordinates = {"x"};
  const std::size_t before = ::mallinfo2().uordblks;
  REQUIRE_OK(readDataset(at("v.h5"), options));
  // What the library keeps for the next file is less than a tenth of the texts. A sanitizer counts
  // them itself.
  QVERIFY(::mallinfo2().uordblks < before + rows * word.size() / 10);
}

void TestReadHdf5::texts() {
  {
    const Hdf5File file(at("s.h5"));
    file.doubles("x", {1, 2, 3});
    const hid_t variable = H5Tcopy(H5T_C_S1);
    H5Tset_size(variable, H5T_VARIABLE);
    const std::array<const char*, 3> words{"one", "", "a longer word than fits into a string"};
    file.add("name", variable, variable, {3}, words.data());
    const hid_t padded = H5Tcopy(H5T_FORTRAN_S1);
    H5Tset_size(padded, 3);
    file.add("code", padded, padded, {3}, "ab c  abc");
    H5Tclose(padded);
    H5Tclose(variable);
  }
  const auto read = readDataset(at("s.h5"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, std::vector<std::string>{"x"});
  QCOMPARE(wordsOf(*read, 0), (std::vector<std::string>{"ab", "c", "abc"}));
  QCOMPARE(wordsOf(*read, 1),
           (std::vector<std::string>{"one", "", "a longer word than fits into a string"}));
}

/// Other readers decode a text as its type says, and fail where it is not so.
void TestReadHdf5::writtenTextsSayTheirEncoding() {
  const auto encodingOf = [&](const std::vector<std::string>& words) {
    Dataset dataset;
    dataset.cloud.names = {"x"};
    dataset.cloud.columns = {{1, 2}};
    dataset.inputRows = 2;
    dataset.attributes = {{"kind", Categories{{1, 0}, words}}};
    if (!writeDataset(at("t.h5"), dataset)) return H5T_CSET_ERROR;
    const hid_t file = H5Fopen(at("t.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "points/kind", H5P_DEFAULT);
    const hid_t type = H5Dget_type(set);
    const H5T_cset_t encoding = H5Tget_cset(type);
    H5Tclose(type);
    H5Dclose(set);
    H5Fclose(file);
    return encoding;
  };
  QCOMPARE(encodingOf({"Öl", "oak"}), H5T_CSET_UTF8);
  QCOMPARE(encodingOf({"\xd6l", "oak"}), H5T_CSET_ASCII);
}

void TestReadHdf5::cellsFile() {
  {
    const Hdf5File file(at("cells.h5ad"));
    const auto values = drawn(40);
    file.group("obs");
    file.doubles("obs/n_counts", {1, 2, 3, 4});
    file.doubles("obs/n_genes", {5, 6, 7, 8});
    file.group("obsm");
    file.add("obsm/X_pca", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {4, 5}, values.data());
    file.add("obsm/X_umap", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {4, 2}, values.data());
    file.add("X", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {4, 10}, values.data());
    file.group("raw");
    file.doubles("raw/data", {1, 2, 3});
    file.doubles("raw/indices", {0, 1, 2});
    const hid_t group = H5Gopen2(file, "raw", H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 10);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t kind = H5Acreate2(group, "encoding-type", type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(kind, type, "csr_matrix");
    H5Aclose(kind);
    H5Sclose(space);
    H5Tclose(type);
    H5Gclose(group);
  }
  REQUIRE_PART(messageOf(readDataset(at("cells.h5ad"), from("/raw"))), "a sparse matrix");
  const auto read = readDataset(at("cells.h5ad"));
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(read.error().message, "holds 4 tables: ");
  REQUIRE_PART(read.error().message, "/obsm/X_pca (4 × 5, float32)");
  REQUIRE_PART(read.error().message, "--dataset NAME");
  const auto umap = readDataset(at("cells.h5ad"), from("/obsm/X_umap"));
  REQUIRE_OK(umap);
  QCOMPARE(umap->cloud.dims(), 2u);
  QCOMPARE(readDataset(at("cells.h5ad"), from("obs"))->cloud.names,
           (std::vector<std::string>{"n_counts", "n_genes"}));
  const auto preview = previewFile(at("cells.h5ad"));
  REQUIRE_OK(preview);
  QCOMPARE(preview->dataset, std::string("/obsm/X_pca"));
  QCOMPARE(preview->tables.size(), 11u);  // with groups and single columns
  QVERIFY(preview->tables[0].isGroup);
  QCOMPARE(preview->tables[0].name, std::string("/"));
}

void TestReadHdf5::chosenColumnsOfAWideMatrix() {
  constexpr std::size_t n = 500;
  constexpr std::size_t d = 300;
  const auto values = drawn(n * d);
  {
    const Hdf5File file(at("w.h5"));
    file.add("X", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {n, d}, values.data(), {100, 100}, 1);
  }
  REQUIRE_OK(readDataset(at("w.h5")));
  ReadOptions options;
  options.coordinates = {"120", "7", "x299"};
  options.keepOthers = false;
  const auto read = readDataset(at("w.h5"), options);
  REQUIRE_OK(read);
  for (std::size_t i = 0; i < n; ++i) {
    QCOMPARE(read->cloud.columns[0][i], values[i * d + 120]);
    QCOMPARE(read->cloud.columns[1][i], values[i * d + 7]);
    QCOMPARE(read->cloud.columns[2][i], values[i * d + 299]);
  }
}

void TestReadHdf5::contentAfterAUserBlock() {
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, 512);
  const hid_t file = H5Fcreate(at("u.mat").c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  const hsize_t shape[2] = {2, 2};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t set = H5Dcreate2(file, "A", H5T_IEEE_F64LE, space, 0, 0, 0);
  const double values[4] = {1, 2, 3, 4};
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(creation);
  const auto read = readDataset(at("u.mat"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[1], (std::vector<double>{2, 4}));
}

void TestReadHdf5::parts() {
  const auto values = drawn(2 * 1001);
  {
    const Hdf5File file(at("p.h5"));
    file.add("points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {1001, 2}, values.data(), {100, 2}, 1);
  }
  std::uint64_t before = 0;
  for (int part = 0; part < 3; ++part) {
    const auto opened = openFilePart(at("p.h5"), {}, part, 3, {});
    REQUIRE_OK(opened);
    QVERIFY((*opened)->obstacle().empty());
    const auto read = (*opened)->read(before, 0, {});
    REQUIRE_OK(read);
    for (std::size_t i = 0; i < read->cloud.size(); ++i)
      QCOMPARE(read->cloud.columns[1][i], values[2 * (before + i) + 1]);
    before += (*opened)->rows();
  }
  QCOMPARE(before, 1001u);
}

void TestReadHdf5::badChoices() {
  {
    const Hdf5File file(at("b.h5"));
    const auto values = drawn(8);
    file.add("cube", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 2, 2}, values.data());
    file.group("none");
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 2);
    file.add("words", text, text, {2, 2}, "a b c d ");
    H5Tclose(text);
  }
  REQUIRE_PART(messageOf(readDataset(at("b.h5"))), "holds no table of numbers");
  REQUIRE_PART(messageOf(readDataset(at("b.h5"))), "3 dimensions");
  REQUIRE_PART(messageOf(readDataset(at("b.h5"), from("/missing"))), "there is no such name");
  REQUIRE_PART(messageOf(readDataset(at("b.h5"), from("/cube"))), "3 dimensions");
  REQUIRE_PART(messageOf(readDataset(at("b.h5"), from("/none"))), "a group without two columns");
  REQUIRE_PART(messageOf(readDataset(at("b.h5"), from("/words"))), "text in two dimensions");
}

// Such groups are kept in the order of a hash; none of their columns is left out.
void TestReadHdf5::namesOfLargeGroups() {
  constexpr int kNames = 20'050;
  std::vector<std::string> expected;
  {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const Hdf5File file(at("many.h5"), access);
    H5Pclose(access);
    file.group("g");
    file.doubles("g/c00000", {1, 2});
    for (int n = 0; n < kNames; ++n) {
      std::string name = std::to_string(n);
      name = "c" + std::string(5 - name.size(), '0') + name;
      if (n > 0) H5Lcreate_hard(file, "g/c00000", file, ("g/" + name).c_str(), 0, 0);
      expected.push_back(name);
    }
  }
  const auto preview = previewFile(at("many.h5"), {}, 1);
  REQUIRE_OK(preview);
  std::vector<std::string> found;
  for (const PreviewColumn& column : preview->columns) found.push_back(column.name);
  QVERIFY2(found == expected, std::to_string(found.size()).c_str());
  // The tree of names is shorter, and begins like the columns.
  const auto named = [&](const std::string& name) {
    return std::any_of(preview->tables.begin(), preview->tables.end(),
                       [&](const PreviewTable& table) { return table.name == name; });
  };
  QVERIFY(named("/g") && named("/g/c00000") && named("/g/c19990"));
  QVERIFY(!named("/g/" + expected.back()));
}

// What is not searched is said, and read where it is named.
void TestReadHdf5::deepGroups() {
  std::string path;
  {
    const Hdf5File file(at("deep.h5"));
    for (int i = 0; i < 40; ++i) file.group((path += "/g").c_str());
    file.doubles((path + "/x").c_str(), {1, 2, 3});
  }
  const auto searched = readDataset(at("deep.h5"));
  QVERIFY(!searched);
  REQUIRE_PART(searched.error().message, "groups nested deeper than 32 are not searched");
  const auto named = readDataset(at("deep.h5"), from(path + "/x"));
  QVERIFY2(named, named.error().message.c_str());
  QCOMPARE(named->cloud.size(), std::size_t{3});
}

// More names than a group keeps in its header, so that they are stored in the order of a hash.
void TestReadHdf5::orderOfNames() {
  const std::vector<std::string> names{"k", "b", "z", "a", "y", "c", "x", "d", "w", "e", "v", "f"};
  for (const bool byCreation : {true, false}) {
    {
      const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
      H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      const Hdf5File file(at("order.h5"), access);
      H5Pclose(access);
      const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
      if (byCreation)
        H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
      H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, creation, H5P_DEFAULT));
      H5Pclose(creation);
      for (const std::string& name : names) file.doubles(("g/" + name).c_str(), {1, 2});
    }
    const auto preview = previewFile(at("order.h5"), {}, 1);
    REQUIRE_OK(preview);
    std::vector<std::string> found;
    for (const PreviewColumn& column : preview->columns) found.push_back(column.name);
    std::vector<std::string> expected = names;
    if (!byCreation) std::sort(expected.begin(), expected.end());
    QCOMPARE(found, expected);
  }
}

void TestReadHdf5::stopAndProgress() {
  const auto values = drawn(600'000);
  {
    const Hdf5File file(at("stop.h5"));
    file.add("points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {300'000, 2}, values.data());
  }
  std::stop_source stop;
  Task task;
  int reports = 0;
  task.stop = stop.get_token();
  task.progress = [&](std::string_view stage, double fraction) {
    QVERIFY(fraction >= 0 && fraction <= 1);
    if (stage == "reading" && fraction > 0.2 && fraction < 0.9) stop.request_stop();
    ++reports;
  };
  const auto read = readDataset(at("stop.h5"), {}, task);
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::Cancelled);
  QVERIFY(reports > 1);
}

GUILESS_TEST(TestReadHdf5);
#include "tst_read_hdf5.moc"
