#include "render/paint/painted_item.h"

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
#include <cmath>
#include <cstdint>

#include "render/paint/text_font.h"

namespace clusterloom {
namespace {

void setPen(vtkContext2D* context, Colour colour, double width, int alpha) {
  vtkPen* pen = context->GetPen();
  pen->SetLineType(vtkPen::SOLID_LINE);
  pen->SetColor(colour.r, colour.g, colour.b, static_cast<unsigned char>(alpha));
  pen->SetWidth(float(width));
}

float f(double value) { return float(value); }

/// Paints through VTK's two-dimensional context.
class ContextPainter final : public Painter {
 public:
  ContextPainter(vtkContext2D* context, int dotsPerInch, double ratio)
      : Painter(ratio), context_(context), dotsPerInch_(dotsPerInch) {}

  double leastStep() const override { return 0.5; }

  void line(double x0, double y0, double x1, double y1, Colour colour, double width,
            int alpha) override {
    setPen(context_, colour, width * ratio(), alpha);
    context_->DrawLine(f(x0), f(y0), f(x1), f(y1));
  }

  void polyline(const std::vector<float>& corners, Colour colour, double width) override {
    const int count = int(corners.size() / 2);
    if (count < 2) return;
    // Drivers draw hard edges: a wider, fainter line below softens them.
    std::vector<float> copy = corners;
    setPen(context_, colour, width * ratio() + 1.4, 80);
    context_->DrawPoly(copy.data(), count);
    setPen(context_, colour, width * ratio(), 255);
    context_->DrawPoly(copy.data(), count);
  }

  void rectangle(double x, double y, double width, double height, Colour colour,
                 int alpha) override {
    setBrush(colour, alpha);
    context_->DrawQuad(f(x), f(y), f(x + width), f(y), f(x + width), f(y + height), f(x),
                       f(y + height));
  }

  void bars(const std::vector<float>& edges, double floor, const std::vector<float>& tops,
            Colour colour, int alpha) override {
    if (tops.empty() || edges.size() != tops.size() + 1) return;
    std::vector<float> strip;
    strip.reserve(8 * tops.size());
    for (std::size_t i = 0; i < tops.size(); ++i)
      for (const float x : {edges[i], edges[i + 1]})
        strip.insert(strip.end(), {x, f(floor), x, tops[i]});
    setBrush(colour, alpha);
    context_->DrawQuadStrip(strip.data(), int(strip.size() / 2));
  }

  void pixels(double x, double y, double width, double height, int columns, int rows,
              const std::vector<Colour>& colours) override {
    if (columns < 1 || rows < 1) return;
    vtkNew<vtkImageData> image;
    image->SetDimensions(columns, rows, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    auto* to = static_cast<std::uint8_t*>(image->GetScalarPointer());
    for (const Colour& colour : colours)
      for (const std::uint8_t part : {colour.r, colour.g, colour.b, std::uint8_t{255}})
        *to++ = part;
    context_->GetBrush()->SetColor(255, 255, 255, 255);
    context_->GetBrush()->SetTextureProperties(vtkBrush::Nearest | vtkBrush::Stretch);
    context_->DrawImage(vtkRectf(f(x), f(y), f(width), f(height)), image);
  }

  double widthOf(const std::string& words, double size, bool bold) override {
    setFont({}, size, bold);
    float bounds[4] = {0, 0, 0, 0};
    context_->ComputeStringBounds(words.c_str(), bounds);
    return double(bounds[2]);
  }

 protected:
  void drawText(const std::string& words, double x, double y, const TextStyle& style) override {
    setFont(style.colour, style.size, style.bold);
    vtkTextProperty* font = context_->GetTextProp();
    font->SetOrientation(style.upwards ? 90 : 0);
    font->SetJustification(style.across == Across::Left     ? VTK_TEXT_LEFT
                           : style.across == Across::Centre ? VTK_TEXT_CENTERED
                                                            : VTK_TEXT_RIGHT);
    font->SetVerticalJustification(style.along == Along::Bottom   ? VTK_TEXT_BOTTOM
                                   : style.along == Along::Centre ? VTK_TEXT_CENTERED
                                                                  : VTK_TEXT_TOP);
    context_->DrawString(f(std::round(x)), f(std::round(y)), words.c_str());
    font->SetOrientation(0);
  }

 private:
  void setBrush(Colour colour, int alpha) {
    context_->GetPen()->SetLineType(vtkPen::NO_PEN);
    context_->GetBrush()->SetColor(colour.r, colour.g, colour.b, static_cast<unsigned char>(alpha));
  }

  void setFont(Colour colour, double size, bool bold) {
    vtkTextProperty* font = context_->GetTextProp();
    chooseFont(*font, bold);
    // Font sizes are points of 1/72 inch, and windows report different numbers of dots per inch.
    font->SetFontSize(std::max(1, int(std::lround(size * ratio() * 72 / dotsPerInch_))));
    font->SetColor(colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
    font->SetOpacity(1);
    font->SetOrientation(0);
  }

  vtkContext2D* context_;
  int dotsPerInch_;
};

}  // namespace

vtkStandardNewMacro(PaintedItem);

bool PaintedItem::Paint(vtkContext2D* context) {
  vtkRenderer* renderer = this->GetScene() ? this->GetScene()->GetRenderer() : nullptr;
  if (!paint || renderer == nullptr || renderer->GetRenderWindow() == nullptr) return false;
  ContextPainter painter(context, std::max(1, renderer->GetRenderWindow()->GetDPI()), ratio);
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
