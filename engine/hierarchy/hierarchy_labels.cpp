#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/hierarchy_data.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kWordsAtOnce = 256;

/// Marks of 0 … n − 1, and how many there are before each.
class Marks {
 public:
  explicit Marks(std::size_t n) : words_(n / 64 + 1), before_(words_.size()) {}

  std::size_t words() const { return words_.size(); }
  std::uint64_t& word(std::size_t w) { return words_[w]; }
  std::uint64_t word(std::size_t w) const { return words_[w]; }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  void markShared(std::size_t i) {
    std::atomic_ref<std::uint64_t>(words_[i / 64])
        .fetch_or(std::uint64_t{1} << (i % 64), std::memory_order_relaxed);
  }
  /// Counts the marks; rank() may be called from then on.
  std::uint32_t count() {
    std::uint32_t sum = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      before_[w] = sum;
      sum += static_cast<std::uint32_t>(std::popcount(words_[w]));
    }
    return sum;
  }
  /// Marks before i.
  std::uint32_t rank(std::size_t i) const {
    const std::uint64_t lower = words_[i / 64] & ((std::uint64_t{1} << (i % 64)) - 1);
    return before_[i / 64] + static_cast<std::uint32_t>(std::popcount(lower));
  }
  std::uint32_t before(std::size_t w) const { return before_[w]; }
  /// The first mark after i; `end` where there is none.
  std::size_t next(std::size_t i, std::size_t end) const {
    ++i;
    if (i >= end) return end;
    std::size_t w = i / 64;
    std::uint64_t bits = words_[w] & (~std::uint64_t{0} << (i % 64));
    while (bits == 0) {
      if (++w == words_.size()) return end;
      bits = words_[w];
    }
    return std::min(end, w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }

 private:
  LargeArray<std::uint64_t> words_;
  LargeArray<std::uint32_t> before_;
};

template <class Body>
void forWords(std::size_t words, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, words, kWordsAtOnce),
                    [&](const auto& range) {
                      for (std::size_t w = range.begin(); w < range.end(); ++w) body(w);
                    });
}

struct RoleCounts {
  std::uint64_t core = 0;
  std::uint64_t border = 0;
};

}  // namespace

Result<Clustering> Hierarchy::labels(double eps, std::vector<std::uint32_t>* nodes) const {
  const Result<double> squared = epsSquared(eps);
  if (!squared) return tl::unexpected(squared.error());
  const Stopwatch watch;
  const Data& data = *data_;
  const std::size_t n = points();
  const LargeArray<double>& weights = data.dendrogram.squaredWeights;
  const auto merged = static_cast<std::uint32_t>(
      std::upper_bound(weights.begin(), weights.end(), *squared) - weights.begin());

  // Runs of positions that are joined at ε.
  const std::uint32_t* splits = data.order.splits.data();
  Marks starts(n);
  forWords(starts.words(), [&](std::size_t w) {
    std::uint64_t bits = 0;
    const std::size_t inWord = std::min<std::size_t>(64, n - std::min(n, w * 64));
    for (std::size_t i = 0; i < inWord; ++i)
      bits |= std::uint64_t{splits[w * 64 + i] >= merged} << i;
    starts.word(w) = bits;
  });
  const std::uint32_t runs = starts.count();

  // A run of several points is a cluster, one point is where it is core. `lowest` marks the lowest
  // point of each cluster: their order is that of the clusters' numbers.
  struct Run {
    std::uint32_t node;
    std::uint32_t lowest;  // kNone: noise or border
  };
  LargeArray<Run> run(runs);
  Marks lowest(n);
  lowest.clear();
  forWords(starts.words(), [&](std::size_t w) {
    std::uint32_t at = starts.before(w);
    for (std::uint64_t bits = starts.word(w); bits != 0; bits &= bits - 1, ++at) {
      const std::size_t begin = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      const std::size_t end = starts.next(begin, n);
      if (end == begin + 1) {
        const std::uint32_t point = data.order.order[begin];
        run[at] = {point, data.squaredCore[point] <= *squared ? point : kNone};
      } else {
        const std::uint32_t merge = data.splits(begin + 1, end);
        run[at] = {static_cast<std::uint32_t>(n + merge), data.lowestPoints[merge]};
      }
      if (run[at].lowest != kNone) lowest.markShared(run[at].lowest);
    }
  });

  Clustering clustering;
  clustering.params = {eps, data.minPts};
  clustering.clusters = static_cast<std::int32_t>(lowest.count());
  if (nodes != nullptr) nodes->resize(static_cast<std::size_t>(clustering.clusters));
  LargeArray<std::int32_t> number(runs);
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, runs, 8192), [&](const auto& range) {
    for (std::uint32_t r = range.begin(); r < range.end(); ++r) {
      number[r] =
          run[r].lowest == kNone ? kNoise : static_cast<std::int32_t>(lowest.rank(run[r].lowest));
      if (nodes != nullptr && number[r] >= 0)
        (*nodes)[static_cast<std::size_t>(number[r])] = run[r].node;
    }
  });

  clustering.labels.resize(n);
  clustering.roles.resize(n);
  tbb::combinable<RoleCounts> counts;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 16384), [&](const auto& range) {
    RoleCounts here;
    for (std::size_t p = range.begin(); p < range.end(); ++p) {
      std::int32_t label = number[starts.rank(data.order.positions[p] + std::size_t{1}) - 1];
      PointRole role = PointRole::Core;
      if (label == kNoise) {
        // The lowest number among the core points within ε (border_lists.cpp has the proof).
        for (std::uint64_t i = data.borders.offsets[p]; i < data.borders.offsets[p + 1]; ++i) {
          if (!(data.borders.squaredReach[i] <= *squared)) break;
          const std::int32_t other =
              number[starts.rank(data.borders.positions[i] + std::size_t{1}) - 1];
          if (label == kNoise || other < label) label = other;
        }
        role = label == kNoise ? PointRole::Noise : PointRole::Border;
        here.border += label != kNoise;
      } else {
        ++here.core;
      }
      clustering.labels[p] = label;
      clustering.roles[p] = role;
    }
    counts.local().core += here.core;
    counts.local().border += here.border;
  });
  counts.combine_each([&](const RoleCounts& part) {
    clustering.coreCount += part.core;
    clustering.borderCount += part.border;
  });
  clustering.noiseCount = n - clustering.coreCount - clustering.borderCount;
  clustering.stats.backend = "hierarchy";
  clustering.stats.threads = tbb::this_task_arena::max_concurrency();
  clustering.stats.seconds.label = clustering.stats.seconds.total = watch.seconds();
  return clustering;
}

}  // namespace clusterloom
