#include "engine/io/table_rows.h"

#include <utility>

#include "engine/io/format_table.h"
#include "engine/io/formats.h"

namespace clusterloom {

Result<Dataset> readTableRows(const ByteSource& source, Format format, const ReadOptions& options,
                              std::uint64_t firstRow, std::uint64_t rows, const Task& task) {
  InputStream in(source, task, "reading");
  const auto table = formatOf(format).open(in, options);
  if (!table) return tl::unexpected(table.error());
  TableFile& file = **table;
  auto plan = planColumns(source.name(), file.columns(), file.coordinates(), options);
  if (!plan) return tl::unexpected(plan.error());
  DatasetBuilder builder(source.name(), file.columns(), std::move(*plan), options);
  builder.beginAt(firstRow);
  if (rows > 0) {
    if (const auto reserved = builder.reserve(rows); !reserved)
      return tl::unexpected(reserved.error());
    file.startAt(firstRow);
    if (const auto done = file.readRows(builder, rows); !done) return tl::unexpected(done.error());
  }
  return builder.finish();
}

}  // namespace clusterloom
