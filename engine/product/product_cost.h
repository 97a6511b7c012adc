#pragma once

#include <cstddef>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// What multiplies: the vector instructions of this processor, or the matrix units of a GPU, which
/// are compared with a grid on the same GPU; one that counts uses matrix units itself.
enum class ProductUnits { Processor, MatrixUnits, MatrixUnitsBesideCounts };

/// What products of `pairs` pairs of points are predicted to cost, in the unit of the cost model of
/// k (engine/join/cost_of_k.h): coordinates that the grid's join reads. Depends on the instructions
/// of this processor; on a GPU products leave `openShare` of the pairs open (openShareOfProducts).
double productCost(double pairs, std::size_t dims, ProductUnits by, double openShare = 0);

/// Whether a GPU multiplies `pairs` pairs in about the time that the cost model of k takes.
bool areQuickProducts(double pairs, std::size_t dims, double openShare);

/// The share of the pairs of a point of `asking` and one of `cloud` of which coordinates as a GPU
/// rounds them for products, to words or to bytes (kWordDims), leave open whether they are within
/// ε, estimated from 16,384 pairs: those whose distance is nearer to ε than the rounding moves two
/// points. It is large where points of one cluster are about ε apart and the cloud is much wider.
double openShareOfProducts(const PointCloud& asking, const PointCloud& cloud, double eps);

}  // namespace clusterloom
