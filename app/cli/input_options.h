#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/read.h"

namespace clusterloom::cli {

/// Which file to read and how.
struct InputOptions {
  std::string path;
  std::string other;  ///< a second cloud, read in the same way; empty: the call has one
  ReadOptions read;
  /// Of --geographic auto: the names of the coordinates say which is the latitude.
  bool geographicByNames = false;
};

/// Adds --columns, --skip-non-finite, --every and the options for text files, and returns them.
/// They are for options.path, which the caller's own option sets.
std::vector<CLI::Option*> addReadOptions(CLI::App& parser, InputOptions& options);

/// Adds FILE, its --dataset and what addReadOptions adds.
void addInputOptions(CLI::App& parser, InputOptions& options);

/// Adds the option that names a second cloud, which is read with the same options and sets the
/// scale of both.
CLI::Option* addOtherOption(CLI::App& parser, const std::string& name, InputOptions& options,
                            const std::string& help);

/// A cloud that was read, with the seconds it took.
struct Input {
  Dataset data;
  double seconds = 0;
};

/// Says on standard error which columns of numbers were taken for no coordinates, and which
/// coordinates were rounded to doubles.
void sayOfColumns(const Dataset& data, const std::string& path);
/// Says on standard error that `skipped` of the `rows` rows of a file were skipped, if any; `which`
/// follows it.
void sayOfSkippedRows(const std::string& path, std::uint64_t skipped, std::uint64_t rows,
                      const std::string& which = {});

/// Reads the file; says on standard error how many rows were skipped, if any, and of which file
/// where the call has two, and what sayOfColumns does.
Result<Input> readInput(const InputOptions& options, const Task& task);

}  // namespace clusterloom::cli
