#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"

namespace clusterloom::cli {

/// An output file of the call.
struct Output {
  std::string option;                   ///< for messages, e.g. "--labels"
  std::string path;                     ///< empty: not requested
  std::vector<std::string> extensions;  ///< with the dot, in lower case; none: any
  bool compressible = true;             ///< .gz or .zst may follow
  bool provenance = false;              ///< provenance is written, beside the file where it must be
};

/// ".csv .npy", for messages and help.
std::string listOf(const std::vector<std::string>& extensions);

/// Whether the format of this file holds labels without coordinates.
bool writesLabelsOnly(const std::string& path);

/// The formats of labelled points, for help.
std::string labelledFormats();

/// Adds --allow-loss.
CLI::Option* addAllowLossOption(CLI::App& parser, bool& allowLoss);
/// Refuses --allow-loss without --labels. BadCall.
Result<void> checkAllowLoss(bool allowLoss, const std::string& labels);
/// Refuses, before the work, an output whose format cannot hold the columns that were read; prints
/// what will be lost where that is allowed.
Result<void> checkLossesBefore(const std::string& path, const Dataset& data, bool allowLoss);

/// Adds --provenance on|off.
CLI::Option* addProvenanceOption(CLI::App& parser, bool& provenance);

/// Refuses, before any work is done, what could not be written after it: an extension that names no
/// format, a folder that is not there, two outputs in one file, an output over an input, provenance
/// without an output. What is written beside an output counts as one. BadCall.
Result<void> checkOutputs(const std::vector<std::string>& inputs,
                          const std::vector<Output>& outputs);

}  // namespace clusterloom::cli
