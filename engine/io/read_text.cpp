#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/numbers.h"
#include "engine/io/text_layout.h"
#include "engine/io/text_rows.h"

namespace clusterloom {
namespace {

/// How many records the rest of a stream holds.
Result<std::uint64_t> countRecords(InputStream& in, const TextDialect& dialect) {
  std::uint64_t records = 0;
  std::uint64_t line = 1;
  LineWindow window(in);
  for (;;) {
    const auto more = window.next(line);
    if (!more) return tl::unexpected(more.error());
    if (!*more) return records;
    const char* p = window.begin();
    const char* const end = window.end();
    const bool quotes = std::memchr(p, '"', static_cast<std::size_t>(end - p)) != nullptr;
    while (p < end) {
      if (*p == '\n') {
        ++p;
        ++line;
        continue;
      }
      if (!quotes && static_cast<unsigned char>(*p) > ' ' && *p != dialect.comment) {
        ++records;
        ++line;
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
        continue;
      }
      const TextRecord record = findRecord(p, end, dialect);
      if (record.kind == TextRecord::Kind::Incomplete) break;
      records += record.kind == TextRecord::Kind::Data;
      line += record.lines;
      p = record.end;
    }
    const auto size = static_cast<std::size_t>(end - p);
    window.consumeTo(p);
    if (size == 0) continue;
    const auto grown = window.grow();
    if (!grown) return tl::unexpected(grown.error());
    if (!*grown || size > kMaxRecord)
      return fail(ErrorKind::BadInput,
                  in.name() + ": line " + std::to_string(line) +
                      ": a quote (\") is opened and never closed. Close it, or "
                      "remove it.");
  }
}

tl::unexpected<Error> headerOnly(const std::string& file, const TextLayout& layout) {
  return fail(ErrorKind::BadInput, file + ": line " + std::to_string(layout.firstLine) +
                                       " names columns, but no data rows follow. If that line is "
                                       "data, say that there is no header.");
}

/// BadInput where a column of numbers with a comma would be dropped from the coordinates because it
/// reads as text. Not where the caller names the coordinates, or says that the point is the decimal
/// sign and other columns hold numbers.
Result<void> checkCommaColumn(const std::string& file, const TextLayout& layout,
                              const ReadOptions& options) {
  if (!layout.commaColumn || !options.coordinates.empty()) return {};
  const bool none = layout.coordinates.empty();
  if (options.text.decimalSign == TextOptions::DecimalSign::Point && !none) return {};
  const std::size_t column = *layout.commaColumn;
  std::string way;
  if (layout.dialect.delimiter == ',')
    way =
        "The comma is the delimiter here. Write the numbers with a point, or the file with "
        "semicolons.";
  else if (none)
    way = "Choose the comma as the decimal sign.";
  else
    way =
        "Other cells hold a point. Say which of the two is the decimal sign, or choose the "
        "coordinate columns.";
  return fail(ErrorKind::BadInput, file + ": " + (none ? "no column holds numbers, but " : "") +
                                       columnText(column, layout.columns[column].name) +
                                       " holds numbers with a comma, such as " +
                                       quotedForMessage(layout.commaExample) + ". " + way);
}

}  // namespace

Result<Dataset> readText(const ByteSource& source, const ReadOptions& options, const Task& task,
                         const PartialReads& partial) {
  Hasher hasher;
  InputStream counting(source, task, "counting", &hasher);
  auto layout = detectTextLayout(counting, options, 0);
  if (!layout) return tl::unexpected(layout.error());
  if (layout->header && layout->sample.empty() && layout->sampleIsAll)
    return headerOnly(source.name(), *layout);
  if (const auto commas = checkCommaColumn(source.name(), *layout, options); !commas)
    return tl::unexpected(commas.error());
  const auto plan = planColumns(source.name(), layout->columns, layout->coordinates, options);
  if (!plan) return tl::unexpected(plan.error());
  const auto records = countRecords(counting, layout->dialect);
  if (!records) return tl::unexpected(records.error());
  const std::size_t headerRecords = layout->header ? 1 : 0;
  const std::uint64_t rows = *records - std::min<std::uint64_t>(*records, headerRecords);
  if (rows == 0) return headerOnly(source.name(), *layout);

  // A column that stops being numbers half-way is read again as text; all such columns are found in
  // one pass, so there are two at most.
  for (;;) {
    DatasetBuilder builder(source.name(), layout->columns, *plan, options);
    builder.deliverTo(partial);
    if (const auto reserved = builder.reserve(rows); !reserved)
      return tl::unexpected(reserved.error());
    InputStream in(source, task, "reading");
    if (const auto skipped = skipByteOrderMark(in); !skipped)
      return tl::unexpected(skipped.error());
    TextRows reader(builder, source.name(), layout->dialect, *plan, rows, layout->firstLine);
    if (const auto done = reader.read(in, headerRecords); !done)
      return tl::unexpected(done.error());
    if (reader.notNumbers().empty()) {
      auto dataset = builder.finish();
      if (dataset) dataset->source = {source.name(), toText(Format::Text), hasher.text(), ""};
      return dataset;
    }
    for (const std::size_t column : reader.notNumbers()) layout->columns[column].numeric = false;
  }
}

Result<Preview> previewText(const ByteSource& source, const ReadOptions& options,
                            std::size_t rows) {
  const Task task;
  InputStream in(source, task, "reading");
  auto layout = detectTextLayout(in, options, rows);
  if (!layout) return tl::unexpected(layout.error());
  Preview preview;
  preview.format = Format::Text;
  preview.columns = layout->columns;
  preview.text = {layout->dialect.delimiter,
                  layout->header ? TextOptions::Header::Yes : TextOptions::Header::No,
                  layout->dialect.decimalComma ? TextOptions::DecimalSign::Comma
                                               : TextOptions::DecimalSign::Point,
                  layout->dialect.comment};
  preview.fileBytes = source.size();
  preview.rowsExact = layout->sampleIsAll;
  preview.rowEstimate = layout->sample.size();
  if (!layout->sampleIsAll && layout->sampleBytes > 0) {
    const double share =
        static_cast<double>(source.size()) / static_cast<double>(layout->sampleBytes);
    preview.rowEstimate =
        static_cast<std::uint64_t>(share * static_cast<double>(layout->sample.size()));
  }
  preview.rows = std::move(layout->sample);
  if (preview.rows.size() > rows) preview.rows.resize(rows);
  return preview;
}

}  // namespace clusterloom
