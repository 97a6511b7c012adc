#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <string>

#include "render/gl/offscreen.h"

namespace clusterloom {

Result<std::string> pngOf(const Image& image) {
  if (image.width < 1 || image.height < 1) return badCall("an empty picture cannot be written");
  bool opaque = true;
  for (std::size_t i = 3; i < image.rgba.size() && opaque; i += 4) opaque = image.rgba[i] == 255;
  const int channels = opaque ? 3 : 4;
  vtkNew<vtkImageData> pixels;
  pixels->SetDimensions(image.width, image.height, 1);
  pixels->AllocateScalars(VTK_UNSIGNED_CHAR, channels);
  auto* out = static_cast<unsigned char*>(pixels->GetScalarPointer());
  for (int y = image.height - 1; y >= 0; --y) {  // VTK counts rows from the bottom
    for (int x = 0; x < image.width; ++x) {
      out = std::copy_n(image.pixel(x, y), channels, out);
    }
  }
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputData(pixels);
  writer->WriteToMemoryOn();
  writer->Write();
  vtkUnsignedCharArray* encoded = writer->GetResult();
  if (encoded == nullptr || encoded->GetNumberOfValues() == 0)
    return ioError("the picture could not be encoded as PNG");
  return std::string(reinterpret_cast<const char*>(encoded->GetPointer(0)),
                     std::size_t(encoded->GetNumberOfValues()));
}

Result<void> writePng(const OutputTarget& target, const Image& image) {
  const auto png = pngOf(image);
  if (!png) return tl::unexpected(png.error());
  return writeAtomically(target, *png);
}

}  // namespace clusterloom
