#pragma once

#include <QWidget>

#include "ui/view/picture_drawing.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

/// The fields for a picture of the view: its size in pixels, and whether its background is
/// transparent.
class PictureFields : public QWidget {
  Q_OBJECT

 public:
  /// `view`: the size of the view in logical pixels; the picture has twice as many at first.
  explicit PictureFields(const QSize& view, QWidget* parent = nullptr);

  PictureSize chosen() const;
  /// Whether a picture of this size can be made.
  bool fits() const;

 Q_SIGNALS:
  void changed();

 private:
  void check();

  QSize view_;
  QSpinBox* width_;
  QSpinBox* height_;
  QCheckBox* transparent_;
  QLabel* note_;
};

}  // namespace clusterloom
