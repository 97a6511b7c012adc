// Built with -DCLUSTERLOOM_GUI=OFF, where there is no render room.
#include "app/cli/picture.h"

namespace clusterloom::cli {

Result<void> checkPictures() {
  return fail(ErrorKind::Unavailable,
              "--image needs the render room, which is not in this build; configure with "
              "-DCLUSTERLOOM_GUI=ON.");
}

Result<void> writePicture(const std::string&, const PointCloud&, const Clustering&,
                          const std::string&) {
  return checkPictures();
}

}  // namespace clusterloom::cli
