#include "render/scene/stored_labels.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {
namespace {

template <class Move, class Bytes>
Result<void> moveAll(const Move& move, int file, Bytes* bytes, std::uint64_t count,
                     std::uint64_t place) {
  while (count > 0) {
    const ssize_t moved = move(file, bytes, count, static_cast<off_t>(place));
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0)
      return ioError(std::string("The labels of all rows cannot be stored for drawing (") +
                     std::strerror(moved == 0 ? EIO : errno) + ").");
    bytes += moved;
    count -= std::uint64_t(moved);
    place += std::uint64_t(moved);
  }
  return {};
}

Result<void> getLabels(int file, std::span<std::int32_t> labels, std::uint64_t place) {
  return moveAll(::pread, file, reinterpret_cast<char*>(labels.data()), labels.size_bytes(), place);
}
Result<void> putLabels(int file, std::span<const std::int32_t> labels, std::uint64_t place) {
  return moveAll(::pwrite, file, reinterpret_cast<const char*>(labels.data()), labels.size_bytes(),
                 place);
}

/// Where the values of an NPY file begin that is a list of int32; 0 for any other.
std::uint64_t placeOfLabels(int file) {
  struct stat found {};
  char head[4096] = {};
  const ssize_t got = ::pread(file, head, sizeof head, 0);
  if (got < 12 || ::fstat(file, &found) != 0) return 0;
  if (std::string_view(head, 6) != "\x93NUMPY") return 0;
  const auto byte = [&](std::size_t at) {
    return std::uint64_t(static_cast<unsigned char>(head[at]));
  };
  const std::uint64_t place =
      head[6] == 1 ? 10 + byte(8) + 256 * byte(9) : 12 + byte(8) + 256 * byte(9) + 65536 * byte(10);
  const auto bytes = std::uint64_t(found.st_size);
  if (place > std::uint64_t(got) || place > bytes || (bytes - place) % 4 != 0) return 0;
  const std::string_view header(head, place);
  const std::string shape = '(' + std::to_string((bytes - place) / 4) + ",)";
  const bool isList = header.find("'<i4'") != std::string_view::npos &&
                      header.find(shape) != std::string_view::npos;
  return isList ? place : 0;
}

/// Closes a file at the end.
struct OpenedFile {
  int number = -1;
  ~OpenedFile() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

StoredLabels::~StoredLabels() {
  if (file_ >= 0) ::close(file_);
}

Result<void> StoredLabels::read(std::size_t block, std::span<std::int32_t> labels) const {
  return getLabels(file_, labels, 4 * std::uint64_t{stored_->outline()->blocks[block].first});
}

// The labels of `count` rows from `first` on; other points keep theirs.
Result<void> StoredLabels::fill(int input, std::uint64_t place, std::uint64_t first,
                                std::uint64_t count, bool isFirst, const Task& task) const {
  LargeArray<std::int32_t> some(count);
  if (auto done = getLabels(input, some, place + 4 * first); !done) return done;
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> labels;
  const auto& blocks = stored_->outline()->blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (task.cancelled()) return cancelledError();
    task.report("laying out", double(b) / double(blocks.size()));
    rows.resize(blocks[b].count);
    labels.assign(blocks[b].count, kSkippedRow);
    if (auto done = stored_->readRows(b, rows); !done) return done;
    if (!isFirst)
      if (auto done = read(b, labels); !done) return done;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] - first < count) labels[i] = some[rows[i] - first];
    if (auto done = putLabels(file_, labels, 4 * std::uint64_t{blocks[b].first}); !done)
      return done;
  }
  return {};
}

Result<std::shared_ptr<const StoredLabels>> StoredLabels::make(
    std::shared_ptr<const StoredPoints> stored, const std::string& labels,
    const std::string& folder, std::uint64_t memory, const Task& task) {
  const OpenedFile input{::open(labels.c_str(), O_RDONLY | O_CLOEXEC)};
  if (input.number < 0) return ioError(labels + ": cannot be opened.");
  const std::uint64_t place = placeOfLabels(input.number);
  struct stat found {};
  if (place == 0 || ::fstat(input.number, &found) != 0)
    return badInput(labels + ": is no list of labels as NPY of int32.");
  const std::uint64_t rows = (std::uint64_t(found.st_size) - place) / 4;
  if (rows < stored->size()) return badInput(labels + ": has fewer labels than the file has rows.");
  std::shared_ptr<StoredLabels> made(new StoredLabels);
  made->stored_ = std::move(stored);
  std::string name = folder + "/labels-XXXXXX";
  made->file_ = ::mkstemp(name.data());
  if (made->file_ < 0) return ioError(folder + ": cannot be written to.");
  ::unlink(name.c_str());
  const std::uint64_t atOnce = std::max<std::uint64_t>(memory / 4, 1);
  for (std::uint64_t first = 0; first < rows; first += atOnce)
    if (auto done = made->fill(input.number, place, first, std::min(atOnce, rows - first),
                               first == 0, task);
        !done)
      return tl::unexpected(done.error());
  return std::shared_ptr<const StoredLabels>(std::move(made));
}

}  // namespace clusterloom
