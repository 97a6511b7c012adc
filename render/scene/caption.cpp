#include "render/scene/caption.h"

#include <algorithm>

namespace clusterloom {

double captionHeight(const Caption& caption, double ratio) {
  const int lines = (caption.text.empty() ? 0 : 20) + (caption.detail.empty() ? 0 : 18);
  return lines == 0 ? 0 : (lines + 8) * ratio;
}

void paintCaption(Painter& painter, const Caption& caption, const Theme& theme, double left,
                  int height) {
  if (caption.text.empty() && caption.detail.empty()) return;
  const double r = painter.ratio();
  const double x = left + 12 * r;
  const double top = height - 10 * r;
  const double width =
      std::max(painter.widthOf(caption.text, 14, true), painter.widthOf(caption.detail, 12)) +
      16 * r;
  const double boxHeight = captionHeight(caption, r);
  painter.rectangle(x - 8 * r, top - boxHeight + 4 * r, width, boxHeight, theme.ground, 235);
  double y = top;
  if (!caption.text.empty()) {
    painter.text(caption.text, x, y, Across::Left, Along::Top, theme.text, 14, true);
    y -= 20 * r;
  }
  painter.text(caption.detail, x, y, Across::Left, Along::Top, theme.faintText, 12);
}

}  // namespace clusterloom
