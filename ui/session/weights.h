#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <span>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/cloud/file_rows.h"
#include "engine/core/result.h"

namespace clusterloom {

/// The weights of the points of a cloud, one for each; null: all count alike.
using Weights = std::shared_ptr<const std::vector<double>>;

/// The column of this name as weights; null where there is no name. They keep the data set. Errors
/// of weightColumn and checkWeights (engine/dbscan/weighted_dbscan.h), with what to do; they name
/// the rows of the points by `rowOf`.
Result<Weights> weightsOf(const std::shared_ptr<const Dataset>& dataset, const QString& column,
                          const RowOfPoint& rowOf);

/// The names of the columns that can be weights, in order. A name that several columns have is left
/// out.
QStringList weightColumns(const Dataset& dataset);

/// The weights as the engine takes them: empty where there are none.
inline std::span<const double> spanOf(const Weights& weights) {
  return weights ? std::span<const double>(*weights) : std::span<const double>();
}

/// The weights of some points; empty where there are none.
template <class Points>
std::vector<double> weightsAt(const Weights& weights, const Points& points) {
  std::vector<double> some;
  if (!weights) return some;
  some.reserve(points.size());
  for (const auto point : points) some.push_back((*weights)[static_cast<std::size_t>(point)]);
  return some;
}

}  // namespace clusterloom
