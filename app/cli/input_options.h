#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/read.h"

namespace clusterloom::cli {

/// Which file to read and how.
struct InputOptions {
  std::string path;
  ReadOptions read;
};

/// Adds FILE, --columns, --skip-non-finite and the options for text files.
void addInputOptions(CLI::App& parser, InputOptions& options);

/// A cloud that was read, with the seconds it took.
struct Input {
  Dataset data;
  double seconds = 0;
};

/// Reads the file; says on standard error how many rows were skipped, if any.
Result<Input> readInput(const InputOptions& options, const Task& task);

}  // namespace clusterloom::cli
