#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace clusterloom::hdf5
