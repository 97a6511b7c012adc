#pragma once

#include <string>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom::cli {

/// Whether this build has the render room, which draws pictures: Unavailable when it has not.
Result<void> checkPictures();

/// Draws the clusters and writes a PNG.
Result<void> writePicture(const std::string& path, const PointCloud& cloud,
                          const Clustering& clustering, const std::string& title);

}  // namespace clusterloom::cli
