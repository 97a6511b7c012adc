#pragma once

#include <QDialog>

#include "ui/view/picture_drawing.h"

class QSpinBox;

namespace clusterloom {

class PictureFields;

/// Asks for the size of a picture of the view, in pixels, and whether its background is
/// transparent.
class PictureDialog : public QDialog {
  Q_OBJECT

 public:
  /// `view`: see PictureFields.
  explicit PictureDialog(const QSize& view, QWidget* parent = nullptr);

  PictureSize chosen() const;

 private:
  PictureFields* fields_;
};

/// Asks how many frames of an animation are saved, and in which size.
class FramesDialog : public QDialog {
  Q_OBJECT

 public:
  /// `frames` are proposed; `help` says what they are; `view`: see PictureFields.
  FramesDialog(const QString& title, const QString& help, int frames, const QSize& view,
               QWidget* parent = nullptr);

  int frames() const;
  PictureSize size() const;

 private:
  QSpinBox* frames_;
  PictureFields* fields_;
};

}  // namespace clusterloom
