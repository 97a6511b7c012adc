#include "engine/blocks/file_in_parts.h"

#include <tbb/task_arena.h>

#include <utility>

namespace clusterloom {

tl::unexpected<Error> wholeFileError(const std::string& path, const std::string& obstacle) {
  return fail(
      ErrorKind::BadInput,
      path + " " + obstacle +
          ", so it cannot be read in parts. Write it as .npy, .las, .laz, .h5, .fits, binary .ply "
          "or .pcd, or as text without quotes, or read it as a whole, without a limit for the "
          "memory.");
}

FileInParts::FileInParts(std::string path, ReadOptions options, ScalingChoice scaling, int parts,
                         const Task& task)
    : path_(std::move(path)),
      options_(std::move(options)),
      scaling_(std::move(scaling)),
      parts_(parts),
      task_{task.stop, {}} {
  begin();
}

void FileInParts::begin() {
  if (part_ >= parts_) return;
  // Beside the work, which a shared arena would let wait for the disk.
  const int threads = tbb::this_task_arena::max_concurrency();
  reading_ = std::async(std::launch::async, [this, threads] {
    tbb::task_arena ahead(threads);
    return ahead.execute([this] { return readNext(); });
  });
}

Result<RowsOfFile> FileInParts::readNext() {
  auto opened = openFilePart(path_, options_, part_, parts_, task_, opened_.get());
  if (!opened) return tl::unexpected(opened.error());
  opened_ = std::move(*opened);
  if (const std::string obstacle = opened_->obstacle(); !obstacle.empty())
    return wholeFileError(path_, obstacle);
  auto data = opened_->read(rows_, lines_, task_);
  if (!data) return tl::unexpected(data.error());
  RowsOfFile rows{std::move(*data), rows_};
  rows.data.inputRows = opened_->rows();
  if (scaling_.kind == Scaling::Kind::Factors && rows.data.cloud.size() > 0) {
    const auto scaling = makeScaling(scaling_.kind, rows.data.cloud, scaling_.factors);
    if (!scaling) return tl::unexpected(scaling.error());
    rows.data.cloud = applyScaling(rows.data.cloud, *scaling);
  }
  rows_ += opened_->rows();
  lines_ += opened_->lines();
  ++part_;
  return rows;
}

Result<std::optional<RowsOfFile>> FileInParts::next() {
  if (!reading_.valid()) return std::optional<RowsOfFile>();
  auto rows = reading_.get();
  if (!rows) return tl::unexpected(rows.error());
  begin();
  return std::optional<RowsOfFile>(std::move(*rows));
}

}  // namespace clusterloom
