#include "engine/io/hdf5/hdf5_sparse.h"

#include <algorithm>

namespace clusterloom::hdf5 {

Result<SparseRows> SparseRows::open(hid_t file, const std::string& name, const Table& table) {
  SparseRows rows;
  rows.name_ = name;
  rows.path_ = table.path;
  rows.width_ = table.recordBytes / sizeof(double);
  for (const auto& [part, into] :
       {std::pair{"/indptr", &rows.starts_}, std::pair{"/indices", &rows.places_},
        std::pair{"/data", &rows.values_}}) {
    auto opened = OpenDataset::open(file, name, table.path + part, sizeof(double));
    if (!opened) return tl::unexpected(opened.error());
    *into = std::move(*opened);
  }
  if (rows.starts_.rank != 1 || rows.places_.rank != 1 || rows.values_.rank != 1 ||
      rows.starts_.rows != table.rows + 1 || rows.places_.rows != rows.values_.rows)
    return badInput(name + ": the parts of the sparse matrix " + table.path +
                    " do not belong together. The file is damaged; copy it again.");
  return rows;
}

Result<void> SparseRows::read(std::uint64_t first, std::size_t count, double* into) {
  from_.resize(count + 1);
  if (auto done = starts_.read(first, count + 1, 0, 1, H5T_NATIVE_INT64, from_.data()); !done)
    return done;
  const auto damaged = [&](const char* what) {
    return badInput(name_ + ": the sparse matrix " + path_ + " has " + what + " from row " +
                    std::to_string(first) + " on. The file is damaged; copy it again.");
  };
  // More values than the rows have places are not a matrix; the check bounds the allocation.
  const std::int64_t stored = from_.back() - from_.front();
  if (!std::is_sorted(from_.begin(), from_.end()) || from_.front() < 0 ||
      std::uint64_t(from_.back()) > values_.rows || std::uint64_t(stored) > count * width_)
    return damaged("wrong starts of rows");
  columns_.resize(std::size_t(stored));
  numbers_.resize(std::size_t(stored));
  const auto begin = std::uint64_t(from_.front());
  if (stored > 0) {
    auto done = places_.read(begin, columns_.size(), 0, 1, H5T_NATIVE_INT64, columns_.data());
    if (done) done = values_.read(begin, numbers_.size(), 0, 1, H5T_NATIVE_DOUBLE, numbers_.data());
    if (!done) return done;
  }
  std::fill(into, into + count * width_, 0.0);
  for (std::size_t row = 0; row < count; ++row)
    for (std::int64_t i = from_[row] - from_[0]; i < from_[row + 1] - from_[0]; ++i) {
      const std::int64_t column = columns_[std::size_t(i)];
      if (column < 0 || std::uint64_t(column) >= width_) return damaged("a column outside of it");
      into[row * width_ + std::size_t(column)] += numbers_[std::size_t(i)];
    }
  return {};
}

}  // namespace clusterloom::hdf5
