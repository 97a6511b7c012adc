#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

// Two ways to deal the rows 0 … n − 1 of a file to g ranks. Part r of a uniform selection
// [Gowanlock 2019, §6.2] is the rows r, r + g, r + 2g, …; block r is consecutive rows.

/// Rows in part r.
constexpr std::uint64_t partSize(std::uint64_t rows, std::uint64_t ranks, std::uint64_t r) {
  return r < rows ? (rows - r + ranks - 1) / ranks : 0;
}

/// First row of block r; that of block g is `rows`.
constexpr std::uint64_t blockBegin(std::uint64_t rows, std::uint64_t ranks, std::uint64_t r) {
  return rows / ranks * r + std::min(r, rows % ranks);
}

/// Points first, first + step, … of a cloud, without names of columns.
PointCloud selectionOf(const PointCloud& cloud, std::uint64_t first, std::uint64_t step);

/// This rank's part of a cloud of which each rank holds consecutive points: `block`, from point
/// `first` of the cloud on, in the order of ranks. Collective.
Result<PointCloud> blocksToPart(Communicator& communicator, const PointCloud& block,
                                std::uint64_t first, const Task& task);

/// Values of the rows of this rank's part, as those of its block. Collective.
template <Sendable T>
Result<std::vector<T>> partToBlock(Communicator& communicator, std::span<const T> values,
                                   std::uint64_t rows, const Task& task) {
  const auto ranks = std::uint64_t(communicator.size());
  const auto rank = std::uint64_t(communicator.rank());
  // Rows of part r before `row`.
  const auto before = [&](std::uint64_t row, std::uint64_t r) { return partSize(row, ranks, r); };
  std::vector<std::span<const T>> toEach;
  for (std::uint64_t b = 0; b < ranks; ++b) {
    const std::uint64_t begin = before(blockBegin(rows, ranks, b), rank);
    toEach.push_back(values.subspan(begin, before(blockBegin(rows, ranks, b + 1), rank) - begin));
  }
  const auto fromEach = communicator.exchange(toEach, task);
  if (!fromEach) return tl::unexpected(fromEach.error());
  const std::uint64_t begin = blockBegin(rows, ranks, rank);
  const std::uint64_t end = blockBegin(rows, ranks, rank + 1);
  std::vector<T> block(end - begin);
  std::vector<std::size_t> next(ranks, 0);
  for (std::uint64_t row = begin; row < end; ++row)
    block[row - begin] = (*fromEach)[row % ranks][next[row % ranks]++];
  return block;
}

}  // namespace clusterloom
