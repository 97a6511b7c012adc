#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "render/scene/stored_points.h"

namespace clusterloom {

/// Writes the colours of the points of a block, 4 bytes each as from colourPoints. It is called
/// from a thread of its own, for one block after the other.
using StoredColourer = std::function<void(std::size_t block, const StoredPoints::Block& points,
                                          std::span<std::uint8_t> bytes)>;

/// Reads blocks of stored points on a thread of its own, some ahead of whoever draws them, so that
/// no frame waits long for the disk.
class StoredReader {
 public:
  StoredReader(std::shared_ptr<const StoredPoints> stored, StoredColourer colourer);
  /// Waits for the block that is being read.
  ~StoredReader();
  StoredReader(const StoredReader&) = delete;
  StoredReader& operator=(const StoredReader&) = delete;

  /// A block as it is drawn; without points where it could not be read.
  struct Ready {
    LargeArray<float> xyz;
    std::vector<std::uint8_t> colours;
  };
  /// Reads these blocks from now on, in this order, and no others.
  void want(std::span<const std::uint32_t> blocks);
  /// The next one of the blocks that are wanted; nothing where it is not read until then.
  std::optional<Ready> take(std::uint32_t block, std::chrono::steady_clock::time_point until);
  /// Whether this is the next one of the blocks that are wanted.
  bool isNext(std::uint32_t block) const;
  /// Why a block could not be read, the first time that happened: Io, TooLarge where the memory
  /// ran out, or BadInput where a file that is drawn by its own tree has changed.
  std::optional<Error> error() const;

 private:
  void work();
  bool isNextLocked(std::uint32_t block) const;

  std::shared_ptr<const StoredPoints> stored_;
  StoredColourer colourer_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::uint32_t> wanted_;  ///< the first one is being read
  std::deque<std::pair<std::uint32_t, Ready>> ready_;
  std::uint64_t order_ = 0;  ///< how often others were wanted
  std::optional<Error> error_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace clusterloom
