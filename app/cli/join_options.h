#pragma once

#include <functional>
#include <string>

#include "app/cli/block_options.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"

namespace clusterloom::cli {

/// The options of `join`.
struct JoinOptions {
  InputOptions input;
  EngineOptions engine;
  EpsOptions eps;
  BlockCall blocks;
  std::string counts;
  std::string pairs;
  std::string histogram;
  std::string minPtsCurve;
  int bins = 50;
  bool json = false;
};

/// Adds the work of another join to the stats of the first, as one phase `name`.
void addWork(RunStats& stats, const RunStats& more, const std::string& name);

/// The statistics of a call's first join, to which others are added: it is one phase `name` where
/// the backend tells none.
RunStats firstWork(const RunStats& stats, const std::string& name);

/// The input of a join, for display.
struct JoinedInput {
  std::string path;
  std::size_t dims = 0;
  std::uint64_t every = 1;            ///< one row of each N of the file was read
  std::uint64_t skipped = 0;          ///< rows of the file
  const OtherCloud* other = nullptr;  ///< as in EngineRun
  double eps = 0;
  Space space = {};
  double readSeconds = 0;
  const Stopwatch& total;
};

/// Prints what a join found and which files it wrote.
Result<void> printJoin(const JoinOptions& options, const JoinedInput& run,
                       const JoinFigures& figures, const RunStats& stats, double writeSeconds);

/// The lines of the summary that say how many pairs there are.
std::string pairsLines(const JoinFigures& figures);

/// `join --counts` of files that are larger than memory (engine/blocks/blocks_in_turn.h). `check`
/// checks the rest of the call. BadCall for options that need all points in memory.
Result<void> joinInBlocks(const JoinOptions& options, const std::function<Result<void>()>& check,
                          const Task& task);

/// `join` on the ranks that mpirun has started: a ring join (engine/distributed/ring_join.h). Each
/// rank checks the call by `check`; rank 0 prints and writes.
Result<void> joinOnRanks(const JoinOptions& options, const std::function<Result<void>()>& check,
                         const Task& task);

}  // namespace clusterloom::cli
