// Built where the render module is.
#include "app/cli/picture.h"
#include "render/gl/offscreen.h"

namespace clusterloom::cli {

Result<void> checkPictures() { return checkPictureMemory(0); }

Result<void> writePicture(const OutputTarget& target, const PointCloud& cloud,
                          const Clustering& clustering, const std::string& title) {
  ImageOptions options;
  options.title = title;
  return renderClusteringImage(target, cloud, clustering, options);
}

}  // namespace clusterloom::cli
