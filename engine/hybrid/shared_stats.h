#pragma once

#include "engine/core/shared_pass.h"
#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {

/// Completes a pass whose batches, stage, division and meeting point are known: sorts the batches
/// by start and derives ends, imbalance and shares from them.
void summarise(SharedPass& pass, const OrderedQueries& queries);

/// The rate of each side in a summarised pass: of the GPU from its beginning to its end, of CPU
/// threads while they worked on batches. 0 for a side that did nothing.
SideRates ratesOf(const SharedPass& pass, const OrderedQueries& queries);

}  // namespace clusterloom
