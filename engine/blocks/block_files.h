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

/// Bytes of a point in a block's file: its coordinates, its weight where there are weights, its id
/// and its place.
constexpr std::uint64_t blockRecordBytes(std::size_t columns) { return 8 * columns + 8; }

/// Writes the points of each block to a file, in the order in which they arrive.
class BlockWriter {
 public:
  /// The files are `file` with the number of the block. `bufferBytes` for all blocks together.
  BlockWriter(std::string file, std::size_t blocks, std::size_t columns, std::size_t bufferBytes);
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
  std::size_t bufferBytes_;  // of each
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::uint64_t> points_;
};

/// Reads the points of a block that BlockWriter wrote. Parallel on the caller's TBB arena.
Result<BlockPoints> readBlock(const std::string& file, std::uint64_t points,
                              const std::vector<std::string>& names, bool weighted,
                              const Task& task);

}  // namespace clusterloom
