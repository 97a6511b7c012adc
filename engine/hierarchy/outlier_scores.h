#pragma once

#include <vector>

#include "engine/hierarchy/condensed_tree.h"

namespace clusterloom {

/// The outlier scores of GLOSH [Campello 2015], one for each point, 0 … 1: 1 − λ(p) / λmax,
/// where λ(p) is the density at which the point leaves its last cluster and λmax the largest at
/// which a point leaves that cluster or one below it. Where λmax is infinite, 0 for the points that
/// leave at it and 1 for the others.
std::vector<double> outlierScores(const CondensedTree& tree);

}  // namespace clusterloom
