#pragma once

#include <QDialog>

#include "ui/view/picture_drawing.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace clusterloom {

/// Asks for the size of a picture of the view, in pixels, and whether its ground is transparent.
class PictureDialog : public QDialog {
  Q_OBJECT

 public:
  /// `view`: the size of the view in logical pixels, which the picture begins with at twice the
  /// resolution.
  explicit PictureDialog(const QSize& view, QWidget* parent = nullptr);

  PictureSize chosen() const;

 private:
  void check();

  QSize view_;
  QSpinBox* width_;
  QSpinBox* height_;
  QCheckBox* transparent_;
  QLabel* note_;
  QPushButton* save_;
};

}  // namespace clusterloom
