#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/cli/papers/paper_tables.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hybrid/model_division.h"

namespace clusterloom::cli {

/// How a number is named and written.
struct PaperQuantity {
  const char* name;     ///< in JSON
  const char* heading;  ///< of the column of numbers made here
  bool percent = false;
  const char* size = "";  ///< what PaperValue::size counts, as "b_s"
};
PaperQuantity quantityOf(PaperFigure figure);

/// A data set of a paper, with as many points as are asked for.
struct MadeCloud {
  PointCloud cloud;
  std::size_t paperPoints = 0;
  /// Of the last join by both processors that was modelled; they are used again at the same ε.
  std::optional<TimedQueries> sampled = std::nullopt;
  double sampledEps = 0;
  /// Seconds of joins by one processor at an ε, by strategy; used again by the model.
  std::map<std::pair<std::string, double>, double> secondsAlone = {};
  /// Seconds of Super-EGO's join on one thread, and its ε; used again for further threads.
  double oneThread = 0;
  double oneThreadEps = 0;

  /// The share of the paper's points.
  double share() const { return double(cloud.size()) / double(paperPoints); }
};

/// One number made here.
struct MadeNumber {
  double eps = 0;
  double number = 0;         ///< NaN where it cannot be made here
  double error = 0;          ///< standard error; 0: exact, or a figure without one
  std::string by = {};       ///< what measured it: a GPU, or CPU threads; empty: not measured
  std::string missing = {};  ///< why there is none: no GPU, or not enough memory
};

/// Makes the number of a value, at the ε at which a point has about as many neighbours as in the
/// paper; batches become smaller with the cloud. `threads`: of the CPU, 0: all. Errors are those of
/// the engine.
Result<MadeNumber> makeNumber(const Paper& paper, const PaperItem& item, const PaperValue& value,
                              MadeCloud& made, std::size_t sampleWarps, int threads,
                              const Task& task);

}  // namespace clusterloom::cli
