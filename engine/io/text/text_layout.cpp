#include "engine/io/text/text_layout.h"

#include <algorithm>
#include <array>
#include <map>

#include "engine/core/lower_case.h"
#include "engine/core/number_text.h"
#include "engine/io/column_plan.h"
#include "engine/io/guess_coordinates.h"
#include "engine/io/numbers.h"
#include "engine/io/read_words.h"
#include "engine/io/text/header_row.h"
#include "engine/io/text/text_preamble.h"
#include "engine/io/text/text_suspects.h"
#include "engine/io/text/thousands.h"

namespace clusterloom {
namespace {

// Enough rows to detect a delimiter and a type. The reader checks the rows after them.
constexpr std::size_t kDetectRows = 200;
constexpr std::size_t kDetectBytes = std::size_t{256} << 10;
// Blank lines and comments searched for the first rows.
constexpr std::size_t kMostWithoutRows = std::size_t{16} << 20;

/// The first data records as they stand, without line ends.
struct RawRows {
  std::vector<std::string> rows;
  std::vector<std::uint64_t> lines;      // of the rows, counted from 1
  std::size_t bytes = 0;                 // of the file, from its start to the end of the last row
  std::vector<std::size_t> recordBytes;  // of the rows
  std::uint64_t firstLine = 1;
  bool all = false;
  bool tooManyColumns = false;  // the next row has more than kMaxColumns
};

tl::unexpected<Error> tooManyColumns(const std::string& file, std::uint64_t line,
                                     const std::string& found) {
  return badInput(file + ": line " + std::to_string(line) + " has " + found + " columns; at most " +
                  std::to_string(kMaxColumns) + " are possible. Check the delimiter.");
}

std::string moreThanMost() { return "more than " + std::to_string(kMaxColumns); }

/// Whether a line, or the start of one, has more delimiters than there may be columns. Lines with
/// quotes are left to the full search, since a quoted cell may hold delimiters.
bool hasTooManyDelimiters(const char* begin, const char* end, char delimiter) {
  if (end - begin <= std::ptrdiff_t(kMaxColumns) || delimiter == ' ') return false;
  return std::find(begin, end, '"') == end &&
         std::count(begin, end, delimiter) >= std::ptrdiff_t(kMaxColumns);
}

Result<RawRows> rawRows(InputStream& in, const TextDialect& dialect, std::size_t most) {
  RawRows raw;
  std::size_t at = 0;  // offset from the stream's begin
  std::uint64_t line = 1;
  while (raw.rows.size() < most && (raw.rows.size() < 2 || at < kDetectBytes)) {
    const bool endSeen = in.sawEnd();
    const bool padded = endSeen && in.available() > 0 && in.end()[-1] != '\n';
    if (padded) *in.end() = '\n';
    const char* const begin = in.begin() + at;
    const char* const end = in.end() + (padded ? 1 : 0);
    const TextRecord record = begin < end ? findRecord(begin, end, dialect) : TextRecord{};
    if (record.kind != TextRecord::Kind::Nothing &&
        hasTooManyDelimiters(begin, record.end != nullptr ? record.end : end, dialect.delimiter)) {
      raw.tooManyColumns = true;
      raw.firstLine = line;
      break;
    }
    if (record.kind == TextRecord::Kind::Incomplete) {
      if (begin == end && endSeen) {
        raw.all = true;
        break;
      }
      if (endSeen || std::size_t(end - begin) > kMaxRecord) {
        // Without an open quote, the rest of a file is always a record.
        if (std::find(begin, end, '"') == end)
          return badInput(in.name() + ": line " + std::to_string(line) +
                          " is longer than 16 MiB, so this is not a text table. Check the "
                          "file.");
        return badInput(in.name() + ": line " + std::to_string(line) +
                        ": a quote (\") is opened and never closed. Close it, or "
                        "remove it.");
      }
      // Twice as much each time: the search for the end of a long record starts again.
      if (const auto more = in.fill(std::min(2 * in.available(), at + kMaxRecord) + 1); !more)
        return tl::unexpected(more.error());
      continue;
    }
    if (raw.rows.size() < 2 && at > kMostWithoutRows) break;
    if (record.kind == TextRecord::Kind::Data) {
      raw.rows.emplace_back(withoutLineEnd(begin, record.end));
      raw.lines.push_back(line);
      raw.recordBytes.push_back(std::size_t(record.end - begin));
      if (raw.rows.size() == 1) raw.firstLine = line;
    }
    line += record.lines;
    at = std::size_t(record.end - in.begin());
    raw.bytes = at;
  }
  return raw;
}

using Cells = TextTable::value_type;

std::vector<Cells> split(const std::vector<std::string>& rows, const TextDialect& dialect) {
  std::vector<Cells> table;
  std::vector<TextCell> cells;
  std::string scratch;
  for (const std::string& row : rows) {
    splitRecord(row, dialect, cells, scratch);
    Cells& texts = table.emplace_back();
    for (const TextCell& cell : cells) texts.emplace_back(cell.text);
  }
  return table;
}

/// Whether this sign may stand between thousands, as far as is known.
bool mayGroup(const TextDialect& dialect, Thousands sign) {
  return dialect.thousands == Thousands::Auto || dialect.thousands == sign;
}

/// Whether cells with blanks may be numbers while the delimiter is sought. Not between commas,
/// unless the sign is chosen: the blank of "100,5 200,5" separates two numbers with decimal commas.
bool mayHaveBlanks(const TextDialect& dialect) {
  return dialect.thousands == Thousands::Blank ||
         (dialect.thousands == Thousands::Auto && dialect.delimiter != ',');
}

bool hasDecimalPoint(const std::string& cell) {
  return cell.find('.') != std::string::npos && parseCell(cell).kind == CellKind::Number;
}

bool isNumeric(const std::string& cell, const TextDialect& dialect) {
  // In a table of "1,5" separated by semicolons or tabs the comma must not win as the delimiter.
  if (parseCell(cell, dialect.decimalComma).kind == CellKind::Number ||
      (dialect.delimiter != ',' && hasDecimalComma(cell)))
    return true;
  constexpr std::array signs{Thousands::Comma, Thousands::Point};
  return (mayHaveBlanks(dialect) && groupedNumber(cell, Thousands::Blank)) ||
         std::any_of(signs.begin(), signs.end(), [&](Thousands sign) {
           return mayGroup(dialect, sign) && groupedNumber(cell, sign);
         });
}

/// The comma is the decimal sign where the delimiter is another character, a cell of the sample is
/// a number with a comma and none is one with a point. "1,234" counts as a number with a comma.
bool commaIsDecimal(const std::vector<Cells>& sample, char delimiter) {
  if (delimiter == ',') return false;
  bool comma = false;
  for (const Cells& row : sample)
    for (const std::string& cell : row) {
      if (hasDecimalPoint(cell)) return false;
      comma = comma || hasDecimalComma(cell);
    }
  return comma;
}

/// Takes the signs between thousands out of the cells.
void dropThousands(std::vector<Cells>& sample, Thousands sign) {
  std::string digits;
  for (Cells& row : sample)
    for (std::string& cell : row) {
      const std::string_view plain = withoutThousands(cell, sign, digits);
      if (plain.size() != cell.size()) cell = std::string(plain);
    }
}

/// Decides which signs between digits separate thousands, and takes them out of the sample. Returns
/// the original sample, where signs are taken out of it.
std::vector<Cells> settleThousands(TextLayout& layout, const TextOptions& options) {
  TextDialect& dialect = layout.dialect;
  if (dialect.thousands == Thousands::Auto) {
    const ThousandsFound found =
        findThousands(layout.sample, dialect.delimiter, options.decimalSign);
    dialect.thousands = found.sign;
    layout.thousandsExample = found.example;
    layout.perhapsThousands = found.perhaps;
  }
  if (dialect.thousands == Thousands::None) return {};
  std::vector<Cells> asWritten = layout.sample;
  if (dialect.thousands == Thousands::Point) dialect.decimalComma = true;
  dropThousands(layout.sample, dialect.thousands);
  return asWritten;
}

/// BadCall where a sign is chosen for two things.
Result<void> checkSigns(const std::string& file, const TextOptions& options) {
  const bool comma = options.decimalSign == TextOptions::DecimalSign::Comma;
  const bool point = options.decimalSign == TextOptions::DecimalSign::Point;
  if ((comma || options.thousands == Thousands::Point) && options.delimiter == ',')
    return badCall(file +
                   ": the comma cannot be both the delimiter and the decimal sign. Choose another "
                   "delimiter.");
  if ((comma && options.thousands == Thousands::Comma) ||
      (point && options.thousands == Thousands::Point))
    return badCall(file + ": the " + toText(options.thousands) +
                   " cannot be both the decimal sign and the thousands separator. Choose another "
                   "one.");
  return {};
}

/// How well a delimiter fits the rows: the share of rows with the commonest number of cells,
/// weighted by how many cells are numbers. 0 when it never occurs.
struct Fit {
  double score = 0;
  std::size_t columns = 1;
  bool blanks = false;  ///< in cells, between thousands
};

Fit fitOf(const std::vector<std::string>& rows, const TextDialect& dialect) {
  Fit fit;
  std::map<std::size_t, std::size_t> widths;
  std::size_t cells = 0;
  std::size_t numbers = 0;
  for (const Cells& row : split(rows, dialect)) {
    ++widths[row.size()];
    cells += row.size();
    for (const std::string& cell : row) {
      numbers += isNumeric(cell, dialect);
      fit.blanks = fit.blanks ||
                   (mayHaveBlanks(dialect) && groupedNumber(cell, Thousands::Blank).has_value());
    }
  }
  std::size_t most = 0;
  for (const auto& [width, count] : widths)
    if (count >= most) {
      most = count;
      fit.columns = width;
    }
  if (fit.columns < 2) return fit;
  fit.score = double(most) / double(rows.size()) * (0.25 + double(numbers) / double(cells));
  return fit;
}

/// The delimiter with the best fit. Equal fits: the one that gives more columns, then tab before
/// semicolon before comma before bar before blanks.
Result<char> detectDelimiter(InputStream& in, TextDialect dialect) {
  char best = ',';
  if (dialect.decimalComma) best = ';';
  Fit bestFit;
  std::optional<Error> error;
  std::optional<Error> tooMany;
  bool any = false;
  for (const char delimiter : {'\t', ';', ',', '|', ' '}) {
    if (delimiter == ',' && dialect.decimalComma) continue;
    if (delimiter == '|' && in.view().find('|') == std::string_view::npos) continue;
    dialect.delimiter = delimiter;
    const auto raw = rawRows(in, dialect, kDetectRows);
    if (!raw) {
      // Where a quote opens depends on the delimiter: a wrong one may see one that never closes.
      if (raw.error().kind != ErrorKind::BadInput) return tl::unexpected(raw.error());
      error = raw.error();
      continue;
    }
    any = true;
    if (raw->tooManyColumns && !tooMany)
      tooMany = tooManyColumns(in.name(), raw->firstLine, moreThanMost()).value();
    if (raw->tooManyColumns || raw->rows.empty()) continue;
    const Fit fit = fitOf(raw->rows, dialect);
    // Blanks between thousands make equal numbers of cells, too.
    const bool more = fit.columns > bestFit.columns && !(delimiter == ' ' && bestFit.blanks);
    if (fit.score > bestFit.score + 1e-9 || (fit.score > bestFit.score - 1e-9 && more)) {
      bestFit = fit;
      best = delimiter;
    }
  }
  if (!any && error) return tl::unexpected(*error);
  if (bestFit.score == 0 && tooMany) return tl::unexpected(*tooMany);
  return best;
}

/// The first `most` rows. Consumes the lines before the table where they are to be detected, and
/// detects the delimiter.
Result<RawRows> findTable(InputStream& in, const TextOptions& options, TextLayout& layout,
                          std::size_t most) {
  const bool detect = options.skipLines == kDetectLines;
  const auto skip = [&](std::uint64_t lines) {
    layout.skipLines += lines;
    return skipPreamble(in, lines);
  };
  const std::string_view firstLine = in.view().substr(0, in.view().find('\n'));
  if (const char named = namedDelimiter(firstLine); detect && named != '\0') {
    if (layout.dialect.delimiter == '\0') layout.dialect.delimiter = named;
    if (const auto skipped = skip(1); !skipped) return tl::unexpected(skipped.error());
  }
  if (layout.dialect.delimiter == '\0') {
    const auto delimiter = detectDelimiter(in, layout.dialect);
    if (!delimiter) return tl::unexpected(delimiter.error());
    layout.dialect.delimiter = *delimiter;
  }
  auto raw = rawRows(in, layout.dialect, most);
  if (!detect || !raw || raw->tooManyColumns) return raw;
  TextTable rows = split(raw->rows, layout.dialect);
  for (const Thousands sign :
       {Thousands::Comma, Thousands::Point, Thousands::Blank, Thousands::Apostrophe})
    if (mayGroup(layout.dialect, sign)) dropThousands(rows, sign);
  const std::size_t before = rowsBeforeTable(rows, lowerCase(in.name()).ends_with(".xyz"));
  if (before == 0) return raw;
  if (const auto skipped = skip(raw->lines[before] - 1); !skipped)
    return tl::unexpected(skipped.error());
  return rawRows(in, layout.dialect, most);
}

/// A cell of a column of the sample with zeros before its digits; empty where there is none.
std::string paddedCell(const std::vector<Cells>& sample, std::size_t column) {
  for (const Cells& row : sample)
    if (column < row.size() && isZeroPadded(trimmed(row[column]))) return row[column];
  return {};
}

/// The type that holds all numbers of a column of the sample as they are written.
Scalar sampledType(const std::vector<Cells>& sample, std::size_t column) {
  bool negative = false;
  bool large = false;
  for (const Cells& row : sample) {
    if (column >= row.size()) continue;
    const std::string_view cell = trimmed(row[column]);
    std::int64_t number = 0;
    std::uint64_t wide = 0;
    if (readInteger(cell, number))
      negative = negative || number < 0;
    else if (readInteger(cell, wide))
      large = true;
    else
      return Scalar::Float64;
  }
  return !large ? Scalar::Int64 : negative ? Scalar::Float64 : Scalar::Uint64;
}

std::vector<PreviewColumn> columnsOf(const TextLayout& layout, const Cells* header,
                                     std::size_t width) {
  std::vector<PreviewColumn> columns(width);
  for (std::size_t c = 0; c < width; ++c) {
    std::size_t numbers = 0;
    std::size_t words = 0;
    for (const Cells& row : layout.sample) {
      if (c >= row.size()) continue;
      const CellKind kind = parseCell(row[c], layout.dialect.decimalComma).kind;
      numbers += kind == CellKind::Number;
      words += kind == CellKind::Word;
    }
    // A word among numbers is an error that the reader reports with its line; it does not silently
    // turn a coordinate into text.
    columns[c].numeric = numbers > 0 && numbers >= words;
    columns[c].valueless = numbers == 0 && words == 0;
    columns[c].type = columns[c].numeric ? "number" : "text";
    if (columns[c].numeric) columns[c].scalar = sampledType(layout.sample, c);
    if (header != nullptr && c < header->size()) columns[c].name = (*header)[c];
  }
  // An invented name is not a name of the file.
  const auto isTaken = [&](const std::string& name) {
    return std::any_of(columns.begin(), columns.end(),
                       [&](const PreviewColumn& column) { return column.name == name; });
  };
  for (std::size_t c = 0; c < width; ++c) {
    if (!columns[c].name.empty()) continue;
    std::string name = defaultColumnName(c, width);
    while (isTaken(name)) name = "column_" + name;
    columns[c].name = name;
  }
  return columns;
}

/// For each column whether its value is the same in all rows of the file; empty where the sample
/// is only a part of them, or too short to say.
std::vector<bool> constantColumns(const TextLayout& layout) {
  constexpr std::size_t kLeastRows = 3;
  if (!layout.sampleIsAll || layout.sample.size() < kLeastRows) return {};
  std::vector<bool> constant(layout.columns.size(), true);
  const Cells& first = layout.sample.front();
  for (const Cells& row : layout.sample)
    for (std::size_t c = 0; c < constant.size(); ++c)
      constant[c] = constant[c] && c < row.size() && c < first.size() && row[c] == first[c];
  return constant;
}

/// Columns without one value among the first rows are no coordinates, which is to be said: values
/// may follow. The last one without a name is what a delimiter at the ends of lines leaves.
void markEmptyColumns(TextLayout& layout, const Cells& header) {
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    const bool named = c < header.size() && !header[c].empty();
    if (!named && c + 1 == layout.columns.size()) continue;
    layout.columns[c].leftOut = layout.columns[c].leftOut || layout.columns[c].valueless;
  }
}

/// Names the columns of a .pts file, whose first three are coordinates.
void takePtsNames(TextLayout& layout, const std::vector<std::string>& names) {
  layout.coordinates.resize(3);
  for (std::size_t c = 0; c < names.size(); ++c) {
    layout.columns[c].name = names[c];
    layout.columns[c].leftOut = c >= 3;
  }
}

/// Names of the columns that our own exports add: results, not coordinates.
bool isOwnLabel(const std::vector<PreviewColumn>& columns, std::size_t c) {
  if (c + 1 >= columns.size()) return false;
  const PreviewColumn& next = columns[c + 1];
  return (columns[c].name == "label" && next.name == "role" && !next.numeric) ||
         (columns[c].name == "probability" && next.name == "label");
}

/// BadInput for texts of other encodings and line ends.
Result<void> checkEncoding(const std::string& file, std::string_view view) {
  if (view.starts_with("\xFF\xFE") || view.starts_with("\xFE\xFF"))
    return badInput(file +
                    ": is UTF-16 text. Save it as UTF-8, or convert it: iconv -f UTF-16 -t "
                    "UTF-8 OLD > NEW");
  if (view.find('\n') == std::string_view::npos && view.find('\r') + 1 < view.size() &&
      view.find('\r') != std::string_view::npos)
    return badInput(file +
                    ": line 1: the lines end with a bare carriage return (old Mac text). "
                    "Convert it: tr '\\r' '\\n' < OLD > NEW");
  return {};
}

}  // namespace

Result<void> skipPreamble(InputStream& in, std::uint64_t lines) {
  if (const auto filled = in.fill(3); !filled) return tl::unexpected(filled.error());
  if (in.view().starts_with("\xEF\xBB\xBF")) in.consume(3);
  while (lines > 0) {
    if (in.available() == 0) {
      const auto more = in.fillMore();
      if (!more) return tl::unexpected(more.error());
      if (!*more) return {};
    }
    const std::size_t newline = in.view().find('\n');
    in.consume(newline == std::string_view::npos ? in.available() : newline + 1);
    lines -= newline != std::string_view::npos;
  }
  return {};
}

Result<TextLayout> detectTextLayout(InputStream& in, const ReadOptions& options,
                                    std::size_t sampleRows) {
  const auto given = std::uint64_t(std::max<std::int64_t>(0, options.text.skipLines));
  if (const auto skipped = skipPreamble(in, given); !skipped)
    return tl::unexpected(skipped.error());
  if (const auto filled = in.fill(kDetectBytes); !filled) return tl::unexpected(filled.error());
  if (const auto fine = checkEncoding(in.name(), in.view()); !fine)
    return tl::unexpected(fine.error());

  TextLayout layout;
  layout.skipLines = given;
  layout.dialect = {options.text.delimiter, options.text.comment,
                    options.text.decimalSign == TextOptions::DecimalSign::Comma ||
                        options.text.thousands == Thousands::Point,
                    options.text.thousands};
  if (const auto signs = checkSigns(in.name(), options.text); !signs)
    return tl::unexpected(signs.error());
  const auto raw = findTable(in, options.text, layout, std::max(sampleRows, kDetectRows) + 1);
  if (!raw) return tl::unexpected(raw.error());
  if (raw->tooManyColumns) return tooManyColumns(in.name(), raw->firstLine, moreThanMost());
  if (raw->rows.empty() && given > 0)
    return badInput(in.name() + ": no row is left after the " + groupedText(given) +
                    " lines that are skipped. Skip fewer lines.");
  if (raw->rows.empty())
    return badInput(in.name() +
                    (raw->all ? ": it holds only blank lines and comments"
                              : ": its first 16 MiB hold only blank lines and comments") +
                    ". Check that it is the right file.");
  layout.sample = split(raw->rows, layout.dialect);
  if (isObj(layout.sample, layout.dialect))
    return badInput(in.name() + ": line " + std::to_string(raw->firstLine) +
                    ": these are lines of an OBJ file, of which faces would be read as points. "
                    "Take the vertices: grep '^v ' OLD | cut -d' ' -f2-4 > NEW");
  const std::vector<Cells> asWritten = settleThousands(layout, options.text);
  if (options.text.decimalSign == TextOptions::DecimalSign::Auto)
    layout.dialect.decimalComma = layout.dialect.thousands == Thousands::Point ||
                                  (layout.dialect.thousands != Thousands::Comma &&
                                   commaIsDecimal(layout.sample, layout.dialect.delimiter));
  layout.sampleIsAll = raw->all;
  layout.sampleBytes = raw->bytes;
  layout.firstLine = layout.skipLines + raw->firstLine;
  layout.header = options.text.header == TextOptions::Header::Yes;
  if (options.text.header == TextOptions::Header::Auto) {
    const FirstRow first = judgeFirstRow(
        layout.sample, quotesAboveNumbers(raw->rows, layout.dialect), layout.dialect.decimalComma);
    layout.header = first.names;
    layout.headerInDoubt = first.doubtful;
  }
  const std::size_t width = layout.sample.front().size();
  if (width > kMaxColumns) return tooManyColumns(in.name(), raw->firstLine, std::to_string(width));
  Cells header;
  if (layout.header) {
    header = asWritten.empty() ? std::move(layout.sample.front()) : asWritten.front();
    layout.sample.erase(layout.sample.begin());
    layout.headRecords = 1;
  }
  Cells units;
  if (layout.header && isRowOfUnits(layout.sample, layout.dialect.decimalComma)) {
    units = std::move(layout.sample.front());
    layout.sample.erase(layout.sample.begin());
    layout.headRecords = 2;
  }
  for (std::size_t r = 0; r < layout.headRecords; ++r) layout.sampleBytes -= raw->recordBytes[r];
  layout.columns = columnsOf(layout, layout.header ? &header : nullptr, width);
  for (std::size_t c = 0; c < std::min(units.size(), width); ++c) layout.columns[c].unit = units[c];
  for (std::size_t c = 0; c < width; ++c) {
    if (!layout.columns[c].numeric || isOwnLabel(layout.columns, c)) continue;
    const std::string padded = paddedCell(layout.sample, c);
    if (padded.empty()) {
      layout.coordinates.push_back(c);
      continue;
    }
    layout.columns[c].type = "text";
    if (layout.paddedExample.empty()) layout.paddedExample = padded;
  }
  const bool pts = !layout.header && lowerCase(in.name()).ends_with(".pts");
  if (const auto names = ptsNames(width);
      pts && layout.coordinates.size() == width && !names.empty())
    takePtsNames(layout, names);
  else
    leaveOutRowNumbers(layout, header);
  if (layout.header)
    layout.coordinates =
        guessCoordinates(layout.columns, layout.coordinates, constantColumns(layout));
  markEmptyColumns(layout, header);
  findCommaColumn(layout);
  findSignColumn(layout);
  std::vector<std::uint64_t> lines = raw->lines;
  for (std::uint64_t& line : lines) line += layout.skipLines;
  findTurned(layout, lines.data() + layout.headRecords);
  if (!asWritten.empty())
    layout.sample.assign(asWritten.begin() + std::ptrdiff_t(layout.headRecords), asWritten.end());
  return layout;
}

}  // namespace clusterloom
