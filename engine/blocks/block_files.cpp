#include "engine/blocks/block_files.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace clusterloom {
namespace {

// The place stands in the highest bits of the id.
constexpr int kPlaceBit = 62;
constexpr std::uint64_t kIdMask = (std::uint64_t{1} << kPlaceBit) - 1;
constexpr std::uint64_t kRecordsAtOnce = 32768;

}  // namespace

BlockWriter::BlockWriter(std::string file, std::size_t blocks, std::size_t columns,
                         std::size_t bufferBytes)
    : file_(std::move(file)),
      bufferBytes_(std::max<std::size_t>(bufferBytes / std::max<std::size_t>(blocks, 1),
                                         4 * blockRecordBytes(columns))),
      buffers_(blocks),
      points_(blocks, 0) {
  for (auto& buffer : buffers_) buffer.reserve(bufferBytes_);
}

Result<void> BlockWriter::add(const PointCloud& part, const BlockEntry& entry, std::uint64_t id) {
  std::vector<std::byte>& buffer = buffers_[entry.block];
  const std::size_t dims = part.dims();
  if (buffer.size() + blockRecordBytes(dims) > bufferBytes_)
    if (auto done = flush(entry.block); !done) return done;
  std::size_t at = buffer.size();
  buffer.resize(at + blockRecordBytes(dims));
  for (std::size_t j = 0; j < dims; ++j, at += 8)
    std::memcpy(buffer.data() + at, &part.columns[j][entry.point], 8);
  const std::uint64_t marked = id | std::uint64_t(entry.place) << kPlaceBit;
  std::memcpy(buffer.data() + at, &marked, 8);
  ++points_[entry.block];
  return {};
}

Result<void> BlockWriter::flush(std::size_t block) {
  if (buffers_[block].empty()) return {};
  auto done = ScratchFolder::append(file_ + std::to_string(block), buffers_[block]);
  buffers_[block].clear();
  return done;
}

Result<void> BlockWriter::finish() {
  for (std::size_t block = 0; block < buffers_.size(); ++block) {
    if (auto done = flush(block); !done) return done;
    buffers_[block] = {};
  }
  return {};
}

Result<BlockPoints> readBlock(const std::string& file, std::uint64_t points,
                              const std::vector<std::string>& names, bool weighted,
                              const Task& task) {
  BlockPoints held;
  const std::size_t dims = names.size() + weighted;
  held.cloud.names = names;
  held.cloud.columns.resize(dims);
  for (auto& column : held.cloud.columns) column.resize(points);
  held.ids.resize(points);
  held.places.resize(points);
  const std::uint64_t bytes = blockRecordBytes(dims);
  const std::uint64_t atOnce = std::max<std::uint64_t>(1, kRecordsAtOnce / dims);
  std::vector<std::byte> records;
  for (std::uint64_t first = 0; first < points; first += atOnce) {
    if (task.cancelled()) return cancelledError();
    const std::uint64_t count = std::min(atOnce, points - first);
    records.resize(count * bytes);
    if (auto done = ScratchFolder::read(file, first * bytes, records); !done)
      return tl::unexpected(done.error());
    const std::byte* at = records.data();
    for (std::uint64_t p = first; p < first + count; ++p) {
      for (std::size_t j = 0; j < dims; ++j, at += 8) std::memcpy(&held.cloud.columns[j][p], at, 8);
      std::uint64_t marked = 0;
      std::memcpy(&marked, at, 8);
      at += 8;
      held.ids[p] = marked & kIdMask;
      held.places[p] = static_cast<Place>(marked >> kPlaceBit);
    }
  }
  if (weighted) {
    held.weights = std::move(held.cloud.columns.back());
    held.cloud.columns.pop_back();
  }
  return held;
}

}  // namespace clusterloom
