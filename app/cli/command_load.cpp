#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/io/write.h"
#include "engine/join/backend_kinds.h"
#include "engine/join/strategy_options.h"
#include "engine/load/gain_causes.h"
#include "engine/load/lane_page.h"
#include "engine/load/load_kernel.h"
#include "engine/load/load_model.h"

namespace clusterloom::cli {

namespace {

struct LoadOptions {
  InputOptions input;
  EngineOptions engine;
  EpsOptions eps;
  LoadRequest request;
  const CLI::Option* indexDims = nullptr;  ///< --index-dims
  const CLI::Option* machine = nullptr;    ///< --machine
  std::string warps;
  std::string laneView;
  std::int64_t warp = -1;  ///< of the lane view; −1: the longest
  bool gain = false;       ///< over GPUCALCGLOBAL, split into causes
  bool json = false;
};

constexpr const char* kLoadFooter = R"(
The load is the work of every warp of a GPU in a join: the steps of each loop, and how many of the
32 lanes take part in them (warp execution efficiency, WEE). Each step is weighted by its cost; WEE
without weights is printed, too. The load is modelled, on any computer, for an H200 or the GPU of
--machine. The backend cuda, and auto where a GPU answers, measure the steps instead, with the same
fitted weights; with --machine or --lane-view auto models. A profiler counts instructions and shows
a lower WEE.

Without options the load is that of GPUCALCGLOBAL: the kernel that writes pairs, one thread for each
point, all adjacent cells, all dimensions indexed (at most 8), no REORDER, SORTIDU or SHORTC,
unit-length bins and batches of 10⁸ pairs.

Steps and lane steps are those of the warps in the sample. Distances, pairs and the schedule are
those of all warps: with a sample they are estimates, with standard errors.

Examples:
  clusterloom-cli load cloud.csv --eps 0.5
  clusterloom-cli load cloud.npy --eps 0.5 --order sort-by-workload --warps warps.csv
  clusterloom-cli load cloud.npy --eps 0.5 --pattern lid-unicomp --order work-queue
      --threads-per-point 8 --json
  clusterloom-cli load cloud.npy --eps 0.5 --order work-queue --gain
  clusterloom-cli load cloud.npy --eps 0.5 --machine A100
  clusterloom-cli load cloud.npy --eps 0.5 --machine 4x4@1.5 --weights unit
  clusterloom-cli load cloud.npy --eps 0.5 --lane-view lanes.html --warp 12
  clusterloom-cli load cloud.npy --sweep-eps 0.1:10:25 --sample-warps 500 > sweep.jsonl)";

constexpr std::array<const char*, kLoops> kLoopNames{"cell", "search", "candidate", "hit"};

/// Only this loop has a weight.
LoopWeights only(std::size_t loop) {
  LoopWeights weights{{0, 0, 0, 0}};
  weights.of[loop] = 1;
  return weights;
}

double unweightedWee(const LoadReport& report) {
  return warpExecutionEfficiency(report.steps, report.laneSteps, LoopWeights{});
}

/// "fitted", "unit", or "given" by the call.
std::string weightsName(const LoadReport& report) {
  if (report.weights == LoopWeights{}) return "unit";
  return report.weights == weightsOf(report.kernel) ? "fitted" : "given";
}

std::string stepsUnit(const LoadReport& report) {
  return report.weights == LoopWeights{} ? "steps" : "weighted steps";
}

Result<void> checkLoadCall(const LoadOptions& options) {
  if (options.machine->count() > 0 && backendKind(options.engine.backend).measuresLoad)
    return badCall("--machine is for a modelled load, but --backend " + options.engine.backend +
                   " measures it. Leave one of them out.");
  if (!options.laneView.empty() && backendKind(options.engine.backend).measuresLoad)
    return badCall("--lane-view is for a modelled load, but --backend " + options.engine.backend +
                   " measures it. Leave one of them out.");
  if (options.warp >= 0 && options.laneView.empty()) return badCall("--warp needs --lane-view.");
  if (options.eps.isSweep() && !(options.warps.empty() && options.laneView.empty()))
    return badCall("--sweep-eps prints figures only; " +
                   std::string(options.warps.empty() ? "--lane-view" : "--warps") +
                   " needs one --eps.");
  return checkOutputs({options.input.path}, {{"--warps", options.warps, {".csv"}},
                                             {"--lane-view", options.laneView, {".html"}, false}});
}

/// The causes of a gain by their names in JSON, those that are known.
std::vector<std::pair<const char*, double>> namedCauses(const GainCauses& causes) {
  std::vector<std::pair<const char*, double>> named{{"searches", causes.searches},
                                                    {"comparisons", causes.comparisons},
                                                    {"lanes", causes.lanes},
                                                    {"tail", causes.tail}};
  if (causes.memory) named.emplace_back("memory_and_rest", *causes.memory);
  return named;
}

Json describeRun(const EngineRun& run, const LoadReport& report,
                 const std::optional<GainCauses>& gain, double writeSeconds) {
  Json object = runHeader(run.input.data, run.eps);
  const RunStats& stats = report.stats;
  addStats(object, stats);
  object["measured"] = report.measured;
  object["kernel"] = toText(report.kernel);
  object["pairs"] = report.pairs;
  object["pairs_error"] = report.pairsError;
  object["distance_calculations_error"] = report.distancesError;
  object["candidates"] = report.candidates;
  object["wee"] = report.wee;
  object["wee_error"] = report.weeError;
  object["unweighted_wee"] = unweightedWee(report);
  object["wee_weights"] = weightsName(report);
  object["warps"] = report.allWarps;
  object["sampled_warps"] = report.warps.size();
  object["threads_per_point"] = report.threadsPerPoint;
  for (std::size_t loop = 0; loop < kLoops; ++loop)
    object["loops"][kLoopNames[loop]] = {
        {"steps", report.steps[loop]},
        {"lane_steps", report.laneSteps[loop]},
        {"wee", warpExecutionEfficiency(report.steps, report.laneSteps, only(loop))},
        {"weight", report.weights.of[loop]}};
  if (!report.measured) object["machine"] = report.machine;
  object["multiprocessors"] = report.multiprocessors;
  object["warps_per_multiprocessor"] = report.warpsPerMultiprocessor;
  if (!report.measured) {
    object["streams"] = report.streams;
    object["clock_ghz"] = report.clockGHz;
  }
  object["makespan"] = report.makespan;
  object["ideal_makespan"] = report.idealMakespan;
  object["makespan_unit"] = report.measured ? std::string("seconds") : stepsUnit(report);
  object["makespan_seconds"] = secondsOf(report, report.makespan);
  if (gain) {
    object["gain"] = {{"over", "GPUCALCGLOBAL"}, {"factor", gain->all()}};
    for (const auto& [name, factor] : namedCauses(*gain)) object["gain"][name] = factor;
  }
  object["seconds"] = {{"read", run.input.seconds},
                       {"index", stats.seconds.index},
                       {"join", stats.seconds.join},
                       {"write", writeSeconds},
                       {"total", run.total.seconds()}};
  return object;
}

std::string weeLine(const LoadReport& report) {
  std::string text = percentText(report.wee);
  if (std::isinf(report.weeError))
    text += " (error unknown: one warp)";
  else if (report.weeError > 0)
    text += " ± " + percentText(report.weeError);
  text += report.measured ? " of lanes active, steps measured" : " of lanes active, modelled";
  const std::string weights = weightsName(report);
  text += weights == "unit"     ? ", every step counting 1"
          : weights == "fitted" ? ", weighted by their cost as fitted"
                                : ", weighted as given";
  text += " (";
  if (weights != "unit") text += "unweighted " + percentText(unweightedWee(report)) + "; ";
  for (std::size_t loop = 0; loop < kLoops; ++loop)
    text += std::string(loop == 0 ? "" : ", ") + kLoopNames[loop] + " " +
            percentText(warpExecutionEfficiency(report.steps, report.laneSteps, only(loop)));
  return text + ")";
}

std::string warpsLine(const LoadReport& report) {
  std::string text = groupedText(report.allWarps) + " in " + groupedText(report.stats.batches) +
                     (report.stats.batches == 1 ? " batch" : " batches");
  if (report.warps.size() < report.allWarps)
    text += ", " + groupedText(report.warps.size()) + " of them sampled";
  return text;
}

/// "modelled: H200 with 132 multiprocessors of 64 warps at 1.98 GHz, 3 streams".
std::string machineLine(const LoadReport& report) {
  std::string text = report.measured ? "measured on a GPU" : "modelled: " + report.machine;
  text += " with " + std::to_string(report.multiprocessors) + " multiprocessors of " +
          std::to_string(report.warpsPerMultiprocessor) + " warps";
  if (!report.measured)
    text +=
        " at " + shortNumber(report.clockGHz) + " GHz, " + countedText(report.streams, "stream");
  return text;
}

/// "0.0012 s, 1.2 × ideal"; of the model also its steps.
std::string makespanLine(const LoadReport& report) {
  std::string text = shortNumber(secondsOf(report, report.makespan)) + " s, ";
  if (!report.measured)
    text += "at one instruction for each of " + shortNumber(report.makespan) + " " +
            stepsUnit(report) + ", ";
  return text + shortNumber(report.makespan / report.idealMakespan) + " × ideal";
}

/// "2.1 × over GPUCALCGLOBAL (searches 1 ×, comparisons 1 ×, lanes 3.1 ×, tail 0.69 ×)".
std::string gainLine(const GainCauses& gain) {
  const auto times = [](double factor) {
    return shortNumber(std::round(100 * factor) / 100) + " ×";
  };
  std::string text = times(gain.all()) + " over GPUCALCGLOBAL (";
  for (const auto& [name, factor] : namedCauses(gain)) {
    std::string word = name;
    std::replace(word.begin(), word.end(), '_', ' ');
    text += (text.back() == '(' ? "" : ", ") + word + " " + times(factor);
  }
  return text + ")";
}

/// A figure of all warps: that of a sample with its standard error, or as unknown.
std::string estimateText(std::uint64_t value, double error) {
  if (std::isinf(error)) return "about " + groupedText(value) + " (error unknown: one warp)";
  return groupedText(value) +
         (error > 0 ? " ± " + groupedText(static_cast<std::uint64_t>(std::llround(error))) : "");
}

std::string summaryOf(const EngineRun& run, const LoadReport& report,
                      const std::optional<GainCauses>& gain) {
  std::ostringstream text;
  text << pointsLine(run.input.data.cloud) << '\n'
       << summaryLine("ε", shortNumber(run.eps)) << '\n'
       << summaryLine("kernel",
                      report.kernel == LoadKernel::Pairs ? "writes pairs" : "counts neighbours")
       << '\n'
       << summaryLine("warps", warpsLine(report)) << '\n'
       << summaryLine("efficiency", weeLine(report)) << '\n'
       << summaryLine("candidates",
                      groupedText(report.candidates) + " for the full pattern, " +
                          estimateText(report.distanceCalculations, report.distancesError) +
                          " distances")
       << '\n'
       << summaryLine("pairs", estimateText(report.pairs, report.pairsError) +
                                   " ordered, each point with itself included")
       << '\n'
       << summaryLine("machine", machineLine(report)) << '\n'
       << summaryLine("makespan", makespanLine(report)) << '\n';
  if (gain) text << summaryLine("gain", gainLine(*gain)) << '\n';
  text << engineLine(report.stats) << '\n'
       << timeLine(run, report.measured ? "measuring" : "modelling", report.stats);
  return text.str();
}

/// The warp of the report that takes most weighted steps.
std::int64_t longestWarp(const LoadReport& report) {
  const auto cost = [&](const WarpLoad& warp) {
    double sum = 0;
    for (std::size_t loop = 0; loop < kLoops; ++loop)
      sum += report.weights.of[loop] * static_cast<double>(warp.steps[loop]);
    return sum;
  };
  const auto longest =
      std::max_element(report.warps.begin(), report.warps.end(),
                       [&](const WarpLoad& a, const WarpLoad& b) { return cost(a) < cost(b); });
  return longest == report.warps.end() ? 0 : longest->number;
}

/// Models the chosen warp step by step and makes its page.
Result<std::string> laneViewOf(const LoadOptions& options, const EngineRun& run,
                               const Strategy& strategy, const LoadReport& report) {
  const auto model = LoadModel::make(run.scaled.cloud(), run.eps, strategy, options.request.kernel,
                                     options.request.machine, run.task);
  if (!model) return tl::unexpected(model.error());
  const std::int64_t warp = options.warp >= 0 ? options.warp : longestWarp(report);
  if (warp >= model->warps())
    return badCall("There is no warp " + std::to_string(warp) + "; there are " +
                   groupedText(model->warps()) + ", numbered from 0.");
  const auto trace = model->trace(static_cast<std::uint32_t>(warp), {0, kLanePageSteps}, run.task);
  if (!trace) return tl::unexpected(trace.error());
  return lanePage(*trace);
}

/// The gain of a strategy over GPUCALCGLOBAL in batches of the same size.
Result<GainCauses> gainOver(const LoadOptions& options, const EngineRun& run,
                            const Strategy& strategy, const LoadReport& report) {
  Strategy plain = gpuCalcGlobal();
  plain.indexedDims = strategy.indexedDims;
  plain.batchPairs = strategy.batchPairs;
  plain.streams = strategy.streams;
  const auto before =
      run.backend.load(run.scaled.cloud(), run.eps, plain, options.request, run.task);
  if (!before) return tl::unexpected(before.error());
  return gainCauses(*before, report);
}

Result<void> runOnce(const LoadOptions& options, const EngineRun& run) {
  const PointCloud& cloud = run.scaled.cloud();
  Strategy strategy = options.engine.strategy;
  if (options.indexDims->count() == 0)
    strategy.indexedDims = static_cast<int>(
        std::min<std::uint64_t>(cloud.dims(), findStrategyOption("index-dims")->most));
  const auto report = run.backend.load(cloud, run.eps, strategy, options.request, run.task);
  if (!report) return tl::unexpected(report.error());
  std::optional<GainCauses> gain;
  if (options.gain) {
    const auto causes = gainOver(options, run, strategy, *report);
    if (!causes) return tl::unexpected(causes.error());
    gain = *causes;
  }
  Result<std::string> page;
  if (!options.laneView.empty()) page = laneViewOf(options, run, strategy, *report);
  if (!page) return tl::unexpected(page.error());
  const Stopwatch writing;
  if (run.task.cancelled()) return cancelledError();
  OutputSet outputs;
  if (!options.warps.empty())
    if (auto done = writeWarpTable({outputs, options.warps}, *report); !done) return done;
  if (!options.laneView.empty())
    if (auto done = writeAtomically({outputs, options.laneView}, *page); !done) return done;
  if (auto done = outputs.commit(); !done) return done;
  return printResult(options.json || options.eps.isSweep(),
                     describeRun(run, *report, gain, writing.seconds()), report->stats,
                     summaryOf(run, *report, gain), {options.warps, options.laneView});
}

Result<void> runLoad(LoadOptions& options, const Task& task) {
  options.input.read.keepOthers = false;
  if ((options.machine->count() > 0 || !options.laneView.empty()) &&
      options.engine.backend == "auto")
    options.engine.backend = kModelBackend;
  return runForEachEps(
      options.eps, [&] { return checkLoadCall(options); }, options.input, options.engine, task,
      [&](const EngineRun& run) { return runOnce(options, run); });
}

}  // namespace

Command addLoadCommand(CLI::App& program) {
  auto options = std::make_shared<LoadOptions>();
  options->engine.strategy = gpuCalcGlobal();
  CLI::App* parser =
      program.add_subcommand("load", "Model or measure the work of every warp of a GPU in a join");
  parser->footer(kLoadFooter);
  addInputOptions(*parser, options->input);
  addEpsOptions(*parser, options->eps);
  constexpr const char* kGroup = "Load";
  parser
      ->add_option_function<std::string>(
          "--kernel",
          [options](const std::string& word) {
            if (!fromText(word, options->request.kernel))
              throw CLI::ValidationError("--kernel", "'" + word + "' is neither pairs nor counts");
          },
          "The kernel: pairs (writes them; default) or counts")
      ->type_name("WORD")
      ->group(kGroup);
  addIntegerOption(*parser, "--sample-warps", options->request.sampleWarps, 1, 2147483647,
                   "Sample N warps, spread over the order of launch, instead of all\n"
                   "(default: all for small clouds, else about a second of work)")
      ->type_name("N")
      ->group(kGroup);
  addSeedOption(*parser, "--sample-seed", options->request.seed, "Seed of the sample (default: 1)")
      ->type_name("SEED")
      ->group(kGroup);
  std::string names;
  for (const SimtMachine& known : knownMachines()) names += known.name + ", ";
  options->machine =
      addTextOption(
          *parser, "--machine",
          [options](const std::string& text) -> Result<void> {
            const auto machine = machineFromText(text);
            if (!machine) return tl::unexpected(machine.error());
            const auto weights = options->request.machine.weights;
            options->request.machine = *machine;
            options->request.machine.weights = weights;
            return {};
          },
          "The GPU that is modelled: " + names +
              "\nor multiprocessors x warps of each (x streams), as in 8x4;\n@ and a clock in GHz "
              "may follow, as in 8x4@1.5 (default: H200)")
          ->type_name("GPU")
          ->group(kGroup);
  addValueOption(
      *parser, "--weights", options->request.machine.weights, weightsFromText,
      "What a step costs: fitted (default), unit (every step\ncounts 1), or of cell, search, "
      "candidate and hit: A,B,C,D")
      ->type_name("WORD")
      ->group(kGroup);
  constexpr const char* kOutput = "Output";
  addPathOption(*parser, "--warps", options->warps, "Write one row per warp (.csv)")
      ->type_name("OUT")
      ->group(kOutput);
  addPathOption(*parser, "--lane-view", options->laneView,
                "Write a page that shows a warp lane by lane and step by\nstep, modelled (.html)")
      ->type_name("OUT")
      ->group(kOutput);
  addIntegerOption(*parser, "--warp", options->warp, 0, 4294967295,
                   "The warp of the lane view, in order of launch from 0\n(default: the longest)")
      ->type_name("N")
      ->group(kOutput);
  parser
      ->add_flag("--gain", options->gain,
                 "Print how much earlier the warps end than those of\n"
                 "GPUCALCGLOBAL, split into factors whose product it is")
      ->group(kOutput);
  parser->add_flag("--json", options->json, "Print one JSON object instead of the summary")
      ->group(kOutput);
  addEngineOptions(
      *parser, options->engine,
      "Where the load comes from: cuda measures it, cpu and simt model it, auto measures it\n"
      "if there is a GPU");
  CLI::Option* k = parser->get_option("--index-dims");
  std::string help = k->get_description();
  k->description(help.replace(help.rfind("auto)"), 4, "all"));
  options->indexDims = k;
  return {parser, [options](const Task& task) { return runLoad(*options, task); }};
}

}  // namespace clusterloom::cli
