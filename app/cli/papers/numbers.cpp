#include "app/cli/papers/numbers.h"

#include <tbb/info.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/papers/asked.h"
#include "app/cli/papers/device_numbers.h"
#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/core/number_text.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/ring_join.h"
#include "engine/distributed/selection.h"
#include "engine/join/backend_kinds.h"
#include "engine/join/batch_model.h"
#include "engine/join/cost_of_k.h"
#include "engine/load/load_model.h"

namespace clusterloom::cli {

namespace {

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

Result<NeighbourCounts> countedBy(const Asked& asked, const Strategy& strategy) {
  const auto runner = runnerOf(asked, strategy);
  if (!runner) return tl::unexpected(runner.error());
  return runner->backend->count(asked.cloud(), asked.eps, runner->strategy, asked.task);
}

Result<MadeNumber> candidates(const Asked& asked) {
  const Strategy strategy = asked.strategy();
  if (strategy.method != Method::Grid) {
    const auto counts = countedBy(asked, strategy);
    if (!counts) return tl::unexpected(counts.error());
    return only(double(counts->candidates) / asked.points());
  }
  const auto report = loadOf(asked, strategy, 1);  // exact with any sample
  if (!report) return tl::unexpected(report.error());
  return only(double(report->candidates) / asked.points());
}

Result<MadeNumber> selectivity(const Asked& asked) {
  const auto counts = countedBy(asked, {});
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
  if (!made.sampled || made.sampledEps != asked.eps) {
    auto sampled = sampleQueries(made.cloud, asked.eps, strategy, asked.task);
    if (!sampled) return tl::unexpected(sampled.error());
    made.sampled = std::move(*sampled);
    made.sampledEps = asked.eps;
  }
  // As in [Gallet 2020, §5.3].
  strategy.cpuBatch = std::uint32_t(asked.scaled(1024));
  strategy.batchPairs = asked.scaled(5e7);
  const ModelledSides sides{.gpu = {.lanes = 3, .candidatesPerSecond = asked.value.gpuRate},
                            .cpu = {.lanes = 32, .candidatesPerSecond = asked.value.cpuRate}};
  return modelDivision(*made.sampled, strategy, sides);
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
  return only(double(asked.made.sampled->queries.candidatesBefore.back()) / pass->end() / together);
}

/// Candidates of each of `sets` query sets: single queries, dealt in turn.
Result<std::vector<double>> querySets(const Asked& asked, std::size_t sets) {
  const auto model = LoadModel::make(asked.cloud(), asked.eps, asked.strategy(), LoadKernel::Counts,
                                     {}, asked.task);
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

/// A measured number, and the device that measured it.
Result<MadeNumber> measured(double number, const Backend& backend) {
  return MadeNumber{0, number, 0, backend.describe()};
}

/// The time of counting by `before`, with its index or as the paper takes it, over that by `after`.
Result<MadeNumber> countGain(const Asked& asked, const Strategy& before, bool withIndex,
                             const Strategy& after) {
  // First, because `before` may take hours and `after` need what is not here.
  const auto runner = runnerOf(asked, after);
  if (!runner) return tl::unexpected(runner.error());
  const auto slower = countedBy(asked, before);
  if (!slower) return tl::unexpected(slower.error());
  const auto faster =
      runner->backend->count(asked.cloud(), asked.eps, runner->strategy, asked.task);
  if (!faster) return tl::unexpected(faster.error());
  const double seconds = withIndex ? slower->stats.seconds.total : asked.seconds(slower->stats);
  return measured(seconds / asked.seconds(faster->stats), *runner->backend);
}

/// The grid's time without its index, Super-EGO's with its sort.
Result<MadeNumber> joinOverEgo(const Asked& asked) {
  const Strategy strategy = asked.strategy();
  return countGain(asked, {.method = Method::SuperEgo, .precision = strategy.precision}, true,
                   strategy);
}

/// Super-EGO with 32 bits, as the paper runs it.
Result<NeighbourCounts> egoOn(const Asked& asked, const Backend& cpu) {
  return cpu.count(asked.cloud(), asked.eps,
                   {.method = Method::SuperEgo, .precision = Precision::Single}, asked.task);
}

/// The time of its join, without the sort, on one thread over that on `size` of them.
Result<MadeNumber> egoThreads(const Asked& asked) {
  const int threads = int(asked.value.size);
  const int most = asked.threads > 0 ? asked.threads : tbb::info::default_concurrency();
  if (threads > most)
    return unavailable("This process has " + countedText(std::uint64_t(most), "thread") +
                       "; --threads asks for more.");
  MadeCloud& made = asked.made;
  if (made.oneThread <= 0 || made.oneThreadEps != asked.eps) {
    const auto one = makeBackend(std::string(kCpuBackend), {.threads = 1});
    if (!one) return tl::unexpected(one.error());
    const auto counts = egoOn(asked, **one);
    if (!counts) return tl::unexpected(counts.error());
    made.oneThread = counts->stats.seconds.join;
    made.oneThreadEps = asked.eps;
  }
  const auto several = makeBackend(std::string(kCpuBackend), {.threads = threads});
  if (!several) return tl::unexpected(several.error());
  if (threads == 1) return measured(1, **several);
  const auto counts = egoOn(asked, **several);
  if (!counts) return tl::unexpected(counts.error());
  return measured(made.oneThread / counts->stats.seconds.join, **several);
}

Result<MadeNumber> joinOverTree(const Asked& asked) {
  return countGain(asked, asked.strategy("R-tree"), false, asked.strategy());
}

Result<MadeNumber> dynGain(const Asked& asked) {
  return countGain(asked, asked.strategy(), false, asked.strategy("HEGJoin-Dyn"));
}

Result<MadeNumber> secondsWith(const Asked& asked, const Strategy& strategy) {
  const auto run = pairRun(asked, strategy);
  if (!run) return tl::unexpected(run.error());
  return MadeNumber{0, asked.seconds(run->stats), 0, run->by};
}

/// Copies of several streams at once count as if none did, as in [Gallet 2020, table 5].
Result<MadeNumber> transfers(const Asked& asked) {
  const auto run = pairRun(asked, asked.strategy());
  if (!run) return tl::unexpected(run.error());
  double copies = 0;
  double seconds = asked.seconds(run->stats);
  for (const SharedPass& pass : run->stats.passes) {
    if (pass.stage == "counting") {  // the paper estimates
      seconds -= pass.end();
      continue;
    }
    for (const SharedBatch& batch : pass.batches) copies += batch.transfer;
  }
  return MadeNumber{0, copies / seconds, 0, run->by};
}

Result<MadeNumber> ringTime(const Asked& asked) {
  double seconds = 0;
  const auto done =
      runLocalRanks(int(asked.value.size), asked.task,
                    [&](Communicator& communicator, const Task& task) -> Result<void> {
                      const auto rank = std::uint64_t(communicator.rank());
                      const PointCloud part =
                          selectionOf(asked.cloud(), rank, std::uint64_t(communicator.size()));
                      const auto took = ringSeconds(communicator, part, asked.cloud().size(), task);
                      if (!took) return tl::unexpected(took.error());
                      if (rank == 0) seconds = *took;
                      return {};
                    });
  if (!done) return tl::unexpected(done.error());
  return MadeNumber{0, seconds, 0, "ranks in this program, which copy in memory"};
}

Result<MadeNumber> seconds(const Asked& asked) {
  Strategy strategy = asked.strategy();
  if (asked.value.size > 0) strategy.batchPairs = asked.scaled(asked.value.size);
  return secondsWith(asked, strategy);
}

Result<MadeNumber> secondsOfK(const Asked& asked) {
  Strategy strategy = asked.strategy();
  strategy.indexedDims = int(asked.value.size);
  return secondsWith(asked, strategy);
}

Result<MadeNumber> countSeconds(const Asked& asked) {
  const auto runner = runnerOf(asked, asked.strategy());
  if (!runner) return tl::unexpected(runner.error());
  const auto counts =
      runner->backend->count(asked.cloud(), asked.eps, runner->strategy, asked.task);
  if (!counts) return tl::unexpected(counts.error());
  return measured(asked.seconds(counts->stats), *runner->backend);
}

/// What counting by one processor takes at an ε, without the index; measured once for each ε.
Result<double> secondsAlone(const Asked& asked, const std::string& strategy, double eps) {
  auto& seconds = asked.made.secondsAlone;
  if (const auto known = seconds.find({strategy, eps}); known != seconds.end())
    return known->second;
  const auto runner = runnerOf(asked, asked.strategy(strategy.c_str()));
  if (!runner) return tl::unexpected(runner.error());
  double last = 0;
  // A GPU's first join loads its kernels.
  for (int runs = runner->backend->name() == kCpuBackend ? 1 : 2; runs > 0; --runs) {
    const auto counts = runner->backend->count(asked.cloud(), eps, runner->strategy, asked.task);
    if (!counts) return tl::unexpected(counts.error());
    last = counts->stats.seconds.join;
  }
  return seconds[{strategy, eps}] = last;
}

/// The time that the volume model expects [Gallet 2020, eq. 1 to 3] over what counting takes: of a
/// division by both processors, else of one of them alone. Like the model without the index. The
/// model starts from joins of all queries at the reference ε, as in the paper; a division takes its
/// shares from a sample at the ε itself.
Result<MadeNumber> modelRatio(const Asked& asked) {
  const Strategy strategy = asked.strategy();
  const bool shared = strategy.division != Division::Adaptive;
  const double reference = epsOfSameSelectivity(asked.value.size, asked.made.paperPoints,
                                                asked.cloud().size(), asked.cloud().dims());
  const double volume = workloadRatio(reference, asked.eps, int(asked.cloud().dims()));
  // Without a GPU there is nothing to model.
  const auto both = runnerOf(asked, shared ? strategy : asked.strategy("HEGJoin-SC"));
  if (!both) return tl::unexpected(both.error());
  if (!shared) {
    const auto modelled = secondsAlone(asked, asked.value.strategy, reference);
    if (!modelled) return tl::unexpected(modelled.error());
    const auto measuredOne = secondsAlone(asked, asked.value.strategy, asked.eps);
    if (!measuredOne) return tl::unexpected(measuredOne.error());
    const auto alone = runnerOf(asked, strategy);
    if (!alone) return tl::unexpected(alone.error());
    return measured(*modelled * volume / *measuredOne, *alone->backend);
  }
  const auto gpu = secondsAlone(asked, "WORKQUEUE", reference);
  if (!gpu) return tl::unexpected(gpu.error());
  const auto cpu = secondsAlone(asked, "New-Super-EGO", reference);
  if (!cpu) return tl::unexpected(cpu.error());
  const auto counts = both->backend->count(asked.cloud(), asked.eps, both->strategy, asked.task);
  if (!counts) return tl::unexpected(counts.error());
  const auto& passes = counts->stats.passes;
  if (passes.empty() || !passes.front().forecast)
    return unavailable("The join was not shared by both processors.");
  const double together = volume / (1 / *gpu + 1 / *cpu);
  return measured(together / passes.front().end(), *both->backend);
}

/// The time of `before` over that of the value's strategy.
Result<MadeNumber> gainOver(const Asked& asked, const Strategy& before) {
  const auto first = secondsWith(asked, before);
  if (!first) return first;
  auto second = secondsWith(asked, asked.strategy());
  if (second) second->number = first->number / second->number;
  return second;
}

Result<MadeNumber> unicompGain(const Asked& asked) {
  Strategy before = asked.strategy();
  before.pattern = AccessPattern::Full;
  return gainOver(asked, before);
}

Result<MadeNumber> singleGain(const Asked& asked) {
  Strategy before = asked.strategy();
  before.precision = Precision::Double;
  return gainOver(asked, before);
}

/// Each set, which has every `size`-th point, is joined with the whole cloud.
Result<MadeNumber> setSeconds(const Asked& asked) {
  const auto runner = runnerOf(asked, asked.strategy());
  if (!runner) return tl::unexpected(runner.error());
  const auto sets = std::uint32_t(asked.value.size);
  const auto n = std::uint32_t(asked.cloud().size());
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::uint32_t set = 0; set < sets; ++set) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t point = set; point < n; point += sets) ids.push_back(point);
    const PointCloud queries = pointsOf(asked.cloud(), ids);
    const auto counts = runner->backend->count(JoinInput(queries, asked.cloud()), asked.eps,
                                               runner->strategy, asked.task);
    if (!counts) return tl::unexpected(counts.error());
    least = std::min(least, asked.seconds(counts->stats));
    most = std::max(most, asked.seconds(counts->stats));
  }
  return measured(most / least, *runner->backend);
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
    {PaperFigure::JoinOverEgo, {"speed_up", "here, measured"}, joinOverEgo},
    {PaperFigure::EgoThreads, {"speed_up", "here, measured", false, "threads"}, egoThreads},
    {PaperFigure::JoinOverTree, {"speed_up", "here, measured"}, joinOverTree},
    {PaperFigure::DynGain, {"speed_up", "here, measured"}, dynGain},
    {PaperFigure::Seconds, {"seconds", "here, measured", false, "b_s"}, seconds},
    {PaperFigure::SecondsOfK, {"seconds", "here, measured", false, "k"}, secondsOfK},
    {PaperFigure::CountSeconds, {"seconds", "here, measured"}, countSeconds},
    {PaperFigure::UnicompGain, {"speed_up", "here, measured"}, unicompGain},
    {PaperFigure::SingleGain, {"speed_up", "here, measured"}, singleGain},
    {PaperFigure::SetSeconds,
     {"longest_over_shortest", "here, measured", false, "sets"},
     setSeconds},
    {PaperFigure::HostShare, {"host_share", "here, measured", true}, hostShare},
    {PaperFigure::ModelledBatch, {"batch_size", "here, modelled"}, modelledBatch},
    {PaperFigure::FastestBatch, {"batch_size", "here, measured"}, fastestBatch},
    {PaperFigure::Occupancy, {"occupancy", "here, theoretical", true, "b_s"}, occupancy},
    {PaperFigure::Transfers, {"transfer_share", "here, measured", true}, transfers},
    {PaperFigure::ModelRatio,
     {"modelled_over_measured", "here, modelled over measured"},
     modelRatio},
    {PaperFigure::RingSeconds, {"seconds", "here, measured", false, "ranks"}, ringTime},
    {PaperFigure::DbscanSeconds, {"seconds", "here, measured"}, dbscanSeconds},
    {PaperFigure::KernelSeconds, {"seconds", "here, measured", false, "table"}, kernelSeconds},
    {PaperFigure::KernelRegisters, {"registers", "here", false, "table"}, kernelRegisters},
    {PaperFigure::KernelOccupancy,
     {"occupancy", "here, theoretical", true, "table"},
     kernelOccupancy},
};

const Maker& makerOf(PaperFigure figure) {
  return *std::find_if(std::begin(kMakers), std::end(kMakers),
                       [&](const Maker& maker) { return maker.figure == figure; });
}

}  // namespace

PaperQuantity quantityOf(PaperFigure figure) { return makerOf(figure).quantity; }

Result<MadeNumber> makeNumber(const Paper& paper, const PaperItem& item, const PaperValue& value,
                              MadeCloud& made, std::size_t sampleWarps, int threads,
                              const Task& task) {
  const double eps =
      epsOfSameSelectivity(value.eps, made.paperPoints, made.cloud.size(), made.cloud.dims());
  auto number =
      makerOf(item.figure).make({paper, item, value, made, eps, sampleWarps, threads, task});
  if (!number &&
      (number.error().kind == ErrorKind::Unavailable || number.error().kind == ErrorKind::TooLarge))
    number = MadeNumber{.number = std::numeric_limits<double>::quiet_NaN(),
                        .missing = number.error().message};
  if (number) number->eps = eps;
  return number;
}

}  // namespace clusterloom::cli
