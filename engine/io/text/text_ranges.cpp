#include "engine/io/text/text_ranges.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kRangeBytes = std::uint64_t{256} << 10;

/// The rows of a range in the room that a builder has made for those of several. Words have codes
/// of their own until all are there.
class RangeSink final : public TextSink {
 public:
  /// The rows from `first` on; `lines` has room for the numbers of all.
  RangeSink(DatasetBuilder& builder, std::size_t first, std::span<std::uint64_t> lines)
      : builder_(builder),
        next_(first),
        lines_(lines),
        words_(builder.columns().size()),
        rounded_(words_.size()) {}

  void begin(std::size_t) override {}
  NumberSlots numbers(std::size_t column) override {
    const NumberSlots all = builder_.numbers(column);
    return all ? all.from(next_) : all;
  }
  std::int32_t* codes(std::size_t column) override {
    std::int32_t* const all = builder_.codes(column);
    return all != nullptr ? all + next_ : all;
  }
  std::int32_t codeOf(std::size_t column, std::string_view word) override {
    return words_[column].codeOf(word);
  }
  void markRounded(std::size_t column) override { rounded_[column] = true; }
  Result<void> end(std::span<const std::uint64_t> lines) override {
    std::ranges::copy(lines, lines_.begin() + std::ptrdiff_t(next_));
    next_ += lines.size();
    return {};
  }

  /// Gives the builder what is known of columns, and returns its codes of the words of each.
  std::vector<std::vector<std::int32_t>> tell() {
    std::vector<std::vector<std::int32_t>> codes(words_.size());
    for (std::size_t c = 0; c < words_.size(); ++c) {
      if (rounded_[c]) builder_.markRounded(c);
      for (const std::string& word : words_[c].take()) codes[c].push_back(builder_.codeOf(c, word));
    }
    return codes;
  }

 private:
  DatasetBuilder& builder_;
  std::size_t next_;
  std::span<std::uint64_t> lines_;
  std::vector<WordTable> words_;
  std::vector<bool> rounded_;
};

/// A range while it is read.
struct RangeRead {
  const TextRange* range;
  std::size_t firstRow;  // of those that are read at once
  std::uint64_t line;
  std::optional<RangeSink> sink;
  std::vector<TextRows::Misfit> misfits;
  std::vector<std::vector<std::int32_t>> codes = {};
  Result<void> done = {};
};

/// Adds those of columns that have none yet.
void addMisfits(std::vector<TextRows::Misfit>& to, std::vector<TextRows::Misfit>& from) {
  for (TextRows::Misfit& one : from)
    if (std::ranges::none_of(to, [&](const auto& has) { return has.column == one.column; }))
      to.push_back(std::move(one));
}

/// Reads ranges at once, and settles their rows.
Result<void> readAtOnce(const ByteSource& source, std::vector<RangeRead>& reads,
                        const TextShape& shape, DatasetBuilder& builder, const Task& task,
                        SharedProgress& progress, std::vector<TextRows::Misfit>& misfits) {
  const Task quiet{task.stop, {}};
  const RangeRead& last = reads.back();
  const std::size_t rows = last.firstRow + std::size_t(last.range->counts.records);
  std::vector<std::uint64_t> lines(rows);
  builder.extend(rows);
  parallelFor(reads.size(), 1, [&](std::size_t i) {
    RangeRead& read = reads[i];
    read.sink.emplace(builder, read.firstRow, lines);
    const SourceRange range(source, read.range->begin, read.range->end);
    InputStream in(range, quiet, "reading", nullptr, InputStream::Content::AsStored);
    TextRows reader(*read.sink, shape, read.range->counts.records);
    read.done = reader.read(in, 0, read.line);
    read.misfits = reader.misfits();
    progress.add(range.size());
  });
  for (RangeRead& read : reads) {
    if (!read.done) return read.done;
    addMisfits(misfits, read.misfits);
    read.codes = read.sink->tell();
  }
  parallelFor(reads.size(), 1, [&](std::size_t i) {
    for (std::size_t c = 0; c < reads[i].codes.size(); ++c) {
      const std::vector<std::int32_t>& codeOf = reads[i].codes[c];
      std::int32_t* const codes = codeOf.empty() ? nullptr : builder.codes(c) + reads[i].firstRow;
      for (std::size_t row = 0; codes != nullptr && row < reads[i].range->counts.records; ++row)
        codes[row] = codeOf[std::size_t(codes[row])];
    }
  });
  return builder.settle(rows, lines, task);
}

}  // namespace

Result<RecordCounts> countRecords(InputStream& in, const TextDialect& dialect, bool stopAtQuote,
                                  std::uint64_t linesBefore) {
  RecordCounts counts;
  std::uint64_t& records = counts.records;
  std::uint64_t line = linesBefore + 1;
  LineWindow window(in);
  for (;;) {
    const auto more = window.next(line);
    if (!more) return tl::unexpected(more.error());
    if (!*more) {
      counts.lines = line - 1 - linesBefore;
      return counts;
    }
    const char* p = window.begin();
    const char* const end = window.end();
    const bool quotes = std::memchr(p, '"', std::size_t(end - p)) != nullptr;
    counts.quotes = counts.quotes || quotes;
    if (quotes && stopAtQuote) return counts;
    while (p < end) {
      if (*p == '\n') {
        ++p;
        ++line;
        continue;
      }
      if (!quotes && static_cast<unsigned char>(*p) > ' ' && *p != dialect.comment) {
        ++records;
        ++line;
        p = static_cast<const char*>(std::memchr(p, '\n', std::size_t(end - p))) + 1;
        continue;
      }
      const TextRecord record = findRecord(p, end, dialect);
      if (record.kind == TextRecord::Kind::Incomplete) break;
      records += record.kind == TextRecord::Kind::Data;
      line += record.lines;
      p = record.end;
    }
    const auto size = std::size_t(end - p);
    window.consumeTo(p);
    if (size == 0) continue;
    const auto grown = window.grow();
    if (!grown) return tl::unexpected(grown.error());
    if (!*grown || size > kMaxRecord)
      return badInput(in.name() + ": line " + std::to_string(line) +
                      ": a quote (\") is opened and never closed. Close it, or "
                      "remove it.");
  }
}

Result<std::uint64_t> lineFrom(const ByteSource& source, std::uint64_t begin, std::uint64_t offset,
                               const Task& task) {
  if (offset <= begin) return begin;
  std::vector<char> block(std::size_t{4} << 10);
  for (std::uint64_t at = offset - 1; at < source.size();) {
    if (task.cancelled()) return cancelledError();
    const auto got = source.readAt(at, block);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) break;
    if (const void* found = std::memchr(block.data(), '\n', *got))
      return at + std::uint64_t(static_cast<const char*>(found) - block.data()) + 1;
    at += *got;
  }
  return source.size();
}

Result<std::vector<TextRange>> countRanges(const ByteSource& source, std::uint64_t begin,
                                           const TextDialect& dialect, const Task& task) {
  const std::uint64_t bytes = source.size() - begin;
  std::vector<TextRange> ranges(bytes / kRangeBytes + 1);
  std::vector<Result<std::uint64_t>> begins(ranges.size());
  std::vector<Result<void>> done(ranges.size());
  const Task quiet{task.stop, {}};
  SharedProgress progress(task, "counting", bytes);
  parallelFor(ranges.size(), 1, [&](std::size_t i) {
    begins[i] = lineFrom(source, begin, begin + i * kRangeBytes, quiet);
  });
  begins.emplace_back(source.size());
  for (const auto& one : begins)
    if (!one) return tl::unexpected(one.error());
  parallelFor(ranges.size(), 1, [&](std::size_t i) {
    ranges[i] = {*begins[i], *begins[i + 1], {}};
    const SourceRange range(source, ranges[i].begin, ranges[i].end);
    InputStream in(range, quiet, "counting", nullptr, InputStream::Content::AsStored);
    const auto counts = countRecords(in, dialect, true);
    if (counts)
      ranges[i].counts = *counts;
    else
      done[i] = tl::unexpected(counts.error());
    progress.add(kRangeBytes);
  });
  for (const Result<void>& one : done)
    if (!one) return tl::unexpected(one.error());
  return ranges;
}

RecordCounts sumOf(const std::vector<TextRange>& ranges) {
  RecordCounts sum;
  for (const TextRange& range : ranges) {
    sum.records += range.counts.records;
    sum.lines += range.counts.lines;
    sum.quotes = sum.quotes || range.counts.quotes;
  }
  return sum;
}

Result<void> readRanges(const ByteSource& source, const std::vector<TextRange>& ranges,
                        const TextShape& shape, std::uint64_t line, DatasetBuilder& builder,
                        const Task& task, std::vector<TextRows::Misfit>& misfits) {
  std::uint64_t bytes = 0;
  for (const TextRange& range : ranges) bytes += range.end - range.begin;
  SharedProgress progress(task, "reading", bytes);
  // Few, so that samples are delivered meanwhile.
  const std::size_t atOnce = 3 * std::size_t(tbb::this_task_arena::max_concurrency());
  std::vector<RangeRead> reads;
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const TextRange& range = ranges[i];
    if (range.counts.records > 0)
      reads.push_back({&range, std::size_t(rows), line, std::nullopt, {}});
    rows += range.counts.records;
    line += range.counts.lines;
    const bool isLast = i + 1 == ranges.size();
    if (reads.empty() ||
        (!isLast && reads.size() < atOnce && rows + ranges[i + 1].counts.records <= kRowsPerExtend))
      continue;
    if (auto done = readAtOnce(source, reads, shape, builder, task, progress, misfits); !done)
      return done;
    reads.clear();
    rows = 0;
  }
  return {};
}

}  // namespace clusterloom
