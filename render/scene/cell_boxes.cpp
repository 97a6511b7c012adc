#include "render/scene/cell_boxes.h"

#include <algorithm>
#include <numeric>

namespace clusterloom {

std::optional<std::size_t> cellAt(const CellBoxes& cells, const std::array<double, 3>& place) {
  std::optional<std::size_t> found;
  const auto axes = std::size_t(std::clamp(cells.axes, 0, 3));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    bool inside = true;
    for (std::size_t a = 0; a < axes && inside; ++a)
      inside = place[a] >= cells.low[a][c] && place[a] < cells.high[a][c];
    if (inside && (!found || cells.count[c] > cells.count[*found])) found = c;
  }
  return found;
}

std::vector<std::size_t> heaviestCells(const CellBoxes& cells, CellColour by, std::size_t n) {
  const std::vector<std::uint64_t>& weight = by == CellColour::Count ? cells.count : cells.workload;
  std::vector<std::size_t> chosen(cells.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (n < chosen.size()) {
    std::nth_element(chosen.begin(), chosen.begin() + std::ptrdiff_t(n), chosen.end(),
                     [&weight](std::size_t p, std::size_t q) {
                       return weight[p] != weight[q] ? weight[p] > weight[q] : p < q;
                     });
    chosen.resize(n);
    std::sort(chosen.begin(), chosen.end());
  }
  return chosen;
}

}  // namespace clusterloom
