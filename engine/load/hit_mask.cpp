#include "engine/load/hit_mask.h"

#include <cstddef>

// As in engine/cpu/candidate_scan.cpp: one portable source, compiled for several instruction sets.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define CLUSTERLOOM_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLUSTERLOOM_CLONES
#endif

namespace clusterloom {
namespace {

constexpr std::uint32_t kBlock = 64;

CLUSTERLOOM_CLONES void addSquares(double* sum, const double* x, double qx) {
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const double difference = qx - x[i];
    sum[i] += difference * difference;
  }
}

CLUSTERLOOM_CLONES std::uint64_t atMost(const double* sum, double limit) {
  std::uint64_t mask = 0;
  for (std::uint32_t i = 0; i < kBlock; ++i)
    mask |= static_cast<std::uint64_t>(sum[i] <= limit) << i;
  return mask;
}

}  // namespace

std::uint64_t hitMask(const JoinView& view, std::uint32_t query, std::uint32_t begin,
                      std::uint32_t stride, std::uint32_t count) {
  alignas(64) double sum[kBlock] = {};
  std::uint64_t mask = count == kBlock ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  for (int j = 0; j < view.dims; ++j) {
    const double* x = view.columns[j];
    const double qx = x[query];
    if (stride == 1 && count == kBlock) {
      addSquares(sum, x + begin, qx);
    } else {
      for (std::uint32_t i = 0; i < count; ++i) {
        const double difference = qx - x[begin + static_cast<std::size_t>(i) * stride];
        sum[i] += difference * difference;
      }
    }
    // Partial sums only grow, so what is out stays out.
    if (j % 4 == 3 && j + 1 < view.dims && (mask &= atMost(sum, view.squaredEps)) == 0) return 0;
  }
  return mask & atMost(sum, view.squaredEps);
}

}  // namespace clusterloom
