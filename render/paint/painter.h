#pragma once

#include <vtkContextItem.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "render/paint/theme.h"

class vtkContext2D;
class vtkRenderer;

namespace clusterloom {

/// Where a text sits relative to its anchor.
enum class Across { Left, Centre, Right };
enum class Along { Bottom, Centre, Top };

/// Draws lines, boxes and texts in device pixels, origin at the lower left, over a renderer. Sizes
/// are given in logical pixels and multiplied by the pixel ratio.
class Painter {
 public:
  Painter(vtkContext2D* context, int dotsPerInch, double ratio)
      : context_(context), dotsPerInch_(dotsPerInch), ratio_(ratio) {}

  double ratio() const { return ratio_; }
  void line(double x0, double y0, double x1, double y1, Colour colour, double width = 1,
            int alpha = 255);
  /// A curve through the corners (x, y, x, y, …), with softened edges.
  void polyline(const std::vector<float>& corners, Colour colour, double width);
  void rectangle(double x, double y, double width, double height, Colour colour, int alpha = 255);
  /// Bars side by side in one stroke: bar i stands on `floor` between edges[i] and edges[i + 1] and
  /// is tops[i] high.
  void bars(const std::vector<float>& edges, double floor, const std::vector<float>& tops,
            Colour colour, int alpha = 255);
  /// A picture of columns × rows pixels (RGBA, lowest row first) stretched over a rectangle,
  /// without smoothing.
  void pixels(double x, double y, double width, double height, int columns, int rows,
              const std::vector<std::uint8_t>& rgba);
  void frame(double x, double y, double width, double height, Colour colour, double lineWidth = 1);
  void circle(double x, double y, double radius, Colour colour, double width = 1);
  void text(const std::string& words, double x, double y, Across across, Along along, Colour colour,
            double size = 12, bool bold = false);
  /// As text, turned by 90° to read upwards.
  void textUpwards(const std::string& words, double x, double y, Across across, Along along,
                   Colour colour, double size = 12);
  double widthOf(const std::string& words, double size = 12, bool bold = false);

 private:
  void setFont(Colour colour, double size, bool bold);

  vtkContext2D* context_;
  int dotsPerInch_;
  double ratio_;
};

/// Lets a function paint over (or, in a lower renderer, under) a scene.
class PaintedItem : public vtkContextItem {
 public:
  static PaintedItem* New();
  vtkTypeMacro(PaintedItem, vtkContextItem);

  std::function<void(Painter&)> paint;
  double ratio = 1;

  bool Paint(vtkContext2D* context) override;

  /// Puts the item over everything else that `renderer` draws.
  void addTo(vtkRenderer* renderer);

 protected:
  PaintedItem() = default;
  ~PaintedItem() override = default;
};

}  // namespace clusterloom
