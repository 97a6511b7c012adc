#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "engine/blocks/blocks_in_turn.h"

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

/// The folder for temporary files.
std::string scratchOf(const BlockCall& call);

}  // namespace clusterloom::cli
