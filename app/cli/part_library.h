#pragma once

#include <filesystem>
#include <string>

#include "engine/core/result.h"

namespace clusterloom::cli {

/// A library that is built and installed with this program, and loaded by the calls that need it.
struct PartLibrary {
  const char* name;
  const char* symbol;    ///< of its function without arguments, which returns what it offers
  std::string purpose;   ///< what needs it, such as "--image"
  std::string howBuilt;  ///< how a build gets it, a sentence
  /// Libraries that it needs look up their own names in the whole process.
  bool global = false;
};

/// The folder of this program, beside which its libraries and the window's program are.
std::filesystem::path programFolder();

/// Loads a library, which stays until the process ends, and returns what it offers. Unavailable
/// where it is missing or does not load.
Result<void*> loadPart(const PartLibrary& part);

}  // namespace clusterloom::cli
