#pragma once

#include <string>

#include "engine/io/byte_source.h"
#include "engine/io/hdf5/hdf5_objects.h"

namespace clusterloom::hdf5 {

/// Makes files that are opened for reading with these properties come from `source`, by a driver of
/// our own instead of one of the library's. On damaged files the library trusts what it reads, and
/// crashes; the driver refuses to read what the source does not have, heaps that are not sound
/// and headers that the library divides by zero on (hdf5_faults.h), and makes the library do
/// without its buffer for small reads, whose bounds it computes from unchecked addresses
/// (H5F__accum_read of 1.10.8 writes outside of it).
///
/// The name to open is `nameOf(source)`; files of other names, which its virtual datasets may need,
/// are opened by their paths. The source must outlive the opened objects, and a Session must be
/// held. BadInput where the library does not take the driver.
Result<void> readFrom(const ByteSource& source, hid_t fileAccess);

/// The name by which the library knows a source: its path, as far as it has one.
std::string nameOf(const ByteSource& source);

}  // namespace clusterloom::hdf5
