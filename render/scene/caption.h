#pragma once

#include <string>

#include "render/paint/painter.h"
#include "render/paint/theme.h"

namespace clusterloom {

/// Two lines of text at the top left of a picture; either may be empty.
struct Caption {
  std::string text;
  std::string detail;  ///< fainter, below `text`
};

/// Height in device pixels; 0 without text.
double captionHeight(const Caption& caption, double ratio);

/// Paints a caption whose text starts 12 logical pixels right of `left`, below the top of a picture
/// of this height (device pixels).
void paintCaption(Painter& painter, const Caption& caption, const Theme& theme, double left,
                  int height);

}  // namespace clusterloom
