#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Distances of points to each other as the rows of a sparse matrix (CSR): those of point p are
/// values[i] to the points ids[i], for i from starts[p] to starts[p + 1] − 1. A distance that is
/// not stored is larger than any that matters; a stored 0 is a distance.
struct SparseDistances {
  LargeArray<std::int64_t> starts;  ///< points + 1
  LargeArray<std::int64_t> ids;     ///< of a row in any order
  LargeArray<double> values;
  /// The values have 32 bits each: ε is rounded to 32 bits before they are compared with it, as in
  /// scikit-learn.
  bool isSingle = false;

  std::size_t points() const { return starts.empty() ? 0 : starts.size() - 1; }
};

/// BadInput for invalid rows, ids of no point, two distances between the same points in one row,
/// and distances that are negative or not finite. By the threads of the caller's TBB arena, as
/// checkSymmetric.
Result<void> checkDistances(const SparseDistances& distances);

/// BadInput unless every distance is stored in both directions, and equal but for rounding: up to
/// 1e-9 + 1e-7 of it, as in scikit-learn. Takes as much memory again where the ids of a row are not
/// in their order. Cancelled.
Result<void> checkSymmetric(const SparseDistances& distances, const Task& task = {});

}  // namespace clusterloom
