#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/numbers.h"
#include "engine/io/read_words.h"
#include "engine/io/text/text_layout.h"
#include "engine/io/text/text_ranges.h"
#include "engine/io/text/text_rows.h"
#include "engine/io/text/thousands.h"
#include "engine/io/unpacked_content.h"

namespace clusterloom {
namespace {

tl::unexpected<Error> headerOnly(const std::string& file, const TextLayout& layout) {
  return badInput(file + ": line " + std::to_string(layout.firstLine) +
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
  return badInput(file + ": " + (none ? "no column holds numbers, but " : "") +
                  columnText(column, layout.columns[column].name) +
                  " holds numbers with a comma, such as " + quotedForMessage(layout.commaExample) +
                  ". " + way +
                  (layout.perhapsThousands == Thousands::Comma
                       ? " If it is the thousands separator, say so (--thousands comma)."
                       : ""));
}

/// BadInput where a column of numbers with signs would be dropped from the coordinates because it
/// reads as text. Not where the caller names the coordinates.
Result<void> checkSignColumn(const std::string& file, const TextLayout& layout,
                             const ReadOptions& options) {
  if (!layout.signColumn || !options.coordinates.empty()) return {};
  const std::size_t column = *layout.signColumn;
  return badInput(
      file + ": " + columnText(column, layout.columns[column].name) + " holds " +
      quotedForMessage(layout.signExample) +
      ", which is not read as a number, so the column would be no coordinate. Write its "
      "numbers without signs and in base 10, or choose the coordinate columns.");
}

/// BadInput where zeros before the numbers are all that keeps columns from being coordinates. Not
/// where the caller names the coordinates.
Result<void> checkPadding(const std::string& file, const TextLayout& layout,
                          const ReadOptions& options) {
  if (layout.paddedExample.empty() || !layout.coordinates.empty() || !options.coordinates.empty())
    return {};
  return badInput(file + ": the numbers have zeros before them, such as " +
                  quotedForMessage(layout.paddedExample) +
                  ", and may be codes. Choose the coordinate columns.");
}

/// An example of a number with a sign, and how it is read.
ColumnRemark thousandsRemark(const TextLayout& layout) {
  const TextDialect& dialect = layout.dialect;
  const bool found = dialect.thousands != Thousands::None;
  std::string plain;
  const auto cell =
      parseCell(found ? withoutThousands(layout.thousandsExample, dialect.thousands, plain)
                      : std::string_view(layout.thousandsExample),
                dialect.decimalComma);
  return {found ? ColumnRemark::Kind::Thousands : ColumnRemark::Kind::PerhapsThousands,
          {toText(found ? dialect.thousands : layout.perhapsThousands),
           quotedForMessage(trimmed(layout.thousandsExample)),
           cell.kind == CellKind::Number ? numberText(cell.value) : std::string()}};
}

ColumnRemark turnedRemark(const TextLayout& layout, const TurnedColumn& turned) {
  return {ColumnRemark::Kind::TurnedToText,
          {std::to_string(turned.column), layout.columns[turned.column].name,
           std::to_string(turned.line), quotedForMessage(turned.cell)}};
}

/// Adds the coordinates that are the same in all rows, where nobody chose them.
void addConstants(Dataset& dataset) {
  for (std::size_t j = 0; j < dataset.cloud.dims(); ++j) {
    const Coordinates& values = dataset.cloud.columns[j];
    const bool constant =
        values.size() > 2 &&
        std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; });
    if (constant)
      dataset.remarks.push_back(
          {ColumnRemark::Kind::Constant, {dataset.cloud.names[j], numberText(values[0])}});
  }
}

/// Dataset::remarks.
std::vector<ColumnRemark> remarksOf(const TextLayout& layout) {
  std::vector<ColumnRemark> remarks;
  if (layout.headerInDoubt)
    remarks.push_back(
        {layout.header ? ColumnRemark::Kind::FirstRowAsNames : ColumnRemark::Kind::FirstRowAsData,
         {std::to_string(layout.firstLine)}});
  if (!layout.thousandsExample.empty()) remarks.push_back(thousandsRemark(layout));
  constexpr std::size_t kMost = 5;
  for (const TurnedColumn& turned : layout.turned)
    if (remarks.size() < kMost) remarks.push_back(turnedRemark(layout, turned));
  return remarks;
}

/// The layout of a text whose rows can be read, and the uses of its columns.
struct CheckedText {
  TextLayout layout;
  ColumnPlan plan;
};
Result<CheckedText> checkedText(InputStream& in, const ReadOptions& options) {
  auto layout = detectTextLayout(in, options, 0);
  if (!layout) return tl::unexpected(layout.error());
  if (layout->header && layout->sample.empty() && layout->sampleIsAll)
    return headerOnly(in.name(), *layout);
  if (const auto commas = checkCommaColumn(in.name(), *layout, options); !commas)
    return tl::unexpected(commas.error());
  if (const auto signs = checkSignColumn(in.name(), *layout, options); !signs)
    return tl::unexpected(signs.error());
  if (const auto padding = checkPadding(in.name(), *layout, options); !padding)
    return tl::unexpected(padding.error());
  auto plan = planColumns(in.name(), layout->columns, layout->coordinates, options);
  if (!plan) return tl::unexpected(plan.error());
  // Rows after the sample may have coordinates that are not integers.
  for (const std::size_t c : plan->coordinates) {
    layout->columns[c].scalar = Scalar::Float64;
    layout->columns[c].numeric = true;  // also without a value in the sample
  }
  for (const std::size_t c : options.asText) {
    if (c >= plan->uses.size() || plan->uses[c].kind != ColumnUse::Kind::Attribute) continue;
    layout->columns[c].scalar = Scalar::Float64;
    layout->columns[c].numeric = false;
  }
  return CheckedText{std::move(*layout), std::move(*plan)};
}

/// Gives columns with cells that their types do not hold wider ones, at last text; those that
/// become text are added to `turned`.
void widen(std::vector<PreviewColumn>& columns, const std::vector<TextRows::Misfit>& misfits,
           std::vector<TurnedColumn>& turned) {
  for (const TextRows::Misfit& misfit : misfits) {
    PreviewColumn& column = columns[misfit.column];
    column.numeric = misfit.again.has_value();
    column.scalar = misfit.again.value_or(Scalar::Float64);
    if (!misfit.again) turned.push_back({misfit.column, misfit.line, misfit.cell});
  }
}

/// Settles rows as they are stored.
class BuilderSink final : public TextSink {
 public:
  BuilderSink(DatasetBuilder& builder, const Task& task) : builder_(builder), task_(task) {}
  void begin(std::size_t rows) override { builder_.extend(rows); }
  NumberSlots numbers(std::size_t column) override { return builder_.numbers(column); }
  std::int32_t* codes(std::size_t column) override { return builder_.codes(column); }
  std::int32_t codeOf(std::size_t column, std::string_view word) override {
    return builder_.codeOf(column, word);
  }
  void markRounded(std::size_t column) override { builder_.markRounded(column); }
  Result<void> end(std::span<const std::uint64_t> lines) override {
    return builder_.settle(lines.size(), lines, task_);
  }

 private:
  DatasetBuilder& builder_;
  const Task& task_;
};

using Misfits = std::vector<TextRows::Misfit>;

/// Reads `rows` rows of a stream one after the other, after its first `skipRecords`.
Result<void> readStream(InputStream& in, const TextShape& shape, std::size_t skipRecords,
                        std::uint64_t line, std::uint64_t rows, DatasetBuilder& builder,
                        Misfits& misfits) {
  BuilderSink sink(builder, in.task());
  TextRows reader(sink, shape, rows);
  auto done = reader.read(in, skipRecords, line);
  misfits = reader.misfits();
  return done;
}

/// Reads `rows` rows by readRows(builder, shape, misfits) into a builder that begin(builder) has
/// prepared. A column with numbers that its type does not hold is read again in a wider one, at
/// last as text; all such columns are found in one pass, so there are four at most.
template <class Begin, class ReadRows>
Result<Dataset> readColumns(const std::string& file, CheckedText& text, const ReadOptions& options,
                            std::uint64_t rows, const Begin& begin, const ReadRows& readRows) {
  TextLayout& layout = text.layout;
  for (;;) {
    DatasetBuilder builder(file, layout.columns, text.plan, options);
    begin(builder);
    Misfits misfits;
    if (rows > 0) {
      if (const auto reserved = builder.reserve(rows); !reserved)
        return tl::unexpected(reserved.error());
      const TextShape shape{file, layout.dialect, layout.columns, text.plan, layout.firstLine};
      if (const auto done = readRows(builder, shape, misfits); !done)
        return tl::unexpected(done.error());
    }
    if (misfits.empty()) {
      auto dataset = builder.finish();
      if (!dataset) return dataset;
      dataset->source = {file, toText(Format::Text), "", ""};
      dataset->linesBefore = layout.skipLines;
      dataset->remarks = remarksOf(layout);
      return dataset;
    }
    widen(layout.columns, misfits, layout.turned);
  }
}

/// Where the first data row begins, and how many lines are before it.
struct DataStart {
  std::uint64_t offset = 0;
  std::uint64_t lines = 0;
};
Result<DataStart> findDataStart(const ByteSource& source, const TextLayout& layout,
                                const Task& task) {
  InputStream in(source, task, "reading");
  if (const auto skipped = skipPreamble(in, layout.skipLines); !skipped)
    return tl::unexpected(skipped.error());
  DataStart start;
  start.lines = layout.skipLines;
  LineWindow window(in);
  for (std::size_t head = layout.headRecords;;) {
    const auto more = window.next(start.lines + 1);
    if (!more) return tl::unexpected(more.error());
    start.offset = in.position();
    if (!*more) return start;
    const TextRecord record = findRecord(window.begin(), window.end(), layout.dialect);
    if (record.kind == TextRecord::Kind::Incomplete) {
      const auto grown = window.grow();
      if (!grown) return tl::unexpected(grown.error());
      if (!*grown) return start;  // the counting pass reports it
      continue;
    }
    const bool data = record.kind == TextRecord::Kind::Data;
    if (data && head == 0) return start;
    head -= data;
    start.lines += record.lines;
    window.consumeTo(record.end);
  }
}

/// The common properties of all parts of a text.
struct TextHead {
  CheckedText text;
  DataStart start;
};
Result<std::shared_ptr<const TextHead>> headOf(const ByteSource& source, const ReadOptions& options,
                                               const Task& task) {
  InputStream in(source, task, "reading");
  auto text = checkedText(in, options);
  if (!text) return tl::unexpected(text.error());
  const auto start = findDataStart(source, text->layout, task);
  if (!start) return tl::unexpected(start.error());
  return std::make_shared<const TextHead>(TextHead{std::move(*text), *start});
}

class PartOfText final : public TextPart {
 public:
  PartOfText(std::shared_ptr<const TextHead> head, const ReadOptions& options,
             const SourceRange& range, std::vector<TextRange> ranges, const RecordCounts& counts)
      : head_(std::move(head)),
        options_(options),
        range_(range),
        ranges_(std::move(ranges)),
        counts_(counts) {
    const CheckedText& text = head_->text;
    for (const std::size_t c : text.plan.coordinates) names_.push_back(text.layout.columns[c].name);
  }

  const std::shared_ptr<const TextHead>& head() const { return head_; }

  const std::vector<std::string>& names() const override { return names_; }
  std::uint64_t rows() const override { return counts_.records; }
  std::uint64_t lines() const override { return counts_.lines; }
  bool quoted() const override { return counts_.quotes; }

  Result<Dataset> read(std::uint64_t rowsBefore, std::uint64_t linesBefore,
                       const Task& task) const override {
    CheckedText text = head_->text;
    const std::uint64_t line = head_->start.lines + linesBefore + 1;
    auto dataset = readColumns(
        range_.name(), text, options_, counts_.records,
        [&](DatasetBuilder& builder) { builder.beginAt(rowsBefore); },
        [&](DatasetBuilder& builder, const TextShape& shape, Misfits& misfits) {
          if (!counts_.quotes)
            return readRanges(range_, ranges_, shape, line, builder, task, misfits);
          InputStream in(range_, task, "reading", nullptr, InputStream::Content::AsStored);
          return readStream(in, shape, 0, line, counts_.records, builder, misfits);
        });
    if (dataset) dataset->remarks = remarksOf(head_->text.layout);
    return dataset;
  }

 private:
  std::shared_ptr<const TextHead> head_;
  ReadOptions options_;
  SourceRange range_;
  std::vector<TextRange> ranges_;
  RecordCounts counts_;
  std::vector<std::string> names_;
};

}  // namespace

Result<std::unique_ptr<TextPart>> openTextPart(const ByteSource& source, const ReadOptions& options,
                                               int part, int parts, const Task& task,
                                               const TextPart* same) {
  Result<std::shared_ptr<const TextHead>> head;
  if (same != nullptr)
    head = static_cast<const PartOfText*>(same)->head();
  else
    head = headOf(source, options, task);
  if (!head) return tl::unexpected(head.error());
  const DataStart& start = (*head)->start;
  if (source.size() < start.offset)
    return badInput(source.name() + ": has changed while it was read.");
  const auto length = double(source.size() - start.offset);
  const auto cut = [&](int p) {
    const auto share = std::uint64_t(length / parts * p);
    return p == parts ? Result<std::uint64_t>(source.size())
                      : lineFrom(source, start.offset, start.offset + share, task);
  };
  const auto begin = cut(part);
  if (!begin) return tl::unexpected(begin.error());
  const auto end = cut(part + 1);
  if (!end) return tl::unexpected(end.error());
  const SourceRange range(source, *begin, *end);
  const TextDialect& dialect = (*head)->text.layout.dialect;
  auto ranges = countRanges(range, 0, dialect, task);
  if (!ranges) return tl::unexpected(ranges.error());
  RecordCounts counts = sumOf(*ranges);
  if (counts.quotes && parts == 1) {
    InputStream in(range, task, "counting", nullptr, InputStream::Content::AsStored);
    const auto counted = countRecords(in, dialect);
    if (!counted) return tl::unexpected(counted.error());
    counts = *counted;
  }
  return std::make_unique<PartOfText>(*head, options, range, std::move(*ranges), counts);
}

namespace {

/// By ranges at the same time; nothing where the text has quotes, which may hide the begins of
/// lines. Where `hash` is empty it becomes that of the source.
Result<std::optional<Dataset>> readAtOnce(const ByteSource& source, CheckedText& text,
                                          const ReadOptions& options, const Task& task,
                                          const PartialReads& partial, std::string& hash) {
  const auto start = findDataStart(source, text.layout, task);
  if (!start) return tl::unexpected(start.error());
  const Task quiet{task.stop, {}};
  Hasher hasher;
  InputStream hashing(source, quiet, "counting", &hasher);
  Result<void> hashed;
  Result<std::vector<TextRange>> ranges;
  tbb::parallel_invoke(
      [&] {
        if (hash.empty()) hashed = hashing.drain();
      },
      [&] { ranges = countRanges(source, start->offset, text.layout.dialect, task); });
  if (!ranges) return tl::unexpected(ranges.error());
  if (!hashed) return tl::unexpected(hashed.error());
  if (hash.empty()) hash = hasher.text();
  const RecordCounts counts = sumOf(*ranges);
  if (counts.quotes) return std::nullopt;
  if (counts.records == 0) return headerOnly(source.name(), text.layout);
  auto dataset = readColumns(
      source.name(), text, options, counts.records,
      [&](DatasetBuilder& builder) { builder.deliverTo(partial); },
      [&](DatasetBuilder& builder, const TextShape& shape, Misfits& misfits) {
        return readRanges(source, *ranges, shape, start->lines + 1, builder, task, misfits);
      });
  if (!dataset) return tl::unexpected(dataset.error());
  return std::optional(std::move(*dataset));
}

/// From front to back, where `hash` is empty with the hash of the source.
Result<Dataset> readInOrder(const ByteSource& source, CheckedText& text, const ReadOptions& options,
                            const Task& task, const PartialReads& partial, std::string& hash) {
  TextLayout& layout = text.layout;
  Hasher hasher;
  InputStream counting(source, task, "counting", hash.empty() ? &hasher : nullptr);
  if (const auto skipped = skipPreamble(counting, layout.skipLines); !skipped)
    return tl::unexpected(skipped.error());
  const auto records = countRecords(counting, layout.dialect, false, layout.skipLines);
  if (!records) return tl::unexpected(records.error());
  if (hash.empty()) hash = hasher.text();
  const std::uint64_t rows =
      records->records - std::min<std::uint64_t>(records->records, layout.headRecords);
  if (rows == 0) return headerOnly(source.name(), layout);
  return readColumns(
      source.name(), text, options, rows,
      [&](DatasetBuilder& builder) { builder.deliverTo(partial); },
      [&](DatasetBuilder& builder, const TextShape& shape, Misfits& misfits) -> Result<void> {
        InputStream in(source, task, "reading");
        if (auto skipped = skipPreamble(in, layout.skipLines); !skipped) return skipped;
        return readStream(in, shape, layout.headRecords, layout.skipLines + 1, rows, builder,
                          misfits);
      });
}

/// A text that is not compressed, or the content of one in memory with the `hash` of its file.
Result<Dataset> readPlain(const ByteSource& source, CheckedText& text, const ReadOptions& options,
                          const Task& task, const PartialReads& partial, std::string& hash) {
  auto dataset = readAtOnce(source, text, options, task, partial, hash);
  if (!dataset) return tl::unexpected(dataset.error());
  if (*dataset) return std::move(**dataset);
  return readInOrder(source, text, options, task, partial, hash);
}

/// A compressed text, unpacked once, into memory. The content takes a quarter of it at most and
/// stays until all rows are read, which therefore have to fit into what is left. Where either does
/// not fit, the text is unpacked twice, as a stream that takes little memory.
Result<Dataset> readPacked(const ByteSource& source, CheckedText& text, const ReadOptions& options,
                           const Task& task, const PartialReads& partial, std::string& hash) {
  const std::uint64_t memory = options.memoryLimit != 0 ? options.memoryLimit : availableMemory();
  {
    Hasher hasher;
    InputStream in(source, task, "unpacking", &hasher);
    const auto content = contentInMemory(in, memory / 4);
    if (!content) return tl::unexpected(content.error());
    if (*content != nullptr) {
      hash = hasher.text();
      auto dataset = readPlain(**content, text, options, task, partial, hash);
      if (dataset || dataset.error().kind != ErrorKind::TooLarge) return dataset;
    }
  }
  // Without the content the rows may fit.
  return readInOrder(source, text, options, task, partial, hash);
}

}  // namespace

Result<Dataset> readText(const ByteSource& source, const ReadOptions& options, const Task& task,
                         const PartialReads& partial) {
  InputStream head(source, task, "counting");
  auto text = checkedText(head, options);
  if (!text) return tl::unexpected(text.error());
  const auto read = head.packing() == Packing::None ? readPlain : readPacked;
  std::string hash;
  auto dataset = read(source, *text, options, task, partial, hash);
  if (!dataset) return dataset;
  dataset->source.hash = hash;
  if (options.coordinates.empty()) addConstants(*dataset);
  return dataset;
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
  preview.coordinates = layout->coordinates;
  // Beside coordinates, numbers with zeros before them are shown as text, as they will be read.
  for (PreviewColumn& column : preview.columns)
    column.numeric = column.numeric && (column.type != "text" || preview.coordinates.empty());
  preview.text = {layout->dialect.delimiter,
                  layout->header ? TextOptions::Header::Yes : TextOptions::Header::No,
                  layout->dialect.decimalComma ? TextOptions::DecimalSign::Comma
                                               : TextOptions::DecimalSign::Point,
                  layout->dialect.comment,
                  std::int64_t(layout->skipLines),
                  layout->dialect.thousands};
  preview.fileBytes = source.size();
  preview.rowsExact = layout->sampleIsAll;
  preview.rowEstimate = layout->sample.size();
  if (!layout->sampleIsAll && layout->sampleBytes > 0) {
    const double share = double(in.estimatedSize()) / double(layout->sampleBytes);
    preview.rowEstimate = std::uint64_t(share * double(layout->sample.size()));
  }
  preview.rows = std::move(layout->sample);
  if (preview.rows.size() > rows) preview.rows.resize(rows);
  return preview;
}

}  // namespace clusterloom
