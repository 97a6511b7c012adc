#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/blocks/cluster_block.h"
#include "engine/blocks/scratch_folder.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Bytes of a point in a block's file: its coordinates, its id and its place.
constexpr std::uint64_t blockRecordBytes(std::size_t dims) { return 8 * dims + 8; }

/// Writes the points of blocks to a file each, in the order in which they come.
class BlockWriter {
 public:
  /// `bufferBytes` for all blocks together.
  BlockWriter(const ScratchFolder& folder, std::size_t blocks, std::size_t dims,
              std::size_t bufferBytes);
  Result<void> add(const PointCloud& part, const BlockEntry& entry, std::uint64_t id);
  /// Writes what is not on the disk yet, and frees the memory.
  Result<void> finish();
  std::uint64_t points(std::size_t block) const { return points_[block]; }

 private:
  Result<void> flush(std::size_t block);

  const ScratchFolder& folder_;
  std::size_t bufferBytes_;  // of each
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::uint64_t> points_;
};

/// The file of a block's points.
std::string blockFile(const ScratchFolder& folder, std::size_t block);

/// Reads the points of a block that BlockWriter wrote.
Result<BlockPoints> readBlock(const ScratchFolder& folder, std::size_t block, std::uint64_t points,
                              const std::vector<std::string>& names, const Task& task);

}  // namespace clusterloom
