
#include "app/cli/cluster_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/label_options.h"
#include "app/cli/outputs.h"
#include "app/cli/space_options.h"

namespace clusterloom::cli {
namespace {

Result<void> checkOptions(const LabelOptions& options) {
  if (auto fine = checkBlockCall(options.eps, options.input, options.engine); !fine) return fine;
  if (options.provenance) return needsMemory("--provenance needs");
  if (!options.labels.empty() && !writesLabelsOnly(options.labels))
    return badCall("--labels " + options.labels +
                   ": with --memory only the labels are written, as .npy.");
  return {};
}

}  // namespace

Result<void> labelInBlocks(const LabelOptions& options, const std::function<Result<void>()>& check,
                           const Task& task) {
  const Stopwatch total;
  const auto values = epsValues(options.eps);
  if (!values) return tl::unexpected(values.error());
  if (auto fine = checkOptions(options); !fine) return fine;
  if (auto fine = check(); !fine) return fine;
  const DbscanParams params{values->front(), options.minPts};
  const BlockFile file{options.input.path, options.input.read};
  const BlockFile from{options.input.other, options.input.read};
  const auto run = runInBlocks(
      options.blocks, options.input, options.engine,
      [&](const Backend& backend, const BlockOptions& blocks, OutputSet& outputs) {
        return clusterloom::labelInBlocks(from, file, params, backend, options.engine.strategy,
                                          blocks, outputs, options.labels, task);
      });
  if (!run) return tl::unexpected(run.error());
  const std::uint64_t points = run->queries.points();
  const LabelFigures figures{.path = from.path,
                             .from = run->cloud.points(),
                             .eps = params.eps,
                             .minPts = params.minPts,
                             .clusters = run->clusters,
                             .labelled = run->labelled,
                             .unlabelled = points - run->labelled};
  Json object = describeRows(file.path, run->queries);
  object["eps"] = params.eps;
  addSpace(object, options.engine.space);
  object["min_pts"] = params.minPts;
  object["from"] = describeOther(from.path, figures.from, run->cloud.skipped);
  addClusters(object["from"], *run);
  addStats(object, run->stats);
  object["labelled"] = figures.labelled;
  object["unlabelled"] = figures.unlabelled;
  addBlocks(object, *run, total);
  return printResult(options.json, object, run->stats,
                     pointsLine(points, run->queries.columns.cloud.names.size()) + '\n' +
                         spaceLine(options.engine.space) + labelLines(figures) + '\n' +
                         blockLines(*run, total, "clustering and labelling"),
                     {options.labels});
}

}  // namespace clusterloom::cli
