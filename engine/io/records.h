#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/io/dataset_builder.h"
#include "engine/io/input_stream.h"
#include "engine/io/scalar.h"

namespace clusterloom {

/// The place of one column in a record of fixed size.
struct RecordField {
  Scalar type = Scalar::Float64;
  std::size_t offset = 0;
  bool half = false;  ///< stored in 16 bits; `type` is Float32
};

/// Reads `rows` binary records of `recordBytes`, one after the other, into a builder: field c is
/// column c. `convert`, if any, changes the decoded values of a column in place, on several threads
/// at once. BadInput when the file ends first.
struct RecordLayout {
  std::vector<RecordField> fields;
  std::size_t recordBytes = 0;
  bool bigEndian = false;
  std::function<void(std::size_t column, NumberSlots values, std::size_t count)> convert;
};
Result<void> readRecords(InputStream& in, const RecordLayout& layout, std::uint64_t rows,
                         DatasetBuilder& builder);

/// The error for a file that ends inside its rows.
tl::unexpected<Error> truncatedError(const std::string& file, std::uint64_t row,
                                     std::uint64_t rows);

/// BadInput when the rest of the file is shorter than the header says: `rows` records of
/// `recordBytes`. Safe against overflow, so wrong figures are found before any allocation.
Result<void> checkRowsFit(const InputStream& in, std::uint64_t rows, std::uint64_t recordBytes);

}  // namespace clusterloom
