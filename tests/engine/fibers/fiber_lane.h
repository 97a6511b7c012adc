#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "engine/core/lane.h"
#include "engine/join/tile_program.h"
#include "fibers/shared_memory.h"

namespace clusterloom {

class FiberWarp;
template <class T>
class SharedPointer;

/// A lane of a warp that runs on the CPU, all lanes of its block in one thread: for programs whose
/// lanes wait for each other. engine/core/lane.h says what a lane offers; fibers/fiber_block.h runs
/// blocks and single warps of them. Lanes continue turn by turn: each runs to its next marker or
/// collective before any of its warp continues. Where steps are counted, the lanes of a warp
/// reconverge after each loop and branch, as a GPU's lanes do: of those at markers only the ones
/// furthest behind continue, together, and that is one step.
///
/// A lane made without a warp offers memory access only, as SerialLane does.
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
  /// d = a·b + c, as a GPU's matrix units compute it, except for the order of the additions.
  void multiply(double (&d)[4], const double (&a)[2], double b, const double (&c)[4]) const {
    tile::multiplyByShuffles(*this, d, a, b, c);
  }
  void sync(std::uint32_t mask) const;

  std::uint32_t thread() const;
  std::uint32_t threads() const;
  std::uint32_t block() const;
  std::uint32_t blocks() const;
  // A barrier is identified by the place of the call in the source.
  void blockSync(std::source_location where = std::source_location::current()) const;
  bool blockAny(bool predicate, std::source_location where = std::source_location::current()) const;
  template <class T>
  SharedPointer<T> shared() const;

  using SerialLane::load;
  using SerialLane::store;
  template <class T>
  T load(SharedPointer<T> at) const {
    return at.get(SharedMemory::Access::Load);
  }
  template <class T>
  void store(SharedPointer<T> at, std::type_identity_t<T> value) const {
    at.set(SharedMemory::Access::Store, value);
  }

 private:
  friend class FiberWarp;
  template <class T>
  friend class SharedPointer;
  FiberLane(FiberWarp* warp, std::uint32_t id) : warp_(warp), id_(id) {}
  std::uint64_t shuffleBits(std::uint32_t mask, std::uint64_t bits, std::uint32_t from) const;
  /// The bytes if the access is valid; otherwise the lane does not continue.
  std::byte* sharedBytes(SharedMemory::Access how, std::size_t begin, std::size_t size) const;

  FiberWarp* warp_ = nullptr;
  std::uint32_t id_ = 0;
};

/// A pointer of one lane into the shared memory of its block: a T* whose accesses are
/// checked.
template <class T>
class SharedPointer {
 public:
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % SharedMemory::kWord == 0);

  /// The value there.
  class Item {
   public:
    explicit Item(const SharedPointer& at) : at_(at) {}
    operator T() const { return at_.get(SharedMemory::Access::Read); }
    const Item& operator=(T value) const {
      at_.set(SharedMemory::Access::Write, value);
      return *this;
    }
    const Item& operator=(const Item& other) const { return *this = static_cast<T>(other); }

   private:
    SharedPointer at_;
  };

  Item operator[](std::size_t i) const { return Item(*this + i); }
  Item operator*() const { return Item(*this); }
  SharedPointer operator+(std::size_t i) const { return {lane_, begin_ + i * sizeof(T)}; }

 private:
  friend class FiberLane;
  SharedPointer(const FiberLane& lane, std::size_t begin) : lane_(lane), begin_(begin) {}
  T get(SharedMemory::Access how) const {
    T value;
    std::memcpy(&value, lane_.sharedBytes(how, begin_, sizeof(T)), sizeof(T));
    return value;
  }
  void set(SharedMemory::Access how, T value) const {
    std::memcpy(lane_.sharedBytes(how, begin_, sizeof(T)), &value, sizeof(T));
  }

  FiberLane lane_;
  std::size_t begin_;
};

template <class T>
SharedPointer<T> FiberLane::shared() const {
  return {*this, 0};
}

}  // namespace clusterloom
