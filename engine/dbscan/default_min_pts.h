#pragma once

#include <cstddef>
#include <cstdint>

namespace clusterloom {

/// A minPts to begin with, where the caller names none: the larger of
///   2·dims, at most 20 (twice the dimension [Sander 1998]; clouds of many dimensions seldom
///     fill them, and clusters smaller than minPts cannot be found), and
///   ln(points), rounded up ([Birant 2007]; [Schubert 2017] asks for more than 2·dims
///     where there are many points or much noise),
/// at least 4 [Ester 1996, §4.2] and at most the number of points. 1 without points.
std::int64_t defaultMinPts(std::size_t points, std::size_t dims);

}  // namespace clusterloom
