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
};

/// The strategies that the load lab compares, plainest first: GPUCALCGLOBAL [Gowanlock 2018,
/// algorithm 1], UNICOMP [Gowanlock 2018, §4.2], LID-UNICOMP, SORTBYWL, WORKQUEUE, the last with
/// LID-UNICOMP and k = 8 [Gallet 2019, §III], and our tiles. Those of the papers take queries in
/// unit-length bins, as the papers' input order is [Gowanlock 2019, §3.2.1], and do without the
/// later REORDER, SORTIDU and SHORTC.
std::vector<PaperStrategy> paperStrategies();

/// Joins of the papers that do not use a grid and run on the CPU: R-tree, Super-EGO and
/// New-Super-EGO.
std::vector<PaperStrategy> otherJoins();

/// What a comparison offers: the strategies of the load lab, then the other joins.
std::vector<PaperStrategy> comparableStrategies();

/// A strategy without what only a DBSCAN can do (dense cells, early stop), as a plain join takes
/// it.
Strategy asJoin(Strategy strategy);

}  // namespace clusterloom
