#pragma once

#include <string>

#include "app/pictures/draw_picture.h"
#include "engine/core/task.h"
#include "engine/io/output_set.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

/// Loads what draws. Unavailable where its library is missing, as in a build without the render
/// layer, or does not load; TooLarge where the address space is too small.
Result<void> checkPictures();

/// Draws the clusters and writes a PNG that holds the provenance as text, after checkPictures. A
/// stop while it draws ends the program (console.h), so no other output may have been begun.
Result<void> writePicture(const OutputTarget& target, const PointCloud& cloud,
                          const Clustering& clustering, const std::string& title,
                          const PictureOptions& picture, const Provenance& provenance,
                          const Task& task);

}  // namespace clusterloom::cli
