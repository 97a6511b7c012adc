#include "app/cli/picture.h"

#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "app/cli/console.h"
#include "app/cli/part_library.h"
#include "engine/io/png_text.h"
#include "render/gl/picture_memory.h"

namespace clusterloom::cli {
namespace {

Result<DrawPicture*> loadPictureLibrary() {
  // It stays until the process ends: drawing may go on in a thread that was left behind.
  const auto draw = loadPart({.name = kPictureLibrary,
                              .symbol = kPictureSymbol,
                              .purpose = "--image",
                              .howBuilt = "It is made by a build with -DCLUSTERLOOM_GUI=ON."});
  if (!draw) return tl::unexpected(draw.error());
  return reinterpret_cast<DrawPicture*>(*draw);
}

/// Loaded by the first call.
const Result<DrawPicture*>& pictureLibrary() {
  static const Result<DrawPicture*> loaded = loadPictureLibrary();
  return loaded;
}

}  // namespace

Result<void> checkPictures() {
  // The address space must suffice for loading, too.
  if (auto enough = checkPictureMemory(0); !enough) return enough;
  if (const auto& loaded = pictureLibrary(); !loaded) return tl::unexpected(loaded.error());
  return checkPictureMemory(0);
}

Result<void> writePicture(const OutputTarget& target, const PointCloud& cloud,
                          const Clustering& clustering, const std::string& title,
                          const PictureOptions& picture, const Provenance& provenance,
                          const Task& task) {
  const auto& draw = pictureLibrary();
  if (!draw) return tl::unexpected(draw.error());
  // VTK cannot be stopped. It renders on a separate thread, which is left behind on a stop: the
  // program then ends at once, and no file has been begun.
  using Drawn = Result<std::string>;
  auto promise = std::make_shared<std::promise<Drawn>>();
  std::future<Drawn> drawn = promise->get_future();
  std::thread([promise, draw = *draw, &cloud, &clustering, title, picture] {
    try {
      promise->set_value(draw(cloud, clustering, title, picture));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }).detach();
  task.report("drawing", 0);
  while (drawn.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
    if (task.cancelled()) endInterrupted();
  const Drawn png = drawn.get();
  if (!png) return tl::unexpected(png.error());
  if (task.cancelled()) return cancelledError();
  return writeAtomically(target, withText(*png, provenance));
}

}  // namespace clusterloom::cli
