#include "engine/load/fiber_warp.h"

#include <array>
#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <exception>
#include <memory>

// ThreadSanitizer follows a call stack a fiber only if it is told of every change of stacks.
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace clusterloom {
namespace {

namespace context = boost::context;

constexpr std::size_t kStackBytes = 256 << 10;

/// The stacks as a sanitizer sees them; nothing without one.
class WatchedStack {
 public:
#if defined(__SANITIZE_THREAD__)
  WatchedStack() : fiber_(__tsan_create_fiber(0)) {}
  ~WatchedStack() { __tsan_destroy_fiber(fiber_); }
  void enter() {
    from_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, 0);
  }
  void leave() { __tsan_switch_to_fiber(from_, 0); }

 private:
  void* fiber_;
  void* from_ = nullptr;
#else
  void enter() {}
  void leave() {}
#endif
};

enum class State { Ready, Waits, Ended };
enum class Collective { Ballot, Shuffle, Sync };

std::string nameOf(Collective what) {
  return what == Collective::Ballot ? "ballot" : what == Collective::Shuffle ? "shuffle" : "sync";
}

std::string hex(std::uint32_t mask) {
  static const char* digits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[mask >> shift & 15U];
  return text;
}

}  // namespace

class FiberWarp {
 public:
  FiberWarp(const std::function<void(FiberLane&)>& program, std::uint32_t lanes);
  ~FiberWarp();
  FiberWarp(const FiberWarp&) = delete;
  FiberWarp& operator=(const FiberWarp&) = delete;

  std::optional<WarpFault> run();

  void turn(std::uint32_t id) { backToWarp(slots_[id]); }
  std::uint64_t collective(std::uint32_t id, Collective what, std::uint32_t mask,
                           std::uint64_t value, std::uint32_t from);

 private:
  struct Slot {
    State state = State::Ended;
    Collective what = Collective::Sync;
    std::uint32_t mask = 0;
    std::uint64_t value = 0;
    std::uint32_t from = 0;
    std::uint64_t answer = 0;
    std::exception_ptr thrown;
    FiberLane lane;
    context::fiber fiber;
    context::fiber warp;  // where the lane was resumed
    WatchedStack stack;

    bool waits() const { return state == State::Waits; }
  };

  static void backToWarp(Slot& slot) {
    slot.stack.leave();
    slot.warp = std::move(slot.warp).resume();
  }
  static void resume(Slot& slot) {
    slot.stack.enter();
    slot.fiber = std::move(slot.fiber).resume();
  }

  std::optional<WarpFault> faultOfCall(std::uint32_t i) const;
  std::optional<WarpFault> faultOfMeeting(std::uint32_t i) const;
  bool complete(std::uint32_t i);
  std::string says(std::uint32_t i) const {
    const Slot& slot = slots_[i];
    return "lane " + std::to_string(i) + " in a " + nameOf(slot.what) + " with mask " +
           hex(slot.mask);
  }

  std::array<Slot, FiberLane::width> slots_;
};

FiberWarp::FiberWarp(const std::function<void(FiberLane&)>& program, std::uint32_t lanes) {
  for (std::uint32_t i = 0; i < lanes && i < FiberLane::width; ++i) {
    Slot& slot = slots_[i];
    slot.state = State::Ready;
    slot.lane = FiberLane(this, i);
    slot.fiber = context::fiber(std::allocator_arg, context::fixedsize_stack(kStackBytes),
                                [&slot, &program](context::fiber&& warp) {
                                  slot.warp = std::move(warp);
                                  try {
                                    program(slot.lane);
                                  } catch (const context::detail::forced_unwind&) {
                                    throw;  // the warp is torn down
                                  } catch (...) {
                                    slot.thrown = std::current_exception();
                                  }
                                  slot.state = State::Ended;
                                  slot.stack.leave();
                                  return std::move(slot.warp);
                                });
  }
}

FiberWarp::~FiberWarp() {
  for (Slot& slot : slots_)
    if (slot.fiber) {
      slot.stack.enter();
      { const context::fiber unwound = std::move(slot.fiber); }
      slot.stack.leave();
    }
}

std::uint64_t FiberWarp::collective(std::uint32_t id, Collective what, std::uint32_t mask,
                                    std::uint64_t value, std::uint32_t from) {
  Slot& slot = slots_[id];
  slot.state = State::Waits;
  slot.what = what;
  slot.mask = mask;
  slot.value = value;
  slot.from = from;
  backToWarp(slot);
  return slot.answer;
}

// What is wrong with lane i's call whatever the others do.
std::optional<WarpFault> FiberWarp::faultOfCall(std::uint32_t i) const {
  const Slot& slot = slots_[i];
  if (!slot.waits()) return {};
  if ((slot.mask >> i & 1U) == 0)
    return WarpFault{WarpFaultKind::NotInMask, says(i) + ", which leaves it out"};
  if (slot.what == Collective::Shuffle &&
      (slot.from >= FiberLane::width || (slot.mask >> slot.from & 1U) == 0))
    return WarpFault{WarpFaultKind::SourceOutsideMask, says(i) + " asks for the value of lane " +
                                                           std::to_string(slot.from) +
                                                           ", which is not in it"};
  return {};
}

// Why lane i will never meet those it waits for.
std::optional<WarpFault> FiberWarp::faultOfMeeting(std::uint32_t i) const {
  const Slot& slot = slots_[i];
  if (!slot.waits()) return {};
  for (std::uint32_t j = 0; j < FiberLane::width; ++j) {
    if ((slot.mask >> j & 1U) == 0) continue;
    const Slot& other = slots_[j];
    if (other.state == State::Ended)
      return WarpFault{WarpFaultKind::LaneLeft,
                       says(i) + " waits for lane " + std::to_string(j) + ", which has ended"};
    // A lane may wait with fewer first and come here later; not so if it waits for this one too.
    if (!other.waits() || (other.mask >> i & 1U) == 0) continue;
    if (other.mask != slot.mask)
      return WarpFault{WarpFaultKind::DifferentMasks, says(i) + ", " + says(j)};
    if (other.what != slot.what)
      return WarpFault{WarpFaultKind::DifferentCollectives, says(i) + ", " + says(j)};
  }
  return {};
}

// Lets lane i and all that it waits for go on, if they are all there.
bool FiberWarp::complete(std::uint32_t i) {
  const Slot& first = slots_[i];
  if (!first.waits()) return false;
  const std::uint32_t mask = first.mask;
  std::uint32_t said = 0;
  for (std::uint32_t j = 0; j < FiberLane::width; ++j) {
    if ((mask >> j & 1U) == 0) continue;
    const Slot& slot = slots_[j];
    if (!slot.waits() || slot.mask != mask) return false;
    if (slot.value != 0) said |= 1U << j;
  }
  for (std::uint32_t j = 0; j < FiberLane::width; ++j) {
    if ((mask >> j & 1U) == 0) continue;
    Slot& slot = slots_[j];
    slot.answer = slot.what == Collective::Ballot ? said : slots_[slot.from].value;
    slot.state = State::Ready;
  }
  return true;
}

std::optional<WarpFault> FiberWarp::run() {
  for (;;) {
    bool moved = false;
    for (Slot& slot : slots_) {
      if (slot.state != State::Ready) continue;
      resume(slot);
      if (slot.thrown) std::rethrow_exception(slot.thrown);
      moved = true;
    }
    for (std::uint32_t i = 0; i < FiberLane::width; ++i)
      if (auto fault = faultOfCall(i)) return fault;
    for (std::uint32_t i = 0; i < FiberLane::width; ++i)
      if (auto fault = faultOfMeeting(i)) return fault;
    for (std::uint32_t i = 0; i < FiberLane::width; ++i) moved = complete(i) || moved;
    if (moved) continue;
    std::string waiting;
    for (std::uint32_t i = 0; i < FiberLane::width; ++i)
      if (slots_[i].waits()) waiting += (waiting.empty() ? "" : ", ") + says(i);
    if (waiting.empty()) return {};
    return WarpFault{WarpFaultKind::Deadlock, waiting};
  }
}

void FiberLane::turn() const { warp_->turn(id_); }
std::uint32_t FiberLane::ballot(std::uint32_t mask, bool predicate) const {
  return static_cast<std::uint32_t>(
      warp_->collective(id_, Collective::Ballot, mask, predicate ? 1 : 0, id_));
}
std::uint64_t FiberLane::shuffleBits(std::uint32_t mask, std::uint64_t bits,
                                     std::uint32_t from) const {
  return warp_->collective(id_, Collective::Shuffle, mask, bits, from);
}
void FiberLane::sync(std::uint32_t mask) const {
  warp_->collective(id_, Collective::Sync, mask, 0, id_);
}

std::optional<WarpFault> runWarp(const std::function<void(FiberLane&)>& program,
                                 std::uint32_t lanes) {
  FiberWarp warp(program, lanes);
  return warp.run();
}

}  // namespace clusterloom
