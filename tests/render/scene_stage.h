#pragma once

#include <QtTest>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "clouds.h"
#include "render/gl/offscreen.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/point_colours.h"

namespace clusterloom::testing {

inline constexpr int kWidth = 480;
inline constexpr int kHeight = 360;

/// A cloud as it is drawn; null where it cannot be.
inline std::shared_ptr<const DisplayPoints> display(const PointCloud& cloud) {
  auto points = makeDisplayPoints(cloud, defaultViewAxes(cloud));
  return points ? std::make_shared<const DisplayPoints>(std::move(*points)) : nullptr;
}

inline ColourRequest byCluster(const std::vector<std::int32_t>& labels,
                               Background background = Background::Dark) {
  ColourRequest request;
  request.background = background;
  request.labels = labels;
  return request;
}

/// A scene in a window without a display.
struct SceneStage {
  std::unique_ptr<OffscreenWindow> window;
  CloudScene scene;
  std::shared_ptr<const DisplayPoints> points;  ///< that `show` showed last

  explicit SceneStage(int width = kWidth, int height = kHeight) {
    auto made = OffscreenWindow::make(width, height);
    if (!made) qFatal("%s", made.error().message.c_str());
    window = std::move(*made);
    scene.attach(window->window());
  }
  /// With a cloud, drawn.
  SceneStage(const PointCloud& cloud, const std::vector<std::int32_t>& labels,
             Background background = Background::Dark)
      : SceneStage() {
    scene.setBackground(background);
    show(cloud, labels);
    whole();
  }
  explicit SceneStage(const Blobs& blobs) : SceneStage(blobs.cloud, blobs.labels) {}
  ~SceneStage() { scene.detach(); }
  void show(const PointCloud& cloud, const std::vector<std::int32_t>& labels) {
    points = display(cloud);
    scene.setPoints(points);
    scene.setColours(colourPoints(byCluster(labels, scene.background()), points->order));
  }
  void show(const Blobs& blobs) { show(blobs.cloud, blobs.labels); }
  /// Frames until nothing is left to draw.
  Image whole() {
    Image image = window->image();
    for (int frame = 0; scene.moreToDraw(); ++frame) {
      if (frame > 1000) qFatal("the picture never ends");
      image = window->image();
    }
    return image;
  }
  /// Where a drawn point is in the scene.
  std::array<double, 3> place(std::size_t drawn) const {
    const float* xyz = points->xyz.data() + 3 * drawn;
    return {static_cast<double>(xyz[0]), static_cast<double>(xyz[1]), static_cast<double>(xyz[2])};
  }
  /// The pixel of a place, counted from the lower left corner.
  std::array<double, 2> pixel(const std::array<double, 3>& place) const {
    std::array<double, 2> at{};
    projectPlace(scene.viewTransform(), place, at[0], at[1]);
    return at;
  }
  std::array<double, 2> pixel(std::size_t drawn) const { return pixel(place(drawn)); }
};

}  // namespace clusterloom::testing
