#pragma once

#include <string>

namespace clusterloom {

/// The header of a .npy file in C order: `descr` is the type of its elements, such as "<u4", and
/// `shape` its lengths, such as "10, 2" or, of one dimension, "10,". A multiple of 64 bytes.
std::string npyHeader(const std::string& descr, const std::string& shape);

}  // namespace clusterloom
