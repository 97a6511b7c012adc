#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace clusterloom {

/// Numbers as a table of text: one name per column, with its unit, and rows of cells.
struct DataTable {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
};

/// Makes a table from values of its own: a worker may call it.
using MakeTable = std::function<DataTable()>;

/// The text of a cell: all digits of the number, so that reading restores it.
std::string exactNumber(double value);
std::string exactNumber(std::uint64_t value);
/// A time in seconds, in milliseconds.
std::string exactMilliseconds(double seconds);

/// The least and greatest number of a column.
struct ColumnRange {
  std::string name;
  double least = 0;
  double most = 0;
};
/// The ranges of the columns that hold numbers only, empty cells apart. Infinite values count,
/// columns without any number are left out.
std::vector<ColumnRange> rangesOf(const DataTable& table);

/// The table as CSV (RFC 4180): commas, quotes where a cell needs them, lines end in CR LF.
std::string toCsv(const DataTable& table);
/// The table as text with tabs, which spreadsheets take from the clipboard.
std::string toTabs(const DataTable& table);

}  // namespace clusterloom
