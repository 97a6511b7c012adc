#pragma once

#include "engine/backend.h"
#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/dbscan/clustering.h"
#include "engine/run_json.h"

namespace clusterloom::cli {

using clusterloom::Json;

/// What was read: file points dims every skipped.
Json fileHeader(const Dataset& data);
/// The same with eps: the fields that cluster and others share.
Json runHeader(const Dataset& data, double eps);

/// Adds clusters core border noise.
void addClusters(Json& object, const ClusterCounts& counts);

/// The sums of a join.
struct JoinFigures {
  std::uint64_t points = 0;  ///< that were queries
  std::uint64_t pairs = 0;
  std::uint64_t candidates = 0;
  bool twoClouds = false;

  /// S = (|R| − |D|)/|D|: neighbours of a point on average, itself not counted. Of two clouds
  /// |R|/|D|, where |D| counts the query points.
  double selectivity() const;
};

/// Adds pairs selectivity candidates.
void addFigures(Json& object, const JoinFigures& figures);

/// Prints the object on one line of standard output.
Result<void> printJson(const Json& object);

}  // namespace clusterloom::cli
