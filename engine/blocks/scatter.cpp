#include "engine/blocks/scatter.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "engine/core/chunks.h"

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

SpaceDivision cutIntoCells(std::vector<std::vector<double>> sample, double eps, int blocks) {
  if (sample.empty() || sample.front().empty()) return {};
  for (auto& column : sample) std::sort(column.begin(), column.end());
  std::vector<double> extents;
  return cutCells(sample, haloWidth(eps), blocks, extents);
}

std::vector<BlockSize> divide(SpaceDivision& cells, const std::vector<std::uint64_t>& histogram,
                              int blocks) {
  std::vector<BlockSize> sizes(static_cast<std::size_t>(blocks));
  if (cells.dims.empty()) {
    cells.owner = {0};
    sizes[0].own = histogram[0];
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
    if (own == SpaceDivision::kNobody) continue;
    sizes[std::size_t(own)].own += histogram[cell];
    near.clear();
    // Slices are wider than the halo, so only adjacent cells can hold it.
    visitAround(cells, cell, [&](std::size_t around) {
      const int owner = cells.owner[around];
      if (owner == own || owner == SpaceDivision::kNobody) return;
      if (std::find(near.begin(), near.end(), owner) == near.end()) near.push_back(owner);
    });
    for (const int owner : near) sizes[std::size_t(owner)].mostHalo += histogram[cell];
  }
  return sizes;
}

Scatter::Scatter(const SpaceDivision& division, double eps)
    : division_(division),
      squaredHalo_(haloWidth(eps) * haloWidth(eps)),
      inner_(NearOwners::innerCells(division)) {}

std::vector<BlockEntry> Scatter::operator()(const PointCloud& part, const Task& task) const {
  const std::size_t chunks = (part.size() + kPointsAtOnce - 1) / kPointsAtOnce;
  std::vector<std::vector<BlockEntry>> found(chunks);
  tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t chunk) {
    if (task.cancelled()) return;
    const std::size_t begin = chunk * kPointsAtOnce;
    std::vector<std::uint32_t> cells(std::min(kPointsAtOnce, part.size() - begin));
    division_.cellsOf(part, begin, cells);
    NearOwners near(division_, squaredHalo_, kNoOwner);
    std::vector<BlockEntry>& entries = found[chunk];
    entries.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto point = std::uint32_t(begin + i);
      const int own = division_.owner[cells[i]];
      const std::size_t place = entries.size();
      entries.push_back({point, std::uint16_t(own), Place::Inner});
      if (inner_[cells[i]]) continue;
      for (const int block : near.of(part, begin + i)) {
        if (block == own) continue;
        entries[place].place = Place::Border;
        entries.push_back({point, std::uint16_t(block), Place::Halo});
      }
    }
  });
  return joined(std::move(found));
}

}  // namespace clusterloom
