#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <optional>
#include <source_location>
#include <string>

#include "fibers/fiber_block.h"
#include "fibers/lane_place.h"
#include "fibers/lane_stack.h"

namespace clusterloom {

/// One warp of a block: the fibers of its lanes and what they wait for. It resolves the collectives
/// of its lanes; the block resolves block barriers.
class FiberWarp {
 public:
  enum class Collective { Ballot, Shuffle, Sync };
  /// A block barrier that a lane waits at.
  struct Barrier {
    std::source_location where;
    bool said = false;  ///< its vote
  };

  /// The warp of threads [first, first + 32) of the block, as far as it has them. The arguments
  /// must outlive it.
  FiberWarp(const FiberProgram& program, const BlockShape& shape, std::uint32_t first,
            SharedMemory& shared);
  ~FiberWarp();
  FiberWarp(const FiberWarp&) = delete;
  FiberWarp& operator=(const FiberWarp&) = delete;

  /// Lets lanes continue by one turn, then those whose collective is complete; returns whether any
  /// could. Rethrows exceptions of the program.
  bool turn(WarpSteps* steps);
  /// The fault found so far.
  const std::optional<WarpFault>& fault() const { return fault_; }

  std::uint32_t lanes() const { return lanes_; }
  bool ended(std::uint32_t id) const { return slots_[id].state == State::Ended; }
  /// Where the lane waits for its block, null if it does not.
  const Barrier* barrier(std::uint32_t id) const {
    return slots_[id].state == State::AtBarrier ? &slots_[id].barrier : nullptr;
  }
  /// All threads of the block are at the barrier: they continue.
  void passBarrier(bool anySaid);
  std::string name(std::uint32_t id) const;
  /// A waiting lane and where it waits.
  std::string waiting(std::uint32_t id) const { return name(id) + where(id); }
  /// All of them; empty if there are none.
  std::string waiting() const;

 private:
  friend class FiberLane;
  enum class State { Ready, Waits, AtBarrier, Faulty, Ended };
  struct Slot {
    State state = State::Ended;
    bool began = false;
    Collective what = Collective::Sync;
    std::uint32_t mask = 0;
    std::uint64_t value = 0;
    std::uint32_t from = 0;
    std::uint64_t answer = 0;
    Barrier barrier{};
    std::optional<Loop> marker;  // where it stopped; nothing at a collective
    LanePlace place;
    std::exception_ptr thrown;
    FiberLane lane;
    LaneStack stack;  // outlives the fiber on it
    boost::context::fiber fiber;
    boost::context::fiber warp;  // where the lane was resumed

    bool waits() const { return state == State::Waits; }
  };

  // Called by lanes.
  void stop(std::uint32_t id, Loop loop);
  std::uint64_t collective(std::uint32_t id, Collective what, std::uint32_t mask,
                           std::uint64_t value, std::uint32_t from);
  bool waitForBlock(std::uint32_t id, const Barrier& barrier);
  std::byte* sharedBytes(std::uint32_t id, SharedMemory::Access how, std::size_t begin,
                         std::size_t size);

  static void backToWarp(Slot& slot);
  static void resume(Slot& slot);
  std::string ofWarp() const;
  std::string where(std::uint32_t id) const;
  std::optional<WarpFault> faultOfLanes() const;
  std::optional<WarpFault> faultOfCall(std::uint32_t i) const;
  std::optional<WarpFault> faultOfMeeting(std::uint32_t i) const;
  bool complete(std::uint32_t i);
  bool resumeReady();
  bool resumeFurthestBehind(WarpSteps& steps);

  const BlockShape& shape_;
  std::uint32_t first_;
  std::uint32_t lanes_;
  SharedMemory& shared_;
  std::optional<WarpFault> fault_;
  bool tornDown_ = false;
  std::array<Slot, FiberLane::width> slots_;
};

}  // namespace clusterloom
