#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/cli/block_options.h"
#include "app/cli/engine_options.h"
#include "app/cli/input_options.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom::cli {

/// A call of `label`.
struct LabelOptions {
  InputOptions input;
  EngineOptions engine;
  EpsOptions eps;
  BlockCall blocks;
  std::int64_t minPts = 0;
  std::string labels;
  bool provenance = false;
  bool allowLoss = false;
  bool json = false;
};

/// The labelled points.
struct LabelFigures {
  std::string path;  ///< of the cloud whose clusters are used
  std::uint64_t from = 0;
  double eps = 0;
  std::int64_t minPts = 0;
  std::int32_t clusters = 0;
  std::uint64_t labelled = 0;
  std::uint64_t unlabelled = 0;
};

/// The lines of the summary with the results.
std::string labelLines(const LabelFigures& figures);

/// `label` of files that are larger than memory (engine/blocks/blocks_in_turn.h). `check` checks
/// the rest of the call. BadCall for options that need all points in memory.
Result<void> labelInBlocks(const LabelOptions& options, const std::function<Result<void>()>& check,
                           const Task& task);

}  // namespace clusterloom::cli
