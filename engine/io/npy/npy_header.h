#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"
#include "engine/io/scalar.h"

namespace clusterloom {

/// A field of a structured array, or the only one, without a name, of a plain one.
struct NpyField {
  std::string name;
  std::string descr;        ///< as "<f8"
  std::uint64_t count = 1;  ///< values in one record
};

/// The header of an array.
struct NpyHeader {
  std::vector<NpyField> fields;
  bool structured = false;
  bool fortran = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the magic and the header of a .npy array of version 1 to 3; its values follow. BadInput
/// for other or damaged data; there is at least one field.
Result<NpyHeader> readNpyHeader(InputStream& in);

/// How the values of a field are stored. `bytes` is 0 for a kind of which the size is not known.
struct NpyType {
  std::optional<Scalar> number;  ///< nothing: no plain number
  bool half = false;
  bool bigEndian = false;
  std::size_t bytes = 0;
};
NpyType npyTypeOf(const std::string& descr);

/// The header of a .npy file in C order: `descr` is the type of its elements, such as "<u4", and
/// `shape` its lengths, such as "10, 2" or, of one dimension, "10,". A multiple of 64 bytes.
std::string npyHeader(const std::string& descr, const std::string& shape);

}  // namespace clusterloom
