#include "engine/load/fiber_warp.h"

#include <array>
#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>
#include <compare>
#include <exception>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace clusterloom {
namespace {

namespace context = boost::context;

constexpr std::size_t kStackBytes = 64 << 10;

/// A lane's stack, and what sanitizers must be told when it is entered and left. Inlined, for
/// ThreadSanitizer counts calls and returns on the stack that it believes is in use.
class LaneStack {
 public:
  LaneStack() : memory_(context::fixedsize_stack(kStackBytes).allocate()) {
#if defined(__SANITIZE_THREAD__)
    watched_ = __tsan_create_fiber(0);
#endif
  }
  ~LaneStack() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(watched_);
#endif
    // What a lane left unwatched there is no business of the next owner's.
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(bottom(), memory_.size);
#endif
    context::fixedsize_stack(kStackBytes).deallocate(memory_);
  }
  LaneStack(const LaneStack&) = delete;
  LaneStack& operator=(const LaneStack&) = delete;

  const context::stack_context& memory() const { return memory_; }

  /// Calls and returns are this stack's from now on …
  [[gnu::always_inline]] void countHere() {
#if defined(__SANITIZE_THREAD__)
    warp_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(watched_, 0);
#endif
  }
  /// … and the warp's again.
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
  context::stack_context memory_;
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

/// Boost.Context frees a fiber's stack through this; ours stays its slot's.
struct StackStays {
  void deallocate(context::stack_context&) const {}
};

enum class State { Ready, Waits, Ended };

/// How far a lane is, for comparison: for each loop it is in, which one among those around it (the
/// branch, then how many were entered since) and which turn of it. A hit comes after the turn it is
/// in and before the loops within.
class Place {
 public:
  void enter(Loop loop) {
    Level& level = levels_.back();
    level.entered += 1;
    level.hit = false;
    level.loop = loop;
    levels_.push_back({});
  }
  void leave() { levels_.pop_back(); }
  void branch(int i) { levels_.back() = {.turn = levels_.back().turn, .branch = i + 1}; }
  void step() { levels_.back() = {.turn = levels_.back().turn + 1}; }
  void mark() { levels_.back().hit = true; }
  friend bool operator<(const Place& a, const Place& b) { return a.levels_ < b.levels_; }
  friend bool operator==(const Place& a, const Place& b) { return a.levels_ == b.levels_; }

 private:
  struct Level {
    std::uint64_t turn = 0;
    int branch = 0;
    std::uint32_t entered = 0;
    bool hit = false;
    Loop loop = Loop::Cell;
    friend auto operator<=>(const Level&, const Level&) = default;
  };
  std::vector<Level> levels_{Level{}};
};
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

  std::optional<WarpFault> run(WarpSteps* steps);

  // The lane is at a marker.
  void stop(std::uint32_t id, Loop loop) {
    Slot& slot = slots_[id];
    slot.marker = loop;
    backToWarp(slot);
    slot.marker.reset();
  }
  Place& place(std::uint32_t id) { return slots_[id].place; }
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
    std::optional<Loop> marker;  // where it stopped; nothing at a collective
    Place place;
    std::exception_ptr thrown;
    FiberLane lane;
    LaneStack stack;  // outlives the fiber on it
    context::fiber fiber;
    context::fiber warp;  // where the lane was resumed

    bool waits() const { return state == State::Waits; }
  };

  static void backToWarp(Slot& slot) {
    slot.stack.leaving();
    slot.warp = std::move(slot.warp).resume();
    slot.stack.arrived();
  }
  static void resume(Slot& slot) {
    slot.stack.entering();
    slot.fiber = std::move(slot.fiber).resume();
    slot.stack.back();
  }

  std::optional<WarpFault> faultOfCall(std::uint32_t i) const;
  std::optional<WarpFault> faultOfMeeting(std::uint32_t i) const;
  bool complete(std::uint32_t i);
  bool resumeReady();
  bool resumeFurthestBehind(WarpSteps& steps);
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
    const context::stack_context& memory = slot.stack.memory();
    slot.stack.countHere();  // a fiber is made by calling its first function
    slot.fiber =
        context::fiber(std::allocator_arg, context::preallocated(memory.sp, memory.size, memory),
                       StackStays{}, [&slot, &program](context::fiber&& warp) {
                         slot.stack.arrived();
                         slot.warp = std::move(warp);
                         try {
                           program(slot.lane);
                         } catch (const context::detail::forced_unwind&) {
                           slot.stack.arrived();  // the warp is torn down
                           slot.stack.leaving();
                           throw;
                         } catch (...) {
                           slot.thrown = std::current_exception();
                         }
                         slot.state = State::Ended;
                         slot.stack.leaving();
                         return std::move(slot.warp);
                       });
    slot.stack.countThere();
  }
}

FiberWarp::~FiberWarp() {
  for (Slot& slot : slots_)
    if (slot.fiber) {
      slot.stack.entering();
      { const context::fiber unwound = std::move(slot.fiber); }
      slot.stack.back();
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

// Lets every lane run to where it stops next.
bool FiberWarp::resumeReady() {
  bool moved = false;
  for (Slot& slot : slots_) {
    if (slot.state != State::Ready) continue;
    resume(slot);
    moved = true;
  }
  return moved;
}

// Lets lanes that are not at a marker run to one; when all are, those furthest behind take a step.
bool FiberWarp::resumeFurthestBehind(WarpSteps& steps) {
  const Slot* behind = nullptr;
  bool moved = false;
  for (Slot& slot : slots_) {
    if (slot.state != State::Ready) continue;
    if (!slot.marker) {
      resume(slot);
      moved = true;
    } else if (behind == nullptr || slot.place < behind->place) {
      behind = &slot;
    }
  }
  if (moved || behind == nullptr) return moved;
  const Place place = behind->place;
  const auto loop = static_cast<std::size_t>(*behind->marker);
  ++steps.steps[loop];
  for (Slot& slot : slots_) {
    if (slot.state != State::Ready || !(slot.place == place)) continue;
    ++steps.laneSteps[loop];
    resume(slot);
  }
  return true;
}

std::optional<WarpFault> FiberWarp::run(WarpSteps* steps) {
  for (;;) {
    bool moved = steps == nullptr ? resumeReady() : resumeFurthestBehind(*steps);
    for (const Slot& slot : slots_)
      if (slot.thrown) std::rethrow_exception(slot.thrown);
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

void FiberLane::enter(Loop loop) const { warp_->place(id_).enter(loop); }
void FiberLane::step(Loop loop) const {
  warp_->place(id_).step();
  warp_->stop(id_, loop);
}
void FiberLane::leave(Loop) const { warp_->place(id_).leave(); }
void FiberLane::branch(int i) const { warp_->place(id_).branch(i); }
void FiberLane::mark(Loop loop) const {
  warp_->place(id_).mark();
  warp_->stop(id_, loop);
}
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
                                 std::uint32_t lanes, WarpSteps* steps) {
  FiberWarp warp(program, lanes);
  return warp.run(steps);
}

}  // namespace clusterloom
