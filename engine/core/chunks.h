#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/core/parallel_for.h"

namespace clusterloom {

/// Elements that a thread takes at once where each costs little.
inline constexpr std::size_t kChunk = 65536;

/// The number of chunks of `size` elements.
constexpr std::size_t chunksOf(std::size_t size, std::size_t chunk = kChunk) {
  return (size + chunk - 1) / chunk;
}

/// Calls visit(chunk, begin, end) for each chunk of consecutive elements, on all threads of the
/// caller's TBB arena.
template <class Visit>
void forChunks(std::size_t size, std::size_t chunk, const Visit& visit) {
  parallelFor(chunksOf(size, chunk), 1, [&](std::size_t number) {
    const std::size_t begin = number * chunk;
    visit(number, begin, std::min(size, begin + chunk));
  });
}
template <class Visit>
void forChunks(std::size_t size, const Visit& visit) {
  forChunks(size, kChunk, visit);
}

/// The results of the chunks in one list, in order. The list of a chunk is freed once it is copied.
template <class Value>
std::vector<Value> joined(std::vector<std::vector<Value>> lists) {
  std::size_t size = 0;
  for (const auto& list : lists) size += list.size();
  std::vector<Value> all;
  all.reserve(size);
  for (auto& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    list = {};
  }
  return all;
}

}  // namespace clusterloom
