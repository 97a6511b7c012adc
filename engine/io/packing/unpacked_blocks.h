#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/packing/unpacker.h"

namespace clusterloom {

/// The unpacked content of a compressed source, block by block. After the first blocks a thread
/// unpacks ahead of the reader.
class UnpackedBlocks {
 public:
  /// `hasher`, which may be null, gets the compressed bytes.
  UnpackedBlocks(const ByteSource& source, Packing packing, Hasher* hasher);
  ~UnpackedBlocks();
  UnpackedBlocks(const UnpackedBlocks&) = delete;
  UnpackedBlocks& operator=(const UnpackedBlocks&) = delete;

  /// Copies up to `into.size()` bytes; none only at the end. Errors of Unpacker, and Cancelled.
  Result<std::size_t> read(std::span<char> into, const Task& task);
  /// Whether everything was read, which is known as soon as the last byte was.
  bool atEnd() const { return at_ == current_.size && isLast_; }
  /// The number of compressed bytes consumed so far.
  std::uint64_t packedRead() const { return current_.packedRead; }

 private:
  struct Block {
    std::vector<char> bytes;
    std::size_t size = 0;
    std::uint64_t packedRead = 0;
  };
  Result<Block> unpack(std::size_t most, std::vector<char> bytes);
  /// The next block, empty at the end. `spare` is memory that may be used again.
  Result<Block> pull(const Task& task, std::vector<char> spare);
  void runAhead(const std::stop_token& stop);

  std::stop_source stop_;
  PackedBytes packed_;
  std::unique_ptr<Unpacker> unpacker_;
  Block current_;
  Block next_;  ///< empty: `current_` is the last one
  std::size_t at_ = 0;
  bool isLast_ = false;
  std::optional<Error> failed_;  ///< what every later read returns
  int pulled_ = 0;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Result<Block>> ready_;
  std::vector<std::vector<char>> spare_;
  std::thread ahead_;
};

}  // namespace clusterloom
