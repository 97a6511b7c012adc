#include "app/cli/engine_run.h"

#include <tbb/info.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <stop_token>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/run_lines.h"
#include "app/cli/space_options.h"
#include "engine/batch_history.h"
#include "engine/cloud/coordinate_order.h"
#include "engine/core/number_text.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/io/numbers.h"
#include "engine/join/backend_kinds.h"

namespace clusterloom::cli {
namespace {

/// Whether "auto" need not wait for the first run to start a GPU: a file of this size usually has
/// more points than the CPU clusters before a GPU has started (engine/auto_backend.h).
bool needsDevice(const InputOptions& input, const Strategy& strategy) {
  constexpr std::uintmax_t kBytes = std::uintmax_t{64} << 20;
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(input.path, unknown);
  return !unknown && bytes / std::max<std::uint64_t>(1, input.read.every) >= kBytes &&
         !isCpuMethod(strategy.method);
}

struct BackendAndInput {
  std::unique_ptr<Backend> backend;
  Input input;
};

/// Makes the backend while the file is read: a GPU takes a quarter of a second to start. Where
/// there is no such backend, reading ends.
Result<BackendAndInput> startAndRead(const EngineOptions& engine, const InputOptions& input,
                                     const Task& task) {
  BackendOptions options = engine.backendOptions;
  options.batchHistory = batchHistoryFile();
  options.lateStart = options.lateStart && !needsDevice(input, engine.strategy);
  std::stop_source reading;
  const std::stop_callback forwarded(task.stop, [&] { reading.request_stop(); });
  auto started = std::async(std::launch::async, [&] {
    try {
      auto backend = makeBackend(engine.backend, options);
      if (!backend) reading.request_stop();
      return backend;
    } catch (...) {
      reading.request_stop();
      throw;
    }
  });
  auto read = readInput(input, {reading.get_token(), task.progress});
  auto backend = started.get();
  if (!backend) return tl::unexpected(backend.error());
  if (!read) return tl::unexpected(read.error());
  return BackendAndInput{std::move(*backend), std::move(*read)};
}

}  // namespace

void sayOfOrder(const Space& space, const InputOptions& input, const std::string& path,
                const std::vector<std::string>& names) {
  if (!space.sphere || input.geographicByNames || names.size() != 2) return;
  if (!namesLatitudeFirst(names[0], names[1])) return;
  sayNote(path + ": the longitude is column " + names[0] + " and the latitude column " + names[1] +
          ", as --geographic says; their names say the opposite");
}

Result<std::unique_ptr<OtherCloud>> readOther(const InputOptions& input,
                                              const ScalingChoice& scaling, const PointCloud& cloud,
                                              const Task& task) {
  if (input.other.empty()) return nullptr;
  InputOptions second = input;
  std::swap(second.path, second.other);
  second.read.keepOthers = false;
  auto read = readInput(second, task);
  if (!read) return tl::unexpected(read.error());
  if (orderCoordinates(cloud.names, read->data.cloud))
    sayNote(second.path + " has the coordinates of " + input.path +
            " in another order; they are matched by name");
  const JoinInput both(cloud, read->data.cloud);
  // Factors may bring a range into that of a double: such clouds are validated once scaled.
  const bool later = scaling.kind == Scaling::Kind::Factors;
  if (auto valid = later ? checkDims(both) : validate(both); !valid)
    return tl::unexpected(valid.error());
  return std::make_unique<OtherCloud>(OtherCloud{std::move(*read), {}});
}

Result<ScaledCloud> scaleClouds(const ScalingChoice& scaling, const PointCloud& cloud,
                                OtherCloud* other) {
  if (other == nullptr) return ScaledCloud::make(scaling, cloud);
  auto scaled = ScaledCloud::make(scaling, cloud, other->input.data.cloud);
  if (scaled) other->scaled = applyScaling(other->input.data.cloud, scaled->scaling());
  return scaled;
}

Result<void> runForEachEps(const EpsOptions& eps, const std::function<Result<void>()>& check,
                           const InputOptions& input, const EngineOptions& engine, const Task& task,
                           const std::function<Result<void>(const EngineRun&)>& run) {
  const Stopwatch total;
  const auto values = epsValues(eps);
  if (!values) return tl::unexpected(values.error());
  if (Result<void> fine = check(); !fine) return fine;
  if (auto fine = checkSpace(engine.space, engine.scaling.kind); !fine) return fine;
  if (auto fine = checkSquares(*values, engine.space); !fine) return fine;
  auto made = startAndRead(engine, input, task);
  if (!made) return tl::unexpected(made.error());
  const Input* const read = &made->input;
  sayOfOrder(engine.space, input, input.path, read->data.cloud.names);
  Space space = engine.space;
  if (space.sphere && input.geographicByNames) space = inOrderOfNames(space, read->data.cloud);
  const auto found = readOther(input, engine.scaling, read->data.cloud, task);
  if (!found) return tl::unexpected(found.error());
  OtherCloud* const other = found->get();
  if (other != nullptr) sayOfOrder(engine.space, input, input.other, other->input.data.cloud.names);
  const auto scaled = scaleClouds(engine.scaling, read->data.cloud, other);
  if (!scaled) return tl::unexpected(scaled.error());
  if (other != nullptr && input.geographicByNames)
    other->scaled = inOrderOf(space, std::move(other->scaled));
  if (auto fine = checkRows(space, read->data, scaled->cloud()); !fine) return fine;
  if (other != nullptr)
    if (auto fine = checkRows(space, other->input.data, other->scaled); !fine) return fine;
  const auto backend = backendIn(space, scaled->scaling(), std::move(made->backend));
  if (!backend) return tl::unexpected(backend.error());
  if (!space.periods.empty() && !(values->back() < epsLimit(space, scaled->scaling())))
    return badCall("ε must be less than half of each period; the largest is " +
                   clusterloom::numberText(values->back()) + ".");
  for (const double value : *values)
    if (auto done = run({**backend, *read, *scaled, other, space, value, total, task}); !done)
      return done;
  return {};
}

Json describeOther(const std::string& path, std::uint64_t points, std::uint64_t skipped) {
  return {{"file", path}, {"points", points}, {"skipped", skipped}};
}

Json describeOther(const OtherCloud& other) {
  const Dataset& data = other.input.data;
  return describeOther(data.source.path, data.cloud.size(), data.skippedRows.size());
}

Result<void> printResult(bool json, const Json& object, const RunStats& stats, std::string summary,
                         const std::vector<std::string>& written) {
  return json ? printJson(object) : printSummary(stats.note, std::move(summary), written);
}

Result<void> printSummary(const std::string& note, std::string summary,
                          const std::vector<std::string>& written) {
  if (!note.empty()) sayNote(note);
  for (const std::string& path : written)
    if (!path.empty()) summary += '\n' + summaryLine("written", path);
  return printLine(summary);
}

std::string pointsLine(const PointCloud& cloud) { return pointsLine(cloud.size(), cloud.dims()); }

std::string pointsLine(std::uint64_t points, std::size_t dims) {
  return summaryLine("points", groupedText(points) + " in " + countedText(dims, "dimension"));
}

std::string withLine(const OtherCloud* other) {
  if (other == nullptr) return {};
  const Dataset& data = other->input.data;
  return summaryLine("with", countedText(data.cloud.size(), "point") + " of " + data.source.path) +
         '\n';
}

std::string engineLine(const RunStats& stats) {
  // A GPU has no threads to count.
  const std::string threads =
      stats.threads > 0 ? ", " + countedText(std::uint64_t(stats.threads), "thread") : "";
  std::string text = summaryLine("engine", stats.backend + threads + "; " + stats.strategy);
  if (stats.sharing && stats.sharing->by != SharingChoice::By::Both)
    text += '\n' + summaryLine("processors", stats.sharing->by == SharingChoice::By::Gpu
                                                 ? "the GPU alone"
                                                 : "the CPU alone");
  for (const SharedPass& pass : stats.passes) {
    text += '\n' + summaryLine(pass.stage,
                               shortNumber(100 * pass.gpuQueries) + " % of the queries and " +
                                   shortNumber(100 * pass.gpuCandidates) +
                                   " % of the candidates by the GPU in " + duration(pass.gpuEnd) +
                                   ", the rest by the CPU in " + duration(pass.cpuEnd) +
                                   "; imbalance " + shortNumber(pass.imbalance));
    text += divisionModelLine(pass);
  }
  return text + querySetLines(stats.querySets) + batchModelLines(stats.predictions);
}

std::string placeText(const HierarchyPlace& place, int threads) {
  if (backendKind(place.backend).onDevice) return "on the GPU";
  if (threads <= 0) threads = tbb::info::default_concurrency();
  return "with " + countedText(std::uint64_t(threads), "thread");
}

std::string dividedLine(const std::vector<RankStats>& ranks) {
  if (ranks.empty()) return {};
  std::uint64_t ghosts = 0;
  std::uint64_t bytes = 0;
  std::uint64_t most = 0;
  for (const RankStats& rank : ranks) {
    ghosts += rank.ghosts;
    bytes += rank.bytesSent;
    most = std::max(most, rank.points);
  }
  return summaryLine("ranks", std::to_string(ranks.size()) + "; at most " + groupedText(most) +
                                  " points on one, " + groupedText(ghosts) + " ghosts, " +
                                  groupedText(bytes >> 20) + " MiB sent") +
         '\n';
}

std::string timeLine(const EngineRun& run, const std::string& doing, const RunStats& stats) {
  return timeLine(run.total, run.readSeconds(), doing, stats);
}

std::string timeLine(const Stopwatch& total, double readSeconds, const std::string& doing,
                     const RunStats& stats) {
  return summaryLine("time", duration(total.seconds()) + " (reading " + duration(readSeconds) +
                                 ", " + doing + " " + duration(stats.seconds.total) + ")");
}

}  // namespace clusterloom::cli
