#include <string>

#include "app/cli/block_options.h"
#include "app/cli/console.h"
#include "app/cli/engine_run.h"
#include "app/cli/join_options.h"
#include "app/cli/space_options.h"

namespace clusterloom::cli {
namespace {

std::string summaryOf(const JoinOptions& options, const BlockRun& run, const JoinFigures& figures,
                      double eps, const Stopwatch& total) {
  std::string text = pointsLine(figures.points, run.cloud.columns.cloud.names.size()) + '\n' +
                     spaceLine(options.engine.space);
  if (figures.twoClouds)
    text +=
        summaryLine("with", groupedText(run.cloud.points()) + " points of " + options.input.other) +
        '\n';
  return text + summaryLine("ε", shortNumber(eps)) + '\n' + pairsLines(figures) + '\n' +
         blockLines(run, total, "joining");
}

}  // namespace

Result<void> joinInBlocks(const JoinOptions& options, const std::function<Result<void>()>& check,
                          const Task& task) {
  const Stopwatch total;
  const auto values = epsValues(options.eps);
  if (!values) return tl::unexpected(values.error());
  if (auto fine = checkBlockCall(options.eps, options.input, options.engine); !fine) return fine;
  if (!options.pairs.empty() || !options.histogram.empty() || !options.minPtsCurve.empty())
    return needsMemory("--pairs, --histogram and --min-pts-curve need");
  if (auto fine = check(); !fine) return fine;
  const bool two = !options.input.other.empty();
  const BlockFile file{options.input.path, options.input.read};
  const BlockFile other{options.input.other, options.input.read};
  const auto run = runInBlocks(
      options.blocks, options.input, options.engine,
      [&](const Backend& backend, const BlockOptions& blocks, OutputSet& outputs) {
        return countInBlocks(two ? other : file, two ? &file : nullptr, values->front(), backend,
                             options.engine.strategy, blocks, outputs, options.counts, task);
      });
  if (!run) return tl::unexpected(run.error());
  const BlockRows& rows = two ? run->queries : run->cloud;
  const JoinFigures figures{.points = rows.points(), .pairs = run->pairs, .twoClouds = two};
  Json object = describeRows(file.path, rows);
  object["eps"] = values->front();
  addSpace(object, options.engine.space);
  if (two)
    object["with"] = describeOther(options.input.other, run->cloud.points(), run->cloud.skipped);
  addStats(object, run->stats);
  object["pairs"] = figures.pairs;
  object["selectivity"] = figures.selectivity();
  addBlocks(object, *run, total);
  return printResult(options.json, object, run->stats,
                     summaryOf(options, *run, figures, values->front(), total), {options.counts});
}

}  // namespace clusterloom::cli
