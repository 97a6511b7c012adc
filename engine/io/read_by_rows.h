#pragma once

#include <optional>

#include "engine/io/formats.h"

namespace clusterloom {

/// Whether a file is of many columns, all of them coordinates, whose rows can be kept as they are.
bool keepsRows(const TableFile& file, const ColumnPlan& plan, const ReadOptions& options);

/// Reads the rows of such a file, which is at its first row, into one piece of memory, from which
/// the cloud borrows. Products (engine/product) read them where they are, and floats take half of
/// the memory of doubles.
///
/// Nothing where a number is not finite: a builder then reads the file from its begin. TooLarge;
/// Io; BadInput for a file that ends early; Cancelled.
Result<std::optional<Dataset>> readByRows(InputStream& in, const TableFile& file,
                                          const ColumnPlan& plan, const ReadOptions& options);

}  // namespace clusterloom
