#include "ui/lessons/lesson_facts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "engine/hierarchy/eps_advice.h"
#include "engine/hierarchy/hdbscan.h"
#include "engine/hierarchy/reachability.h"
#include "engine/hybrid/shares.h"
#include "engine/join/backend_kinds.h"
#include "engine/join/strategy.h"
#include "engine/load/load_kernel.h"

namespace clusterloom {

namespace {

double weighted(const PerLoop<std::uint64_t>& steps, const LoopWeights& weights) {
  double sum = 0;
  for (std::size_t loop = 0; loop < steps.size(); ++loop)
    sum += weights.of[loop] * static_cast<double>(steps[loop]);
  return sum;
}

double all(const PerLoop<std::uint64_t>& steps) {
  return static_cast<double>(std::accumulate(steps.begin(), steps.end(), std::uint64_t{0}));
}

double efficiencyOf(const WarpLoad& warp, const LoopWeights& weights) {
  return warpExecutionEfficiency(warp.steps, warp.laneSteps, weights);
}

/// Of the weighted idle lane-steps the share that the tenth of the query points with the largest
/// workloads causes. Points of warps that were left out count neither way.
double idleOfTheHeavy(const LoadModel& model, const LoadReport& report) {
  const GridIndex& index = model.index();
  const std::vector<std::uint32_t> cellOf = index.cellOfPosition();
  std::vector<std::uint64_t> workload(index.size());  // by point
  for (std::size_t p = 0; p < index.size(); ++p)
    workload[index.pointIds[p]] = model.workloadOfCell()[cellOf[p]];
  std::vector<std::pair<std::uint64_t, double>> queries;  // workload, idling that it causes
  for (std::size_t t = 0; t < report.idleCausedByTicket.size(); ++t)
    if (const double idle = report.idleCausedByTicket[t]; !std::isnan(idle))
      queries.emplace_back(workload[report.pointOfTicket[t]], idle);
  std::sort(queries.begin(), queries.end(), std::greater<>());
  const auto heavy = static_cast<std::size_t>(std::ceil(static_cast<double>(queries.size()) / 10));
  double all = 0;
  double caused = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    all += queries[i].second;
    if (i < heavy) caused += queries[i].second;
  }
  return all > 0 ? caused / all : 0;
}

FactValues factsOf(const LoadModel& model, const LoadReport& report) {
  const LoopWeights& weights = report.weights;
  FactValues facts;
  const double cost = weighted(report.steps, weights);
  facts["wee"] = report.wee;
  facts["unweighted-wee"] = warpExecutionEfficiency(report.steps, report.laneSteps, LoopWeights{});
  facts["heavy-idle"] = idleOfTheHeavy(model, report);
  facts["warps"] = static_cast<double>(report.allWarps);
  facts["batches"] =
      report.batchBegin.empty() ? 0 : static_cast<double>(report.batchBegin.size() - 1);
  facts["threads-per-point"] = report.threadsPerPoint;
  facts["distance-calculations"] = static_cast<double>(report.distanceCalculations);
  facts["cost"] = cost;
  facts["idle"] = WarpTrace::kLanes * cost - weighted(report.laneSteps, weights);
  const auto& workloads = model.workloadOfCell();
  const auto [least, most] = std::minmax_element(workloads.begin(), workloads.end());
  if (most != workloads.end()) {
    facts["largest-workload"] = static_cast<double>(*most);
    facts["smallest-workload"] = static_cast<double>(*least);
  }
  facts["mean-workload"] = static_cast<double>(report.distanceCalculations) /
                           static_cast<double>(std::max<std::size_t>(model.index().size(), 1));
  double longestLane = 0;
  double longestWarp = 0;
  for (const WarpLoad& warp : report.warps) {
    longestLane = std::max(longestLane, static_cast<double>(warp.longestLane));
    longestWarp = std::max(longestWarp, weighted(warp.steps, weights));
  }
  facts["longest-lane"] = longestLane;
  facts["longest-warp"] = longestWarp;
  facts["makespan"] = report.makespan;
  facts["ideal-makespan"] = report.idealMakespan;
  facts["makespan-time"] = 1000 * secondsOf(report, report.makespan);
  return facts;
}

double milliseconds(double seconds) { return 1000 * seconds; }

/// Of one division.
FactValues factsOf(const SharedPass& pass, const SharedPass& reversed) {
  FactValues facts;
  double longest = 0;
  for (const SharedBatch& batch : pass.batches)
    if (batch.processor == Processor::Cpu) longest = std::max(longest, batch.end - batch.start);
  facts["imbalance"] = pass.imbalance;
  facts["shared-time"] = milliseconds(std::max(pass.gpuEnd, pass.cpuEnd));
  facts["gpu-time"] = milliseconds(pass.gpuEnd);
  facts["cpu-time"] = milliseconds(pass.cpuEnd);
  facts["gpu-queries"] = pass.gpuQueries;
  facts["gpu-candidates"] = pass.gpuCandidates;
  facts["meeting"] = pass.meeting;
  facts["shared-batches"] = static_cast<double>(pass.batches.size());
  facts["longest-cpu-batch"] = milliseconds(longest);
  facts["reversed-time"] = milliseconds(std::max(reversed.gpuEnd, reversed.cpuEnd));
  return facts;
}

/// The same queries with the lightest first.
TimedQueries reversedOf(const TimedQueries& timed) {
  const std::uint32_t n = timed.queries.size();
  std::vector<std::uint32_t> workloads(n);
  for (std::uint32_t q = 0; q < n; ++q)
    workloads[n - 1 - q] = static_cast<std::uint32_t>(timed.queries.candidates(q, q + 1));
  TimedQueries reversed = timed;
  reversed.queries = orderedQueries(
      std::vector<std::uint32_t>(timed.queries.points->rbegin(), timed.queries.points->rend()),
      workloads);
  std::reverse(reversed.neighbours.counts.begin(), reversed.neighbours.counts.end());
  return reversed;
}

/// Adds the numbers of each division, and of both sides.
Result<void> addSharedFacts(const FactQuestion& question, FactTable& table, FactValues& common,
                            const Task& task) {
  const auto& [strategy, sides] = *question.shared;
  const auto timed = timeQueries(*question.shown.cloud, question.shown.eps, strategy, 1, task);
  if (!timed) return tl::unexpected(timed.error());
  const TimedQueries reversed = reversedOf(*timed);
  std::map<QString, Strategy> strategies = question.compared;
  strategies[QString()] = strategy;
  for (const auto& [name, one] : strategies)
    table[name].merge(
        factsOf(modelDivision(*timed, one, sides), modelDivision(reversed, one, sides)));
  const double gpuAlone = secondsAlone(sides.gpu, timed->queries);
  const double cpuAlone = secondsAlone(sides.cpu, timed->queries);
  common["gpu-alone"] = milliseconds(gpuAlone);
  common["cpu-alone"] = milliseconds(cpuAlone);
  common["speed-share"] = gpuShare(cpuAlone, gpuAlone);
  common["cpu-threads"] = sides.cpu.lanes;
  common["gpu-streams"] = sides.gpu.lanes;
  const auto costOfQuery = [](const SideModel& side) {
    return side.queriesPerSecond > 0 ? side.candidatesPerSecond / side.queriesPerSecond : 0;
  };
  common["gpu-query-cost"] = costOfQuery(sides.gpu);
  common["cpu-query-cost"] = costOfQuery(sides.cpu);
  return {};
}

/// Points of other ranks that all ranks hold together.
double ghostsOf(const RunStats& stats) {
  return std::accumulate(
      stats.ranks.begin(), stats.ranks.end(), 0.0,
      [](double sum, const RankStats& rank) { return sum + static_cast<double>(rank.ghosts); });
}

Result<Clustering> dividedRun(const FactQuestion& question, int ranks, const Task& task) {
  const auto backend = makeBackend("cpu", {.ranks = ranks > 1 ? ranks : 0});
  if (!backend) return tl::unexpected(backend.error());
  return (*backend)->dbscan(*question.shown.cloud,
                            {.eps = question.shown.eps, .minPts = question.minPts}, {}, task);
}

/// Clusters with points of several ranks.
double splitClusters(const Clustering& clustering) {
  if (!clustering.stats.owners) return 0;
  const std::vector<std::uint16_t>& owners = *clustering.stats.owners;
  std::map<std::int32_t, std::uint16_t> first;  // a rank of each cluster
  std::set<std::int32_t> split;
  for (std::size_t p = 0; p < owners.size(); ++p) {
    const std::int32_t label = clustering.labels[p];
    if (label >= 0 && first.try_emplace(label, owners[p]).first->second != owners[p])
      split.insert(label);
  }
  return static_cast<double>(split.size());
}

/// Adds what a DBSCAN that is divided between ranks tells. No number is measured.
Result<void> addRankFacts(const FactQuestion& question, FactValues& common, const Task& task) {
  const auto divided = dividedRun(question, question.ranks, task);
  if (!divided) return tl::unexpected(divided.error());
  const auto twice = dividedRun(question, 2 * question.ranks, task);
  if (!twice) return tl::unexpected(twice.error());
  const auto alone = dividedRun(question, 1, task);
  if (!alone) return tl::unexpected(alone.error());
  const std::vector<RankStats>& ranks = divided->stats.ranks;
  const auto [least, most] = std::minmax_element(
      ranks.begin(), ranks.end(),
      [](const RankStats& a, const RankStats& b) { return a.points < b.points; });
  const auto all = static_cast<double>(question.shown.cloud->size());
  common["ranks"] = question.ranks;
  common["smallest-block"] = ranks.empty() ? all : static_cast<double>(least->points);
  common["largest-block"] = ranks.empty() ? all : static_cast<double>(most->points);
  common["ghosts"] = ghostsOf(divided->stats);
  common["twice-ghosts"] = ghostsOf(twice->stats);
  common["clusters"] = divided->clusters;
  common["noise"] = static_cast<double>(divided->noiseCount) / all;
  common["split-clusters"] = splitClusters(*divided);
  common["other-labels"] = static_cast<double>(
      std::inner_product(divided->labels.begin(), divided->labels.end(), alone->labels.begin(),
                         std::size_t{0}, std::plus<>(), std::not_equal_to<>()));
  return {};
}

/// Adds what the reachability plot shows at ε.
Result<void> addReachabilityFacts(const Hierarchy& hierarchy, double eps, FactValues& common,
                                  const Task& task) {
  const auto clustering = hierarchy.labels(eps);
  if (!clustering) return tl::unexpected(clustering.error());
  const auto plot = reachabilityOf(hierarchy.dendrogram(), task);
  if (!plot) return tl::unexpected(plot.error());
  common["noise-points"] = static_cast<double>(clustering->noiseCount);
  common["border-points"] = static_cast<double>(clustering->borderCount);
  common["bars-above"] = static_cast<double>(
      std::count_if(plot->squaredHeight.begin(), plot->squaredHeight.end(),
                    [squared = eps * eps](double height) { return height > squared; }));
  return {};
}

/// Adds what the hierarchy of the cloud says of the ε on show, and of all others.
Result<void> addHierarchyFacts(const FactQuestion& question, FactValues& common, const Task& task) {
  const PointCloud& cloud = *question.shown.cloud;
  const auto hierarchy = Hierarchy::build(cloud, {.minPts = question.minPts}, task);
  if (!hierarchy) return tl::unexpected(hierarchy.error());
  const auto curve = epsCurve(*hierarchy, task);
  if (!curve) return tl::unexpected(curve.error());
  const auto n = static_cast<double>(cloud.size());
  const EpsAdvice advice = adviceAt(*curve, cloud.size(), question.shown.eps);
  common["clusters"] = advice.clusters;
  common["noise"] = advice.noise / n;
  common["largest-cluster"] = advice.largest / n;
  if (auto added = addReachabilityFacts(*hierarchy, question.shown.eps, common, task); !added)
    return added;
  common["range-from"] = advice.from;
  common["range-to"] = advice.to;
  common["clusters-below"] = advice.below;
  common["clusters-above"] = advice.above;
  const auto stable = longestPlateaus(*curve, 1);
  common["stable-clusters"] = stable.empty() ? 0 : stable.front().clusters;
  common["stable-from"] = stable.empty() ? 0 : stable.front().from;
  common["stable-to"] = stable.empty() ? 0 : stable.front().to;
  const auto most = std::max_element(curve->clusters.begin(), curve->clusters.end());
  common["most-clusters"] = most == curve->clusters.end() ? 0 : *most;

  HdbscanOptions options;
  options.minClusterSize =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(question.minPts, 2, kMaxPoints));
  const auto tree = condense(hierarchy->dendrogram(), options.minClusterSize, task);
  if (!tree) return tl::unexpected(tree.error());
  const FlatClusters flat = takeClusters(*tree, options);
  common["tree-clusters"] = static_cast<double>(tree->clusters.size() - 1);
  common["hdbscan-clusters"] = static_cast<double>(flat.taken.size());
  common["hdbscan-noise"] =
      static_cast<double>(std::count(flat.labels.begin(), flat.labels.end(), kNoise)) / n;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0;
  for (const std::int32_t c : flat.taken) {
    const CondensedCluster& cluster = tree->clusters[static_cast<std::size_t>(c)];
    lowest = std::min(lowest, 1 / cluster.birth);
    highest = std::max(highest, 1 / cluster.birth);
  }
  common["densest-birth"] = flat.taken.empty() ? 0 : lowest;
  common["sparsest-birth"] = highest;
  return {};
}

Result<LoadFacts> loadFacts(const LoadQuestion& asked, std::span<const LoadFacts> known,
                            const Task& task) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const LoadFacts& load) { return load.asked == asked; });
  if (found != known.end()) return *found;
  const auto model =
      LoadModel::make(*asked.cloud, asked.eps, asked.strategy, asked.kernel, asked.machine, task);
  if (!model) return tl::unexpected(model.error());
  auto report =
      model->report({.kernel = asked.kernel}, weightsOn(asked.machine, asked.kernel), task);
  if (!report) return tl::unexpected(report.error());
  FactValues values = factsOf(*model, *report);
  return LoadFacts{asked, std::move(values),
                   std::make_shared<const LoadReport>(std::move(*report))};
}

/// The figures that a GPU measured.
FactValues measuredFacts(const LoadReport& report) {
  FactValues facts;
  double busy = 0;
  for (const WarpLoad& warp : report.warps) busy += warp.end - warp.start;
  facts["measured-wee"] = report.wee;
  facts["measured-time"] = milliseconds(report.makespan);
  const double cost = weighted(report.steps, report.weights);
  if (cost > 0) facts["measured-step-time"] = 1e9 * busy / cost;
  for (const KernelStats& kernel : report.stats.kernels) {
    if (!kernel.name.starts_with("measured")) continue;
    facts["measured-registers"] = kernel.registers;
    facts["measured-occupancy"] = kernel.occupancy;
  }
  return facts;
}

/// Adds the figures that the GPU measures for the strategies in `measured`.
void addMeasuredFacts(const FactQuestion& question, const Backend& gpu, FactTable& table,
                      const Task& task) {
  if (!backendKind(gpu.limits().name).measuresLoad) return;
  for (const QString& name : question.measured) {
    const auto compared = question.compared.find(name);
    const Strategy& strategy =
        compared == question.compared.end() ? question.shown.strategy : compared->second;
    LoadRequest request;
    request.kernel = question.shown.kernel;
    request.machine = question.shown.machine;
    const auto report = gpu.load(*question.shown.cloud, question.shown.eps,
                                 ofOneProcessor(strategy), request, task);
    if (report && report->measured) table[name].merge(measuredFacts(*report));
  }
}

std::int64_t chosenWarp(const LoadReport& report, LessonWarp which) {
  const auto& warps = report.warps;
  if (warps.empty() || which == LessonWarp::None) return -1;
  std::vector<std::size_t> places(warps.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto byEfficiency = [&](std::size_t a, std::size_t b) {
    const double ea = efficiencyOf(warps[a], report.weights);
    const double eb = efficiencyOf(warps[b], report.weights);
    return ea != eb ? ea < eb : a < b;
  };
  std::size_t place = 0;
  switch (which) {
    case LessonWarp::None:
    case LessonWarp::First: break;
    case LessonWarp::Middle: {
      const auto middle = places.begin() + std::ptrdiff_t(places.size() / 2);
      std::nth_element(places.begin(), middle, places.end(), byEfficiency);
      place = *middle;
      break;
    }
    case LessonWarp::Longest:
      place = *std::max_element(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return weighted(warps[a].steps, report.weights) < weighted(warps[b].steps, report.weights);
      });
      break;
    case LessonWarp::LeastEfficient:
      place = *std::min_element(places.begin(), places.end(), byEfficiency);
      break;
  }
  return warps[place].number;
}

}  // namespace

std::optional<LoadFacts> factsOf(const LoadResult& load) {
  if (load.report->measured || load.asked.unweighted) return std::nullopt;
  return LoadFacts{load.asked, factsOf(load.model, *load.report), load.report};
}

bool isMeasured(const FactTable& facts) {
  return std::any_of(facts.begin(), facts.end(), [](const auto& ofStrategy) {
    return ofStrategy.second.contains("measured-wee");
  });
}

Result<LessonFacts> factsOf(const FactQuestion& question, const Task& task,
                            std::span<const LoadFacts> known, const Backend* gpu) {
  LessonFacts facts;
  std::map<QString, Strategy> strategies = question.compared;
  strategies[QString()] = question.shown.strategy;
  FactValues common;
  common["points"] = static_cast<double>(question.shown.cloud->size());
  common["eps"] = question.shown.eps;
  common["min-pts"] = static_cast<double>(question.minPts);
  for (const auto& [name, strategy] : strategies) {
    LoadQuestion asked = question.shown;
    asked.strategy = ofOneProcessor(strategy);
    auto load = loadFacts(asked, known, task);
    if (!load) return tl::unexpected(load.error());
    facts.table[name] = load->values;
    if (name.isEmpty()) {
      common["candidates"] = static_cast<double>(load->report->candidates);
      common["pairs"] = static_cast<double>(load->report->pairs);
      facts.warp = chosenWarp(*load->report, question.warp);
      facts.report = load->report;
    }
    facts.loads.push_back(std::move(*load));
  }
  if (question.shared) {
    if (auto added = addSharedFacts(question, facts.table, common, task); !added)
      return tl::unexpected(added.error());
  }
  if (question.ranks > 0) {
    if (auto added = addRankFacts(question, common, task); !added)
      return tl::unexpected(added.error());
  }
  if (question.everyEps) {
    if (auto added = addHierarchyFacts(question, common, task); !added)
      return tl::unexpected(added.error());
  }
  facts.table[QString()].merge(common);
  if (gpu != nullptr) addMeasuredFacts(question, *gpu, facts.table, task);
  if (task.cancelled()) return cancelledError();
  return facts;
}

FactTable withPickedWarp(const LessonFacts& facts, std::int64_t warp) {
  FactTable table = facts.table;
  if (!facts.report) return table;
  const auto& warps = facts.report->warps;
  const auto found = std::find_if(warps.begin(), warps.end(),
                                  [&](const WarpLoad& load) { return load.number == warp; });
  if (found == warps.end()) return table;
  FactValues& values = table[QString()];
  values["warp"] = static_cast<double>(found->number);
  values["warp-wee"] = efficiencyOf(*found, facts.report->weights);
  values["warp-unweighted-wee"] = efficiencyOf(*found, LoopWeights{});
  values["warp-candidate-steps"] =
      static_cast<double>(found->steps[static_cast<std::size_t>(Loop::Candidate)]);
  values["warp-steps"] = all(found->steps);
  values["warp-cost"] = weighted(found->steps, facts.report->weights);
  values["warp-idle"] = WarpTrace::kLanes * all(found->steps) - all(found->laneSteps);
  values["warp-longest-lane"] = static_cast<double>(found->longestLane);
  values["warp-shortest-lane"] = static_cast<double>(found->shortestLane);
  return table;
}

Result<std::vector<QStringList>> falseClaims(const Lesson& lesson, const Task& task) {
  std::vector<QStringList> wrong(lesson.steps.size());
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    const LessonStep& step = lesson.steps[i];
    if (step.claims.empty()) continue;
    auto made = generate(step.setup.cloud, task);
    if (!made) return tl::unexpected(made.error());
    const auto cloud = std::make_shared<const PointCloud>(std::move(made->cloud));
    const auto facts = factsOf(questionOf(lesson, step, cloud), task);
    if (!facts) return tl::unexpected(facts.error());
    const FactTable table = withPickedWarp(*facts, facts->warp);
    for (const Claim& claim : step.claims)
      if (!claim.holds(table)) wrong[i] << claim.text();
  }
  return wrong;
}

FactQuestion questionOf(const Lesson& lesson, const LessonStep& step,
                        const std::shared_ptr<const PointCloud>& cloud) {
  FactQuestion question;
  question.shown.cloud = cloud;
  question.shown.eps = step.setup.eps;
  const Strategy strategy = asJoin(lesson.strategies.at(step.setup.strategy));
  question.shown.strategy = ofOneProcessor(strategy);
  if (isOfBoth(step.setup.chart)) question.shared = SharedQuestion{strategy, *step.setup.sides};
  if (step.setup.chart == LessonChart::Ranks) question.ranks = step.setup.ranks;
  question.everyEps = isOfEveryEps(step.setup.chart);
  question.shown.kernel = step.setup.kernel;
  question.shown.machine = step.setup.machine;
  question.minPts = step.setup.minPts;
  question.warp = step.setup.warp;
  for (const QString& name : step.comparedStrategies())
    question.compared[name] = asJoin(lesson.strategies.at(name));
  return question;
}

}  // namespace clusterloom
