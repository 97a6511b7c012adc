#include "render/scene/stored_labels.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/io/byte_source.h"
#include "engine/io/disk_space.h"
#include "engine/io/file_bytes.h"
#include "engine/io/npy/npy_header.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kLabelBytes = sizeof(std::int32_t);
/// Labels that are read between two looks at whether to stop.
constexpr std::size_t kReadAtOnce = 1 << 20;

Result<void> storedError(int error) {
  if (error == 0) return {};
  return ioError(std::string("The labels of all rows cannot be stored for drawing (") +
                 std::strerror(error) + ").");
}

/// A list of labels in a file.
struct LabelList {
  std::unique_ptr<ByteSource> source;
  std::uint64_t place = 0;  ///< where it begins
  std::uint64_t count = 0;
};

/// BadInput for what is no list of int32 as NPY.
Result<LabelList> openLabels(const std::string& path, const Task& task) {
  auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  InputStream in(**source, task, "reading", nullptr, InputStream::Content::AsStored);
  const auto header = readNpyHeader(in);
  if (!header) return tl::unexpected(header.error());
  const NpyType type = npyTypeOf(header->fields.front().descr);
  const bool isList = !header->structured && header->shape.size() == 1 &&
                      type.number == Scalar::Int32 && !type.bigEndian &&
                      in.remaining() % kLabelBytes == 0 &&
                      header->shape.front() == in.remaining() / kLabelBytes;
  if (!isList) return badInput(path + ": is no list of labels as NPY of int32.");
  LabelList list{nullptr, in.position(), header->shape.front()};
  list.source = std::move(*source);
  return list;
}

/// Labels from number `first` on. BadInput for what is no label.
Result<void> getLabels(const LabelList& list, std::uint64_t first, std::span<std::int32_t> labels,
                       const Task& task) {
  while (!labels.empty()) {
    if (task.cancelled()) return cancelledError();
    const auto some = labels.first(std::min(labels.size(), kReadAtOnce));
    const auto got =
        list.source->readAt(list.place + kLabelBytes * first,
                            std::span(reinterpret_cast<char*>(some.data()), some.size_bytes()));
    if (!got) return tl::unexpected(got.error());
    if (*got < some.size_bytes()) return badInput(list.source->name() + ": has become shorter.");
    for (const std::int32_t label : some)
      if (label < kSkippedRow || std::int64_t{label} >= std::int64_t{kMaxPoints})
        return badInput(list.source->name() + ": " + std::to_string(label) + " is no label.");
    labels = labels.subspan(some.size());
    first += some.size();
  }
  return {};
}

}  // namespace

StoredLabels::~StoredLabels() {
  if (file_ >= 0) ::close(file_);
}

Result<void> StoredLabels::read(std::size_t block, std::span<std::int32_t> labels) const {
  return storedError(readFileBytes(file_, kLabelBytes * stored_->outline()->blocks[block].first,
                                   std::as_writable_bytes(labels)));
}

// The labels of `count` rows from `first` on; other points keep theirs.
Result<void> StoredLabels::fill(std::span<const std::int32_t> some, std::uint64_t first,
                                const Progress& progress) const {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> labels;
  const auto& blocks = stored_->outline()->blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (auto done = progress(double(b) / double(blocks.size())); !done) return done;
    rows.resize(blocks[b].count);
    labels.assign(blocks[b].count, kSkippedRow);
    if (auto done = stored_->readRows(b, rows); !done) return done;
    if (first > 0)
      if (auto done = read(b, labels); !done) return done;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] - first < some.size()) labels[i] = some[rows[i] - first];
    const int error = writeFileBytes(file_, kLabelBytes * blocks[b].first,
                                     std::as_bytes(std::span<const std::int32_t>(labels)));
    if (auto done = storedError(error); !done) return done;
  }
  return {};
}

Result<void> StoredLabels::fillFrom(const std::string& path, const std::string& folder,
                                    std::uint64_t memory, const Task& task,
                                    const std::function<void()>& pause) {
  const Task quiet{task.stop, {}};
  const auto list = openLabels(path, quiet);
  if (!list) return tl::unexpected(list.error());
  if (list->count < stored_->size())
    return badInput(path + ": has fewer labels than the file has rows.");
  if (auto enough = checkDiskSpace(folder, kLabelBytes * stored_->size()); !enough) return enough;
  std::string name = folder + "/labels-XXXXXX";
  file_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) return ioError(folder + ": cannot be written to.");
  ::unlink(name.c_str());
  const std::uint64_t atOnce =
      std::clamp<std::uint64_t>(memory / kLabelBytes, 1, std::max<std::uint64_t>(list->count, 1));
  LargeArray<std::int32_t> some(atOnce);
  for (std::uint64_t first = 0; first < list->count; first += atOnce) {
    const auto count = std::size_t(std::min(atOnce, list->count - first));
    const auto part = std::span<std::int32_t>(some).first(count);
    if (auto done = getLabels(*list, first, part, task); !done) return done;
    highest_ = std::max(highest_, *std::ranges::max_element(part));
    const auto progress = [&](double share) -> Result<void> {
      if (pause) pause();
      if (task.cancelled()) return cancelledError();
      task.report("laying out", (double(first) + double(count) * share) / double(list->count));
      return {};
    };
    if (auto done = fill(part, first, progress); !done) return done;
  }
  return {};
}

Result<std::shared_ptr<const StoredLabels>> StoredLabels::make(
    std::shared_ptr<const StoredPoints> stored, const std::string& labels,
    const std::string& folder, std::uint64_t memory, const Task& task,
    const std::function<void()>& pause) {
  try {
    std::shared_ptr<StoredLabels> made(new StoredLabels);
    made->stored_ = std::move(stored);
    if (auto done = made->fillFrom(labels, folder, memory, task, pause); !done)
      return tl::unexpected(done.error());
    return std::shared_ptr<const StoredLabels>(std::move(made));
  } catch (const std::bad_alloc&) {
    return tooLarge(labels + ": memory ran out while these labels were stored for drawing.");
  }
}

}  // namespace clusterloom
