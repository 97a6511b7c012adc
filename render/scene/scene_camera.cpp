#include "render/scene/scene_camera.h"

#include <vtkCamera.h>
#include <vtkMath.h>
#include <vtkMatrix4x4.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "render/scene/cloud_scene.h"

namespace clusterloom {
namespace {

constexpr double kViewAngle = 30;
/// Height of flat cameras above the points; cells are 1 below them.
constexpr double kFlatHeight = 10;
/// The axes are those of the visible part when half the height of the view is less than this
/// fraction of the cloud's extent; that part's box takes kBoxPart of the view.
constexpr double kSmallPart = 0.3;
constexpr double kBoxPart = 0.72;
/// Least distance of the near plane of a perspective view, as a fraction of the camera's distance.
constexpr double kNearest = 0.02;
/// Rounds of centring and measuring until the picture of a box is in the middle.
constexpr int kFitRounds = 12;

double halfAngleSlope() { return std::tan(kViewAngle / 2 * std::numbers::pi / 180); }

/// Half the height of the view in the plane of the focal point.
double halfHeight(vtkCamera& camera) {
  return camera.GetParallelProjection() != 0 ? camera.GetParallelScale()
                                             : halfAngleSlope() * camera.GetDistance();
}

/// Moves a camera along its view to this distance from the focal point.
void setDistance(vtkCamera& camera, double distance) {
  double focal[3];
  double forward[3];
  camera.GetFocalPoint(focal);
  camera.GetDirectionOfProjection(forward);
  camera.SetPosition(focal[0] - forward[0] * distance, focal[1] - forward[1] * distance,
                     focal[2] - forward[2] * distance);
}

/// Distances of the nearest and the farthest corner of a cloud's box, with a margin for cells that
/// extend beyond it and for clouds without depth.
std::array<double, 2> depthsOf(vtkCamera& camera, const DisplayBox& cloud) {
  constexpr double kMargin = 0.3;
  double position[3];
  double forward[3];
  camera.GetPosition(position);
  camera.GetDirectionOfProjection(forward);
  std::array<double, 2> depths{std::numeric_limits<double>::infinity(), 0};
  for (unsigned c = 0; c < 8; ++c) {
    double depth = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double corner = (c >> a & 1U) != 0 ? cloud.high[a] + kMargin : cloud.low[a] - kMargin;
      depth += forward[a] * (corner - position[a]);
    }
    depths = {std::min(depths[0], depth), std::max(depths[1], depth)};
  }
  return depths;
}

/// Unit vectors into the picture, upwards in it and to the right.
struct Directions {
  double forward[3];
  double up[3];
  double right[3];
};

Directions directionsOf(vtkCamera& camera) {
  Directions of{};
  camera.GetDirectionOfProjection(of.forward);
  camera.GetViewUp(of.up);
  vtkMath::Cross(of.forward, of.up, of.right);
  vtkMath::Normalize(of.right);
  vtkMath::Cross(of.right, of.forward, of.up);
  return of;
}

}  // namespace

void fitFlat(vtkCamera& camera, const DisplayBox& box, const FitArea& area) {
  std::array<double, 3> centre{};
  std::array<double, 3> extent{};
  for (std::size_t a = 0; a < 3; ++a) {
    centre[a] = (box.low[a] + box.high[a]) / 2;
    extent[a] = box.high[a] - box.low[a];
  }
  const double largest = std::max({extent[0], extent[1], extent[2]});
  // One point, or points at one position: show some space around.
  const double least = largest > 0 ? 1e-9 : 0.5;
  const double width = std::max(area.width - area.left - area.right, 1.0) * area.margin;
  const double height = std::max(area.height - area.bottom - area.top, 1.0) * area.margin;
  const double perUnit = std::min(width / std::max(extent[0], least),
                                  height / std::max({extent[1], least, largest * 1e-3}));
  // The middle of the free area, not of the window.
  const double x = centre[0] - (area.left - area.right) / 2 / perUnit;
  const double y = centre[1] - (area.bottom - area.top) / 2 / perUnit;
  camera.ParallelProjectionOn();
  camera.SetFocalPoint(x, y, 0);
  camera.SetPosition(x, y, kFlatHeight);
  camera.SetViewUp(0, 1, 0);
  camera.SetParallelScale(area.height / 2.0 / perUnit);
}

void fitPerspective(vtkCamera& camera, const DisplayBox& box, const FitArea& area) {
  camera.ParallelProjectionOff();
  camera.SetViewAngle(kViewAngle);
  const auto [forward, up, right] = directionsOf(camera);
  // Slope of the ray one pixel off the middle.
  const double perPixel = halfAngleSlope() / (area.height / 2.0);
  const double spaceX = (area.width - area.left - area.right) / 2 * perPixel * area.margin;
  const double spaceY = std::max(area.height - area.bottom - area.top, area.height * 0.3) / 2 *
                        perPixel * area.margin;

  std::array<double, 3> centre{};
  double extent = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    centre[a] = (box.low[a] + box.high[a]) / 2;
    extent = std::max(extent, box.high[a] - box.low[a]);
  }
  // A single point still needs visible surroundings.
  const double least = extent > 0 ? extent * 1e-3 : 0.25;
  double distance = least;
  // In perspective the middle of the box's picture is not the picture of the box's middle.
  for (int round = 0; round < kFitRounds; ++round) {
    double low[2] = {1e300, 1e300};
    double high[2] = {-1e300, -1e300};
    distance = least;
    for (const bool measuring : {true, false}) {
      for (unsigned c = 0; c < 8; ++c) {
        double at[3] = {0, 0, 0};  // right, up, towards the viewer, from the centre
        for (std::size_t a = 0; a < 3; ++a) {
          const double half = std::max(box.high[a] - box.low[a], least) / 2;
          const double offset =
              (box.low[a] + box.high[a]) / 2 + ((c >> a & 1U) != 0 ? half : -half) - centre[a];
          at[0] += right[a] * offset;
          at[1] += up[a] * offset;
          at[2] -= forward[a] * offset;
        }
        if (measuring) {
          distance = std::max(
              {distance, at[2] + std::abs(at[0]) / spaceX, at[2] + std::abs(at[1]) / spaceY});
          continue;
        }
        for (std::size_t i = 0; i < 2; ++i) {
          const double slope = at[i] / (distance - at[2]);
          low[i] = std::min(low[i], slope);
          high[i] = std::max(high[i], slope);
        }
      }
    }
    for (std::size_t a = 0; a < 3; ++a)
      centre[a] += distance * (right[a] * (low[0] + high[0]) + up[a] * (low[1] + high[1])) / 2;
  }
  const double lift = distance * perPixel * (area.top - area.bottom) / 2;
  for (std::size_t a = 0; a < 3; ++a) centre[a] += up[a] * lift;
  camera.SetFocalPoint(centre.data());
  camera.SetPosition(centre[0] - forward[0] * distance, centre[1] - forward[1] * distance,
                     centre[2] - forward[2] * distance);
}

void fitParallel(vtkCamera& camera, const DisplayBox& box, const FitArea& area) {
  camera.ParallelProjectionOn();
  const auto [forward, up, right] = directionsOf(camera);
  // Half the extent of the box to the right and upwards in the picture.
  double across = 0;
  double along = 0;
  double largest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double extent = box.high[a] - box.low[a];
    across += std::abs(right[a]) * extent / 2;
    along += std::abs(up[a]) * extent / 2;
    largest = std::max(largest, extent);
  }
  // A single point still needs visible surroundings.
  const double least = largest > 0 ? largest * 1e-3 : 0.25;
  const double width = std::max(area.width - area.left - area.right, 1.0) * area.margin;
  const double height =
      std::max(area.height - area.bottom - area.top, area.height * 0.3) * area.margin;
  const double perPixel =
      2 * std::max(std::max(across, least) / width, std::max(along, least) / height);
  // The middle of the free area, not of the window.
  const double aside = perPixel * (area.right - area.left) / 2;
  const double lift = perPixel * (area.top - area.bottom) / 2;
  double focal[3];
  for (std::size_t a = 0; a < 3; ++a)
    focal[a] = (box.low[a] + box.high[a]) / 2 + right[a] * aside + up[a] * lift;
  const double scale = perPixel * area.height / 2;
  const double distance = scale / halfAngleSlope();
  camera.SetPosition(focal[0] - forward[0] * distance, focal[1] - forward[1] * distance,
                     focal[2] - forward[2] * distance);
  camera.SetFocalPoint(focal);
  camera.SetParallelScale(scale);
}

void setParallel(vtkCamera& camera, bool parallel) {
  const double half = halfHeight(camera);
  camera.SetViewAngle(kViewAngle);
  camera.SetParallelProjection(parallel);
  if (parallel)
    camera.SetParallelScale(half);
  else
    setDistance(camera, half / halfAngleSlope());
}

void lookFrom(vtkCamera& camera, const std::array<double, 3>& direction,
              const std::array<double, 3>& up) {
  double focal[3];
  camera.GetFocalPoint(focal);
  const double distance = std::max(camera.GetDistance(), 1e-9);
  const double length = std::hypot(direction[0], direction[1], direction[2]);
  camera.SetPosition(focal[0] + direction[0] / length * distance,
                     focal[1] + direction[1] / length * distance,
                     focal[2] + direction[2] / length * distance);
  camera.SetViewUp(up.data());
}

void lookFrom(vtkCamera& camera, ViewPreset preset) {
  switch (preset) {
    case ViewPreset::Front: return lookFrom(camera, {0, -1, 0}, {0, 0, 1});
    case ViewPreset::Back: return lookFrom(camera, {0, 1, 0}, {0, 0, 1});
    case ViewPreset::Left: return lookFrom(camera, {-1, 0, 0}, {0, 0, 1});
    case ViewPreset::Right: return lookFrom(camera, {1, 0, 0}, {0, 0, 1});
    case ViewPreset::Top: return lookFrom(camera, {0, 0, 1}, {0, 1, 0});
    case ViewPreset::Bottom: return lookFrom(camera, {0, 0, -1}, {0, 1, 0});
    case ViewPreset::Corner: return lookFrom(camera, {1, -1.6, 0.9}, {0, 0, 1});
  }
}

void panFlat(vtkCamera& camera, double right, double up) {
  const double view = 2 * camera.GetParallelScale();
  double focal[3];
  camera.GetFocalPoint(focal);
  camera.SetFocalPoint(focal[0] + right * view, focal[1] + up * view, 0);
  camera.SetPosition(focal[0] + right * view, focal[1] + up * view, kFlatHeight);
}

void setClipping(vtkCamera& camera, const DisplayBox& cloud, bool flat) {
  if (flat) {
    camera.SetClippingRange(kFlatHeight - 2, kFlatHeight + 2);
    return;
  }
  // VTK's own near plane is a fraction of the far one: it cuts off near points when the view is
  // close to a small part of a cloud.
  const double least = kNearest * camera.GetDistance();
  std::array<double, 2> depths = depthsOf(camera, cloud);
  if (camera.GetParallelProjection() != 0 && depths[0] < least) {
    setDistance(camera, camera.GetDistance() + least - depths[0]);
    depths = {least, depths[1] + least - depths[0]};
  }
  camera.SetClippingRange(std::max(depths[0], least), std::max(depths[1], 2 * least));
}

std::vector<double> cameraNumbers(vtkCamera& camera) {
  std::vector<double> numbers(kCameraNumbers);
  camera.GetPosition(numbers.data());
  camera.GetFocalPoint(numbers.data() + 3);
  camera.GetViewUp(numbers.data() + 6);
  numbers[9] = camera.GetParallelScale();
  return numbers;
}

void setCameraNumbers(vtkCamera& camera, const std::vector<double>& numbers, bool parallel) {
  camera.SetParallelProjection(parallel);
  camera.SetViewAngle(kViewAngle);
  camera.SetPosition(numbers.data());
  camera.SetFocalPoint(numbers.data() + 3);
  camera.SetViewUp(numbers.data() + 6);
  camera.SetParallelScale(numbers[9]);
}

ViewTransform transformOf(vtkCamera& camera, int width, int height, bool flat) {
  ViewTransform view;
  view.width = width;
  view.height = height;
  view.flat = flat;
  const double aspect = double(width) / height;
  const vtkMatrix4x4* matrix = camera.GetCompositeProjectionTransformMatrix(aspect, -1, 1);
  for (std::size_t i = 0; i < 16; ++i)
    view.worldToClip[i] = matrix->GetElement(int(i / 4), int(i % 4));
  return view;
}

DisplaySpace axesSpaceOf(vtkCamera& camera, const DisplaySpace& space, const DisplayBox& cloud) {
  double largest = 0;
  for (std::size_t a = 0; a < 3; ++a) largest = std::max(largest, cloud.high[a] - cloud.low[a]);
  const double half = halfHeight(camera);
  if (half > kSmallPart * largest) return space;
  DisplaySpace shown = space;
  double focal[3];
  camera.GetFocalPoint(focal);
  for (std::size_t a = 0; a < 3; ++a) {
    const double low = std::max(cloud.low[a], focal[a] - kBoxPart * half);
    const double high = std::min(cloud.high[a], focal[a] + kBoxPart * half);
    // Beside the cloud, or flat along this axis.
    if (low > high) return space;
    shown.low[a] = shown.toValue(int(a), low);
    shown.high[a] = shown.toValue(int(a), high);
  }
  return shown;
}

}  // namespace clusterloom
