#include <memory>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/label_options.h"
#include "app/cli/outputs.h"
#include "app/cli/space_options.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/label_new_points.h"
#include "engine/io/format_table.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kLabelFooter = R"(
CLOUD is clustered as by the subcommand cluster; the points of FILE change no cluster. A point of FILE
gets the lowest label among the core points of CLOUD within ε, or −1 if there are none. A row of FILE
that was skipped gets −2. The points of CLOUD themselves would get their own labels.

Examples:
  clusterloom-cli label new.csv --from cloud.csv --eps 0.5 --min-pts 8
  clusterloom-cli label new.csv --from cloud.csv --eps 0.5 --min-pts 8 --labels labelled.csv
  clusterloom-cli label new.npy --from large.npy --eps 0.5 --min-pts 8 --memory 4G --labels l.npy
  clusterloom-cli label scan2.las --from scan1.las --columns x,y,z --eps 0.1 --min-pts 20 --json)";

Result<void> checkLabelCall(const LabelOptions& options) {
  if (auto fine = checkScratch(options.blocks); !fine) return fine;
  if (options.eps.isSweep() && !options.labels.empty())
    return badCall("--sweep-eps prints figures only; --labels needs one --eps.");
  if (auto fine = checkAllowLoss(options.allowLoss, options.labels); !fine) return fine;
  return checkOutputs(
      {options.input.path, options.input.other},
      {{"--labels", options.labels, writtenExtensions(), true, options.provenance}});
}

Json describeRun(const EngineRun& run, const Clustering& from, const Clustering& labelled,
                 const RunStats& stats, double writeSeconds) {
  Json object = runHeader(run.input.data, run.eps);
  addSpace(object, run.space);
  object["min_pts"] = from.params.minPts;
  object["from"] = describeOther(*run.other);
  addClusters(object["from"], from);
  addStats(object, stats);
  object["labelled"] = labelled.borderCount;
  object["unlabelled"] = labelled.noiseCount;
  object["seconds"] = {{"read", run.readSeconds()},    {"cluster", from.stats.seconds.total},
                       {"index", stats.seconds.index}, {"join", stats.seconds.join},
                       {"write", writeSeconds},        {"total", run.total.seconds()}};
  return object;
}

std::string summaryOf(const EngineRun& run, const Clustering& from, const Clustering& labelled,
                      const RunStats& stats) {
  std::ostringstream text;
  text << pointsLine(run.input.data.cloud) << '\n'
       << spaceLine(run.space)
       << labelLines({.path = run.other->input.data.source.path,
                      .from = run.other->input.data.cloud.size(),
                      .eps = run.eps,
                      .minPts = from.params.minPts,
                      .clusters = from.clusters,
                      .labelled = labelled.borderCount,
                      .unlabelled = labelled.noiseCount})
       << '\n'
       << engineLine(stats) << '\n'
       << timeLine(run, "clustering and labelling", stats);
  return text.str();
}

Result<void> runOnce(const LabelOptions& options, const EngineRun& run) {
  if (auto kept = checkLossesBefore(options.labels, run.input.data, options.allowLoss); !kept)
    return kept;
  const Strategy& strategy = options.engine.strategy;
  const PointCloud& cloud = run.other->scaled;
  // Before the clustering, which may allow more.
  if (auto legal = checkStrategy(strategy, SinkKind::LowestLabels, run.backend.limits(),
                                 cloud.dims(), JoinSides::TwoClouds);
      !legal)
    return legal;
  const auto clustering = run.backend.dbscan(cloud, {run.eps, options.minPts}, strategy, run.task);
  if (!clustering) return tl::unexpected(clustering.error());
  const auto found =
      labelNewPoints(run.backend, cloud, *clustering, run.scaled.cloud(), strategy, run.task);
  if (!found) return tl::unexpected(found.error());
  const Clustering labelled = asClustering(found->labels, *clustering);

  const Stopwatch writing;
  if (!options.labels.empty()) {
    WriteOptions how;
    how.allowLoss = options.allowLoss;
    if (options.provenance)
      how.provenance = provenanceOfNewPoints(run.input.data, labelled, run.other->input.data,
                                             toText(run.scaled.scaling()), run.space);
    OutputSet outputs;
    if (auto done =
            writeLabelled({outputs, options.labels}, run.input.data, labelled, how, run.task);
        !done)
      return done;
    if (auto done = outputs.commit(); !done) return done;
  }
  RunStats stats = found->stats;
  addNote(stats, clustering->stats.note);
  stats.seconds.total += clustering->stats.seconds.total;
  return printResult(options.json || options.eps.isSweep(),
                     describeRun(run, *clustering, labelled, stats, writing.seconds()), stats,
                     summaryOf(run, *clustering, labelled, stats), {options.labels});
}

Result<void> runLabel(LabelOptions& options, const Task& task) {
  if (options.blocks.memory > 0)
    return labelInBlocks(
        options, [&] { return checkLabelCall(options); }, task);
  // Columns other than the coordinates are read only where they are written again.
  options.input.read.keepOthers = !options.labels.empty() && !writesLabelsOnly(options.labels);
  return runForEachEps(
      options.eps, [&] { return checkLabelCall(options); }, options.input, options.engine, task,
      [&](const EngineRun& run) { return runOnce(options, run); });
}

}  // namespace

std::string labelLines(const LabelFigures& figures) {
  return summaryLine("from", groupedText(figures.from) + " points of " + figures.path) + '\n' +
         summaryLine("ε, minPts",
                     shortNumber(figures.eps) + ", " + std::to_string(figures.minPts)) +
         '\n' + summaryLine("clusters", groupedText(std::uint64_t(figures.clusters))) + '\n' +
         summaryLine("labelled", groupedText(figures.labelled)) + '\n' +
         summaryLine("unlabelled", groupedText(figures.unlabelled));
}

Command addLabelCommand(CLI::App& program) {
  auto options = std::make_shared<LabelOptions>();
  CLI::App* parser =
      program.add_subcommand("label", "Label new points by the clusters of another cloud");
  parser->footer(kLabelFooter);
  addInputOptions(*parser, options->input);
  addOtherOption(*parser, "--from", options->input, "The cloud that is clustered")
      ->type_name("CLOUD")
      ->required();
  addEpsOptions(*parser, options->eps);
  addSpaceOptions(*parser, options->engine.space, options->input);
  addBlockOptions(*parser, options->blocks);
  addIntegerOption(*parser, "--min-pts", options->minPts, 1, std::int64_t(kMaxPoints),
                   "minPts, the neighbours (the point itself included) that make a point of CLOUD "
                   "core")
      ->type_name("M")
      ->required();
  const OptionGroup group(*parser, "Output");
  addOutputOption(*parser, "--labels", options->labels,
                  "Write the points of FILE with their labels: " + labelledFormats());
  addProvenanceOption(*parser, options->provenance);
  addAllowLossOption(*parser, options->allowLoss);
  parser->add_flag("--json", options->json, "Print one JSON object instead of the summary");
  addEngineOptions(*parser, options->engine);
  return {parser, [options](const Task& task) { return runLabel(*options, task); }};
}

}  // namespace clusterloom::cli
