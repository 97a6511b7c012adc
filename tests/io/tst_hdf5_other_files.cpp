// HDF5 files that lead to others: links, virtual datasets, external storage.
#include <QTemporaryDir>
#include <QTest>
#include <array>

#include "hdf5_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Adds a virtual dataset of the two values of another one. Its size is not fixed where a pattern
/// names the others.
void addView(hid_t file, const char* name, const std::string& ofFile,
             const std::string& ofDataset) {
  const hsize_t size = 2;
  const hsize_t start = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const bool pattern = ofDataset.find('%') != std::string::npos;
  const hid_t source = H5Screate_simple(1, &size, nullptr);
  const hid_t space = H5Screate_simple(1, &size, pattern ? &unlimited : nullptr);
  if (pattern) H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &size, &unlimited, &size);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  QVERIFY(H5Pset_virtual(creation, space, ofFile.c_str(), ofDataset.c_str(), source) >= 0);
  H5Sselect_all(space);
  const hid_t set =
      H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  QVERIFY(set >= 0);
  H5Dclose(set);
  H5Pclose(creation);
  H5Sclose(space);
  H5Sclose(source);
}

}  // namespace

class TestHdf5OtherFiles : public QObject {
  Q_OBJECT

 private slots:
  void virtualDatasets();
  void linksAndCircles();
  void valuesInOtherFiles_data();
  void valuesInOtherFiles();
  void viewsOfViews();

 private:
  QTemporaryDir folder_;
  std::string at(const std::string& name) const {
    return folder_.path().toStdString() + "/" + name;
  }
  /// Adds a dataset of two values that are the bytes of a file of any kind.
  void addExternal(hid_t file, const char* name) const {
    const hsize_t size = 2;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, at("secret").c_str(), 0, 16);
    H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
  }
};

void TestHdf5OtherFiles::virtualDatasets() {
  const std::array<hsize_t, 1> length{3};
  const std::array<hsize_t, 2> shape{3, 2};
  {
    const Hdf5File part(at("part.h5"));
    part.doubles("a", {1, 2, 3});
    const Hdf5File file(at("virtual.h5"));
    file.doubles("own", {4, 5, 6});
    const hid_t whole = H5Screate_simple(2, shape.data(), nullptr);
    const hid_t column = H5Screate_simple(1, length.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    for (const hsize_t c : {0, 1}) {
      const std::array<hsize_t, 2> start{0, c};
      const std::array<hsize_t, 2> count{3, 1};
      H5Sselect_hyperslab(whole, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
      H5Pset_virtual(creation, whole, c == 0 ? "part.h5" : ".", c == 0 ? "/a" : "/own", column);
    }
    H5Sselect_all(whole);
    const hid_t set =
        H5Dcreate2(file, "points", H5T_IEEE_F64LE, whole, H5P_DEFAULT, creation, H5P_DEFAULT);
    QVERIFY(set >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(column);
    H5Sclose(whole);
  }
  const auto read = readDataset(at("virtual.h5"), from("/points"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (std::vector<Coordinates>{{1, 2, 3}, {4, 5, 6}}));
}

void TestHdf5OtherFiles::linksAndCircles() {
  {
    const Hdf5File file(at("l.h5"));
    file.group("a");
    file.doubles("a/x", {1, 2});
    file.doubles("a/y", {3, 4});
    H5Lcreate_hard(file, "/a", file, "/a/itself", 0, 0);
    H5Lcreate_soft("/a/x", file, "/soft", 0, 0);
    H5Lcreate_soft("/nowhere", file, "/dangling", 0, 0);
    H5Lcreate_external("/etc/passwd", "/", file, "/elsewhere", 0, 0);
  }
  const auto read = readDataset(at("l.h5"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[1], (std::vector<double>{3, 4}));
  QVERIFY(!readDataset(at("l.h5"), from("/dangling")));
}

/// External storage would read any file of the user as coordinates.
void TestHdf5OtherFiles::valuesInOtherFiles_data() {
  QTest::addColumn<QString>("dataset");
  for (const char* const name : {"/out", "/view", "/named", "/spelled", "/second", "/far",
                                 "/pattern", "/missing", "/nothing", "/circle"})
    QTest::newRow(name) << name;
}

void TestHdf5OtherFiles::valuesInOtherFiles() {
  QFETCH(QString, dataset);
  testing::writeFile(at("secret"), std::string(16, 'a'));
  {
    const Hdf5File file(at("second.h5"));
    addExternal(file, "out");
    addView(file, "view", ".", "/out");
  }
  {
    const Hdf5File file(at("outside.h5"));
    file.doubles("x", {1, 2});
    addExternal(file, "out");
    addExternal(file, "out0");
    addView(file, "view", ".", "/out");
    addView(file, "named", "outside.h5", "/out");
    addView(file, "spelled", at("./outside.h5"), "/out");
    addView(file, "second", "second.h5", "/out");
    addView(file, "far", "second.h5", "/view");
    addView(file, "pattern", ".", "/out%b");
    addView(file, "missing", "missing.h5", "/out");
    addView(file, "nothing", "second.h5", "/nothing");
    addView(file, "circle", ".", "/circle");
  }
  const auto read = readDataset(at("outside.h5"), from(dataset.toStdString()));
  QVERIFY(!read);
  REQUIRE_PART(read.error().message, "its values lie in other files, which are not read");
  const auto rest = readDataset(at("outside.h5"));
  REQUIRE_OK(rest);
  QCOMPARE(rest->cloud.dims(), 1U);
  QCOMPARE(rest->cloud.columns[0], (std::vector<double>{1, 2}));
}

/// Datasets of HDF5 are read by whatever way, also where a file is the own one by another name.
void TestHdf5OtherFiles::viewsOfViews() {
  {
    const Hdf5File file(at("values.h5"));
    file.doubles("x", {1, 2});
  }
  {
    const Hdf5File file(at("middle.h5"));
    addView(file, "view", "values.h5", "/x");
  }
  {
    const Hdf5File file(at("front.h5"));
    addView(file, "view", at("middle.h5"), "/view");
    addView(file, "again", ".", "/view");
    // An absolute path that is gone leads to the file beside.
    addView(file, "moved", "/nowhere/values.h5", "/x");
  }
  for (const char* const name : {"/view", "/again", "/moved"}) {
    const auto read = readDataset(at("front.h5"), from(name));
    REQUIRE_OK(read);
    QCOMPARE(read->cloud.columns[0], (std::vector<double>{1, 2}));
  }
}

GUILESS_TEST(TestHdf5OtherFiles);
#include "tst_hdf5_other_files.moc"
