#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/cloud/scaling.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/file_stamp.h"
#include "engine/io/read.h"
#include "render/scene/display_space.h"
#include "render/scene/picking.h"
#include "render/scene/stored_labels.h"
#include "ui/session/file_row_set.h"

namespace clusterloom {

/// A row of a file of which some rows are open, picked among all that are stored for drawing.
struct FileRow {
  std::uint64_t row = 0;  ///< counted from 0
  /// Names and values of the axes in the view, in the units of the file where they are dimensions,
  /// with the digits that are stored.
  std::vector<std::pair<std::string, double>> coordinates;
  std::array<float, 3> xyz{};                  ///< in the space of `in`
  std::weak_ptr<const DisplayPoints> in;       ///< the open rows as they were drawn
  std::int32_t label = 0;                      ///< by `labels`
  std::shared_ptr<const StoredLabels> labels;  ///< of all rows; null: none
};

/// The value of a stored place on an axis, in the units of the file where it is a dimension, with
/// the digits that are stored.
double fileValueOf(const DisplaySpace& space, int axis, double place, const Scaling& scaling);

/// The row that was picked beside the open ones, which are drawn as `in` and scaled by `scaling`.
FileRow fileRowOf(const PickedRow& picked, const std::shared_ptr<const DisplayPoints>& in,
                  const Scaling& scaling);

/// The file of the open rows.
struct OpenFile {
  std::string path;
  FileStamp stamp;  ///< when they were read; all 0: not known
  ReadOptions read;
  std::shared_ptr<const Dataset> open;
};

/// Rows of a file with the columns of its open rows.
struct LabelledRows {
  Dataset data;
  std::vector<std::int32_t> labels;  ///< empty where there are none
};

/// Reads the selected rows, in parts of the file of which two are in memory. `labels` may be null.
/// TooLarge where they do not fit into half of the free memory; hasChangedError where the file is
/// another one; BadInput for a column of numbers that is text in other rows, and as FileInParts;
/// Cancelled.
Result<LabelledRows> readFileRows(const OpenFile& file, const FileRowSet& selected,
                                  const StoredLabels* labels, const Task& task);

}  // namespace clusterloom
