#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "render/gl/offscreen.h"
#include "render/paint/ticks.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/point_colours.h"

namespace clusterloom {
namespace {

/// Pixels drawn for each pixel of the picture, per side: smooth edges from any driver.
constexpr int kOversampling = 2;

/// Averages blocks of kOversampling × kOversampling pixels.
Image reduced(const Image& large) {
  Image image;
  image.width = large.width / kOversampling;
  image.height = large.height / kOversampling;
  image.rgba.resize(4 * static_cast<std::size_t>(image.width) *
                    static_cast<std::size_t>(image.height));
  auto out = image.rgba.begin();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      std::array<unsigned, 4> sum{};
      for (int dy = 0; dy < kOversampling; ++dy)
        for (int dx = 0; dx < kOversampling; ++dx)
          for (std::size_t c = 0; c < 4; ++c)
            sum[c] += large.pixel(kOversampling * x + dx, kOversampling * y + dy)[c];
      for (const unsigned channel : sum)
        *out++ = static_cast<std::uint8_t>((channel + 2) / (kOversampling * kOversampling));
    }
  }
  return image;
}

std::string percentage(std::uint64_t part, std::uint64_t whole) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text.data();
}

std::string summary(const Clustering& clustering) {
  const std::uint64_t n = clustering.labels.size();
  return groupedNumber(n) + (n == 1 ? " point · " : " points · ") +
         groupedNumber(static_cast<unsigned long long>(clustering.clusters)) +
         (clustering.clusters == 1 ? " cluster · " : " clusters · ") +
         percentage(clustering.noiseCount, n) + " noise · ε " + shortNumber(clustering.params.eps) +
         " · minPts " + std::to_string(clustering.params.minPts);
}

}  // namespace

Result<void> renderClusteringImage(const OutputTarget& target, const PointCloud& cloud,
                                   const Clustering& clustering, const ImageOptions& options) {
  if (clustering.labels.size() != cloud.size())
    return fail(ErrorKind::BadCall, "the labels are not those of this cloud: " +
                                        std::to_string(clustering.labels.size()) + " labels, " +
                                        std::to_string(cloud.size()) + " points");
  if (options.width < 1 || options.height < 1)
    return fail(ErrorKind::BadCall, "a picture needs a width and a height");
  const bool chosen = options.axes.kind == ViewAxes::Kind::Pca || !options.axes.dims.empty();
  auto points = makeDisplayPoints(cloud, chosen ? options.axes : defaultViewAxes(cloud));
  if (!points) return tl::unexpected(points.error());
  auto window =
      OffscreenWindow::make(options.width * kOversampling, options.height * kOversampling);
  if (!window) return tl::unexpected(window.error());

  CloudScene scene;
  scene.attach((*window)->window());
  scene.setProgressive(false);
  scene.setBackground(options.background);
  scene.setPixelRatio(options.pixelRatio * kOversampling);
  scene.setPointSize(options.pointSize);
  scene.setCaption(options.title);
  scene.setSubcaption(summary(clustering));
  const auto shared = std::make_shared<const DisplayPoints>(std::move(*points));
  scene.setPoints(shared);
  ColourRequest request;
  request.background = options.background;
  request.labels = clustering.labels;
  scene.setColours(colourPoints(request, shared->order));
  return writePng(target, reduced((*window)->image()));
}

}  // namespace clusterloom
