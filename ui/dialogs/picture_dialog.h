#pragma once

#include <QDialog>

#include "ui/view/picture_drawing.h"

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

}  // namespace clusterloom
