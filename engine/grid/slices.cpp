#include "engine/grid/slices.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/grid/sort_by_key.h"

namespace clusterloom {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Stretches of one thread: a table with one entry a hash, so that equal and close values meet in
// their entry and dense clouds leave few stretches. A value that does not fit its entry's stretch
// replaces it; the old one goes to the list.
class StretchTable {
 public:
  explicit StretchTable(double length) : length_(length), table_(std::size_t{1} << kLog2Entries) {}

  void add(double x) {
    const double key = std::floor(x / length_);
    const std::uint64_t hash = std::bit_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ULL;
    Stretch& entry = table_[hash >> (64 - kLog2Entries)];
    if (entry.points != 0) {
      const double low = std::min(entry.low, x);
      const double high = std::max(entry.high, x);
      if (high - low <= length_) {
        entry = {low, high, entry.points + 1};
        return;
      }
      list_.push_back(entry);
    }
    entry = {x, x, 1};
  }

  void appendTo(std::vector<Stretch>& all) const {
    all.insert(all.end(), list_.begin(), list_.end());
    for (const Stretch& entry : table_)
      if (entry.points != 0) all.push_back(entry);
  }

 private:
  static constexpr int kLog2Entries = 13;
  double length_;
  std::vector<Stretch> table_;
  std::vector<Stretch> list_;
};

// A double as an unsigned number of the same order; −0 and +0 are one place.
std::uint64_t orderedBits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 ? ~bits : bits | 1ULL << 63;
}

bool beyondEps(double low, double high, double squaredEps) {
  const double width = high - low;
  return width * width > squaredEps;
}

// A bound about `step` above `from`, and so far above `base` that the contract holds between them.
// Rounding takes at most a few units of `base` or of the bound from the width, so growing what is
// added finds a bound in a few turns.
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
// hold as many, also across gaps; gaps before and after what is united stay gaps.
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

Result<std::vector<Stretch>> stretchesOf(std::span<const double> values, double length,
                                         const Task& task) {
  tbb::enumerable_thread_specific<StretchTable> tables(length);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, values.size(), 16384),
                    [&](const auto& range) {
                      if (task.cancelled()) return;
                      StretchTable& table = tables.local();
                      for (std::size_t p = range.begin(); p < range.end(); ++p)
                        table.add(values[p]);
                    });
  if (task.cancelled()) return cancelledError();
  std::vector<Stretch> stretches;
  for (const StretchTable& table : tables) table.appendTo(stretches);
  std::vector<std::uint64_t> keys(stretches.size());
  std::vector<std::uint32_t> order(stretches.size());
  std::iota(order.begin(), order.end(), 0U);
  std::transform(stretches.begin(), stretches.end(), keys.begin(),
                 [](const Stretch& stretch) { return orderedBits(stretch.low); });
  if (!sortByKey(keys, order, ~std::uint64_t{0}, task)) return cancelledError();
  std::vector<Stretch> sorted(stretches.size());
  std::transform(order.begin(), order.end(), sorted.begin(),
                 [&](std::uint32_t at) { return stretches[at]; });
  return sorted;
}

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
    const auto before = static_cast<std::size_t>(reach - 1);
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

}  // namespace clusterloom
