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

/// The strategies that the load lab compares, plainest first: GPUCALCGLOBAL (001, algorithm 1),
/// UNICOMP (001 §4.2), LID-UNICOMP, SORTBYWL, WORKQUEUE, the last with LID-UNICOMP and k = 8
/// (000 §III), and our tiles. Those of the papers take queries in unit-length bins, as the papers'
/// input order is [Gowanlock 2019, §3.2.1], and do without the later REORDER, SORTIDU and SHORTC.
std::vector<PaperStrategy> paperStrategies();

/// A strategy without what only a DBSCAN can do (dense cells, early stop), as a plain join takes
/// it.
Strategy asJoin(Strategy strategy);

}  // namespace clusterloom
