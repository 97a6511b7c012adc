#pragma once

#include "engine/io/hdf5/hdf5_objects.h"

namespace clusterloom::hdf5 {

/// An open dataset of one or two dimensions, read block by block. The session must be held.
struct OpenDataset {
  std::string file;  ///< its name, for messages
  std::string path;
  Handle id;
  Handle space;
  std::size_t rank = 1;
  hsize_t rows = 1;
  hsize_t width = 1;  ///< of the second dimension

  /// `name` is that of the file, for messages; a band of chunks is kept unpacked, by the bytes of a
  /// row. BadInput, also for a dataset that is cut short.
  static Result<OpenDataset> open(hid_t file, const std::string& name, const std::string& path,
                                  std::size_t rowBytes);

  /// Reads rows [first, first + count), of a second dimension the columns [low, low + columns).
  /// BadInput, with what the library says, or with the filters that are not installed.
  Result<void> read(std::uint64_t first, std::size_t count, std::size_t low, std::size_t columns,
                    hid_t type, void* into) const;
};

/// Gives back the memory of values that were read.
void reclaim(hid_t type, std::size_t count, void* values);

/// All values of a dataset of one dimension as texts, numbers as their shortest digits. BadInput
/// where they cannot be read, are of another kind, or are more than `most`.
Result<std::vector<std::string>> textsOf(hid_t file, const std::string& name,
                                         const std::string& path, std::size_t most);

/// A text of fixed length without what fills it up.
std::string_view textOf(const char* bytes, const Column& column);

}  // namespace clusterloom::hdf5
