#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "app/cli/engine_options.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/core/stopwatch.h"

namespace clusterloom::cli {

/// The values of --memory and --scratch.
struct BlockCall {
  std::uint64_t memory = 0;  ///< bytes for work in blocks; 0: the points are kept in memory
  std::string scratch;       ///< folder for the files of blocks; empty: the default one
};

/// Adds --memory and --scratch.
void addBlockOptions(CLI::App& parser, BlockCall& call);

/// Refuses --scratch without --memory. BadCall.
Result<void> checkScratch(const BlockCall& call);

/// Refuses what no run in blocks can do. BadCall.
Result<void> checkBlockCall(const EpsOptions& eps, const InputOptions& input,
                            const EngineOptions& engine);
/// The error for an option that is not for blocks: "--by needs".
tl::unexpected<Error> needsMemory(const std::string& what);

/// Runs a call in blocks: makes the backend, says on standard error what the blocks take, calls
/// `run`, keeps its outputs, and says which rows were skipped.
Result<BlockRun> runInBlocks(
    const BlockCall& call, const InputOptions& input, const EngineOptions& engine,
    const std::function<Result<BlockRun>(const Backend&, const BlockOptions&, OutputSet&)>& run);

/// The members that describe a file of the run: file points dims skipped.
Json describeRows(const std::string& path, const BlockRows& rows);
/// Adds the blocks and the seconds of their passes.
void addBlocks(Json& object, const BlockRun& run, const Stopwatch& total);
/// The lines of a summary about engine, blocks and time.
std::string blockLines(const BlockRun& run, const Stopwatch& total, const std::string& doing);

}  // namespace clusterloom::cli
