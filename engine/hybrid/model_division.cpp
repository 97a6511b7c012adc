#include "engine/hybrid/model_division.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/hybrid/shared_join.h"
#include "engine/hybrid/shares.h"

namespace clusterloom {
namespace {

constexpr BackendLimits kLimits{.name = "hybrid", .singlePrecision = true, .hybrid = true};

// A device that leaves everything to the CPU.
class NoDevice final : public SharedDevice {
 public:
  std::string describe() const override { return "no device"; }
  Result<std::unique_ptr<DeviceRun>> begin(const SharedWork& /*work*/,
                                           const Task& /*task*/) const override {
    return fail(ErrorKind::Unavailable, "There is no device.");
  }
};

// What of a strategy decides about queries, candidates and the CPU's speed.
Strategy countingStrategy(const Strategy& strategy) {
  Strategy counting;
  counting.order = QueryOrder::WorkQueue;
  counting.pattern = strategy.method == Method::Grid && !isHalf(strategy.pattern)
                         ? strategy.pattern
                         : AccessPattern::Full;
  counting.indexedDims = strategy.indexedDims;
  counting.cpuMethod = strategy.cpuMethod;
  counting.cpuBatch = strategy.cpuBatch;
  return counting;
}

}  // namespace

Result<TimedQueries> timeQueries(const PointCloud& cloud, double eps, const Strategy& strategy,
                                 int threads, const Task& task) {
  const auto plan =
      planJoin(JoinInput(cloud), eps, countingStrategy(strategy), SinkKind::Counts, kLimits, task);
  if (!plan) return tl::unexpected(plan.error());
  const NoDevice device;
  const SharedSetup setup{
      .device = device,
      .makeCpuSide = plan->strategy.cpuMethod == CpuMethod::Grid ? makeGridSide : makeEgoSide,
      .threads = std::max(1, threads),
      .division = Division::Dyn,
      .cpuBatch = plan->strategy.cpuBatch > 0 ? plan->strategy.cpuBatch : kCpuBatch};
  const JoinInput input(cloud);
  const SharedWork work{input, eps, *plan};
  SharedJoin join(setup, work, task);
  task.report("index", 0);
  if (auto ready = join.prepare(); !ready) return tl::unexpected(ready.error());
  TimedQueries timed;
  timed.queries = join.queries();
  timed.threads = setup.threads;
  timed.neighbours.counts.resize(timed.queries.size());
  JoinSink sink(timed.neighbours.counts);
  const auto pass = join.pass({.stage = "counting"}, sink);
  if (!pass) return tl::unexpected(pass.error());
  timed.candidatesPerSecond = candidatesPerSecond(*pass, Processor::Cpu);
  return timed;
}

SharedPass modelDivision(const TimedQueries& timed, const Strategy& strategy,
                         const ModelledSides& sides) {
  const OrderedQueries& queries = timed.queries;
  const std::uint32_t n = queries.size();
  const auto streams = static_cast<std::uint32_t>(std::max(0, sides.gpu.lanes));
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

double candidatesPerSecond(const SharedPass& pass, Processor processor) {
  std::set<int> lanes;
  std::uint64_t candidates = 0;
  double busy = 0;
  for (const SharedBatch& batch : pass.batches) {
    if (batch.processor != processor) continue;
    lanes.insert(batch.lane);
    candidates += batch.candidates;
    busy += batch.end - batch.start;
  }
  return busy > 0 ? static_cast<double>(candidates) * static_cast<double>(lanes.size()) / busy : 0;
}

}  // namespace clusterloom
