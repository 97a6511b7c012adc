#pragma once

#include <string>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/output_set.h"
#include "render/gl/offscreen.h"
#include "render/paint/theme.h"
#include "render/scene/display_space.h"

namespace clusterloom {

/// How a clustering is pictured.
struct ImageOptions {
  int width = 1600;
  int height = 1200;
  double pixelRatio = 1.5;  ///< scales fonts and points
  Background background = Background::Light;
  double pointSize = 0;      ///< 0: from the number of points
  ViewAxes axes;             ///< empty dims: defaultViewAxes
  std::string title;         ///< e.g. the file's name; may be empty
  bool transparent = false;  ///< without the ground
  bool pointsOnly = false;   ///< without axes and text
};

/// The picture that renderClusteringImage writes. Errors: as checkPictureMemory
/// (render/gl/picture_memory.h), OffscreenWindow::make and makeDisplaySpace.
Result<Image> clusteringImage(const PointCloud& cloud, const Clustering& clustering,
                              const ImageOptions& options = {});

/// Draws the clusters of a cloud with axes and a line that says points, clusters, noise, ε and
/// minPts, without a display, and writes it as PNG. Errors: as checkPictureMemory,
/// OffscreenWindow::make, makeDisplaySpace and writePng.
Result<void> renderClusteringImage(const OutputTarget& target, const PointCloud& cloud,
                                   const Clustering& clustering, const ImageOptions& options = {});

}  // namespace clusterloom
