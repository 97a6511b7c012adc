#include "render/scene/stored_points.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "engine/io/file_bytes.h"
#include "engine/io/hasher.h"
#include "render/scene/point_levels.h"

namespace clusterloom {
namespace {

tl::unexpected<Error> notWhole(const std::string& path) {
  return badInput(path + ": is not a whole file of stored points.");
}

tl::unexpected<Error> noMemory(const std::string& path) {
  return tooLarge(path + ": memory ran out while stored points were read.");
}

bool isSound(const StoredHeader& header, std::uint64_t bytes) {
  if (std::memcmp(header.magic, StoredHeader::kMagic, sizeof header.magic) != 0) return false;
  if (header.version != StoredHeader::kVersion || header.axes < 2 || header.axes > 3) return false;
  if (header.points > bytes || header.blocks > header.points) return false;
  return sizeof(StoredHeader) + header.points * storedPointBytes(header.axes) +
             header.blocks * sizeof(StoredBlock) ==
         bytes;
}

class StoredFile final : public StoredPoints {
 public:
  explicit StoredFile(std::string path) : path_(std::move(path)) {}
  ~StoredFile() override {
    if (file_ >= 0) ::close(file_);
  }
  Result<void> readList();
  Result<Block> read(std::size_t block) const override;
  Result<void> readRows(std::size_t block, std::span<std::uint32_t> rows) const override;

 private:
  Result<Block> readBlock(std::size_t block) const;
  Result<void> readAt(std::uint64_t offset, std::span<std::byte> bytes) const;
  std::uint64_t placeOf(std::size_t block) const;

  std::string path_;
  int file_ = -1;
  std::size_t axes_ = 3;
};

Result<void> StoredFile::readAt(std::uint64_t offset, std::span<std::byte> bytes) const {
  const int error = readFileBytes(file_, offset, bytes);
  if (error == 0) return {};
  return ioError(path_ + ": cannot be read (" + std::strerror(error) + ").");
}

Result<void> StoredFile::readList() {
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat found {};
  if (file_ < 0 || ::fstat(file_, &found) != 0)
    return ioError(path_ + ": cannot be opened (" + std::strerror(errno) + ").");
  const auto bytes = std::uint64_t(found.st_size);
  StoredHeader header;
  if (bytes < sizeof header) return notWhole(path_);
  if (auto done = readAt(0, std::as_writable_bytes(std::span(&header, 1))); !done) return done;
  if (!isSound(header, bytes)) return notWhole(path_);
  std::vector<StoredBlock> blocks(header.blocks);
  const std::uint64_t listed = bytes - header.blocks * sizeof(StoredBlock);
  if (auto done = readAt(listed, std::as_writable_bytes(std::span(blocks))); !done) return done;
  const std::string hash = hashOf(header, blocks);
  if (std::strncmp(hash.c_str(), header.hash, sizeof header.hash) != 0) return notWhole(path_);
  auto outline = std::make_shared<DisplayPoints>();
  outline->space.axes = int(header.axes);
  outline->box = header.box;
  std::uint64_t first = 0;
  for (const StoredBlock& block : blocks) {
    if (block.count == 0 || block.count > kBlockPoints || block.level < 1) return notWhole(path_);
    outline->blocks.push_back(
        {std::uint32_t(first), block.count, block.level, block.low, block.high});
    first += block.count;
  }
  if (first != header.points) return notWhole(path_);
  axes_ = header.axes;
  size_ = header.points;
  outline_ = std::move(outline);
  return {};
}

std::uint64_t StoredFile::placeOf(std::size_t block) const {
  return sizeof(StoredHeader) + storedPointBytes(axes_) * outline_->blocks[block].first;
}

Result<StoredPoints::Block> StoredFile::read(std::size_t block) const {
  try {
    return readBlock(block);
  } catch (const std::bad_alloc&) {
    return noMemory(path_);
  }
}

Result<StoredPoints::Block> StoredFile::readBlock(std::size_t index) const {
  const std::size_t count = outline_->blocks[index].count;
  std::vector<std::byte> bytes(count * storedPointBytes(axes_));
  if (auto done = readAt(placeOf(index), bytes); !done) return tl::unexpected(done.error());
  Block block;
  block.xyz.resize(3 * count);
  block.rows.resize(count);
  const std::size_t placeBytes = axes_ * sizeof(float);
  for (std::size_t i = 0; i < count; ++i) {
    float* xyz = block.xyz.data() + 3 * i;
    xyz[2] = 0;
    std::memcpy(xyz, bytes.data() + i * placeBytes, placeBytes);
  }
  std::memcpy(block.rows.data(), bytes.data() + count * placeBytes, count * sizeof(std::uint32_t));
  return block;
}

Result<void> StoredFile::readRows(std::size_t block, std::span<std::uint32_t> rows) const {
  const std::size_t places = outline_->blocks[block].count * axes_ * sizeof(float);
  return readAt(placeOf(block) + places, std::as_writable_bytes(rows));
}

}  // namespace

std::string hashOf(const StoredHeader& header, std::span<const StoredBlock> blocks) {
  Hasher hasher;
  hasher.add(reinterpret_cast<const char*>(&header), offsetof(StoredHeader, hash));
  hasher.add(reinterpret_cast<const char*>(blocks.data()), blocks.size_bytes());
  return hasher.text();
}

Result<std::shared_ptr<const StoredPoints>> StoredPoints::open(const std::string& path) {
  try {
    const auto stored = std::make_shared<StoredFile>(path);
    if (auto done = stored->readList(); !done) return tl::unexpected(done.error());
    return stored;
  } catch (const std::bad_alloc&) {
    return noMemory(path);
  }
}

}  // namespace clusterloom
