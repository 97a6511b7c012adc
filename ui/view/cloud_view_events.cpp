#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/view/view_pointer.h"

// The actions of keys, pointer and wheel in the cloud view.

namespace clusterloom {

namespace {
constexpr double kKeyTurn = 7.5;  // degrees
constexpr double kKeyZoom = 1.2;
}  // namespace

void CloudView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    applyStyle();
    scheduleUpdate();
  }
  VtkView::changeEvent(event);
}

void CloudView::showEvent(QShowEvent* event) {
  VtkView::showEvent(event);
  isDrawn_ = true;
  session_.clusterRun().setViewed(true);
}

// Not of all rows of a file, of which there may be more than anybody waits for.
void CloudView::noteDrawing() {
  session_.jobs().setDrawing(isDrawn_ && scene_.drawnFraction() < 1);
}

// A hidden view draws no frames, which would say so.
void CloudView::settleUnseen() {
  if (!isDrawn_ && isSettled()) Q_EMIT settled();
}

void CloudView::hideEvent(QHideEvent* event) {
  VtkView::hideEvent(event);
  isDrawn_ = false;
  noteDrawing();
  session_.clusterRun().setViewed(false);
  settleUnseen();
}

void CloudView::resizeEvent(QResizeEvent* event) {
  VtkView::resizeEvent(event);
  scene_.restartFrame();
  placeOverlays();  // the key follows when the frame is drawn
}

void CloudView::mousePressEvent(QMouseEvent* event) {
  if (!pointer_->press(*event)) VtkView::mousePressEvent(event);
}

void CloudView::mouseMoveEvent(QMouseEvent* event) {
  if (!pointer_->move(*event)) VtkView::mouseMoveEvent(event);
}

void CloudView::mouseReleaseEvent(QMouseEvent* event) {
  // The interactor first: what a click selects is found in the picture after it.
  if (!pointer_->isOutlining()) VtkView::mouseReleaseEvent(event);
  pointer_->release(*event);
}

void CloudView::mouseDoubleClickEvent(QMouseEvent* event) {
  const bool picks = event->button() == Qt::LeftButton && tool() == PointerTool::Move &&
                     event->modifiers() == Qt::NoModifier && !scene_.isFlat();
  if (picks)
    pointer_->doubleClick(*event);
  else
    VtkView::mouseDoubleClickEvent(event);
}

// The mouse's menu comes on release without a drag (a right drag zooms); this handles the key only.
void CloudView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) Q_EMIT menuRequested(event->globalPos());
  event->accept();
}

void CloudView::leaveEvent(QEvent* event) {
  pointer_->leave();
  VtkView::leaveEvent(event);
}

void CloudView::wheelEvent(QWheelEvent* event) {
  if (pointer_->isOutlining()) return event->accept();
  noteInteraction();
  VtkView::wheelEvent(event);
}

void CloudView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left: scene_.turnBy(-kKeyTurn, 0); break;
    case Qt::Key_Right: scene_.turnBy(kKeyTurn, 0); break;
    case Qt::Key_Up: scene_.turnBy(0, kKeyTurn); break;
    case Qt::Key_Down: scene_.turnBy(0, -kKeyTurn); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: scene_.zoomBy(kKeyZoom); break;
    case Qt::Key_Minus: scene_.zoomBy(1 / kKeyZoom); break;
    case Qt::Key_Home: return fit();
    case Qt::Key_Escape:
      if (pointer_->cancelOutline()) return;
      if (player_->isOn() && pickedWords().isEmpty()) return player_->setOn(false);
      pointer_->stopPicking();  // also where nothing is selected yet
      return session_.setSelection({});
    default: return VtkView::keyPressEvent(event);
  }
  noteInteraction();
}

}  // namespace clusterloom
