#include "render/scene/row_values.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/io/disk_space.h"
#include "engine/io/file_bytes.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kRowValueBytes = sizeof(std::uint32_t);

Result<void> rowValueError(int error) {
  if (error == 0) return {};
  return ioError(std::string("The values of all rows cannot be stored for drawing (") +
                 std::strerror(error) + ").");
}

}  // namespace

RowValues::~RowValues() {
  if (file_ >= 0) ::close(file_);
}

Result<void> RowValues::read(std::size_t block, std::span<std::byte> values) const {
  return rowValueError(
      readFileBytes(file_, kRowValueBytes * stored_->outline()->blocks[block].first, values));
}

// The values of some rows from `first` on; other points keep theirs.
Result<void> RowValues::fill(std::span<const std::uint32_t> some, std::uint64_t first,
                             const Progress& progress) const {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> values;
  const auto& blocks = stored_->outline()->blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (auto done = progress(double(b) / double(blocks.size())); !done) return done;
    rows.resize(blocks[b].count);
    values.assign(blocks[b].count, missing_);
    if (auto done = stored_->readRows(b, rows); !done) return done;
    if (first > 0)
      if (auto done = read(b, std::as_writable_bytes(std::span(values))); !done) return done;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] - first < some.size()) values[i] = some[rows[i] - first];
    const int error = writeFileBytes(file_, kRowValueBytes * blocks[b].first,
                                     std::as_bytes(std::span<const std::uint32_t>(values)));
    if (auto done = rowValueError(error); !done) return done;
  }
  return {};
}

Result<void> RowValues::fillFrom(std::uint64_t rows, const RowSource& source,
                                 const std::string& folder, std::uint64_t memory, const Task& task,
                                 const std::function<void()>& pause) {
  if (auto enough = checkDiskSpace(folder, kRowValueBytes * stored_->size()); !enough)
    return enough;
  std::string name = folder + "/values-XXXXXX";
  file_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) return ioError(folder + ": cannot be written to.");
  ::unlink(name.c_str());
  const std::uint64_t atOnce =
      std::clamp<std::uint64_t>(memory / kRowValueBytes, 1, std::max<std::uint64_t>(rows, 1));
  LargeArray<std::uint32_t> some(atOnce);
  for (std::uint64_t first = 0; first < rows; first += atOnce) {
    const auto count = std::size_t(std::min(atOnce, rows - first));
    const auto part = std::span<std::uint32_t>(some).first(count);
    if (auto done = source(first, part); !done) return done;
    const auto progress = [&](double share) -> Result<void> {
      if (pause) pause();
      if (task.cancelled()) return cancelledError();
      task.report("laying out", (double(first) + double(count) * share) / double(rows));
      return {};
    };
    if (auto done = fill(part, first, progress); !done) return done;
  }
  return {};
}

Result<std::shared_ptr<const RowValues>> RowValues::make(
    std::shared_ptr<const StoredPoints> stored, std::uint64_t rows, const RowSource& source,
    std::uint32_t missing, const std::string& folder, std::uint64_t memory, const Task& task,
    const std::function<void()>& pause) {
  try {
    std::shared_ptr<RowValues> made(new RowValues);
    made->stored_ = std::move(stored);
    made->missing_ = missing;
    if (auto done = made->fillFrom(rows, source, folder, memory, task, pause); !done)
      return tl::unexpected(done.error());
    return std::shared_ptr<const RowValues>(std::move(made));
  } catch (const std::bad_alloc&) {
    return tooLarge("Memory ran out while values of all rows were stored for drawing.");
  }
}

}  // namespace clusterloom
