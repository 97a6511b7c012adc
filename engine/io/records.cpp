#include "engine/io/records.h"

#include <algorithm>
#include <limits>

#include "engine/core/chunks.h"
#include "engine/core/memory_budget.h"

namespace clusterloom {
namespace {

// About as much as stays in the second-level cache while the values of every column are extracted.
constexpr std::size_t kRecordBlockBytes = std::size_t{256} << 10;

/// Decodes records into rows `first` … of the newest extension of a builder.
void decodeRecords(const RecordLayout& layout, const char* records, std::size_t first,
                   std::size_t count, DatasetBuilder& builder) {
  for (std::size_t c = 0; c < layout.fields.size(); ++c) {
    const NumberSlots all = builder.numbers(c);
    if (!all) continue;
    const NumberSlots out = all.from(first);
    const RecordField& field = layout.fields[c];
    const char* const values = records + field.offset;
    if (field.half)
      decodeHalves(layout.bigEndian, values, layout.recordBytes, count, out);
    else
      decode(field.type, layout.bigEndian, values, layout.recordBytes, count, out);
    if (layout.convert) layout.convert(c, out, count);
  }
}

}  // namespace

tl::unexpected<Error> truncatedError(const std::string& file, std::uint64_t row,
                                     std::uint64_t rows) {
  return badInput(file + ": ends in row " + std::to_string(row) + " (counted from 0) of " +
                  std::to_string(rows) + ". It was cut short; copy or export it again.");
}

Result<void> checkRowsFit(const InputStream& in, std::uint64_t rows, std::uint64_t recordBytes) {
  if (recordBytes == 0 || rows <= in.remaining() / recordBytes) return {};
  const bool counts = rows <= std::numeric_limits<std::uint64_t>::max() / recordBytes;
  return badInput(in.name() + ": the header promises " + std::to_string(rows) + " rows of " +
                  std::to_string(recordBytes) + " bytes" +
                  (counts ? " (" + memoryText(rows * recordBytes) + ")" : "") + ", but only " +
                  std::to_string(in.remaining()) + " bytes follow it, enough for " +
                  std::to_string(in.remaining() / recordBytes) +
                  ". The file was cut short or its header is wrong; copy or export it again.");
}

Result<void> readRecords(InputStream& in, const RecordLayout& layout, std::uint64_t rows,
                         DatasetBuilder& builder) {
  const std::size_t perBlock = std::max<std::size_t>(1, kRecordBlockBytes / layout.recordBytes);
  const std::uint64_t atOnce = std::clamp<std::uint64_t>(
      kBytesAtOnce / layout.recordBytes / perBlock * perBlock, perBlock, kRowsPerExtend);
  for (std::uint64_t row = 0; row < rows;) {
    const auto count = std::size_t(std::min(atOnce, rows - row));
    const auto filled = in.fill(count * layout.recordBytes);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return truncatedError(in.name(), row + in.available() / layout.recordBytes, rows);
    builder.extend(count);
    forChunks(count, perBlock, [&](std::size_t, std::size_t first, std::size_t end) {
      decodeRecords(layout, in.begin() + first * layout.recordBytes, first, end - first, builder);
    });
    in.consume(count * layout.recordBytes);
    if (auto settled = builder.settle(count, {}, in.task()); !settled) return settled;
    row += count;
  }
  return {};
}

}  // namespace clusterloom
