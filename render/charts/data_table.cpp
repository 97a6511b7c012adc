#include "render/charts/data_table.h"

#include <algorithm>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

std::string quoted(const std::string& cell) {
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

std::string exactNumber(double value) { return roundTripText(value); }

std::string exactNumber(std::uint64_t value) { return std::to_string(value); }

std::string exactMilliseconds(double seconds) { return exactNumber(1000 * seconds); }

std::string toCsv(const DataTable& table) { return lines(table, ',', "\r\n", quoted); }

std::string toTabs(const DataTable& table) { return lines(table, '\t', "\n", withoutTabs); }

}  // namespace clusterloom
