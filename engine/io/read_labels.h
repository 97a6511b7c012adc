#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// Reads the labels of a data set's points from a separate file: one label for each row of the data
/// set's file, or for each row of it that was read (Dataset::every). The file has one column, or
/// one that is called "label"; a text column "role" beside it tells core, border and noise points
/// apart. Without it the roles are not known, and `roles` stays empty. Labels of skipped rows are
/// not used. The parameters are not known: they keep their defaults.
///
/// Errors are those of readDataset, and BadInput for another number of rows, for labels other
/// than integers from −1, for a point whose label says that its row was skipped, and for roles that
/// contradict the labels.
Result<Clustering> readLabels(const std::string& path, const Dataset& of, const Task& task = {});

/// Reads the labels of such a file without the data set, one for each row: clusters from 0, kNoise
/// and kSkippedRow. Roles are not read. Errors as above, but for those that concern a data set.
Result<std::vector<std::int32_t>> readLabelRows(const std::string& path, const Task& task = {});

}  // namespace clusterloom
