#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/core/task.h"

namespace clusterloom {

/// A range of entries as copied from the device: rows of one batch, one after the other, or a part
/// of them. Row r belongs to point pointOfRow[r] and is entries rowStart[r] … rowStart[r + 1] − 1
/// of the batch.
struct SentRows {
  std::span<const std::uint32_t> pointOfRow;
  std::span<const std::uint64_t> rowStart;  ///< one entry more than rows
  std::uint64_t first = 0;                  ///< number in the batch of entries[0]
  std::span<const std::uint32_t> entries;
};

/// Puts the rows of batches into their places in a neighbour table, from several threads at once.
class TableBuilder {
 public:
  /// `table.offsets` is final and `table.ids` has room for all. Under a half pattern an entry with
  /// bit 31 set also adds this row's point to its neighbour's row, and rows come unsorted.
  TableBuilder(NeighbourTable& table, bool half);

  void take(const SentRows& rows);
  /// Sorts what take() leaves unsorted; false when the task was stopped.
  bool finish(const Task& task);

 private:
  void takeWhole(const SentRows& rows);
  void takeBothWays(const SentRows& rows);

  NeighbourTable& table_;
  bool half_;
  std::vector<std::uint64_t> cursors_;  // half patterns only: next free place of each row
};

}  // namespace clusterloom
