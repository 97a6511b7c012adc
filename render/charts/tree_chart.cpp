#include "render/charts/tree_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "engine/core/infinity.h"
#include "engine/core/number_text.h"
#include "render/charts/chart_parts.h"
#include "render/charts/dragged_eps.h"
#include "render/charts/load_parts.h"
#include "render/charts/plot_area.h"
#include "render/paint/palette.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr double kLeastWidth = 0.7;  // device pixels; narrower clusters are not painted
constexpr int kBelowAlpha = 110;     // of clusters below a taken one
constexpr std::int32_t kNone = -1;

}  // namespace

struct TreeChart::Parts : ChartParts {
  std::shared_ptr<const TreePicture> data;
  std::vector<std::int32_t> numberOf;  ///< per cluster: the number of the taken one above; −1
  std::vector<std::uint8_t> isTaken;   ///< per cluster
  std::vector<std::int32_t> colours;   ///< per number; empty: the number
  std::vector<std::int32_t> depth;     ///< per cluster: how many are above it
  std::int32_t markedCluster = kNone;
  DraggedEps eps;
  ZoomPointer pointer;
  PlotArea area;
  std::function<void(std::int32_t)> onPick;

  const CondensedTree& tree() const { return data->tree; }
  const TreeShape& shape() const { return data->shape; }

  void take(std::shared_ptr<const TreePicture> picture) {
    data = std::move(picture);
    colours.clear();
    markedCluster = kNone;
    chart->dataSet(!data || data->tree.clusters.empty() || data->tree.clusters.front().size < 2);
    if (chart->empty) return;
    const std::size_t clusters = tree().clusters.size();
    numberOf.assign(clusters, kNone);
    isTaken.assign(clusters, 0);
    for (std::size_t i = 0; i < data->flat.taken.size(); ++i) {
      const auto c = static_cast<std::size_t>(data->flat.taken[i]);
      numberOf[c] = static_cast<std::int32_t>(i);
      isTaken[c] = 1;
    }
    depth.assign(clusters, 0);
    for (std::size_t c = 1; c < clusters; ++c) {
      const auto parent = static_cast<std::size_t>(tree().clusters[c].parent);
      if (numberOf[c] == kNone) numberOf[c] = numberOf[parent];
      depth[c] = depth[parent] + 1;
    }
    const double points = tree().clusters.front().size;
    pointer.window.setFull(0, points, std::min(points, 10.0));
  }

  /// The ε axis runs downwards on the screen: small values at the bottom.
  void layOutAxes(double ratio) {
    area.layOut(chart->width, chart->height, ratio, false);
    area.x.low = pointer.window.low;
    area.x.high = pointer.window.high;
    const double margin = std::max(1.05, std::pow(shape().highest / shape().lowest, 0.06));
    area.y = {shape().lowest / margin, shape().highest * margin, true, area.y.from, area.y.to};
  }

  double x(double points) const { return std::clamp(area.x.pixel(points), area.left, area.right); }
  double y(double value) const {
    return std::isinf(value) ? area.top : std::clamp(area.y.pixel(value), area.bottom, area.top);
  }

  /// The left edge of a cluster when it has `size` points left.
  double leftEdge(std::size_t c, std::uint32_t size) const {
    return shape().left[c] + 0.5 * (tree().clusters[c].size - size);
  }

  /// The first of steps, which descend, whose ε is below.
  template <class Iterator>
  static Iterator firstBelow(Iterator from, Iterator to, double eps) {
    return std::partition_point(from, to, [eps](const TreeShape::Step& s) { return s.eps >= eps; });
  }

  /// Calls visit(size, upper pixel, lower pixel) for each visible height of a cluster; steps that
  /// fall into one pixel row are one.
  template <class Visit>
  void eachPart(std::size_t c, Visit visit) const {
    const auto steps = shape().stepsOf(c);
    const double bottom = y(shape().end[c]);
    double upper = y(steps.front().eps);
    auto step = steps.begin();
    // From one row of pixels to the next: a cluster can have as many steps as points.
    while (upper - 1 >= bottom) {
      const double row = area.y.value(upper - 1);
      const auto next = firstBelow(step + 1, steps.end(), std::nextafter(row, kInfinity));
      if (next == steps.end()) break;
      const double at = std::min(y(next->eps), upper - 1);
      visit(std::prev(next)->size, upper, at);
      upper = at;
      step = next;
    }
    visit(std::prev(steps.end())->size, upper, std::min(bottom, upper - 1));
  }

  bool isVisible(std::size_t c) const {
    const double left = shape().left[c];
    const double right = left + tree().clusters[c].size;
    return right >= area.x.low && left <= area.x.high &&
           area.x.pixel(right) - area.x.pixel(left) >= kLeastWidth;
  }

  Colour colourOf(std::int32_t number) const {
    const auto at = static_cast<std::size_t>(number);
    const std::int32_t index = at < colours.size() ? colours[at] : number;
    return index < 0 ? noiseColour(chart->background) : clusterColour(index, chart->background);
  }

  void paintCluster(Painter& painter, const Theme& t, std::size_t c) const {
    const bool coloured = numberOf[c] != kNone;
    const Colour colour = coloured ? colourOf(numberOf[c]) : t.line;
    const int alpha = coloured && !isTaken[c] ? kBelowAlpha : 255;
    eachPart(c, [&](std::uint32_t size, double upper, double lower) {
      const double edge = leftEdge(c, size);
      const double left = x(edge);
      const double right = x(edge + size);
      if (right > left) painter.rectangle(left, lower, right - left, upper - lower, colour, alpha);
    });
    if (static_cast<std::int32_t>(c) != markedCluster) return;
    const double left = x(shape().left[c]);
    const double right = x(shape().left[c] + tree().clusters[c].size);
    const double upper = y(shape().stepsOf(c).front().eps);
    const double lower = std::min(y(shape().end[c]), upper - 1);
    painter.frame(left, lower, std::max(right - left, 2.0), upper - lower, t.accent, 2);
  }

  /// The smallest cluster under a pixel; kNone for none.
  std::int32_t clusterAt(double px, double py) const {
    if (!area.contains(px, py)) return kNone;
    const double points = area.x.value(px);
    const double value = area.y.value(py);
    for (std::size_t c = tree().clusters.size(); c-- > 0;) {
      const auto steps = shape().stepsOf(c);
      if (value > steps.front().eps || value < shape().end[c]) continue;
      const std::uint32_t size = std::prev(firstBelow(steps.begin() + 1, steps.end(), value))->size;
      const double edge = leftEdge(c, size);
      if (points >= edge && points <= edge + size) return static_cast<std::int32_t>(c);
    }
    return kNone;
  }

  std::string words(std::size_t c) const {
    const CondensedCluster& cluster = tree().clusters[c];
    std::string text;
    if (isTaken[c])
      text = filled(translate("Charts", "cluster %1"), {groupedText(std::size_t(numberOf[c]))}) +
             " · ";
    text += countedText("Charts", "%1 points", "1 point", cluster.size) + " · ";
    const std::string end = shortNumber(1 / cluster.death);
    text += cluster.birth > 0 ? filled(translate("Charts", "from ε %1 down to %2"),
                                       {shortNumber(1 / cluster.birth), end})
                              : filled(translate("Charts", "down to %1"), {end});
    return text + " · " +
           filled(translate("Charts", "stability %1"),
                  {std::isinf(cluster.stability) ? "∞" : shortNumber(cluster.stability)});
  }

  void paint(Painter& painter, const Theme& t, double r) {
    layOutAxes(r);
    for (const double value : area.y.ticks(6).values) {
      const double py = area.y.pixel(value);
      painter.line(area.left, py, area.right, py, t.faintLine);
      painter.text(tickNumber(value), area.left - 6 * r, py, Across::Right, Along::Centre,
                   t.faintText, 10.5);
    }
    for (std::size_t c = 0; c < tree().clusters.size(); ++c)
      if (isVisible(c)) paintCluster(painter, t, c);
    paintFrame(painter, area, t, translate("Charts", "points in the order of the tree of clusters"),
               "ε");
    const std::size_t taken = data->flat.taken.size();
    paintTitle(
        painter, area, t,
        filled(taken == 1
                   ? translate("Charts", "%1 cluster taken of %2 · at least %3 points each")
                   : translate("Charts", "%1 clusters taken of %2 · at least %3 points each"),
               {groupedText(taken), groupedText(tree().clusters.size() - 1),
                groupedText(tree().minClusterSize)}),
        area.left);
    paintEpsLine(painter, area, eps, t);
    if (!pointer.hoversOver(area) || eps.dragging) return;
    const std::int32_t under = clusterAt(pointer.x, pointer.y);
    if (under != kNone)
      paintTag(painter, area, words(static_cast<std::size_t>(under)), pointer.x, pointer.y, t);
  }

  /// The nearest cluster of the same depth beside the marked one; the same one at the end.
  std::int32_t besideMarked(int by) const {
    const auto from = static_cast<std::size_t>(markedCluster);
    std::int32_t nearest = markedCluster;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < depth.size(); ++c) {
      const double apart = by * (shape().left[c] - shape().left[from]);
      if (depth[c] != depth[from] || apart <= 0 || apart >= least) continue;
      nearest = static_cast<std::int32_t>(c);
      least = apart;
    }
    return nearest;
  }

  /// The largest of the clusters into which the marked one splits; the same one where it does not.
  std::int32_t belowMarked() const {
    std::int32_t largest = markedCluster;
    std::uint32_t most = 0;
    for (std::size_t c = 1; c < depth.size(); ++c) {
      const CondensedCluster& cluster = tree().clusters[c];
      if (cluster.parent != markedCluster || cluster.size <= most) continue;
      largest = static_cast<std::int32_t>(c);
      most = cluster.size;
    }
    return largest;
  }

  /// Arrows go from cluster to cluster, beginning with the first one that is taken, and pick.
  bool takeKey(ChartKey key) {
    const bool isArrow = key == ChartKey::Left || key == ChartKey::Right || key == ChartKey::Up ||
                         key == ChartKey::Down;
    if (!isArrow) return false;
    std::int32_t to = data->flat.taken.empty() ? 0 : data->flat.taken.front();
    if (markedCluster != kNone) {
      const std::int32_t parent = tree().clusters[static_cast<std::size_t>(markedCluster)].parent;
      to = key == ChartKey::Up     ? std::max<std::int32_t>(parent, 0)
           : key == ChartKey::Down ? belowMarked()
                                   : besideMarked(key == ChartKey::Left ? -1 : 1);
    }
    const auto c = static_cast<std::size_t>(to);
    pointer.window.reveal(shape().left[c] + 0.5 * tree().clusters[c].size);
    if (std::exchange(markedCluster, to) != to && onPick) onPick(to);
    return true;
  }

  void bindPointer() {
    dragLineOrZoom(*chart, eps, pointer, area);
    chart->key = [this, others = chart->key](ChartKey key) { return takeKey(key) || others(key); };
    chart->chosen = [this] {
      return markedCluster == kNone ? std::string()
                                    : words(static_cast<std::size_t>(markedCluster));
    };
    pointer.onClick = [this](double px, double py) {
      markedCluster = clusterAt(px, py);
      if (onPick) onPick(markedCluster);
    };
  }
};

TreeChart::TreeChart() : parts_(partsOf<Parts>(*impl_)) { parts_->bindPointer(); }

void TreeChart::setData(std::shared_ptr<const TreePicture> picture) {
  parts_->take(std::move(picture));
}

void TreeChart::setColours(std::vector<std::int32_t> colours) {
  parts_->colours = std::move(colours);
}
void TreeChart::setMarked(std::int32_t cluster) { parts_->markedCluster = cluster; }
std::int32_t TreeChart::marked() const { return parts_->markedCluster; }
void TreeChart::setOnPick(std::function<void(std::int32_t)> onPick) {
  parts_->onPick = std::move(onPick);
}

MakeTable TreeChart::table() const {
  return [data = parts_->data, taken = parts_->isTaken, number = parts_->numberOf] {
    DataTable table{{"tree_cluster", "parent", "points", "eps_birth", "eps_end", "stability",
                     "taken_as_cluster"},
                    {}};
    if (!data) return table;
    for (std::size_t c = 0; c < data->tree.clusters.size(); ++c) {
      const CondensedCluster& cluster = data->tree.clusters[c];
      table.rows.push_back({exactNumber(std::uint64_t{c}), std::to_string(cluster.parent),
                            exactNumber(std::uint64_t{cluster.size}),
                            exactNumber(1 / cluster.birth), exactNumber(1 / cluster.death),
                            exactNumber(cluster.stability),
                            taken[c] ? std::to_string(number[c]) : std::string()});
    }
    return table;
  };
}

std::uint64_t TreeChart::longTableRows() const {
  return parts_->data ? parts_->data->tree.clusters.size() : 0;
}

}  // namespace clusterloom
