#include "engine/hybrid/model_division.h"

#include <algorithm>
#include <utility>

#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/hybrid/cpu_side.h"
#include "engine/hybrid/shared_join.h"
#include "engine/hybrid/shares.h"
#include "engine/join/backend_kinds.h"

namespace clusterloom {
namespace {

constexpr BackendLimits kModelledLimits{
    .name = kSharingBackend, .singlePrecision = true, .hybrid = true};

// Queries of a batch that is timed: enough batches to tell queries from candidates.
std::uint32_t timedBatch(std::size_t queries) {
  constexpr std::size_t kBatches = 128;
  constexpr std::size_t kLeast = 16;
  return std::uint32_t(std::clamp<std::size_t>(queries / kBatches, kLeast, kCpuBatch));
}

// A device that leaves everything to the CPU.
class NoDevice final : public SharedDevice {
 public:
  std::string describe() const override { return "no device"; }
  Result<std::unique_ptr<DeviceRun>> begin(const SharedWork& /*work*/,
                                           const Task& /*task*/) const override {
    return unavailable("There is no device.");
  }
};

// The options of a strategy that decide about queries, candidates and the CPU's speed.
Strategy countingStrategy(const Strategy& strategy) {
  const bool shareable = strategy.method == Method::Grid && !isHalf(strategy.pattern);
  Strategy counting;
  counting.order = QueryOrder::WorkQueue;
  counting.pattern = shareable ? strategy.pattern : AccessPattern::Full;
  counting.indexedDims = strategy.indexedDims;
  counting.cpuMethod = strategy.cpuMethod;
  if (strategy.method != Method::Grid) return counting;
  counting.reorder = strategy.reorder;
  counting.sortIdu = strategy.sortIdu;
  counting.shortCircuit = strategy.shortCircuit;
  return counting;
}

MakeCpuSide sideOf(const JoinPlan& plan) {
  return plan.strategy.cpuMethod == CpuMethod::Grid ? makeGridSide : makeEgoSide;
}

}  // namespace

Result<TimedQueries> timeQueries(const PointCloud& cloud, double eps, const Strategy& strategy,
                                 int threads, const Task& task) {
  const JoinInput input(cloud);
  const auto plan =
      planJoin(input, eps, countingStrategy(strategy), SinkKind::Counts, kModelledLimits, task);
  if (!plan) return tl::unexpected(plan.error());
  const NoDevice device;
  const SharedSetup setup{.device = device,
                          .makeCpuSide = sideOf(*plan),
                          .threads = std::max(1, threads),
                          .division = Division::Dyn,
                          .cpuBatch = timedBatch(cloud.size())};
  const SharedWork work{input, eps, *plan};
  SharedJoin join(setup, work, task);
  task.report("index", 0);
  if (auto ready = join.prepare(); !ready) return tl::unexpected(ready.error());
  TimedQueries timed;
  timed.neighbours.counts.resize(join.size());
  JoinSink sink(timed.neighbours.counts);
  const auto pass = join.pass({.stage = "counting"}, sink);
  if (!pass) return tl::unexpected(pass.error());
  timed.queries = join.queries();
  timed.cpu = fittedSide(*pass, Processor::Cpu);
  timed.cpu.lanes = setup.threads;
  return timed;
}

Result<TimedQueries> sampleQueries(const PointCloud& cloud, double eps, const Strategy& strategy,
                                   const Task& task) {
  const JoinInput input(cloud);
  const auto plan =
      planJoin(input, eps, countingStrategy(strategy), SinkKind::Counts, kModelledLimits, task);
  if (!plan) return tl::unexpected(plan.error());
  const SharedWork work{input, eps, *plan};
  auto order = orderByGrid(work, task);
  if (!order) return tl::unexpected(order.error());
  const auto side = sideOf(*plan)(work, task);
  if (!side) return tl::unexpected(side.error());
  TimedQueries sampled{.queries = std::move(*order), .neighbours = {}, .cpu = {}};
  const std::uint32_t n = sampled.queries.size();
  sampled.neighbours.step = neighbourSampleStep(n);
  sampled.neighbours.counts.resize((n + sampled.neighbours.step - 1) / sampled.neighbours.step);
  SharedProgress progress(task, "counting", sampled.neighbours.counts.size());
  parallelForBlocks(
      sampled.neighbours.counts.size(), 16, task, [&](std::size_t begin, std::size_t end) {
        const auto worker = (*side)->worker();
        for (std::size_t s = begin; s < end; ++s)
          sampled.neighbours.counts[s] = worker->count(
              (*sampled.queries.points)[s * sampled.neighbours.step], ~std::uint32_t{0});
        progress.add(end - begin);
      });
  if (task.cancelled()) return cancelledError();
  return sampled;
}

SharedPass modelDivision(const TimedQueries& timed, const Strategy& strategy,
                         const ModelledSides& sides) {
  const OrderedQueries& queries = timed.queries;
  const std::uint32_t n = queries.size();
  const auto streams = std::uint32_t(std::max(0, sides.gpu.lanes));
  const std::uint64_t pairs = strategy.batchPairs > 0 ? strategy.batchPairs : kSharedBatchPairs;
  DivisionPlan plan{.division = strategy.division, .cuts = {0, n}};
  if (strategy.cpuBatch > 0) plan.cpuBatch = strategy.cpuBatch;
  if (plan.division == Division::Dyn) {
    plan.cuts = cutBatches(timed.neighbours, n, pairs, 2 * streams);
  } else if (isStatic(plan.division)) {
    const double share =
        gpuShare(secondsAlone(sides.cpu, queries), secondsAlone(sides.gpu, queries));
    const std::uint32_t boundary = plan.division == Division::Queries
                                       ? boundaryByQueries(n, share)
                                       : boundaryByCandidates(queries, share);
    plan.cuts = cutBatches(timed.neighbours, boundary, pairs, streams);
  }
  SharedPass pass = simulateDivision(queries, std::move(plan), sides.gpu, sides.cpu);
  pass.division = toText(strategy.division);
  return pass;
}

SideModel fittedSide(const SharedPass& pass, Processor processor) {
  SideModel side{.lanes = 0};
  // Of relative errors: each batch is divided by its time.
  double qq = 0, qc = 0, cc = 0, q1 = 0, c1 = 0;
  double queries = 0, candidates = 0, seconds = 0;
  for (const SharedBatch& batch : pass.batches) {
    if (batch.processor != processor) continue;
    side.lanes = std::max(side.lanes, batch.lane + 1);
    const double t = batch.end - batch.start;
    if (!(t > 0)) continue;
    const double q = batch.queries / t;
    const double c = double(batch.candidates) / t;
    qq += q * q;
    qc += q * c;
    cc += c * c;
    q1 += q;
    c1 += c;
    queries += batch.queries;
    candidates += double(batch.candidates);
    seconds += t;
  }
  if (!(seconds > 0)) return side;
  double perQuery = 0;
  double perCandidate = candidates > 0 ? c1 / cc : 0;
  constexpr double kSingular = 1e-9;  // all batches have the same workload
  if (const double determinant = qq * cc - qc * qc; determinant > kSingular * qq * cc) {
    perQuery = (q1 * cc - c1 * qc) / determinant;
    perCandidate = (c1 * qq - q1 * qc) / determinant;
    if (perQuery < 0) {
      perQuery = 0;
      perCandidate = c1 / cc;
    } else if (perCandidate < 0) {
      perCandidate = 0;
      perQuery = q1 / qq;
    }
  } else if (perCandidate == 0) {
    perQuery = q1 / qq;
  }
  const double scale = seconds / (perQuery * queries + perCandidate * candidates);
  if (perQuery > 0) side.queriesPerSecond = side.lanes / (scale * perQuery);
  if (perCandidate > 0) side.candidatesPerSecond = side.lanes / (scale * perCandidate);
  return side;
}

}  // namespace clusterloom
