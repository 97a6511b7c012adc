#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/load/loop_weights.h"

namespace clusterloom {

/// The GPU that is modelled. Default: an H200, and the three streams of the papers.
struct SimtMachine {
  int multiprocessors = 132;
  int warpsPerMultiprocessor = 64;  ///< resident at once
  int streams = 3;                  ///< batches in flight, where the strategy does not set it
  std::string name = "H200";        ///< counts only where the figures are those of this preset
  std::optional<LoopWeights> weights =
      std::nullopt;        ///< nullopt: those of the kernel (load_kernel.h)
  double clockGHz = 1.98;  ///< of its multiprocessors

  int warpSlots() const { return multiprocessors * warpsPerMultiprocessor; }
  /// Seconds that a warp takes for this number of weighted steps, each of them one instruction: a
  /// multiprocessor issues four instructions a cycle, which its warps share.
  double seconds(double weightedSteps) const;
  friend bool operator==(const SimtMachine&, const SimtMachine&) = default;
};

/// GPUs that can be modelled by name, the default first.
const std::vector<SimtMachine>& knownMachines();

/// The name of the preset whose multiprocessors, warps and clock the machine has; "GPU" for other
/// figures.
std::string nameOf(const SimtMachine& machine);

/// A machine by its name, in any case, or by its figures: "8x4" has 8 multiprocessors of 4 warps
/// each, "8x4x2" two streams besides. "@1.4" after either is a clock of 1.4 GHz. BadCall, with the
/// known names.
Result<SimtMachine> machineFromText(const std::string& text);

/// Text from which machineFromText makes the machine, without its weights: "H200", "8x4",
/// "8x4x2@1.4".
std::string toText(const SimtMachine& machine);

/// Weights from "fitted" (nullopt: those of the kernel), "unit" (every step counts 1) or four
/// numbers from 0 on, not all 0, for the loops in the order of Loop: "0,1.2,16,8". BadCall.
Result<std::optional<LoopWeights>> weightsFromText(const std::string& text);

/// When and where a warp runs, by the schedule model.
struct WarpRun {
  double start = 0;
  double end = 0;
  std::uint32_t slot = 0;  ///< of all slots of the machine
};

/// List scheduling: warps start in order of launch, each on the slot that is free first, and keep
/// it for their duration. Every slot runs at the same speed. A batch starts when the batch
/// `streams` before it has ended, as when batches are dealt to the streams round robin.
/// `batchBegin` is the first warp of each batch, and the end.
std::vector<WarpRun> scheduleWarps(std::span<const double> durations,
                                   std::span<const std::uint32_t> batchBegin,
                                   const SimtMachine& machine);

}  // namespace clusterloom
