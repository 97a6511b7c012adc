#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "engine/cloud/space.h"

namespace clusterloom::cli {

/// Adds --metric, --period and --geographic, which also names the coordinate columns of `input`.
void addSpaceOptions(CLI::App& parser, Space& space, InputOptions& input);

/// Adds --period alone. `rest`: what follows in its help. Returns the option.
CLI::Option* addPeriodOption(CLI::App& parser, Space& space, const std::string& rest);

/// BadCall for a space other than the Euclidean one in a call that several processes share.
Result<void> checkSpaceOfRanks(const Space& space);

/// Adds metric, period, or sphere_radius; nothing for a Euclidean space.
void addSpace(Json& object, const Space& space);

/// The line of a summary, with a line break; empty for a Euclidean space.
std::string spaceLine(const Space& space);

}  // namespace clusterloom::cli
