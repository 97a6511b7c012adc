#pragma once

#include <string>
#include <vector>

#include "render/paint/theme.h"

namespace clusterloom {

/// Where a text sits relative to its anchor.
enum class Across { Left, Centre, Right };
enum class Along { Bottom, Centre, Top };

/// Draws lines, boxes and text in device pixels, origin at the lower left. Sizes of text and
/// lines are given in logical pixels and multiplied by the pixel ratio. What is painted goes over a
/// renderer (painted_item.h) or into an SVG document (svg_painter.h).
class Painter {
 public:
  explicit Painter(double ratio) : ratio_(ratio) {}
  virtual ~Painter() = default;
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  double ratio() const { return ratio_; }
  /// Shorter steps (device pixels) of a curve need not be drawn.
  virtual double leastStep() const = 0;
  virtual void line(double x0, double y0, double x1, double y1, Colour colour, double width = 1,
                    int alpha = 255) = 0;
  /// A curve through the corners (x, y, x, y, …), with softened edges.
  virtual void polyline(const std::vector<float>& corners, Colour colour, double width) = 0;
  virtual void rectangle(double x, double y, double width, double height, Colour colour,
                         int alpha = 255) = 0;
  /// Bars side by side in one stroke: bar i stands on `floor` between edges[i] and edges[i + 1] and
  /// is tops[i] high.
  virtual void bars(const std::vector<float>& edges, double floor, const std::vector<float>& tops,
                    Colour colour, int alpha = 255) = 0;
  /// A picture of columns × rows pixels (lowest row first) stretched over a rectangle, without
  /// smoothing.
  virtual void pixels(double x, double y, double width, double height, int columns, int rows,
                      const std::vector<Colour>& colours) = 0;
  void frame(double x, double y, double width, double height, Colour colour, double lineWidth = 1);
  void circle(double x, double y, double radius, Colour colour, double width = 1);
  void text(const std::string& words, double x, double y, Across across, Along along, Colour colour,
            double size = 12, bool bold = false);
  /// As text, turned by 90° to read upwards.
  void textUpwards(const std::string& words, double x, double y, Across across, Along along,
                   Colour colour, double size = 12);
  virtual double widthOf(const std::string& words, double size = 12, bool bold = false) = 0;

 protected:
  /// How a text is written; `size` in logical pixels.
  struct TextStyle {
    Colour colour;
    double size = 12;
    bool bold = false;
    Across across = Across::Left;
    Along along = Along::Bottom;
    bool upwards = false;
  };
  virtual void drawText(const std::string& words, double x, double y, const TextStyle& style) = 0;

 private:
  double ratio_;
};

}  // namespace clusterloom
