#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/byte_source.h"
#include "engine/io/hasher.h"
#include "engine/io/packing/packing.h"
#include "engine/io/packing/unpacked_blocks.h"

namespace clusterloom {

/// What readers of binary files fill at once, so that all threads have something to read and
/// decode.
inline constexpr std::size_t kBytesAtOnce = std::size_t{8} << 20;

/// Reads a source from front to back through a window of a few hundred KiB, hashing on the way if
/// asked to, checking the stop token once per block and reporting progress at least every
/// kBytesAtOnce. Memory stays small whatever the size of the file; the window grows only as far as
/// `fill` requires.
///
/// A source that is compressed (packing.h) is unpacked on the way: all sizes and positions are
/// those of its content, progress and hash those of the compressed bytes.
class InputStream {
 public:
  enum class Content { Unpacked, AsStored };

  /// `stage` must be a literal. `hasher` may be null.
  InputStream(const ByteSource& source, const Task& task, std::string_view stage,
              Hasher* hasher = nullptr, Content content = Content::Unpacked);

  const std::string& name() const { return source_.name(); }
  const ByteSource& source() const { return source_; }
  /// A new name for the work from now on; a literal.
  void setStage(std::string_view stage) { stage_ = stage; }
  /// For compressed sources the size is known at the end only; before it is kUnknownSize.
  static constexpr std::uint64_t kUnknownSize = std::numeric_limits<std::int64_t>::max();
  std::uint64_t size() const;
  /// The size, as far as it is known from the bytes that were read.
  std::uint64_t estimatedSize() const;
  /// The compression of the source, known after the first `fill`.
  Packing packing() const { return packing_; }
  const Task& task() const { return task_; }

  /// The unread bytes in memory: [begin, end). One spare byte after `end` may be written to.
  char* begin() { return buffer_.data() + first_; }
  char* end() { return buffer_.data() + last_; }
  std::size_t available() const { return last_ - first_; }
  std::string_view view() const { return {buffer_.data() + first_, available()}; }

  /// Offset in the source of the first unread byte, and how many bytes follow it.
  std::uint64_t position() const { return read_ - available(); }
  std::uint64_t remaining() const { return size() - position(); }
  /// Whether the window reaches to the end of the source.
  bool sawEnd() const { return blocks_ ? blocks_->atEnd() : read_ == source_.size(); }

  /// Makes at least `wanted` bytes available; false when the source ends before that (the window
  /// then holds all the rest). Reads a block at a time, several blocks on all threads where that
  /// many are wanted.
  Result<bool> fill(std::size_t wanted);
  /// Reads one more block into the window; false at the end of the source.
  Result<bool> fillMore() { return fill(available() + 1); }
  void consume(std::size_t count) { first_ += count; }
  /// Skips `count` bytes, or what there is where that is less.
  Result<void> skip(std::uint64_t count);
  /// The same without reading the skipped bytes, where the source is not compressed: a hash then
  /// lacks it. `count` must be ≤ remaining().
  Result<void> jump(std::uint64_t count);
  /// Skips the rest, so that the hash covers the whole file.
  Result<void> drain() { return skip(remaining()); }

 private:
  Result<void> findPacking();
  Result<std::size_t> readMore(std::span<char> into);

  const ByteSource& source_;
  const Task& task_;
  std::string_view stage_;
  Hasher* hasher_;
  std::vector<char> buffer_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::uint64_t read_ = 0;
  bool packingKnown_;
  Packing packing_ = Packing::None;
  std::unique_ptr<UnpackedBlocks> blocks_;  ///< null: the source is not compressed
};

}  // namespace clusterloom
