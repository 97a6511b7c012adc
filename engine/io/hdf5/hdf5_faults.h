#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>

#include "engine/io/byte_source.h"

namespace clusterloom::hdf5 {

/// How many bytes the numbers of a file have, as its superblock says.
struct NumberSizes {
  std::size_t offsets = 8;
  std::size_t lengths = 8;
};

/// The sizes in the bytes that were read of a superblock; `otherwise` where they are not a
/// superblock (HDF5 File Format Specification 3.0, II.A).
NumberSizes numberSizesIn(std::span<const char> superblock, NumberSizes otherwise);

/// What is wrong with a local heap, which holds the names in a group (the specification's III.D):
/// null where nothing is, or where `header`, what was read of the heap, does not begin one. libhdf5
/// 1.10.8 computes with a size near the largest number and writes outside of its memory, and
/// follows a list of free blocks that leads in a circle without an end. `base` is the offset in the
/// source from which the file counts its addresses. The blocks are read from the source; Io.
Result<const char*> faultOfHeap(std::span<const char> header, NumberSizes sizes,
                                const ByteSource& source, std::uint64_t base);

/// What is wrong with a collection of the global heap, which holds texts of variable length
/// (III.E): null where nothing is, or where `begin`, what was read from `address` on, does not
/// begin one. libhdf5 1.10.8 does not get past an object without bytes, and reads behind the
/// collection where the size of an object says so. The rest of a collection of more than `begin` is
/// read from the source; Io.
Result<const char*> faultOfCollection(std::span<const char> begin, NumberSizes sizes,
                                      const ByteSource& source, std::uint64_t address);

/// Looks for what libhdf5 crashes on in the headers of the objects of one file (HDF5 File Format
/// Specification 3.0, IV.A.1). Those of version 1 only: those of version 2 have a checksum, which
/// the library verifies.
class ObjectHeaders {
 public:
  /// What is wrong with `block`, a header or a continuation of one that was read at `address`: null
  /// where nothing is. libhdf5 1.10.8 divides by zero where the chunks of a dataset have no
  /// dimensions, or one of length 0.
  const char* faultIn(std::span<const char> block, std::uint64_t address, NumberSizes sizes);

 private:
  std::set<std::uint64_t> continuations_;  ///< their addresses, as the headers that were read say
};

}  // namespace clusterloom::hdf5
