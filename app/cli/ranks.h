#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "app/cli/engine_options.h"
#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"

namespace clusterloom::cli {

/// How many ranks share the work.
struct RankOptions {
  int ranks = 0;  ///< in this process; 0: not asked for
};

/// Adds --ranks.
void addRankOptions(CLI::App& parser, RankOptions& options);

/// Whether the work is shared: by the processes that mpirun has started, or by --ranks.
bool isOnRanks(const RankOptions& options);

/// A rank's part of a command.
using RankBody = std::function<Result<void>(Communicator& communicator, const Task& task)>;

/// Runs `body` on every rank of the job, by `runRank`. BadCall when --ranks is given under mpirun.
Result<void> runOnRanks(const RankOptions& options, const Task& task, const RankBody& body);

/// Ends MPI, where runOnRanks has begun it. Waits for the other processes.
void endRanks();

/// The backend of one rank. Ranks of one process share its CPU threads, and the ranks of one
/// machine take its GPUs in turn unless the call names one.
Result<std::unique_ptr<Backend>> makeRankBackend(const Communicator& communicator,
                                                 const RankOptions& ranks,
                                                 const EngineOptions& engine);

/// CPU threads of a rank.
int threadsOfRank(const RankOptions& ranks, const EngineOptions& engine);

}  // namespace clusterloom::cli
