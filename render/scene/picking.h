#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "render/scene/display_space.h"
#include "render/scene/drawn_colours.h"
#include "render/scene/stored_reader.h"

namespace clusterloom {

/// How display coordinates become pixels in the last frame: clip = worldToClip · (x, y, z, 1)
/// (row-major), pixel = ((clip/w + 1)/2 · size), origin at the lower left. A plain value, so that
/// picking may run on a worker while the view moves on.
struct ViewTransform {
  std::array<double, 16> worldToClip{};
  int width = 0;  ///< device pixels
  int height = 0;
  bool flat = false;  ///< a 2-D camera: layers decide what is in front
  double noiseStrength =
      1;  ///< CloudScene::setNoiseStrength: below 1 noise is behind, 0: not drawn
};

/// What decides between points at a pixel, smaller is picked: in front, then near the pixel, then
/// by id.
using PickRank = std::tuple<double, double, std::uint32_t>;

/// A picked point.
struct PickedPoint {
  std::uint32_t drawn = 0;  ///< index into DisplayPoints
  std::uint32_t point = 0;  ///< id in the cloud
  PickRank rank;
};

/// A picked one of the points of a file.
struct PickedRow {
  std::uint32_t row = 0;       ///< of the file, counted from 0
  std::size_t block = 0;       ///< of StoredPoints
  std::size_t inBlock = 0;     ///< its place among the points of the block
  std::array<float, 3> xyz{};  ///< in the display space that was stored
  PickRank rank;
};

/// The point to pick at pixel (x, y), origin lower left: of the points whose centre lies
/// within `radius` pixels, in 3-D the one nearest to the viewer (noise that recedes last), in flat
/// views the one in the highest layer; ties go to the nearest to the pixel, then to the lowest id.
/// `colours` are those of the points (Hidden ones are skipped) or of none. All points count, drawn
/// or not; blocks that lie elsewhere are passed over, and need no colours. Pure.
std::optional<PickedPoint> pickPoint(const DisplayPoints& points, const DrawnColours& colours,
                                     const ViewTransform& view, double x, double y, double radius);

/// A place in the picture, in pixels from the lower left.
struct PixelPlace {
  double x = 0;
  double y = 0;
};

/// The ids, ascending, of all points whose picture lies within a closed outline, also those that
/// others cover; points of layer Hidden and beyond the clipping planes are left out. Within means
/// that the outline winds around the place (nonzero rule). Colours of no points hide nothing. The
/// time hardly depends on the number of corners. Cancelled.
Result<std::vector<std::uint32_t>> pointsInOutline(const DisplayPoints& points,
                                                   const DrawnColours& colours,
                                                   const ViewTransform& view,
                                                   std::span<const PixelPlace> outline,
                                                   const Task& task = {});

/// So many blocks are read to pick a row, at most: some two million points.
inline constexpr std::size_t kMostPickedBlocks = 256;

/// The same two among all points of a file, stored or drawn by its own tree; only the blocks that
/// may lie there are read. Those that `colourer` hides are left out. No row is picked where more
/// than `mostBlocks` may lie at the pixel. `take` gets the rows in no order. Errors as
/// StoredPoints::read; Cancelled.
Result<std::optional<PickedRow>> pickRow(const StoredPoints& stored, const StoredColourer& colourer,
                                         const ViewTransform& view, double x, double y,
                                         double radius, const Task& task,
                                         std::size_t mostBlocks = kMostPickedBlocks);
Result<void> rowsInOutline(const StoredPoints& stored, const StoredColourer& colourer,
                           const ViewTransform& view, std::span<const PixelPlace> outline,
                           const std::function<void(std::uint32_t row)>& take, const Task& task);

/// Where the ray under pixel (x, y) meets the plane z = 0 of the display, as values on the axes
/// (unshifted); nullopt when it does not. In flat views this is the place under the pointer.
std::optional<std::array<double, 3>> placeUnder(const DisplaySpace& space,
                                                const ViewTransform& view, double x, double y);

}  // namespace clusterloom
