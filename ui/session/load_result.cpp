#include "ui/session/load_result.h"

#include <algorithm>
#include <span>

#include "engine/core/stopwatch.h"
#include "engine/join/backend_kinds.h"
#include "engine/load/access_pattern.h"
#include "engine/load/load_kernel.h"

namespace clusterloom {

std::int64_t LoadResult::placeOf(std::int64_t warp) const {
  const auto& warps = report->warps;
  const auto at = std::lower_bound(
      warps.begin(), warps.end(), warp,
      [](const WarpLoad& load, std::int64_t number) { return load.number < number; });
  return at != warps.end() && at->number == warp ? at - warps.begin() : -1;
}

std::int64_t LoadResult::warpOfPoint(std::uint32_t point) const {
  if (!report->measured) return model.warpOfPoint(point);
  const auto& points = report->pointOfTicket;
  const auto ticket = std::find(points.begin(), points.end(), point) - points.begin();
  const auto& warps = report->warps;
  const auto after = std::upper_bound(
      warps.begin(), warps.end(), ticket,
      [](std::ptrdiff_t at, const WarpLoad& warp) { return at < warp.firstTicket; });
  if (after == warps.begin()) return -1;
  const WarpLoad& warp = *(after - 1);
  return ticket < std::int64_t(warp.firstTicket) + warp.tickets ? warp.number : -1;
}

Result<LoadResult> loadOf(const LoadQuestion& question, const Backend& backend, const Task& task) {
  const Stopwatch watch;
  LoadRequest request;
  request.kernel = question.kernel;
  request.machine = question.machine;
  if (question.unweighted) request.machine.weights = LoopWeights{};
  Result<LoadReport> report;
  std::optional<int> decided;  // threads per point, by the device
  const bool measures = backendKind(backend.limits().name).measuresLoad;
  if (measures) {
    report = backend.load(*question.cloud, question.eps, question.strategy, request, task);
    if (!report) return tl::unexpected(report.error());
    decided = report->threadsPerPoint;
  }
  auto model = LoadModel::make(*question.cloud, question.eps, question.strategy, question.kernel,
                               question.machine, task, decided);
  if (!model) return tl::unexpected(model.error());
  if (!measures) report = model->report(request, weightsOn(request.machine, request.kernel), task);
  if (!report) return tl::unexpected(report.error());
  std::optional<PredictedWee> predicted;
  if (report->measured) {
    constexpr std::size_t kPrediction = 512;  // warps: half a percent of WEE or so
    request.sampleWarps = kPrediction;
    const auto modelled = model->report(request, report->weights, task);
    if (!modelled) return tl::unexpected(modelled.error());
    predicted = {modelled->wee, modelled->weeError};
  }
  return LoadResult{.asked = question,
                    .model = std::move(*model),
                    .report = std::make_shared<const LoadReport>(std::move(*report)),
                    .predicted = predicted,
                    .seconds = watch.seconds()};
}

std::vector<PointMark> marksAtStep(const WarpLight& light, std::int64_t step) {
  std::vector<PointMark> marks = light.marks;
  const WarpTrace& trace = *light.trace;
  if (step < 0 || step >= std::int64_t(trace.steps())) return marks;
  std::replace(marks.begin(), marks.end(), PointMark::Candidate, PointMark::None);
  const auto at = static_cast<std::size_t>(step);
  const Loop loop = trace.loopOfStep[at];
  if (loop != Loop::Candidate && loop != Loop::Hit) return marks;
  for (std::uint32_t lane = 0; lane < WarpTrace::kLanes; ++lane) {
    const std::uint32_t point = trace.at(at, lane);
    if (point != WarpTrace::kNothing && marks[point] == PointMark::None)
      marks[point] = PointMark::Candidate;
  }
  return marks;
}

namespace {

Result<WarpTrace> traceOf(const LoadResult& load, std::uint32_t warp, const Task& task) {
  const LoadReport& report = *load.report;
  const std::int64_t place = report.measured ? load.placeOf(warp) : -1;
  if (place < 0) return load.model.trace(warp, WarpWindow{}, task);
  const WarpLoad& measured = report.warps[static_cast<std::size_t>(place)];
  auto trace = load.model.traceOf(
      std::span(report.pointOfTicket).subspan(measured.firstTicket, measured.tickets), WarpWindow{},
      task);
  if (!trace) return trace;
  trace->load.number = measured.number;
  trace->load.batch = measured.batch;
  trace->load.firstTicket = measured.firstTicket;
  return trace;
}

}  // namespace

Result<WarpLight> warpLightOf(const LoadResult& load, std::uint32_t warp, const Task& task) {
  auto trace = traceOf(load, warp, task);
  if (!trace) return tl::unexpected(trace.error());
  const LoadModel& model = load.model;
  const GridIndex& index = model.index();
  WarpLight light;
  light.marks.assign(index.size(), PointMark::None);

  std::vector<std::uint32_t> cells;  // own cells first
  for (const std::uint32_t cell : trace->queryCell)
    if (cell != WarpTrace::kNothing) cells.push_back(cell);
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  light.ownCells = cells.size();

  const AccessPatternWalk walk(index.geometry, index.cellIds);
  std::vector<std::uint32_t> others;
  for (const std::uint32_t cell : cells) {
    const auto compared = walk.comparedWith(cell, model.strategy().pattern);
    others.insert(others.end(), compared.begin(), compared.end());
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::erase_if(others, [&](std::uint32_t cell) {
    return std::binary_search(cells.begin(), cells.begin() + std::ptrdiff_t(light.ownCells), cell);
  });
  cells.insert(cells.end(), others.begin(), others.end());

  for (const std::uint32_t cell : cells)
    for (std::uint32_t at = index.cellStart[cell]; at < index.cellStart[cell + 1]; ++at) {
      light.marks[index.pointIds[at]] = PointMark::Candidate;
      ++light.candidates;
    }
  for (const std::uint32_t point : trace->queryPoint)
    if (point != WarpTrace::kNothing) light.marks[point] = PointMark::Query;
  light.cells = someCellsOf(index.geometry, index.eps, index.cellIds, index.cellStart, cells);
  light.trace = std::make_shared<const WarpTrace>(std::move(*trace));
  return light;
}

}  // namespace clusterloom
