#pragma once

#include <cstdint>

// The lane programs compile for the host and, under nvcc, for the device.
#ifdef __CUDACC__
#define CLUSTERLOOM_LANE __host__ __device__ inline
#else
#define CLUSTERLOOM_LANE inline
#endif

namespace clusterloom {

/// The loops of a lane program, by name. A model of a warp tells its steps apart by them.
enum class Loop : std::uint8_t { Cell, Search, Candidate, Hit };

/// A lane on a CPU thread: a warp of one. Markers vanish and collectives are trivial.
///
/// Every lane type offers this interface; a lane program is a function template over it:
///   width           lanes in a warp
///   id()            this lane's number in the warp
///   enter(loop)     before a loop, step(loop) at the start of each turn, leave(loop) after it
///   mark(loop)      a step that is no loop (a hit)
struct SerialLane {
  static constexpr std::uint32_t width = 1;
  std::uint32_t id() const { return 0; }
  void enter(Loop) const {}
  void step(Loop) const {}
  void leave(Loop) const {}
  void mark(Loop) const {}
};

}  // namespace clusterloom
