#pragma once

#include <cstddef>

namespace clusterloom {

/// What multiplies: the vector instructions of this processor, or the matrix units of a GPU, which
/// are compared with a grid on the same GPU.
enum class ProductUnits { Processor, MatrixUnits };

/// What products of `pairs` pairs of points are predicted to cost, in the unit of the cost model of
/// k (engine/join/cost_of_k.h): coordinates that the grid's join reads. Depends on the instructions
/// of this processor.
double productCost(double pairs, std::size_t dims, ProductUnits by);

/// Whether a GPU multiplies `pairs` pairs in the time that the cost model of k would take.
bool isQuickByBytes(double pairs, std::size_t dims);

}  // namespace clusterloom
