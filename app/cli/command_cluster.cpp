#include <filesystem>
#include <memory>

#include "app/cli/cluster_options.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/picture.h"
#include "app/cli/ranks.h"
#include "app/cli/space_options.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/point_groups.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/io/format_table.h"
#include "engine/io/write.h"
#include "engine/validity/cluster_statistics.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kClusterFooter = R"(
Labels are 0, 1, … for clusters, −1 for noise and −2 for rows that were skipped; a point is core
when it has at least M points within ε, itself included.

Examples:
  clusterloom-cli cluster cloud.csv --eps 0.5 --min-pts 8
  clusterloom-cli cluster cloud.csv --eps 0.5 --min-pts 8 --labels out.csv --image out.png
  clusterloom-cli cluster scan.las --columns x,y --scale unit --eps 0.01 --min-pts 20 --json
  clusterloom-cli cluster cloud.npy --sweep-eps 0.1:10:25 --min-pts 8 > sweep.jsonl
  clusterloom-cli cluster atoms.csv --period 10,10,10 --eps 0.5 --min-pts 8
  clusterloom-cli cluster stations.csv --geographic lon,lat --eps 2000 --min-pts 5
  clusterloom-cli cluster distances.npz --metric precomputed --eps 0.5 --min-pts 8
  clusterloom-cli cluster trees.csv --columns x,y --by plot --eps 2 --min-pts 4 --labels out.csv
  clusterloom-cli cluster large.npy --eps 0.5 --min-pts 8 --memory 4G --labels out.npy
  mpirun -n 4 clusterloom-cli cluster cloud.npy --eps 0.5 --min-pts 8 --labels out.npy)";

void addOutputOptions(CLI::App& parser, ClusterOptions& options) {
  const OptionGroup group(parser, "Output");
  addOutputOption(parser, "--labels", options.labels,
                  "Write the labelled points: " + labelledFormats());
  addOutputOption(parser, "--clusters", options.clusters,
                  "Write the table of clusters (.csv): size, bounds, centroid, density, …");
  addOutputOption(parser, "--image", options.image, "Draw the clusters (.png); needs no display");
  parser
      .add_option_function<std::string>(
          "--image-size",
          [&options](const std::string& size) {
            const auto parsed = parseImageSize(size);
            if (!parsed) throw CLI::ValidationError("--image-size", parsed.error().message);
            options.imageSize = size;
            options.picture.size = *parsed;
          },
          "Size of the picture in pixels (default: 1600x1200); points and text grow with it")
      ->type_name("WxH");
  parser.add_flag("--image-transparent", options.picture.transparent,
                  "Draw only points, axes and text, on a transparent background");
  addProvenanceOption(parser, options.provenance);
  addAllowLossOption(parser, options.allowLoss);
  parser.add_flag("--json", options.json, "Print one JSON object instead of the summary");
  parser.add_flag(
      "--progress", options.progress,
      "Print the progress on standard error even if that is not a terminal, as under mpirun:\n"
      "at most one line a second, for all ranks together");
}

Result<void> checkClusterCall(const ClusterOptions& options) {
  if (auto fine = checkScratch(options.blocks); !fine) return fine;
  if (isStartedOnRanks() && !options.weights.empty())
    return badCall("--weights needs all points in one process, without mpirun.");
  if (isStartedOnRanks() && !options.by.empty())
    return badCall("--by needs all points in one process, without mpirun.");
  if (!options.by.empty() && !options.engine.space.isEuclidean())
    return badCall("--by is not possible with --period, --geographic or --metric.");
  if (isStartedOnRanks())
    if (auto fine = checkSpaceOfRanks(options.engine.space, true); !fine) return fine;
  if (options.eps.isSweep() && options.hasOutputs())
    return badCall(
        "--sweep-eps prints figures only; --labels, --clusters and --image need one --eps.");
  if (options.image.empty() && (options.picture.transparent || !options.imageSize.empty()))
    return badCall("--image-size and --image-transparent need --image.");
  if (auto fine = checkAllowLoss(options.allowLoss, options.labels); !fine) return fine;
  if (!options.image.empty())
    if (Result<void> possible = checkPictures(); !possible) return possible;
  return checkOutputs({options.input.path},
                      {{"--labels", options.labels, writtenExtensions(), true, options.provenance},
                       {"--clusters", options.clusters, {".csv"}, true, options.provenance},
                       {"--image", options.image, {".png"}, false}});
}

/// One run's figures, for --json.
Json describeRun(const ClusterOptions& options, const EngineRun& run, const Clustering& clustering,
                 double writeSeconds) {
  Json object = runHeader(run.input.data, run.eps);
  addSpace(object, run.space);
  object["min_pts"] = clustering.params.minPts;
  if (!options.weights.empty()) object["weights"] = options.weights;
  if (!options.by.empty()) object["by"] = options.by;
  addStats(object, clustering.stats);
  addClusters(object, clustering);
  const StageSeconds& seconds = clustering.stats.seconds;
  object["seconds"] = {{"read", run.input.seconds}, {"index", seconds.index},
                       {"join", seconds.join},      {"label", seconds.label},
                       {"write", writeSeconds},     {"total", run.total.seconds()}};
  return object;
}

std::string percentOf(std::uint64_t part, std::uint64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, " (%.1f %%)", 100.0 * double(part) / double(whole));
  return groupedText(part) + text;
}

std::string summaryOf(const EngineRun& run, const Clustering& clustering) {
  return pointsLine(run.input.data.cloud) + '\n' + spaceLine(run.space) +
         clusterLines(clustering.params, clustering, run.input.data.cloud.size()) + '\n' +
         engineLine(clustering.stats) + '\n' + dividedLine(clustering.stats.ranks) +
         timeLine(run, "clustering", clustering.stats);
}

/// Writes the requested outputs.
Result<void> writeOutputs(const ClusterOptions& options, const Dataset& data,
                          const Scaling& scaling, const Space& space, const Clustering& clustering,
                          const Task& task) {
  OutputSet outputs;
  Provenance provenance;
  if (options.provenance) {
    provenance = provenanceOf(data, clustering, toText(scaling), space);
    if (!options.weights.empty()) provenance.emplace_back("weights", options.weights);
    if (!options.by.empty()) provenance.emplace_back("by", options.by);
  }
  // First, since a stop ends the program while it draws: no temporary file may be left behind.
  if (!options.image.empty()) {
    const std::string title = std::filesystem::path(data.source.path).filename().string();
    if (auto done = writePicture({outputs, options.image}, data.cloud, clustering, title,
                                 options.picture, provenance, task);
        !done)
      return done;
  }
  if (!options.labels.empty()) {
    WriteOptions how;
    how.provenance = provenance;
    how.allowLoss = options.allowLoss;
    if (auto done = writeLabelled({outputs, options.labels}, data, clustering, how, task); !done)
      return done;
  }
  if (!options.clusters.empty()) {
    const auto statistics = statisticsOf(data.cloud, clustering, task);
    if (!statistics) return tl::unexpected(statistics.error());
    if (auto done = writeClusterTable({outputs, options.clusters}, data, *statistics, provenance);
        !done)
      return done;
  }
  return outputs.commit();
}

/// The message about the column of an option, with what to do.
tl::unexpected<Error> badColumn(const Dataset& data, const std::string& option, Error error) {
  error.message = data.source.path + ": " + option + ": " + error.message;
  if (error.kind == ErrorKind::BadCall) error.message += " Name the coordinates by --columns.";
  return tl::unexpected(std::move(error));
}

/// The weights of the points, from the column that the call names; none where it names none.
/// BadCall, BadInput.
Result<std::shared_ptr<const std::vector<double>>> weightsOf(const ClusterOptions& options,
                                                             const Dataset& data) {
  if (options.weights.empty()) return std::make_shared<const std::vector<double>>();
  const auto weights = weightColumn(data, options.weights);
  if (!weights) return badColumn(data, "--weights", weights.error());
  auto values = doublesOf(nullptr, **weights);
  if (auto fine = checkWeights(*values, data.cloud.size(), FileRows(data)); !fine)
    return badInput(data.source.path + ": --weights: " + fine.error().message);
  return values;
}

Result<Clustering> runDbscan(const ClusterOptions& options, const EngineRun& run) {
  const DbscanParams params{run.eps, options.minPts};
  const Strategy& strategy = options.engine.strategy;
  const auto weights = weightsOf(options, run.input.data);
  if (!weights) return tl::unexpected(weights.error());
  if (options.by.empty())
    return dbscanOf(run.backend, run.scaled.cloud(), **weights, params, strategy, run.task);
  const auto column = keptColumn(run.input.data, options.by, "groups");
  if (!column) return badColumn(run.input.data, "--by", column.error());
  const auto apart = apartByGroup(run.scaled.cloud(), groupsOf(**column), run.eps);
  if (!apart) return tl::unexpected(apart.error());
  return dbscanOf(run.backend, *apart, **weights, params, strategy, run.task);
}

Result<void> runOnce(const ClusterOptions& options, const EngineRun& run) {
  if (auto kept = checkLossesBefore(options.labels, run.input.data, options.allowLoss); !kept)
    return kept;
  const auto clustering = runDbscan(options, run);
  if (!clustering) return tl::unexpected(clustering.error());
  const Stopwatch writing;
  if (auto done = writeOutputs(options, run.input.data, run.scaled.scaling(), run.space,
                               *clustering, run.task);
      !done)
    return done;
  return printResult(options.json || options.eps.isSweep(),
                     describeRun(options, run, *clustering, writing.seconds()), clustering->stats,
                     summaryOf(run, *clustering),
                     {options.labels, options.clusters, options.image});
}

Result<void> runCluster(ClusterOptions& options, const CLI::App& parser, const Task& task) {
  if (options.precomputed)
    return clusterDistances(
        options, parser, [&] { return checkClusterCall(options); }, task);
  if (options.blocks.memory > 0)
    return clusterInBlocks(
        options, [&] { return checkClusterCall(options); }, task);
  const bool local = asksForRanks(options.engine);
  if (isStartedOnRanks() || (local && !needsAllPoints(options)))
    return clusterOnRanks(
        options, [&] { return checkClusterCall(options); }, task);
  BackendOptions& backend = options.engine.backendOptions;
  if (local && backend.ranks == 0) backend.ranks = kRankADevice;
  backend.lateStart = true;
  // Columns other than the coordinates are read only where they are written again.
  options.input.read.keepOthers = !options.labels.empty() && !writesLabelsOnly(options.labels);
  for (const std::string& column : {options.weights, options.by})
    if (!column.empty()) options.input.read.keep.push_back(column);
  return runForEachEps(
      options.eps, [&] { return checkClusterCall(options); }, options.input, options.engine, task,
      [&](const EngineRun& run) { return runOnce(options, run); });
}

}  // namespace

std::string clusterLines(const DbscanParams& params, const ClusterCounts& counts,
                         std::uint64_t points) {
  return summaryLine("ε, minPts", shortNumber(params.eps) + ", " + std::to_string(params.minPts)) +
         '\n' + summaryLine("clusters", groupedText(std::uint64_t(counts.clusters))) + '\n' +
         summaryLine("core", percentOf(counts.coreCount, points)) + '\n' +
         summaryLine("border", percentOf(counts.borderCount, points)) + '\n' +
         summaryLine("noise", percentOf(counts.noiseCount, points));
}

Command addClusterCommand(CLI::App& program) {
  auto options = std::make_shared<ClusterOptions>();
  CLI::App* parser =
      program.add_subcommand("cluster", "Find the clusters of a cloud by exact DBSCAN");
  parser->footer(kClusterFooter);
  addInputOptions(*parser, options->input);
  addEpsOptions(*parser, options->eps);
  addIntegerOption(*parser, "--min-pts", options->minPts, 1, std::int64_t(kMaxPoints),
                   "minPts, the neighbours (the point itself included) that make a point core")
      ->type_name("M")
      ->required();
  addTextOption(
      *parser, "--weights",
      [target = options.get()](const std::string& name) -> Result<void> {
        if (name.empty()) return badCall("--weights needs the name of a column.");
        target->weights = name;
        return {};
      },
      "Column with a weight of each point, by its name: a point is then core when the\n"
      "weights of all points within ε, its own included, sum to at least M")
      ->type_name("COLUMN");
  addTextOption(
      *parser, "--by",
      [target = options.get()](const std::string& name) -> Result<void> {
        if (name.empty()) return badCall("--by needs the name of a column.");
        target->by = name;
        return {};
      },
      "Cluster the rows of each value of this column (numbers or text) separately, in one\n"
      "run. No two clusters have the same number. The column counts as one more\n"
      "dimension where a strategy limits their number")
      ->type_name("COLUMN");
  addSpaceOptions(*parser, options->engine.space, options->input, &options->precomputed);
  addBlockOptions(*parser, options->blocks);
  addOutputOptions(*parser, *options);
  addEngineOptions(*parser, options->engine);
  addRankOptions(*parser, options->engine);
  addRankDevices(*parser, options->engine);
  addDbscanStrategyOptions(*parser, options->engine);
  const auto run = [options, parser](const Task& task) {
    Task own = task;
    if (options->progress) own.progress = progressInLines();
    return runCluster(*options, *parser, own);
  };
  return {parser, run, true};
}

}  // namespace clusterloom::cli
