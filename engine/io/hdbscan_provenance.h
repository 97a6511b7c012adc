#pragma once

#include <cstdint>
#include <string>

#include "engine/io/write.h"

namespace clusterloom {

/// Turns the provenance of labels into that of HDBSCAN*: without what only DBSCAN has, with the
/// smallest cluster and the selection ("eom", "leaves").
void describeHdbscan(Provenance& lines, std::uint32_t minClusterSize, const std::string& selection);

}  // namespace clusterloom
