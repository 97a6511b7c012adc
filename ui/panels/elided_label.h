#pragma once

#include <QLabel>

namespace clusterloom {

/// A line of plain text that ends in "…" where it has too little room; text() is the whole line. A
/// tool tip with the whole is up to whoever sets the text. It never widens its window.
class ElidedLabel : public QLabel {
 public:
  using QLabel::QLabel;

  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace clusterloom
