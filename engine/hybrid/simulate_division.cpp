#include "engine/hybrid/simulate_division.h"

#include <queue>
#include <tuple>

#include "engine/hybrid/shared_stats.h"
#include "engine/hybrid/shares.h"

namespace clusterloom {
namespace {

struct Lane {
  double freeAt;
  Processor processor;
  int number;
  TicketRange running;  // the batch that ends at freeAt; empty at first
  double since;

  friend bool operator>(const Lane& a, const Lane& b) {
    return std::tie(a.freeAt, a.processor, a.number) > std::tie(b.freeAt, b.processor, b.number);
  }
};

}  // namespace

double secondsOfBatch(const SideModel& side, std::uint64_t queries, std::uint64_t candidates) {
  double seconds = side.secondsPerBatch;
  if (side.queriesPerSecond > 0) seconds += side.lanes * double(queries) / side.queriesPerSecond;
  if (side.candidatesPerSecond > 0)
    seconds += side.lanes * double(candidates) / side.candidatesPerSecond;
  return seconds;
}

double secondsAlone(const SideModel& side, const OrderedQueries& queries) {
  SideModel all = side;
  all.lanes = 1;
  all.secondsPerBatch = 0;
  return secondsOfBatch(all, queries.size(), queries.candidatesBefore.back());
}

SharedPass simulateDivision(const OrderedQueries& queries, DivisionPlan plan, const SideModel& gpu,
                            const SideModel& cpu) {
  SharedPass pass;
  pass.stage = "modelled";
  plan.streams = pass.streams = gpu.lanes;
  plan.threads = pass.threads = cpu.lanes;
  if (isStatic(plan.division)) {
    pass.forecast = forecastDivision(
        {.gpu = secondsAlone(gpu, queries), .cpu = secondsAlone(cpu, queries)}, 0, 1);
    pass.predictedShare = gpuShare(pass.forecast->cpuAlone, pass.forecast->gpuAlone);
    plan.boundary = plan.division == Division::Queries
                        ? boundaryByQueries(queries.size(), pass.predictedShare)
                        : boundaryByCandidates(queries, pass.predictedShare);
  }
  Divider divider(queries, plan);
  std::priority_queue<Lane, std::vector<Lane>, std::greater<>> lanes;
  for (int lane = 0; lane < gpu.lanes; ++lane)
    lanes.push({gpu.readyAt, Processor::Gpu, lane, {}, 0});
  for (int lane = 0; lane < cpu.lanes; ++lane)
    lanes.push({cpu.readyAt, Processor::Cpu, lane, {}, 0});
  while (!lanes.empty()) {
    Lane lane = lanes.top();
    lanes.pop();
    if (!lane.running.empty()) divider.done(lane.processor, lane.running, lane.freeAt - lane.since);
    const bool onGpu = lane.processor == Processor::Gpu;
    const auto range = onGpu ? divider.nextForGpu() : divider.nextForCpu();
    if (!range) continue;
    const std::uint64_t candidates = queries.candidates(range->begin, range->end);
    const double start = lane.freeAt;
    const double end = start + secondsOfBatch(onGpu ? gpu : cpu, range->size(), candidates);
    pass.batches.push_back({.processor = lane.processor,
                            .lane = lane.number,
                            .start = start,
                            .end = end,
                            .firstQuery = range->begin,
                            .queries = range->size(),
                            .candidates = candidates});
    lanes.push({end, lane.processor, lane.number, *range, start});
  }
  pass.meeting = divider.meeting();
  summarise(pass, queries);
  return pass;
}

}  // namespace clusterloom
