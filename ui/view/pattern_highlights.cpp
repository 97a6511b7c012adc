#include "ui/view/pattern_highlights.h"

#include <algorithm>

namespace clusterloom {

namespace {

AccessPattern patternOf(PatternArrows arrows) {
  switch (arrows) {
    case PatternArrows::Unicomp: return AccessPattern::Unicomp;
    case PatternArrows::LidUnicomp: return AccessPattern::LidUnicomp;
    case PatternArrows::None:
    case PatternArrows::Full: break;
  }
  return AccessPattern::Full;
}

/// Some cells of a grid, by their places, as boxes.
CellBoxes boxesOf(const GridCells& cells, const std::vector<std::uint32_t>& places,
                  const DisplaySpace& space) {
  GridCells some;
  some.dims = cells.dims;
  some.geometry = cells.geometry;
  const std::size_t k = cells.dims.size();
  for (const std::uint32_t place : places) {
    some.linearIds.push_back(cells.linearIds[place]);
    some.points.push_back(cells.points[place]);
    const auto at = std::ptrdiff_t(place * k);
    some.low.insert(some.low.end(), cells.low.begin() + at,
                    cells.low.begin() + at + std::ptrdiff_t(k));
    some.high.insert(some.high.end(), cells.high.begin() + at,
                     cells.high.begin() + at + std::ptrdiff_t(k));
  }
  return cellBoxesOf(some, space);
}

}  // namespace

std::shared_ptr<const CellHighlights> patternHighlights(const WalkedCells& walked,
                                                        PatternArrows arrows, std::uint32_t cell,
                                                        const DisplaySpace& space) {
  if (arrows == PatternArrows::None || space.kind != ViewAxes::Kind::Dimensions ||
      cell >= walked.cells->size())
    return nullptr;
  const AccessPattern pattern = patternOf(arrows);
  const std::vector<std::uint32_t> compared = walked.walk.comparedWith(cell, pattern);
  std::vector<std::uint32_t> places{cell};
  places.insert(places.end(), compared.begin(), compared.end());
  if (walked.cells->dims.size() <= 2) {
    const auto addAround = [&](std::uint32_t centre) {
      for (const std::uint32_t other : walked.walk.adjacentTo(centre))
        if (std::find(places.begin(), places.end(), other) == places.end()) places.push_back(other);
    };
    addAround(cell);
    for (std::size_t near = places.size(); near-- > 1;) addAround(places[near]);
  }

  auto highlights = std::make_shared<CellHighlights>();
  highlights->cells = boxesOf(*walked.cells, places, space);
  highlights->own = 1;
  // In space numbers in many cells would hide one another.
  const std::size_t numbered = walked.cells->dims.size() <= 2 ? places.size() : 1;
  for (std::size_t i = 0; i < numbered; ++i)
    highlights->numbers.push_back(
        static_cast<std::uint32_t>(walked.walk.comparedWith(places[i], pattern).size()));
  for (std::uint32_t i = 0; i < compared.size(); ++i) highlights->arrows.emplace_back(0, i + 1);
  return highlights;
}

}  // namespace clusterloom
