#include "engine/hybrid/ordered_queries.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <algorithm>
#include <functional>
#include <ranges>

namespace clusterloom {

OrderedQueries orderedQueries(std::vector<std::uint32_t> points,
                              std::span<const std::uint32_t> workloads) {
  OrderedQueries queries;
  queries.points = std::make_shared<const std::vector<std::uint32_t>>(std::move(points));
  queries.candidatesBefore.resize(workloads.size() + 1);
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, workloads.size(), 1 << 16), std::uint64_t{0},
      [&](const auto& range, std::uint64_t sum, bool isFinal) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          sum += workloads[i];
          if (isFinal) queries.candidatesBefore[i + 1] = sum;
        }
        return sum;
      },
      std::plus<>{});
  return queries;
}

std::vector<std::size_t> runsOfEqualWork(const OrderedQueries& queries, std::uint32_t sets) {
  std::vector<std::size_t> begins{0};
  const std::uint32_t n = queries.size();
  for (std::uint32_t s = 1; s < sets; ++s) {
    const double wanted = queries.workBefore(n) * s / sets;
    const auto all = std::views::iota(std::uint32_t{0}, n);
    const std::uint32_t at = *std::ranges::lower_bound(
        all, wanted, {}, [&](std::uint32_t q) { return queries.workBefore(q); });
    if (at > begins.back() && at < n) begins.push_back(at);
  }
  begins.push_back(n);
  return begins;
}

}  // namespace clusterloom
