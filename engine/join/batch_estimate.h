#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The number of batches of a join on a GPU, or of its model, from the pairs that a sample of the
// queries finds [Gowanlock 2018, §4.1].

namespace clusterloom {

/// Batches of fewer pairs cost more in launches than they save by overlapping: work is not cut
/// finer to have a batch for each stream.
inline constexpr std::uint64_t kLeastBatchPairs = std::uint64_t{1} << 18;

/// One of this many queries is sampled.
inline constexpr std::uint32_t kSampledOneIn = 100;

/// Queries of the sample of a join of n.
constexpr std::size_t sampledQueries(std::size_t n) {
  return (n + kSampledOneIn - 1) / kSampledOneIn;
}

/// Pairs of the join when `asked` of its n queries found `found`, with the margin of the papers.
inline double estimatedPairs(std::uint64_t found, std::size_t asked, std::size_t n) {
  constexpr double kOverestimate = 1.05;
  return double(found) * double(n) / double(asked) * kOverestimate;
}

/// Pairs of a batch: at most `most`, and few enough that there are at least `leastBatches` batches
/// [Gowanlock 2018, §4.1, n_b], but not fewer than kLeastBatchPairs.
inline std::uint64_t batchPairsFor(double pairs, std::uint64_t most, int leastBatches) {
  const auto share = std::uint64_t(pairs / leastBatches) + 1;
  return std::min(most, std::max(kLeastBatchPairs, share));
}

/// The least number of batches of a neighbour table [Gowanlock 2018, §4.1, n_b]: one for each
/// stream as well, unless a size was requested (`asked`; 0: none).
inline int leastBatches(std::uint64_t asked, int streams) {
  constexpr int kLeast = 3;
  return asked > 0 ? kLeast : std::max(kLeast, streams);
}

/// Batches of `batchPairs` pairs each for `pairs` of n queries; never more than 4096.
inline std::size_t batchesFor(double pairs, std::uint64_t batchPairs, std::size_t n) {
  constexpr double kMostBatches = 4096;
  const double most = std::min(double(n), kMostBatches);
  return std::size_t(std::clamp(std::ceil(pairs / double(batchPairs)), 1.0, most));
}

/// Cuts an order of n queries into batches of about equal results: for WORKQUEUE, whose first
/// queries have far more neighbours than its last ones. [Gallet 2019, §III-D] gives all batches as
/// many queries as the first may have, and names batches of similar results as future work (§V);
/// [Gallet 2020, §4.3] cuts by a sample, as here.
///
/// Query i · step of the order found `found[i]` neighbours and stands for those up to the next
/// sampled one. The result is the first query of each of `batches` batches, of which each has at
/// least one query, and n. Batches of more than `mostQueries` queries (0: any number) become
/// several. 1 ≤ batches ≤ n; `found` has an entry for each of the n queries that is sampled.
std::vector<std::size_t> equalBatches(std::span<const std::uint32_t> found, std::size_t step,
                                      std::size_t n, std::size_t batches,
                                      std::size_t mostQueries = 0);

}  // namespace clusterloom
