#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/byte_source.h"
#include "engine/io/dataset_builder.h"
#include "engine/io/input_stream.h"
#include "engine/io/text/text_records.h"
#include "engine/io/text/text_rows.h"

namespace clusterloom {

/// What a piece of a text holds.
struct RecordCounts {
  std::uint64_t records = 0;
  std::uint64_t lines = 0;
  bool quotes = false;
};

/// The records in the rest of a stream, after `linesBefore` lines of the file. With `stopAtQuote`
/// the counts are of no use where it has quotes.
Result<RecordCounts> countRecords(InputStream& in, const TextDialect& dialect,
                                  bool stopAtQuote = false, std::uint64_t linesBefore = 0);

/// The first begin of a line at `offset` or after it; `begin` is that of a line.
Result<std::uint64_t> lineFrom(const ByteSource& source, std::uint64_t begin, std::uint64_t offset,
                               const Task& task);

/// Whole lines of a source.
struct TextRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  RecordCounts counts;
};

/// Cuts a source that is not compressed into ranges of about 256 KiB from `begin` on, which is that
/// of a line, and counts their records, in parallel. A quote may hide the begin of a line: where
/// one range has quotes, none is of use.
Result<std::vector<TextRange>> countRanges(const ByteSource& source, std::uint64_t begin,
                                           const TextDialect& dialect, const Task& task);
/// The counts of all of them.
RecordCounts sumOf(const std::vector<TextRange>& ranges);

/// Reads ranges without quotes into a builder that has room for their rows, many at a time. `line`
/// is the number of the first one's first line. Misfits as TextRows has them.
Result<void> readRanges(const ByteSource& source, const std::vector<TextRange>& ranges,
                        const TextShape& shape, std::uint64_t line, DatasetBuilder& builder,
                        const Task& task, std::vector<TextRows::Misfit>& misfits);

}  // namespace clusterloom
