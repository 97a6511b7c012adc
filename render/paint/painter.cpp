#include "render/paint/painter.h"

#include <vtkBrush.h>
#include <vtkContext2D.h>
#include <vtkContextActor.h>
#include <vtkContextScene.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPen.h>
#include <vtkRect.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextProperty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace clusterloom {
namespace {

void setPen(vtkContext2D* context, Colour colour, double width, int alpha) {
  vtkPen* pen = context->GetPen();
  pen->SetLineType(vtkPen::SOLID_LINE);
  pen->SetColor(colour.r, colour.g, colour.b, static_cast<unsigned char>(alpha));
  pen->SetWidth(static_cast<float>(width));
}

/// A font file with Greek letters, or nothing: VTK's own font has no ε. DejaVu first, so that
/// pictures are the same on most machines.
std::string fontFile(bool bold) {
  const std::filesystem::path folder = "/usr/share/fonts/truetype";
  for (const char* file :
       bold ? std::array{"dejavu/DejaVuSans-Bold.ttf", "liberation/LiberationSans-Bold.ttf",
                         "liberation2/LiberationSans-Bold.ttf", "noto/NotoSans-Bold.ttf"}
            : std::array{"dejavu/DejaVuSans.ttf", "liberation/LiberationSans-Regular.ttf",
                         "liberation2/LiberationSans-Regular.ttf", "noto/NotoSans-Regular.ttf"})
    if (std::filesystem::exists(folder / file)) return folder / file;
  return {};
}

float f(double value) { return static_cast<float>(value); }

}  // namespace

void Painter::line(double x0, double y0, double x1, double y1, Colour colour, double width,
                   int alpha) {
  setPen(context_, colour, width * ratio_, alpha);
  context_->DrawLine(f(x0), f(y0), f(x1), f(y1));
}

void Painter::polyline(const std::vector<float>& corners, Colour colour, double width) {
  const int count = static_cast<int>(corners.size() / 2);
  if (count < 2) return;
  // Drivers draw hard edges: a wider, fainter line below softens them.
  std::vector<float> copy = corners;
  setPen(context_, colour, width * ratio_ + 1.4, 80);
  context_->DrawPoly(copy.data(), count);
  setPen(context_, colour, width * ratio_, 255);
  context_->DrawPoly(copy.data(), count);
}

void Painter::rectangle(double x, double y, double width, double height, Colour colour, int alpha) {
  context_->GetPen()->SetLineType(vtkPen::NO_PEN);
  context_->GetBrush()->SetColor(colour.r, colour.g, colour.b, static_cast<unsigned char>(alpha));
  context_->DrawQuad(f(x), f(y), f(x + width), f(y), f(x + width), f(y + height), f(x),
                     f(y + height));
}

void Painter::bars(const std::vector<float>& edges, double floor, const std::vector<float>& tops,
                   Colour colour, int alpha) {
  if (tops.empty() || edges.size() != tops.size() + 1) return;
  std::vector<float> strip;
  strip.reserve(8 * tops.size());
  for (std::size_t i = 0; i < tops.size(); ++i)
    for (const float x : {edges[i], edges[i + 1]})
      strip.insert(strip.end(), {x, f(floor), x, tops[i]});
  context_->GetPen()->SetLineType(vtkPen::NO_PEN);
  context_->GetBrush()->SetColor(colour.r, colour.g, colour.b, static_cast<unsigned char>(alpha));
  context_->DrawQuadStrip(strip.data(), static_cast<int>(strip.size() / 2));
}

void Painter::pixels(double x, double y, double width, double height, int columns, int rows,
                     const std::vector<std::uint8_t>& rgba) {
  if (columns < 1 || rows < 1) return;
  vtkNew<vtkImageData> image;
  image->SetDimensions(columns, rows, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
  std::copy(rgba.begin(), rgba.end(), static_cast<std::uint8_t*>(image->GetScalarPointer()));
  context_->GetBrush()->SetColor(255, 255, 255, 255);
  context_->GetBrush()->SetTextureProperties(vtkBrush::Nearest | vtkBrush::Stretch);
  context_->DrawImage(vtkRectf(f(x), f(y), f(width), f(height)), image);
}

void Painter::frame(double x, double y, double width, double height, Colour colour,
                    double lineWidth) {
  line(x, y, x + width, y, colour, lineWidth);
  line(x + width, y, x + width, y + height, colour, lineWidth);
  line(x + width, y + height, x, y + height, colour, lineWidth);
  line(x, y + height, x, y, colour, lineWidth);
}

void Painter::circle(double x, double y, double radius, Colour colour, double width) {
  constexpr int kCorners = 96;
  std::vector<float> corners;
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCorners;
    corners.push_back(f(x + radius * std::cos(angle)));
    corners.push_back(f(y + radius * std::sin(angle)));
  }
  polyline(corners, colour, width);
}

void Painter::setFont(Colour colour, double size, bool bold) {
  vtkTextProperty* font = context_->GetTextProp();
  static const std::string regularFile = fontFile(false);
  static const std::string boldFile = fontFile(true);
  const std::string& file = bold ? boldFile : regularFile;
  if (file.empty()) {
    font->SetFontFamilyToArial();
    font->SetBold(bold ? 1 : 0);
  } else {
    font->SetFontFamily(VTK_FONT_FILE);
    font->SetFontFile(file.c_str());
    font->SetBold(0);
  }
  // Font sizes are points of 1/72 inch, and windows report different numbers of dots per inch.
  font->SetFontSize(std::max(1, static_cast<int>(std::lround(size * ratio_ * 72 / dotsPerInch_))));
  font->SetColor(colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
  font->SetOpacity(1);
  font->SetOrientation(0);
}

void Painter::text(const std::string& words, double x, double y, Across across, Along along,
                   Colour colour, double size, bool bold) {
  if (words.empty()) return;
  setFont(colour, size, bold);
  vtkTextProperty* font = context_->GetTextProp();
  font->SetJustification(across == Across::Left     ? VTK_TEXT_LEFT
                         : across == Across::Centre ? VTK_TEXT_CENTERED
                                                    : VTK_TEXT_RIGHT);
  font->SetVerticalJustification(along == Along::Bottom   ? VTK_TEXT_BOTTOM
                                 : along == Along::Centre ? VTK_TEXT_CENTERED
                                                          : VTK_TEXT_TOP);
  context_->DrawString(f(std::round(x)), f(std::round(y)), words.c_str());
}

void Painter::textUpwards(const std::string& words, double x, double y, Across across, Along along,
                          Colour colour, double size) {
  if (words.empty()) return;
  setFont(colour, size, false);
  vtkTextProperty* font = context_->GetTextProp();
  font->SetOrientation(90);
  font->SetJustification(across == Across::Left     ? VTK_TEXT_LEFT
                         : across == Across::Centre ? VTK_TEXT_CENTERED
                                                    : VTK_TEXT_RIGHT);
  font->SetVerticalJustification(along == Along::Bottom   ? VTK_TEXT_BOTTOM
                                 : along == Along::Centre ? VTK_TEXT_CENTERED
                                                          : VTK_TEXT_TOP);
  context_->DrawString(f(std::round(x)), f(std::round(y)), words.c_str());
  font->SetOrientation(0);
}

double Painter::widthOf(const std::string& words, double size, bool bold) {
  setFont({}, size, bold);
  float bounds[4] = {0, 0, 0, 0};
  context_->ComputeStringBounds(words.c_str(), bounds);
  return static_cast<double>(bounds[2]);
}

vtkStandardNewMacro(PaintedItem);

bool PaintedItem::Paint(vtkContext2D* context) {
  vtkRenderer* renderer = this->GetScene() ? this->GetScene()->GetRenderer() : nullptr;
  if (!paint || renderer == nullptr || renderer->GetRenderWindow() == nullptr) return false;
  Painter painter(context, std::max(1, renderer->GetRenderWindow()->GetDPI()), ratio);
  paint(painter);
  return true;
}

void PaintedItem::addTo(vtkRenderer* renderer) {
  vtkNew<vtkContextActor> actor;
  actor->GetScene()->AddItem(this);
  actor->GetScene()->SetRenderer(renderer);
  renderer->AddActor(actor);
}

}  // namespace clusterloom
