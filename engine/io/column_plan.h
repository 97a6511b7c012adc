#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/read.h"

namespace clusterloom {

/// The most columns a file may have: bounds what a wrong header can allocate.
inline constexpr std::size_t kMaxColumns = 65536;

/// The longest text that is read from HDF5 and FITS: columns with longer ones are those of damaged
/// files.
inline constexpr std::size_t kMaxTextBytes = std::size_t{64} << 10;

/// The use of one column of the file.
struct ColumnUse {
  enum class Kind { Coordinate, Attribute, Ignored };
  Kind kind = Kind::Ignored;
  std::size_t index = 0;  ///< which coordinate or which attribute
};

/// The use of every column of the file.
struct ColumnPlan {
  std::vector<ColumnUse> uses;           ///< one per column of the file
  std::vector<std::size_t> coordinates;  ///< the file's column of each coordinate, in order
  std::vector<std::size_t> attributes;   ///< the file's column of each attribute, in order
  bool guessed = false;                  ///< no coordinates were named
};

/// The word for which ReadOptions::coordinates and keep take this column: its number from 0, or its
/// name where a column is called like that number.
std::string columnWord(const std::vector<PreviewColumn>& columns, std::size_t column);
/// Those of all columns, of which there may be tens of thousands.
std::vector<std::string> columnWords(const std::vector<PreviewColumn>& columns);

/// Decides which columns are coordinates and which are kept. `defaults` are the coordinates when
/// the options name none. BadCall for a name or number that does not exist, is ambiguous, is named
/// twice, or is a coordinate of text; BadInput when there is no coordinate at all or there are more
/// than kMaxDims.
Result<ColumnPlan> planColumns(const std::string& file, const std::vector<PreviewColumn>& columns,
                               const std::vector<std::size_t>& defaults,
                               const ReadOptions& options);

/// A column of numbers in its own type.
PreviewColumn numberColumn(std::string name, Scalar type, std::string unit = "");

/// "x", "y", "z" for up to three columns without names, "x0", "x1", … for more.
std::string defaultColumnName(std::size_t column, std::size_t columns);

/// `column 1 ("y")`: the number is 0-based, as the options take it.
std::string columnText(std::size_t column, const std::string& name);

}  // namespace clusterloom
