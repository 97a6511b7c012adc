#pragma once

#include <QDialog>

#include "render/paint/theme.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

/// How a chart is drawn into a file.
struct PictureOptions {
  QSize size;        ///< logical pixels: text has the size that it has on the screen
  double scale = 1;  ///< pixels of the file for each; not for vectors
  Background background = Background::Light;
};

/// The size of the file's picture.
QSize pixelsOf(const PictureOptions& options);

/// Asks for the options of a picture of a chart.
class ChartPictureDialog : public QDialog {
  Q_OBJECT

 public:
  /// `start`: what to begin with. `sizeIsFree`: the picture can have another size. `vectors`: there
  /// are no pixels to choose.
  ChartPictureDialog(const PictureOptions& start, bool sizeIsFree, bool vectors,
                     QWidget* parent = nullptr);

  PictureOptions options() const;

 private:
  void showPixels();

  bool vectors_;
  QSpinBox* width_;
  QSpinBox* height_;
  QSpinBox* scale_;
  QComboBox* colours_;
  QLabel* pixels_;
  QPushButton* save_ = nullptr;
};

}  // namespace clusterloom
