#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cluster_options.h"
#include "app/cli/console.h"
#include "app/cli/engine_run.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/ranks.h"
#include "app/cli/value_options.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"

namespace clusterloom::cli {
namespace {

// "300M", "4G": bytes.
Result<std::uint64_t> readMemory(const std::string& text) {
  static constexpr std::string_view kUnits = "KMGT";
  std::string digits = text;
  int shift = 0;
  if (!digits.empty()) {
    const auto unit = kUnits.find(digits.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (int(unit) + 1);
      digits.pop_back();
    }
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const auto number = readInteger("--memory", digits, 1, kMost);
  if (!number || shift == 0 || *number > kMost >> shift)
    return badCall("--memory takes a whole number with K, M, G or T (of 1024), such as 4G, not " +
                   quotedText(text) + ".");
  const auto bytes = std::uint64_t(*number) << shift;
  if (bytes < kLeastBlockMemory)
    return badCall("--memory: blocks need " + memoryText(kLeastBlockMemory) + " at least.");
  return bytes;
}

tl::unexpected<Error> needsMemory(const std::string& what) {
  return badCall(what + " all points in memory; leave --memory out.");
}

Result<void> checkBlockCall(const ClusterOptions& options) {
  if (isStartedOnRanks())
    return badCall(
        "--memory is of one process; leave it out under mpirun, where the ranks share the points.");
  if (asksForRanks(options.engine)) return needsMemory("--ranks and --devices divide");
  if (options.eps.isSweep()) return needsMemory("--sweep-eps needs");
  if (!options.engine.space.isEuclidean())
    return needsMemory("--period, --geographic and --metric need");
  if (!options.weights.empty()) return needsMemory("--weights needs");
  if (!options.by.empty()) return needsMemory("--by needs");
  if (options.input.read.every > 1) return badCall("--memory reads every row; leave --every out.");
  const auto scaling = options.engine.scaling.kind;
  if (scaling != Scaling::Kind::None && scaling != Scaling::Kind::Factors)
    return needsMemory("--scale unit and zscore need");
  if (!options.clusters.empty() || !options.image.empty())
    return needsMemory("--clusters and --image need");
  if (options.provenance) return needsMemory("--provenance needs");
  if (!options.labels.empty() && !writesLabelsOnly(options.labels))
    return badCall("--labels " + options.labels +
                   ": with --memory only the labels are written, as .npy.");
  return {};
}

// Not /tmp, which may be in memory.
std::string scratchOf(const ClusterOptions& options) {
  if (!options.scratch.empty()) return options.scratch;
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

Clustering countsOf(const BlockRun& run, const DbscanParams& params) {
  Clustering counts;
  counts.params = params;
  counts.clusters = run.clusters;
  counts.coreCount = run.coreCount;
  counts.borderCount = run.borderCount;
  counts.noiseCount = run.noiseCount;
  counts.stats = run.stats;
  return counts;
}

Json describeRun(const BlockRun& run, const Clustering& counts, const Stopwatch& total) {
  Json object{{"points", run.plan.points},
              {"dims", run.columns.cloud.names.size()},
              {"skipped", run.skipped},
              {"eps", counts.params.eps},
              {"min_pts", counts.params.minPts}};
  addStats(object, counts.stats);
  addClusters(object, counts);
  object["blocks"] = {{"count", run.plan.blocks},
                      {"largest", run.plan.largest},
                      {"halo", run.halo},
                      {"scratch_bytes", run.plan.scratchBytes}};
  object["seconds"] = {{"count", run.countSeconds},
                       {"scatter", run.scatterSeconds},
                       {"cluster", run.clusterSeconds},
                       {"merge", run.mergeSeconds},
                       {"total", total.seconds()}};
  return object;
}

std::string summaryOf(const BlockRun& run, const Clustering& counts, const Stopwatch& total) {
  return pointsLine(run.plan.points, run.columns.cloud.names.size()) + '\n' +
         clusterLines(counts, run.plan.points) + '\n' + engineLine(counts.stats) + '\n' +
         summaryLine("blocks", groupedText(run.plan.blocks) + "; " + groupedText(run.halo) +
                                   " points in halos") +
         '\n' +
         summaryLine("time", duration(total.seconds()) + " (counting " +
                                 duration(run.countSeconds) + ", dividing " +
                                 duration(run.scatterSeconds) + ", clustering " +
                                 duration(run.clusterSeconds) + ", labels " +
                                 duration(run.mergeSeconds) + ")");
}

}  // namespace

void addBlockOptions(CLI::App& parser, ClusterOptions& options) {
  constexpr const char* kGroup = "Large clouds";
  addTextOption(
      parser, "--memory",
      [&options](const std::string& text) -> Result<void> {
        const auto bytes = readMemory(text);
        if (!bytes) return tl::unexpected(bytes.error());
        options.memory = *bytes;
        return {};
      },
      "Memory that the program may use, such as 4G: the points are clustered in blocks,\n"
      "with files in a folder on disk (default: all points are kept in memory)")
      ->type_name("SIZE")
      ->group(kGroup);
  addPathOption(parser, "--scratch", options.scratch,
                "Folder for the files of --memory, which are removed at the end\n"
                "(default: TMPDIR where it is set, else /var/tmp)")
      ->type_name("DIR")
      ->group(kGroup);
}

Result<void> clusterInBlocks(const ClusterOptions& options,
                             const std::function<Result<void>()>& check, const Task& task) {
  const Stopwatch total;
  const auto values = epsValues(options.eps);
  if (!values) return tl::unexpected(values.error());
  if (auto fine = checkBlockCall(options); !fine) return fine;
  if (auto fine = check(); !fine) return fine;
  const auto backend = makeBackend(options.engine.backend, options.engine.backendOptions);
  if (!backend) return tl::unexpected(backend.error());
  const DbscanParams params{values->front(), options.minPts};
  BlockOptions blocks;
  blocks.memory = options.memory;
  blocks.scratch = scratchOf(options);
  blocks.threads = options.engine.backendOptions.threads;
  blocks.scaling = options.engine.scaling;
  blocks.planned = [&](const BlockPlan& plan) {
    sayNote(groupedText(plan.points) + " points in " + groupedText(plan.blocks) +
            " blocks; up to " + memoryText(plan.scratchBytes) + " will be written to " +
            blocks.scratch + ", where " + memoryText(plan.freeBytes) + " are free");
  };
  OutputSet outputs;
  const auto run =
      clusterloom::clusterInBlocks(options.input.path, options.input.read, params, **backend,
                                   options.engine.strategy, blocks, outputs, options.labels, task);
  if (!run) return tl::unexpected(run.error());
  if (auto done = outputs.commit(); !done) return done;
  sayOfSkippedRows(run->skipped, run->rows);
  sayOfColumns(run->columns, options.input.path);
  const Clustering counts = countsOf(*run, params);
  std::vector<std::string> written;
  if (!options.labels.empty()) written.push_back(options.labels);
  return printResult(options.json, describeRun(*run, counts, total), counts.stats,
                     summaryOf(*run, counts, total), written);
}

}  // namespace clusterloom::cli
