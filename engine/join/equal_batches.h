#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clusterloom {

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
