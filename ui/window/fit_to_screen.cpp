#include "ui/window/fit_to_screen.h"

#include <QScreen>
#include <QStyle>
#include <QWidget>

namespace clusterloom {

void fitToScreen(QWidget& window) {
  if (window.isMaximized() || window.isFullScreen()) return;
  // The window system adds the title bar when it shows the window.
  const int title = window.style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, &window);
  const QSize free = window.screen()->availableSize() - QSize(0, title);
  window.resize(window.size().boundedTo(free));
}

}  // namespace clusterloom
