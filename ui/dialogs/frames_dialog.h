#pragma once

#include <QDialog>

#include "ui/view/picture_drawing.h"

class QSpinBox;

namespace clusterloom {

class PictureFields;

/// Asks how many frames of a replay are saved, and in which size.
class FramesDialog : public QDialog {
  Q_OBJECT

 public:
  /// `view`: see PictureFields.
  explicit FramesDialog(const QSize& view, QWidget* parent = nullptr);

  int frames() const;
  PictureSize size() const;

 private:
  QSpinBox* frames_;
  PictureFields* fields_;
};

}  // namespace clusterloom
