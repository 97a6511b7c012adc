#pragma once

#include "app/cli/papers/asked.h"

// Makers of the numbers that only a GPU has; elsewhere Unavailable, with the reason.
namespace clusterloom::cli {

Result<MadeNumber> hostShare(const Asked& asked);
Result<MadeNumber> occupancy(const Asked& asked);

}  // namespace clusterloom::cli
