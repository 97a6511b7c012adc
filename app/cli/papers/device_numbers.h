#pragma once

#include "app/cli/papers/asked.h"

// Makers of the numbers that only a GPU has; elsewhere Unavailable, with the reason.
namespace clusterloom::cli {

Result<MadeNumber> hostShare(const Asked& asked);
Result<MadeNumber> modelledBatch(const Asked& asked);
Result<MadeNumber> fastestBatch(const Asked& asked);
Result<MadeNumber> occupancy(const Asked& asked);
Result<MadeNumber> dbscanSeconds(const Asked& asked);
Result<MadeNumber> kernelSeconds(const Asked& asked);
Result<MadeNumber> kernelRegisters(const Asked& asked);
Result<MadeNumber> kernelOccupancy(const Asked& asked);

}  // namespace clusterloom::cli
