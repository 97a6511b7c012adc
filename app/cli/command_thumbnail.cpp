#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/input_options.h"
#include "app/cli/outputs.h"
#include "app/cli/picture.h"
#include "app/cli/value_options.h"
#include "engine/backend.h"
#include "engine/dbscan/default_min_pts.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/io/format_table.h"
#include "engine/io/packing/packing.h"

namespace clusterloom::cli {

namespace {

struct ThumbnailOptions {
  InputOptions input;
  std::string image;
  int size = 256;
  int seconds = 20;
};

constexpr const char* kThumbnailFooter = R"(
Draws the clusters of a sample of the points, without axes and text, as file managers show them. ε and
minPts are chosen from the sample, so the clusters can differ from those of the whole file. The
picture is a PNG; its name may end in .png or have no extension.

Examples:
  clusterloom-cli thumbnail cloud.ply --image small.png
  clusterloom-cli thumbnail scan.las --image large.png --size 512 --seconds 5)";

/// Points of the sample: a picture of this size cannot show more.
constexpr std::size_t kPoints = 20'000;

/// A thumbnail shares the machine with what the user does.
constexpr int kThreads = 2;

/// Asks the reader to stop after half of the time, and ends the program after all of it: drawing
/// cannot be stopped. No output is begun before the picture is drawn.
std::jthread limitTime(int seconds, std::stop_source reading) {
  return std::jthread([seconds, reading](const std::stop_token& end) mutable {
    const auto begin = std::chrono::steady_clock::now();
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    const auto waitUntil = [&](std::chrono::milliseconds time) {
      ended.wait_until(lock, end, begin + time, [] { return false; });
      return !end.stop_requested();
    };
    if (!waitUntil(std::chrono::milliseconds(500) * seconds)) return;
    reading.request_stop();
    if (!waitUntil(std::chrono::seconds(seconds))) return;
    sayError("The picture takes longer than " + std::to_string(seconds) +
             " s; allow more by --seconds.");
    _exit(kWorkFailed);
  });
}

/// At most kPoints of the points, evenly spaced in the order of the file.
PointCloud thinned(PointCloud cloud) {
  if (cloud.size() <= kPoints) return cloud;
  const std::size_t step = (cloud.size() + kPoints - 1) / kPoints;
  for (std::vector<double>& column : cloud.columns) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < column.size(); i += step) column[kept++] = column[i];
    column.resize(kept);
  }
  return cloud;
}

/// Reads a sample: of all rows, of those read when `stop` is requested, or the one that a file
/// holds. Errors as readDataset.
Result<PointCloud> readSample(const InputOptions& input, const std::stop_token& stop) {
  ReadOptions options = input.read;
  options.keepOthers = false;
  options.skipNonFinite = true;
  const auto preview = previewFile(input.path, options, 1);
  if (!preview) return tl::unexpected(preview.error());
  options.every = std::clamp<std::uint64_t>(
      std::max<std::uint64_t>(preview->rowEstimate / kPoints, options.every), 1, kMostEvery);
  PartialReads partial;
  std::shared_ptr<const PointCloud> begun;
  std::stop_source enough;
  const std::stop_callback stopped(stop, [&] { enough.request_stop(); });
  partial.points = kPoints;
  partial.deliver = [&](const PartialRead& read) {
    begun = read.sample;
    if (read.isOfAll()) enough.request_stop();
  };
  auto data = readDataset(input.path, options, {enough.get_token(), {}}, partial);
  if (data) return thinned(std::move(data->cloud));
  if (data.error().kind == ErrorKind::Cancelled && begun && begun->size() > 0)
    return thinned(*begun);
  return tl::unexpected(data.error());
}

/// Clusters with the parameters that the window would begin with.
Result<Clustering> clusterSample(const PointCloud& cloud, const Task& task) {
  DbscanParams params;
  params.minPts = defaultMinPts(cloud.size(), cloud.dims());
  const auto distances = kDistances(cloud, int(params.minPts), kPoints, task);
  if (!distances) return tl::unexpected(distances.error());
  params.eps =
      distances->suggestedEps > 0 ? distances->suggestedEps : sensibleEpsRange(cloud, task).low;
  BackendOptions options;
  options.threads = kThreads;
  const auto backend = makeBackend("cpu", options);
  if (!backend) return tl::unexpected(backend.error());
  return (*backend)->dbscan(cloud, params, {}, task);
}

/// Refuses a name that promises another format. Any other ending is fine: file managers give names
/// of temporary files.
Result<void> checkIsPng(const std::string& image) {
  static const std::array kOtherPictures{".jpg",  ".jpeg", ".gif", ".bmp", ".tif",
                                         ".tiff", ".webp", ".svg", ".pdf"};
  const std::string extension = extensionOf(image);
  if (packingOfName(image) == Packing::None && formatOfExtension(extension) == nullptr &&
      std::find(kOtherPictures.begin(), kOtherPictures.end(), extension) == kOtherPictures.end())
    return {};
  return badCall("--image " + image + ": a thumbnail is a PNG; choose a name that ends in .png.");
}

Result<void> runThumbnail(const ThumbnailOptions& options, const Task& task) {
  if (auto png = checkIsPng(options.image); !png) return png;
  if (Result<void> possible = checkPictures(); !possible) return possible;
  if (auto fine = checkOutputs({options.input.path}, {{"--image", options.image, {}, false}});
      !fine)
    return fine;
  std::stop_source reading;
  const std::stop_callback interrupted(task.stop, [&] { reading.request_stop(); });
  const std::jthread limit = limitTime(options.seconds, reading);
  const auto cloud = readSample(options.input, reading.get_token());
  if (task.cancelled()) return cancelledError();
  if (!cloud) {
    if (cloud.error().kind != ErrorKind::Cancelled) return tl::unexpected(cloud.error());
    return ioError(options.input.path + " cannot be read within " +
                   std::to_string(options.seconds) + " s; allow more by --seconds.");
  }
  const auto clustering = clusterSample(*cloud, task);
  if (!clustering) return tl::unexpected(clustering.error());
  PictureOptions picture;
  picture.size = {options.size, options.size};
  picture.pointsOnly = true;
  OutputSet outputs;
  if (auto done =
          writePicture({outputs, options.image}, *cloud, *clustering, "", picture, {}, task);
      !done)
    return done;
  return outputs.commit();
}

}  // namespace

Command addThumbnailCommand(CLI::App& program) {
  auto options = std::make_shared<ThumbnailOptions>();
  CLI::App* parser = program.add_subcommand("thumbnail", "Draw a small picture of a file, quickly");
  parser->footer(kThumbnailFooter);
  addInputOptions(*parser, options->input);
  addPathOption(*parser, "--image", options->image, "The picture (PNG); needs no display")
      ->type_name("OUT")
      ->required();
  addIntegerOption(*parser, "--size", options->size, kShortestPictureSide, 2048,
                   "Pixels of a side of the picture (default: 256)")
      ->type_name("N");
  addIntegerOption(*parser, "--seconds", options->seconds, 1, 3600,
                   "Time limit (default: 20). After half of it a picture of what was read is drawn")
      ->type_name("T");
  return {parser, [options](const Task& task) { return runThumbnail(*options, task); }};
}

}  // namespace clusterloom::cli
