#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QSize>
#include <QTimer>

#include "ui/words/qt_classes.h"

namespace clusterloom {

/// Gives panels their sizes back when the window that holds them was small for a while: Qt shrinks
/// them with the window, and leaves the space to the central widget when it grows again.
class DockSizes : public QObject {
  Q_OBJECT

 public:
  /// For the docks of the window, which may get more. Its child.
  explicit DockSizes(QMainWindow& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QList<QDockWidget*> docked() const;
  void remember();
  void restore();
  void restore(Qt::Orientation orientation);

  QMainWindow& window_;
  QHash<const QDockWidget*, QSize> wanted_;
  QSize wantedFor_;        ///< the size of the window with these
  QSize settledSize_;      ///< of the window; docks are resized before it tells of another one
  bool restored_ = false;  ///< since the window was resized
  QTimer windowSettled_;   ///< runs while the window, and with it the docks, are being resized
};

}  // namespace clusterloom
