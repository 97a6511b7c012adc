#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "clouds.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/point_colours.h"

namespace clusterloom::testing {

// What the pictures of scenes show. The background and the pixel ratio of the scene are set.

/// Four blobs of `dims` dimensions at coordinates that take many digits, cluster 2 or nothing
/// chosen.
inline void showBlobs(CloudScene& scene, std::size_t dims, bool chosen = false) {
  const Blobs blobs = makeBlobs(700, dims, 4, 5, 3, 6654000);
  const auto points = std::make_shared<const DisplayPoints>(
      *makeDisplayPoints(blobs.cloud, defaultViewAxes(blobs.cloud)));
  scene.setPoints(points);
  ColourRequest request;
  request.background = scene.background();
  request.labels = blobs.labels;
  const std::vector<std::int32_t> kept = {2};
  if (chosen) request.highlighted = kept;
  scene.setColours(colourPoints(request, points->order));
  scene.setPointSize(4);
}

inline void drawFlat(CloudScene& scene) {
  showBlobs(scene, 2);
  scene.setScaleBar("m");
}

inline void drawBox(CloudScene& scene) { showBlobs(scene, 3); }

/// Cells of the grid under the points, with their legend.
inline void drawGrid(CloudScene& scene) {
  showBlobs(scene, 2);
  auto cells = std::make_shared<CellBoxes>();
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 5; ++j) {
      cells->low[0].push_back(6654000 - 1 + i);
      cells->high[0].push_back(6654000 + i);
      cells->low[1].push_back(6654000 - 1 + j);
      cells->high[1].push_back(6654000 + j);
      cells->count.push_back(static_cast<std::uint64_t>(1 + i * j));
    }
  cells->workload = cells->count;
  scene.setCells(cells, CellColour::Count);
  scene.setCellMarker(27);
  scene.setLegend(ScalarLegend{"points", *scene.cellScale()});
}

/// A chosen cluster, and a marked point with its radius.
inline void drawSelection(CloudScene& scene) {
  showBlobs(scene, 3, true);
  scene.setCaption("Cluster 2");
  scene.setSubcaption("175 points");
  scene.setMarker(7);
  scene.setMarkerRadius(0.8);
}

/// No points: the ground alone.
inline void drawEmpty(CloudScene& /*scene*/) {}

}  // namespace clusterloom::testing
