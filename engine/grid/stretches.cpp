#include "engine/grid/stretches.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "engine/core/ordered_bits.h"
#include "engine/core/parallel_for.h"
#include "engine/grid/sort_by_key.h"

namespace clusterloom {
namespace {

// Stretches of one thread: a table with one entry a hash, so that equal and close values meet in
// their entry and dense clouds leave few stretches. A value that does not fit its entry's stretch
// replaces it; the old one goes to the list.
class StretchTable {
 public:
  StretchTable(double length, std::size_t values)
      : length_(length),
        log2Entries_(std::clamp(int(std::bit_width(values)), 1, kMostLog2Entries)),
        table_(std::size_t{1} << log2Entries_) {}

  void add(double x) {
    const double key = std::floor(x / length_);
    const std::uint64_t hash = std::bit_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ULL;
    Stretch& entry = table_[hash >> (64 - log2Entries_)];
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
  static constexpr int kMostLog2Entries = 13;
  double length_;
  int log2Entries_;
  std::vector<Stretch> table_;
  std::vector<Stretch> list_;
};

}  // namespace

Result<std::vector<Stretch>> stretchesOf(const Coordinates& values, double length,
                                         const Task& task) {
  tbb::enumerable_thread_specific<StretchTable> tables(
      [&] { return StretchTable(length, values.size()); });
  parallelForBlocks(values.size(), 16384, task, [&](std::size_t begin, std::size_t end) {
    StretchTable& table = tables.local();
    withValues(values, [&](const auto& x) {
      for (std::size_t p = begin; p < end; ++p) table.add(x[p]);
    });
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

Result<void> Stretches::find(const std::vector<int>& dims) {
  std::vector<int> unknown;
  std::copy_if(dims.begin(), dims.end(), std::back_inserter(unknown),
               [&](int dim) { return known_.count(dim) == 0; });
  if (unknown.empty()) return {};
  auto found = find_(unknown);
  if (!found) return tl::unexpected(found.error());
  for (std::size_t i = 0; i < unknown.size(); ++i)
    known_.emplace(unknown[i], std::move((*found)[i]));
  return {};
}

Stretches stretchesOf(const PointCloud& cloud, double eps, const Task& task) {
  return Stretches([&cloud, &task, eps](
                       const std::vector<int>& dims) -> Result<std::vector<std::vector<Stretch>>> {
    std::vector<std::vector<Stretch>> all;
    for (const int dim : dims) {
      auto found = stretchesOf(cloud.columns[std::size_t(dim)], stretchLength(eps), task);
      if (!found) return tl::unexpected(found.error());
      all.push_back(std::move(*found));
    }
    return all;
  });
}

}  // namespace clusterloom
