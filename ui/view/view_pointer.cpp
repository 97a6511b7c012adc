#include "ui/view/view_pointer.h"

#include <QApplication>
#include <QCursor>
#include <QMouseEvent>
#include <QStyleHints>
#include <chrono>
#include <optional>
#include <stop_token>
#include <tuple>
#include <utility>

#include "engine/dbscan/clustering.h"
#include "render/scene/picking.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
#include "ui/session/grid_cells.h"
#include "ui/session/selected_points.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/view/data_words.h"
#include "ui/view/latest_call.h"
#include "ui/view/vtk_view.h"

namespace clusterloom {

namespace {

constexpr double kPickRadius = 7;  // logical pixels around the pointer
constexpr int kHoverDelay = 30;
constexpr std::chrono::milliseconds kMostHoverTime{150};

/// The objects at a place of the picture.
struct Found {
  std::optional<PickedPoint> point;
  std::optional<std::size_t> cell;
  std::optional<PickedRow> row;  ///< instead of a point
  std::optional<std::int32_t> labelOfRow;
};

/// Replaces the point by the row of the file that is picked instead, if there is one. Where some
/// cannot be read, the picture lacks them, too, and that is said.
void findRow(const PointerTarget& target, const StoredColourer& colourer, const QPoint& pixel,
             double radius, const StoredLabels* labels, const Task& task, Found& found) {
  const auto row =
      pickRow(*target.stored, colourer, target.view, pixel.x(), pixel.y(), radius, task);
  if (!row || !*row || (found.point && found.point->rank < (*row)->rank)) return;
  found.row = **row;
  found.point.reset();
  if (labels == nullptr) return;
  const std::size_t at = found.row->inBlock;
  std::vector<std::int32_t> ofBlock(target.stored->outline()->blocks[found.row->block].count);
  if (labels->read(found.row->block, ofBlock) && ofBlock[at] >= kNoise)
    found.labelOfRow = ofBlock[at];
}

void findCell(const PointerTarget& target, const QPoint& pixel, Found& found) {
  const SceneContent& content = target.content;
  found.cell.reset();
  if (!content.boxes || !target.cells) return;
  if (found.point && found.point->point < target.cells->cellOfPoint.size()) {
    const std::int32_t cell = target.cells->cellOfPoint[found.point->point];
    if (cell >= 0) found.cell = std::size_t(cell);
  } else if (target.view.flat) {
    if (const auto place = placeUnder(content.points->space, target.view, pixel.x(), pixel.y()))
      found.cell = cellAt(*content.boxes, *place);
  }
}

Found findUnder(const PointerTarget& target, const QPoint& pixel, double radius,
                const StoredLabels* labels, const Task& task) {
  const SceneContent& content = target.content;
  Found found;
  found.point =
      pickPoint(*content.drawn(), *content.colours, target.view, pixel.x(), pixel.y(), radius);
  if (target.stored)
    findRow(target, storedColourer(target.storedColouring), pixel, radius, labels, task, found);
  findCell(target, pixel, found);
  return found;
}

/// Replaces the open row that was found by one that is not open, if that does not take long: the
/// pointer moves on, and blocks of a COPC file are slow to decode.
Found findRowSoon(const PointerTarget& target, const QPoint& pixel, double radius,
                  const StoredLabels* labels, const std::stop_token& stop, Found found) {
  const auto until = std::chrono::steady_clock::now() + kMostHoverTime;
  std::stop_source late;
  const std::stop_callback stopped(stop, [&late] { late.request_stop(); });
  const auto colourer = [&late, until, colour = storedColourer(target.storedColouring)](
                            std::size_t block, const StoredPoints::Block& points,
                            std::span<std::uint8_t> bytes) {
    if (std::chrono::steady_clock::now() > until) late.request_stop();
    colour(block, points, bytes);
  };
  findRow(target, colourer, pixel, radius, labels, Task{late.get_token(), {}}, found);
  if (found.row) findCell(target, pixel, found);
  return found;
}

/// The search for the point or cell at a position of the current view; `labels` are those of all
/// rows of the file.
auto findAt(PointerTarget target, const VtkView& view, const QPointF& position,
            std::shared_ptr<const StoredLabels> labels = {}) {
  return [target = std::move(target), pixel = view.toDisplay(position),
          radius = kPickRadius * view.devicePixelRatioF(),
          labels = std::move(labels)](const std::stop_token& stop) {
    return findUnder(target, pixel, radius, labels.get(), Task{stop, {}});
  };
}

/// The same among the open rows only.
auto findOpenAt(PointerTarget target, const VtkView& view, const QPointF& position) {
  target.stored.reset();
  return findAt(std::move(target), view, position);
}

/// What was found, for people.
QString hoverWords(const Found& found, const GridCells* cells, const Session& session) {
  QStringList words;
  if (found.row) words << rowWords(found.row->row, found.labelOfRow);
  if (found.point) {
    words << pointWords(
        std::int64_t(found.point->point),
        session.clusterRun().preview() ? nullptr : session.clusterRun().result().get());
    if (const auto dataset = session.data().dataset();
        dataset && found.point->point < dataset->cloud.size())
      words << labelsOf(*dataset, found.point->point);
  }
  if (found.cell && cells != nullptr) words << cellWords(*cells, std::int64_t(*found.cell));
  return words.join(QStringLiteral("\n"));
}

/// The selection after a click on the point, row or cell that was found.
Selection selectionAfter(Selection selection, const Found& found, const ClusterResult* result,
                         bool add) {
  selection.point = found.point ? std::int64_t(found.point->point) : -1;
  selection.cell = found.cell ? std::int64_t(*found.cell) : -1;
  selection.row.reset();
  // Of points, not of clusters.
  if ((selection.points || selection.rows) && add) return selection;
  selection.points.reset();
  selection.rows.reset();
  std::optional<std::int32_t> label = found.labelOfRow;
  if (found.point && result && found.point->point < result->clustering.labels.size())
    label = result->clustering.labels[found.point->point];
  if (!label && found.point) return selection;
  if (!add) selection.clusters.clear();
  if (!label) return selection;
  if (selection.clusters.count(*label) > 0) {
    selection.clusters.erase(*label);
  } else if (*label != kNoise || add) {
    selection.clusters.insert(*label);
  }
  return selection;
}

}  // namespace

ViewPointer::ViewPointer(Session& session, VtkView& view, std::function<PointerTarget()> target)
    : QObject(&view), session_(session), view_(view), target_(std::move(target)) {
  finding_ = new LatestCall(this);
  findingRow_ = new LatestCall(this);
  centring_ = new LatestCall(this);
  picking_ = new LatestCall(this);
  hoverTimer_.setSingleShot(true);
  hoverTimer_.setInterval(kHoverDelay);
  connect(&hoverTimer_, &QTimer::timeout, this, [this] { hoverAt(hoverPosition_); });
  // What is said of a point may no longer be true.
  const auto sayAgain = [this] {
    if (!view_.underMouse() || QGuiApplication::mouseButtons() != Qt::NoButton) {
      Q_EMIT hovered({});
      return;
    }
    hoverPosition_ = view_.mapFromGlobal(QCursor::pos());
    if (!hoverTimer_.isActive()) hoverTimer_.start();
  };
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, sayAgain);
  connect(&session_.data(), &SessionData::cloudChanged, this, sayAgain);
  connect(&session_, &Session::selectionChanged, this, &ViewPointer::followSelection);
}

void ViewPointer::forget() {
  finding_->forget();
  findingRow_->forget();
  centring_->forget();
  stopPicking();
}

// What was chosen last counts, not what is found last. Rows that an outline finds are not chosen
// then.
void ViewPointer::followSelection() {
  const auto chosenIn = [](const Selection& s) {
    return std::tie(s.clusters, s.points, s.point, s.row, s.warp);
  };
  if (chosenIn(session_.selection()) != chosenIn(pickedFrom_)) stopPicking();
}

void ViewPointer::stopPicking() {
  picking_->forget();
  pickedFrom_ = {};
}

void ViewPointer::setTool(PointerTool tool) {
  cancelOutline();
  tool_ = tool;
  if (tool == PointerTool::Move)
    view_.unsetCursor();
  else
    view_.setCursor(Qt::CrossCursor);
}

bool ViewPointer::press(const QMouseEvent& event) {
  if (outlining_) return true;  // by another button
  pressPosition_ = event.position().toPoint();
  moved_ = false;
  outline_.clear();
  if (event.button() != Qt::LeftButton) return false;
  const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
  drawing_ = tool_ == PointerTool::Move && shift ? PointerTool::Rectangle : tool_;
  outlining_ = drawing_ != PointerTool::Move;
  return outlining_;
}

bool ViewPointer::move(const QMouseEvent& event) {
  if (event.buttons() == Qt::NoButton) {
    hoverPosition_ = event.position();
    if (!hoverTimer_.isActive()) hoverTimer_.start();
    return false;
  }
  const int distance = (event.position().toPoint() - pressPosition_).manhattanLength();
  if (distance > QApplication::styleHints()->startDragDistance() / 2) moved_ = true;
  if (outlining_) {
    if (moved_) extendOutline(event.position());
    return true;
  }
  if (moved_) Q_EMIT dragged();
  return false;
}

bool ViewPointer::release(const QMouseEvent& event) {
  const bool left = event.button() == Qt::LeftButton;
  if (outlining_ && !left) return true;
  const bool add = event.modifiers().testFlag(Qt::ControlModifier);
  const bool drew = std::exchange(outlining_, false);
  if (drew && moved_) {
    extendOutline(event.position());
    select(std::exchange(outline_, {}), add);
  } else if (!moved_ && left) {
    pickAt(event.position(), add);
  } else if (!moved_ && event.button() == Qt::RightButton) {
    Q_EMIT menuRequested(event.globalPosition().toPoint());
  }
  if (drew) Q_EMIT outlineChanged({});
  return drew;
}

bool ViewPointer::cancelOutline() {
  if (!outlining_) return false;
  outlining_ = false;
  moved_ = true;  // the release that follows is no click
  outline_.clear();
  Q_EMIT outlineChanged({});
  return true;
}

void ViewPointer::extendOutline(const QPointF& position) {
  if (drawing_ == PointerTool::Rectangle) {
    outline_ = QPolygonF(QRectF(pressPosition_, position).normalized());
    outline_.removeLast();  // Qt closes it, and outlines here are closed anyway
  } else {
    if (outline_.isEmpty()) outline_ << pressPosition_;
    if (position != outline_.last()) outline_ << position;
  }
  Q_EMIT hovered({});
  Q_EMIT outlineChanged(outline_);
}

// The drawn points are those of a preview while ε is dragged: all points are selected from, and
// nothing is known of hidden clusters then.
void ViewPointer::select(const QPolygonF& outline, bool add) {
  stopPicking();
  PointerTarget target = target_();
  if (!target.content.points || !target.content.colours) return;
  const double ratio = view_.devicePixelRatioF();
  std::vector<PixelPlace> corners;
  for (const QPointF& corner : outline)
    corners.push_back({corner.x() * ratio, (view_.height() - corner.y()) * ratio});
  SelectedPoints::FindInFile inFile;
  if (target.stored)
    inFile = [stored = target.stored, colouring = target.storedColouring, view = target.view,
              corners](const auto& take, const Task& task) {
      return rowsInOutline(*stored, storedColourer(colouring), view, corners, take, task);
    };
  session_.selectedPoints().choose(
      [points = target.content.points,
       colours = target.content.previewPoints ? nullptr : target.content.colours,
       view = target.view, corners = std::move(corners)](const Task& task) {
        static const DrawnColours none;
        return pointsInOutline(*points, colours ? *colours : none, view, corners, task);
      },
      add, std::move(inFile));
}

void ViewPointer::doubleClick(const QMouseEvent& event) {
  moved_ = true;
  const PointerTarget target = target_();
  if (!target.content.points || !target.content.colours) return;
  centring_->start(findAt(target, view_, event.position()), [this, target](const Found& found) {
    const auto points = target.content.points;
    if (points != target_().content.points || !(found.point || found.row)) return;
    const float* const at =
        found.row ? found.row->xyz.data()
                  : target.content.drawn()->xyz.data() + 3 * std::size_t{found.point->drawn};
    Q_EMIT placeDoubleClicked({double(at[0]), double(at[1]), double(at[2])});
  });
}

void ViewPointer::leave() {
  hoverTimer_.stop();
  finding_->forget();
  findingRow_->forget();
  Q_EMIT hovered({});
  session_.setHoveredPoint(-1);
  session_.setHoveredCell(-1);
}

void ViewPointer::hoverAt(const QPointF& position) {
  const PointerTarget target = target_();
  if (!target.content.points || !target.content.colours) return;
  const auto show = [this, points = target.content.points](const Found& found) {
    const PointerTarget now = target_();
    if (points != now.content.points) return false;
    session_.setHoveredPoint(found.point ? std::int64_t(found.point->point) : -1);
    session_.setHoveredCell(found.cell ? std::int64_t(*found.cell) : -1);
    Q_EMIT hovered(hoverWords(found, now.cells.get(), session_));
    return true;
  };
  const auto labels = session_.fileLevels().labels();
  const auto thenRow = [this, show, labels](const Found& found) {
    if (found.row && labels == session_.fileLevels().labels()) show(found);
  };
  findingRow_->forget();
  finding_->start(findOpenAt(target, view_, position),
                  [this, target, labels, show, thenRow, pixel = view_.toDisplay(position),
                   radius = kPickRadius * view_.devicePixelRatioF()](const Found& open) {
                    if (!show(open) || !target.stored) return;
                    findingRow_->start(
                        [target, labels, open, pixel, radius](const std::stop_token& stop) {
                          return findRowSoon(target, pixel, radius, labels.get(), stop, open);
                        },
                        thenRow);
                  });
}

void ViewPointer::pickAt(const QPointF& position, bool add) {
  PointerTarget target = target_();
  if (!target.content.points || !target.content.colours) return;
  const auto points = target.content.points;
  const auto cloud = target.cloud;
  const auto labels = session_.fileLevels().labels();
  pickedFrom_ = session_.selection();
  picking_->start(findAt(std::move(target), view_, position, labels),
                  [this, add, points, cloud, labels](Found found) {
                    pickedFrom_ = {};
                    // Another cloud may have another scaling, also before it is shown.
                    if (points != target_().content.points || cloud != session_.data().cloud())
                      return;
                    if (labels != session_.fileLevels().labels()) found.labelOfRow.reset();
                    Selection selection = selectionAfter(session_.selection(), found,
                                                         session_.clusterRun().result().get(), add);
                    if (found.row) {
                      FileRow row = fileRowOf(*found.row, points, session_.data().scaling());
                      row.label = found.labelOfRow.value_or(kNoise);
                      if (found.labelOfRow) row.labels = labels;
                      selection.row = std::make_shared<const FileRow>(std::move(row));
                    }
                    session_.setSelection(selection);
                  });
}

}  // namespace clusterloom
