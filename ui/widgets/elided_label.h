#pragma once

#include <QLabel>

namespace clusterloom {

/// A line of plain text that ends in "…" where it has too little space; text() is the whole line.
/// It never widens its window. Callers set a tool tip with the whole line.
class ElidedLabel : public QLabel {
 public:
  using QLabel::QLabel;

  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace clusterloom
