#include "engine/blocks/scatter.h"

#include <algorithm>
#include <utility>

#include "engine/core/chunks.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPointsAtOnce = 16384;
constexpr int kNoOwner = SpaceDivision::kNobody - 1;

// Calls visit(cell) for a cell and the cells around it.
template <class Visit>
void visitAround(const SpaceDivision& cells, std::size_t cell, const Visit& visit,
                 std::size_t cut = 0) {
  if (cut == cells.dims.size()) {
    visit(cell);
    return;
  }
  const std::size_t slices = cells.slices(cut);
  const std::size_t slice = cell / cells.stride[cut] % slices;
  if (slice > 0) visitAround(cells, cell - cells.stride[cut], visit, cut + 1);
  visitAround(cells, cell, visit, cut + 1);
  if (slice + 1 < slices) visitAround(cells, cell + cells.stride[cut], visit, cut + 1);
}

}  // namespace

double haloWidth(double eps) { return 2 * eps * (1 + 0x1p-30); }

SpaceDivision cutIntoCells(std::vector<Coordinates> sample, double eps, int blocks) {
  if (sample.empty() || sample.front().empty()) return {};
  std::vector<std::vector<double>> columns;
  for (Coordinates& column : sample) {
    columns.push_back(std::move(column.own()));
    std::sort(columns.back().begin(), columns.back().end());
  }
  std::vector<double> extents;
  return cutCells(columns, haloWidth(eps), blocks, extents);
}

std::vector<BlockSize> divide(SpaceDivision& cells, const std::vector<std::uint64_t>& histogram,
                              int blocks, const std::vector<std::uint64_t>& images) {
  std::vector<BlockSize> sizes(static_cast<std::size_t>(blocks));
  if (cells.dims.empty()) {
    cells.owner = {0};
    sizes[0].own = histogram[0];
    if (!images.empty()) sizes[0].mostHalo = images[0];
    return sizes;
  }
  // A curve through as many slices as the cells have.
  int bits = 0;
  for (std::size_t i = 0; i < cells.dims.size(); ++i)
    while ((std::size_t{1} << bits) < cells.slices(i)) ++bits;
  bits = std::max(bits, 1);
  cells.owner =
      dealCells(cells, std::vector<double>(histogram.begin(), histogram.end()), bits, blocks);
  std::vector<int> near;
  for (std::size_t cell = 0; cell < histogram.size(); ++cell) {
    const int own = cells.owner[cell];
    const std::uint64_t imagesHere = images.empty() ? 0 : images[cell];
    if (own == SpaceDivision::kNobody && imagesHere == 0) continue;
    near.clear();
    // Slices are wider than the halo, so only adjacent cells can hold it.
    visitAround(cells, cell, [&](std::size_t around) {
      const int owner = cells.owner[around];
      if (owner == own || owner == SpaceDivision::kNobody) return;
      if (std::find(near.begin(), near.end(), owner) == near.end()) near.push_back(owner);
    });
    for (const int owner : near) sizes[std::size_t(owner)].mostHalo += histogram[cell] + imagesHere;
    if (own == SpaceDivision::kNobody) continue;
    sizes[std::size_t(own)].own += histogram[cell];
    sizes[std::size_t(own)].mostHalo += imagesHere;
  }
  return sizes;
}

Scatter::Scatter(const SpaceDivision& division, double eps, Metric metric)
    : division_(division),
      squaredHalo_(haloWidth(eps) * haloWidth(eps)),
      metric_(metric),
      inner_(NearOwners::innerCells(division)) {}

std::vector<BlockEntry> Scatter::operator()(const PointCloud& part, const Task& task) const {
  return entries(part, 0, part.size(), Place::Inner, task);
}

std::vector<BlockEntry> Scatter::operator()(const CloudWithImages& part, const Task& task) const {
  const std::size_t points = part.cloud.size() - part.originals.size();
  std::vector<BlockEntry> own = entries(part.cloud, 0, points, Place::Inner, task);
  if (part.originals.empty()) return own;
  std::vector<BlockEntry> images =
      entries(part.cloud, points, part.cloud.size(), Place::Halo, task);
  const auto originalOf = [&](const BlockEntry& entry) {
    return entry.point < points ? entry.point : part.originals[entry.point - points];
  };
  std::ranges::stable_sort(images, {}, originalOf);
  std::vector<BlockEntry> all;
  all.reserve(own.size() + images.size());
  auto next = images.begin();
  for (auto entry = own.begin(); entry != own.end();) {
    const std::uint32_t point = entry->point;
    const std::size_t first = all.size();
    while (entry != own.end() && entry->point == point) all.push_back(*entry++);
    if (next == images.end() || originalOf(*next) != point) continue;
    all[first].place = Place::Border;
    while (next != images.end() && originalOf(*next) == point) all.push_back(*next++);
  }
  return all;
}

std::vector<BlockEntry> Scatter::entries(const PointCloud& part, std::size_t first,
                                         std::size_t last, Place inOwn, const Task& task) const {
  const std::size_t chunks = (last - first + kPointsAtOnce - 1) / kPointsAtOnce;
  std::vector<std::vector<BlockEntry>> found(chunks);
  parallelFor(chunks, 1, [&](std::size_t chunk) {
    if (task.cancelled()) return;
    const std::size_t begin = first + chunk * kPointsAtOnce;
    std::vector<std::uint32_t> cells(std::min(kPointsAtOnce, last - begin));
    division_.cellsOf(part, begin, cells);
    NearOwners near(division_, squaredHalo_, kNoOwner, metric_);
    std::vector<BlockEntry>& entries = found[chunk];
    entries.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto point = std::uint32_t(begin + i);
      const int own = division_.owner[cells[i]];
      const std::size_t place = entries.size();
      // An image may lie where no points are. A point there is one that was not counted, which its
      // block, beyond all others, tells the caller.
      if (own != SpaceDivision::kNobody || inOwn == Place::Inner)
        entries.push_back({point, std::uint16_t(own), inOwn});
      if (inner_[cells[i]]) continue;
      for (const int block : near.of(part, begin + i)) {
        if (block == own) continue;
        if (inOwn == Place::Inner) entries[place].place = Place::Border;
        entries.push_back({point, std::uint16_t(block), Place::Halo});
      }
    }
  });
  return joined(std::move(found));
}

}  // namespace clusterloom
