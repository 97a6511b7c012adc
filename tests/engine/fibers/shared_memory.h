#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fibers/warp_fault.h"

namespace clusterloom {

/// The shared memory of one block, and who touched which word of it since the last block barrier.
/// At first it holds kGarbage.
///
/// Only block barriers are taken to order accesses: a program whose lanes order theirs by
/// sync(mask) must use load and store there, or it is called a race.
class SharedMemory {
 public:
  static constexpr std::byte kGarbage{0xfb};  ///< as a double −10²⁹⁰, as an int −67 million
  static constexpr std::size_t kWord = 4;

  /// Plain, or by load and store, which may meet those of other threads.
  enum class Access { Read, Write, Load, Store };

  explicit SharedMemory(std::size_t bytes);

  /// Notes the access of a thread to `size` bytes from `begin` on, both whole words; gives what is
  /// wrong with it.
  std::optional<WarpFault> touch(std::uint32_t thread, Access how, std::size_t begin,
                                 std::size_t size);
  std::byte* at(std::size_t begin) { return bytes_.data() + begin; }
  /// All threads have passed a block barrier.
  void passBarrier() { ++phase_; }

 private:
  static constexpr std::size_t kWays = 4;
  /// Who accessed a word in one way, and between which barriers.
  struct Mark {
    std::uint64_t phase = 0;
    std::uint32_t thread = 0;
    bool others = false;  ///< so did other threads
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
