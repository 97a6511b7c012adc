#include "render/scene/stored_labels.h"

#include <algorithm>
#include <utility>

#include "engine/cloud/point_cloud.h"
#include "engine/io/byte_source.h"
#include "engine/io/npy/npy_header.h"

namespace clusterloom {

/// A list of labels in a file.
struct LabelList {
  std::unique_ptr<ByteSource> source;
  std::uint64_t place = 0;  ///< where it begins
  std::uint64_t count = 0;
};

namespace {

constexpr std::uint64_t kLabelBytes = sizeof(std::int32_t);
/// Labels that are read between two looks at whether to stop.
constexpr std::size_t kReadAtOnce = 1 << 20;

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

Result<std::shared_ptr<const StoredLabels>> StoredLabels::make(
    std::shared_ptr<const StoredPoints> stored, const std::string& labels,
    const std::string& folder, std::uint64_t memory, const Task& task,
    const std::function<void()>& pause) {
  const Task quiet{task.stop, {}};
  auto list = openLabels(labels, quiet);
  if (!list) return tl::unexpected(list.error());
  if (list->count < stored->size())
    return badInput(labels + ": has fewer labels than the file has rows.");
  const auto made = std::make_shared<StoredLabels>();
  const auto source = [&](std::uint64_t first, std::span<std::uint32_t> values) -> Result<void> {
    // The same bytes.
    const std::span some(reinterpret_cast<std::int32_t*>(values.data()), values.size());
    if (auto done = getLabels(*list, first, some, quiet); !done) return done;
    made->highest_ = std::max(made->highest_, *std::ranges::max_element(some));
    return {};
  };
  auto values = RowValues::make(std::move(stored), list->count, source, std::uint32_t(kSkippedRow),
                                folder, memory, task, pause);
  if (!values) return tl::unexpected(values.error());
  made->values_ = std::move(*values);
  made->list_ = std::make_shared<const LabelList>(std::move(*list));
  return made;
}

Result<void> StoredLabels::readRows(std::uint64_t first, std::span<std::int32_t> labels,
                                    const Task& task) const {
  const std::uint64_t there = list_->count - std::min(first, list_->count);
  const auto some = labels.first(std::size_t(std::min<std::uint64_t>(labels.size(), there)));
  std::ranges::fill(labels.subspan(some.size()), kSkippedRow);
  return getLabels(*list_, first, some, task);
}

}  // namespace clusterloom
