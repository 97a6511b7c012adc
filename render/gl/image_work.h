#pragma once

#include "render/gl/offscreen.h"

namespace clusterloom {

/// The picture whose copies on a black and on a white ground these are: where they differ the
/// ground shows through. Both of one size; channels are not premultiplied.
Image withoutGround(const Image& onBlack, const Image& onWhite);

/// Averages blocks of factor × factor pixels, weighted by their opacity. What is left over at the
/// right and at the bottom is cut off.
Image reduced(const Image& large, int factor);

}  // namespace clusterloom
