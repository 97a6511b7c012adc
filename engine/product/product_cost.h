#pragma once

#include <cstddef>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// What multiplies: the vector instructions of this processor, or the matrix units of a GPU, which
/// are compared with a grid on the same GPU; one that counts uses matrix units itself.
enum class ProductUnits { Processor, MatrixUnits, MatrixUnitsBesideCounts };

/// What is expected of the pairs of a point that asks and a point: shares of all pairs.
struct PairShares {
  double open = 0;  ///< of which coordinates as a GPU rounds them leave open whether they are near
  double near = 0;  ///< within ε
};

/// What products of `pairs` pairs of points are predicted to cost, in the unit of the cost model of
/// k (engine/join/cost_of_k.h): coordinates that the grid's join reads. Depends on the instructions
/// of this processor; on a GPU open pairs take time of their own, and where the grid counts on
/// matrix units also near ones, which products list.
double productCost(double pairs, std::size_t dims, ProductUnits by, const PairShares& shares = {});

/// Whether a GPU multiplies `pairs` pairs in about the time that the cost model of k takes.
bool areQuickProducts(double pairs, std::size_t dims, ProductUnits by, const PairShares& shares);

/// Of products of words or of bytes (kWordDims), estimated from 16,384 pairs: those whose distance
/// is nearer to ε than the rounding moves two points are open. They are many where points of one
/// cluster are about ε apart and the cloud is much wider.
PairShares sharesOfPairs(const PointCloud& asking, const PointCloud& cloud, double eps);

}  // namespace clusterloom
