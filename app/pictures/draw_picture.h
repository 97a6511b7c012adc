#pragma once

#include <string>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/image_size.h"

namespace clusterloom {

/// The options of a picture of a clustering.
struct PictureOptions {
  ImageSize size{1600, 1200};  ///< points and text grow with the picture
  bool transparent = false;    ///< without the ground
  bool pointsOnly = false;     ///< without axes and text, and with larger points
};

/// Draws the clusters, under a title that may be empty; the bytes of a PNG. Errors: as
/// clusteringImage (render/scene/clustering_image.h).
using DrawPicture = Result<std::string>(const PointCloud& cloud, const Clustering& clustering,
                                        const std::string& title, const PictureOptions& picture);

/// The library that links VTK, which the program loads with it and only where it draws, and its
/// function without arguments that returns a DrawPicture*. Library and program are of one build.
inline constexpr const char* kPictureLibrary = "clusterloom_pictures.so";
inline constexpr const char* kPictureSymbol = "clusterloomDrawPicture";

}  // namespace clusterloom
