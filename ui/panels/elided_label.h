#pragma once

#include <QLabel>

namespace clusterloom {

/// A line of plain text that ends in "…" where it has too little room; text() is the whole line. A
/// tool tip with the whole is up to whoever sets the text.
class ElidedLabel : public QLabel {
 public:
  using QLabel::QLabel;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace clusterloom
