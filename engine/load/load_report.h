#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/run_stats.h"
#include "engine/load/loop_weights.h"
#include "engine/load/simt_machine.h"

namespace clusterloom {

/// The kernel that is modelled: its sink decides the cost of a hit.
enum class LoadKernel {
  Counts,  ///< counts neighbours
  Pairs,   ///< writes pairs, as the papers' kernels do
};

/// The command line's words, "counts" and "pairs", and back (false: unknown word).
std::string toText(LoadKernel kernel);
bool fromText(const std::string& text, LoadKernel& kernel);

/// The load of one warp: the lanes that serve tickets [firstTicket, firstTicket + tickets). With a
/// work queue, where warps draw more than once, this is one draw.
struct WarpLoad {
  std::uint32_t number = 0;  ///< in order of launch over all batches, 0 …
  std::uint32_t batch = 0;
  std::uint32_t firstTicket = 0;  ///< into LoadReport::pointOfTicket
  std::uint32_t tickets = 0;
  PerLoop<std::uint64_t> steps{};      ///< turns of the warp: those in which any lane was active
  PerLoop<std::uint64_t> laneSteps{};  ///< active iterations, summed over the 32 lanes
  std::uint64_t longestLane = 0;       ///< most candidates that one lane examined
  std::uint64_t shortestLane = 0;      ///< fewest, among the lanes with a query
  // When and where it ran: in seconds since the first warp began if measured; if modelled, by the
  // schedule model, in weighted steps.
  double start = 0;
  double end = 0;
  std::uint32_t multiprocessor = 0;
  std::uint32_t slot = 0;    ///< modelled: its place on the multiprocessor
  std::uint64_t cycles = 0;  ///< measured: of the multiprocessor's clock
};

/// Active lane-steps over 32 times the warp's steps, weighted: warp execution efficiency, 0 … 1.
double warpExecutionEfficiency(const PerLoop<std::uint64_t>& steps,
                               const PerLoop<std::uint64_t>& laneSteps, const LoopWeights& weights);

struct LoadReport;
/// Seconds of a time in the unit of WarpLoad::start: the same of a measured report, and of a
/// modelled one what SimtMachine::seconds says.
double secondsOf(const LoadReport& report, double time);
/// Weighted steps of all warps: those of the warps that were sampled stand for the others. 0
/// without warps.
double stepsOfAllWarps(const LoadReport& report);

/// The load of every warp of one join, modelled or measured.
struct LoadReport {
  bool measured = false;
  LoadKernel kernel = LoadKernel::Pairs;
  LoopWeights weights;  ///< behind `wee` and the modelled times
  /// Sampled or all, ascending by number.
  std::vector<WarpLoad> warps;
  std::uint64_t allWarps = 0;                ///< of which `warps` are those in this report
  std::vector<std::uint32_t> pointOfTicket;  ///< point id of each ticket, in the schedule's order
  std::vector<std::size_t> batchBegin;       ///< first ticket of each batch, and the end
  /// Modelled: weighted idle lane-steps that the lanes of each ticket cause (idle_caused.h); NaN
  /// where its warp is not in the sample. Measured: empty, since a device records sums of whole
  /// warps.
  std::vector<float> idleCausedByTicket;
  int threadsPerPoint = 1;
  std::string machine;  ///< modelled: the name of the GPU (simt_machine.h); measured: empty
  int multiprocessors = 0;
  int warpsPerMultiprocessor = 0;  ///< resident at once
  int streams = 0;                 ///< modelled: batches in flight
  double clockGHz = 0;             ///< modelled: of the multiprocessors

  PerLoop<std::uint64_t> steps{};  ///< over all of `warps`
  PerLoop<std::uint64_t> laneSteps{};
  double wee = 0;            ///< of all warps, weighted
  double weeError = 0;       ///< standard error of `wee` by sampling; 0 when nothing was sampled
  double makespan = 0;       ///< last end less first start, in the unit of WarpLoad::start
  double idealMakespan = 0;  ///< if all slots ended at the same time
  std::uint64_t candidates = 0;            ///< what the full pattern examines
  std::uint64_t distanceCalculations = 0;  ///< computed; scaled up where warps were sampled
  std::uint64_t pairs = 0;    ///< ordered pairs, self included; scaled up where warps were sampled
  double distancesError = 0;  ///< standard errors by sampling of these two; 0: nothing was sampled
  double pairsError = 0;
  RunStats stats;
};

/// Loads are those of Euclidean distances: the error of a backend with another metric.
Result<LoadReport> noLoadOf(Metric metric);

/// The request.
struct LoadRequest {
  LoadKernel kernel = LoadKernel::Pairs;
  std::size_t sampleWarps = 0;  ///< 0: all up to some hundred thousand points, else a sample
  std::uint64_t seed = 1;       ///< of the sample
  SimtMachine machine = {};     ///< that is modelled; of a measured load only its weights count
};

}  // namespace clusterloom
