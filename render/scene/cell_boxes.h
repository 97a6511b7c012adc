#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace clusterloom {

/// Cells of the grid as the overlay draws them: boxes on the displayed axes, plain data in the
/// units of the cloud that is shown. Cells that are not indexed in a displayed dimension reach over
/// the cloud's whole range there. All vectors are one per cell (low and high hold one vector an
/// axis).
struct CellBoxes {
  int axes = 2;                             ///< 1 to 3 axes, the display's
  std::array<std::vector<double>, 3> low;   ///< lower corner on each axis
  std::array<std::vector<double>, 3> high;  ///< upper corner
  std::vector<std::uint64_t> count;         ///< points in the cell
  std::vector<std::uint64_t> workload;      ///< candidates of each of its points
  std::vector<std::uint64_t> linearId;
  std::vector<std::uint32_t> adjacent;  ///< non-empty adjacent cells, itself included

  std::size_t size() const { return count.size(); }
};

/// The meaning of the colour of a cell.
enum class CellColour { Count, Workload };

/// The cell that holds a place (values on the displayed axes, unshifted); the one with most points
/// when several do (cells of un-displayed indexed dimensions overlap). Lower edges belong to a
/// cell, upper edges to the next. nullopt outside all.
std::optional<std::size_t> cellAt(const CellBoxes& cells, const std::array<double, 3>& place);

/// The indices of the n heaviest cells by count or workload (ties: lower index first), ascending.
std::vector<std::size_t> heaviestCells(const CellBoxes& cells, CellColour by, std::size_t n);

}  // namespace clusterloom
