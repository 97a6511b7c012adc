#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "render/scene/stored_labels.h"
#include "render/scene/stored_points.h"

namespace clusterloom {

/// Rows of a file of which some rows are open, chosen among all of them, open or not.
struct FileRowSet {
  std::vector<bool> rows;   ///< up to the last one or further
  std::uint64_t count = 0;  ///< how many are chosen
  std::uint64_t of = 0;     ///< how many there are that can be drawn: their coordinates are finite
  bool isComplete = false;  ///< else they are still sought, and the others say nothing

  bool has(std::uint64_t row) const { return row < rows.size() && rows[row]; }
  void add(std::uint64_t row);
  /// Those of another set are no longer chosen.
  void remove(const FileRowSet& others);
};
using FileRowSelection = std::shared_ptr<const FileRowSet>;

/// Whether both are null or hold the same rows.
bool sameRows(const FileRowSelection& a, const FileRowSelection& b);

/// The rows as text for files (RunText). One that is too long for a session file is cut off.
QString rowsText(const FileRowSet& set);
/// The rows of such a text among `of`. Null where it is not from rowsText, or names more rows than
/// `of`, or than half of the free memory holds.
FileRowSelection rowsFrom(const QString& text, std::uint64_t of);

/// All rows that are stored for drawing. Io; Cancelled.
Result<FileRowSet> allRows(const StoredPoints& stored, const Task& task);

/// Those of some clusters (−1: noise) by `labels`, which are of `stored`; with `within` only some
/// of these. Io; Cancelled.
Result<FileRowSet> rowsOfClusters(const StoredPoints& stored, const StoredLabels& labels,
                                  const std::set<std::int32_t>& clusters,
                                  const FileRowSelection& within, const Task& task);

/// The box of the rows that are stored; of all where none of them is. Io; Cancelled.
Result<DisplayBox> boxOfRows(const StoredPoints& stored, const FileRowSet& set, const Task& task);

}  // namespace clusterloom
