#pragma once

#include <string>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/image_size.h"
#include "engine/io/output_set.h"

namespace clusterloom::cli {

/// Whether pictures can be drawn: Unavailable where this build lacks the render layer, TooLarge
/// where the address space is too small.
Result<void> checkPictures();

/// How the picture of a clustering is to be.
struct PictureOptions {
  ImageSize size{1600, 1200};  ///< points and texts grow with the picture
  bool transparent = false;    ///< without the ground
  bool pointsOnly = false;     ///< without axes and texts, and with larger points
};

/// Draws the clusters and writes a PNG. A stop while it draws ends the program (console.h), so no
/// other output may have been begun.
Result<void> writePicture(const OutputTarget& target, const PointCloud& cloud,
                          const Clustering& clustering, const std::string& title,
                          const PictureOptions& picture, const Task& task);

}  // namespace clusterloom::cli
