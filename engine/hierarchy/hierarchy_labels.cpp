#include <tbb/combinable.h>
#include <tbb/task_arena.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>

#include "engine/core/instruction_sets.h"
#include "engine/core/parallel_for.h"
#include "engine/core/predicate.h"
#include "engine/core/profiler_range.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/hierarchy_data.h"

namespace clusterloom {
namespace {

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
      sum += std::uint32_t(std::popcount(words_[w]));
    }
    return sum;
  }
  /// Marks before i.
  CLUSTERLOOM_INLINE std::uint32_t rank(std::size_t i) const {
    const std::uint64_t lower = words_[i / 64] & ((std::uint64_t{1} << (i % 64)) - 1);
    return before_[i / 64] + std::uint32_t(std::popcount(lower));
  }
  std::uint32_t before(std::size_t w) const { return before_[w]; }
  /// The first of i + 1, i + 2, … without a mark; `end` where there is none before.
  std::size_t nextUnmarked(std::size_t i, std::size_t end) const {
    ++i;
    if (i >= end) return end;
    std::size_t w = i / 64;
    std::uint64_t bits = ~words_[w] & (~std::uint64_t{0} << (i % 64));
    while (bits == 0) {
      if (++w == words_.size()) return end;
      bits = ~words_[w];
    }
    return std::min(end, w * 64 + std::size_t(std::countr_zero(bits)));
  }

 private:
  LargeArray<std::uint64_t> words_;
  LargeArray<std::uint32_t> before_;
};

struct Labelling {
  const double* squaredCore;
  const double* firstReach;  ///< of each point's border list
  const std::uint32_t* positions;
  const BorderLists& borders;
  const Marks& starts;         ///< of clusters, by position
  const std::int32_t* number;  ///< of each start
  double squaredEps;
  std::int32_t* labels;
  PointRole* roles;

  CLUSTERLOOM_INLINE std::int32_t numberAt(std::uint32_t position) const {
    return number[starts.rank(position + std::size_t{1}) - 1];
  }
};

/// Labels points [begin, end). Returns how many of them are border points.
CLUSTERLOOM_CLONES std::uint64_t labelPoints(const Labelling& all, std::size_t begin,
                                             std::size_t end) {
  constexpr std::size_t kAtOnce = 1024;
  std::uint32_t core[kAtOnce];
  std::uint32_t border[kAtOnce];
  std::uint64_t borders = 0;
  for (std::size_t first = begin; first < end; first += kAtOnce) {
    // Roles are sorted out without branches: in a noisy cloud they could not be predicted.
    const std::size_t last = std::min(end, first + kAtOnce);
    std::size_t cores = 0;
    std::size_t bordersHere = 0;
    for (std::size_t p = first; p < last; ++p) {
      const bool isCore = all.squaredCore[p] <= all.squaredEps;
      const bool isBorder = !isCore & (all.firstReach[p] <= all.squaredEps);
      all.labels[p] = kNoise;
      all.roles[p] = isCore ? PointRole::Core : isBorder ? PointRole::Border : PointRole::Noise;
      core[cores] = border[bordersHere] = std::uint32_t(p);
      cores += isCore;
      bordersHere += isBorder;
    }
    for (std::size_t i = 0; i < cores; ++i)
      all.labels[core[i]] = all.numberAt(all.positions[core[i]]);
    for (std::size_t i = 0; i < bordersHere; ++i) {
      // The lowest number among the core points within ε (border_lists.cpp has the proof).
      std::uint32_t entry = all.borders.offsets[border[i]];
      const std::uint32_t after = all.borders.offsets[border[i] + std::size_t{1}];
      std::int32_t label = all.numberAt(all.borders.positions[entry]);
      while (++entry < after && all.borders.squaredReach[entry] <= all.squaredEps)
        label = std::min(label, all.numberAt(all.borders.positions[entry]));
      all.labels[border[i]] = label;
    }
    borders += bordersHere;
  }
  return borders;
}

/// Resizes an empty vector, with huge pages where the system has them: the first touch of the pages
/// of a large result takes longer than filling it.
template <class T>
void resizeInHugePages(std::vector<T>& values, std::size_t size) {
  values.reserve(size);
#ifdef __linux__
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(values.data()) + kPage - 1) / kPage * kPage;
  const auto end = reinterpret_cast<std::uintptr_t>(values.data() + size) / kPage * kPage;
  // Optional: without huge pages everything works, only slower.
  if (end > begin + (std::uintptr_t{4} << 20))
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
  values.resize(size);
}

}  // namespace

Result<Clustering> Hierarchy::labels(double eps, std::vector<std::uint32_t>* nodes) const {
  const Result<double> squared = epsSquared(eps);
  if (!squared) return tl::unexpected(squared.error());
  const ProfilerRange profiled("labels");
  const Stopwatch watch;
  const Data& data = *data_;
  const std::size_t n = points();
  const LargeArray<double>& weights = data.dendrogram.squaredWeights;
  const auto merged =
      std::uint32_t(std::upper_bound(weights.begin(), weights.end(), *squared) - weights.begin());

  // Bit i: position i is joined to the one before.
  const std::uint32_t* splits = data.order.splits.data();
  Marks joined(n);
  parallelFor(joined.words(), kWordsAtOnce, [&](std::size_t w) {
    std::uint64_t bits = 0;
    const std::size_t inWord = std::min<std::size_t>(64, n - std::min(n, w * 64));
    for (std::size_t i = 0; i < inWord; ++i)
      bits |= std::uint64_t{splits[w * 64 + i] < merged} << i;
    joined.word(w) = bits;
  });
  // The first positions of clusters: runs of several positions, and points that are core but not
  // joined to others yet. `lowest` marks the lowest core point of each cluster; their order is that
  // of the clusters' numbers.
  Marks starts(n);
  parallelFor(starts.words(), kWordsAtOnce, [&](std::size_t w) {
    const std::uint64_t next = w + 1 < joined.words() ? joined.word(w + 1) : 0;
    starts.word(w) = ~joined.word(w) & ((joined.word(w) >> 1) | (next << 63));
  });
  Marks lowest(n);
  lowest.clear();
  parallelFor(data.early.size(), 8192, [&](std::size_t i) {
    const EarlyPoint& early = data.early[i];
    if (!(early.squaredCore <= *squared) || early.merge < merged) return;
    starts.markShared(data.order.positions[early.point]);
  });
  const std::uint32_t clusters = starts.count();
  struct Cluster {
    std::uint32_t node;
    std::uint32_t lowest;
  };
  LargeArray<Cluster> found(clusters);
  std::atomic<std::uint64_t> core{0};
  parallelFor(starts.words(), kWordsAtOnce, [&](std::size_t w) {
    std::uint32_t at = starts.before(w);
    std::uint64_t coreHere = 0;
    for (std::uint64_t bits = starts.word(w); bits != 0; bits &= bits - 1, ++at) {
      const std::size_t begin = w * 64 + std::size_t(std::countr_zero(bits));
      const std::size_t end = joined.nextUnmarked(begin, n);
      if (end == begin + 1) {
        found[at] = {data.order.order[begin], data.order.order[begin]};
      } else {
        const std::uint32_t merge = data.splits(begin + 1, end);
        found[at] = {std::uint32_t(n + merge), data.lowestPoints[merge]};
      }
      lowest.markShared(found[at].lowest);
      coreHere += end - begin;
    }
    if (coreHere != 0) core += coreHere;
  });

  Clustering clustering;
  clustering.params = {eps, data.minPts};
  clustering.clusters = std::int32_t(clusters);
  clustering.coreCount = core;
  lowest.count();
  if (nodes != nullptr) nodes->resize(clusters);
  LargeArray<std::int32_t> number(clusters);
  parallelFor<std::uint32_t>(clusters, 8192, [&](std::uint32_t c) {
    const std::uint32_t rank = lowest.rank(found[c].lowest);
    number[c] = std::int32_t(rank);
    if (nodes != nullptr) (*nodes)[rank] = found[c].node;
  });
  resizeInHugePages(clustering.labels, n);
  resizeInHugePages(clustering.roles, n);
  tbb::combinable<std::uint64_t> borders;
  parallelForBlocks(n, 16384, [&](std::size_t begin, std::size_t end) {
    const std::uint64_t bordersHere = labelPoints(
        {data.squaredCore.data(), data.firstReach.data(), data.order.positions.data(), data.borders,
         starts, number.data(), *squared, clustering.labels.data(), clustering.roles.data()},
        begin, end);
    borders.local() += bordersHere;
  });
  clustering.borderCount = borders.combine(std::plus<>());
  clustering.noiseCount = n - clustering.coreCount - clustering.borderCount;
  clustering.stats.backend = "hierarchy";
  clustering.stats.threads = tbb::this_task_arena::max_concurrency();
  clustering.stats.seconds.label = clustering.stats.seconds.total = watch.seconds();
  return clustering;
}

}  // namespace clusterloom
