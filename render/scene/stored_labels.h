#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "render/scene/stored_points.h"

namespace clusterloom {

/// The labels of all rows of a file in the order in which its points are stored, so that those of a
/// block are read at once. They lie in a file without a name, which ends with this object.
class StoredLabels {
 public:
  /// From an NPY file of int32, a label for each row (clusterInBlocks). The file lies in `folder`;
  /// `memory` are the bytes for labels at a time. Io; BadInput for a file of other values, or with
  /// fewer labels than rows are stored; Cancelled.
  static Result<std::shared_ptr<const StoredLabels>> make(
      std::shared_ptr<const StoredPoints> stored, const std::string& labels,
      const std::string& folder, std::uint64_t memory, const Task& task);
  ~StoredLabels();
  StoredLabels(const StoredLabels&) = delete;
  StoredLabels& operator=(const StoredLabels&) = delete;

  /// The labels of a block's points. Io.
  Result<void> read(std::size_t block, std::span<std::int32_t> labels) const;

 private:
  StoredLabels() = default;
  Result<void> fill(int input, std::uint64_t place, std::uint64_t first, std::uint64_t count,
                    bool isFirst, const Task& task) const;

  std::shared_ptr<const StoredPoints> stored_;
  int file_ = -1;
};

}  // namespace clusterloom
