#pragma once

#include <QScrollArea>

namespace clusterloom {

/// Scrolls a panel up and down where its window is too low; never narrower than the panel.
class PanelScroll : public QScrollArea {
 public:
  explicit PanelScroll(QWidget* content);
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace clusterloom
