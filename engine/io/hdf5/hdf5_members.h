#pragma once

#include <string>
#include <vector>

#include "engine/io/hdf5/hdf5_objects.h"

namespace clusterloom::hdf5 {

/// Names of the objects in a group: in the order in which they came, where the group keeps it, else
/// in alphabetical order. Where some cannot be read, `damage` says why, and is empty else.
std::vector<std::string> namesIn(hid_t group, std::string& damage);

/// What a hard link in a group leads to. Nothing where it cannot be opened, with the reason in
/// `damage`, and of other links, which are not followed.
Handle openMember(hid_t group, const std::string& name, std::string& damage);

}  // namespace clusterloom::hdf5
