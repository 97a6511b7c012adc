#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/io/byte_source.h"
#include "engine/io/dataset_builder.h"
#include "engine/io/input_stream.h"
#include "engine/io/read.h"

namespace clusterloom {

/// A file whose header describes its rows: every format but text. Opened by the functions below,
/// which read the header and check its figures against the size of the file.
class TableFile {
 public:
  virtual ~TableFile() = default;
  const std::vector<PreviewColumn>& columns() const { return columns_; }
  /// The columns to take as coordinates when the caller names none.
  const std::vector<std::size_t>& coordinates() const { return coordinates_; }
  std::uint64_t rows() const { return rows_; }

  /// Reads the first `rows` ≤ rows() rows into a builder with space reserved for them.
  virtual Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) = 0;

 protected:
  std::vector<PreviewColumn> columns_;
  std::vector<std::size_t> coordinates_;
  std::uint64_t rows_ = 0;
};

Result<std::unique_ptr<TableFile>> openNpy(InputStream& in);
Result<std::unique_ptr<TableFile>> openPly(InputStream& in);
Result<std::unique_ptr<TableFile>> openPcd(InputStream& in);
Result<std::unique_ptr<TableFile>> openLas(InputStream& in);

/// Delimited text: one pass to count the rows and hash, one to read them.
Result<Dataset> readText(const ByteSource& source, const ReadOptions& options, const Task& task,
                         const PartialReads& partial);
Result<Preview> previewText(const ByteSource& source, const ReadOptions& options, std::size_t rows);

/// What `readDataset` and `previewFile` do, on any source.
Result<Dataset> readDatasetFrom(const ByteSource& source, const ReadOptions& options,
                                const Task& task, const PartialReads& partial = {});
Result<Preview> previewFrom(const ByteSource& source, const ReadOptions& options, std::size_t rows);

}  // namespace clusterloom
