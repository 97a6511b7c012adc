// cluster, label and join --counts of files that are larger than memory.
#include <functional>
#include <string>

#include "app/cli/block_options.h"
#include "app/cli/cluster_options.h"
#include "app/cli/console.h"
#include "app/cli/engine_run.h"
#include "app/cli/join_options.h"
#include "app/cli/label_options.h"
#include "app/cli/outputs.h"
#include "app/cli/ranks.h"
#include "app/cli/space_options.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"

namespace clusterloom::cli {
namespace {

/// The error for an option that is not for blocks: "--by needs".
tl::unexpected<Error> needsMemory(const std::string& what) {
  return badCall(what + " all points in memory; leave --memory out.");
}

/// Refuses what no run in blocks can do. BadCall.
Result<void> checkBlockCall(const EpsOptions& eps, const InputOptions& input,
                            const EngineOptions& engine) {
  if (isStartedOnRanks())
    return badCall(
        "--memory is for a call without mpirun, where one process has all points. Leave --memory "
        "out.");
  if (asksForRanks(engine)) return needsMemory("--ranks and --devices divide");
  if (eps.isSweep()) return needsMemory("--sweep-eps needs");
  if (input.read.every > 1) return badCall("--memory reads every row; leave --every out.");
  const auto scaling = engine.scaling.kind;
  if (scaling != Scaling::Kind::None && scaling != Scaling::Kind::Factors)
    return needsMemory("--scale unit and zscore need");
  return {};
}

/// Refuses outputs of labels that need all points in memory. BadCall.
Result<void> checkLabelOutputs(bool provenance, const std::string& labels) {
  if (provenance) return needsMemory("--provenance needs");
  if (!labels.empty() && !writesLabelsOnly(labels))
    return badCall("--labels " + labels + ": with --memory only the labels are written, as .npy.");
  return {};
}

using Check = std::function<Result<void>()>;

/// ε of a call, all of whose options are checked: those of its own that blocks may lack by `own`,
/// the rest by `check`.
template <class Options>
Result<double> checkedEps(const Options& options, const Check& own, const Check& check) {
  const auto values = epsValues(options.eps);
  if (!values) return tl::unexpected(values.error());
  const auto ofBlocks = [&] { return checkBlockCall(options.eps, options.input, options.engine); };
  for (const Check& each : {Check(ofBlocks), own, check})
    if (auto fine = each(); !fine) return tl::unexpected(fine.error());
  return values->front();
}

/// Makes the backend, says on standard error what the blocks take, calls
/// run(backend, blocks, outputs), keeps its outputs, and says which rows were skipped.
template <class Options, class Run>
Result<BlockRun> runInBlocks(const Options& options, const Run& run) {
  const InputOptions& input = options.input;
  const EngineOptions& engine = options.engine;
  const auto backend = makeBackend(engine.backend, engine.backendOptions);
  if (!backend) return tl::unexpected(backend.error());
  BlockOptions blocks;
  blocks.memory = options.blocks.memory;
  blocks.scratch = scratchOf(options.blocks);
  blocks.threads = engine.backendOptions.threads;
  blocks.scaling = engine.scaling;
  blocks.space = engine.space;
  blocks.geographicByNames = input.geographicByNames;
  blocks.planned = [&](const BlockPlan& plan) {
    sayNote(countedText(plan.points, "point") + " in " + countedText(plan.blocks, "block") +
            "; up to " + memoryText(plan.scratchBytes) + " will be written to " + blocks.scratch +
            ", where " + memoryText(plan.freeBytes) + " are free");
  };
  OutputSet outputs;
  Result<BlockRun> found = run(**backend, blocks, outputs);
  if (!found) return found;
  if (auto done = outputs.commit(); !done) return tl::unexpected(done.error());
  const auto sayOf = [&](const BlockRows& rows, const std::string& path) {
    sayOfOrder(engine.space, input, path, rows.columns.cloud.names);
    sayOfSkippedRows(path, rows.skipped, rows.rows);
    sayOfColumns(rows.columns, path);
  };
  // With two files FILE has the queries.
  if (input.other.empty()) {
    sayOf(found->cloud, input.path);
  } else {
    sayOf(found->queries, input.path);
    sayOf(found->cloud, input.other);
  }
  return found;
}

/// The members that describe FILE, whose rows are `rows`, and ε.
Json describeRows(const std::string& path, const BlockRows& rows, double eps) {
  return {{"file", path},
          {"points", rows.points()},
          {"dims", rows.columns.cloud.names.size()},
          {"skipped", rows.skipped},
          {"eps", eps}};
}

/// Adds the blocks and the seconds of their passes, and prints the result with a summary that
/// begins with the points of FILE.
template <class Options>
Result<void> printBlocks(const Options& options, const BlockRows& rows, Json object,
                         const BlockRun& run, const std::string& lines, const std::string& doing,
                         const Stopwatch& total, const std::string& written) {
  object["blocks"] = {{"count", run.plan.blocks},
                      {"largest", run.plan.largest},
                      {"halo", run.halo},
                      {"scratch_bytes", run.plan.scratchBytes}};
  object["seconds"] = {{"count", run.countSeconds},
                       {"scatter", run.scatterSeconds},
                       {"cluster", run.blockSeconds},
                       {"merge", run.mergeSeconds},
                       {"total", total.seconds()}};
  return printResult(
      options.json, object, run.stats,
      pointsLine(rows.points(), rows.columns.cloud.names.size()) + '\n' +
          spaceLine(options.engine.space) + lines + '\n' + engineLine(run.stats) + '\n' +
          summaryLine("blocks", groupedText(run.plan.blocks) + "; " +
                                    countedText(run.halo, "point") + " near borders read twice") +
          '\n' +
          summaryLine("time", duration(total.seconds()) + " (counting " +
                                  duration(run.countSeconds) + ", dividing " +
                                  duration(run.scatterSeconds) + ", " + doing + ' ' +
                                  duration(run.blockSeconds) + ", results " +
                                  duration(run.mergeSeconds) + ")"),
      {written});
}

}  // namespace

Result<void> clusterInBlocks(const ClusterOptions& options, const Check& check, const Task& task) {
  const Stopwatch total;
  const auto own = [&]() -> Result<void> {
    if (!options.by.empty()) return needsMemory("--by needs");
    if (!options.clusters.empty() || !options.image.empty())
      return needsMemory("--clusters and --image need");
    return checkLabelOutputs(options.provenance, options.labels);
  };
  const auto eps = checkedEps(options, own, check);
  if (!eps) return tl::unexpected(eps.error());
  const DbscanParams params{*eps, options.minPts};
  const BlockFile file{options.input.path, options.input.read, options.weights};
  const auto run = runInBlocks(
      options, [&](const Backend& backend, const BlockOptions& blocks, OutputSet& outputs) {
        return clusterloom::clusterInBlocks(file, params, backend, options.engine.strategy, blocks,
                                            outputs, options.labels, task);
      });
  if (!run) return tl::unexpected(run.error());
  Json object = describeRows(file.path, run->cloud, *eps);
  object["min_pts"] = options.minPts;
  addSpace(object, options.engine.space);
  if (!options.weights.empty()) object["weights"] = options.weights;
  addStats(object, run->stats);
  addClusters(object, *run);
  return printBlocks(options, run->cloud, object, *run,
                     clusterLines(params, *run, run->plan.points), "clustering", total,
                     options.labels);
}

Result<void> labelInBlocks(const LabelOptions& options, const Check& check, const Task& task) {
  const Stopwatch total;
  const auto own = [&] { return checkLabelOutputs(options.provenance, options.labels); };
  const auto eps = checkedEps(options, own, check);
  if (!eps) return tl::unexpected(eps.error());
  const DbscanParams params{*eps, options.minPts};
  const BlockFile file{options.input.path, options.input.read};
  const BlockFile from{options.input.other, options.input.read};
  const auto run = runInBlocks(
      options, [&](const Backend& backend, const BlockOptions& blocks, OutputSet& outputs) {
        return clusterloom::labelInBlocks(from, file, params, backend, options.engine.strategy,
                                          blocks, outputs, options.labels, task);
      });
  if (!run) return tl::unexpected(run.error());
  const LabelFigures figures{.path = from.path,
                             .from = run->cloud.points(),
                             .eps = *eps,
                             .minPts = options.minPts,
                             .clusters = run->clusters,
                             .labelled = run->labelled,
                             .unlabelled = run->queries.points() - run->labelled};
  Json object = describeRows(file.path, run->queries, *eps);
  addSpace(object, options.engine.space);
  object["min_pts"] = options.minPts;
  object["from"] = describeOther(from.path, figures.from, run->cloud.skipped);
  addClusters(object["from"], *run);
  addStats(object, run->stats);
  object["labelled"] = figures.labelled;
  object["unlabelled"] = figures.unlabelled;
  return printBlocks(options, run->queries, object, *run, labelLines(figures),
                     "clustering and labelling", total, options.labels);
}

Result<void> joinInBlocks(const JoinOptions& options, const Check& check, const Task& task) {
  const Stopwatch total;
  const auto own = [&]() -> Result<void> {
    if (!options.pairs.empty() || !options.histogram.empty() || !options.minPtsCurve.empty())
      return needsMemory("--pairs, --histogram and --min-pts-curve need");
    return {};
  };
  const auto eps = checkedEps(options, own, check);
  if (!eps) return tl::unexpected(eps.error());
  const bool two = !options.input.other.empty();
  const BlockFile file{options.input.path, options.input.read};
  const BlockFile other{options.input.other, options.input.read};
  const auto run = runInBlocks(
      options, [&](const Backend& backend, const BlockOptions& blocks, OutputSet& outputs) {
        return countInBlocks(two ? other : file, two ? &file : nullptr, *eps, backend,
                             options.engine.strategy, blocks, outputs, options.counts, task);
      });
  if (!run) return tl::unexpected(run.error());
  const BlockRows& rows = two ? run->queries : run->cloud;
  const JoinFigures figures{.points = rows.points(), .pairs = run->pairs, .twoClouds = two};
  Json object = describeRows(file.path, rows, *eps);
  addSpace(object, options.engine.space);
  std::string lines;
  if (two) {
    object["with"] = describeOther(other.path, run->cloud.points(), run->cloud.skipped);
    lines =
        summaryLine("with", groupedText(run->cloud.points()) + " points of " + other.path) + '\n';
  }
  addStats(object, run->stats);
  object["pairs"] = figures.pairs;
  object["selectivity"] = figures.selectivity();
  return printBlocks(options, rows, object, *run,
                     lines + summaryLine("ε", shortNumber(*eps)) + '\n' + pairsLines(figures),
                     "joining", total, options.counts);
}

}  // namespace clusterloom::cli
