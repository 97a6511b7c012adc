#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace clusterloom {

/// Leaves new elements uninitialized, and requests huge pages for arrays that span several.
template <class T>
class LargeArrayAllocator {
 public:
  using value_type = T;
  LargeArrayAllocator() = default;
  template <class U>
  LargeArrayAllocator(const LargeArrayAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    const std::size_t alignment = bytes >= 2 * kHugePage ? kHugePage : alignof(std::max_align_t);
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
    // Optional: without huge pages everything works, only slower.
    if (alignment == kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;  // no value: what is about to be written need not be cleared
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const LargeArrayAllocator&, const LargeArrayAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
};

/// A vector for results of gigabytes. resize() leaves new elements uninitialized.
template <class T>
using LargeArray = std::vector<T, LargeArrayAllocator<T>>;

}  // namespace clusterloom
