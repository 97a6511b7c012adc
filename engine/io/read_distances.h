#pragma once

#include <string>

#include "engine/cloud/sparse_distances.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/byte_source.h"

namespace clusterloom {

/// Reads the distances of points from a square sparse matrix by rows (CSR), as
/// scipy.sparse.save_npz writes it, compressed or not.
///
/// Errors name the file and say what to do: Io; BadInput for another file, a matrix in another
/// format than CSR, one that is not square, and what checkDistances refuses; TooLarge; Cancelled.
Result<SparseDistances> readDistances(const std::string& path, const Task& task = {});

/// The same from any source, whose name the messages use.
Result<SparseDistances> readDistancesFrom(const ByteSource& source, const Task& task = {});

}  // namespace clusterloom
