#include "engine/ego/simple_join.h"

#include <algorithm>

#include "engine/core/instruction_sets.h"
#include "engine/core/parallel_for.h"
#include "engine/core/squared_distance.h"
#include "engine/join/other_order.h"

namespace clusterloom {
namespace {

/// The predicate itself.
template <class Real>
bool isInside(const SimpleJoin<Real>& join, std::uint32_t p, std::uint32_t q) {
  return squaredDistance(join.dims, [&](int j) { return join.exact[j][p] - join.exact[j][q]; }) <=
         join.squaredEps;
}

constexpr std::uint32_t kSumsAtOnce = 64;  // candidates whose sums are kept at once

/// sums[i] = the sum for p and first + i in D dimensions, for i < size ≤ kSumsAtOnce.
template <class Real, int D>
CLUSTERLOOM_CLONES void sumAll(const Real* const* columns, std::uint32_t p, std::uint32_t first,
                               std::uint32_t size, Real* sums) {
  const Real* x[D];
  Real q[D];
  for (int j = 0; j < D; ++j) {
    x[j] = columns[j] + first;
    q[j] = columns[j][p];
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    Real sum = 0;
    for (int j = 0; j < D; ++j) {
      const Real d = q[j] - x[j][i];
      sum += d * d;
    }
    sums[i] = sum;
  }
}

/// Adds one dimension to the sums.
template <class Real>
CLUSTERLOOM_CLONES void addDimension(const Real* x, Real q, std::uint32_t size, Real* sums) {
  for (std::uint32_t i = 0; i < size; ++i) {
    const Real d = q - x[i];
    sums[i] += d * d;
  }
}

template <class Real>
CLUSTERLOOM_CLONES std::uint32_t countAtMost(const Real* sums, Real limit, std::uint32_t size) {
  CounterOf<Real> count = 0;
  for (std::uint32_t i = 0; i < size; ++i) count += sums[i] <= limit;
  return std::uint32_t(count);
}

/// Adds the neighbours among the sums to the columns and returns their number.
template <class Real>
CLUSTERLOOM_CLONES std::uint32_t addInside(const Real* sums, Real limit, std::uint32_t size,
                                           CounterOf<Real>* columns) {
  CounterOf<Real> count = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const CounterOf<Real> inside = sums[i] <= limit;
    columns[i] += inside;
    count += inside;
  }
  return std::uint32_t(count);
}

/// One row of countPairs in D dimensions: the neighbours of p among `size` candidates from `first`
/// on, and those that are not certainly outside. Adds the former to `counts`, if there are any.
template <class Real, int D, bool Banded, bool Columns>
CLUSTERLOOM_INLINE void countRow(const SimpleJoin<Real>& join, std::uint32_t p, std::uint32_t first,
                                 std::uint32_t size, CounterOf<Real>* counts,
                                 CounterOf<Real>& inside, CounterOf<Real>& maybe) {
  const Real* x[D];
  Real q[D];
  for (int j = 0; j < D; ++j) {
    x[j] = join.columns[j] + first;
    q[j] = join.columns[j][p];
  }
  const Real accept = join.acceptBelow;
  const Real reject = join.rejectAbove;
  CounterOf<Real> found = 0;
  CounterOf<Real> notOutside = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    Real sum = 0;
    for (int j = 0; j < D; ++j) {
      const Real d = q[j] - x[j][i];
      sum += d * d;
    }
    const CounterOf<Real> in = sum <= accept;
    found += in;
    if constexpr (Columns) counts[i] += in;
    if constexpr (Banded) notOutside += sum <= reject;
  }
  inside = found;
  maybe = Banded ? notOutside : found;
}

/// Rows of countPairs in D dimensions. undecided[i] says that row i has pairs for the predicate.
template <class Real, int D, bool Banded>
CLUSTERLOOM_CLONES bool countRows(const SimpleJoin<Real>& join, EgoRange a, EgoRange b,
                                  CounterOf<Real>* rows, CounterOf<Real>* counts,
                                  std::uint8_t* undecided) {
  bool any = false;
  for (std::uint32_t p = a.begin; p < a.end; ++p) {
    CounterOf<Real> inside = 0;
    CounterOf<Real> maybe = 0;
    countRow<Real, D, Banded, true>(join, p, b.begin, b.end - b.begin, counts, inside, maybe);
    rows[p - a.begin] += inside;
    if constexpr (Banded) {
      undecided[p - a.begin] = inside != maybe;
      any |= inside != maybe;
    }
  }
  return any;
}

/// The neighbours of p among any number of candidates; whether some are for the predicate.
template <class Real, int D, bool Banded>
CLUSTERLOOM_CLONES bool countOne(const SimpleJoin<Real>& join, std::uint32_t p, EgoRange b,
                                 std::uint32_t& count) {
  CounterOf<Real> inside = 0;
  CounterOf<Real> maybe = 0;
  countRow<Real, D, Banded, false>(join, p, b.begin, b.end - b.begin, nullptr, inside, maybe);
  count += std::uint32_t(inside);
  return inside != maybe;
}

/// Calls f with the number of dimensions known as the program is compiled; false where it is not.
template <class F>
bool withKnownDims(int dims, F&& f) {
  switch (dims) {
    case 1: return f.template operator()<1>(), true;
    case 2: return f.template operator()<2>(), true;
    case 3: return f.template operator()<3>(), true;
    case 4: return f.template operator()<4>(), true;
    case 5: return f.template operator()<5>(), true;
    case 6: return f.template operator()<6>(), true;
    case 7: return f.template operator()<7>(), true;
    case 8: return f.template operator()<8>(), true;
    default: return false;
  }
}

/// The sums for p and at most kSumsAtOnce candidates; false where all are certainly outside. With
/// many dimensions SHORTC cuts them short, block by block: those from `start` to the last wide one
/// first, in which the points are likeliest to be apart, then those before `start`, then the narrow
/// ones.
template <class Real>
bool sumBlock(const SimpleJoin<Real>& join, std::uint32_t p, std::uint32_t first,
              std::uint32_t size, int start, Real* sums) {
  if (withKnownDims(join.dims,
                    [&]<int D>() { sumAll<Real, D>(join.columns, p, first, size, sums); }))
    return true;
  std::fill_n(sums, size, Real{0});
  const int from = start < join.wide ? start : 0;
  for (int added = 0; added < join.dims; ++added) {
    const int j = added >= join.wide         ? added
                  : added < join.wide - from ? from + added
                                             : added - (join.wide - from);
    addDimension(join.columns[j] + first, join.columns[j][p], size, sums);
    if (added % 4 == 3 && countAtMost(sums, join.rejectAbove, size) == 0) return false;
  }
  return true;
}

/// Calls visit(i) for the candidates that the sums do not decide and that are inside.
template <class Real, class Visit>
void visitUndecided(const SimpleJoin<Real>& join, std::uint32_t p, std::uint32_t first,
                    std::uint32_t size, const Real* sums, Visit&& visit) {
  for (std::uint32_t i = 0; i < size; ++i)
    if (sums[i] > join.acceptBelow && !(sums[i] > join.rejectAbove) && isInside(join, p, first + i))
      visit(i);
}

template <class Real, class Take>
void forBlocks(const SimpleJoin<Real>& join, std::uint32_t p, EgoRange b, int start,
               const Take& take) {
  Real sums[kSumsAtOnce];
  for (std::uint32_t first = b.begin; first < b.end; first += kSumsAtOnce) {
    const std::uint32_t size = std::min(kSumsAtOnce, b.end - first);
    if (sumBlock(join, p, first, size, start, sums)) take(first, size, sums);
  }
}

/// Calls visit(q) for the candidates that only the predicate finds inside.
template <class Real, class Visit>
void addUndecided(const SimpleJoin<Real>& join, std::uint32_t p, EgoRange b, int start,
                  const Visit& visit) {
  forBlocks(join, p, b, start, [&](std::uint32_t first, std::uint32_t size, const Real* sums) {
    visitUndecided(join, p, first, size, sums, [&](std::uint32_t i) { visit(first + i); });
  });
}

}  // namespace

SimpleJoin<double> simpleJoinOf(const EgoIndex& index, double squaredEps) {
  SimpleJoin<double> join;
  join.dims = int(index.dimensions());
  join.wide = index.wide;
  join.squaredEps = squaredEps;
  join.acceptBelow = join.rejectAbove = squaredEps;
  const bool canonical = join.dims <= SimpleJoin<double>::kCanonicalDims;
  for (std::size_t i = 0; i < index.dimensions(); ++i) {
    const std::size_t j = canonical ? i : std::size_t(index.dims[i]);
    join.columns[i] = index.ordered.columns[j].data();
    join.exact[i] = index.ordered.columns[i].data();
  }
  if (!canonical) {
    const double band = otherOrderBand(join.dims);
    join.acceptBelow = squaredEps * (1.0 - band);
    join.rejectAbove = squaredEps * (1.0 + band);
  }
  return join;
}

SingleOffsets singleOffsetsOf(const EgoIndex& index, const SinglePrecision& single,
                              double squaredEps) {
  SingleOffsets result;
  SimpleJoin<float>& join = result.join;
  join.dims = int(index.dimensions());
  join.wide = index.wide;
  join.squaredEps = squaredEps;
  join.acceptBelow = single.acceptBelow;
  join.rejectAbove = single.rejectAbove;
  for (std::size_t i = 0; i < index.dimensions(); ++i) {
    const OffsetColumn& column = single.columns[i];
    const std::vector<double>& x = index.ordered.columns[std::size_t(column.dimension)];
    std::vector<float> offsets(x.size());
    parallelFor(x.size(), 4096,
                [&](std::size_t p) { offsets[p] = offsetOf(column, single.scale, x[p]); });
    result.columns.push_back(std::move(offsets));
    join.columns[i] = result.columns.back().data();
    join.exact[i] = index.ordered.columns[i].data();
  }
  return result;
}

template <class Real>
void countPairs(const SimpleJoin<Real>& join, EgoRange a, EgoRange b, int start,
                CounterOf<Real>* rows, CounterOf<Real>* columns) {
  const bool banded = join.acceptBelow != join.rejectAbove;
  std::uint8_t undecided[EgoIndex::kShortest];
  bool any = false;
  if (withKnownDims(join.dims, [&]<int D>() {
        any = banded ? countRows<Real, D, true>(join, a, b, rows, columns, undecided)
                     : countRows<Real, D, false>(join, a, b, rows, columns, undecided);
      })) {
    if (!any) return;
    for (std::uint32_t p = a.begin; p < a.end; ++p)
      if (undecided[p - a.begin] != 0)
        addUndecided(join, p, b, start, [&](std::uint32_t q) {
          ++rows[p - a.begin];
          ++columns[q - b.begin];
        });
    return;
  }
  for (std::uint32_t p = a.begin; p < a.end; ++p) {
    CounterOf<Real>& row = rows[p - a.begin];
    forBlocks(join, p, b, start, [&](std::uint32_t first, std::uint32_t size, const Real* sums) {
      CounterOf<Real>* const counts = columns + (first - b.begin);
      const std::uint32_t inside = addInside(sums, join.acceptBelow, size, counts);
      row += static_cast<CounterOf<Real>>(inside);
      if (countAtMost(sums, join.rejectAbove, size) == inside) return;
      visitUndecided(join, p, first, size, sums, [&](std::uint32_t i) {
        ++row;
        ++counts[i];
      });
    });
  }
}

template <class Real>
std::uint32_t countNeighbours(const SimpleJoin<Real>& join, std::uint32_t p, EgoRange b,
                              int start) {
  const bool banded = join.acceptBelow != join.rejectAbove;
  std::uint32_t count = 0;
  bool undecided = false;
  if (withKnownDims(join.dims, [&]<int D>() {
        undecided = banded ? countOne<Real, D, true>(join, p, b, count)
                           : countOne<Real, D, false>(join, p, b, count);
      })) {
    if (undecided) addUndecided(join, p, b, start, [&](std::uint32_t) { ++count; });
    return count;
  }
  forBlocks(join, p, b, start, [&](std::uint32_t first, std::uint32_t size, const Real* sums) {
    const std::uint32_t inside = countAtMost(sums, join.acceptBelow, size);
    count += inside;
    if (countAtMost(sums, join.rejectAbove, size) != inside)
      visitUndecided(join, p, first, size, sums, [&](std::uint32_t) { ++count; });
  });
  return count;
}

template <class Real>
std::uint64_t neighboursOf(const SimpleJoin<Real>& join, std::uint32_t p, EgoRange b, int start) {
  Real sums[kSumsAtOnce];
  const std::uint32_t size = b.end - b.begin;
  if (!sumBlock(join, p, b.begin, size, start, sums)) return 0;
  std::uint64_t found = 0;
  for (std::uint32_t i = 0; i < size; ++i) found |= std::uint64_t{sums[i] <= join.acceptBelow} << i;
  if (join.acceptBelow != join.rejectAbove)
    visitUndecided(join, p, b.begin, size, sums,
                   [&](std::uint32_t i) { found |= std::uint64_t{1} << i; });
  return found;
}

template void countPairs(const SimpleJoin<double>&, EgoRange, EgoRange, int, std::int64_t*,
                         std::int64_t*);
template void countPairs(const SimpleJoin<float>&, EgoRange, EgoRange, int, std::int32_t*,
                         std::int32_t*);
template std::uint32_t countNeighbours(const SimpleJoin<double>&, std::uint32_t, EgoRange, int);
template std::uint32_t countNeighbours(const SimpleJoin<float>&, std::uint32_t, EgoRange, int);
template std::uint64_t neighboursOf(const SimpleJoin<double>&, std::uint32_t, EgoRange, int);
template std::uint64_t neighboursOf(const SimpleJoin<float>&, std::uint32_t, EgoRange, int);

}  // namespace clusterloom
