#pragma once

#include <array>
#include <string>
#include <vector>

#include "render/paint/painter.h"
#include "render/scene/display_space.h"
#include "render/scene/picking.h"

namespace clusterloom {

/// A line in pixels, origin at the lower left.
struct Segment {
  double x0, y0, x1, y1;
};

/// A rectangle in pixels.
struct PixelBox {
  double x0, y0, x1, y1;
  bool overlaps(const PixelBox& other) const {
    return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1;
  }
};

/// A placed text. Sizes are logical pixels, places are device pixels.
struct PlacedText {
  std::string words;
  double x = 0;
  double y = 0;
  Across across = Across::Centre;
  Along along = Along::Centre;
  double size = 11;
  bool upwards = false;
  bool title = false;  ///< an axis' name, not one of its numbers
  PixelBox box{};      ///< the area it covers, estimated generously
};

/// Where everything of the axes goes. Texts never overlap: those without space are left out.
struct AxesLayout {
  std::vector<Segment> grid;   ///< faint lines under the points
  std::vector<Segment> edges;  ///< the box's hidden edges, under the points
  std::vector<Segment> ticks;
  std::vector<PlacedText> texts;
  double leftBand = 0;    ///< flat: width of the ruler at the left, device pixels
  double bottomBand = 0;  ///< flat: height of the ruler at the bottom
};

/// Height of the ruler at the bottom of flat scenes in logical pixels.
inline constexpr double kBottomRuler = 42;

/// Width in device pixels of the ruler at the left of a flat view that shows these values, for
/// fitting the cloud between the rulers. 0 for one-dimensional clouds.
double leftRulerWidth(const DisplaySpace& space, double low, double high, double ratio);

/// Rulers along the left and bottom of a flat view, with real numbers. One-dimensional clouds have
/// the bottom one only.
AxesLayout layOutRulers(const DisplaySpace& space, const ViewTransform& view, double ratio);

/// The box around a 3-D cloud: grids on the faces behind it, numbers along its outline.
AxesLayout layOutBox(const DisplaySpace& space, const ViewTransform& view, double ratio);

/// Where a display place is in the picture: pixels and depth; false when it is behind the viewer.
bool projectPlace(const ViewTransform& view, const std::array<double, 3>& place, double& x,
                  double& y);

}  // namespace clusterloom
