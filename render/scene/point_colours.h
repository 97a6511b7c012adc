#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/dbscan/clustering.h"
#include "render/paint/colour_map.h"
#include "render/paint/theme.h"

namespace clusterloom {

/// What decides the colour of a point.
enum class PointColouring { Cluster, Role, Scalar, TrueColour };

/// Everything that decides the colours of a cloud's points; spans have one entry per point of the
/// cloud and must outlive what uses them.
struct ColourRequest {
  PointColouring by = PointColouring::Cluster;
  Background background = Background::Dark;
  /// Empty: nothing clustered yet, one plain colour. Points labelled kSkippedRow are not drawn.
  std::span<const std::int32_t> labels;
  /// The highest label to expect, where those of `labels` are replaced later; kNoise: theirs.
  std::int32_t highestLabel = kNoise;
  std::span<const PointRole> roles;           ///< Role
  std::span<const std::int32_t> colourIndex;  ///< palette indices; empty: the labels
  /// Scalar, or the packedColour of each point for TrueColour; NaN is drawn as noise.
  std::span<const float> scalar;
  ScalarScale scale;                          ///< Scalar
  std::span<const std::int32_t> highlighted;  ///< labels to keep bright; empty: all
  std::span<const std::int32_t> hidden;       ///< labels not to draw; may name kNoise
};

/// A colour as one number, exactly: 0xRRGGBB.
constexpr float packedColour(Colour colour) {
  return float(std::uint32_t{colour.r} << 16 | std::uint32_t{colour.g} << 8 | colour.b);
}

/// The layer of a point; kept in the fourth byte of its colour. In flat scenes higher ones cover
/// lower ones; Hidden points are neither drawn nor picked. Noise is what CloudScene's noise
/// strength makes recede: noise in a picture of clusters or roles that is not highlighted.
enum class DrawLayer : std::uint8_t {
  Hidden = 0,
  Noise = 43,
  Back = 85,
  Normal = 170,
  Front = 255
};

/// How strongly noise is drawn unless something else is chosen (CloudScene::setNoiseStrength).
inline constexpr double kNoiseStrength = 0.6;

/// Colours some of the drawn points: `order` has their ids, `bytes` 4 bytes for each. Pure; several
/// threads may call it.
using PointColourer =
    std::function<void(std::span<const std::uint32_t> order, std::span<std::uint8_t> bytes)>;

/// Prepares the colours that colourPoints gives, for some points at a time. The spans of the
/// request must outlive it; their values, but not the lists of labels, may be replaced between
/// calls.
PointColourer pointColourer(const ColourRequest& request);

/// RGB + DrawLayer, 4 bytes per drawn point, in the drawn order (DisplayPoints::order). Pure; O(n),
/// in parallel; call it on a worker for large clouds.
std::vector<std::uint8_t> colourPoints(const ColourRequest& request,
                                       std::span<const std::uint32_t> order);

/// Hides the drawn points whose value is not in [low, high], NaN included. One value per point of
/// the cloud; `colours` are those of colourPoints for this order.
void hideOutside(std::span<std::uint8_t> colours, std::span<const std::uint32_t> order,
                 std::span<const double> values, double low, double high);

/// The role of a point in the picked warp.
enum class PointMark : std::uint8_t { None, Candidate, Query };

/// Highlights marked points (one mark per point of the cloud): query points take the accent colour
/// and move to the front, candidates keep their colour, the others fade into the background. Hidden
/// points stay hidden. `colours` are those of colourPoints for this order.
void highlightPoints(std::span<std::uint8_t> colours, std::span<const std::uint32_t> order,
                     std::span<const PointMark> marks, Background background);

/// The range of a scalar for colouring: its finite minimum and maximum, or the 1 % and 99 %
/// quantiles of a sample when the tails would dominate the map. {0, 1} when nothing is finite.
ScalarScale sensibleScale(std::span<const float> scalar);

}  // namespace clusterloom
