#include "render/gl/offscreen.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "render/gl/egl_context.h"

namespace clusterloom {
namespace {

Result<void> checkSize(int width, int height) {
  if (width >= 1 && height >= 1 && width <= kLargestPicture && height <= kLargestPicture) return {};
  return badCall("a picture may be 1 to " + std::to_string(kLargestPicture) +
                 " pixels wide and high, not " + std::to_string(width) + " × " +
                 std::to_string(height));
}

}  // namespace

struct OffscreenWindow::Impl {
  std::unique_ptr<EglContext> context;
  vtkSmartPointer<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkCallbackCommand> answers;

  static void answer(vtkObject* /*caller*/, unsigned long event, void* self, void* data) {
    auto* impl = static_cast<Impl*>(self);
    switch (event) {
      case vtkCommand::WindowMakeCurrentEvent: impl->context->makeCurrent(); break;
      case vtkCommand::WindowIsCurrentEvent:
        *static_cast<bool*>(data) = impl->context->isCurrent();
        break;
      case vtkCommand::WindowSupportsOpenGLEvent:
      case vtkCommand::WindowIsDirectEvent: *static_cast<int*>(data) = 1; break;
      default: break;
    }
  }
};

OffscreenWindow::OffscreenWindow(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<OffscreenWindow>> OffscreenWindow::make(int width, int height) {
  if (auto ok = checkSize(width, height); !ok) return tl::unexpected(ok.error());
  auto context = EglContext::make();
  if (!context) return tl::unexpected(context.error());
  auto impl = std::make_unique<Impl>();
  impl->context = std::move(*context);
  if (!impl->context->makeCurrent())
    return unavailable("the OpenGL context without a display cannot be used");
  impl->window = makeHostedWindow();
  vtkGenericOpenGLRenderWindow* window = impl->window;
  impl->answers->SetClientData(impl.get());
  impl->answers->SetCallback(&Impl::answer);
  for (const unsigned long event :
       {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent,
        vtkCommand::WindowSupportsOpenGLEvent, vtkCommand::WindowIsDirectEvent})
    window->AddObserver(event, impl->answers);
  window->SetOwnContext(0);
  window->SetMultiSamples(0);
  window->SetFrameBlitModeToNoBlit();  // there is no default framebuffer to blit to
  window->SetSize(width, height);
  window->SetForceMaximumHardwareLineWidth(1);
  window->SetReadyForRendering(true);
  window->SetMapped(1);
  window->OpenGLInitContext();
  window->OpenGLInit();
  return std::unique_ptr<OffscreenWindow>(new OffscreenWindow(std::move(impl)));
}

OffscreenWindow::~OffscreenWindow() {
  impl_->context->makeCurrent();
  impl_->window->Finalize();
  impl_->window->SetReadyForRendering(false);
  impl_->window->RemoveObserver(impl_->answers);
}

vtkRenderWindow* OffscreenWindow::window() const { return impl_->window; }

void OffscreenWindow::resize(int width, int height) {
  if (checkSize(width, height)) impl_->window->SetSize(width, height);
}

Image OffscreenWindow::image() {
  render();
  return pixels();
}

void OffscreenWindow::render() {
  impl_->context->makeCurrent();
  impl_->window->Render();
}

void OffscreenWindow::release() { impl_->context->release(); }

Image OffscreenWindow::pixels() {
  impl_->context->makeCurrent();
  const int* size = impl_->window->GetSize();
  Image image;
  image.width = size[0];
  image.height = size[1];
  const std::ptrdiff_t row = std::ptrdiff_t{4} * image.width;
  image.rgba.resize(std::size_t(row) * std::size_t(image.height));
  vtkNew<vtkUnsignedCharArray> read;  // into our memory
  read->SetArray(image.rgba.data(), vtkIdType(image.rgba.size()), 1);
  impl_->window->GetRGBACharPixelData(0, 0, size[0] - 1, size[1] - 1, 0, read);
  // OpenGL counts rows from the bottom.
  auto top = image.rgba.begin();
  auto bottom = image.rgba.end() - row;
  for (; top < bottom; top += row, bottom -= row) std::swap_ranges(top, top + row, bottom);
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

Image withoutGround(const Image& onBlack, const Image& onWhite) {
  Image image = onBlack;
  for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    // black = colour · alpha, white = colour · alpha + 255 · (1 − alpha). The channel that differs
    // least gives the alpha: rounding must not take colour away.
    int through = 255;
    for (std::size_t c = 0; c < 3; ++c)
      through = std::min(through, std::clamp(onWhite.rgba[i + c] - onBlack.rgba[i + c], 0, 255));
    const int alpha = 255 - through;
    for (std::size_t c = 0; c < 3; ++c) {
      const int colour = alpha == 0 ? 0 : (onBlack.rgba[i + c] * 255 + alpha / 2) / alpha;
      image.rgba[i + c] = std::uint8_t(std::min(colour, 255));
    }
    image.rgba[i + 3] = std::uint8_t(alpha);
  }
  return image;
}

Image reduced(const Image& large, int factor) {
  if (factor <= 1) return large;
  Image image;
  image.width = large.width / factor;
  image.height = large.height / factor;
  image.rgba.resize(4 * std::size_t(image.width) * std::size_t(image.height));
  const auto area = unsigned(factor * factor);
  std::uint8_t* out = image.rgba.data();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x, out += 4) {
      std::array<unsigned, 3> sum{};
      unsigned alpha = 0;
      for (int dy = 0; dy < factor; ++dy) {
        const std::uint8_t* pixel = large.pixel(factor * x, factor * y + dy);
        for (int dx = 0; dx < factor; ++dx, pixel += 4) {
          alpha += pixel[3];
          for (std::size_t c = 0; c < 3; ++c) sum[c] += unsigned{pixel[c]} * pixel[3];
        }
      }
      if (alpha == 0) continue;
      for (std::size_t c = 0; c < 3; ++c) out[c] = std::uint8_t((sum[c] + alpha / 2) / alpha);
      out[3] = std::uint8_t((alpha + area / 2) / area);
    }
  }
  return image;
}

}  // namespace clusterloom
