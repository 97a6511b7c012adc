#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/io/dataset_builder.h"
#include "engine/io/input_stream.h"
#include "engine/io/records.h"

namespace clusterloom {

/// One value, or one list with its length before it, in the lines of an ascii PLY or PCD file.
struct AsciiField {
  static constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();
  std::size_t column = kNoColumn;  ///< the builder's column; kNoColumn: skipped
  bool list = false;
  /// An integer of 32 bits that may be written as the float with the same bits, as PCL's colours.
  bool packedColour = false;
};

/// Reads `rows` lines of numbers; `firstLine` is the number of the first of them. BadInput, naming
/// line and column, for a word or what is no value of the column's type, a line with another number
/// of values, or a file that ends early.
struct AsciiLayout {
  std::vector<AsciiField> fields;
  std::uint64_t firstLine = 1;
};
Result<void> readAsciiRows(InputStream& in, const AsciiLayout& layout, std::uint64_t rows,
                           DatasetBuilder& builder);

/// Skips `count` lines that are not blank; `line` is advanced. BadInput when the file ends
/// early.
Result<void> skipAsciiRows(InputStream& in, std::uint64_t count, std::uint64_t& line);

/// BadInput when the rest of the file is too short for `rows` lines of `values` values.
Result<void> checkAsciiRowsFit(const InputStream& in, std::uint64_t rows, std::uint64_t values);

}  // namespace clusterloom
