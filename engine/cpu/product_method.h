#pragma once

#include "engine/cpu/prepared_join.h"

namespace clusterloom {

/// The method `products` (engine/product/product_join.h), of one cloud or two. Pairs that a first
/// pass finds are kept where they take at most a quarter of the free memory: later passes then
/// compute nothing.
Result<std::unique_ptr<PreparedJoin>> prepareProductJoin(const JoinInput& input, double eps,
                                                         const JoinPlan& plan, const Task& task);

}  // namespace clusterloom
