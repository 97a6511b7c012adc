#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/core/result.h"

namespace clusterloom {

/// Bytes of known number with random access: a file, or memory (for tests and fuzzing).
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// The name messages use: the path as given.
  virtual const std::string& name() const = 0;
  /// The path to open it by, for libraries that read files themselves; empty for memory.
  virtual std::string filePath() const { return {}; }
  virtual std::uint64_t size() const = 0;
  /// Reads up to `into.size()` bytes at `offset`; fewer only at the end of the source. Io on
  /// failure. Usable from several threads at once.
  virtual Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const = 0;
};

/// Opens a regular file for reading. Io, with a message that says what to do, for a missing path, a
/// directory, something that is not a regular file, and a file this user may not read.
Result<std::unique_ptr<ByteSource>> openFile(const std::string& path);

/// Bytes in memory, which must outlive the source.
std::unique_ptr<ByteSource> memorySource(std::string name, std::span<const char> bytes);

/// The bytes [begin, end) of another source, which must outlive it, under its name.
class SourceRange final : public ByteSource {
 public:
  SourceRange(const ByteSource& source, std::uint64_t begin, std::uint64_t end)
      : source_(source), begin_(begin), end_(end) {}
  const std::string& name() const override { return source_.name(); }
  std::uint64_t size() const override { return end_ - begin_; }
  Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override;

 private:
  const ByteSource& source_;
  std::uint64_t begin_;
  std::uint64_t end_;
};

}  // namespace clusterloom
