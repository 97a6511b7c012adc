#pragma once

#include <atomic>
#include <cstdint>

// The lane programs compile for the host and, under nvcc, for the device.
#ifdef __CUDACC__
#define CLUSTERLOOM_LANE __host__ __device__ inline
// Rarely executed: kept out of the hot path's registers.
#define CLUSTERLOOM_LANE_COLD __host__ __device__ __noinline__ inline
#else
#define CLUSTERLOOM_LANE inline
#define CLUSTERLOOM_LANE_COLD inline
#endif
// Before a loop over a small array, which then stays in a GPU's registers.
#ifdef __CUDA_ARCH__
#define CLUSTERLOOM_UNROLL _Pragma("unroll")
#else
#define CLUSTERLOOM_UNROLL
#endif

namespace clusterloom {

/// The loops of a lane program, by name. The model of a warp classifies steps by them.
enum class Loop : std::uint8_t { Cell, Search, Candidate, Hit };
inline constexpr int kLoops = 4;

/// A lane on a CPU thread: a warp of one. Markers do nothing and collectives are trivial.
///
/// Every lane type offers this interface; a lane program is a function template over it:
///   width              lanes in a warp
///   id()               this lane's number in the warp
///   enter(loop)        before a loop, step(loop) at the start of each turn, leave(loop) after it
///   look(what)         what the iteration reads: a linear id (cell), a place in B (search), a
///                      position (candidate)
///   branch(i)          before the i-th of branches of which a lane may skip some: lanes meet again
///                      after each
///   mark(loop)         a step that is not a loop (a hit)
///   ballot(m, b)       bit i: whether lane i of mask m passed true; every lane of m must call
///   shuffle(m, v, i)   the v of lane i of mask m; every lane of m must call
///   sync(m)            waits for the lanes of mask m and orders their memory accesses
///   add, least, swapIf atomics, relaxed: each returns the previous value; swapIf(at, old, new)
///                      stores `new` where `old` stands
///   load, store        relaxed atomic access to values that other lanes change
///   peek               a load that may return an older value
///   fence()            orders the accesses before it and those after it, as other lanes see them
///                      (SerialLane, CudaLane)
///   stopping()         whether the run should end: checked now and then in long loops
///
/// Lanes of blocks (CudaLane, FiberLane) also offer, for programs whose blocks work together:
///   thread(), threads()  this lane's number in the block, and how many the block has
///   block(), blocks()    the block's number in the launch, and how many there are
///   blockSync()        waits for all threads of the block and orders their memory accesses
///   blockAny(b)        the same; whether any of them passed true
///   shared<T>()        the shared memory of the block, of the size given at launch: a T*, or what
///                      is indexed like one, and takes load and store; uninitialized at first
struct SerialLane {
  static constexpr std::uint32_t width = 1;
  std::uint32_t id() const { return 0; }
  void enter(Loop) const {}
  void step(Loop) const {}
  void look(std::uint64_t) const {}
  void leave(Loop) const {}
  void branch(int) const {}
  void mark(Loop) const {}
  bool stopping() const { return false; }

  std::uint32_t ballot(std::uint32_t, bool predicate) const { return predicate ? 1 : 0; }
  template <class T>
  T shuffle(std::uint32_t, T value, std::uint32_t) const {
    return value;
  }
  void sync(std::uint32_t) const {}
  void fence() const { std::atomic_thread_fence(std::memory_order_seq_cst); }

  template <class T>
  T add(T* at, T value) const {
    return std::atomic_ref<T>(*at).fetch_add(value, std::memory_order_relaxed);
  }
  template <class T>
  T least(T* at, T value) const {
    std::atomic_ref<T> there(*at);
    T now = there.load(std::memory_order_relaxed);
    while (value < now && !there.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
    }
    return now;
  }
  template <class T>
  T swapIf(T* at, T old, T desired) const {
    std::atomic_ref<T>(*at).compare_exchange_strong(old, desired, std::memory_order_relaxed);
    return old;
  }
  template <class T>
  T load(const T* at) const {
    return std::atomic_ref<T>(*const_cast<T*>(at)).load(std::memory_order_relaxed);
  }
  template <class T>
  T peek(const T* at) const {
    return load(at);
  }
  template <class T>
  void store(T* at, T value) const {
    std::atomic_ref<T>(*at).store(value, std::memory_order_relaxed);
  }
};

}  // namespace clusterloom
