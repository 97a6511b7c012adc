#include "engine/grid/sort_by_key.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

constexpr int kMostDigitBits = 12;  // 4,096 counters of 4 bytes: half an L1 cache
constexpr std::size_t kMostDigits = std::size_t{1} << kMostDigitBits;
constexpr std::size_t kFewestPerChunk = 8192;  // with fewer, counters cost more than records
using Histogram = std::array<std::uint32_t, kMostDigits>;

struct Digit {
  int shift;
  int bits;
  std::size_t values() const { return std::size_t{1} << bits; }
  std::size_t of(std::uint64_t key) const { return (key >> shift) & (values() - 1); }
};

// As few digits as possible, all of about one width.
std::vector<Digit> digitsOf(std::uint64_t largestKey) {
  const int bits = int(std::bit_width(largestKey));
  const int count = (bits + kMostDigitBits - 1) / kMostDigitBits;
  std::vector<Digit> digits;
  for (int i = 0; i < count; ++i) {
    const int shift = bits * i / count;
    digits.push_back({shift, bits * (i + 1) / count - shift});
  }
  return digits;
}

// Turns per-chunk counts into per-chunk first positions, chunk after chunk within each digit, which
// is what makes the sort stable. Chunk by chunk, in loops that the compiler turns into vectors: by
// digits this would be the serial part of the sort.
void toPositions(LargeArray<Histogram>& histograms, std::size_t digits) {
  Histogram next{};
  for (const Histogram& histogram : histograms)
    for (std::size_t digit = 0; digit < digits; ++digit) next[digit] += histogram[digit];
  std::uint32_t before = 0;
  for (std::size_t digit = 0; digit < digits; ++digit) before += std::exchange(next[digit], before);
  for (Histogram& histogram : histograms)
    for (std::size_t digit = 0; digit < digits; ++digit) {
      const std::uint32_t count = histogram[digit];
      histogram[digit] = next[digit];
      next[digit] += count;
    }
}

struct Records {
  std::span<std::uint64_t> keys;
  std::span<std::uint32_t> values;
};

// One pass: the records in the order of one digit, otherwise as they were.
void sortByDigit(const Records& from, const Records& to, const Digit& digit,
                 LargeArray<Histogram>& histograms) {
  const std::size_t n = from.keys.size();
  const std::size_t chunks = histograms.size();
  const auto begin = [&](std::size_t chunk) { return n * chunk / chunks; };
  parallelFor(chunks, 1, [&](std::size_t chunk) {
    Histogram& histogram = histograms[chunk];
    std::fill_n(histogram.begin(), digit.values(), 0U);
    for (std::size_t i = begin(chunk); i < begin(chunk + 1); ++i)
      ++histogram[digit.of(from.keys[i])];
  });
  toPositions(histograms, digit.values());
  parallelFor(chunks, 1, [&](std::size_t chunk) {
    Histogram& position = histograms[chunk];
    for (std::size_t i = begin(chunk); i < begin(chunk + 1); ++i) {
      const std::uint32_t at = position[digit.of(from.keys[i])]++;
      to.keys[at] = from.keys[i];
      to.values[at] = from.values[i];
    }
  });
}

void copyRecords(const Records& from, const Records& to) {
  parallelForBlocks(from.keys.size(), 16384, [&](std::size_t begin, std::size_t end) {
    std::copy_n(from.keys.begin() + begin, end - begin, to.keys.begin() + begin);
    std::copy_n(from.values.begin() + begin, end - begin, to.values.begin() + begin);
  });
}

}  // namespace

bool sortByKey(std::span<std::uint64_t> keys, std::span<std::uint32_t> values,
               std::uint64_t largestKey, const Task& task) {
  const std::size_t n = keys.size();
  const auto threads = std::size_t(tbb::this_task_arena::max_concurrency());
  // Not cleared, so that all threads touch it first and not this one.
  LargeArray<std::uint64_t> otherKeys(n);
  LargeArray<std::uint32_t> otherValues(n);
  LargeArray<Histogram> histograms(std::clamp<std::size_t>(n / kFewestPerChunk, 1, threads));
  const Records given{keys, values};
  Records from = given;
  Records to{otherKeys, otherValues};
  for (const Digit& digit : digitsOf(largestKey)) {
    if (task.cancelled()) return false;
    sortByDigit(from, to, digit, histograms);
    std::swap(from, to);
  }
  if (from.keys.data() != given.keys.data()) copyRecords(from, given);
  return !task.cancelled();
}

}  // namespace clusterloom
