#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/core/result.h"

namespace clusterloom {

/// Makes a backend by its name: makeBackend, or a replacement in tests.
using MakeBackend = std::function<Result<std::unique_ptr<Backend>>(const std::string& name,
                                                                   const BackendOptions& options)>;

/// What the ranks of one process work with.
struct LocalRanks {
  std::vector<std::unique_ptr<Backend>> backends;  ///< by rank
  int threadsEach = 1;
};

/// Makes the backends of `options.ranks` ranks of one process; 0 or
/// kRankADevice: one a device, at least one.
/// They share the threads evenly. Rank r takes device r mod g of the g devices that `options`
/// names, or, where it names none, of those that the backend could run on. Errors of `make`, and
/// BadCall for devices that are named twice or with a backend that does not run on one.
Result<LocalRanks> makeLocalRanks(const std::string& name, const BackendOptions& options,
                                  const MakeBackend& make);

/// The backend `whole`, but for DBSCAN, which is divided in space between ranks in this process
/// (engine/distributed/distributed_dbscan.h). The labels are the same. Each rank holds a copy of
/// its points beside the cloud. RunStats::ranks says what each of them did. An error of a rank
/// names it.
std::unique_ptr<Backend> makeDividedBackend(std::unique_ptr<Backend> whole, LocalRanks ranks);

}  // namespace clusterloom
