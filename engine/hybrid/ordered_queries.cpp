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

namespace {

// The first query with at least `work` work before it; n where there is none.
std::uint32_t queryAfter(const OrderedQueries& queries, double work) {
  const auto all = std::views::iota(std::uint32_t{0}, queries.size());
  return *std::ranges::lower_bound(all, work, {},
                                   [&](std::uint32_t q) { return queries.workBefore(q); });
}

}  // namespace

std::vector<std::size_t> runsOfEqualWork(const OrderedQueries& queries, std::uint32_t sets) {
  std::vector<std::size_t> begins{0};
  const std::uint32_t n = queries.size();
  for (std::uint32_t s = 1; s < sets; ++s) {
    const std::uint32_t at = queryAfter(queries, queries.workBefore(n) * s / sets);
    if (at > begins.back() && at < n) begins.push_back(at);
  }
  begins.push_back(n);
  return begins;
}

std::vector<std::size_t> runsOfFallingWork(const OrderedQueries& queries, std::uint32_t workers) {
  constexpr double kShare = 0.5;        // of what is left, for all workers together
  constexpr double kLeast = 1.0 / 128;  // of all work, for all workers together
  const std::uint32_t n = queries.size();
  const double all = queries.workBefore(n);
  std::vector<std::size_t> begins{0};
  for (double done = 0; done < all;) {
    done += std::max(kShare * (all - done), kLeast * all) / workers;
    const std::uint32_t at = queryAfter(queries, done);
    if (at >= n) break;
    if (at > begins.back()) begins.push_back(at);
  }
  begins.push_back(n);
  return begins;
}

}  // namespace clusterloom
