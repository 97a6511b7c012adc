#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/cloud/dataset.h"

namespace clusterloom {

/// The row of the file that each point is. Rows are counted from 0; those that were skipped, and
/// those between the rows that were read (Dataset::every), count as well.
class FileRows {
 public:
  /// For points that are the rows themselves.
  FileRows() = default;
  explicit FileRows(const Dataset& dataset) : FileRows(dataset.skippedRows, dataset.every) {}
  /// `skipped`: as Dataset::skippedRows.
  explicit FileRows(std::vector<std::uint64_t> skipped, std::uint64_t every = 1)
      : skipped_(std::move(skipped)), every_(every) {}

  /// `point` may be the number of points: then the row after the last one that was read.
  std::uint64_t operator()(std::uint64_t point) const;
  /// Whether each point is the row of its number.
  bool areThePoints() const { return skipped_.empty() && every_ == 1; }

 private:
  std::vector<std::uint64_t> skipped_;
  std::uint64_t every_ = 1;
};

/// The row by which messages name a point; an empty function where points have no rows.
using RowOfPoint = std::function<std::uint64_t(std::size_t point)>;

/// "row 7 (counted from 0)", or "point 7" where it has no row.
std::string pointText(std::size_t point, const RowOfPoint& rowOf);

}  // namespace clusterloom
