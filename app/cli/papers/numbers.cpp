#include "app/cli/papers/numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "app/cli/console.h"
#include "engine/backend.h"
#include "engine/cloud/paper_clouds.h"
#include "engine/join/cost_of_k.h"
#include "engine/join/strategy_options.h"
#include "engine/load/load_model.h"

namespace clusterloom::cli {

namespace {

/// A value with what it is made of.
struct Asked {
  const PaperItem& item;
  const PaperValue& value;
  MadeCloud& made;
  double eps;
  std::size_t sampleWarps;
  const Task& task;

  const PointCloud& cloud() const { return made.cloud; }
  double points() const { return double(cloud().size()); }
  /// The strategy of this name with k indexed dimensions, or as many as there may be.
  Strategy strategy(const char* name, double k = 0) const {
    Strategy named = strategyNamed(name);
    if (named.method == Method::Grid)
      named.indexedDims = int(std::min<std::uint64_t>(
          cloud().dims(), k > 0 ? std::uint64_t(k) : findStrategyOption("index-dims")->most));
    return named;
  }
  Strategy strategy() const { return strategy(value.strategy); }
  /// As many pairs or query points in the size of this cloud.
  std::uint64_t scaled(double size) const {
    return std::uint64_t(std::max(1.0, std::round(size * made.share())));
  }
};

Result<MadeNumber> only(double number) { return MadeNumber{0, number, 0}; }

/// The GPU of a table with as many slots for each warp as with the paper's points.
Result<SimtMachine> machineOf(const Asked& asked) {
  auto machine = machineFromText(asked.item.machine);
  if (!machine) return machine;
  const double slots = std::max(1.0, machine->warpSlots() * asked.made.share());
  machine->multiprocessors = std::max(1, int(slots / machine->warpsPerMultiprocessor));
  machine->warpsPerMultiprocessor =
      std::min(machine->warpsPerMultiprocessor, int(std::round(slots)));
  return machine;
}

Result<LoadReport> loadOf(const Asked& asked, const Strategy& strategy, std::size_t sampleWarps) {
  LoadRequest request;
  request.sampleWarps = sampleWarps;
  auto machine = machineOf(asked);
  if (!machine) return tl::unexpected(machine.error());
  request.machine = std::move(*machine);
  return modelLoad(asked.cloud(), asked.eps, strategy, request, asked.task);
}

Result<MadeNumber> wee(const Asked& asked) {
  const auto report = loadOf(asked, asked.strategy(), asked.sampleWarps);
  if (!report) return tl::unexpected(report.error());
  return MadeNumber{0, report->wee, report->weeError};
}

Result<MadeNumber> warpSpeedUp(const Asked& asked) {
  const auto before = loadOf(asked, asked.strategy("GPUCALCGLOBAL"), asked.sampleWarps);
  if (!before) return tl::unexpected(before.error());
  const auto after = loadOf(asked, asked.strategy(), asked.sampleWarps);
  if (!after) return tl::unexpected(after.error());
  return only(before->makespan / after->makespan);
}

Result<MadeNumber> batches(const Asked& asked) {
  Strategy strategy = asked.strategy();
  strategy.batchPairs = asked.scaled(asked.value.size);
  const auto report = loadOf(asked, strategy, 1);
  if (!report) return tl::unexpected(report.error());
  return only(double(report->stats.batches));
}

Result<NeighbourCounts> countedBy(const Asked& asked, const char* backend,
                                  const Strategy& strategy) {
  const auto made = makeBackend(backend, {});
  if (!made) return tl::unexpected(made.error());
  return (*made)->count(asked.cloud(), asked.eps, strategy, asked.task);
}

Result<MadeNumber> candidates(const Asked& asked) {
  const Strategy strategy = asked.strategy();
  if (strategy.method != Method::Grid) {
    const auto counts = countedBy(asked, "cpu", strategy);
    if (!counts) return tl::unexpected(counts.error());
    return only(double(counts->candidates) / asked.points());
  }
  const auto report = loadOf(asked, strategy, 1);  // exact with any sample
  if (!report) return tl::unexpected(report.error());
  return only(double(report->candidates) / asked.points());
}

Result<MadeNumber> selectivity(const Asked& asked) {
  const auto counts = countedBy(asked, "auto", {});
  if (!counts) return tl::unexpected(counts.error());
  return only((double(counts->pairs) - asked.points()) / asked.points());
}

Result<MadeNumber> coordinates(const Asked& asked) {
  Strategy strategy = asked.strategy();
  strategy.indexedDims = 0;
  const auto model = costOfK(asked.cloud(), asked.eps, strategy, asked.task);
  if (!model) return tl::unexpected(model.error());
  for (const CostOfK& cost : model->costs)
    if (cost.k == int(asked.value.size)) return only(cost.total() / asked.points());
  return badCall("There are fewer than " + shortNumber(asked.value.size) + " dimensions.");
}

/// How CPU and GPU share the join, at the speeds of the value.
Result<SharedPass> passOf(const Asked& asked) {
  Strategy strategy = asked.strategy();
  strategy.order = QueryOrder::WorkQueue;
  MadeCloud& made = asked.made;
  if (!made.timed || made.timedEps != asked.eps) {
    auto timed = timeQueries(made.cloud, asked.eps, strategy, 1, asked.task);
    if (!timed) return tl::unexpected(timed.error());
    made.timed = std::move(*timed);
    made.timedEps = asked.eps;
  }
  // As in [Gallet 2020, §5.3].
  strategy.cpuBatch = std::uint32_t(asked.scaled(1024));
  strategy.batchPairs = asked.scaled(5e7);
  const ModelledSides sides{.gpu = {.lanes = 3, .candidatesPerSecond = asked.value.gpuRate},
                            .cpu = {.lanes = 32, .candidatesPerSecond = asked.value.cpuRate}};
  return modelDivision(*made.timed, strategy, sides);
}

Result<MadeNumber> imbalance(const Asked& asked) {
  const auto pass = passOf(asked);
  if (!pass) return tl::unexpected(pass.error());
  return only(pass->imbalance);
}

Result<MadeNumber> throughput(const Asked& asked) {
  const auto pass = passOf(asked);
  if (!pass) return tl::unexpected(pass.error());
  const double together = asked.value.gpuRate + asked.value.cpuRate;
  return only(double(asked.made.timed->queries.candidatesBefore.back()) / pass->end() / together);
}

/// Candidates of each of so many query sets: single queries, dealt in turn.
Result<std::vector<double>> querySets(const Asked& asked, std::size_t sets) {
  const auto model =
      LoadModel::make(asked.cloud(), asked.eps, asked.strategy(asked.value.strategy, 6),
                      LoadKernel::Counts, {}, asked.task);
  if (!model) return tl::unexpected(model.error());
  std::vector<double> work(sets, 0);
  const GridIndex& index = model->index();
  const std::vector<std::uint32_t> cellOf = index.cellOfPosition();
  for (std::size_t at = 0; at < cellOf.size(); ++at)
    work[index.pointIds[at] % sets] += double(model->workloadOfCell()[cellOf[at]]);
  return work;
}

Result<MadeNumber> largestSet(const Asked& asked) {
  const auto work = querySets(asked, std::size_t(asked.value.size));
  if (!work) return tl::unexpected(work.error());
  const auto [least, most] = std::minmax_element(work->begin(), work->end());
  return only(*most / *least);
}

Result<MadeNumber> setsSpeedUp(const Asked& asked) {
  constexpr std::size_t kSets = 32;
  const auto work = querySets(asked, kSets);
  if (!work) return tl::unexpected(work.error());
  std::vector<double> gpus(std::size_t(asked.value.size), 0);
  double all = 0;
  for (std::size_t set = 0; set < kSets; ++set) {
    gpus[set % gpus.size()] += (*work)[set];
    all += (*work)[set];
  }
  return only(all / *std::max_element(gpus.begin(), gpus.end()));
}

Result<MadeNumber> joinOverEgo(const Asked& asked) {
  const auto ego = countedBy(asked, "cpu", {.method = Method::SuperEgo});
  if (!ego) return tl::unexpected(ego.error());
  const auto grid =
      countedBy(asked, "auto", asked.strategy(asked.value.strategy, asked.value.size));
  if (!grid) return tl::unexpected(grid.error());
  // The paper leaves out the time of the grid's index, but not that of Super-EGO's sort.
  return only(ego->stats.seconds.total / (grid->stats.seconds.total - grid->stats.seconds.index));
}

struct Maker {
  PaperFigure figure;
  PaperQuantity quantity;
  Result<MadeNumber> (*make)(const Asked&);
};

constexpr Maker kMakers[] = {
    {PaperFigure::Wee, {"wee", "here, modelled", true}, wee},
    {PaperFigure::WarpSpeedUp, {"speed_up", "here, modelled warps"}, warpSpeedUp},
    {PaperFigure::Candidates, {"candidates_per_point", "here, per point"}, candidates},
    {PaperFigure::Batches, {"batches", "here", false, "b_s"}, batches},
    {PaperFigure::Selectivity, {"neighbours_per_point", "here"}, selectivity},
    {PaperFigure::Coordinates,
     {"coordinates_per_point", "here, from a sample", false, "k"},
     coordinates},
    {PaperFigure::Imbalance, {"imbalance", "here, modelled", true}, imbalance},
    {PaperFigure::Throughput, {"share_of_throughput", "here, modelled", true}, throughput},
    {PaperFigure::QuerySets,
     {"largest_over_smallest", "here, in candidates", false, "sets"},
     largestSet},
    {PaperFigure::SetsSpeedUp, {"speed_up", "here, in candidates", false, "GPUs"}, setsSpeedUp},
    {PaperFigure::JoinOverEgo, {"speed_up", "here, measured", false, "k"}, joinOverEgo},
};

const Maker& makerOf(PaperFigure figure) {
  return *std::find_if(std::begin(kMakers), std::end(kMakers),
                       [&](const Maker& maker) { return maker.figure == figure; });
}

}  // namespace

PaperQuantity quantityOf(PaperFigure figure) { return makerOf(figure).quantity; }

Result<MadeNumber> makeNumber(const PaperItem& item, const PaperValue& value, MadeCloud& made,
                              std::size_t sampleWarps, const Task& task) {
  const double eps =
      epsOfSameSelectivity(value.eps, made.paperPoints, made.cloud.size(), made.cloud.dims());
  auto number = makerOf(item.figure).make({item, value, made, eps, sampleWarps, task});
  if (number) number->eps = eps;
  return number;
}

}  // namespace clusterloom::cli
