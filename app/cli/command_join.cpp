#include <algorithm>
#include <memory>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/join_options.h"
#include "app/cli/outputs.h"
#include "app/cli/ranks.h"
#include "app/cli/run_lines.h"
#include "app/cli/space_options.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/min_pts_curve.h"
#include "engine/dbscan/space_backends.h"
#include "engine/io/output_set.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kJoinFooter = R"(
A join finds every ordered pair of points (p, q) within ε, each point with itself included. With
--with B, p is a point of FILE and q one of B: every point of FILE asks for its neighbours in B.

Examples:
  clusterloom-cli join cloud.csv --eps 0.5
  clusterloom-cli join cloud.csv --eps 0.5 --counts counts.npy --pairs pairs.npy
  clusterloom-cli join cloud.npy --eps 0.5 --pattern lid-unicomp --order sort-by-workload --json
  clusterloom-cli join cloud.csv --eps 0.5 --histogram distances.csv --bins 100
  clusterloom-cli join cloud.csv --eps 0.5 --min-pts-curve every-min-pts.csv
  clusterloom-cli join new.csv --with catalogue.csv --eps 0.5 --counts matches.npy --pairs pairs.npy
  clusterloom-cli join cloud.npy --sweep-eps 0.1:10:25 > sweep.jsonl
  clusterloom-cli join atoms.csv --period 10,10,10 --eps 0.5 --histogram distances.csv
  clusterloom-cli join cloud.npy --eps 0.5 --devices all --counts counts.npy
  clusterloom-cli join large.npy --eps 0.5 --memory 4G --counts counts.npy
  mpirun -n 4 clusterloom-cli join cloud.npy --eps 0.5 --counts counts.npy

Started by mpirun (or srun), the ranks share the join: each holds a part of the points, and the
parts are passed from rank to rank. Rank 0 prints the result; all ranks write the files.)";

Result<void> checkJoinCall(const JoinOptions& options) {
  if (auto fine = checkScratch(options.blocks); !fine) return fine;
  if (options.eps.isSweep() && !(options.counts.empty() && options.pairs.empty() &&
                                 options.histogram.empty() && options.minPtsCurve.empty()))
    return badCall(
        "--sweep-eps prints figures only; --counts, --pairs, --histogram and --min-pts-curve need "
        "one --eps.");
  if (!options.minPtsCurve.empty() && !options.input.other.empty())
    return badCall("--min-pts-curve works with one cloud only. Leave --with out.");
  if (isStartedOnRanks())
    if (auto fine = checkSpaceOfRanks(options.engine.space); !fine) return fine;
  if (!options.histogram.empty())
    if (auto fine = checkHistogram(options.engine.space); !fine) return fine;
  if (!options.minPtsCurve.empty() && isStartedOnRanks())
    return badCall("--min-pts-curve needs all points in one process.");
  if (options.engine.strategy.route != Strategy{}.route && options.pairs.empty())
    return badCall("--result-route applies to pairs only; it needs --pairs.");
  return checkOutputs({options.input.path, options.input.other},
                      {{"--counts", options.counts, {".npy"}},
                       {"--pairs", options.pairs, {".npy"}},
                       {"--histogram", options.histogram, {".csv"}},
                       {"--min-pts-curve", options.minPtsCurve, {".csv"}}});
}

Json describeRun(const JoinedInput& run, const JoinFigures& figures, const RunStats& stats,
                 double writeSeconds) {
  Json object{{"file", run.path}, {"points", figures.points}, {"dims", run.dims}};
  if (run.every > 1) object["every"] = run.every;
  object["skipped"] = run.skipped;
  object["eps"] = run.eps;
  addSpace(object, run.space);
  if (run.other != nullptr) object["with"] = describeOther(*run.other);
  addStats(object, stats);
  addFigures(object, figures);
  for (const JoinPhase& phase : stats.phases)
    object["phases"].push_back({{"phase", phase.name},
                                {"seconds", phase.seconds},
                                {"distance_calculations", phase.distanceCalculations}});
  object["seconds"] = {{"read", run.readSeconds},
                       {"index", stats.seconds.index},
                       {"join", stats.seconds.join},
                       {"write", writeSeconds},
                       {"total", run.total.seconds()}};
  return object;
}

std::string ranksLine(const RunStats& stats) {
  double longest = 0;
  double sum = 0;
  for (const RankStats& rank : stats.ranks) {
    longest = std::max(longest, rank.index + rank.join);
    sum += rank.index + rank.join;
  }
  const double mean = sum / double(stats.ranks.size());
  return summaryLine("ranks", std::to_string(stats.ranks.size()) + ", imbalance " +
                                  percentText(mean > 0 ? longest / mean - 1 : 0));
}

std::string phasesLine(const RunStats& stats) {
  std::string text;
  for (const JoinPhase& phase : stats.phases)
    text += (text.empty() ? "" : ", ") + phase.name + ' ' + duration(phase.seconds);
  return summaryLine("phases", text);
}

std::string summaryOf(const JoinedInput& run, const JoinFigures& counts, const RunStats& stats) {
  std::ostringstream text;
  text << pointsLine(counts.points, run.dims) << '\n' << spaceLine(run.space);
  text << withLine(run.other) << summaryLine("ε", shortNumber(run.eps)) << '\n'
       << pairsLines(counts) << '\n'
       << summaryLine("candidates", groupedText(counts.candidates) + " for the full pattern")
       << '\n'
       << engineLine(stats) << kernelLines(stats.kernels) << '\n';
  if (!stats.ranks.empty()) text << ranksLine(stats) << '\n';
  if (stats.phases.size() > 1) text << phasesLine(stats) << '\n';
  text << timeLine(run.total, run.readSeconds, "joining", stats);
  return text.str();
}

}  // namespace

std::string pairsLines(const JoinFigures& figures) {
  const bool two = figures.twoClouds;
  return summaryLine("pairs", groupedText(figures.pairs) +
                                  (two ? " of a point and a neighbour in the other cloud"
                                       : " ordered, each point with itself included")) +
         '\n' +
         summaryLine("selectivity", shortNumber(figures.selectivity()) +
                                        (two ? " neighbours per point"
                                             : " neighbours per point, itself not counted"));
}

RunStats firstWork(const RunStats& stats, const std::string& name) {
  RunStats first = stats;
  if (first.phases.empty()) first.phases = {{name, stats.seconds.join, stats.distanceCalculations}};
  return first;
}

void addWork(RunStats& stats, const RunStats& more, const std::string& name) {
  stats.phases.push_back({name, more.seconds.join, more.distanceCalculations});
  stats.kernels.insert(stats.kernels.end(), more.kernels.begin(), more.kernels.end());
  stats.predictions.insert(stats.predictions.end(), more.predictions.begin(),
                           more.predictions.end());
  stats.batches += more.batches;
  stats.distanceCalculations += more.distanceCalculations;
  stats.seconds.index += more.seconds.index;
  stats.seconds.join += more.seconds.join;
  stats.seconds.total += more.seconds.total;
}

Result<void> printJoin(const JoinOptions& options, const JoinedInput& run,
                       const JoinFigures& figures, const RunStats& stats, double writeSeconds) {
  return printResult(options.json || options.eps.isSweep(),
                     describeRun(run, figures, stats, writeSeconds), stats,
                     summaryOf(run, figures, stats),
                     {options.counts, options.pairs, options.histogram, options.minPtsCurve});
}

namespace {

std::string csvOf(const MinPtsCurve& curve) {
  std::string text = "min_pts,clusters,core,noise\n";
  for (std::size_t row = 0; row < curve.minPts.size(); ++row)
    text += std::to_string(curve.minPts[row]) + ',' + std::to_string(curve.clusters[row]) + ',' +
            std::to_string(curve.core[row]) + ',' + std::to_string(curve.noise[row]) + '\n';
  return text;
}

/// The counts that a list of pairs of `points` points contains: the sums and, if `ofEach`, those of
/// each point.
NeighbourCounts countsOf(const PairList& list, std::size_t points, bool ofEach) {
  NeighbourCounts counts;
  if (ofEach) {
    counts.counts.assign(points, 0);
    for (const Pair& pair : list.pairs) ++counts.counts[std::size_t(pair.p)];
  }
  counts.pairs = list.pairs.size();
  counts.candidates = list.candidates;
  return counts;
}

Result<void> runOnce(const JoinOptions& options, const EngineRun& run) {
  const JoinInput clouds = run.join();
  const Strategy& strategy = options.engine.strategy;
  Strategy counting = strategy;
  counting.route = Strategy{}.route;  // counts are no pairs
  PairList list;
  NeighbourCounts counts;
  RunStats stats;
  if (!options.pairs.empty()) {
    auto pairs = run.backend.pairs(clouds, run.eps, strategy, run.task);
    if (!pairs) return tl::unexpected(pairs.error());
    list = std::move(*pairs);
    stats = firstWork(list.stats, "pairs");
    counts = countsOf(list, clouds.queries.size(), !options.counts.empty());
  } else {
    auto found = run.backend.count(clouds, run.eps, counting, run.task);
    if (!found) return tl::unexpected(found.error());
    counts = std::move(*found);
    stats = firstWork(counts.stats, "counting");
  }
  DistanceHistogram histogram;
  if (!options.histogram.empty()) {
    auto made = run.backend.histogram(clouds, run.eps, options.bins, counting, run.task);
    if (!made) return tl::unexpected(made.error());
    addWork(stats, made->stats, "histogram");
    histogram = std::move(*made);
  }

  MinPtsCurve curve;
  if (!options.minPtsCurve.empty()) {
    auto table = run.backend.neighbourTable(clouds, run.eps, counting, run.task);
    if (!table) return tl::unexpected(table.error());
    addWork(stats, table->stats, "neighbour table");
    auto made = minPtsCurve(*table, run.task);
    if (!made) return tl::unexpected(made.error());
    curve = std::move(*made);
  }

  const Stopwatch writing;
  if (run.task.cancelled()) return cancelledError();
  OutputSet outputs;
  if (!options.counts.empty())
    if (auto done =
            writeCountsNpy({outputs, options.counts}, run.input.data, counts.counts, run.task);
        !done)
      return done;
  if (!options.pairs.empty()) {
    const Dataset& other = run.other == nullptr ? run.input.data : run.other->input.data;
    if (auto done =
            writePairsNpy({outputs, options.pairs}, list.pairs, run.input.data, other, run.task);
        !done)
      return done;
  }
  if (!options.histogram.empty())
    if (auto done = writeHistogram({outputs, options.histogram}, histogram); !done) return done;
  if (!options.minPtsCurve.empty())
    if (auto done = writeAtomically({outputs, options.minPtsCurve}, csvOf(curve)); !done)
      return done;
  if (auto done = outputs.commit(); !done) return done;
  const Dataset& data = run.input.data;
  return printJoin(options,
                   {.path = data.source.path,
                    .dims = data.cloud.dims(),
                    .every = data.every,
                    .skipped = data.skippedRows.size(),
                    .other = run.other,
                    .eps = run.eps,
                    .space = run.space,
                    .readSeconds = run.readSeconds(),
                    .total = run.total},
                   {.points = clouds.queries.size(),
                    .pairs = counts.pairs,
                    .candidates = counts.candidates,
                    .twoClouds = clouds.twoClouds},
                   stats, writing.seconds());
}

Result<void> runJoin(JoinOptions& options, const Task& task) {
  options.input.read.keepOthers = false;
  if (options.blocks.memory > 0)
    return joinInBlocks(
        options, [&] { return checkJoinCall(options); }, task);
  if (isStartedOnRanks())
    return joinOnRanks(
        options, [&] { return checkJoinCall(options); }, task);
  options.engine.backendOptions.lateStart = true;
  return runForEachEps(
      options.eps, [&] { return checkJoinCall(options); }, options.input, options.engine, task,
      [&](const EngineRun& run) { return runOnce(options, run); });
}

}  // namespace

Command addJoinCommand(CLI::App& program) {
  auto options = std::make_shared<JoinOptions>();
  CLI::App* parser = program.add_subcommand("join", "Find or count all pairs of points within ε");
  parser->footer(kJoinFooter);
  addInputOptions(*parser, options->input);
  addOtherOption(*parser, "--with", options->input,
                 "A second cloud B: each point of FILE is joined with those of B instead")
      ->type_name("B");
  addEpsOptions(*parser, options->eps);
  addSpaceOptions(*parser, options->engine.space, options->input);
  addBlockOptions(*parser, options->blocks);
  const OptionGroup group(*parser, "Output");
  addOutputOption(
      *parser, "--counts", options->counts,
      "Write the number of neighbours of each row of FILE (.npy, uint32), 0 for a row that\n"
      "was skipped");
  addOutputOption(
      *parser, "--pairs", options->pairs,
      "Write all ordered pairs (p, q) (.npy, int32 of shape (m, 2)), sorted: rows of FILE,\n"
      "and of B where there is one, counted from 0");
  CLI::Option* histogram = addOutputOption(*parser, "--histogram", options->histogram,
                                           "Write the ordered pairs by distance (.csv): the sum up "
                                           "to a bin's edge is the number of\npairs at that ε");
  addIntegerOption(*parser, "--bins", options->bins, 1, 4096,
                   "Bins of the histogram, 1 to 4096 (default: 50)")
      ->type_name("N")
      ->needs(histogram);
  addOutputOption(*parser, "--min-pts-curve", options->minPtsCurve,
                  "Write what DBSCAN finds for every minPts at this ε (.csv): min_pts, clusters, "
                  "core,\nnoise; a row holds up to the next one. Needs memory for all pairs");
  parser->add_flag("--json", options->json, "Print one JSON object instead of the summary");
  addEngineOptions(*parser, options->engine);
  addJoinStrategyOptions(*parser, options->engine);
  addDeviceOptions(*parser, options->engine);
  return {parser, [options](const Task& task) { return runJoin(*options, task); }, true};
}

}  // namespace clusterloom::cli
