#pragma once

#include <QColor>
#include <QObject>
#include <QPoint>
#include <QRect>
#include <QString>
#include <optional>

#include "ui/words/qt_classes.h"

namespace clusterloom {

/// The labels on the cloud view: the text that says that an approximation is shown, what is under
/// the pointer, and what the colours mean. They are children of `canvas` and take no mouse events.
class ViewOverlays : public QObject {
  Q_OBJECT

 public:
  explicit ViewOverlays(QWidget* canvas);

  /// Empty text hides its label.
  void setBadge(const QString& text);
  void setHover(const QString& text);
  /// Rich text, as from colourKeyText.
  void setKey(const QString& text);
  /// Sets colours for a dark or light canvas, independent of the theme of the window.
  void setDark(bool dark);
  /// Where the key is; empty without one.
  QRect keyGeometry() const;
  /// Where it goes; the top right corner until it is set.
  void placeKey(const QPoint& topLeft);
  /// Puts the labels where they belong on a canvas of this size. `hoverLeft`: pixels that rulers
  /// take at the left.
  void place(int hoverLeft);

 private:
  QLabel* label(const char* name);
  void show(QLabel* label, const QString& text);

  QWidget* canvas_;
  QLabel* badge_;
  QLabel* hover_;
  QLabel* key_;
  int hoverLeft_ = 12;
  std::optional<QPoint> keyPlace_;
};

}  // namespace clusterloom
