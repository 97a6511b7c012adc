#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "render/scene/row_values.h"
#include "render/scene/stored_points.h"

namespace clusterloom {

struct LabelList;

/// The labels of all rows of a file in the order in which its points are stored.
class StoredLabels {
 public:
  /// From an NPY file of int32, a label for each row (clusterInBlocks). Further parameters and
  /// errors as RowValues::make; BadInput for a file of other values, or with fewer labels than rows
  /// are stored.
  static Result<std::shared_ptr<const StoredLabels>> make(
      std::shared_ptr<const StoredPoints> stored, const std::string& labels,
      const std::string& folder, std::uint64_t memory, const Task& task,
      const std::function<void()>& pause = {});

  /// No row has a higher one; kNoise where all are noise.
  std::int32_t highest() const { return highest_; }
  /// The labels of a block's points. Io.
  Result<void> read(std::size_t block, std::span<std::int32_t> labels) const {
    return values_->read(block, std::as_writable_bytes(labels));
  }
  /// The labels of the rows from `first` on, kSkippedRow beyond the last one. Io; BadInput for what
  /// is no label; Cancelled.
  Result<void> readRows(std::uint64_t first, std::span<std::int32_t> labels,
                        const Task& task) const;

 private:
  std::shared_ptr<const LabelList> list_;
  std::shared_ptr<const RowValues> values_;
  std::int32_t highest_ = kNoise;
};

}  // namespace clusterloom
