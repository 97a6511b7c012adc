#include "ui/session/display_state.h"

#include <algorithm>

#include "engine/cloud/dataset.h"

namespace clusterloom {

ViewAxes viewAxesOf(const DisplayState& display, std::size_t dims) {
  ViewAxes axes;
  const int n = static_cast<int>(dims);
  if (!display.projection.empty()) {
    axes.kind = ViewAxes::Kind::Columns;
    axes.columns = display.projection;
    if (display.flat && axes.columns.size() > 2) axes.columns.resize(2);
    for (std::size_t a = 0; a < axes.columns.size(); ++a) axes.dims.push_back(static_cast<int>(a));
    return axes;
  }
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

std::vector<std::string> numberColumns(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const Attribute& attribute : dataset.attributes)
    if (!isText(attribute.values)) names.push_back(attribute.name);
  return names;
}

DisplayState fittedTo(DisplayState display, const Dataset& dataset) {
  const int n = static_cast<int>(dataset.cloud.dims());
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
  const std::vector<std::string> known = numberColumns(dataset);
  std::vector<std::string>& projection = display.projection;
  const std::set<std::string> different(projection.begin(), projection.end());
  const bool fits = n > 3 && (projection.size() == 2 || projection.size() == 3) &&
                    different.size() == projection.size() &&
                    std::all_of(projection.begin(), projection.end(), [&](const auto& name) {
                      return std::find(known.begin(), known.end(), name) != known.end();
                    });
  if (!fits) projection.clear();
  return display;
}

}  // namespace clusterloom
