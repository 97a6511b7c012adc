#include "ui/session/display_state.h"

#include <algorithm>

namespace clusterloom {

ViewAxes viewAxesOf(const DisplayState& display, std::size_t dims) {
  ViewAxes axes;
  const int n = static_cast<int>(dims);
  if (display.pca) {
    axes.kind = ViewAxes::Kind::Pca;
    axes.components = std::clamp(n, 1, display.flat ? 2 : 3);
    return axes;
  }
  for (const int dim : display.axes) {
    const bool shown = std::find(axes.dims.begin(), axes.dims.end(), dim) != axes.dims.end();
    if (dim >= 0 && dim < n && !shown) axes.dims.push_back(dim);
  }
  if (display.flat && axes.dims.size() > 2) axes.dims.resize(2);
  if (axes.dims.empty()) axes.dims.push_back(0);
  return axes;
}

DisplayState fittedTo(DisplayState display, std::size_t dims) {
  const int n = static_cast<int>(dims);
  std::array<int, 3> fitted{-1, -1, -1};
  std::size_t used = 0;
  for (const int dim : display.axes) {
    if (dim >= 0 && dim < n && std::find(fitted.begin(), fitted.end(), dim) == fitted.end())
      fitted[used++] = dim;
  }
  if (used == 0) fitted[0] = 0;
  display.axes = fitted;
  if (display.dimension < 0 || display.dimension >= n) display.dimension = 0;
  if (n < 2) display.pca = false;
  return display;
}

}  // namespace clusterloom
