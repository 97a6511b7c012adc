#pragma once

#include <cstdint>

#include "engine/core/lane.h"

namespace clusterloom {

// The nearest neighbours of one point found so far, as a heap with the last one on top, in memory
// that a kernel may share with others. `Slots` gives access to it: squared(i) and id(i) read slot
// i, set(i, squared, id) writes it. CPUs and GPUs compile the functions below.

/// The order of neighbours: by squared distance, then by id.
CLUSTERLOOM_LANE bool comesBefore(double squaredA, std::uint32_t idA, double squaredB,
                                  std::uint32_t idB) {
  return squaredA < squaredB || (squaredA == squaredB && idA < idB);
}

/// Puts a neighbour into the heap of the slots below `count`, whose top it replaces.
template <class Slots>
CLUSTERLOOM_LANE void siftDown(const Slots& heap, std::uint32_t count, double squared,
                               std::uint32_t id) {
  std::uint32_t at = 0;
  for (std::uint32_t child = 1; child < count; child = 2 * at + 1) {
    double further = heap.squared(child);
    std::uint32_t itsId = heap.id(child);
    if (child + 1 < count) {
      const double other = heap.squared(child + 1);
      const std::uint32_t otherId = heap.id(child + 1);
      if (comesBefore(further, itsId, other, otherId)) {
        further = other;
        itsId = otherId;
        ++child;
      }
    }
    if (!comesBefore(squared, id, further, itsId)) break;
    heap.set(at, further, itsId);
    at = child;
  }
  heap.set(at, squared, id);
}

/// Takes a point if it is one of the `most` nearest; `count` slots are used before. Returns how
/// many are used now.
template <class Slots>
CLUSTERLOOM_LANE std::uint32_t insertNearest(const Slots& heap, std::uint32_t count,
                                             std::uint32_t most, double squared, std::uint32_t id) {
  if (count == most) {
    if (comesBefore(squared, id, heap.squared(0), heap.id(0))) siftDown(heap, count, squared, id);
    return count;
  }
  std::uint32_t at = count;
  while (at > 0) {
    const std::uint32_t above = (at - 1) / 2;
    const double its = heap.squared(above);
    const std::uint32_t itsId = heap.id(above);
    if (!comesBefore(its, itsId, squared, id)) break;
    heap.set(at, its, itsId);
    at = above;
  }
  heap.set(at, squared, id);
  return count + 1;
}

/// Puts the neighbours of a heap in their order.
template <class Slots>
CLUSTERLOOM_LANE void sortNearest(const Slots& heap, std::uint32_t count) {
  for (; count > 1; --count) {
    const double squared = heap.squared(count - 1);
    const std::uint32_t id = heap.id(count - 1);
    heap.set(count - 1, heap.squared(0), heap.id(0));
    siftDown(heap, count - 1, squared, id);
  }
}

}  // namespace clusterloom
