#include "engine/grid/sort_by_key.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <bit>

namespace clusterloom {
namespace {

constexpr int kDigitBits = 11;  // 2,048 counters of 8 bytes: half an L1 cache
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
using Histogram = std::array<std::size_t, kDigits>;

std::size_t digitOf(std::uint64_t key, int shift) { return (key >> shift) & (kDigits - 1); }

// Turns per-chunk counts into per-chunk first positions, chunk after chunk within each digit, which
// is what makes the sort stable.
void toPositions(std::vector<Histogram>& histograms) {
  std::size_t position = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit)
    for (auto& histogram : histograms) {
      const std::size_t count = histogram[digit];
      histogram[digit] = position;
      position += count;
    }
}

}  // namespace

bool sortByKey(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values,
               std::uint64_t largestKey, const Task& task) {
  const std::size_t n = keys.size();
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t chunks = std::clamp<std::size_t>(n / 32768, 1, threads);
  std::vector<std::uint64_t> otherKeys(n);
  std::vector<std::uint32_t> otherValues(n);
  std::vector<Histogram> histograms(chunks);
  const auto begin = [&](std::size_t chunk) { return n * chunk / chunks; };

  for (int shift = 0; shift < static_cast<int>(std::bit_width(largestKey)); shift += kDigitBits) {
    if (task.cancelled()) return false;
    tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t chunk) {
      Histogram& histogram = histograms[chunk];
      histogram.fill(0);
      for (std::size_t i = begin(chunk); i < begin(chunk + 1); ++i)
        ++histogram[digitOf(keys[i], shift)];
    });
    toPositions(histograms);
    tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t chunk) {
      Histogram& position = histograms[chunk];
      for (std::size_t i = begin(chunk); i < begin(chunk + 1); ++i) {
        const std::size_t to = position[digitOf(keys[i], shift)]++;
        otherKeys[to] = keys[i];
        otherValues[to] = values[i];
      }
    });
    keys.swap(otherKeys);
    values.swap(otherValues);
  }
  return !task.cancelled();
}

}  // namespace clusterloom
