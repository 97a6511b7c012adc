#pragma once

#include <array>

#include "engine/load/load_report.h"

namespace clusterloom {

/// What one strategy gains over another on the same machine, as factors whose product is the ratio
/// of the two makespans. Above 1: gained; below: lost. A model of steps knows no other causes: not
/// memory, and not the counter of the results.
struct GainCauses {
  double searches = 1;     ///< fewer cells to go to and to search, in active lane-steps
  double comparisons = 1;  ///< fewer candidates and hits, in active lane-steps
  double lanes = 1;        ///< lanes idle less: the ratio of the warp execution efficiencies
  double tail = 1;         ///< slots end more at the same time: makespan over the ideal one

  /// The four in this order.
  std::array<double, 4> factors() const { return {searches, comparisons, lanes, tail}; }
  double all() const { return searches * comparisons * lanes * tail; }
};

/// What `other` gains over `first`; all 1 where a report has no warps. The work of all lanes is
/// that of searches and comparisons together; each gets the share of the logarithm of their ratio
/// that its difference has (logarithmic mean Divisia index), so that the product is exact. Both
/// reports are modelled or both measured; of samples the factors are estimates.
GainCauses gainCauses(const LoadReport& first, const LoadReport& other);

}  // namespace clusterloom
