#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/backend.h"
#include "engine/hybrid/model_division.h"
#include "render/charts/processor_chart.h"

namespace clusterloom {

/// The inputs of the timing of queries that CPU and GPU share.
struct DivisionQuestion {
  std::shared_ptr<const PointCloud> cloud;
  double eps = 0;
  Strategy strategy;  ///< its pattern, k, CPU method and CPU batch count here
  int threads = 1;    ///< of the CPU
  friend bool operator==(const DivisionQuestion&, const DivisionQuestion&) = default;
};

/// The queries in their order, and the speeds of the processors as far as they were measured.
struct DivisionTiming {
  DivisionQuestion asked;
  TimedQueries timed;
  std::optional<SideModel> gpu;  ///< nullopt where there is none
};

/// Times the queries on the CPU, and on the backend's GPU where it has one. Errors: those of
/// timeQueries and of the backend's count.
Result<DivisionTiming> timingOf(const DivisionQuestion& question, const Backend& backend,
                                const Task& task);

/// CPU threads whose speed a GPU is taken to have where none was measured: the median ratio of
/// LBJoin on an H200 to 16 threads in tests/bench/RESULTS.md is 2.5.
inline constexpr double kThreadsOfUnknownGpu = 40;

/// The sides as they were measured; an unknown GPU has kThreadsOfUnknownGpu and three streams.
ModelledSides measuredSides(const DivisionTiming& timing);

/// The time lines that the chart of both processors shows.
enum class DivisionShown { Run, All, Dyn, Queries, Candidates, Adaptive };

/// The division where `shown` names a single modelled division; else nullopt.
std::optional<Division> divisionOf(DivisionShown shown);

/// The value of DivisionShown for this division.
DivisionShown shownOf(Division division);

/// Time lines of the divisions that are shown, modelled with these sides; of Run: none. Batches,
/// b_s and the strategy's other options are taken from `strategy`.
ProcessorTimes modelledTimes(const DivisionTiming& timing, DivisionShown shown, Strategy strategy,
                             const ModelledSides& sides);

/// The passes of a run that was shared, as measured; null when it was not shared. Keeps `stats`.
std::shared_ptr<const ProcessorTimes> measuredTimes(std::shared_ptr<const RunStats> stats);

/// The points of one batch, ascending.
std::vector<std::uint32_t> pointsOfBatch(const SharedPass& pass, const SharedBatch& batch);
/// The place in pass.batches of the batch that had this point as query; −1: none.
std::int64_t batchOfPoint(const SharedPass& pass, std::uint32_t point);

}  // namespace clusterloom
