#pragma once

#include "engine/io/hdf5/hdf5_objects.h"

namespace clusterloom::hdf5 {

inline Handle typeHandle(hid_t id) { return {id, &H5Tclose}; }
inline Handle spaceHandle(hid_t id) { return {id, &H5Sclose}; }

/// Sets how values of the type are read; false: they cannot be.
bool describeType(hid_t type, Column& column);

/// The sizes of a dataset; empty: one value, or none that can be read.
std::vector<hsize_t> shapeOf(hid_t dataset);

/// The text of an attribute of one string; empty where there is none.
std::string attributeText(hid_t object, const char* name);

/// Names a column after the dataset of one dimension that it is, with its unit.
void nameColumn(hid_t dataset, const std::string& path, Column& column);

}  // namespace clusterloom::hdf5
