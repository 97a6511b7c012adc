#pragma once

#include <QObject>
#include <QPoint>
#include <QPolygonF>
#include <QTimer>
#include <array>
#include <functional>
#include <memory>

#include "ui/session/display_state.h"
#include "ui/view/scene_content.h"
#include "ui/view/stored_colours.h"

class QMouseEvent;

namespace clusterloom {

class LatestCall;
class Session;
class VtkView;

/// The picture on the screen, in which the pointer finds points and cells. A plain value, so that a
/// worker can search while the view moves on.
struct PointerTarget {
  SceneContent content;
  std::shared_ptr<const PointCloud> cloud;  ///< that `content` shows
  std::shared_ptr<const GridCells> cells;
  ViewTransform view;
  std::shared_ptr<const StoredPoints> stored;  ///< all points of the file; null: none
  StoredColouring storedColouring;             ///< of them
};

/// The action of a drag with the left button. Shift turns Move into Rectangle.
enum class PointerTool { Move, Rectangle, Lasso };

/// The pointer over the cloud view. It distinguishes clicks from drags, finds what is under the
/// pointer on a worker, sets what the session's views highlight, and draws outlines of selections.
/// Of a file of which some rows are open, it finds all rows; while hovering, which must be quick,
/// the open ones first, and the others where they are found within a moment. The camera is moved by
/// VTK's interactor styles, not here.
class ViewPointer : public QObject {
  Q_OBJECT

 public:
  /// `target` gives the picture of now; without points nothing is found.
  ViewPointer(Session& session, VtkView& view, std::function<PointerTarget()> target);

  PointerTool tool() const { return tool_; }
  void setTool(PointerTool tool);

  /// These take the events of the view and say whether VTK's interactor must not get them, because
  /// an outline is being drawn.
  bool press(const QMouseEvent& event);
  bool move(const QMouseEvent& event);
  bool release(const QMouseEvent& event);
  bool isOutlining() const { return outlining_; }
  /// Gives up the outline that is being drawn; false when there is none.
  bool cancelOutline();
  void leave();
  /// Finds the point under a double click; it is no click that selects.
  void doubleClick(const QMouseEvent& event);
  /// Other points are shown: running searches deliver nothing.
  void forget();
  /// A click that has not found anything yet does nothing.
  void stopPicking();

 Q_SIGNALS:
  /// The point or cell under the pointer, in words; empty for none.
  void hovered(const QString& text);
  /// The view is being dragged.
  void dragged();
  /// A point or row was double-clicked, at this place of the display.
  void placeDoubleClicked(const std::array<double, 3>& place);
  /// The outline being drawn, in coordinates of the view; empty when it ended.
  void outlineChanged(const QPolygonF& outline);
  /// A right click without a drag.
  void menuRequested(const QPoint& globalPosition);

 private:
  void hoverAt(const QPointF& position);
  void pickAt(const QPointF& position, bool add);
  void extendOutline(const QPointF& position);
  void followSelection();
  void select(const QPolygonF& outline, bool add);

  Session& session_;
  VtkView& view_;
  std::function<PointerTarget()> target_;
  LatestCall* finding_;
  LatestCall* findingRow_;  ///< after the open rows
  LatestCall* centring_;    ///< on what was double-clicked
  LatestCall* picking_;     ///< so that what is hovered does not replace what is clicked
  Selection pickedFrom_;    ///< the selection when it was started; empty where it has ended
  QTimer hoverTimer_;
  QPointF hoverPosition_;
  QPoint pressPosition_;
  bool moved_ = false;
  PointerTool tool_ = PointerTool::Move;
  PointerTool drawing_ = PointerTool::Move;  ///< the tool of the outline being drawn
  bool outlining_ = false;
  QPolygonF outline_;
};

}  // namespace clusterloom
