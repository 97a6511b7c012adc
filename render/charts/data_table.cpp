#include "render/charts/data_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

std::string quotedCell(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + "\"";
}

std::string withoutTabs(std::string cell) {
  std::replace_if(
      cell.begin(), cell.end(), [](char c) { return c == '\t' || c == '\r' || c == '\n'; }, ' ');
  return cell;
}

template <class CellText>
std::string lines(const DataTable& table, char separator, const char* end, CellText cellText) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) text += separator;
      text += cellText(cells[i]);
    }
    text += end;
  };
  add(table.names);
  for (const std::vector<std::string>& row : table.rows) add(row);
  return text;
}

}  // namespace

std::vector<ColumnRange> rangesOf(const DataTable& table) {
  std::vector<ColumnRange> ranges;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    ColumnRange range{table.names[c], std::numeric_limits<double>::infinity(),
                      -std::numeric_limits<double>::infinity()};
    bool numbers = false;
    bool words = false;
    for (const auto& row : table.rows) {
      if (c >= row.size() || row[c].empty()) continue;
      double value = 0;
      const char* end = row[c].data() + row[c].size();
      const auto read = std::from_chars(row[c].data(), end, value);
      words = words || read.ec != std::errc() || read.ptr != end;
      if (words) break;
      if (std::isnan(value)) continue;
      numbers = true;
      range.least = std::min(range.least, value);
      range.most = std::max(range.most, value);
    }
    if (numbers && !words) ranges.push_back(std::move(range));
  }
  return ranges;
}

std::string exactNumber(double value) { return roundTripText(value); }

std::string exactNumber(std::uint64_t value) { return std::to_string(value); }

std::string exactMilliseconds(double seconds) { return exactNumber(1000 * seconds); }

std::string toCsv(const DataTable& table) { return lines(table, ',', "\r\n", quotedCell); }

std::string toTabs(const DataTable& table) { return lines(table, '\t', "\n", withoutTabs); }

}  // namespace clusterloom
