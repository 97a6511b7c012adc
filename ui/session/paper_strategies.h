#pragma once

#include <QString>
#include <vector>

#include "engine/join/strategy.h"

namespace clusterloom {

/// A strategy under the name that the papers give it.
struct PaperStrategy {
  QString name;
  QString summary;  ///< translated, one sentence
  Strategy strategy;
  QString backend = {};  ///< the backend that it needs; empty: that of the session
};

/// The strategies that the load lab compares, plainest first: GPUCALCGLOBAL [Gowanlock 2018,
/// algorithm 1], UNICOMP [Gowanlock 2018, §4.2], LID-UNICOMP, k = 8, SORTBYWL, WORKQUEUE, the last
/// also with LID-UNICOMP and k = 8 [Gallet 2019, §III, tables III to VI], and our tiles. Those of
/// the papers take queries in unit-length bins, as the papers' input order is [Gowanlock 2019,
/// §3.2.1], and do without the later REORDER, SORTIDU and SHORTC.
std::vector<PaperStrategy> paperStrategies();

/// Joins of the papers that do not use a grid and run on the CPU: R-tree, Super-EGO and
/// New-Super-EGO, the last in EGO order and by workload [Gallet 2020, §4.5].
std::vector<PaperStrategy> otherJoins();

/// Joins by CPU and GPU together, on the backend hybrid: HEGJoin-Dyn, -SQ and -SC with
/// New-Super-EGO on the CPU [Gallet 2020, §4], and our adaptive division with the grid.
std::vector<PaperStrategy> sharedJoins();

/// The strategies that a comparison offers: those of the load lab, the other joins, then the shared
/// ones.
std::vector<PaperStrategy> comparableStrategies();

}  // namespace clusterloom
