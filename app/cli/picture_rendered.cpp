// Built where the render layer is.
#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "app/cli/console.h"
#include "app/cli/picture.h"
#include "render/gl/offscreen.h"

namespace clusterloom::cli {

Result<void> checkPictures() { return checkPictureMemory(0); }

Result<void> writePicture(const OutputTarget& target, const PointCloud& cloud,
                          const Clustering& clustering, const std::string& title,
                          const PictureOptions& picture, const Task& task) {
  ImageOptions options;
  options.title = title;
  const ImageOptions usual;
  options.width = picture.size.width;
  options.height = picture.size.height;
  options.transparent = picture.transparent;
  options.pointsOnly = picture.pointsOnly;
  options.pixelRatio *=
      std::min(1.0 * options.width / usual.width, 1.0 * options.height / usual.height);
  constexpr double kLargerPoints = 3;
  if (picture.pointsOnly) options.pixelRatio *= kLargerPoints;
  // VTK cannot be stopped. It renders on a thread of its own, which is left behind on a stop: the
  // program then ends at once, and no file has been begun.
  using Rendered = Result<Image>;
  auto promise = std::make_shared<std::promise<Rendered>>();
  std::future<Rendered> rendered = promise->get_future();
  std::thread([promise, options, &cloud, &clustering] {
    try {
      promise->set_value(clusteringImage(cloud, clustering, options));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }).detach();
  task.report("drawing", 0);
  while (rendered.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
    if (task.cancelled()) endInterrupted();
  const Rendered image = rendered.get();
  if (!image) return tl::unexpected(image.error());
  if (task.cancelled()) return cancelledError();
  return writePng(target, *image);
}

}  // namespace clusterloom::cli
