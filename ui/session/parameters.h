#pragma once

#include <QString>
#include <vector>

#include "engine/cloud/scaling.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// Everything a run depends on beside the cloud; what undo and redo go through.
/// The number of indexed dimensions k is `strategy.indexedDims` (0: automatic).
struct Parameters {
  DbscanParams dbscan;
  Strategy strategy;
  ScalingChoice scaling;
};

bool operator==(const Parameters& a, const Parameters& b);

/// A named Strategy, for the engine panel.
struct StrategyPreset {
  QString name;     ///< translated
  QString summary;  ///< translated, one sentence
  Strategy strategy;
};
/// The presets the engine panel offers; the first is the default.
std::vector<StrategyPreset> strategyPresets();

/// A minPts to begin with: 2·dims, at least 5 and at most 20 (Sander's rule of thumb).
std::int64_t suggestedMinPts(std::size_t dims);

}  // namespace clusterloom
