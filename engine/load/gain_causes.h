#pragma once

#include <array>
#include <optional>

#include "engine/load/load_report.h"

namespace clusterloom {

/// The gain of one strategy over another on the same machine, as factors whose product is the ratio
/// of the two makespans. Above 1: gained; below: lost.
struct GainCauses {
  double searches = 1;     ///< fewer cells to visit and to search, in active lane-steps
  double comparisons = 1;  ///< fewer candidates and hits, in active lane-steps
  double lanes = 1;        ///< fewer idle lanes: the ratio of the warp execution efficiencies
  double tail = 1;         ///< slots end closer together: makespan over the ideal one
  /// A weighted step takes less time: memory, and other effects that a model of steps does not
  /// have, such as the counter of the results and waiting for other warps. Measured loads only: in
  /// modelled loads every weighted step takes the same time.
  std::optional<double> memory = std::nullopt;

  /// The five in this order; 1 for the last one where it is not known.
  std::array<double, 5> factors() const {
    return {searches, comparisons, lanes, tail, memory.value_or(1)};
  }
  double all() const { return searches * comparisons * lanes * tail * memory.value_or(1); }
};

/// The gain of `other` over `first`; all 1 where a report has no warps, or one is measured and the
/// other modelled. The work of all lanes is that of searches and comparisons together; each gets
/// the share of the logarithm of their ratio that its difference has (logarithmic mean Divisia
/// index), so that the product is exact. For samples the factors are estimates.
GainCauses gainCauses(const LoadReport& first, const LoadReport& other);

}  // namespace clusterloom
