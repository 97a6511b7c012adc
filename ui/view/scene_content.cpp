#include "ui/view/scene_content.h"

#include <algorithm>
#include <cmath>

#include "render/paint/words.h"

namespace clusterloom {

bool operator==(const ViewAxes& a, const ViewAxes& b) {
  return a.kind == b.kind && a.stretch == b.stretch &&
         (a.kind == ViewAxes::Kind::Dimensions ? a.dims == b.dims : a.components == b.components);
}

DisplayPoints subsetOf(const DisplayPoints& points, const std::vector<std::int32_t>& ids) {
  std::vector<bool> wanted(points.size(), false);
  for (const std::int32_t id : ids) {
    if (id >= 0 && std::size_t(id) < wanted.size()) wanted[std::size_t(id)] = true;
  }
  DisplayPoints subset;
  subset.space = points.space;
  subset.box = points.box;
  subset.order.reserve(ids.size());
  subset.xyz.reserve(3 * ids.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!wanted[points.order[i]]) continue;
    subset.order.push_back(points.order[i]);
    subset.xyz.insert(subset.xyz.end(), points.xyz.begin() + std::ptrdiff_t(3 * i),
                      points.xyz.begin() + std::ptrdiff_t(3 * i + 3));
  }
  return subset;
}

namespace {

/// Labels by point id for a preview: its own for the subsample, skipped for the rest.
std::vector<std::int32_t> spread(const PreviewClustering& preview, std::size_t points) {
  std::vector<std::int32_t> labels(points, kSkippedRow);
  for (std::size_t i = 0; i < preview.points.size(); ++i) {
    labels[std::size_t(preview.points[i])] = preview.labels[i];
  }
  return labels;
}

}  // namespace

Result<SceneContent> makeSceneContent(const SceneRequest& request, const Task& task) {
  SceneContent content;
  content.points = request.points;
  if (!content.points) {
    auto points = makeDisplayPoints(*request.cloud, request.axes, task);
    if (!points) return tl::unexpected(points.error());
    content.points = std::make_shared<const DisplayPoints>(std::move(*points));
  }
  const std::size_t n = request.cloud->size();

  ColourRequest colours;
  colours.background = request.background;
  colours.highlighted = request.highlighted;
  colours.hidden = request.hidden;
  std::vector<std::int32_t> codes;
  std::vector<float> measured;

  if (request.preview) {
    content.previewPoints = request.previewPoints;
    if (!content.previewPoints) {
      content.previewPoints =
          std::make_shared<const DisplayPoints>(subsetOf(*content.points, request.preview->points));
    }
    codes = spread(*request.preview, n);
    colours.labels = codes;
    colours.colourIndex = request.preview->colours;
    colours.highlighted = {};  // its cluster numbers mean nothing to the table
    colours.hidden = {};
  } else {
    const bool clustered = request.result && request.result->clustering.labels.size() == n;
    if (clustered) {
      colours.labels = request.result->clustering.labels;
      colours.roles = request.result->clustering.roles;
      if (request.clusterColours) colours.colourIndex = *request.clusterColours;
    }
    if (request.by == ColourBy::Role && clustered && !colours.roles.empty()) {
      colours.by = PointColouring::Role;
    } else if (request.by != ColourBy::Cluster && request.values &&
               request.values->by == request.by && request.values->values.size() == n) {
      const ColourValues& values = *request.values;
      if (!values.words.empty()) {
        codes.resize(n);
        std::transform(values.values.begin(), values.values.end(), codes.begin(),
                       [](float value) { return std::isfinite(value) ? int(value) : kNoise; });
        colours.labels = codes;
        colours.colourIndex = {};
        colours.highlighted = {};
        colours.hidden = {};
      } else {
        colours.by = PointColouring::Scalar;
        colours.scalar = values.values;
        if (request.range)
          colours.scale = {request.range->low, request.range->high};
        else
          colours.scale = sensibleScale(values.values);
        colours.scale.map = request.map;
        content.legend = ScalarLegend{values.title.toStdString(), colours.scale};
      }
    }
  }
  if (task.cancelled()) return cancelledError();
  std::vector<std::uint8_t> dots = colourPoints(colours, content.drawn()->order);
  const bool windowed = request.window && request.window->values->size() == n;
  if (windowed) {
    const ValueWindow& window = *request.window;
    hideOutside(dots, content.drawn()->order, *window.values, window.low, window.high);
    content.inWindow =
        std::size_t(std::count_if(window.values->begin(), window.values->end(), [&](double value) {
          return value >= window.low && value <= window.high;
        }));
  }
  if (request.selected) {
    std::vector<PointMark> marks(n, PointMark::None);
    for (const std::uint32_t point : *request.selected)
      if (point < n) marks[point] = PointMark::Candidate;
    highlightPoints(dots, content.drawn()->order, marks, request.background);
  }
  if (request.light && request.light->marks.size() == n) {
    highlightPoints(dots, content.drawn()->order, marksAtStep(*request.light, request.lightStep),
                    request.background);
    if (content.points->space.kind != ViewAxes::Kind::Pca) {
      auto highlights = std::make_shared<CellHighlights>();
      highlights->cells = cellBoxesOf(request.light->cells, content.points->space);
      highlights->own = request.light->ownCells;
      content.highlights = std::move(highlights);
    }
  }
  content.colours = std::make_shared<const std::vector<std::uint8_t>>(std::move(dots));

  if (request.added) {
    content.addedPoints = request.addedPoints;
    if (!content.addedPoints) {
      auto points = makeDisplayPoints(*request.added, content.points->space, task);
      if (!points) return tl::unexpected(points.error());
      content.addedPoints = std::make_shared<const DisplayPoints>(std::move(*points));
    }
    ColourRequest ofAdded;
    ofAdded.background = request.background;
    // Of a preview the clusters have other numbers.
    if (request.addedLabels && !request.preview) {
      ofAdded.labels = request.addedLabels->labels;
      if (request.clusterColours) ofAdded.colourIndex = *request.clusterColours;
      ofAdded.highlighted = request.highlighted;
      ofAdded.hidden = request.hidden;
    }
    content.addedColours = std::make_shared<const std::vector<std::uint8_t>>(
        colourPoints(ofAdded, content.addedPoints->order));
  }

  if (request.marked >= 0) {
    const std::vector<std::uint32_t>& order = content.drawn()->order;
    const auto found = std::find(order.begin(), order.end(), std::uint32_t(request.marked));
    const auto at = std::size_t(found - order.begin());
    constexpr auto kHidden = static_cast<std::uint8_t>(DrawLayer::Hidden);
    if (found != order.end() && !(windowed && (*content.colours)[4 * at + 3] == kHidden))
      content.marked = std::uint32_t(at);
  }
  if (request.cells) {
    content.boxes = request.boxes;
    if (content.points->space.kind == ViewAxes::Kind::Pca) {
      content.cellsMessage =
          translate("Scene",
                    "Cells have no boxes along principal axes: choose dimensions as axes to see "
                    "them.");
    } else if (!content.boxes) {
      content.boxes =
          std::make_shared<const CellBoxes>(cellBoxesOf(*request.cells, content.points->space));
    }
  }
  if (task.cancelled()) return cancelledError();
  return content;
}

}  // namespace clusterloom
