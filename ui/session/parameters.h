#pragma once

#include <QString>
#include <vector>

#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/strategy.h"
#include "ui/session/file_row_set.h"
#include "ui/session/point_set.h"

namespace clusterloom {

/// Some points that are clustered separately, with their own ε and minPts; their clusters are then
/// merged into the result of the whole (refinement.h).
struct Refinement {
  PointSet points;  ///< not null; numbers in the data set as it was read
  DbscanParams dbscan;
};

/// The parameters that turn a data set into a cloud. Code that opens, holds or compares clouds
/// passes it on as a whole, so that a new member reaches all of it.
struct CloudChoice {
  ScalingChoice scaling;
  Space space;  ///< in which distances are measured; periods in units before scaling
  /// The column whose values are the weights of the points, so that minPts is a sum of them; empty:
  /// every point counts 1.
  QString weights;
  PointSet kept;  ///< the points that take part, numbers in the data set as it was read; null: all
  /// The rows that take part of a file of which some are open; null: all where `kept` is, else
  /// those of the points are known only.
  FileRowSelection keptRows;
};

/// How a cloud is clustered, besides ε and minPts: the part that calls and lessons set as a whole.
struct RunOptions {
  Strategy strategy;
};

/// The parameters of a run that are chosen from the data, or by hand.
struct RunChoice {
  DbscanParams dbscan;
  std::vector<Refinement> refinements;  ///< applied one after the other
};

/// Everything a run depends on besides the data set; undo and redo restore it. Each member is
/// described in parameter_fields.h. The number of indexed dimensions k is `strategy.indexedDims`
/// (0: automatic).
struct Parameters : CloudChoice, RunOptions, RunChoice {};

/// Whether both make the same cloud.
bool operator==(const CloudChoice& a, const CloudChoice& b);
bool operator==(const Parameters& a, const Parameters& b);
/// The name of an undo step from `before` to `after`.
QString stepText(const Parameters& before, const Parameters& after);
/// The values of `shown` that differ from `other`, as "ε 0.031, minPts 5".
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
