#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/join/batch_choice.h"

namespace clusterloom {

/// The file of earlier batched runs in the user's cache folder, by the XDG base directory
/// specification; empty where the user has none.
std::string batchHistoryFile();

/// The batched runs kept in a file, oldest first. `remark` says why a file that exists
/// could not be used; there are no runs then, nor without a file.
struct BatchHistory {
  std::vector<BatchRun> runs;
  std::string remark;
};
BatchHistory readBatchHistory(const std::string& path);

/// Writes the runs, the last few hundred of them, atomically. Makes the folder if there is none.
/// Io.
Result<void> writeBatchHistory(const std::string& path, const std::vector<BatchRun>& runs);

/// A backend whose pair lists and neighbour tables are made in batches of the size that the
/// batch-size model chooses, where the strategy leaves it to the engine (chooseBatch,
/// engine/join/batch_choice.h), from the runs kept at `path`. Each run of two batches or more is
/// added to them. The first run of a backend takes memory that later runs reuse, so it counts as
/// another kind of work. What was chosen and predicted is in the run's stats. A file that cannot be
/// read or written never fails a run: the note in the stats says so. All other calls are passed on
/// unchanged.
std::unique_ptr<Backend> withBatchHistory(std::unique_ptr<Backend> backend, std::string path);

}  // namespace clusterloom
