#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/io/write.h"

namespace clusterloom {

/// Turns the provenance of labels into that of HDBSCAN*: without what only DBSCAN has, with the
/// smallest cluster, the selection ("eom", "leaves"), whether all points may be one cluster, and,
/// where they are not 0, the ε below which clusters are not told apart and the largest cluster.
void describeHdbscan(Provenance& lines, std::uint32_t minClusterSize, const std::string& selection,
                     bool allowSingleCluster = false, double selectionEps = 0,
                     std::uint32_t maxClusterSize = 0);

/// The data set with the probabilities of HDBSCAN*, one a point, as its last column, "probability".
Dataset withProbabilities(Dataset data, std::vector<double> probabilities);

}  // namespace clusterloom
