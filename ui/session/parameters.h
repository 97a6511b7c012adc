#pragma once

#include <QString>
#include <vector>

#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/strategy.h"
#include "ui/session/point_set.h"

namespace clusterloom {

/// Some points that are clustered on their own, with an ε and a minPts of their own; their clusters
/// are then merged into the result of the whole (refinement.h).
struct Refinement {
  PointSet points;  ///< not null; numbers in the data set as it was read
  DbscanParams dbscan;
};

/// What makes a cloud of a data set. Whoever opens, holds or compares clouds passes it on as a
/// whole, so that a member that is added here reaches all of them.
struct CloudChoice {
  ScalingChoice scaling;
  Space space;  ///< in which distances are measured; periods in units before scaling
  /// The column whose values are the weights of the points, so that minPts is a sum of them; empty:
  /// every point counts 1.
  QString weights;
  PointSet kept;  ///< the points that take part, numbers in the data set as it was read; null: all
};

/// How a cloud is clustered, beside ε and minPts: what calls and lessons give as a whole.
struct RunOptions {
  Strategy strategy;
};

/// What is clustered how: that is chosen from the data, or by hand.
struct RunChoice {
  DbscanParams dbscan;
  std::vector<Refinement> refinements;  ///< applied one after the other
};

/// Everything a run depends on beside the data set; what undo and redo go through. Each member is
/// described in parameter_fields.h.
/// The number of indexed dimensions k is `strategy.indexedDims` (0: automatic).
struct Parameters : CloudChoice, RunOptions, RunChoice {};

/// Whether both make the same cloud.
bool operator==(const CloudChoice& a, const CloudChoice& b);
bool operator==(const Parameters& a, const Parameters& b);
/// The name of an undo step from `before` to `after`.
QString stepText(const Parameters& before, const Parameters& after);
/// What of `shown` differs from `other`, as "ε 0.031, minPts 5".
QString differenceText(const Parameters& shown, const Parameters& other);

/// A named Strategy, for the engine panel.
struct StrategyPreset {
  QString name;     ///< translated
  QString summary;  ///< translated, one sentence
  Strategy strategy;
};
/// The presets the engine panel offers; the first is the default.
std::vector<StrategyPreset> strategyPresets();

}  // namespace clusterloom
