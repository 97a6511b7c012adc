#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "engine/join/lane.h"
#include "engine/join/tile_program.h"
#include "engine/load/trace_lane.h"

namespace clusterloom {

/// What a warp did that a GPU's warp must not do.
enum class WarpFaultKind {
  NotInMask,             ///< a lane called a collective with a mask that leaves it out
  SourceOutsideMask,     ///< a shuffle from a lane that is not in the mask
  DifferentMasks,        ///< two lanes, each in the other's mask, with masks that differ
  DifferentCollectives,  ///< two lanes of one mask in different collectives
  LaneLeft,              ///< a lane that others wait for has ended, or never was
  Deadlock,              ///< every lane waits, none of them for ever the same
};

struct WarpFault {
  WarpFaultKind kind;
  std::string message;  ///< names the lanes and their masks
};

class FiberWarp;

/// A lane of a warp that runs on the CPU, all lanes of it in one thread: for programs whose lanes
/// wait for each other. engine/join/lane.h says what a lane offers. Lanes go on turn by turn: each
/// runs to its next marker or collective before any goes further. Where steps are counted they meet
/// again after each loop and branch, as a GPU's lanes do: of the lanes that are at markers only
/// those furthest behind go on, together, and that is one step.
///
/// A lane that no warp has made offers memory access only, which is SerialLane's.
class FiberLane : public SerialLane {
 public:
  static constexpr std::uint32_t width = 32;

  FiberLane() = default;
  std::uint32_t id() const { return id_; }
  void enter(Loop loop) const;
  void step(Loop loop) const;
  void leave(Loop) const;
  void branch(int i) const;
  void mark(Loop loop) const;

  std::uint32_t ballot(std::uint32_t mask, bool predicate) const;
  template <class T>
  T shuffle(std::uint32_t mask, T value, std::uint32_t from) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = shuffleBits(mask, bits, from);
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  template <class T>
  T exchange(std::uint32_t mask, T value, std::uint32_t apart) const {
    return shuffle(mask, value, id_ ^ apart);
  }
  /// d = a·b + c, as a GPU's matrix units do it but for the order of adding.
  void multiply(double (&d)[4], const double (&a)[2], double b, const double (&c)[4]) const {
    tile::multiplyByShuffles(*this, d, a, b, c);
  }
  void sync(std::uint32_t mask) const;

 private:
  friend class FiberWarp;
  FiberLane(FiberWarp* warp, std::uint32_t id) : warp_(warp), id_(id) {}
  std::uint64_t shuffleBits(std::uint32_t mask, std::uint64_t bits, std::uint32_t from) const;

  FiberWarp* warp_ = nullptr;
  std::uint32_t id_ = 0;
};

/// Runs `program` once a lane, for lanes 0 … `lanes` − 1 of one warp, until all have ended or a
/// fault is found; then what is left of them is unwound (destructors run) and the fault returned.
/// The rules are those of the *_sync intrinsics, and stricter in one: a mask must not name a lane
/// that has ended. A lane that turns for ever without waiting is not found out. Exceptions of the
/// program come out here. `steps`, if there, gets the warp's steps.
std::optional<WarpFault> runWarp(const std::function<void(FiberLane&)>& program,
                                 std::uint32_t lanes = FiberLane::width,
                                 WarpSteps* steps = nullptr);

}  // namespace clusterloom
