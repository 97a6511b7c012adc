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
#include "render/scene/stored_points.h"

namespace clusterloom {

/// The labels of all rows of a file in the order in which its points are stored, so that those of a
/// block are read at once. They lie in a file without a name, which ends with this object.
class StoredLabels {
 public:
  /// From an NPY file of int32, a label for each row (clusterInBlocks). The file lies in `folder`,
  /// 4 bytes a point; `memory` are the bytes for labels at a time, for each of which all points are
  /// gone through. `pause` is called in between, to wait for what is awaited more. Io, also where
  /// the disk has too little space, before anything is written; BadInput for a file of other
  /// values, or with fewer labels than rows are stored; TooLarge where the memory runs out;
  /// Cancelled.
  static Result<std::shared_ptr<const StoredLabels>> make(
      std::shared_ptr<const StoredPoints> stored, const std::string& labels,
      const std::string& folder, std::uint64_t memory, const Task& task,
      const std::function<void()>& pause = {});
  ~StoredLabels();
  StoredLabels(const StoredLabels&) = delete;
  StoredLabels& operator=(const StoredLabels&) = delete;

  /// No row has a higher one; kNoise where all are noise.
  std::int32_t highest() const { return highest_; }
  /// The labels of a block's points. Io.
  Result<void> read(std::size_t block, std::span<std::int32_t> labels) const;

 private:
  StoredLabels() = default;
  /// Takes the part that is done; says where to stop.
  using Progress = std::function<Result<void>(double)>;
  Result<void> fillFrom(const std::string& path, const std::string& folder, std::uint64_t memory,
                        const Task& task, const std::function<void()>& pause);
  Result<void> fill(std::span<const std::int32_t> some, std::uint64_t first,
                    const Progress& progress) const;

  std::shared_ptr<const StoredPoints> stored_;
  int file_ = -1;
  std::int32_t highest_ = kNoise;
};

}  // namespace clusterloom
