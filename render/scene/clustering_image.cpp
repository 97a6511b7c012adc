#include "render/scene/clustering_image.h"

#include <algorithm>
#include <utility>

#include "render/gl/picture_memory.h"
#include "render/paint/ticks.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/point_colours.h"

namespace clusterloom {
namespace {

/// Rendered pixels per pixel of the picture and side: smooth edges with any driver. Larger pictures
/// than this are drawn without, which keeps their memory within reason.
constexpr int kOversampling = 2;
constexpr double kOversampledPixels = 1e7;

std::string percentage(std::uint64_t part, std::uint64_t whole) {
  return percentText(double(part) / double(whole));
}

std::string summary(const Clustering& clustering) {
  const std::uint64_t n = clustering.labels.size();
  return groupedText(n) + (n == 1 ? " point · " : " points · ") +
         groupedText(static_cast<unsigned long long>(clustering.clusters)) +
         (clustering.clusters == 1 ? " cluster · " : " clusters · ") +
         percentage(clustering.noiseCount, n) + " noise · ε " + shortNumber(clustering.params.eps) +
         " · minPts " + groupedText(std::uint64_t(clustering.params.minPts));
}

}  // namespace

Result<Image> clusteringImage(const PointCloud& cloud, const Clustering& clustering,
                              const ImageOptions& options) {
  if (clustering.labels.size() != cloud.size())
    return badCall(
        "the labels are not those of this cloud: " + std::to_string(clustering.labels.size()) +
        " labels, " + std::to_string(cloud.size()) + " points");
  if (options.width < 1 || options.height < 1)
    return badCall("a picture needs a width and a height");
  const bool chosen = options.axes.kind == ViewAxes::Kind::Pca || !options.axes.dims.empty();
  if (auto enough = checkPictureMemory(cloud.size()); !enough)
    return tl::unexpected(enough.error());
  auto points = makeDisplayPoints(cloud, chosen ? options.axes : defaultViewAxes(cloud));
  if (!points) return tl::unexpected(points.error());
  const bool large = 1.0 * options.width * options.height > kOversampledPixels ||
                     kOversampling * std::max(options.width, options.height) > kLargestPicture;
  const int factor = large ? 1 : kOversampling;
  auto window = OffscreenWindow::make(options.width * factor, options.height * factor);
  if (!window) return tl::unexpected(window.error());

  CloudScene scene;
  scene.attach((*window)->window());
  scene.setProgressive(false);
  scene.setBackground(options.background);
  scene.setPixelRatio(options.pixelRatio * factor);
  scene.setPointSize(options.pointSize);
  scene.setAxesVisible(!options.pointsOnly);
  if (!options.pointsOnly) {
    scene.setCaption(options.title);
    scene.setSubcaption(summary(clustering));
  }
  const auto shared = std::make_shared<const DisplayPoints>(std::move(*points));
  scene.setPoints(shared);
  ColourRequest request;
  request.background = options.background;
  request.labels = clustering.labels;
  scene.setColours(colourPoints(request, shared->order));
  if (!options.transparent) return reduced((*window)->image(), factor);
  scene.setGround(Colour{0, 0, 0});
  const Image onBlack = (*window)->image();
  scene.setGround(Colour{255, 255, 255});
  return reduced(withoutGround(onBlack, (*window)->image()), factor);
}

Result<void> renderClusteringImage(const OutputTarget& target, const PointCloud& cloud,
                                   const Clustering& clustering, const ImageOptions& options) {
  const auto image = clusteringImage(cloud, clustering, options);
  if (!image) return tl::unexpected(image.error());
  return writePng(target, *image);
}

}  // namespace clusterloom
