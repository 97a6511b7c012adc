#include "render/scene/store_points.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

#include "engine/blocks/block_progress.h"
#include "engine/blocks/file_in_parts.h"
#include "engine/blocks/scratch_folder.h"
#include "engine/core/chunks.h"
#include "engine/core/parallel_for.h"
#include "engine/core/within_memory.h"
#include "engine/grid/sort_by_key.h"
#include "engine/io/disk_space.h"
#include "engine/io/file_stamp.h"
#include "render/scene/level_order.h"
#include "render/scene/place_points.h"
#include "render/scene/stored_points.h"

namespace clusterloom {
namespace {

constexpr const char* kStoreStage = "laying out";
constexpr std::size_t kMostPiles = 4096;
/// What a byte of a point that is dealt or sorted takes, beside one that is only copied.
constexpr double kDealtByte = 4;
constexpr double kSortedByte = 6;
/// Bytes of a point while its pile is sorted, and of a row while it is dealt.
constexpr std::uint64_t kSortedBytes = 88;
constexpr std::uint64_t dealtBytes(std::size_t dims) { return 24 * dims + 24; }

constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max();

tl::unexpected<Error> tooManyRows(const std::string& path) {
  return tooLarge(path + ": has more than 2³² − 1 rows, which cannot be drawn.");
}

/// The blocks of a level that are written so far.
struct WrittenLevel {
  std::uint64_t first = 0;  ///< point
  std::uint64_t written = 0;
  std::vector<StoredBlock> blocks;
};

/// The passes of storePoints.
class PointStore {
 public:
  PointStore(const StoreOrder& order, const Task& task)
      : order_(order),
        task_(task),
        quiet_{task.stop, {}},
        axes_(std::size_t(order.sample->space.axes)),
        levels_(order.sample->space.axes, order.sample->box, order.likelyRows),
        stamp_(stampOf(order.path)) {}

  Result<void> run(const std::string& output, const std::string& scratch);

 private:
  std::uint64_t pointBytes() const { return storedPointBytes(axes_); }
  std::string pile(std::size_t number) const {
    return scratch_.file("pile-" + std::to_string(number));
  }
  Result<void> checkUnchanged() const;
  Result<void> weighPasses();
  void cutPiles();
  Result<void> deal();
  Result<void> deal(const RowsOfFile& rows);
  Result<void> flush(std::size_t pile);
  Result<void> sortPiles();
  Result<void> sortPart(std::size_t pile, std::uint64_t first, std::size_t count);
  Result<void> writeSorted(std::span<const float> xyz, std::span<const std::uint32_t> rows,
                           std::span<const std::uint64_t> keys, std::span<std::uint32_t> order);
  Result<void> finish(const std::string& output);

  const StoreOrder& order_;
  const Task& task_;
  const Task quiet_;
  const std::size_t axes_;
  const LevelOrder levels_;
  const FileStamp stamp_;
  double dealt_ = 0;  // share of the progress at which all points are dealt
  ScratchFolder scratch_;
  std::string target_;
  std::uint64_t mostSorted_ = 0;         // points
  std::vector<std::uint64_t> pileEnds_;  // places
  std::vector<std::vector<std::byte>> buffers_;
  std::size_t bufferBytes_ = 0;
  std::vector<std::uint64_t> pilePoints_;
  std::vector<WrittenLevel> written_;
  std::uint64_t points_ = 0;
};

Result<void> PointStore::checkUnchanged() const {
  if (stampOf(order_.path) == stamp_) return {};
  return badInput(order_.path +
                  ": has changed while it was read. Open it again when it is complete.");
}

Result<void> PointStore::run(const std::string& output, const std::string& scratch) {
  const std::uint64_t needed = storedBytes(int(axes_), order_.likelyRows);
  if (auto enough = checkDiskSpace(scratch, needed); !enough) return enough;
  if (auto weighed = weighPasses(); !weighed) return weighed;
  if (auto made = scratch_.make(scratch); !made) return made;
  target_ = scratch_.file("points");
  cutPiles();
  if (auto done = deal(); !done) return done;
  if (auto done = sortPiles(); !done) return done;
  return finish(output);
}

Result<void> PointStore::weighPasses() {
  const auto preview = previewFile(order_.path, order_.read, 1);
  if (!preview) return tl::unexpected(preview.error());
  const double points = double(order_.likelyRows * pointBytes());
  const double dealing = costOfByte(preview->format) * double(stamp_.bytes) + kDealtByte * points;
  dealt_ = dealing / (dealing + kSortedByte * points);
  return {};
}

// Along the curve, with as many points of the sample each.
void PointStore::cutPiles() {
  const std::uint64_t memory = std::max(order_.memory, kLeastStoreMemory);
  mostSorted_ = memory / 2 / kSortedBytes;
  // Some more than fit, because a sample does not tell exactly how many lie where.
  const std::uint64_t piles =
      std::clamp<std::uint64_t>(order_.likelyRows * 5 / 4 / mostSorted_ + 1, 1, kMostPiles);
  bufferBytes_ = std::size_t(std::max<std::uint64_t>(memory / 4 / piles, 4096));
  const DisplayPoints& sample = *order_.sample;
  const std::size_t taken = std::min<std::size_t>(sample.size(), 1024 * piles);
  std::vector<std::uint64_t> places(taken);
  for (std::size_t i = 0; i < taken; ++i)
    places[i] = levels_.placeOf(sample.xyz.data() + 3 * (i * sample.size() / taken));
  std::sort(places.begin(), places.end());
  for (std::uint64_t pile = 1; pile < piles && taken > 0; ++pile)
    pileEnds_.push_back(places[std::size_t(pile * taken / piles)]);
  pileEnds_.erase(std::unique(pileEnds_.begin(), pileEnds_.end()), pileEnds_.end());
  buffers_.resize(pileEnds_.size() + 1);
  pilePoints_.assign(buffers_.size(), 0);
  written_.resize(std::size_t(levels_.largestLevel()) + 2);
}

Result<void> PointStore::deal() {
  ReadOptions read = order_.read;
  read.every = 1;
  read.keepOthers = false;
  read.keep.clear();
  read.skipNonFinite = true;
  const std::size_t dims =
      std::max<std::size_t>(order_.scaling.factor.size(), order_.sample->space.centre.size());
  const std::uint64_t ofPart =
      std::max(order_.memory, kLeastStoreMemory) / 8 / dealtBytes(std::max<std::size_t>(dims, 3));
  const auto parts = int(std::min<std::uint64_t>(order_.likelyRows / ofPart + 1, 1 << 20));
  FileInParts file(order_.path, read, {}, parts, task_);
  for (int part = 0; part < parts; ++part) {
    task_.report(kStoreStage, dealt_ * part / parts);
    auto rows = file.next();
    if (!rows) return tl::unexpected(rows.error());
    if (task_.cancelled()) return cancelledError();
    if (!*rows) break;
    if (order_.scaling.kind != Scaling::Kind::None && (*rows)->data.cloud.size() > 0)
      (*rows)->data.cloud = applyScaling((*rows)->data.cloud, order_.scaling);
    if (auto done = deal(**rows); !done) return done;
    if (order_.pause) order_.pause();
  }
  for (std::size_t pile = 0; pile < buffers_.size(); ++pile) {
    if (auto done = flush(pile); !done) return done;
    buffers_[pile] = {};
  }
  if (points_ == 0) return badInput(order_.path + ": no row has finite coordinates.");
  return checkUnchanged();
}

Result<void> PointStore::deal(const RowsOfFile& rows) {
  const PointCloud& cloud = rows.data.cloud;
  if (rows.firstRow + rows.data.inputRows > kMostRows) return tooManyRows(order_.path);
  LargeArray<float> xyz(3 * cloud.size());
  std::vector<std::uint16_t> pileOf(cloud.size());
  forChunks(cloud.size(), [&](std::size_t /*chunk*/, std::size_t begin, std::size_t end) {
    if (task_.cancelled()) return;
    placePoints(order_.sample->space, cloud, begin, end, xyz.data() + 3 * begin);
    for (std::size_t i = begin; i < end; ++i)
      pileOf[i] = std::uint16_t(std::upper_bound(pileEnds_.begin(), pileEnds_.end(),
                                                 levels_.placeOf(xyz.data() + 3 * i)) -
                                pileEnds_.begin());
  });
  if (task_.cancelled()) return cancelledError();
  auto skipped = rows.data.skippedRows.begin();
  std::uint64_t row = rows.firstRow;
  for (std::size_t i = 0; i < cloud.size(); ++i, ++row) {
    while (skipped != rows.data.skippedRows.end() && *skipped == row) ++skipped, ++row;
    ++written_[std::size_t(levels_.levelOf(row)) + 1].written;
    std::vector<std::byte>& buffer = buffers_[pileOf[i]];
    if (buffer.size() + pointBytes() > bufferBytes_)
      if (auto done = flush(pileOf[i]); !done) return done;
    const std::size_t at = buffer.size();
    buffer.resize(at + pointBytes());
    std::memcpy(buffer.data() + at, xyz.data() + 3 * i, 4 * axes_);
    const auto number = std::uint32_t(row);
    std::memcpy(buffer.data() + at + 4 * axes_, &number, sizeof number);
    ++pilePoints_[pileOf[i]];
  }
  points_ += cloud.size();
  return {};
}

Result<void> PointStore::flush(std::size_t number) {
  if (buffers_[number].empty()) return {};
  auto done = ScratchFolder::append(pile(number), buffers_[number]);
  buffers_[number].clear();
  return done;
}

Result<void> PointStore::sortPiles() {
  std::uint64_t first = 0;
  for (WrittenLevel& level : written_) {
    level.first = first;
    first += std::exchange(level.written, 0);
  }
  std::uint64_t sorted = 0;
  for (std::size_t number = 0; number < pilePoints_.size(); ++number) {
    for (std::uint64_t done = 0; done < pilePoints_[number];) {
      task_.report(kStoreStage, dealt_ + (1 - dealt_) * double(sorted) / double(points_));
      const auto count = std::size_t(std::min(mostSorted_, pilePoints_[number] - done));
      if (auto one = sortPart(number, done, count); !one) return one;
      done += count;
      sorted += count;
      if (order_.pause) order_.pause();
    }
    std::error_code ignored;
    std::filesystem::remove(pile(number), ignored);
  }
  return {};
}

// A pile that is larger than expected is sorted in parts, whose blocks lie in the same place.
Result<void> PointStore::sortPart(std::size_t number, std::uint64_t first, std::size_t count) {
  std::vector<std::byte> records(count * pointBytes());
  if (auto done = ScratchFolder::read(pile(number), first * pointBytes(), records); !done)
    return done;
  LargeArray<float> xyz(3 * count);
  LargeArray<std::uint32_t> rows(count);
  LargeArray<std::uint64_t> keys(count);
  LargeArray<std::uint32_t> order(count);
  forChunks(count, [&](std::size_t /*chunk*/, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::byte* record = records.data() + i * pointBytes();
      xyz[3 * i + 2] = 0;
      std::memcpy(xyz.data() + 3 * i, record, 4 * axes_);
      std::memcpy(&rows[i], record + 4 * axes_, sizeof rows[i]);
      keys[i] = (levels_.levelOf(rows[i]) + 1) << levels_.placeBits() |
                levels_.placeOf(xyz.data() + 3 * i);
      order[i] = std::uint32_t(i);
    }
  });
  records = {};
  const std::uint64_t largest = ((levels_.largestLevel() + 2) << levels_.placeBits()) - 1;
  if (task_.cancelled() || !sortByKey(keys, order, largest, quiet_)) return cancelledError();
  return writeSorted(xyz, rows, keys, order);
}

Result<void> PointStore::writeSorted(std::span<const float> xyz,
                                     std::span<const std::uint32_t> rows,
                                     std::span<const std::uint64_t> keys,
                                     std::span<std::uint32_t> order) {
  std::vector<PointBlock> blocks = blocksOf(keys, levels_.placeBits());
  std::vector<std::byte> bytes(rows.size() * pointBytes());
  parallelFor(blocks.size(), 1, [&](std::size_t b) {
    PointBlock& block = blocks[b];
    shuffleBlock(block, order);
    std::vector<float> places(3 * std::size_t{block.count});
    std::byte* at = bytes.data() + block.first * pointBytes();
    std::byte* rowAt = at + block.count * 4 * axes_;
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::size_t point = order[block.first + i];
      std::copy_n(xyz.data() + 3 * point, 3, places.data() + 3 * i);
      std::memcpy(at + i * 4 * axes_, xyz.data() + 3 * point, 4 * axes_);
      std::memcpy(rowAt + 4 * i, &rows[point], 4);
    }
    measureBlock(block, places);
  });
  if (task_.cancelled()) return cancelledError();
  for (std::size_t b = 0; b < blocks.size();) {
    WrittenLevel& level = written_[std::size_t(blocks[b].level)];
    const std::size_t begin = blocks[b].first * pointBytes();
    const std::uint64_t place = sizeof(StoredHeader) + (level.first + level.written) * pointBytes();
    std::uint64_t count = 0;
    for (const int number = blocks[b].level; b < blocks.size() && blocks[b].level == number; ++b) {
      const PointBlock& block = blocks[b];
      count += block.count;
      level.blocks.push_back({block.count, block.level, block.low, block.high});
    }
    level.written += count;
    if (auto done = ScratchFolder::write(target_, place,
                                         std::span(bytes).subspan(begin, count * pointBytes()));
        !done)
      return done;
  }
  return {};
}

Result<void> PointStore::finish(const std::string& output) {
  std::vector<StoredBlock> blocks;
  for (const WrittenLevel& level : written_)
    blocks.insert(blocks.end(), level.blocks.begin(), level.blocks.end());
  StoredHeader header;
  std::memcpy(header.magic, StoredHeader::kMagic, sizeof header.magic);
  header.axes = std::uint32_t(axes_);
  header.points = points_;
  header.blocks = blocks.size();
  header.box = {{0, 0, 0}, {0, 0, 0}};
  for (std::size_t a = 0; a < axes_; ++a) {
    const auto low = std::ranges::min(blocks, {}, [a](const auto& block) { return block.low[a]; });
    const auto high =
        std::ranges::max(blocks, {}, [a](const auto& block) { return block.high[a]; });
    header.box.low[a] = double(low.low[a]);
    header.box.high[a] = double(high.high[a]);
  }
  hashOf(header, blocks).copy(header.hash, sizeof header.hash - 1);
  auto done = ScratchFolder::write(target_, sizeof header + points_ * pointBytes(),
                                   std::as_bytes(std::span(blocks)));
  if (done) done = ScratchFolder::write(target_, 0, std::as_bytes(std::span(&header, 1)));
  if (done) done = checkUnchanged();
  if (!done) return done;
  if (task_.cancelled()) return cancelledError();
  // After a loss of power there is no name without what belongs to it.
  const int file = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  const bool isKept = file >= 0 && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!isKept || std::rename(target_.c_str(), output.c_str()) != 0)
    return ioError(output + ": cannot be written (" + std::strerror(errno) + ").");
  task_.report(kStoreStage, 1);
  return {};
}

}  // namespace

std::uint64_t storedBytes(int axes, std::uint64_t points) {
  // Blocks are a quarter full at least but for a few of each pile.
  const std::uint64_t blocks = points / 1024 + 64;
  return sizeof(StoredHeader) + points * storedPointBytes(std::size_t(axes)) +
         blocks * sizeof(StoredBlock);
}

Result<void> checkStoreOrder(const StoreOrder& order) {
  const DisplaySpace& space = order.sample->space;
  if (space.axes < 2 || space.kind == ViewAxes::Kind::Columns)
    return badCall("Points are stored on two or three axes that are dimensions or components.");
  if (order.likelyRows > kMostRows) return tooManyRows(order.path);
  return {};
}

Result<void> storePoints(const StoreOrder& order, const std::string& output,
                         const std::string& scratch, const Task& task) {
  if (auto can = checkStoreOrder(order); !can) return can;
  return withinMemory([&] { return PointStore(order, task).run(output, scratch); },
                      order.path + ": memory ran out while its points were stored for drawing.");
}

}  // namespace clusterloom
