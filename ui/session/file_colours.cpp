#include "ui/session/file_colours.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "ui/session/colour_values.h"

namespace clusterloom {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

ReadOptions readingOf(ReadOptions read, const ColourValues& open) {
  read.every = 1;
  read.keepOthers = false;
  read.keep.clear();
  if (open.by != ColourBy::Dimension) read.keep = open.columns;
  read.skipNonFinite = true;
  return read;
}

int partsFor(const ReadOptions& read, std::uint64_t rows, std::uint64_t memory) {
  const std::uint64_t ofRow = 24 * (std::max<std::size_t>(read.coordinates.size(), 3) + 3);
  return int(std::min<std::uint64_t>(rows / (memory / 8 / ofRow) + 1, 1 << 20));
}

}  // namespace

FileColours::FileColours(const std::string& path, const FileStamp& stamp, const ReadOptions& read,
                         const ColourValues& open, std::uint64_t rows, std::uint64_t memory,
                         const Task& task, std::function<void()> pause)
    : path_(path),
      stamp_(stamp),
      open_(open),
      file_(path, readingOf(read, open), {}, partsFor(read, rows, memory), task),
      pause_(std::move(pause)) {}

Result<void> FileColours::next(std::span<std::uint32_t> values) {
  while (!values.empty()) {
    if (used_ == part_.size()) {
      const auto more = readPart();
      if (!more) return tl::unexpected(more.error());
      if (!*more) part_.assign(values.size(), kNoValue);
    }
    const std::size_t count = std::min(values.size(), part_.size() - used_);
    std::memcpy(values.data(), part_.data() + used_, 4 * count);
    used_ += count;
    values = values.subspan(count);
  }
  return {};
}

// False after the last one.
Result<bool> FileColours::readPart() {
  used_ = 0;
  const auto rows = file_.next();
  // Rows of another file of this name are not those that are drawn, and what is wrong with it does
  // not matter.
  const bool isStopped = !rows && rows.error().kind == ErrorKind::Cancelled;
  if (!isStopped && stamp_ != FileStamp() && stampOf(path_) != stamp_)
    return hasChangedError(path_);
  if (!rows) return tl::unexpected(rows.error());
  pause_();
  if (!*rows) return false;
  const Dataset& data = (*rows)->data;
  part_.assign(data.inputRows, kNoValue);
  if (data.cloud.size() == 0) return true;
  const auto found = valuesOfRows(open_, data);
  if (!found) return tl::unexpected(found.error());
  auto skipped = data.skippedRows.begin();
  std::size_t row = 0;
  for (const float value : *found) {
    for (; skipped != data.skippedRows.end() && *skipped == (*rows)->firstRow + row; ++skipped)
      ++row;
    part_[row++] = value;
  }
  return true;
}

}  // namespace clusterloom
