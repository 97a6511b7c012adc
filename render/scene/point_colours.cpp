#include "render/scene/point_colours.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "engine/core/parallel_for.h"
#include "render/paint/colour_vision.h"
#include "render/paint/palette.h"

namespace clusterloom {
namespace {

/// The four bytes of a drawn point.
using Dot = std::array<std::uint8_t, 4>;

Dot dot(Colour colour, DrawLayer layer) {
  return {colour.r, colour.g, colour.b, std::uint8_t(layer)};
}

/// Fraction of the background in a colour when other clusters are highlighted.
constexpr double kDimmed = 0.76;

/// Which labels are bright, dimmed or not drawn at all.
struct Emphasis {
  std::unordered_set<std::int32_t> highlighted;
  std::unordered_set<std::int32_t> hidden;

  explicit Emphasis(const ColourRequest& request)
      : highlighted(request.highlighted.begin(), request.highlighted.end()),
        hidden(request.hidden.begin(), request.hidden.end()) {}

  DrawLayer layerOf(std::int32_t label) const {
    if (label <= kSkippedRow || hidden.contains(label)) return DrawLayer::Hidden;
    if (!highlighted.empty())
      return highlighted.contains(label) ? DrawLayer::Front : DrawLayer::Back;
    return label == kNoise ? DrawLayer::Back : DrawLayer::Normal;
  }
  /// The same in a picture of clusters or roles, in which noise recedes.
  DrawLayer recedingLayerOf(std::int32_t label) const {
    const DrawLayer layer = layerOf(label);
    return label == kNoise && layer == DrawLayer::Back ? DrawLayer::Noise : layer;
  }
  bool dims(DrawLayer layer) const {
    return !highlighted.empty() && (layer == DrawLayer::Back || layer == DrawLayer::Noise);
  }
};

Colour colourOfLabel(const ColourRequest& request, std::int32_t label) {
  if (label < 0) return noiseColour(request.background);
  const auto at = std::size_t(label);
  return clusterColour(at < request.colourIndex.size() ? request.colourIndex[at] : label,
                       request.background);
}

/// Colour by label is a look-up, but for labels that are so high that only a file can have them.
class LabelColours {
 public:
  LabelColours(const ColourRequest& request, std::int32_t highest)
      : request_(request), emphasis_(request), ground_(themeOf(request.background).ground) {
    constexpr std::int32_t kMostInTable = 1 << 24;
    const std::int32_t last = std::min(highest, kMostInTable);
    table_.reserve(std::size_t(last - kSkippedRow) + 1);
    for (std::int32_t label = kSkippedRow; label <= last; ++label) table_.push_back(made(label));
  }

  Dot of(std::int32_t label) const {
    const auto entry = std::size_t(std::int64_t{std::max(label, kSkippedRow)} - kSkippedRow);
    return entry < table_.size() ? table_[entry] : made(label);
  }

 private:
  Dot made(std::int32_t label) const {
    const DrawLayer layer = emphasis_.recedingLayerOf(label);
    Colour colour = colourOfLabel(request_, label);
    if (emphasis_.dims(layer)) colour = mix(colour, ground_, kDimmed);
    return dot(colour, layer);
  }

  ColourRequest request_;
  Emphasis emphasis_;
  Colour ground_;
  std::vector<Dot> table_;  ///< from kSkippedRow on
};

Colour unpacked(float packed) {
  const auto bits = std::uint32_t(packed);
  return {std::uint8_t(bits >> 16), std::uint8_t(bits >> 8), std::uint8_t(bits)};
}

/// Colour of a point by its role, scalar or own colour; dimming is decided by its label afterwards.
class OtherColours {
 public:
  explicit OtherColours(const ColourRequest& request)
      : request_(request),
        noise_(noiseColour(request.background)),
        ground_(themeOf(request.background).ground) {
    for (std::size_t i = 0; i < kSteps; ++i) {
      bright_[i] = mapColour(request.scale.map, double(i) / (kSteps - 1));
      dimmed_[i] = mix(bright_[i], ground_, kDimmed);
    }
    bright_[kSteps] = noise_;
    const Theme& theme = themeOf(request.background);
    roles_ = {noise_, theme.series[1], theme.series[0]};
    for (std::size_t i = 0; i < roles_.size(); ++i) dimRoles_[i] = mix(roles_[i], ground_, kDimmed);
    dimmed_[kSteps] = mix(noise_, ground_, kDimmed);
  }

  Colour of(std::size_t point, bool dimmed) const {
    if (request_.by == PointColouring::Role) {
      const auto role =
          point < request_.roles.size() ? std::size_t(request_.roles[point]) : std::size_t{0};
      return dimmed ? dimRoles_[role] : roles_[role];
    }
    std::size_t step = kSteps;
    if (point < request_.scalar.size() && !std::isnan(request_.scalar[point])) {
      if (request_.by == PointColouring::TrueColour) {
        const Colour own = unpacked(request_.scalar[point]);
        return dimmed ? mix(own, ground_, kDimmed) : own;
      }
      const double t = positionOn(request_.scale, double(request_.scalar[point]));
      step = std::size_t(std::lround(std::clamp(t, 0.0, 1.0) * (kSteps - 1)));
    }
    return dimmed ? dimmed_[step] : bright_[step];
  }

 private:
  static constexpr std::size_t kSteps = 256;
  ColourRequest request_;
  Colour noise_;
  Colour ground_;
  std::array<Colour, kSteps + 1> bright_{};  ///< the last entry is for NaN
  std::array<Colour, kSteps + 1> dimmed_{};
  std::array<Colour, 3> roles_{};
  std::array<Colour, 3> dimRoles_{};
};

/// The highest label, or kNoise.
std::int32_t highestOf(std::span<const std::int32_t> labels) {
  using Range = tbb::blocked_range<std::size_t>;
  constexpr std::size_t kPerTask = 1 << 16;
  return tbb::parallel_reduce(
      Range(0, labels.size(), kPerTask), kNoise,
      [&](const Range& range, std::int32_t highest) {
        for (std::size_t i = range.begin(); i < range.end(); ++i)
          highest = std::max(highest, labels[i]);
        return highest;
      },
      [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
}

/// Puts a dot for each point of `order`, as `dotOf` gives it.
template <class DotOf>
void putDots(std::span<const std::uint32_t> order, std::span<std::uint8_t> bytes, DotOf dotOf) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Dot value = dotOf(order[i]);
    std::copy(value.begin(), value.end(), bytes.begin() + std::ptrdiff_t(4 * i));
  }
}

}  // namespace

PointColourer pointColourer(const ColourRequest& request) {
  const std::span<const std::int32_t> labels = request.labels;
  if (request.by == PointColouring::Cluster && labels.empty()) {
    const Dot plain = dot(themeOf(request.background).series[0], DrawLayer::Normal);
    return [plain](auto order, auto bytes) {
      putDots(order, bytes, [&](std::size_t) { return plain; });
    };
  }
  if (request.by == PointColouring::Cluster) {
    const std::int32_t highest =
        request.highestLabel > kNoise ? request.highestLabel : highestOf(labels);
    return [labels, colours = LabelColours(request, highest)](auto order, auto bytes) {
      putDots(order, bytes, [&](std::size_t point) { return colours.of(labels[point]); });
    };
  }
  const Emphasis emphasis(request);
  const bool recedes = request.by == PointColouring::Role;
  return [labels, recedes, emphasis, colours = OtherColours(request)](auto order, auto bytes) {
    putDots(order, bytes, [&](std::size_t point) {
      DrawLayer layer = DrawLayer::Normal;
      if (!labels.empty())
        layer = recedes ? emphasis.recedingLayerOf(labels[point]) : emphasis.layerOf(labels[point]);
      return dot(colours.of(point, emphasis.dims(layer)), layer);
    });
  };
}

std::vector<std::uint8_t> colourPoints(const ColourRequest& request,
                                       std::span<const std::uint32_t> order) {
  std::vector<std::uint8_t> bytes(4 * order.size());
  const PointColourer colour = pointColourer(request);
  constexpr std::size_t kPerTask = 1 << 15;
  parallelForBlocks(order.size(), kPerTask, [&](std::size_t begin, std::size_t end) {
    colour(order.subspan(begin, end - begin),
           std::span(bytes).subspan(4 * begin, 4 * (end - begin)));
  });
  return bytes;
}

void hideOutside(std::span<std::uint8_t> colours, std::span<const std::uint32_t> order,
                 std::span<const double> values, double low, double high) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = values[order[i]];
    const bool inside = value >= low && value <= high;  // false for NaN
    if (!inside) colours[4 * i + 3] = std::uint8_t(DrawLayer::Hidden);
  }
}

void highlightPoints(std::span<std::uint8_t> colours, std::span<const std::uint32_t> order,
                     std::span<const PointMark> marks, Background background) {
  const Theme& theme = themeOf(background);
  const Dot query = dot(theme.accent, DrawLayer::Front);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint8_t* at = colours.data() + 4 * i;
    if (at[3] == std::uint8_t(DrawLayer::Hidden)) continue;
    switch (marks[order[i]]) {
      case PointMark::Query: std::copy(query.begin(), query.end(), at); break;
      case PointMark::Candidate: at[3] = std::uint8_t(DrawLayer::Normal); break;
      case PointMark::None: {
        // In sRGB: mixing every point in OKLab would be too slow.
        const std::array<std::uint8_t, 3> ground{theme.ground.r, theme.ground.g, theme.ground.b};
        for (std::size_t c = 0; c < 3; ++c)
          at[c] = std::uint8_t(std::lround(std::lerp(at[c], ground[c], kDimmed)));
        if (at[3] != std::uint8_t(DrawLayer::Noise)) at[3] = std::uint8_t(DrawLayer::Back);
        break;
      }
    }
  }
}

ScalarScale sensibleScale(std::span<const float> scalar) {
  // A sample is enough for quantiles, and keeps this quick for ten million points.
  constexpr std::size_t kSample = 100000;
  const std::size_t stride = std::max<std::size_t>(1, scalar.size() / kSample);
  std::vector<float> sample;
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  for (std::size_t i = 0; i < scalar.size(); ++i) {
    if (!std::isfinite(scalar[i])) continue;
    low = std::min(low, scalar[i]);
    high = std::max(high, scalar[i]);
    if (i % stride == 0) sample.push_back(scalar[i]);
  }
  if (!(low <= high)) return {};
  ScalarScale scale{double(low), double(high)};
  if (sample.size() < 100) return scale;
  std::sort(sample.begin(), sample.end());
  const double lower = double(sample[sample.size() / 100]);
  const double upper = double(sample[sample.size() - 1 - sample.size() / 100]);
  if (upper > lower && scale.high - scale.low > 4 * (upper - lower)) {
    scale.low = lower;
    scale.high = upper;
  }
  return scale;
}

}  // namespace clusterloom
