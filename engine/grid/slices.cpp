#include "engine/grid/slices.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/infinity.h"

namespace clusterloom {
namespace {

bool beyondEps(double low, double high, double squaredEps) {
  const double width = high - low;
  return width * width > squaredEps;
}

// A bound about `step` above `from`, and so far above `base` that the contract holds between them.
// Rounding takes at most a few units of `base` or of the bound from the width, so growing what is
// added finds a bound in a few iterations.
double boundAbove(double base, double from, double step, double squaredEps) {
  double bound = std::max(from + step, std::nextafter(from, kInfinity));
  for (double more = step * 0x1p-50; !beyondEps(base, bound, squaredEps); more *= 2)
    bound = std::max(bound + more, std::nextafter(bound, kInfinity));
  return bound;
}

// Adds a slice to the last one.
void unite(Slice& last, const Slice& next) {
  if (next.points == 0) return;
  if (last.points == 0) {
    last.low = next.low;
    last.high = next.high;
  }
  last.high = std::max(last.high, next.high);
  last.points += next.points;
}

// Slices of at least `enough` points stay as they are. Others are united from a start on until they
// hold as many, also across gaps; gaps before and after united slices stay gaps.
std::vector<Slice> united(const std::vector<Slice>& narrow, std::uint64_t enough) {
  std::vector<Slice> result;
  bool open = false;                // the last slice of the result may still grow
  std::size_t gap = narrow.size();  // first of the empty slices since the last with points
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    const Slice& slice = narrow[i];
    if (slice.points == 0) {
      gap = std::min(gap, i);
      continue;
    }
    if (open && slice.points < enough) {
      unite(result.back(), slice);
    } else {
      for (; gap < i; ++gap) result.push_back(narrow[gap]);
      result.push_back(slice);
    }
    gap = narrow.size();
    open = result.back().points < enough;
  }
  return result;
}

}  // namespace

Result<SliceList> narrowestSlices(const std::vector<Stretch>& stretches, double eps, int reach,
                                  const Task& task) {
  const double squaredEps = eps * eps;
  const double step = eps / reach * (1 + 0x1p-50);
  SliceList list;
  std::vector<Slice>& slices = list.slices;
  double begin = stretches.front().low;
  int empty = 0;            // slices without points since the last with some
  std::size_t first = 0;    // first stretch that ends at or after `begin`
  std::size_t counted = 0;  // stretches whose points are counted
  while (first < stretches.size()) {
    if (slices.size() % 65536 == 0 && task.cancelled()) return cancelledError();
    const auto before = std::size_t(reach - 1);
    const double base = slices.size() < before ? -kInfinity
                        : before == 0          ? begin
                                               : slices[slices.size() - before].begin;
    double end = boundAbove(base, begin, step, squaredEps);
    const double next = std::max(begin, stretches[first].low);
    Slice slice{.begin = begin, .low = next, .high = next, .points = 0};
    if (next < end) {
      empty = 0;
      for (std::size_t i = first; i < stretches.size() && stretches[i].low < end; ++i) {
        slice.high = std::max(slice.high, std::min(stretches[i].high, end));
        if (i < counted) continue;
        slice.points += stretches[i].points;
        counted = i + 1;
      }
      slice.points = std::max(slice.points, 1U);  // of a stretch counted in the slice before
    } else if (++empty == reach) {
      empty = 0;
      end = next;  // the last of a gap's slices takes the rest of it
    }
    slices.push_back(slice);
    begin = end;
    while (first < stretches.size() && stretches[first].high < begin) ++first;
  }
  list.end = std::min(begin, std::numeric_limits<double>::max());
  return list;
}

Result<SliceList> mergedSlices(SliceList list, std::size_t most, const Task& task) {
  std::uint64_t points = 0;
  for (const Slice& slice : list.slices) points += slice.points;
  for (std::uint64_t enough = points / most + 1; list.slices.size() > most;
       enough += enough / 4 + 1) {
    if (task.cancelled()) return cancelledError();
    list.slices = united(list.slices, enough);
  }
  return list;
}

void slicesOf(const std::vector<double>& bounds, const Coordinates& values, std::size_t begin,
              std::span<std::uint32_t> found) {
  constexpr std::size_t kTogether = 16;
  const auto slices = std::uint32_t(bounds.size() - 1);
  withValues(values, [&](const auto& x) {
    std::size_t p = 0;
    for (; p + kTogether <= found.size(); p += kTogether) {
      double searched[kTogether];
      for (std::size_t i = 0; i < kTogether; ++i) searched[i] = x[begin + p + i];
      std::uint32_t first[kTogether] = {};
      for (std::uint32_t left = slices; left > 1;) {
        const std::uint32_t half = left / 2;
        for (std::size_t i = 0; i < kTogether; ++i)
          first[i] += bounds[first[i] + half] <= searched[i] ? half : 0;
        left -= half;
      }
      std::copy_n(first, kTogether, found.data() + p);
    }
    for (; p < found.size(); ++p) found[p] = sliceOf(bounds.data(), slices, x[begin + p]);
  });
}

}  // namespace clusterloom
