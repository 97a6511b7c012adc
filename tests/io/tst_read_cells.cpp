// Files of cells (anndata's .h5ad), made by the HDF5 library: columns of obs beside a matrix, words
// of categories, sparse matrices, names of genes; and h5py's compression.
#include <QTest>
#include <array>
#include <cstring>

#include "engine/io/hdf5/hdf5_lzf.h"
#include "engine/io/read_part.h"
#include "hdf5_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

void addText(hid_t file, const char* object, const char* attribute, const char* text) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, std::strlen(text));
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t at = H5Oopen(file, object, H5P_DEFAULT);
  const hid_t made = H5Acreate2(at, attribute, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(made, type, text);
  H5Aclose(made);
  H5Oclose(at);
  H5Sclose(space);
  H5Tclose(type);
}

void addWords(const Hdf5File& file, const char* path, const std::vector<const char*>& words) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  file.add(path, type, type, {words.size()}, words.data());
  H5Tclose(type);
}

/// Categories as anndata writes them; a code below 0 is none.
void addCategories(const Hdf5File& file, const std::string& group,
                   const std::vector<const char*>& words, const std::vector<int>& codes) {
  file.group(group.c_str());
  addText(file, group.c_str(), "encoding-type", "categorical");
  addWords(file, (group + "/categories").c_str(), words);
  file.add((group + "/codes").c_str(), H5T_STD_I8LE, H5T_NATIVE_INT, {codes.size()}, codes.data());
}

struct Sparse {
  std::vector<int> starts, places;
  std::vector<double> values;
  std::array<std::int64_t, 2> shape{};
};

void addSparse(const Hdf5File& file, const std::string& group, const char* format,
               const Sparse& matrix) {
  file.group(group.c_str());
  addText(file, group.c_str(), "encoding-type", format);
  const hsize_t two = 2;
  const hid_t space = H5Screate_simple(1, &two, nullptr);
  const hid_t at = H5Gopen2(file, group.c_str(), H5P_DEFAULT);
  const hid_t made = H5Acreate2(at, "shape", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(made, H5T_NATIVE_INT64, matrix.shape.data());
  H5Aclose(made);
  H5Gclose(at);
  H5Sclose(space);
  file.add((group + "/indptr").c_str(), H5T_STD_I32LE, H5T_NATIVE_INT, {matrix.starts.size()},
           matrix.starts.data());
  file.add((group + "/indices").c_str(), H5T_STD_I32LE, H5T_NATIVE_INT, {matrix.places.size()},
           matrix.places.data());
  file.add((group + "/data").c_str(), H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {matrix.values.size()},
           matrix.values.data());
}

/// Packs a chunk as h5py's filter does: bytes as they are, and repetitions of the last one.
std::size_t packChunk(unsigned flags, std::size_t, const unsigned*, std::size_t bytes,
                      std::size_t* bufferBytes, void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) != 0) return 0;
  const auto* in = static_cast<const unsigned char*>(*buffer);
  std::vector<unsigned char> out;
  for (std::size_t i = 0; i < bytes;) {
    std::size_t run = 0;
    while (i > 0 && i + run < bytes && run < 264 && in[i + run] == in[i - 1]) ++run;
    if (run >= 9) {
      out.insert(out.end(), {7 << 5, static_cast<unsigned char>(run - 9), 0});
      i += run;
    } else if (run >= 3) {
      out.insert(out.end(), {static_cast<unsigned char>((run - 2) << 5), 0});
      i += run;
    } else {
      out.insert(out.end(), {0, in[i++]});
    }
  }
  void* const packed = H5allocate_memory(out.size(), false);
  std::memcpy(packed, out.data(), out.size());
  H5free_memory(*buffer);
  *buffer = packed;
  *bufferBytes = out.size();
  return out.size();
}

}  // namespace

class TestReadCells : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void columnsOfCells();
  void projectionsBesideAMatrix();
  void sparseMatrix();
  void partsOfASparseMatrix();
  void damagedMatrices_data();
  void damagedMatrices();
  void damagedCategories();
  void lzf_data();
  void lzf();

 private:
  static void addCells(const Hdf5File& file) {
    file.group("obs");
    addText(file, "obs", "_index", "_index");
    addWords(file, "obs/_index", {"AA", "AC", "AG", "AT"});
    file.doubles("obs/x", {1, 2, 3, 4});
    file.doubles("obs/of_another_length", {1, 2, 3});
    addCategories(file, "obs/type", {"B cell", "T cell"}, {1, -1, 0, 1});
  }
};

void TestReadCells::columnsOfCells() {
  const auto values = drawn(8);
  {
    const Hdf5File file(at("c.h5ad"));
    addCells(file);
    file.group("obsm");
    file.add("obsm/X_umap", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {4, 2}, values.data());
    file.add("obsm/of_other_rows", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 4}, values.data());
  }
  const auto read = readDataset(at("c.h5ad"), from("/obsm/X_umap"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "y"}));
  QCOMPARE(read->cloud.columns[1],
           (std::vector<double>{values[1], values[3], values[5], values[7]}));
  QCOMPARE(read->attributes.size(), 3u);
  QCOMPARE(read->attributes[0].name, std::string("_index"));
  QCOMPARE(wordsOf(*read, 0), (std::vector<std::string>{"AA", "AC", "AG", "AT"}));
  QCOMPARE(read->attributes[1].name, std::string("type"));
  QCOMPARE(wordsOf(*read, 1), (std::vector<std::string>{"T cell", "", "B cell", "T cell"}));
  QCOMPARE(read->attributes[2].name, std::string("obs.x"));
  // A matrix of another number of rows has nothing of the cells.
  const auto other = readDataset(at("c.h5ad"), from("/obsm/of_other_rows"));
  REQUIRE_OK(other);
  QCOMPARE(other->attributes.size(), 0u);
  // The cells by themselves, with their categories.
  ReadOptions options = from("/obs");
  options.coordinates = {"x"};
  const auto cells = readDataset(at("c.h5ad"), options);
  REQUIRE_OK(cells);
  QCOMPARE(cells->cloud.columns[0], (std::vector<double>{1, 2, 3, 4}));
  QCOMPARE(wordsOf(*cells, 1), (std::vector<std::string>{"T cell", "", "B cell", "T cell"}));
}

// The columns of projections stand beside other matrices of the same cells.
void TestReadCells::projectionsBesideAMatrix() {
  const auto values = drawn(24);
  {
    const Hdf5File file(at("p.h5ad"));
    addCells(file);
    file.doubles("obs/umap_2", {1, 2, 3, 4});
    file.group("obsm");
    file.add("obsm/X_pca", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {4, 5}, values.data());
    file.add("obsm/X_umap", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {4, 2}, values.data());
    file.add("obsm/spatial", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {4, 3}, values.data());
    file.add("obsm/of_other_rows", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 2}, values.data());
  }
  const auto namesOf = [](const Dataset& read) {
    std::vector<std::string> names;
    for (const Attribute& attribute : read.attributes) names.push_back(attribute.name);
    return names;
  };
  const auto read = readDataset(at("p.h5ad"), from("/obsm/X_pca"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.dims(), 5u);
  QCOMPARE(namesOf(*read),
           (std::vector<std::string>{"_index", "type", "umap_2", "x", "umap_1", "obsm.umap_2",
                                     "spatial_1", "spatial_2", "spatial_3"}));
  const auto& second = std::get<std::vector<float>>(read->attributes[5].values);
  const auto& third = std::get<std::vector<double>>(read->attributes[8].values);
  for (std::size_t i = 0; i < 4; ++i) {
    QCOMPARE(second[i], float(values[2 * i + 1]));
    QCOMPARE(third[i], values[3 * i + 2]);
  }
  // A projection has the others beside it, not itself.
  const auto umap = readDataset(at("p.h5ad"), from("obsm/X_umap"));
  REQUIRE_OK(umap);
  QCOMPARE(namesOf(*umap), (std::vector<std::string>{"_index", "type", "umap_2", "obs.x",
                                                     "spatial_1", "spatial_2", "spatial_3"}));
}

void TestReadCells::sparseMatrix() {
  {
    const Hdf5File file(at("s.h5ad"));
    addCells(file);
    // The places of a row in any order; those that stand twice are added.
    addSparse(file, "X", "csr_matrix",
              {{0, 2, 2, 5, 6}, {2, 0, 1, 2, 1, 0}, {1, 2, 3, 4, 5, 6}, {4, 3}});
    addSparse(file, "by_columns", "csc_matrix",
              {{0, 2, 2, 5}, {2, 0, 1, 2, 1}, {1, 2, 3, 4, 5}, {4, 3}});
    file.group("var");
    addText(file, "var", "_index", "gene");
    addWords(file, "var/gene", {"CD3", "CD19", "NKG7"});
  }
  const auto read = readDataset(at("s.h5ad"), from("X"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"CD3", "CD19", "NKG7"}));
  QCOMPARE(read->cloud.columns[0], (std::vector<double>{2, 0, 0, 6}));
  QCOMPARE(read->cloud.columns[1], (std::vector<double>{0, 0, 8, 0}));
  QCOMPARE(read->cloud.columns[2], (std::vector<double>{1, 0, 4, 0}));
  QCOMPARE(read->attributes.size(), 3u);
  const auto columns = messageOf(readDataset(at("s.h5ad"), from("/by_columns")));
  REQUIRE_PART(columns, "a sparse matrix, stored by columns");
  REQUIRE_PART(columns, "tocsr()");
  const auto preview = previewFile(at("s.h5ad"), from("X"));
  REQUIRE_OK(preview);
  for (const PreviewTable& table : preview->tables)
    if (table.name == "/X") QCOMPARE(table.says, std::string("4 × 3, sparse"));
}

void TestReadCells::partsOfASparseMatrix() {
  constexpr int kRows = 3001;
  Sparse matrix{{0}, {}, {}, {kRows, 40}};
  const auto values = drawn(kRows);
  for (int row = 0; row < kRows; ++row) {
    if (row % 3 > 0) {
      matrix.places.push_back(row % 40);
      matrix.values.push_back(float(values[std::size_t(row)]));
    }
    matrix.starts.push_back(int(matrix.places.size()));
  }
  {
    const Hdf5File file(at("p.h5"));
    addSparse(file, "m", "csr_matrix", matrix);
  }
  std::uint64_t before = 0;
  for (int part = 0; part < 3; ++part) {
    const auto opened = openFilePart(at("p.h5"), from("/m"), part, 3, {});
    REQUIRE_OK(opened);
    const auto read = (*opened)->read(before, 0, {});
    REQUIRE_OK(read);
    for (std::size_t i = 0; i < read->cloud.size(); ++i)
      for (std::size_t c = 0; c < 40; ++c) {
        const std::size_t row = before + i;
        const double expected = row % 3 > 0 && row % 40 == c ? float(values[row]) : 0;
        QCOMPARE(read->cloud.columns[c][i], expected);
      }
    before += (*opened)->rows();
  }
  QCOMPARE(before, std::uint64_t(kRows));
}

void TestReadCells::damagedMatrices_data() {
  QTest::addColumn<int>("what");
  QTest::addColumn<QString>("message");
  QTest::newRow("starts that fall") << 0 << "wrong starts of rows";
  QTest::newRow("more values than there are") << 1 << "wrong starts of rows";
  QTest::newRow("a column outside") << 2 << "a column outside of it";
  QTest::newRow("a column below 0") << 3 << "a column outside of it";
  QTest::newRow("too few starts") << 4 << "do not belong together";
  QTest::newRow("no row") << 5 << "without a shape, or empty";
}

void TestReadCells::damagedMatrices() {
  QFETCH(int, what);
  QFETCH(QString, message);
  Sparse matrix{{0, 1, 2}, {0, 1}, {1, 2}, {2, 2}};
  if (what == 0) matrix.starts = {0, 2, 1};
  if (what == 1) matrix.starts = {0, 1, 3};
  if (what == 2) matrix.places[1] = 2;
  if (what == 3) matrix.places[1] = -1;
  if (what == 4) matrix.shape[0] = 3;
  if (what == 5) matrix.shape[0] = 0;
  {
    const Hdf5File file(at("d.h5"));
    addSparse(file, "m", "csr_matrix", matrix);
  }
  REQUIRE_PART(messageOf(readDataset(at("d.h5"), from("/m"))), message.toStdString());
}

void TestReadCells::damagedCategories() {
  {
    const Hdf5File file(at("k.h5ad"));
    file.group("obs");
    file.doubles("obs/a", {1, 2});
    file.doubles("obs/b", {1, 2});
    addCategories(file, "obs/type", {"one"}, {0, 1});
  }
  REQUIRE_PART(messageOf(readDataset(at("k.h5ad"), from("/obs"))),
               "row 1 has a category of number 1");
}

void TestReadCells::lzf_data() {
  QTest::addColumn<unsigned>("chunkBytes");
  QTest::addColumn<bool>("whole");
  QTest::newRow("its size is not known") << 0U << true;
  QTest::newRow("as h5py writes it") << unsigned(100 * 2 * sizeof(double)) << true;
  // libhdf5 would read behind the end of a chunk that unpacks to less.
  QTest::newRow("a shorter chunk") << unsigned(100 * sizeof(double)) << false;
}

void TestReadCells::lzf() {
  QFETCH(unsigned, chunkBytes);
  QFETCH(bool, whole);
  auto values = drawn(2 * 350);
  std::fill(values.begin() + 300, values.end(), 0.5);
  { const hdf5::Session registersFirst; }
  {
    const H5Z_class2_t packing{H5Z_CLASS_T_VERS, 32000, 1, 0, "lzf", nullptr, nullptr, &packChunk};
    QVERIFY(H5Zregister(&packing) >= 0);
    const Hdf5File file(at("l.h5"));
    const hsize_t shape[2] = {350, 2};
    const hsize_t chunk[2] = {100, 2};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, chunk);
    const unsigned parameters[3] = {4, 261, chunkBytes};
    H5Pset_filter(creation, 32000, H5Z_FLAG_OPTIONAL, chunkBytes > 0 ? 3 : 0, parameters);
    const hid_t set = H5Dcreate2(file, "points", H5T_IEEE_F64LE, space, 0, creation, 0);
    QVERIFY(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
  }
  hdf5::registerLzf();
  const auto read = readDataset(at("l.h5"));
  QCOMPARE(bool(read), whole);
  if (!whole) {
    REQUIRE_PART(read.error().message, "cannot be read from row 0");
    return;
  }
  for (std::size_t i = 0; i < 350; ++i) {
    QCOMPARE(read->cloud.columns[0][i], values[2 * i]);
    QCOMPARE(read->cloud.columns[1][i], values[2 * i + 1]);
  }
}

APPLESS_TEST(TestReadCells);
#include "tst_read_cells.moc"
