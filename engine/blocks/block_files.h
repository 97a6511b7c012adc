#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/blocks/cluster_block.h"
#include "engine/blocks/scratch_folder.h"
#include "engine/core/task.h"
#include "engine/join/periodic_box.h"

namespace clusterloom {

/// What a block's file has of each point: its coordinates and its weight where there are weights,
/// as floats or doubles; its id, and its place.
struct BlockRecord {
  std::size_t values = 0;  ///< coordinates, and the weight
  bool single = false;     ///< as floats, which hold all of them exactly (floatsHold)

  std::uint64_t bytes() const { return (single ? 4 : 8) * values + 8; }
};

/// Whether each of the values is a double that a float holds exactly. Parallel on the caller's TBB
/// arena.
bool floatsHold(const Coordinates& coordinates);

/// Writes the points of each block to a file, in the order in which they arrive.
class BlockWriter {
 public:
  /// The files are `file` with the number of the block. `bufferBytes` for all blocks together.
  BlockWriter(std::string file, std::size_t blocks, BlockRecord record, std::size_t bufferBytes);
  /// The points of a part, which may have weights as a last column: `entries` in their order,
  /// their ids counted from `firstId`; an image has that of its point. Parallel on the caller's TBB
  /// arena, a thread for a block.
  Result<void> add(const CloudWithImages& part, std::span<const BlockEntry> entries,
                   std::uint64_t firstId);
  /// Writes the buffered points to the disk and frees the memory.
  Result<void> finish();
  std::uint64_t points(std::size_t block) const { return points_[block]; }

 private:
  Result<void> add(const PointCloud& part, const BlockEntry& entry, std::uint64_t id);
  Result<void> flush(std::size_t block);

  std::string file_;
  BlockRecord record_;
  std::size_t bufferBytes_;  // of each
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::uint64_t> points_;
};

/// Reads the points of a block that BlockWriter wrote; a value more than names is the weight.
/// Parallel on the caller's TBB arena.
Result<BlockPoints> readBlock(const std::string& file, std::uint64_t points,
                              const std::vector<std::string>& names, BlockRecord record,
                              const Task& task);

}  // namespace clusterloom
