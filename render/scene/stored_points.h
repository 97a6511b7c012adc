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

/// The points of a file of more points than memory holds, in levels of detail on the disk
/// (store_points.h writes them). Levels begin with 1. Only the list of blocks is in memory, 36
/// bytes each; the points of a block are read when it is drawn. Several threads may use one, which
/// stays usable where the file is removed.
class StoredPoints {
 public:
  /// Io; BadInput for a file that is not whole, or of another version; TooLarge where the memory
  /// runs out.
  static Result<std::shared_ptr<const StoredPoints>> open(const std::string& path);
  ~StoredPoints();
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
  /// Io; TooLarge where the memory runs out.
  Result<Block> read(std::size_t block) const;
  /// The rows of points in the order of the blocks. Io.
  Result<void> readRows(std::size_t block, std::span<std::uint32_t> rows) const;

 private:
  StoredPoints() = default;
  Result<void> readList();
  Result<Block> readBlock(std::size_t block) const;
  Result<void> readAt(std::uint64_t offset, std::span<std::byte> bytes) const;
  std::uint64_t placeOf(std::size_t block) const;

  std::string path_;
  int file_ = -1;
  std::size_t axes_ = 3;
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
