#include <tbb/info.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/space_options.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchies.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace {

struct KnnOptions {
  InputOptions input;
  ScalingChoice scaling;
  Space space;
  HierarchyProcessor processor;
  int threads = 0;
  int k = 0;
  std::string distances;
  std::string ids;
  bool json = false;
};

constexpr const char* kKnnFooter = R"(
Finds the exact K nearest points of every point. The point itself is the first of them; the others
follow by distance, points at equal distances by row. The distance to the last one is, rounded, the
core distance for minPts = K.

Rows of both outputs are the rows of FILE, and ids are rows of FILE, counted from 0. With --with B
the K nearest points of B are found for every point of FILE, and ids are rows of B. A row that was
skipped keeps its place, with distances NaN and ids −2. With --scale, distances are in the scaled
units. With --period coordinates differ by min(|d|, L − |d|), wherever the points lie. With --metric
distances are those of the metric: Euclidean, cosine, Manhattan or Chebyshev ones. A cosine distance
is the smallest ε at which cluster takes the two points as neighbours.

Examples:
  clusterloom-cli knn cloud.csv -k 10
  clusterloom-cli knn cloud.npy -k 10 --distances distances.npy --ids ids.npy
  clusterloom-cli knn new.csv -k 3 --with catalogue.csv --distances distances.npy --ids ids.npy
  clusterloom-cli knn embeddings.npy -k 10 --metric cosine --ids ids.npy
  clusterloom-cli knn atoms.csv -k 10 --period 10,10,10 --distances distances.npy
  clusterloom-cli knn cloud.csv -k 5 --columns x,y --scale unit --ids ids.npy --json)";

/// How far the last of the K points is: over all points.
struct LastDistances {
  double lowest;
  double median;
  double highest;
};

LastDistances lastDistances(const NearestNeighbours& found) {
  std::vector<double> last(found.points);
  for (std::size_t p = 0; p < found.points; ++p) last[p] = found.squaredDistancesOf(p).back();
  const auto middle = last.begin() + std::ptrdiff_t(last.size() / 2);
  std::nth_element(last.begin(), middle, last.end());
  const auto [lowest, highest] = std::minmax_element(last.begin(), last.end());
  return {std::sqrt(*lowest), std::sqrt(*middle), std::sqrt(*highest)};
}

/// `searched`: the data set whose points were found.
Result<void> writeFound(const KnnOptions& options, const Dataset& data, const Dataset& searched,
                        const NearestNeighbours& found, const Task& task) {
  OutputSet outputs;
  const auto k = std::size_t(found.k);
  if (!options.distances.empty()) {
    const auto fill = [&](std::size_t p, double* row) {
      for (const double squared : found.squaredDistancesOf(p)) *row++ = std::sqrt(squared);
    };
    if (auto done = writeRowsNpy({outputs, options.distances}, data, k, fill, task); !done)
      return done;
  }
  if (!options.ids.empty()) {
    const auto ids = [&](std::size_t p) { return found.idsOf(p); };
    if (auto done = writeRowIdsNpy({outputs, options.ids}, data, searched, k, ids, task); !done)
      return done;
  }
  return outputs.commit();
}

Result<void> runKnn(const KnnOptions& options, const Task& task) {
  const Stopwatch total;
  if (auto fine = checkProcessor(options.processor); !fine) return fine;
  if (auto fine = checkOutputs(
          {options.input.path, options.input.other},
          {{"--distances", options.distances, {".npy"}}, {"--ids", options.ids, {".npy"}}});
      !fine)
    return fine;
  const auto input = readInput(options.input, task);
  if (!input) return tl::unexpected(input.error());
  const Dataset& data = input->data;
  const auto other = readOther(options.input, options.scaling, data.cloud, task);
  if (!other) return tl::unexpected(other.error());
  const Dataset& searched = *other ? (*other)->input.data : data;
  if (std::size_t(options.k) > searched.cloud.size())
    return badCall("-k " + std::to_string(options.k) + ": " + searched.source.path + " has only " +
                   countedText(searched.cloud.size(), "point") + ". Use a smaller K.");
  const auto scaled = scaleClouds(options.scaling, data.cloud, other->get());
  if (!scaled) return tl::unexpected(scaled.error());
  if (auto fine = checkRows(options.space, data, scaled->cloud()); !fine) return fine;
  if (*other)
    if (auto fine = checkRows(options.space, searched, (*other)->scaled); !fine) return fine;
  const Stopwatch searching;
  HierarchyPlace place;
  const auto found = findNearest(
      *other ? JoinInput(scaled->cloud(), (*other)->scaled) : JoinInput(scaled->cloud()), options.k,
      options.threads, options.processor, task, &place,
      scaledPeriods(options.space, scaled->scaling()), options.space.metric);
  if (!found) return tl::unexpected(found.error());
  const double searchSeconds = searching.seconds();
  const Stopwatch writing;
  if (auto done = writeFound(options, data, searched, *found, task); !done) return done;

  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  const double readSeconds = input->seconds + (*other ? (*other)->input.seconds : 0);
  const LastDistances last = lastDistances(*found);
  if (options.json) {
    Json object = fileHeader(data);
    object.update({{"k", found->k},
                   {"backend", place.backend},
                   {"threads", threads},
                   {"last_distance",
                    {{"lowest", last.lowest}, {"median", last.median}, {"highest", last.highest}}},
                   {"seconds",
                    {{"read", readSeconds},
                     {"search", searchSeconds},
                     {"write", writing.seconds()},
                     {"total", total.seconds()}}}});
    addSpace(object, options.space);
    if (*other) object["with"] = describeOther(**other);
    return printJson(object);
  }
  std::ostringstream text;
  text << pointsLine(data.cloud) << '\n'
       << withLine(other->get()) << spaceLine(options.space)
       << summaryLine("neighbours", std::to_string(found->k) + " of each point" +
                                        (*other ? "" : ", the point itself included"))
       << '\n'
       << summaryLine("last one", "at a distance of " + shortNumber(last.lowest) + " … " +
                                      shortNumber(last.highest) + ", median " +
                                      shortNumber(last.median))
       << '\n'
       << summaryLine("time", duration(total.seconds()) + " (reading " + duration(readSeconds) +
                                  ", searching " + duration(searchSeconds) + " " +
                                  placeText(place, options.threads) + ")");
  return printSummary(place.note, text.str(), {options.distances, options.ids});
}

}  // namespace

Command addKnnCommand(CLI::App& program) {
  auto options = std::make_shared<KnnOptions>();
  CLI::App* parser = program.add_subcommand("knn", "Find the nearest neighbours of every point");
  parser->footer(kKnnFooter);
  addInputOptions(*parser, options->input);
  addOtherOption(*parser, "--with", options->input,
                 "A second cloud B: the nearest points are those of B instead")
      ->type_name("B");
  addValueOption(
      *parser, "-k,--neighbours", options->k,
      [](const std::string& text) { return readInteger("-k", text, 1, kMaxNeighbours); },
      "Points to find for each point, itself included: 1 to " + std::to_string(kMaxNeighbours))
      ->type_name("K")
      ->required();
  const OptionGroup group(*parser, "Output");
  addOutputOption(*parser, "--distances", options->distances,
                  "Write the distances (.npy, float64 of shape (rows, K))");
  addOutputOption(
      *parser, "--ids", options->ids,
      "Write the rows of the points found (.npy, int32 of shape (rows, K)): rows of FILE, or\n"
      "of B, counted from 0");
  parser->add_flag("--json", options->json, "Print one JSON object instead of the summary");
  addScalingOption(*parser, options->scaling);
  addMetricAndPeriod(*parser, options->space, "K");
  addProcessorOptions(*parser, options->processor, options->threads);
  options->input.read.keepOthers = false;
  return {parser, [options](const Task& task) { return runKnn(*options, task); }};
}

}  // namespace clusterloom::cli
