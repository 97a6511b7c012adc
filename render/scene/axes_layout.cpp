#include "render/scene/axes_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr double kNumberSize = 11;
constexpr double kTitleSize = 12;
/// Width of a digit of a wide font, in font sizes.
constexpr double kWidest = 0.66;

using Place = std::array<double, 3>;

/// Fills in the box a text covers.
PlacedText placed(PlacedText text, double ratio) {
  double width = kWidest * text.size * ratio * characterCount(text.words);
  double height = 1.15 * text.size * ratio;
  if (text.upwards) std::swap(width, height);
  const double left = text.across == Across::Left     ? 0
                      : text.across == Across::Centre ? width / 2
                                                      : width;
  const double below = text.along == Along::Bottom   ? 0
                       : text.along == Along::Centre ? height / 2
                                                     : height;
  text.box = {text.x - left, text.y - below, text.x - left + width, text.y - below + height};
  return text;
}

/// Adds a text unless it would cover another one or leave the view.
bool add(AxesLayout& layout, const PlacedText& wanted, const ViewTransform& view, double ratio) {
  const PlacedText text = placed(wanted, ratio);
  if (text.box.x0 < 0 || text.box.y0 < 0 || text.box.x1 > view.width || text.box.y1 > view.height)
    return false;
  const bool free =
      std::none_of(layout.texts.begin(), layout.texts.end(),
                   [&text](const PlacedText& other) { return text.box.overlaps(other.box); });
  if (free) layout.texts.push_back(text);
  return free;
}

/// Width of a ruler with these numbers, including space for its title.
double rulerWidth(const Ticks& ticks, double ratio) {
  double widest = 0;
  for (const std::string& label : ticks.labels) widest = std::max(widest, characterCount(label));
  return std::max(64.0, kWidest * kNumberSize * widest + 32) * ratio;
}

double pixelX(const ViewTransform& view, double display) {
  return (view.worldToClip[0] * display + view.worldToClip[3] + 1) / 2 * view.width;
}
double pixelY(const ViewTransform& view, double display) {
  return (view.worldToClip[5] * display + view.worldToClip[7] + 1) / 2 * view.height;
}

/// A face of the box and its visibility.
struct Box {
  std::array<Place, 8> corner{};  ///< bit a of the index: high side on axis a
  std::array<std::array<double, 2>, 8> pixel{};
  std::array<std::array<bool, 2>, 3> behind{};  ///< [axis][side]: seen from inside
  bool visible = true;                          ///< all corners are in front of the viewer
};

/// Twice the signed area of a face in the picture, counter-clockwise positive.
double signedArea(const Box& box, const std::array<int, 4>& corners) {
  double area = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& p = box.pixel[std::size_t(corners[i])];
    const auto& q = box.pixel[std::size_t(corners[(i + 1) % 4])];
    area += p[0] * q[1] - q[0] * p[1];
  }
  return area;
}

Box boxOf(const DisplaySpace& space, const ViewTransform& view) {
  Box box;
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t a = 0; a < 3; ++a) {
      const bool high = (c >> a & 1U) != 0;
      box.corner[c][a] = space.toDisplay(int(a), high ? space.high[a] : space.low[a]);
      // A flat side still needs two distinguishable faces.
      if (space.high[a] <= space.low[a]) box.corner[c][a] += high ? 0.02 : -0.02;
    }
    box.visible =
        projectPlace(view, box.corner[c], box.pixel[c][0], box.pixel[c][1]) && box.visible;
  }
  for (int a = 0; a < 3; ++a) {
    const int u = 1 << (a + 1) % 3;
    const int v = 1 << (a + 2) % 3;
    // Counter-clockwise from outside on the high side; the low side is its mirror image.
    const int high = 1 << a;
    const auto at = std::size_t(a);
    box.behind[at][1] = signedArea(box, {high, high | u, high | u | v, high | v}) < 0;
    box.behind[at][0] = signedArea(box, {0, v, u | v, u}) < 0;
  }
  return box;
}

Segment between(const ViewTransform& view, const Place& p, const Place& q) {
  Segment segment{};
  projectPlace(view, p, segment.x0, segment.y0);
  projectPlace(view, q, segment.x1, segment.y1);
  return segment;
}

/// The edge along `axis` that carries its numbers: one on the outline, the lowest in the picture
/// for the first two axes and the leftmost for the third. Returns its corner on the low side.
std::optional<std::size_t> numberedEdge(const Box& box, std::size_t axis) {
  const std::size_t u = (axis + 1) % 3;
  const std::size_t v = (axis + 2) % 3;
  std::optional<std::size_t> best;
  double bestRank = std::numeric_limits<double>::infinity();
  for (std::size_t su = 0; su < 2; ++su) {
    for (std::size_t sv = 0; sv < 2; ++sv) {
      if (box.behind[u][su] == box.behind[v][sv]) continue;
      const std::size_t corner = su << u | sv << v;
      const auto& p = box.pixel[corner];
      const auto& q = box.pixel[corner | std::size_t{1} << axis];
      const double rank = axis == 2 ? p[0] + q[0] : p[1] + q[1];
      if (rank < bestRank) {
        bestRank = rank;
        best = corner;
      }
    }
  }
  return best;
}

/// How a text at the end of an outward direction is aligned.
void alignOutwards(PlacedText& text, double dx, double dy) {
  text.across = dx > 0.35 ? Across::Left : dx < -0.35 ? Across::Right : Across::Centre;
  text.along = dy > 0.35 ? Along::Bottom : dy < -0.35 ? Along::Top : Along::Centre;
}

void numberEdge(AxesLayout& layout, const DisplaySpace& space, const ViewTransform& view,
                const Box& box, std::size_t axis, double ratio) {
  const auto start = numberedEdge(box, axis);
  if (!start) return;
  const auto& p = box.pixel[*start];
  const auto& q = box.pixel[*start | std::size_t{1} << axis];
  const double length = std::hypot(q[0] - p[0], q[1] - p[1]);
  if (length < 24 * ratio) return;
  // Outwards: across the edge, away from the middle of the box.
  double dx = -(q[1] - p[1]) / length;
  double dy = (q[0] - p[0]) / length;
  double middleX = 0;
  double middleY = 0;
  for (const auto& corner : box.pixel) {
    middleX += corner[0] / 8;
    middleY += corner[1] / 8;
  }
  if (dx * ((p[0] + q[0]) / 2 - middleX) + dy * ((p[1] + q[1]) / 2 - middleY) < 0) {
    dx = -dx;
    dy = -dy;
  }
  PlacedText title;
  title.words = space.names[axis];
  title.title = true;
  title.size = kTitleSize;

  const int most = std::clamp(int(length / (52 * ratio)), 3, 9);
  const Ticks ticks = ticksWithin(space.low[axis], space.high[axis], most);
  double widest = 0;
  for (const std::string& label : ticks.labels) widest = std::max(widest, characterCount(label));
  const double away = 26 * ratio + std::abs(dx) * kWidest * kNumberSize * ratio * widest;
  title.x = (p[0] + q[0]) / 2 + dx * away;
  title.y = (p[1] + q[1]) / 2 + dy * away;
  alignOutwards(title, dx, dy);
  if (!add(layout, title, view, ratio)) {
    // A long name: along an upright edge, further outwards of others, and within the view.
    title.across = Across::Centre;
    title.upwards = std::abs(dx) > 0.9;
    if (title.upwards)
      title.along = Along::Centre;
    else
      title.y += (dy < 0 ? -1 : 1) * 1.2 * kTitleSize * ratio;
    const PixelBox covers = placed(title, ratio).box;
    title.x += std::max(0.0, -covers.x0) - std::max(0.0, covers.x1 - view.width);
    add(layout, title, view, ratio);
  }

  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    Place place = box.corner[*start];
    place[axis] = space.toDisplay(int(axis), ticks.values[i]);
    double x = 0;
    double y = 0;
    projectPlace(view, place, x, y);
    layout.ticks.push_back({x, y, x + dx * 5 * ratio, y + dy * 5 * ratio});
    PlacedText number;
    number.words = ticks.labels[i];
    number.size = kNumberSize;
    number.x = x + dx * 9 * ratio;
    number.y = y + dy * 9 * ratio;
    alignOutwards(number, dx, dy);
    add(layout, number, view, ratio);
  }
}

void gridOnFace(AxesLayout& layout, const DisplaySpace& space, const ViewTransform& view,
                const Box& box, std::size_t normal, std::size_t side) {
  for (const std::size_t along : {(normal + 1) % 3, (normal + 2) % 3}) {
    const std::size_t other = 3 - normal - along;
    const Place& low = box.corner[side << normal];
    const Place& high =
        box.corner[side << normal | std::size_t{1} << along | std::size_t{1} << other];
    for (const double value : ticksWithin(space.low[along], space.high[along], 8).values) {
      Place p = low;
      Place q = low;
      p[along] = q[along] = space.toDisplay(int(along), value);
      q[other] = high[other];
      layout.grid.push_back(between(view, p, q));
    }
    for (const double end : {low[along], high[along]}) {
      Place p = low;
      Place q = low;
      p[along] = q[along] = end;
      q[other] = high[other];
      layout.edges.push_back(between(view, p, q));
    }
  }
}

}  // namespace

bool projectPlace(const ViewTransform& view, const std::array<double, 3>& place, double& x,
                  double& y) {
  const auto& m = view.worldToClip;
  const auto row = [&](std::size_t r) {
    return m[r] * place[0] + m[r + 1] * place[1] + m[r + 2] * place[2] + m[r + 3];
  };
  const double w = row(12);
  x = (row(0) / w + 1) / 2 * view.width;
  y = (row(4) / w + 1) / 2 * view.height;
  return w > 1e-9;
}

double leftRulerWidth(const DisplaySpace& space, double low, double high, double ratio) {
  return space.axes < 2 ? 0 : rulerWidth(ticksWithin(low, high, 10), ratio);
}

AxesLayout layOutRulers(const DisplaySpace& space, const ViewTransform& view, double ratio) {
  AxesLayout layout;
  const bool vertical = space.axes >= 2;
  layout.bottomBand = kBottomRuler * ratio;
  const auto valueAt = [&](int axis, double pixel, bool horizontal) {
    const auto& m = view.worldToClip;
    const double clip = 2 * pixel / (horizontal ? view.width : view.height) - 1;
    return space.toValue(axis, horizontal ? (clip - m[3]) / m[0] : (clip - m[7]) / m[5]);
  };

  Ticks up;
  if (vertical) {
    const int most = std::max(3, int(view.height / (46 * ratio)));
    up = ticksWithin(valueAt(1, layout.bottomBand, false), valueAt(1, view.height, false), most);
    layout.leftBand = rulerWidth(up, ratio);
    PlacedText name;
    name.words = space.names[1];
    name.title = true;
    name.upwards = true;
    name.size = kTitleSize;
    name.x = 12 * ratio;
    name.y = layout.bottomBand + (view.height - layout.bottomBand) / 2;
    add(layout, name, view, ratio);
  }
  PlacedText name;
  name.words = space.names[0];
  name.title = true;
  name.size = kTitleSize;
  name.x = layout.leftBand + (view.width - layout.leftBand) / 2;
  name.y = 11 * ratio;
  add(layout, name, view, ratio);

  const int most = std::max(3, int(view.width / (96 * ratio)));
  const Ticks across =
      ticksWithin(valueAt(0, layout.leftBand, true), valueAt(0, view.width, true), most);
  for (std::size_t i = 0; i < across.values.size(); ++i) {
    const double x = pixelX(view, space.toDisplay(0, across.values[i]));
    if (x < layout.leftBand || x > view.width) continue;
    layout.grid.push_back({x, layout.bottomBand, x, double(view.height)});
    layout.ticks.push_back({x, layout.bottomBand, x, layout.bottomBand - 4 * ratio});
    PlacedText number;
    number.words = across.labels[i];
    number.size = kNumberSize;
    number.x = x;
    number.y = layout.bottomBand - 7 * ratio;
    number.along = Along::Top;
    add(layout, number, view, ratio);
  }
  for (std::size_t i = 0; i < up.values.size(); ++i) {
    const double y = pixelY(view, space.toDisplay(1, up.values[i]));
    if (y < layout.bottomBand || y > view.height) continue;
    layout.grid.push_back({layout.leftBand, y, double(view.width), y});
    layout.ticks.push_back({layout.leftBand, y, layout.leftBand - 4 * ratio, y});
    PlacedText number;
    number.words = up.labels[i];
    number.size = kNumberSize;
    number.x = layout.leftBand - 7 * ratio;
    number.y = y;
    number.across = Across::Right;
    add(layout, number, view, ratio);
  }
  return layout;
}

AxesLayout layOutBox(const DisplaySpace& space, const ViewTransform& view, double ratio) {
  AxesLayout layout;
  const Box box = boxOf(space, view);
  if (!box.visible) return layout;  // the viewer is inside: there is no outline to write along
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side)
      if (box.behind[axis][side]) gridOnFace(layout, space, view, box, axis, side);
  for (std::size_t axis = 0; axis < 3; ++axis) numberEdge(layout, space, view, box, axis, ratio);
  return layout;
}

}  // namespace clusterloom
