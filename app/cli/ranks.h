#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "app/cli/engine_options.h"
#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/divided_backend.h"

namespace clusterloom::cli {

/// Adds --ranks.
void addRankOptions(CLI::App& parser, EngineOptions& options);

/// Whether the call asks for ranks in this process, by --ranks or --devices.
bool asksForRanks(const EngineOptions& options);

/// Whether mpirun has started several processes for this call.
bool isStartedOnRanks();

/// A rank's part of a command.
using RankBody = std::function<Result<void>(Communicator& communicator, const Task& task)>;
/// The backend of a rank and its devices.
struct RankEngine {
  const Backend& backend;
  /// Where the ranks of this process keep their points on GPUs; else null.
  const RanksOnDevices* onDevices = nullptr;
};
using EngineBody =
    std::function<Result<void>(Communicator& communicator, const RankEngine& engine, const Task&)>;

/// Runs `body` on every process that mpirun has started, by `runRank`.
Result<void> runOnStartedRanks(const Task& task, const RankBody& body);

/// Runs `body` on every rank of the job: on the started processes, or on those that --ranks and
/// --devices ask for in this one. `check` tells whether the call makes sense: mpirun ends the job
/// with the first process that ends, so that all must agree on an error before. BadCall when
/// --ranks or --devices are given under mpirun.
Result<void> runOnRanks(const EngineOptions& engine, const std::function<Result<void>()>& check,
                        const Task& task, const EngineBody& body);

/// Ends MPI, where runOnStartedRanks has begun it. Waits for the other processes.
void endRanks();

/// The same for processes that refuse the call, also where MPI has not begun: mpirun ends the job
/// with the first process that ends with an error, and the first rank must have said why before.
/// Ranks that do not refuse theirs, as with another version of the program, end with `refusal`.
void endRanksTogether(const Error& refusal);

/// The backend of a rank that mpirun has started. The ranks of one machine take its GPUs in turn
/// unless the call names one.
Result<std::unique_ptr<Backend>> makeStartedBackend(const EngineOptions& engine);

/// CPU threads of a rank. Ranks of one process share its threads.
int threadsOfRank(const Communicator& communicator, const EngineOptions& engine);

}  // namespace clusterloom::cli
