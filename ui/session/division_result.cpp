#include "ui/session/division_result.h"

#include <algorithm>

#include "engine/join/backend_kinds.h"
#include "ui/session/paper_strategies.h"

namespace clusterloom {

namespace {

constexpr int kStreams = 3;

/// A side `times` times as fast, with `lanes` lanes.
SideModel faster(const SideModel& side, double times, int lanes) {
  SideModel made = side;
  made.lanes = lanes;
  made.candidatesPerSecond *= times;
  made.queriesPerSecond *= times;
  return made;
}

int streamsOf(const DivisionQuestion& question) {
  return question.strategy.streams > 0 ? question.strategy.streams : kStreams;
}

// The backend's GPU; nullopt where it has none.
Result<std::optional<SideModel>> gpuSide(const DivisionQuestion& question, const Backend& backend,
                                         const TimedQueries& timed, const Task& task) {
  const BackendLimits limits = backend.limits();
  if (!backendKind(limits.name).onDevice) return std::nullopt;
  Strategy strategy;
  strategy.pattern = AccessPattern::Full;
  strategy.order = QueryOrder::WorkQueue;
  strategy.indexedDims = question.strategy.indexedDims;
  if (limits.hybrid) strategy.division = Division::Dyn;  // adaptive may leave it to one processor
  const auto counts = backend.count(*question.cloud, question.eps, strategy, task);
  if (!counts) return tl::unexpected(counts.error());
  if (limits.hybrid) {
    const auto& passes = counts->stats.passes;
    const SideModel side =
        passes.empty() ? SideModel{.lanes = 0} : fittedSide(passes.front(), Processor::Gpu);
    if (side.lanes == 0) return std::nullopt;  // it has failed
    return side;
  }
  // Its batches do not tell what a query costs: in candidates as much as on the CPU.
  SideModel alone = faster(timed.cpu, 1, 1);
  const double seconds = secondsAlone(alone, timed.queries);
  if (!(counts->stats.seconds.join > 0)) return std::nullopt;
  return faster(alone, seconds / counts->stats.seconds.join, streamsOf(question));
}

}  // namespace

Result<DivisionTiming> timingOf(const DivisionQuestion& question, const Backend& backend,
                                const Task& task) {
  auto timed =
      timeQueries(*question.cloud, question.eps, question.strategy, question.threads, task);
  if (!timed) return tl::unexpected(timed.error());
  // Too short to be timed: any speed will do.
  if (timed->cpu.candidatesPerSecond == 0 && timed->cpu.queriesPerSecond == 0)
    timed->cpu.candidatesPerSecond = 1;
  const auto gpu = gpuSide(question, backend, *timed, task);
  if (!gpu) return tl::unexpected(gpu.error());
  return DivisionTiming{question, std::move(*timed), *gpu};
}

ModelledSides measuredSides(const DivisionTiming& timing) {
  const SideModel& cpu = timing.timed.cpu;
  return {.gpu = timing.gpu.value_or(
              faster(cpu, kThreadsOfUnknownGpu / cpu.lanes, streamsOf(timing.asked))),
          .cpu = cpu};
}

std::optional<Division> divisionOf(DivisionShown shown) {
  switch (shown) {
    case DivisionShown::Run:
    case DivisionShown::All: break;
    case DivisionShown::Dyn: return Division::Dyn;
    case DivisionShown::Queries: return Division::Queries;
    case DivisionShown::Candidates: return Division::Candidates;
    case DivisionShown::Adaptive: return Division::Adaptive;
  }
  return std::nullopt;
}

DivisionShown shownOf(Division division) {
  switch (division) {
    case Division::Dyn: return DivisionShown::Dyn;
    case Division::Queries: return DivisionShown::Queries;
    case Division::Candidates: return DivisionShown::Candidates;
    case Division::Adaptive: break;
  }
  return DivisionShown::Adaptive;
}

ProcessorTimes modelledTimes(const DivisionTiming& timing, DivisionShown shown, Strategy strategy,
                             const ModelledSides& sides) {
  ProcessorTimes times;
  if (shown == DivisionShown::Run) return times;
  const auto only = divisionOf(shown);
  for (const PaperStrategy& paper : sharedJoins()) {
    if (only && paper.strategy.division != *only) continue;
    strategy.division = paper.strategy.division;
    times.panels.push_back(
        {paper.name.toStdString(),
         std::make_shared<const SharedPass>(modelDivision(timing.timed, strategy, sides)),
         sides.gpu.lanes, sides.cpu.lanes});
  }
  return times;
}

std::shared_ptr<const ProcessorTimes> measuredTimes(std::shared_ptr<const RunStats> stats) {
  if (!stats || stats->passes.empty()) return nullptr;
  auto times = std::make_shared<ProcessorTimes>();
  times->measured = true;
  for (const SharedPass& pass : stats->passes) {
    QString name = QString::fromStdString(pass.division);
    for (const PaperStrategy& paper : sharedJoins())
      if (toText(paper.strategy.division) == pass.division) name = paper.name;
    times->panels.push_back({name.toStdString(), std::shared_ptr<const SharedPass>(stats, &pass),
                             pass.streams, pass.threads});
  }
  return times;
}

std::vector<std::uint32_t> pointsOfBatch(const SharedPass& pass, const SharedBatch& batch) {
  if (!pass.order || batch.firstQuery + std::size_t{batch.queries} > pass.order->size()) return {};
  const auto first = pass.order->begin() + batch.firstQuery;
  std::vector<std::uint32_t> points(first, first + batch.queries);
  std::sort(points.begin(), points.end());
  return points;
}

std::int64_t batchOfPoint(const SharedPass& pass, std::uint32_t point) {
  if (!pass.order) return -1;
  const auto at = std::find(pass.order->begin(), pass.order->end(), point);
  return at == pass.order->end()
             ? -1
             : batchOfQuery(pass, static_cast<std::uint32_t>(at - pass.order->begin()));
}

}  // namespace clusterloom
