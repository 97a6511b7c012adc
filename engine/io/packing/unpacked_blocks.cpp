#include "engine/io/packing/unpacked_blocks.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace clusterloom {
namespace {

// The first two blocks. Enough to detect a format; a preview rarely needs more, and of a small file
// the second one is empty.
constexpr std::size_t kFirstBytes = std::size_t{64} << 10;
constexpr std::size_t kUnpackedBlockBytes = std::size_t{512} << 10;
// Blocks unpacked by the reader itself before a thread is worth its start.
constexpr int kWithoutThread = 4;
constexpr std::size_t kMostReady = 2;
constexpr std::chrono::milliseconds kUnpackLook{20};

}  // namespace

UnpackedBlocks::UnpackedBlocks(const ByteSource& source, Packing packing, Hasher* hasher)
    : packed_(source, hasher, stop_.get_token()), unpacker_(makeUnpacker(packing, packed_)) {}

UnpackedBlocks::~UnpackedBlocks() {
  stop_.request_stop();
  changed_.notify_all();
  if (ahead_.joinable()) ahead_.join();
}

Result<UnpackedBlocks::Block> UnpackedBlocks::unpack(std::size_t most, std::vector<char> bytes) {
  Block block;
  block.bytes = std::move(bytes);
  block.bytes.resize(most);
  const auto got = unpacker_->read(block.bytes);
  if (!got) return tl::unexpected(got.error());
  block.size = *got;
  block.packedRead = packed_.position();
  return block;
}

void UnpackedBlocks::runAhead(const std::stop_token& stop) {
  for (;;) {
    std::vector<char> bytes;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return ready_.size() < kMostReady; })) return;
      if (!spare_.empty()) {
        bytes = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    Result<Block> block = [&]() -> Result<Block> {
      try {
        return unpack(kUnpackedBlockBytes, std::move(bytes));
      } catch (const std::exception& error) {
        return tooLarge(packed_.source().name() + ": memory ran out while unpacking (" +
                        error.what() + "). Unpack the file first.");
      }
    }();
    const bool end = !block || block->size == 0;
    {
      const std::lock_guard lock(mutex_);
      ready_.push_back(std::move(block));
    }
    changed_.notify_all();
    if (end) return;
  }
}

Result<UnpackedBlocks::Block> UnpackedBlocks::pull(const Task& task, std::vector<char> spare) {
  if (pulled_ < kWithoutThread)
    return unpack(++pulled_ <= 2 ? kFirstBytes : kUnpackedBlockBytes, std::move(spare));
  if (!ahead_.joinable()) ahead_ = std::thread([this] { runAhead(stop_.get_token()); });
  std::unique_lock lock(mutex_);
  if (!spare.empty()) spare_.push_back(std::move(spare));
  // The thread may wait for a slow disk.
  while (!changed_.wait_for(lock, kUnpackLook, [&] { return !ready_.empty(); }))
    if (task.cancelled()) return cancelledError();
  Result<Block> block = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return block;
}

Result<std::size_t> UnpackedBlocks::read(std::span<char> into, const Task& task) {
  if (failed_) return tl::unexpected(*failed_);
  const auto fails = [this](const Error& error) {
    failed_ = error;
    return tl::unexpected(error);
  };
  if (at_ == current_.size && !isLast_) {
    if (pulled_ == 0) {
      auto first = pull(task, {});
      if (!first) return fails(first.error());
      next_ = std::move(*first);
    }
    std::vector<char> spare = std::move(current_.bytes);
    current_ = std::move(next_);
    next_ = {};
    at_ = 0;
    // Whether a block is the last one is known when the next one is.
    if (current_.size > 0) {
      auto following = pull(task, std::move(spare));
      if (!following) return fails(following.error());
      next_ = std::move(*following);
    }
    isLast_ = next_.size == 0;
  }
  const std::size_t count = std::min(into.size(), current_.size - at_);
  std::copy_n(current_.bytes.data() + at_, count, into.data());
  at_ += count;
  return count;
}

}  // namespace clusterloom
