#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fibers/warp_fault.h"

namespace clusterloom {

/// The shared memory of one block, and the threads that accessed each word since the last block
/// barrier. Initially it holds kGarbage.
///
/// Only block barriers are considered to order accesses: a program whose lanes use sync(mask) for
/// that must use load and store there, or a race is reported.
class SharedMemory {
 public:
  static constexpr std::byte kGarbage{0xfb};  ///< as a double −10²⁹⁰, as an int −67 million
  static constexpr std::size_t kWord = 4;

  /// Plain, or by load and store, which may meet those of other threads.
  enum class Access { Read, Write, Load, Store };

  explicit SharedMemory(std::size_t bytes);

  /// Notes the access of a thread to `size` bytes from `begin` on, both whole words; returns what
  /// is wrong with it.
  std::optional<WarpFault> touch(std::uint32_t thread, Access how, std::size_t begin,
                                 std::size_t size);
  std::byte* at(std::size_t begin) { return bytes_.data() + begin; }
  /// All threads have passed a block barrier.
  void passBarrier() { ++phase_; }

 private:
  static constexpr std::size_t kWays = 4;
  /// The threads that accessed a word in one way, and between which barriers.
  struct Mark {
    std::uint64_t phase = 0;
    std::uint32_t thread = 0;
    bool others = false;  ///< other threads did too
  };
  struct Word {
    bool written = false;
    Mark marks[kWays];
  };
  std::optional<WarpFault> touchWord(std::uint32_t thread, Access how, std::size_t number);

  std::vector<std::byte> bytes_;
  std::vector<Word> words_;
  std::uint64_t phase_ = 1;
};

}  // namespace clusterloom
