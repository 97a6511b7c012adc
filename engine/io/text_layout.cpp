#include "engine/io/text_layout.h"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/io/column_plan.h"
#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

// Enough rows to detect a delimiter and a type; the reader checks the others.
constexpr std::size_t kDetectRows = 200;
constexpr std::size_t kDetectBytes = std::size_t{256} << 10;

/// The first data records as they stand, without line ends.
struct RawRows {
  std::vector<std::string> rows;
  std::size_t bytes = 0;  // of the file, from its start to the end of the last row
  std::size_t firstBytes = 0;
  std::uint64_t firstLine = 1;
  bool all = false;
};

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
    if (record.kind == TextRecord::Kind::Incomplete) {
      if (begin == end && endSeen) {
        raw.all = true;
        break;
      }
      if (endSeen || static_cast<std::size_t>(end - begin) > kMaxRecord) {
        // Only an open quote keeps the rest of a file from being a record.
        if (std::find(begin, end, '"') == end)
          return fail(ErrorKind::BadInput, in.name() + ": line " + std::to_string(line) +
                                               " is longer than 16 MiB, so this is no table of "
                                               "text. Check the file.");
        return fail(ErrorKind::BadInput,
                    in.name() + ": line " + std::to_string(line) +
                        ": a quote (\") is opened and never closed. Close it, or "
                        "remove it.");
      }
      if (const auto more = in.fillMore(); !more) return tl::unexpected(more.error());
      continue;
    }
    if (record.kind == TextRecord::Kind::Data) {
      raw.rows.emplace_back(withoutLineEnd(begin, record.end));
      if (raw.rows.size() == 1) {
        raw.firstBytes = static_cast<std::size_t>(record.end - begin);
        raw.firstLine = line;
      }
    }
    line += record.lines;
    at = static_cast<std::size_t>(record.end - in.begin());
    raw.bytes = at;
  }
  return raw;
}

using Cells = std::vector<std::string>;

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

bool isNumeric(const std::string& cell, const TextDialect& dialect) {
  // A semicolon or tab table of "1,5" is a table of numbers, though not the ones asked for: this
  // keeps its comma from being taken for the delimiter.
  return parseCell(cell, dialect.decimalComma).kind == CellKind::Number ||
         (dialect.delimiter != ',' && parseCell(cell, true).kind == CellKind::Number);
}

/// How well a delimiter explains the rows: the share of rows with the commonest number of cells,
/// weighted by how many cells are numbers. 0 when it never occurs.
struct Fit {
  double score = 0;
  std::size_t columns = 1;
};

Fit fitOf(const std::vector<std::string>& rows, const TextDialect& dialect) {
  std::map<std::size_t, std::size_t> widths;
  std::size_t cells = 0;
  std::size_t numbers = 0;
  for (const Cells& row : split(rows, dialect)) {
    ++widths[row.size()];
    cells += row.size();
    for (const std::string& cell : row) numbers += isNumeric(cell, dialect);
  }
  Fit fit;
  std::size_t most = 0;
  for (const auto& [width, count] : widths)
    if (count >= most) {
      most = count;
      fit.columns = width;
    }
  if (fit.columns < 2) return fit;
  fit.score = static_cast<double>(most) / static_cast<double>(rows.size()) *
              (0.25 + static_cast<double>(numbers) / static_cast<double>(cells));
  return fit;
}

Result<char> detectDelimiter(InputStream& in, TextDialect dialect) {
  char best = ',';
  if (dialect.decimalComma) best = ';';
  Fit bestFit;
  std::optional<Error> error;
  bool any = false;
  for (const char delimiter : {'\t', ';', ',', ' '}) {
    if (delimiter == ',' && dialect.decimalComma) continue;
    dialect.delimiter = delimiter;
    const auto raw = rawRows(in, dialect, kDetectRows);
    if (!raw) {
      // Where a quote opens depends on the delimiter: with a wrong one it may never close.
      if (raw.error().kind != ErrorKind::BadInput) return tl::unexpected(raw.error());
      error = raw.error();
      continue;
    }
    any = true;
    if (raw->rows.empty()) continue;
    const Fit fit = fitOf(raw->rows, dialect);
    if (fit.score > bestFit.score + 1e-9 ||
        (fit.score > bestFit.score - 1e-9 && fit.columns > bestFit.columns)) {
      bestFit = fit;
      best = delimiter;
    }
  }
  if (!any && error) return tl::unexpected(*error);
  return best;
}

/// The first row names the columns when it has a word and no number.
bool looksLikeHeader(const Cells& row, bool decimalComma) {
  bool word = false;
  for (const std::string& cell : row) {
    const CellKind kind = parseCell(cell, decimalComma).kind;
    if (kind == CellKind::Number) return false;
    word = word || kind == CellKind::Word;
  }
  return word;
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
    columns[c].type = columns[c].numeric ? "number" : "text";
    if (header != nullptr && c < header->size()) columns[c].name = (*header)[c];
    if (columns[c].name.empty()) columns[c].name = defaultColumnName(c, width);
  }
  return columns;
}

/// Names of the columns that our own exports add: results, not coordinates.
bool isOwnLabel(const std::vector<PreviewColumn>& columns, std::size_t c) {
  return columns[c].name == "label" && c + 1 < columns.size() && columns[c + 1].name == "role" &&
         !columns[c + 1].numeric;
}

}  // namespace

Result<void> skipByteOrderMark(InputStream& in) {
  if (const auto filled = in.fill(3); !filled) return tl::unexpected(filled.error());
  if (in.view().starts_with("\xEF\xBB\xBF")) in.consume(3);
  return {};
}

Result<TextLayout> detectTextLayout(InputStream& in, const ReadOptions& options,
                                    std::size_t sampleRows) {
  if (const auto skipped = skipByteOrderMark(in); !skipped) return tl::unexpected(skipped.error());
  if (const auto filled = in.fill(kDetectBytes); !filled) return tl::unexpected(filled.error());
  const std::string_view view = in.view();
  if (view.starts_with("\xFF\xFE") || view.starts_with("\xFE\xFF"))
    return fail(ErrorKind::BadInput,
                in.name() +
                    ": is UTF-16 text. Save it as UTF-8, or convert it: iconv -f UTF-16 -t "
                    "UTF-8 OLD > NEW");
  if (view.find('\n') == std::string_view::npos && view.find('\r') + 1 < view.size() &&
      view.find('\r') != std::string_view::npos)
    return fail(ErrorKind::BadInput,
                in.name() +
                    ": line 1: the lines end with a bare carriage return (old Mac text). "
                    "Convert it: tr '\\r' '\\n' < OLD > NEW");

  TextLayout layout;
  layout.dialect = {options.text.delimiter, options.text.comment, options.text.decimalComma};
  if (layout.dialect.decimalComma && layout.dialect.delimiter == ',')
    return fail(ErrorKind::BadCall, in.name() +
                                        ": the comma cannot be both the delimiter and the "
                                        "decimal sign. Choose another delimiter.");
  if (layout.dialect.delimiter == '\0') {
    const auto delimiter = detectDelimiter(in, layout.dialect);
    if (!delimiter) return tl::unexpected(delimiter.error());
    layout.dialect.delimiter = *delimiter;
  }
  const auto raw = rawRows(in, layout.dialect, std::max(sampleRows, kDetectRows) + 1);
  if (!raw) return tl::unexpected(raw.error());
  if (raw->rows.empty())
    return fail(ErrorKind::BadInput, in.name() +
                                         ": there is nothing but blank lines and comments in "
                                         "it. Check that it is the right file.");
  layout.sample = split(raw->rows, layout.dialect);
  layout.sampleIsAll = raw->all;
  layout.sampleBytes = raw->bytes;
  layout.firstLine = raw->firstLine;
  layout.header = options.text.header == TextOptions::Header::Yes ||
                  (options.text.header == TextOptions::Header::Auto &&
                   looksLikeHeader(layout.sample.front(), layout.dialect.decimalComma));
  const std::size_t width = layout.sample.front().size();
  if (width > kMaxColumns)
    return fail(ErrorKind::BadInput, in.name() + ": line " + std::to_string(raw->firstLine) +
                                         " has " + std::to_string(width) + " columns; at most " +
                                         std::to_string(kMaxColumns) +
                                         " are possible. Check the delimiter.");
  Cells header;
  if (layout.header) {
    header = std::move(layout.sample.front());
    layout.sample.erase(layout.sample.begin());
    layout.sampleBytes -= raw->firstBytes;
  }
  layout.columns = columnsOf(layout, layout.header ? &header : nullptr, width);
  for (std::size_t c = 0; c < width; ++c)
    if (layout.columns[c].numeric && !isOwnLabel(layout.columns, c))
      layout.coordinates.push_back(c);
  return layout;
}

}  // namespace clusterloom
