#pragma once

#include <string>
#include <vector>

#include "render/charts/plot_area.h"
#include "render/paint/painter.h"
#include "render/paint/theme.h"

namespace clusterloom {

/// What stands above a plot: swatches with words, from the left, and a title at the right end. What
/// does not fit into a line goes on in further lines, and the plot below becomes lower. No entry is
/// left out; of the title the last parts are, where the plot would become too low.
class ChartHeader {
 public:
  enum class Swatch { Box, Frame, Line, Ring };

  void addEntry(std::string words, Colour colour, Swatch swatch = Swatch::Box);
  /// Parts of the title are separated by " · "; a line is broken there.
  void setTitle(std::string title);
  /// Breaks the lines for this width, the same for every painter of this ratio, and lowers the top
  /// of the area for those after the first. Call it after PlotArea::layOut.
  void layOut(double ratio, PlotArea& area);
  void paint(Painter& painter, const PlotArea& area, const Theme& theme) const;

 private:
  struct Entry {
    std::string words;
    Colour colour;
    Swatch swatch = Swatch::Box;
  };
  /// Entries from the left, and a part of the title at the right.
  struct Line {
    std::vector<Entry> entries;
    std::string title;
  };

  std::vector<Entry> entries_;
  std::string title_;
  std::vector<Line> lines_;
};

}  // namespace clusterloom
