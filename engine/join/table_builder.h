#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/task.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// A range of entries as copied from a device: rows of one batch, one after the other, or a part
/// of them. Row r belongs to point pointOfRow[r] and is entries rowStart[r] … rowStart[r + 1] − 1
/// of the batch. Under a half pattern the bit kBothWays marks a neighbour whose own row needs the
/// row's point too.
struct SentRows {
  static constexpr std::uint32_t kBothWays = 1U << 31;

  std::span<const std::uint32_t> pointOfRow;
  std::span<const std::uint64_t> rowStart;  ///< one entry more than rows
  std::uint64_t first = 0;                  ///< number in the batch of entries[0]
  std::span<const std::uint32_t> entries;
};

/// Puts the rows of batches into their places in a neighbour table, from several threads at once.
class TableBuilder {
 public:
  /// `table.offsets` is final and `table.ids` has room for all. Under a half pattern rows come
  /// unsorted.
  TableBuilder(NeighbourTable& table, bool half);

  void take(const SentRows& rows);
  /// Sorts what take() leaves unsorted; false when the task was stopped.
  bool finish(const Task& task);

 private:
  void takeWhole(const SentRows& rows);
  void takeBothWays(const SentRows& rows);
  // Takes the next `entries` places of a row and returns the first of them.
  std::uint64_t placesIn(std::uint32_t row, std::uint64_t entries);

  NeighbourTable& table_;
  bool half_;
  std::vector<std::uint64_t> cursors_;  // half patterns only: next free place of each row
};

}  // namespace clusterloom
