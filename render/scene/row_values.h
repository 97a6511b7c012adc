#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "render/scene/stored_points.h"

namespace clusterloom {

/// Where the values of rows come from: four bytes for each of the rows from `first` on. It is asked
/// for one part after the other, in order.
using RowSource = std::function<Result<void>(std::uint64_t first, std::span<std::uint32_t> values)>;

/// Four bytes for each row of a file in the order in which its points are stored, so that those of
/// a block are read at once. They lie in a file without a name, which ends with this object.
class RowValues {
 public:
  /// Of the rows of `stored`, which are among the first `rows` of a file. The values lie in
  /// `folder`, 4 bytes a point; `memory` are the bytes for values at a time, for each of which all
  /// points are gone through. Rows beyond have the value `missing`. `pause` is called in between,
  /// to wait for what is awaited more. Io, also where the disk has too little space, before
  /// anything is written; TooLarge where the memory runs out; Cancelled; and errors of the source.
  static Result<std::shared_ptr<const RowValues>> make(std::shared_ptr<const StoredPoints> stored,
                                                       std::uint64_t rows, const RowSource& source,
                                                       std::uint32_t missing,
                                                       const std::string& folder,
                                                       std::uint64_t memory, const Task& task,
                                                       const std::function<void()>& pause = {});
  ~RowValues();
  RowValues(const RowValues&) = delete;
  RowValues& operator=(const RowValues&) = delete;

  /// The values of a block's points. Io.
  Result<void> read(std::size_t block, std::span<std::byte> values) const;

 private:
  RowValues() = default;
  /// Takes the part that is done; says where to stop.
  using Progress = std::function<Result<void>(double)>;
  Result<void> fillFrom(std::uint64_t rows, const RowSource& source, const std::string& folder,
                        std::uint64_t memory, const Task& task, const std::function<void()>& pause);
  Result<void> fill(std::span<const std::uint32_t> some, std::uint64_t first,
                    const Progress& progress) const;

  std::shared_ptr<const StoredPoints> stored_;
  std::uint32_t missing_ = 0;
  int file_ = -1;
};

}  // namespace clusterloom
