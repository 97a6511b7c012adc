#include "render/paint/svg_painter.h"

#include <array>
#include <charconv>
#include <cmath>

#include "render/paint/text_font.h"

namespace clusterloom {
namespace {

/// To a hundredth of a unit, without trailing zeros.
std::string shortened(double value) {
  std::array<char, 400> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(),
                                     std::isfinite(value) ? std::round(100 * value) / 100 + 0.0 : 0,
                                     std::chars_format::fixed, 2);
  std::string_view words(text.data(), std::size_t(written.ptr - text.data()));
  while (words.back() == '0') words.remove_suffix(1);
  if (words.back() == '.') words.remove_suffix(1);
  return std::string(words);
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string hex(Colour colour) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const std::uint8_t part : {colour.r, colour.g, colour.b}) {
    text += kDigits[part >> 4U];
    text += kDigits[part & 15U];
  }
  return text;
}

/// "fill" or "stroke" with its opacity, where it is not opaque.
std::string paintOf(const std::string& what, Colour colour, int alpha) {
  std::string text = attribute(what.c_str(), hex(colour));
  if (alpha < 255) text += attribute((what + "-opacity").c_str(), shortened(alpha / 255.0));
  return text;
}

std::string escaped(const std::string& words) {
  std::string text;
  for (const char c : words) {
    switch (c) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      default:  // XML has no control characters
        text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return text;
}

}  // namespace

SvgPainter::SvgPainter(double width, double height, Colour ground, const std::string& title)
    : Painter(1), height_(height) {
  const std::string w = shortened(width);
  const std::string h = shortened(height);
  text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" +
          attribute("width", w) + attribute("height", h) +
          attribute("viewBox", "0 0 " + w + " " + h) +
          attribute("font-family", "DejaVu Sans, Liberation Sans, sans-serif") + ">\n";
  if (!title.empty()) text_ += "<title>" + escaped(title) + "</title>\n";
  rectangle(0, 0, width, height, ground, 255);
}

void SvgPainter::setOrigin(double x, double y) {
  originX_ = x;
  originY_ = y;
}

std::string SvgPainter::at(double x) const { return shortened(originX_ + x); }

std::string SvgPainter::upFrom(double y) const { return shortened(height_ - originY_ - y); }

void SvgPainter::line(double x0, double y0, double x1, double y1, Colour colour, double width,
                      int alpha) {
  text_ += "<line" + attribute("x1", at(x0)) + attribute("y1", upFrom(y0)) +
           attribute("x2", at(x1)) + attribute("y2", upFrom(y1)) +
           paintOf("stroke", colour, alpha) + attribute("stroke-width", shortened(width)) + "/>\n";
}

void SvgPainter::polyline(const std::vector<float>& corners, Colour colour, double width) {
  if (corners.size() < 4) return;
  std::string points;
  for (std::size_t i = 0; i + 1 < corners.size(); i += 2) {
    if (i > 0) points += ' ';
    points += at(double(corners[i])) + "," + upFrom(double(corners[i + 1]));
  }
  text_ += "<polyline" + attribute("points", points) + attribute("fill", "none") +
           paintOf("stroke", colour, 255) + attribute("stroke-width", shortened(width)) +
           attribute("stroke-linejoin", "round") + "/>\n";
}

void SvgPainter::rectangle(double x, double y, double width, double height, Colour colour,
                           int alpha) {
  if (!(width > 0) || !(height > 0)) return;
  text_ += "<rect" + attribute("x", at(x)) + attribute("y", upFrom(y + height)) +
           attribute("width", shortened(width)) + attribute("height", shortened(height)) +
           paintOf("fill", colour, alpha) + "/>\n";
}

void SvgPainter::bars(const std::vector<float>& edges, double floor, const std::vector<float>& tops,
                      Colour colour, int alpha) {
  if (tops.empty() || edges.size() != tops.size() + 1) return;
  // One path: the edges between boxes of their own would shine through.
  std::string path;
  for (std::size_t i = 0; i < tops.size(); ++i)
    path += "M" + at(double(edges[i])) + " " + upFrom(floor) + "V" + upFrom(double(tops[i])) + "H" +
            at(double(edges[i + 1])) + "V" + upFrom(floor) + "Z";
  text_ += "<path" + attribute("d", path) + paintOf("fill", colour, alpha) + "/>\n";
}

void SvgPainter::pixels(double x, double y, double width, double height, int columns, int rows,
                        const std::vector<Colour>& colours) {
  if (columns < 1 || rows < 1 || colours.size() < std::size_t(columns) * std::size_t(rows)) return;
  const double wide = width / columns;
  const double high = height / rows;
  // Boxes overlap those painted after them a little, so that the ground does not shine through.
  constexpr double kOverlap = 0.3;
  for (int row = 0; row < rows; ++row) {
    const Colour* const pixel = &colours[std::size_t(row) * std::size_t(columns)];
    for (int first = 0; first < columns;) {
      int end = first + 1;
      while (end < columns && pixel[first] == pixel[end]) ++end;
      rectangle(x + first * wide, y + row * high,
                (end - first) * wide + (end < columns ? kOverlap : 0),
                high + (row + 1 < rows ? kOverlap : 0), pixel[first], 255);
      first = end;
    }
  }
}

double SvgPainter::widthOf(const std::string& words, double size, bool bold) {
  return textWidth(words, size, bold);
}

void SvgPainter::drawText(const std::string& words, double x, double y, const TextStyle& style) {
  // SVG places the base line. These are the ascent and descent of DejaVu Sans, in parts of the
  // size.
  constexpr double kAscent = 0.76;
  constexpr double kDescent = 0.24;
  const double base = style.along == Along::Bottom ? kDescent
                      : style.along == Along::Top  ? -kAscent
                                                   : (kDescent - kAscent) / 2;
  const double right = style.upwards ? x - base * style.size : x;
  const double up = style.upwards ? y : y + base * style.size;
  text_ += "<text" + attribute("x", at(right)) + attribute("y", upFrom(up));
  if (style.upwards)
    text_ += attribute("transform", "rotate(-90 " + at(right) + " " + upFrom(up) + ")");
  text_ += attribute("font-size", shortened(style.size)) + paintOf("fill", style.colour, 255);
  if (style.bold) text_ += attribute("font-weight", "bold");
  if (style.across != Across::Left)
    text_ += attribute("text-anchor", style.across == Across::Centre ? "middle" : "end");
  text_ += ">" + escaped(words) + "</text>\n";
}

}  // namespace clusterloom
