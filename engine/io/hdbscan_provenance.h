#pragma once

#include <cstdint>
#include <string>

#include "engine/io/write.h"

namespace clusterloom {

/// Turns the provenance of labels into that of HDBSCAN*: without what only DBSCAN has, with the
/// smallest cluster, the selection ("eom", "leaves"), and whether all points may be one cluster.
void describeHdbscan(Provenance& lines, std::uint32_t minClusterSize, const std::string& selection,
                     bool allowSingleCluster = false);

}  // namespace clusterloom
