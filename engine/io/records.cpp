#include "engine/io/records.h"

#include <algorithm>
#include <limits>

#include "engine/core/memory_budget.h"

namespace clusterloom {
namespace {

// About as much as stays in the second-level cache while the values of every column are extracted.
constexpr std::size_t kRecordBlockBytes = std::size_t{256} << 10;

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
  for (std::uint64_t row = 0; row < rows;) {
    const auto block = std::size_t(std::min<std::uint64_t>(perBlock, rows - row));
    const auto filled = in.fill(block * layout.recordBytes);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return truncatedError(in.name(), row + in.available() / layout.recordBytes, rows);
    builder.extend(block);
    for (std::size_t c = 0; c < layout.fields.size(); ++c) {
      const NumberSlots out = builder.numbers(c);
      if (!out) continue;
      const RecordField& field = layout.fields[c];
      const char* const first = in.begin() + field.offset;
      if (field.half)
        decodeHalves(layout.bigEndian, first, layout.recordBytes, block, out);
      else
        decode(field.type, layout.bigEndian, first, layout.recordBytes, block, out);
      if (layout.convert) layout.convert(c, out, block);
    }
    in.consume(block * layout.recordBytes);
    if (auto settled = builder.settle(block, {}, in.task()); !settled) return settled;
    row += block;
  }
  return {};
}

}  // namespace clusterloom
