#include <tbb/info.h>
#include <tbb/task_arena.h>

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
#include "app/cli/value_options.h"
#include "engine/core/memory_budget.h"
#include "engine/dbscan/join_forecast.h"
#include "engine/distributed/rank_plan.h"
#include "engine/hierarchy/forecast.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/join/cost_of_k.h"
#include "engine/join/join_plan.h"

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
A plan tells, before a join is started, how many pairs it is expected to find, what memory its
results need and what it takes: here, and on several ranks. The numbers of pairs are from sampled
queries, with their standard error; results that do not fit into memory are refused. On each number
of ranks it simulates the ring join, for which each rank holds a part of the cloud, and the
replicated join, for which each rank (or GPU) indexes all of it. The workload is that of a sample of
the points. Speeds are measured on this machine with the backend and threads of the call, which are
those of one rank, unless they are given. The cost of k is what the join is predicted to read where
k dimensions are indexed. With --min-pts it also tells what the hierarchy of every ε
takes on the CPU, extended from those of two samples; clouds of at most 20,000 points are not
measured.

Examples:
  clusterloom-cli plan cloud.npy --eps 0.5
  clusterloom-cli plan cloud.npy --eps 0.5 --min-pts 10
  clusterloom-cli plan cloud.npy --eps 0.5 --ranks 1,8,64 --network 100 --threads 8
  clusterloom-cli plan cloud.npy --eps 0.5 --candidates-per-second 2e11 --points-per-second 1e9)";

CLI::Option* addPositiveOption(CLI::App& parser, const std::string& name, double& target,
                               const std::string& help) {
  return addTextOption(
      parser, name,
      [name, &target](const std::string& text) -> Result<void> {
        const Result<double> value = readNumber(name, text);
        if (!value) return tl::unexpected(value.error());
        if (*value <= 0) return badCall(name + " must be greater than 0.");
        target = *value;
        return {};
      },
      help);
}

struct Plan {
  JoinForecast join;
  CostModel costs;  ///< of counting, for every k
  RankPlan onRanks;
  std::optional<HierarchyForecast> hierarchy;
};

// With the threads of the call.
template <class Work>
auto inArena(const PlanOptions& options, const Work& work) {
  const int threads = options.engine.backendOptions.threads;
  tbb::task_arena arena(threads > 0 ? threads : tbb::info::default_concurrency());
  return arena.execute(work);
}

Result<HierarchyForecast> planHierarchy(const PlanOptions& options, const EngineRun& run) {
  return inArena(options,
                 [&] { return forecastHierarchy(run.scaled.cloud(), options.minPts, run.task); });
}

Result<CostModel> planCosts(const PlanOptions& options, const EngineRun& run) {
  const PointCloud& cloud = run.scaled.cloud();
  const BackendLimits limits = run.backend.limits();
  const Strategy strategy =
      decideWithoutK(options.engine.strategy, SinkKind::Counts, cloud.dims(), limits);
  return inArena(options, [&] {
    return costOfK(cloud, run.eps, strategy, run.task, searchStepOf(limits, SinkKind::Counts));
  });
}

/// The hierarchy does not depend on ε: `hierarchy` keeps it for the next ε of a sweep.
Result<Plan> makePlan(const PlanOptions& options, const EngineRun& run,
                      std::optional<HierarchyForecast>& hierarchy) {
  Plan plan;
  const auto expected = forecastJoin(run.backend, run.scaled.cloud(), run.eps, run.task);
  if (!expected) return tl::unexpected(expected.error());
  plan.join = *expected;
  // A GPU deals query sets in Euclidean space only.
  const BackendOptions& engine = options.engine.backendOptions;
  const bool oneDevice = engine.devices.empty() && !engine.allDevices;
  const RankPlanOptions asked{
      .ranks = options.ranks,
      .querySets = options.querySets,
      .given = options.given,
      .network = {.bytesPerSecond = options.gigabits * 1e9 / 8, .latency = options.latency * 1e-6},
      .dealt = oneDevice && run.space.isEuclidean() ? dealtByGpu(run.backend, engine.device)
                                                    : MakeDealt{}};
  auto planned =
      planRanks(run.backend, run.scaled.cloud(), run.eps, options.engine.strategy, asked, run.task);
  if (!planned) return tl::unexpected(planned.error());
  plan.onRanks = std::move(*planned);
  auto costs = planCosts(options, run);
  if (!costs) return tl::unexpected(costs.error());
  plan.costs = std::move(*costs);
  if (options.minPts > 0 && !hierarchy) {
    const auto measured = planHierarchy(options, run);
    if (!measured) return tl::unexpected(measured.error());
    hierarchy = *measured;
  }
  plan.hierarchy = hierarchy;
  return plan;
}

Json describeSpeeds(const RankSpeeds& speeds) {
  return {{"candidates_per_second", speeds.candidates},
          {"points_per_second", speeds.indexedPoints}};
}

Json describeJoin(const JoinForecast& join) {
  return {{"queries", join.queries},
          {"pairs", join.pairs},
          {"pairs_error", join.pairsError},
          {"candidates", join.candidates},
          {"seconds", join.seconds},
          {"seconds_error", join.secondsError},
          {"count_bytes", join.countBytes()},
          {"table_bytes", join.tableBytes()},
          {"pair_list_bytes", join.pairListBytes()},
          {"free_bytes", availableMemory()}};
}

Json describeCosts(const CostModel& model) {
  Json all = Json::array();
  for (const CostOfK& cost : model.costs)
    all.push_back({{"k", cost.k},
                   {"cell_search", cost.cellSearchOps},
                   {"distances", cost.distanceOps},
                   {"total", cost.total()}});
  return all;
}

std::string costsText(const CostModel& model) {
  std::string text;
  for (const CostOfK& cost : model.costs)
    text += (text.empty() ? "" : ", ") + std::to_string(cost.k) + ": " + shortNumber(cost.total()) +
            (cost.k == model.best ? " (least)" : "");
  return text + " coordinates read";
}

/// Clouds that are no larger than a sample are not measured (hierarchy/forecast.h).
bool isMeasured(const HierarchyForecast& hierarchy) { return hierarchy.seconds > 0; }

Json describeHierarchy(std::int64_t minPts, const HierarchyForecast& hierarchy) {
  if (!isMeasured(hierarchy))
    return {{"min_pts", minPts}, {"seconds", nullptr}, {"bytes", nullptr}, {"peak_bytes", nullptr}};
  return {{"min_pts", minPts},
          {"seconds", hierarchy.seconds},
          {"bytes", hierarchy.bytes},
          {"peak_bytes", hierarchy.peakBytes}};
}

Json describePlan(const EngineRun& run, const PlanOptions& options, const Plan& plan) {
  Json object = runHeader(run.input.data, run.eps);
  object["backend"] = run.backend.name();
  object["strategy"] = plan.onRanks.strategy;
  object["join"] = describeJoin(plan.join);
  object["cost_of_k"] = describeCosts(plan.costs);
  object["best_k"] = plan.costs.best;
  if (plan.hierarchy) object["hierarchy"] = describeHierarchy(options.minPts, *plan.hierarchy);
  object["sampled"] = plan.onRanks.workload.candidates.size();
  object["candidates_per_query"] = plan.onRanks.workload.mean();
  const RankPlan& ranks = plan.onRanks;
  const Network network = ranks.requests.empty() ? Network() : ranks.requests.front().network;
  object["network"] = {{"bytes_per_second", network.bytesPerSecond},
                       {"latency_seconds", network.latency}};
  object["one_rank"] = describeSpeeds(plan.onRanks.whole);
  object["one_rank"]["choice_seconds"] = plan.onRanks.choice;
  object["one_rank"]["seconds"] = plan.onRanks.oneRank;
  object["forecasts"] = Json::array();
  for (std::size_t i = 0; i < plan.onRanks.forecasts.size(); ++i) {
    const RanksForecast& one = plan.onRanks.forecasts[i];
    const double perfect = plan.onRanks.oneRank / double(one.ranks);
    Json ring = describeSpeeds(plan.onRanks.requests[i].ring);
    ring["rounds"] = one.ranks;
    ring["round_seconds"] = {{"index", one.ring.index},
                             {"join", one.ring.join},
                             {"transfer", one.ring.transfer},
                             {"waiting", one.ring.waiting}};
    ring["choice_seconds"] = plan.onRanks.requests[i].ringChoice;
    ring["move_seconds"] = one.ring.move;
    ring["total_seconds"] = one.ring.total;
    ring["efficiency"] = perfect / one.ring.total;
    ring["imbalance"] = one.ring.imbalance;
    ring["bytes_sent"] = one.ring.bytesSent;
    ring["memory_bytes"] = one.ring.memory;
    const ReplicatedForecast& all = one.replicated;
    object["forecasts"].push_back({{"ranks", one.ranks},
                                   {"ring", std::move(ring)},
                                   {"replicated",
                                    {{"query_sets", all.querySets},
                                     {"index_seconds", all.index},
                                     {"fixed_seconds", all.fixed},
                                     {"single_seconds", all.single},
                                     {"queue_seconds", all.queue},
                                     {"efficiency", perfect / all.queue},
                                     {"imbalance", all.imbalance},
                                     {"single_imbalance", all.singleImbalance},
                                     {"memory_bytes", all.memory}}}});
  }
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

std::string summaryOf(const EngineRun& run, const PlanOptions& options, const Plan& plan) {
  const PlanWorkload& workload = plan.onRanks.workload;
  std::ostringstream text;
  text << pointsLine(run.scaled.cloud()) << '\n'
       << summaryLine("ε", shortNumber(run.eps)) << '\n'
       << summaryLine("pairs", pairsText(plan.join)) << '\n'
       << summaryLine("results", resultsText(plan.join)) << '\n'
       << summaryLine("counting", "about " + duration(plan.join.seconds) + ", standard error " +
                                      duration(plan.join.secondsError) +
                                      " here, by the default strategy")
       << '\n';
  if (plan.hierarchy)
    text << summaryLine("hierarchy", hierarchyText(*plan.hierarchy) + " (minPts " +
                                         std::to_string(options.minPts) + ")")
         << '\n';
  text << summaryLine(
              "candidates",
              shortNumber(workload.mean()) + " per point, by " +
                  (workload.isWhole() ? std::string("all points")
                                      : "a sample of " + groupedText(workload.candidates.size())))
       << '\n'
       << summaryLine("one rank",
                      run.backend.describe() + ": " + shortNumber(plan.onRanks.whole.candidates) +
                          " candidates/s, " + shortNumber(plan.onRanks.whole.indexedPoints) +
                          " points/s indexed")
       << '\n'
       << summaryLine("strategy", plan.onRanks.strategy) << '\n'
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
  for (std::size_t i = 0; i < plan.onRanks.forecasts.size(); ++i) {
    const RanksForecast& one = plan.onRanks.forecasts[i];
    const auto rounds = double(one.ranks);
    const double perfect = plan.onRanks.oneRank / rounds;
    ring.push_back({std::to_string(one.ranks), duration(one.ring.total),
                    duration(plan.onRanks.requests[i].ringChoice), duration(one.ring.move),
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
                   "Forecast the hierarchy of every ε for this minPts, too")
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
                    "What each message takes beside its bytes, in microseconds (default: 10)")
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
  options->input.read.keepOthers = false;
  return {parser, [options](const Task& task) {
            std::optional<HierarchyForecast> hierarchy;
            return runForEachEps(
                options->eps, [] { return Result<void>(); }, options->input, options->engine, task,
                [&](const EngineRun& run) { return runOnce(*options, run, hierarchy); });
          }};
}

}  // namespace clusterloom::cli
