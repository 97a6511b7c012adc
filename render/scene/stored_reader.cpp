#include "render/scene/stored_reader.h"

#include <exception>

namespace clusterloom {
namespace {

/// Blocks that wait to be drawn, at most: about 8 MB.
constexpr std::size_t kReadAhead = 64;

// What a thread throws ends the program.
Result<StoredReader::Ready> readyOf(const StoredPoints& stored, const StoredColourer& colourer,
                                    std::uint32_t number) {
  try {
    auto block = stored.read(number);
    if (!block) return tl::unexpected(block.error());
    StoredReader::Ready ready;
    ready.colours.resize(4 * block->rows.size());
    colourer(number, *block, ready.colours);
    ready.xyz = std::move(block->xyz);
    return ready;
  } catch (const std::exception&) {
    return tooLarge("Memory ran out while stored points were read.");
  }
}

}  // namespace

StoredReader::StoredReader(std::shared_ptr<const StoredPoints> stored, StoredColourer colourer)
    : stored_(std::move(stored)), colourer_(std::move(colourer)), thread_([this] { work(); }) {}

StoredReader::~StoredReader() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StoredReader::want(std::span<const std::uint32_t> blocks) {
  {
    const std::lock_guard lock(mutex_);
    ++order_;
    wanted_.assign(blocks.begin(), blocks.end());
    ready_.clear();
  }
  changed_.notify_all();
}

bool StoredReader::isNextLocked(std::uint32_t block) const {
  if (!ready_.empty()) return ready_.front().first == block;
  return !wanted_.empty() && wanted_.front() == block;
}

bool StoredReader::isNext(std::uint32_t block) const {
  const std::lock_guard lock(mutex_);
  return isNextLocked(block);
}

std::optional<Error> StoredReader::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::optional<StoredReader::Ready> StoredReader::take(std::uint32_t block,
                                                      std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  if (!isNextLocked(block)) return std::nullopt;
  if (!changed_.wait_until(lock, until, [this] { return !ready_.empty(); })) return std::nullopt;
  Ready ready = std::move(ready_.front().second);
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return ready;
}

void StoredReader::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock,
                  [this] { return ends_ || (!wanted_.empty() && ready_.size() < kReadAhead); });
    if (ends_) return;
    const std::uint32_t number = wanted_.front();
    const std::uint64_t order = order_;
    lock.unlock();
    auto ready = readyOf(*stored_, colourer_, number);
    lock.lock();
    if (!ready && !error_) error_ = ready.error();
    if (order != order_) continue;
    wanted_.pop_front();
    ready_.emplace_back(number, ready ? std::move(*ready) : Ready());
    changed_.notify_all();
  }
}

}  // namespace clusterloom
