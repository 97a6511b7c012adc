#pragma once

#include <string>

#include "render/paint/painter.h"

namespace clusterloom {

/// Paints into an SVG document of width × height units; a unit is a logical pixel. Lines, boxes and
/// text are written as such; pixels become one box for each run of equal colour.
class SvgPainter final : public Painter {
 public:
  /// `title` describes the picture to programs that read it aloud.
  SvgPainter(double width, double height, Colour ground, const std::string& title);

  /// Puts the origin of what follows there, in units from the lower left of the document.
  void setOrigin(double x, double y);
  /// The document so far, complete.
  std::string document() const { return text_ + "</svg>\n"; }

  double leastStep() const override { return 0; }
  void line(double x0, double y0, double x1, double y1, Colour colour, double width,
            int alpha) override;
  void polyline(const std::vector<float>& corners, Colour colour, double width) override;
  void rectangle(double x, double y, double width, double height, Colour colour,
                 int alpha) override;
  void bars(const std::vector<float>& edges, double floor, const std::vector<float>& tops,
            Colour colour, int alpha) override;
  void pixels(double x, double y, double width, double height, int columns, int rows,
              const std::vector<Colour>& colours) override;
  double widthOf(const std::string& words, double size, bool bold) override;

 protected:
  void drawText(const std::string& words, double x, double y, const TextStyle& style) override;

 private:
  std::string at(double x) const;      ///< an x of the document
  std::string upFrom(double y) const;  ///< a y of the document, which goes downwards

  double height_;
  double originX_ = 0;
  double originY_ = 0;
  std::string text_;
};

}  // namespace clusterloom
