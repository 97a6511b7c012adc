#include "engine/hybrid/ordered_queries.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <functional>

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

}  // namespace clusterloom
