#pragma once

#include <cstdint>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/byte_source.h"
#include "engine/io/read.h"

namespace clusterloom {

/// Reads some rows of a file whose rows have a place that follows from its header
/// (TableFile::divides). Errors as FilePart::read.
Result<Dataset> readTableRows(const ByteSource& source, Format format, const ReadOptions& options,
                              std::uint64_t firstRow, std::uint64_t rows, const Task& task);

}  // namespace clusterloom
