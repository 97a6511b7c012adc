#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace clusterloom {

/// A folder for files that are larger than memory, which is removed with all of them at the end of
/// this object's life. Folders of processes that were killed are removed by the next run of the
/// same machine that uses the same place.
class ScratchFolder {
 public:
  ScratchFolder() = default;
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// Makes it in the folder `parent`. Io.
  Result<void> make(const std::string& parent);
  /// The path of a file in it.
  std::string file(const std::string& name) const { return path_ + '/' + name; }
  /// Adds bytes to the end of a file, which is made where it is not there. Io.
  static Result<void> append(const std::string& file, std::span<const std::byte> bytes);
  /// Writes bytes at their place in a file, which is made where it is not there. Io.
  static Result<void> write(const std::string& file, std::uint64_t offset,
                            std::span<const std::byte> bytes);
  /// Reads bytes that are there. Io.
  static Result<void> read(const std::string& file, std::uint64_t offset,
                           std::span<std::byte> into);

 private:
  std::string path_;
  int lock_ = -1;
};

/// The values of a file of a scratch folder in turn, a few at a time in memory.
template <class Value>
class ScratchValues {
 public:
  ScratchValues(std::string file, std::uint64_t values, std::size_t atOnce)
      : file_(std::move(file)), left_(values), atOnce_(atOnce) {}

  bool atEnd() const { return next_ == buffer_.size() && left_ == 0; }
  /// The next value; not at the end. Io.
  Result<Value> next() {
    if (next_ == buffer_.size()) {
      buffer_.resize(std::size_t(std::min<std::uint64_t>(left_, atOnce_)));
      if (auto done =
              ScratchFolder::read(file_, offset_, std::as_writable_bytes(std::span(buffer_)));
          !done)
        return tl::unexpected(done.error());
      offset_ += buffer_.size() * sizeof(Value);
      left_ -= buffer_.size();
      next_ = 0;
    }
    return buffer_[next_++];
  }

 private:
  std::string file_;
  std::uint64_t left_;
  std::size_t atOnce_;
  std::uint64_t offset_ = 0;
  std::vector<Value> buffer_;
  std::size_t next_ = 0;
};

}  // namespace clusterloom
