#pragma once

#include <cstddef>

namespace clusterloom {

/// What products of `pairs` pairs of points are predicted to cost, in the unit of the cost model of
/// k (engine/join/cost_of_k.h): coordinates that the grid's join reads. Depends on the instructions
/// of this processor.
double productCost(double pairs, std::size_t dims);

}  // namespace clusterloom
