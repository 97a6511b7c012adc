#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/export_rows.h"

namespace clusterloom {

/// Names that differ between the writers of PLY and PCD.
struct PointFormat {
  std::string title;               ///< "PLY"
  std::string comment;             ///< how a line of comment begins: "comment "
  std::string columns;             ///< of the line that names the coordinates: "properties"
  std::vector<std::string> taken;  ///< names that no column of the data may have
};

/// The columns that are written: x, y, z, further dimensions, attributes, with names that are
/// single words and unique. Texts are codes; one with too many words is left out.
struct PointColumns {
  std::vector<ExportColumn> columns;
  /// The lines of comment: provenance, which columns are coordinates, words of texts.
  std::string comments;
};
PointColumns pointColumns(const Dataset& dataset, const Clustering* clustering,
                          const Provenance& provenance, const PointFormat& format);

/// The columns of text that would be left out.
Losses wordLosses(const Dataset& dataset, const std::string& title);

/// Writes the header, and after it the points as records of these values, with label (int32) and
/// role (uint8) where the clustering has them. Cancelled; errors of the stream are left to the
/// caller.
Result<void> writePointRows(std::ostream& out, std::string header,
                            const std::vector<AppendValue>& values, const ExportPoints& points,
                            const Clustering* clustering, const Task& task);

}  // namespace clusterloom
