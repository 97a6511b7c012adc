#pragma once

#include <functional>

#include "app/paraview/filters/input_points.h"
#include "engine/core/result.h"

class vtkMultiProcessController;

namespace clusterloom::paraview {

/// Finds the clusters of a cloud, which may be empty: one entry in each array that it makes for
/// each point.
using ClusterFunction = std::function<Result<FoundClusters>(const InputPoints&)>;

/// Clusters the points of all ranks of ParaView's server as one cloud: brings them to rank 0, where
/// `cluster` is called with those that are not left out, and gives each rank the entries of its own
/// points. All ranks call it, with what they have read of their pieces. Where there is one rank, or
/// no controller, nothing is sent.
///
/// The error of a rank that could not read its points or has no memory for what it is sent, and
/// that of `cluster`, is returned on that rank; the others then return ErrorKind::Cancelled. All
/// ranks have the figures. `cluster` may throw std::bad_alloc.
Result<FoundClusters> onAllRanks(vtkMultiProcessController* controller, Result<InputPoints> points,
                                 const ClusterFunction& cluster);

/// How a step has ended, without its results.
template <class Value>
Result<void> endOf(const Result<Value>& result) {
  if (!result) return tl::unexpected(result.error());
  return {};
}

/// How a step ends that each rank does by itself: with its own error, else Cancelled where another
/// rank has one. All ranks call it.
Result<void> endOnAllRanks(vtkMultiProcessController* controller, Result<void> own);

}  // namespace clusterloom::paraview
