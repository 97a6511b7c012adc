#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "engine/cloud/dataset.h"
#include "engine/cloud/scaling.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/read_part.h"

namespace clusterloom {

/// Consecutive rows of a file: Dataset::inputRows of them, of which skippedRows are rows of the
/// file.
struct RowsOfFile {
  Dataset data;
  std::uint64_t firstRow = 0;
};

/// A file that is read in parts, in order, of which two are in memory: the next one is read while
/// the caller works on one.
class FileInParts {
 public:
  /// `scaling` is None or Factors.
  FileInParts(std::string path, ReadOptions options, ScalingChoice scaling, int parts,
              const Task& task);
  /// The next part; nullopt after the last. Errors as openFilePart and FilePart::read, and BadInput
  /// for a file that can only be read as a whole.
  Result<std::optional<RowsOfFile>> next();

 private:
  Result<RowsOfFile> readNext();
  void begin();

  std::string path_;
  ReadOptions options_;
  ScalingChoice scaling_;
  int parts_;
  Task task_;  // without progress, which the caller reports
  int part_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t lines_ = 0;
  std::unique_ptr<FilePart> opened_;  // the newest one
  std::future<Result<RowsOfFile>> reading_;
};

/// The error for a file that cannot be read in parts.
tl::unexpected<Error> wholeFileError(const std::string& path, const std::string& obstacle);

}  // namespace clusterloom
