#include "engine/hybrid/batch_cuts.h"

#include <algorithm>

namespace clusterloom {
namespace {

/// Calls visit(first, last, neighbours) for runs of queries of one estimate, in order.
template <class Visit>
void forEachRun(const NeighbourSample& sample, std::uint32_t queries, const Visit& visit) {
  for (std::size_t s = 0; s < sample.counts.size(); ++s) {
    const std::uint64_t own = std::uint64_t(s) * sample.step;
    if (own >= queries) return;
    const auto first = std::uint32_t(own);
    visit(first, first + 1, sample.counts[s]);
    const bool last = s + 1 == sample.counts.size();
    const auto end =
        std::uint32_t(last ? queries : std::min<std::uint64_t>(queries, own + sample.step));
    if (first + 1 < end)
      visit(first + 1, end,
            last ? sample.counts[s] : std::max(sample.counts[s], sample.counts[s + 1]));
  }
}

}  // namespace

std::uint32_t neighbourSampleStep(std::uint32_t queries) {
  constexpr std::uint32_t kSampledOneIn = 100;
  constexpr std::uint32_t kLeastSampled = 1000;
  return std::clamp<std::uint32_t>(queries / kLeastSampled, 1, kSampledOneIn);
}

std::uint64_t estimatedPairs(const NeighbourSample& sample, std::uint32_t queries) {
  std::uint64_t pairs = 0;
  forEachRun(sample, queries, [&](std::uint32_t first, std::uint32_t last, std::uint32_t each) {
    pairs += std::uint64_t(last - first) * each;
  });
  return pairs;
}

std::vector<std::uint32_t> cutBatches(const NeighbourSample& sample, std::uint32_t queries,
                                      std::uint64_t pairs, std::uint32_t least) {
  const std::uint64_t limit = std::max<std::uint64_t>(
      1, std::min(pairs, estimatedPairs(sample, queries) / std::max<std::uint32_t>(1, least)));
  std::vector<std::uint32_t> begins{0};
  std::uint64_t used = 0;
  forEachRun(sample, queries, [&](std::uint32_t first, std::uint32_t last, std::uint32_t each) {
    while (first < last) {
      const std::uint64_t space = limit - std::min(limit, used);
      std::uint64_t fit = each == 0 ? last - first : space / each;
      if (fit == 0 && begins.back() == first) fit = 1;  // one query larger than a batch
      if (fit == 0) {
        begins.push_back(first);
        used = 0;
        continue;
      }
      const auto taken = std::uint32_t(std::min<std::uint64_t>(fit, last - first));
      used += std::uint64_t(taken) * each;
      first += taken;
    }
  });
  begins.push_back(queries);
  return begins;
}

}  // namespace clusterloom
