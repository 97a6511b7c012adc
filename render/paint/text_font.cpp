#include "render/paint/text_font.h"

#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

#include <array>
#include <filesystem>

namespace clusterloom {
namespace {

/// DejaVu first, so that pictures are the same on most machines; empty where none is installed.
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

}  // namespace

void chooseFont(vtkTextProperty& text, bool bold) {
  static const std::string regularFile = fontFile(false);
  static const std::string boldFile = fontFile(true);
  const std::string& file = bold ? boldFile : regularFile;
  if (file.empty()) {
    text.SetFontFamilyToArial();
    text.SetBold(bold ? 1 : 0);
  } else {
    text.SetFontFamily(VTK_FONT_FILE);
    text.SetFontFile(file.c_str());
    text.SetBold(0);
  }
}

double textWidth(const std::string& words, double size, bool bold) {
  vtkTextRenderer* renderer = vtkTextRenderer::GetInstance();
  if (renderer == nullptr || words.empty()) return 0;
  constexpr int kSize = 72;  // large, so that hinting and whole pixels matter little
  constexpr int kDotsPerInch = 72;
  vtkNew<vtkTextProperty> text;
  chooseFont(*text, bold);
  text->SetFontSize(kSize);
  std::array<int, 4> box{};
  if (!renderer->GetBoundingBox(text.Get(), vtkStdString(words), box.data(), kDotsPerInch))
    return 0;
  return size * (box[1] - box[0] + 1) / kSize;
}

}  // namespace clusterloom
