// Built where the render room is.
#include "app/cli/picture.h"
#include "render/gl/offscreen.h"

namespace clusterloom::cli {

Result<void> checkPictures() { return {}; }

Result<void> writePicture(const std::string& path, const PointCloud& cloud,
                          const Clustering& clustering, const std::string& title) {
  ImageOptions options;
  options.title = title;
  return renderClusteringImage(path, cloud, clustering, options);
}

}  // namespace clusterloom::cli
