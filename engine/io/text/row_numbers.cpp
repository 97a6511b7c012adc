#include "engine/io/text/text_suspects.h"

#include <algorithm>

#include "engine/io/column_plan.h"
#include "engine/io/guess_coordinates.h"

namespace clusterloom {
namespace {

// Fewer numbers may be in order by chance.
constexpr std::size_t kLeastCounted = 10;

/// Whether a column counts the rows, from 0 or 1.
bool countsRows(const TextLayout& layout, std::size_t column) {
  if (layout.sample.size() < 2 || column >= layout.sample.front().size()) return false;
  const std::string& first = layout.sample.front()[column];
  if (first != "0" && first != "1") return false;
  std::uint64_t row = first == "0" ? 0 : 1;
  return std::all_of(layout.sample.begin(), layout.sample.end(), [&](const auto& cells) {
    return column < cells.size() && cells[column] == std::to_string(row++);
  });
}

/// "" and "Unnamed: 0", which pandas makes of it when it reads its own file.
bool isUnnamed(const std::string& name) { return name.empty() || name.starts_with("Unnamed: "); }

bool hasName(const std::vector<PreviewColumn>& columns, const std::string& name) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const PreviewColumn& column) { return column.name == name; });
}

void nameIndex(std::vector<PreviewColumn>& columns, std::size_t column) {
  columns[column].name.clear();
  columns[column].name = !hasName(columns, "index") ? "index" : "row_index";
}

/// Whether the columns left have fractions, two of them at least.
bool restIsOfPoints(const TextLayout& layout, std::size_t left) {
  const auto begin = layout.coordinates.begin() + std::ptrdiff_t(left);
  return layout.coordinates.end() - begin >= 2 &&
         std::any_of(begin, layout.coordinates.end(),
                     [&](std::size_t c) { return layout.columns[c].scalar == Scalar::Float64; });
}

}  // namespace

void leaveOutRowNumbers(TextLayout& layout, const std::vector<std::string>& header) {
  std::vector<PreviewColumn>& columns = layout.columns;
  std::size_t left = 0;
  while (left + 1 < layout.coordinates.size() && layout.coordinates[left] == left &&
         countsRows(layout, left)) {
    const bool named = layout.header && left < header.size();
    if (named && isUnnamed(header[left])) {
      if (header[left].empty()) nameIndex(columns, left);
    } else if (layout.sample.size() < kLeastCounted || !restIsOfPoints(layout, left + 1) ||
               (layout.header && isAxisName(columns[left].name))) {
      break;
    }
    columns[left].leftOut = true;
    ++left;
    if (!layout.header) break;
  }
  layout.coordinates.erase(layout.coordinates.begin(),
                           layout.coordinates.begin() + std::ptrdiff_t(left));
  if (left == 0 || layout.header) return;
  // The names that are made up are those of the columns that remain.
  for (std::size_t c = left; c < columns.size(); ++c)
    columns[c].name = defaultColumnName(c - left, columns.size() - left);
  nameIndex(columns, 0);
}

}  // namespace clusterloom
