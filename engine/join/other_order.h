#pragma once

namespace clusterloom {

/// Half the width, as a fraction of ε², of the band in which a sum of `dims` squares that was added
/// in another order than the canonical one decides nothing. Two sums of the same n squares in
/// different orders each lie within (n + 1)u of the true sum, relatively, u = 2⁻⁵³, so that they
/// differ by at most 2(n + 2)u·ε² near ε²; two more pay for the rounding of the limits.
inline double otherOrderBand(int dims) { return 2.0 * (dims + 4.0) * 0x1p-53; }

}  // namespace clusterloom
