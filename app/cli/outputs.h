#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"

namespace clusterloom::cli {

/// An output file of the call.
struct Output {
  std::string option;                   ///< for messages, e.g. "--labels"
  std::string path;                     ///< empty: not requested
  std::vector<std::string> extensions;  ///< with the dot, in lower case
};

/// ".csv .npy", for messages and help.
std::string listOf(const std::vector<std::string>& extensions);

/// Refuses, before any work is done, what could not be written after it: an extension that names no
/// format, a folder that is not there, two outputs in one file, an output over the input. BadCall.
Result<void> checkOutputs(const std::string& input, const std::vector<Output>& outputs);

}  // namespace clusterloom::cli
