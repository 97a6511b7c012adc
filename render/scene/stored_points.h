#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "render/scene/display_space.h"

namespace clusterloom {

/// The points of a file of more points than memory holds, in levels of detail on the disk. Levels
/// begin with 1. Only the list of blocks is in memory, 36 bytes each, and that of a file's own
/// tree; the points of a block are read when it is drawn. Several threads may use one.
class StoredPoints {
 public:
  /// Those that storePoints wrote (store_points.h), which stay usable where their file is removed.
  /// Io; BadInput for a file that is not whole, or of another version; TooLarge where the memory
  /// runs out.
  static Result<std::shared_ptr<const StoredPoints>> open(const std::string& path);
  virtual ~StoredPoints() = default;
  StoredPoints(const StoredPoints&) = delete;
  StoredPoints& operator=(const StoredPoints&) = delete;

  /// The blocks, their box, and the number of axes; coordinates and ids are left out.
  const std::shared_ptr<const DisplayPoints>& outline() const { return outline_; }
  std::uint64_t size() const { return size_; }

  /// The points of a block.
  struct Block {
    LargeArray<float> xyz;            ///< 3 per point, in the display space that was stored
    std::vector<std::uint32_t> rows;  ///< of the file that was stored, counted from 0
  };
  /// Io; BadInput where the file has changed; TooLarge where the memory runs out.
  virtual Result<Block> read(std::size_t block) const = 0;
  /// The rows of points in the order of the blocks. Io.
  virtual Result<void> readRows(std::size_t block, std::span<std::uint32_t> rows) const = 0;

 protected:
  StoredPoints() = default;

  std::uint64_t size_ = 0;
  std::shared_ptr<const DisplayPoints> outline_;
};

/// How a file of stored points begins; then follow the points of each block, their coordinates
/// before their rows, and the list of blocks.
struct StoredHeader {
  static constexpr char kMagic[8] = {'C', 'L', 'P', 'O', 'I', 'N', 'T', 'S'};
  static constexpr std::uint32_t kVersion = 2;
  char magic[8] = {};
  std::uint32_t version = kVersion;
  std::uint32_t axes = 0;
  std::uint64_t points = 0;
  std::uint64_t blocks = 0;
  DisplayBox box;
  char hash[40] = {};  ///< of all this before and of the list, as Hasher gives it
};

/// A block in the list of a file.
struct StoredBlock {
  std::uint32_t count = 0;
  std::int32_t level = 0;
  std::array<float, 3> low{};
  std::array<float, 3> high{};
};

/// Bytes of a point in a file, and while it is written.
constexpr std::uint64_t storedPointBytes(std::size_t axes) { return 4 * axes + 4; }

/// The text of StoredHeader::hash. Coordinates and rows are not covered: reading all of them would
/// take as long as storing them.
std::string hashOf(const StoredHeader& header, std::span<const StoredBlock> blocks);

}  // namespace clusterloom
