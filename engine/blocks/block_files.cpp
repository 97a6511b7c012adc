#include "engine/blocks/block_files.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "engine/core/chunks.h"
#include "engine/core/parallel_for.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

// The place stands in the highest bits of the id.
constexpr int kPlaceBit = 62;
constexpr std::uint64_t kIdMask = (std::uint64_t{1} << kPlaceBit) - 1;
constexpr std::uint64_t kRecordsAtOnce = 32768;

constexpr std::size_t kGrain = 1024;

void putValue(std::byte* at, double x, bool single) {
  const auto narrow = single ? float(x) : 0.0F;
  std::memcpy(at, single ? static_cast<const void*>(&narrow) : &x, single ? 4 : 8);
}

double valueAt(const std::byte* at, bool single) {
  float narrow = 0;
  double x = 0;
  std::memcpy(single ? static_cast<void*>(&narrow) : &x, at, single ? 4 : 8);
  return single ? double(narrow) : x;
}

}  // namespace

bool floatsHold(const Coordinates& coordinates) {
  return withValues(coordinates, [&](const auto& x) {
    std::atomic<bool> all = true;
    forChunks(coordinates.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && all; i += kGrain) {
        bool these = true;  // without a branch, so that several are compared at a time
        for (std::size_t p = i; p < std::min(end, i + kGrain); ++p)
          these &= storesExactly<float>(x[p]);
        if (!these) all = false;
      }
    });
    return all.load();
  });
}

BlockWriter::BlockWriter(std::string file, std::size_t blocks, BlockRecord record,
                         std::size_t bufferBytes)
    : file_(std::move(file)),
      record_(record),
      bufferBytes_(std::max<std::size_t>(bufferBytes / std::max<std::size_t>(blocks, 1),
                                         4 * record.bytes())),
      buffers_(blocks),
      points_(blocks, 0) {
  for (auto& buffer : buffers_) buffer.reserve(bufferBytes_);
}

Result<void> BlockWriter::add(const PointCloud& part, const BlockEntry& entry, std::uint64_t id) {
  std::vector<std::byte>& buffer = buffers_[entry.block];
  if (buffer.size() + record_.bytes() > bufferBytes_)
    if (auto done = flush(entry.block); !done) return done;
  std::size_t at = buffer.size();
  buffer.resize(at + record_.bytes());
  for (std::size_t j = 0; j < record_.values; ++j, at += record_.single ? 4 : 8)
    putValue(buffer.data() + at, part.columns[j][entry.point], record_.single);
  const std::uint64_t marked = id | std::uint64_t(entry.place) << kPlaceBit;
  std::memcpy(buffer.data() + at, &marked, 8);
  ++points_[entry.block];
  return {};
}

Result<void> BlockWriter::add(const CloudWithImages& part, std::span<const BlockEntry> entries,
                              std::uint64_t firstId) {
  // The entries of each block, in their order.
  const std::size_t blocks = buffers_.size();
  std::vector<std::vector<std::size_t>> places(chunksOf(entries.size()));
  forChunks(entries.size(), [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    places[chunk].assign(blocks, 0);
    for (std::size_t i = begin; i < end; ++i) ++places[chunk][entries[i].block];
  });
  std::vector<std::size_t> begins(blocks + 1, 0);
  std::size_t before = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (auto& chunk : places) before += std::exchange(chunk[block], before);
    begins[block + 1] = before;
  }
  std::vector<std::uint32_t> order(entries.size());
  forChunks(entries.size(), [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      order[places[chunk][entries[i].block]++] = std::uint32_t(i);
  });
  const std::size_t points = part.cloud.size() - part.originals.size();
  std::vector<Result<void>> done(blocks);
  parallelFor(blocks, 1, [&](std::size_t block) {
    for (std::size_t i = begins[block]; done[block] && i < begins[block + 1]; ++i) {
      const BlockEntry& entry = entries[order[i]];
      const std::uint32_t id =
          entry.point < points ? entry.point : part.originals[entry.point - points];
      done[block] = add(part.cloud, entry, firstId + id);
    }
  });
  for (const Result<void>& one : done)
    if (!one) return one;
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
                              const std::vector<std::string>& names, BlockRecord record,
                              const Task& task) {
  BlockPoints held;
  held.cloud.names = names;
  held.cloud.columns.resize(record.values);
  for (auto& column : held.cloud.columns) column.resize(points);
  held.ids.resize(points);
  held.places.resize(points);
  const std::uint64_t bytes = record.bytes();
  const std::uint64_t atOnce = std::max<std::uint64_t>(1, kRecordsAtOnce / record.values);
  const std::uint64_t readings = (points + atOnce - 1) / atOnce;
  std::vector<Result<void>> done(readings);
  parallelFor(readings, 1, task, [&](std::uint64_t reading) {
    const std::uint64_t first = reading * atOnce;
    const std::uint64_t count = std::min(atOnce, points - first);
    std::vector<std::byte> records(count * bytes);
    done[reading] = ScratchFolder::read(file, first * bytes, records);
    if (!done[reading]) return;
    const std::byte* at = records.data();
    for (std::uint64_t p = first; p < first + count; ++p) {
      for (std::size_t j = 0; j < record.values; ++j, at += record.single ? 4 : 8)
        held.cloud.columns[j][p] = valueAt(at, record.single);
      std::uint64_t marked = 0;
      std::memcpy(&marked, at, 8);
      at += 8;
      held.ids[p] = marked & kIdMask;
      held.places[p] = static_cast<Place>(marked >> kPlaceBit);
    }
  });
  if (task.cancelled()) return cancelledError();
  for (const Result<void>& one : done)
    if (!one) return tl::unexpected(one.error());
  if (record.values > names.size()) {
    held.weights = std::move(held.cloud.columns.back());
    held.cloud.columns.pop_back();
  }
  return held;
}

}  // namespace clusterloom
