
#include "app/cli/block_options.h"
#include "app/cli/cluster_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/outputs.h"
#include "app/cli/space_options.h"

namespace clusterloom::cli {
namespace {

Result<void> checkOptions(const ClusterOptions& options) {
  if (auto fine = checkBlockCall(options.eps, options.input, options.engine); !fine) return fine;
  if (!options.by.empty()) return needsMemory("--by needs");
  if (!options.clusters.empty() || !options.image.empty())
    return needsMemory("--clusters and --image need");
  if (options.provenance) return needsMemory("--provenance needs");
  if (!options.labels.empty() && !writesLabelsOnly(options.labels))
    return badCall("--labels " + options.labels +
                   ": with --memory only the labels are written, as .npy.");
  return {};
}

Json describeRun(const ClusterOptions& options, const BlockRun& run, double eps,
                 const Stopwatch& total) {
  Json object = describeRows(options.input.path, run.cloud);
  object["eps"] = eps;
  object["min_pts"] = options.minPts;
  addSpace(object, options.engine.space);
  if (!options.weights.empty()) object["weights"] = options.weights;
  addStats(object, run.stats);
  addClusters(object, run);
  addBlocks(object, run, total);
  return object;
}

}  // namespace

Result<void> clusterInBlocks(const ClusterOptions& options,
                             const std::function<Result<void>()>& check, const Task& task) {
  const Stopwatch total;
  const auto values = epsValues(options.eps);
  if (!values) return tl::unexpected(values.error());
  if (auto fine = checkOptions(options); !fine) return fine;
  if (auto fine = check(); !fine) return fine;
  const DbscanParams params{values->front(), options.minPts};
  const BlockFile file{options.input.path, options.input.read, options.weights};
  const auto run = runInBlocks(
      options.blocks, options.input, options.engine,
      [&](const Backend& backend, const BlockOptions& blocks, OutputSet& outputs) {
        return clusterloom::clusterInBlocks(file, params, backend, options.engine.strategy, blocks,
                                            outputs, options.labels, task);
      });
  if (!run) return tl::unexpected(run.error());
  return printResult(options.json, describeRun(options, *run, params.eps, total), run->stats,
                     pointsLine(run->plan.points, run->cloud.columns.cloud.names.size()) + '\n' +
                         spaceLine(options.engine.space) +
                         clusterLines(params, *run, run->plan.points) + '\n' +
                         blockLines(*run, total, "clustering"),
                     {options.labels});
}

}  // namespace clusterloom::cli
