#include "render/scene/paint_axes.h"

namespace clusterloom {

void paintAxesUnder(Painter& painter, const AxesLayout& layout, const Theme& theme) {
  for (const Segment& s : layout.grid) painter.line(s.x0, s.y0, s.x1, s.y1, theme.faintLine);
  for (const Segment& s : layout.edges) painter.line(s.x0, s.y0, s.x1, s.y1, theme.line);
}

void paintRulers(Painter& painter, const AxesLayout& layout, const Theme& theme, int width,
                 int height) {
  painter.rectangle(0, 0, width, layout.bottomBand, theme.ground);
  painter.rectangle(0, layout.bottomBand, layout.leftBand, height - layout.bottomBand,
                    theme.ground);
  painter.line(layout.leftBand, layout.bottomBand, width, layout.bottomBand, theme.line);
  if (layout.leftBand > 0)
    painter.line(layout.leftBand, layout.bottomBand, layout.leftBand, height, theme.line);
}

void paintAxesOver(Painter& painter, const AxesLayout& layout, const Theme& theme) {
  for (const Segment& s : layout.ticks) painter.line(s.x0, s.y0, s.x1, s.y1, theme.line);
  for (const PlacedText& text : layout.texts) {
    const Colour colour = text.title ? theme.text : theme.faintText;
    if (text.upwards)
      painter.textUpwards(text.words, text.x, text.y, text.across, text.along, colour, text.size);
    else
      painter.text(text.words, text.x, text.y, text.across, text.along, colour, text.size);
  }
}

}  // namespace clusterloom
