// Built with -DCLUSTERLOOM_GUI=OFF, where there is no render layer.
#include "app/cli/picture.h"

namespace clusterloom::cli {

Result<void> checkPictures() {
  return fail(ErrorKind::Unavailable,
              "--image needs the render layer, which is not in this build; configure with "
              "-DCLUSTERLOOM_GUI=ON.");
}

Result<void> writePicture(const OutputTarget&, const PointCloud&, const Clustering&,
                          const std::string&, const PictureOptions&, const Task&) {
  return checkPictures();
}

}  // namespace clusterloom::cli
