#pragma once

#include "engine/core/lane.h"

namespace clusterloom {

/// For `squaredDistance`: adds every dimension.
struct NeverEnough {
  template <class Sum>
  CLUSTERLOOM_LANE bool operator()(Sum) const {
    return false;
  }
};

/// The loop over coordinates: Σ difference(j)² for j = 0 … dims − 1, added in that order, every
/// product and sum rounded on its own. Where difference(j) is the difference of coordinate j of two
/// points and the dimensions are in the cloud's own order, this is the canonical squared distance
/// (engine/core/predicate.h). `enough(sum)` is called before each dimension; where it returns true
/// the partial sum is returned. Partial sums never decrease, since rounding is monotone: with `sum
/// > squaredEps` as `enough` the answer of the predicate stays the same (SHORTC, [Gowanlock 2019,
/// §4.4]). A number of dimensions that is known at compile time lets the compiler unroll the loop.
template <class Index, class Difference, class Enough = NeverEnough>
CLUSTERLOOM_LANE auto squaredDistance(Index dims, Difference&& difference, Enough&& enough = {}) {
  decltype(difference(dims) * difference(dims)) sum{};
  for (Index j = 0; j < dims && !enough(sum); ++j) {
    const auto d = difference(j);
    sum += d * d;
  }
  return sum;
}

}  // namespace clusterloom
