#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace clusterloom {

/// A lane's stack, and the notifications that sanitizers need when it is entered and left. Inlined,
/// because ThreadSanitizer counts calls and returns on the stack that it considers current.
class LaneStack {
 public:
  static constexpr std::size_t kBytes = 64 << 10;

  LaneStack() : memory_(boost::context::fixedsize_stack(kBytes).allocate()) {
#if defined(__SANITIZE_THREAD__)
    watched_ = __tsan_create_fiber(0);
#endif
  }
  ~LaneStack() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(watched_);
#endif
    // Clears the state that a lane left there.
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(bottom(), memory_.size);
#endif
    boost::context::fixedsize_stack(kBytes).deallocate(memory_);
  }
  LaneStack(const LaneStack&) = delete;
  LaneStack& operator=(const LaneStack&) = delete;

  const boost::context::stack_context& memory() const { return memory_; }

  /// From here calls and returns belong to this stack …
  [[gnu::always_inline]] void countHere() {
#if defined(__SANITIZE_THREAD__)
    warp_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(watched_, 0);
#endif
  }
  /// … and here to the warp's again.
  [[gnu::always_inline]] void countThere() {
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(warp_, 0);
#endif
  }

  /// The warp is about to enter it.
  [[gnu::always_inline]] void entering() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&warpFrames_, bottom(), memory_.size);
#endif
    countHere();
  }
  /// The lane is there.
  [[gnu::always_inline]] void arrived() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(laneFrames_, &warpBottom_, &warpSize_);
#endif
  }
  /// The lane is about to leave it.
  [[gnu::always_inline]] void leaving() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&laneFrames_, warpBottom_, warpSize_);
#endif
  }
  /// The warp is back.
  [[gnu::always_inline]] void back() {
    countThere();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(warpFrames_, nullptr, nullptr);
#endif
  }

 private:
  boost::context::stack_context memory_;
#if defined(__SANITIZE_ADDRESS__)
  void* bottom() const { return static_cast<char*>(memory_.sp) - memory_.size; }
  void* warpFrames_ = nullptr;
  void* laneFrames_ = nullptr;
  const void* warpBottom_ = nullptr;
  std::size_t warpSize_ = 0;
#endif
#if defined(__SANITIZE_THREAD__)
  void* watched_ = nullptr;
  void* warp_ = nullptr;
#endif
};

/// Boost.Context frees a fiber's stack through this; the slot keeps ownership.
struct StackStays {
  void deallocate(boost::context::stack_context&) const {}
};

}  // namespace clusterloom
