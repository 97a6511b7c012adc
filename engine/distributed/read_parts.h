#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/cloud/dataset.h"
#include "engine/cloud/file_rows.h"
#include "engine/cloud/scaling.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"
#include "engine/io/output_set.h"
#include "engine/io/read.h"

namespace clusterloom {

/// A rank's part of a file: consecutive rows, rank after rank.
struct RankPart {
  /// Coordinates only. skippedRows are rows of the file, coordinateTypes and roundedCoordinates
  /// those of all parts.
  Dataset data;
  std::uint64_t firstRow = 0;   ///< of this part in the file, as the next two
  std::uint64_t rowsOfAll = 0;  ///< rows of the file, skipped ones included
  std::uint64_t skippedOfAll = 0;
  std::string note;  ///< why rank 0 has read the whole file; empty where each has read its own part
};

/// Reads a file by all ranks, each its own rows. A file that can only be read as a whole is read by
/// rank 0, which deals the rows. BadInput when the ranks find different files.
Result<RankPart> readParts(Communicator& communicator, const std::string& path,
                           const ReadOptions& options, const Task& task);

/// The rows of the file that the points of a part are, for messages.
RowOfPoint rowsOfPart(const RankPart& part);

/// Scales a cloud of which each rank has a part, with the bits and the errors of makeScaling and
/// applyScaling for the whole cloud. Collective.
Result<Scaling> scaleParts(Communicator& communicator, const ScalingChoice& choice,
                           PointCloud& part, const Task& task);

/// Writes the labels of all ranks as one NPY file (int32, one per row of the file, −2 for skipped
/// rows), which all ranks must be able to open. Rank 0 makes it, under a temporary name, in
/// `outputs`, which it commits; each rank writes the labels of its part.
Result<void> writeLabelsOfParts(Communicator& communicator, OutputSet& outputs,
                                const std::string& path, const RankPart& part,
                                std::span<const std::int32_t> labels, const Task& task);

}  // namespace clusterloom
