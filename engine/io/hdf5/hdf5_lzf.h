#pragma once

#include <cstdint>
#include <optional>

#include "engine/io/hdf5/hdf5_objects.h"

namespace clusterloom::hdf5 {

/// Registers h5py's filter "lzf" for reading, which libhdf5 does not have itself.
void registerLzf();

/// The bytes that chunks with this filter unpack to, by the properties of a dataset; nothing where
/// it is not used.
std::optional<std::uint64_t> unpackedByLzf(hid_t creation);

}  // namespace clusterloom::hdf5
