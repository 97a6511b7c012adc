#pragma once

#include "engine/io/hdf5/hdf5_objects.h"

namespace clusterloom::hdf5 {

/// Whether the library would read values of a dataset from files that are not HDF5 (external
/// storage), directly or by way of virtual datasets of this file and others, which it opens by
/// itself, whatever they are. Also true for what cannot be looked at.
bool readsOtherFiles(hid_t dataset);

}  // namespace clusterloom::hdf5
