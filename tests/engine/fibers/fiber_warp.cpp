#include "fibers/fiber_warp.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace clusterloom {
namespace {

namespace context = boost::context;

std::string nameOf(FiberWarp::Collective what) {
  using enum FiberWarp::Collective;
  return what == Ballot ? "ballot" : what == Shuffle ? "shuffle" : "sync";
}

std::string hex(std::uint32_t mask) {
  static const char* digits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[mask >> shift & 15U];
  return text;
}

}  // namespace

FiberWarp::FiberWarp(const FiberProgram& program, const BlockShape& shape, std::uint32_t first,
                     SharedMemory& shared)
    : shape_(shape),
      first_(first),
      lanes_(std::min(shape.threads - first, FiberLane::width)),
      shared_(shared) {
  for (std::uint32_t i = 0; i < lanes_; ++i) {
    Slot& slot = slots_[i];
    slot.state = State::Ready;
    slot.lane = FiberLane(this, i);
    const context::stack_context& memory = slot.stack.memory();
    slot.stack.countHere();  // a fiber is made by calling its first function
    slot.fiber =
        context::fiber(std::allocator_arg, context::preallocated(memory.sp, memory.size, memory),
                       StackStays{}, [this, &slot, &program](context::fiber&& warp) {
                         slot.stack.arrived();
                         slot.warp = std::move(warp);
                         slot.began = true;
                         try {
                           if (!tornDown_) program(slot.lane);
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
  tornDown_ = true;
  for (Slot& slot : slots_)
    if (slot.fiber && !slot.began) {
      resume(slot);  // unwinding begins in the program, which it has not come to
    } else if (slot.fiber) {
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

void FiberWarp::backToWarp(Slot& slot) {
  slot.stack.leaving();
  slot.warp = std::move(slot.warp).resume();
  slot.stack.arrived();
}
void FiberWarp::resume(Slot& slot) {
  slot.stack.entering();
  slot.fiber = std::move(slot.fiber).resume();
  slot.stack.back();
}

// The lane is at a marker.
void FiberWarp::stop(std::uint32_t id, Loop loop) {
  Slot& slot = slots_[id];
  slot.marker = loop;
  backToWarp(slot);
  slot.marker.reset();
}

bool FiberWarp::waitForBlock(std::uint32_t id, const Barrier& barrier) {
  Slot& slot = slots_[id];
  slot.state = State::AtBarrier;
  slot.barrier = barrier;
  backToWarp(slot);
  return slot.answer != 0;
}

void FiberWarp::passBarrier(bool anySaid) {
  for (std::uint32_t i = 0; i < lanes_; ++i) {
    slots_[i].answer = anySaid ? 1 : 0;
    slots_[i].state = State::Ready;
  }
}

std::byte* FiberWarp::sharedBytes(std::uint32_t id, SharedMemory::Access how, std::size_t begin,
                                  std::size_t size) {
  if (auto fault = shared_.touch(first_ + id, how, begin, size)) {
    if (!fault_) fault_ = std::move(fault);
    slots_[id].state = State::Faulty;
    backToWarp(slots_[id]);  // until it is unwound
  }
  return shared_.at(begin);
}

std::string FiberWarp::ofWarp() const {
  if (shape_.threads <= FiberLane::width) return {};
  return " of warp " + std::to_string(first_ / FiberLane::width);
}

std::string FiberWarp::name(std::uint32_t id) const {
  return "lane " + std::to_string(id) + ofWarp();
}

// Where a lane waits; empty if it does not.
std::string FiberWarp::where(std::uint32_t id) const {
  const Slot& slot = slots_[id];
  if (slot.waits()) return " in a " + nameOf(slot.what) + " with mask " + hex(slot.mask);
  if (slot.state != State::AtBarrier) return {};
  const std::string file = slot.barrier.where.file_name();
  return " at the block barrier of " + file.substr(file.rfind('/') + 1) + ":" +
         std::to_string(slot.barrier.where.line());
}

std::string FiberWarp::waiting() const {
  std::string text;
  for (std::uint32_t first = 0, end = 0; first < lanes_; first = end) {
    const std::string there = where(first);
    for (end = first + 1; end < lanes_ && where(end) == there;) ++end;
    if (there.empty()) continue;
    const std::string lanes = end == first + 1 ? name(first)
                                               : "lanes " + std::to_string(first) + " to " +
                                                     std::to_string(end - 1) + ofWarp();
    text += (text.empty() ? "" : ", ") + lanes + there;
  }
  return text;
}

// What is wrong with what the lanes wait for.
std::optional<WarpFault> FiberWarp::faultOfLanes() const {
  for (std::uint32_t i = 0; i < lanes_; ++i)
    if (auto found = faultOfCall(i)) return found;
  for (std::uint32_t i = 0; i < lanes_; ++i)
    if (auto found = faultOfMeeting(i)) return found;
  return {};
}

// What is wrong with lane i's call whatever the others do.
std::optional<WarpFault> FiberWarp::faultOfCall(std::uint32_t i) const {
  const Slot& slot = slots_[i];
  if (!slot.waits()) return {};
  if ((slot.mask >> i & 1U) == 0)
    return WarpFault{WarpFaultKind::NotInMask, waiting(i) + ", which leaves it out"};
  if (slot.what == Collective::Shuffle &&
      (slot.from >= FiberLane::width || (slot.mask >> slot.from & 1U) == 0))
    return WarpFault{WarpFaultKind::SourceOutsideMask, waiting(i) + " asks for the value of lane " +
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
                       waiting(i) + " waits for " + name(j) + ", which has ended"};
    // A lane may wait with fewer first and come here later; not so if it waits for this one too.
    if (!other.waits() || (other.mask >> i & 1U) == 0) continue;
    if (other.mask != slot.mask)
      return WarpFault{WarpFaultKind::DifferentMasks, waiting(i) + ", " + waiting(j)};
    if (other.what != slot.what)
      return WarpFault{WarpFaultKind::DifferentCollectives, waiting(i) + ", " + waiting(j)};
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
  const LanePlace place = behind->place;
  const auto loop = static_cast<std::size_t>(*behind->marker);
  ++steps.steps[loop];
  for (Slot& slot : slots_) {
    if (slot.state != State::Ready || !(slot.place == place)) continue;
    ++steps.laneSteps[loop];
    resume(slot);
  }
  return true;
}

bool FiberWarp::turn(WarpSteps* steps) {
  bool moved = steps == nullptr ? resumeReady() : resumeFurthestBehind(*steps);
  for (const Slot& slot : slots_)
    if (slot.thrown) std::rethrow_exception(slot.thrown);
  if (!fault_) fault_ = faultOfLanes();
  if (fault_) return moved;
  for (std::uint32_t i = 0; i < FiberLane::width; ++i) moved = complete(i) || moved;
  return moved;
}

void FiberLane::enter(Loop loop) const { warp_->slots_[id_].place.enter(loop); }
void FiberLane::step(Loop loop) const {
  warp_->slots_[id_].place.step();
  warp_->stop(id_, loop);
}
void FiberLane::leave(Loop) const { warp_->slots_[id_].place.leave(); }
void FiberLane::branch(int i) const { warp_->slots_[id_].place.branch(i); }
void FiberLane::mark(Loop loop) const {
  warp_->slots_[id_].place.mark();
  warp_->stop(id_, loop);
}
std::uint32_t FiberLane::ballot(std::uint32_t mask, bool predicate) const {
  return static_cast<std::uint32_t>(
      warp_->collective(id_, FiberWarp::Collective::Ballot, mask, predicate ? 1 : 0, id_));
}
std::uint64_t FiberLane::shuffleBits(std::uint32_t mask, std::uint64_t bits,
                                     std::uint32_t from) const {
  return warp_->collective(id_, FiberWarp::Collective::Shuffle, mask, bits, from);
}
void FiberLane::sync(std::uint32_t mask) const {
  warp_->collective(id_, FiberWarp::Collective::Sync, mask, 0, id_);
}
std::uint32_t FiberLane::thread() const { return warp_->first_ + id_; }
std::uint32_t FiberLane::threads() const { return warp_->shape_.threads; }
std::uint32_t FiberLane::block() const { return warp_->shape_.block; }
std::uint32_t FiberLane::blocks() const { return warp_->shape_.blocks; }
void FiberLane::blockSync(std::source_location where) const {
  warp_->waitForBlock(id_, {where, false});
}
bool FiberLane::blockAny(bool predicate, std::source_location where) const {
  return warp_->waitForBlock(id_, {where, predicate});
}
std::byte* FiberLane::sharedBytes(SharedMemory::Access how, std::size_t begin,
                                  std::size_t size) const {
  return warp_->sharedBytes(id_, how, begin, size);
}

}  // namespace clusterloom
