#include "engine/blocks/block_forecast.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/blocks/block_passes.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/io/column_plan.h"
#include "engine/io/npy/npy_header.h"
#include "engine/io/read_part.h"

namespace clusterloom {
namespace {

constexpr std::size_t kFewestPoints = std::size_t{1} << 15;
constexpr double kEnoughSeconds = 0.6;  // of a run whose figures are good enough
constexpr std::uint64_t kRowsRead = std::uint64_t{1} << 18;
constexpr std::size_t kQueries = 8192;
constexpr double kFewQueries = 256;
constexpr double kManyNeighbours = 1000;
constexpr int kMostTries = 12;
constexpr double kNearEnough = 0.05;

// Seconds a row that reading a part of the file takes.
Result<double> secondsToRead(const BlockFile& file, std::uint64_t rows, const Task& task) {
  const BlockFile readAs = asBlocksRead(file);
  const auto parts = int(std::clamp<std::uint64_t>(rows / kRowsRead, 1, 1 << 20));
  // The first one of a text also looks for its layout.
  const auto first = openFilePart(file.path, readAs.read, 0, parts, task);
  if (!first) return tl::unexpected(first.error());
  const Stopwatch watch;
  const auto part = openFilePart(file.path, readAs.read, parts / 2, parts, task, first->get());
  if (!part) return tl::unexpected(part.error());
  for (const auto& each : {first->get(), part->get()})
    if (const std::string obstacle = each->obstacle(); !obstacle.empty())
      return wholeFileError(file.path, obstacle);
  // Unreadable values are reported by the run, which knows their rows.
  if (auto data = (*part)->read(0, 0, task); !data && data.error().kind == ErrorKind::Cancelled)
    return cancelledError();
  return watch.seconds() / double(std::max<std::uint64_t>((*part)->rows(), 1));
}

// The times of the passes over some points, in seconds a point.
struct Measured {
  double points = 0;  // with halos
  double perBlock = 0;
  double count = 0;
  double scatter = 0;
  double cluster = 0;
  double merge = 0;
  double seconds = 0;
};

// Writes the points as rows, with their weights if there are any, and says how to read them. It is
// not written through to the disk, for which a busy one would let the caller wait.
Result<void> writeSample(const PointCloud& cloud, const std::vector<double>& weights,
                         BlockFile& file) {
  const std::size_t columns = cloud.dims() + (weights.empty() ? 0 : 1);
  std::vector<double> rows;
  rows.reserve(columns * cloud.size());
  for (std::size_t p = 0; p < cloud.size(); ++p) {
    for (const Coordinates& column : cloud.columns) rows.push_back(column[p]);
    if (!weights.empty()) rows.push_back(weights[p]);
  }
  for (std::size_t j = 0; j < columns; ++j)
    (j < cloud.dims() ? file.read.coordinates.emplace_back() : file.weights) =
        defaultColumnName(j, columns);
  const std::string header =
      npyHeader("<f8", std::to_string(cloud.size()) + ", " + std::to_string(columns));
  auto done = ScratchFolder::append(file.path, std::as_bytes(std::span(header)));
  if (done) done = ScratchFolder::append(file.path, std::as_bytes(std::span(rows)));
  return done;
}

Result<Measured> measure(const BlockSample& sample, std::size_t wanted, const DbscanParams& params,
                         const Backend& backend, const Strategy& strategy,
                         const BlockOptions& options, const Task& task) {
  const std::vector<std::uint32_t> chosen = stratifiedSample(sample.cloud.size(), wanted);
  const PointCloud cloud = pointsOf(sample.cloud, chosen);
  const double every = double(sample.every) * double(sample.cloud.size()) / double(chosen.size());
  const auto eps = epsOfSample(cloud, every, params.eps, task);
  if (!eps) return tl::unexpected(eps.error());
  ScratchFolder folder;
  if (auto made = folder.make(options.scratch); !made) return tl::unexpected(made.error());
  std::vector<double> weights;
  for (const std::uint32_t p : chosen)
    if (!sample.weights.empty()) weights.push_back(sample.weights[p]);
  BlockFile file{folder.file("sample.npy"), {}, {}};
  if (auto written = writeSample(cloud, weights, file); !written)
    return tl::unexpected(written.error());
  BlockOptions how;
  how.memory = options.memory;
  how.scratch = options.scratch;
  how.threads = options.threads;
  how.space = options.space;
  OutputSet outputs;
  const auto run = clusterInBlocks(file, {*eps, params.minPts}, backend, strategy, how, outputs,
                                   folder.file("labels.npy"), task);
  if (!run) return tl::unexpected(run.error());
  Measured found;
  const auto rows = double(chosen.size());
  found.points = rows + double(run->halo);
  found.perBlock = found.points / double(std::max<std::size_t>(run->plan.blocks, 1));
  found.count = run->countSeconds / rows;
  found.scatter = run->scatterSeconds / found.points;
  found.cluster = run->blockSeconds / found.points;
  found.merge = run->mergeSeconds / rows;
  found.seconds = run->countSeconds + run->scatterSeconds + run->blockSeconds + run->mergeSeconds;
  return found;
}

// How the time of a point grows with its block, as a power of the number of points there: hardly
// where points are found through a grid, linearly where all are compared.
double growth(const Measured& before, const Measured& last) {
  const double times = last.perBlock / before.perBlock;
  if (times < 1.5 || before.cluster <= 0 || last.cluster <= 0) return 0;
  return std::clamp(std::log(last.cluster / before.cluster) / std::log(times), 0.0, 1.0);
}

}  // namespace

Result<double> epsOfSample(const PointCloud& sample, double every, double eps, const Task& task) {
  if (every <= 1 || sample.size() < 2) return eps;
  const auto backend = makeCpuBackend(0);
  PointCloud queries = pointsOf(sample, stratifiedSample(sample.size(), kQueries));
  // The neighbours of a query on average, without itself.
  const auto neighbours = [&](double at) -> Result<double> {
    const auto found = backend->count(JoinInput(queries, sample), at, {}, {task.stop, {}});
    if (!found) return tl::unexpected(found.error());
    double sum = 0;
    for (const std::uint32_t count : found->counts) sum += double(count) - 1;
    return sum / double(queries.size());
  };
  auto before = neighbours(eps);
  if (!before) return tl::unexpected(before.error());
  const double target = std::min(*before * every, double(sample.size()) / 2);
  // Fewer queries tell enough where each has many neighbours.
  const double fewer = std::max(kFewQueries, double(kQueries) * kManyNeighbours / target);
  if (fewer < double(queries.size())) {
    queries = pointsOf(sample, stratifiedSample(sample.size(), std::size_t(fewer)));
    if (before = neighbours(eps); !before) return tl::unexpected(before.error());
  }
  // Without any neighbours the distribution of the points is unknown: they may fill all dimensions.
  const auto dims = double(sample.dims());
  if (target <= 0) return eps * std::pow(every, 1 / dims);
  double last = eps;
  double power = dims;  // with which the number of neighbours grows; at most the dimensions
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (std::abs(*before / target - 1) < kNearEnough) break;
    const double next = last * std::pow(target / *before, 1 / power);
    const auto found = neighbours(next);
    if (!found) return tl::unexpected(found.error());
    if (*found <= 0) break;
    const double grown = std::log(*found / *before) / std::log(next / last);
    power = std::isfinite(grown) ? std::clamp(grown, 0.5, dims) : dims;
    before = found;
    last = next;
  }
  return last;
}

Result<BlockForecast> forecastInBlocks(const BlockFile& file, const BlockSample& sample,
                                       const DbscanParams& params, const Backend& backend,
                                       const Strategy& strategy, const BlockOptions& options,
                                       const Task& task) {
  if (sample.cloud.size() == 0 || sample.every == 0)
    return badCall("A forecast needs points of the file.");
  BlockOptions quiet = options;
  quiet.planned = {};
  int threads = 1;
  PointCloud points;  // as blocks see them, as the parameters
  DbscanParams ofPoints = params;
  const auto plan = [&](const BlockTools& tools) -> Result<BlockRun> {
    threads = tools.threads;
    ofPoints.eps = tools.space.eps();
    BlockPasses passes(file, nullptr, ofPoints.eps, tools, quiet, true, "measuring", task);
    auto seen = passes.planBy(sample);
    if (!seen) return tl::unexpected(seen.error());
    points = std::move(*seen);
    quiet.space = {.metric = tools.space.metric()};
    BlockRun run;
    passes.describe(run);
    return run;
  };
  const auto planned = onBlocks(file.path, params.eps, backend, strategy, quiet, plan);
  if (!planned) return tl::unexpected(planned.error());
  BlockForecast forecast;
  forecast.plan = planned->plan;
  forecast.readings = planned->readings;
  const auto rows = double(forecast.plan.points);
  task.report("measuring", 0.1);
  const auto read = secondsToRead(file, forecast.plan.points, {task.stop, {}});
  if (!read) return tl::unexpected(read.error());
  const std::size_t most = std::min(sample.cloud.size(), kMostForecastPoints);
  Measured before;
  Measured last;
  const BlockSample seen{points, sample.every, sample.weights};
  for (std::size_t size = std::min(kFewestPoints, most);; size = std::min(most, 4 * size)) {
    task.report("measuring", 0.2 + 0.6 * double(size) / double(most));
    const auto found = measure(seen, size, ofPoints, backend, strategy, quiet, {task.stop, {}});
    if (!found) return tl::unexpected(found.error());
    before = std::exchange(last, *found);
    if (size == most || last.seconds > kEnoughSeconds) break;
  }
  const double held = rows + double(forecast.plan.mostHalo);
  const double perBlock = held / double(std::max<std::size_t>(forecast.plan.blocks, 1));
  const double power = before.points > 0 ? growth(before, last) : 0;
  // A part is read, by one of the threads, while another one is worked on by all.
  const auto reading = [&](double work) {
    return std::max(rows * *read, work + rows * *read / threads);
  };
  forecast.seconds = reading(rows * last.count) + reading(held * last.scatter) +
                     held * last.cluster * std::pow(perBlock / last.perBlock, power) +
                     rows * last.merge;
  return forecast;
}

}  // namespace clusterloom
