#pragma once

#include <QObject>
#include <QPoint>
#include <QTimer>
#include <functional>
#include <memory>

#include "ui/view/scene_content.h"

class QMouseEvent;

namespace clusterloom {

class LatestCall;
class Session;
class VtkView;

/// The picture as it is on the screen, in which the pointer finds points and cells. A plain value,
/// so that a worker can look while the view moves on.
struct PointerTarget {
  SceneContent content;
  std::shared_ptr<const GridCells> cells;
  ViewTransform view;
};

/// The pointer over the cloud view: tells a click from a drag, finds what is under the pointer on a
/// worker, and sets what the session's views highlight. The camera is moved by VTK's interactor
/// styles, not here.
class ViewPointer : public QObject {
  Q_OBJECT

 public:
  /// `target` gives the picture of now; without points nothing is found.
  ViewPointer(Session& session, VtkView& view, std::function<PointerTarget()> target);

  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);
  void release(const QMouseEvent& event);
  void leave();
  /// Other points are shown: nothing that is being looked for is delivered.
  void forget();

 Q_SIGNALS:
  /// What is under the pointer, in words; empty for nothing.
  void hovered(const QString& text);
  /// The view is being dragged.
  void dragged();
  /// A right click without a drag.
  void menuRequested(const QPoint& globalPosition);

 private:
  void hoverAt(const QPointF& position);
  void pickAt(const QPointF& position, bool add);

  Session& session_;
  VtkView& view_;
  std::function<PointerTarget()> target_;
  LatestCall* finding_;
  QTimer hoverTimer_;
  QPointF hoverPosition_;
  QPoint pressPosition_;
  bool moved_ = false;
};

}  // namespace clusterloom
