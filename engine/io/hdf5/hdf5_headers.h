#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "engine/io/hdf5/hdf5_heap.h"

namespace clusterloom::hdf5 {

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
