#include "ui/view/scene_content.h"

#include <algorithm>
#include <cmath>

#include "render/paint/translated_text.h"

namespace clusterloom {

bool operator==(const ViewAxes& a, const ViewAxes& b) {
  if (a.kind != b.kind || a.stretch != b.stretch) return false;
  return a.kind == ViewAxes::Kind::Pca ? a.components == b.components
                                       : a.dims == b.dims && a.columns == b.columns;
}

DisplayPoints subsetOf(const DisplayPoints& points, const std::vector<std::int32_t>& ids) {
  const auto last = std::max_element(ids.begin(), ids.end());
  std::vector<bool> wanted(last == ids.end() ? 0 : std::size_t(std::max(*last, 0)) + 1, false);
  for (const std::int32_t id : ids)
    if (id >= 0) wanted[std::size_t(id)] = true;
  DisplayPoints subset;
  subset.space = points.space;
  subset.box = points.box;
  subset.order.reserve(ids.size());
  subset.xyz.reserve(3 * ids.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.order[i] >= wanted.size() || !wanted[points.order[i]]) continue;
    subset.order.push_back(points.order[i]);
    subset.xyz.insert(subset.xyz.end(), points.xyz.begin() + std::ptrdiff_t(3 * i),
                      points.xyz.begin() + std::ptrdiff_t(3 * i + 3));
  }
  if (subset.size() > 0) subset.blocks = {{0, std::uint32_t(subset.size()), 0, {}, {}}};
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

/// The subject of the colours of a picture, and their source.
struct SceneColours {
  explicit SceneColours(const SceneRequest& wanted) : asked(wanted) {
    request.background = asked.background;
    request.highlighted = asked.highlighted;
    request.hidden = asked.hidden;
  }

  SceneRequest asked;
  std::shared_ptr<const DisplayPoints> drawn;
  ColourRequest request;
  std::vector<std::int32_t> codes;  ///< labels, where they are not those of the result
  PointColourer colourer;
  std::shared_ptr<const std::vector<double>> windowed;  ///< values of the window; null: none
  std::vector<PointMark> chosen;                        ///< selected points; empty: none
  std::vector<PointMark> lit;                           ///< points of the picked warp

  void make(std::size_t first, std::span<std::uint8_t> bytes) const {
    const auto order = std::span(drawn->order).subspan(first, bytes.size() / 4);
    colourer(order, bytes);
    if (windowed) hideOutside(bytes, order, *windowed, asked.window->low, asked.window->high);
    if (!chosen.empty()) highlightPoints(bytes, order, chosen, asked.background);
    if (!lit.empty()) highlightPoints(bytes, order, lit, asked.background);
  }
};

/// Colours by values of the points: words as labels, numbers on a scale.
void colourByValues(const SceneRequest& request, SceneColours& colours, SceneContent& content) {
  const ColourValues& values = *request.values;
  ColourRequest& asked = colours.request;
  if (!values.words.empty()) {
    colours.codes.resize(values.values.size());
    std::transform(values.values.begin(), values.values.end(), colours.codes.begin(),
                   [](float value) { return std::isfinite(value) ? int(value) : kNoise; });
    asked.labels = colours.codes;
    asked.colourIndex = {};
    asked.highlighted = {};
    asked.hidden = {};
    return;
  }
  asked.scalar = values.values;
  if (values.by == ColourBy::TrueColour) {
    asked.by = PointColouring::TrueColour;
    return;
  }
  asked.by = PointColouring::Scalar;
  ScalarScale scale = request.range ? ScalarScale{request.range->low, request.range->high}
                                    : values.units.widened(sensibleScale(values.values));
  scale.map = request.map;
  asked.scale = values.units.narrowed(scale);
  content.legend = ScalarLegend{values.title.toStdString(), scale};
}

void colourPreview(const SceneRequest& request, SceneColours& colours, SceneContent& content) {
  content.previewPoints = request.previewPoints;
  if (!content.previewPoints)
    content.previewPoints =
        std::make_shared<const DisplayPoints>(subsetOf(*content.points, request.preview->points));
  colours.codes = spread(*request.preview, request.cloud->size());
  colours.request.labels = colours.codes;
  colours.request.colourIndex = request.preview->colours;
  // Its cluster numbers mean nothing to the table.
  colours.request.highlighted = {};
  colours.request.hidden = {};
}

/// Colours by the clusters and roles of the result, or by values.
void colourResult(const SceneRequest& request, SceneColours& colours, SceneContent& content) {
  const std::size_t n = request.cloud->size();
  ColourRequest& asked = colours.request;
  if (request.result && request.result->clustering.labels.size() == n) {
    asked.labels = request.result->clustering.labels;
    asked.roles = request.result->clustering.roles;
    if (request.clusterColours) asked.colourIndex = *request.clusterColours;
  }
  if (request.by == ColourBy::Role && !asked.roles.empty())
    asked.by = PointColouring::Role;
  else if (request.by != ColourBy::Cluster && request.values && request.values->by == request.by &&
           request.values->values.size() == n)
    colourByValues(request, colours, content);
}

/// Hides the points outside the window of values.
void applyWindow(const SceneRequest& request, SceneColours& colours, SceneContent& content) {
  const ValueWindow& window = *request.window;
  colours.windowed = window.values;
  content.inWindow =
      std::size_t(std::count_if(window.values->begin(), window.values->end(), [&](double value) {
        return value >= window.low && value <= window.high;
      }));
}

/// Highlights the selected points, and the points and cells of the picked warp.
void highlight(const SceneRequest& request, SceneColours& colours, SceneContent& content) {
  const std::size_t n = request.cloud->size();
  if (request.selected) {
    colours.chosen.assign(n, PointMark::None);
    for (const std::uint32_t point : *request.selected)
      if (point < n) colours.chosen[point] = PointMark::Candidate;
  }
  if (!request.light || request.light->marks.size() != n) return;
  colours.lit = marksAtStep(*request.light, request.lightStep);
  if (!content.points->hasCells()) return;
  auto highlights = std::make_shared<CellHighlights>();
  highlights->cells = cellBoxesOf(request.light->cells, content.points->space);
  highlights->own = request.light->ownCells;
  content.highlights = std::move(highlights);
}

/// Columns of numbers as a cloud, for axes of the kind Columns. BadInput without one of them.
Result<PointCloud> columnsOf(const Dataset& dataset, const std::vector<std::string>& names) {
  PointCloud cloud;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(dataset.attributes.begin(), dataset.attributes.end(),
                     [&](const Attribute& attribute) { return attribute.name == name; });
    if (found == dataset.attributes.end() || isText(found->values))
      return badInput(filled(translate("Scene", "There is no column of numbers %1."), {name}));
    cloud.columns.push_back(withVector(found->values, [](const auto& values) {
      return std::vector<double>(values.begin(), values.end());
    }));
    cloud.names.push_back(name);
  }
  return cloud;
}

/// The points in the space of all that were read; the axes reach as far as the points.
Result<DisplayPoints> layOutPart(const SceneRequest& request, const Task& task) {
  const PointCloud& whole = request.whole->cloud;
  const auto space =
      request.scaling.kind == Scaling::Kind::None
          ? makeDisplaySpace(whole, request.axes, task)
          : makeDisplaySpace(applyScaling(whole, request.scaling), request.axes, task);
  if (!space) return tl::unexpected(space.error());
  auto points = makeDisplayPoints(*request.cloud, *space, task);
  if (!points) return points;
  for (int axis = 0; axis < space->axes; ++axis) {
    const auto a = std::size_t(axis);
    points->space.low[a] = space->toValue(axis, points->box.low[a]);
    points->space.high[a] = space->toValue(axis, points->box.high[a]);
  }
  return points;
}

Result<DisplayPoints> layOut(const SceneRequest& request, const Task& task) {
  if (request.axes.kind != ViewAxes::Kind::Columns)
    return request.keptRows ? layOutPart(request, task)
                            : makeDisplayPoints(*request.cloud, request.axes, task);
  const auto columns = columnsOf(*request.dataset, request.axes.columns);
  if (!columns) return tl::unexpected(columns.error());
  return makeDisplayPoints(*columns, request.axes, task);
}

void addMessage(SceneContent& content, const std::string& message) {
  content.message += (content.message.empty() ? "" : " ") + message;
}

/// The added points in the space of the others; null where they lack its columns.
Result<std::shared_ptr<const DisplayPoints>> layOutAdded(const SceneRequest& request,
                                                         SceneContent& content, const Task& task) {
  const DisplaySpace& space = content.points->space;
  Result<DisplayPoints> points;
  if (space.kind == ViewAxes::Kind::Columns) {
    const auto columns = columnsOf(*request.addedDataset, request.axes.columns);
    if (!columns) {
      addMessage(content, translate("Scene",
                                    "The added points lack the columns of the view, and are not "
                                    "drawn."));
      return nullptr;
    }
    points = makeDisplayPoints(*columns, space, task);
  } else {
    points = makeDisplayPoints(*request.added, space, task);
  }
  if (!points) return tl::unexpected(points.error());
  return std::make_shared<const DisplayPoints>(std::move(*points));
}

Result<void> placeAdded(const SceneRequest& request, SceneContent& content, const Task& task) {
  content.addedPoints = request.addedPoints;
  if (!content.addedPoints) {
    auto points = layOutAdded(request, content, task);
    if (!points) return tl::unexpected(points.error());
    if (!*points) return {};
    content.addedPoints = std::move(*points);
  }
  ColourRequest colours;
  colours.background = request.background;
  // Of a preview the clusters have other numbers.
  if (request.addedLabels && !request.preview) {
    colours.labels = request.addedLabels->labels;
    if (request.clusterColours) colours.colourIndex = *request.clusterColours;
    colours.highlighted = request.highlighted;
    colours.hidden = request.hidden;
  }
  content.addedColours = std::make_shared<const std::vector<std::uint8_t>>(
      colourPoints(colours, content.addedPoints->order));
  return {};
}

/// Where the marked point is drawn, unless the window of values hides it.
void placeMark(const SceneRequest& request, bool windowed, SceneContent& content) {
  const auto& order = content.drawn()->order;
  const auto found = std::find(order.begin(), order.end(), std::uint32_t(request.marked));
  const auto at = std::size_t(found - order.begin());
  if (found != order.end() && !(windowed && content.colours->layerOf(at) == DrawLayer::Hidden))
    content.marked = std::uint32_t(at);
}

void placeCells(const SceneRequest& request, SceneContent& content) {
  content.boxes = request.boxes;
  if (content.points->space.kind == ViewAxes::Kind::Pca)
    addMessage(content, translate("Scene",
                                  "Cells have no boxes along principal axes: choose dimensions as "
                                  "axes to see them."));
  else if (!content.points->hasCells())
    addMessage(content, translate("Scene",
                                  "Cells have no boxes along columns beside the coordinates: "
                                  "choose dimensions as axes to see them."));
  else if (!content.boxes)
    content.boxes =
        std::make_shared<const CellBoxes>(cellBoxesOf(*request.cells, content.points->space));
}

}  // namespace

Result<SceneContent> makeSceneContent(const SceneRequest& request, const Task& task) {
  SceneContent content;
  content.points = request.points;
  if (!content.points) {
    auto points = layOut(request, task);
    if (!points) return tl::unexpected(points.error());
    content.points = std::make_shared<const DisplayPoints>(std::move(*points));
  }
  if (const std::size_t missing = request.cloud->size() - content.points->size(); missing > 0)
    addMessage(
        content,
        countedText("Scene",
                    "%1 points have no value in a column of the view, and are not "
                    "drawn.",
                    "1 point has no value in a column of the view, and is not drawn.", missing));
  auto colours = std::make_shared<SceneColours>(request);
  if (request.preview)
    colourPreview(request, *colours, content);
  else
    colourResult(request, *colours, content);
  if (task.cancelled()) return cancelledError();
  colours->drawn = content.drawn();
  colours->colourer = pointColourer(colours->request);
  const bool windowed = request.window && request.window->values->size() == request.cloud->size();
  if (windowed) applyWindow(request, *colours, content);
  highlight(request, *colours, content);
  content.colours = std::make_shared<const DrawnColours>(
      content.drawn(),
      [colours](std::size_t first, std::span<std::uint8_t> bytes) { colours->make(first, bytes); });
  if (request.added)
    if (auto placed = placeAdded(request, content, task); !placed)
      return tl::unexpected(placed.error());
  if (request.marked >= 0) placeMark(request, windowed, content);
  if (request.cells) placeCells(request, content);
  if (task.cancelled()) return cancelledError();
  return content;
}

}  // namespace clusterloom
