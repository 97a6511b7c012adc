#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/blocks/file_in_parts.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/file_stamp.h"
#include "engine/io/read.h"
#include "ui/session/results.h"

namespace clusterloom {

/// The values by which the points of a file are coloured, row by row, coded as those of its open
/// rows. The file is read in parts, of which two are in memory.
class FileColours {
 public:
  /// `open` must outlive it and names the columns; `stamp` is that of the file when they were read,
  /// all 0 where it is not known. `rows` are likely in the file, `memory` is for the parts.
  /// `pause` is called after each part.
  FileColours(const std::string& path, const FileStamp& stamp, const ReadOptions& read,
              const ColourValues& open, std::uint64_t rows, std::uint64_t memory, const Task& task,
              std::function<void()> pause);
  /// Floats of the next rows, NaN for those that are skipped or not there. hasChangedError where
  /// the file is another one than that of the open rows; errors as FileInParts and valuesOfRows.
  Result<void> next(std::span<std::uint32_t> values);

 private:
  Result<bool> readPart();

  const std::string path_;
  const FileStamp stamp_;
  const ColourValues& open_;
  FileInParts file_;
  std::function<void()> pause_;
  std::vector<float> part_;  ///< the values of rows
  std::size_t used_ = 0;     ///< of the part
};

}  // namespace clusterloom
