#include "ui/window/dock_sizes.h"

#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QMainWindow>
#include <utility>

namespace clusterloom {
namespace {

/// Smaller differences come from rounding.
constexpr int kNoticed = 4;

int along(Qt::Orientation orientation, const QSize& size) {
  return orientation == Qt::Vertical ? size.height() : size.width();
}

}  // namespace

DockSizes::DockSizes(QMainWindow& window) : QObject(&window), window_(window) {
  windowSettled_.setSingleShot(true);
  windowSettled_.setInterval(50);
  connect(&windowSettled_, &QTimer::timeout, this, qOverload<>(&DockSizes::restore));
  window.installEventFilter(this);
}

bool DockSizes::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
      restored_ = false;
      windowSettled_.start();
    }
    if (event->type() == QEvent::ChildPolished)
      if (auto* const dock = qobject_cast<QDockWidget*>(static_cast<QChildEvent*>(event)->child()))
        dock->installEventFilter(this);
  } else if (event->type() == QEvent::Resize && window_.size() == settledSize_ &&
             !windowSettled_.isActive()) {
    // What separates the docks was moved, by a person, or by the program: in a small window the
    // program has no choice.
    const bool isSmall =
        window_.width() < wantedFor_.width() || window_.height() < wantedFor_.height();
    if (!isSmall || QGuiApplication::mouseButtons() != Qt::NoButton) remember();
  }
  return QObject::eventFilter(watched, event);
}

QList<QDockWidget*> DockSizes::docked() const {
  QList<QDockWidget*> docks;
  for (QDockWidget* const dock : window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
    if (dock->isVisible() && !dock->isFloating()) docks << dock;
  return docks;
}

void DockSizes::remember() {
  for (const QDockWidget* const dock : docked()) wanted_[dock] = dock->size();
  wantedFor_ = window_.size();
}

void DockSizes::restore() {
  settledSize_ = window_.size();
  if (wanted_.isEmpty()) return remember();
  // Once: what does not fit now never will.
  if (std::exchange(restored_, !restored_)) return;
  restore(Qt::Vertical);
  restore(Qt::Horizontal);
  windowSettled_.start();  // what follows is not to be remembered
}

void DockSizes::restore(Qt::Orientation orientation) {
  if (along(orientation, window_.size()) < along(orientation, wantedFor_)) return;
  const QList<QDockWidget*> docks = docked();
  QList<int> sizes;
  bool isShort = false;
  for (QDockWidget* const dock : docks) {
    const int size = along(orientation, dock->size());
    sizes << along(orientation, wanted_.value(dock, dock->size()));
    isShort = isShort || size < sizes.back() - kNoticed;
  }
  if (!isShort) return;
  window_.resizeDocks(docks, sizes, orientation);
}

}  // namespace clusterloom
