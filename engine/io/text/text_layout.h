#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"
#include "engine/io/read.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {

/// A column that begins with numbers and is text, with the first cell that is no number.
struct TurnedColumn {
  std::size_t column = 0;
  std::uint64_t line = 0;
  std::string cell;
};

/// The layout of a text file, detected from its beginning.
struct TextLayout {
  TextDialect dialect;
  bool header = false;
  bool headerInDoubt = false;   ///< detected, and the first row may be the other
  std::uint64_t skipLines = 0;  ///< lines before the table
  std::size_t headRecords = 0;  ///< records before the first data row: names, units
  std::uint64_t firstLine = 1;  ///< line of the first record, header or data
  std::vector<PreviewColumn> columns;
  std::vector<std::size_t> coordinates;          ///< columns to take when the caller names none
  std::vector<std::vector<std::string>> sample;  ///< the first data rows, as text
  std::size_t sampleBytes = 0;                   ///< bytes the sample's data rows take
  bool sampleIsAll = false;                      ///< there are no more rows in the file
  /// The first column that would hold numbers if the comma were the decimal sign but does not as
  /// the file is read, and a cell of it.
  std::optional<std::size_t> commaColumn;
  std::string commaExample;
  /// The first column of text whose cells are numbers with a sign such as % or €, or in base 16,
  /// and a cell of it.
  std::optional<std::size_t> signColumn;
  std::string signExample;
  /// A cell of the first column of numbers with zeros before them, such as "007", which may be
  /// codes: as an attribute it is text, and it is a coordinate only where it is chosen.
  std::string paddedExample;
  /// A number with a sign between its thousands, where it was detected, or where it may be one and
  /// is read as decimal sign or text: `perhapsThousands`.
  std::string thousandsExample;
  TextOptions::Thousands perhapsThousands = TextOptions::Thousands::None;
  std::vector<TurnedColumn> turned;
};

/// Reads the beginning of a text (the stream is at its start; no more is consumed than skipPreamble
/// does) and detects what the options leave open: the lines before the table; the delimiter that
/// splits the rows into equal numbers of cells, mostly numbers; the decimal sign
/// (TextOptions::DecimalSign) and that between thousands (thousands.h); whether the first row names
/// the columns (header_row.h), and whether a row of units follows; which columns hold
/// numbers. The whole sample decides, not one row. First columns that count the rows are no
/// coordinates (leaveOutRowNumbers), nor are those of numbers with zeros before them; of a table
/// with names guessCoordinates decides. BadInput for the lines of an OBJ file, UTF-16, old Mac line
/// ends, a file whose first 16 MiB hold no row, more than kMaxColumns columns, and quotes left
/// open.
Result<TextLayout> detectTextLayout(InputStream& in, const ReadOptions& options,
                                    std::size_t sampleRows);

/// Skips a UTF-8 byte order mark and this number of lines.
Result<void> skipPreamble(InputStream& in, std::uint64_t lines);

}  // namespace clusterloom
