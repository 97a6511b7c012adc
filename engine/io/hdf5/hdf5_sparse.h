#pragma once

#include <vector>

#include "engine/core/result.h"
#include "engine/io/hdf5/hdf5_dataset.h"

namespace clusterloom::hdf5 {

/// The rows of a sparse matrix (CSR), as doubles one after the other. The session must be held.
class SparseRows {
 public:
  /// BadInput where the three datasets do not belong together.
  static Result<SparseRows> open(hid_t file, const std::string& name, const Table& table);

  /// Writes rows [first, first + count) of `width` values each. Values of the same place are added,
  /// as SciPy does. BadInput for places outside of the matrix.
  Result<void> read(std::uint64_t first, std::size_t count, double* into);

 private:
  std::string name_;
  std::string path_;
  std::size_t width_ = 0;
  OpenDataset starts_;
  OpenDataset places_;
  OpenDataset values_;
  std::vector<std::int64_t> from_;
  std::vector<std::int64_t> columns_;
  std::vector<double> numbers_;
};

}  // namespace clusterloom::hdf5
