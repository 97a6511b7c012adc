#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/space_options.h"
#include "app/cli/value_options.h"
#include "engine/core/memory_budget.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/run_plan.h"

namespace clusterloom::cli {

namespace {

constexpr std::int64_t kMostRanks = 1 << 20;

struct PlanOptions {
  InputOptions input;
  EngineOptions engine;
  EpsOptions eps;
  std::vector<std::uint64_t> ranks = {1, 2, 4, 8, 16, 32, 64, 128};
  std::uint64_t querySets = 0;
  std::int64_t minPts = 0;  ///< of the hierarchy; 0: none is asked for
  double gigabits = 40;
  double latency = 10;
  RankSpeeds given;
  bool json = false;
};

constexpr const char* kPlanFooter = R"(
A plan forecasts a join before it starts: the number of pairs, the memory of the results, and the
time here and on several ranks. The number of pairs is estimated from sampled queries, with a
standard error. A run refuses results that do not fit into memory.

For each number of ranks the plan simulates two joins with the workload of a sample of the points:
the ring join, where each rank holds a part of the cloud, and the replicated join, where each rank
(or GPU) indexes the whole cloud. Unless speeds are given, they are measured on this machine with
the backend and threads of the call, which stand for one rank. The cost of k is the predicted number
of operations if k dimensions are indexed. With --min-pts the plan also forecasts the hierarchy of
every ε on the CPU, from the hierarchies of two samples; clouds of at most 20,000 points are not
measured.

With --metric the plan is one of these distances; for cosine it is that of the joins of unit
vectors. Manhattan and Chebyshev joins, and those in more than 128 dimensions, have no strategy of
the grid and are not shared by ranks: their plan has the pairs, the memory, the time here and the
hierarchy, but no cost of k and no tables.

Examples:
  clusterloom-cli plan cloud.npy --eps 0.5
  clusterloom-cli plan cloud.npy --eps 0.5 --min-pts 10
  clusterloom-cli plan embeddings.npy --metric cosine --eps 0.1
  clusterloom-cli plan cloud.npy --eps 0.5 --ranks 1,8,64 --network 100 --threads 8
  clusterloom-cli plan cloud.npy --eps 0.5 --candidates-per-second 2e11 --points-per-second 1e9)";

CLI::Option* addPositiveOption(CLI::App& parser, const std::string& name, double& target,
                               const std::string& help) {
  return addValueOption(
      parser, name, target,
      [name](const std::string& text) -> Result<double> {
        auto value = readNumber(name, text);
        if (value && *value <= 0) return badCall(name + " must be greater than 0.");
        return value;
      },
      help);
}

/// The hierarchy does not depend on ε: `hierarchy` keeps it for the next ε of a sweep.
Result<RunPlan> makePlan(const PlanOptions& options, const EngineRun& run,
                         std::optional<HierarchyForecast>& hierarchy) {
  // A GPU deals query sets in Euclidean space only.
  const BackendOptions& engine = options.engine.backendOptions;
  const bool oneDevice = engine.devices.empty() && !engine.allDevices;
  const RankPlanOptions ranks{
      .ranks = options.ranks,
      .querySets = options.querySets,
      .given = options.given,
      .network = {.bytesPerSecond = options.gigabits * 1e9 / 8, .latency = options.latency * 1e-6},
      .dealt = oneDevice && run.space.isEuclidean() ? dealtByGpu(run.backend, engine.device)
                                                    : MakeDealt{},
      .space = run.space};
  auto plan = planRun(run.backend, run.scaled.cloud(), run.eps,
                      {.strategy = options.engine.strategy,
                       .ranks = ranks,
                       .minPts = options.minPts,
                       .threads = engine.threads},
                      run.task, hierarchy);
  if (plan) hierarchy = plan->hierarchy;
  return plan;
}

std::string costsText(const CostModel& model) {
  std::string text;
  for (const CostOfK& cost : model.costs)
    text += (text.empty() ? "" : ", ") + std::to_string(cost.k) + ": " + shortNumber(cost.total()) +
            (cost.k == model.best ? " (least)" : "");
  return text + " coordinates read";
}

Json describePlan(const EngineRun& run, const PlanOptions& options, const RunPlan& plan) {
  Json object = runHeader(run.input.data, run.eps);
  addSpace(object, run.space);
  addPlan(object, run.backend, plan, options.minPts);
  object["seconds"] = {{"read", run.readSeconds()}, {"total", run.total.seconds()}};
  return object;
}

// Columns of text, each as wide as its widest cell.
std::string tableOf(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    if (!text.empty()) text += '\n';
    for (std::size_t c = 0; c < row.size(); ++c)
      text += std::string(widths[c] - row[c].size() + (c == 0 ? 0 : 2), ' ') + row[c];
  }
  return text;
}

std::string hierarchyText(const HierarchyForecast& hierarchy) {
  if (!isMeasured(hierarchy)) return "not measured: the cloud is no larger than a sample";
  return "about " + duration(hierarchy.seconds) + " by the CPU, " + memoryText(hierarchy.bytes) +
         " and " + memoryText(hierarchy.peakBytes) + " while it is built";
}

/// How the join is expected to go on other machines, and what every k costs.
std::string strategyText(const EngineRun& run, const PlanOptions& options,
                         const RunPlan::ByStrategy& plan) {
  const RankPlan& ranks = plan.onRanks;
  const PlanWorkload& workload = ranks.workload;
  std::ostringstream text;
  text << summaryLine(
              "candidates",
              shortNumber(workload.mean()) + " per point, by " +
                  (workload.isWhole() ? std::string("all points")
                                      : "a sample of " + groupedText(workload.candidates.size())))
       << '\n'
       << summaryLine("one rank", run.backend.describe() + ": " +
                                      shortNumber(ranks.whole.candidates) + " candidates/s, " +
                                      shortNumber(ranks.whole.indexedPoints) + " points/s indexed")
       << '\n'
       << summaryLine("strategy", ranks.strategy) << '\n'
       << summaryLine("cost of k", costsText(plan.costs)) << '\n'
       << summaryLine("network", shortNumber(options.gigabits) + " Gbit/s, " +
                                     shortNumber(options.latency) + " µs a message")
       << "\n\n";
  std::vector<std::vector<std::string>> ring = {{"ranks", "ring join", "choice", "move", "index",
                                                 "join", "transfer", "waiting", "imbalance",
                                                 "efficiency", "memory/rank"}};
  std::vector<std::vector<std::string>> replicated = {
      {"ranks", "replicated, fixed deal", "imbalance", "single queries", "imbalance",
       "shared queue", "efficiency", "query sets", "index", "memory/rank"}};
  for (std::size_t i = 0; i < ranks.forecasts.size(); ++i) {
    const RanksForecast& one = ranks.forecasts[i];
    const auto rounds = double(one.ranks);
    const double perfect = ranks.oneRank / rounds;
    ring.push_back({std::to_string(one.ranks), duration(one.ring.total),
                    duration(ranks.requests[i].ringChoice), duration(one.ring.move),
                    duration(rounds * one.ring.index), duration(rounds * one.ring.join),
                    duration((rounds - 1) * one.ring.transfer),
                    duration((rounds - 1) * one.ring.waiting), percentText(one.ring.imbalance),
                    percentText(perfect / one.ring.total), memoryText(one.ring.memory)});
    const ReplicatedForecast& all = one.replicated;
    replicated.push_back({std::to_string(one.ranks), duration(all.fixed),
                          percentText(all.imbalance), duration(all.single),
                          percentText(all.singleImbalance), duration(all.queue),
                          percentText(perfect / all.queue), std::to_string(all.querySets),
                          duration(all.index), memoryText(all.memory)});
  }
  text << tableOf(ring) << "\n\n" << tableOf(replicated);
  return text.str();
}

/// The joins that have no RunPlan::ByStrategy.
std::string withoutGrid(const EngineRun& run) {
  return isTreeMetric(run.space.metric)
             ? "joins by " + describe(run.space)
             : "joins in more than " + std::to_string(kMaxGridDims) + " dimensions";
}

std::string summaryOf(const EngineRun& run, const PlanOptions& options, const RunPlan& plan) {
  std::ostringstream text;
  text << pointsLine(run.scaled.cloud()) << '\n'
       << spaceLine(run.space) << summaryLine("ε", shortNumber(run.eps)) << '\n'
       << summaryLine("pairs", pairsText(plan.join)) << '\n'
       << summaryLine("results", resultsText(plan.join)) << '\n'
       << summaryLine("counting", (plan.join.isMost ? "at most about " : "about ") +
                                      duration(plan.join.seconds) + ", standard error " +
                                      duration(plan.join.secondsError) +
                                      " here, by the default strategy")
       << '\n';
  if (plan.hierarchy)
    text << summaryLine("hierarchy", hierarchyText(*plan.hierarchy) + " (minPts " +
                                         std::to_string(options.minPts) + ")")
         << '\n';
  if (plan.byStrategy)
    text << strategyText(run, options, *plan.byStrategy);
  else
    text << summaryLine("cost of k", "none for " + withoutGrid(run) + ", which have no strategy")
         << '\n'
         << summaryLine("ranks", "none for " + withoutGrid(run) + ", which one process does");
  return text.str();
}

Result<void> runOnce(const PlanOptions& options, const EngineRun& run,
                     std::optional<HierarchyForecast>& hierarchy) {
  const auto plan = makePlan(options, run, hierarchy);
  if (!plan) return tl::unexpected(plan.error());
  if (options.json || options.eps.isSweep()) return printJson(describePlan(run, options, *plan));
  return printLine(summaryOf(run, options, *plan));
}

}  // namespace

Command addPlanCommand(CLI::App& program) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App* parser = program.add_subcommand(
      "plan", "Forecast a join: pairs, memory and time, here and on several GPUs or machines");
  parser->footer(kPlanFooter);
  addInputOptions(*parser, options->input);
  addEpsOptions(*parser, options->eps);
  addIntegerOption(*parser, "--min-pts", options->minPts, 1, kMaxNearest,
                   "Forecast the hierarchy of every ε for this minPts (1 to 64), too")
      ->type_name("M");
  const OptionGroup group(*parser, "Ranks");
  addTextOption(
      *parser, "--ranks",
      [target = options.get()](const std::string& text) -> Result<void> {
        const auto ranks = readIntegers("--ranks", text, 1, kMostRanks);
        if (!ranks) return tl::unexpected(ranks.error());
        target->ranks.assign(ranks->begin(), ranks->end());
        return {};
      },
      "Numbers of ranks to forecast, such as 1,8,64 (default: 1,2,4,8,16,32,64,128)")
      ->type_name("LIST");
  addIntegerOption(*parser, "--query-sets", options->querySets, 1, kMostRanks,
                   "Query sets of the replicated join (default: 8 for each rank)")
      ->type_name("M");
  addPositiveOption(*parser, "--network", options->gigabits,
                    "Speed of each rank's connection, in Gbit/s (default: 40)")
      ->type_name("GBIT");
  addPositiveOption(*parser, "--latency", options->latency,
                    "Time that each message takes in addition to its bytes, in microseconds\n"
                    "(default: 10)")
      ->type_name("US");
  addPositiveOption(*parser, "--candidates-per-second", options->given.candidates,
                    "Speed of a rank's join: candidates / seconds.join of join --json\n"
                    "(default: measured here)")
      ->type_name("X");
  addPositiveOption(*parser, "--points-per-second", options->given.indexedPoints,
                    "Speed of a rank's index: points / seconds.index of join --json\n"
                    "(default: measured here)")
      ->type_name("X");
  parser->add_flag("--json", options->json, "Print one JSON object instead of the tables")
      ->group("Output");
  addEngineOptions(*parser, options->engine);
  addMetric(*parser, options->engine.space);
  options->input.read.keepOthers = false;
  return {parser, [options](const Task& task) {
            std::optional<HierarchyForecast> hierarchy;
            return runForEachEps(
                options->eps, [] { return Result<void>(); }, options->input, options->engine, task,
                [&](const EngineRun& run) { return runOnce(*options, run, hierarchy); });
          }};
}

}  // namespace clusterloom::cli
