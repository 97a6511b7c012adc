#include "render/paint/painter.h"

#include <cmath>
#include <numbers>

namespace clusterloom {

void Painter::frame(double x, double y, double width, double height, Colour colour,
                    double lineWidth) {
  line(x, y, x + width, y, colour, lineWidth);
  line(x + width, y, x + width, y + height, colour, lineWidth);
  line(x + width, y + height, x, y + height, colour, lineWidth);
  line(x, y + height, x, y, colour, lineWidth);
}

void Painter::circle(double x, double y, double radius, Colour colour, double width) {
  constexpr int kCorners = 96;
  std::vector<float> corners;
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCorners;
    corners.push_back(float(x + radius * std::cos(angle)));
    corners.push_back(float(y + radius * std::sin(angle)));
  }
  polyline(corners, colour, width);
}

void Painter::text(const std::string& words, double x, double y, Across across, Along along,
                   Colour colour, double size, bool bold) {
  if (!words.empty()) drawText(words, x, y, {colour, size, bold, across, along, false});
}

void Painter::textUpwards(const std::string& words, double x, double y, Across across, Along along,
                          Colour colour, double size) {
  if (!words.empty()) drawText(words, x, y, {colour, size, false, across, along, true});
}

}  // namespace clusterloom
