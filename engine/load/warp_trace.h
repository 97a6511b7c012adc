#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/lane.h"
#include "engine/load/load_report.h"
#include "engine/load/simt_machine.h"

namespace clusterloom {

/// A window of the steps of a warp. Warps of dense clouds take hundreds of thousands.
struct WarpWindow {
  std::uint64_t firstStep = 0;
  std::uint64_t mostSteps = 65536;
};

/// The steps of one warp: 32 lanes × steps, the picture of figure 3 of [Gallet 2019]. Steps are in
/// the order in which the warp takes them; a step belongs to one loop, and each lane is active in
/// it or idles.
struct WarpTrace {
  static constexpr std::uint32_t kLanes = 32;
  static constexpr std::uint32_t kNothing = 0xffffffffU;

  WarpLoad load;  ///< of the whole warp; start, end and place are set in reports only
  std::array<std::uint32_t, kLanes> queryPoint{};  ///< point id of each lane's query, or kNothing
  std::array<std::uint32_t, kLanes> queryCell{};   ///< its cell, or kNothing
  std::uint64_t allSteps = 0;                      ///< of the whole warp
  std::uint64_t firstStep = 0;                     ///< of the window
  std::optional<SimtMachine> machine = std::nullopt;  ///< the GPU that is modelled

  std::vector<Loop> loopOfStep;             ///< one a step of the window
  std::vector<std::uint32_t> activeOfStep;  ///< one per step: bit l is set when lane l is active
  /// The reads of each lane, step after step, 32 lanes each; kNothing where it idles. Cell: the
  /// adjacent cell it turns to, as index into GridIndex::cellIds, kNothing when that is empty or
  /// outside (under the tile pattern, which reads rows of cells: the row's middle cell). Search:
  /// the cell whose id it compares. Candidate and Hit: the candidate's point id.
  std::vector<std::uint32_t> looksAt;

  std::size_t steps() const { return loopOfStep.size(); }
  bool active(std::size_t step, std::uint32_t lane) const {
    return (activeOfStep[step] >> lane & 1U) != 0;
  }
  std::uint32_t at(std::size_t step, std::uint32_t lane) const {
    return looksAt[step * kLanes + lane];
  }
};

}  // namespace clusterloom
