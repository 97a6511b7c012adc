#pragma once

#define H5_USE_110_API
#include <hdf5.h>

#include <random>
#include <string>
#include <vector>

#include "io_testing.h"

/// Shared by the tests of HDF5: files that its library makes.
namespace clusterloom::testing {

/// A file under construction.
class Hdf5File {
 public:
  explicit Hdf5File(const std::string& path, hid_t access = H5P_DEFAULT)
      : id_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)) {}
  ~Hdf5File() { H5Fclose(id_); }
  operator hid_t() const { return id_; }

  void group(const char* path) const { H5Gclose(H5Gcreate2(id_, path, 0, 0, 0)); }
  void add(const char* path, hid_t fileType, hid_t memoryType, std::vector<hsize_t> shape,
           const void* values, std::vector<hsize_t> chunk = {}, int gzip = 0) const {
    const hid_t space = H5Screate_simple(int(shape.size()), shape.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (!chunk.empty()) H5Pset_chunk(creation, int(chunk.size()), chunk.data());
    if (gzip > 0) {
      H5Pset_shuffle(creation);
      H5Pset_deflate(creation, unsigned(gzip));
    }
    const hid_t set = H5Dcreate2(id_, path, fileType, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    QVERIFY(set >= 0);
    QVERIFY(H5Dwrite(set, memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
  }
  void doubles(const char* path, const std::vector<double>& values) const {
    add(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
  }

 private:
  hid_t id_;
};

inline std::vector<double> drawn(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<double> values(count);
  for (double& x : values) x = static_cast<double>(random() >> 11) * 0x1p-53;
  return values;
}

/// To read one of several tables.
inline ReadOptions from(const std::string& dataset) {
  ReadOptions options;
  options.dataset = dataset;
  return options;
}

}  // namespace clusterloom::testing
