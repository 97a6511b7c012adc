#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/read.h"

namespace clusterloom {

class TextPart;

/// One of several parts of a file, consecutive rows, of which each is read by another process.
/// Nobody reads the rows of others. Files whose rows have a place that follows from the header
/// (NPY, arrays of NPZ, LAS, LAZ, FITS, HDF5, binary PLY without lists, binary PCD) are cut by
/// rows, text by bytes between two lines.
class FilePart {
 public:
  virtual ~FilePart() = default;
  /// Why the file can only be read as a whole; empty where it can be read in parts. Of a text only
  /// a part that holds a quote knows.
  virtual std::string obstacle() const = 0;
  virtual const std::vector<std::string>& names() const = 0;  ///< of the coordinates
  virtual std::uint64_t fileBytes() const = 0;
  virtual std::uint64_t rows() const = 0;   ///< in this part
  virtual std::uint64_t lines() const = 0;  ///< in this part; 0 where the file has no lines
  /// Reads this part. So many rows and lines are in the parts before it.
  /// Dataset::skippedRows are rows of the file; there may be no points at all.
  virtual Result<Dataset> read(std::uint64_t rowsBefore, std::uint64_t linesBefore,
                               const Task& task) const = 0;
  /// The part as one of a text; null of other formats.
  virtual const TextPart* text() const { return nullptr; }
};

/// Opens part `part` of `parts`; a text part is read once to count its rows. Columns that are not
/// coordinates are left out, except those of ReadOptions::keep. Errors as readDataset, and BadCall
/// for ReadOptions::every above 1. `same`: a part of the same file that was opened by the same
/// options, by which the next ones of a text are opened without looking for its layout again.
Result<std::unique_ptr<FilePart>> openFilePart(const std::string& path, const ReadOptions& options,
                                               int part, int parts, const Task& task,
                                               const FilePart* same = nullptr);

}  // namespace clusterloom
