#include "app/pictures/draw_picture.h"

#include <algorithm>

#include "engine/core/utf8_text.h"
#include "render/gl/offscreen.h"
#include "render/scene/clustering_image.h"

namespace clusterloom {
namespace {

Result<std::string> drawPicture(const PointCloud& cloud, const Clustering& clustering,
                                const std::string& title, const PictureOptions& picture) {
  ImageOptions options;
  options.title = asUtf8(title);
  const ImageOptions usual;
  options.width = picture.size.width;
  options.height = picture.size.height;
  options.transparent = picture.transparent;
  options.pointsOnly = picture.pointsOnly;
  options.pixelRatio *=
      std::min(1.0 * options.width / usual.width, 1.0 * options.height / usual.height);
  constexpr double kLargerPoints = 3;
  if (picture.pointsOnly) options.pixelRatio *= kLargerPoints;
  const auto image = clusteringImage(cloud, clustering, options);
  if (!image) return tl::unexpected(image.error());
  return pngOf(*image);
}

}  // namespace
}  // namespace clusterloom

extern "C" __attribute__((visibility("default"))) clusterloom::DrawPicture*
clusterloomDrawPicture() {
  return clusterloom::drawPicture;
}
