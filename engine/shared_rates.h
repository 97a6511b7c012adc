#pragma once

#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/hybrid/rate_memory.h"

namespace clusterloom {

/// The rates kept in a file. None where there is no file, or one that cannot be used: they only
/// steer which processor does a run, and the next runs measure them again.
KnownRates readSharedRates(const std::string& path);

/// Adds rates to those in the file, atomically; those of the same kinds are replaced. Drops the
/// earlier rates where there would be more than a few hundred kinds. Makes the folder if there is
/// none. Io.
Result<void> keepSharedRates(const std::string& path, const KnownRates& rates);

/// A memory of rates that starts with those of the file and adds to the file what it has learned.
/// Where the file cannot be written, what was learned is lost. No file where `path` is empty.
std::unique_ptr<RateMemory> sharedRatesIn(const std::string& path);

}  // namespace clusterloom
