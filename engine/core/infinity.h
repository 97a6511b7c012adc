#pragma once

#include <limits>

namespace clusterloom {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace clusterloom
